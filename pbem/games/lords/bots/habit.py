"""A seat's move without much thought: the fast player that plays trial games of Lords of Scotland to their end.

It looks at its own hand and at the open cards, as `sensible` does, on a `Fray`; a little chance varies its moves.
"""

from __future__ import annotations

from pbem.games.searching import Urn

from ..rules.cards import LIMIT, TURNS
from .fray import (
    CLAN,
    COCHRANE,
    COCKBURN,
    DOWN,
    FERGUSON,
    FORSYTH,
    MACDONNELL,
    MAKGILL,
    SCOTT,
    TAKE,
    UP,
    USE,
    WEMYSS,
    Fray,
    Move,
)

USUAL = 6
"""The worth of an unseen card."""
ENOUGH = 4
CHANCE = 5
_LOW = -1000


def habit(table: Fray, urn: Urn) -> Move | None:
    """Return what the asked seat does; None where it can do nothing."""
    hand = table.hands[table.asked]
    may_take = not table.again and table.row and len(hand) < LIMIT
    if not hand:
        return _taken(table) if may_take else None
    best, value = _mustered(table, urn)
    if may_take and _rather(table, value, urn):
        return _taken(table)
    return best


def _rather(table: Fray, value: int, urn: Urn) -> bool:
    """Is a recruit worth more than a follower?"""
    hand, army = table.hands[table.asked], table.armies[table.asked]
    if table.turn == TURNS and not army:
        return False
    left = TURNS - table.turn + 1
    return value < 2 * USUAL + urn.randrange(CHANCE) and (len(hand) < ENOUGH or left > len(hand))


def _taken(table: Fray) -> Move:
    kin = [0] * 9
    for card in table.hands[table.asked]:
        kin[CLAN[card]] += 1
    for card, _up, _power, _seen in table.armies[table.asked]:
        kin[CLAN[card]] += 1
    strength = table.printed.strength
    best, value = 0, -1
    for place, (card, up) in enumerate(table.row):
        worth = 2 * strength[card] + 5 * kin[CLAN[card]] if up else 3 * USUAL
        if worth > value:
            best, value = place, worth
    return Move(TAKE, best)


def _mustered(table: Fray, urn: Urn) -> tuple[Move, int]:
    """Return the muster that seems best, and what it seems to gain."""
    seat, strength = table.asked, table.printed.strength
    hand, army = table.hands[seat], table.armies[seat]
    had = sum([strength[follower[0]] for follower in army])
    clans = {CLAN[follower[0]] for follower in army if follower[2] != 8}
    gathered = clans.pop() if len(clans) == 1 else -1
    mixed = bool(clans) and gathered < 0
    total = 2 * had if len(army) > 1 and not mixed else had
    kin = [0] * 9
    for card in hand:
        kin[CLAN[card]] += 1
    best, value = Move(DOWN, hand[0]), _LOW
    for card in hand:
        mine, of = strength[card], CLAN[card]
        doubled = army and not mixed and (gathered < 0 or of == gathered)
        worth = 2 * ((2 * (had + mine) if doubled else had + mine) - total) - mine + urn.randrange(CHANCE)
        if of != gathered:
            worth -= 2 * kin[of]
        how = _use(table, card, worth) if table.activates(card) else None
        if how is not None:
            move, worth = how
        else:
            move = Move(DOWN if mine < USUAL or of == gathered else UP, card)
        if worth > value:
            best, value = move, worth
    return best, value


def _use(table: Fray, card: int, worth: int) -> tuple[Move, int] | None:
    """Return a use of a power that gains, and the worth of mustering the card with it."""
    power, strength = CLAN[card], table.printed.strength
    if power == FORSYTH:
        return Move(USE, card, power), worth + 6
    if power == COCHRANE:
        return Move(USE, card, power), worth + 8
    if power == MACDONNELL:
        return Move(USE, card, power), worth + strength[card]
    if power == MAKGILL:
        return (Move(USE, card, power), worth + 4) if len(table.hands[table.asked]) > 1 else None
    if power == COCKBURN:
        target = max(table.supporters, key=strength.__getitem__, default=-1)
        gain = 2 * (strength[target] - strength[card]) if target >= 0 else 0
        return (Move(USE, card, power, target), worth + gain) if gain > 0 else None
    if power in (FERGUSON, WEMYSS):
        target, most = _strongest(table)
        if target < 0:
            return None
        gain = 4 * (most - strength[card]) if power == FERGUSON else 2 * most
        return (Move(USE, card, power, target), worth + gain) if gain > 0 else None
    return None if power == SCOTT else (Move(USE, card, power), worth)


def _strongest(table: Fray) -> tuple[int, int]:
    """Return the others' follower that seems strongest, as a target, and its strength; target -1 if there is none."""
    strength, seat = table.printed.strength, table.asked
    target, most = -1, 0
    for owner, army in enumerate(table.armies):
        if owner != seat:
            for place, (card, up, _power, seen) in enumerate(army):
                mine = strength[card] if up or seen >> seat & 1 else USUAL
                if mine > most:
                    target, most = 16 * owner + place, mine
    return target, most
