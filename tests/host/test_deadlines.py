"""Deadlines by a clock that the test sets: who is reminded when, who is skipped, who may claim, and who is never late."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_game
from tiny_game.rules import Tiny
from tiny_game.rules.turn import Turn

from pbem.games import manifest
from pbem.host.following import follow
from pbem.host.succession import vanished
from pbem.kernel import Listed, Options, View, frames
from pbem.ledger.terms import terms
from pbem.mail import read_message
from pbem.mail.hours import Hours
from pbem.player import settled
from pbem.referee import Pen
from pbem.referee.audit import audit
from tests.stored import stored_rows

from .post import Club, a_club, key_of, moment
from .says import in_order

CLAIMS = {"late": "claim", "leave": 48}
LEAVE = {"late": "default", "leave": 48}


class Clock:
    """Lets a club's days go by: the host looks at its deadlines every half an hour. It begins on Tuesday, 1 January 2030."""

    def __init__(self, club: Club) -> None:
        self.club, self.known = club, 0

    def until(self, day: int, hour: int, minute: int = 0) -> list[str]:
        """Go on to a moment of the month; return what was sent meanwhile."""
        club, end = self.club, (day - 1) * 24 * 60 + hour * 60 + minute
        while club.minute < end:
            club.minute = min(club.minute // 30 * 30 + 30, end)
            club.robot.tick(moment(club.minute))
        return self.news()

    def news(self) -> list[str]:
        """Which letters were sent since the last look: when, of what kind, to whom."""
        rows = stored_rows(
            self.club.office.store, "select at, message_id, seat from outbox where kind <> 'receipt' order by id"
        )
        self.club.read_all()
        new, self.known = rows[self.known :], len(rows)
        return sorted(f"{row['at'][8:16].replace('T', ' ')} {_kind(row['message_id'])} {row['seat']}" for row in new)


def _kind(message_id: str) -> str:
    kind, *rest = message_id.split(".")[1:]
    return rest[1] if kind == "reminder" else kind


def due(club: Club) -> str:
    """Until when an answer is taken, by the log."""
    (row,) = stored_rows(club.office.store, "select due from games")
    times = [entry.fields["due"] for entry in club.log().entries if "due" in entry.fields]
    assert row["due"] == times[-1]
    return str(row["due"][8:16].replace("T", " "))


def begun(club: Club) -> Clock:
    """All are asked on the first of the month at noon."""
    club.minute = 12 * 60 - 8
    club.robot.tick(moment(club.minute))
    club.begin()
    assert club.log().entries[-1].k == "ask"
    (row,) = stored_rows(club.office.store, "select at from games")
    assert row["at"] == moment(12 * 60)
    clock = Clock(club)
    clock.news()
    return clock


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[tuple[Club, Clock]]:
    """24 hours for an answer and 6 of grace; nobody is asked to play from 22 to 8 by the clock of Paris."""
    with a_club(tmp_path, turns=3, hours=24, grace=6, clock=Hours("Europe/Paris", "22:00-08:00")) as club:
        yield club, begun(club)


def test_nights_do_not_count_and_the_log_holds_the_grace(timed: tuple[Club, Clock]) -> None:
    """Asked at 13:00 in Paris: 9 hours that day, 14 on the next, 1 on the third; then 6 hours of grace."""
    club, _ = timed
    assert stored_rows(club.office.store, "select promised from paces") == [{"promised": "2030-01-03T08:00:00Z"}]
    assert due(club) == "03 14:00"


@pytest.mark.slow
def test_each_is_reminded_when_half_his_time_is_over_and_when_all_is(timed: tuple[Club, Clock]) -> None:
    """12 hours of 24 are over at 11:00 in Paris."""
    club, clock = timed
    assert clock.until(3, 14) == ["02 10:00 half ann", "02 10:00 half bob", "03 08:00 over ann", "03 08:00 over bob"]
    assert club.log().entries[-1].k == "ask", "grace runs to its last minute"
    clock.until(3, 14, 1)
    assert [entry.fields["why"] for entry in club.log().entries if entry.k == "skip"] == ["due", "due"]
    assert [row["late"] for row in stored_rows(club.office.store, "select late from seats")] == [1, 1]
    in_order(club)


@pytest.mark.slow
def test_the_words_of_a_reminder_name_his_own_time(timed: tuple[Club, Clock]) -> None:
    club, clock = timed
    clock.until(3, 9)
    half, over = (" ".join(read_message(raw).text.split()) for raw in club.received["ann"][-2:])
    assert "waits for your answer, until Thursday 3 January, 09:00 your time (Europe/Paris), in " in half
    assert "grace runs until Thursday 3 January, 15:00 your time" in half
    assert "CARD" in half, "what is asked, to be filled in"
    assert "ran until Thursday 3 January, 09:00 your time" in over
    assert "the default answer is taken for you" in over


@pytest.mark.slow
def test_who_has_answered_is_left_in_peace(timed: tuple[Club, Clock]) -> None:
    club, clock = timed
    club.take(club.order("ann"))
    assert clock.until(3, 13) == ["02 10:00 half bob", "03 08:00 over bob"]
    assert club.take(club.order("bob")) == "order: bob", "in the hours of grace"
    assert {line.split()[2] for line in clock.news()} == {"report"}
    in_order(club)


def test_a_host_that_slept_sends_no_reminder_for_what_is_over_nor_by_night(timed: tuple[Club, Clock]) -> None:
    club, clock = timed
    club.minute = 24 * 60 + 23 * 60
    club.robot.tick(moment(club.minute))
    assert clock.news() == [], "it is midnight in Paris"
    assert clock.until(3, 7, 30) == ["03 07:00 half ann", "03 07:00 half bob"], "and 8 o'clock now"
    club.minute += 60
    club.robot.tick(moment(club.minute))
    club.robot.tick(moment(club.minute))
    assert clock.news() == ["03 08:30 over ann", "03 08:30 over bob"]


@pytest.mark.slow
def test_of_those_asked_together_all_have_the_time_of_the_slowest(tmp_path: Path) -> None:
    """Ann's clock holds from the next question on; that one is put on Tuesday evening and has her weekend in it."""
    with a_club(tmp_path, turns=3, hours=72) as club:
        begun(club)
        assert club.set_clock("ann", "Asia/Kolkata", "23-07", "off") == "time: ann"
        assert due(club) == "04 12:00", "nobody moves a deadline that stands"
        club.turn()
        while len(club.asked()) < 2:
            club.turn()
        (row,) = stored_rows(club.office.store, "select at from games")
        asked = row["at"]
        assert asked.startswith("2030-01-01T12:")
        # 17:4x in Kolkata: 5 hours and some that day, 16 on each of Wednesday to Friday, the rest on Monday and Tuesday
        assert due(club).startswith("08 ")
        in_order(club)


@pytest.mark.slow
def test_leave_moves_the_deadline_and_its_reminders(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=3, hours=24, grace=6, terms=LEAVE) as club:
        clock = begun(club)
        assert clock.until(2, 2) == ["02 00:00 half ann", "02 00:00 half bob"]
        club.say("bob", "leave", hours=48)
        assert due(club) == "04 18:00"
        assert {line.split()[2] for line in clock.news()} == {"report"}
        halfway = "03 07:30"  # between the moment he took it, 2:02, and the 4th at noon, when the host looks next
        sent = clock.until(4, 18)
        assert sent[0].startswith(halfway)
        assert [line.split(" ", 1)[1].split()[1:] for line in sent] == [
            ["half", "ann"], ["half", "bob"], ["over", "ann"], ["over", "bob"],
        ]  # fmt: skip
        assert sent[-1].startswith("04 12:00")
        in_order(club)


@pytest.mark.slow
def test_where_late_answers_are_claimed_the_others_are_told_when(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3, turns=2, hours=24, grace=6, terms=CLAIMS) as club:
        club.minute -= 4
        clock = Clock(club)
        club.begin()
        club.take(club.order("ann"))
        start = stored_rows(club.office.store, "select due from games")[0]["due"]
        clock.news()
        sent = [line.split(" ", 2)[2] for line in clock.until(3, 12)]
        assert sent == ["half bob", "half cat", "over bob", "over cat", "claim ann"]
        told = " ".join(read_message(club.received["ann"][-1]).text.split())
        assert "Bob, Cat have not answered" in told
        assert "pbem say claim" in told
        assert club.log().entries[-1].k == "ask", f"nobody is skipped, long after {start}"
        club.take(club.order("bob"))
        assert club.say("ann", "claim") == "claim: ann"
        skipped = {entry.fields["to"] for entry in club.log().entries if entry.k == "skip"}
        assert skipped == {"cat"}, "once or more, as the dice let the game go on"
        in_order(club)


@pytest.mark.slow
def test_who_answers_late_himself_is_told_then_that_he_may_claim(tmp_path: Path) -> None:
    """When the time was over he was silent, too, and could claim nothing."""
    with a_club(tmp_path, players=3, turns=2, hours=24, terms=CLAIMS) as club:
        club.begin()
        clock = Clock(club)
        clock.news()
        assert not any("claim" in line for line in clock.until(3, 12))
        club.take(club.order("ann"))
        club.take(club.order("bob"))
        assert [line.split(" ", 2)[2] for line in clock.until(4, 12)] == ["claim ann", "claim bob"]
        assert [line for line in clock.until(6, 12) if "claim" in line] == []
        assert club.say("ann", "claim") == "claim: ann"
        in_order(club)


@pytest.mark.slow
def test_who_is_out_is_told_nothing_of_claims(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3, turns=2, hours=24, terms=CLAIMS) as club:
        clock = Clock(club)
        club.begin()
        club.say("ann", "resign")
        club.take(club.order("bob"))
        clock.news()
        assert [line.split(" ", 2)[2] for line in clock.until(3, 12)] == ["half cat", "claim bob", "over cat"]
        in_order(club)


# --- who has no choice ------------------------------------------------------------------------------------------------


@pytest.fixture
def one_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob may play one card only, whatever he holds; Ann any of hers."""
    every = Tiny.options

    def options(self: Tiny, view: View) -> Options:
        found = every(self, view)
        return Listed(list(found)[:1]) if getattr(view, "seat", "") == "bob" else found

    monkeypatch.setattr(Tiny, "options", options)


@pytest.fixture
def unmarked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No dice hang on what is played."""
    wanted = frames._WANT[Turn]
    unmarked = {"card": lambda turn, board: replace(wanted["card"](turn, board), mark=False)}
    monkeypatch.setitem(frames._WANT, Turn, {**wanted, **unmarked})


@pytest.mark.slow
@pytest.mark.usefixtures("one_card")
def test_of_a_marked_question_everybody_is_reminded_and_late(tmp_path: Path) -> None:
    """An answer to it brings a link, so it makes dice, and has to come though it is the only one."""
    with a_club(tmp_path, turns=2, hours=24, grace=6) as club:
        clock = begun(club)
        assert {line.split()[-1] for line in clock.until(2, 18)} == {"ann", "bob"}
        clock.until(2, 18, 1)
        assert stored_rows(club.office.store, "select late from seats") == [{"late": 1}, {"late": 1}]
        in_order(club)


@pytest.mark.slow
@pytest.mark.usefixtures("one_card", "unmarked")
def test_who_has_no_choice_is_not_reminded_and_not_late(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=4, hours=24, grace=6) as club:
        clock = begun(club)
        assert clock.until(2, 18) == ["02 00:00 half ann", "02 12:00 over ann"]
        clock.until(2, 18, 1)
        assert stored_rows(club.office.store, "select seat, late from seats order by seat") == [
            {"seat": "ann", "late": 1}, {"seat": "bob", "late": 0},
        ]  # fmt: skip
        whys = [entry.fields["why"] for entry in club.log().entries if entry.k == "skip"]
        assert whys == ["due", "only"]
        days = iter(range(3, 9))  # until she has been asked as often as that takes
        while not vanished(club.robot.house.game(club.number), club.now()):
            clock.until(next(days), 18)
        assert vanished(club.robot.house.game(club.number), club.now()) == ["ann"], "his seat is not to be given away"
        in_order(club)


@pytest.mark.slow
@pytest.mark.usefixtures("one_card", "unmarked")
def test_who_has_no_choice_loses_no_game_by_time(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=2, hours=24, terms=CLAIMS) as club:
        clock = begun(club)
        club.take(club.order("ann"))
        clock.news()
        assert clock.until(2, 12) == []
        club.minute -= 2  # `say` counts minutes on: at the very moment at which it is over
        assert club.say("ann", "claim").startswith("refused: ASK")
        assert {line.split()[2] for line in clock.until(2, 12, 2)} == {"refusal", "report"}
        assert [entry.fields["why"] for entry in club.log().entries if entry.k == "skip"] == ["only"]
        in_order(club)


@pytest.mark.slow
@pytest.mark.usefixtures("one_card", "unmarked")
def test_a_claim_against_two_takes_only_the_one_who_had_a_choice(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3, turns=2, hours=24, terms=CLAIMS) as club:
        club.begin()
        club.take(club.order("ann"))
        club.minute += 25 * 60
        club.robot.tick(club.now())
        assert club.say("ann", "claim") == "claim: ann"
        skips = [(entry.fields["to"], entry.fields["why"]) for entry in club.log().entries if entry.k == "skip"]
        assert [skip for skip in skips if skip[1] != "out"] == [("bob", "only"), ("cat", "late")]
        in_order(club)
        club.read_all()
        while club.asked():
            assert "cat" not in club.asked()
            club.turn()
        in_order(club)


@pytest.mark.slow
def test_a_host_who_says_that_somebody_had_no_choice_is_found_out(tmp_path: Path) -> None:
    """By whoever audits the whole log: the rules know how many answers were legal."""
    with a_club(tmp_path, turns=2, hours=24, terms=CLAIMS) as club:
        club.begin()
        club.take(club.order("ann"))
        club.office.store.change("paces", club.number, forced='["bob"]')
        club.robot.tick(moment(club.minute + 24 * 60))
        skip = next(entry for entry in club.log().entries if entry.k == "skip")
        verdict = audit(club.log().dump(), lambda _: (tiny_game.GAME, manifest("tiny")[1])).verdict
        assert (verdict.verdict, verdict.entry, verdict.code, verdict.party) == ("fault", skip.n, "ORDERING", "host")


# --- a player's own clock -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_clock_is_set_by_what_is_signed_and_no_old_mail_sets_it_back(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        desk, log = club.desks["bob"], club.log().dump()
        settled.set_clock(desk.speaker(desk.notes()), Hours.read("Europe/Paris", "22-08", "off"), None, club.now())
        (first,) = club.letters(desk)
        assert club.take(first) == "time: bob"
        assert club.set_clock("bob", "Asia/Kolkata") == "time: bob"
        told = " ".join(read_message(club.deliver()["bob"][-1]).text.split())
        assert "Bob in A test has this clock: Asia/Kolkata" in told
        again = first.replace(b"Message-ID: <", b"Message-ID: <again.")
        outcome, letters = club.answer_to(again)
        assert outcome.startswith("refused: DOUBLE")
        assert "--number 3" in " ".join(read_message(letters["bob"][0]).text.split())
        assert club.robot.house.game(club.number).clock("bob") == Hours("Asia/Kolkata")
        assert club.log().dump() == log, "clocks stand in no log"


@pytest.mark.slow
def test_the_games_that_follow_keep_the_players_clocks(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, grace=6) as club:
        club.begin()
        club.set_clock("bob", "Asia/Kolkata", "22-08")
        named = {"game": "tiny", "options": {"players": 2, "turns": 1}, "seats": {"ann": "bob", "bob": "ann"}}
        club.office.store.change("games", club.number, stage="ended", result=json.dumps({"games": [named]}))
        (number,) = follow(club.robot, club.number, terms(48, 6), lambda: "more", club.now())
        game = club.robot.house.game(number)
        assert game.clock("ann") == Hours("Asia/Kolkata", "22:00-08:00")
        assert (game.clock("bob"), game.course.terms.grace) == (Hours(), 6)


FORGED: dict[str, tuple[dict[str, Any], str, str]] = {
    "by another key": ({}, "ann", "SIG"),
    "a zone that is none": ({"zone": "Mars/Olympus"}, "bob", "FORM"),
    "nights without end": ({"quiet": "01-23"}, "bob", "FORM"),
    "a week of weekends": ({"weekends": "mon,tue,wed,thu,fri,sat,sun"}, "bob", "FORM"),
    "no words": ({"quiet": 22}, "bob", "FORM"),
    "a number that is none": ({"no": 0}, "bob", "FORM"),
}


@pytest.mark.variants
@pytest.mark.parametrize("name", FORGED)
def test_what_cannot_be_a_clock_changes_nothing(tmp_path: Path, name: str) -> None:
    more, signer, code = FORGED[name]
    with a_club(tmp_path, hours=24) as club:
        for raw in club.deliver()["bob"]:
            club.desks["bob"].join(raw, club.now())
        for letter in club.letters(club.desks["bob"]):
            club.take(letter)
        desk = club.desks["bob"]
        log = club.log()
        pen = Pen(key_of(signer), log.game, "bob")
        what: dict[str, Any] = {"zone": "UTC", "quiet": "", "weekends": "", "no": 1} | more
        desk.tray.write(desk.notes(), "time.1", pen.time(**what), "", club.now())
        before = stored_rows(club.office.store, "select * from seats")
        (letter,) = club.letters(desk)
        assert club.take(letter).startswith((f"refused: {code}", "ignored"))
        assert stored_rows(club.office.store, "select * from seats") == before
