"""What is suggested can be typed, in each language; what is left out of an order is asked for, or filled in as the default has it.

A suggestion is a line of a template, behind its mark or not, or what a refusal says is possible, with all that stands behind “or”.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.errors import OrderError
from pbem.games import GamePack
from pbem.games.touching import unsaid
from pbem.i18n import _, languages, speaking
from pbem.kernel import Ask, Order, View, next_marks, read_ahead, read_plans
from pbem.look.touches import parts

from .playing import Record, take
from .touching import Touching, _problems, _spoiled

_PART = re.compile(r"\s*[^\s,;:>]+|\s*[,:>;]")
_WORD = re.compile(r"[^\s,;:>]+")
SHORTENED = 40
"""So many ways to leave a part out are tried at a question."""


class Suggested(Touching):
    """Suggested, typed, left out."""

    def _kinds(self) -> Iterator[tuple[Record, int, str, View]]:
        """Go through some questions of each kind."""
        seen: Counter[str] = Counter()
        for record, index, seat, view in self._asked(1):
            wanted = record.stops[index].wants
            assert isinstance(wanted, Ask)
            seen[wanted.what] += 1
            if seen[wanted.what] in self.looked_at:
                yield record, index, seat, view

    def test_every_line_of_a_template_can_be_typed(self) -> None:
        """In each language; what is behind a mark stands in place of the order, beside it, or before the next."""
        for record, index, seat, view in self._kinds():
            at = f"{record.at(index)} asked {seat}"
            for language in languages():
                with speaking(language):
                    assert self.look is not None
                    shown = self.look.template(view)
                    self._check_template(view, shown, f"{at} in {language}: {shown}")

    def _check_template(self, view: View, shown: str, at: str) -> None:
        order, offered = _taken_apart(shown)
        plain = parts(order).order
        assert self._makes(view, plain), at
        assert self._makes(view, ("; ".join(plain),)) == self._makes(view, plain), at
        more = "# " + _("... and others like these")
        for no, (text, remarks) in enumerate(offered):
            if f"# {text}" == more:
                continue
            beside = [offered[no + 1][0]] if no + 1 < len(offered) else []
            before = [offered[no - 1][0]] if no else []
            for tried in ([text], *(_ends(text, end) for end in _others(remarks))):
                ways = (
                    way
                    for line in tried
                    for way in ([line], [*plain, line], [line, *beside], [*before, line], *_in_place(plain, line))
                )
                assert any(self._reads(view, way) for way in ways), f"{tried!r} of {at}"

    def _reads(self, view: View, lines: Sequence[str]) -> bool:
        said = parts(lines)
        try:
            read_plans(self.game, "\n".join(said.plans))
            read_ahead(self.game, view, next_marks(self.game, 1, "", 2), "\n".join(said.ahead))
        except OrderError:
            return False
        return not said.order or self._makes(view, said.order) is not None

    def test_all_that_a_refusal_says_is_possible_can_be_typed(self) -> None:
        """In each language, as it stands, with the semicolons between its lines; the ends behind “or” in place of the first's."""
        rng, pack = random.Random(self.seed), GamePack(self.game, self.where.partition(":")[0])
        for record, index, seat, view in self._kinds():
            given = record.givens[index]
            order = str(given[seat] if isinstance(given, Mapping) and seat in given else self.game.default(view))
            typed = _spoiled(order.split("\n", maxsplit=1)[0], rng)
            for language in languages():
                with speaking(language):
                    for problem in _problems(pack, view, f"{order}\nxyzzy"):
                        told = f"{record.at(index)} in {language}: xyzzy behind {order}: {problem}"
                        instead = (
                            []
                            if problem.legal == _("the order without this line")
                            else [_alternatives(problem.legal)[0]]
                        )
                        # what stands in place of the line makes an order with those above it, or alone
                        assert self._makes(view, (order, *instead)) or self._makes(view, tuple(instead)), told
                    for problem in _problems(pack, view, typed):
                        first, *others = _alternatives(problem.legal)
                        told = f"{record.at(index)} in {language}: {typed!r}: {problem}"
                        assert self._makes(view, (first,)), told
                        for other in others:
                            ends = (
                                [other] if len(others) > 1 or self._ends_one(view, first, other) else other.split(", ")
                            )
                            assert all(self._ends_one(view, first, end) for end in ends), f"{other!r} of {told}"

    def _ends_one(self, view: View, first: str, end: str) -> bool:
        """Does the end of a line make an order, with the beginning of the first line?"""
        return any(self._makes(view, (way,)) for way in _ends(first, end))

    def test_a_semicolon_parts_two_lines(self) -> None:
        rng = random.Random(self.seed)
        for record, index, seat, view in self.asked(self.slow_stride):
            for order in (self.game.options(view).sample(rng), self.game.default(view)):
                text = str(order).replace("\n", "; ")
                assert self.game.parse(view, text) == order, f"{record.at(index)} asked {seat}: {text}"
                assert self.game.parse(view, f"{text};") == order, f"{record.at(index)} asked {seat}: {text};"

    def test_what_is_left_out_is_asked_for_or_as_the_default_has_it(self) -> None:
        """Each part of an order is left out in turn. A line of which no word was typed is one of the default, and is told."""
        rng, pack = random.Random(self.seed), GamePack(self.game, self.where.partition(":")[0])
        for record, index, seat, view in self.asked(self.slow_stride):
            given = record.givens[index]
            default = self.game.default(view)
            orders = [default, self.game.options(view).sample(rng)]
            orders += [given[seat]] if isinstance(given, Mapping) and seat in given else []
            for order in dict.fromkeys(orders):
                shorter = list(dict.fromkeys(_left_out(str(order))))
                for text in rng.sample(shorter, min(len(shorter), SHORTENED)):
                    self._check_left_out(pack, view, text, default, f"{record.at(index)} asked {seat}: {text!r}")

    def _check_left_out(self, pack: GamePack, view: View, text: str, default: Order, at: str) -> None:
        try:
            order = take(self.game, view, text)
        except OrderError:
            return  # it is asked for
        filled = [line for line in str(order).split("\n") if not _is_said(line, text)]
        for line in filled:
            assert line in str(default).split("\n"), f"{at}: {line} was filled in; the default is {str(default)!r}"
        if self.look is None:  # rules that are lent come without one
            return
        told = "\n".join(unsaid(pack, view, text))
        assert all(line in told for line in filled), f"{at}: {filled} were filled in, and this is told: {told!r}"


