"""The log of one game that is damaged in the store, or gone, is put back: whole or not at all, and none that ends too early."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import PbemError, RecordError, UsageError
from pbem.host import Office, Store, auditing, catching_up, sound
from pbem.host.mending import Mended, SpareLog, in_backup
from pbem.host.post import Post
from pbem.host.store.backup import back_up, looked_into
from pbem.ledger import Log, redact
from pbem.ledger.terms import terms
from tests.stored import stored_rows

from .another_host import adopt, agree, ready, vanish
from .catching_up import copies, is_clean
from .post import Club, a_club, key_of

OF_A_GAME = (
    "entries", "attachments", "held", "courses", "games", "seats", "paces", "answers", "ahead", "chains", "observers",
)  # fmt: skip


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", turns=4, hours=24, terms={"rated": True}) as club:
        yield club


def saved(club: Club, name: str = "saved") -> Path:
    back_up(club.office.store, place := club.folder / name)
    return place


def from_backup(club: Club, place: Path, number: int = 1) -> SpareLog:
    with looked_into(place, club.folder / "mend.part", key_of("host").key_line) as store:
        return in_backup(store, place.name, number)


def exported(club: Club) -> SpareLog:
    return SpareLog("a.pbem", Log.parse(club.robot.house.game(1).exported().dump()))


def a_copy(club: Club, seat: str) -> SpareLog:
    return SpareLog(f"{seat}.pbem", club.desks[seat].copy(club.notes(seat)).log)


def mend(club: Club, given: SpareLog, *, stand_still: bool = False, number: int = 1) -> Mended:
    return club.robot.mend(number, given, club.now(), {}, stand_still=stand_still)


def damaged(club: Club, damage: Callable[[Store], object]) -> None:
    with club.office.store.decision():
        damage(club.office.store)
    assert list(auditing.faults(club.office.store)), "nothing was damaged"


def rows(store: Store, number: int = 1) -> dict[str, list[Any]]:
    """All that the store holds of a game, whatever numbers its lines have there."""
    lines = {
        row["id"]: bytes(row["line"])
        for row in stored_rows(store, "select id, line from attachments where game = ?", number)
    }
    found = {}
    for table in OF_A_GAME:
        here = "id" if table == "games" else "game"
        some = stored_rows(store, f"select * from {table} where {here} = ?", number)  # noqa: S608
        for row in some:
            if "attachment" in row:
                row["attachment"] = lines[row["attachment"]]
                row.pop("no")
            for name in ("id", "fence", "rowid") if table != "attachments" else ("id", "rowid", "n"):
                row.pop(name, None)
        found[table] = sorted(json.dumps(row, sort_keys=True, default=repr) for row in some)
    return found


def nothing_left(store: Store) -> None:
    for table in ("entries", "attachments", "held", "courses"):
        store.delete(table, game=1)


DAMAGE: dict[str, Callable[[Store], object]] = {
    "nothing is left of it": nothing_left,
    "no entry is left": lambda store: store.delete("entries", game=1),
    "an entry is gone": lambda store: store.delete("entries", game=1, n=7),
    "its end is gone": lambda store: store.db.execute("delete from entries where n > 9"),
    "an entry is another": lambda store: store.db.execute("update entries set line = ? where n = 7", [b'{"n":7}']),
    "entry 0 is nonsense": lambda store: store.db.execute("update entries set line = ? where n = 0", [b"\xff"]),
    "a hash is another": lambda store: store.db.execute("update entries set hash = ? where n = 7", ["0" * 64]),
    "what stands beside it is gone": lambda store: store.delete("attachments", game=1),
}


def its_copies_bring_it_back(club: Club, log: bytes) -> None:
    """The game comes to what it was, byte for byte, from the copies of its players, and is played to its end."""
    copies(club)
    assert not club.robot.house.game(1).stands_still
    assert club.log().dump().startswith(log)
    club.read_all()
    club.play()
    is_clean(club)


def is_as_it_was(club: Club, before: dict[str, list[Any]], log: bytes) -> None:
    assert club.log().dump() == log
    after = rows(club.office.store)
    if not before["courses"]:  # nothing was decided in it yet, and how far it has come was not kept
        after["courses"] = []
    assert after == before
    assert list(auditing.faults(club.office.store)) == []


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_log_is_put_back_from_a_backup_and_everything_is_as_it_was(club: Club, what: str) -> None:
    """`pbem host mend` verifies a backup or copy and puts it back with the remaining data of the store. Other games are
    untouched."""
    club.begin().turn()
    club.turn()
    club.take(club.order(club.asked()[0]))  # an answer that is in no log yet
    before, log, place = rows(club.office.store), club.log().dump(), saved(club)
    kept = place.read_bytes()
    damaged(club, DAMAGE[what])
    found = mend(club, from_backup(club, place))
    assert (found.still, found.entry) == (False, Log.parse(log).head[0])
    is_as_it_was(club, before, log)
    assert place.read_bytes() == kept
    assert not list(club.folder.glob("mend.part*"))
    club.read_all()
    club.play()
    is_clean(club)


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_log_is_put_back_from_an_export_and_everything_is_as_it_was(club: Club, what: str) -> None:
    club.begin().turn()
    club.turn()
    club.take(club.order(club.asked()[0]))
    before, log, given = rows(club.office.store), club.log().dump(), exported(club)
    damaged(club, DAMAGE[what])
    assert not mend(club, given).still
    is_as_it_was(club, before, log)
    club.read_all()
    club.play()
    is_clean(club)


@pytest.mark.slow
def test_a_game_with_hands_and_hidden_orders_goes_on_from_an_export(tmp_path: Path) -> None:
    with a_club(tmp_path, game="hammer") as club:
        club.begin().turn()
        club.turn()
        club.take(club.order(club.asked()[0]))
        before, log, given = rows(club.office.store), club.log().dump(), exported(club)
        damaged(club, nothing_left)
        assert not mend(club, given).still
        is_as_it_was(club, before, log)
        club.read_all()
        club.turn()
        club.turn()


@pytest.mark.slow
def test_a_game_that_this_host_has_taken_over_is_mended_too(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=3) as club:
        club.begin().turn()
        vanish(club)
        adopt(club)
        before, log, given = rows(club.office.store), club.log().dump(), exported(club)
        damaged(club, DAMAGE["no entry is left"])
        mend(club, given)
        is_as_it_was(club, before, log)
        agree(club)
        ready(club)
        club.turn()
        before, log, given = rows(club.office.store), club.log().dump(), exported(club)
        damaged(club, nothing_left)
        mend(club, given)
        is_as_it_was(club, before, log)
        club.play()


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGE)
def test_a_game_that_is_over_is_mended_by_any_copy_of_it(club: Club, what: str) -> None:
    club.begin().play()
    before, given = club.log().dump(), a_copy(club, "ann")
    damaged(club, DAMAGE[what])
    assert not mend(club, given).still
    assert club.log().dump() == before
    assert list(auditing.faults(club.office.store)) == []
    is_clean(club)


@pytest.mark.slow
def test_a_game_that_has_not_begun_is_mended(club: Club) -> None:
    log, place = club.log().dump(), saved(club)
    damaged(club, nothing_left)
    mend(club, from_backup(club, place))
    assert club.log().dump() == log
    assert list(auditing.faults(club.office.store)) == []
    club.begin().play()
    is_clean(club)


@pytest.mark.slow
def test_an_older_backup_is_enough_where_what_came_later_is_still_in_the_store(club: Club) -> None:
    club.begin().turn()
    place = saved(club)
    club.turn()
    before, log = rows(club.office.store), club.log().dump()
    damaged(club, DAMAGE["an entry is gone"])
    assert mend(club, from_backup(club, place)).lines == 1
    is_as_it_was(club, before, log)


def the_last_are_gone(club: Club) -> tuple[SpareLog, bytes, int]:
    """What came after a backup is gone from the log; return the backup, the log as it was, and where the backup ends."""
    club.begin().turn()
    place, ends = saved(club), club.log().head[0]
    club.turn()
    club.turn()
    log = club.log().dump()
    damaged(club, lambda store: store.db.execute("delete from entries where game = 1 and n > ?", [ends - 2]))
    return from_backup(club, place), log, ends


@pytest.mark.slow
def test_a_log_that_ends_before_what_players_were_told_is_refused_and_nothing_changes(club: Club) -> None:
    """With an explicit option the game stands still until the players' copies have completed it."""
    given, log, ends = the_last_are_gone(club)
    before, last = rows(club.office.store), Log.parse(log).head[0]
    with pytest.raises(
        UsageError, match=f"ends with entry {ends}, but this host has written it up to entry {last}"
    ) as refused:
        mend(club, given)
    assert f"These seats have had reports beyond {ends}: Ann, Bob, up to entry {last}." in str(refused.value)
    assert "would sign a second entry in a place that has one. A host must never do that" in str(refused.value)
    assert "--stand-still" in str(refused.value)
    assert rows(club.office.store) == before


