"""Offers of orders, made from touches: lines to edit, and suggestions in place of a refused line (ring 3).

Nothing can get out of step, because these offers can also be clicked, numbered and completed. They are short, a line for similar
touches, with the others behind it: `MOVE Fife: Wallace > Mentieth   # or Angus, Atholl`. Knows no rule and no view; it asks for
touches a limited number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import reduce
from itertools import chain, takewhile
from textwrap import TextWrapper
from typing import NamedTuple, TypeVar

from pbem.i18n import _

from .touches import AHEAD, END, PLAN, Touch, first_word, parts

T = TypeVar("T")
Lines = tuple[str, ...]
Touching = Callable[[Lines], Sequence[Touch]]
"""The touches of a draft, of one view."""
WIDTH = 72
LINES = 12
"""The maximum number of other answers, or groups of them, that are shown."""
_FEW = 6
"""The maximum number of similar suggestions for a line."""
_LEAST = 3
"""Where so few are alike, others are told as well."""
_REMARK = 2
"""The maximum number of lines for naming others that do not fit behind a line."""
_ASKS = 10
"""So often touches are asked for on the way to a line that is refused."""
_COMPARED = 1000
"""The number of letters of a refused line that are compared with the alternatives."""
_DEEP = 40
"""The maximum number of touches that lead to a complete order."""
_ASIDE = (f"choice:{PLAN}", f"choice:{AHEAD}", END)


# lines to type over


class _Said(NamedTuple):
    """Lines that are offered, and where is touched at last on the way to them."""

    lines: Lines
    at: str

    @property
    def name(self) -> str:
        """The touched thing, as lines name it."""
        return self.at.partition(":")[2]


def template(touching: Touching, default: str = "", along: Iterable[str] = (), *, ways: bool = False) -> str:
    """Return lines to edit: the order `default`, or the first that touches close; all others behind `#`.

    The text behind a second `#` is for the reader. So each line is an order, or a part of one, once you remove the mark in front.
    `along` are examples of plans and premoves; they are shown if touches can make them. `ways` adds the ways to extend an order
    that one touch makes.
    """
    starts = _forward(touching, ())
    first = tuple(default.split("\n")) if default else next((touch.draft for touch in starts if touch.closes), ())
    groups, more = _groups(touching, starts, ways=ways)
    groups += [[_said(touch)] for touch in _more(touching, first)]
    left = [_without(group, first) for group in groups]
    offers = dict.fromkeys(tuple(_offer(kin)) for kin in _listed([group for group in left if group]))
    own = next((_unsaid(_said(touch)) for touch in starts if touch.draft == first), "")
    lines = [*_remarked([line for text in first for line in _folded(text, "")], own), *chain(*offers)]
    if more:
        lines.append("# " + _("... and others like these"))
    return "\n".join([*lines, *(line for example in along for line in _along(touching, first, example))])


def _forward(touching: Touching, draft: Lines) -> list[Touch]:
    return [touch for touch in touching(draft) if touch.at not in _ASIDE]


def _said(touch: Touch) -> _Said:
    return _Said(touch.draft, touch.at)


def _groups(touching: Touching, starts: Sequence[Touch], *, ways: bool) -> tuple[list[list[_Said]], bool]:
    """Return what closes, those together that begin alike; and whether there are other beginnings."""
    starts = [touch for no, touch in enumerate(starts) if not any(_covers(other, touch) for other in starts[:no])]
    kinds = _alike(starts, lambda touch: touch.at)
    if len(kinds) > LINES:  # what is written of one area is told in one line
        kinds = _alike(starts, lambda touch: touch.draft[0].partition(":")[0])
    found = [group for members in kinds[:LINES] for group in _whole(touching, members, ways=ways)]
    return found, len(kinds) > LINES


def _covers(group: Touch, one: Touch) -> bool:
    """Does a touch begin a line for several, of whom another begins it for one alone?"""
    head = one.draft[-1].removesuffix(one.at.partition(":")[2])
    return not group.closes and head != one.draft[-1] != group.draft[-1] and _names(group, head) > {one.draft[-1]}


def _names(touch: Touch, head: str) -> set[str]:
    """Return the lines that a touch would begin with this head for each that it names."""
    line = touch.draft[-1]
    return {head + name for name in line.removeprefix(head).split(", ")} if line.startswith(head) else set()


def _alike(touches: Iterable[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    kinds: dict[Hashable, list[T]] = {}
    for touch in touches:
        kinds.setdefault(key(touch), []).append(touch)
    return list(kinds.values())


def _whole(touching: Touching, members: Sequence[Touch], *, ways: bool) -> Iterator[list[_Said]]:
    """Go through what closes and begins as these touches do, together where only the last step differs."""
    for _step in range(_DEEP):
        if closing := [touch for touch in members if touch.closes]:
            further = _ways(touching, closing[0].draft) if ways and len(closing) == 1 else ()
            yield list(map(_said, [*closing, *(touch for touch in further if touch.closes)]))
            for touch in further:
                if not touch.closes:
                    yield from _whole(touching, [touch], ways=False)
            return
        if len(members) > 1 and len({touch.at for touch in members}) == 1:  # what one block may do, beside others
            yield [_part(touching, touch) for touch in members]
            return
        further = _forward(touching, members[0].draft) if members else []
        members = [touch for touch in further if len(touch.draft) == len(members[0].draft)] or further


def _part(touching: Touching, touch: Touch) -> _Said:
    """Return the lines that a touch begins, as they are in a complete order."""
    whole = next((group[0].lines for group in _whole(touching, [touch], ways=False)), ())
    return _said(touch)._replace(
        lines=tuple(line for line in whole if any(line.startswith(begun) for begun in touch.draft))
    )


def _ways(touching: Touching, draft: Lines) -> list[Touch]:
    """Return the touches that continue the last line of a draft, but with no other thing in a list."""
    ways = (touch for touch in _forward(touching, draft) if len(touch.draft) == len(draft))
    return [touch for touch in ways if touch.draft[-1].startswith(f"{draft[-1]} ")]


def _more(touching: Touching, order: Lines) -> list[Touch]:
    """Return the touches that add lines to an order."""
    more = (touch for touch in (_forward(touching, order) if order else ()) if touch.closes)
    return [touch for touch in more if touch.draft[: len(order)] == order]


def _without(group: Iterable[_Said], order: Lines) -> list[_Said]:
    """Return what says something that an order does not say; of what only adds to it, that alone."""
    left = []
    for said in group:
        added = tuple(line for line in said.lines if line not in order)
        if added:
            left.append(said._replace(lines=added) if set(order) <= set(said.lines) else said)
    return left


def _listed(groups: Sequence[Sequence[_Said]]) -> Iterable[Sequence[_Said]]:
    """Return the groups to offer in one line: each answer by itself if there are few, otherwise those with the same verb
    together."""
    if sum(map(len, groups)) <= LINES:
        return [[said] for group in groups for said in group]
    return [
        kin for group in groups for kin in _alike(group, lambda said: (*said.lines[:-1], first_word(said.lines[-1])))
    ]


def _offer(group: Sequence[_Said]) -> Iterator[str]:
    """Yield the lines that offer a group: its first answer, followed by the different endings of the others."""
    *above, last = group[0].lines
    for text in above:
        yield from _remarked(_folded(text, "# "), _("with the next line"))
    yield from _remarked(_folded(last, "# "), _unsaid(group[0]), _ends(group))


def _unsaid(said: _Said) -> str:
    """Return the touched card's name, if the order does not name it because a card is taken by its place."""
    return said.name if said.at.startswith("card:") and said.name not in said.lines[-1] else ""


