"""Replies as mail programs send them: bytes with the parts, wrapping, quoting and footers of each, in several languages."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from html import escape
from random import Random
from typing import NamedTuple

HOST = "host@example.org"
WHO = f"pbem <{HOST}>"


class Sent(NamedTuple):
    """The letter that is answered."""

    text: str
    message_id: str
    reply_to: str
    subject: str


class Body(NamedTuple):
    """What a program sends: plain text and HTML, "" for the part that it leaves out; is the text flowed?"""

    text: str
    page: str = ""
    flowed: bool = False


Program = Callable[[str, str, Random], Body]


def behind(text: str, mark: str = "> ") -> str:
    """Quote a text as plain mail does."""
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


def wrapped(text: str, width: int = 76) -> str:
    """Wrap what is too long for a program's plain text; quoted lines as well, as some do, without their marks."""
    lines = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True) or [
            ""
        ]
    return "\n".join(lines)


def flowed(text: str, width: int = 72) -> str:
    """Wrap one's own lines as format=flowed does: a blank at the end says that the line goes on."""
    lines = []
    for line in text.split("\n"):
        if line.startswith(">"):
            lines.append(line)
            continue
        pieces = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        lines += [f"{piece} " for piece in pieces[:-1]] + [pieces[-1]]
    return "\n".join(lines)


def divs(text: str) -> str:
    """Return lines as `div`s."""
    return "".join(f"<div>{escape(line, quote=False) or '<br>'}</div>" for line in text.split("\n"))


def breaks(text: str) -> str:
    """Return lines parted by `br`."""
    return "<br>\n".join(escape(line, quote=False) for line in text.split("\n"))


def paragraphs(text: str) -> str:
    """Return lines as Word's paragraphs; its source is wrapped."""
    made = []
    for line in text.split("\n"):
        inner = "\n".join(textwrap.wrap(escape(line, quote=False), 60, break_long_words=False)) or "&nbsp;"
        made.append(f'<p class="MsoNormal"><span lang="EN-GB">{inner}<o:p></o:p></span></p>')
    return "\n".join(made)


def _gmail(wrote: str) -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        text = f"{wrapped(own)}\n\n{wrapped(wrote)}\n\n{behind(letter)}\n"
        page = (
            f'<div dir="ltr">{divs(own)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
            f'{escape(wrote)}<br></div><blockquote class="gmail_quote" style="margin:0">{divs(letter)}</blockquote></div>'
        )
        return Body(text, page)

    return write


def _outlook(head: str, *, bar: bool = False) -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        rows = [line.partition(": ") for line in head.split("\n")]
        bold = "<br>".join(f"<b>{name}:</b> {escape(value)}" for name, _sign, value in rows)
        text = f"{own}\n\n{'_' * 32 + chr(10) if bar else ''}{head}\n\n{letter}\n"
        page = (
            f'<div class="WordSection1">{paragraphs(own)}<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;'
            f'padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">{bold}</p></div></div>{paragraphs(letter)}</div>'
        )
        return Body(text, page)

    return write


def _outlook_com(head: str, footer: str = "") -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        text = f"{own}\n\n{footer}\n{'_' * 32}\n{head}\n\n{letter}\n"
        page = (
            f'<div class="elementToProof">{divs(own)}</div><div id="ms-outlook-mobile-signature">{escape(footer)}</div>'
            f'<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
            f'<div id="divRplyFwdMsg" dir="ltr">{breaks(head)}</div><div>{divs(letter)}</div>'
        )
        return Body(text, page)

    return write


def _apple(wrote: str, footer: str = "") -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        mine = f"{own}\n\n{footer}" if footer else own
        quoted = f"{wrote}\n\n{letter}"
        page = (
            f"<html><body>{divs(own)}<div><br></div>{f'<div>{escape(footer)}</div>' if footer else ''}<div><br>"
            f'<blockquote type="cite"><div>{escape(wrote)}</div><br></blockquote></div><blockquote type="cite"><div>{divs(letter)}'
            "</div></blockquote></body></html>"
        )
        return Body(f"{flowed(mine)}\n\n{behind(quoted)}\n", page, flowed=True)

    return write


