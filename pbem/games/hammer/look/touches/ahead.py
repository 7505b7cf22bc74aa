"""The possible continuations of a line that begins with AHEAD, word by word: question, condition (for an act), order.

Whether it is legal is decided when the question is put (`kernel.ahead`). It offers everything that could be legal by then:
- the cards in hand;
- the seat's blocks where they are after the draft's order, followed by all that may come to be anywhere;
- moves to anywhere that blocks may reach over any borders.

So a complete line is readable, and may still not fit when its time comes. It uses the seat's view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.errors import OrderError
from pbem.games.touching import room_ahead
from pbem.i18n import N_
from pbem.look.grammar import Word, Words, choice, touched, walk
from pbem.look.touches import AHEAD, Touch

from ... import orders
from ...rules import (
    AREAS,
    BLOCKS,
    BORDER,
    CANDIDATES,
    COAST,
    ENGLAND,
    NEIGHBOURS,
    NOBLES,
    NORSE,
    RALLY,
    SCOTTISH,
    VICTUALS_STEPS,
    card_value,
    is_event,
    norse_coast,
)
from ...rules.said import named
from ...views import HammerView
from .names import able, areas, blocks, ordered

_CALLED = {"act": N_("what you do with your next card"), "card": N_("your next card")}
"""Questions for which orders can be sent ahead, as they are touched."""
_ASK = "ASK"
_IF = {"FIRST": N_("only if you are Player 1"), "SECOND": N_("only if you are Player 2")}


class _Later(NamedTuple):
    """The basis of a premove: the cards that may be played then, and the places of the seat's blocks."""

    view: HammerView
    cards: Mapping[str, Sequence[str]]
    places: Mapping[str, str]

    def at(self, area: str, without: Iterable[str] = ()) -> list[str]:
        """Return the blocks that may leave an area, except `without`: those there now, then all that may come there by then."""
        now = [name for name, place in self.places.items() if place == area]
        return [name for name in dict.fromkeys([*now, *able(self.view)]) if name not in {*without}]

    @property
    def own(self) -> tuple[str, ...]:
        """All areas, those with the seat's blocks first."""
        return ordered(area for area in AREAS if area in self.places.values())


def ahead_touches(view: HammerView, lines: Sequence[str], order: Sequence[str] = ()) -> tuple[Touch, ...]:
    """Return the continuations of the last of some AHEAD lines; () if it cannot be continued.

    `order` are the lines of the accompanying order, as far as it is written. A touch closes if the line can then be read.
    """
    *above, last = lines
    later = _later(view, order)
    reached = walk(_ahead(later, _free(later, above)), " ".join([AHEAD, *last.split()[1:]]))
    return tuple(touched(reached, above, _LATER)) if reached else ()


_LATER = N_("Ahead: {what}")


def _free(later: _Later, lines: Sequence[str]) -> dict[str, bool]:
    """Return the questions that may have another line, in the order in which they come; and whether it would be their first."""
    from ... import GAME  # the game is made of the rules and knows its look only by name

    room = room_ahead(GAME, later.view, (later.view.ask or {}).get("what", ""), lines)
    return {what: first for what, first in room.items() if later.cards[what] or first}


# what can be counted on


def _later(view: HammerView, lines: Sequence[str]) -> _Later:
    order = _order(view, lines)
    hand = list(view.hand)
    act = hand
    if isinstance(order, orders.PlayCard):
        hand, act = [*hand], [order.card]
        hand.remove(order.card)
    elif _acts_second(view):
        act = [view.cards[view.seat].played[-1]]
    places = {name: own.at for area in AREAS for name in view.groups.get(area, ()) if (own := view.own(name))}
    if isinstance(order, orders.Move):
        places |= {name: march.route[-1] for march in order.marches for name in march.blocks}
    found = {"card": tuple(dict.fromkeys(hand)), "act": tuple(dict.fromkeys(act))}
    in_order = {name: area for area in AREAS for name, place in places.items() if place == area}
    return _Later(view, found, in_order)


def _acts_second(view: HammerView) -> bool:
    """Does the seat's card lie on the table, for an act after what Player 1's card led to: a battle, or losses?"""
    turn = view.frames.get("turn", {})
    return turn.get("step") == "second" and view.first == view.enemy and (view.ask or {}).get("what") != "act"


