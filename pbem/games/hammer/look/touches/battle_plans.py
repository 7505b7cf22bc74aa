"""The words of a plan for battles: BATTLE Lanark DEFENDING: RETREAT Lennox IF ROUND 3; FIGHT; HITS Douglas, ANY; REGROUP STAY.

They come in the order of the canonical text: clauses for some blocks, retreats of all, FIGHT, HITS, REGROUP. A place, block or
condition is offered once. ALL may be sent to several areas, within the room of each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pbem.i18n import N_
from pbem.look.grammar import Word, Words, choice, several

from ...plans.clauses import ALL, ANY, STAY
from ...rules import AREAS, NEIGHBOURS
from ...views import HammerView
from .names import able, areas, blocks, ordered, own_areas

ROLES = {"ATTACKING": N_("only if you attack"), "DEFENDING": N_("only if you defend")}
_RETREAT, _FIGHT, _HITS, _REGROUP = "RETREAT", "FIGHT", "HITS", "REGROUP"
_PARTS = {
    _RETREAT: N_("retreat to …"),
    _FIGHT: N_("fight on"),
    _HITS: N_("who takes hits"),
    _REGROUP: N_("where they go if you win"),
}
"""The parts of a plan for all blocks, in the order of a line."""


def heads(area: str) -> Iterator[str]:
    """Go through what a plan for battles in an area can begin with; two plans of one head are one too many."""
    yield from (f"BATTLE {area}", *(f"BATTLE {area} {role}" for role in ROLES))


def battlefields(view: HammerView) -> tuple[str, ...]:
    """Return all areas, those first where there is a battle this turn."""
    return ordered(_now(view))


def _now(view: HammerView) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*([view.battle.area] if view.battle else []), *view.contested]))


def battle(view: HammerView, taken: Collection[str]) -> Words[None]:
    """Put the words of a plan for battles; `taken` are the heads of the plans that are there already."""
    where = yield [word for word in _where(view) if not set(heads(word.name)) <= set(taken)]
    area = where.name
    free = [head for head in heads(area) if head not in taken]
    roles = [choice(f" {role}", says) for role, says in ROLES.items() if f"BATTLE {area} {role}" in free]
    first = yield [*roles, *(_parts(view, area, ": ", tuple(_PARTS)) if f"BATTLE {area}" in free else ())]
    if first.name in ROLES:
        first = yield list(_parts(view, area, ": ", tuple(_PARTS)))
    yield from _action(view, area, first)


def _where(view: HammerView) -> Iterator[Word]:
    yield choice(f" {ANY}", N_("in every battle"))
    now = _now(view)
    yield from areas(now, " ", N_("in {area}, a battle now"), whole=False)
    yield from areas((area for area in AREAS if area not in now), " ", N_("in {area}"), whole=False)


def _parts(view: HammerView, area: str, before: str, parts: Sequence[str], *, named: bool = True) -> Iterator[Word]:
    """Go through what a part of the line may begin with."""
    for part in parts:
        yield choice(f"{before}{part}", _PARTS[part], whole=part == _FIGHT)
    if named:
        yield from blocks(view, able(view, area), before, N_("only {block}"), whole=False)


def _after(part: str) -> tuple[str, ...]:
    """Return the parts that may follow one; several retreats may, each under its conditions."""
    found = tuple(_PARTS)
    return found[found.index(part) + (part != _RETREAT) :]


def _action(view: HammerView, area: str, word: Word) -> Words[None]:
    """Continue a part after its first word, and the parts behind it."""
    while word.name not in (_HITS, _REGROUP):
        named = word.name not in _PARTS
        if named:
            word = yield from _who(view, area, word.name)
        after = tuple(_PARTS) if named else _after(word.name)
        further = list(_parts(view, area, "; ", after, named=named))
        word = (yield from _retreat(view, area, further)) if word.name == _RETREAT else (yield further)
    if word.name == _HITS:
        yield from _hits(view, area)
    yield from _regroup(view, area)


def _who(view: HammerView, area: str, name: str) -> Words[Word]:
    """Put the words for further blocks of which the same is said; return the one that says what they do."""
    named = [name]
    while True:
        others = (other for other in able(view, area) if other not in named)
        word = yield [
            choice(f" {_RETREAT}", _PARTS[_RETREAT]),
            choice(f" {_FIGHT}", _PARTS[_FIGHT], whole=True),
            *blocks(view, others, ", ", N_("and {block}"), whole=False),
        ]
        if word.name in _PARTS:
            return word
        named.append(word.name)


# retreats


def _havens(view: HammerView, area: str) -> tuple[str, ...]:
    """Return where blocks could go from an area, its neighbours first (the Norse sail); for any area, first those without
    enemies."""
    if area != ANY:
        return tuple(there for there in ordered(NEIGHBOURS[area]) if there != area)
    own = own_areas(view)
    beside = (there for there in AREAS if any(near in own for near in NEIGHBOURS[there]))
    return ordered(there for there in (*own, *beside) if not view.count(there, view.enemy))


def _retreat(view: HammerView, area: str, further: Sequence[Word]) -> Words[Word]:
    """Put the words for places and conditions; return the word of the next part."""
    places = list(areas(_havens(view, area), "", N_("retreat to {area}")))
    word = yield from several(places, " ", ", ", [choice(" IF", N_("only under conditions")), *further])
    return (yield from _conditions(view, area, further)) if word.name == "IF" else word


_ODDS = ((1, 1), (2, 3), (1, 2), (1, 3))
"""By these steps, own to the enemy's, retreats are mostly planned; any others can be said."""
MOST = 99


