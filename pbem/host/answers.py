"""The meaning of the player's own lines in a reply: an order, commands, something unreadable, or nothing.

`read_answer` is a function of these lines and of the question. It knows no store and no clock, so an audit that reads the mail
again must get the same result. An order that nobody meant is worse than a refusal; hence:

- a number of the list counts alone on its line, or with the beginning of its line; a courtesy may follow;
- an order begins with its word, written in full, or with a name and a sign that only orders have (`Fife: all > Angus`);
- a line that begins so and cannot be read refuses the whole mail; all such lines are named, and no part of the mail is carried
  out;
- `1: 2` answers for the first of several parts, `UNTIL ROUND 3` sets a condition that the letter offers, `AHEAD …` is a premove;
- other lines are skipped and reported as not read; a line that asks (`2?`) orders nothing;
- some lines refuse the mail as well: a line that may retract an answer or set a condition (`no, 3`, `but only if …`), and a number
  that may be the end of the sentence above it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple, Protocol

from pbem.errors import OrderError
from pbem.games import GamePack
from pbem.i18n import ENGLISH, _, speaking
from pbem.kernel import Planning, View, tidy
from pbem.kernel.digits import whole
from pbem.mail.courtesies import COURTESY, SIGNS_OFF, without_courtesies
from pbem.mail.unquoting import letter_lines, letters_alone, ours_among
from pbem.records import dataclass

from .besides import Besides
from .order_words import CAPITALS, WORD, OrderWords


class NumberedChoice(Protocol):
    """One line of the numbered list: what `pbem.reports.choices` makes."""

    @property
    def order(self) -> str:
        """The canonical text of the order."""

    @property
    def words(self) -> str:
        """The answer in one line."""

    @property
    def plans(self) -> str:
        """Canonical plans that go with it."""


class Bad(NamedTuple):
    """A line that seems to order something and cannot be read, and why not, as a sentence."""

    line: str
    why: str

    def __str__(self) -> str:
        return _("“{line}”: {why}", line=self.line, why=self.why) if self.line else self.why


class Wish(NamedTuple):
    """A request to the host on a line: its word in English capitals, and the rest of the line."""

    word: str
    rest: str = ""


@dataclass(frozen=True)
class AskedByMail:
    """What a reply answers: the question as its seat saw it (None: nothing is asked any more), and the numbered list of the letter.

    The list is () where the mail brings no code of the question: then no number counts. `letter` is the text of the letter that is
    answered, "" where that is not at hand.
    """

    pack: GamePack
    view: View | None
    choices: Sequence[NumberedChoice] = ()
    language: str = ENGLISH
    letter: str = ""
    marks: Mapping[str, int] = field(default_factory=dict)
    """For which marks orders may be sent ahead, by the names of their questions."""


@dataclass(frozen=True, slots=True)
class AnswerRead:
    """The result of reading: the canonical order ("" for none), plans, commands, lines that refuse the mail, unread lines.

    If anything is `bad`, nothing else counts. `press` are words for other players; `to` is the receiving seat, or "" for all.
    """

    order: str = ""
    plans: str = ""
    commands: tuple[Wish, ...] = ()
    bad: tuple[Bad, ...] = ()
    unread: tuple[str, ...] = ()
    press: str = ""
    to: str = ""
    ahead: tuple[tuple[int, str], ...] = ()
    """Orders for questions to come: canonical texts, each with its mark."""

    @property
    def refused(self) -> bool:
        """Is the whole mail refused?"""
        return bool(self.bad)

    @property
    def says(self) -> bool:
        """Does it order or ask anything?"""
        return bool(self.order or self.commands or self.press or self.ahead) and not self.bad


_MOMENT = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|tomorrow|demain|noon|midi"
    r"|midnight|minuit|jan(?:uary|vier)?|feb(?:ruary)?|f[ée]vrier|mar(?:ch|s)|apr(?:il)?|avril|may|mai|june?|juin|july?|juillet"
    r"|aug(?:ust)?|ao[ûu]t|sep(?:t(?:emb(?:er|re))?)?|oct(?:ob(?:er|re))?|nov(?:emb(?:er|re))?|dec(?:ember)?|d[ée]cembre"
    r"|next|prochain|at|the|le|[àa]|of|am|pm|\d{1,4}(?:st|nd|rd|th|er|h|am|pm)?|\d{1,4}(?:[-:./h]\d{1,2}){1,2}Z?)"
)
"""A word of a day or a time."""
_COMMANDS: Mapping[str, str] = {
    "UNDO": r"UNDO|ANNULER",
    "UNTIL": rf"(?:UNTIL|JUSQU'[ÀA]U?)\s+(?P<rest>{_MOMENT}(?:,?\s+{_MOMENT}){{0,5}})",
    "RESIGN": r"RESIGN|ABANDONNER",
    "OFFER DRAW": r"OFFER\s+(?:A\s+)?DRAW|PROPOSER\s+(?:LA\s+|UNE\s+)?NULLE",
    "CLAIM": r"CLAIM|R[ÉE]CLAMER",
    "AWAY": r"(?:AWAY|ABSENT)\s+(?:FOR\s+)?(?P<rest>\d{1,3})\s+(?:DAYS?|JOURS?)",
    "ZONE": r"(?:ZONE|FUSEAU)\s+(?P<rest>[A-Z][A-Z0-9_+/-]{1,39})",
    "ADDRESS": r"ADD?RESSE?\s+<?(?P<rest>[^\s<>@]+@[^\s<>@]+?)>?",
    "HELP": r"HELP|AIDE",
    "STATUS": r"STATUS|[ÉE]TAT",
    "BOARD": r"BOARD|PLATEAU",
    "RESEND": r"(?:RESEND|RENVOYER)(?:\s+(?:SINCE\s+|DEPUIS\s+)?(?P<rest>\d{1,9}))?",
    "UNSUBSCRIBE": r"UNSUBSCRIBE|D[ÉE]SABONNER",
    "PICTURES": r"PICTURES\s+(?P<rest>ON|SMALL|OFF)",
    "LANGUAGE": r"(?:LANGUAGE|LANGUE)\s+(?P<rest>[A-Z]{2,3}(?:[-_][A-Z]{2,4})?)",
    "CONFIRM": r"(?:CONFIRM|CONFIRMER)\s+(?P<rest>[0-9A-F]{32})",
    "AGAIN": r"AGAIN|REVANCHE",
}  # fmt: skip
"""The words that count alone on a line, in English and French.

