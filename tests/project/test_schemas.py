"""The schemas under `schemas/` are as the models are, and they hold for what the program writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.games import GamePack, find
from pbem.kernel import Order
from pbem.schemas import DIALECT, all_schemas, drift, of_game, order_models
from tests.project.source import ROOT, modules


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> GamePack:
    monkeypatch.setenv("PBEM_GAMES", "examples")
    return find("tiny")


@pytest.mark.slow
def test_schemas_are_as_the_models_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_GAMES", raising=False)
    assert drift(ROOT / "schemas") == [], "“make schemas” writes them anew"


@pytest.mark.slow
def test_drift_names_what_is_missing_changed_and_too_much(tmp_path: Path) -> None:
    for name, text in all_schemas().items():
        (tmp_path / name).write_text(text, "utf-8")
    assert drift(tmp_path) == []
    (tmp_path / "verdict.schema.json").write_text("{}\n", "utf-8")
    (tmp_path / "log-line.schema.json").unlink()
    (tmp_path / "chess-view.schema.json").write_text("{}\n", "utf-8")
    assert drift(tmp_path) == ["chess-view.schema.json", "log-line.schema.json", "verdict.schema.json"]


def test_a_game_has_a_schema_for_view_orders_options_and_facts(tiny: GamePack) -> None:
    made = of_game(tiny)
    assert list(made) == ["tiny-view", "tiny-orders", "tiny-options", "tiny-facts"]
    assert {schema["$schema"] for schema in made.values()} == {DIALECT}
    assert set(made["tiny-options"]["properties"]) == set(tiny.rules.options_model.model_fields)


def test_the_orders_of_a_game_are_all_that_its_package_defines(tiny: GamePack) -> None:
    class Elsewhere(Order):
        def __str__(self) -> str:
            return "ELSEWHERE"

    found = [kind.__name__ for kind in order_models(tiny)]
    assert found == sorted(found)
    assert {"Act", "Keep", "PlayCard"} <= set(found)
    assert "Elsewhere" not in found


@pytest.mark.slow
def test_python_m_pbem_schemas_checks_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_GAMES", raising=False)
    run = subprocess.run(
        [sys.executable, "-m", "pbem.schemas", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    monkeypatch.setenv("PBEM_GAMES", "examples")
    run = subprocess.run(
        [sys.executable, "-m", "pbem.schemas", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "tiny-view.schema.json" in run.stderr


@pytest.mark.slow
def test_every_schema_is_an_object_with_a_title() -> None:
    for text in all_schemas().values():
        assert json.loads(text)["title"]


BUILT = """
import sys
from importlib import import_module
from pydantic import BaseModel

def below(kind):
    for one in kind.__subclasses__():
        yield one
        yield from below(one)

for name in sys.argv[1].split():
    import_module(name)
later = [one for one in below(BaseModel) if one.__module__.startswith("pbem.") and one.model_config.get("defer_build")]
for one in later:
    one.model_rebuild()
assert all(one.__pydantic_complete__ for one in later)
print(len(later))
"""


@pytest.mark.slow
def test_every_model_that_is_built_when_it_is_first_used_can_be_built() -> None:
    """What a model names and nobody has would else be found by the first player who needs it."""
    names = [one.name for one in modules() if not one.name.endswith(("__main__", ".makers.page"))]
    run = subprocess.run([sys.executable, "-c", BUILT, " ".join(names)], check=True, capture_output=True, text=True)
    assert int(run.stdout) > 100
