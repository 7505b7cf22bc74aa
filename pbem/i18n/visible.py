"""Texts made visible: characters that a terminal would obey, or a reader would not see, are shown as signs.

Text from a file or a mail may contain control characters. A terminal takes some for commands; others end a line, or reverse its
direction. All of pbem's output goes through here: the terminal's, the templates', the letters'.
"""

from __future__ import annotations

import re

_OBEYED = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but for tab and line feed, DEL, C1
    "\u2028\u2029"  # line and paragraph separators
    "\u202a-\u202e\u2066-\u2069"  # overrides and isolates of the direction
    "\u206a-\u206f"  # what Unicode advises against: symmetric swapping, shapes of digits
    "\ud800-\udfff\ufffe\uffff"  # no characters: no UTF-8, no XML
    "]"
)
_NOTHING = (
    "\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060-\u2064\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
"""Invisible characters that do not belong to a word of any language: two names that differ only in them look the same."""
UNSEEN = f"[\t\n{_NOTHING}]|" + _OBEYED.pattern
"""What a text in one line does not show as it is: a regular expression."""
_LINE = re.compile(UNSEEN)
_PICTURES, _DELETE = 0x2400, 0x7F
"""The start of Unicode's pictures of the first 32 control characters, and the code of DEL, which is shown apart."""


def visible(text: str) -> str:
    r"""Return a text with every control character shown as a sign, but for tabs and line feeds.

    >>> visible("a\tb\n\x1b[31m")
    'a\tb\n␛[31m'
    >>> visible("\x7f \x9b \u202egpj.exe")
    '␡ \\u{9b} \\u{202e}gpj.exe'
    """
    return text if text.isprintable() else _OBEYED.sub(_sign, text)  # what is printable is visible, and quickly told


def in_a_line(text: str) -> str:
    r"""Return the same as one line: line feeds and tabs are shown, too.

    >>> in_a_line("clean\nfault")
    'clean␊fault'
    """
    return text if text.isascii() and text.isprintable() else _LINE.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else f"\\u{{{code:x}}}"


def escaped(json: str) -> str:
    r"""Return JSON that says the same in letters which a terminal shows: what a string holds of others is escaped.

    >>> escaped('{"said": "\x7f\u202e"}')
    '{"said": "\\u007f\\u202e"}'
    """
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", json)
