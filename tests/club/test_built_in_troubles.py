"""What goes wrong around a built-in player: folders, desks, letters, disks. He comes back by himself, and holds nobody else up."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from pbem import private
from pbem.errors import WorldError
from pbem.games import find
from pbem.host import Office, locks
from pbem.host.built_in import FOLDER, address_of, folders, make_folder, player_named
from pbem.host.checking import check as check_host
from pbem.ledger.terms import terms
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings
from tests.host.post import HOST, key_of
from tests.stored import stored_rows

from .evening import Evening
from .games import EXAMPLES


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A game of Tiny that has not begun: Ann against Bob and Cat."""
    evening = Evening(tmp_path, "tiny", {"players": 3, "turns": 2}, "random")
    yield evening
    evening.close()


def of_bob(evening: Evening) -> Path:
    return evening.office.folder / FOLDER / f"{evening.number}.bob"


def of_people(evening: Evening) -> list[str]:
    """Open a game of people, whose letters come behind those that wait; return their mailboxes."""
    posts = {seat: f"{seat}2@example.org" for seat in evening.seats}
    evening.office.robot.new_game("tiny", evening.options, posts, "People", terms(0), "other", evening.now())
    return [f"{seat}2" for seat in evening.seats]


def mailboxes(evening: Evening) -> set[str]:
    return {path.name for path in (evening.office.folder / "mail").iterdir()} - {"ann", "host"}


def ends_well(evening: Evening) -> bool:
    evening.minute += 60  # what waits for another try has waited long enough
    log = evening.play().log()
    orders = {entry.fields["by"] for entry in log.entries if entry.k == "order"}
    assert evening.office.troubles() == []
    return log.entries[-1].k == "end" and evening.verdict() == "clean" and orders == set(evening.seats)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["", "in"])
def test_an_unusable_folder_of_a_built_in_player_holds_back_his_letters_alone(evening: Evening, part: str) -> None:
    """A built-in player's folder is a file or cannot be written to. His letters wait and say why; none goes out by mail."""
    place, people = of_bob(evening) / part, of_people(evening)
    shutil.rmtree(of_bob(evening))
    place.parent.mkdir(exist_ok=True)
    place.write_text("")
    evening.play(3)
    assert mailboxes(evening) == set(people), "the others' letters go, and his do not go out"
    (waits,) = [trouble for trouble in evening.office.troubles() if "letter" in trouble]
    assert (waits["to"], waits["failed"]) == (address_of("bob", "random"), False)
    assert str(of_bob(evening)) in str(waits["why"])
    found = [why for well, why in check_host(evening.office, evening.now()) if not well]
    assert f"{place} is not a folder: a built-in player waits until you move it away." in found
    place.unlink()
    assert ends_well(evening)


@pytest.mark.slow
def test_what_else_lies_beside_their_folders_is_passed_over(evening: Evening) -> None:
    evening.play(2)
    for name in ("old.bak", ".Trash-0", "1.", "01.bob"):
        (evening.office.folder / FOLDER / name).mkdir()
    shutil.copytree(of_bob(evening), of_bob(evening).with_name("1.bob.bak"))
    shutil.copytree(of_bob(evening), of_bob(evening).with_name("1.zoe"))
    assert [path.name for path in folders(evening.office.folder)] == ["1.bob", "1.cat", "1.zoe"]
    assert ends_well(evening)


class Falters:
    """What stumbles as long as it is told to, at one place of Bob's folder."""

    def __init__(self, place: str, opened: Callable[..., Any]) -> None:
        self.place, self.opened, self.is_full = place, opened, True

    def __call__(self, path: Path, mode: Any) -> Any:
        if self.is_full and f"1.bob/{self.place}" in path.as_posix():
            raise OSError(28, "No space left on device")
        return self.opened(path, mode)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [0, 2])
@pytest.mark.parametrize("place", ["in/", "desk.part/key", "desk/games/", "desk/out/", "out/", ""])
def test_a_built_in_player_repeats_what_a_full_disk_prevented(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, place: str, turns: int
) -> None:
    """There was no room to read or write, or the program stumbled over the built-in player."""
    evening.play(turns)
    falters = Falters(place, private.opened)
    monkeypatch.setattr(private, "opened", falters)
    evening.play(3)
    falters.is_full = False
    assert ends_well(evening)


def stumbles() -> Any:
    raise KeyError("random")


@pytest.mark.slow
@pytest.mark.parametrize("anew", [True, False], ids=["started anew", "while it works"])
def test_a_player_over_whom_the_program_stumbles_answers_when_that_is_mended(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, *, anew: bool
) -> None:
    evening.play(3)
    bots = cast("dict[str, Any]", find("tiny").bots)
    with monkeypatch.context() as patch:
        patch.setitem(bots, "random", stumbles)
        evening.play(3)
        assert any(trouble["way"].startswith("built-in player 1.") for trouble in evening.office.troubles())
    if anew:
        evening.again()
    assert ends_well(evening)


@pytest.mark.slow
@pytest.mark.parametrize(
    "turns", [0, 1, 3, 5]
)  # when a letter for him is on its way: a receipt of his waits for a report
def test_a_lost_letter_to_a_built_in_player_comes_again(evening: Evening, turns: int) -> None:
    """The host sends the built-in player his copy once more."""
    evening.play(turns)
    answer, evening.office.beside = evening.office.beside, lambda _now: False
    evening.play(1)
    letters = Maildir(of_bob(evening) / "in").in_new()
    assert letters
    for path in letters:
        path.unlink()
    evening.office.beside = answer
    assert ends_well(evening)


