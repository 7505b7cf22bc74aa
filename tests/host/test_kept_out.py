"""Nobody keeps a mail out by a copy of it that comes first: what a host reads is in the mark by which it knows a mail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.host.essence import as_read, reading
from pbem.host.outbox import WAITS_FOR
from pbem.ledger.terms import terms
from pbem.mail import Incoming, read_message
from pbem.mail.incoming import Below
from pbem.mail.mime import Excess
from pbem.mail.unread import Obstacle
from tests.stored import stored_rows

from .post import HOST, Club, a_club
from .requests import request

FALSE = "host+g999@example.org"
LETTERS_BACK = "host+b-0123456789abcdef@example.org"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


def taken(club: Club, raw: bytes, sender: str | None = None, recipient: str | None = None) -> str:
    return club.robot.take(raw, club.now(), "lmtp", sender, recipient)


def receipts(club: Club, seat: str) -> int:
    club.minute += WAITS_FOR
    club.deliver()
    return sum(read_message(raw).message_id.partition(".")[2].startswith("receipt") for raw in club.received[seat])


ADDED = [
    f"{name}: {address}"
    for name in ("Delivered-To", "X-Original-To", "Envelope-To", "Cc")
    for address in (FALSE, LETTERS_BACK)
] + [
    "Return-Path: <>",
    "Return-Path: <mailer-daemon@example.org>",
    "Auto-Submitted: auto-replied",
    "In-Reply-To: <aaaaaaaaaaaaaaaa.report@example.org>",
    "Received",
    "X-Spam-\x0c: no name of a header, so that the text begins here",
    "Received: from somewhere\r\n" * 300,
    "Received: " + "x" * 20_000,
]
"""What a server may add to a head, or a stranger who has seen the mail."""


@pytest.mark.slow
@pytest.mark.parametrize("line", ADDED, ids=lambda line: line[:50].strip())
def test_a_copy_with_a_false_line_keeps_out_no_order(club: Club, line: str) -> None:
    """A stranger sends a copy of an order with a false header or envelope first. The true order gets its receipt."""
    raw = club.order("ann")
    taken(club, line.encode() + b"\r\n" + raw)
    assert taken(club, raw) in ("order: ann", "duplicate", "duplicate: that order is here")
    assert receipts(club, "ann") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("sender", "recipient"), [("", None), (None, FALSE), (None, LETTERS_BACK), ("", LETTERS_BACK)])
def test_nor_one_in_a_false_envelope(club: Club, sender: str | None, recipient: str | None) -> None:
    raw = club.order("ann")
    taken(club, raw, sender, recipient)
    assert taken(club, raw, "ann@example.org", HOST) in ("order: ann", "duplicate", "duplicate: that order is here")
    assert receipts(club, "ann") == 1


@pytest.mark.parametrize("way", [b"Delivered-To: host+g999@example.org\r\n", b"Return-Path: <>\r\n"])
def test_nor_a_request(club: Club, way: bytes) -> None:
    """With its Message-ID, which tells nothing apart here."""
    raw = request("RESEND", Message_ID="<1@x>")
    outcome = taken(club, way + raw)
    assert not outcome.startswith("answered")
    assert taken(club, raw) == "answered: RESEND"


@pytest.mark.slow
def test_a_request_that_was_led_to_another_game_is_answered_for_its_own(club: Club) -> None:
    players = {"ann": "ann@example.org", "bob": "cat@example.org"}
    other = club.robot.new_game("tiny", {"players": 2, "turns": 1}, players, "Another", terms(0), "2", club.now())
    raw = request("BOARD", Message_ID="<1@x>", To=f"host+g{club.number}@example.org")
    led = raw.replace(f"+g{club.number}@".encode(), f"+g{other}@".encode())
    assert taken(club, led) == taken(club, raw) == "answered: BOARD"
    (row,) = stored_rows(club.office.store, "select game from outbox where kind = 'reply' order by id desc limit 1")
    assert row["game"] == club.number


@pytest.mark.slow
@pytest.mark.parametrize(
    "dress",
    [
        lambda raw: b"Received: by another way\r\n" + raw,
        lambda raw: b"Delivered-To: host@example.org\r\n" + raw,
        lambda raw: b"From ann Mon Jan  1\n" + raw.replace(b"\r\n", b"\n"),
        lambda raw: b"X-Spam-Status: No\r\n" + raw,
    ],
    ids=["Received", "Delivered-To", "mbox", "X-Spam"],
)
def test_the_same_mail_by_another_way_is_the_same(club: Club, dress: object) -> None:
    for raw in (club.order("ann"), request("STATUS")):
        assert taken(club, raw).startswith(("order", "answered"))
        assert taken(club, dress(raw), "ann@example.org", HOST) == "duplicate"  # type: ignore[operator]


@pytest.mark.slow
def test_many_false_lines_bring_one_letter(club: Club) -> None:
    """A stranger sends many copies with false lines."""
    raw = club.order("ann")
    club.deliver()
    for no in range(900, 920):
        assert taken(club, b"Delivered-To: host+g%d@example.org\r\n" % no + raw).startswith("refused: BIND")
    assert len(club.deliver()["ann"]) == 1
    assert taken(club, raw) == "order: ann"


FULL = read_message(
    b"From: ann@example.org\r\nTo: host+g1@example.org\r\nMessage-ID: <1@x>\r\nIn-Reply-To: <2@x>\r\nSubject: [pbem 2] hm\r\n"
    b"Received: by x; Mon, 1 Jan 2030 00:00:00 +0000\r\nX-Pbem-Seat: ann\r\nContent-Language: fr\r\n\r\nLANGUAGE fr\nRESEND 4\n"
)
CHANGED = {name: getattr(FULL, name) for name in ("message_id", "sender", "text", "games", "command", "wants", "own")} | {
    "codes": ("7F3K9QWX2M4P",), "log": b"[]", "cut": True, "robot": "a list", "press": "See you at Falkirk.",
    "excess": Excess("too large", 1), "below": Below("STATUS", "Caution"), "unread": Obstacle("It is encrypted."),
    "bounce": read_message(f"To: {LETTERS_BACK}\n\n".encode()).bounce
}  # fmt: skip


@pytest.mark.parametrize("field", fields(Incoming), ids=lambda field: field.name)
def test_what_is_read_is_in_the_mark_and_the_rest_is_not_read(field: object) -> None:
    """A new field of a mail is one of the two."""
    name = field.name  # type: ignore[attr-defined]
    empty = Incoming()
    if name in CHANGED:
        other: dict[str, Any] = {name: CHANGED[name]}
        assert other[name] != getattr(empty, name)
        assert reading(replace(empty, **other)) != reading(empty)
    else:
        other = {name: {"to": ("a@x",), "references": ("1@x",), "own_words": True}.get(name, "something")}
        assert as_read(replace(empty, **other)) == empty
