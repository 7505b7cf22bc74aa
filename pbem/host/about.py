"""Which game a mail is about, by what it says of itself; what contradicts itself is refused.

A mail can name its game in five places, which count in this order: the signed block, the address it was sent to
(`host+g42@…`), a line `GAME …` above its orders, the tag in its subject, the letter of ours that it answers. Where two of
them name different games nobody knows which was meant, and nothing of it is taken. The host of another club may write
tags and threads like ours: those that mean no game here say nothing.
"""

from __future__ import annotations

from pbem.mail import Incoming, Named
from pbem.referee import Refused

from .store import Store

_PLACES = {
    "block": "its signed block",
    "address": "the address it was sent to",
    "line": "its line GAME",
    "subject": "its subject",
    "thread": "the letter it answers",
}
_LEAST = 4
"""So many digits of an id may stand for it; fewer could be a number."""


def game_of(store: Store, mail: Incoming, signed: int | None = None) -> int | None:
    """Return the number of the game that a mail is about, None where it does not say; `signed` is that of its block.

    Raises Refused where it names two games, or one that is not here.
    """
    held: tuple[str, set[int]] | None = ("block", {signed}) if signed is not None else None
    for named in mail.games:
        meant = _meant(store, named)
        if not meant:
            if named.where in ("address", "line"):
                raise Refused("BIND", f"By {_PLACES[named.where]} this is for game {named.game}, which is not here.")
            continue
        if held is not None and not held[1] & meant:
            raise Refused(
                "BIND",
                f"This mail names two games: {_PLACES[held[0]]} means game {_said(held[1])}, {_PLACES[named.where]} means "
                f"game {_said(meant)}. Nothing of it has been taken. Send one mail for each game, "
                "as an answer to a letter of that game or as a new mail.",
            )
        held = (held[0], held[1] & meant) if held else (named.where, meant)
    if held is None:
        return None
    if len(held[1]) > 1:
        raise Refused("BIND", f"By {_PLACES[held[0]]} this could be for any of the games {_said(held[1])}. Name one.")
    return held[1].pop()


def _said(games: set[int]) -> str:
    return " or ".join(map(str, sorted(games)))


def _meant(store: Store, named: Named) -> set[int]:
    """The games here that a name can mean: a number, or the beginning of an id."""
    name, found = named.game.replace("-", ""), set[int]()
    if named.where != "thread" and name.isdecimal() and len(name) < 10:
        found.update(row["id"] for row in store.rows("select id from games where id = ?", int(name)))
    if named.where in ("thread", "line") and len(name) >= _LEAST:
        found.update(row["id"] for row in store.rows("select id from games where g >= ? and g < ?", name, name + "g"))
    return found
