"""The touches of battles, retreats, regroups, pillage and raids. Rules 5.1-5.9.

In a battle each block fires, retreats to a place or passes at one touch. Blocks act in the order in which they are touched; blocks
left out are asked about again. For retreats and regroups, the block is touched first, then its destination.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from pbem.look.touches import Touch

from ... import orders
from ...questions.question import asked_area
from ...rules import ENGLISH, NORSE, SCOTTISH, CombatTurn, Exits, acts_refusal, combat_turn, exits_seen, places_refusal
from ...rules.said import _
from ...views import HammerView
from ..words import listed
from . import reading
from .feeding import one_step_more

# next battle, raid


def _next_battle(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    for area in () if draft else view.contested:
        label = _("The battle of {area} is next", area=area)
        english, scots = view.count(area, ENGLISH), view.count(area, SCOTTISH)
        note = _("English {english}, Scots {scots}", english=english, scots=scots)
        yield reading.made(view, f"area:{area}", label, orders.NextBattle(area=area), note)


def _raid(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    for order in () if draft else reading.question(view).options(view):
        if isinstance(order, orders.Raid):
            own = view.own(order.block)
            label = _("Disband {block} in {area}", block=order.block, area=own.at if own else "")
            yield reading.made(view, f"block:{order.block}", label, order)


# battle action


def _actions(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    turn = combat_turn(view)
    order = reading.read(view, draft) if draft else orders.BattleActions(area=turn.area, acts=())
    if not isinstance(order, orders.BattleActions) or (draft and acts_refusal(turn, order.acts)):
        return
    for act in order.acts:
        turn = turn.after(act)
    yield from _together(turn, order)
    yield from _one_by_one(turn, order)


def _together(turn: CombatTurn, order: orders.BattleActions) -> Iterator[Touch]:
    """Go through what all do who have still to act, if they are several."""
    if len(turn.blocks) < 2:
        return
    who = listed(turn.blocks)
    if turn.fire:
        label = _("All others fire: {blocks}", blocks=who) if order.acts else _("All fire: {blocks}", blocks=who)
        yield _acting(order, turn.blocks, "FIRE", label)
    label = _("All others pass: {blocks}", blocks=who) if order.acts else _("All pass: {blocks}", blocks=who)
    yield _acting(order, turn.blocks, "PASS", label)


def _acting(order: orders.BattleActions, names: Sequence[str], action: str, label: str) -> Touch:
    acts = [orders.Act.model_validate({"block": name, "action": action}) for name in names]
    return _acted(f"choice:{action}", label, order, *acts)


def _acted(at: str, label: str, order: orders.BattleActions, *acts: orders.Act) -> Touch:
    more = order.model_copy(update={"acts": (*order.acts, *acts)})
    return Touch(at, label, (str(more),), closes=True)


def _one_by_one(turn: CombatTurn, order: orders.BattleActions) -> Iterator[Touch]:
    for name in turn.blocks:
        for act in turn.acts(name):
            yield _acted(f"block:{name}", _act_label(act), order, act)


def _act_label(act: orders.Act) -> str:
    match act.action:
        case "FIRE":
            return _("{block}: fire", block=act.block)
        case "RETREAT":
            return _("{block}: retreat to {area}", block=act.block, area=act.to)
        case _:
            return _("{block}: pass", block=act.block)


# hits


def _hits(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through the blocks that may take a hit as well, until all hits have their block; the options list who may together."""
    order = reading.read(view, draft) if draft else orders.Hits(area=asked_area(view), blocks=())
    if not isinstance(order, orders.Hits):
        return
    in_turn = (view.ask or {})["what"] == "pillage losses"
    every = [found.blocks for found in reading.question(view).options(view) if isinstance(found, orders.Hits)]
    for name in view.groups.get(order.area, ()):
        so_far = (*order.blocks, name)
        fits = [blocks for blocks in every if _begins(blocks, so_far, in_turn)]
        if fits:
            yield _hit(order, name, so_far if in_turn else _as_listed(fits[0], so_far), len(fits[0]))


def _begins(blocks: Sequence[str], so_far: Sequence[str], in_turn: bool) -> bool:
    """May these hits be gone on with to the blocks of an order: in that turn, or in any?"""
    if in_turn:
        return tuple(blocks[: len(so_far)]) == tuple(so_far)
    return len(set(so_far)) == len(so_far) and set(so_far) <= set(blocks)


def _as_listed(blocks: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in blocks if name in chosen)


