"""The small model beside the rules: the same orders through both, whole games long, and each difference by name.

A move is compared by places, main attacks, reserves and closed borders; a battle by who has which block, where and how strong.
Players' decisions and the dice of a battle are those of the game. No difference is known. Left out of the comparison, as the small
model leaves it to its players or does not have it:

- where the victors regroup (5.6), and how many may retreat across one border (5.5);
- rallies, Sea Moves, Pillages, coronations, the options and edition 2.3.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.bot import Bot, RandomBot
from pbem.games.hammer import GAME, orders
from pbem.games.hammer.bots import SensibleBot
from pbem.games.hammer.bots.foresight import combat
from pbem.games.hammer.bots.foresight.guessing import whole
from pbem.games.hammer.bots.foresight.marches import Party, march
from pbem.games.hammer.bots.foresight.model import SmallGame
from pbem.games.hammer.bots.foresight.numbers import AREA, BLOCK, ENGLISH, SIX, way_of
from pbem.games.hammer.bots.tried.moves import order, parties
from pbem.games.hammer.rules import BLOCK_OF, SIDES
from pbem.games.hammer.rules.printed import ENGLISH as ENGLISH_SEAT
from pbem.games.hammer.rules.printed import SCOTTISH as SCOTTISH_SEAT
from pbem.kernel import Ask, Fact, Stop
from tests.hammer.bots import Moments
from tests.hammer.builder import Table


def views_of(stop: Stop) -> list[Any]:
    """Return what both sides see."""
    return [GAME.read_view(GAME.view(stop.state, side)) for side in SIDES]


def standing(model: SmallGame) -> dict[int, tuple[int, int, int]]:
    """Return side, place and strength of each block on the map."""
    return {b: (model.side[b], at, model.st[b]) for b, at in enumerate(model.at) if at >= 0}


def after_moves(stop: Stop) -> dict[str, object]:
    """Return what a turn's moves have left behind, by the rules."""
    views = views_of(stop)
    board = stop.state.board
    fronts = {a.area for a in views[0].came}
    main = {AREA[area]: SIDES.index(side) for area, side, *_ in views[0].main_attacks}
    late = set()
    for piece in board.pieces:
        if not piece.start or piece.at not in fronts or AREA[piece.at] not in main:
            continue
        came = [
            c
            for c in views[0].came
            if (c.area, c.side, c.start, c.via) == (piece.at, piece.side, piece.start, piece.via)
        ]
        if came and not came[0].main and (SIDES.index(piece.side) == main[AREA[piece.at]] or piece.side != board.first):
            late.add(BLOCK[piece.name])
    shut = {(AREA[a], AREA[b]): SIDES.index(side) for (a, b), side in views[0].controlled.items()}
    return {"places": standing(whole(views)), "main": main, "late": late, "shut": shut}


def of_model(model: SmallGame) -> dict[str, object]:
    """Return the same of the small model."""
    return {
        "places": standing(model),
        "main": dict(model.attacker),
        "late": {b for b in model.late if model.at[b] in model.attacker},
        "shut": dict(model.shut),
    }


def compared(seed: int, bots: dict[str, Bot], scenario: str) -> tuple[int, list[tuple[str, str]]]:
    """Put all moves of a game through both; return how many they were, and the differences."""
    model, moves, differences = None, 0, list[tuple[str, str]]()
    for before, given, after in Moments(bots, seed, scenario):
        if not isinstance(before.wants, Ask) or before.wants.what != "act":
            model = None if isinstance(before.wants, Ask) else model
            continue
        ((seat, said),) = given.items()
        view: Any = GAME.read_view(GAME.view(before.state, seat))
        first = view.ask["player"] == 1
        if model is None or first:
            model = whole(views_of(before))
        if not isinstance(said, orders.Move):
            model = None if not isinstance(said, orders.Pass) else model
            continue
        march(model, SIDES.index(seat), parties(said), first)
        moves += 1
        if isinstance(after.wants, Ask) and after.wants.what in ("act", "next battle", "battle action"):
            rules, small = after_moves(after), of_model(model)
            differences += [
                (what, f"{said}\n{rules[what]}\n{small[what]}") for what in rules if rules[what] != small[what]
            ]
    return moves, differences


