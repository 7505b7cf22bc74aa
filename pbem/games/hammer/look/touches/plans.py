"""The possible continuations of a line that begins with PLAN, word by word: all that a plan can say for a seat.

It leaves out words that can never apply to the seat:

- a border raid of the Scots, draws of the English;
- the other side's leader, blocks that never change to its side;
- the landings of Norse and French in a game without inland landings.

 Two plans for the same matter are refused together (`plans.reading`), so a matter with a plan in the draft is not offered again. It
uses the seat's view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.errors import OrderError
from pbem.i18n import N_
from pbem.look.grammar import Word, Words, choice, several, touched, walk
from pbem.look.touches import PLAN, Touch

from ...plans import read_plans
from ...plans.clauses import ANY, NEW, STAY, WEAKEST
from ...plans.reading import subjects
from ...rules import (
    AREAS,
    BLOCKS,
    CATHEDRALS,
    COAST,
    ENGLISH,
    INLAND_LANDING,
    KING,
    MORAY,
    NEIGHBOURS,
    SCOTTISH,
    castle_limit,
)
from ...views import HammerView
from .battle_plans import battle, battlefields, heads
from .names import able, areas, blocks, ordered, own_areas


def plan_touches(view: HammerView, lines: Sequence[str]) -> tuple[Touch, ...]:
    """Return what may come next in the last of some lines, all of which begin with PLAN; () where it cannot be gone on with.

    A touch closes where that line is then a whole plan.
    """
    *above, last = lines
    reached = walk(_plan(view, _taken(above)), _tidied(last))
    return tuple(touched(reached, above, _CALLED)) if reached else ()


_CALLED = N_("Plan: {what}")


def _canonical(line: str) -> str:
    try:
        return read_plans(line)
    except OrderError:
        return ""


def _tidied(line: str) -> str:
    """Return a line as the grammar spells it: a complete plan in its canonical text, an incomplete one unchanged."""
    said = _canonical(line) if line.rstrip()[-1:] not in (",", ";") else ""
    return f"{PLAN} {said}" if said else " ".join([PLAN, *line.split()[1:]])


def _taken(lines: Iterable[str]) -> set[str]:
    """Return what there are plans for in some lines."""
    return {subject for line in lines for subject in subjects(_canonical(line))}


class _Kind(NamedTuple):
    """A kind of plan: its purpose, the words after its verb, and its subjects by a view. It is offered while a subject is free."""

    says: str
    words: Callable[[HammerView, Collection[str]], Words[None]]
    subjects: Callable[[HammerView], Iterable[str]]
    seats: tuple[str, ...] = (ENGLISH, SCOTTISH)


def _kinds(view: HammerView, taken: Collection[str]) -> Iterator[Word]:
    for verb, kind in _KINDS.items():
        if view.seat in kind.seats and not set(kind.subjects(view)) <= set(taken):
            yield choice(f" {verb}", kind.says)


def _plan(view: HammerView, taken: Collection[str]) -> Words[None]:
    yield [Word(PLAN, f"choice:{PLAN}", "")]
    verb = yield list(_kinds(view, taken))
    yield from _KINDS[verb.name].words(view, taken)


# names in the order of preference


def _listing(
    names: Callable[[HammerView], Iterable[Word]], special: Word | None = None, *, first: bool = False
) -> Callable[[HammerView, Collection[str]], Words[None]]:
    """Return the grammar of names in the order of preference; the special word is before or after them in the list."""

    def put(view: HammerView, _taken: Collection[str]) -> Words[None]:
        beside = [special] if special else []
        found = list(names(view))
        yield from several([*beside, *found] if first else [*found, *beside], " ", ", ")

    return put


def _special(word: str, says: str) -> Word:
    return choice(word, says, whole=True)


def _lesser(view: HammerView) -> Iterator[str]:
    """Go through the blocks that may disband: no nobles, but Moray."""
    return (name for name in able(view) if not BLOCKS[name].is_noble or name == MORAY)


# winter


def _guests(view: HammerView) -> list[str]:
    """Return who may have a choice where he spends the winter: nobles with two homes (7.12), for the Scots Moray and the King."""
    court = [MORAY, KING] if view.seat == SCOTTISH else []
    return [*(name for name in BLOCKS if len(BLOCKS[name].homes) > 1), *court]


def _home(view: HammerView, taken: Collection[str]) -> Words[None]:
    free = (name for name in _guests(view) if f"HOME {name}" not in taken)
    who = yield list(blocks(view, free, " ", N_("where {block} spends the winter"), whole=False))
    places = list(areas(CATHEDRALS if who.name == KING else BLOCKS[who.name].homes, "", N_("to {area}, if he may")))
    if who.name in (MORAY, KING):
        places += [_special(STAY, N_("he stays where he is")), _special("DISBAND", N_("he disbands"))]
    yield from several(places, " > ", " OR ")


def _leader(stays: str, goes: str) -> Callable[[HammerView, Collection[str]], Words[None]]:
    def put(_view: HammerView, _taken: Collection[str]) -> Words[None]:
        yield [_special(" STAYS", stays), _special(" GOES", goes)]

    return put


_MOST_DRAWS = 9
"""The number that ALL means: no area has room for that many."""


def _build(view: HammerView, taken: Collection[str]) -> Words[None]:
    castles = [area for area in own_areas(view) if castle_limit(area, view.seat)]
    every = choice(f" {ANY}", N_("for all areas without a plan"))
    places = areas(ordered(castles), " ", N_("for {area}"), whole=False)
    where = yield [word for word in (every, *places) if f"BUILD {word.name}" not in taken]
    word = yield [*_draws(view), choice(": STRENGTHEN", _STRENGTHEN), _special(": NOTHING", N_("they are not used"))]
    if word.name.startswith("DRAW"):
        further = [choice(", STRENGTHEN", _STRENGTHEN)]
        land = [choice(", LAND", N_("where Norse or French land"))] if INLAND_LANDING in view.variants else []
        word = yield [*land, *further]
        if word.name == "LAND":
            coasts = [there for there in NEIGHBOURS.get(where.name, ()) if AREAS[there].coastal]
            landing = areas(dict.fromkeys([*coasts, *COAST]), "", N_("they land in {area}, if it is open"))
            word = yield from several(list(landing), " ", " OR ", further)
    if word.name == "STRENGTHEN":
        new = _special(NEW, N_("blocks with one step gain, as those just drawn"))
        yield from several([new, _special(WEAKEST, N_("the weakest gain")), *_gaining(view, where.name)], " ", ", ")


_STRENGTHEN = N_("who gains steps")


def _draws(view: HammerView) -> Iterator[Word]:
    if view.seat == SCOTTISH:  # 7.63: the English draw none
        for n in range(1, _MOST_DRAWS):
            yield choice(f": DRAW {n}", N_("blocks drawn, if there is room: {n}"), whole=True, n=n)
        yield choice(f": DRAW {_MOST_DRAWS}", N_("as many blocks drawn as there is room for"), whole=True)


def _gaining(view: HammerView, area: str = ANY) -> Iterator[Word]:
    return blocks(view, able(view, area), "", N_("steps for {block}"))


# how often


def _asking(_view: HammerView, _taken: Collection[str]) -> Words[None]:
    yield [
        _special(" WHEN IT MATTERS", N_("when it matters; what does not is answered for you")),
        _special(" ALWAYS", N_("always: no plan speaks")),
    ]


def _one(subject: str) -> Callable[[HammerView], Iterable[str]]:
    return lambda view: (subject,)


_KINDS: Mapping[str, _Kind] = {
    "BATTLE": _Kind(
        N_("how your blocks fight, retreat, take hits and regroup"),
        battle,
        lambda view: (head for area in (ANY, *AREAS) for head in heads(area)),
    ),
    "NEXT": _Kind(
        N_("which battle is fought first"),
        _listing(
            lambda view: areas(battlefields(view), "", N_("the battle of {area}")),
            _special(ANY, N_("any, in the board’s order")),
        ),
        _one("NEXT"),
    ),
    "RAID": _Kind(
        N_("which block a border raid costs you"),
        _listing(
            lambda view: blocks(view, _lesser(view), "", N_("disband {block}")),
            _special(WEAKEST, N_("the weakest disbands")),
            first=True,
        ),
        _one("RAID"),
        (ENGLISH,),
    ),
    "GAINS": _Kind(
        N_("who gains by a pillage"),
        _listing(_gaining, _special(WEAKEST, N_("the weakest gain")), first=True),
        _one("GAINS"),
    ),
    "ASK": _Kind(N_("how often you are asked"), _asking, _one("ASK")),
    "HOME": _Kind(
        N_("where nobles and the King spend the winter who have a choice"),
        _home,
        lambda view: (f"HOME {name}" for name in _guests(view)),
    ),
    "EDWARD": _Kind(
        N_("does Edward stay in Scotland for the winter?"),
        _leader(N_("he stays in Scotland"), N_("he goes home, and there is a levy")),
        _one("EDWARD"),
        (ENGLISH,),
    ),
    "WALLACE": _Kind(
        N_("does Wallace go to Selkirk for the winter?"),
        _leader(N_("he stays where he is"), N_("he goes to Selkirk")),
        _one("WALLACE"),
        (SCOTTISH,),
    ),
    "KEEP": _Kind(
        N_("who stays for the winter where there is no room for all"),
        _listing(
            lambda view: blocks(view, _lesser(view), "", N_("keep {block}")),
            _special(ANY, N_("others, the strongest first")),
        ),
        _one("KEEP"),
    ),
    "DISBAND": _Kind(
        N_("who disbands for the winter in any case"),
        _listing(lambda view: blocks(view, _lesser(view), "", N_("disband {block}"))),
        _one("DISBAND"),
    ),
    "BUILD": _Kind(
        N_("what replacement points are used for"),
        _build,
        lambda view: (f"BUILD {area}" for area in (ANY, *AREAS)),
    ),
}
