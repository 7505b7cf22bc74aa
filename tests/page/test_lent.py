"""A page judges what was played by other versions as the command does: by the rules that lie beside it."""

from __future__ import annotations

import sys
from base64 import b64encode
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.games import installed
from pbem.games.shelf import Lender
from pbem.page.lent import fetched
from pbem.page.service import Service

from .calling import ok, refused
from .judged import GOLDEN, corpus, judged
from .shelves import a_shelf

TINY = [log for log in corpus() if log.parent == GOLDEN and log.stem.startswith("tiny")]
CHANGED = GOLDEN / "tiny-rules.pbem"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_shelf(tmp_path_factory.mktemp("lent"))


@pytest.fixture(autouse=True)
def without_tiny(monkeypatch: pytest.MonkeyPatch, shelf: Path) -> None:
    monkeypatch.delenv("PBEM_GAMES", raising=False)
    monkeypatch.setattr("pbem.resources.folder", lambda name: shelf)


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch, shelf: Path) -> list[str]:
    """What the worker hands to Python: the names of what lies beside the page, and each at once; here what was asked for."""
    asked = list[str]()

    def read(name: str) -> SimpleNamespace:
        asked.append(name)
        return SimpleNamespace(to_bytes=(shelf / name).read_bytes)

    module = ModuleType("pbem_shelf")
    vars(module).update(names=[place.name for place in shelf.iterdir()], fetched=read)
    monkeypatch.setitem(sys.modules, "pbem_shelf", module)
    return asked


def page(folder: Path) -> Service:
    made = Service(folder)
    made.lends = fetched
    return made


@pytest.mark.slow
@pytest.mark.parametrize("log", TINY, ids=lambda path: path.stem)
def test_the_page_says_what_the_command_says(tmp_path: Path, log: Path, shelf: Path, beside: list[str]) -> None:
    said = judged(page(tmp_path), log.read_bytes())[1]
    command = CliRunner().invoke(app, ["audit", str(log)]).stdout
    assert said["text"].split() == command.split()
    assert said["taken"] == [line for line in command.splitlines() if line.endswith("was taken from the shelf.")]
    assert said["taken"]
    web = Service(tmp_path)
    web.lends = partial(Lender, [], shelf, installed)
    assert judged(web, log.read_bytes())[1] == said
    assert len(beside) == len(said["taken"])


@pytest.mark.slow
def test_a_game_that_went_on_by_other_rules_needs_both(tmp_path: Path, beside: list[str]) -> None:
    said = judged(page(tmp_path), CHANGED.read_bytes())[1]
    assert said["code"] == ""
    assert [line.split()[1] for line in said["taken"]] == ["1", "2"]
    assert len(set(beside)) == 2


def test_without_a_shelf_it_cannot_be_judged(tmp_path: Path) -> None:
    assert judged(Service(tmp_path), CHANGED.read_bytes())[1]["code"] == "RULES"


def test_nothing_is_fetched_that_no_log_needs(tmp_path: Path, beside: list[str]) -> None:
    lords = (GOLDEN / "lords-2.pbem").read_bytes()
    assert judged(page(tmp_path), lords)[1]["taken"] == []
    judged(Service(tmp_path), CHANGED.read_bytes())
    assert beside == []


def test_what_cannot_be_fetched_is_said(tmp_path: Path, beside: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["pbem_shelf"], "fetched", lambda name: None)
    data = b64encode(CHANGED.read_bytes()).decode()
    kind, text = refused(page(tmp_path), "check", data=data, audit=True)
    assert kind == "world"
    assert "could not be fetched" in text
    assert ok(page(tmp_path), "check", data=data, audit=False)["code"] == ""
