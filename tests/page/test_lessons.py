"""Lessons as the service has them: a position like a game's, which touches lead on, what comes of an order; and the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.games import find, shipped
from pbem.games.lessons import lesson_of
from pbem.games.swords.lesson.rules import LIE
from pbem.games.swords.rules.shapes import SHAPES, shape
from pbem.page.service import Service
from tests.page.calling import ok, refused

TAUGHT = [name for name in shipped() if find(name).lesson]
LONGEST = 12
"""So many touches lead to the longest order that a step wants."""


@pytest.fixture
def page(tmp_path: Path) -> Service:
    return Service(tmp_path)


@pytest.mark.variants
@pytest.mark.parametrize("game", TAUGHT)
def test_a_whole_lesson_is_taken_by_touches_that_lead_on(page: Service, game: str) -> None:
    name, steps = f"lesson-{game}-1", 0
    while name:
        step, shown = ok(page, "step", game=name), ok(page, "position", game=name)
        assert (step["lesson"], shown["rules"], shown["asked"]) == (game, game, True)
        draft: list[str] = []
        for _n in range(LONGEST):
            leads = ok(page, "leads", game=name, draft=draft)
            assert not leads["astray"]
            if not leads["touches"]:
                break
            draft = leads["touches"][0]["draft"]
        done = ok(page, "learn", game=name, text="\n".join(draft))
        assert done["wanted"], (name, draft)
        assert done["moment"]["items"]
        assert done["position"]["n"] == 1
        name, steps = step["next"], steps + 1
    assert steps == len(lesson_of(find(game)).steps)
    assert not any(page.home.iterdir()), "who learns leaves nothing"


def test_what_is_not_wanted_is_explained_and_nothing_is_played(page: Service) -> None:
    astray = ok(page, "leads", game="lesson-hammer-2", draft=["MOVE Atholl: Grant"])
    assert "only two blocks may cross the red border (4.3)" in astray["astray"]
    assert astray["touches"] == []
    told = ok(page, "learn", game="lesson-hammer-3", text="BATTLE Mentieth: Wallace PASS")
    assert (told["wanted"], told["moment"], told["position"]) == (False, None, None)
    assert "rolls no dice" in told["said"]
    other = ok(page, "leads", game="lesson-hammer-2", draft=["PASS"])
    assert "The rules allow that" in other["astray"]
    assert refused(page, "learn", game="lesson-hammer-3", text="BATTLE Mentieth: Wallace FLY")[0] == "order"
    half = ok(page, "learn", game="lesson-hammer-2", text="MOVE Fife: Wallace, Douglas > Mentieth")
    assert not half["wanted"]
    assert "not complete yet" in half["said"]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("lesson-lords-2", "MUSTER Wemyss 2"),
        ("lesson-swords-2", "DEPLOY A1 A2 B2 A3 PULL A1 A2 B2 A3 TO Fife"),
        ("lesson-swords-6", "RETREAT 1 Atholl"),
    ],
)
def test_what_is_only_the_beginning_of_what_is_wanted_is_called_right(page: Service, step: str, text: str) -> None:
    assert ok(page, "leads", game=step, draft=text.split("\n"))["astray"] == ""
    told = ok(page, "learn", game=step, text=text)
    assert (told["wanted"], told["said"][:14]) == (False, "That is right,")


@pytest.mark.parametrize("game", TAUGHT)
def test_the_rules_have_pictures_paragraphs_and_lists_in_each_language(page: Service, game: str) -> None:
    english, french = (ok(page, "rulebook", game=game, language=language) for language in ("en", "fr"))
    assert english["title"] == french["title"] == find(game).rules.title
    assert [len(one["rules"]) for one in english["sections"]] == [len(one["rules"]) for one in french["sections"]]
    assert all(
        a["title"] != b["title"]
        for a, b in zip(english["sections"], french["sections"], strict=True)
        if a["title"] != "Scenarios"
    )
    drawn = [one["drawing"] for one in english["sections"] if one["drawing"]]
    assert drawn
    for drawing in drawn:
        whole = drawing["below"] + drawing["svg"]
        ids = set(re.findall(r'\bid="([^"]+)"', whole))
        assert set(re.findall(r'href="#([^"]+)"', whole)) <= ids, "a drawing has all that it uses"
    assert all(table["rows"] for table in english["lists"])


def test_the_shapes_of_formations_are_drawn_as_the_rules_know_them(page: Service) -> None:
    sections = ok(page, "rulebook", game="swords", language="fr")["sections"]
    (drawn,) = (one["drawing"]["svg"] for one in sections if one["title"] == "Les formes")
    assert drawn.count('href="#sw-cube-pink"') == 4 * len(LIE)
    assert {name: shape(squares.split()) for name, squares in LIE.items()} == {name: name for name in SHAPES}


def test_what_there_is_not_is_refused(page: Service) -> None:
    for name in ("lesson-hammer-0", "lesson-hammer-99", "lesson-nobody-1", "lesson-", "lesson-../x-1"):
        for call in ("step", "position", "leads"):
            assert refused(page, call, game=name)[0] == "player"
    assert refused(page, "rulebook", game="tournament")[0] == "player"
    assert refused(page, "sign", game="lesson-hammer-1", text="CARD Move 2")[0] == "player"
    choices = {one["game"]: one["taught"] for one in ok(page, "choices")["games"]}
    assert all(choices[game] == (game in TAUGHT) for game in choices)
