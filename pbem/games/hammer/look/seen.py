"""What an attentive player remembers of the enemy's blocks: who was seen, where and when, and at what strength.

It follows from the facts that the seat has heard, and from nothing else. A block is seen in battle, when it comes over or goes
home, and when it sails; what has become of its strength since nobody knows, so a winter in between is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.i18n import N_
from pbem.kernel import Json
from pbem.look import PageTable

from ..rules import BLOCK_OF, BLOCKS, KING, NORSE, SLUG
from ..rules.said import _, named
from ..views import HammerView
from .words import rating, the

POOL = N_("draw pool")
HOME = N_("home")


@dataclass(frozen=True, slots=True)
class Sighting:
    """The last that was seen of a block; `no` orders sightings, `year` and `turn` say when (turn 0: in winter)."""

    area: str
    strength: int
    year: int
    turn: int
    no: int

    def when(self) -> str:
        if self.turn:
            return _("{year}, turn {turn}", year=self.year, turn=self.turn)
        return _("{year}, winter", year=self.year)


def seen(view: HammerView, facts: Sequence[Json]) -> PageTable | None:
    """Return the enemy's blocks that this seat has seen, the last one first; None when there are none, or for the public."""
    found = _Memory(view.seat).hear(facts) if view.seat else {}
    rows = tuple(_rows(view, found))
    heads = (_("Block"), _("Combat"), _("Strength"), _("Where"), _("When"))
    note = _(
        "As it was then: blocks move, and lose or gain steps, unseen. A winter since is marked *: they may have been built up."
    )
    return PageTable(_("What you have seen of {who}", who=the(view.enemy)), heads, rows, note) if rows else None


def _rows(view: HammerView, found: dict[str, Sighting]) -> Iterator[tuple[str, ...]]:
    for name, last in sorted(found.items(), key=lambda item: -item[1].no):
        if name not in view.dead and SLUG[name] not in view.blocks:
            old = "*" if last.year < view.year else ""
            full = BLOCKS[name].max
            strength = _("{n} of {full}", n=last.strength, full=full) + old if last.strength else _("not seen")
            where = _(last.area) if last.area in (POOL, HOME) else named(last.area)
            yield named(name), rating(name, view.variants), strength if last.area != POOL else "–", where, last.when()


class _Memory:
    """Hears facts in their order and keeps the last sighting of each enemy block."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.year = self.turn = self.no = 0
        self.area = ""
        self.found: dict[str, Sighting] = {}

    def hear(self, facts: Sequence[Json]) -> dict[str, Sighting]:
        for fact in facts:
            match fact["f"]:
                case "year":
                    self.year, self.turn = fact["year"], 0
                case "turn":
                    self.year, self.turn = fact["year"], fact["turn"]
                case "year ends":
                    self.turn = 0
                case "battle" | "round":
                    self.area = fact["area"]
                case "reveal" if fact["side"] != self.seat:
                    for key, strength in fact["blocks"].items():
                        self._note(BLOCK_OF[key], self.area, strength)
                case "hit":
                    for key, strength in fact["blocks"].items():
                        self._weaken(BLOCK_OF[key], strength)
                case "killed":
                    self._gone(fact["block"])
                case "unity" if fact["gone"]:
                    self._gone(fact["block"])
                case "captured":
                    self._comes_over(fact["noble"], fact["by"], fact["area"], 1)
                case "defection" | "turned":
                    self._comes_over(fact["noble"], fact["to"], fact.get("area", HOME), fact.get("strength", 0))
                case "homes" if fact["side"] != self.seat:
                    for one in fact["nobles"]:
                        before = self.found.get(one["noble"])
                        self._note(one["noble"], one["area"], before.strength if before else 0)
                case "move" if fact.get("norse") and fact["side"] != self.seat:
                    before = self.found.get(NORSE)
                    self._note(NORSE, fact["route"][-1], before.strength if before else 0)
                case "coronation" | "return" if self.seat != BLOCKS[KING].owner:
                    self._note(KING, fact["area"], BLOCKS[KING].max)
        return self.found

    def _note(self, name: str, area: str, strength: int) -> None:
        self.no += 1
        self.found[name] = Sighting(area, strength, self.year, self.turn, self.no)

    def _weaken(self, name: str, strength: int) -> None:
        if name in self.found and strength:
            self.no += 1
            self.found[name] = replace(self.found[name], strength=strength, no=self.no)

    def _gone(self, name: str) -> None:
        if name in self.found:
            self._note(name, POOL, 0)

    def _comes_over(self, name: str, to: str, area: str, strength: int) -> None:
        if to == self.seat:
            self.found.pop(name, None)
        else:
            self._note(name, area, strength)
