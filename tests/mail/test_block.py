"""The signed block comes through whatever mail programs do to a text; where a letter is lost or changed, that is found."""

from __future__ import annotations

import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.ledger import PrivateKey
from pbem.mail import read_block, read_message, write_block
from pbem.referee import Envelope, Pen, Question

ENVELOPE = Pen(PrivateKey.from_seed(b"x" * 32), "a" * 64, "b" * 64, "english").order(
    Question(9, "until resolved", 2, (9, "c" * 64)), "CARD Herald\nHERALD Angus", "PLAN Lanark: FIGHT"
)
BLOCK = write_block(ENVELOPE)
TEXT = f"CARD Herald\nEND\n\n{BLOCK}\n\n-- \nWilliam\n"


def mail(body: bytes, kind: str = "text/plain; charset=utf-8", cte: str = "8bit") -> bytes:
    head = (
        f"From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {cte}\r\n\r\n"
    )
    return head.encode() + body


def plain(change: Callable[[str], str]) -> bytes:
    return mail(change(TEXT).encode())


def page(change: Callable[[str], str]) -> bytes:
    return mail(f"<html><head><style>p {{}}</style></head><body>{change(TEXT)}</body></html>".encode(), "text/html")


def parts(*bodies: tuple[str, str]) -> bytes:
    inner = "".join(f"--b\r\nContent-Type: {kind}\r\n\r\n{body}\r\n" for kind, body in bodies)
    return mail(f"{inner}--b--\r\n".encode(), 'multipart/mixed; boundary="b"')


MANGLED = {
    "as it was": plain(str),
    "LF to CRLF": plain(lambda t: t.replace("\n", "\r\n")),
    "LF to CR": plain(lambda t: t.replace("\n", "\r")),
    "wrapped at 40": plain(lambda t: textwrap.fill(t, 40)),
    "wrapped at 30": plain(lambda t: textwrap.fill(t, 30)),
    "wrapped at 120": plain(lambda t: textwrap.fill(t, 120)),
    "one long line": plain(lambda t: " ".join(t.split())),
    "blank lines between": plain(lambda t: t.replace("\n", "\n\n")),
    "blanks at the ends": plain(lambda t: t.replace("\n", "   \n")),
    "blanks lost": plain(lambda t: re.sub(r"(?<=[0-9A-Z]{5}) (?=[0-9A-Z]{5})", "", t)),
    "blanks to tabs": plain(lambda t: t.replace(" ", "\t")),
    "no-break spaces": plain(lambda t: t.replace(" ", "\u00a0")),
    "thin spaces": plain(lambda t: t.replace(" ", "\u2009")),
    "zero-width spaces": plain(lambda t: t.replace(" ", "\u200b ").replace("0", "0\u200d")),
    "soft hyphens": plain(lambda t: t.replace("A", "A\u00ad")),
    "byte order mark": plain(lambda t: "\ufeff" + t),
    "full-width letters": plain(lambda t: "".join(chr(ord(c) + 0xFEE0) if "0" <= c <= "Z" else c for c in t)),
    "quoted": plain(lambda t: textwrap.indent(t, "> ", lambda _: True)),
    "quoted twice": plain(lambda t: textwrap.indent(t, ">> ", lambda _: True)),
    "quoted with bars": plain(lambda t: textwrap.indent(t, "| ", lambda _: True)),
    "wrapped, then quoted": plain(lambda t: textwrap.indent(textwrap.fill(t, 17), "> ")),
    "indented": plain(lambda t: textwrap.indent(t, "      ")),
    "fenced": plain(lambda t: f"```\n{t}\n```"),
    "lower case": plain(str.lower),
    "typed off paper: O for 0, l for 1": plain(lambda t: t.replace("0", "O").replace("1", "l")),
    "forwarded": plain(lambda t: f"Look at this!\n\n---- forwarded ----\nFrom: b@example.org\nDate: today\n\n{t}"),
    "quoted-printable": mail(quopri.encodestring(TEXT.encode()), cte="quoted-printable"),
    "base64": mail(base64.encodebytes(TEXT.encode()), cte="base64"),
    "UTF-16": mail(TEXT.encode("utf-16"), "text/plain; charset=utf-16"),
    "windows-1252 that says utf-8": mail(TEXT.replace("William", "Wiñiam").encode("cp1252")),
    "a charset nobody knows": mail(TEXT.encode(), "text/plain; charset=klingon"),
    "no charset": mail(TEXT.encode(), "text/plain"),
    "format=flowed": mail(textwrap.fill(TEXT, 60).replace("\n", " \n").encode(), "text/plain; format=flowed"),
    "HTML with breaks": page(lambda t: html.escape(t).replace("\n", "<br>\n").replace(" ", "&nbsp;")),
    "HTML in paragraphs": page(lambda t: "".join(f"<p class=x>{html.escape(line)}</p>" for line in t.split("\n"))),
    "HTML as typed": page(lambda t: f"<pre>{html.escape(t)}</pre>"),
    "HTML with links": page(lambda t: re.sub(r"([0-9A-Z]{5}) ", r'<a href="http://\1">\1</a> ', t)),
    "HTML in one line of spans": page(lambda t: "".join(f"<span>{word} </span>" for word in t.split())),
    "beside a page": parts(("text/plain", TEXT), ("text/html", "<p>My order is here.</p>")),
    "in the page only": parts(("text/plain", "See the page."), ("text/html", f"<pre>{TEXT}</pre>")),
    "as a file": parts(("text/plain", "My order is attached."), ('text/plain; name="order.txt"', TEXT)),
}


