"""What is refused says what would have worked: orders spoilt in random games, requests and positions that are wrong."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from pbem.engine import Engine
from pbem.engine.engine import MOST_MENDED
from pbem.games import find
from tests.engine.refusals import spoilt

from .engine import Talk, moving
from .talking import ask

WITHOUT = "the order without this line"
MOST = 90
"""So many steps of a game are looked at."""
SPOILT = 4
"""So many orders are spoilt for each answer."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("hammer", {"years": 1}),
        ("lords", {"players": 3, "rounds": 2}),
        ("swords", {"players": 3}),
        ("tournament", {}),
    ],
)
def test_every_spoilt_order_is_answered_with_what_is_possible(game: str, options: dict[str, Any]) -> None:
    engine, chance, pool = Engine(), random.Random(18), ["PASS"]
    wants = ask(engine, "new", game=game, options=options)["wants"]
    refused = shortened = 0
    for step in range(MOST):
        if wants["k"] == "end":
            break
        if wants["k"] == "chance":
            wants = ask(engine, "step", seed=step)["wants"]
            continue
        orders = {}
        for seat in wants["seats"]:
            orders[seat] = ask(engine, "options", seat=seat, samples=1, seed=step)["orders"][0]
            pool = [*pool, orders[seat]][-20:]
            texts = [spoilt(orders[seat], pool, chance) for _no in range(SPOILT)]
            for text, said in zip(texts, ask(engine, "why_not", seat=seat, orders=texts)["answers"], strict=True):
                for problem in said.get("problems", ()):
                    refused += 1
                    assert problem["why"]
                    assert problem.get("legal"), (text, problem)
                    if not text:
                        nearest = problem["legal"].split(", or ")[0].replace("; ", "\n")
                        assert ask(engine, "why_not", seat=seat, order=nearest)["legal"], problem
                    if problem["legal"] == WITHOUT:
                        shortened += 1
                        lines = text.splitlines()
                        del lines[problem["line"] - 1]
                        assert ask(engine, "why_not", seat=seat, order="\n".join(lines))["legal"], (text, problem)
        wants = ask(engine, "step", orders=orders)["wants"]
    assert refused > 3, "hardly anything was spoilt"
    assert shortened or game == "tournament"


def refusal(engine: Engine, **request: Any) -> str:
    """Return why a request is refused."""
    answer = json.loads(json.dumps(engine.answer(json.dumps({"id": 0, **request}).encode())))
    return str(answer["error"]["why"])


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"do": "new", "game": "lords", "options": {"players": 9}}, "players is 2 to 5, not “9”"),
        ({"do": "new", "game": "lords", "options": {"players": 1}}, "players is 2 to 5, not “1”"),
        ({"do": "new", "game": "hammer", "options": {"years": "many"}}, "years is a whole number, 0 to"),
        ({"do": "new", "game": "tournament", "options": {"scenario": "bruse"}}, "scenario is braveheart, bruce or campaign"),
        ({"do": "new", "game": "tournament", "options": {"games": ["raly"]}}, "there is no option “raly”; did you mean rally?"),
        ({"do": "new", "game": "tournament", "options": {"games": ["edition=9"]}}, "edition is 4.0 or 2.3, not “9”"),
        ({"do": "new", "game": "swords", "options": {"parts": {"regions": []}}}, "parts does not fit: regions: it is a list of"),
        ({"do": "options", "seat": "english", "samples": 0}, "samples: it is 1 to 1000, not “0”"),
        ({"do": "options", "seatt": "english"}, "seatt: there is no such field; did you mean seat?"),
        ({"do": "options", "seat": "scottish"}, "orders are wanted of english"),
        ({"do": "options", "seat": "french"}, "the seats are english, scottish"),
        ({"do": "step"}, "A step takes one of orders, outcome and seed; here is none of them"),
        ({"do": "step", "seed": 1, "outcome": []}, "A step takes one of orders, outcome and seed; here are outcome and seed"),
        ({"do": "why_not", "seat": "english"}, "“why_not” takes one of order and orders; here is none of them"),
        ({"do": "step", "seed": True}, "Wrong is seed: it is a whole number or a text, not “true”."),
        ({"do": None}, "“null” is nothing that can be done here"),
        ({"do": "x" * 100_000}, f"“{'x' * 60}…” is nothing that can be done here"),
        ({"do": "new", "game": "x" * 100_000}, f"There is no game “{'x' * 60}…” here"),
        ({"do": "new", "game": "lords", "options": {"x" * 100_000: 1}}, f"there is no option “{'x' * 60}…”"),
        ({"do": "view", "seat": "x" * 100_000}, f"There is no seat “{'x' * 60}…”"),
        ({"do": "step", "seed": 1}, "Orders are wanted now, of english"),
        ({"do": "step", "orders": {"scottish": "PASS"}}, "wanted now of english"),
        ({"do": "new", "game": "chess"}, "The games are: hammer"),
    ],
)  # fmt: skip
def test_a_request_is_refused_with_what_it_takes(request_: dict[str, Any], why: str) -> None:
    talk = Talk()
    moving(talk)
    assert why in talk.refused(**request_)["why"]


