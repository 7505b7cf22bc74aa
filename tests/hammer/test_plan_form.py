"""A plan made step by step: what is offered, what comes of it, and that it is a plan."""

from __future__ import annotations

from random import Random

import pytest

from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, View
from pbem.look import Step
from tests.conformance.playing import play
from tests.hammer.builder import Table

LOOK = find("hammer").look


def made(view: View, *texts: str) -> str:
    """Return the plan that comes of choices, step by step, each by the beginnings of what they are called."""
    said: list[list[str]] = []
    for text in texts:
        step = LOOK.plan_form(view, said)
        assert isinstance(step, Step), (step, text)
        words = []
        for part in filter(None, text.split(" + ")):
            found = [choice.word for choice in step.choices if choice.text.startswith(part)]
            assert found, (part, step)
            words.append(found[0])
        said.append(words)
    plan = LOOK.plan_form(view, said)
    assert isinstance(plan, str), plan
    return plan


def view(seat: str = "scottish") -> HammerView:
    english, scots = {"Lanark": "York Infantry, Edward"}, {"Fife": "Wallace, Douglas", "Moray": "Moray"}
    return Table(english, scots).turn("Move 1", "Move 2").view(seat)


@pytest.mark.parametrize(
    ("seat", "texts", "plan"),
    [
        (
            "scottish",
            ("how your blocks fight", "Mentieth", "only if you defend", "fight, and",
             "from round 3 + by steps you are weaker in front than 1:2", "Lennox + Fife", "Douglas + whoever", "they stay"),
            "BATTLE Mentieth DEFENDING: RETREAT Lennox, Fife IF ROUND 3 OR ODDS BELOW 1:2; FIGHT; HITS Douglas, ANY; REGROUP STAY",
        ),
        (
            "scottish",
            ("how your blocks fight", "every battle", "in either case", "retreat as soon", "Moray", "", "you want"),
            "BATTLE ANY: RETREAT Moray; FIGHT",
        ),
        (
            "english",
            ("how your blocks fight", "Lanark", "only if you attack", "fight on", "", "all to one", "Lothian"),
            "BATTLE Lanark ATTACKING: FIGHT; REGROUP ALL > Lothian",
        ),
        ("english", ("which block a border raid", "York Infantry + the weakest"), "RAID York Infantry, WEAKEST"),
        ("english", ("winter: Edward", "he goes home"), "EDWARD GOES"),
        ("scottish", ("winter: Edward", "he goes to Selkirk"), "WALLACE GOES"),
        ("scottish", ("winter: where", "Bruce", "Carrick + Annan"), "HOME Bruce > Carrick OR Annan"),
        ("scottish", ("winter: where", "Moray", "stay"), "HOME Moray > STAY"),
        ("scottish", ("winter: who stays", "Moray + whoever"), "KEEP Moray, ANY"),
        ("scottish", ("winter: what", "Fife", "2", "Douglas + the blocks"), "BUILD Fife: DRAW 2, STRENGTHEN Douglas, NEW"),
        ("english", ("winter: what", "Lanark", ""), "BUILD Lanark: NOTHING"),
        ("english", ("how often", "when it matters"), "ASK WHEN IT MATTERS"),
        ("scottish", ("which battle", "Lanark + whichever"), "NEXT Lanark, ANY"),
        ("scottish", ("who gains", "Wallace + the weakest"), "GAINS Wallace, WEAKEST"),
    ],
)  # fmt: skip
def test_a_plan_is_made_step_by_step(seat: str, texts: tuple[str, ...], plan: str) -> None:
    assert made(view(seat), *texts) == plan
    assert GAME.read_plans(plan) == plan


def test_the_scots_are_not_asked_for_border_raids_nor_the_english_for_draws() -> None:
    first = LOOK.plan_form(view("scottish"), ())
    assert isinstance(first, Step)
    assert "RAID" not in [choice.word for choice in first.choices]
    builds = LOOK.plan_form(view("english"), (["BUILD"], ["ANY"]))
    assert isinstance(builds, Step)
    assert "gains" in builds.asks


def test_a_battle_of_this_turn_comes_first() -> None:
    table = Table({"Lanark": "York Infantry"}, {"Lanark": "Wallace", "Fife": "Douglas"})
    table.battles(("Lanark", "scottish", "Selkirk", "Selkirk"))
    step = LOOK.plan_form(table.view("scottish"), (["BATTLE"],))
    assert isinstance(step, Step)
    assert step.choices[1].text == "Lanark, where there is a battle this turn"


def test_whatever_is_chosen_makes_a_plan() -> None:
    rng = Random(1)
    for seed, options in ((1, {}), (2, dict.fromkeys(OPTIONS, True)), (3, {"edition": "2.3"})):
        for stop in play(GAME, options, seed, 600).stops[::29]:
            if not isinstance(stop.wants, Ask):
                continue
            seen = GAME.read_view(GAME.view(stop.state, stop.wants.seats[0]))
            said: list[list[str]] = []
            while isinstance(step := LOOK.plan_form(seen, said), Step):
                if len(step.choices) < step.least:
                    break
                words = [choice.word for choice in step.choices]
                assert len(set(words)) == len(words), step
                assert all(len(choice.text) < 70 for choice in step.choices)
                most = min(len(words), 3) if step.several else 1
                said.append(rng.sample(words, rng.randint(step.least if step.several else 1, most) if most else 0))
            if isinstance(step, str):
                assert GAME.read_plans(step) == step