@pytest.mark.slow
def test_with_a_word_it_is_put_back_stands_still_and_goes_on_from_its_players_copies_byte_for_byte(club: Club) -> None:
    given, log, ends = the_last_are_gone(club)
    found = mend(club, given, stand_still=True)
    assert (found.still, found.entry, found.told) == (True, ends, Log.parse(log).head[0])
    assert list(auditing.faults(club.office.store)) == []
    assert club.log().dump() == given.log.dump()
    with pytest.raises(
        UsageError,
        match=rf"have had reports up to entry {found.told}\. Continuing from here would make a second history",
    ):
        club.robot.go_on(1, club.now())
    assert club.robot.house.game(1).stands_still
    its_copies_bring_it_back(club, log)


@pytest.mark.slow
def test_copies_that_do_not_reach_what_was_told_let_no_game_go_on(club: Club) -> None:
    given, log, _ends = the_last_are_gone(club)
    with club.office.store.decision():
        club.office.store.change("seats", (1, "ann"), sent_n=99)  # somebody was told what no copy holds
    found = mend(club, given, stand_still=True)
    assert found.told == 99
    copies(club)
    game = club.robot.house.game(1)
    assert (game.stands_still, game.ledger.n) == (True, Log.parse(log).head[0])
    assert catching_up.look(club.robot.play, 1, club.now()) == "behind: entry 99 was told, and is in no copy"
    with pytest.raises(UsageError, match="have had reports up to entry 99"):
        club.robot.go_on(1, club.now())