`DRAW`, `YES`, `NO`, `LEAVE`, `WATCH`, `WITHDRAW`, `JOIN 3`, `OK` and `SAME` are excluded: games, the club and the buttons of
telephones use them for other purposes.
"""
EXAMPLES: Mapping[str, tuple[str, str]] = {
    "UNDO": ("UNDO", "ANNULER"), "RESIGN": ("RESIGN", "ABANDONNER"),
    "OFFER DRAW": ("OFFER DRAW", "PROPOSER NULLE"), "CLAIM": ("CLAIM", "RÉCLAMER"), "AWAY": ("AWAY 3 DAYS", "ABSENT 3 JOURS"),
    "ZONE": ("ZONE Europe/Paris", "FUSEAU Europe/Paris"), "ADDRESS": ("ADDRESS ann@example.net", "ADRESSE ann@example.net"),
    "HELP": ("HELP", "AIDE"), "STATUS": ("STATUS", "ÉTAT"), "BOARD": ("BOARD", "PLATEAU"), "RESEND": ("RESEND 17", "RENVOYER 17"),
    "UNSUBSCRIBE": ("UNSUBSCRIBE", "DÉSABONNER"), "PICTURES": ("PICTURES OFF", "PICTURES OFF"),
    "LANGUAGE": ("LANGUAGE fr", "LANGUE fr"), "AGAIN": ("AGAIN", "REVANCHE"),
}  # fmt: skip
"""How each may be written, in English and in French."""
_PLEASE = r"(?:PLEASE,?\s+)?(?:{})(?:,?\s+(?:PLEASE|PLS|SVP|STP|S'IL (?:VOUS|TE) PLA[IÎ]T))?\s?[.!]{{0,3}}"
_READ = {word: re.compile(_PLEASE.format(form), re.IGNORECASE) for word, form in _COMMANDS.items()}
_PRESS = re.compile(r"(?:PRESS|PRESSE)(?:\s+(?:TO|[ÀA]))?(?:\s+(?P<to>[a-z][a-z0-9_]{0,39}))?\s*[.:]?", re.IGNORECASE)
_ALONE = ("UNDO", "RESIGN", "OFFER DRAW", "CLAIM")
"""Commands that no order goes with."""
_YES = re.compile(r"(?P<yes>YES|OUI)(?P<always>,?\s+(?:ALWAYS|TOUJOURS))?|(?P<no>NO|NON)", re.IGNORECASE)
_ENDS = ("END", "FIN", "SIGNOFF")
_NUMBER = re.compile(r"\(?\s?#?([0-9]{1,9})(?!\d)\s?[).:,-]{0,2}\s*(.*)")
_SAYS_NOTHING = re.compile(r"[\s.!,:;()-]*")
"""The characters that may follow a number, apart from words: punctuation or a smiley."""
_INSTEAD = re.compile(
    r"(?:n't|\b(?:actually|rather|instead|i mean|make (?:it|that)|correction|oops|not|plut[ôo]t|en fait|finalement|pas|lieber|doch"
    r"|nicht|sondern)\b|^(?:no|sorry|or|but|except|non|pardon|ou|mais|sauf|nein|oder)\b)[\s,.:;-]*"
    r"(?:(?:please|take|play|use|do|number|option|choice|the|le|la|prends|joue|num[ée]ro|nummer|die|das|plut[ôo]t|rather|lieber|#)[\s,.:;-]*)"
    r"{0,3}[1-9]\b",
    re.IGNORECASE,
)
"""A number that replaces another, or that is not meant."""
_BACK = re.compile(
    r"(?:no,? |non,? |nein,? )?(?:wait|hold on|scratch|forget|ignore|disregard|cancel|correction|stop|oubli|annule|attend|stopp"
    r"|halt|vergiss|vergessen)",
    re.IGNORECASE,
)
"""How a line begins that takes something back."""
_IF = re.compile(
    r"(?:but |mais |aber )?(?:only|if|unless|provided|except|as long as|si|sauf|seulement|[àa] condition|wenn|falls|nur)\b",
    re.IGNORECASE,
)
"""The beginning of a line that sets a condition for the line above it."""
_NEGATES = re.compile(
    r"\b(?:not|never|don'?t|but|except|instead of|pas|jamais|sauf|nicht|kein\w*|niemals)\b", re.IGNORECASE
)
_DIGIT = re.compile("[0-9]")
_BULLET = re.compile(r"^(?:[-*•·–]\s+)+")
_EMPHASIS = re.compile(r"(?:^|(?<=[^\w*_]))([*_]{1,3})(?=\S)(.{0,200}?\S)\1(?![\w*_])")
"""How programs write bold letters in plain text."""
_ARROW = re.compile("[-=]*>")
_TELEPHONE = re.compile(r"[+(]?[0-9][0-9 ()./+-]{5,20}[0-9]")
"""Groups of digits that are not a number of the list, even if the first group is one."""
_WHOLE = re.compile(r"(?:PLAN|AHEAD)\b", re.IGNORECASE)
"""What one line says that has semicolons of its own."""
_EVERYDAY = frozenset(("DONE", "NOTHING", "RETURN", "NO", "YES", "NOW", "LATER", "FINE", "SAME", "OK"))
"""Orders of one word that people also write to each other: they count in capitals alone."""
_SHOUTED = frozenset(
    ("PS", "OK", "FYI", "LOL", "NB", "BTW", "IMO", "IMHO", "AFAIK", "TBH", "THANKS", "HI", "HELLO", "BONJOUR")
)
"""Words in capitals with which no order begins."""
_FULL = 4
"""The minimum number of letters of an abbreviated order word, if the line can be read."""
_FEW = 6
"""A telephone has more digits."""
_PICTURES = 0x2000
"""Letters of their kind below that are signs, such as that of a degree."""
_SENTENCE = 40
"""The minimum number of letters of a line without a full stop that may continue in the next line."""
_WIDE = 40
"""The minimum number of letters of a line that a mail program may have folded."""


def read_yes(own: str) -> str:
    """Return what the lines of one's own in the reply to a YES letter say: "yes", "always", "no", or "".

    >>> read_yes("Yes.\\n\\nAnn"), read_yes("YES ALWAYS"), read_yes("Oui, merci"), read_yes("Yes, but not that one"), read_yes("no")
    ('yes', 'always', 'yes', '', 'no')
    """
    said = {
        "always" if found["always"] else "yes" if found["yes"] else "no"
        for line in own.split("\n")
        if (found := _YES.fullmatch(_without_courtesy(_plain(line))))
    }
    return said.pop() if len(said) == 1 else ""


def read_answer(own: str, asked: AskedByMail) -> AnswerRead:
    """Read the player's own lines as the answer to a question. Faults are explained in the language of the seat."""
    with speaking(asked.language):
        reader = _AnswerReader(asked)
        if line := reader.ours_in(own):
            why = _("I cannot tell your words from mine; write above the line.")
            return AnswerRead(bad=(Bad(line.strip()[:72], why),))
        return reader.read(own)