def _order(view: HammerView, lines: Sequence[str]) -> object:
    """Return the order of a draft, None if it cannot be read."""
    from ... import GAME  # the game is made of the rules and knows its look only by name

    try:
        return GAME.parse(view, "\n".join(lines)) if view.ask and lines else None
    except OrderError:
        return None


# the grammar


def _ahead(later: _Later, free: Mapping[str, bool]) -> Words[None]:
    yield [Word(AHEAD, f"choice:{AHEAD}", "")]
    word = yield [choice(f" {what.upper()}", _CALLED[what]) for what in free]
    what = word.name.lower()
    back = [choice(f": {_ASK}", N_("you want to be asked after all"), whole=True)] if free[what] else []
    if what == "card":
        yield [*(_card(name) for name in later.cards["card"]), *back]
        return
    ifs = [choice(f" IF {player}", says, name=player) for player, says in _IF.items()]
    word = yield [*ifs, *_acts(later), *back]
    if word.name in _IF:
        word = yield list(_acts(later))
    if word.name in _ACTS:
        yield from _ACTS[word.name](later)


def _card(name: str) -> Word:
    return Word(f": CARD {name}", f"card:{name}", N_("play {card}"), {"card": named(name)}, whole=True)


def _acts(later: _Later) -> Iterator[Word]:
    """Yield the uses of the cards that may be played: complete if they need no more than their verb, otherwise the verb."""
    cards = later.cards["act"]
    yield choice(": PASS", N_("pass"), whole=True)
    if any(not is_event(card) for card in cards):
        yield choice(": MOVE", N_("move blocks"))
    for card, verb, says in _EVENTS:
        if card in cards:
            yield choice(f": {verb}", says, whole=verb == "TRUCE")
    if later.view.seat == SCOTTISH and any(map(is_event, cards)):
        yield choice(": CORONATION", N_("crown a king, instead of the event"))
        yield choice(": RETURN", N_("the king returns from exile, instead of the event"), whole=True)


_EVENTS = (
    ("Herald", "HERALD", N_("name a noble for the Herald")),
    ("Pillage", "PILLAGE", N_("pillage an area")),
    ("Sea Move", "SEA", N_("move blocks by sea")),
    ("Truce", "TRUCE", N_("offer a truce")),
    ("Victuals", "VICTUALS", N_("add steps to a group")),
)


def _herald(later: _Later) -> Words[None]:
    theirs = [name for name in NOBLES if not later.view.own(name)]
    yield list(blocks(later.view, dict.fromkeys([*theirs, *NOBLES]), " ", N_("ask {block} to change sides")))


def _coronation(later: _Later) -> Words[None]:
    yield list(blocks(later.view, CANDIDATES, " ", N_("crown {block}")))


def _pillage(later: _Later) -> Words[None]:
    near = [area for area in AREAS if any(there in later.places.values() for there in NEIGHBOURS[area])]
    enemies = [area for area in near if later.view.count(area, later.view.enemy)]
    target = yield list(areas(ordered([*enemies, *near]), " ", N_("pillage {area}"), whole=False))
    groups = (area for area in later.own if area in NEIGHBOURS[target.name])
    yield list(areas(groups, " FROM ", N_("for the group in {area}")))


def _sea(later: _Later) -> Words[None]:
    sailors = [name for name, place in later.places.items() if place in COAST]
    everybody = dict.fromkeys([*sailors, *able(later.view)])
    first = yield list(blocks(later.view, everybody, " ", N_("sail with {block}"), whole=False))
    start = later.places.get(first.name, "")
    havens = [area for area in later.own if area in COAST]
    direct = list(areas((area for area in havens if area != start), f": {start} > ", N_("to {area}"))) if start else []
    elsewhere = choice(":", N_("from another area"), name="ELSEWHERE")
    ways = [*direct, elsewhere] if start else list(areas(havens, ": ", N_("from {area}"), whole=False))
    others = later.at(start, [first.name])
    word = yield [*ways, *blocks(later.view, others, ", ", N_("and {block}"), whole=False)]
    if word not in ways:
        word = yield ways
    if word == elsewhere:
        word = yield list(areas((area for area in havens if area != start), " ", N_("from {area}"), whole=False))
    if word not in direct:
        yield list(areas((area for area in havens if area != word.name), " > ", N_("to {area}")))


