"""From bytes to words: charsets, format=flowed (RFC 3676), HTML, and what mail programs do to letters.

It decides how a text reads, not its meaning. Each function looks at each character a fixed number of times, whatever the text.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from email.errors import MessageError
from email.header import decode_header
from html import unescape

from pbem.kernel import tidy

MAX_TEXT = 65_536

_ENDS = re.compile(r"(?<!\r)\r{1,99}\n")
_CHARSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:()-]{0,39}")
_NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"}
"""Codecs of Python that no mail is written in; some take the square of the length."""


def decode(data: bytes, charset: str = "") -> str:
    """Return the text of bytes: by their byte order mark, the declared charset, otherwise UTF-8, windows-1252, latin-1.

    Lines end in LF. UTF-16 and UTF-32 are recognised by their zero bytes, because their names are often wrong.
    """
    wide = _wide(data)
    declared = charset.strip("'\" ") if wide or not _WIDE.match(charset.strip("'\" ")) else ""
    for name in (wide, declared, "utf-8", "windows-1252", "latin-1"):
        with contextlib.suppress(LookupError, ValueError):
            if _CHARSET.fullmatch(name) and codecs.lookup(name).name not in _NO_CHARSETS:
                text = _ENDS.sub("\n", data.decode(name)).replace("\r", "\n").replace("\0", "")
                return text.encode("utf-8", "replace").decode()  # some charsets give lone surrogates
    return ""


_WIDE = re.compile(r"(?:utf|ucs|iso-10646-ucs)[_-]?(?:16|32|2|4)", re.IGNORECASE)
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"), (codecs.BOM_UTF8, "utf-8-sig"),
)  # fmt: skip


def _wide(data: bytes) -> str:
    """Return the charset that the first bytes of a text show, "" where they show none."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    first = data[:400]
    zeros = "".join("x0"[first[place::4].count(0) * 5 > len(first)] for place in range(4))  # of four in five letters
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be", "x000": "utf-32-le", "000x": "utf-32-be"}.get(zeros, "")


def words(value: str) -> str:
    """Return a header's value as people read it: encoded words (RFC 2047) decoded, in one line."""
    value = value[:998]
    with contextlib.suppress(MessageError, ValueError, LookupError, TypeError):
        if "=?" in value:
            pieces = decode_header(value)
            value = "".join(piece if isinstance(piece, str) else decode(piece, name or "") for piece, name in pieces)
    return "".join(letter for letter in " ".join(tidy(value).split()) if letter.isprintable())


def unflow(text: str, delsp: bool = False) -> str:
    """Join the lines that a mail program wrapped (RFC 3676): lines that end in a blank continue in the next one."""
    lines: list[str] = []
    open_at = -1  # how deep the open line is quoted; -1: none is open
    pieces: list[str] = []
    for raw in text.split("\n"):
        said = raw.lstrip(">")
        depth = len(raw) - len(said)
        said = said.removeprefix(" ")  # 4.4: space-stuffing
        if pieces and (depth != open_at or said == "-- "):
            lines.append("".join(pieces))
            pieces = []
        if not pieces and depth:
            pieces.append(">" * depth + " ")
        open_at = depth
        if said.endswith(" ") and said != "-- ":  # 4.3: a signature's line is never flowed
            pieces.append(said[:-1] if delsp else said)
            continue
        lines.append("".join([*pieces, said]))
        pieces = []
    if pieces:
        lines.append("".join(pieces))
    return "\n".join(lines)


# --- HTML -------------------------------------------------------------------------------------------------------------

_TAG_NAME = re.compile(r"/?[a-z][a-z0-9:]{0,19}", re.IGNORECASE)
_BLANK = re.compile(r"[ \t\n\f\r]+")
_NO_LETTER = re.compile(r"&#[0-9]{1000,};?")
"""A letter by a number that Python refuses to read."""
_SMALL = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_OPENS = re.compile(r"<(?=[a-z/!?])", re.IGNORECASE)
"""A sign that may begin a tag; any other is a sign."""
_TAG_END = re.compile(">")
_COMMENT_END = re.compile("--!?>")
_HIDDEN = {name: re.compile(f"</{name}[^>]{{0,99}}>") for name in ("script", "style", "title", "template")}
"""Their text is not shown. A head may be left open, and has no text but theirs."""
_LINES = {"br", "hr", "tr", "option"}
_BLOCKS = {"p", "div", "table", "ul", "ol", "li", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}
_CELLS = {"td", "th"}
_MATTER = "|".join(sorted(_LINES | _BLOCKS | _CELLS | {"body", *_HIDDEN}))
_NO_MATTER = re.compile(rf"</?(?!(?:{_MATTER})(?![a-z0-9:]))[a-z][a-z0-9:]{{0,19}}\s{{0,9}}/?>", re.IGNORECASE)
"""Tags that change no text go at once: a page may hold one for every few letters."""
_AROUND = re.compile(
    r"""["'\s_=-]quoted?(?:_container)?["'\s>]|moz-cite-prefix|moz-forward-container|zmail_extra|originalcontents"""
    r"|reference-message|messagereplysection|outlookmessageheader|(?:gmail_|moz-|mobile-)signature"
)
"""In a `div` of this kind large mail programs set what a reply quotes, who wrote that, or a signature."""
_OPENS_AGAIN = "gmail_quote"
"""In this container, text below the blockquote is the writer's own."""
_BELOW = re.compile(
    r"""["'\s=](?:x_)?(?:divrplyfwdmsg|stopspelling|olk_src_body_section)|border:\s?none;\s?border-top:\s?solid"""
)
"""With an element of this kind Outlook begins what it quotes: all below it."""
_SEEN = 1000
"""So much of a tag is looked at."""


