"""`--rules FOLDER`: a log that was played by the rules of another pbem, from the beginning or in the middle.

`pbem audit` judges it, and `pbem host adopt` goes on with it, where this pbem has the rules of its last stretch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import FormError, OrderError, UsageError, WorldError
from pbem.games import find, manifest
from pbem.games.archived import StateThere
from pbem.games.running import rules_in
from pbem.host import Office
from pbem.host.store.keeping import Wanted, overview
from pbem.kernel import ChangingHosts, Json, read_plans, unseen
from pbem.ledger import Log
from pbem.referee.table import Table
from tests.attacks.recorded import take_turn
from tests.cli.other_rules import EXAMPLES, ROOT, adopted, another
from tests.conformance import play
from tests.referee.ahead import both, next_of_hammer, of_hammer
from tests.referee.ahead import play as play_ahead

GAME = "tiny"
pytestmark = pytest.mark.usefixtures("rules_have_their_own_hash")


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another pbem, with a Tiny of version 2 among its own games, in which BANK is worth four points."""
    return another(tmp_path_factory.mktemp("later"), 2)


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with a Tiny of version 0, in which it is worth as much."""
    return another(tmp_path_factory.mktemp("earlier"), 0)


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
    with rules_in(ROOT, name) as (there, sha256):
        assert (there.title, there.version, sha256) == (here.title, here.version, manifest(name)[1])
        assert there.seats(options) == record.seats
        stop = there.start(options)
        for own, given in zip(record.stops, record.givens, strict=False):
            assert (stop.wants, stop.events) == (own.wants, own.events)
            assert there.fingerprint(stop.state) == here.fingerprint(own.state)
            assert there.dump(stop.state) == here.dump(own.state)
            hidden = unseen(here, own.state)
            assert unseen(there, stop.state) == hidden
            if hidden and isinstance(here, ChangingHosts) and isinstance(there, ChangingHosts):
                drawn = tuple(group.names for group in hidden)
                anew = here.dump(here.dealt_anew(own.state, drawn))
                assert there.dump(there.dealt_anew(stop.state, drawn)) == anew
            if isinstance(given, Mapping):
                views = {seat: there.read_view(there.view(stop.state, seat)) for seat in given}
                given = {seat: there.parse(views[seat], str(order)) for seat, order in given.items()}
                assert [there.why_not(views[seat], order) for seat, order in given.items()] == [None] * len(given)
            stop = there.step(there.load(there.dump(stop.state)), given)


def test_refusals_come_as_they_are() -> None:
    with rules_in(ROOT, "lords") as (there, _):
        for wrong in ({"players": 9}, {"weather": "rain"}):
            with pytest.raises(UsageError, match="Lords of Scotland cannot be played so"):
                there.start(wrong)
        with pytest.raises(FormError, match="A position is an object"):
            there.load([])
        with pytest.raises(OrderError, match="plans speak for claims alone"):
            read_plans(there, "PLAN RECRUIT 1")
        with pytest.raises(WorldError, match="stumble"):
            there.wants(StateThere(there.call.pipe, 999))


@pytest.mark.slow
def test_an_honest_host_is_not_blamed_by_lent_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders sent ahead, with conditions: by the same rules, here or lent, the same log is in order."""
    monkeypatch.setattr("tests.referee.test_ahead.Table", partial(Table, rules_sha256=manifest("hammer")[1]))
    rules = find("hammer").rules
    ahead = play_ahead(rules, {"scenario": "braveheart"}, of_hammer, next_of_hammer).whole()
    used = [e for e in Log.parse(ahead).entries if e.k == "order" and e.fields["say"]["act"] == "ahead"]
    assert len(used) > 5
    assert audited(ahead, tmp_path)[0] == "unfinished"
    assert audited(ahead, tmp_path, ROOT)[0] == "unfinished"


@pytest.mark.slow
def test_a_game_with_orders_sent_ahead_is_adopted_by_lent_rules(tmp_path: Path) -> None:
    done = adopted(both("hammer")[1], tmp_path, ROOT)
    assert done.exit_code == 0, done.exception
    assert done.output.startswith("Game 1 continues from entry ")


@pytest.mark.slow
def test_a_game_by_other_rules_is_judged_by_those(later: Path, tmp_path: Path) -> None:
    with rules_in(later, GAME) as (there, sha256):
        assert (there.version, sha256 != manifest(GAME)[1]) == (2, True)
        table = Table(there, {"players": 2, "turns": 2}, "there", sha256)
        while table.open:
            take_turn(table)
    assert audited(table.whole(), tmp_path)[0] == "cannot_judge"
    assert audited(table.whole(), tmp_path, later)[0] == "clean"


@pytest.mark.slow
def test_a_game_that_goes_on_by_newer_rules_is_judged_whole(later: Path, tmp_path: Path) -> None:
    with rules_in(later, GAME) as (there, _):
        table = Table(find(GAME).rules, {"players": 2, "turns": 3}, "both", manifest(GAME)[1], hours=24)
        take_turn(table)
        table.go_by(there)
        while table.open:
            take_turn(table)
    changed = next(entry.n for entry in Log.parse(table.whole()).entries if entry.k == "amend")
    verdict, reason = audited(table.whole(), tmp_path)
    assert verdict == "cannot_judge"
    assert f"from entry {changed} on" in reason
    assert audited(table.whole(), tmp_path, later)[0] == "clean"


@pytest.mark.slow
def test_a_game_whose_rules_changed_is_adopted_with_those_it_began_by(earlier: Path, tmp_path: Path) -> None:
    with rules_in(earlier, GAME) as (there, sha256):
        table = Table(there, {"players": 2, "turns": 3}, "before", sha256, hours=24)
        take_turn(table)
        table.go_by(find(GAME).rules)
        take_turn(table)
    without = adopted(table, tmp_path)
    assert "was played under version 0 of the rules of Tiny; here is 1" in str(without.exception)
    done = adopted(table, tmp_path, earlier)
    assert done.exit_code == 0, done.exception
    assert done.output.startswith("Game 1 continues from entry ")
    with closing(Office(tmp_path / "host")) as office:
        game = office.robot.house.game(1)
        assert (game.stage, game.resume().game) == ("moving", find(GAME).rules)


@pytest.mark.slow
def test_a_game_that_goes_on_by_newer_rules_than_the_hosts_is_not_adopted(later: Path, tmp_path: Path) -> None:
    with rules_in(later, GAME) as (there, _):
        table = Table(find(GAME).rules, {"players": 2, "turns": 3}, "after", manifest(GAME)[1], hours=24)
        take_turn(table)
        table.go_by(there)
    assert "The game uses version 2 of its rules, but this host has version 1" in str(
        adopted(table, tmp_path, later).exception
    )
    with closing(Office(tmp_path / "host")) as office:
        assert overview(office.robot.store, Wanted()) == []


def test_what_is_no_pbem_is_said_to_be_none(tmp_path: Path) -> None:
    table = Table(find(GAME).rules, {"players": 2, "turns": 1}, "none", manifest(GAME)[1])
    (tmp_path / "game.pbem").write_bytes(table.whole())
    broken = tmp_path / "broken"
    (broken / "pbem").mkdir(parents=True)
    (broken / "pbem" / "__init__.py").write_text("", "utf-8")
    for folder, why in ((tmp_path, "is not a folder that contains pbem"), (broken, "cannot be run: ")):
        done = CliRunner().invoke(app, ["audit", str(tmp_path / "game.pbem"), "--rules", str(folder)])
        assert why in str(done.exception)
