"""Opening a game and taking its seats: a seat is for the person with the token from its invitation.

A game's id is public, so it must not be enough to get a seat. An invitation contains a token of 128 bits, and a join comes with a
proof that its writer has it (`pbem.mail.block`). The host keeps no token: each follows from its root secret and the number of
invitations to that seat. Joins wait here until all seats are taken, each by one key. Then they are entered together.

If two keys with the right token take one seat, a stranger has read the invitation. The game waits until the host withdraws it and
invites again.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping
from types import MappingProxyType

from pbem.errors import UsageError
from pbem.games import manifest
from pbem.i18n import _, speaking
from pbem.kernel import Json
from pbem.ledger import cj, fingerprint, sha256_hex
from pbem.ledger.kept import seats_of
from pbem.mail.hours import ALWAYS, Hours
from pbem.referee import Envelope, HostChains, check_form, check_join, opening_entry, proof_of, signed_head

from . import banned, kept_seats, moves, observers, registering
from .hosted import HostedGame, keep_game, on_clock
from .kept import kept_term
from .post import Post
from .store import StoredLedger
from .store.keeping import STAGE
from .store.rows import MAY_BE_KEPT, OWN, AheadRow, AnswerRow, JoinRow
from .troubles import matter, settle


def open_game(
    post: Post,
    game: str,
    options: Json,
    players: Mapping[str, str],
    title: str,
    terms: Json,
    fresh: str,
    at: str,
    clock: Hours | Mapping[str, Hours] = ALWAYS,
    languages: Mapping[str, str] = MappingProxyType({}),
    kept: Collection[str] = (),
    same_address: bool = False,
) -> int:
    """Open a game and lay the invitations in the outbox; return its number here. Raises UsageError.

    `players` maps seats to addresses, `terms` are what they agree on, as entry 0 holds them (`pbem.ledger.terms`
    makes them); `fresh` is randomness that the caller read from the system (or a seed, in a demo): the game's nonce
    and all its chains come from it. `clock` says when time counts for the players, or for each seat, until they say
    so themselves. `languages` are those of seats that are not to be written to in the host's own. `kept` are the seats whose
    players may choose that this host keeps their keys; two of them have one address only with `same_address`.
    """
    house = post.house
    banned.check_not_banned(house.store, players.values())
    rules = house.pack(game).rules
    opts = rules.options_model.model_validate(options).model_dump(mode="json")
    seats = rules.seats(opts)
    for name, settled in rules.following(opts):
        house.pack(name).complete(settled)
    if set(players) != set(seats):
        said = _(
            "{game} is played by {seats}: name an address for each, and no other.",
            game=rules.title, seats=", ".join(seats),
        )  # fmt: skip
        if "players" in opts and len(players) != len(seats):
            said += " " + _("If another number of people play, say so: --players {n}.", n=len(players))
        raise UsageError(said)
    nonce = house.root.nonce(fresh)
    of_seats = {
        seat: {"address": players[seat], "link_n": 0, "sent_n": -1, "language": languages.get(seat, "")}
        | on_clock(clock if isinstance(clock, Hours) else clock[seat])
        | {"kept": MAY_BE_KEPT if seat in kept else OWN}
        for seat in seats
    }
    kept_seats.check(terms, kept)
    with house.store.decision():
        agreed = registering.with_place(
            house, {**terms, **kept_term(house.root, nonce, [*filter(kept.__contains__, seats)])}
        )
        first = opening_entry(rules, opts, manifest(game)[1], HostChains(house.root, nonce), house.key, agreed, at)
        g = sha256_hex(cj({**first, "n": 0, "prev": "0" * 64}))
        number = keep_game(house.store, g, first, "joining", title, at, of_seats)
        StoredLedger(house.store, number, seats).append(first)
        registering.enter_opened(house, g, first)
        observers.let_everybody(house.store, number, post.watch)
        kept_seats.note_shared(house.store, number, same_address=same_address)
        opened = house.game(number)
        for seat in seats:
            post.invitation(opened, seat, at)
    return number


def call_off(game: HostedGame, post: Post, at: str) -> None:
    """Call off a game that has not begun, and tell those who were invited. Raises UsageError."""
    game.check_moving()
    store = game.house.store
    # nobody has given a share in the dice that are to come, but for that of being ready: neither in the log, nor in what
    # waits here with its receipt written
    begun = game.stage == "playing" and (
        any(seat.link_n > 1 for seat in game.course.seats.values())
        or any(answer.say.get("link_n") for answer in store.find(AnswerRow, game=game.id))
        or bool(store.find(AheadRow, game=game.id))
    )
    if begun or game.stage not in ("joining", "readying", "moving", "playing"):
        raise UsageError(
            _(
                "Game {number} is {stage}; only a game that has not begun can be cancelled.",
                number=game.id, stage=_(STAGE[game.stage]),
            )
        )  # fmt: skip
    store.change("games", game.id, stage="cancelled", due=None, asked=[])
    settle(store, game.id)
    for seat in game.seats:
        post.called_off(game, seat, at)


def has_token(game: HostedGame, seat: str, envelope: Envelope, post: Post) -> bool:
    """Return whether a signed statement comes with a proof that its writer has the token of that seat."""
    return hmac.compare_digest(proof_of(post.token(game, seat), envelope.say), envelope.proof)


def join(game: HostedGame, envelope: Envelope, post: Post, at: str, language: str = "") -> str:
    """Take somebody's word that he takes a seat; with the last, enter them all. Raises Refused."""
    check_form(envelope)
    waiting = _waiting(game)
    taken = {name: keys[0] for name, keys in waiting.items() if keys}
    check_join(
        envelope, game.g, list(game.seats), {name: key for name, key in taken.items() if name != _seat(envelope)}
    )
    seat, say = game.seat_of(envelope), envelope.say
    if say["key"] in waiting[seat]:
        return "duplicate: that key has taken the seat"
    if not has_token(game, seat, envelope, post):
        return stranger(game, seat, str(say["key"]), post, at)
    if len(waiting[seat]) > 1:
        return f"contested: {seat}"
    game.house.store.insert(
        "joins",
        game=game.id,
        seat=seat,
        key=say["key"],
        say=say,
        sig=envelope.sig,
        at=at,
        language=language,
    )
    if waiting[seat]:
        contested(game, seat, (*waiting[seat], str(say["key"])), post, at)
        return f"contested: {seat}"
    spoken = {"language": language} if language else {}
    game.change_seat(seat, key=say["key"], **spoken)
    game.move_on(at)
    _enter(game, post, at)
    return f"joined: {seat}"