def _thunderbird(wrote: str, *, above: bool = False, page: bool = False) -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        sign = chance.choice(["", "\n-- \nAnn Miller\nHill Street 5\n+44 131 496 0123\n"])
        quoted = f"{wrote}\n{behind(letter)}"
        text = f"{flowed(own)}\n{sign}\n{quoted}\n" if above else f"{quoted}\n\n{flowed(own)}\n{sign}"
        html = (
            f'<div class="moz-cite-prefix">{escape(wrote)}<br></div><blockquote type="cite" cite="mid:1@x">{divs(letter)}'
            f"</blockquote><p>{breaks(own)}</p>"
        )
        return Body(text, html if page else "", flowed=True)

    return write


def _mutt(own: str, letter: str, chance: Random) -> Body:
    lines = letter.split("\n")
    at = chance.randrange(3, max(4, len(lines)))
    first, rest = "\n".join(lines[:at]), "\n".join(lines[at:])
    wrote = "On Tue, Jan 01, 2030 at 11:03:00AM +0000, pbem wrote:"
    return Body(f"{wrote}\n{behind(first)}\n\n{own}\n\n{behind(rest)}\n\n-- \nAnn\n")


def _yahoo(own: str, letter: str, chance: Random) -> Body:
    wrote = f"On Tuesday, January 1, 2030 at 11:03:00 AM GMT+1, {WHO} wrote:"
    text = f" {own}\n\n    {wrote}  \n \n " + letter.replace("\n", "\n ")
    page = (
        f'<div class="ydp1yahoo-style-wrap" style="font-size:16px">{divs(own)}</div>'
        f'<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>{escape(wrote)}</div><div>{divs(letter)}</div></div>'
    )
    return Body(text, page)


def _old(divider: str, head: str, footer: str = "") -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        return Body(f"{own}\n\n{footer}\n\n{divider}\n{head}\n\n{letter}\n".replace("\n\n\n\n", "\n\n"))

    return write


def _behind_all(wrote: str, mark: str = "> ") -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        return Body(f"{wrapped(own, 72)}\n\n{wrote}\n{behind(letter, mark)}\n")

    return write


def _gmx(own: str, letter: str, chance: Random) -> Body:
    head = f"Gesendet: Dienstag, 01. Januar 2030 um 11:03 Uhr\nVon: {WHO}\nAn: ann@example.org\nBetreff: [pbem 1] your move"
    page = (
        f"<html><body><div style='font-family:Verdana'>{divs(own)}<div><br></div><div name='quote' style='margin:10px 5px'>"
        f"<div style='margin:0 0 10px 0'>{breaks(head)}</div><div name='quoted-content'>{divs(letter)}</div></div></div>"
        "</body></html>"
    )
    return Body("", page)


def _html_only(inner: Program) -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        return Body("", inner(own, letter, chance).page)

    return write


def _text_only(inner: Program) -> Program:
    def write(own: str, letter: str, chance: Random) -> Body:
        body = inner(own, letter, chance)
        return Body(body.text, "", body.flowed)

    return write


def _unmarked(own: str, letter: str, chance: Random) -> Body:
    return Body(f"{own}\n\n{letter}\n")


def _wraps_quotes(own: str, letter: str, chance: Random) -> Body:
    """What is too wide when it is quoted goes on in a line without a mark."""
    return Body(f"{own}\n\n{_ON}\n\n{wrapped(behind(letter), 66)}\n")


def _wraps_quotes_above(own: str, letter: str, chance: Random) -> Body:
    return Body(f"{_ON}\n{wrapped(behind(letter), 66)}\n\n{own}\n")


def _converted(own: str, letter: str, chance: Random) -> Body:
    """A gateway makes text of the page, and loses all marks and lines."""
    return Body(wrapped(f"{own}\n\n{wrapped(letter, 60)}", 60))


def _head(*names: str) -> str:
    values = (WHO, "Tuesday, 1 January 2030 11:03", "ann@example.org", "[pbem 1] Hammer of the Scots: your move")
    return "\n".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))


