"""Swords Over Scotland through the program: a demonstration by mail, sentences for what does not fit, the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.engine import Engine
from tests.swords.program import SHORT


@pytest.mark.slow
def test_a_demonstration_of_four_with_parts_of_ones_own_ends_in_a_clean_audit(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    options = ["--players", "4", "--option", f"parts={json.dumps(SHORT)}", "--option", "glory=first"]
    result = CliRunner().invoke(app, ["demo", "--game", "swords", *options, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "The audit says: clean." in result.output
    assert {path.stem for path in out.glob("*.pbem")} == {"game", "pink", "yellow", "black", "white"}
    mails = [path.read_text("utf-8") for path in (out / "mail").rglob("*") if path.is_file()]
    assert any("SHA-256" in mail for mail in mails), "an invitation tells of them"


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("players=9", "players is 2 to 4"),
        ("glory=some", "glory"),
        ("parts={}", "regions: this field is missing"),
        ("parts=7", "parts"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(tmp_path: Path, option: str, why: str) -> None:
    out = tmp_path / "demo"
    result = CliRunner().invoke(app, ["demo", "--game", "swords", "--option", option, "--out", str(out)])
    assert why in str(result.exception)
    assert not out.exists()


def test_the_engine_plays_it() -> None:
    engine = Engine()

    def ask(do: str, **fields: Any) -> Any:
        answer = engine.answer(json.dumps({"id": 1, "do": do, **fields}).encode())
        assert "ok" in answer, answer
        return answer["ok"]

    ask("new", game="swords", options={"players": 2, "first": "pink", "glory": "first"})
    for _cube in range(4):
        ask("step", orders={"pink": "CUBE Moray"})
        wants = ask("step", orders={"yellow": "CUBE Fife"})["wants"]
    while "what" not in wants:
        wants = ask("step", seed=1)["wants"]
    assert (wants["what"], wants["seats"]) == ("place", ["pink", "yellow"])
