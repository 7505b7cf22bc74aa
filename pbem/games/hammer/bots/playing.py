"""Cards: which one is played, and its use, a move or an event.

A high card is played when many groups have something to do, an event when it pays more than the moves would.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.kernel import Chooser, Order

from .. import orders
from ..rules import (
    BLOCKS,
    CANDIDATES,
    COAST,
    ENGLAND,
    NEIGHBOURS,
    NOBLES,
    NORSE,
    SCOTTISH,
    SLUG,
    VICTUALS_STEPS,
    card_value,
    coronation_refusal,
    hand_out,
    is_event,
    mover,
    pillage_refusal,
    return_refusal,
    sea_move_refusal,
)
from ..views import HammerView
from .adding import added
from .fighting import fed
from .force import odds
from .ground import Ground
from .marching import Marching
from .situation import NOBLE, Situation

KEPT = 3.5
"""The worth of a Group Move later in the year."""
WHIM = 5
ENOUGH = 0.8
"""A march that gains less is not made."""


def choose_card(view: HammerView, chooser: Chooser) -> Order:
    """Return the card to play."""
    now = Situation(view)
    ground = Ground(now)
    highest = max(view.hand, key=card_value)
    who = mover(as_if_played(view, highest))
    gains = Marching(now, who, ground).promise(ENOUGH) if card_value(highest) else (0.0,)
    later = float(now.turns_left > 0)

    def promise(card: str) -> float:
        whim = chooser.randrange(WHIM) * 0.25
        if is_event(card):
            return max((worth for worth, _ in _events(view, card, now, ground)), default=0.0) - later * KEPT + whim
        value = card_value(card)
        return gains[value] - later * KEPT * value + whim

    return orders.PlayCard(card=max(sorted(dict.fromkeys(view.hand)), key=promise))


def as_if_played(view: HammerView, card: str) -> HammerView:
    """Return the view with this card played: such a view shows what is legal with it."""
    return view.model_copy(update={"wait": {view.seat: "act"}, "particulars": {"card": card, "player": 1}})


def once_played(view: HammerView, card: str) -> HammerView:
    """Return the view after this card is played, if its player is then Player 1; the enemy's card is unknown."""
    cards = (*view.cards[view.seat].played, card)
    # a new view: what was worked out for the old one stays behind
    fields = {name: getattr(view, name) for name in HammerView.model_fields}
    fields["played"] = {**(view.played or {}), view.seat: cards}
    return as_if_played(HammerView.model_construct(**fields), card)


def use_card(view: HammerView) -> Order:
    """Return what to do with the card played."""
    assert view.ask is not None  # noqa: S101 - the question is asked
    card = view.ask["card"]
    now = Situation(view, second=view.ask["player"] == 2)
    ground = Ground(now)
    if is_event(card):
        worth, order = max(_events(view, card, now, ground), key=lambda found: found[0], default=(0.0, orders.Pass()))
        return order if worth > 0 else orders.Pass()
    marches = Marching(now, mover(view), ground).plan(ENOUGH).marches
    return orders.Move(marches=marches) if marches else orders.Pass()


def _events(view: HammerView, card: str, now: Situation, ground: Ground) -> Iterator[tuple[float, Order]]:
    """Go through what an event card can be used for, with its worth."""
    match card:
        case "Herald":
            yield from _heralds(now)
        case "Pillage":
            yield from _pillages(view, now)
        case "Sea Move":
            yield from _sea_moves(view, now, ground)
        case "Victuals":
            yield from _victuals(now)
        case "Truce":
            yield _truce_worth(now), orders.Truce()
    if view.seat == SCOTTISH:
        yield from _crowns(view, now, card)


def _heralds(now: Situation) -> Iterator[tuple[float, Order]]:
    for name in NOBLES:
        if now.follows(name) == now.side:
            continue
        worth = NOBLE * 0.65
        homes = [home for home in BLOCKS[name].homes if now.foes.get(home)]
        if len(homes) == 1 and now.foes[homes[0]] == 1:
            # alone at home he comes over without a battle, if we can keep him
            threat = now.threats[homes[0]].steps
            worth += 1.5 if threat < 3 else -0.5
        elif any(now.own.get(home) for home in BLOCKS[name].homes):
            worth += 1.0
        else:
            worth -= 3.0
        yield worth + 0.1 * (BLOCKS[name].max - 3), orders.Herald(noble=name)


