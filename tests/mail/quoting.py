"""Replies as mail programs write them: how each quotes a letter, in plain text and in HTML."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from html import escape

WHO, AT = "pbem <host@example.org>", "host@example.org"


def _behind(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _html(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


def _paragraphs(text: str) -> str:
    return "".join(f'<p class="MsoNormal">{escape(line) or "&nbsp;"}<o:p></o:p></p>\n' for line in text.split("\n"))


def _head(*names: str) -> str:
    values = (WHO, "Tuesday, 1 January 2030 11:03", "ann@example.org", "[pbem 3] Hammer of the Scots: your move")
    return "\n".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))


ENGLISH, FRENCH, GERMAN = (
    _head("From", "Sent", "To", "Subject"), _head("De", "Envoyé", "À", "Objet"), _head("Von", "Gesendet", "An", "Betreff"),
)  # fmt: skip

Shape = Callable[[str, str], str]
PLAIN: dict[str, Shape] = {
    "gmail": lambda own, letter: f"{own}\n\nOn Tue, Jan 1, 2030 at 11:03 AM {WHO} wrote:\n\n{_behind(letter)}\n",
    "gmail, wrapped": lambda own, letter: (
        f"{own}\n\nOn Tue, Jan 1, 2030 at 11:03 AM pbem of the club <\nhost@example.org>\nwrote:\n{_behind(letter)}\n"
    ),
    "gmail in French": lambda own, letter: (
        f"{own}\n\nLe mar. 1 janv. 2030 à 11:03, {WHO} a écrit :\n\n{_behind(letter)}\n"
    ),
    "gmail in German": lambda own, letter: (
        f"{own}\n\nAm Di., 1. Jan. 2030 um 11:03 Uhr schrieb {WHO}:\n\n{_behind(letter)}\n"
    ),
    "thunderbird": lambda own, letter: (
        f"On 01/01/2030 11:03, pbem wrote:\n{_behind(letter)}\n\n{own}\n\n-- \nAnn, Hill Street 5\n"
    ),
    "thunderbird in German": lambda own, letter: f"Am 01.01.30 um 11:03 schrieb pbem:\n{_behind(letter)}\n\n{own}\n",
    "thunderbird in French": lambda own, letter: f"Le 01/01/2030 à 11:03, pbem a écrit :\n{_behind(letter)}\n\n{own}\n",
    "apple": lambda own, letter: (
        f"{own}\n\nSent from my iPhone\n\n> On 1 Jan 2030, at 11:03, {WHO} wrote:\n> \n{_behind(letter)}\n"
    ),
    "apple in French": lambda own, letter: (
        f"{own}\n\nEnvoyé de mon iPhone\n\n> Le 1 janv. 2030 à 11:03, {WHO} a écrit :\n> \n{_behind(letter)}\n"
    ),
    "outlook": lambda own, letter: f"{own}\n\n{'_' * 32}\n{ENGLISH}\n\n{letter}\n",
    "outlook in French": lambda own, letter: f"{own}\n\n{'_' * 32}\n{FRENCH.replace(':', ' :')}\n\n{letter}\n",
    "outlook in German": lambda own, letter: f"{own}\n\n{GERMAN}\n\n{letter}\n",
    "outlook, each line apart": lambda own, letter: f"{own}\n\n{ENGLISH}\n\n{letter}\n".replace("\n", "\n\n"),
    "outlook in bold": lambda own, letter: (
        f"{own}\n\n{ENGLISH.replace('From:', '*From:*').replace('Sent:', '*Sent:* ').replace('To:', '*To:*')}\n\n{letter}\n"
    ),
    "outlook of long ago": lambda own, letter: f"{own}\n\n-----Original Message-----\n{ENGLISH}\n\n{letter}\n",
    "outlook of long ago in French": lambda own, letter: (
        f"{own}\n\n-----Message d'origine-----\n{FRENCH}\n\n{letter}\n"
    ),
    "outlook of long ago in German": lambda own, letter: (
        f"{own}\n\n-----Ursprüngliche Nachricht-----\n{GERMAN}\n\n{letter}\n"
    ),
    "outlook on a telephone": lambda own, letter: (
        f"{own}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{'_' * 32}\n{ENGLISH}\n\n{letter}\n"
    ),
    "a telephone": lambda own, letter: (
        f"{own}\n\nSent from my Galaxy\n\n-------- Original message --------\nFrom: {WHO}\nDate: 01/01/2030 11:03 (GMT+00:00)\n"
        f"To: ann@example.org\nSubject: your move\n\n{letter}\n"
    ),
    "yahoo": lambda own, letter: (
        f"{own}\n\n    On Tuesday, January 1, 2030 at 11:03:00 AM GMT+1, {WHO} wrote:  \n \n "
        + letter.replace("\n", "\n ")
    ),
    "proton": lambda own, letter: (
        f"{own}\n\nSent with Proton Mail secure email.\n\nOn Tuesday, 1 January 2030 at 11:03, {WHO} wrote:\n\n{_behind(letter)}\n"
    ),
    "proton of long ago": lambda own, letter: (
        f"{own}\n\n------- Original Message -------\nOn Tuesday, January 1st, 2030 at 11:03, {WHO} wrote:\n\n{letter}\n"
    ),
    "notes": lambda own, letter: f"{own}\n\n{WHO} wrote on 01/01/2030 11:03:14 AM:\n\n{letter}\n",
    "another language": lambda own, letter: (
        f"{own}\n\nЛист: відповідь\n{_head('Від', 'Надіслано', 'Кому', 'Тема')}\n\n{letter}\n".replace(
            "Лист: відповідь\n", ""
        )
    ),
    "initials": lambda own, letter: f"{own}\n\n" + "\n".join(f"PB> {line}" for line in letter.split("\n")),
    "bars": lambda own, letter: f"{own}\n\n" + "\n".join(f"| {line}" for line in letter.split("\n")),
}
"""What stands in the text of a reply, from what its writer wrote and the letter that he answers."""

PAGES: dict[str, Shape] = {
    "gmail": lambda own, letter: (
        f'<div dir="ltr">{_html(own)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f"On Tue, Jan 1, 2030 at 11:03 AM {escape(WHO)} wrote:<br></div>"
        f'<blockquote class="gmail_quote" style="margin:0">{_html(letter)}</blockquote></div>'
    ),
    "gmail, without a blockquote": lambda own, letter: (
        f'<div>{_html(own)}</div><div class="gmail_quote">{_html(letter)}</div>'
    ),
    "gmail with a signature": lambda own, letter: (
        f'<div>{_html(own)}<div><br></div><div class="gmail_signature" data-smartmail="gmail_signature">'
        "<div>Ann, Hill Street 5</div></div>"
        f'</div><div class="gmail_quote"><blockquote class="gmail_quote">{_html(letter)}</blockquote></div>'
    ),
    "apple": lambda own, letter: (
        f'<body>{_html(own)}<div><br><blockquote type="cite">{_html(letter)}</blockquote></div></body>'
    ),
    "thunderbird": lambda own, letter: (
        f'<div class="moz-cite-prefix">Il y a longtemps, quelqu’un :<br></div><blockquote type="cite" cite="mid:1@x">'
        f"{_html(letter)}</blockquote>{_html(own)}"
    ),
    "yahoo": lambda own, letter: (
        f'<div class="ydp1yahoo-style-wrap">{_html(own)}</div>'
        f'<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted">{_html(letter)}</div>'
    ),
    "proton": lambda own, letter: (
        f'{_html(own)}<div class="protonmail_quote">On Tuesday, someone wrote:<br>{_html(letter)}</div>'
    ),
    "gmx": lambda own, letter: (
        f'{_html(own)}<div><div name="quote" style="margin:10px 5px">{_html(letter)}</div></div>'
    ),
    "outlook in the web": lambda own, letter: (
        f'{_html(own)}<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font><b>Von:</b> pbem</font></div><div>{_html(letter)}</div>'
    ),
    "outlook": lambda own, letter: (
        f'<div class="WordSection1">{_paragraphs(own)}<div>'
        f"<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>"
        f"<b>Odosielateľ:</b> pbem</p></div></div>{_paragraphs(letter)}</div>"
    ),
    "outlook, without its line": lambda own, letter: (
        f'<div class="WordSection1">{_paragraphs(own)}'
        f"<p><b>From:</b> pbem<br><b>Sent:</b> today<br><b>To:</b> Ann<br><b>Subject:</b> x</p>{_paragraphs(letter)}</div>"
    ),
    "outlook on a telephone": lambda own, letter: (
        f'{_html(own)}<div id="ms-outlook-mobile-signature">Get Outlook for iOS</div>'
        f'<div id="mail-editor-reference-message-container">{_html(letter)}</div>'
    ),
    "hotmail": lambda own, letter: f'{_html(own)}<hr id="stopSpelling">Date: today<br>{_html(letter)}',
}
"""The same in HTML."""


def reply(
    own: str,
    letter: str,
    text: str = "",
    page: str = "",
    sender: str = "ann@example.org",
    subject: str = "Re: your move",
) -> bytes:
    """Return a reply as the program `text` writes it, as `page`, or in both forms."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, AT, subject
    made["Message-ID"] = f"<{len(text)}.{len(page)}.{len(own)}.{abs(hash((text, page))) % 10**9}@ann.example>"
    if text:
        made.set_content(PLAIN[text](own, letter))
        if page:
            made.add_alternative(PAGES[page](own, letter), subtype="html")
    else:
        made.set_content(PAGES[page](own, letter), subtype="html")
    return made.as_bytes()