@pytest.mark.slow
def test_a_game_that_was_over_and_has_lost_its_end_comes_to_it_again(club: Club) -> None:
    club.begin().turn()
    place = saved(club)
    club.play()
    log = club.log().dump()
    damaged(club, nothing_left)
    with pytest.raises(UsageError, match="--stand-still"):
        mend(club, from_backup(club, place))
    assert mend(club, from_backup(club, place), stand_still=True).still
    copies(club)
    assert club.log().dump() == log
    assert club.robot.house.game(1).stage == "ended"
    is_clean(club)


@pytest.mark.slow
def test_a_players_copy_carries_no_game_on_and_it_is_said_why_and_what_it_is_good_for(club: Club) -> None:
    """With an explicit option the host writes the game again from the copies of all players."""
    club.begin().turn()
    club.turn()
    before, log, given = rows(club.office.store), club.log().dump(), a_copy(club, "ann")
    damaged(club, DAMAGE["no entry is left"])
    assert not mend(club, given).still, "what it does not hold is still in the store"
    is_as_it_was(club, before, log)
    damaged(club, nothing_left)
    before = rows(club.office.store)
    for copy in (given, SpareLog("public.pbem", redact(Log.parse(log), ""))):
        with pytest.raises(RecordError, match=r"lacks \d+ lines that open sealed values") as refused:
            mend(club, copy)
        assert "cannot continue the game. Such a copy is good for its entries" in str(refused.value)
    assert rows(club.office.store) == before


@pytest.mark.slow
def test_with_a_word_a_players_copy_is_a_beginning_and_the_copies_of_all_bring_the_game_back(club: Club) -> None:
    club.begin().turn()
    club.turn()
    club.turn()
    log, given = club.log().dump(), a_copy(club, "ann")
    damaged(club, nothing_left)
    found = mend(club, given, stand_still=True)
    assert (found.still, found.told) == (True, Log.parse(log).head[0])
    assert found.entry < found.told
    assert "The order of bob at entry" in found.why
    assert list(auditing.faults(club.office.store)) == []
    with pytest.raises(UsageError, match="would make a second history"):
        club.robot.go_on(1, club.now())
    its_copies_bring_it_back(club, log)


@pytest.mark.slow
def test_with_a_word_a_game_that_had_not_begun_comes_to_its_first_question_again(club: Club) -> None:
    place = saved(club)
    club.begin()
    log = club.log().dump()
    damaged(club, nothing_left)
    with pytest.raises(UsageError, match="ends with entry 0, but this host has written it up to entry 7"):
        mend(club, from_backup(club, place))
    assert mend(club, from_backup(club, place), stand_still=True).still
    its_copies_bring_it_back(club, log)


