"""Legal answers found without being told: all that could be typed is typed, and what the rules take is kept.

The second way to count. It knows the form of orders and the own blocks, and nothing of what is legal; blocks are named in the
order of the roster, where their order says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, permutations, product

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.printed import AREAS, CARD_NAME, NEIGHBOURS, NORSE, ROSTER
from pbem.games.hammer.views import HammerView
from pbem.kernel import Order

Texts = Iterator[str]
MOST_STEPS = 3
LONGEST = 3
"""No block moves farther than three areas."""


def guessed(view: HammerView) -> list[Order]:
    """Return every order that is taken, of all that might be typed in answer to the question of a view."""
    assert view.ask is not None
    found: dict[str, Order] = {}
    for text in _GUESSES[view.ask["what"]](view):
        order = _taken(view, text)
        if order is not None:
            found[str(order)] = order
    return list(found.values())


def _taken(view: HammerView, text: str) -> Order | None:
    try:
        order = GAME.parse(view, text)
    except OrderError:
        return None
    return order if GAME.why_not(view, order) is None else None


def _groups(view: HammerView) -> dict[str, tuple[str, ...]]:
    return {area: names for area, names in view.groups.items() if area in AREAS}


def _some(names: Sequence[str], most: int = 99) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, n) for n in range(1, min(most, len(names)) + 1))


def _steps(names: Sequence[str], most: int) -> Texts:
    for steps in product(range(most + 1), repeat=len(names)):
        if any(steps):
            yield ", ".join(f"{name} {n}" for name, n in zip(names, steps, strict=True) if n)


# the turn


def _cards(view: HammerView) -> Texts:
    return (f"CARD {card}" for card in CARD_NAME.values())


def _acts(view: HammerView) -> Texts:
    yield from ("PASS", "TRUCE", "RETURN")
    yield from (f"{verb} {name}" for verb in ("HERALD", "CORONATION") for name in ROSTER)
    yield from (f"PILLAGE {target} FROM {group}" for target, group in product(AREAS, repeat=2))
    for area, names in _groups(view).items():
        yield from (f"VICTUALS {area}: {steps}" for steps in _steps(names, MOST_STEPS + 1))
        yield from (f"SEA {', '.join(some)}: {area} > {to}" for some in _some(names, 3) for to in AREAS)
    yield from _moves(view, "", frozenset())


def _moves(view: HammerView, before: str, moved: frozenset[str]) -> Texts:
    """Type all moves: a move is legal only if it is without its last line, so those that are taken are made longer."""
    for area, names in _groups(view).items():
        still = [name for name in names if name not in moved]
        for some in _some(still):
            for route in _walks(area, some):
                for main in ("", " MAIN"):
                    text = f"{before}MOVE {area}: {', '.join(some)} > {' > '.join(route)}{main}"
                    if _taken(view, text) is not None:
                        yield text
                        yield from _moves(view, text + "\n", moved | {*some})


def _walks(start: str, some: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Go wherever borders lead, also back; the Norse go straight to anywhere."""
    if some == (NORSE,):
        yield from ((area,) for area in AREAS)
        return
    walks: list[tuple[str, ...]] = [()]
    for _ in range(LONGEST):
        walks = [(*walk, there) for walk in walks for there in NEIGHBOURS[walk[-1] if walk else start]]
        yield from walks


# battles


def _actions(view: HammerView) -> Texts:
    assert view.battle is not None
    acts = ["FIRE", "PASS", *(f"RETREAT {area}" for area in AREAS)]
    front = view.battle.front(view.seat)
    for n in range(1, len(front) + 1):
        for names in permutations(front, n):
            for chosen in product(acts, repeat=n):
                said = ", ".join(f"{name} {act}" for name, act in zip(names, chosen, strict=True))
                yield f"BATTLE {view.battle.area}: {said}"


def _hits(view: HammerView) -> Texts:
    for area, names in _groups(view).items():
        yield from (f"HITS {area}: {', '.join(some)}" for n in (1, 2, 3) for some in permutations(names, n))
        yield from (f"HITS {area}: {name}, {name}" for name in names)


def _gains(view: HammerView) -> Texts:
    yield "PASS"
    for area, names in _groups(view).items():
        yield from (f"GAINS {area}: {steps}" for steps in _steps(names, MOST_STEPS))


def _places(verb: str, view: HammerView) -> Texts:
    yield "PASS"
    assert view.ask is not None
    area = view.ask["area"]
    for names in _some(view.groups.get(area, ())):
        for to in product(AREAS, repeat=len(names)):
            said = ", ".join(f"{name} > {there}" for name, there in zip(names, to, strict=True))
            yield f"{verb} {area}: {said}"


# the winter


def _homes(view: HammerView) -> Texts:
    yield "DONE"
    own = {name for names in _groups(view).values() for name in names} | set(
        (view.ask or {})["nobles"]
    )  # who changes sides, too
    lines = [
        [f"{word} > {area}" for area in AREAS] + [f"{word} STAY", f"{word} DISBAND"]
        for word in ("KING" if name == "King" else f"HOME {name}" for name in sorted(own))
    ]
    for some in chain.from_iterable(combinations(lines, n) for n in (1, 2)):
        yield from map("\n".join, product(*some))


def _disbands(view: HammerView) -> Texts:
    own = [name for names in _groups(view).values() for name in names]
    for leader in ("", "EDWARD STAYS\n", "WALLACE > Selkirk\n"):
        yield leader + "DONE"
        yield from (f"{leader}DISBAND {', '.join(some)}" for some in _some(own))


def _builds(view: HammerView) -> Texts:
    by_area = []
    for area, names in _groups(view).items():
        steps = ["", *(f"BUILD {area}: {said}\n" for said in _steps(names, MOST_STEPS))]
        draws = [f"DRAW {area}\n" * n for n in range(MOST_STEPS + 1)]
        by_area.append([(build, draw) for build in steps for draw in draws])
    for chosen in product(*by_area):
        builds = "".join(build for build, _ in chosen)
        for draws_ in {"".join(lines) for lines in permutations([draw for _, draw in chosen if draw])}:
            yield from (builds + draws_, builds + draws_ + "DONE")


_GUESSES: Mapping[str, Callable[[HammerView], Texts]] = {
    "card": _cards,
    "act": _acts,
    "battle action": _actions,
    "hits": _hits,
    "pillage losses": _hits,
    "pillage gains": _gains,
    "retreats": partial(_places, "RETREAT"),
    "regroup": partial(_places, "REGROUP"),
    "home": _homes,
    "disband": _disbands,
    "build": _builds,
}
