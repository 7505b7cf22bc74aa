"""A block is found however a mail program writes its parts down: parameters in pieces, encodings, boundaries, charsets, pages."""

from __future__ import annotations

import base64
import quopri
from email.message import Message

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail import read_block, read_message
from pbem.mail.parameters import MOST, parameters, token
from pbem.mail.text import plain
from tests.mail.encodings import uuencoded

from .block import BLOCK, ENVELOPE
from .linear import lines_run
from .reading import mail

SAID = f"CARD Herald\r\nEND\r\n\r\n{BLOCK}\r\n"
DATA = SAID.encode()
TEXT = ("Content-Type: text/plain", SAID)


def in_base64(data: bytes) -> bytes:
    return base64.encodebytes(data)


def padded(data: bytes, size: int = 19) -> bytes:
    """Each piece encoded by itself, as some gateways do."""
    return b"\r\n".join(base64.b64encode(data[at : at + size]) for at in range(0, len(data), size))


ENCODED = {
    "pieces that are padded": ("base64", padded(DATA)),
    "a first piece that is padded": ("base64", base64.b64encode(b"Hello there\n\n") + b"\r\n" + in_base64(DATA)),
    "pieces in one line": ("base64", padded(DATA, 40).replace(b"\r\n", b"")),
    "no padding": ("base64", base64.b64encode(DATA + b"\n" * (2 - len(DATA) % 3)).rstrip(b"=")),
    "blanks in it": ("base64", in_base64(DATA).replace(b"C", b"C ")),
    "signs of URLs": ("base64", base64.urlsafe_b64encode(DATA + "ÿþÿ?>".encode())),
    "soft ends at its lines": ("base64", in_base64(DATA).replace(b"\n", b"=\n")),
    "a footer of a list": ("base64", in_base64(DATA) + b"\n_______________\nlist, to leave it: https://example.org\n"),
    "lines that end in CR alone": ("base64", in_base64(DATA).replace(b"\n", b"\r")),
    "quoted": ('"base64"', in_base64(DATA)),
    "a comment behind": ("base64 (as ever)", in_base64(DATA)),
    "a comment in front": ("(as (ever)) Base64", in_base64(DATA)),
    "a sign behind": ("base64;", in_base64(DATA)),
    "quoted-printable": ("quoted-printable", quopri.encodestring(DATA)),
    "quoted-printable in quotes": ('"Quoted-Printable"', quopri.encodestring(DATA)),
    "quoted_printable": ("quoted_printable", quopri.encodestring(DATA)),
    "small hex digits": ("quoted-printable", b"".join(b"=%02x" % byte for byte in DATA[:20]) + quopri.encodestring(DATA[20:])),
    "soft ends with blanks": ("quoted-printable", DATA.replace(b" ", b" = \t\r\n")),
    "every letter in hex": ("quoted-printable", b"".join(b"=%02X" % c + b"=\r\n" * (no % 20 == 19) for no, c in enumerate(DATA))),
    "uuencode": ("x-uuencode", uuencoded(DATA)),
    "7bit": ("7bit", DATA),
    "base64 twice": ("base64", in_base64(in_base64(DATA))),
    "base64 below a line of a gateway": ("base64", b"Scanned by a gateway!\r\nwith care\r\n\r\n" + in_base64(DATA)),
    "base64 that its head does not name": ("7bit", in_base64(DATA)),
    "hex that its head does not name": ("8bit", b"".join(b"=%02X" % byte for byte in DATA)),
    "an encoding that nobody knows": ("x-zip64", DATA),
}  # fmt: skip


@pytest.mark.parametrize("how", ENCODED)
def test_a_block_is_found_in_every_encoding(how: str) -> None:
    """Padded base64 pieces, quoted encodings, soft line ends with blanks, uuencode."""
    encoding, body = ENCODED[how]
    assert read_block(read_message(mail(body, Content_Transfer_Encoding=encoding)).text) == ENVELOPE


MULTIPARTS = {
    "pieces": 'multipart/mixed; boundary*0="b"; boundary*1="c"',
    "pieces out of order": "multipart/mixed; boundary*1=c; boundary*0=b",
    "a charset": "multipart/mixed; boundary*=us-ascii'en'%62c",
    "pieces with a charset": "multipart/mixed; boundary*0*=us-ascii''%62; boundary*1*=%63",
    "blanks at the sign": 'multipart/mixed ; boundary = "bc"',
    "comments": "multipart/mixed (all; of it) ; (x) boundary=bc (the; line)",
    "no semicolon": 'multipart/mixed boundary="bc"',
    "capitals": "MULTIPART/Mixed; BOUNDARY=bc",
    "a quote that is never closed": 'multipart/mixed; boundary="bc',
    "folded": 'multipart/mixed;\r\n\tboundary=\r\n "bc"',
    "another boundary": "multipart/mixed; boundary=other",
    "no boundary": "multipart/mixed",
    "far behind": f'multipart/related; type="text/html"; start="<{"x" * 1200}@example.org>"; boundary=bc',
    "no such kind": "multipart/x-unheard-of; boundary=bc",
}


