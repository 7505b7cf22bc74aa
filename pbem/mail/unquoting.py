"""The text that a reply's writer wrote: without the quoted letter, attribution lines and signatures.

Mail programs quote in many ways. A quotation may be after `>` or in a container of HTML (`text.plain` writes `>` for it). It may be
below a header block as in Outlook, below “Original Message”, or below an attribution line. `own_part` cuts all quotations off, and
everything from the line that asks for answers above it. `ours_among` finds quotations without marks: lines of the letter that the
mail answers. Each function reads each character a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .above import cut_at, is_cut_line
from .wraps import QUOTED, goes_on, left_over

_FROM = re.compile(
    r"[\s*_]*(?:from|de|von|da|van|fr[åa]n?|od|exp[ée]diteur|absender|remitente|mittente|afzender|от|від|felad[óo])[\s*_]*[:：]",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"[\s*_]*(sent|date|to|cc|subject|reply-to|importance|envoy[ée](?: le)?|[àa]|objet|r[ée]pondre [àa]|gesendet(?: am)?|an|betreff"
    r"|datum|antwort an|enviad[oa](?: el)?|fecha|para|asunto|assunto|inviato|data|oggetto|verzonden|aan|onderwerp|skickat|till"
    r"|[äa]mne|sendt|til|emne|wys[łl]ano|do|temat|отправлено|дата|кому|копия|тема|надіслано|копія|odesl[áa]no|komu|p[řr]edm[ěe]t|k[üu]ldve|c[íi]mzett"
    r"|t[áa]rgy)[\s*_]*[:：]",
    re.IGNORECASE,
)
_ANY_FIELD = re.compile(r"[\s*_]*[^\W\d][\w .'’-]{0,24}[\s*_]*[:：]\s*\S")
_OF_A_MAIL = re.compile(r"[^\s@]@[^\s@]|\[pbem\b", re.IGNORECASE)
_DIVIDED = re.compile(
    r"\s*[-_=*–—]{2,}\s*\S[^\n]{0,80}?(?:messag|nachricht|mensaje|mensagem|bericht|meddel|besked|wiadomo|e-?mail|courriel)[^\n]{0,40}?"
    r"[-_=*–—]{2,}\s*",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"\s*(?:begin forwarded message|d[ée]but du message (?:transf[ée]r[ée]|r[ée]exp[ée]di[ée])"
    r"|anfang der weitergeleiteten (?:nachricht|e-?mail))\s*:\s*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[^\s<>@]@[^\s<>@]")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d\d\b")
_WROTE = re.compile(
    r"\b(?:wrote|writes|[ée]crit|schrieb|schreibt|escribi[óo]|scritto|schreef|escreveu|skrev|napisa[łl]|написала?|написав|пишет?)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"\s*(?:on|le|am|el|il|op|em|den|w dniu|dne)\s", re.IGNORECASE)
_RULED = re.compile(r"[-_=*–—\s]+")
_BY_PROGRAM = re.compile(
    r"(?:sent|written|typed) (?:from|with|using|via|by) .{2,60}|get outlook for .{2,40}|download outlook .{2,40}"
    r"|envoy[ée]e? (?:de|depuis|[àa] partir|avec|par|via|du) .{2,60}|(?:obtenez|t[ée]l[ée]charge[rz]?) outlook .{2,40}"
    r"|provenance ?: .{2,60}"
    r"|von mein.{2,50} gesendet|gesendet (?:von|mit|aus|[üu]ber|vom) .{2,60}|holen sie sich outlook .{2,40}"
    r"|diese nachricht wurde von .{2,60} gesendet|outlook f[üu]r .{2,30} (?:herunterladen|beziehen)",
    re.IGNORECASE,
)
"""What programs of telephones write below each mail."""

_NO_LETTERS = re.compile(r"[\W_]+")
_LONG = 300
"""No line that says where a quotation begins is longer."""
_ATTRIBUTION = 4
"""The maximum number of lines into which an attribution line is wrapped."""
_COLONS = (":", "\N{FULLWIDTH COLON}")
_HEAD = 10
"""The number of lines of a header block that are examined."""
_PIECES, _MERGED = 24, 74
"""The minimum number of letters and digits in two lines that are pieces of a letter, and in one line that joins several."""


def own_part(text: str, page: str = "", *, unwrapped: bool = False) -> str:
    """Return the lines that the writer of a mail wrote, in their layout.

    `page` is the same mail's HTML. If it keeps only a part of the plain text's lines, it knows better which lines are quoted.
    `unwrapped`: if both keep the same text, use the HTML's lines if they are fewer, because programs wrap plain text; and a move
    that was wrapped before its `>` continues.

    >>> own_part("STATUS\\n\\nFrom: pbem\\nSent: Tuesday\\nTo: Ann\\nSubject: your move\\n\\nBATTLE Annan: Bruce FIRE")
    'STATUS'
    """
    own = _cut(text, unwrapped=unwrapped)
    if page and page.strip():
        shown = _cut(page, unwrapped=unwrapped)
        if letters_alone(shown) != letters_alone(own) and letters_alone(shown) in letters_alone(own):
            return shown
        if unwrapped and letters_alone(shown) == letters_alone(own) and _count(shown) < _count(own):
            return shown
    return own


def letter_lines(*texts: str) -> list[str]:
    """Return the lines of letters as `ours_among` compares them: letters and digits alone, each line once."""
    return list(dict.fromkeys(bare for text in texts for line in text.split("\n") if (bare := letters_alone(line))))


def ours_among(own: str, letters: Sequence[str], *, joined: bool = True) -> str:
    """Return the first of two adjacent lines of `own` that are also lines of a letter, or "" without such lines.

    `letters` are the lines that `letter_lines` returns. Programs wrap and join lines, so two lines that are pieces of a letter
    count too. With `joined`, so does one line that is longer than any line of ours.
    """
    lines, whole = set(letters), "".join(letters)
    said = [(line.strip(), bare) for line in own.split("\n") if (bare := letters_alone(line))]
    for (line, bare), (_next, following) in zip(said, [*said[1:], ("", "")], strict=False):
        pair = following and len(bare + following) >= _PIECES and bare + following in whole
        if pair or (bare in lines and following in lines) or (joined and len(bare) >= _MERGED and bare in whole):
            return line
    return ""


def _count(text: str) -> int:
    """How many lines say something?"""
    return sum(bool(line.strip()) for line in text.split("\n"))


def letters_alone(text: str) -> str:
    """Return the letters and digits of a text, in one case: what of a line no program changes."""
    return _NO_LETTERS.sub("", text.casefold())


def _cut(text: str, *, unwrapped: bool = False) -> str:
    lines = text.split("\n")
    lines = lines[: cut_at(lines)]
    kept: list[str] = []
    quoted = False
    pieces = left_over(lines) if ">" in text or "|" in text else set()
    for at, line in enumerate(lines):
        if line.strip() == "--":
            break
        before, quoted = quoted, at in pieces or bool(QUOTED.match(line))
        if unwrapped and quoted and kept and kept[-1] == lines[at - 1] and goes_on(lines, at):
            kept[-1:] = [f"{kept[-1].rstrip()} {line.strip()}"]
            quoted = False
        elif quoted:
            if not before:
                _drop_last(kept, _BY_PROGRAM)
        elif _begins_a_letter(lines, at):
            break
        elif wrapped := _attribution(kept, line) or _names_our_letter(lines, at):
            del kept[len(kept) + 1 - wrapped :]
            if not _is_quoted_below(lines, at):
                break
            _drop_last(kept, _BY_PROGRAM)
        else:
            kept.append(line)
    _drop_last(kept, _RULED)
    _drop_last(kept, _BY_PROGRAM)
    return "\n".join(kept).strip("\n")


def _drop_last(lines: list[str], what: re.Pattern[str]) -> None:
    """Drop empty lines at the end, and the last line where it is `what`."""
    while lines and not lines[-1].strip():
        lines.pop()
    if lines and what.fullmatch(lines[-1].strip()):
        lines.pop()


def _is_quoted_below(lines: Sequence[str], at: int) -> bool:
    """Return whether the next non-empty line has a quote mark."""
    at += 1
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at == len(lines) or bool(QUOTED.match(lines[at]))


def _names_our_letter(lines: Sequence[str], at: int) -> bool:
    """Return whether a line that ends with a colon is above a letter of ours that is quoted from its first line on.

    This is how programs attribute a quotation in any language.
    """
    below = (line.lstrip(">| \t") for line in lines[at + 1 : at + _HEAD] if QUOTED.match(line) or line.strip())
    return lines[at].rstrip().endswith(_COLONS) and is_cut_line(next(filter(None, below), ""))


def _begins_a_letter(lines: Sequence[str], at: int) -> bool:
    """Does a letter begin here that is quoted without marks: by “Original Message”, or “From: … Sent: … Subject: …”?"""
    line = lines[at]
    if len(line) < _LONG and (_DIVIDED.fullmatch(line) or _FORWARDED.fullmatch(line)):
        return True
    if _FROM.match(lines[at]):
        below = lines[at + 1 : at + 1 + _HEAD]
        named = {found[1].casefold(): no for no, line in enumerate(below) if (found := _FIELD.match(line))}
        return len(named) > 1 and min(named.values()) < 4
    block = lines[at : at + 3]
    return len(block) == 3 and all(map(_ANY_FIELD.match, block)) and any(map(_OF_A_MAIL.search, block))


def _attribution(kept: Sequence[str], line: str) -> int:
    """Return the number of lines, this one the last, of the attribution of the quotation below; 0 without an attribution."""
    if not line.rstrip().endswith(_COLONS):
        return 0
    said, found = "", 0
    for no, piece in enumerate([line, *reversed(kept[-_ATTRIBUTION + 1 :])], 1):
        if not piece.strip() or len(piece) > _LONG:
            break
        said = f"{piece} {said}"
        dated, wrote = _DATE.search(said), _WROTE.search(said)
        begins = _BEGINS.match(piece)
        if begins and dated and wrote:
            return no
        if not found and _ADDRESS.search(said) and (dated or wrote):
            found = no
    return found
