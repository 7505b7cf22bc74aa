"""The questions of the Winter Turn: `home` (7.1, 7.2), `disband` (7.3-7.5) and `build` (7.6).

Their orders have lines of several verbs, so each reads its whole text by itself (`winter_reading`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from pbem.kernel import Chooser, Composed, Listed, Options, Order, Refusal
from pbem.words import _

from .orders import Build, Disband, GoHome, Going, Landing, Step, Steps
from .question import Form, Question
from .rules.facts import NORSE, SCOTTISH, WALLACE
from .rules.winter_builds import build_refusals, buildable, draw_refusal, landing_places, points_left, spend_sensibly
from .rules.winter_disband import (
    SELKIRK,
    disband_refusals,
    edward_refusal,
    keep_as_many_as_may_stay,
    quarters,
    wallace_refusal,
)
from .rules.winter_homes import home_choices, home_refusals
from .rules.winter_limits import wants_no_room
from .turn_questions import spread
from .views import HammerView
from .winter_reading import Read, judged, read_build, read_disband, read_home

Refusals = Iterable[tuple[str, Refusal]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WinterQuestion(Question):
    """A question whose order is read as a whole, and refused with all that is wrong with it."""

    read_all: Callable[[HammerView, str], Read]
    refusals: Callable[[HammerView, Order], Refusals]

    def read(self, view: HammerView, text: str) -> Order:
        read = self.read_all(view, text)
        return judged(read, self.refusals(view, read.order))


# home


def _home_refusals(view: HammerView, order: Order) -> Refusals:
    if isinstance(order, GoHome):
        return home_refusals(view, order)
    return [("", Refusal(_("say where these blocks go"), "7.1", ", ".join(home_choices(view)) or "DONE"))]


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


# disband


def _disband_refusals(view: HammerView, order: Order) -> Refusals:
    if isinstance(order, Disband):
        return disband_refusals(view, order)
    return [
        ("", Refusal(_("say who does not stay for the winter"), "7.3" if view.seat != SCOTTISH else "7.5", "DISBAND …"))
    ]


def _leaders(view: HammerView) -> list[Disband]:
    """Return what can be ordered of Edward, of Wallace, and of Norse whom no limit counts, and nothing else."""
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

    return Composed(compose, every, lambda order: _disband_refusal(view, order) is None, _disband_words(view))


def _ways_to_go(free: int, able: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for n in range(max(0, len(able) - free), len(able) + 1):
        yield from combinations(able, n)


def _disband_words(view: HammerView) -> str:
    lines = [str(order) for order in _leaders(view) if order.edward or order.wallace]
    for area, (free, able) in quarters(view.seat, view.groups, Disband(), view.variants).areas.items():
        stay, of = min(free, len(able)), ", ".join(able) or _("nobody")
        lines.append(_("{area}: {n} may stay of {blocks}", area=area, n=stay, blocks=of))
    return "\n".join([_("DISBAND and the blocks that go, or DONE"), *lines])


def _disband_refusal(view: HammerView, order: Order) -> Refusal | None:
    return _first(_disband_refusals(view, order))


# build


def _build_refusals(view: HammerView, order: Order) -> Refusals:
    if isinstance(order, Build):
        return build_refusals(view, order)
    return [
        (
            "",
            Refusal(
                _("say what you build"), "7.6", "BUILD …, DRAW …, DONE" if view.seat == SCOTTISH else "BUILD …, DONE"
            ),
        )
    ]


def _build_refusal(view: HammerView, order: Order) -> Refusal | None:
    return _first(_build_refusals(view, order))


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
            names = buildable(view, area)
            gains: dict[str, int] = {}
            for _point in range(chooser.randrange(n + 1)):
                if able := [name for name in names if gains.get(name, 0) < names[name]]:
                    name = able[chooser.randrange(len(able))]
                    gains[name] = gains.get(name, 0) + 1
            if gains:
                steps = tuple(Step(block=name, steps=k) for name, k in gains.items())
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

    return Composed(compose, every, lambda order: _build_refusal(view, order) is None, _build_words(view))


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
        steps = ", ".join(f"{name} {k}" for name, k in buildable(view, area).items()) or _("nobody")
        drawn = "" if draw_refusal(view, area, (), n) else "; DRAW"
        lines.append(_("{area}: {n} points for {steps}", area=area, n=n, steps=steps) + drawn)
    if view.seat == SCOTTISH:
        return "\n".join([_("BUILD and steps, area by area, DRAW, or DONE"), *lines])
    return "\n".join([_("BUILD and steps, area by area or DONE"), *lines])


# The table


def _first(refusals: Refusals) -> Refusal | None:
    return next((refusal for _, refusal in refusals), None)


def _read_as_a_whole(view: HammerView) -> Mapping[str, Form]:
    return {}


QUESTIONS: Mapping[str, Question] = {
    "home": WinterQuestion(
        _read_as_a_whole,
        _home_options,
        lambda view, order: _first(_home_refusals(view, order)),
        _home_default,
        read_all=read_home,
        refusals=_home_refusals,
    ),
    "disband": WinterQuestion(
        _read_as_a_whole,
        _disband_options,
        _disband_refusal,
        keep_as_many_as_may_stay,
        read_all=read_disband,
        refusals=_disband_refusals,
    ),
    "build": WinterQuestion(
        _read_as_a_whole,
        _build_options,
        _build_refusal,
        spend_sensibly,
        read_all=read_build,
        refusals=_build_refusals,
    ),
}