def _victuals(later: _Later) -> Words[None]:
    where = yield list(areas(later.own, " ", N_("to the group in {area}"), whole=False))
    left, before, names = VICTUALS_STEPS, ": ", later.at(where.name)
    while left and names:
        block = yield list(blocks(later.view, names, before, N_("steps for {block}"), whole=False))
        says = N_("steps for {block}: {n}")
        steps = yield [choice(f" {n}", says, whole=True, block=block.name, n=n) for n in range(1, left + 1)]
        left, before, names = left - int(steps.name), ", ", [name for name in names if name != block.name]


_MAIN, _RALLIES = "MAIN", "RALLY"


def _move(later: _Later) -> Words[None]:
    """Put the words of a move, one route after the other, until nobody is left to move."""
    moved: dict[str, list[str]] = {}
    while who := list(_movers(later, moved)):
        first = yield who
        if first.name == NORSE:
            moved[NORSE] = [NORSE]
            yield list(areas(norse_coast(later.view.variants), " > ", N_("to {area}")))
            more = yield list(_and_others(later, moved))
        else:
            more = yield from _march(later, first, moved)
        if more.name in (_MAIN, _RALLIES):
            yield list(_and_others(later, moved))


def _march(later: _Later, first: Word, moved: dict[str, list[str]]) -> Words[Word]:
    """Put the words for who goes with a block, or from an area, and for their route; return the word behind it."""
    elsewhere = first.at.startswith("area:")
    start = first.name if elsewhere else later.places[first.name]
    gone, group = moved.setdefault(start, []), list[str]()
    if elsewhere:
        others = later.at(start, (NORSE, *(name for names in moved.values() for name in names)))
        first = yield list(blocks(later.view, others, " ", N_("with {block}"), whole=False))
    group.append(first.name)
    while True:
        others = later.at(start, (*gone, *group, NORSE))
        word = yield [*_steps(start, (), group), *blocks(later.view, others, ", ", N_("and {block}"), whole=False)]
        if word.at.startswith("area:"):
            break
        group.append(word.name)
    gone += group
    route: tuple[str, ...] = ()
    while word.at.startswith("area:"):
        route = (*route, word.name)
        rally = [choice(f" {_RALLIES}", N_("to rally"), whole=True)] if RALLY in later.view.variants else []
        main = choice(f" {_MAIN}", N_("as the main attack"), whole=True)
        word = yield [*_steps(start, route, group), main, *rally, *_and_others(later, moved)]
    return word


def _steps(start: str, route: Sequence[str], group: Sequence[str]) -> Iterator[Word]:
    """Yield the areas to which a group can continue (2.13, 4.3, 4.4), whichever blocks are there by then."""
    before, here = [start, start, *route][-2:]
    stops = route and (BORDER[before, here].red or here == ENGLAND)
    if not stops and len(route) < min(BLOCKS[name].move for name in group):
        yield from areas(
            (there for there in NEIGHBOURS[here] if there not in (start, *route)), " > ", N_("on to {area}")
        )


def _movers(later: _Later, moved: Mapping[str, Sequence[str]]) -> Iterator[Word]:
    """Go through those who can begin a further line: of as many groups as the best card moves (4.2), or by rallying of any."""
    most = max(card_value(card) for card in later.cards["act"])
    gone = {name for names in moved.values() for name in names}
    open_to = {
        group for group in (NORSE, *AREAS) if len(moved) < most or group in moved or RALLY in later.view.variants
    }
    for name, place in later.places.items():
        group = NORSE if name == NORSE else place
        if name not in gone and group in open_to:
            before = " " if name == NORSE else f" {place}: "
            yield from blocks(later.view, [name], before, N_("move {block}"), whole=False)
    if NORSE not in later.places and NORSE not in gone and NORSE in able(later.view) and NORSE in open_to:
        yield from blocks(later.view, [NORSE], " ", N_("move {block}"), whole=False)
    for area in later.own:
        if area in open_to:
            yield Word(f" {area}:", f"area:{area}", N_("move others from {area}"), {"area": named(area)})


def _and_others(later: _Later, moved: Mapping[str, Sequence[str]]) -> Iterator[Word]:
    if any(True for _word in _movers(later, moved)):
        yield choice("; MOVE", N_("and others move"))


_ACTS = {
    "MOVE": _move,
    "HERALD": _herald,
    "PILLAGE": _pillage,
    "SEA": _sea,
    "VICTUALS": _victuals,
    "CORONATION": _coronation,
}