@pytest.mark.slow
def test_what_is_whole_is_not_mended(club: Club) -> None:
    club.begin().turn()
    with pytest.raises(UsageError, match="is whole in the store: there is nothing to mend"):
        mend(club, exported(club))


def another_game(club: Club) -> int:
    """One more game of the same host; its number."""
    players = {seat: f"{seat}@example.org" for seat in club.desks}
    options = {"players": 2, "turns": 4}
    return club.robot.new_game("tiny", options, players, "Another", terms(24, 0), "another", club.now())


def test_the_log_of_another_game_is_refused(club: Club) -> None:
    number = another_game(club)
    given = SpareLog("two.pbem", Log.parse(club.robot.house.game(number).exported().dump()))
    damaged(club, nothing_left)
    before = rows(club.office.store)
    with pytest.raises(UsageError, match=r"two.pbem is of another game, [0-9a-f]{8}…; game 1 here is"):
        mend(club, given)
    assert rows(club.office.store) == before


def test_a_backup_of_another_host_or_without_the_game_is_refused(club: Club) -> None:
    empty, place = saved(club), club.folder / "of another"
    with pytest.raises(UsageError, match="contains no game 2"):
        from_backup(club, empty, 2)
    other = Office.create(club.folder / "other", key_of("other"), "other@example.org")
    back_up(other.store, place)
    other.close()
    with pytest.raises(UsageError, match="contains games of a host with another key"):
        from_backup(club, place)
    damaged(club, nothing_left)
    with pytest.raises(UsageError, match="is damaged in saved again, too"):
        from_backup(club, saved(club, "saved again"))


@pytest.mark.slow
def test_a_log_that_was_altered_is_refused(club: Club) -> None:
    """Its chain hangs together, for whoever altered it has chained it anew; what was signed tells."""
    club.begin().turn()
    whole = Log.parse(club.robot.house.game(1).exported().dump())
    altered = Log([whole.lines[0]])
    for line in whole.lines[1:]:
        if line in whole.entries:
            fields = {
                name: value
                for name, value in whole.entries[len(altered.entries)].fields.items()
                if name not in ("n", "prev")
            }
            altered.append(fields | ({"at": "2031-01-01T00:00:00Z"} if fields["k"] == "ask" else {}))
        else:
            altered.attach(line.line)
    assert altered.game == whole.game
    damaged(club, nothing_left)
    before = rows(club.office.store)
    for given in (SpareLog("altered.pbem", altered), SpareLog("tidy.pbem", altered.tidy())):
        with pytest.raises(PbemError):
            mend(club, given)
    assert rows(club.office.store) == before


@pytest.fixture
def twin(club: Club, tmp_path: Path) -> Iterator[Club]:
    """The same host with the same game once more: what happens there is a second history."""
    twin = club.begin().copy_to(tmp_path / "twin")
    yield twin
    twin.office.close()


def one_plays_else(club: Club, twin: Club) -> None:
    for one, text in ((club, ""), (twin, "")):
        one.minute += 60 * (one is twin)  # a statement at another time is another entry
        for seat in one.asked():
            one.take(one.order(seat, text))
        one.read_all()


@pytest.mark.slow
def test_a_second_history_is_refused_by_what_this_host_has_signed(club: Club, twin: Club) -> None:
    """`pbem host mend` refuses a second history or an altered log by the signatures of the host, its register or a player."""
    one_plays_else(club, twin)
    assert twin.log().dump() != club.log().dump()
    assert len(twin.log().entries) == len(club.log().entries)
    damaged(club, DAMAGE["no entry is left"])
    before = rows(club.office.store)
    with pytest.raises(
        RecordError, match=r"contains another entry \d+ than the one that this host has signed: it is from a second"
    ):
        mend(club, exported(twin))
    assert rows(club.office.store) == before


@pytest.mark.slow
def test_a_second_history_is_refused_by_what_a_player_has_seen(club: Club, twin: Club) -> None:
    one_plays_else(club, twin)
    club.turn()
    twin.turn()
    club.take(club.order(club.asked()[0]))
    damaged(club, nothing_left)
    with pytest.raises(RecordError, match=r"contains another entry \d+ than the one that (Ann|Bob) has seen"):
        mend(club, exported(twin))


