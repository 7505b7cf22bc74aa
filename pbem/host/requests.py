"""Requests to the robot that need no signature: STATUS, HELP, BOARD, RESEND, LANGUAGE, PICTURES; and UNSUBSCRIBE by an observer.

RESEND can also be signed, so that nobody who writes in a player's name can use up his requests.

Such a mail orders nothing. Its writer is unknown, so the answer goes to the registered address and contains only what the seat of
that address may see. The number of answers in an hour and a day is limited.
"""

from __future__ import annotations

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import REQUEST, cj, verify_sig
from pbem.mail import Command, Incoming
from pbem.referee import Envelope, Refused

from . import moves, observers
from .hosted import HostedGame
from .outbox import TooMany
from .post import Post
from .store.keeping import OVER
from .store.rows import At
from .tongues import choose, known

_RESEND = {"act", "game", "seat", "since", "no"}


def answer(post: Post, mail: Incoming, command: Command, game: int | None, digest: str, at: str) -> str:
    """Answer a request; return what was done. Raises Refused if it cannot be answered."""
    if command.word == "CONFIRM":
        return moves.confirm(post.house, post, command.code, at)
    seats = [
        seat
        for seat in sorted(post.house.store.registered(mail.sender), key=lambda seat: seat.stage in OVER)
        if game in (None, seat.game)
    ]
    looking = [at for at in post.house.store.looking_on(mail.sender) if game in (None, at.game)]
    if command.word not in ("LANGUAGE", "PICTURES", "UNSUBSCRIBE"):
        looking = []
    registered = [*seats, *looking]
    if not registered:
        return f"ignored: {command.word} from an address that is not registered"
    if not post.may_answer("reply", registered[0].address, at):
        return f"ignored: {command.word}, one too many"
    on = [seat for seat in seats if seat.stage not in OVER]
    language = _chosen(post, registered, mail) if mail.wants else ""
    match command.word:
        case "LANGUAGE":
            first = (on or registered)[0]
            hosted = post.house.game(first.game)
            post.language_set(hosted, first.seat, at, first.address, digest, language=language)
        case "UNSUBSCRIBE":
            _look_away(post, looking, digest, at)
        case "PICTURES":
            _draw(post, seats, command.to, digest, at)
        case "HELP":
            post.help(post.house.game(seats[0].game), seats[0].seat, at, digest)
        case "STATUS":
            _status(post, on or seats[-1:], digest, at)
        case word:
            for seat in _one_game(post, on or seats, word, mail):
                hosted = post.house.game(seat.game)
                if word == "BOARD":
                    post.board(hosted, seat.seat, at, digest)
                else:
                    since = -1 if command.since is None else command.since
                    _check_since(hosted, since)
                    post.resend(hosted, seat.seat, at, since, f"reply.{digest[:16]}.{seat.seat}")
    return f"answered: {command.word}"


def resend(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Send a seat its copy again, at its player's signed request; return what was done. Raises Refused."""
    say = envelope.say
    seat, since, no = game.seat_of(envelope), say.get("since"), say.get("no")
    row = game.seats[seat]
    if set(say) != _RESEND or type(no) is not int or not 0 < no < 2**53 or type(since) is not int or since < -1:
        raise Refused("FORM", _("The request is malformed. Let your program make it again."))
    if not row.key or not verify_sig(row.key, REQUEST, cj(say), envelope.sig):
        raise Refused("SIG", _("The request is not signed by the key of {name}.", name=game.name(seat)))
    if no <= row.requests:
        return "duplicate: that has been asked for"
    _check_since(game, since)
    if not post.may_answer("resent", row.address, at):
        raise TooMany(_("You have been sent your copy so often today that it is enough for now. Ask again tomorrow."))
    game.change_seat(seat, requests=no)
    post.resend(game, seat, at, since, f"resent.{no}.{seat}")
    return f"resent: {seat}"


def _draw(post: Post, seats: list[At], size: str, digest: str, at: str) -> None:
    """Send an address its maps in that size from now on, or none, and say so. Raises Refused for one who looks on."""
    if not seats:
        raise Refused("FORM", _("PICTURES is for players. Who looks on gets the letters as they are, or UNSUBSCRIBE."))
    for seat in seats:
        post.house.game(seat.game).change_seat(seat.seat, pictures=size)
    post.pictures_set(post.house.game(seats[0].game), seats[0].seat, at, size, digest)


def _look_away(post: Post, looking: list[At], digest: str, at: str) -> None:
    """Send who looks on nothing more, and tell him so. Raises Refused for a player."""
    if not looking:
        raise Refused(
            "FORM",
            _("UNSUBSCRIBE is for people who look on. A player who wants to stop playing resigns: “pbem say resign”."),
        )
    for row in looking:
        game = post.house.game(row.game)
        observers.look_away(game, row.address)
        post.looks_away(game, "", at, row.address, digest, language=post.at_hand(row.language))


def _chosen(post: Post, registered: list[At], mail: Incoming) -> str:
    """Write to an address in the language that its mail asks for, from now on; return it. Raises Refused."""
    try:
        language = known(mail.wants)
    except UsageError as error:
        raise Refused("FORM", str(error)) from error
    for number in sorted({row.game for row in registered}):
        choose(post.house.game(number), registered[0].address, language)
    return language


def _one_game(post: Post, seats: list[At], word: str, mail: Incoming) -> list[At]:
    """The seats of the one game that is meant: two when one address plays both sides."""
    numbers = sorted({seat.game for seat in seats})
    if len(numbers) > 1:
        titles = {seat.game: post.house.game(seat.game).title for seat in seats}
        named = _("; ").join(_("game {number} ({title})", number=number, title=titles[number]) for number in numbers)
        raise Refused(
            "FORM",
            _(
                "{word} is about one game, and {sender} plays several: {games}. "
                "Write the line “GAME {number}” above it, or answer a letter of that game.",
                word=word, sender=mail.sender, games=named, number=numbers[0],
            ),
        )  # fmt: skip
    return seats


def _status(post: Post, seats: list[At], digest: str, at: str) -> None:
    games = [(post.house.game(seat.game), seat.seat) for seat in seats]
    post.status(*games[0], at, [(game, seat, _order_here(game, seat)) for game, seat in games], digest)


def _order_here(game: HostedGame, seat: str) -> list[str]:
    """The order of a seat that waits for the others, as lines."""
    row = game.answers(game.row.ask).get(seat) if game.row.ask and game.stage == "playing" else None
    if row is None:
        return []
    order, plans = row.texts
    return order.split("\n") + ([f"PLANS: {plans}"] if plans else [])


def _check_since(game: HostedGame, since: int) -> None:
    if since > game.ledger.n:
        raise Refused(
            "SEEN",
            _(
                "The log of {title} ends at entry {entry}, so it has no entries since {since}.",
                title=game.title, entry=game.ledger.n, since=since,
            ),
        )  # fmt: skip