def _seat(envelope: Envelope) -> str:
    return str(envelope.say.get("seat"))


def _waiting(game: HostedGame) -> dict[str, list[str]]:
    """The keys that have taken each seat, in the order in which they came."""
    joins = game.house.store.find(JoinRow, game=game.id)
    return {seat: [join.key for join in joins if join.seat == seat] for seat in game.seats}


def _enter(game: HostedGame, post: Post, at: str) -> None:
    """Once every seat is taken, each by one key, enter all joins in the order in which they came, and tell everybody the keys."""
    if any(len(keys) != 1 for keys in _waiting(game).values()):
        return
    for join in game.house.store.find(JoinRow, order="at, rowid", game=game.id):
        moment = max(join.at, game.course.clock)
        entry = {"k": "join", "by": join.seat, "say": join.say, "sig": join.sig, "at": moment}
        game.ledger.append(entry | kept_seats.join_beside(game, join))
    sign(game)
    registering.enter_begun(game)
    game.house.store.change("games", game.id, stage="readying")
    game.move_on(at)
    post.rosters(game, at)


def sign(game: HostedGame) -> None:
    """Sign the head over the roster, that all players are to have seen."""
    n, head = game.ledger.n, game.ledger.head
    game.ledger.attach(("head", "", n, ""), "", signed_head(game.house.key, game.g, n, head), game.seats)