@pytest.mark.slow
def test_a_second_history_is_refused_by_the_register(club: Club, tmp_path: Path) -> None:
    twin = club.copy_to(tmp_path / "twin")
    twin.minute += 600
    for one in (club, twin):
        one.begin().turn()
    damaged(club, nothing_left)
    try:
        with pytest.raises(RecordError, match=r"than the one that is in the register"):
            mend(club, exported(twin))
    finally:
        twin.office.close()


@pytest.mark.slow
def test_a_file_that_goes_on_further_than_the_store_lets_the_game_stand_still_and_is_written_again(club: Club) -> None:
    """The store was brought back, too, and lags behind."""
    club.begin().turn()
    twin = club.copy_to(club.folder / "older")
    club.turn()
    given = exported(club)
    damaged(twin, DAMAGE["an entry is gone"])
    found = mend(twin, given)
    assert (found.still, found.why, found.entry) == (True, "", given.log.head[0])
    assert twin.log().dump() == club.log().dump()
    twin.robot.go_on(1, twin.now())
    twin.office.close()


def gone(store: Store) -> None:
    for table in ("games", "seats", "paces", "entries", "attachments", "held", "courses", "answers"):
        store.delete(table, **{"id" if table == "games" else "game": 1})


@pytest.mark.slow
@pytest.mark.parametrize("lost", [gone, lambda store: store.delete("games", id=1)])
def test_a_game_that_is_in_the_store_no_more_comes_back_from_a_backup_and_stands_still(
    club: Club, lost: Callable[[Store], object]
) -> None:
    club.begin().turn()
    place = saved(club)
    club.turn()
    log, given = club.log().dump(), exported(club)
    with club.office.store.decision():
        lost(club.office.store)
    with pytest.raises(
        UsageError, match=r"a log does not say who plays it.*pbem host catch-up a.pbem --seat SEAT=ADDRESS"
    ):
        mend(club, given)
    with pytest.raises(
        UsageError, match="is no longer in the store, and nothing here says which entries its players have seen"
    ):
        mend(club, from_backup(club, place))
    assert club.office.store.number_of(given.log.game) is None
    assert mend(club, from_backup(club, place), stand_still=True).still
    assert [*auditing.faults(club.office.store), *sound.lost(club.office.store)] == []
    its_copies_bring_it_back(club, log)


@pytest.mark.slow
def test_a_game_that_is_over_and_in_the_store_no_more_is_back_at_once(club: Club) -> None:
    club.begin().play()
    before, log, place = rows(club.office.store), club.log().dump(), saved(club)
    with club.office.store.decision():
        gone(club.office.store)
    assert not mend(club, from_backup(club, place)).still
    is_as_it_was(club, before, log)


@pytest.mark.slow
def test_other_games_are_not_touched_and_nobody_gets_a_letter(club: Club) -> None:
    club.begin().turn()
    number = another_game(club)
    store, given = club.office.store, exported(club)
    damaged(club, nothing_left)
    before, letters = rows(store, number), stored_rows(store, "select id, sent from outbox order by id")
    register = stored_rows(store, "select * from register order by n")
    mend(club, given)
    assert rows(store, number) == before
    assert stored_rows(store, "select id, sent from outbox order by id") == letters
    assert stored_rows(store, "select * from register order by n") == register


@pytest.mark.slow
def test_what_is_cut_short_has_changed_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    given, log, _ends = the_last_are_gone(club)
    before = rows(club.office.store)

    def dies(*_: object, **_named: object) -> None:
        raise RuntimeError("no power")

    whole = SpareLog("whole.pbem", Log.parse(log))
    for kind, what, taken in ((Post, "copy_wanted", given), (Store, "change", whole)):
        with monkeypatch.context() as patch:
            patch.setattr(kind, what, dies)
            with pytest.raises(RuntimeError, match="no power"):
                mend(club, taken, stand_still=True)
        assert rows(club.office.store) == before
        assert not club.robot.house.game(1).stands_still


@pytest.mark.slow
def test_a_mail_over_which_the_host_stumbled_meanwhile_is_decided_then(club: Club) -> None:
    club.begin().turn()
    given, order = exported(club), club.order(seat := club.asked()[0])
    damaged(club, nothing_left)
    assert club.take(order).startswith("failed: ")
    mend(club, given)
    assert club.robot.retry() == [f"order: {seat}"]
    club.read_all()
    club.play()
    is_clean(club)
