"""A log that is damaged in the store after its game was rated: it is said which, nobody is accused, and what was shown stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.host import Office, Store, observers, sound
from tests.host.post import Club, a_club

from .program import Program
from .test_club_pages import folder, listed, written
from .test_odd_uses import pbem, the_example_game_is_found

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


@pytest.mark.parametrize("what", DAMAGE)
def test_a_log_that_is_damaged_in_the_store_is_named_and_what_was_shown_of_it_stays(
    club: Club, pbem: Program, what: str
) -> None:
    damage, why = DAMAGE[what]
    pages, home = folder(club), club.office.folder
    assert pbem("host", "pages", "--dir", home)[0] == 0
    before = written(pages)
    assert (True, "The logs of all games hang together.") in list(club.office.check(club.now()))
    with club.office.store.decision():
        damage(club.office.store)
    (said,) = [sentence for well, sentence in club.office.check(club.now()) if not well]
    assert said.startswith("The log of game 1 (A test) is damaged in the store: ")
    assert why in said
    assert "accuses none of its players" in said
    assert pbem("host", "pages", "--dir", home)[0] == 0
    assert written(pages) == before, "a log in which nothing has come is not read again"
    code, told = pbem("host", "pages", "--anew", "--dir", home)
    assert (code, said in told) == (0, True)
    assert "What is shown of game 1 stays as it was." in told
    assert written(pages) == before
    assert listed(pages)[0]["rated"], "it counts as it counted"
    (pages / "club.json").unlink()
    code, told = pbem("host", "pages", "--dir", home)
    assert (code, "Game 1 is not shown: The log of game 1" in told) == (0, True)
    club.office.close()
    club.office = Office(home)


def test_a_rated_game_that_is_in_the_register_alone_is_named(club: Club) -> None:
    g = club.log().game
    with club.office.store.decision():
        club.office.store.delete("games", id=1)
    (said,) = [sentence for well, sentence in club.office.check(club.now()) if not well]
    assert f"The rated game {g[:8]} stands in line 1 of the register, and is not in the store." in said


def test_games_that_go_on_and_that_were_called_off_are_whole(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, terms={"rated": True}) as club:
        assert list(sound.faults(club.office.store)) == []
        club.begin().turn()
        assert list(sound.faults(club.office.store)) == []
        with club.office.store.decision():
            club.office.store.db.execute("delete from entries where n > 8")
        assert "only 9 are there" in next(sound.faults(club.office.store))
    with a_club(tmp_path / "another", terms={"rated": True}) as club:
        club.robot.cancel(1, club.now())
        assert [*sound.faults(club.office.store), *sound.lost(club.office.store)] == []