@pytest.mark.slow
def test_what_he_could_not_read_is_not_sent_to_him_for_ever(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.play(2)
    monkeypatch.setattr(private, "opened", Falters("desk/games", private.opened))
    evening.play(4)
    letters = len(stored_rows(evening.office.store, "select id from outbox"))
    for _again in range(5):
        evening.office.work(evening.now())
    assert len(stored_rows(evening.office.store, "select id from outbox")) == letters


def half_made(desk: Path) -> None:
    shutil.rmtree(desk, ignore_errors=True)
    (desk / "games").mkdir(parents=True)


def with_a_key_alone(desk: Path) -> None:
    half_made(desk)
    (desk / "key").write_bytes(key_of("another").dump(None))


def keyless(desk: Path) -> None:
    (desk / "key").unlink(missing_ok=True)


def damaged(desk: Path) -> None:
    for path in desk.glob("games/*.json"):
        path.write_text("{")


def without_copy(desk: Path) -> None:
    for path in desk.glob("games/*.pbem"):
        path.write_text("?\n")


def cut_short(desk: Path) -> None:
    half_made(desk.with_name("desk.part"))
    shutil.rmtree(desk, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 3])
@pytest.mark.parametrize("spoil", [half_made, with_a_key_alone, keyless, damaged, without_copy, cut_short])
def test_an_incomplete_folder_of_a_built_in_player_is_made_again(
    evening: Evening, spoil: Callable[[Path], None], turns: int
) -> None:
    """A built-in player's files are half written, damaged or from a lost game of the same number. The host sets them
    aside; `pbem host check` names them."""
    evening.play(turns)
    spoil(of_bob(evening) / "desk")
    assert ends_well(evening)


def test_host_check_names_a_desk_that_is_not_whole(evening: Evening) -> None:
    evening.play(2)
    assert not [why for well, why in check_host(evening.office, evening.now()) if not well]
    (of_bob(evening) / "desk" / "key").unlink()
    (why,) = [why for well, why in check_host(evening.office, evening.now()) if not well]
    assert str(of_bob(evening) / "desk") in why
    assert "Missing: key." in why


@pytest.mark.slow
def test_a_host_whose_folder_is_moved_has_them_where_it_is_now(evening: Evening) -> None:
    evening.play(3)
    evening.office.close()
    old, new = evening.folder / "host", evening.folder / "moved"
    old.rename(new)
    shutil.copytree(new / FOLDER, old / FOLDER)
    evening.office = evening._opened(Office(new))
    evening.mail = Maildir(new / "mail" / "ann")
    evening.desk.change_settings(post=str(new / "mail" / "host"))
    assert ends_well(evening)
    assert not [path for path in (old / FOLDER).rglob("*.eml") if "/new/" in path.as_posix()]


@pytest.mark.slow
@pytest.mark.parametrize(("player", "turns"), [("random", 1), ("random", 100), ("sensible", 2), ("sensible", 3)])
def test_a_game_with_the_number_of_one_that_is_lost_has_desks_of_its_own(
    evening: Evening, player: str, turns: int
) -> None:
    evening.play(turns)
    evening.office.close()
    host = evening.folder / "host"
    for path in [*host.glob("pbem.sqlite*")]:
        path.unlink()
    shutil.rmtree(host / "mail")
    evening.office = evening._opened(Office.begin_again(host, HOST))
    others = evening.seats[1:]
    posts = {"ann": "ann@example.org"} | {seat: address_of(seat, player) for seat in others}
    agreed = terms(0, built_in={seat: player_named(evening.pack, player) for seat in others})
    number = evening.office.robot.new_game("tiny", evening.options, posts, "Again", agreed, "second", evening.now())
    assert number == evening.number
    for seat in others:
        make_folder(host, number, seat)
    post = str(host / "mail" / "host")
    evening.desk = Desk.create(evening.folder / "ann2", key_of("ann"), PlayerSettings("ann@example.org", post))
    evening.mail = Maildir(host / "mail" / "ann")
    assert ends_well(evening)


@pytest.mark.slow
def test_a_built_in_player_is_left_to_the_program_that_looks_after_him(evening: Evening) -> None:
    """Two programs of a host look after the same built-in player."""
    lock = locks.alone(of_bob(evening) / "attended")
    assert lock is not None
    evening.play(2)
    assert not (of_bob(evening) / "desk").exists()
    assert (of_bob(evening).with_name("1.cat") / "desk").exists()
    lock.close()
    assert ends_well(evening)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["ended", "cancelled"])
def test_a_game_that_was_over_and_is_on_again_has_him_again(evening: Evening, stage: str) -> None:
    evening.play(3)
    evening.office.store.change("games", evening.number, stage=stage)
    evening.office.work(evening.now())
    evening.office.work(evening.now())
    evening.office.store.change("games", evening.number, stage="playing")
    assert ends_well(evening)


@pytest.mark.slow
def test_the_trouble_of_one_whose_game_is_over_is_over(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.play(3)
    monkeypatch.setitem(cast("dict[str, Any]", find("tiny").bots), "random", stumbles)
    evening.play(1)
    assert evening.office.troubles()
    evening.office.store.change("games", evening.number, stage="ended")
    evening.office.work(evening.now())
    assert evening.office.troubles() == []


@pytest.mark.slow
def test_where_the_store_cannot_take_his_letter_it_is_not_lost(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> str:
        raise WorldError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(evening.office.robot, "take", full)
        with pytest.raises(WorldError):
            evening.office.send(evening.now())
    assert ends_well(evening)