def _hit(order: orders.Hits, name: str, blocks: tuple[str, ...], wanted: int) -> Touch:
    number = len(blocks)
    label = _("{block}: a hit", block=name) if wanted == 1 else _("{block}: hit {n}", block=name, n=number)
    more = order.model_copy(update={"blocks": blocks})
    text = f"{more}," if number < wanted else str(more)
    note = _("{n} of {all}", n=number, all=wanted) if wanted > 1 else ""
    return Touch(f"block:{name}", label, (text,), note, closes=number == wanted)


# pillage gains


def _gains(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    area = asked_area(view)
    if not draft:
        yield reading.passing(_("Pass: nobody gains a step"))
        yield from one_step_more(view, orders.Gains(area=area, steps=()), area)
    elif isinstance(order := reading.read(view, draft), orders.Gains) and reading.is_legal(view, order):
        yield from one_step_more(view, order, area)


# retreats and regroups

_Going = orders.Retreat | orders.Regroup


def _going(view: HammerView, draft: Sequence[str], kind: type[_Going]) -> Iterator[Touch]:
    """Go through who goes, or, when a block has been touched, where to."""
    order, begun = _gone_so_far(view, draft, kind)
    who = view.frames["retreat"]["blocks"] if kind is orders.Retreat else view.groups.get(asked_area(view), ())
    exits = exits_seen(view, asked_area(view), regroup=kind is orders.Regroup)
    if order is None or order.area != asked_area(view) or places_refusal(exits, who, order.places, (), ""):
        return
    for place in order.places:
        exits = exits.after(place.block, place.to)
    left = [name for name in who if name not in [place.block for place in order.places]]
    if begun:
        yield from _where(view, order, begun, exits) if begun in left else ()
        return
    if not draft and kind is orders.Regroup:
        yield reading.passing(_("Pass: all stay"))
    yield from _goers(view, order, left, exits)


def _gone_so_far(view: HammerView, draft: Sequence[str], kind: type[_Going]) -> tuple[_Going | None, str]:
    """Return who goes where so far, and the block touched last if nothing is said of its place; None if it cannot be read."""
    area = asked_area(view)
    if not draft:
        return kind(area=area, places=()), ""
    if isinstance(order := reading.read(view, draft), kind):
        return order, ""
    order = None if order else reading.read(view, (*draft[:-1], draft[-1].rstrip(" >")), f" > {area}")
    if not isinstance(order, kind) or not order.places:
        return None, ""
    return order.model_copy(update={"places": order.places[:-1]}), order.places[-1].block


def _goers(view: HammerView, order: _Going, left: Sequence[str], open_to: Exits) -> Iterator[Touch]:
    """Yield the blocks that may go, and the areas that can take all the remaining blocks."""
    on_foot = [name for name in left if name != NORSE]
    for to, n in open_to.room.items():
        if 1 <= len(on_foot) <= n:
            every = [orders.Place(block=name, to=to) for name in on_foot]
            label = _("{blocks} to {area}", blocks=listed(on_foot), area=to)
            yield _gone(view, f"area:{to}", label, order, *every)
    for name in left:
        if open_to.ways(name):
            yield _goer(order, name)


def _goer(order: _Going, name: str) -> Touch:
    if isinstance(order, orders.Regroup):
        label = _("{block}: regroup to …", block=name)
    else:
        label = _("{block}: retreat to …", block=name)
    said = ", ".join([*map(str, order.places), name])
    return Touch(f"block:{name}", label, (f"{order.verb} {order.area}: {said}",))


def _where(view: HammerView, order: _Going, name: str, open_to: Exits) -> Iterator[Touch]:
    for to in open_to.ways(name):
        label = _("{block} to {area}", block=name, area=to)
        note = "" if name == NORSE else _("{n} may cross", n=open_to.room[to])
        yield _gone(view, f"area:{to}", label, order, orders.Place(block=name, to=to), note=note)


def _gone(view: HammerView, at: str, label: str, order: _Going, *places: orders.Place, note: str = "") -> Touch:
    return reading.made(view, at, label, order.model_copy(update={"places": (*order.places, *places)}), note)


TOUCHES: Mapping[str, Callable[[HammerView, Sequence[str]], Iterator[Touch]]] = {
    "next battle": _next_battle,
    "battle action": _actions,
    "hits": _hits,
    "pillage losses": _hits,
    "pillage gains": _gains,
    "retreats": partial(_going, kind=orders.Retreat),
    "regroup": partial(_going, kind=orders.Regroup),
    "raid": _raid,
}
"""Each question of battles -> its touches."""
