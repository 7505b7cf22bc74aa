"""The questions of the Winter Turn: `home` (7.1, 7.2), `disband` (7.3-7.5) and `build` (7.6).

Their orders have lines of several verbs, so each question reads its whole text by itself. It names all mistakes at once, with the
block or area concerned and its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple

from pbem.errors import OrderError, Problem
from pbem.i18n import N_
from pbem.kernel import Chooser, Composed, Line, Listed, Names, Options, Order, Refusal, read_each

from .. import orders
from ..orders import DISBAND, DONE, STAY, Build, Disband, GoHome, Going, Landing, Steps
from ..rules import (
    AREAS,
    BLOCKS,
    EDWARD,
    INLAND_LANDING,
    KING,
    MORAY,
    NORSE,
    SCOTTISH,
    SELKIRK,
    WALLACE,
    build_refusals,
    buildable,
    disband_refusals,
    draw_refusal,
    edward_refusal,
    hand_out,
    home_choices,
    home_refusals,
    keep_as_many_as_may_stay,
    landing_places,
    points_left,
    quarters,
    spend_sensibly,
    stays_at,
    wallace_refusal,
    wants_no_room,
)
from ..rules.said import _, typed
from ..views import HammerView
from .question import Question, begins_with_a_verb, find_area, find_block, order_lines
from .turn import spread

_WORDS = {"STAY": STAY, "STAYS": STAY, "WINTERS": STAY, "DISBAND": DISBAND, "DISBANDS": DISBAND}
"""Words used instead of an area; written out, so that none is taken for an abbreviated name."""
_STEP = re.compile(r"(?P<block>.*?)\s*[+x]?\s*(?P<n>[0-9]{1,2})?")

Refusals = Iterable[tuple[str, Refusal]]
"""The faults of an order: the block or area concerned, and the reason."""
Subjects = dict[str, Line]
"""The line on which each block or area was named."""


class Read(NamedTuple):
    """An order as read, and where its blocks and areas were named."""

    order: Order
    subjects: Subjects


@dataclass(frozen=True, slots=True, kw_only=True)
class WinterQuestion(Question):
    """A question with an order that is read as a whole, and refused with all its mistakes."""

    read_all: Callable[[HammerView, str], Read]
    refusals: Callable[[HammerView, Order], Refusals]

    def read(self, view: HammerView, text: str) -> Order:
        """Return the order if nothing is wrong with it. Raises OrderError with all that is."""
        read = self.read_all(view, text)
        problems = []
        for subject, refusal in self.refusals(view, read.order):
            line = read.subjects.get(subject) or Line(0, subject)
            problems.append(Problem(*line, *refusal))
        if problems:
            raise OrderError(*problems)
        return read.order


def _question(
    kind: type[Order],
    wrong: Callable[[HammerView], Refusal],
    read_all: Callable[[HammerView, str], Read],
    options: Callable[[HammerView], Options],
    refusals: Callable[[HammerView, Any], Refusals],
    default: Callable[[HammerView], Order],
) -> Question:
    """Return a question that one kind of order answers; `wrong` is why another does not, `refusals` judges those of that kind."""

    def every(view: HammerView, order: Order) -> Refusals:
        return refusals(view, order) if isinstance(order, kind) else [("", wrong(view))]

    def why_not(view: HammerView, order: Order) -> Refusal | None:
        return next((refusal for _part, refusal in every(view, order)), None)

    return WinterQuestion(lambda view: {}, options, why_not, default, read_all=read_all, refusals=every)


# home


def _read_home(view: HammerView, text: str) -> Read:
    """Read the choices of 7.1 and 7.2; where nothing is said of Moray or the King, the default says it."""
    asked = view.ask or {}
    others = [n for n in (MORAY, KING) if asked.get("court") and _is_on_map(view, n)]
    able = [*asked.get("nobles", ()), *others]
    names = Names(able, N_("block with a choice"), abroad=typed(able))
    default = {block: places[0] for block, places in home_choices(view).items()}
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
            raise line.refusal(_("DONE stands alone"))
        for block, to in pairs:
            if not to:  # KING alone says nothing of him
                continue
            if block in goings:
                raise line.refusal(_("{block} is named twice", block=block))
            goings[block], subjects[block] = to, line

    _read(text, ("HOME", "KING", DISBAND, DONE), take)
    for block in others:
        goings.setdefault(block, default[block])
    found = []
    for block in (name for name in names.names if name in goings):
        to, here = goings[block], stays_at(view, block)
        if here and to in (STAY, here):
            to = STAY if block in others else here  # 7.12: a noble stays in his home
        found.append(Going(block=block, to=to))
    return Read(GoHome(goings=tuple(found)), subjects)


def _going(names: Names, head: str, rest: str, line: Line) -> tuple[str, str]:
    block = _one_of(names, head, line)
    to = rest.removeprefix(">").strip()
    if to.upper().startswith("TO "):
        to = to[3:]
    if not to and block in (MORAY, KING):
        return block, MORAY if block == MORAY else ""
    if not to:
        raise line.refusal(_("it does not say where {block} goes", block=block), ", ".join(BLOCKS[block].homes))
    return block, _WORDS.get(to.upper()) or find_area(to, line)


def _one_of(names: Names, word: str, line: Line) -> str:
    try:
        return names.find(word, line)
    except OrderError:
        if names.names:
            raise
        raise line.refusal(_("no block has a choice to make now"), DONE) from None


def _home_options(view: HammerView) -> Options:
    choices = home_choices(view)
    return Listed(
        [
            GoHome(goings=tuple(Going(block=block, to=to) for block, to in zip(choices, places, strict=True)))
            for places in product(*choices.values())
        ]
    )


def _home_default(view: HammerView) -> Order:
    return GoHome(goings=tuple(Going(block=block, to=places[0]) for block, places in home_choices(view).items()))


HOME = _question(
    GoHome,
    lambda view: Refusal(_("say where these blocks go"), "7.1"),
    _read_home,
    _home_options,
    home_refusals,
    _home_default,
)


# disband


def _read_disband(view: HammerView, text: str) -> Read:
    """Read who disbands, whether Edward winters in Scotland, and if Wallace goes to Selkirk."""
    own = [name for place, names in view.groups.items() if place in AREAS for name in names]
    flags = {"edward": False, "wallace": False}
    blocks: list[str] = []
    subjects: Subjects = {}

    def disband(name: str, line: Line) -> None:
        if name in blocks:
            raise line.refusal(_("{block} is named twice", block=name))
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
                    raise line.refusal(_("Edward stays or disbands"), "EDWARD STAYS")
        elif verb == "WINTER":
            if find_block(rest, line) != EDWARD:
                raise line.refusal(_("only Edward's wintering is ordered by name"), "WINTER Edward")
            stay(line)
        elif verb == "WALLACE":
            if find_area(rest.removeprefix(">").strip(), line) != SELKIRK:
                raise OrderError(
                    Problem(line.no, line.text, _("Wallace may move to Selkirk only"), "7.5", "WALLACE > Selkirk")
                )
            flags["wallace"], subjects[WALLACE] = True, line
        elif rest:
            raise line.refusal(_("DONE stands alone"))

    _read(text, (DISBAND, "EDWARD", "WINTER", "WALLACE", DONE), take)
    return Read(Disband(edward=flags["edward"], wallace=flags["wallace"], blocks=tuple(blocks)), subjects)


def _leaders(view: HammerView) -> list[Disband]:
    """Return the possible orders for Edward, for Wallace, and for Norse that no limit counts, and no others."""
    found = [Disband()]
    if view.seat == SCOTTISH:
        wallace = view.own(WALLACE)
        if wallace is not None and wallace.at == SELKIRK:
            found.append(Disband(blocks=(WALLACE,)))  # unless he disbands, he stays
        elif not wallace_refusal(view):
            found.append(Disband(wallace=True))
        norse = view.own(NORSE)
        if norse is not None and wants_no_room(NORSE, norse.at, view.variants):
            found += [_leaving(order, (NORSE,)) for order in found]
    elif not edward_refusal(view):
        found.append(Disband(edward=True))
    return found


def _leaving(order: Disband, names: Iterable[str]) -> Disband:
    return order.model_copy(update={"blocks": (*order.blocks, *names)})


def _disband_options(view: HammerView) -> Options:
    def every() -> Iterator[Order]:
        for order in _leaders(view):
            areas = quarters(view.seat, view.groups, order, view.variants).areas.values()
            for gone in product(*(list(_ways_to_go(free, able)) for free, able in areas)):
                yield _leaving(order, (name for names in gone for name in names))

    def compose(chooser: Chooser) -> Order:
        leaders = _leaders(view)
        order = leaders[chooser.randrange(len(leaders))]
        gone: list[str] = []
        for free, able in quarters(view.seat, view.groups, order, view.variants).areas.values():
            stay = min(free, len(able))
            if chooser.randrange(4) == 0:
                stay = chooser.randrange(stay + 1)
            left = list(able)
            for _block in range(stay):
                left.pop(chooser.randrange(len(left)))
            gone += left
        return _leaving(order, gone)

    return Composed(compose, every, lambda order: DISBANDING.why_not(view, order) is None, _disband_words(view))


def _ways_to_go(free: int, able: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for n in range(max(0, len(able) - free), len(able) + 1):
        yield from combinations(able, n)


def _disband_words(view: HammerView) -> str:
    leaders = dict.fromkeys(str(order).split("\n")[0] for order in _leaders(view) if order.edward or order.wallace)
    lines = [_("Besides, you may order {line}.", line=line) for line in leaders]
    for area, (free, able) in quarters(view.seat, view.groups, Disband(), view.variants).areas.items():
        if able:
            stay, of = min(free, len(able)), ", ".join(able)
            lines.append(_("In {area} so many may stay: {n} of {blocks}.", area=area, n=stay, blocks=of))
    return "\n".join([_("Say DISBAND and the blocks that go, or DONE."), *lines])


DISBANDING = _question(
    Disband,
    lambda view: Refusal(_("say who does not stay for the winter"), "7.3" if view.seat != SCOTTISH else "7.5"),
    _read_disband,
    _disband_options,
    disband_refusals,
    keep_as_many_as_may_stay,
)


# build


def _read_build(view: HammerView, text: str) -> Read:
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
                raise line.refusal(_("it does not say where and what"), "BUILD Fife: Douglas 2, Barclay 1")
            area = find_area(head.strip(), line)
            own = view.groups.get(area, ())
            subjects[area] = line
            read = tuple(_step(own, word, line) for word in _listed(steps, line))
            subjects.update({step.block: line for step in read})
            builds.append(Steps(area=area, steps=read))
        elif verb == "DRAW":
            for word in _listed(rest, line):
                area = find_area(word, line)
                draws.append(area)
                subjects[area] = line
        elif verb == "LAND":
            start, arrow, to = rest.partition(">")
            if not arrow:
                raise line.refusal(_("it does not say where they land"), "LAND Lanark > Carrick")
            landings.append(Landing(area=find_area(start.strip(), line), to=find_area(to.strip(), line)))
            subjects[landings[-1].to] = line
        elif rest:
            raise line.refusal(_("DONE stands alone"))
        else:
            done.append(line)

    _read(text, ("BUILD", "DRAW", *(("LAND",) if INLAND_LANDING in view.variants else ()), DONE), take)
    order = Build(builds=tuple(builds), draws=tuple(draws), landings=tuple(landings), done=bool(done) or not draws)
    return Read(order, subjects)


def _step(own: Sequence[str], word: str, line: Line) -> orders.Step:
    found = _STEP.fullmatch(word)
    name, n = (found["block"], found["n"]) if found else (word, None)
    return orders.Step(block=find_block(name, line, own), steps=int(n or 1))


def _build_options(view: HammerView) -> Options:
    points = points_left(view)

    def every() -> Iterator[Order]:
        by_area = (
            [(), *(Steps(area=area, steps=steps) for steps in spread(buildable(view, area), n))]
            for area, n in points.items()
        )
        for chosen in product(*by_area):
            builds = tuple(build for build in chosen if isinstance(build, Steps))
            yield Build(builds=builds, done=True)
            for draws in _every_draws(view, _points_after(points, builds), ()):
                for landings in product(*(((), *coasts) for coasts in _landings(view, draws))):
                    said = Build(builds=builds, draws=draws, landings=tuple(found for found in landings if found))
                    yield said
                    yield said.model_copy(update={"done": True})

    def compose(chooser: Chooser) -> Order:
        builds = []
        for area, n in points.items():
            steps = hand_out(
                buildable(view, area),
                chooser.randrange(n + 1),
                lambda left: list(left)[chooser.randrange(len(left))],
            )
            if steps:
                builds.append(Steps(area=area, steps=steps))
        left = _points_after(points, builds)
        draws: list[str] = []
        while chooser.randrange(3):
            areas = [area for area, n in left.items() if not draw_refusal(view, area, draws, n)]
            if not areas:
                break
            draws.append(areas[chooser.randrange(len(areas))])
            left[draws[-1]] -= 1
        done = not draws or chooser.randrange(4) == 0
        landings = [coasts[chooser.randrange(len(coasts))] for coasts in _landings(view, draws) if chooser.randrange(2)]
        return Build(builds=tuple(builds), draws=tuple(draws), landings=tuple(landings), done=done)

    return Composed(compose, every, lambda order: BUILD.why_not(view, order) is None, _build_words(view))


def _points_after(points: Mapping[str, int], builds: Iterable[Steps]) -> dict[str, int]:
    left = dict(points)
    for build in builds:
        left[build.area] -= sum(step.steps for step in build.steps)
    return left


def _every_draws(view: HammerView, left: Mapping[str, int], draws: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for area, n in left.items():
        if not draw_refusal(view, area, draws, n):
            yield (*draws, area)
            yield from _every_draws(view, {**left, area: n - 1}, (*draws, area))


def _landings(view: HammerView, draws: Sequence[str]) -> list[list[Landing]]:
    """Return for each inland area that draws where Norse or French may land that are drawn there."""
    occupied, areas = view.occupancy, dict.fromkeys(draws)
    found = [[Landing(area=area, to=to) for to in landing_places(area, occupied, view.variants)] for area in areas]
    return [coasts for coasts in found if coasts]


def _build_words(view: HammerView) -> str:
    lines = []
    for area, n in points_left(view).items():
        steps = ", ".join(f"{name} {k}" for name, k in buildable(view, area).items())
        if steps:
            lines.append(
                _("In {area} you may build {n} steps, at the most these: {steps}.", area=area, n=n, steps=steps)
            )
        if not draw_refusal(view, area, (), n):
            lines.append(_("For a point of {area} you may draw a block: DRAW {area}.", area=area))
    return "\n".join([_("Say BUILD and steps, area by area, or DONE."), *lines])


BUILD = _question(
    Build,
    lambda view: Refusal(_("say what you build"), "7.6"),
    _read_build,
    _build_options,
    build_refusals,
    spend_sensibly,
)


# lines and words


def _read(text: str, verbs: Sequence[str], take: Callable[[Line, str, str], None]) -> None:
    """Hand each line over with its verb, which is the first where none is written."""
    lines, names = order_lines(text), Names(verbs, N_("order"))

    def read(line: Line) -> None:
        head, _blank, rest = line.text.partition(" ")
        if names.fits(head):
            take(line, names.find(head, line), rest.strip())
            return
        try:
            take(line, verbs[0], line.text)
        except OrderError as error:
            if head == line.text or begins_with_a_verb(line, error):
                names.find(head, line)
            raise

    if not lines:
        raise OrderError(Problem(0, "", _("there is no order in it"), legal=", ".join(verbs)))
    if problems := read_each(lines, read)[1]:
        raise OrderError(*problems)


def _listed(words: str, line: Line) -> list[str]:
    found = [" ".join(word.split()) for word in words.split(",")]
    if not all(found):
        raise line.refusal(_("a name is missing"))
    return found


def _is_on_map(view: HammerView, name: str) -> bool:
    own = view.own(name)
    return own is not None and own.at in AREAS


QUESTIONS: Mapping[str, Question] = {"home": HOME, "disband": DISBANDING, "build": BUILD}
