"""A log that is damaged in the store after its game was rated: it is said which, nobody is accused, and what was shown stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.host import Office, Store, auditing, observers, sound
from pbem.host.checking import check as check_host
from pbem.host.store.rows import GameRow
from tests.host.post import Club, a_club
from tests.stored import stored_rows

from .club_pages import folder, listed, written
from .odd_uses import pbem, the_example_game_is_found
from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24, terms={"rated": True}) as club:
        observers.let_everybody(club.office.store, club.number, "all")
        yield club.begin().play()


def rewritten(store: Store, n: int, line: bytes) -> None:
    store.db.execute("update entries set line = ? where game = 1 and n = ?", [line, n])


DAMAGE: dict[str, tuple[Callable[[Store], object], str]] = {
    "no entry is left": (lambda store: store.delete("entries", game=1), "only 0 are there"),
    "an entry is gone": (lambda store: store.delete("entries", game=1, n=7), "the chain breaks at entry 7"),
    "its end is gone": (lambda store: store.db.execute("delete from entries where n > 20"), "only 21 are there"),
    "an entry is another": (lambda store: rewritten(store, 7, b'{"n":7}'), "line 8"),
    "an entry is nonsense": (lambda store: rewritten(store, 7, b"\xff"), "the line is not UTF-8"),
    "entry 0 is nonsense": (lambda store: rewritten(store, 0, b"\xff"), "the line is not UTF-8"),
    "what stands beside it is gone": (lambda store: store.delete("attachments", game=1), "lines beside its entries"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGE)
def test_a_log_that_is_damaged_in_the_store_is_named_and_what_was_shown_of_it_stays(
    club: Club, pbem: Program, what: str
) -> None:
    """`pbem host check` names the game or its line in the register and accuses nobody. The club's pages, ratings and
    event tables keep what they showed."""
    damage, why = DAMAGE[what]
    pages, home = folder(club), club.office.folder
    assert pbem("host", "pages", "--dir", home)[0] == 0
    before = written(pages)
    assert (True, "The logs of all games hang together.") in list(check_host(club.office, club.now()))
    with club.office.store.decision():
        damage(club.office.store)
    (said,) = [sentence for well, sentence in check_host(club.office, club.now()) if not well]
    assert said.startswith("The log of game 1 (A test) is damaged in the store: ")
    assert why in said
    assert "does not accuse any of its players" in said
    assert pbem("host", "pages", "--dir", home)[0] == 0
    assert written(pages) == before, "a log in which nothing has come is not read again"
    code, told = pbem("host", "pages", "--anew", "--dir", home)
    assert (code, said in told) == (0, True)
    assert "The published pages of game 1 stay as they were." in told
    assert written(pages) == before
    assert listed(pages)[0]["rated"], "it counts as it counted"
    (pages / "club.json").unlink()
    code, told = pbem("host", "pages", "--dir", home)
    assert (code, "Game 1 is not shown: The log of game 1" in told) == (0, True)
    club.office.close()
    club.office = Office(home)


@pytest.mark.slow
def test_a_rated_game_that_is_in_the_register_alone_is_named(club: Club) -> None:
    g = club.log().game
    with club.office.store.decision():
        club.office.store.delete("games", id=1)
    (said,) = [sentence for well, sentence in check_host(club.office, club.now()) if not well]
    assert f"The rated game {g[:8]} is in line 1 of the register, but not in the store." in said


def test_games_that_go_on_and_that_were_called_off_are_whole(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, terms={"rated": True}) as club:
        assert list(auditing.faults(club.office.store)) == []
        club.begin().turn()
        assert list(auditing.faults(club.office.store)) == []
        with club.office.store.decision():
            club.office.store.db.execute("delete from entries where n > 8")
        assert "only 9 are there" in next(auditing.faults(club.office.store))
    with a_club(tmp_path / "another", terms={"rated": True}) as club:
        club.robot.cancel(1, club.now())
        assert [*auditing.faults(club.office.store), *sound.lost(club.office.store)] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["backup", "log"])
def test_a_damaged_log_is_put_back_by_a_command_and_check_pages_and_ratings_are_as_they_were(
    club: Club, pbem: Program, kind: str
) -> None:
    pages, home, file, last = folder(club), club.office.folder, club.folder / "file", club.log().head[0]
    assert pbem("host", "pages", "--dir", home)[0] == 0
    before = written(pages)
    words = ("backup", file) if kind == "backup" else ("export", 1, "--out", file)
    assert pbem("host", *words, "--dir", home)[0] == 0
    assert pbem("host", "mend", 1, "--from", file, "--dir", home) == (
        2, "pbem: The log of game 1 is whole in the store: there is nothing to mend.\n",
    )  # fmt: skip
    with club.office.store.decision():
        DAMAGE["an entry is another"][0](club.office.store)
    (pages / "club.json").unlink()
    code, told = pbem("host", "pages", "--dir", home)
    assert (code, "Game 1 is not shown: The log of game 1" in told, listed(pages)) == (0, True, [])
    (said,) = [sentence for well, sentence in check_host(club.office, club.now()) if not well]
    assert "“pbem host mend GAME --from FILE” restores it" in said
    assert pbem("host", "mend", 1, "--from", file, "--dir", home) == (
        0, f"The log of game 1, A test, is whole again, to entry {last}: 1 line was put back from {file}.\n",
    )  # fmt: skip
    assert written(pages) == before, "the pages are written anew, and say what they said"
    assert not [sentence for well, sentence in check_host(club.office, club.now()) if not well]
    assert "1 game is shown; 0 of them are new" in pbem("host", "pages", "--dir", home)[1]


@pytest.mark.slow
def test_what_cannot_be_mended_from_is_named(club: Club, pbem: Program, tmp_path: Path) -> None:
    home, nonsense = club.office.folder, tmp_path / "nonsense"
    nonsense.write_bytes(b"no log\n")
    code, said = pbem("host", "mend", 1, "--from", nonsense, "--dir", home)
    assert (code, f"{nonsense} is not a .pbem file, or it is damaged" in said) == (1, True)
    nonsense.write_bytes(b"SQLite format 3\0" + b"nonsense" * 500)
    code, said = pbem("host", "mend", 1, "--from", nonsense, "--dir", home)
    assert (code, str(nonsense) in said) == (2, True), said
    assert pbem("host", "mend", 1, "--from", tmp_path / "nothing", "--dir", home) == (
        2, f"pbem: There is no file {tmp_path / 'nothing'}.\n",
    )  # fmt: skip
    assert not list(home.glob("mend*"))


def test_what_stands_still_after_it_was_mended_is_said(tmp_path: Path, pbem: Program) -> None:
    with a_club(tmp_path / "club", hours=24) as club:
        club.begin().turn()
        home, file, ends = club.office.folder, tmp_path / "file", club.log().head[0]
        assert pbem("host", "backup", file, "--dir", home)[0] == 0
        club.turn()
        told = club.log().head[0]
        with club.office.store.decision():
            club.office.store.delete("entries", game=1)
        code, said = pbem("host", "mend", 1, "--from", file, "--dir", home)
        assert (code, f"ends with entry {ends}, but this host has written it up to entry {told}" in said) == (2, True)
        code, said = pbem("host", "mend", 1, "--from", file, "--stand-still", "--yes", "--dir", home)
        assert code == 0
        assert f"is whole again, to entry {ends}: " in said
        assert (
            f"It is paused, and its players are asked for their copies; it had reached at least entry {told}." in said
        )
        code, said = pbem("host", "go-on", 1, "--yes", "--dir", home)
        assert (code, f"have had reports up to entry {told}" in said) == (2, True)


@pytest.mark.slow
def test_a_damaged_store_is_saved_beside_and_what_comes_back_says_so(club: Club, pbem: Program, tmp_path: Path) -> None:
    saved, home, store = tmp_path / "saved", club.office.folder, club.office.store
    assert pbem("host", "backup", saved, "--dir", home)[0] == 0
    with store.decision():
        (row,) = stored_rows(store, "select line from attachments where id = 3")
        store.db.execute("update attachments set line = ? where id = 3", [bytes(row["line"]).replace(b"0", b"1")])
    code, said = pbem("host", "backup", saved, "--dir", home)
    assert code == 1
    assert "stays as it was" in said
    assert "The log of game 1 (A test) is damaged" in said
    club.office.close()
    code, said = pbem("host", "restore", f"{saved}.damaged", "--replace", "--yes", "--dir", home)
    assert code == 0
    assert "The log of game 1 (A test) is damaged" in said
    assert pbem("host", "restore", saved, "--replace", "--yes", "--dir", home)[0] == 0
    club.office = Office(home)


@pytest.mark.slow
def test_a_damaged_log_is_not_exported_and_a_store_that_is_moved_says_so(
    club: Club, pbem: Program, tmp_path: Path
) -> None:
    """`pbem host export` writes nothing and names the repair. `pbem host move-store` copies the rows, names the games
    and ends with 1."""
    home, store, out = club.office.folder, club.office.store, tmp_path / "1.pbem"
    with store.decision():
        store.db.execute("update held set after_n = 7, no = 9 where seat = 'ann' and after_n = 6 and no = 1")
    code, said = pbem("host", "check", "--dir", home)
    assert code == 1
    assert "seat ann is noted to hold other lines since entry 6 than were due to it" in said
    assert pbem("host", "export", 1, "-o", out, "--dir", home)[0] == 0, "no log says who holds what"
    assert pbem("host", "mend", 1, "--from", out, "--dir", home)[0] == 0
    assert sound.log_fault(store, *store.find(GameRow)) == ""
    with store.decision():
        (row,) = stored_rows(store, "select line from attachments where id = 3")
        store.db.execute("update attachments set line = ? where id = 3", [bytes(row["line"]).replace(b"0", b"1")])
    before = out.read_bytes()
    code, said = pbem("host", "export", 1, "-o", out, "--dir", home)
    assert (code, out.read_bytes()) == (1, before)
    assert "The log of game 1 (A test) is damaged" in said
    club.office.close()
    code, said = pbem("host", "move-store", home / "pbem.sqlite", tmp_path / "moved.sqlite", "--dir", home)
    assert code == 1
    assert "were read again" in said
    assert "Logs in it were damaged before it was moved" in said
    assert "The log of game 1 (A test) is damaged" in said
