"""Reading never raises, whatever a stranger sends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail import Letter, read_message

DATE = datetime(2030, 1, 1, tzinfo=UTC)


def letter(**changed: object) -> Letter:
    made = {"sender": "host@example.org", "to": "ann@example.org", "subject": "your move", "text": "Hello.\n"}
    return Letter(**{**made, "message_id": "1@example.org", "date": DATE, **changed})  # type: ignore[arg-type]


def nested(depth: int) -> bytes:
    """Multiparts inside each other."""
    head = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (no, no) for no in range(depth))
    return head + b"Content-Type: text/plain\r\n\r\nhello\r\n"


def words(header: bytes, word: bytes, count: int) -> bytes:
    return header + b": " + b"\r\n ".join([word] * count) + b"\r\n\r\nhello\r\n"


HOSTILE = {
    "nothing": b"",
    "a line feed": b"\n",
    "zeros": b"\0" * 5000,
    "every byte": bytes(range(256)) * 20,
    "no head": b"hello\r\n",
    "only a head": b"Subject: hello",
    "4 KB of nested comments in From": b"From: " + b"(" * 4096 + b")" * 4096 + b" a@example.org\r\n\r\nhello\r\n",
    "comments that never end": b"From: " + b"(" * 4096 + b"\r\n\r\nhello\r\n",
    "54 KB of nested multiparts": nested(900),
    "8 multiparts": nested(8),
    "9 multiparts": nested(9),
    "messages in messages": b"Content-Type: message/rfc822\r\n\r\n" * 500 + b"hello\r\n",
    "500 parts": b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 500,
    "a boundary that is missing": b"Content-Type: multipart/mixed\r\n\r\nhello\r\n",
    "an empty boundary": b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nhello\r\n',
    "Message-ID: <<<<": b"Message-ID: <<<<\r\n\r\nhello\r\n",
    "Message-ID: []": b"Message-ID: <[@]>\r\n\r\nhello\r\n",
    "96 KB of encoded words in Subject": words(b"Subject", b"=?utf-8?q?=41=42?=", 5000),
    "15 KB of encoded words in Subject": words(b"Subject", b"=?utf-8?q?=41=42?=", 700),
    "broken encoded words": b"Subject: =?utf-8?b?////?= =?x?q?=?= =?utf-8?q?=zz?=\r\nFrom: =?\xff?q?x?=\r\n\r\nhello\r\n",
    "an impossible Date": b"Date: Mon, 99 Foo 99999999999999999999 99:99:99 +999999\r\n\r\nhello\r\n",
    "a group in To": b"To: everybody: a@example.org, b@example.org;\r\nFrom: group:;\r\n\r\nhello\r\n",
    "a charset of nonsense": b'Content-Type: text/plain; charset="\xff\xfe; x"\r\n\r\nhello\r\n',
    "a charset that is no text": b"Content-Type: text/plain; charset=base64\r\n\r\nhello\r\n",
    "charset idna": b"Content-Type: text/plain; charset=idna\r\n\r\n" + b"x" * 300 + b"\xff\r\n",
    "charset unicode_escape": b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n\\udfff hello\r\n",
    "utf-7": b"Content-Type: text/plain; charset=utf-7\r\n\r\n+2AA- hello\r\n",
    "broken base64": b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n=====a\r\n",
    "an encoding nobody knows": b"Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 x\r\nzz\r\n",
    "a file name in pieces": b"Content-Type: text/plain; name*0*=utf-8''%ff; name*2=x; name*99999999999=y\r\n\r\nhello\r\n",
    "a type of nonsense": b"Content-Type: ;;;===\xff/\r\n\r\nhello\r\n",
    "raw bytes in the head": b"From: \xff\xfe <a@example.org>\r\nSubject: \x80\x00\r\nX-Pbem-Seat: \xf0\x9f\r\n\r\nhello\r\n",
    "a thousand headers": b"".join(b"X-%d: y\r\n" % no for no in range(1000)) + b"\r\nhello\r\n",
    "a header of 1 MB": b"Subject: " + b"x" * 900_000 + b"\r\n\r\nhello\r\n",
    "a body of one line": b"From: a@example.org\r\n\r\n" + b"x" * 900_000,
    "more than is read": b"\r\n\r\n" + b"x" * 1_000_001,
    "a page of open tags": b"Content-Type: text/html\r\n\r\n" + b"<p <!-- <script " * 4000,
    "a page of entities": b"Content-Type: text/html\r\n\r\n" + b"&#x110000;&#0;&amp&lt;&#xD800;" * 2000,
    "letters that grow": b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + "\ufdfa".encode() * 60_000,
    "a block of nothing": b"\r\nBEGIN PBEM ORDERS" + b" 0" * 30_000 + b"\r\nEND PBEM ORDERS\r\n",
}  # fmt: skip


@pytest.mark.variants
@pytest.mark.parametrize("what", HOSTILE)
def test_whatever_comes_is_read_or_said_to_be_unreadable(what: str) -> None:
    incoming = read_message(HOSTILE[what])
    for text in (
        incoming.text,
        incoming.sender,
        incoming.subject,
        incoming.message_id,
        incoming.seat,
        incoming.problem,
    ):
        text.encode()  # no lone surrogate, which neither database nor mail could hold
        assert len(text) <= 65_536 + 20


HEADERS = st.sampled_from(
    [
        "From",
        "To",
        "Date",
        "Subject",
        "Message-ID",
        "Content-Type",
        "Content-Transfer-Encoding",
        "MIME-Version",
        "Return-Path",
    ]
)
VALUES = st.binary(max_size=60) | st.sampled_from(
    [b"multipart/mixed; boundary=b", b"text/html", b"text/plain; charset=utf-16", b"base64", b"quoted-printable", b"message/rfc822"]
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(st.tuples(HEADERS, VALUES), max_size=6), st.lists(st.binary(max_size=80), max_size=4))
def test_random_messages_are_read_or_said_to_be_unreadable(headers: list[tuple[str, bytes]], body: list[bytes]) -> None:
    head = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in headers)
    incoming = read_message(head + b"\r\n" + b"\r\n--b\r\n".join(body))
    (incoming.text + incoming.sender + incoming.problem).encode()


@pytest.mark.slow
@settings(max_examples=200)
@given(st.data())
def test_a_letter_of_ours_with_bytes_changed_is_read_or_said_to_be_unreadable(data: st.DataObject) -> None:
    raw = bytearray(letter(log=b'{"k":"game"}\n', headers={"X-Pbem-Seat": "ann"}).raw())
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    incoming = read_message(bytes(raw))
    (incoming.text + incoming.sender + incoming.problem).encode()
