"""A check replays what has changed since it was found well, and finds whatever is wrong all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.host import auditing, found_well
from pbem.host.auditing import GameAudited
from pbem.host.condition import Condition
from pbem.host.found_well import FoundWell
from pbem.host.sound import log_fault
from pbem.host.store import Store
from pbem.host.store.rows import GameRow
from pbem.ledger.terms import terms as terms_of
from pbem.referee.audit import Audited, audit
from tests.a_postgres import of_a_file
from tests.stored import stored_rows

from .post import Club, a_club, moment

pytestmark = pytest.mark.slow

NOTES = "select name, value from meta where name like 'found well %' order by name"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A game that is on, and two that nobody has joined."""
    with a_club(tmp_path, hours=24, turns=3) as club:
        for n in (2, 3):
            players = {seat: f"{seat}{n}@example.org" for seat in club.desks}
            options = {"players": 2, "turns": 2}
            club.robot.new_game("tiny", options, players, f"Game {n}", terms_of(0), f"fresh {n}", moment(1))
        yield club.begin()


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of each log that was replayed."""
    logs = list[int]()

    def counted(data: bytes, *rest: Any) -> Audited:
        logs.append(data.count(b"\n"))
        return audit(data, *rest)

    monkeypatch.setattr("pbem.host.auditing.audit", counted)
    return logs


def hear(notes: FoundWell, *numbers: int) -> None:
    """Let these games be found well."""
    for number in numbers:
        notes.has(number)
        notes.hear(GameAudited(number, "", "unfinished", ""))


def checked(club: Club) -> list[str]:
    """What a check finds wrong of games, and what it leaves out."""
    return [
        said for well, said in found_well.checked(club.office.store, club.now()) if not well or "not replayed" in said
    ]


def test_a_check_replays_a_game_again_once_anything_of_it_has_changed(club: Club, replayed: list[int]) -> None:
    assert checked(club) == []
    assert len(replayed) == 1
    assert checked(club) == []
    assert len(replayed) == 1, "nothing has changed"
    club.turn()
    assert checked(club) == []
    assert len(replayed) == 2
    assert replayed[1] > replayed[0]
    assert [one.verdict for one in auditing.audited(club.office.store)] == ["unfinished", "not begun", "not begun"]
    assert len(replayed) == 3, "who audits all trusts no note"


@pytest.mark.parametrize(
    "changed", ["snapshot = replace(snapshot, '1', '2')", "asked = '[]'", "opts = replace(opts, '3', '2')"]
)
def test_what_was_found_well_and_is_changed_behind_it_is_found_and_its_twin_is_not(club: Club, changed: str) -> None:
    """Once it is right again nothing is told any more."""
    store = club.office.store
    assert checked(club) == []
    (before,) = stored_rows(store, "select * from games where id = 1")
    with store.decision():
        store.db.execute(f"update games set {changed} where id = 1")  # noqa: S608
    (after,) = stored_rows(store, "select * from games where id = 1")
    assert before != after, "it is changed"
    for _again in range(2):
        (said,) = checked(club)
        assert "game 1 (" in said
    (name,) = [name for name in before if before[name] != after[name]]
    with store.decision():
        store.db.execute(f"update games set {name} = ? where id = 1", [before[name]])  # noqa: S608
    assert checked(club) == []


def test_other_rules_or_another_program_replay_all(
    club: Club, replayed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checked(club) == []
    monkeypatch.setattr(found_well, "__version__", "9.9")
    found_well._program.cache_clear()
    assert checked(club) == []
    assert len(replayed) == 2
    monkeypatch.setattr(found_well, "installed", lambda _game: (None, "f" * 64))
    found_well._program.cache_clear()
    assert checked(club) == []
    assert len(replayed) == 3
    found_well._program.cache_clear()


def test_a_check_leaves_replays_to_the_next_one_and_says_so(
    club: Club, replayed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads them all the same; what it has left comes first in the next."""
    store, most = club.office.store, found_well.MOST
    assert checked(club) == []
    club.turn()
    monkeypatch.setattr(found_well, "MOST", 0)
    for _again in range(2):
        (said,) = checked(club)
        assert said.startswith("1 game was read, and not replayed by its rules")
    assert len(replayed) == 1
    with store.decision():
        store.db.execute("update entries set hash = ? where game = 1 and n = 2", ["f" * 64])
    assert "entry 2" in checked(club)[0], "it is read"
    assert len(replayed) == 1
    monkeypatch.setattr(found_well, "MOST", most)
    assert FoundWell(store).in_order([1, 2, 3]) == [1, 2, 3]


def test_games_are_replayed_in_turn(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    store = club.office.store
    monkeypatch.setattr(found_well, "MOST", 0)
    (said,) = checked(club)
    assert said.startswith("3 games were read, and not replayed by their rules")
    notes = FoundWell(store, moment(500))
    hear(notes, 1, 3)
    notes.keep(store)
    assert FoundWell(store).in_order([1, 2, 3]) == [2, 1, 3]


@of_a_file("a backup opens its copy in a file")
def test_a_backup_is_read_by_what_was_found_well(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte that differs in the copy is found there."""
    store, read, office = club.office.store, list[int](), club.office
    assert checked(club) == []

    def fault(store: Store, row: GameRow) -> str:
        read.append(row.id)
        return log_fault(store, row)

    monkeypatch.setattr("pbem.host.auditing.log_fault", fault)
    condition = Condition(office.folder, office.settings, store)
    assert condition.back_up(tmp_path / "saved.sqlite", club.now()) == []
    assert read == []
    with store.decision():
        store.db.execute("update entries set hash = ? where game = 1 and n = 2", ["f" * 64])
    assert "entry 2" in condition.back_up(tmp_path / "saved.sqlite", club.now())[0]
    assert read == [1]


def test_notes_are_written_a_hundred_at_a_time_and_those_of_games_that_are_gone_are_forgotten(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail waits for one such decision alone."""
    store, notes, decisions = club.office.store, FoundWell(club.office.store, moment(5)), list[int]()
    decision = store.decision

    @contextmanager
    def counted() -> Iterator[None]:
        before = len(stored_rows(store, NOTES))
        with decision():
            yield
            decisions.append(len(stored_rows(store, NOTES)) - before)

    hear(notes, *range(1, 251))
    monkeypatch.setattr(store, "decision", counted)
    notes.keep(store)
    assert decisions == [100, 100, 50]
    monkeypatch.setattr(store, "decision", decision)
    FoundWell(store).keep(store)
    assert [row["name"] for row in stored_rows(store, NOTES)] == [f"found well {n}" for n in (1, 2, 3)]