class _Page:
    """The growing text of a page; quoted text comes after `>`, as in plain mail."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.quoted = self.kept = 0
        self.around: list[bool] = []
        """For each open `div`: whether it is a container of quoted text."""
        self.open_again: list[int] = []
        """Which of them are quoted up to the end of a blockquote alone."""
        self.containers = 0
        self.below = False
        """Is all quoted from here on?"""

    def say(self, text: str) -> None:
        if not self.kept:
            text = _BLANK.sub(" ", text)
            if self.line or text != " ":
                self.line.append(_letters(text))
            return
        first, *others = _letters(text).split("\n")
        self.line.append(first)
        for line in others:
            self.end(blank=True)
            self.line.append(line)

    def end(self, *, blank: bool = False) -> None:
        """End the line; one that is empty is only kept where a blank line is meant."""
        if not self.line and not blank:
            return
        line = "".join(self.line)
        self.line = []
        line = line.rstrip(" \t") if line != "-- " else line
        if line.strip(" \t") or blank:
            deep = min(self.quoted + self.containers + self.below, 9)
            self.lines.append("> " * deep + (line if self.kept else line.lstrip(" ")))

    def tag(self, name: str, said: str) -> None:
        inner, closing = name.lstrip("/"), name.startswith("/")
        if inner in _LINES:
            self.end(blank=inner == "br")
        elif inner in _BLOCKS:
            self.end()
            if inner == "p" and closing:
                self.end(blank=True)
            change = -1 if closing else 1
            if inner == "div":
                self._container(said, closing=closing)
            if inner == "blockquote":
                self.quoted = max(0, self.quoted + change)
                if closing and self.open_again:
                    self.around[self.open_again.pop()] = False
                    self.containers -= 1
            if inner == "pre":
                self.kept = max(0, self.kept + change)
        elif name in _CELLS and self.line:
            self.line.append(" ")
        if not self.quoted and not self.below and _BELOW.search(said):
            self.end()
            self.below = True

    def _container(self, said: str, *, closing: bool) -> None:
        """Note that a `div` begins or ends."""
        if closing:
            if self.around and self.around.pop():
                self.containers -= 1
                if self.open_again[-1:] == [len(self.around)]:
                    self.open_again.pop()
            return
        quotes = bool(_AROUND.search(said))
        if quotes and _OPENS_AGAIN in said:
            self.open_again.append(len(self.around))
        self.around.append(quotes)
        self.containers += quotes


def _letters(text: str) -> str:
    """The text with its letters for their names and numbers in HTML."""
    return unescape(_NO_LETTER.sub("\N{REPLACEMENT CHARACTER}", text))


def plain(page: str) -> str:
    """Return the words of an HTML page, line by line; a text without tags is unchanged. Unclosed elements hide nothing."""
    found, at = _Page(), 0
    found.kept = int(_OPENS.search(page) is None)
    page = _NO_MATTER.sub("", page.replace("<![CDATA[", "").replace("]]>", ""))
    small = page.translate(_SMALL)
    never: set[str] = set()
    while sign := _OPENS.search(page, at):
        if at < (start := sign.start()):
            found.say(page[at:start])
        at = _after(_COMMENT_END, page, start + 2, never) if page.startswith("<!--", start) else -1  # “<!-->” is one
        at = _after(_TAG_END, page, start, never) if at < 0 else at
        if at < 0:  # there are no more tags
            at = start
            break
        if name := _TAG_NAME.match(small, start + 1):
            hidden = _HIDDEN.get(name[0]) if page[at - 2] != "/" else None
            if hidden is None:
                found.tag(name[0], small[start : min(at, start + _SEEN)])
            elif (closed := _after(hidden, small, at, never)) < 0 or small.find("<body", at, closed) >= 0:
                never.add(hidden.pattern)  # its text ends before the next tag
                at = max(at, page.find("<", at))
            else:
                at = closed
    found.say(page[at:])
    found.end()
    return "\n".join(found.lines)


def _after(end: re.Pattern[str], page: str, at: int, never: set[str]) -> int:
    """Return the place behind the next `end`, or -1; `never` remembers which are not found in the rest of the page."""
    found = end.search(page, at) if end.pattern not in never else None
    if found is None:
        never.add(end.pattern)
    return found.end() if found else -1