@pytest.mark.parametrize("how", MULTIPARTS)
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "not closed"])
def test_parts_are_told_apart_however_the_boundary_is_named(how: str, closed: bool) -> None:
    """A boundary comes in pieces, with comments, or differs from the header's."""
    head = b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    body = b"--bc\r\n" + head + in_base64(DATA) + (b"\r\n--bc--\r\n" if closed else b"")
    assert read_block(read_message(mail(body, MULTIPARTS[how])).text) == ENVELOPE


def test_a_multipart_that_is_encoded_as_a_whole_is_read() -> None:
    inner = b"--b\r\nContent-Type: text/plain\r\n\r\n" + DATA + b"\r\n--b--\r\n"
    raw = mail(in_base64(inner), "multipart/mixed; boundary=b", Content_Transfer_Encoding="base64")
    assert read_block(read_message(raw).text) == ENVELOPE


OUTSIDE = {
    "before its parts": SAID + "\r\n--b\r\n\r\nhello\r\n--b--\r\n",
    "behind its parts": "--b\r\n\r\nhello\r\n--b--\r\n" + SAID,
}


@pytest.mark.parametrize("where", OUTSIDE)
def test_a_block_outside_of_the_parts_counts(where: str) -> None:
    """A gateway may move the block, lose the line that announces the parts, or add lines before the header."""
    assert read_block(read_message(mail(OUTSIDE[where], "multipart/mixed; boundary=b")).text) == ENVELOPE


def test_what_else_is_outside_of_the_parts_is_not_read() -> None:
    raw = mail("This has parts.\r\n--b\r\n\r\nSTATUS\r\n--b--\r\nThe list\r\n", "multipart/mixed; boundary=b")
    assert read_message(raw).text == "STATUS"


@pytest.mark.parametrize("head", [b"", b"Content-Type: text/plain\r\n"])
def test_parts_that_no_head_announces_any_more_are_read(head: bytes) -> None:
    part = b"--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + in_base64(DATA)
    raw = b"From: ann@example.org\r\n" + head + b"\r\nThis has parts.\r\n" + part + b"\r\n--b--\r\n"
    assert read_block(read_message(raw).text) == ENVELOPE


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\r\n\r\n", b">From ann Tue Jan  1 00:00:00 2030\n"])
def test_what_a_program_puts_before_a_head_is_taken_off(before: bytes) -> None:
    read = read_message(before + mail(in_base64(DATA), From="ann@example.org", Content_Transfer_Encoding="base64"))
    assert (read.sender, read_block(read.text)) == ("ann@example.org", ENVELOPE)


def test_a_mail_needs_no_version_of_mime() -> None:
    assert read_block(read_message(DATA).text) == ENVELOPE
    assert read_block(read_message(b"MIME-Version: 7.3 (of ours)\r\n\r\n" + DATA).text) == ENVELOPE


PAGES = {
    "an open head": "<html><head><meta name=x><body><pre>{}</pre></body></html>",
    "an open head with a style": "<head><style>p {{}}</style><pre>{}</pre>",
    "an open title": "<head><title>Re: your move<body><pre>{}</pre>",
    "a title that is closed at once": "<head><title/></head><pre>{}</pre>",
    "an open style": "<style>p {{ color: red }}<pre>{}</pre>",
    "an open script": "<script>a<pre>{}</pre>",
    "an empty comment": "<!--><pre>{}</pre>",
    "another empty comment": "<!---><pre>{}</pre>",
    "a comment closed otherwise": "<!-- x --!><pre>{}</pre>",
    "an open comment": "<!-- x ><pre>{}</pre>",
    "conditional comments": "<!--[if mso]><style>x</style><![endif]--><!--[if !mso]><!--><pre>{}</pre><!--<![endif]-->",
    "a sign before it": "1 < 2 and <3 <pre>{}</pre>",
    "an open tag behind": "<pre>{}</pre><p class='",
    "no tag at all": "{}",
    "data": "<pre><![CDATA[{}]]></pre>",
    "an open title, and another one": "<title>x<body><pre>{}</pre><svg><title>x</title></svg>",
    "an open style, and another one": "<style>p {{}}<body><pre>{}</pre><style>p {{}}</style>",
    "an open table": "<table><tr><td><pre>{}",
    "a declaration": "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD'><pre>{}</pre>",
}


