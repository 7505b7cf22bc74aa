"""STATUS, HELP, BOARD, RESEND: answered at once, to the registered address, with what that seat may see and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ledger import REQUEST, Log, cj, verify
from pbem.ledger.terms import terms
from pbem.mail import read_message, write_block
from pbem.player.showing import report
from pbem.referee import Envelope, Pen
from tests.host.requests import answer, request
from tests.stored import stored_row

from .post import HOST, Club, a_club, key_of

NOBODY: dict[str, list[bytes]] = {"ann": [], "bob": []}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


@pytest.mark.slow
def test_status_tells_what_is_asked_and_what_was_ordered(club: Club) -> None:
    assert "An answer is asked of you and of Bob." in answer(club, "STATUS")
    club.take(club.order("ann", plans=""))
    ordered = stored_row(club.office.store, "select openings from answers")
    told = answer(club, "STATUS", Message_ID="<2@x>")
    assert "Waiting for Bob." in told
    assert "You have ordered" in told
    assert ordered is not None
    assert ordered["openings"].split("CARD ")[1].split('"')[0] in told


@pytest.mark.slow
def test_status_of_one_seat_says_nothing_of_the_others_order(club: Club) -> None:
    """Twins: whatever Bob has ordered, Ann is told the same."""
    desk = club.desks["bob"]
    _, view, pack = desk.question(desk.notes())
    one, two = map(str, pack.rules.options(view))
    club.take(club.order("bob", one))
    first = answer(club, "STATUS")
    club.take(club.order("bob", two))
    assert answer(club, "STATUS", Message_ID="<2@x>") == first
    assert "You have ordered" not in first


@pytest.mark.slow
def test_help_names_what_the_robot_reads(club: Club) -> None:
    told = answer(club, "HELP")
    assert all(word in told for word in ("STATUS", "BOARD", "RESEND since 40", "pbem order", HOST))


@pytest.mark.slow
def test_board_is_the_report_as_it_stands(club: Club) -> None:
    desk = club.desks["ann"]
    ways = r"(?s)\A--- [^\n]*\n|Answer with pbem turn:.*?pbem send\.\n"  # those of the desk are others
    said = re.sub(ways, "", answer(club, "BOARD"))
    assert said == report(desk.seat(desk.notes()), desk.copy(desk.notes()).log.head[0])


@pytest.mark.slow
def test_resend_gives_the_lines_of_that_copy_and_of_no_other(club: Club) -> None:
    """Those that he has been sent, and those that his next report would bring: what he is told is his."""
    club.turn()
    club.read_all()
    own = club.desks["ann"].copy(club.notes("ann")).log
    _, letters = club.answer_to(request("RESEND"))
    lines = read_message(letters["ann"][0]).log
    assert lines.startswith(own.dump())
    assert verify(lines, "ann").verdict == "unfinished"
    seals = [a.fields for a in Log.parse(lines).attachments if a.k == "seal"]
    assert not [seal for seal in seals if seal[2] == "host" and seal[4] in ("bob", "state")]
    assert not [seal for seal in seals if seal[2] == "bob" and seal[4] == "plans"]
    since = own.head[0] - 2
    _, letters = club.answer_to(request(f"RESEND since {since}"))
    later = read_message(letters["ann"][0]).log
    assert lines.endswith(later)
    assert Log.parse(lines).entries[since + 1].line == later.split(b"\n")[0]


@pytest.mark.slow
def test_the_answer_goes_to_the_registered_address_whatever_the_mail_says(club: Club) -> None:
    outcome, letters = club.answer_to(request("BOARD", "Ann <ANN@Example.org>", Reply_To="mallory@example.net"))
    assert outcome == "answered: BOARD"
    row = stored_row(club.office.store, "select address, sender, kind from outbox order by id desc")
    assert row == {"address": "ann@example.org", "sender": "", "kind": "reply"}
    assert len(letters["ann"]) == 1


@pytest.mark.slow
def test_a_stranger_is_told_nothing(club: Club) -> None:
    outcome, letters = club.answer_to(request("BOARD", "mallory@example.net"))
    assert outcome == "ignored: BOARD from an address that is not registered"
    assert letters == NOBODY


def test_a_robot_is_not_answered(club: Club) -> None:
    outcome, letters = club.answer_to(request("STATUS", Auto_Submitted="auto-replied"))
    assert outcome.startswith("ignored: written by a robot")
    assert letters == NOBODY


def test_nothing_moves_by_a_request(club: Club) -> None:
    before = club.state()
    for no, text in enumerate(("STATUS", "HELP", "BOARD", "RESEND", "RESEND since 3")):
        club.take(request(text, Message_ID=f"<{no}@x>"))
    assert club.state() == before


@pytest.mark.slow
def test_there_are_only_so_many_answers_in_an_hour_and_a_day(club: Club) -> None:
    answered = []
    for no in range(60):
        club.minute += 9
        _, letters = club.answer_to(request("STATUS", Message_ID=f"<{no}@x>"))
        answered.append(len(letters["ann"]))
    assert sum(answered[:6]) == 6
    assert sum(answered) == 20
    assert club.take(club.order("ann")) == "order: ann"


@pytest.mark.slow
def test_the_same_message_id_is_answered_once_even_when_the_bytes_differ(club: Club) -> None:
    club.take(request("STATUS", Message_ID="<1@x>"))
    outcome, letters = club.answer_to(request("STATUS", Message_ID="<1@x>", X_Added="by a list"))
    assert outcome.startswith("duplicate: of mail")
    assert letters == NOBODY | {"ann": letters["ann"]}
    assert len(letters["ann"]) == 0


@pytest.mark.slow
def test_who_plays_several_games_is_asked_which(club: Club) -> None:
    addresses = {"ann": "ann@example.org", "bob": "cat@example.org"}
    club.robot.new_game("tiny", {"players": 2, "turns": 1}, addresses, "Another", terms(0), "fresh 2", club.now())
    outcome, letters = club.answer_to(request("BOARD"))
    assert "game 1 (A test); game 2 (Another)" in outcome
    assert "GAME 1" in read_message(letters["ann"][0]).text
    club.minute += 20
    for named in ("GAME 1\nBOARD", f"GAME {club.notes('ann').game[:8]}\nBOARD"):
        outcome, letters = club.answer_to(request(named))
        assert outcome == "answered: BOARD"
        assert "You play Ann" in read_message(letters["ann"][0]).text
    outcome, letters = club.answer_to(request("BOARD", Subject="Re: [pbem 2] Another: you are invited"))
    assert "has not begun" in read_message(letters["ann"][0]).text


@pytest.mark.slow
def test_an_entry_that_is_not_there_is_named(club: Club) -> None:
    outcome, letters = club.answer_to(request("RESEND since 999"))
    assert outcome.startswith("refused: SEEN")
    assert "so it has no entries since 999." in " ".join(read_message(letters["ann"][0]).text.split())


@pytest.mark.parametrize("stage", ["joining", "readying"])
def test_resend_before_the_game_has_begun(tmp_path: Path, stage: str) -> None:
    """A new machine takes the seat up with what RESEND brings."""
    with a_club(tmp_path) as club:
        club.deliver()
        if stage == "readying":
            for seat, raws in club.received.items():
                club.desks[seat].join(raws[0], club.now())
                club.take(club.letters(club.desks[seat])[0])
            rosters = club.deliver()
            club.desks["bob"].join(rosters["bob"][0], club.now())
            club.take(club.letters(club.desks["bob"])[0])
        _, letters = club.answer_to(request("RESEND"))
        new = club.new_desk("ann", "new")
        new.join(letters["ann"][0], club.now())
        expected = "joined: ann" if stage == "joining" else "ready: ann"
        assert club.take(club.letters(new)[0]) == expected


@pytest.mark.slow
def test_a_message_id_of_somebody_else_keeps_out_no_order(club: Club) -> None:
    """An opponent can guess our Message-IDs and send one first."""
    order = club.order("ann")
    message_id = read_message(order).message_id
    club.take(request("hello", Message_ID=f"<{message_id}>"))
    assert club.take(order) == "order: ann"


def asked_again(club: Club, since: int = -1) -> bytes:
    desk = club.desks["ann"]
    desk.speaker(desk.notes()).ask_for_copy(since, club.now())
    (letter,) = club.letters(desk)
    return letter


@pytest.mark.slow
def test_forged_requests_use_up_nothing_of_what_a_player_may_ask_for_signed(club: Club) -> None:
    """Forged requests exhaust the day's answers. The host still answers the player's signed `pbem resend`."""
    for no in range(30):  # by somebody who writes in Ann's name
        club.take(request("STATUS", Message_ID=f"<{no}@x>"))
    assert club.answer_to(request("RESEND", Message_ID="<ann@x>")) == ("ignored: RESEND, one too many", NOBODY)
    club.take(club.order("ann"))
    club.deliver()
    outcome, letters = club.answer_to(asked_again(club))
    assert outcome == "resent: ann"
    copy, receipt = (read_message(raw) for raw in letters["ann"])
    assert copy.log.startswith(club.desks["ann"].copy(club.notes("ann")).log.dump())
    assert receipt.log.startswith(b'["got"')
    assert not letters["bob"]


@pytest.mark.slow
def test_what_is_signed_is_asked_for_once_and_so_often_in_a_day(club: Club) -> None:
    first = asked_again(club, 3)
    assert club.answer_to(first)[0] == "resent: ann"
    assert club.answer_to(b"X-Again: yes\r\n" + first) == ("duplicate: that has been asked for", NOBODY)
    done, letters = [], 0
    for _ in range(60):
        club.minute += 15
        outcome, came = club.answer_to(asked_again(club, 3))
        done.append(outcome)
        letters += len(came["ann"])
    assert done.count("resent: ann") == 19
    assert letters == 20, "the last says that it is enough"
    assert all(outcome.startswith("refused: ASK: You have been sent") for outcome in done[19:])
    assert club.answer_to(request("RESEND"))[0] == "answered: RESEND", "nor does it use up the other"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "change", "code"),
    [
        ("bob", {}, "SIG"),
        ("ann", {"seat": "bob"}, "SIG"),
        ("ann", {"seat": "eve"}, "BIND"),
        ("ann", {"no": 0}, "FORM"),
        ("ann", {"since": True}, "FORM"),
        ("ann", {"since": -2}, "FORM"),
        ("ann", {"since": 999}, "SEEN"),
        ("ann", {"also": 1}, "FORM"),
    ],
)
def test_a_request_that_is_not_signed_so_is_refused(club: Club, key: str, change: dict[str, object], code: str) -> None:
    say = {**Pen(key_of("ann"), club.log().game, "ann").resend(-1, 7).say, **change}
    block = write_block(Envelope(say, key_of(key).sign(REQUEST, cj(say))))
    outcome, letters = club.answer_to(request(block))
    assert outcome.startswith(f"refused: {code}: ")
    assert not any(read_message(raw).log for raws in letters.values() for raw in raws)