class _Script:
    """The decisions and the dice of a battle, from its facts."""

    def __init__(self, facts: list[dict[str, Any]]) -> None:
        self.dice = [fact for fact in facts if fact["f"] in ("fire", "unity")]
        self.left = list[dict[int, int]]()
        """By shot, the strengths it leaves."""
        self.going: list[set[int]] = [set(), set(), set(), set()]
        self.passing: list[set[int]] = [set(), set(), set(), set()]
        self.acted: list[list[int]] = [[], [], [], []]
        """By round, in which order blocks acted: of one letter, that is the player's choice."""
        self.to: dict[int, int] = {}
        number = 0
        for fact in facts:
            if fact["f"] in ("fire", "retreats", "stays"):
                self.acted[number].append(BLOCK[fact["block"]])
            if fact["f"] == "round":
                number = fact["round"] - 1
            elif fact["f"] == "fire":
                self.left.append({})
            elif fact["f"] == "hit":
                self.left[-1] |= {BLOCK[BLOCK_OF[key]]: n for key, n in fact["blocks"].items()}
            elif fact["f"] == "retreats":
                self.going[number].add(BLOCK[fact["block"]])
            elif fact["f"] == "stays":
                self.passing[number].add(BLOCK[fact["block"]])
            elif fact["f"] == "retreat":
                self.to |= {
                    BLOCK[name]: AREA[area.replace("_", " ").title()]
                    for area, names in fact["to"].items()
                    for name in names
                }


class _Again(combat._Fight):
    """A battle in small with the decisions and the dice of a battle by the rules."""

    def __init__(self, model: SmallGame, area: int, script: _Script) -> None:
        self.script, self.odd, self.shot = script, list[str](), dict[int, int]()
        super().__init__(model, area, self)

    def random(self) -> float:
        """Return a number that makes the dice fall as they did."""
        if not self.script.dice:
            self.odd.append("more dice than in the game")
            return 0.5
        fact = self.script.dice.pop(0)
        if fact["f"] == "unity":
            return 0.0 if fact["gone"] else 0.9
        found: float = 0.0
        for die in fact["dice"]:
            found = found * SIX + die - 1
        return (found + 0.5) / float(SIX) ** len(fact["dice"])

    def _fleeing(self, n: int) -> set[int]:
        self.round, acted = n, self.script.acted[n]
        for line in self.front:
            line.sort(key=lambda b: acted.index(b) if b in acted else len(acted))
        return self.script.going[n]

    def _flee(self, b: int) -> bool:
        if b not in self.script.to:
            return False
        self.model.go(b, self.script.to.pop(b))
        return True

    def _fire(self, b: int, side: int) -> None:
        if b in self.script.passing[self.round]:
            return
        due = self.script.dice[0] if self.script.dice else None
        if due is None or due["f"] != "fire" or BLOCK[due["block"]] != b:
            self.odd.append(f"{b} fires, not {due}")
        self.shot = self.script.left.pop(0) if self.script.left else {}
        super()._fire(b, side)

    def _victim(self, foes: list[int]) -> int:
        """Return who took the hit in the game, if it is one of the strongest."""
        st, left = self.model.st, self.shot
        most = max(st[f] for f in foes)
        chosen = next((b for b in foes if st[b] == most and left.get(b, most) < most), -1)
        if chosen < 0:
            self.odd.append("nobody is as strong who took a hit")
            return super()._victim(foes)
        return chosen


def fought_again(after: Stop, area: str, facts: list[dict[str, Any]], since: SmallGame) -> list[str]:
    """Fight a battle of the game in small, and return what differs at its end from what the rules say."""
    fight = _Again(since, AREA[area], _Script(facts))
    fight.through(0, 0, frozenset())
    rules, small = standing(whole(views_of(after))), standing(since)
    blocks = sorted(b for b in rules.keys() | small.keys() if rules.get(b) != small.get(b))
    return [*fight.odd, *(f"{b}: {rules.get(b)} by the rules, {small.get(b)} in small" for b in blocks)]