@pytest.mark.parametrize("how", PAGES)
def test_a_block_is_found_in_a_page_however_it_is_written(how: str) -> None:
    """An unclosed head, title, style or comment hides nothing."""
    assert read_block(read_message(mail(PAGES[how].format(SAID), "text/html")).text) == ENVELOPE


LINES = {
    "br": "<br>", "br with a sign": "<br />", "br with attributes": "<BR clear=all>", "br closed": "</br>",
    "div": "</div><div>", "p": "</p><p>", "rows": "</td></tr><tr><td>", "items": "<li>",
}  # fmt: skip


@pytest.mark.parametrize("how", LINES)
def test_a_block_is_found_whatever_parts_the_lines_of_a_page(how: str) -> None:
    page = LINES[how].join(line.replace(" ", "&nbsp;&#x200b;&shy") for line in BLOCK.split("\n"))
    assert read_block(read_message(mail(f"<div>{page}</div>", "text/html")).text) == ENVELOPE


# --- parameters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("attachment; filename=order.txt", {"filename": "order.txt"}),
        ("attachment; filename*0*=utf-8''Zug%20%C3; filename*1*=%A9.t; filename*2=xt", {"filename": "Zug é.txt"}),
        ("attachment; filename=x.txt; filename*=utf-8'en'a%2Epbem", {"filename": "a.pbem"}),
        ("attachment; filename*=nonsense'%ff", {"filename": "nonsense'ÿ"}),
        ("attachment; filename*=klingon''%ff.txt", {"filename": "ÿ.txt"}),
        ("attachment; filename=order(1).txt", {"filename": "order(1).txt"}),
        ("attachment; filename=my order.txt", {"filename": "my order.txt"}),
        (r'a; name="x\"y;z"; charset=utf-8', {"name": 'x"y;z', "charset": "utf-8"}),
        ("a; charset=utf-8; charset=utf-16", {"charset": "utf-8"}),
        ('a; name="never; charset=utf-8', {"name": "never", "charset": "utf-8"}),
        ("a; name=(never; charset=utf-8", {"name": "(never", "charset": "utf-8"}),
        ("a; ; =; =x; name; name*=", {"name": ""}),
        ("a; name*999=b; name*1000=c", {"name": "b"}),
        ("", {}),
    ],
)
def test_parameters_are_read(value: str, read: dict[str, str]) -> None:
    assert parameters(value) == read


@settings(max_examples=100)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=383, exclude_characters="\x7f"), min_size=1, max_size=60))
def test_a_name_that_the_library_writes_is_read_as_it_was(name: str) -> None:
    head = Message()
    head.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name))
    head.add_header("Content-Type", "text/plain", name=name.replace("\\", "/") if name.isascii() else "x")
    assert parameters(str(head["Content-Disposition"]))["filename"] == name
    assert parameters(str(head["Content-Type"]))["name"] == (name.replace("\\", "/") if name.isascii() else "x")


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from([*"\";=()*\\ %'", "a", "name", "*0", "utf-8''", "\ud800", "ÿ"]), max_size=40).map("".join)
)
def test_any_value_is_read(value: str) -> None:
    found = parameters(f"attachment; {value}")
    assert all(isinstance(said, str) for said in (*found, *found.values(), token(value)))


# --- steps --------------------------------------------------------------------------------------------------------------

SIGNS = [
    "<",
    "<a",
    "<p>",
    "</p>",
    "<br>",
    "<b>",
    "<!>",
    "<!--",
    "<!-->",
    "<!---->",
    "</",
    "</>",
    "<script>",
    "<script></script>",
    "<title/>",
    "<style>x",
    "<td>",
    "<blockquote>",
    "<pre>",
    "<?",
    "<a&gt;",
    "&",
    "&lt;",
    "<p><b>",
    "<p>x</p>",
    "x<",
    "<-",
    "<div",
]


@pytest.mark.parametrize("sign", SIGNS)
def test_no_byte_of_a_page_costs_more_than_some_steps(sign: str) -> None:
    """A megabyte of one character once kept a host busy for seconds."""
    page = sign * (8000 // len(sign))
    plain(page[:100])
    assert lines_run(lambda raw: plain(raw.decode()), page.encode()) <= 14 * len(page) + 100


def test_no_byte_of_a_head_costs_more_than_some_steps() -> None:
    for sign in (";", "(", ")", '"', "\\", "a=b;", "n*0=a;", "name*1*=%41;", " ", "=", "a*", "(a) "):
        value = sign * (MOST // len(sign))
        assert lines_run(lambda raw: parameters(raw.decode()), value.encode()) <= 14 * len(value) + 200, sign
