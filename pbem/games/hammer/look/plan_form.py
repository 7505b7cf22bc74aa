"""A plan asked for step by step, for those who do not know the words of plans: each step offers what fits the seat's own view.

The dialogue is written as generators: each `yield` puts a step and comes back with the words that were chosen; what a generator
returns is the clause. So a step is taken back by going through the dialogue once more without its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Literal, cast

from pbem.i18n import N_, _
from pbem.look import Choice, Step

from ..plans.clauses import (
    ALL,
    ANY,
    NEW,
    STAY,
    WEAKEST,
    Asking,
    BattleClause,
    BuildClause,
    Clause,
    Condition,
    Home,
    Leader,
    Listing,
    Part,
    Target,
)
from ..rules import (
    AREAS,
    BLOCKS,
    CATHEDRALS,
    EDWARD,
    ENGLISH,
    INLAND_LANDING,
    KING,
    MORAY,
    NEIGHBOURS,
    SCOTTISH,
    WALLACE,
    castle_limit,
)
from ..views import HammerView

Dialogue = Generator[Step, Sequence[str], Clause]

WANDERERS = ("Bruce", "Comyn")
"""The nobles who have two homes (7.12)."""


def plan_form(view: HammerView, said: Sequence[Sequence[str]]) -> Step | str:
    """Return the step that comes after these answers, or the plan that they make."""
    dialogue = _plan(view)
    try:
        step = next(dialogue)
        for words in said:
            step = dialogue.send(words)
    except StopIteration as end:
        return str(end.value)
    return step


def _one(asks: str, choices: Iterable[Choice]) -> Generator[Step, Sequence[str], str]:
    """Ask for one of some choices; with a single one there is nothing to ask."""
    found = tuple(choices)
    if len(found) == 1:
        return found[0].word
    (word,) = yield Step(asks, found)
    return word


def _some(asks: str, choices: Iterable[Choice], least: int = 1) -> Generator[Step, Sequence[str], tuple[str, ...]]:
    """Ask for several of some choices, in their order."""
    words = yield Step(asks, tuple(choices), several=True, least=least)
    return tuple(words)


def _named(words: Iterable[str]) -> Iterator[Choice]:
    return (Choice(word, word) for word in words)


def _plan(view: HammerView) -> Dialogue:
    kinds = [name for name in _KINDS if name not in _NOT_FOR[view.seat]]
    kind = yield from _one(_("What is the plan for?"), (Choice(name, _(_KINDS[name][0])) for name in kinds))
    return (yield from _KINDS[kind][1](view))


# Battles


def _battle(view: HammerView) -> Dialogue:
    area = yield from _one(
        _("Which battle? A plan holds until your next order."),
        [Choice(ANY, _("every battle")), *_battlefields(view)],
    )
    role = yield from _one(
        _("Does it hold whether you attack or defend?"),
        [
            Choice("", _("in either case")),
            Choice("ATTACKING", _("only if you attack")),
            Choice("DEFENDING", _("only if you defend")),
        ],
    )
    parts = yield from _action(view, area)
    hits = yield from _some(
        _("Which of equally strong blocks takes hits, first named first?"),
        [Choice(ANY, _("whoever is not named")), *_named(_blocks_near(view, area))],
        least=0 if parts else 1,
    )
    regroup = yield from _regroup(view, area)
    return BattleClause(area, cast('Literal["", "ATTACKING", "DEFENDING"]', role), parts, hits, regroup)


def _battlefields(view: HammerView) -> Iterator[Choice]:
    """Go through the areas where there may be a battle: those of this turn first."""
    now = dict.fromkeys([*([view.battle.area] if view.battle else []), *view.contested])
    for area in now:
        yield Choice(area, _("{area}, where there is a battle this turn", area=area))
    yield from _named(area for area in AREAS if area not in now)


def _own_areas(view: HammerView) -> tuple[str, ...]:
    return tuple(area for area in AREAS if view.groups.get(area))


def _around(view: HammerView) -> tuple[str, ...]:
    """Return the areas beside our blocks where we have none."""
    own = _own_areas(view)
    return tuple(area for area in AREAS if area not in own and any(there in own for there in NEIGHBOURS[area]))


def _havens(view: HammerView, area: str) -> tuple[str, ...]:
    """Return where blocks could go from an area; of any area all where no enemy stands."""
    if area != ANY:
        return tuple(NEIGHBOURS[area])
    return tuple(there for there in (*_own_areas(view), *_around(view)) if not view.count(there, view.enemy))


def _blocks_near(view: HammerView, area: str) -> tuple[str, ...]:
    """Return our blocks that could be in a battle in an area: those there and beside it; of any area all on the map."""
    near = AREAS if area == ANY else (area, *NEIGHBOURS[area])
    return tuple(name for there in near for name in view.groups.get(there, ()))


def _action(view: HammerView, area: str) -> Generator[Step, Sequence[str], tuple[Part, ...]]:
    action = yield from _one(
        _("What do your blocks do?"),
        [
            Choice("FIGHT", _("fight on")),
            Choice("IF", _("fight, and retreat when it goes badly")),
            Choice("RETREAT", _("retreat as soon as they can")),
            Choice("ASK", _("you want to be asked")),
        ],
    )
    fight = Part("FIGHT")
    if action in ("FIGHT", "ASK"):
        return (fight,) if action == "FIGHT" else ()
    conditions = {str(condition): (condition, text) for condition, text in _conditions(view)} if action == "IF" else {}
    when: tuple[str, ...] = ()
    if conditions:
        when = yield from _some(
            _("When do they retreat? As soon as one of these holds."),
            (Choice(word, text) for word, (_condition, text) in conditions.items()),
        )
    places = yield from _some(
        _("Where to? Each block goes to the first of these that is open to it."), _named(_havens(view, area))
    )
    return Part("RETREAT", (), places, tuple(conditions[word][0] for word in when)), fight


def _conditions(view: HammerView) -> Iterator[tuple[Condition, str]]:
    for n in (2, 3):
        yield Condition("ROUND", n), _("from round {n} on", n=n)
    for ours, theirs in ((1, 1), (2, 3), (1, 2), (1, 3)):
        yield (
            Condition("ODDS", ours, theirs),
            _("by steps you are weaker in front than {own}:{foe}", own=ours, foe=theirs),
        )
    for n in (2, 3, 4):
        yield Condition("LOST", n), _("you have lost {n} steps or more in this battle", n=n)
    for name in (EDWARD, WALLACE, KING):
        if (own := view.own(name)) and own.at in AREAS:
            yield Condition("BELOW", 2, block=name), _("{block} has one step left, or is not in front", block=name)


def _regroup(view: HammerView, area: str) -> Generator[Step, Sequence[str], tuple[Target, ...] | None]:
    what = yield from _one(
        _("If you win, where do your blocks go?"),
        [
            Choice(STAY, _("they stay")),
            Choice(ALL, _("all to one area, as many as can")),
            Choice("ASK", _("you want to be asked")),
        ],
    )
    if what != ALL:
        return () if what == STAY else None
    to = yield from _one(_("To which area?"), _named(_havens(view, area)))
    return (Target(ALL, to),)


_WEAKEST = (WEAKEST, N_("the weakest"))


def _listing(
    verb: Literal["NEXT", "RAID", "GAINS", "KEEP", "DISBAND"],
    asks: str,
    choices: Callable[[HammerView], Iterable[Choice]],
    first: tuple[str, str] | None = None,
    last: tuple[str, str] | None = None,
) -> Callable[[HammerView], Dialogue]:
    """Return the dialogue for names in the order of preference; `first` and `last` are choices around them."""

    def ask(view: HammerView) -> Dialogue:
        before, after = ([Choice(one[0], _(one[1]))] if one else [] for one in (first, last))
        names = yield from _some(_(asks), [*before, *choices(view), *after])
        return Listing(verb, names)

    return ask


# Winter


def _lesser(view: HammerView) -> Iterator[Choice]:
    """Go through our blocks on the map that are no nobles, or are Moray, who may disband."""
    return _named(name for name in _blocks_near(view, ANY) if not BLOCKS[name].is_noble or name == MORAY)


def _home(view: HammerView) -> Dialogue:
    court = (MORAY, KING) if view.seat == SCOTTISH else ()
    who = yield from _one(_("Who?"), _named((*WANDERERS, *court)))
    places = [*_named(CATHEDRALS if who == KING else BLOCKS[who].homes)]
    if who in court:
        places += [Choice(STAY, _("stay where he is")), Choice("DISBAND", _("disband"))]
    wished = yield from _some(_("Where does he spend the winter? He goes to the first that is open to him."), places)
    return Home(who, wished)


def _leader(view: HammerView) -> Dialogue:
    english = view.seat == ENGLISH
    action = yield from _one(
        _("Does Edward winter in Scotland, if he may?") if english else _("Does Wallace go to Selkirk, if he may?"),
        [
            Choice("STAYS", _("he stays in Scotland") if english else _("he stays where he is")),
            Choice("GOES", _("he goes home, and there is a levy") if english else _("he goes to Selkirk")),
        ],
    )
    return Leader("EDWARD" if english else "WALLACE", cast('Literal["STAYS", "GOES"]', action))


def _build(view: HammerView) -> Dialogue:
    areas = [area for area in _own_areas(view) if castle_limit(area, view.seat)]
    area = yield from _one(
        _("For the points of which area?"), [Choice(ANY, _("all areas that have no plan of their own")), *_named(areas)]
    )
    draws = 0
    coasts: tuple[str, ...] = ()
    if view.seat == SCOTTISH:
        most = 3 if area == ANY else castle_limit(area, SCOTTISH)
        draws = int(
            (
                yield from _one(
                    _("How many blocks do you draw, if there is room?"),
                    _named(map(str, range(most + 1))),
                )
            )
        )
    if draws and INLAND_LANDING in view.variants and area != ANY and not AREAS[area].coastal:
        inland = [there for there in NEIGHBOURS[area] if AREAS[there].coastal]
        coasts = yield from _some(_("Where do Norse or French land that are drawn?"), _named(inland), least=0)
    drawn = [Choice(NEW, _("the blocks just drawn"))] if draws else []
    names = yield from _some(
        _("Who gains the other points, first named first?"),
        [*drawn, Choice(WEAKEST, _("the weakest")), *_named(_builders(view, area))],
        least=0,
    )
    return BuildClause(area, draws, names, coasts)


def _builders(view: HammerView, area: str) -> Iterator[str]:
    """Go through the blocks that may gain steps in an area (7.62, 7.63)."""
    for name in view.groups.get(area, ()) if area != ANY else _blocks_near(view, ANY):
        if view.seat == SCOTTISH or BLOCKS[name].type in ("infantry", "noble"):
            yield name


# How often


def _asking(_view: HammerView) -> Dialogue:
    when = yield from _one(
        _("How often do you want to be asked?"),
        [
            Choice("WHEN IT MATTERS", _("when it matters; what does not is answered for you")),
            Choice("ALWAYS", _("always: no plan speaks")),
        ],
    )
    return Asking(cast('Literal["ALWAYS", "WHEN IT MATTERS"]', when))


_KINDS: Mapping[str, tuple[str, Callable[[HammerView], Dialogue]]] = {
    "BATTLE": (N_("how your blocks fight, retreat, take hits and regroup"), _battle),
    "NEXT": (
        N_("which battle is fought first"),
        _listing(
            "NEXT",
            N_("Which battle is fought first, then which?"),
            _battlefields,
            last=(ANY, N_("whichever is left, in the order of the board")),
        ),
    ),
    "RAID": (
        N_("which block a border raid costs you"),
        _listing("RAID", N_("Which block does a border raid cost you, first named first?"), _lesser, _WEAKEST),
    ),
    "GAINS": (
        N_("who gains by a pillage"),
        _listing(
            "GAINS",
            N_("Who gains the steps that you take by a pillage, first named first?"),
            lambda view: _named(_blocks_near(view, ANY)),
            _WEAKEST,
        ),
    ),
    "ASK": (N_("how often you are asked"), _asking),
    "HOME": (N_("winter: where a noble or the King goes who has a choice"), _home),
    "LEADER": (N_("winter: Edward, or Wallace"), _leader),
    "KEEP": (
        N_("winter: who stays where there is no room for all"),
        _listing(
            "KEEP",
            N_("Who stays where there is no room for all, first named first?"),
            _lesser,
            last=(ANY, N_("whoever is not named, the strongest first")),
        ),
    ),
    "DISBAND": (
        N_("winter: who disbands in any case"),
        _listing("DISBAND", N_("Who disbands for the winter, whatever room there is?"), _lesser),
    ),
    "BUILD": (N_("winter: what replacement points are used for"), _build),
}
_NOT_FOR = {ENGLISH: (), SCOTTISH: ("RAID",)}
