"""Every example of an order in the docs can be typed: those of each game's list, and the lines of orders and plans in blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from pbem.errors import OrderError
from pbem.games import find, known
from pbem.games.hammer import GAME as HAMMER
from pbem.games.hammer.questions import QUESTIONS
from pbem.games.hammer.questions.winter import WinterQuestion
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.views import HammerView
from pbem.games.lords.reading import QUESTIONS as LORDS_QUESTIONS
from pbem.games.lords.reading import find_card
from pbem.games.swords.reading import VERBS as SWORDS_VERBS
from pbem.games.swords.reading import read_order as read_swords
from pbem.games.swords.rules.parts import STANDARD
from pbem.games.tournament.orders import read_bid
from pbem.kernel import Ask, Line, Planning, next_marks, read_ahead, read_orders
from pbem.schemas import order_models
from tests.conformance.playing import play
from tests.hammer.builder import Table
from tests.hammer.winter_builder import WinterTable

DOCS = Path(__file__).parents[2] / "docs"


def _examples(game: str) -> list[str]:
    """Return the example in front of each order's description, which the list of the docs is made from."""
    said = [" ".join((model.__doc__ or "").split("\n\n", maxsplit=1)[0].split()) for model in order_models(find(game))]
    found = [re.match(r"(.*?): [a-z]", text) or re.match(r"(.*): ", text) for text in said]
    assert all(found), said
    return [one[1] for one in found if one]


@pytest.mark.slow
@pytest.mark.parametrize("game", [pack.rules.id for pack in map(find, known())])
def test_each_example_of_an_order_can_be_typed(game: str) -> None:
    """Template lines, suggestions in refusals, examples of the docs and lines with semicolons, in each language."""
    for example in _examples(game):
        assert any(_reads(partial(way, example)) for way in READERS[game]()), example


def _reads(read: Callable[[], object]) -> bool:
    try:
        read()
    except OrderError:
        return False
    return True


def _of_hammer() -> Iterator[Callable[[str], object]]:
    """Go through the questions of the first years of a few games, as their seats see them."""
    for view in _views():
        question = QUESTIONS[(view.ask or {})["what"]]
        if isinstance(question, WinterQuestion):
            yield partial(question.read_all, view)
        else:
            yield partial(question.read_unjudged, view)
    yield partial(QUESTIONS["raid"].read_unjudged, _views()[0])  # rare, and read in any position


@cache
def _views() -> tuple[HammerView, ...]:
    battle = Table({"Lanark": "York Infantry"}, {"Lanark": "Wallace, Moray, Bruce"}).battles(
        ("Lanark", ENGLISH, "", "")
    )
    court = WinterTable(
        {"Ross": "York Infantry"}, {"Garmoran": "Bruce, King", "Lennox": "Moray"}, king="Bruce"
    ).winter()
    while court.asked != (SCOTTISH, "home"):
        court.silence()
    found = [battle.view(battle.asked[0]), court.view(SCOTTISH)]
    battle.fought()
    assert battle.asked[1] == "retreats"
    found.append(battle.view(battle.asked[0]))
    for seed in range(3):
        record = play(HAMMER, {}, seed, 700)
        kinds: dict[tuple[str, str], int] = {}
        asks = ((index, stop.wants) for index, stop in enumerate(record.stops) if isinstance(stop.wants, Ask))
        for index, wanted in asks:
            for seat in wanted.seats:
                view = record.view(index, seat)
                assert isinstance(view, HammerView)
                kind = (wanted.what, str((view.ask or {}).get("card", "")))
                kinds[kind] = kinds.get(kind, 0) + 1
                if kinds[kind] <= 8:
                    found.append(view)
    return tuple(found)


def _of_swords() -> Iterator[Callable[[str], object]]:
    for question in SWORDS_VERBS:
        yield partial(_read_swords, question)


def _read_swords(question: str, text: str) -> object:
    return read_swords(STANDARD, text, question)


def _of_lords() -> Iterator[Callable[[str], object]]:
    def read(text: str) -> None:
        """Read the verb and the cards: what lies on the table follows from a game."""
        for line in read_orders(text):
            verb, _blank, rest = line.text.partition(" ")
            assert verb in {verb for question in LORDS_QUESTIONS.values() for verb in question.by_verb}
            for card in re.findall(r"[A-Z][a-z]+ \d+", rest):
                find_card(card, Line(1, card))

    yield read


READERS: dict[str, Callable[[], Iterator[Callable[[str], object]]]] = {
    "hammer": _of_hammer, "swords": _of_swords, "lords": _of_lords, "tournament": lambda: iter([read_bid]),
}  # fmt: skip


def test_each_plan_in_the_docs_can_be_typed() -> None:
    games = [pack.rules for pack in map(find, known()) if isinstance(pack.rules, Planning)]
    plans = set[str]()
    for page in DOCS.rglob("*.md"):
        text = page.read_text("utf-8")
        plans |= {line.partition("#")[0].strip() for line in text.splitlines() if line.startswith("PLAN ")}
        plans |= set(re.findall(r"`(PLAN [^`…]+)`", text))
    assert len(plans) > 20
    for plan in plans:
        assert any(_reads(partial(game.read_plans, plan)) for game in games), plan


def _typed(*verbs: str) -> dict[str, str]:
    """Return the runs of lines in the docs that begin with one of these verbs, as they would be typed, each with its page."""
    run = re.compile(rf"^(?:(?:{'|'.join(verbs)}) [^\n`]*\n)+", re.MULTILINE)
    return {
        found: str(page.relative_to(DOCS))
        for page in DOCS.rglob("*.md")
        for found in run.findall(page.read_text("utf-8"))
    }


@pytest.mark.slow
def test_what_is_sent_ahead_in_the_docs_can_be_typed() -> None:
    blocks = _typed("AHEAD")
    assert blocks
    for block, page in blocks.items():
        ways = (partial(read_ahead, HAMMER, view, next_marks(HAMMER, 13, "card", 2), block) for view in _views())
        assert any(map(_reads, ways)), f"{page}: {block}"


@pytest.mark.slow
def test_each_move_in_the_docs_can_be_typed() -> None:
    blocks = _typed("MOVE", "BATTLE", "BUILD")
    assert blocks
    for block, page in blocks.items():
        order = "\n".join(line.partition("#")[0] for line in block.splitlines())
        assert any(_reads(partial(way, order)) for way in _of_hammer()), f"{page}: {block}"
