"""Puzzles as the service has them: a position like a game's, an order judged as `pbem puzzle` judges it, and what was solved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.games import find, shipped
from pbem.games.puzzles import Puzzle, kept
from pbem.i18n import speaking
from pbem.page.keeping import _OURS
from pbem.page.service import Service
from pbem.page.solving import NOTED
from tests.page.calling import answer, ok, refused

GAMES = [own for name in shipped() if (own := kept(find(name)))]
ALL = [one for own in GAMES for one in own]
FIRST = [own[0] for own in GAMES]


def called(one: Puzzle) -> str:
    return f"puzzle-{one.pack.rules.id}-{one.number}"


def wrong(one: Puzzle) -> str:
    """Return an order that is legal and no answer."""
    return next(text for order in one.pack.rules.options(one.prover().view) if (text := str(order)) not in one.wins)


@pytest.fixture
def page(tmp_path: Path) -> Service:
    return Service(tmp_path)


def by_touches(page: Service, name: str, text: str) -> dict[str, Any] | None:
    """Write an order by touches alone; what is said of the draft that reads as it, None where no touches lead there."""
    todo: list[list[str]] = [[]]
    seen = set[tuple[str, ...]]()
    while todo:
        found = ok(page, "touches", game=name, draft=(draft := todo.pop()), ask=0)
        if found["order"] == text:
            return {"draft": draft, **found}
        for touch in found["touches"]:
            assert touch["at"] not in ("choice:PLAN", "choice:AHEAD"), "with its order goes nothing else"
            if tuple(touch["draft"]) not in seen:
                seen.add(tuple(touch["draft"]))
                todo.append(touch["draft"])
    return None


def test_all_are_listed_by_game_and_none_is_solved(page: Service) -> None:
    games = ok(page, "puzzles")["games"]
    assert [one["name"] for game in games for one in game["puzzles"]] == list(map(called, ALL))
    assert not any(one["solved"] for game in games for one in game["puzzles"])
    assert "to move. Win the game" in games[1]["puzzles"][0]["task"]
    assert "au trait" in ok(page, "puzzles", language="fr")["games"][1]["puzzles"][0]["task"]
    assert not any(page.home.iterdir()), "who looks leaves nothing"


@pytest.mark.variants
@pytest.mark.parametrize("one", ALL, ids=called)
def test_its_position_is_what_its_seat_sees_and_its_answer_can_be_touched(page: Service, one: Puzzle) -> None:
    name, view = called(one), one.pack.rules.read_view(one.pack.rules.view(one.placed().state, one.seat))
    shown = ok(page, "position", game=name)
    assert (shown["seat"], shown["asked"], shown["over"]) == (one.seat, True, "")
    assert shown["drawing"]["svg"]
    assert "\n".join(line["text"] for line in shown["question"]).split() == str(one.pack.look.question(view)).split()
    task = ok(page, "puzzle", game=name)
    assert one.task in task["task"]
    assert all(win not in json.dumps([shown, task]) for win in one.wins)
    assert any(by_touches(page, name, win) for win in one.wins)


@pytest.mark.parametrize("one", FIRST, ids=called)
def test_an_order_is_judged_and_what_was_solved_is_remembered(page: Service, one: Puzzle) -> None:
    name = called(one)
    lost = ok(page, "solve", game=name, text=wrong(one))
    assert (lost["solves"], lost["line"][0]["depth"]) == (False, 0)
    assert wrong(one).replace("\n", "; ") in lost["line"][0]["text"]
    assert {line["depth"] for line in lost["line"]} == {0, 1}
    assert not ok(page, "puzzle", game=name)["solved"]
    won = ok(page, "solve", game=name, text=one.wins[0])
    assert (won["solves"], won["line"]) == (True, [])
    later = Service(page.home)
    assert ok(later, "puzzle", game=name)["solved"]
    done = [one["name"] for game in ok(later, "puzzles")["games"] for one in game["puzzles"] if one["solved"]]
    assert done == [name]
    assert all(win.replace("\n", "; ") in str(ok(page, "solution", game=name)) for win in one.wins)
    with speaking("fr"):
        seat = one.pack.look.seat_name(one.seat)
    assert seat in ok(page, "solve", game=name, text=wrong(one), language="fr")["line"][0]["text"]


def test_what_was_solved_belongs_to_the_desk_and_a_broken_note_says_nothing(page: Service) -> None:
    assert _OURS.fullmatch(NOTED), "it goes along where a desk is saved"
    assert NOTED.startswith("alone/"), "the single file keeps it without a passphrase"
    one = FIRST[1]
    (page.home / "alone").mkdir()
    for broken in ("", "[[1", "3", "[" * 100_000, '{"a": 1}'):
        (page.home / NOTED).write_text(broken)
        assert not ok(page, "puzzle", game=called(one))["solved"]
    assert ok(page, "solve", game=called(one), text=one.wins[0])["solves"]
    assert ok(page, "puzzle", game=called(one))["solved"]
    assert ok(page, "games")["games"] == [], "it is no game"


def test_the_last_of_a_game_has_none_behind_it(page: Service) -> None:
    for own in GAMES:
        following = [ok(page, "puzzle", game=called(one))["next"] for one in own]
        assert following == [*map(called, own[1:]), ""]


def test_what_is_no_order_or_no_puzzle_is_refused(page: Service) -> None:
    name = called(FIRST[1])
    assert refused(page, "solve", game=name, text="MUSTER Nobody 99")[0] == "order"
    assert answer(page, "solve", game=name, text="PASS\nPLAN x")["error"]["wrong"]
    kind, said = refused(page, "sign", game=name, text="PASS")
    assert (kind, "nothing is signed" in said) == ("player", True)
    for there_is_none in (
        "puzzle-lords-0",
        "puzzle-lords-99",
        "puzzle-nobody-1",
        "puzzle-",
        "puzzle-tiny-1",
        "puzzle-../x-1",
    ):
        for call in ("puzzle", "position", "solution"):
            assert refused(page, call, game=there_is_none)[0] == "player"
