"""A host that was brought back from a backup writes no second history: its games stand still until it knows what it wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.errors import RecordError, UsageError
from pbem.host import Office, catching_up
from pbem.host.says import extend
from pbem.host.store.backup import back_up, restore
from pbem.kernel import Json
from pbem.ledger import Log, sha256_hex
from pbem.mail import write_block
from pbem.referee import Pen, Refused
from tests.host.catching_up import brought_back, copies, is_clean, lost_since, saved
from tests.stored import stored_row

from .post import HOST, Club, a_club, key_of, moment


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", turns=4, hours=24, terms={"leave": 48}) as club:
        yield club


def some_turns(club: Club) -> None:
    club.turn()
    club.turn()


def a_leave(club: Club) -> None:
    club.say("ann", "leave", hours=5)
    club.turn()


def a_silent_player(club: Club) -> None:
    club.take(club.order("ann"))
    club.read_all()
    club.minute += 25 * 60
    club.robot.tick(club.now())
    club.read_all()


def another_key(club: Club) -> None:
    desk = club.desks["ann"]
    desk.keys.rekey(key_of("ann again"), club.now())
    for raw in club.letters(desk):
        assert club.take(raw).startswith("rekey")
    for seat, raws in club.deliver().items():
        for raw in raws:
            club.desks[seat].join(raw, club.now())
        for raw in club.letters(club.desks[seat]):
            club.take(raw)
    club.read_all()


def the_end(club: Club) -> None:
    club.play()


@pytest.mark.slow
def test_a_backup_made_while_seats_get_ready_continues_once_all_copies_are_here(club: Club) -> None:
    """No head of the host covers the last entry, and no copy has more."""
    club.begin()
    desk = club.desks["ann"]
    desk.keys.rekey(key_of("ann again"), club.now())
    assert [club.take(raw) for raw in club.letters(desk)] == ["rekey: ann"]
    for seat, raws in club.deliver().items():
        for raw in raws:
            club.desks[seat].join(raw, club.now())
    (raw,) = club.letters(club.desks["bob"])
    assert club.take(raw) == "ready: bob"
    brought_back(club, saved(club))
    decided = copies(club)
    assert set(decided) == {"ann", "bob"}
    assert not club.robot.house.game(1).stands_still
    club.read_all()
    club.play()
    is_clean(club)


LOST = [some_turns, a_leave, a_silent_player, another_key, the_end]


@pytest.mark.slow
@pytest.mark.parametrize("lost", LOST)
def test_what_was_written_after_the_backup_is_written_again_byte_for_byte(
    club: Club, lost: Callable[[Club], None]
) -> None:
    """The disk dies and `pbem host restore` brings a backup back. All games stop until the players' copies have
    restored the rest."""
    club.begin().turn()
    place = saved(club)
    lost(club)
    before = lost_since(club, place)
    copies(club)
    assert not club.robot.house.game(1).stands_still
    assert club.log().dump().startswith(before)
    club.read_all()
    is_clean(club)
    club.play()
    is_clean(club)
    assert club.log().finished


@pytest.mark.slow
def test_an_answer_that_was_taken_back_is_taken_back_again(tmp_path: Path) -> None:
    with a_club(tmp_path / "club", game="hammer") as club:
        club.begin().turn()
        place, question = saved(club), club.log().entries[-1]
        (first,), (other,) = club.asked(), set(club.desks) - set(club.asked())
        club.take(club.order(first))
        club.read_all()
        assert club.say(first, "takeback", about=question.n) == f"takeback: {first}"
        assert club.say(other, "agree", about=club.log().entries[-1].n) == f"agree: {other}"
        club.turn()
        before = lost_since(club, place)
        copies(club)
        assert club.log().dump() == before
        club.read_all()
        club.turn()


@pytest.mark.slow
def test_a_game_that_had_not_begun_comes_to_its_first_question_again(club: Club) -> None:
    place = saved(club)
    club.begin()
    before = lost_since(club, place)
    copies(club)
    assert club.log().dump().startswith(before)
    club.read_all()
    club.play()
    is_clean(club)


@pytest.mark.slow
def test_while_a_game_stands_still_no_time_runs_and_its_mail_waits(club: Club) -> None:
    club.begin().turn()
    place = saved(club)
    club.turn()
    club.turn()
    order = club.order(seat := club.asked()[0])
    lost_since(club, place)
    stood = club.log().dump()
    club.minute += 100 * 60
    assert club.take(order) == "waits: the game stands still"
    assert club.robot.tick(club.now()) == 0
    assert club.log().dump() == stood
    kept = stored_row(club.office.store, "select max(id) as id from inbox")
    assert kept is not None
    copies(club)
    taken = stored_row(club.office.store, "select outcome from inbox where id = ?", kept["id"])
    assert taken == {"outcome": f"order: {seat}"}, "the order that waited is taken"
    club.read_all()
    due = club.robot.house.game(1).row.due
    assert due >= moment(club.minute + 23 * 60), "there is the full time anew"
    club.play()
    is_clean(club)


@pytest.mark.slow
def test_the_operator_lets_a_game_go_on_without_copies(club: Club) -> None:
    club.begin().turn()
    place = saved(club)
    brought_back(club, place)
    with pytest.raises(UsageError, match="is paused"):
        extend(club.robot.play, club.robot.house.game(1), moment(99999), "why", club.now())
    club.robot.go_on(1, club.now())
    with pytest.raises(UsageError, match="is not paused"):
        club.robot.go_on(1, club.now())
    club.read_all()
    club.play()
    is_clean(club)


@pytest.mark.slow
def test_the_operator_cannot_go_on_where_a_copy_shows_more_that_cannot_be_written_again(club: Club) -> None:
    club.begin().turn()
    place = saved(club)
    asked = club.asked()
    club.turn()
    club.read_all()
    lost_since(club, place)
    ours = club.robot.house.game(1).ledger.n
    seat = next((seat for seat in club.desks if seat not in asked), "ann")  # whose copy has not the other's order
    copy = club.desks[seat].copy(club.notes(seat)).log
    assert copy.head[0] > ours
    missing = club.robot.catch_up_with(copy, club.now())[1]
    assert "must type “pbem copy”" in missing
    with pytest.raises(UsageError, match="would make a second history") as refused:
        club.robot.go_on(1, club.now())
    assert missing in str(refused.value)
    assert club.robot.house.game(1).stands_still
    assert club.robot.house.game(1).ledger.n == ours


@pytest.mark.slow
def test_continuing_without_existing_copies_makes_a_second_history_that_players_see(club: Club) -> None:
    """A host restores a backup to get other cards. The game waits for the players' copies; otherwise FORK."""
    club.begin().turn()
    place = saved(club)
    club.turn()
    lost_since(club, place)
    club.robot.go_on(1, club.now())
    with pytest.raises(RecordError):
        club.read_all()


