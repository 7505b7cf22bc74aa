"""Every letter that a host sends in a game with deadlines: its headers, its thread, its columns, its entry in the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from icalendar import Calendar
from tiny_game.rules import Tiny

from pbem.kernel import Order, Refusal, View
from pbem.mail import read_message
from tests.stored import stored_rows

from .post import HOST, Club, a_club


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club"), hours=24) as club:
        club.begin()
        club.answer_to(b"From: ann@example.org\r\nSubject: x\r\n\r\nWhat am I to do?\r\n")
        yield club.play()


def letters(club: Club, seat: str) -> list[EmailMessage]:
    return [message_from_bytes(raw, policy=policy.default) for raw in club.received[seat]]


def kinds(club: Club) -> set[str]:
    return {row["kind"] for row in stored_rows(club.office.store, "select distinct kind from outbox")}


def test_the_game_had_letters_of_many_kinds(played: Club) -> None:
    assert {"invitation", "roster", "report", "receipt", "refusal"} <= kinds(played)


def test_every_letter_says_that_a_robot_wrote_it(played: Club) -> None:
    for seat in played.desks:
        for letter in letters(played, seat):
            assert letter["Auto-Submitted"] in ("auto-generated", "auto-replied")
            assert letter["X-Loop"] == f"pbem {HOST}"


def test_no_letter_asks_that_nothing_be_said_of_what_could_not_be_delivered(played: Club) -> None:
    """Exchange makes no non-delivery report of a letter that suppresses All, or NDR: no address would ever be marked."""
    for seat in played.desks:
        for letter in letters(played, seat):
            suppressed = {word.strip() for word in letter["X-Auto-Response-Suppress"].split(",")}
            assert suppressed == {"OOF", "AutoReply"}


def test_no_letter_says_that_it_is_a_lists_or_sent_in_bulk(played: Club) -> None:
    """It goes to one person who plays: a filter must not lay it to advertisements, nor look for a way to unsubscribe."""
    for seat in played.desks:
        for letter in letters(played, seat):
            assert not [name for name in letter if name.lower() == "precedence" or name.lower().startswith("list-")]


def test_the_letters_of_a_player_are_one_thread_with_one_tag(played: Club) -> None:
    for seat in played.desks:
        first, *others = letters(played, seat)
        assert {letter["References"] for letter in others} == {first["Message-ID"]}
        assert {letter["Subject"].partition(": ")[0] for letter in (first, *others)} == {"[pbem 1] A test"}
        assert len({letter["Message-ID"] for letter in (first, *others)}) == len(others) + 1


def test_reports_have_a_way_back_and_answers_an_empty_sender(played: Club) -> None:
    for row in stored_rows(played.office.store, "select kind, sender from outbox"):
        if row["kind"] in ("receipt", "refusal", "reply"):
            assert row["sender"] == ""
        else:
            assert row["sender"].endswith("@example.org")


def test_text_has_72_columns(played: Club) -> None:
    for seat in played.desks:
        for raw in played.received[seat]:
            for line in read_message(raw).text.split("\n"):
                assert len(line) <= 72, line


def calendar(letter: EmailMessage) -> tuple[str, int, str] | None:
    """Whose entry a letter brings, its sequence and status."""
    for part in letter.walk():
        if part.get_content_type() == "text/calendar":
            (event,) = Calendar.from_ical(part.get_content()).walk("VEVENT")
            return str(event["UID"]), int(str(event["SEQUENCE"])), str(event["STATUS"])
    return None


def test_a_question_moves_the_deadline_in_the_calendar_and_the_answer_strikes_it_out(played: Club) -> None:
    for seat in played.desks:
        entries = list(filter(None, map(calendar, letters(played, seat))))
        asked = [entry.n for entry in played.log().entries if entry.k == "ask" and seat in entry.fields["to"]]
        assert {uid for uid, _, _ in entries} == {f"{played.log().game[:16]}.{seat}@example.org"}
        assert [sequence for _, sequence, status in entries if status == "CONFIRMED"] == [2 * n for n in asked]
        # an answer strikes its question out, unless the next one moves the entry on in the same letter
        assert all(sequence % 2 for _, sequence, status in entries if status == "CANCELLED")
        assert [sequence for _, sequence, _ in entries] == sorted(sequence for _, sequence, _ in entries)
        assert entries[-1][2] == "CANCELLED"
        assert entries[-1][1] > 2 * asked[-1]


def test_without_a_deadline_nothing_is_entered(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.turn()
        assert not any(calendar(letter) for seat in club.desks for letter in letters(club, seat))


def test_words_that_were_edited_after_signing_are_told_and_do_not_count(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        raw = club.order("ann")
        said = read_message(raw).text.partition("\nEND\n")[0]
        outcome, answers = club.answer_to(raw.replace(said.encode(), b"CARD queen", 1))
        assert outcome == "order: ann"
        text = " ".join(read_message(answers["ann"][0]).text.split())
        assert f"read as {said}" in text
        assert "the signed order counts. The words were: | CARD queen" in text


def test_an_order_is_read_and_judged_once_though_it_waits_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        judged: list[str] = []
        why_not = Tiny.why_not

        def watched(rules: Tiny, view: View, order: Order) -> Refusal | None:
            judged.append(str(view.model_dump()["seat"]))
            return why_not(rules, view, order)

        monkeypatch.setattr(Tiny, "why_not", watched)
        for seat in ("ann", "bob"):
            raw = club.order(seat)
            judged.clear()  # his own program has judged it, too
            assert club.take(raw) == f"order: {seat}"
            assert judged == [seat], "Ann's is not judged again when Bob's closes the question"
