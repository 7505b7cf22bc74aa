"""A typed position is what was typed: reading it plays nothing, and nothing that was typed is lost without a word."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.engine import Engine
from pbem.errors import FormError, OrderError
from pbem.games import find, shipped
from pbem.games.positions import read
from pbem.kernel import advance
from tests.hammer.setting_up import PUZZLE as HAMMER
from tests.hammer.setting_up import YEAR
from tests.lords.setting_up import CLAIMS
from tests.lords.setting_up import PUZZLE as LORDS
from tests.swords.setting_up import BATTLES
from tests.swords.setting_up import PUZZLE as SWORDS

ONE_BATTLE = """\
SWORDS 2 for 3
ROUND 1 FLIP 1 stag 3 BATTLES
LEADER yellow
CUBES Moray: pink 6, yellow 1
CASTLES: Inverness pink, Blair black, Kildrummy pink
GLORY Drums: yellow
GLORY Cardinal: pink
POINTS: pink 12, yellow 4
"""
"""The castles would act at once, and might end it."""
READINGS = ("OPTION own=last", "OPTION castles=present\nOPTION own=last", "OPTION sword=any", "OPTION crown=itself")
TEXTS = [HAMMER, YEAR, LORDS, CLAIMS, SWORDS, BATTLES, *(ONE_BATTLE + reading for reading in ("", *READINGS))]


def asked(engine: Engine, **request: Any) -> Any:
    return engine.answer(json.dumps({"id": 1, **request}).encode())["ok"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_reading_a_position_plays_nothing(text: str) -> None:
    """Battles are due and castles would act at once. The leader first names a battle; then events tell the rest."""
    placed = read(text, find("hammer"))
    stop = advance(placed.state)
    assert (stop.state, stop.events) == (placed.state, ()), "the rules wait where the text says that they stand"
    engine = Engine()
    begun = asked(engine, do="new", game=placed.pack.rules.id, position=text)
    assert begun["events"] == []
    assert asked(engine, do="position") == placed.pack.rules.dump(placed.state)
    assert read(placed.text(), placed.pack).state == placed.state


def test_what_battles_do_is_told_when_the_leader_has_named_one() -> None:
    engine = Engine()
    asked(engine, do="new", game="swords", position=ONE_BATTLE + READINGS[1])
    assert asked(engine, do="position")["board"]["cubes"] == {"moray": {"pink": 6, "yellow": 1}}
    assert asked(engine, do="options", seat="yellow")["orders"] == ["BATTLE Moray"]
    told = [event["public"]["f"] for event in asked(engine, do="step", orders={"yellow": "BATTLE Moray"})["events"]]
    assert told[:4] == ["battle", "kill", "kill", "won"], "each cube that goes, and each point, has its event"
    assert asked(engine, do="position")["board"]["points"]["pink"] > 12


def test_battles_that_do_not_stand_are_refused() -> None:
    """A position says that battles are due, but has none."""
    with pytest.raises(OrderError, match="no battle stands in this position"):
        read(ONE_BATTLE.replace(", yellow 1", ""), find("swords"))


def test_a_position_at_which_the_rules_would_play_on_is_none() -> None:
    """A JSON position may name any step. The refusal names a step at which nobody decides."""
    placed = read(ONE_BATTLE, find("swords"))
    found = placed.json()
    found["position"]["stack"][-1]["step"] = "look"
    with pytest.raises(FormError, match=r"\(battles: look\) the rules would continue by themselves"):
        read(json.dumps(found), placed.pack)


@pytest.mark.parametrize("game", shipped())
def test_the_beginning_of_each_game_is_read_as_it_stands(game: str) -> None:
    pack = find(game)
    options = pack.complete({"players": "ann bob"} if game == "tournament" else {})
    found = {"game": game, "version": pack.rules.version, "options": options}
    found["position"] = pack.rules.dump(pack.rules.start(options).state)
    assert read(json.dumps(found), pack).json() == found


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (HAMMER, "YEAR 1300 TURN 2", "YEAR is said already, in line 2"),
        (HAMMER, "CARDS english: Move 3, Herald (1), Move 1, Truce, Move 2", "CARDS english is said already"),
        (HAMMER, "EDWARD 1\nEDWARD 2", "EDWARD is said already"),
        (HAMMER, "CROWNED Bruce\nCROWNED Comyn", "CROWNED is said already"),
        (LORDS, "INITIATIVE angus", "INITIATIVE is said already, in line 3"),
        (LORDS, "ROUND 2 TURN 4 angus", "ROUND is said already"),
        (LORDS, "DEAL 2 of 61\nDEAL 1 of 62", "DEAL is said already"),
        (LORDS, "OPTION goal=9\nOPTION goal=10", "OPTION goal is said already"),
        (CLAIMS, "INITIATIVE angus", "INITIATIVE”: at the claims this follows from the armies. Possible: buchan"),
        (CLAIMS, "PLACING: angus", "PLACING”: at the claims this follows from the armies. Possible: buchan, angus"),
        (SWORDS, "CUBES Moray: pink", "CUBES Moray is said already, in line 6"),
        (SWORDS, "CUBES Fife: pink, pin 2", "pink is said already"),
        (SWORDS, "CASTLES: Perth yellow", "Perth is said already"),
        (SWORDS, "BOARD pink: A1", "pink A1 is said already"),
        (SWORDS, "BOARD yellow: A1, a1 pict", "yellow A1 is said already"),
        (SWORDS, "GLORY Crown: pink", "GLORY The Crown is said already"),
        (SWORDS, "LEADER pink", "LEADER is said already, in line 3"),
        (SWORDS, "POINTS: yellow 3", "POINTS is said already"),
        (BATTLES, "POINTS: yellow 3, y 4", "yellow is said already"),
        (BATTLES, "TOKENS: Moray 3, Mor 4", "Moray is said already"),
        (BATTLES, "CASTLES: Perth yellow, Per pink", "Perth is said already"),
        (SWORDS, "PICTS 3", "PICTS is said already"),
        (SWORDS, "CARDINAL Moray", "CARDINAL is said already"),
        (SWORDS, "DECK: stag 1", "DECK is said already"),
        (SWORDS, "ROUND 1 FLIP 5 stag 3 PLACE", "ROUND is said already"),
        (SWORDS, "OPTION tie=all\nOPTION tie=board", "OPTION tie is said already"),
    ],
)
def test_what_is_typed_twice_is_refused_since_one_of_the_two_would_be_lost(text: str, line: str, what: str) -> None:
    """The refusal names the line of the first."""
    with pytest.raises(OrderError, match=what.replace("(", r"\(")):
        read(f"{text}{line}\n", find("hammer"))
