"""A seat changes hands: its player has vanished, the host invites another, and all others agree to him.

What waits for their agreement stands in the store's `meta`; what was agreed on stands in the log. Whether a seat is free to be
given away is `Talk`'s to know.
"""

from __future__ import annotations

import json

from pbem.errors import UsageError
from pbem.kernel import Json
from pbem.ledger import SAY, Talk, check_key_line, cj, verify_sig
from pbem.referee import Envelope, Refused, check_form
from pbem.words import _

from .hosted import HostedGame
from .post import Post


def invite(game: HostedGame, seat: str, address: str, post: Post, at: str, language: str = "") -> None:
    """Invite somebody to the seat of a player who has vanished. Raises UsageError where nobody has."""
    absent = vanished(game)
    if seat not in absent:
        raise UsageError(
            _(
                "“{seat}” is no seat whose player has vanished. One has who let his answer be the default, or lost by time, "
                "and has written nothing since. Those who have: {seats}.",
                seat=seat, seats=", ".join(absent) or _("nobody"),
            )
        )  # fmt: skip
    waiting = {"address": address, "sent_n": game.ledger.n, "say": {}, "sig": "", "language": language}
    game.house.store.put("meta", name=_name(game, seat), value=json.dumps(waiting))
    post.newcomer(game, seat, address, at, language)


def vanished(game: HostedGame) -> list[str]:
    """Return the seats whose players have vanished: by the log, and no answer of theirs is here that it does not hold yet."""
    if game.stage != "playing":
        return []
    talk = Talk.read(game.ledger.entries())
    silent = talk.absent - game.answers(talk.ask).keys()
    return sorted(seat for seat in silent if game.seats[seat]["late"] or seat in talk.gone)  # no choice is no absence


def take(game: HostedGame, envelope: Envelope, post: Post, at: str, language: str = "") -> str:
    """Take the word of somebody who was invited, and ask the other players; return what was done. Raises Refused."""
    check_form(envelope)
    say, seat = envelope.say, str(envelope.say["seat"])
    waiting, talk = _waiting(game, seat), Talk.read(game.ledger.entries())
    if waiting is None or say["key"] == talk.keys.get(seat):
        return "duplicate: that step is done"
    if waiting["say"]:
        return "duplicate: the others have been asked"
    check_key_line(say["key"])
    if say["game"] != game.g or not verify_sig(say["key"], SAY, cj(dict(say)), envelope.sig):
        raise Refused("SIG", _("The signature does not fit the key that it names."))
    if say["key"] in talk.keys.values():
        raise Refused("BIND", _("This key holds another seat of the game already; each seat needs a key of its own."))
    waiting.update(say=dict(say), sig=envelope.sig, language=language or waiting.get("language", ""))
    game.house.store.put("meta", name=_name(game, seat), value=json.dumps(waiting))
    for other in game.seats:
        if other != seat and other not in talk.gone:
            post.proposal(game, other, seat, envelope, at)
    return f"newcomer: {seat}"


def proposed(game: HostedGame) -> dict[str, Json]:
    """Return what an amendment would hold for every newcomer who waits, by his seat."""
    found = {seat: _waiting(game, seat) for seat in game.seats}
    return {
        seat: {"player": {"say": one["say"], "sig": one["sig"]}} for seat, one in found.items() if one and one["say"]
    }


def settle_in(game: HostedGame, seat: str) -> None:
    """Give a seat to the newcomer to whom all have agreed: its letters go to him from now on."""
    waiting = _waiting(game, seat) or {}
    game.change_seat(
        seat,
        key=waiting["say"]["key"],
        address=waiting["address"],
        sent_n=waiting["sent_n"],
        language=waiting.get("language", ""),
        clocks=0,
    )
    game.house.store.db.execute("delete from meta where name = ?", (_name(game, seat),))


def _name(game: HostedGame, seat: str) -> str:
    return f"newcomer {game.id} {seat}"


def _waiting(game: HostedGame, seat: str) -> dict[str, Json] | None:
    row = game.house.store.row("select value from meta where name = ?", _name(game, seat))
    return dict(json.loads(row["value"])) if row else None
