"""Every fact has its words; dice are seen without colour; a battle reads as it was fought."""

from __future__ import annotations

from typing import get_args

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.look import ASKS, LOOK
from pbem.games.hammer.names import Question
from pbem.games.hammer.questions import QUESTIONS
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.told import HammerFact
from pbem.games.pack import find
from pbem.reports.text import fact_text, story
from tests.hammer.builder import Table
from tests.hammer.golden import compare
from tests.hammer.look_facts import SAMPLES


def test_every_documented_fact_and_every_question_has_words() -> None:
    assert set(HammerFact.kinds()) == set(SAMPLES)
    assert set(ASKS) == set(QUESTIONS) == set(get_args(Question))


@pytest.mark.parametrize("kind", HammerFact.kinds())
def test_no_fact_is_silent(kind: str) -> None:
    for sample in SAMPLES[kind]:
        for seat in (ENGLISH, SCOTTISH, None):
            assert LOOK.fact({"f": kind, **sample}, seat).strip()


def test_the_last_step_is_told_by_what_becomes_of_the_block() -> None:
    assert LOOK.fact({"f": "hit", "blocks": {"mar": 0}}, None) == ""


def test_sentences() -> None:
    told = [[LOOK.fact({"f": kind, **sample}, None) for sample in samples] for kind, samples in SAMPLES.items()]
    assert find("hammer").look is LOOK
    compare(
        "sentences.txt", "\n\n".join(f"[{kind}]\n" + story(texts) for kind, texts in zip(SAMPLES, told, strict=True))
    )


def test_hits_are_seen_without_colour() -> None:
    wallace, mar, *_ = (LOOK.fact({"f": "fire", **sample}, None) for sample in SAMPLES["fire"])
    assert wallace == "Wallace fires 4 dice at A3: [2] 5 [1] [3]  3 hits."
    assert mar == "Mar fires 1 die at B3 at home: 6  no hit."


def _battle() -> Table:
    """The English attack Lanark from Mentieth, with a reserve from Carrick; Bruce is captured, and Wallace gives way."""
    table = Table(
        {"Ross": "Ross", "Mentieth": "York Knights, Hobelars, Wales Infantry", "Carrick": "Durham Infantry"},
        {"Lanark": "Wallace 3, Bruce 2, Grant", "Mar": "Mar"},
    )
    table.turn("Move 2", "Move 1")
    table.order("MOVE Mentieth: ALL > Lanark MAIN\nMOVE Carrick: Durham Infantry > Lanark").order("PASS")
    table.dice(3)  # Celtic unity
    table.order("BATTLE Lanark: Wallace FIRE").dice(1, 3, 6).order("HITS Lanark: Hobelars")
    table.order("BATTLE Lanark: Hobelars FIRE").dice(1, 6).order("HITS Lanark: Wallace")
    table.order("BATTLE Lanark: Bruce PASS")
    table.order("BATTLE Lanark: York Knights FIRE").dice(1, 2, 3).order("HITS Lanark: Bruce, Grant")
    table.order("BATTLE Lanark: Grant FIRE").dice(6)
    table.order("BATTLE Lanark: Wales Infantry FIRE").dice(1, 3, 3).order("HITS Lanark: Bruce, Grant")
    table.order("BATTLE Lanark: Wallace RETREAT Selkirk")
    table.order("REGROUP Lanark: Bruce > Carrick")
    return table


def test_a_battle_reads_as_it_was_fought() -> None:
    table = _battle()
    for seat in (ENGLISH, SCOTTISH):
        heard = [fact.heard_by(seat) for fact in table.told]
        text = story(fact_text(fact, seat, find("hammer")) for fact in heard if fact is not None)
        compare(f"battle_{seat}.txt", text)


def test_a_report_is_rendered_for_a_game_that_can_be_found() -> None:
    assert find(GAME.id).look.seat_name(SCOTTISH) == "the Scots"