def _remarked(lines: Sequence[str], name: str, others: Sequence[str] = ()) -> list[str]:
    """Return lines with a remark about them behind the last, or below it if the remark is long; lists of others are shortened."""
    for n in range(len(others), -1, -1):
        these = [*others[:n], *(["..."] if n < len(others) else [])]
        told = [*([name] if name else []), *([_("or {others}", others=_listing(these))] if these else [])]
        if not told:
            break
        remark = "; ".join(told)
        if len(behind := f"{lines[-1]}   # {remark}") <= WIDTH:
            return [*lines[:-1], behind]
        if len(below := _wrapped(remark, "#     # ")) <= _REMARK:
            return [*lines, *below]
    return list(lines)


def _listing(texts: Sequence[str]) -> str:
    """Return texts one after the other; with semicolons, where commas are in them.

    >>> _listing(["Angus", "Atholl"])
    'Angus, Atholl'
    """
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def _ends(group: Sequence[_Said]) -> list[str]:
    """Return the rest of all texts except the first, without their common first words; names are not split.

    >>> _ends([_Said(("MOVE Fife: Wallace > Mar",), "area:Mar"), _Said(("MOVE Fife: Wallace > Angus > Fife",), "area:Fife")])
    ['Angus > Fife']
    >>> _ends([_Said(("CARD Move 1",), "card:Move 1"), _Said(("CARD Move 2",), "card:Move 2")])
    ['Move 2']
    """
    texts = ["; ".join(said.lines) for said in group]
    begin = _word_end(texts)
    for said, text in zip(group, texts, strict=True):
        at = text.rfind(said.name)
        if 0 <= at < begin < at + len(said.name):
            begin = at
    return [text[begin:].lstrip() for text in texts[1:]]


