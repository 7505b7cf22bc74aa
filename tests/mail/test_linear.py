"""No mail within the limits takes more than linear work: a host cannot be stopped by one that was made to be slow to read.

Work is counted, not timed. Python's own lines are counted as they run; what runs inside the library's C code is bounded by form:
expressions that cannot run away, and calls whose cost is known to be linear.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import pbem.mail
from pbem.errors import FormError
from pbem.mail import read_block, read_message, said_otherwise
from pbem.mail.letter import fold_lines
from tests.mail.linear import lines_run

from .block import BLOCK, ENVELOPE

HEAD = b"From: ann@example.org\r\nTo: host@example.org\r\n"
TEXT = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
PAGE = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"


ATTACHED = b"--b\r\nContent-Type: message/rfc822\r\n\r\nX: y\r\n\r\n" + BLOCK.encode() + b"\r\n"


def part(head: bytes) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + head + b"\r\n\r\nx\r\n--b--\r\n"


TRAPS: dict[str, Callable[[int], bytes]] = {
    "a text": lambda n: TEXT + b"hello there\r\n" * n,
    "one line": lambda n: TEXT + b"x" * n,
    "comments in From": lambda n: b"From: " + b"(" * n + b")" * n + b"\r\n\r\n",
    "quotes in From": lambda n: b"From: " + b'"a" ' * n + b"\r\n\r\n",
    "addresses in To": lambda n: b"To: " + b"a@b, " * n + b"\r\n\r\n",
    "brackets in From": lambda n: b"From: " + b"<" * n + b"\r\n\r\n",
    "references": lambda n: b"References: " + b"<a@b> " * n + b"\r\n\r\n",
    "encoded words": lambda n: b"Subject: " + b"=?utf-8?q?=41?= " * n + b"\r\n\r\n",
    "folded lines": lambda n: b"Subject: x" + b"\r\n x" * n + b"\r\n\r\n",
    "headers": lambda n: b"X: y\r\n" * (n // 50) + b"\r\n",
    "parameters": lambda n: HEAD + b"Content-Type: text/plain" + b"; a=b" * n + b"\r\n\r\nx",
    "semicolons": lambda n: HEAD + b'Content-Type: text/plain; a="' + b";" * n + b"\r\n\r\nx",
    "semicolons in a part": lambda n: part(b'Content-Type: text/plain; a="' + b";" * n),
    "backslashes": lambda n: HEAD + b'Content-Type: text/plain; a="' + b"\\" * n + b"\r\n\r\nx",
    "boundaries": lambda n: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b" * n,
    "almost boundaries": lambda n: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"\r\n--bb" * n,
    "lines of nothing": lambda n: TEXT + b"\r\n" * n,
    "commas": lambda n: TEXT + b",\r\n" * n,
    "quote marks": lambda n: TEXT + b">" * n,
    "quoted lines": lambda n: TEXT + b"> x\r\n" * n,
    "flowed lines": lambda n: HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"x \r\n" * n,
    "flowed quotes": lambda n: HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"> x \r\n>> \r\n" * n,
    "marks on a letter": lambda n: TEXT + b"a" + "\u0301\u0323".encode() * n,
    "letters that grow": lambda n: TEXT + "\ufdfa".encode() * n,
    "blocks that begin": lambda n: TEXT + b"BEGIN PBEM ORDERS\r\n" * n,
    "blocks that begin in one line": lambda n: TEXT + b"BEGIN PBEM ORDERS " * n,
    "blocks that end": lambda n: TEXT + b"END PBEM ORDERS\r\n" * n,
    "blocks of little": lambda n: TEXT + b"BEGIN PBEM ORDERS\r\n00000 00000 00000\r\nEND PBEM ORDERS\r\n" * n,
    "a block of much": lambda n: TEXT + b"BEGIN PBEM ORDERS\r\n" + b"0" * n + b"\r\nEND PBEM ORDERS\r\n",
    "a block many times": lambda n: TEXT + (BLOCK + "\n").encode() * (n // 100),
    "blanks in a mark": lambda n: TEXT + b"BEGIN" + b" " * n + b"PBEM" + b">" * n,
    "open tags": lambda n: PAGE + b"<p " * n,
    "tags": lambda n: PAGE + b"<p>x</p>" * n,
    "comments": lambda n: PAGE + b"<!-- " * n,
    "scripts": lambda n: PAGE + b"<script " * n,
    "closed scripts": lambda n: PAGE + b"<script></script>" * n,
    "signs": lambda n: PAGE + b"< " * n,
    "ampersands": lambda n: PAGE + b"&" * n,
    "entities": lambda n: PAGE + b"&#x41;&nosuch;" * n,
    "blockquotes": lambda n: PAGE + b"<blockquote>x" * n,
    "attribution lines": lambda n: TEXT + b"PRESS\r\n" + b"On 1 Jan 2030 a@b wrote:\r\n\r\n> x\r\nyes\r\n" * n,
    "lines that end like one": lambda n: TEXT + b"PRESS\r\n" + b"is it you:\r\n" * n,
    "heads that are none": lambda n: TEXT + b"PRESS\r\n" + b"From: x\r\n" * n,
    "lines to divide": lambda n: TEXT + b"PRESS\r\n" + b"-- " * n + b"mail" * n + b"-" * n,
    "a sender that never ends": lambda n: TEXT + b"PRESS\r\n" + b"*" * n + b"From" + b" " * n,
    "quotations around a long line": lambda n: TEXT + b"PRESS\r\n" + b"x" * n + b"\r\n> x" * n,
    "containers": lambda n: PAGE + b"<div class=gmail_quote>x" * n,
    "containers that open again": lambda n: PAGE + b"<div class=gmail_quote>x<blockquote>y</blockquote>z" * n,
    "containers that end": lambda n: PAGE + b"<div class=gmail_quote>x<blockquote>y</div>z</blockquote>" * n,
    "a container that is long": lambda n: PAGE + b"<div " + b"class='gmail_' " * n + b">",
    "a page laid out as typed": lambda n: PAGE + b"<pre>" + b"x\n" * n,
    "base64": lambda n: HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QUJD=" * n,
    "quoted-printable": lambda n: HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=41=\r\n" * n,
    "messages in messages": lambda n: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * n,
    "attached messages": lambda n: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + ATTACHED * min(n // 50, 19),
    "a long attached message": lambda n: part(b"Content-Type: message/rfc822\r\n\r\nX: y\r\n\r\n" + b"hello\r\n" * n),
    "octets": lambda n: part(b"Content-Type: application/octet-stream\r\n\r\n" + bytes(range(256)) * n),
    "many blocks that differ": lambda n: TEXT + b"".join(b"BEGIN PBEM ORDERS %032d END PBEM ORDERS " % no for no in range(n)),
    "quoted blocks that differ": lambda n: TEXT + b"".join(b"> BEGIN PBEM ORDERS %032d END PBEM ORDERS\n" % no for no in range(n)),
    "a long text, then blocks": lambda n: TEXT + b"x " * 40_000 + BLOCK.encode() * (n // 100),
    "a status report": lambda n: part(b"Content-Type: message/delivery-status\r\n\r\n" + b"Status: 5.1.1\r\n\r\n" * n),
}  # fmt: skip


def read_all(raw: bytes) -> None:
    mail = read_message(raw, own="host@example.org")
    try:
        envelope = read_block(mail.text)
    except FormError:
        envelope = None
    said_otherwise(mail.text, envelope or ENVELOPE)
    fold_lines(mail.text[:2000])


@pytest.mark.variants
@pytest.mark.parametrize("trap", TRAPS)
def test_twice_as_much_is_at_most_twice_the_work(trap: str) -> None:
    """A stranger hides a false block far below or deep inside a mail."""
    read_all(TRAPS[trap](10))  # what is done once: imports, caches
    less, more = (lines_run(read_all, TRAPS[trap](size)) for size in (400, 800))
    assert more <= 2 * less + 200, (less, more)


def test_work_that_grows_with_the_square_is_found() -> None:
    def square(raw: bytes) -> None:
        for _ in raw:
            sum(1 for _ in raw)

    assert lines_run(square, b"x" * 80) > 3 * lines_run(square, b"x" * 40)


# --- what runs in C -----------------------------------------------------------------------------------------------------

MODULES = [importlib.import_module(f"pbem.mail.{found.name}") for found in pkgutil.iter_modules(pbem.mail.__path__)]
PATTERNS = {
    f"{module.__name__}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, re.Pattern)
}


def repeats(items: Any, inside: bool = False) -> Iterator[bool]:
    """For each part of an expression that may be repeated without end: does it lie inside another one?"""
    for kind, value in items:
        if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            endless = value[1] > 1000
            if endless:
                yield inside
            yield from repeats(value[2], inside or endless)
        elif kind is kinds.SUBPATTERN:
            yield from repeats(value[3], inside)
        elif kind is kinds.BRANCH:
            for branch in value[1]:
                yield from repeats(branch, inside)
        elif kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            yield from repeats(value[1], inside)


@pytest.mark.parametrize("name", PATTERNS)
def test_no_expression_repeats_what_is_repeated(name: str) -> None:
    assert not any(repeats(parser.parse(PATTERNS[name].pattern)))


def at_each_line(items: Any) -> bool:
    """May an expression that can begin at any line run on over all lines that follow?"""
    parts = list(items)
    while parts and parts[0][0] is kinds.AT:
        parts = parts[1:]
    if not parts or parts[0][0] not in (kinds.MAX_REPEAT, kinds.MIN_REPEAT) or parts[0][1][1] <= 1000:
        return bool(parts) and parts[0][0] is kinds.SUBPATTERN and at_each_line(parts[0][1][3])
    return any(kind is kinds.IN and (kinds.CATEGORY, kinds.CATEGORY_SPACE) in value for kind, value in parts[0][1][2])


@pytest.mark.parametrize("name", [name for name, pattern in PATTERNS.items() if pattern.flags & re.MULTILINE])
def test_no_expression_runs_over_all_lines_from_each_line(name: str) -> None:
    """It would take the square of their number: a mail of nothing but empty lines held a host up for seconds."""
    assert not at_each_line(parser.parse(PATTERNS[name].pattern, PATTERNS[name].flags))


def test_an_expression_that_does_is_found() -> None:
    assert at_each_line(parser.parse(r"^\s*TOKEN", re.MULTILINE))
    assert not at_each_line(parser.parse(r"^ *TOKEN\s", re.MULTILINE))
    assert any(repeats(parser.parse(r"(a+)+b")))
    assert not any(repeats(parser.parse(r"a+b{1,9}c*")))


def test_the_reader_uses_none_of_the_librarys_parsers() -> None:
    """They recurse as deep as the mail likes, or take the square of its length."""
    slow = {
        "email.parser",
        "email.feedparser",
        "email",
        "html.parser",
        "email.utils",
        "quopri",
        "email._header_value_parser",
    }
    for name in ("mime", "text", "address", "robots", "incoming", "finding", "block", "unquoting", "press"):
        tree = ast.parse(Path(pbem.mail.__path__[0], f"{name}.py").read_text("utf-8"))
        used = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        used |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not used & slow, name
