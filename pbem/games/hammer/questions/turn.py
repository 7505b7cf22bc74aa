"""The questions of the card and move phases: `card` and `act`. Rules 3.1, 3.11, 3.12, 4.0-4.7, 6.2.

The asked seat's information beyond its hand and blocks (`view.ask`):

=====  =============================================
card   nothing
act    `card` (his own), `player` (1 or 2)
=====  =============================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from pbem.errors import OrderError, Problem
from pbem.i18n import N_
from pbem.kernel import Chooser, Composed, Line, Listed, Names, Options, Order, Refusal

from .. import orders
from ..rules import (
    AREAS,
    BLOCKS,
    CANDIDATES,
    COAST,
    NEIGHBOURS,
    NOBLES,
    NORSE,
    RALLY,
    SCOTTISH,
    VICTUALS_STEPS,
    Mover,
    Tally,
    card_value,
    coronation_refusal,
    feed_refusal,
    hand_out,
    herald_refusal,
    is_event,
    move_refusals,
    mover,
    norse_coast,
    norse_refusal,
    pillage_refusal,
    return_refusal,
    routes,
    sea_move_refusal,
)
from ..rules.said import _, typed
from ..views import HammerView
from .question import PASS, Form, Question, find_area, find_block, read_pass, split_area, words

# card


def _hand(view: HammerView) -> list[str]:
    return list(dict.fromkeys(view.hand))


def _read_card(view: HammerView, line: Line, rest: str) -> Order:
    return orders.PlayCard(card=Names(_hand(view), N_("card in your hand"), abroad=typed(_hand(view))).find(rest, line))


def _card_refusal(view: HammerView, order: Order) -> Refusal | None:
    if not isinstance(order, orders.PlayCard):
        return Refusal(_("a card is to be played now"), "3.1")
    if order.card not in view.hand:
        return Refusal(_("you do not hold {card}", card=order.card), "3.1")
    return None


def _card_default(view: HammerView) -> Order:
    """Return the lowest Move card; an event only if nothing is left but events."""
    return orders.PlayCard(card=min(view.hand, key=lambda card: (is_event(card), card_value(card))))


# act


def _card(view: HammerView) -> str:
    card: str = view.ask["card"] if view.ask else ""
    return card


def _read_pillage(view: HammerView, line: Line, rest: str) -> Order:
    found = re.fullmatch(r"(.+?)\s+from\s+(.+)", rest, re.IGNORECASE)
    if not found:
        raise line.refusal(_("a pillage names the enemy's area and yours"), "PILLAGE Fife FROM Angus")
    return orders.Pillage(target=find_area(found[1], line), group=find_area(found[2], line))


def _read_sea(view: HammerView, line: Line, rest: str) -> Order:
    found = re.fullmatch(r"([^:>]+):([^:>]+)>([^:>]+)", rest)
    if not found:
        raise line.refusal(
            _("a Sea Move names blocks, their area, and where they go"), "SEA Wallace, Douglas: Fife > Ross"
        )
    start = find_area(found[2], line)
    near = view.groups.get(start, ())
    blocks = tuple(find_block(word, line, near) for word in words(found[1]))
    return orders.SeaMove(blocks=blocks, start=start, to=find_area(found[3], line))


def read_steps(view: HammerView, line: Line, text: str, area: str) -> tuple[orders.Step, ...]:
    """Read "Wallace 2, Douglas": blocks and the steps they gain (default: one)."""
    found = []
    for part in words(text):
        name, number = re.fullmatch(r"(.*?)\s*\+?(\d{0,2})", part).groups()  # type: ignore[union-attr]
        block = find_block(name, line, view.groups.get(area, ()))
        found.append(orders.Step(block=block, steps=int(number or 1)))
    return tuple(found)


def _read_victuals(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    return orders.Victuals(area=area, steps=read_steps(view, line, text, area))


def _read_move(view: HammerView, line: Line, rest: str) -> Order:
    flag = re.search(r"[\s(](MAIN|RALLY)\)?$", rest, re.IGNORECASE)
    main, rally = (flag is not None and flag[1].upper() == word for word in ("MAIN", "RALLY"))
    if flag:
        rest = rest[: flag.start()].rstrip()
    first, *stops = (part.strip() for part in rest.split(">"))
    if not stops or not all(stops):
        raise line.refusal(
            _("a move names blocks and the areas they go through"), "MOVE Fife: Wallace > Mentieth > Lanark MAIN"
        )
    route = tuple(find_area(stop, line) for stop in stops)
    area, colon, names = first.partition(":")
    if not colon:
        blocks = tuple(find_block(word, line) for word in words(first))
        if blocks == (NORSE,):
            return orders.Move(marches=(orders.March(start="", blocks=blocks, route=route, main=main, rally=rally),))
        places = {own.at for name in blocks if (own := view.own(name))}
        if len(places) != 1:
            raise line.refusal(_("it is not clear where these blocks start"), "MOVE Fife: Wallace > Mentieth")
        start = places.pop()
    else:
        start = find_area(area, line)
        near = tuple(name for name in view.groups.get(start, ()))
        if names.strip().upper() == "ALL":
            blocks = tuple(name for name in near if name != NORSE)  # 4.2: all friendly blocks in one area, except Norse
        else:
            blocks = tuple(find_block(word, line, near) for word in words(names))
        if blocks == (NORSE,):
            norse = view.own(NORSE)
            if norse and norse.at in AREAS and norse.at != start:
                why = _("the Norse stand in {there}, not in {start}", there=norse.at, start=start)
                raise OrderError(Problem(line.no, line.text, why, "4.7"))
            start = ""
    return orders.Move(marches=(orders.March(start=start, blocks=blocks, route=route, main=main, rally=rally),))


def _plain(order: Order, word: str = "") -> Form:
    def read(view: HammerView, line: Line, rest: str) -> Order:
        if rest and rest.upper() != word:
            raise line.refusal(_("nothing follows {order}", order=order), str(order))
        return order

    return read


class _Act(NamedTuple):
    """What may be done with an event card: the order, how it is read, why it is not legal, and what might be ordered."""

    kind: type[Order]
    form: Form
    refusal: Callable[[HammerView, Any], Refusal | None]
    candidates: Callable[[HammerView], Iterable[Order]]

    @property
    def verb(self) -> str:
        return str(self.kind.model_fields["verb"].default)

    def legal(self, view: HammerView) -> Iterator[Order]:
        """Go through the legal orders."""
        return (order for order in self.candidates(view) if not self.refusal(view, order))


def _pillages(view: HammerView) -> Iterator[Order]:
    for group in AREAS:
        yield from (orders.Pillage(target=target, group=group) for target in NEIGHBOURS[group])


def _sea_moves(view: HammerView) -> Iterator[Order]:
    ports = [area for area in COAST if view.count(area, view.seat) and not view.count(area, view.enemy)]
    for start in COAST:
        there = view.groups.get(start, ())
        for blocks in (*combinations(there, 1), *combinations(there, 2)):
            yield from (orders.SeaMove(blocks=blocks, start=start, to=to) for to in ports)


def _feedings(view: HammerView) -> Iterator[Order]:
    for area in AREAS:
        found = spread(room_in(view, area), VICTUALS_STEPS)
        yield from (orders.Victuals(area=area, steps=steps) for steps in found)


_EVENTS: Mapping[str, _Act] = {
    "Herald": _Act(
        orders.Herald,
        lambda view, line, rest: orders.Herald(noble=find_block(rest, line, NOBLES)),
        lambda view, order: herald_refusal(view, order.noble),
        lambda view: (orders.Herald(noble=name) for name in NOBLES),
    ),
    "Pillage": _Act(
        orders.Pillage,
        _read_pillage,
        lambda view, order: pillage_refusal(view, order.target, order.group),
        _pillages,
    ),
    "Sea Move": _Act(orders.SeaMove, _read_sea, sea_move_refusal, _sea_moves),
    "Truce": _Act(orders.Truce, _plain(orders.Truce()), lambda view, order: None, lambda view: [orders.Truce()]),
    "Victuals": _Act(
        orders.Victuals,
        _read_victuals,
        lambda view, order: feed_refusal(view, order.area, order.steps, VICTUALS_STEPS, "Victuals"),
        _feedings,
    ),
}
_CROWNS: Sequence[_Act] = (
    _Act(
        orders.Coronation,
        lambda view, line, rest: orders.Coronation(candidate=find_block(rest, line, CANDIDATES)),
        lambda view, order: coronation_refusal(view, order.candidate),
        lambda view: (orders.Coronation(candidate=name) for name in CANDIDATES),
    ),
    _Act(
        orders.ReturnOfTheKing,
        _plain(orders.ReturnOfTheKing(), "OF THE KING"),
        lambda view, order: return_refusal(view),
        lambda view: [orders.ReturnOfTheKing()],
    ),
)
"""What may take the place of an event (6.2)."""


def _forms(view: HammerView, events: Iterable[_Act]) -> dict[str, Form]:
    acts = [*events, *(_CROWNS if view.seat == SCOTTISH else ())]
    return {**{act.verb: act.form for act in acts}, "PASS": read_pass}


def _act_forms(view: HammerView) -> Mapping[str, Form]:
    card = _card(view)
    return _forms(view, [_EVENTS[card]]) if is_event(card) else {"MOVE": _read_move, "PASS": read_pass}


def act_forms_of_any_card(view: HammerView) -> Mapping[str, Form]:
    """Return the forms of all that a seat may do with some card, whatever is played."""
    return {"MOVE": _read_move, **_forms(view, _EVENTS.values())}


def _act_refusal(view: HammerView, order: Order) -> Refusal | None:
    card = _card(view)
    if isinstance(order, orders.Pass):
        return None
    if isinstance(order, orders.Move) and not is_event(card):
        return next(iter(_move_line_refusals(view, order).values()), None)
    acts: list[_Act] = [*([_EVENTS[card]] if is_event(card) else ()), *_CROWNS]
    for act in acts:
        if isinstance(order, act.kind):
            return act.refusal(view, order)
    rule = "3.12" if is_event(card) else "3.11"
    return Refusal(_("this is no order for the card {card}", card=card), rule)


def _move_line_refusals(view: HammerView, order: Order) -> dict[int, Refusal]:
    if not isinstance(order, orders.Move):
        return {}
    if is_event(_card(view)) or not order.marches:
        return {0: Refusal(_("a move needs a Move card and blocks to move"), "3.11")}
    return move_refusals(mover(view), order.marches)


def _join_moves(lines: Sequence[Order]) -> Order:
    """Return the move of several lines; the use of an event has one line."""
    moves = [line for line in lines if isinstance(line, orders.Move)]
    return orders.Move(marches=tuple(march for move in moves for march in move.marches)) if moves else lines[0]


def _act_options(view: HammerView) -> Options:
    card = _card(view)
    if card == "Victuals":
        return _victuals_options(view)
    if not is_event(card):
        return move_options(view)
    return Listed([PASS, *_EVENTS[card].legal(view), *_crowns(view)])


def is_of_use(view: HammerView, card: str) -> bool:
    """Return whether a card of the hand could have an effect now: a move, its event, or a coronation."""
    return not is_event(card) or bool(_crowns(view)) or next(_EVENTS[card].legal(view), None) is not None


def _crowns(view: HammerView) -> list[Order]:
    return [order for act in _CROWNS for order in act.legal(view)]


def spread(room: Mapping[str, int], steps: int) -> Iterator[tuple[orders.Step, ...]]:
    """Go through all ways to add at least one and at most `steps` steps to blocks that have room for some."""
    names = list(room)

    def further(i: int, left: int) -> Iterator[tuple[orders.Step, ...]]:
        if i == len(names):
            yield ()
            return
        for n in range(min(left, room[names[i]]) + 1):
            for rest in further(i + 1, left - n):
                yield (orders.Step(block=names[i], steps=n), *rest) if n else rest

    return (found for found in further(0, steps) if found)


def room_in(view: HammerView, area: str) -> dict[str, int]:
    """Return the blocks of the seat in an area that can gain steps, and how many."""
    return {
        name: BLOCKS[name].max - strength
        for name, strength in view.strengths(area).items()
        if strength < BLOCKS[name].max
    }


def random_steps(room: Mapping[str, int], steps: int, chooser: Chooser) -> tuple[orders.Step, ...]:
    """Return a random way to add 1 to `steps` steps."""

    def pick(left: Mapping[str, int]) -> str:
        if left != room and chooser.randrange(4) == 0:
            return ""
        return list(left)[chooser.randrange(len(left))]

    return hand_out(room, steps, pick)


def _victuals_options(view: HammerView) -> Options:
    rooms = {area: room for area in AREAS if (room := room_in(view, area))}

    def every() -> Iterator[Order]:
        yield PASS
        yield from _crowns(view)
        yield from _feedings(view)

    def compose(chooser: Chooser) -> Order:
        others: list[Order] = [PASS, *_crowns(view)]
        n = chooser.randrange(len(others) + 4 * len(rooms))
        if n < len(others):
            return others[n]
        area = list(rooms)[(n - len(others)) // 4]
        return orders.Victuals(area=area, steps=random_steps(rooms[area], VICTUALS_STEPS, chooser))

    if not rooms:
        return Listed([PASS, *_crowns(view)])
    text = _(
        "Say PASS, or VICTUALS, one of these areas and up to three steps for its blocks: {areas}.",
        areas=", ".join(rooms),
    )
    return Composed(compose, every, lambda order: _act_refusal(view, order) is None, text)


# moves


def move_options(view: HammerView) -> Options:
    """Return all moves of a Move card, too many to list."""
    who = mover(view)
    text = _(
        "Say PASS, or MOVE, an area, its blocks and where they go: up to {n} Group Moves, one line for each route.",
        n=who.group_moves,
    )
    return Composed(
        lambda chooser: _random_move(who, chooser),
        lambda: _every_move(who),
        lambda order: _act_refusal(view, order) is None,
        text,
    )


def _every_move(who: Mover) -> Iterator[Order]:
    yield PASS

    def further(marches: tuple[orders.March, ...]) -> Iterator[Order]:
        tally = Tally(who)
        for march in marches:
            tally.add(march)
        for march in _every_march(who):
            if not tally.refusal(march):
                longer = (*marches, march)
                yield orders.Move(marches=longer)
                yield from further(longer)

    yield from further(())


def _every_march(who: Mover) -> Iterator[orders.March]:
    starts: dict[str, list[str]] = {}
    for name, place in who.places.items():
        if name == NORSE:
            for to in norse_coast(who.variants):
                for main in (False, True):
                    yield orders.March(start="", blocks=(NORSE,), route=(to,), main=main)
        else:
            starts.setdefault(place, []).append(name)
    for start, names in starts.items():
        for route in routes(who, start, max(who.rating(name) for name in names)):
            able = [name for name in names if who.rating(name) >= len(route)]
            for n in range(1, len(able) + 1):
                for blocks in combinations(able, n):
                    for main in (False, True):
                        yield orders.March(start=start, blocks=blocks, route=route, main=main)
                    if RALLY in who.variants:
                        yield orders.March(start=start, blocks=blocks, route=route, rally=True)


def _random_move(who: Mover, chooser: Chooser) -> Order:
    tally = Tally(who)
    marches: list[orders.March] = []
    tries = 0
    while (
        tries < 12 and not (marches and chooser.randrange(5) == 0) and not (not marches and chooser.randrange(16) == 0)
    ):
        tries += 1
        march = _random_march(who, tally, chooser)
        if march and not tally.refusal(march):
            tally.add(march)
            marches.append(march)
    return orders.Move(marches=tuple(marches)) if marches else PASS


def _random_march(who: Mover, tally: Tally, chooser: Chooser) -> orders.March | None:
    still = [name for name in who.places if name not in tally.moved]
    if not still:
        return None
    name = still[chooser.randrange(len(still))]
    main = chooser.randrange(3) == 0
    if name == NORSE:
        coasts = [to for to in norse_coast(who.variants) if not norse_refusal(who, to)]
        if not coasts:
            return None
        to = coasts[chooser.randrange(len(coasts))]
        return orders.March(start="", blocks=(NORSE,), route=(to,), main=main and who.is_attack(to))
    start = who.places[name]
    found = list(routes(who, start, who.rating(name)))
    if not found:
        return None
    route = found[chooser.randrange(len(found))]
    march = orders.March(start=start, blocks=(name,), route=route, main=main and who.is_attack(route[-1]))
    if march.main and tally.refusal(march):
        march = march.model_copy(update={"main": False})
    rallying = (
        orders.March(start=start, blocks=(name,), route=way, rally=True) for way in found if RALLY in who.variants
    )
    rallies = [rally for rally in rallying if not tally.refusal(rally)]
    if rallies and chooser.randrange(2):
        march = rallies[chooser.randrange(len(rallies))]
    for other in still:
        if other not in (name, NORSE) and who.places[other] == start and chooser.randrange(2):
            longer = march.model_copy(update={"blocks": (*march.blocks, other)})
            if not tally.refusal(longer):
                march = longer
    return march


QUESTIONS: Mapping[str, Question] = {
    "card": Question(
        lambda view: {"CARD": _read_card},
        lambda view: Listed([orders.PlayCard(card=card) for card in _hand(view)]),
        _card_refusal,
        _card_default,
    ),
    "act": Question(_act_forms, _act_options, _act_refusal, lambda view: PASS, _join_moves, _move_line_refusals),
}
