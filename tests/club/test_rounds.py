"""An event whose rounds a host opens by itself: whole, with desks of its players, and what keeps it from going on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.host import host_in
from pbem.club.rounds import Rounds, RoundsWaitError
from pbem.errors import UsageError
from pbem.games import installed
from pbem.host import Office, banned, members
from pbem.host.members import forget, let_go
from pbem.host.observers import STANDING
from pbem.host.store.people import folded, member_at
from pbem.host.store.rows import GameRow, Member
from tests.cli.program import Program
from tests.club.rounds import PEOPLE, Cup
from tests.host.post import moment
from tests.stored import all_rows, stored_rows

from .event import text


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cup]:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
    made = Cup(tmp_path)
    yield made
    made.office.close()


@pytest.mark.slow
def test_a_league_is_played_to_its_end_and_nobody_opens_a_game(cup: Cup) -> None:
    opened = []
    while more := cup.rounds.open(moment(cup.minute)):
        opened.append([number for _event, number in more])
        assert cup.rounds.open(moment(cup.minute)) == [], "each once"
        cup.play()
    assert opened == [[1], [2], [3]]
    course = cup.course()
    assert course.over
    assert len(course.table()) == 3
    assert not course.strangers
    first = cup.office.robot.house.game(1)
    assert first.title.startswith("Border Cup: ")
    assert first.row.hours == 48
    assert first.ledger.entry(0)["terms"]["rated"] is True


@pytest.mark.slow
def test_who_opens_again_after_a_crash_opens_nothing_twice(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    """The note stands in the decision that opens the game: both are there, or neither."""

    def dies(*_name: object) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(cup.office.store, "put_note", dies)
        with pytest.raises(OSError, match="the disk is gone"):
            cup.rounds.open(moment(0))
    assert cup.office.store.find(GameRow) == []
    assert len(cup.rounds.open(moment(0))) == 1
    again = Rounds(cup.office, cup.rounds.held, installed, cup.rounds.fresh)
    assert again.open(moment(1)) == []


@pytest.mark.slow
def test_a_banned_player_of_an_event_is_named_and_gets_no_game(cup: Cup) -> None:
    store = cup.office.store
    for address in cup.rounds._addresses().values():
        banned.ban(store, address, "", moment(0))
    with pytest.raises(RoundsWaitError, match=r"Border Cup, .* is banned here and gets no invitation"):
        cup.rounds.open(moment(0))
    for address in banned.bans(store):
        banned.unban(store, address)
    assert len(cup.rounds.open(moment(1))) == 1


@pytest.mark.slow
def test_what_is_missing_is_said_and_holds_up_nobody_else(cup: Cup) -> None:
    held = cup.rounds.held.model_copy(update={"files": ["none.toml", "cup.toml"]})
    cup.rounds.held = held
    with pytest.raises(UsageError, match=r"none\.toml cannot be read"):
        cup.rounds.open(moment(0))
    assert len(cup.office.store.find(GameRow)) == 1
    (cup.office.folder / "none.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(UsageError, match=r"none\.toml cannot be read"):
        cup.rounds.open(moment(0))
    cup.play()
    cup.posts.write_text('Rose = "rose@example.org"\n', "utf-8")
    cup.rounds.held = held.model_copy(update={"files": ["cup.toml"]})
    with pytest.raises(UsageError, match=r"Border Cup, round 2, .*no address is known for"):
        cup.rounds.open(moment(cup.minute))
    cup.posts.write_text("Rose = rose", "utf-8")
    with pytest.raises(UsageError, match=r"posts.toml cannot be read"):
        cup.rounds.open(moment(cup.minute))


@pytest.mark.slow
def test_a_game_that_was_called_off_is_the_organisers_to_decide(cup: Cup) -> None:
    ((_event, number),) = cup.rounds.open(moment(0))
    cup.office.robot.cancel(number, moment(1))
    assert cup.rounds.open(moment(2)) == []
    (pair,) = cup.course().open
    ruled = f'{cup.file}\n[[rulings]]\nround = 1\nplayers = ["{pair.first}", "{pair.second}"]\nresult = "1-0"\n'
    (cup.office.folder / "cup.toml").write_text(ruled, "utf-8")
    assert len(cup.rounds.open(moment(3))) == 1, "the next round"


@pytest.mark.slow
def test_who_withdraws_when_a_round_is_paired_does_not_let_others_play_two_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
    people = ("rose", "iain", "moira", "ann")
    cup = Cup(tmp_path, text("swiss", "rounds = 2", people=people), people)
    assert len(cup.rounds.open(moment(0))) == 2
    gone = '[[withdrawals]]\nplayer = "Rose"\nafter = {after}\n'
    file = cup.office.folder / "cup.toml"
    file.write_text(cup.file + gone.format(after=0), "utf-8")
    for _again in range(2):
        with pytest.raises(UsageError, match=r"game \d of round 1 has been opened.*“after = 1”"):
            cup.rounds.open(moment(1))
    assert len(cup.office.store.find(GameRow)) == 2
    file.write_text(cup.file + gone.format(after=1), "utf-8")
    assert cup.rounds.open(moment(2)) == []
    file.write_text(cup.file + gone.format(after=0), "utf-8")
    for number in (1, 2):
        cup.office.robot.cancel(number, moment(3))
    assert len(cup.rounds.open(moment(4))) == 1, "three are left, and nobody has begun"
    cup.office.close()


@pytest.mark.slow
def test_a_member_of_the_club_is_found_by_his_key(cup: Cup) -> None:
    """Who has played here with the key that the event names needs no line in a file."""
    ((_event, _number),) = cup.rounds.open(moment(0))
    cup.play()
    for name in PEOPLE:
        cup.office.store.insert(
            "members", address=f"{name}@example.org", name=name,
            folded=folded(name), language="fr", zone="Europe/Paris", quiet="22:00-08:00",
            weekends="", made="", confirmed="x", wanted="", times=1, code="", code_at="", zone_wanted="", language_wanted="",
        )  # fmt: skip
    played = {seat.address for seat in cup.office.robot.house.game(1).seats.values()}
    rested = next(name for name in PEOPLE if f"{name}@example.org" not in played)
    cup.posts.write_text(f'{rested.title()} = "{rested}@example.org"\n', "utf-8")
    ((_event, number),) = cup.rounds.open(moment(cup.minute))
    seats = cup.office.robot.house.game(number).seats.values()
    assert {seat.language for seat in seats} == {"fr"}
    assert {seat.zone for seat in seats} == {"Europe/Paris"}


def test_a_host_at_work_opens_them(cup: Cup) -> None:
    settings = cup.office.folder / "host.toml"
    settings.write_text(
        settings.read_text("utf-8") + '\n[events]\nfiles = ["cup.toml"]\naddresses = "posts.toml"\n', "utf-8"
    )
    cup.office.close()
    with host_in(cup.office.folder) as office:
        office.open_rounds(moment(0))
        office.open_rounds(moment(1))
        assert len(office.store.find(GameRow)) == 1
    cup.office = Office(cup.office.folder)


FOUR = ("rose", "iain", "moira", "ann")


@pytest.fixture
def four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cup]:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
    made = Cup(tmp_path, text("swiss", "rounds = 2", people=FOUR), FOUR)
    made.rounds.held = made.rounds.held.model_copy(update={"show": True})
    yield made
    made.office.close()


def without(cup: Cup, gone: str) -> None:
    """Write the addresses of all but one."""
    lines = (f'{name.title()} = "{name}@example.org"\n' for name in cup.desks if name.title() != gone)
    cup.posts.write_text("".join(lines), "utf-8")


def shown(cup: Cup) -> Any:
    """The event as the door shows it."""
    ((_name, told),) = cup.office.store.notes(STANDING).items()
    return json.loads(told)


@pytest.mark.slow
def test_who_cannot_be_reached_holds_up_his_own_game_alone(four: Cup) -> None:
    first, second = four.course().open
    without(four, first.first)
    with pytest.raises(RoundsWaitError) as waits:
        four.rounds.open(moment(0))
    assert [number for _event, number in waits.value.opened] == [1]
    said = str(waits.value)
    assert (
        f"round 1, {first.first} – {first.second}: no address is known for {first.first}, so this game is not open"
        in said
    )
    assert "a ruling for this game, and a withdrawal for a player who has left (“after = 1”)" in said
    assert second.first not in said
    four.play()
    told = {tuple(one["players"]): one for one in shown(four)["rounds"][0]}
    assert told[tuple(first)]["missing"] == [first.first]
    assert "missing" not in told[tuple(second)]
    with pytest.raises(RoundsWaitError):
        four.rounds.open(moment(four.minute))
    assert len(four.office.store.find(GameRow)) == 1, "each once"

    without(four, "")
    assert len(four.rounds.open(moment(four.minute))) == 1
    assert "missing" not in json.dumps(shown(four))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["round robin", "swiss", "knock-out"])
def test_what_is_said_to_be_possible_is_possible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """What the organiser reads he can write, and the event goes on."""
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
    cup = Cup(tmp_path, text(kind, "rounds = 2" if kind == "swiss" else "", people=FOUR), FOUR)
    lost = cup.course().open[1]
    without(cup, lost.second)
    with pytest.raises(RoundsWaitError) as waits:
        cup.rounds.open(moment(0))
    cup.play()
    after = int(re.findall(r"“after = (\d)”", str(waits.value))[0])
    cup.file += f'\n[[withdrawals]]\nplayer = "{lost.second}"\nafter = {after}\n'
    if kind == "swiss":
        cup.file += f'[[rulings]]\nround = 1\nplayers = ["{lost.first}", "{lost.second}"]\nresult = "1-0"\n'
    (cup.office.folder / "cup.toml").write_text(cup.file, "utf-8")
    while cup.rounds.open(moment(cup.minute)):
        cup.play()
    course = cup.course()
    assert course.over
    assert {name for played in course.rounds for one in played if not one.ruled for name in one.pair} >= {lost.first}
    cup.office.close()


@pytest.mark.slow
def test_whose_letters_come_back_is_named_as_long_as_he_has_not_joined(four: Cup) -> None:
    first, _second = four.course().open
    assert len(four.rounds.open(moment(0))) == 2
    address = f"{first.second.lower()}@example.org"
    four.office.store.insert("marks", address=address, at=moment(0), why="2 letters came back for good")
    with pytest.raises(
        RoundsWaitError, match=f"letters to {address} come back .2 letters came back for good.*after = 1"
    ):
        four.rounds.open(moment(1))
    four.play()
    assert four.rounds.open(moment(four.minute)) is not None, "he is there"


@pytest.mark.slow
def test_a_player_who_leaves_the_club_before_joining_is_named_and_the_event_continues(four: Cup) -> None:
    """`status` names him until the game is called off, which erases him; a ruling continues the event. A player who has
    joined plays on and is erased at the end."""
    first, second = four.course().open
    settings = four.office.folder / "host.toml"
    events = '\n[events]\nfiles = ["cup.toml"]\naddresses = "posts.toml"\n'
    settings.write_text(settings.read_text("utf-8") + events, "utf-8")
    four.office.close()
    with host_in(four.office.folder) as office:
        office.open_rounds(moment(0))
        for name in first:
            let_go(office.store, a_member(office, name), moment(1))
        for minute in (1, 2):
            with pytest.raises(
                UsageError, match=r"has left the club without taking a seat.*pbem host cancel 1.*after = 1"
            ):
                office.open_rounds(moment(minute))
        with pytest.raises(UsageError, match="you can call off"):
            forget(office.store, f"{first.first.lower()}@example.org")
        office.robot.cancel(1, moment(3))
        office.open_rounds(moment(3))
    four.office = Office(four.office.folder)
    four.rounds.office = four.office
    four.play()
    members.let_lapse(four.office.store, moment(four.minute))
    kept = [str(value) for _table, row in all_rows(four.office.store) for value in row]
    assert not any(f"{name.lower()}@example.org" in value for name in first for value in kept)
    four.file += f'\n[[rulings]]\nround = 1\nplayers = ["{first.first}", "{first.second}"]\nresult = "0-0"\n'
    for name in first:
        four.file += f'[[withdrawals]]\nplayer = "{name}"\nafter = 1\n'
    (four.office.folder / "cup.toml").write_text(four.file, "utf-8")
    ((_event, number),) = four.rounds.open(moment(four.minute))
    assert {seat.address for seat in four.office.robot.house.game(number).seats.values()} == {
        f"{name.lower()}@example.org" for name in second
    }


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["line", "log", "game"])
def test_an_event_whose_game_is_damaged_in_the_store_says_so_and_shows_what_it_showed(four: Cup, lost: str) -> None:
    """Its table is not reckoned without that game, and nobody is paired by half of what was played."""
    four.rounds.open(moment(0))
    four.play()
    four.rounds.open(moment(four.minute))
    before, games = shown(four), len(four.office.store.find(GameRow))
    with four.office.store.decision():
        if lost == "line":
            four.office.store.db.execute("update entries set line = ? where game = 1 and n = 5", [b"x"])
        else:
            four.office.store.delete("entries" if lost == "log" else "games", **{"game" if lost == "log" else "id": 1})
    again = Rounds(four.office, four.rounds.held, installed, four.rounds.fresh)  # as after a new start
    with pytest.raises(RoundsWaitError) as waits:
        again.open(moment(four.minute))
    wanted = "game 1 was opened and is not in the store" if lost == "game" else "is paused. The log of game 1 "
    assert wanted in str(waits.value)
    assert len(four.office.store.find(GameRow)) == games - (lost == "game"), "nobody is paired"
    if lost != "game":
        assert shown(four) == before


def a_member(office: Office, name: str) -> Member:
    """Let somebody be a member of the club."""
    office.store.insert(
        "members", address=f"{name.lower()}@example.org", name=name,
        folded=folded(name), language="", zone="UTC", quiet="", weekends="", made="",
        confirmed="x", wanted="", times=1, code="", code_at="", zone_wanted="", language_wanted="",
    )  # fmt: skip
    found = member_at(office.store, f"{name.lower()}@example.org")
    assert found
    return found


@pytest.mark.slow
def test_a_host_goes_on_saying_it_until_it_is_mended_and_then_goes_on_by_itself(four: Cup) -> None:
    first, _second = four.course().open
    without(four, first.first)
    settings = four.office.folder / "host.toml"
    settings.write_text(
        settings.read_text("utf-8") + '\n[events]\nfiles = ["cup.toml"]\naddresses = "posts.toml"\n', "utf-8"
    )
    four.office.close()
    with host_in(four.office.folder) as office:
        for minute in range(3):
            with pytest.raises(UsageError, match="no address is known for"):
                office.open_rounds(moment(minute))
        assert len(office.store.find(GameRow)) == 1
        without(four, "")
        office.open_rounds(moment(3))
        assert len(office.store.find(GameRow)) == 2
        office.open_rounds(moment(4))
    four.office = Office(four.office.folder)


def test_the_command_sends_what_it_has_opened_and_says_what_waits(
    four: Cup, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _second = four.course().open
    without(four, first.first)
    settings = four.office.folder / "host.toml"
    settings.write_text(
        settings.read_text("utf-8") + '\n[events]\nfiles = ["cup.toml"]\naddresses = "posts.toml"\n', "utf-8"
    )
    four.office.close()
    code, said = Program(monkeypatch, capsys)("host", "rounds", "--dir", four.office.folder)
    assert code != 0
    assert "game 1 is open" in said
    assert f"no address is known for {first.first}, so this game is not open" in said
    four.office = Office(four.office.folder)
    assert [row["sent"] for row in stored_rows(four.office.store, "select sent from outbox")].count("") == 0


def test_a_fault_of_an_event_is_reported_until_it_is_corrected(cup: Cup) -> None:
    """`status` names the wrong file of the event. Other events and games continue, and the host picks up the corrected
    file by itself."""
    settings = cup.office.folder / "host.toml"
    settings.write_text(
        settings.read_text("utf-8") + '\n[events]\nfiles = ["cup.toml"]\naddresses = "posts.toml"\n', "utf-8"
    )
    file = cup.office.folder / "cup.toml"
    file.write_text(cup.file.replace('name = "', "name = ", 1), "utf-8")
    cup.office.close()
    with host_in(cup.office.folder) as office:
        for minute in range(3):
            with pytest.raises(UsageError, match=r"cup\.toml"):
                office.open_rounds(moment(minute))
        file.write_text(cup.file, "utf-8")
        office.open_rounds(moment(4))
        assert len(office.store.find(GameRow)) == 1
        file.write_text("", "utf-8")
        with pytest.raises(UsageError, match=r"cup\.toml"):
            office.open_rounds(moment(5))
    cup.office = Office(cup.office.folder)
