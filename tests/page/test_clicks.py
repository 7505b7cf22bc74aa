"""How many clicks a turn of Hammer takes on the page, for somebody who answers as the built-in player does.

A click is a press of the button: a block that is dragged to an area takes one, and two where both are touched. Only what lights up
is touched; of all ways to the order the shortest counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.page.chair import Chair
from pbem.page.service import Service
from tests.page.alone import begun
from tests.page.calling import ok

CEILING, TOUCHES = 17, 22
"""Of the game turn with most battles in three years, and without dragging: it was 30 when no touch was a whole answer."""
BESIDE = ("choice:PLAN", "choice:AHEAD", "end")


class Said(NamedTuple):
    """A line of an order, whatever stands first in it."""

    head: str
    parts: frozenset[str]
    route: str

    @classmethod
    def of(cls, line: str) -> Said:
        """Take a line apart: blocks of a move go together, all else that commas part goes by itself."""
        head, _mark, rest = line.partition(": ")
        names, arrow, route = rest.partition(" > ") if head.startswith("MOVE ") else (rest, "", "")
        return cls(head, frozenset(filter(None, names.rstrip(",").split(", "))), arrow + route)

    def may_become(self, other: Said) -> bool:
        """Can the line be gone on with to another?"""
        if self.head != other.head:
            return not self.parts and other.head.startswith(self.head)
        if self.route:
            return self.parts == other.parts and other.route.startswith(self.route)
        wanted = {part.partition(" > ")[0] for part in other.parts} | other.parts
        return self.parts <= wanted


class Clicks:
    """Counts the fewest by which orders are made."""

    def __init__(self, service: Service, game: str, *, drags: bool) -> None:
        self.service, self.game, self.drags = service, game, drags

    def of(self, order: str) -> int:
        """Return how many clicks make an order and sign it: by its number in the list, else touch by touch."""
        wanted = [*map(Said.of, order.split("\n"))]
        drafts: list[tuple[str, ...]] = [()]
        seen: set[tuple[str, ...]] = set()
        for n in range(1, 30):
            drafts = [on for draft in drafts for on in self._on(draft, wanted)]
            drafts = [draft for draft in dict.fromkeys(drafts) if draft not in seen]
            seen |= set(drafts)
            whole = [draft for draft in drafts if set(map(Said.of, draft)) == set(wanted)]
            if whole:
                return n if any(map(self._is_signed, whole)) else n + 1
        raise AssertionError(order)

    def _on(self, draft: tuple[str, ...], wanted: list[Said]) -> Iterator[tuple[str, ...]]:
        """Go through the drafts that one click more makes."""
        for at, closes, on in self._touches(draft, wanted):
            yield on
            if self.drags and at.startswith("block:") and not closes:
                yield from (to for goal, _closes, to in self._touches(on, wanted) if goal.startswith("area:"))

    def _touches(self, draft: tuple[str, ...], wanted: list[Said]) -> list[tuple[str, bool, tuple[str, ...]]]:
        found = ok(self.service, "touches", game=self.game, draft=draft)
        every = [(one["at"], one["closes"], tuple(one["draft"])) for one in (*found["touches"], *found["answers"])]
        return [
            one for one in every if all(any(Said.of(line).may_become(other) for other in wanted) for line in one[2])
        ]

    def _is_signed(self, draft: tuple[str, ...]) -> bool:
        """Is an answer signed by itself: nothing can be added to it but plans?"""
        found = ok(self.service, "touches", game=self.game, draft=draft)
        return found["closed"] and all(one["at"] in BESIDE for one in found["touches"])


@pytest.mark.slow
def test_a_turn_with_many_battles_takes_few_clicks(tmp_path: Path) -> None:
    service = Service(tmp_path)
    name = begun(service, "hammer", seat="scottish", seed="5eed")
    ways = [Clicks(service, name, drags=drags) for drags in (True, False)]
    turns: dict[tuple[int, int], list[tuple[str, list[int], str]]] = {}
    while True:
        position = ok(service, "position", game=name)
        if not position["asked"]:
            if not ok(service, "go_on", game=name)["more"] and ok(service, "position", game=name)["over"]:
                break
            continue
        chair = Chair.of(service.alone.get(name))
        view = chair.view()
        if view.year > 1299:  # type: ignore[attr-defined]
            break
        order = str(chair.pack.look.advice(view))
        if "winter" not in view.frames:  # type: ignore[attr-defined]
            of_turn = turns.setdefault((view.year, view.turn), [])  # type: ignore[attr-defined]
            of_turn.append((view.ask["what"], [way.of(order) for way in ways], order))  # type: ignore[attr-defined]
        ok(service, "sign", game=name, text=order)
    heavy = max(turns.values(), key=lambda asked: sum(what == "battle action" for what, _n, _order in asked))
    for way, ceiling in enumerate((CEILING, TOUCHES)):
        assert sum(n[way] for _what, n, _order in heavy) <= ceiling, heavy
    of_battles = [n[0] for asked in turns.values() for what, n, _order in asked if what == "battle action"]
    assert of_battles.count(1) >= 0.9 * len(of_battles), of_battles