def _plain(line: str) -> str:
    """A line as it is compared: without marks of lists and of emphasis, and without pictures at its ends."""
    said = " ".join(tidy(line).replace("\ufe0f", "").replace("\u20e3", "").split())
    said = _EMPHASIS.sub(r"\2", _BULLET.sub("", said))
    while said and (said[-1] in "*_~" or _is_picture(said[-1])):
        said = said[:-1].rstrip()
    return said


def _is_picture(letter: str) -> bool:
    return ord(letter) >= _PICTURES and unicodedata.category(letter) in ("So", "Sk", "Cn", "Co")


def _without_courtesy(said: str) -> str:
    """A line without the courtesies and full stops at its end."""
    while True:
        bare = said.rstrip(" .!,-:)" if said.count("(") < said.count(")") else " .!,-:")
        at = max((found.start() for found in COURTESY.finditer(bare) if found.end() == len(bare)), default=-1)
        if at <= 0 or bare[at - 1].isalnum():
            return bare or said
        said = bare[:at]


class _Piece(NamedTuple):
    """One of the player's own lines: as written, as normalised for comparison, and its apparent kind."""

    line: str
    said: str
    kind: str
    """`number`, `order`, `plan`, `prose`, `bad` …"""


class _AnswerReader:
    """Reads the lines of one answer."""

    def __init__(self, asked: AskedByMail) -> None:
        self.asked, self.view, self.pack = asked, asked.view, asked.pack
        self.words = OrderWords(asked.pack, asked.view, asked.language, [one.order for one in asked.choices])
        self.besides = Besides(asked.pack, asked.view, asked.letter if asked.choices else None)
        self.commands: list[Wish] = []
        self.numbers: list[tuple[str, int]] = []
        self.orders: list[str] = []
        self.typed: list[str] = []
        """The orders as they were typed."""
        self.plans: list[str] = []
        self.pairs: list[str] = []
        self.conditions: list[str] = []
        """Lines that say something by the numbers of pieces, or set a condition."""
        self.bad: list[Bad] = []
        self.unread: list[str] = []
        self.press, self.to = "", ""
        self.signed_off = False
        self.of_the_end: set[str] = set()
        """The lines below the end of the letter."""
        self.before, self.below = "", ""
        """The line right above the one that is read, "" below an empty one; and that above it where it was an answer."""

    def ours_in(self, own: str) -> str:
        """Return a line that shows that lines of the letter are among one's own; "" without one.

        A number with the whole line behind it is copied from the list on purpose; it shows nothing, nor does a line of an order.
        """
        letter = letter_lines(self.asked.letter) if self.asked.letter else []
        lines = ["" if self._is_a_clause(line, letter) else line for line in own.split("\n")]
        without = "\n".join("" if self._is_of_the_list(line) else line for line in lines)
        return ours_among("\n".join(lines), letter, joined=False) or ours_among(without, letter)

    def _is_a_clause(self, line: str, letter: Sequence[str]) -> bool:
        """Return whether a line begins an order and is not in the letter. The list shows an order of several lines in one line."""
        said = _plain(line)
        return self._begins(said) and not _NUMBER.match(said) and letters_alone(said) not in letter

    def _is_of_the_list(self, line: str) -> bool:
        found = _NUMBER.fullmatch(_plain(line))
        number = whole(found[1]) or 0 if found else 0
        return found is not None and 0 < number <= len(self.asked.choices) and self._is_with_its_line(found[2], number)

    def read(self, own: str) -> AnswerRead:
        """Read all lines."""
        for line in self._lines(own):
            answers = self._answers
            self._take(line)
            self.below = line if self._answers > answers else ""
            self.before = line
        order, plans = self._order() if self.view is not None else ("", "")
        later = self._sent_ahead()
        if (order or self.plans or later) and (alone := [one.word for one in self.commands if one.word in _ALONE]):
            self.bad.append(Bad(alone[0], _("This goes with no order in the same mail.")))
        if self.bad:
            return AnswerRead(bad=tuple(dict.fromkeys(self.bad)), unread=tuple(self.unread))
        unread, commands = self.unread, tuple(dict.fromkeys(self.commands))
        if order or commands or later:
            said = [line for line in unread if line not in self.of_the_end]
            unread = without_courtesies(said, self.before)
        return AnswerRead(order, plans, commands, (), tuple(unread), self.press, self.to, later)

    @property
    def _answers(self) -> int:
        """The number of lines that have answered."""
        return len(self.numbers) + len(self.orders) + len(self.pairs) + len(self.conditions)

    # the lines

    def _lines(self, own: str) -> Iterator[str]:
        """Go through the lines that say something, up to END or PRESS; those that belong together as one."""
        raw = own.split("\n")
        at = 0
        while at < len(raw):
            line, said = raw[at], _plain(raw[at])
            at += 1
            if said.upper() in _ENDS or line.rstrip("\r\n") == "-- ":
                return
            if (found := _PRESS.fullmatch(said)) and not self._begins(said):
                self.press, self.to = "\n".join(raw[at:]).strip(), found["to"] or ""
                return
            if not said:
                self.before = self.below = ""
            if not said or (said.startswith("#") and not _DIGIT.match(said, 1)):
                continue
            if said.endswith(",") and len(said.split()) > 1 and self._begins(said):
                while said.endswith(",") and at < len(raw) and raw[at].strip():
                    said, at = f"{said} {_plain(raw[at])}", at + 1
            elif len(said) >= _WIDE and at < len(raw) and raw[at].strip() and self._begins(said):
                longer = f"{said} {_plain(raw[at])}"
                if not self._can_be_read(said) and self.words.can_be_read(_without_courtesy(longer)):
                    said, at = longer, at + 1
            if ";" in said and not _NUMBER.match(said) and not _WHOLE.match(said) and self._begins(said):
                yield from filter(None, map(_plain, said.split(";")))
            else:
                yield said

    def _take(self, said: str) -> None:
        """Note what a line says."""
        if said.upper().startswith("GAME ") and len(said.split()) == 2:
            return
        if command := _command(said):
            self.commands.append(command)
            return
        if SIGNS_OFF.fullmatch(said):
            self.signed_off = True
        if self.signed_off:
            self.of_the_end.add(said)
        if self.view is None:
            self.unread.append(said)
            return
        asks = said.rstrip(" .!)").endswith("?")
        if pairs := self.besides.pairs(_without_courtesy(said)):
            if why := self._of_another_line("", asks=asks, whole=self.below != "") or self.besides.choose(pairs):
                self.bad.append(Bad(said, why))
            self.pairs.append(said)
        elif self.besides.sets_condition(_without_courtesy(said)):
            self.conditions.append(said)
        elif (found := _NUMBER.fullmatch(said)) and not _is_telephone(said):
            self._number(said, found[1], found[2], asks=asks)
        elif kind := self._kind(said):
            if asks:
                self.bad.append(Bad(said, _("This asks something. Write the order without a question mark.")))
            elif kind == "plan":
                self.plans.append(_without_courtesy(said))
            else:
                self._order_line(said)
        else:
            self._prose(said)

    def _prose(self, said: str) -> None:
        """Note a line that orders nothing; one that may take an answer back, or put a condition to it, refuses the mail."""
        answered = self._answers
        if said.upper().startswith(("UNTIL ", "JUSQU'", "BIS ")) and answered:
            why = _(
                "This is not a condition that the letter offers. Choose a line of the list, or write a plan "
                "below the order, as PLAN …"
            )
            self.bad.append(Bad(said, why))
        elif answered and (_INSTEAD.search(said) or _BACK.match(said) or not said.strip("? ")):
            self.bad.append(Bad(said, _("This may take back what you have written. Write your answer alone.")))
        elif self.below and _IF.match(said):
            self.bad.append(Bad(said, _("Your answer cannot have a condition. Write it alone.")))
        else:
            self.unread.append(said)

    def _order_line(self, said: str) -> None:
        bare = _without_courtesy(said)
        if bare.split(" ")[0].upper() == "AHEAD":
            self.besides.later.append(self.words.translated(bare))
        elif not _ARROW.match(said):
            self.orders.append(self.words.translated(bare))
            self.typed.append(said)
        elif self.typed[-1:] == [self.before]:  # a program has wrapped a move before its arrow
            self.orders[-1] += self.words.translated(f" {bare}")
            self.typed[-1] = f"{self.typed[-1]} {said}"
        else:
            self.bad.append(Bad(said, _("This is only the end of a move. Write the whole move in one line.")))

    # numbers

    def _number(self, said: str, digits: str, rest: str, *, asks: bool) -> None:
        number, listed = whole(digits) or 0, self.asked.choices
        if not 1 <= number <= len(listed):
            if self.signed_off and len(digits) > 1 and rest:  # a street, a telephone
                self.unread.append(said)
                return
            why = _("A number counts only in a reply to the letter that lists it.")
            if listed:
                why = _("The list has the numbers 1 to {n}.", n=len(listed))
            self.bad.append(Bad(said, why))
        elif why := self._of_another_line(rest, asks=asks):
            self.bad.append(Bad(said, why))
        elif self._is_with_its_line(rest, number) and not said.lstrip("([#")[len(digits) :][:1].isalpha():
            self.numbers.append((said, number))
        else:
            why = _("The text after {n} differs from that line of the list. Write only the number.", n=number)
            self.bad.append(Bad(said, why))

    def _of_another_line(self, rest: str, *, asks: bool, whole: bool = True) -> str:
        """Why numbers may be no answer: they are asked about, or belong to other lines; "" where nothing speaks for that.

        `whole`: a short line above them is taken for whole, though it has no full stop.
        """
        if asks:
            return _("This asks something. Write the number alone.")
        if self._goes_on(_SENTENCE if whole else 1):
            return _("It may belong to the line above it. Write the number in the first line.")
        if self.signed_off and not rest:
            return _("The number is below the end of your letter. Write it in the first line.")
        return ""

    def _goes_on(self, least: int) -> bool:
        """May a line be the end of the sentence above it, or what that says no to?"""
        above = self.before
        ends = above[-1:] in tuple(".!?:;,)…") or not above
        return not ends and (len(above) >= least or bool(_NEGATES.search(" ".join(above.split()[-3:]))))

    def _is_with_its_line(self, rest: str, number: int) -> bool:
        """Return whether the text after a number is a courtesy, or the beginning of that line of the list and of no other."""
        bare = _tokens(_without_courtesy(f"0 {rest}"))[1:]
        if not bare:
            return bool(_SAYS_NOTHING.fullmatch(_without_courtesy(f"0 {rest}")[1:]))
        listed = self.asked.choices
        chosen = listed[number - 1]
        if any(_tokens(text)[: len(bare)] == bare for text in (chosen.words, chosen.order)):
            return True
        counts = any(_DIGIT.search(one.order) for one in listed)
        return not counts and _stand_in(bare, _tokens(chosen.words))

    # orders

    def _order(self) -> tuple[str, str]:
        """Return the order and the plans that the lines give, or note why there is none."""
        chosen = {self.asked.choices[number - 1] for _said, number in self.numbers}
        if len({number for _said, number in self.numbers}) > 1:
            why = _("This is another number of the list than the first. Write one.")
            self.bad += [Bad(said, why) for said, _number in self.numbers[1:]]
            return "", ""
        self._with_besides()
        if self.orders:
            why = _("This may be a part of your order, and it cannot be read. Nothing is half done.")
            self.bad += [Bad(line, why) for line in self.unread if self._may_order(line)]
        typed = self._parsed()
        plans = self._planned()
        if self.bad:
            return "", ""
        if not chosen:
            if plans and not typed:
                self.bad.append(Bad(self.plans[0], _("Plans must come with an order, but this mail has no order.")))
            return typed, plans
        (one,) = chosen
        if typed and typed != one.order:
            said = self.numbers[0][0]
            self.bad.append(
                Bad(self.typed[0], _("This is another order than {number}. Write one of them.", number=said))
            )
        if plans and one.plans:
            self.bad.append(Bad(self.plans[0], _("The line {n} of the list has plans already.", n=self.numbers[0][1])))
        return one.order, plans or one.plans

    def _with_besides(self) -> None:
        """Take the order that pieces or a condition make for one that was typed."""
        besides, several = self.besides, dict.fromkeys([*self.pairs[:1], *self.conditions])
        if len(several) + bool(self.orders) > 1:
            self.bad.append(Bad([*several][-1], _("This is a second answer. Write one.")))
        elif made := besides.by_pieces or besides.order:
            self.orders, self.typed = made.split("\n"), self.conditions[:1] or made.split("\n")
            self.plans += [besides.plans] if besides.plans else []

    def _sent_ahead(self) -> tuple[tuple[int, str], ...]:
        try:
            return self.besides.sent_ahead(self.asked.marks)
        except OrderError as error:
            lines = self.besides.later
            self.bad += [Bad(lines[max(1, problem.line) - 1], f"{problem.why}.") for problem in error.problems]
            return ()

    def _parsed(self) -> str:
        if not self.orders or self.view is None:
            return ""
        (first, *more), (said, *_more) = self.orders, self.typed
        typed = _without_courtesy(said)
        if not more and first.upper() in _EVERYDAY and (typed != typed.upper() or said[-1] == "!"):
            why = _("If you mean it as an order, write it in capitals: {word}.", word=typed.upper())
            self.bad.append(Bad(said, why))
            return ""
        try:
            order = self.pack.rules.parse(self.view, "\n".join(self.orders))
        except OrderError as error:
            for problem in error.problems:
                line = self.typed[problem.line - 1] if 0 < problem.line <= len(self.typed) else problem.read
                why = (
                    _("{why} (rule {rule}).", why=problem.why, rule=problem.rule) if problem.rule else f"{problem.why}."
                )
                self.bad.append(Bad(line, why))
            return ""
        if refusal := self.pack.rules.why_not(self.view, order):
            self.bad.append(Bad("; ".join(self.typed), f"{refusal.why}."))
            return ""
        return str(order)

    def _planned(self) -> str:
        if not self.plans:
            return ""
        if not isinstance(self.pack.rules, Planning):
            self.bad.append(Bad(self.plans[0], _("This game has no plans.")))
            return ""
        try:
            return self.pack.rules.read_plans("\n".join(self.plans))
        except OrderError as error:
            self.bad += [Bad(problem.read or self.plans[0], f"{problem.why}.") for problem in error.problems]
            return ""

    def _can_be_read(self, said: str) -> bool:
        return self.words.can_be_read(_without_courtesy(said))

    # what a line seems to be

    def _begins(self, said: str) -> bool:
        return bool(self.view is not None and self._kind(said))

    def _kind(self, said: str) -> str:
        """Return `order` or `plan` for a line that seems to be one, otherwise ""."""
        found = WORD.match(said.lstrip("(\"'"))
        if not found:
            words = WORD.findall(said)
            goes_on = bool(self.orders and words and _ARROW.match(said))
            return "order" if goes_on or (_ARROW.search(said) and any(map(self.words.is_name, words))) else ""
        word, words = found[0], WORD.findall(said)
        first, upper = self.words.translated(word).upper(), word.upper()
        if upper in ("PLAN", "AHEAD") and len(words) > 1 and (word == upper or ":" in said):
            return "plan" if upper == "PLAN" else "order"
        if first in self.words.verbs and (word == upper or not self.words.is_name(word) or self._can_be_read(said)):
            return "order"
        if len(words) == 1 and len(said.split()) == 1:
            return "order" if first in self.words.marks and self._can_be_read(said) else ""
        if len(upper) >= _FULL and any(verb.startswith(upper) for verb in self.words.verbs) and self._can_be_read(said):
            return "order"
        if _ARROW.search(said):
            return "order"
        if CAPITALS.fullmatch(word) and first in self.words.all and len(word) > 2:
            return "order"
        if first == "ALL":
            return (
                "order"
                if any(map(self.words.is_mark, map(self.words.translated, words[1:]))) and self._can_be_read(said)
                else ""
            )
        if not self.words.is_name(word) and upper not in self.words.marks:
            return ""
        others = [
            other
            for other in words[1:]
            if self.words.is_name(other) or self.words.is_mark(self.words.translated(other))
        ]
        return "order" if others or ":" in said or _DIGIT.search(said) else ""

    def _may_order(self, said: str) -> bool:
        """May a line beside orders be meant as one: by capitals in front, or by a name with a number, a colon or a mark?"""
        words = WORD.findall(said)
        if not words or said in self.of_the_end:
            return False
        shouted = bool(CAPITALS.fullmatch(words[0])) and words[0] not in _SHOUTED and len(words) > 1
        others = ":" in said or _DIGIT.search(said) or any(map(self.words.is_mark, map(self.words.translated, words)))
        return shouted or bool(any(map(self.words.is_name, words)) and others)


def _is_telephone(said: str) -> bool:
    return bool(_TELEPHONE.fullmatch(said)) and len(_DIGIT.findall(said)) > _FEW


def _tokens(text: str) -> list[str]:
    """Return the words and numbers of a text, in small letters."""
    return re.findall(r"[^\W\d_]+|\d+", tidy(text).casefold())


def _stand_in(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether these words, without a number, occur in a row in `others`."""
    rows = (others[at : at + len(words)] for at in range(len(others)))
    return all(map(str.isalpha, words)) and any(row == words for row in rows)


def _command(said: str) -> Wish | None:
    for word, form in _READ.items():
        if found := form.fullmatch(said):
            return Wish(word, (found.groupdict().get("rest") or "").rstrip(" .!"))
    return None
