"""What a player signed counts wherever it stands in his mail, and nobody's words beside it keep it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.host.outbox import WAITS_FOR
from pbem.kernel import Json
from pbem.mail import read_message, write_block

from .post import HOST, Club, a_club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


def by_hand(text: str, *attached: bytes, kind: str = "message/rfc822", **headers: str) -> bytes:
    """A mail as a player writes it with his own program."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"], made["Message-ID"] = (
        "ann@example.org",
        HOST,
        "my move",
        "<1@ann.example>",
    )
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    for raw in attached:
        main, sub = kind.split("/")
        made.add_attachment(raw, maintype=main, subtype=sub, filename="3f29.order.eml", cte="base64")
    return made.as_bytes()


def signed(club: Club, raw: bytes) -> str:
    return write_block(club.signed(raw))


def forged(club: Club, raw: bytes, **changed: Json) -> str:
    envelope = club.signed(raw)
    return write_block(replace(envelope, say={**envelope.say, **changed}))


def told(club: Club, seat: str = "ann") -> str:
    """The last letter that a seat got."""
    club.deliver()
    return " ".join(read_message(club.received[seat][-1]).text.split())


@pytest.mark.variants
@pytest.mark.parametrize("kind", ["message/rfc822", "application/octet-stream", "text/plain"])
def test_a_letter_that_is_attached_to_a_mail_is_taken(club: Club, kind: str) -> None:
    """A natural reading of “Send with your mail program: out/….eml”."""
    assert club.take(by_hand("My move is attached.", club.order("ann"), kind=kind)) == "order: ann"


@pytest.mark.slow
def test_an_order_below_a_long_report_that_is_quoted_is_taken(club: Club) -> None:
    """The quotation has 200,000 letters."""
    letter = club.order("ann")
    report = read_message(club.received["ann"][-1]).text
    quoted = "".join(f"> {line}\n" for line in report.split("\n")) * (200_000 // len(report))
    assert club.take(by_hand(f"{quoted}\n\n{signed(club, letter)}\n")) == "order: ann"


@pytest.mark.slow
def test_a_forged_block_in_words_that_are_quoted_without_marks_keeps_nothing_out(club: Club) -> None:
    """Somebody gets a false block into a player's quotation. The signed block counts."""
    letter = club.order("ann")
    for false in (
        forged(club, letter, rev=99),
        forged(club, letter, act="copy"),
        forged(club, letter, seat="bob"),
        forged(club, letter, game="0" * 64),
    ):
        words = f"{signed(club, letter)}\n\nFrom: Bob\nHere is a nice one:\n{false}\n"
        assert club.take(by_hand(words)) in ("order: ann", "duplicate: that order is here")


@pytest.mark.slow
def test_a_forged_block_outside_of_a_letter_that_is_attached_is_refused_and_the_letter_is_taken_when_it_comes(
    club: Club,
) -> None:
    """Somebody sends another player's letter inside a false one first."""
    letter = club.order("ann")
    for words in (
        forged(club, letter, rev=99),
        signed(club, letter).replace("0", "1", 1),
        "BEGIN PBEM ORDERS\n" + "0" * 40,
    ):
        assert club.take(by_hand(words, letter)).startswith("refused")
        assert club.take(by_hand(f"> {words}", letter)) in ("order: ann", "duplicate: that order is here", "duplicate")
    assert club.take(letter) in ("order: ann", "duplicate: that order is here")


@pytest.mark.slow
def test_an_order_that_a_list_hands_on_is_taken_and_its_player_told(club: Club) -> None:
    letter = club.order("ann")
    marks = {"List_Id": "<club.example.org>", "Precedence": "list", "Sender": "club-bounces@example.org"}
    assert club.take(by_hand("_____\nclub mailing list\n", letter, **marks)) == "order: ann"
    club.minute += WAITS_FOR
    assert "receipt" in told(club).lower()
    club.turn()
    seat = club.asked()[0]
    assert (
        club.take(by_hand(f"{signed(club, club.order(seat))}\n_____\nclub mailing list\n", **marks)) == f"order: {seat}"
    )
    assert club.take(by_hand("HELP", **marks)).startswith("ignored: written by a robot")


@pytest.mark.slow
def test_a_request_in_the_subject_is_answered_but_no_robot_is(club: Club) -> None:
    for subject, outcome in (
        ("HELP", "answered: HELP"),
        ("Status, please!", "answered: STATUS"),
        ("[pbem 1] pictures small", "answered: PICTURES"),
    ):
        raw = by_hand("Hello.").replace(b"my move", subject.encode()).replace(b"<1@", f"<{len(subject)}@".encode())
        assert club.take(raw) == outcome
        assert club.take(b"Auto-Submitted: auto-replied\r\n" + raw).startswith("ignored: written by a robot")


def test_it_is_said_when_not_all_of_a_mail_was_looked_through(club: Club) -> None:
    """The mail is too long or too nested. Orders found so far count; if there are none, the answer says what was left out."""
    inner = club.order("ann")
    for _depth in range(4):
        inner = by_hand("Look!", inner)
    assert club.take(inner) == "unreadable: Mails lie inside each other in it more than 3 deep."
    assert "could not be read to its end" in told(club)
