"""The short notation of a game: a line per turn and side, for people to read. It leaves out dice and cards.

    1306, Game Turn 2
      English  CARD Move 2; MOVE Lanark > Lothian > Selkirk: Steward
      Scots    CARD Move 1; MOVE Fife > Mentieth: Douglas

It shows the orders themselves, so only a game that is over has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.ledger import TAKEBACK
from pbem.reports.text import readable, result_text, sentence
from pbem.reports.turns import ListedTurn, Turns

from .hostless import line_by_line, rebuilt_hostless
from .notation import ChangeLine, Notation, OrderLine

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.reports.replay import Opened


def short(game: Notation, told: Opened, pack: GamePack) -> str:
    """Return the short notation of a game, with its result."""
    if game.head.host:
        game = line_by_line(game)
        told = rebuilt_hostless(game)._replace(unsigned=told.unsigned)
    lines = [f"# {pack.rules.title}"]
    if told.unsigned:
        lines.append(f"# {told.unsigned}")
    names = {seat: sentence(pack.look.seat_name(seat)) for seat in told.seats}
    wide = max(map(len, names.values()))
    parts = parts_of(told, pack)
    for part, orders in _by_part(game, parts).items():
        if any(orders.values()):
            lines += ["", str(parts[part]) if part >= 0 else _("Before the first turn")]
            lines += [f"  {names[seat]:<{wide}}  {'; '.join(said)}" for seat, said in orders.items() if said]
    if told.end:
        lines += ["", result_text(told.end[1], pack)]
    return "\n".join(lines) + "\n"


def parts_of(told: Opened, pack: GamePack) -> list[ListedTurn]:
    """Return the parts of a game that everybody was told of: its turns, without what is inside them."""
    turns = Turns()
    for tell in told.told[""]:
        known = (fact for fact in tell.facts if readable(fact, None, pack) is not None)
        for chapter in filter(None, map(pack.look.chapter, known)):
            if not chapter.depth:
                turns.note(tell.n, chapter)
    return turns.found


def _by_part(game: Notation, parts: list[ListedTurn]) -> Mapping[int, dict[str, list[str]]]:
    """Return by part (-1: before the first) the orders of each seat, without those that were taken back."""
    found: dict[int, dict[str, list[str]]] = {}
    for n, line in _standing(game):
        part = sum(turn.n < n for turn in parts) - 1
        orders = found.setdefault(part, {})
        orders.setdefault(line.seat, []).append(line.order.replace("\n", "; "))
    return found


def _standing(game: Notation) -> Iterator[tuple[int, OrderLine]]:
    """Yield the orders that count, each with its number."""
    kept: list[tuple[int, OrderLine]] = []
    n = 0
    for line in game.lines:
        n = n + 1 if line.n is None else line.n
        if isinstance(line, OrderLine):
            kept.append((n, line))
        elif isinstance(line, ChangeLine) and (ask := line.change.get(TAKEBACK.removeprefix("take"))):
            kept = [one for one in kept if one[0] < ask]
    yield from kept