@pytest.mark.slow
def test_of_many_refused_orders_what_could_stand_there_is_found_once_and_not_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk, made = Talk(), Counter[tuple[str, ...]]()
    moving(talk)
    look = type(find("hammer").look)
    touches = look.touches

    def counted(self: Any, view: Any, draft: Any) -> Any:
        made[tuple(draft)] += 1
        return touches(self, view, draft)

    monkeypatch.setattr(look, "touches", counted)
    orders = [f"MOVE Fife: Steward > {area}" for area in ("Mar", "Angus", "Ross", "Moray") * 30]
    said = talk("why_not", seat="english", orders=orders)["answers"]
    assert [bool(one["problems"][0].get("legal")) for one in said] == [True] * MOST_MENDED + [False] * (
        len(orders) - MOST_MENDED
    )
    assert set(made.values()) == {1}


def test_an_order_of_a_megabyte_is_compared_by_its_beginning() -> None:
    talk = Talk()
    moving(talk)
    wrong = talk("why_not", seat="english", order="MOVE Lanark: Steward > " + "Fife " * 200_000)
    assert wrong["problems"][0]["legal"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"id": 1}', "The field do is missing"),
        (b'{"id": 1, "do": "view", "seat": ' + b"[" * 100_000, "This line is nested too deeply."),
        (
            b'{"id": 1, "do": "step", "seed": ' + b"9" * 5000 + b"}",
            "This line has a number with too many digits, 5000.",
        ),
        (b'{"id": 1.5, "do": "wants"}', "Wrong is id: it is a whole number or a text, not “1.5”."),
    ],
)
def test_a_line_is_refused_with_what_is_wrong_with_it(line: bytes, why: str) -> None:
    said = json.loads(json.dumps(Engine().answer(line)))["error"]
    assert (said["code"], why in said["why"]) == ("form", True), said["why"]


@pytest.mark.parametrize(
    ("game", "changed", "why"),
    [
        ("swords", {"round": -1}, "board.round: it is 0 to 999, not “-1”"),
        ("swords", {"supply": {"pink": "many"}}, "board.supply.pink: it is a whole number, 0 to 999, not “many”"),
        ("swords", {"rund": 1}, "board.rund: there is no such field; did you mean round?"),
        ("swords", {"seats": ["pink"] * 5}, "board.seats: it is a list of"),
        ("swords", {"supply": {"pinkx": 1}}, "board.supply.pinkx: it is pink, yellow, black or white, not “pinkx”"),
        ("lords", {"hands": {"angus": [], "buchan": {}}}, "board.hands.buchan: it is a list, not “{}”"),
        ("lords", {"other": 1}, "board.other: it contains more than a position does"),
        ("lords", {"round": "one"}, "board.round: it is a whole number, not “one”"),
        (
            "hammer",
            {"year": "soon"},
            "The board of the position cannot be read: year: it is a whole number, not “soon”",
        ),
    ],
)
def test_a_position_is_refused_with_the_place_and_what_it_takes(game: str, changed: dict[str, Any], why: str) -> None:
    engine, rules = Engine(), find(game).rules
    position = rules.dump(rules.start(find(game).complete({})).state)
    harmed = {**position, "board": {**position["board"], **changed}}
    assert why in refusal(engine, do="new", game=game, position=harmed)
