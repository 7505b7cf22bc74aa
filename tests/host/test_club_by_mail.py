"""A club by mail: strangers become members, sit down at tables, games begin by themselves; some flood, lie and vanish."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.host import Office
from pbem.host.members import forget
from pbem.host.store.erasing import FORGOTTEN
from pbem.host.store.people import folded
from pbem.host.store.rows import ClubSeat, ClubTable, GameRow, Member, SeatRow
from pbem.ledger import verify
from pbem.mail import read_message
from pbem.player import Desk, PlayerSettings
from tests.host.club_by_mail import Host
from tests.stored import stored_row, stored_rows

from .post import HOST, key_of, moment

DAY = 24 * 60


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    made = Host(tmp_path)
    yield made
    made.office.close()


@pytest.mark.slow
def test_two_strangers_find_each_other_and_play(host: Host, tmp_path: Path) -> None:
    """From nothing to a first game: nobody but these two has done anything."""
    assert host.write("ann", "GAMES") == "told: how one becomes a member (GAMES)"
    (told,) = host.texts("ann")
    assert "REGISTER Anna" in told
    host.member("ann")
    host.member("bob", "zone=Europe/Paris quiet=22-08 language=fr")
    assert host.write("ann", "GAMES") == "answered: GAMES"
    (nothing,) = host.texts("ann")
    assert "No table is open here now" in nothing
    assert host.write("ann", "NEW tiny players=2 turns=2 hours=48 side=bob open") == "answered: NEW"
    (opened,) = host.texts("ann")
    assert "Table 1 is open." in opened
    assert "48 hours for an answer" in opened
    assert host.write("bob", "GAMES") == "answered: GAMES"
    (listed,) = host.texts("bob")
    assert "Ann" in listed
    assert "1" in listed
    assert "example.org" not in listed.replace(HOST, ""), "no address is shown"
    assert host.write("bob", "JOIN 1") == "answered: JOIN"
    desks = {
        who: Desk.create(tmp_path / who, key_of(who), PlayerSettings(f"{who}@example.org", str(tmp_path / "out")))
        for who in ("ann", "bob")
    }
    for _round in ("invitation", "roster", "report"):
        for who, desk in desks.items():
            for raw in host.box(who):
                kind = read_message(raw).message_id.split(".")[1]
                if kind in ("invitation", "roster"):
                    if kind == "invitation":
                        assert "bob@example.org" not in read_message(raw).text.replace(f"{who}@example.org", "")
                    desk.join(raw, moment(host.minute))
                elif read_message(raw).log:
                    desk.read(raw)
            for letter in desk.tray.unsent():
                host.minute += 1
                host.office.robot.take(desk.tray.sent(letter).read_bytes(), moment(host.minute))
    (game,) = host.store.find(GameRow)
    assert game.stage == "playing"
    assert game.hours == 48
    assert {seat.seat: seat.address for seat in host.store.find(SeatRow)} == {
        "ann": "bob@example.org",
        "bob": "ann@example.org",
    }
    paris = next(seat for seat in host.store.find(SeatRow) if seat.address == "bob@example.org")
    assert (paris.zone, paris.quiet, paris.language) == ("Europe/Paris", "22:00-08:00", "fr")
    assert verify(host.office.robot.house.game(1).exported().dump()).verdict == "unfinished"
    assert host.write("ann", "JOIN 1").startswith("refused: FORM: Table 1 is full")


def test_nobody_becomes_a_member_by_somebody_else_s_mail(host: Host) -> None:
    """The owner of the address gets one letter with a code, which is useless for other addresses."""
    host.write("eve", "REGISTER Ann", "Reply-To: eve@example.org")
    host.write("ann", "REGISTER Ann")
    codes = [re.search("CONFIRM [0-9a-f]{32}", text) for who in ("eve", "ann") for text in host.texts(who)]
    first, second = (code[0] for code in codes if code)
    assert first != second
    assert host.write("eve", first) == "member: confirmed"
    assert host.write("ann", second).startswith("ignored"), "another was quicker with the name"
    assert host.write("eve", first).startswith("ignored"), "a code counts once"
    assert [one.address for one in host.store.find(Member) if one.confirmed] == ["eve@example.org"]


def test_a_code_counts_for_a_week_and_then_the_address_is_forgotten(host: Host) -> None:
    host.write("ann", "REGISTER Ann")
    (letter,) = host.texts("ann")
    code = re.search("CONFIRM [0-9a-f]{32}", letter)
    assert code
    host.minute += 7 * DAY
    host.office.robot.tick(moment(host.minute + 1))
    assert host.store.find(Member) == []
    assert host.write("ann", code[0]).startswith("ignored")


def test_a_flood_of_names_makes_few_letters(tmp_path: Path) -> None:
    """Each address gets four letters a day, and all strangers together have a limit."""
    host = Host(tmp_path, strangers=5)
    for _n in range(10):
        host.write("ann", "REGISTER Ann")
    assert len(host.box("ann")) == 4
    for n in range(10):
        host.minute -= 61
        host.write(f"x{n}", "REGISTER Somebody")
    assert stored_row(host.store, "select count(*) as n from outbox") == {"n": 5}
    assert host.write("robot", "REGISTER Robot", "Auto-Submitted: auto-replied").startswith(
        "ignored: written by a robot"
    )
    host.office.close()


@pytest.mark.variants
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("NEW chess", "is not played here; there are: tiny."),
        ("NEW", "there are: tiny."),
        ("NEW tiny players=2 turns=many", "turns"),
        ("NEW tiny players=2 colour=red", 'Tiny does not know "colour".'),
        ("NEW tiny turns=2 turns=3", '"turns" is said twice.'),
        ("NEW tiny players=2 hours=soon", '"hours" must be a number'),
        ("NEW tiny players=2 hours=999999", '"hours" must be a number'),
        ("NEW tiny players=2 late=never", "late"),
        ("NEW tiny players=2 side=carl", 'no seat "carl"'),
        ("NEW tiny players=2 bob=nobody", 'There is no member "nobody" here.'),
        ("NEW tiny players=2 bob=ann", "To keep a seat for yourself write side=SEAT."),
        ("NEW tiny players=2 side=bob bob=ann", "cannot be yours and another's"),
        ("NEW tiny players=2 rated=perhaps", '"rated" is yes or no'),
        ("NEW tiny players=2 turns=[[[[", "turns"),
        ("JOIN 9", "There is no table 9 here."),
        ("JOIN 9999999999999", "Write the number"),
        ("WITHDRAW 4", "There is no table 4 here."),
        ("WATCH 4", "Nobody can look on at game 4."),
        ("REGISTER 4ever", "is not a valid member"),
        ("REGISTER Ann zone=Nowhere/Land", "Nowhere/Land"),
        ("REGISTER Ann shoe=42", '"shoe=42" says nothing here.'),
        ("REGISTER Ann language=tlh", "tlh"),
    ],
)
def test_what_cannot_be_done_is_said(host: Host, said: str, why: str) -> None:
    host.member("ann")
    assert host.write("ann", said).startswith("refused: FORM")
    (letter,) = host.texts("ann")
    assert why in letter, letter
    assert host.store.find(ClubTable) == []


def test_a_line_that_a_mail_program_has_folded_is_one(host: Host) -> None:
    """Parts such as `name=value` below the first line belong to it."""
    host.member("ann", "zone=Europe/Paris\r\nquiet=22-08 weekends=off\r\nlanguage=en\r\n\r\nHello club!")
    (ann,) = host.store.find(Member)
    assert (ann.zone, ann.quiet, ann.weekends, ann.language) == ("Europe/Paris", "22:00-08:00", "sat,sun", "en")
    host.write("ann", "NEW tiny players=2 turns=2\r\nhours=48\r\nrated side=ann\r\nWho wants to play?")
    (table,) = host.store.find(ClubTable)
    assert (table.terms["hours"], table.terms["rated"]) == (48, True)


def test_a_member_is_not_asked_without_end_and_names_that_look_alike_are_one(host: Host) -> None:
    host.member("ann")
    for _n in range(10):
        host.write("ann", "LEAVE CLUB")
    assert sum("CONFIRM" in text for text in host.texts("ann")) == 3, "with the one when he came four in a day"
    assert host.write("bob", "REGISTER ＡＮＮ") == "told: how one becomes a member (REGISTER)"
    assert "is called ANN already" in host.texts("bob")[0]


def test_a_name_is_found_however_it_is_written(host: Host) -> None:
    host.member("ann")
    host.member("bob")
    host.store.change("members", 2, name="Weiß", folded=folded("Weiß"))
    assert host.write("cid", "REGISTER WEISS") == "told: how one becomes a member (REGISTER)"
    assert "is called WEISS already" in host.texts("cid")[0]
    host.write("ann", "REGISTER Weiss")
    assert "is called Weiss already" in host.texts("ann")[0]
    assert host.write("ann", "REGISTER ANN") == "answered: REGISTER", "his own he can write otherwise"


def test_tables_fill_empty_and_close(host: Host) -> None:
    for who in ("ann", "bob", "cid"):
        host.member(who)
    host.write("ann", "NEW tiny players=3 bob=cid side=ann")
    (kept,) = host.texts("cid")
    assert "Ann keeps the seat" in kept
    assert host.write("bob", "JOIN 1 bob").startswith("refused: FORM: That seat of table 1 is not free for you.")
    assert host.write("bob", "JOIN 1 zoe").startswith("refused: FORM: Table 1 has no seat “zoe”")
    assert host.write("bob", "JOIN 1 cat") == "answered: JOIN"
    assert host.write("bob", "JOIN 1").startswith("refused: FORM: You sit at table 1 already.")
    assert host.write("ann", "WITHDRAW 1") == "answered: WITHDRAW"
    assert host.write("ann", "WITHDRAW 1").startswith("refused: FORM: You do not sit")
    assert host.write("bob", "WITHDRAW 1") == "answered: WITHDRAW"
    assert host.store.find(ClubTable) == host.store.find(ClubSeat) == []
    host.write("ann", "NEW tiny players=2")
    host.minute += 31 * DAY
    host.box("ann")
    host.office.robot.tick(moment(host.minute))
    (told,) = host.texts("ann")
    assert "Table 2 is closed" in told
    assert host.store.find(ClubTable) == []


def test_a_game_that_is_not_taken_up_is_called_off(host: Host) -> None:
    """A stranger fills seats in another's name. Only a key with the invitation's token plays."""
    for who in ("ann", "bob"):
        host.member(who)
    host.write("ann", "NEW tiny players=2")
    host.write("bob", "JOIN 1")
    assert [game.stage for game in host.store.find(GameRow)] == ["joining"]
    host.office.robot.tick(moment(host.minute + 13 * DAY))
    assert [game.stage for game in host.store.find(GameRow)] == ["joining"]
    host.minute += 15 * DAY
    host.office.robot.tick(moment(host.minute))
    assert [game.stage for game in host.store.find(GameRow)] == ["cancelled"]


@pytest.mark.slow
def test_caps_and_lists_hold(tmp_path: Path) -> None:
    """A member opens games without end. There are limits for games, a list of organisers, and refused addresses."""
    host = Host(tmp_path, tables=1, most_games=2, may_open=["Ann", "bob"], refused=["@evil.example", "eve@example.org"])
    for who in ("ann", "bob", "cid"):
        host.member(who)
    assert host.write("cid", "NEW tiny players=2").startswith("refused: FORM: Here the host opens tables.")
    assert host.write("ann", "NEW tiny players=2") == "answered: NEW"
    assert host.write("ann", "NEW tiny players=2").startswith("refused: FORM: You have opened 1 tables")
    assert host.write("bob", "NEW tiny players=2") == "answered: NEW"
    assert host.write("cid", "JOIN 1") == "answered: JOIN"
    assert host.write("cid", "JOIN 2") == "answered: JOIN"
    assert host.write("ann", "NEW tiny players=2") == "answered: NEW"
    assert host.write("cid", "JOIN 3").startswith("refused: FORM: You are in 2 games")
    for who in ("eve", "x@evil.example", "x@Evil.example"):
        assert host.write(who, "REGISTER Evelyn") == "ignored: an address that this club does not take"
    assert host.write("stranger", "JOIN 1") == "told: how one becomes a member (JOIN)"
    host.office.close()


@pytest.mark.parametrize("name", ["sensible", "Easy"])
def test_a_built_in_player_fills_a_seat(host: Host, name: str) -> None:
    host.member("ann")
    assert host.write("ann", f"NEW tiny players=2 side=ann bob={name}") == "answered: NEW"
    texts = host.texts("ann")
    assert any("has become game 1" in text for text in texts)
    assert (host.office.folder / "built-in" / "1.bob").is_dir()
    terms = host.office.robot.house.game(1).ledger.entry(0)["terms"]
    assert terms["built_in"]["bob"]["player"] == "sensible"
    assert host.write("ann", "NEW tiny players=2 side=ann bob=sensible rated").startswith(
        "refused: FORM: A rated game has no built-in"
    )


@pytest.mark.slow
def test_who_named_no_side_is_given_one_by_the_draw(tmp_path: Path) -> None:
    """Both are drawn now and then; who names a side has it."""
    sides = set()
    for n in range(12):
        host = Host(tmp_path / str(n))
        assert host.office.robot.club
        host.office.robot.club.fresh = lambda n=n: f"{n:064x}"  # type: ignore[misc]
        for who in ("ann", "bob"):
            host.member(who)
        host.write("ann", "NEW tiny players=2")
        host.write("bob", "JOIN 1")
        sides |= {seat.seat for seat in host.store.find(SeatRow) if seat.address == "ann@example.org"}
        host.office.close()
    assert sides == {"ann", "bob"}


@pytest.mark.slow
def test_who_leaves_is_erased_and_who_plays_is_not(host: Host) -> None:
    for who in ("ann", "bob"):
        host.member(who)
    host.write("ann", "NEW tiny players=2")
    assert host.write("ann", "LEAVE CLUB") == "answered: LEAVE"
    code = next(found for text in host.texts("ann") if (found := re.search("CONFIRM [0-9a-f]{32}", text)))
    assert host.write("ann", code[0]) == "member: left"
    assert host.store.find(ClubTable) == [], "the table at which he sat alone"
    (farewell,) = host.texts("ann")
    assert "your address is erased here" in farewell
    host.office.robot.tick(moment(host.minute))
    assert not host.keeps("ann@example.org")
    host.member("cid")
    host.write("bob", "NEW tiny players=2")
    host.write("cid", "JOIN 2")
    with pytest.raises(UsageError, match="plays in games that are not over"):
        forget(host.store, "cid@example.org")
    assert host.write("cid", "LEAVE CLUB") == "answered: LEAVE"
    code = next(found for text in host.texts("cid") if (found := re.search("CONFIRM [0-9a-f]{32}", text)))
    assert host.write("cid", code[0]) == "member: left"
    assert "Your address is erased here with the last game" in host.texts("cid")[-1]
    assert "cid@example.org" in {seat.address for seat in host.store.find(SeatRow)}
    host.office.robot.cancel(1, moment(host.minute))
    host.box("cid")
    host.office.robot.tick(moment(host.minute))
    assert forget(host.store, "cid@example.org") == 0, "it was done when the game was over"
    assert FORGOTTEN in {seat.address for seat in host.store.find(SeatRow)}
    assert not host.keeps("cid@example.org")
    assert host.keeps("bob@example.org")


def test_words_that_look_like_a_clubs_are_no_order_without_one(tmp_path: Path) -> None:
    office = Office.create(tmp_path / "host", key_of("host"), HOST)
    raw = f"From: ann@example.org\r\nTo: {HOST}\r\n\r\nNEW hammer\r\n".encode()
    assert office.robot.take(raw, moment(1)).startswith("refused: FORM: It contains no signed block")
    assert stored_rows(office.store, "select * from outbox") == []
    office.close()