_EN, _FR, _DE = (
    _head("From", "Sent", "To", "Subject"), _head("De", "Envoyé", "À", "Objet"), _head("Von", "Gesendet", "An", "Betreff"),
)  # fmt: skip
_ON, _LE = f"On Tue, Jan 1, 2030 at 11:03 AM {WHO} wrote:", f"Le mar. 1 janv. 2030 à 11:03, {WHO} a écrit :"
_AM = f"Am Di., 1. Jan. 2030 um 11:03 Uhr schrieb {WHO}:"
PROGRAMS: Mapping[str, Program] = {
    "Gmail": _gmail(_ON),
    "Gmail in French": _gmail(_LE),
    "Gmail in German": _gmail(_AM),
    "Gmail in Russian": _gmail(f"вт, 1 янв. 2030 г. в 11:03, пользователь {WHO} написал:"),
    "Gmail in Spanish": _gmail(f"El mar, 1 ene 2030 a las 11:03, {WHO} escribió:"),
    "Gmail, HTML alone": _html_only(_gmail(_ON)),
    "Gmail, text alone": _text_only(_gmail(_ON)),
    "Outlook": _outlook(_EN),
    "Outlook in French": _outlook(_FR.replace(":", " :", 1), bar=True),
    "Outlook in German": _outlook(_DE),
    "Outlook in Czech": _outlook(_head("Od", "Odesláno", "Komu", "Předmět")),
    "Outlook, HTML alone": _html_only(_outlook(_EN)),
    "Outlook, text alone": _text_only(_outlook(_EN)),
    "Outlook.com": _outlook_com(_EN),
    "Outlook on a telephone": _outlook_com(_EN, "Get Outlook for iOS"),
    "Outlook on a telephone in French": _outlook_com(_FR, "Obtenez Outlook pour Android"),
    "Outlook on a telephone in German": _outlook_com(_DE, "Outlook für Android herunterladen"),
    "Outlook of long ago": _old("-----Original Message-----", _EN),
    "Apple Mail": _apple(f"On 1 Jan 2030, at 11:03, {WHO} wrote:"),
    "Apple Mail in French": _apple(f"Le 1 janv. 2030 à 11:03, {WHO} a écrit :"),
    "iPhone": _apple(f"On 1 Jan 2030, at 11:03, {WHO} wrote:", "Sent from my iPhone"),
    "iPhone in French": _apple(f"Le 1 janv. 2030 à 11:03, {WHO} a écrit :", "Envoyé de mon iPhone"),
    "iPhone in German": _apple(f"Am 01.01.2030 um 11:03 schrieb {WHO}:", "Von meinem iPhone gesendet"),
    "Thunderbird": _thunderbird("On 01/01/2030 11:03, pbem wrote:"),
    "Thunderbird, above": _thunderbird("On 01/01/2030 11:03, pbem wrote:", above=True, page=True),
    "Thunderbird in French": _thunderbird("Le 01/01/2030 à 11:03, pbem a écrit :"),
    "Thunderbird in German": _thunderbird("Am 01.01.30 um 11:03 schrieb pbem:", page=True),
    "mutt": _mutt,
    "Yahoo": _yahoo,
    "Yahoo, text alone": _text_only(_yahoo),
    "Samsung": _old("-------- Original message --------", _EN.replace("Sent", "Date"), "Sent from my Galaxy"),
    "Orange": _old("> Message du 01/01/30 11:03", behind(_FR)),
    "GMX": _gmx,
    "Proton": _behind_all(f"Sent with Proton Mail secure email.\n\nOn Tuesday, 1 January 2030 at 11:03, {WHO} wrote:\n"),
    "K-9": _behind_all(f"-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n\n{_ON}"),
    "Notes": _behind_all(f"{WHO} wrote on 01/01/2030 11:03:14 AM:", "PB> "),
    "wraps what it quotes": _wraps_quotes,
    "wraps what it quotes, below": _wraps_quotes_above,
    "no marks at all": _unmarked,
    "a gateway": _converted,
}  # fmt: skip
"""Each writes one's own text and the letter that it answers as that program does."""


def reply(program: str, own: str, letter: Sent, chance: Random, sender: str = "ann@example.org") -> bytes:
    """Return a reply as a program sends it."""
    body, made = PROGRAMS[program](own, letter.text, chance), EmailMessage()
    made["From"], made["To"] = f"Ann <{sender}>", letter.reply_to
    made["Subject"] = f"{chance.choice(['Re', 'RE', 'Aw', 'Réf'])}: {letter.subject}"
    made["Message-ID"] = f"<{chance.randrange(10**12)}@mail.example>"
    made["In-Reply-To"] = made["References"] = f"<{letter.message_id}>"
    cte = chance.choice(["base64", "quoted-printable"])
    if body.text:
        made.set_content(body.text, cte=cte)
        if body.flowed:
            made.set_param("format", "flowed")
    if body.page:
        page = (
            f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>{body.page}</html>'
        )
        if body.text:
            made.add_alternative(page, subtype="html", cte=cte)
        else:
            made.set_content(page, subtype="html", cte=cte)
    return made.as_bytes()