def _taken_apart(shown: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the lines of a template that stand as they are, and each line behind a mark with the remark behind it."""
    order: list[str] = []
    offered: list[tuple[str, str]] = []
    for line in shown.split("\n"):
        if not line.startswith("#"):
            order.append(line)
            continue
        said, _mark, remark = line[1:].partition("#")
        if not said.strip():  # a remark that has lines of its own
            if offered:
                offered[-1] = offered[-1][0], f"{offered[-1][1]} {remark.strip()}".strip()
        elif said.startswith("    ") and offered:  # a line goes on
            offered[-1] = f"{offered[-1][0]} {said.strip()}", remark.strip()
        else:
            offered.append((said.strip(), remark.strip()))
    joined = "\n".join(order)
    folded = re.sub(r",\n\s+", ", ", joined)
    return [line.partition("#")[0].rstrip() for line in folded.split("\n") if line.partition("#")[0].strip()], offered


def _others(remark: str) -> list[str]:
    """Return what a remark puts in place of a line's end: “or Angus, Atholl”."""
    begin = _("or {others}", others="\0").partition("\0")[0]
    _name, found, listing = f"; {remark}".partition(f"; {begin}")
    ends = listing.split("; ") if "; " in listing else listing.split(", ")
    return [end for end in ends if end != "..."] if found else []


def _ends(first: str, end: str) -> list[str]:
    """Return the lines that an end may stand for: alone, or behind words that the first begins with, or all of them."""
    words = list(re.finditer(r"\S+\s*", first))
    return [*(f"{first[: word.start()]}{end}" for word in words), f"{first} {end}"]


def _alternatives(legal: str) -> list[str]:
    """Return what is possible, parted: the first, and the others. One other may be a list of ends, with commas between them."""
    link = _("{first}, or {others}", first="\0", others="\0").split("\0")[1]
    return legal.split(link)


def _in_place(plain: Sequence[str], line: str) -> Iterator[list[str]]:
    """Go through an order with a line in place of one of its own."""
    for no in range(len(plain)):
        yield [*plain[:no], line, *plain[no + 1 :]]


def _left_out(text: str) -> Iterator[str]:
    """Go through a text with a line left out, or some words of a line that stand together."""
    lines = text.split("\n")
    for no, line in enumerate(lines):
        before, after = lines[:no], lines[no + 1 :]
        if before or after:
            yield "\n".join([*before, *after])
        words = _PART.findall(line)
        for begin in range(len(words)):
            for end in range(begin + 1, len(words) + 1):
                if rest := "".join(words[:begin] + words[end:]).strip():
                    yield "\n".join([*before, rest, *after])


def _is_said(line: str, text: str) -> bool:
    """Was a word of a line typed, besides its verb? What is only a verb says that this is all."""
    _verb, *words = (word.casefold() for word in _WORD.findall(line))
    typed = Counter(word.casefold() for word in _WORD.findall(text))
    return not words or words == ["none"] or any(word.startswith(one) for word in words for one in typed)
