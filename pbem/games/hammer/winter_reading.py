"""Reading what a player typed for the winter: lines to orders, every bad line named at once.

Knows how orders are written and which names can stand in them; whether an order is legal is decided by `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pbem.errors import OrderError, Problem
from pbem.kernel import Line, Names, Order, Refusal, read_lines
from pbem.words import N_, _

from .orders import DISBAND, DONE, STAY, Build, Disband, GoHome, Going, Landing, Step, Steps
from .question import find_area, find_block
from .rules.facts import AREAS, BLOCKS, EDWARD, KING, MORAY, WALLACE
from .rules.variants import INLAND_LANDING
from .rules.winter_homes import at_home
from .views import HammerView

_WORDS = {"STAY": STAY, "STAYS": STAY, "WINTERS": STAY, "DISBAND": DISBAND, "DISBANDS": DISBAND}
"""Words instead of an area; written out, lest one is taken for a short name."""
_STEP = re.compile(r"(?P<block>.*?)\s*[+x]?\s*(?P<n>[0-9]{1,2})?")
_SELKIRK = "Selkirk"

Subjects = dict[str, Line]
"""The line on which each block or area was named."""


class Read(NamedTuple):
    """An order as read, and where its blocks and areas were named."""

    order: Order
    subjects: Subjects


def judged(read: Read, refusals: Iterable[tuple[str, Refusal]]) -> Order:
    """Return the order if nothing is wrong with it. Raises OrderError with all that is; `refusals` names block or area."""
    problems = []
    for subject, refusal in refusals:
        line = read.subjects.get(subject)
        problems.append(Problem(line.no if line else 0, line.text if line else subject, *refusal))
    if problems:
        raise OrderError(*problems)
    return read.order


def read_home(view: HammerView, text: str) -> Read:
    """Read the choices of 7.1 and 7.2; Moray and the King stay where nothing is said of them."""
    asked = view.ask or {}
    others = [n for n in (MORAY, KING) if asked.get("court") and _is_on_map(view, n)]
    names = Names([*asked.get("nobles", ()), *others], N_("block with a choice"))
    goings: dict[str, str] = {}
    subjects: Subjects = {}

    def take(line: Line, verb: str, rest: str) -> None:
        if verb == DONE and not rest:
            return
        if verb == DISBAND:
            pairs = [(_one_of(names, word, line), DISBAND) for word in _listed(rest, line)]
        elif verb == "KING":
            pairs = [_going(names, KING, rest, line)]
        elif verb == "HOME":
            head, arrow, to = rest.partition(">")
            words = head.split()
            if not arrow and len(words) > 1:
                head, to = words[0], " ".join(words[1:])
            pairs = [_going(names, head.strip(), f"> {to}" if arrow else to, line)]
        else:
            raise _unfit(line, _("DONE stands alone"))
        for block, to in pairs:
            if block in goings:
                raise _unfit(line, _("{block} is named twice", block=block))
            goings[block], subjects[block] = to, line

    _read(text, ("HOME", "KING", DISBAND, DONE), take)
    for block in others:
        goings.setdefault(block, STAY)
    found = []
    for block in (name for name in names.names if name in goings):
        own = view.own(block)
        to = goings[block]
        if to == STAY:
            to = at_home(view, block) or STAY  # 7.12: where he stands is one of his homes
        # who stands there already stays
        found.append(Going(block=block, to=STAY if block in others and own and own.at == to else to))
    return Read(GoHome(goings=tuple(found)), subjects)


def _going(names: Names, head: str, rest: str, line: Line) -> tuple[str, str]:
    block = _one_of(names, head, line)
    to = rest.removeprefix(">").strip()
    if to.upper().startswith("TO "):
        to = to[3:]
    if not to and block in (MORAY, KING):
        to = MORAY if block == MORAY else STAY
    elif not to:
        raise _unfit(line, _("it does not say where {block} goes", block=block), ", ".join(BLOCKS[block].homes))
    return block, _WORDS.get(to.upper()) or find_area(to, line)


def _one_of(names: Names, word: str, line: Line) -> str:
    try:
        return names.find(word, line)
    except OrderError:
        if names.names:
            raise
        raise _unfit(line, _("no block has a choice to make now"), DONE) from None


def read_disband(view: HammerView, text: str) -> Read:
    """Read who disbands, whether Edward winters in Scotland, and if Wallace goes to Selkirk."""
    own = [name for place, names in view.groups.items() if place in AREAS for name in names]
    flags = {"edward": False, "wallace": False}
    blocks: list[str] = []
    subjects: Subjects = {}

    def disband(name: str, line: Line) -> None:
        if name in blocks:
            raise _unfit(line, _("{block} is named twice", block=name))
        blocks.append(name)
        subjects[name] = line

    def stay(line: Line) -> None:
        flags["edward"], subjects[EDWARD] = True, line

    def take(line: Line, verb: str, rest: str) -> None:
        if verb == DISBAND:
            for word in _listed(rest, line):
                disband(find_block(word, line, own), line)
        elif verb == "EDWARD":
            match _WORDS.get(rest.upper()):
                case "STAY":
                    stay(line)
                case "DISBAND":
                    disband(EDWARD, line)
                case _:
                    raise _unfit(line, _("Edward stays or disbands"), "EDWARD STAYS")
        elif verb == "WINTER":
            if find_block(rest, line) != EDWARD:
                raise _unfit(line, _("only Edward's wintering is ordered by name"), "WINTER Edward")
            stay(line)
        elif verb == "WALLACE":
            if find_area(rest.removeprefix(">").strip(), line) != _SELKIRK:
                raise OrderError(
                    Problem(line.no, line.text, _("Wallace may move to Selkirk only"), "7.5", "WALLACE > Selkirk")
                )
            flags["wallace"], subjects[WALLACE] = True, line
        elif rest:
            raise _unfit(line, _("DONE stands alone"))

    _read(text, (DISBAND, "EDWARD", "WINTER", "WALLACE", DONE), take)
    return Read(Disband(edward=flags["edward"], wallace=flags["wallace"], blocks=tuple(blocks)), subjects)


def read_build(view: HammerView, text: str) -> Read:
    """Read builds and draws; an order without draws is done."""
    builds: list[Steps] = []
    draws: list[str] = []
    landings: list[Landing] = []
    done: list[Line] = []
    subjects: Subjects = {}

    def take(line: Line, verb: str, rest: str) -> None:
        if verb == "BUILD":
            head, colon, steps = rest.partition(":")
            if not colon:
                raise _unfit(line, _("it does not say where and what"), "BUILD Fife: Douglas 2, Barclay 1")
            area = find_area(head.strip(), line)
            own = view.groups.get(area, ())
            subjects.setdefault(area, line)
            read = tuple(_step(own, word, line) for word in _listed(steps, line))
            subjects.update({step.block: line for step in read})
            builds.append(Steps(area=area, steps=read))
        elif verb == "DRAW":
            for word in _listed(rest, line):
                area = find_area(word, line)
                draws.append(area)
                subjects.setdefault(area, line)
        elif verb == "LAND":
            start, arrow, to = rest.partition(">")
            if not arrow:
                raise _unfit(line, _("it does not say where they land"), "LAND Lanark > Carrick")
            landings.append(Landing(area=find_area(start.strip(), line), to=find_area(to.strip(), line)))
            subjects[landings[-1].to] = line
        elif rest:
            raise _unfit(line, _("DONE stands alone"))
        else:
            done.append(line)

    _read(text, ("BUILD", "DRAW", *(("LAND",) if INLAND_LANDING in view.variants else ()), DONE), take)
    order = Build(builds=tuple(builds), draws=tuple(draws), landings=tuple(landings), done=bool(done) or not draws)
    return Read(order, subjects)


def _step(own: Sequence[str], word: str, line: Line) -> Step:
    found = _STEP.fullmatch(word)
    name, n = (found["block"], found["n"]) if found else (word, None)
    return Step(block=find_block(name, line, own), steps=int(n or 1))


# Lines and words


def _read(text: str, verbs: Sequence[str], take: Callable[[Line, str, str], None]) -> None:
    lines = read_lines(text)
    problems = [] if lines else [Problem(0, "", _("there is no order in it"), legal=", ".join(verbs))]
    names = Names(verbs, N_("order"))
    for line in lines:
        head, _blank, rest = line.text.partition(" ")
        try:
            take(line, names.find(head, line), rest.strip())
        except OrderError as error:
            problems.extend(error.problems)
    if problems:
        raise OrderError(*problems)


def _listed(words: str, line: Line) -> list[str]:
    found = [" ".join(word.split()) for word in words.split(",")]
    if not all(found):
        raise _unfit(line, _("a name is missing"))
    return found


def _is_on_map(view: HammerView, name: str) -> bool:
    own = view.own(name)
    return own is not None and own.at in AREAS


def _unfit(line: Line, why: str, legal: str = "") -> OrderError:
    return OrderError(Problem(line.no, line.text, why, legal=legal))