@pytest.mark.parametrize("how", MANGLED)
def test_a_block_comes_through(how: str) -> None:
    incoming = read_message(MANGLED[how])
    assert incoming.problem == ""
    assert read_block(incoming.text) == ENVELOPE


def test_a_block_is_narrow_and_plain() -> None:
    assert max(map(len, BLOCK.split("\n"))) <= 59
    assert re.fullmatch(r"[0-9A-Z \n]+", BLOCK)


def test_a_text_without_a_block_has_none() -> None:
    assert read_block("CARD Herald\nEND\n") is None


ATOMS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True), inner),
    max_leaves=10,
)  # fmt: skip
ENVELOPES = st.builds(
    Envelope,
    st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True), ATOMS, max_size=5),
    st.text(st.characters(codec="utf-8"), max_size=90),
    st.lists(st.lists(ATOMS, max_size=7), max_size=2).map(tuple),
)


@settings(max_examples=60, deadline=None, database=None)
@given(ENVELOPES, st.integers(25, 100), st.sampled_from(["", "> ", ">> ", "| ", "\t", "\u00a0"]), st.booleans())
def test_any_block_comes_through_wrapping_quoting_and_small_letters(
    envelope: Envelope, width: int, mark: str, small: bool
) -> None:
    text = textwrap.indent(textwrap.fill(write_block(envelope), width), mark)
    assert read_block(text.lower() if small else text) == envelope


@settings(max_examples=200, deadline=None, database=None)
@given(st.integers(0, len(BLOCK) - 1), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ \n>"), st.booleans())
def test_a_letter_lost_or_changed_is_found(at: int, letter: str, lost: bool) -> None:
    """By the words around the block, its length or its CRC: never a wrong reading."""
    text = BLOCK[:at] + ("" if lost else letter) + BLOCK[at + 1 :]
    try:
        found = read_block(text)
    except FormError:
        return
    assert found in (ENVELOPE, None)


@settings(max_examples=200, deadline=None, database=None)
@given(st.text())
def test_whatever_stands_between_the_words_is_an_envelope_or_refused(text: str) -> None:
    with pytest.raises(FormError):
        read_block(f"BEGIN PBEM ORDERS\n{text}\nEND PBEM ORDERS")