def _pillages(view: HammerView, now: Situation) -> Iterator[tuple[float, Order]]:
    for group, names in now.own.items():
        room = sum(BLOCKS[n].max - now.strength[n] for n in names)
        for target in NEIGHBOURS[group]:
            if not pillage_refusal(view, target, group):
                alone = now.foes[target] == 1
                taken = 0.35 * NOBLE * now.captives(target) if alone else 0.5
                yield 1.4 + 0.7 * min(room, 2) + taken, orders.Pillage(target=target, group=group)


def _sea_moves(view: HammerView, now: Situation, ground: Ground) -> Iterator[tuple[float, Order]]:
    ports = [area for area in COAST if now.own.get(area) and not now.foes.get(area)]
    for start in COAST:
        there = tuple(n for n in now.own.get(start, ()) if n != NORSE)
        if not there or now.foes.get(start):
            continue
        strongest = sorted(there, key=lambda n: (-now.strength[n] * BLOCKS[n].rating, n))[:4]
        for blocks in [*combinations(strongest, 1), *combinations(strongest, 2)]:
            without = tuple(n for n in now.own[start] if n not in blocks)
            lost = ground.worth(start, now.own[start]) - ground.worth(start, without)
            for to in ports:
                if to != start and not (now.side == SCOTTISH and to == ENGLAND):
                    order = orders.SeaMove(blocks=blocks, start=start, to=to)
                    gain = ground.worth(to, (*now.own[to], *blocks)) - ground.worth(to, now.own[to]) - lost
                    if gain > 0 and not sea_move_refusal(view, order):
                        yield gain, order


def _victuals(now: Situation) -> Iterator[tuple[float, Order]]:
    for area, names in now.own.items():
        room = {n: BLOCKS[n].max - now.strength[n] for n in names if BLOCKS[n].max > now.strength[n]}
        if steps := hand_out(room, VICTUALS_STEPS, lambda left: max(left, key=lambda name: (fed(now, name), name))):
            worth = added(step.steps * (0.5 + 1.2 * now.step_worth(step.block)) for step in steps)
            yield worth, orders.Victuals(area=area, steps=steps)


def _truce_worth(now: Situation) -> float:
    """What the enemy might take this turn: little late in the year saves much."""
    worth = 0.0
    for area, names in now.own.items():
        threat = now.threats[area]
        if threat.steps:
            lost = max(0.0, odds(threat, now.force(names, area)).wins - 0.3)
            worth = max(
                worth,
                lost * (2.0 + -min(0.0, now.stakes.get(area, 0.0)) + 0.4 * NOBLE * any(n in NOBLES for n in names)),
            )
    return 0.8 * worth


def _crowns(view: HammerView, now: Situation, card: str) -> Iterator[tuple[float, Order]]:
    """A king is worth a strong block and a danger; it pays while few nobles of the other faction are ours."""

    def worth(against: str) -> float:
        gone = [n for n in NOBLES if BLOCKS[n].faction == against and now.follows(n) == SCOTTISH]
        alone = sum(1 for n in gone if len(now.own.get(_place(view, n), ())) == 1)
        return 8.0 - 9.0 * alone - 5.0 * (len(gone) - alone)

    asking = view if view.ask and view.ask["what"] == "act" else as_if_played(view, card)
    for candidate in CANDIDATES:
        if not coronation_refusal(asking, candidate):
            yield worth("Comyn" if candidate == "Bruce" else "Bruce"), orders.Coronation(candidate=candidate)
    if not return_refusal(asking):
        yield worth("Bruce"), orders.ReturnOfTheKing()


def _place(view: HammerView, name: str) -> str:
    own = view.blocks.get(SLUG[name])
    return own.at if own else ""
