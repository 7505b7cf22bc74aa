"""`pbem audit --rules FOLDER`: a log that was played by the rules of another pbem, from the beginning or in the middle."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pbem
from pbem.cli.app import app
from pbem.errors import FormError, OrderError, UsageError, WorldError
from pbem.games import find, manifest
from pbem.games.elsewhere import rules_in
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.referee.table import AT, Table
from tests.attacks.recorded import take_turn
from tests.conformance import play

GAME = "tiny"
EXAMPLES = Path("examples").resolve()


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another pbem, with a Tiny of version 2 among its own games, in which BANK is worth four points."""
    folder = tmp_path_factory.mktemp("later")
    parts = shutil.ignore_patterns("__pycache__", "fonts", "cli", "host", "mail", "player", "hammer", "lords")
    shutil.copytree(Path(pbem.__file__).parent, folder / "pbem", ignore=parts)
    shutil.copytree(EXAMPLES / "tiny_game", folder / "pbem" / "games" / "tiny", ignore=parts)
    for name, old, new in (("game", "version = 1", "version = 2"), ("turn", "BANKED = 3", "BANKED = 4")):
        file = folder / "pbem" / "games" / "tiny" / "rules" / f"{name}.py"
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
    return folder


def audited(log: bytes, tmp_path: Path, *folders: Path) -> tuple[str, str]:
    """The verdict and its reason."""
    file = tmp_path / "game.pbem"
    file.write_bytes(log)
    rules = [word for folder in folders for word in ("--rules", str(folder))]
    done = CliRunner().invoke(app, ["audit", str(file), "--json", *rules])
    said = json.loads(done.output)
    return said["verdict"], said["reason"]


@pytest.mark.parametrize(
    ("name", "options"), [("tiny", {"players": 2, "turns": 2}), ("lords", {"players": 2, "goal": 3})]
)
def test_rules_that_are_lent_play_as_they_do_at_home(name: str, options: Json) -> None:
    """The same pbem, once here and once in another process: the same random game, step by step."""
    here = find(name).rules
    record = play(here, options, 1, 60)
    with rules_in(Path(pbem.__file__).parents[1], name) as (there, sha256):
        assert (there.title, there.version, sha256) == (here.title, here.version, manifest(name)[1])
        assert there.seats(options) == record.seats
        stop = there.start(options)
        for own, given in zip(record.stops, record.givens, strict=False):
            assert (stop.wants, stop.events) == (own.wants, own.events)
            assert there.fingerprint(stop.state) == here.fingerprint(own.state)
            assert there.dump(stop.state) == here.dump(own.state)
            if isinstance(given, Mapping):
                views = {seat: there.read_view(there.view(stop.state, seat)) for seat in given}
                given = {seat: there.parse(views[seat], str(order)) for seat, order in given.items()}
                assert [there.why_not(views[seat], order) for seat, order in given.items()] == [None] * len(given)
            stop = there.step(there.load(there.dump(stop.state)), given)


def test_refusals_come_as_they_are() -> None:
    with rules_in(Path(pbem.__file__).parents[1], "lords") as (there, _):
        for wrong in ({"players": 9}, {"weather": "rain"}):
            with pytest.raises(UsageError, match="Lords of Scotland cannot be played so"):
                there.start(wrong)
        with pytest.raises(FormError, match="A position is an object"):
            there.load([])
        with pytest.raises(OrderError, match="plans speak for claims alone"):
            there.read_plans("PLAN RECRUIT 1")
        with pytest.raises(WorldError, match="stumble"):
            there.wants(999)


def test_a_game_by_other_rules_is_judged_by_those(later: Path, tmp_path: Path) -> None:
    with rules_in(later, GAME) as (there, sha256):
        assert (there.version, sha256 != manifest(GAME)[1]) == (2, True)
        table = Table(there, {"players": 2, "turns": 2}, "there", sha256)
        while table.open:
            take_turn(table)
    assert audited(table.whole(), tmp_path)[0] == "cannot_judge"
    assert audited(table.whole(), tmp_path, later)[0] == "clean"


def test_a_game_that_goes_on_by_newer_rules_is_judged_whole(later: Path, tmp_path: Path) -> None:
    with rules_in(later, GAME) as (there, _):
        table = Table(find(GAME).rules, {"players": 2, "turns": 3}, "both", manifest(GAME)[1], until=AT)
        take_turn(table)
        table.go_by(there)
        while table.open:
            take_turn(table)
    changed = next(entry.n for entry in Log.parse(table.whole()).entries if entry.k == "amend")
    verdict, reason = audited(table.whole(), tmp_path)
    assert verdict == "cannot_judge"
    assert f"from entry {changed} on" in reason
    assert audited(table.whole(), tmp_path, later)[0] == "clean"


def test_what_is_no_pbem_is_said_to_be_none(tmp_path: Path) -> None:
    table = Table(find(GAME).rules, {"players": 2, "turns": 1}, "none", manifest(GAME)[1])
    (tmp_path / "game.pbem").write_bytes(table.whole())
    broken = tmp_path / "broken"
    (broken / "pbem").mkdir(parents=True)
    (broken / "pbem" / "__init__.py").write_text("", "utf-8")
    for folder, why in ((tmp_path, "is no folder with a pbem in it"), (broken, "cannot be run: ")):
        done = CliRunner().invoke(app, ["audit", str(tmp_path / "game.pbem"), "--rules", str(folder)])
        assert why in str(done.exception)
