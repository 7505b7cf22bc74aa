"""The engine: its page's talk is had with it, errors change nothing, dumps come back, a bot in Node plays through it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from pbem.engine import serve
from pbem.games import find
from pbem.games.hammer.views import HammerView
from tests.chaos.installed import PBEM
from tests.engine.engine import Talk, moving
from tests.hammer.setting_up import PUZZLE
from tests.project.source import ROOT

PAGE = ROOT / "docs" / "reference" / "engine.md"
TALK = ROOT / "tests" / "engine" / "talk.txt"
PROGRAM = [str(PBEM), "engine"]


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


def harmed_strength(position: Any) -> Any:
    """Return the position with a strength that is no number."""
    pieces = position["board"]["pieces"] | {"wallace": ["scottish", "Fife", "four"]}
    return {**position, "board": position["board"] | {"pieces": pieces}}


def talks() -> list[tuple[str, str]]:
    """Return what goes to the engine, by the page and by the longer talk that it links, and what comes back."""
    (block,) = re.findall(r"^```engine\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = block.splitlines() + TALK.read_text("utf-8").splitlines()
    assert [line[:2] for line in lines] == ["> ", "< "] * (len(lines) // 2)
    return [(asked[2:], said[2:]) for asked, said in zip(lines[::2], lines[1::2], strict=True)]


@pytest.mark.slow
def test_the_talk_of_the_page_is_what_is_said() -> None:
    shown = talks()
    asked = "".join(f"{line}\n" for line, _ in shown)
    run = subprocess.run(PROGRAM, input=asked, capture_output=True, text=True, encoding="utf-8", check=True, cwd=ROOT)
    assert run.stderr == ""
    for said, (_, expected) in zip(run.stdout.splitlines(), shown, strict=True):
        assert re.fullmatch(".*".join(map(re.escape, expected.split("…"))), said), (
            f"{said}\nbut on the page\n{expected}"
        )


def test_the_page_names_every_request_and_error() -> None:
    page = PAGE.read_text("utf-8")
    schema = json.loads((ROOT / "schemas" / "engine-request.schema.json").read_text("utf-8"))
    for name in schema["discriminator"]["mapping"]:
        assert re.search(rf"^- .*`{name}`", page, re.MULTILINE), name
    source = "".join(path.read_text("utf-8") for path in (ROOT / "pbem" / "engine").glob("*.py"))
    for code in re.findall(r'(?:Refused|_error)\(\s*"(\w+)"', source):
        assert f"- `{code}`:" in page, code


@pytest.mark.slow
def test_the_end_of_the_input_ends_it_well() -> None:
    run = subprocess.run(PROGRAM, input='\n{"id": 1, "do": "games"}\n', capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr, run.stdout.count("\n")) == (0, "", 1)


def test_after_quit_nothing_is_answered() -> None:
    written: list[bytes] = []
    serve([b'{"id": 1, "do": "quit"}\n', b'{"id": 2, "do": "games"}\n'], written.append)
    assert written == [b'{"id": 1, "ok": {}}\n']


def test_any_id_comes_back_in_utf_8() -> None:
    written: list[bytes] = []
    serve([b'{"id": "\\ud800\xc3\xa9", "do": "quit"}'], written.append)
    assert written == [b'{"id": "\\ud800\xc3\xa9", "ok": {}}\n']


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]",
        b"3",
        b'{"id": 1}',
        b'{"id": 1, "do": ["new"]}',
        b'{"id": 1, "do": "dance"}',
        b'{"do": "wants"}',
        b'{"id": true, "do": "wants"}',
        b'{"id": 1.5, "do": "wants"}',
        b'{"id": 1, "do": "wants", "seat": "ann"}',
        b'{"id": 1, "do": "new"}',
        b'{"id": 1, "do": "new", "game": 7}',
        b'{"id": NaN, "do": "wants"}',
        b'{"id": 1, "do": "options", "seat": "ann", "samples": 0}',
        b'{"id": 1, "do": "options", "seat": "ann", "samples": 1001}',
        b'{"id": 1, "do": "step"}',
        b'{"id": 1, "do": "step", "seed": 1, "outcome": []}',
    ],
    ids=lambda line: repr(line[:60]),
)
def test_a_line_that_is_no_request_is_answered(talk: Talk, line: bytes) -> None:
    talk("new", game="tiny")
    assert talk.engine.answer(line)["error"]["code"] == "form"
    assert talk("wants")["k"] == "chance"


@pytest.mark.parametrize("do", ["wants", "position", "dump", "view"])
def test_without_a_game_there_is_nothing_to_see(talk: Talk, do: str) -> None:
    assert talk.refused(do)["code"] == "no_game"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, "usage"),
        ({"game": "tiny", "options": {"players": 99}}, "usage"),
        ({"game": "tiny", "options": {"colour": "red"}}, "usage"),
        ({"game": "tiny", "position": {}}, "position"),
        ({"game": "hammer", "position": {"board": {}, "stack": []}}, "position"),
    ],
)
def test_what_cannot_begin_leaves_the_game_that_was(talk: Talk, fields: Any, code: str) -> None:
    talk("new", game="tiny")
    assert talk.refused("new", **fields)["code"] == code


def test_a_position_where_the_rules_cannot_stand_is_refused(talk: Talk) -> None:
    moving(talk)
    position = talk("position")
    for harmed, why in (
        ({**position, "stack": []}, "cannot start from this position"),
        (harmed_strength(position), "Wallace cannot be scottish with strength four"),
    ):
        error = talk.refused("new", game="hammer", position=harmed)
        assert error["code"] == "position"
        assert why in error["why"]


def test_a_game_begins_at_a_position_in_words_or_as_json(talk: Talk) -> None:
    begun = talk("new", game="hammer", position=PUZZLE)
    assert begun["wants"]["what"] == "card"
    position = talk("position")
    assert position["board"]["pieces"]["douglas"] == ["scottish", "Fife", 3]
    assert Talk()("new", game="hammer", position=position) == begun
    error = talk.refused("new", game="hammer", position=PUZZLE.replace("Douglas", "Nobody"))
    assert (error["code"], error["problems"][0]["line"]) == ("position", 6)
    assert talk.refused("new", game="hammer", position=PUZZLE, options={"scenario": "braveheart"})["code"] == "form"
    assert talk.refused("new", game="tiny", position="TINY 1")["code"] == "position"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"orders": {}}, "wants"),
        ({"orders": {"scottish": "PASS"}}, "wants"),
        ({"orders": {"english": "PASS", "scottish": "PASS"}}, "wants"),
        ({"orders": {"english": "XYZZY"}}, "order"),
        ({"orders": {"english": "MOVE Lanark: Steward > Fife"}}, "order"),
        ({"outcome": [[1]]}, "wants"),
        ({"seed": 1}, "wants"),
    ],
)
def test_a_step_that_is_not_wanted_is_refused(talk: Talk, fields: Any, code: str) -> None:
    moving(talk)
    assert talk.refused("step", **fields)["code"] == code


@pytest.mark.parametrize("outcome", [[], [["Edward"]], [["Edward"] * 4], [["Edward", "Hobelars", "Bruce", 4]]])
def test_chance_gives_only_what_it_can(talk: Talk, outcome: Any) -> None:
    talk("new", game="hammer")
    assert talk.refused("step", outcome=outcome)["code"] == "outcome"


@pytest.mark.parametrize("dice", [[1, 2], [0, 1, 2], [1, 2, 7], [1, 2, True], ["1", "2", "3"]])
def test_dice_have_six_sides(talk: Talk, dice: Any) -> None:
    talk("new", game="tiny")
    talk("step", seed=1)
    orders = {seat: talk("options", seat=seat)["orders"][0] for seat in ("ann", "bob", "cat")}
    assert talk("step", orders=orders)["wants"]["requests"] == [{"op": "roll", "n": 3, "sides": 6}]
    assert talk.refused("step", outcome=[dice])["code"] in ("outcome", "form")
    assert talk("step", outcome=[[1, 2, 6]])["outcome"] == [[1, 2, 6]]


def test_who_is_not_asked_has_no_options(talk: Talk) -> None:
    moving(talk)
    assert talk.refused("options", seat="scottish")["code"] == "wants"
    assert talk.refused("why_not", seat="french", order="PASS")["code"] == "seat"
    assert talk.refused("view", seat="french")["code"] == "seat"


def test_samples_are_legal_and_follow_from_the_seed(talk: Talk) -> None:
    moving(talk)
    samples = talk("options", seat="english", samples=20, seed="x")["orders"]
    assert samples == talk("options", seat="english", samples=20, seed="x")["orders"]
    assert samples != talk("options", seat="english", samples=20, seed="y")["orders"]
    for order in samples:
        assert talk("why_not", seat="english", order=order) == {"legal": True, "order": order}


def test_a_view_shows_a_seat_its_own_and_the_public_nothing(talk: Talk) -> None:
    moving(talk)
    assert talk("view", seat="english")["hand"] == ["Herald", "Truce", "Move 1", "Move 2"]
    assert talk("view")["hand"] == []


def test_a_dump_is_taken_up_by_another_engine(talk: Talk) -> None:
    moving(talk)
    dump, other = talk("dump"), Talk()
    begun = other("load", dump=dump)
    assert begun["wants"] == talk("wants")
    assert other("position") == talk("position") == dump["position"]
    step = {"english": "MOVE Lanark: Steward > Lothian"}
    assert other("step", orders=step) == talk("step", orders=step)
    assert talk("load", dump=dump)["events"] == []
    assert talk("dump") == dump
    for changed in (dump | {"version": 99}, dump | {"more": 1}, {"game": "hammer"}):
        assert talk.refused("load", dump=changed)["code"] == "position"


def test_when_the_game_is_over_nothing_goes_on(talk: Talk) -> None:
    wants = talk("new", game="tiny")["wants"]
    while wants["k"] != "end":
        if wants["k"] == "chance":
            wants = talk("step", seed=talk.said)["wants"]
        else:
            orders = {seat: talk("options", seat=seat)["orders"][-1] for seat in wants["seats"]}
            wants = talk("step", orders=orders)["wants"]
    assert set(wants["result"]) >= {"winner", "why"}
    assert talk.refused("step", seed=1)["code"] == "wants"
    assert talk.refused("options", seat="ann")["code"] == "wants"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("game", ["hammer", "tiny"])
def test_a_bot_in_node_plays_a_whole_game(game: str) -> None:
    bot = ROOT / "examples" / "random_bot.mjs"
    run = subprocess.run(
        ["node", bot, "3", game, "--", *PROGRAM], capture_output=True, text=True, check=False, cwd=ROOT, timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert re.fullmatch(rf"{game}, seed 3: \w+ wins? \(\w+\), \d+ decisions, \d+ events\.\n", run.stdout), run.stdout


def test_orders_are_judged_together_against_one_view(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    moving(talk)
    orders = ["MOVE Lanark: Steward > Fife", "MOVE Lanark: Steward > Lothian", "XYZZY"]
    one_by_one = [talk("why_not", seat="english", order=order) for order in orders]
    assert [answer["legal"] for answer in one_by_one] == [False, True, False]
    fresh = Talk()
    read = list[Any]()

    def reading(_rules: Any, said: Any) -> HammerView:
        read.append(said)
        return HammerView.model_validate(said)

    monkeypatch.setattr(type(find("hammer").rules), "read_view", reading)
    fresh("load", dump=talk("dump"))
    at_first = len(read)
    assert fresh("why_not", seat="english", orders=orders * 3)["answers"] == one_by_one * 3
    assert len(read) == at_first
    assert fresh("why_not", seat="english", orders=[]) == {"answers": []}
    for fields in ({}, {"order": "PASS", "orders": ["PASS"]}, {"orders": ["PASS"] * 1001}):
        assert fresh.refused("why_not", seat="english", **fields)["code"] == "form"


def test_a_question_says_what_it_is_about(talk: Talk) -> None:
    moving(talk)
    assert talk("wants")["about"] == {"english": {"card": "Move 3", "player": 1}}
    two = {"do": "step", "orders": {"english": "MOVE Lanark: Steward > Lothian"}}
    assert "about" in json.loads(json.dumps(talk.engine.answer(json.dumps({"id": 0, **two}).encode())))["ok"]["wants"]


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("hammer", {"card", "area", "areas", "blocks", "hits", "points"}),
        ("lords", {"turn", "cards"}),
        ("swords", {"icon", "square", "region", "regions"}),
    ],
)
def test_what_is_asked_can_be_told_from_a_seats_view_alone(talk: Talk, game: str, names: set[str]) -> None:
    """A client that has a view and nothing else comes to the same words."""
    wants, pack, told = talk("new", game=game)["wants"], find(game), set[str]()
    while wants["k"] != "end" and not names <= told and talk.said < 3000:
        if wants["k"] == "chance":
            wants = talk("step", seed=talk.said)["wants"]
            continue
        for seat in wants["seats"]:
            seen = pack.rules.read_view(talk("view", seat=seat))
            assert wants["about"][seat] == pack.look.matter(seen), wants["what"]
            told |= set(wants["about"][seat])
        orders = {seat: talk("options", seat=seat, samples=1, seed=talk.said)["orders"][0] for seat in wants["seats"]}
        wants = talk("step", orders=orders)["wants"]
    assert names <= told


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("hammer", "HAMMER {version} braveheart\nYEAR 1299 TURN 9"),
        ("lords", "LORDS {version} for 3\nROUND 1 TURN 9 angus"),
    ],
)
def test_a_number_is_answered_with_its_bounds(talk: Talk, game: str, text: str) -> None:
    said = text.format(version=find(game).rules.version)
    problem = talk.refused("new", game=game, position=said)["problems"][0]
    assert (problem["line"], problem["read"], problem["legal"]) == (2, "TURN 9", "1 to 5")
