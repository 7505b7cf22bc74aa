"""Letters of a rated game tell how far the host's register goes, so that one who cuts it off is found by his own signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.host.outbox import WAITS_FOR
from pbem.host.registering import register_of
from pbem.ledger import PrivateKey
from pbem.ledger.register import head_read, head_said
from pbem.mail import read_message
from pbem.player.notes import RegisterSeen
from pbem.reports.text import groups

from .post import Club, a_club, key_of, moment

CHANGED = "THE REGISTER OF RATED GAMES WAS CHANGED"
ROSTER = re.compile(r"^Game [0-9a-f]{8}, entry \d+, head$", re.MULTILINE)
REPORT = re.compile(r"^Entry \d+, head [0-9a-f]{4} ", re.MULTILINE)
STATUS = re.compile(r"^Entry \d+, head$", re.MULTILINE)
HEADER = re.compile(rb"x-pbem-register:[^\n]*\n(?:[ \t][^\n]*\n)*", re.IGNORECASE)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", terms={"rated": True}) as club:
        yield club


def turn(club: Club) -> dict[str, list[bytes]]:
    """Let all who are asked answer; return the letters that come of it, with the receipts that have waited for a report."""
    for seat in club.asked():
        club.take(club.order(seat))
    club.minute += WAITS_FOR
    return club.deliver()


def warned(club: Club, letters: dict[str, list[bytes]]) -> dict[str, list[str]]:
    """Let everybody read letters; return what is said of the register."""
    found = {seat: [club.desks[seat].read(raw) for raw in raws] for seat, raws in letters.items()}
    return {
        seat: [said for one in readings for said in one.warnings if said.startswith(CHANGED)]
        for seat, readings in found.items()
    }


def in_one_line(text: str) -> str:
    """A text as it was before its lines were broken."""
    return " ".join(text.split())


def another(club: Club, name: str = "Another") -> None:
    """Let the host open one more rated game, of other people, so that the register grows."""
    terms = {k: v for k, v in club.log().entries[0].fields["terms"].items() if k != "x:register"}
    players = {seat: f"{seat}-other@example.org" for seat in club.desks}
    club.office.robot.new_game("tiny", {"players": 2}, players, name, terms, name, moment(1))


def seen(club: Club, seat: str) -> RegisterSeen:
    return RegisterSeen(*club.notes(seat).register)


def cut(club: Club, lines: int) -> None:
    """Take the last lines of the register away."""
    last = register_of(club.office.store).head[0]
    with club.office.store.decision():
        club.office.store.db.execute("delete from register where n > ?", [last - lines])


@pytest.mark.slow
def test_a_letter_that_tells_a_head_tells_the_head_of_the_register(club: Club) -> None:
    club.begin()
    letters = turn(club)
    n, head = register_of(club.office.store).head
    reports = [(seat, raw) for seat, raws in letters.items() for raw in raws if REPORT.search(read_message(raw).text)]
    assert reports
    for seat, report in reports:
        mail = read_message(report)
        assert f"Line {n + 1} of the host's register of rated games, head {groups(head)}" in in_one_line(mail.text)
        assert head_read(mail.register, club.log().game, key_of("host").key_line) == (club.log().head[0], n, head)
        reading = club.desks[seat].read(report)
        assert reading.warnings == (), "its text is what the log says, and what was signed of the register"
        assert groups(head) in in_one_line(reading.text)
        assert seen(club, seat)[:3] == (club.log().head[0], n, head)


def test_letters_of_a_game_that_is_not_rated_say_nothing_of_it(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin().turn()
        assert min(map(len, club.received.values())) >= 3
        for letters in club.received.values():
            for raw in letters:
                assert read_message(raw).register == ""
                assert "register" not in read_message(raw).text


@pytest.mark.slow
def test_all_letters_with_a_head_tell_it(club: Club) -> None:
    club.begin().turn()
    raw = b"From: ann@example.org\r\nTo: host@example.org\r\nSubject: hello\r\nMessage-ID: <1@x>\r\n\r\nSTATUS\r\n"
    club.take(raw)
    club.deliver()
    texts = [read_message(one).text for letters in club.received.values() for one in letters]
    told = [text for text in texts if re.search(r"[Ee]ntry \d+, head\b", text)]
    assert all(any(kind.search(text) for text in told) for kind in (ROSTER, REPORT, STATUS))
    assert all("of the host's register of rated games, head" in text for text in told)


@pytest.mark.slow
@pytest.mark.parametrize("pictures", [True, False])
def test_the_html_of_a_report_tells_it_as_well(club: Club, pictures: bool) -> None:
    club.robot.post.pictures = pictures
    club.begin()
    letters = [one for sent in turn(club).values() for one in sent]
    raw = next(one for one in letters if REPORT.search(read_message(one).text))
    said = [
        str(part.get_payload(decode=True))
        for part in message_from_bytes(raw).walk()
        if part.get_content_type() == "text/html"
    ]
    assert bool(said) == pictures
    _n, head = register_of(club.office.store).head
    assert all(groups(head) in html for html in said)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [0, 1, 2])
def test_a_register_that_is_cut_off_shows_in_the_next_letter(club: Club, lines: int) -> None:
    """The player's program shows both heads with the host's signatures. The honest twin continues without a warning."""
    club.begin()
    another(club)
    assert not any(warned(club, turn(club)).values())
    before = {seat: seen(club, seat) for seat in club.desks}
    assert {one.n for one in before.values()} == {3}
    cut(club, lines)
    for seat, said in warned(club, turn(club)).items():
        assert bool(said) == bool(lines)
        if lines:
            assert f"names line {4 - lines} " in said[0]
            assert before[seat].head in said[0]
            assert seen(club, seat) == before[seat], "the evidence stays"


@pytest.mark.slow
def test_a_line_exchanged_for_another_shows_though_as_many_stand_there(club: Club) -> None:
    club.begin()
    another(club)
    assert not any(warned(club, turn(club)).values())
    cut(club, 1)
    another(club, "Other")
    assert register_of(club.office.store).head[0] == 3
    assert all(warned(club, turn(club)).values())


def test_a_register_without_the_line_that_the_game_names_shows_to_who_knows_nothing_else(club: Club) -> None:
    club.begin()
    notes = club.notes("ann")
    notes.register = []
    club.desks["ann"].inbox.folder.keep(notes)
    with club.office.store.decision():
        club.office.store.db.execute("delete from register")
        club.office.store.insert("register", n=0, line=b'{"k":"another"}')
    assert warned(club, turn(club))["ann"]


@pytest.mark.slow
def test_letters_read_in_another_order_are_no_fault(club: Club) -> None:
    club.begin()
    first = turn(club)
    assert not any(warned(club, first).values())
    another(club)
    later = turn(club)
    for letters in (later, first, later):
        turned = {seat: list(reversed(raws)) for seat, raws in letters.items()}
        assert not any(warned(club, turned).values())
    assert seen(club, "ann").n == 3


@pytest.mark.slow
def test_what_the_host_has_not_signed_of_his_register_is_not_believed(club: Club) -> None:
    """A stranger forges a letter with another head to harm the host's reputation."""
    club.begin()
    letters = turn(club)
    warned(club, letters)
    before, game = seen(club, "ann"), club.log().game

    def forged(key: PrivateKey, of: str = game) -> list[str]:
        words = head_said(key, of, 99, (1, "ab" * 32)).split()
        raw = HEADER.sub(b"X-Pbem-Register: " + "\n ".join(words).encode() + b"\n", letters["ann"][-1])
        assert read_message(raw).register.split() == words
        return warned(club, {"ann": [raw]})["ann"]

    assert forged(key_of("mallory")) == []
    assert forged(key_of("host"), "ab" * 32) == []
    assert seen(club, "ann") == before
    assert len(forged(key_of("host"))) == 1
