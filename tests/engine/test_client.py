"""The client of the engine: its page's recipe runs, refusals and failures are named, nobody is waited for without end."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pbem.engine import Client, EngineRefused, ProgramFailed
from pbem.errors import UsageError
from tests.project.source import ROOT

PAGE = ROOT / "docs" / "reference" / "engine.md"


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def program(tmp_path: Path, source: str) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(source, "utf-8")
    return [sys.executable, str(path)]


@pytest.mark.slow
def test_the_recipe_of_the_page_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.findall(r"^```python recipe\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    exec(compile(found[0], str(PAGE), "exec"), {})  # noqa: S102 - it is our page
    assert re.fullmatch(r"\w+ \{.*\}\n", capsys.readouterr().out)


@pytest.mark.slow
def test_every_request_of_the_engine_has_its_method() -> None:
    with Client() as engine:
        assert engine.games()["tiny"]["title"] == "Tiny"
        begun = engine.new("tiny", {"turns": 3})
        assert (begun.game, begun.options["turns"], begun.seats) == ("tiny", 3, ("ann", "bob", "cat"))
        assert (begun.wants.k, begun.wants.label) == ("chance", "deal:1")
        reached = engine.dictate([["c10", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c1"]])
        assert reached.wants.about["ann"]["cards"] == ["c10", "c4"]
        assert engine.options("ann") == ["CARD c10", "CARD c4"]
        assert engine.samples("ann", 3, "x") == engine.samples("ann", 3, "x")
        assert [found.legal for found in engine.judge("ann", ["CARD c4", "CARD c2"])] == [True, False]
        assert engine.why_not("ann", "card c2").problems[0]["rule"] == "2.1"
        assert engine.view("ann")["seat"] == "ann"
        assert engine.view()["seat"] == ""
        dump = engine.dump()
        assert engine.position() == dump["position"]
        played = engine.play({"ann": "CARD c10", "bob": "CARD c5", "cat": "CARD c6"})
        assert played.wants == engine.wants()
        dice = engine.draw("dice")
        assert len(dice.outcome[0]) == 3
        assert engine.load(dump).wants == reached.wants
        assert engine.wants() == reached.wants


def test_what_is_refused_is_raised_and_nothing_changes() -> None:
    with Client() as engine:
        with pytest.raises(EngineRefused, match="There is no game yet") as refused:
            engine.wants()
        assert refused.value.code == "no_game"
        engine.new("tiny")
        engine.draw(1)
        with pytest.raises(EngineRefused) as refused:
            engine.play(dict.fromkeys(("ann", "bob", "cat"), "CARD c99"))
        assert refused.value.problems[0]["seat"] == "ann"
        assert engine.wants().what == "card"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise SystemExit(3)", r"has ended \(exit code 3\)"),
        ("input(); print('hello', flush=True); input()", "an invalid answer: “hello”"),
        ('input(); print(\'{"id": 1, "ok": 7}\', flush=True); input()', "gave an invalid answer to"),
        ("input(); print('[]', flush=True); input()", "invalid answer"),
        ('input(); print(\'{"id": 77, "ok": 1}\', flush=True); input()', "another request than “games”"),
        (
            'input(); print(\'{"id": 1, "error": {"code": 5, "problems": 3}}\', flush=True); input()',
            "gave an invalid answer to",
        ),
        ("import time\nwhile True: time.sleep(1)", "no answer for 1 seconds"),
    ],
    ids=["ends", "talks", "number", "lists", "another", "refuses", "silent"],
)
def test_a_program_that_does_not_answer_is_named(tmp_path: Path, source: str, why: str) -> None:
    command = program(tmp_path, source)
    with Client(command, patience=1 if "time" in source else 60) as engine:
        with pytest.raises(ProgramFailed, match=why) as failed:
            engine.games()
        assert "program.py" in str(failed.value)
        with pytest.raises(ProgramFailed, match="was ended, and is asked nothing more"):
            engine.games()


@pytest.mark.parametrize("said", ['{"k": "banana"}', '{"k": "ask", "seats": "ab"}', "{}", "[]"])
def test_what_is_no_question_is_no_answer(tmp_path: Path, said: str) -> None:
    source = f'input(); print(\'{{"id": 1, "ok": {said}}}\', flush=True); input()'
    with Client(program(tmp_path, source)) as engine, pytest.raises(ProgramFailed, match="gave an invalid answer to"):
        engine.wants()


@pytest.mark.slow
def test_what_is_no_json_is_refused_like_anything_else() -> None:
    with Client() as engine:
        with pytest.raises(EngineRefused, match="there is no NaN in JSON") as refused:
            engine.new("tiny", {"turns": float("nan")})
        assert refused.value.code == "form"
        assert "tiny" in engine.games()


@pytest.mark.parametrize("command", ["pbem engine", [], ()])
def test_a_command_is_a_list_of_words(command: str | list[str]) -> None:
    with pytest.raises(UsageError, match="is started by a list of words"):
        Client(command)


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no-such-program cannot be started"):
        Client(["no-such-program"])