def battles_compared(seed: int, bots: dict[str, Bot], scenario: str) -> tuple[int, list[str]]:
    """Fight all battles of a game again in small; return how many they were, and the differences."""
    facts, since, battle, number, differences = list[Any](), None, {}, 0, list[str]()
    for _before, _given, after in Moments(bots, seed, scenario):
        told = [heard(event) for event in after.events if isinstance(event, Fact)]
        over = False
        for fact in told:
            if fact["f"] == "battle":
                facts, battle, over = [], fact, False
                since = beginning(after, fact)
            elif fact["f"] == "battle over":
                over = True
            elif not over:
                facts.append(fact)
            elif fact["f"] != "regroup":
                since = None  # more has happened since
        if over and since is not None:
            number += 1
            found = fought_again(after, battle["area"], facts, since)
            differences += [f"{battle}: {one}" for one in found]
            since = None
    return number, differences


def heard(event: Fact) -> dict[str, Any]:
    """Return a fact as its own side hears it."""
    public = event.heard_by(None) or event.heard_by(ENGLISH_SEAT) or event.heard_by(SCOTTISH_SEAT) or {"f": ""}
    return event.heard_by(public["side"]) or public if public.get("side") in SIDES else public


def beginning(stop: Stop, battle: dict[str, Any]) -> SmallGame:
    """Return the small model of the game when a battle begins and its first line is shown."""
    model, left = whole(views_of(stop)), after_moves(stop)
    model.attacker, model.late = dict(left["main"]), set(left["late"])  # type: ignore[call-overload]
    model.attacker[AREA[battle["area"]]] = SIDES.index(battle["attacker"])
    return model


def players(name: str) -> dict[str, Bot]:
    """Return two players: the sensible one fights, the random one does all that is legal."""
    return {side: SensibleBot() if name == "sensible" else RandomBot(GAME) for side in SIDES}


GAMES = [
    (name, seed, scenario) for name in ("sensible", "random") for seed in (1, 2) for scenario in ("braveheart", "bruce")
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed", "scenario"), GAMES)
def test_the_same_moves_leave_the_same_places_main_attacks_reserves_and_borders(
    name: str, seed: int, scenario: str
) -> None:
    moves, differences = compared(seed, players(name), scenario)
    assert moves > 20
    assert differences == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed", "scenario"), GAMES)
def test_the_same_decisions_and_dice_end_a_battle_alike(name: str, seed: int, scenario: str) -> None:
    battles, differences = battles_compared(seed, players(name), scenario)
    assert battles > 10
    assert differences == []


def test_the_order_declares_the_main_attack_that_was_tried() -> None:
    """The rules take the first group listed if none is declared (5.32); in small the first party is the main attack."""
    table = Table(
        {"Mentieth": "Edward, York Knights", "Angus": "Lancaster Knights, Durham Infantry"},
        {"Fife": "Wallace, Douglas"},
    )
    table.turn("Move 3", "Move 2")
    view = table.view(ENGLISH_SEAT)
    small_group = Party(
        (BLOCK["Lancaster Knights"], BLOCK["Durham Infantry"]),
        AREA["Angus"],
        AREA["Fife"],
        way_of(AREA["Angus"], (AREA["Fife"],)),
    )
    edwards = Party(
        (BLOCK["Edward"], BLOCK["York Knights"]),
        AREA["Mentieth"],
        AREA["Fife"],
        way_of(AREA["Mentieth"], (AREA["Fife"],)),
    )
    for plan, start in (((small_group, edwards), "Angus"), ((edwards, small_group), "Mentieth")):
        said = order(plan, view)
        assert isinstance(said, orders.Move)
        assert [one.start for one in said.marches if one.main] == [start]
        assert parties(said) == plan
        backwards = orders.Move(marches=said.marches[::-1])
        assert parties(backwards) == plan, "the declaration counts, not the order of the lines"
        model = whole(views_of(table.stop))
        march(model, ENGLISH, parties(said), first=True)
        ordered = Table(
            {"Mentieth": "Edward, York Knights", "Angus": "Lancaster Knights, Durham Infantry"},
            {"Fife": "Wallace, Douglas"},
        )
        ordered.turn("Move 3", "Move 2").order(str(backwards))
        assert after_moves(ordered.stop) == of_model(model)
    alone = order((edwards,), view)
    assert isinstance(alone, orders.Move)
    assert not any(one.main for one in alone.marches), "one group needs no declaration"
