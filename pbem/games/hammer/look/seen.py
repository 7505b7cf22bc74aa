"""What an attentive player remembers of the enemy's blocks: which were seen, where and when, and at what strength.

It follows from the facts that the seat has heard, and from its view. A block is seen in battle, when it changes sides or goes
home, and when it sails. Then its owner moves it unseen. So `Memory.places` has every place where it can be since then. Each
departure from an area adds a goal, and the rules of battle and winter remove places. Its strength since then is unknown to others,
so a winter in between is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.i18n import N_
from pbem.kernel import Json
from pbem.look import PageTable
from pbem.look.hearing import heard

from ..rules import (
    AREA_OF,
    AREAS,
    BLOCK_OF,
    BLOCKS,
    ENGLAND,
    ENGLISH,
    KING,
    MORAY,
    NOBLES,
    NORSE,
    SLUG,
    WALLACE,
)
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
    """Return the enemy's blocks that this seat has seen, the latest first; None if there are none, or for the public."""
    rows = tuple(_rows(view, heard(Memory(view), view.seat, facts))) if view.seat else ()
    heads = (_("Block"), _("Combat"), _("Strength"), _("Where"), _("When"))
    note = _(
        "As it was then: blocks move, and lose or gain steps, unseen. A winter since is marked *: they may have been built up. "
        "Of a block that cannot be there any more you read where it can be now."
    )
    return PageTable(_("What you have seen of {who}", who=the(view.enemy)), heads, rows, note) if rows else None


def _rows(view: HammerView, memory: Memory) -> Iterator[tuple[str, ...]]:
    for name, last in sorted(memory.found.items(), key=lambda item: -item[1].no):
        if name not in view.dead and name not in view.off and SLUG[name] not in view.blocks:
            there = memory.can_be(name)
            is_there = last.area in there or (last.area == HOME and len(there) > 1)
            old = "*" if last.year < view.year else ""
            full = BLOCKS[name].max
            strength = _("{n} of {full}", n=last.strength, full=full) + old if last.strength else _("not seen")
            if last.area == POOL or (not is_there and name in memory.pooled):
                strength = "–"
            where = _place(last.area) if is_there else _places(there)
            yield named(name), rating(name, view.variants), strength, where, last.when()


def _places(there: Sequence[str]) -> str:
    match [_place(area) for area in there]:
        case [one]:
            return one
        case [one, other]:
            return _("{a} or {b}", a=one, b=other)
    return _("not known")


def _place(area: str) -> str:
    return _(area) if area in (POOL, HOME) else named(area)


class Memory:
    """Hears facts in their order and keeps the last sighting of each enemy block, and where it can be since.

    `pooled` are the blocks that may have been in the draw pool since they were seen.
    """

    def __init__(self, view: HammerView) -> None:
        self.view, self.seat, self.enemy = view, view.seat, view.enemy
        self.year = self.turn = self.no = 0
        self.area = ""
        self.found: dict[str, Sighting] = {}
        self.places: dict[str, set[str]] = {}
        self.pooled: set[str] = set()
        self._edward_winters = False

    def can_be(self, name: str) -> list[str]:
        """Return the places where a block can be in the present view, without areas that have no block of its side."""
        view, shown = self.view, self.view.revealed.get(SLUG[name])
        if shown and shown.at in AREAS:
            return [shown.at]
        places = self.places[name]
        there = [POOL] if POOL in places and view.pools.get(self.enemy) else []  # type: ignore[call-overload]
        return [*there, *(area for area in AREAS if area in places and view.count(area, self.enemy))]

    def hear(self, facts: Sequence[Json]) -> Memory:
        """Take in facts. Returns itself."""
        for fact in facts:
            self._see(fact)
            self._follow(fact)
        return self

    def _see(self, fact: Json) -> None:
        match fact["f"]:
            case "year" | "turn":
                self.year, self.turn = fact["year"], fact.get("turn", 0)
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

    # where they can be since

    def _follow(self, fact: Json) -> None:
        """Add the places to which blocks may have gone unseen by this fact; take away those that they must have left."""
        match fact["f"]:
            case "move" if fact["side"] == self.enemy:
                self._go(fact["route"][0], fact["route"][-1])
            case "sea move" if fact["side"] == self.enemy:
                self._go(fact["start"], fact["to"])
            case "retreat" | "regroup" if fact["side"] == self.enemy:
                for key in fact["to"]:
                    self._go(fact["area"], AREA_OF[key])
            case "battle over" if fact.get("winner") != self.enemy:
                self._leave(fact["area"], self.found)
            case "pillage losses" if fact["side"] == self.enemy and fact["gone"]:
                self._go(fact["area"], POOL)
            case "raid" if self.enemy == ENGLISH and fact.get("area"):
                self._go(fact["area"], POOL)
            case "takeback":
                self.places = {name: {*AREAS, POOL} for name in self.places}
            case _:
                self._winter(fact)

    def _winter(self, fact: Json) -> None:
        match fact["f"]:
            case "year ends":
                self._edward_winters = False
                for name in self.found.keys() & {*NOBLES}:
                    self.places[name] |= {*BLOCKS[name].homes}
            case "winter move" if fact["side"] == self.enemy:
                self._go(fact["start"], fact["to"], (MORAY, KING, WALLACE))
            case "edward winters":
                self._edward_winters = True
            case "disband" if fact["side"] == self.enemy:
                disbanding = [name for name in self.found if name not in NOBLES]
                for area in fact["areas"]:
                    self._go(area["area"], POOL, disbanding)
                if self.enemy == ENGLISH:
                    self._go_home(disbanding)
            case "levy" if self.enemy == ENGLISH and fact["n"]:
                self._go(POOL, ENGLAND)
            case "draw" if fact["side"] == self.enemy:
                self._go(POOL, fact.get("to") or fact["area"])

    def _go_home(self, disbanding: Sequence[str]) -> None:
        """Let the English army disband: all blocks in England, and elsewhere all but infantry (7.3), unless Edward winters
        (7.4)."""
        self._leave(ENGLAND, disbanding)
        for name in disbanding:
            if not self._edward_winters and BLOCKS[name].type != "infantry":
                self.places[name] = {POOL}

    def _go(self, start: str, to: str, names: Iterable[str] | None = None) -> None:
        """Let some of those who can be in a place have gone to another."""
        for name in self.found if names is None else names:
            places = self.places.get(name, ())
            if start in places:
                self.places[name].add(to)
                if POOL in (start, to):
                    self.pooled.add(name)

    def _leave(self, area: str, names: Iterable[str]) -> None:
        """Let nobody of them be in an area."""
        for name in names:
            self.places[name].discard(area)

    def _note(self, name: str, area: str, strength: int) -> None:
        self.no += 1
        self.found[name] = Sighting(area, strength, self.year, self.turn, self.no)
        self.places[name] = {*BLOCKS[name].homes} if area == HOME else {area}
        self.pooled.discard(name)

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
            self.places.pop(name, None)
        else:
            self._note(name, area, strength)
