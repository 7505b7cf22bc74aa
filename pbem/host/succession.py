"""Replacement of a player who has vanished: the host invites another, and all others agree to him.

A replacement that waits for agreement is in the store's `meta`; an agreed one is in the log. The course of the log decides whether
a seat is free to be given away.

An invitation contains a token, as one to a new game does. The operator confirms who has the seat and which key he took. If there
are several other seats, all of them may confirm instead: a single opponent does not choose his enemy.
"""

from __future__ import annotations

from pbem.errors import UsageError
from pbem.i18n import _, speaking
from pbem.kernel import Json
from pbem.ledger import SAY, check_key_line, cj, fingerprint, verify_sig
from pbem.referee import Envelope, Refused, check_form

from . import moves, roster
from .hosted import HostedGame
from .newcomers import forget, keep, newcomer, told_of, waiting_in
from .post import Post
from .store.rows import KEPT, OWN, AheadRow, KeptSay
from .troubles import matter, settle


def invite(game: HostedGame, seat: str, address: str, post: Post, at: str, language: str = "") -> None:
    """Invite somebody to the seat of a player who has vanished; an earlier invitation is void. Raises UsageError."""
    absent = vanished(game, at)
    if seat not in absent:
        raise UsageError(
            _(
                "“{seat}” is not a seat with a vanished player. A player has vanished if his answer was the "
"default twice in a row, or he lost by time, and he has written nothing since. Vanished: "
"{seats}.",
                seat=seat, seats=", ".join(absent) or _("nobody"),
            )
        )  # fmt: skip
    game.change_seat(seat, invited=game.seats[seat].invited + 1)
    waiting = {"address": address, "sent_n": game.ledger.n, "say": {}, "sig": "", "language": language, "asked": False}
    keep(game, seat, waiting)
    settle(game.house.store, game.id, seat)
    post.newcomer(game, seat, at, address, language=post.at_hand(language))


def vanished(game: HostedGame, at: str) -> list[str]:
    """Return the seats of vanished players: by the log, and without any later message from them that is not yet in it."""
    if game.stage != "playing":
        return []
    course, moment = game.course, max(at, game.course.clock)
    return sorted(seat for seat in game.seats if course.vanished(seat, moment) and not _is_heard(game, seat))


def _is_heard(game: HostedGame, seat: str) -> bool:
    """Has a player signed something since he was late last that waits here: an answer, an order sent ahead, a word?"""
    course, store = game.course, game.house.store
    if seat in game.answers(course.question.n if course.question else 0):
        return True
    skips = [entry["at"] for entry in game.ledger.entries() if entry["k"] == "skip" and entry["to"] == seat]
    late = course.call.due if course.call and seat in course.missing else max(skips, default="")
    waiting = (*store.find(AheadRow, game=game.id, seat=seat), *store.find(KeptSay, game=game.id, seat=seat))
    return any(one.at > late for one in waiting)


def take(game: HostedGame, envelope: Envelope, post: Post, at: str, language: str = "", address: str = "") -> str:
    """Take the statement of an invited person, and ask those who have to agree; return what was done. Raises Refused.

    `address` is where he has written from, if this host keeps his key; then his statement includes the evidence.
    """
    check_form(envelope)
    say, seat = envelope.say, game.seat_of(envelope)
    waiting = waiting_in(game, seat)
    if say["key"] == game.course.seats[seat].key:
        return "duplicate: that step is done"
    if waiting is None:
        return roster.late_join(game, envelope, post, at)
    if say["key"] == waiting["say"].get("key"):
        return "duplicate: the others have been asked"
    check_key_line(say["key"])
    if say["game"] != game.g or not verify_sig(say["key"], SAY, cj(dict(say)), envelope.sig):
        raise Refused("SIG", _("The signature does not fit the key that it names."))
    if not roster.has_token(game, seat, envelope, post):
        return roster.stranger(game, seat, str(say["key"]), post, at, waiting)
    if waiting["say"]:
        # the others are asked once the operator knows which of the two he has invited
        keep(game, seat, waiting | {"asked": False})
        roster.contested(game, seat, (waiting["say"]["key"], str(say["key"])), post, at, waiting)
        return f"contested: {seat}"
    if say["key"] in game.course.keys:
        raise Refused("BIND", _("This key is used in the game already, or was; take another."))
    if say["chain"] in game.course.seats[seat].anchors:
        raise Refused(
            "BIND", _("This chain belongs to the seat's former player. Let your program make the block again.")
        )
    waiting.update(say=dict(say), sig=envelope.sig, language=language or waiting.get("language", ""))
    waiting.update(beside=dict(envelope.beside), address=address or waiting["address"])
    keep(game, seat, waiting)
    # of two, the other is his opponent: he alone does not say who is to be believed
    if len(game.seats) - len(game.course.gone.keys() - {seat}) < 3:
        with speaking(post.language):
            what = _(
                "A newcomer with the key {key} wants the seat {seat}. Compare it with him by telephone; “pbem host replace "
                "{number} {name} --confirm KEY” lets the others be asked.",
                key=fingerprint(say["key"]), seat=game.name(seat), number=game.id, name=seat,
            )  # fmt: skip
            what = " ".join(filter(None, [what, told_of(envelope)]))
            matter(game.house.store, game.id, seat, what, at)
        return f"newcomer: {seat}, to be confirmed"
    _ask(game, seat, waiting, post, at)
    return f"newcomer: {seat}"


def confirm(game: HostedGame, seat: str, key: str, post: Post, at: str) -> None:
    """Let the others be asked about a newcomer, after the host has compared his key. Raises UsageError."""
    waiting = waiting_in(game, seat)
    if waiting is None or not waiting["say"]:
        raise UsageError(_("Nobody has taken up an invitation to the seat {seat}.", seat=seat))
    if fingerprint(waiting["say"]["key"]).removeprefix("SHA256:") != key.removeprefix("SHA256:"):
        raise UsageError(
            _(
                "The newcomer's key is {key}, not the one you gave. If he has another key, invite him again.",
                key=fingerprint(waiting["say"]["key"]),
            )
        )
    settle(game.house.store, game.id, seat)
    _ask(game, seat, waiting, post, at)


def _ask(game: HostedGame, seat: str, waiting: dict[str, Json], post: Post, at: str) -> None:
    """Ask all others whether they agree."""
    keep(game, seat, waiting | {"asked": True})
    for other in game.seats:
        if other != seat and other not in game.course.gone:
            post.proposal(game, other, at, seat, newcomer(game, seat))


def settle_in(game: HostedGame, seat: str) -> None:
    """Give a seat to the newcomer to whom all have agreed: its letters go to him from now on."""
    waiting = waiting_in(game, seat) or {}
    game.change_seat(
        seat,
        key=waiting["say"]["key"],
        address=waiting["address"],
        sent_n=waiting["sent_n"],
        language=waiting.get("language", ""),
        clocks=0,
        mail="all",
        mails=0,
        kept=KEPT if waiting.get("beside") else OWN,
    )
    forget(game, seat)
    moves.forget(game, seat)
    settle(game.house.store, game.id, seat)
