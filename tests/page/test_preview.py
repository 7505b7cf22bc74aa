"""A draft on the drawing: where blocks stand once it is signed, where they stood, what is not decided, and what takes it back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.games import manifests
from pbem.page.service import Service
from tests.host.conftest import as_ever
from tests.page.alone import begun
from tests.page.calling import ok, refused


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setattr(manifests, "_manifest", as_ever)  # what is dealt hangs on the hash of the rules
    return Service(tmp_path)


def until(service: Service, game: str, verb: str) -> dict[str, Any]:
    """Play what comes first up to a question that an order with this verb answers; return the position."""
    while True:
        position = ok(service, "position", game=game)
        if not position["asked"]:
            ok(service, "go_on", game=game)
            continue
        template = ok(service, "template", game=game)["text"]
        if re.search(rf"^(# )?{verb} ", template, re.MULTILINE):
            return dict(position)
        found = ok(service, "touches", game=game)
        draft = max((one["draft"] for one in found["touches"]), key=lambda draft: draft == ["CARD Move 2"])
        while not (found := ok(service, "touches", game=game, draft=draft))["closed"]:
            draft = found["touches"][0]["draft"]
        ok(service, "sign", game=game, text=found["order"])


def at_the_first_move(service: Service) -> tuple[str, dict[str, Any]]:
    name = begun(service, "hammer", seat="scottish")
    return name, until(service, name, "MOVE")


def stands(svg: str, block: str) -> str:
    found = re.search(rf'<g id="hm-block-{block.lower()}"[^>]*transform="([^"]*)"', svg)
    return found[1] if found else ""


MOVES = ["MOVE Fife: Wallace, Douglas > Angus", "MOVE Moray: Fraser > Strathspey"]


@pytest.mark.slow
def test_the_drawing_shows_where_blocks_go_and_ghosts_where_they_stood(service: Service) -> None:
    name, now = at_the_first_move(service)
    shown = ok(service, "touches", game=name, draft=MOVES, ground=now["drawing"]["ground"])["preview"]
    before, after = now["drawing"]["svg"], shown["drawing"]["svg"]
    assert shown["drawing"]["ground"] == now["drawing"]["ground"]
    assert shown["drawing"]["below"] == ""
    for block in ("Wallace", "Douglas", "Fraser"):
        assert stands(after, block) != stands(before, block) != ""
    ghosts = [line for line in after.split("\n") if "pb-ghost" in line]
    named = {name for line in ghosts for name in re.findall(r">([A-Z][a-z]+)</text>", line)}
    assert set() < named <= {"Wallace", "Douglas", "Fraser"}
    assert len(ghosts) == len(named)
    assert not any("data-at" in line or ' id="' in line for line in ghosts), "a ghost can be touched"
    assert 'data-at="way:Fife/Angus"' in after
    assert shown["says"] == ["Group Moves used: 2 of 2."]


def test_an_unfinished_line_is_left_out_and_an_empty_draft_shows_nothing(service: Service) -> None:
    name, _now = at_the_first_move(service)
    whole = ok(service, "touches", game=name, draft=MOVES[:1])["preview"]
    begun_ = ok(service, "touches", game=name, draft=[MOVES[0], "MOVE Moray: Fraser"])["preview"]
    assert begun_["drawing"] == whole["drawing"]
    assert ok(service, "touches", game=name, draft=[])["preview"] is None
    assert ok(service, "touches", game=name, draft=["MOVE Moray: Fraser"])["preview"] is None


@pytest.mark.slow
def test_a_block_or_an_arrow_that_is_touched_takes_its_line_out(service: Service) -> None:
    name, _now = at_the_first_move(service)
    out = {one["at"]: one["draft"] for one in ok(service, "touches", game=name, draft=MOVES)["preview"]["takes_out"]}
    assert out["block:Wallace"] == out["block:Douglas"] == out["way:Fife/Angus"] == MOVES[1:]
    assert out["block:Fraser"] == out["way:Moray/Strathspey"] == MOVES[:1]
    assert set(out) == {"block:Wallace", "block:Douglas", "block:Fraser", "way:Fife/Angus", "way:Moray/Strathspey"}


def test_what_a_line_leaves_unfinished_does_not_hide_what_it_says_before(service: Service) -> None:
    """Of several who regroup in one line, those stand where they go of whom it is said while another is dragged."""
    name, _now = at_the_first_move(service)
    shown = ok(service, "touches", game=name, draft=["MOVE Fife: Wallace > Angus, Douglas"])["preview"]
    assert shown["drawing"]["svg"].count("pb-ghost") == 1
    assert {one["at"]: one["draft"] for one in shown["takes_out"]}["block:Wallace"] == []


def test_what_only_moves_aside_is_no_ghost(service: Service) -> None:
    """Moray stays where two left: it stands in the middle now, and nobody moved it."""
    name, now = at_the_first_move(service)
    shown = ok(service, "touches", game=name, draft=MOVES[1:])["preview"]
    assert stands(shown["drawing"]["svg"], "Moray") != stands(now["drawing"]["svg"], "Moray")
    assert "block:Moray" not in {one["at"] for one in shown["takes_out"]}


def test_what_others_answer_at_the_same_time_is_not_decided(service: Service) -> None:
    name = begun(service, "hammer", seat="scottish")
    until(service, name, "CARD")
    found = ok(service, "touches", game=name)
    shown = ok(service, "touches", game=name, draft=found["touches"][0]["draft"])["preview"]
    assert shown is None or shown["says"] == ["Not decided yet: what the others answer."]


@pytest.mark.parametrize(("game", "verb"), [("lords", "MUSTER"), ("swords", "CUBE")])
def test_every_game_shows_what_is_laid(service: Service, game: str, verb: str) -> None:
    name = begun(service, game)
    now = until(service, name, verb)
    template = [line for line in ok(service, "template", game=name)["text"].split("\n") if not line.startswith("#")]
    shown = ok(service, "touches", game=name, draft=template)["preview"]
    assert shown["drawing"]["svg"] != now["drawing"]["svg"]


@pytest.mark.parametrize(("played", "ghosts"), [(0, 0), (-1, 1)])
def test_the_other_cards_of_a_hand_move_aside_and_the_card_that_is_played_leaves_a_ghost_where_none_moves(
    service: Service, played: int, ghosts: int
) -> None:
    name = begun(service, "lords")
    now = until(service, name, "MUSTER")
    hand = [card["at"] for row in now["cards"] for card in row["cards"]]
    hand.insert(0, hand.pop(played))
    found = next(one for one in ok(service, "touches", game=name)["touches"] if one["at"] == hand[0])
    draft = found["draft"]
    while not (step := ok(service, "touches", game=name, draft=draft))["closed"]:
        draft = step["touches"][0]["draft"]
    svg = step["preview"]["drawing"]["svg"]
    assert svg.count("pb-ghost") == ghosts
    assert all(one["at"] not in hand[1:] for one in step["preview"]["takes_out"])


@pytest.mark.parametrize(
    ("step", "draft"),
    [
        ("lesson-lords-3", ["MUSTER Wemyss 7 DOWN"]),
        ("lesson-lords-2", ["MUSTER Wemyss 2 USE Makgill 9"]),
        ("lesson-swords-1", ["PLACE A3"]),
        ("lesson-swords-2", ["DEPLOY A1 A2 B2 A3 PULL A1 A2 B2 A3 TO Fife"]),
        ("lesson-swords-6", ["RETREAT 1 Atholl", "GLORY 1 The Crown"]),
    ],
)
def test_nothing_stands_where_a_ghost_is_drawn(service: Service, step: str, draft: list[str]) -> None:
    svg = ok(service, "touches", game=step, draft=draft)["preview"]["drawing"]["svg"]
    lines = svg.split("\n")
    ghosts = [line for line in lines if "pb-ghost" in line]
    places = [re.search(r"translate\([^)]*\)", line)[0] for line in ghosts]  # type: ignore[index]
    assert [line for line in lines for place in places if place in line and line not in ghosts] == []
    assert (len(ghosts) == 1) == (step == "lesson-lords-2"), "the card that is discarded"


def test_a_draft_is_shown_in_the_language_of_the_page(service: Service) -> None:
    name, _now = at_the_first_move(service)
    said = ok(service, "touches", game=name, draft=MOVES, language="fr")["preview"]["says"]
    assert said[0].startswith("Mouvements de groupe")
    assert "2" in said[0]


def test_an_order_can_be_typed_with_the_words_of_the_language_of_the_page(service: Service) -> None:
    """By the words that the question names; it is signed in English."""
    name, _now = at_the_first_move(service)
    asked = " ".join(one["text"] for one in ok(service, "position", game=name, language="fr")["question"])
    assert "PASSER" in asked
    assert "PRINCIPALE" in asked
    said = ["deplacer Fife: Wallace, Douglas > Angus"]
    found = ok(service, "touches", game=name, draft=said, language="fr")
    assert found["order"] == MOVES[0]
    assert "pb-ghost" in found["preview"]["drawing"]["svg"]
    assert refused(service, "sign", game=name, text=said[0])[0] == "order"
    assert MOVES[0] in ok(service, "sign", game=name, text=said[0], language="fr")["said"]


def test_an_answer_that_no_one_touch_makes_is_called_as_those_that_make_it(service: Service) -> None:
    """In the language of the page: an order is signed in English, and an answer is not called by it."""
    name, _now = at_the_first_move(service)
    answers = ok(service, "touches", game=name, language="fr")["answers"]
    moves = [one["label"] for one in answers if one["draft"][0].startswith("MOVE Fife: Wallace, Douglas > ")]
    assert moves
    assert all(label.startswith("Wallace à Fife · avec Douglas · vers ") for label in moves)
    assert not [one["label"] for one in answers if re.search(r"[A-Z]{3}", one["label"])]


@pytest.mark.parametrize(("game", "verb", "first"), [("swords", "CUBE", "A cube to "), ("lords", "MUSTER", "Recruit ")])
def test_a_numbered_answer_is_called_as_the_touch_that_does_the_same(
    service: Service, game: str, verb: str, first: str
) -> None:
    name = begun(service, game)
    until(service, name, verb)
    found = ok(service, "touches", game=name)
    assert found["answers"][0]["label"].startswith(first)
    assert all(one["label"][0].isupper() and not one["label"].startswith(verb) for one in found["answers"])
