"""What several tests need of block: mail, parts, mangled, order, quoted."""

from __future__ import annotations

import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable

from pbem.ledger import SAY, PrivateKey, cj, player_root, sha256_hex
from pbem.mail import write_block
from pbem.mail.text import plain as plain_words
from pbem.referee import AskSeen, Envelope, Pen

_KEY = PrivateKey.from_seed(b"x" * 32)
_MADE = Pen(_KEY, "a" * 64, "english").order(
    AskSeen(9, "until resolved", 2, (9, "c" * 64)), "CARD Herald\nHERALD Angus", "PLAN Lanark: FIGHT"
)
# the mails in `cases` hold this link and these salts: how they are made changes nothing in how a mail is read
_LINK = "9f5c9c335789adf12c6b4cd909a70319bf9b4220430dd42b127a28a5f4712a55"
_SALTS = [player_root(_KEY).salt("a" * 64, "english", 9, 0, str(line[4]), line[6]) for line in _MADE.openings]
_OPENED = tuple([*line[:5], salt, line[6]] for line, salt in zip(_MADE.openings, _SALTS, strict=True))
_SAID = _MADE.say | {"link": _LINK, "seals": {str(line[4]): sha256_hex(cj(line)) for line in _OPENED}}
ENVELOPE = Envelope(_SAID, _KEY.sign(SAY, cj(_SAID)), _OPENED)
BLOCK = write_block(ENVELOPE)
TEXT = f"CARD Herald\nEND\n\n{BLOCK}\n\n-- \nWilliam\n"


def mail(body: bytes, kind: str = "text/plain; charset=utf-8", cte: str = "8bit") -> bytes:
    head = (
        f"From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {cte}\r\n\r\n"
    )
    return head.encode() + body


def parts(*bodies: tuple[str, str]) -> bytes:
    inner = "".join(f"--b\r\nContent-Type: {kind}\r\n\r\n{body}\r\n" for kind, body in bodies)
    return mail(f"{inner}--b--\r\n".encode(), 'multipart/mixed; boundary="b"')


