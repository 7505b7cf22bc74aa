"""Clicks that make an order on the page, and a game turn with many battles to count them in.

A click is a press of the button: a block that is dragged to an area takes one, and two where both are touched. Only what lights up
is touched; of all ways to the order the shortest counts.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pbem.page.chair import Chair
from pbem.page.service import Service
from tests.page.alone import begun
from tests.page.calling import ok

LAST = 1299
"""Three years are played."""
_BESIDE = ("choice:PLAN", "choice:AHEAD", "end")
_MOST = 30


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
        return self.parts <= {part.partition(" > ")[0] for part in other.parts} | other.parts


class Click(NamedTuple):
    """What is pressed, as it is called, where it is dragged to, and whether touching it can mean but one thing."""

    at: str
    label: str
    to: str
    alone: bool


Draft = tuple[str, ...]
Way = tuple[Click, ...]


class Clicks:
    """Counts the fewest by which orders are made."""

    def __init__(self, service: Service, game: str, *, drags: bool) -> None:
        self.service, self.game, self.drags = service, game, drags

    def of(self, order: str) -> int:
        """Return how many clicks make an order and sign it."""
        way, signed = self.way(order)
        return len(way) + (not signed)

    def way(self, order: str) -> tuple[Way, bool]:
        """Return the shortest way to an order, by its number in the list or touch by touch; and whether it is signed by itself."""
        wanted = [*map(Said.of, order.split("\n"))]
        ways: dict[Draft, Way] = {(): ()}
        seen: set[Draft] = set()
        for _n in range(_MOST):
            ways = {on: (*way, click) for draft, way in ways.items() for click, on in self._on(draft, wanted)}
            ways = {draft: way for draft, way in ways.items() if draft not in seen}
            seen |= set(ways)
            whole = [draft for draft in ways if set(map(Said.of, draft)) == set(wanted)]
            if whole:
                signed = [draft for draft in whole if self._is_signed(draft)]
                return ways[[*signed, *whole][0]], bool(signed)
        raise AssertionError(order)

    def _on(self, draft: Draft, wanted: list[Said]) -> Iterator[tuple[Click, Draft]]:
        """Go through the drafts that one click more makes."""
        for one, alone in self._touches(draft, wanted):
            on = tuple(one["draft"])
            yield Click(one["at"], one["label"], "", alone), on
            if self.drags and alone and one["at"].startswith("block:") and not one["closes"]:
                for goal, clear in self._touches(on, wanted):
                    if clear and goal["at"].startswith("area:"):
                        yield Click(one["at"], one["label"], goal["at"], alone=True), tuple(goal["draft"])

    def _touches(self, draft: Draft, wanted: list[Said]) -> list[tuple[dict[str, Any], bool]]:
        """Return those that lead on to the order, each with whether its place lights up for it alone; then numbered answers."""
        found = ok(self.service, "touches", game=self.game, draft=draft)
        places = [one["at"] for one in found["touches"]]
        every = [(one, places.count(one["at"]) == 1) for one in found["touches"]]
        every += [(one, False) for one in found["answers"]]
        return [
            (one, alone)
            for one, alone in every
            if all(any(Said.of(line).may_become(other) for other in wanted) for line in one["draft"])
        ]

    def _is_signed(self, draft: Draft) -> bool:
        """Is an answer signed by itself: nothing can be added to it but plans?"""
        found = ok(self.service, "touches", game=self.game, draft=draft)
        return found["closed"] and all(one["at"] in _BESIDE for one in found["touches"])


class Answered(NamedTuple):
    """A question and the order that answered it, as the built-in player would, with the clicks of each way of counting."""

    asked: str
    order: str
    clicks: tuple[int, ...]


class Turns(NamedTuple):
    """The game turns of three years, and the desk as it was before each, where it was kept."""

    game: str
    answered: dict[tuple[int, int], list[Answered]]

    @property
    def heavy(self) -> tuple[int, int]:
        """The one with most battles, winters left out."""
        return max(self.answered, key=lambda at: sum(one.asked == "battle action" for one in self.answered[at]))


def turns(home: Path, keep: Path | None = None) -> Turns:
    """Play three years of Hammer on a desk at `home`, counting; with `keep` the desk of each turn's beginning is laid there."""
    service = Service(home)
    name = begun(service, "hammer", seat="scottish", seed="5eed")
    ways = () if keep else tuple(Clicks(service, name, drags=drags) for drags in (True, False))
    found: dict[tuple[int, int], list[Answered]] = {}
    while True:
        position = ok(service, "position", game=name)
        if not position["asked"]:
            if not ok(service, "go_on", game=name)["more"] and ok(service, "position", game=name)["over"]:
                break
            continue
        chair = Chair.of(service.alone.get(name))
        view: Any = chair.view()
        if view.year > LAST:
            break
        order = str(chair.pack.look.advice(view))
        if "winter" not in view.frames:
            if keep and (view.year, view.turn) not in found:
                shutil.copytree(home, keep / f"{view.year}-{view.turn}")
            of_turn = found.setdefault((view.year, view.turn), [])
            of_turn.append(Answered(view.ask["what"], order, tuple(way.of(order) for way in ways)))
        ok(service, "sign", game=name, text=order)
    return Turns(name, found)