@pytest.mark.slow
def test_a_store_that_was_rolled_back_unnoticed_is_found_by_what_a_player_has_seen(club: Club) -> None:
    """A disk snapshot replaced the store. The first player who has signed more stops the game, and the host asks all
    players for their copies."""
    club.begin().turn()
    place = saved(club)
    club.turn()
    club.office.close()
    restore(place, club.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
    club.office = Office(club.folder / "host")
    before = club.log().dump()
    outcome, letters = club.answer_to(club.order("ann"))
    assert outcome.startswith("refused: FORM: You have seen entry"), "a short block shows nobody what was signed"
    club.desks["ann"].read(letters["ann"][-1])
    (full,) = club.letters(club.desks["ann"])
    assert club.take(full) == "waits: the game stands still"
    assert club.log().dump() == before
    copies(club)
    assert not club.robot.house.game(1).stands_still
    club.read_all()
    club.play()
    is_clean(club)


@pytest.mark.slow
def test_who_has_not_signed_what_he_has_seen_stops_no_game(club: Club) -> None:
    club.begin().turn()
    seen = (club.log().head[0] + 5, "0" * 64)
    stranger = Pen(key_of("stranger"), club.log().game, "ann").say(
        {"act": "resign", "no": 1, "seen": list(seen), "after": []}
    )
    assert club.take(write_block(stranger).encode()).startswith("refused")
    assert not club.robot.house.game(1).stands_still


@pytest.mark.variants
@pytest.mark.parametrize("h", ["", "0" * 63, "X" * 64, None, 7])
def test_what_is_no_entry_that_could_be_seen_stops_no_game(club: Club, h: Json) -> None:
    club.begin().turn()
    seen: list[Json] = [club.log().head[0] + 5, h]
    false = Pen(key_of("ann"), club.log().game, "ann").say({"act": "resign", "no": 1, "seen": seen, "after": []})
    assert club.take(write_block(false).encode()).startswith("refused: FORM")
    assert not club.robot.house.game(1).stands_still


@pytest.mark.slow
def test_a_player_who_names_what_nobody_wrote_stops_the_game_once_only(club: Club) -> None:
    """The game waits for the players' copies. An impossible hash or an unsigned claim stops nothing."""
    club.begin().turn()
    seen = (club.log().head[0] + 5, "0" * 64)
    false = Pen(key_of("ann"), club.log().game, "ann").say({"act": "resign", "no": 1, "seen": list(seen), "after": []})
    assert club.take(write_block(false).encode()) == "waits: the game stands still"
    copies(club)
    assert not club.robot.house.game(1).stands_still
    assert club.take(b"X-Again: yes\n\n" + write_block(false).encode()).startswith("refused")
    assert not club.robot.house.game(1).stands_still


def test_a_copy_that_is_forged_or_anothers_is_refused(club: Club) -> None:
    """A stranger sends it to a host that waits for copies."""
    club.begin().turn()
    place = saved(club)
    club.turn()
    before = lost_since(club, place)
    game, log = club.robot.house.game(1), Log.parse(before)
    whole = club.desks["ann"].copy(club.notes("ann")).lines_after(-1)
    assert catching_up.read_copy(game, whole).head[0] > club.log().head[0]
    lines = whole.splitlines(keepends=True)
    last = max(place for place, line in enumerate(lines) if line.startswith(b"{"))
    altered = b"".join([*lines[:last], lines[last].replace(b'"at":"2030', b'"at":"2031'), *lines[last + 1 :]])
    for data, why in ((altered, "not in order"), (whole[:-1], "line feed"), (b"{nonsense\n", "JSON")):
        with pytest.raises(Refused, match=why):
            catching_up.read_copy(game, data)
    entries = b"".join(line.line + b"\n" for line in log.lines if line.line.startswith(b"{"))
    assert catching_up.read_copy(game, entries).head[0] == club.log().head[0], "no head that this host has signed"
    forged = Pen(key_of("bob"), log.game, "ann").copy(sha256_hex(whole))
    with pytest.raises(Refused, match="not signed by the key"):
        catching_up.take(club.robot.play, 1, forged, whole, club.now())
    with pytest.raises(Refused, match="not the one that was signed"):
        catching_up.take(club.robot.play, 1, forged, entries, club.now())


@pytest.mark.slow
def test_a_game_that_was_opened_after_the_backup_comes_back_whole(club: Club) -> None:
    place = club.folder / "saved"
    empty = Office.create(club.folder / "empty", key_of("host"), HOST)
    back_up(empty.store, place)
    empty.close()
    club.begin().turn()
    before = club.log().dump()
    club.office.close()
    restore(place, club.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
    club.office = Office(club.folder / "host")
    kept = [club.desks[seat].copy(club.notes(seat)).log for seat in club.desks]
    with pytest.raises(UsageError, match="name an address for each"):
        club.robot.catch_up_with(kept[0], club.now())
    players = {seat: f"{seat}@example.org" for seat in club.desks}
    for copy in kept:
        club.number, missing = club.robot.catch_up_with(copy, club.now(), players, "A test")
    assert "must type “pbem copy”" in missing, "one answered before the other"
    copies(club)
    assert club.log().dump().startswith(before)
    club.read_all()
    club.play()
    is_clean(club)
