"""Mails put together at random out of what mails are made of, and the ones that once broke something.

`make fuzz` tries many more; what it finds is left in `corpus/found.eml`, to be given a name and kept.
"""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.mail import read_block, read_message, rebuild
from pbem.mail.text import MAX_TEXT

from .block import BLOCK, ENVELOPE
from .short_vectors import TOLD, known

CORPUS = Path(__file__).parent / "corpus"
MANY = int(os.environ.get("PBEM_FUZZ", "0"))

_NAMES = """
    From To Cc Date Subject Message-ID In-Reply-To References Content-Type Content-Transfer-Encoding MIME-Version Return-Path
    Content-Disposition Delivered-To Auto-Submitted Precedence List-Id X-Loop X-Pbem-Seat Sender Received From_
"""
_CHARSETS = "utf-8 us-ascii iso-8859-1 utf-16 utf-7 utf-32 gb18030 iso-2022-jp punycode idna hz x-none"
_TYPES = """
    text/plain text/html text/csv multipart/mixed multipart/alternative multipart/report multipart/digest message/rfc822 / ;
    message/delivery-status application/x-pbem application/octet-stream text TEXT/Plain
"""
_BITS = r"""
    < > @ ( ) " \ ; , : =?utf-8?q?=0A=FF?= =?x?b?!?= ann@example.org host+g4@example.org host+b-3f@example.org name*0*=utf-8''a
    <0123456789abcdef.x@example.org> filename=x.pbem boundary=b charset= format=flowed delsp=yes attachment no bulk
"""
_LINES = """
STATUS|RESEND SINCE 3|GAME 3f29|END|-- |> quoted|>> twice |flowed ||BEGIN PBEM ORDERS|END PBEM ORDERS|begin  pbem > orders
0C4ME 9HJQA|<p>a<br>b|<blockquote>|</blockquote>|<pre>|<style>|<!--|-->|&#x110000;|&nbsp;|--b|--b--|--bb|From me|.|“Größe” — ﬁ
Action: failed|Status: 5.1.1|Status: 4|Content-Type: text/plain
"""
NAMES, CHARSETS, TYPES = (st.sampled_from(words.split()) for words in (_NAMES, _CHARSETS, _TYPES))
ENCODINGS = st.sampled_from(["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "BASE64", "base64 (really)"])
BITS = st.sampled_from([b"[pbem 3]", b" ", b"\t", b"\r", b"\n", b"\r\n ", b"\0", b"\xff", *_BITS.encode().split()])
VALUES = st.lists(BITS | st.binary(max_size=12), max_size=10).map(b"".join)
HEADERS = st.tuples(NAMES, VALUES) | st.sampled_from(
    [
        ("From", b"Ann <ann@example.org>"),
        ("To", b"host+b-3f@example.org"),
        ("To", b"The host <host+g4@example.org>, bob@example.org"),
        ("Subject", b"Re: [pbem 3] =?utf-8?q?Gr=C3=BC=C3=9Fe?="),
        ("References", b"<0123456789abcdef.x@example.org> <y@example.net>"),
        ("Auto-Submitted", b"auto-replied"),
        ("Return-Path", b"<>"),
    ]
)
STRANGE = ["ﷺ" * 30, "a" + "\u0301\u0323" * 40, "\u200b\u00a0", "\ud800"]
SHORTS = ["\n".join(told["block"]) for told in [*TOLD["good"].values(), *TOLD["bad"].values()]]
SIGNED = [one["signed"][0]["sig"] for one in TOLD["good"].values()]
BLOCKS = [BLOCK, BLOCK.lower(), BLOCK[:90], BLOCK.replace("0", "1", 1), *SHORTS]
LINES = st.sampled_from([*_LINES.strip("\n").replace("\n", "|").split("|"), *STRANGE, *BLOCKS])
TEXTS = st.lists(LINES | st.text(st.characters(codec="utf-8"), max_size=20), max_size=8).map("\n".join)


@st.composite
def bodies(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A text and the headers it needs, which may lie."""
    text, charset, encoding = draw(TEXTS), draw(CHARSETS), draw(ENCODINGS)
    try:
        data = text.encode(charset if draw(st.booleans()) else "utf-8", "replace")
    except (LookupError, UnicodeError):
        data = text.encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        data = data.replace(b"\n", b"\r\n")
    if encoding.lower().startswith("base64") and draw(st.integers(0, 4)):
        data = base64.encodebytes(data)
    if encoding == "quoted-printable" and draw(st.integers(0, 4)):
        data = binascii.b2a_qp(data)
    more = draw(VALUES) if draw(st.booleans()) else b""
    kind = (
        f"Content-Type: {draw(TYPES)}; charset={charset}; {draw(st.sampled_from(['', 'format=flowed', 'name=a.txt']))}"
    )
    return f"{kind}\r\nContent-Transfer-Encoding: {encoding}\r\n".encode() + (
        b"X: " + more + b"\r\n" if more else b""
    ), data


def within(inner: st.SearchStrategy[tuple[bytes, bytes]]) -> st.SearchStrategy[tuple[bytes, bytes]]:
    """A multipart of such parts, whose boundary may be missing or that of another one."""

    def joined(parts: list[tuple[bytes, bytes]], boundary: bytes, closed: bool, kind: bytes) -> tuple[bytes, bytes]:
        body = b"".join(b"--" + boundary + b"\r\n" + head + b"\r\n" + data + b"\r\n" for head, data in parts)
        return b"Content-Type: multipart/" + kind + b"; boundary=" + boundary + b"\r\n", body + (
            b"--" + boundary + b"--" if closed else b""
        )

    kinds = st.sampled_from([b"mixed", b"alternative", b"report", b"digest", b"related"])
    return st.builds(
        joined, st.lists(inner, max_size=4), st.sampled_from([b"b", b"bb", b"", b"b+'(c)"]), st.booleans(), kinds
    )


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """A mail: headers of any kind, parts in parts; then a few of its bytes are changed, lost or doubled."""
    head, body = draw(st.recursive(bodies(), within, max_leaves=8))
    others = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in draw(st.lists(HEADERS, max_size=6)))
    raw = bytearray(others + head + b"\r\n" + body if draw(st.booleans()) else head + others + b"\r\n" + body)
    for _ in range(draw(st.integers(0, 3))):
        if raw:
            at, end = sorted((draw(st.integers(0, len(raw) - 1)), draw(st.integers(0, len(raw)))))
            raw[at:end] = (
                draw(st.sampled_from([b"", b"\r\n", bytes(raw[at:end]) * 2])) if end - at < 200 else raw[at:end]
            )
    return bytes(raw)


def check(raw: bytes) -> None:
    """What holds of any mail whatever."""
    mail = read_message(raw, own="host@example.org")
    assert mail == read_message(raw, own="host@example.org")
    assert len(mail.text) <= MAX_TEXT
    for text in (
        mail.text,
        mail.sender,
        mail.subject,
        mail.message_id,
        mail.seat,
        mail.problem,
        mail.robot,
        *mail.to,
        *mail.references,
    ):
        text.encode()
    for line in (mail.sender, mail.subject, mail.message_id, mail.seat, mail.robot):
        assert line.isprintable()
        assert len(line) <= 20_000
    assert mail.sender == "" or mail.sender.count("@") == 1
    try:
        envelope = read_block(mail.text, lambda one: one.sig in SIGNED, lambda said: rebuild(said, known()))
    except FormError:
        assert mail.command is None
    else:
        assert envelope in (None, ENVELOPE) or envelope.say["game"] == known().game
        assert envelope is None or mail.command is None
    assert not (mail.automatic and mail.command)
    assert mail.bounce is None or mail.automatic
    assert not mail.problem or (mail.log, mail.command) == (b"", None)


@pytest.mark.slow
@settings(max_examples=MANY or 80)
@given(mails())
def test_any_mail_is_read_within_the_laws(raw: bytes) -> None:
    try:
        check(raw)
    except BaseException:
        if MANY:
            (CORPUS / "found.eml").write_bytes(raw)
        raise


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.eml")), ids=lambda path: path.stem)
def test_what_once_broke_something_is_read(path: Path) -> None:
    check(path.read_bytes())


def test_there_are_such_mails() -> None:
    assert len(list(CORPUS.glob("*.eml"))) >= 10
