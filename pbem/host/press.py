"""Press between the players of a game, handed on without an address, outside the log.

A player signs it (`{"act":"press","game":G,"seat":S,"no":N,"to":SEAT or "","text":T}`, in the namespace `pbem-press-v1` over its
canonical JSON; each N counts once). Or he writes a plain mail with PRESS as its first line from the address of his seat. From can
be forged, so such press is handed on as unsigned, and its writer gets a copy as everybody does. A mail with lines from one of our
letters is not handed on: a program that quotes without marks would give the hand away. The amount per day is limited (`A_DAY`),
separately for signed and unsigned press.
"""

from __future__ import annotations

from pbem.i18n import _
from pbem.kernel import tidy
from pbem.ledger import PRESS, cj, verify_sig
from pbem.mail import Command, Incoming
from pbem.mail.press import A_DAY, marked, why_unfit
from pbem.mail.unquoting import ours_among
from pbem.referee import Envelope, Refused

from . import budgets
from .hosted import HostedGame
from .moments import later
from .post import Post


def signed(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Forward press signed by a player; return what was done. Raises Refused."""
    say = envelope.say
    seat, no, to, text = game.seat_of(envelope), say.get("no"), say.get("to"), say.get("text")
    words = isinstance(to, str) and isinstance(text, str)
    if (
        set(say) != {"act", "game", "seat", "no", "to", "text"}
        or type(no) is not int
        or not 0 < no < 2**53
        or not words
    ):
        raise Refused("FORM", _("The press is malformed. Let your program make it again."))
    key = game.seats[seat].key
    if not key or not verify_sig(key, PRESS, cj(say), envelope.sig):
        raise Refused("SIG", _("The press is not signed by the key of {name}.", name=game.name(seat)))
    if post.house.store.values("press", "id", game=game.id, seat=seat, no=no):
        return "duplicate: that press has been handed on"
    return _hand_on(post, game, seat, str(to), str(text), no, f"{seat}.{no}", at)


def unsigned(post: Post, mail: Incoming, command: Command, game: int | None, digest: str, at: str) -> str:
    """Forward press from a plain mail of a seat's address; return what was done. Raises Refused."""
    seats = [
        seat
        for seat in sorted(post.house.store.registered(mail.sender), key=lambda seat: seat.stage == "ended")
        if game in (None, seat.game) and seat.stage != "cancelled"
    ]
    if not seats:
        return "ignored: PRESS from an address that is not registered"
    if len(seats) > 1:
        raise Refused(
            "FORM",
            _(
                "{sender} has several seats here, and press is from one. Write the line “GAME {game}” above it, "
                "answer a letter of that game, or sign it with “pbem press”.",
                sender=mail.sender,
                game=seats[0].game,
            ),
        )
    hosted, seat = post.house.game(seats[0].game), seats[0].seat
    if not why_unfit(mail.press) and (line := ours_among(mail.press, post.words_sent(hosted, seat))):
        raise Refused(
            "FORM",
            _(
                "I cannot tell your words from mine: “{line}” and the line below it are also in a letter of mine to you. So I have "
                "handed nothing on. Delete what your mail program quotes, and send the mail again.",
                line=line[:72],
            ),
        )
    return _hand_on(post, hosted, seat, command.to, mail.press, None, digest[:16], at)


def _hand_on(post: Post, game: HostedGame, seat: str, to: str, text: str, no: int | None, name: str, at: str) -> str:
    others = _meant(game, seat, to)
    if why := why_unfit(text):
        raise Refused("FORM", why)
    if game.stage == "cancelled":
        raise Refused("ASK", _("This game was called off before it began."))
    today = post.house.store.values("press", "no", later(at, hours=-24), game=game.id, seat=seat)
    if sum((other is None) == (no is None) for other in today) >= A_DAY:
        raise Refused(
            "ASK",
            _("{n} pieces of press are handed on in a day, and yours have been. Wait a while.", n=A_DAY),
        )
    if any(budgets.left(post.house.store, "press", game.seats[other].address, at) == 0 for other in others):
        raise Refused(
            "ASK", _("So much press has gone to its reader lately that it is enough for now. Send it again later.")
        )
    post.house.store.insert("press", game=game.id, seat=seat, no=no, at=at)
    for other in (*others, seat):
        post.press(game, other, at, seat, others, marked(tidy(text)), no is not None, name)
    return f"press: {seat} to {', '.join(others)}"


def _meant(game: HostedGame, seat: str, to: str) -> tuple[str, ...]:
    """Whom press is for: one seat, by its id or name, or all others."""
    names = {name.casefold(): name for name in game.seats} | {game.name(name).casefold(): name for name in game.seats}
    if to.casefold() in ("", "all"):
        return tuple(name for name in game.seats if name != seat)
    if names.get(to.casefold(), seat) == seat:
        others = ", ".join(name for name in game.seats if name != seat)
        raise Refused("BIND", _("Press can go to {others}, or to all, but not to “{to}”.", others=others, to=to))
    return (names[to.casefold()],)
