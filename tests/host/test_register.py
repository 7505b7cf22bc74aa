"""The register of a host: a rated game is entered when it is opened and when it begins, whatever happens to the host."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import FormError, UsageError
from pbem.host import Office
from pbem.host.checking import check as check_host
from pbem.host.registering import hand_over, misses, register_of, take_back
from pbem.host.store.backup import back_up, restore
from pbem.ledger import Log, fingerprint
from pbem.ledger.register import Register, begun, place_in_register
from pbem.ledger.terms import terms
from pbem.player.terms import told_terms

from .killed_host import NOW, open_a_game
from .post import HOST, Club, a_club, key_of

ROOT = Path(__file__).resolve().parents[2]
SEATS = {"ann": "ann@example.org", "bob": "bob@example.org"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", terms={"rated": True, "event": "Winter league"}) as club:
        yield club


def kinds(register: Register) -> list[str]:
    return [line.k for line in register.lines]


def register(club: Club) -> Register:
    return register_of(club.office.store)


def test_a_rated_game_is_entered_when_it_is_opened_and_when_all_its_seats_are_taken(club: Club) -> None:
    (line,) = register(club).opened.values()
    first = club.log().entries[0].fields
    assert (line.fields["game"], line.fields["event"]) == (club.log().game, "Winter league")
    assert place_in_register(first) == (0, register(club).lines[0].hash)
    assert "to be found in the host's register, below line 1" in told_terms(first["terms"])
    assert not any("unknown" in told for told in told_terms(first["terms"]))
    for seat, (raw,) in club.deliver().items():
        assert kinds(register(club)) == ["register", "open"]
        desk = club.desks[seat]
        desk.join(raw, club.now())
        for letter in club.letters(desk):
            club.take(letter)
    (line,) = register(club).begun.values()
    assert line.fields["keys"] == {seat: fingerprint(key_of(seat).key_line) for seat in SEATS}
    assert line.fields["roster"] == [club.log().entries[-1].n, club.log().entries[-1].hash]
    assert Register.parse(register(club).dump()).key == key_of("host").key_line


def test_nobody_else_is_named_in_it(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        assert "x:register" not in club.log().entries[0].fields["terms"]
        assert register(club).lines == []


@pytest.mark.slow
def test_a_game_and_its_line_are_there_both_or_neither(club: Club, tmp_path: Path) -> None:
    """Killed while a game is opened and its invitations are sent: what the register names is here, and nothing else is."""
    before = register(club).dump()
    club.copy_to(tmp_path / "calm").office.close()
    last = _killed(tmp_path, [])
    steps = sorted({*range(1, last, 29), *range(last // 2, last // 2 + 4), *range(last - 3, last + 1)})
    for step in steps:
        club.copy_to(tmp_path / str(step)).office.close()
    shutil.rmtree(tmp_path / "calm")
    club.copy_to(tmp_path / "calm").office.close()
    assert _killed(tmp_path, steps) == last
    both = 0
    for step in steps:
        office = Office(tmp_path / str(step) / "host")
        found, games = register_of(office.store), office.store.values("games", "g")
        assert list(found.opened) == games, step
        assert (found.dump() == before) == (len(games) == 1), step
        open_a_game(office)
        assert len(register_of(office.store).opened) == len(games) + 1
        office.close()
        both += len(games) == 2
    assert 0 < both < len(steps)


def _killed(folder: Path, steps: list[int]) -> int:
    driver = [sys.executable, "-m", "tests.host.killed_host", "open", str(folder), *map(str, steps)]
    done = subprocess.run(driver, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_a_game_that_cannot_be_opened_leaves_no_line(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    before = register(club).dump()

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(club.robot.post, "invitation", fails)
    with pytest.raises(RuntimeError):
        open_a_game(club.office)
    assert register(club).dump() == before
    assert len(club.office.store.game_numbers()) == 1


# --- a host that went back to a backup --------------------------------------------------------------------------------


def brought_back(club: Club, saved: Path) -> None:
    club.office.close()
    restore(saved, club.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
    club.office = Office(club.folder / "host")
    club.robot.hold(club.now(), "brought back")


def saved(club: Club, name: str) -> Path:
    back_up(club.office.store, club.folder / name)
    return club.folder / name


@pytest.mark.slow
def test_what_was_given_out_is_taken_back_and_the_register_goes_on_from_there(club: Club) -> None:
    before = saved(club, "before")
    club.begin()
    open_a_game(club.office)
    given = register(club).dump()
    brought_back(club, before)
    assert kinds(register(club)) == ["register", "open"]
    assert take_back(club.robot.house, given) == 2
    assert take_back(club.robot.house, given) == 0
    for seat in SEATS:
        club.robot.catch_up_with(club.desks[seat].copy(club.notes(seat)).log, club.now())
    assert club.robot.house.game(1).stage == "playing"
    assert register(club).dump() == given, "what is written again is not entered twice"


def test_what_nobody_has_is_entered_again_from_the_players_copies(club: Club) -> None:
    before = saved(club, "before")
    club.begin()
    given = register(club).dump()
    brought_back(club, before)
    club.robot.catch_up_with(club.desks["ann"].copy(club.notes("ann")).log, club.now())
    assert register(club).dump() == given


@pytest.mark.slow
def test_so_is_a_game_that_was_opened_after_the_backup(tmp_path: Path) -> None:
    with a_club(tmp_path / "club", terms={"rated": True}) as club:
        club.begin()
        given, copy = register(club).dump(), club.log()
        with a_club(tmp_path / "empty") as empty:
            empty.robot.catch_up_with(copy, empty.now(), SEATS)
            assert register(empty).dump() == given
            assert not misses(empty.robot.house.game(2))


@pytest.mark.slow
def test_a_game_whose_place_has_been_lost_comes_back_without_a_line(club: Club, tmp_path: Path) -> None:
    club.begin()
    open_a_game(club.office)
    copy = club.robot.house.game(2).ledger.whole()
    with a_club(tmp_path / "empty") as empty:
        empty.robot.catch_up_with(copy, empty.now(), SEATS)
        assert kinds(register(empty)) == ["register"]
        assert misses(empty.robot.house.game(2))


@pytest.mark.slow
def test_a_register_that_was_signed_anew_after_a_backup_is_not_mixed_with_what_was_given_out(club: Club) -> None:
    before = saved(club, "before")
    club.begin()
    given = register(club).dump()
    brought_back(club, before)
    open_a_game(club.office)
    own = register(club).dump()
    with pytest.raises(UsageError, match="The two registers differ from line 3 on"):
        take_back(club.robot.house, given)
    assert register(club).dump() == own


# --- another key goes on with it --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_another_key_goes_on_with_the_register(club: Club, tmp_path: Path) -> None:
    house, next_key = club.robot.house, key_of("the next host")
    with pytest.raises(UsageError, match="Game 1 is rated and has not begun"):
        hand_over(house, next_key.key_line, club.now())
    club.begin()
    for line, why in (
        ("ssh-ed25519 no", "is not a key line"),
        (key_of("host").key_line, "has kept the register before"),
    ):
        with pytest.raises(UsageError, match=why):
            hand_over(house, line, club.now())
    hand_over(house, next_key.key_line, club.now())
    given = register(club).dump()
    with pytest.raises(UsageError, match=r"kept by another key now, SHA256:.*: open rated games there"):
        open_a_game(club.office)
    with pytest.raises(UsageError, match="This host has no register to hand over"):
        hand_over(house, key_of("a third").key_line, club.now())
    assert register(club).dump() == given
    club.play()
    assert club.log().finished, "what has begun goes on"
    office = Office.create(tmp_path / "next", next_key, "next@example.org")
    assert take_back(office.robot.house, given) == 4
    open_a_game(office)
    found = register_of(office.store)
    assert kinds(found) == ["register", "open", "begin", "key", "open"]
    assert found.dump().startswith(given)
    assert found.key_at(4) == next_key.key_line
    office.close()
    other = Office.create(tmp_path / "other", key_of("other"), HOST)
    with pytest.raises(UsageError, match="This register is kept by the key"):
        take_back(other.robot.house, given)
    with pytest.raises(UsageError, match="This register is not in order: line 1"):
        take_back(other.robot.house, b"{}\n")
    assert register_of(other.store).lines == []
    other.close()


def test_a_game_that_was_called_off_stays_in_it(club: Club) -> None:
    before = register(club).dump()
    club.robot.cancel(1, NOW)
    assert register(club).dump() == before
    number = club.robot.new_game("tiny", {"players": 2}, SEATS, "", terms(0, rated=True), "2", NOW)
    log = Log.parse(club.robot.house.game(number).exported().dump())
    assert place_in_register(log.entries[0].fields) == (1, Register.parse(before).head[1])
    assert begun(log.game, [entry.fields for entry in log.entries], lambda n: log.entries[n].hash) is None


def damaged(club: Club, n: int) -> None:
    """A line of the register in the store is not as it was."""
    (line,) = club.office.store.values("register", "line", n=n)
    club.office.store.delete("register", n=n)
    club.office.store.insert("register", n=n, line=bytes(line).replace(b'"at":"2', b'"at":"3'))


@pytest.mark.slow
def test_a_damaged_line_is_named_and_brought_back_from_what_was_given_out(club: Club) -> None:
    club.begin()
    given = register(club).dump()
    assert (True, "The register of rated games is in order, to its line 3.") in list(
        check_host(club.office, club.now())
    )
    damaged(club, 1)
    with pytest.raises(FormError, match=r"Line 2 of the register .* is damaged: .*“pbem host register --from FILE”"):
        open_a_game(club.office)
    ((well, said),) = [found for found in check_host(club.office, club.now()) if "register" in found[1]]
    assert (well, "Line 2" in said) == (False, True)
    assert take_back(club.robot.house, given) == 2
    assert register(club).dump() == given
    open_a_game(club.office)


def test_no_line_is_lost_by_bringing_a_shorter_register_back(club: Club) -> None:
    given = register(club).dump()
    club.begin()
    whole = register(club).dump()
    damaged(club, 1)
    with pytest.raises(UsageError, match=r"damaged from line 2 on\. It has 3 lines, but the one you gave has 2"):
        take_back(club.robot.house, given)
    assert len(club.office.store.values("register", "n")) == 3
    assert take_back(club.robot.house, whole) == 2
    assert register(club).dump() == whole