def _conditions(view: HammerView, area: str, further: Sequence[Word]) -> Words[Word]:
    """Put the words of conditions, one of which has to hold; return the word of the next part."""
    said: list[str] = []
    while True:
        word = yield [word for word in _kinds(view, area) if word.text not in said]
        begun = word.text
        if begun == " LOST":
            word = yield [choice(f" {n}", N_("steps lost: {n} or more"), whole=True, n=n) for n in range(1, MOST + 1)]
        elif begun == " ODDS BELOW":
            own = yield [choice(f" {n}", N_("{n} steps of yours"), n=n) for n in range(1, MOST + 1)]
            says = N_("{own} steps of yours to {n} of theirs")
            word = yield [choice(f":{n}", says, whole=True, own=own.name, n=n) for n in range(1, MOST + 1)]
            begun += own.text
        elif word.at.startswith("block:"):
            says = N_("fewer than {n} steps of {block} in front")
            block = word.name
            word = yield [choice(f" BELOW {n}", says, whole=True, name=str(n), block=block, n=n) for n in range(1, 5)]
        said.append(begun if begun == word.text else begun + word.text)
        word = yield [choice(" OR", N_("or under another condition")), *further]
        if word.name != "OR":
            return word


def _kinds(view: HammerView, area: str) -> Iterator[Word]:
    for n in (2, 3, 1):
        yield choice(f" ROUND {n}", N_("from round {n} on"), whole=True, n=n)
    for own, foe in _ODDS:
        says = N_("weaker in front than {own}:{foe}")
        yield choice(f" ODDS BELOW {own}:{foe}", says, whole=True, own=own, foe=foe)
    yield choice(" ODDS BELOW", N_("weaker than other odds"))
    yield choice(" LOST", N_("after losses"))
    yield from blocks(view, able(view, area), " ", N_("steps of {block}"), whole=False)


# hits, regrouping


def _hits(view: HammerView, area: str) -> Words[None]:
    """Yield the words for which of the equally strong blocks are hit, then the beginning of a regroup."""
    others = choice(ANY, N_("hits fall on others"), whole=True)
    names = [others, *blocks(view, able(view, area), "", N_("hits fall on {block}"))]
    yield from several(names, " ", ", ", [choice(f"; {_REGROUP}", _PARTS[_REGROUP])])


def _regroup(view: HammerView, area: str) -> Words[None]:
    """Put the words for where victors go."""
    named: dict[str, list[str]] = {}
    while len(named.get(ALL, ())) < len(AREAS):
        before = ", " if named else " "
        stay = [] if named else [choice(f" {STAY}", N_("they stay"), whole=True)]
        still = (name for name in able(view, area) if name not in named)
        everybody = choice(f"{before}{ALL}", N_("all who can go"))
        who = yield [*stay, everybody, *blocks(view, still, before, N_("send {block}"), whole=False)]
        if who.name == STAY:
            return
        places = (place for place in _havens(view, area) if place not in named.get(who.name, ()))
        to = yield list(areas(places, " > ", N_("to {area}")))
        named.setdefault(who.name, []).append(to.name)
