"""What a host says as lines for a program: whole, of a kind, and without anybody's address or code."""

from __future__ import annotations

import json

import pytest

from pbem.host.told_lines import told_line

AT = "2030-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("said", "kind", "rest"),
    [
        ("order: ann", "order", "ann"),
        ("waiting for mail", "", "waiting for mail"),
        ("letters: A letter to Ann <ann@Example.org> waits", "letters", "A letter to Ann <[address 438c4c7a]> waits"),
        ("letters: A letter to ann@example.org.", "letters", "A letter to [address 438c4c7a]."),
        (f"x CONFIRM {16 * 'a1'} y", "", "x CONFIRM [code] y"),
        ("imap: “x@y.z” a: b", "imap", "“[address b8e30d1a]” a: b"),
        ("two\nlines: of \x1b[31m", "", "two\nlines: of \x1b[31m"),
    ],
)
def test_a_line_tells_when_and_what_and_nobodys_address(said: str, kind: str, rest: str) -> None:
    line = told_line(said, AT)
    assert "\n" not in line
    assert "\x1b" not in line
    told = json.loads(line)
    assert (told["at"], told["kind"], told["said"]) == (AT, kind, rest)
    assert "@" not in line