def mangled(text: str) -> dict[str, bytes]:
    """What mail programs and people do to a text, by what it is called."""

    def plain(change: Callable[[str], str]) -> bytes:
        return mail(change(text).encode())

    def page(change: Callable[[str], str]) -> bytes:
        return mail(f"<html><head><style>p {{}}</style></head><body>{change(text)}</body></html>".encode(), "text/html")

    return {
        "as it was": plain(str),
        "LF to CRLF": plain(lambda t: t.replace("\n", "\r\n")),
        "LF to CR": plain(lambda t: t.replace("\n", "\r")),
        "a mail of CR alone": mail(text.encode()).replace(b"\r\n", b"\r").replace(b"\n", b"\r"),
        "wrapped at 40": plain(lambda t: textwrap.fill(t, 40)),
        "wrapped at 30": plain(lambda t: textwrap.fill(t, 30)),
        "wrapped at 76 and 72, as by two programs": plain(lambda t: textwrap.fill(textwrap.fill(t, 76), 72)),
        "wrapped in the middle of groups": plain(lambda t: "\n".join(textwrap.wrap(t, 23, break_long_words=True))),
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
        "smart quotes around it": plain(lambda t: f"“{t}”"),
        "dashes around its lines": plain(lambda t: re.sub(r"((?:BEGIN|END) PBEM ORDERS)", r"-----\1-----", t)),
        "stars around its lines": plain(lambda t: re.sub(r"((?:BEGIN|END) PBEM ORDERS)", r"**\1**", t)),
        "byte order mark": plain(lambda t: "\ufeff" + t),
        "full-width letters": plain(lambda t: "".join(chr(ord(c) + 0xFEE0) if "0" <= c <= "Z" else c for c in t)),
        "quoted": plain(lambda t: textwrap.indent(t, "> ", lambda _: True)),
        "quoted twice": plain(lambda t: textwrap.indent(t, ">> ", lambda _: True)),
        "quoted with bars": plain(lambda t: textwrap.indent(t, "| ", lambda _: True)),
        "wrapped, then quoted": plain(lambda t: textwrap.indent(textwrap.fill(t, 17), "> ")),
        "wrapped twice, quoted twice": plain(
            lambda t: textwrap.indent(textwrap.fill(textwrap.indent(textwrap.fill(t, 60), "> "), 40), "> ")
        ),
        "top-posted, with a signature below": plain(
            lambda t: f"{t}\n> CARD c5\n> # CARD c8\n-- \nWilliam\n+44 20 0000\n"
        ),
        "the order below what it answers": plain(lambda t: f"You wrote:\n> CARD c5\n> END\n\n{t}"),
        "the footer of a list": plain(lambda t: f"{t}\n_______\nclub mailing list\nclub@example.org\n"),
        "indented": plain(lambda t: textwrap.indent(t, "      ")),
        "fenced": plain(lambda t: f"```\n{t}\n```"),
        "lower case": plain(str.lower),
        "typed off paper: O for 0, l for 1": plain(lambda t: t.replace("0", "O").replace("1", "l")),
        "forwarded": plain(lambda t: f"Look at this!\n\n---- forwarded ----\nFrom: b@example.org\nDate: today\n\n{t}"),
        "quoted-printable": mail(quopri.encodestring(text.encode()), cte="quoted-printable"),
        "base64": mail(base64.encodebytes(text.encode()), cte="base64"),
        "UTF-16": mail(text.encode("utf-16"), "text/plain; charset=utf-16"),
        "windows-1252 that says utf-8": mail(text.replace("William", "Wiñiam").encode("cp1252")),
        "a charset nobody knows": mail(text.encode(), "text/plain; charset=klingon"),
        "no charset": mail(text.encode(), "text/plain"),
        "format=flowed": mail(textwrap.fill(text, 60).replace("\n", " \n").encode(), "text/plain; format=flowed"),
        "HTML with breaks": page(lambda t: html.escape(t).replace("\n", "<br>\n").replace(" ", "&nbsp;")),
        "HTML in paragraphs": page(lambda t: "".join(f"<p class=x>{html.escape(line)}</p>" for line in t.split("\n"))),
        "HTML as typed": page(lambda t: f"<pre>{html.escape(t)}</pre>"),
        "HTML with links": page(lambda t: re.sub(r"([0-9A-Z]{5}) ", r'<a href="http://\1">\1</a> ', t)),
        "HTML quoted twice": page(lambda t: f"<blockquote>old<blockquote>{html.escape(t)}</blockquote></blockquote>"),
        "HTML to plain and back": page(
            lambda t: html.escape(plain_words(html.escape(t).replace("\n", "<br>"))).replace("\n", "<br>")
        ),
        "HTML in a table": page(lambda t: f"<table><tr><td>{html.escape(t)}</td><td>x</td></tr></table>"),
        "HTML of an office program": page(
            lambda t: "".join(
                f'<p class="MsoNormal"><span lang=EN>{html.escape(x)}<o:p></o:p></span></p>' for x in t.split("\n")
            )
        ),
        "HTML with a tracking picture and comments": page(
            lambda t: html.escape(t).replace("\n", '<br><!-- x --><img src="http://x/y.gif" alt="z">')
        ),
        "HTML in one line of spans": page(lambda t: "".join(f"<span>{word} </span>" for word in t.split())),
        "beside a page": parts(("text/plain", text), ("text/html", "<p>My order is here.</p>")),
        "in the page only": parts(("text/plain", "See the page."), ("text/html", f"<pre>{text}</pre>")),
        "as a file of another text type": parts(
            ("text/plain", "See the file."),
            ('text/csv; name="order.csv"\r\nContent-Disposition: attachment', text),
        ),
        "as a file": parts(("text/plain", "My order is attached."), ('text/plain; name="order.txt"', text)),
    }


MANGLED = mangled(TEXT)


def order(rev: int = 0, ask: int = 9, seat: str = "english", text: str = "CARD Herald") -> Envelope:
    pen = Pen(PrivateKey.from_seed(b"x" * 32), "a" * 64, seat)
    return pen.order(AskSeen(ask, "until resolved", 2, (9, "c" * 64)), text, "", rev)


def quoted(block: str) -> str:
    return textwrap.indent(block, "> ", lambda _: True)
