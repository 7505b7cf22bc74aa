"""The reader in shadow: answers of whole games, written as replies, sent by mail programs, read by the product, compared.

Built-in players say what is meant. `python -m bench.replies` prints the figures. What counts: orders that nobody meant,
of which there must be none; and replies in the forms that a letter asks for which were refused, or in which no order was found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from pbem.host.answers import AnswerRead, AskedByMail, read_answer
from pbem.host.besides import marks_behind
from pbem.host.codes import code_for
from pbem.i18n import speaking
from pbem.kernel import Planning, read_ahead
from pbem.ledger.chains import Root
from pbem.mail import read_message
from pbem.mail.above import cut_line
from pbem.mail.address import reply_address
from pbem.mail.letter import fold_lines
from pbem.reports.answering import answered_by
from pbem.reports.choices import Choice, choices
from pbem.reports.report import Ways
from pbem.reports.text import wrap
from tests.corpora import messages

from . import people
from .programs import HOST, PROGRAMS, Sent, reply
from .questions import Answered, answered

GAMES, LANGUAGES = ("hammer", "lords", "swords"), ("en", "fr")
ROOT, G = Root(b"r" * 32), "3f29c1d0" * 8
UNTIL = {
    "en": (
        "UNTIL one of mine is at 1",
        "until any of my blocks is down to 1",
        "UNTIL LOST 3",
        "Until I have lost 2 steps",
    ),
    "fr": (
        "JUSQU’À CE QUE l’un des miens soit à 1",
        "jusqu'à ce que l'un des miens soit à 1",
        "JUSQU’À 3 crans perdus",
    ),
}
"""Conditions as people set them."""


@dataclass
class Figures:
    """What came of many replies: how many there were, and those that were not read as they were meant."""

    meant: int = 0
    nothing: int = 0
    wrong: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    by_program: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)

    @property
    def replies(self) -> int:
        """So many replies were read."""
        return self.meant + self.nothing

    def __str__(self) -> str:
        share = 100 * len(self.refused) / max(1, self.meant)
        worst = ", ".join(f"{name} {n}" for name, n in self.by_program.most_common(5))
        return (
            f"{self.replies} replies as {len(PROGRAMS)} programs write them, {self.nothing} of them without an order; "
            f"{len(self.wrong)} orders that nobody meant; {len(self.refused)} of {self.meant} refused or not found ({share:.2f} %)"
            + (f"; most: {worst}" if worst else "")
        )


def letter_of(one: Answered, listed: Sequence[Choice], code: str) -> Sent:
    """Return a letter with the question of a seat, in the language that is spoken: below its list stands what the product says."""
    look = one.pack.look
    numbered = [f"{no:3}  {choice.words}" for no, choice in enumerate(listed, 1)]
    asks = [
        cut_line(code),
        look.question(one.view),
        "By Thursday 3 January, 18:00 (Edinburgh).",
        "",
        "YOUR CHOICE",
        *numbered,
    ]
    more = [
        *map(wrap, answered_by(one.pack, one.view, listed, Ways(late="default", by_reply=True), 1)),
        "",
        "YOUR HAND",
        look.hand(one.view),
        "",
        look.board(one.view),
        "",
    ]
    ends = ["In words: reply BOARD. Other words: HELP.", "Entry 31, head 82d0 7f7c df6b 78d4 16ed 4e4c acdc 8d91"]
    text = fold_lines("\n".join([*asks, *more, *ends]))
    name = f"{G[:16]}.report.31.{one.seat}.{code}@example.org"
    return Sent(text, name, reply_address(HOST, code), f"[pbem 1] {one.pack.rules.title}: {look.about(one.view)}")


def marks_of(one: Answered) -> dict[str, int]:
    """Return for which marks an order may be sent ahead with the answer to a question, as a host would say."""
    return marks_behind(one.pack, (one.mark, one.what)) if one.mark else {}


def questions(games: Sequence[str], seed: int, most: int) -> Iterator[Answered]:
    """Go through the questions of games in turn, without end; each game is played as far as it was asked for."""
    played = [answered(game, seed, most) for game in games]
    for at in cycle(range(max(map(len, played)))):
        yield from (one[at % len(one)] for one in played)


def written_by_others() -> list[str]:
    """Return the texts of mails that other people wrote, as far as they were fetched: none of them orders anything."""
    found = []
    for name in ("python", "bounces", "replies"):
        for path in messages(name):
            if path.suffix == ".html":
                continue
            own = read_message(path.read_bytes()).own.strip()
            found += [own] if own else []
    return found


def run(count: int, seed: int = 1, games: Sequence[str] = GAMES, most: int = 10_000) -> Figures:
    """Read so many replies."""
    chance, figures, others = Random(f"shadow {seed}"), Figures(), written_by_others()
    programs = cycle(PROGRAMS)
    for no, one in enumerate(islice(questions(games, seed, most), count)):
        language = LANGUAGES[no // 3 % 2]
        with speaking(language):
            listed = choices(one.pack, one.view)
            letter = letter_of(one, listed, code_for(ROOT, G, one.seat, 31))
        asked = AskedByMail(one.pack, one.view, listed, language, letter.text, marks_of(one))
        _one(figures, asked, one, letter, next(programs), language, chance, others)
    return figures


class Meaning(NamedTuple):
    """What a player means by a reply: an order, its plans, what he sends ahead."""

    order: str = ""
    plans: str = ""
    ahead: tuple[tuple[int, str], ...] = ()


def besides(asked: AskedByMail, one: Answered, chance: Random) -> tuple[str, Meaning]:
    """Return an answer by the numbers of parts, by a condition, or for a question to come, with what it means; "" without any."""
    rules, more = one.pack.rules, one.pack.look.beside(one.view)
    if more.pieces.pieces and chance.randrange(2):
        chosen = {no: chance.randrange(len(piece.answers)) + 1 for no, piece in enumerate(more.pieces.pieces, 1)}
        order = rules.parse(one.view, more.pieces.order(chosen))
        said = chance.choice(["\n", ", ", "; "]).join(
            f"{no}{chance.choice([': ', ':', ' = '])}{n}" for no, n in chosen.items()
        )
        return ("", Meaning()) if rules.why_not(one.view, order) else (said, Meaning(str(order)))
    if more.conditions.told and isinstance(rules, Planning):
        until = chance.choice(UNTIL[asked.language])
        found = more.conditions.read(until)
        if found is not None:
            return until + chance.choice(people.COURTESY[asked.language]), Meaning(found[0], rules.read_plans(found[1]))
    if one.what in asked.marks:
        line = f"AHEAD {one.what.upper()}: " + "; ".join(one.order.split("\n"))
        later = read_ahead(rules, one.view, asked.marks, line)
        return f"{one.order}\n{line}", Meaning(one.order, "", tuple(later.items()))
    return "", Meaning()


def _one(
    figures: Figures,
    asked: AskedByMail,
    one: Answered,
    letter: Sent,
    program: str,
    language: str,
    chance: Random,
    others: Sequence[str],
) -> None:
    """Write one reply, read it, and count what came of it."""
    kind = chance.randrange(9)
    order = plans = slip = ""
    later: tuple[tuple[int, str], ...] = ()
    if kind == 0:
        own = people.prose(language, chance, others)
    elif kind == 1 and chance.randrange(2):
        slip = one.order
        own = people.around(people.with_a_slip(slip, chance), language, chance)
    elif kind == 1:
        own = chance.choice(
            ["", "", f"FYI\n\n---------- Forwarded message ---------\n{letter.text}", _old_list(asked, chance)]
        )
    elif kind == 2 and (found := besides(asked, one, chance))[0]:
        own, (order, plans, later) = people.around(found[0], language, chance), found[1]
    elif kind < 6 and asked.choices:
        number = chance.randrange(len(asked.choices)) + 1
        choice = asked.choices[number - 1]
        order, plans = choice.order, choice.plans
        own = people.around(people.by_number(number, choice.words, language, chance), language, chance)
    else:
        order = one.order
        words = {english: word for word, english in one.pack.look.order_words.get(language, {}).items()}
        said = (
            re.sub(r"\b[A-Z]{2,}\b", lambda word: words.get(word[0], word[0]), order) if chance.randrange(2) else order
        )
        own = people.around(people.in_words(said, language, chance), language, chance)
    raw = reply(program, own, letter, chance)
    mail = read_message(raw, own=HOST)
    if mail.codes[:1] != (code_for(ROOT, G, one.seat, 31),):
        figures.wrong.append(f"{program}: the code was not found")
        return
    read = read_answer(mail.own, asked)
    if read.order == slip and slip:
        order = slip
    _count(figures, program, own, mail.own, read, Meaning(order, plans, later))


def _count(figures: Figures, program: str, own: str, read: str, found: AnswerRead, meant: Meaning) -> None:
    figures.meant += bool(meant.order)
    figures.nothing += not meant.order
    ordered = Meaning(found.order, found.plans, found.ahead)
    said = f"{program}: {own!r} read as {read!r}: {found}" if own != read else f"{program}: {own!r}: {found}"
    if (ordered != meant and ordered != Meaning()) or found.commands or found.press:
        figures.wrong.append(f"{said}, meant {meant}")
    elif meant.order and not found.order:
        figures.refused.append(f"{said}, meant {meant}")
        figures.by_program[program] += 1
        figures.why[found.bad[0].why if found.bad else "nothing was found"] += 1


def _old_list(asked: AskedByMail, chance: Random) -> str:
    """Return a part of the list, pasted; two lines of it or more."""
    lines = [f"{no:3}  {choice.words}" for no, choice in enumerate(asked.choices, 1)]
    return "\n".join(lines) if len(lines) > 1 else "What is this?"