def _word_end(texts: Sequence[str]) -> int:
    """Return where the words end that all texts begin with; something is left of all but the first."""
    words = [text.split(" ") for text in texts]
    alike = len([*takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))])
    return len(" ".join(words[0][: min([alike, *(len(each) - 1 for each in words[1:])])]))


def _folded(text: str, mark: str) -> list[str]:
    """Return a line on as many as it needs, which are read as one; none where it cannot be folded."""
    if len(mark + text) <= WIDTH:
        return [mark + text]
    lines, line = [], mark
    for item in text.replace(", ", ",\0").split("\0"):
        if len(f"{line} {item}") > WIDTH and line.strip("# "):
            lines.append(line)
            line = f"{mark}   "
        line = f"{line} {item}" if line.strip("# ") or lines else mark + item
    return [*lines, line]


def _wrapped(text: str, mark: str) -> list[str]:
    """Return a list on as many lines as it needs, without splitting any item."""
    between = "; " if "; " in text else ", "
    items = text.replace(between, f"{between[0]}\n").replace(" ", "\0").replace("\n", " ")
    return [line.replace("\0", " ") for line in _wrapper(mark, mark).wrap(items)]


def _wrapper(first: str, mark: str) -> TextWrapper:
    return TextWrapper(
        WIDTH, initial_indent=first, subsequent_indent=mark, break_long_words=False, break_on_hyphens=False
    )


def _along(touching: Touching, order: Lines, example: str) -> Iterator[str]:
    """Go through the line that an example begins, with lines made by touches: beside the order, or as a replacement."""
    words = example.split()
    above = order if words[0] in (PLAN, AHEAD) else ()
    for n in range(len(words) - 1, 0, -1):
        made = [t.draft[-1] for t in _forward(touching, (*above, " ".join(words[:n]))) if t.closes]
        if fitting := [line for line in made if line.startswith(example)]:
            text = f"# {example if example in fitting else fitting[0]}"
            yield from [text] if len(text) <= WIDTH else []  # what is said besides has one line
            return


# in place of a line that is refused


def possible(touching: Touching, above: Lines, wanted: str) -> str:
    """Return alternatives to a line, the nearest first, if touches lead to any; otherwise "".

    `above` are the lines before it, as a draft. A semicolon always separates two lines of one text; texts that contain commas are
    separated by “or”.
    """
    found = _nearest(touching, above, wanted[:_COMPARED])
    if not found:
        return ""
    first, others = "; ".join(found[0].lines), _ends(found)
    if not any("," in text or ";" in text for text in others):
        others = [", ".join(others)] if others else []
    return reduce(lambda after, text: _("{first}, or {others}", first=text, others=after), reversed([first, *others]))


class _Found(NamedTuple):
    """An alternative: its likeness to the wanted line, the draft that it extends, and its lines."""

    like: float
    parent: Lines
    said: _Said


def _nearest(touching: Touching, above: Lines, wanted: str) -> list[_Said]:
    """Return the additions of closing drafts to the lines above: the one nearest to the wanted line, and similar ones."""
    found = list(_reached(touching, above, wanted))
    short = [one for one in found if len(one.said.lines) <= wanted.count(";") + 1]
    found = sorted(short or found, key=lambda one: -one.like)
    kin = [one for one in found if one.parent == found[0].parent][:_FEW]
    others = [one for one in found if one not in kin]
    return [one.said for one in (*kin, *others[: max(0, _LEAST - len(kin))])]


def _reached(touching: Touching, above: Lines, wanted: str) -> Iterator[_Found]:
    """Yield closing drafts on the way to the wanted line; drafts that resemble its beginning are extended first."""
    todo: list[tuple[float, int, Lines]] = [(0, 0, above)]
    seen = {above}
    for asked in range(_ASKS):
        if not todo:
            return
        parent = todo.pop(todo.index(min(todo)))[-1]
        for touch in _forward(touching, parent):
            added = _added(above, touch.draft)
            if touch.draft in seen or not added:
                continue
            seen.add(touch.draft)
            text = "; ".join(added)
            if touch.closes and text.casefold() != wanted.casefold():
                yield _Found(_likeness(text, wanted), parent, _said(touch)._replace(lines=added))
            todo.append((-_likeness(text, wanted[: len(text)]), -len(text) - asked, touch.draft))


def _added(above: Lines, draft: Lines) -> Lines:
    """Return the lines of a draft beyond those above; empty if one of the lines above has gone."""
    order = list(parts(draft).order)
    for line in above:
        if line not in order:
            return ()
        order.remove(line)
    return tuple(order)


def _likeness(text: str, wanted: str) -> float:
    return round(SequenceMatcher(None, text.casefold(), wanted.casefold(), autojunk=False).ratio(), 2)