def late_join(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Look at a join that comes when all seats are taken: another key with the right token stops a game that has not begun.

    Raises Refused.
    """
    check_form(envelope)
    seat, key = game.seat_of(envelope), str(envelope.say["key"])
    if key == game.course.seats[seat].key:
        return "duplicate: that step is done"
    check_join(envelope, game.g, list(game.seats), {})
    if game.stage != "readying" or not has_token(game, seat, envelope, post):
        return stranger(game, seat, key, post, at)
    if len(_waiting(game)[seat]) > 1:
        return f"contested: {seat}"
    contested(game, seat, (game.course.seats[seat].key, key), post, at)
    game.house.store.put(
        "joins", game=game.id, seat=seat, key=key, say=envelope.say, sig=envelope.sig, at=at, language=""
    )
    return f"contested: {seat}"


def stranger(
    game: HostedGame, seat: str, key: str, post: Post, at: str, invited: Mapping[str, Json] | None = None
) -> str:
    """Report, once, to the seat and the host that an uninvited person wants the seat; the game continues. Return what was done.

    `invited` is the person invited to replace its player.
    """
    post.stranger(game, seat, at, fingerprint(key), **_reader(post, invited))
    with speaking(post.language):
        what = _("Somebody without an invitation asked for the seat {seat} and was refused.", seat=game.name(seat))
        matter(game.house.store, game.id, seat, what, at, is_open=False)
    return f"refused: BIND: a join for {seat} by somebody who is not invited"


def contested(
    game: HostedGame, seat: str, keys: tuple[str, ...], post: Post, at: str, invited: Mapping[str, Json] | None = None
) -> None:
    """Report to the seat, or to its invited replacement, and to the host that two keys with the right token want it."""
    post.contested(game, seat, at, [fingerprint(key) for key in keys], **_reader(post, invited))
    with speaking(post.language):
        said = _(
            "Two keys have taken the seat {seat}, both with its token: somebody has read the invitation. Ask its player which "
            "is his.",
            seat=game.name(seat),
        )
        if game.stage == "readying":
            done = _(
                "The keys are entered: call the game off (“pbem host cancel {number}”) and open another.",
                number=game.id,
            )
        else:
            command = f"replace {game.id} {seat} {invited['address']}" if invited else f"invite {game.id} {seat}"
            done = _(
                "“pbem host {command}” sends him another invitation; joins by the present one are then void.",
                command=command,
            )
        matter(game.house.store, game.id, seat, f"{said} {done}", at)


def _reader(post: Post, invited: Mapping[str, Json] | None) -> dict[str, str]:
    """Return the reader of a letter about a seat: the person invited to replace its player, or "" for the seat."""
    if not invited:
        return {"to": "", "language": ""}
    return {"to": str(invited["address"]), "language": post.at_hand(str(invited["language"]))}


def held(game: HostedGame) -> str:
    """Return why a game that has not begun must wait, or ""."""
    for seat, keys in _waiting(game).items():
        if len(keys) > 1:
            return _("Two keys have taken the seat {seat}. The host has to settle that first.", seat=game.name(seat))
    return ""


def invite_again(game: HostedGame, seat: str, post: Post, at: str, address: str = "") -> None:
    """Withdraw the invitation to a seat and send another; a join by the first is void. Raises UsageError."""
    if seat not in game.seats:
        seats = ", ".join(game.seats)
        raise UsageError(_("This game has no seat “{seat}”; its seats are {seats}.", seat=seat, seats=seats))
    if game.stage not in ("joining", "readying"):
        raise UsageError(
            _(
                "Game {number} is {stage}; an invitation can be withdrawn until all seats are taken.",
                number=game.id,
                stage=_(STAGE[game.stage]),
            )
        )
    if game.stage == "readying":
        raise UsageError(
            _(
                "The keys of game {number} are already entered, so nobody can be invited to its seats again. "
                "Call the game off (“pbem host cancel {number}”) and open another.",
                number=game.id,
            )
        )
    store = game.house.store
    store.delete("joins", game=game.id, seat=seat)
    game.change_seat(
        seat,
        key=None,
        invited=game.seats[seat].invited + 1,
        address=address or game.seats[seat].address,
        sent_n=-1,
        kept=MAY_BE_KEPT if seat in seats_of(game.ledger.entry(0)["terms"]) else OWN,
    )
    moves.forget(game, seat)
    settle(store, game.id, seat)
    game.move_on(at)
    post.invitation(game, seat, at)
