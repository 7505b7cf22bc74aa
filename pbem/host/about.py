"""The game that a mail is about, by what the mail says; a mail that contradicts itself is refused.

A mail can name its game in five places, in this order of precedence:
- the signed block,
- the address it was sent to (`host+g42@…`),
- a line `GAME …` above its orders,
- the tag in its subject,
- the letter of ours that it answers.

If two of them name different games, the meaning is unknown and nothing in the mail is taken. The host of another club may write
tags and threads like ours. Those that match no game here are ignored.
"""

from __future__ import annotations

from pbem.i18n import N_, _
from pbem.mail import Incoming, Named
from pbem.referee import Refused

from .store import Store

_PLACES = {
    "block": N_("its signed block"),
    "address": N_("the address it was sent to"),
    "line": N_("its line GAME"),
    "subject": N_("its subject"),
    "thread": N_("the letter it answers"),
}
_LEAST = 4
"""The minimum number of digits that may abbreviate an id; fewer could be a number."""


def game_of(store: Store, mail: Incoming, signed: int | None = None) -> int | None:
    """Return the number of the game that a mail is about, None where it does not say; `signed` is that of its block.

    Raises Refused where it names two games, or one that is not here.
    """
    held: tuple[str, set[int]] | None = ("block", {signed}) if signed is not None else None
    for named in mail.games:
        meant = _meant(store, named)
        if not meant:
            if named.where in ("address", "line"):
                raise Refused(
                    "BIND",
                    _(
                        "By {place} this is for game {game}, which is not here.",
                        place=_(_PLACES[named.where]),
                        game=named.game,
                    ),
                )
            continue
        if held is not None and not held[1] & meant:
            raise Refused(
                "BIND",
                _(
                    "This mail names two games: {place} means game {games}, {other_place} means game {others}. "
                    "Nothing was taken from it. Send one mail for each game, as a reply to a letter of that game "
                    "or as a new mail.",
                    place=_(_PLACES[held[0]]),
                    games=_said(held[1]),
                    other_place=_(_PLACES[named.where]),
                    others=_said(meant),
                ),
            )
        held = (held[0], held[1] & meant) if held else (named.where, meant)
    if held is None:
        return None
    if len(held[1]) > 1:
        raise Refused(
            "BIND",
            _(
                "By {place} this could be for any of the games {games}. Name one.",
                place=_(_PLACES[held[0]]),
                games=_said(held[1]),
            ),
        )
    return held[1].pop()


def _said(games: set[int]) -> str:
    named = list(map(str, sorted(games)))
    return _("{most} or {last}", most=", ".join(named[:-1]), last=named[-1]) if len(named) > 1 else named[0]


def _meant(store: Store, named: Named) -> set[int]:
    """The games here that a name can mean: a number, or the beginning of an id."""
    name, found = named.game.replace("-", ""), set[int]()
    if named.where != "thread" and name.isdecimal() and len(name) < 10:
        found |= store.games_here([int(name)])
    if named.where in ("thread", "line") and len(name) >= _LEAST:
        found.update(store.games_beginning(name))
    return found
