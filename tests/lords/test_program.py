"""Lords of Scotland through the program: a demonstration by mail, a sentence for what does not fit, the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.engine import Engine


@pytest.mark.slow
def test_a_demonstration_ends_in_a_clean_audit(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    result = CliRunner().invoke(
        app, ["demo", "--game", "lords", "--players", "2", "--option", "goal=1", "--out", str(out)]
    )
    assert result.exit_code == 0, result.output
    assert "The audit says: clean." in result.output
    assert {path.stem for path in out.glob("*.pbem")} == {"game", "angus", "buchan"}


def test_a_number_of_players_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    result = CliRunner().invoke(app, ["demo", "--game", "lords", "--players", "9", "--out", str(out)])
    assert "players is 2 to 5, not “9”" in str(result.exception)
    assert not out.exists()


def test_the_engine_plays_it() -> None:
    engine = Engine()

    def ask(do: str, **fields: Any) -> Any:
        answer = engine.answer(json.dumps({"id": 1, "do": do, **fields}).encode())
        assert "ok" in answer, answer
        return answer["ok"]

    ask("new", game="lords", options={"players": 2, "first": "angus"})
    assert ask("step", seed=1)["wants"]["what"] == "turn"
    order = ask("options", seat="angus", samples=1)["orders"][0]
    assert ask("step", orders={"angus": order})["wants"]["seats"] == ["buchan"]
