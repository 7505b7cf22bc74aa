"""A full state that fits a seat's view: hidden blocks, strengths and cards are dealt at random; the rest is kept.

The view fixes:
- the seat's own blocks and hand;
- enemy blocks, as counts by area and by the way they came this turn;
- blocks that are revealed, dead or not in the game;
- the side of each noble (all but Moray are on the map);
- pool sizes and the cards played;
- the procedures under way, which hide only what `frame` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from pbem.kernel import Chooser

from .rules import (
    BLOCK_OF,
    BLOCKS,
    CARD_NAME,
    DEAD,
    DEAL_123,
    DECK,
    NOBLES,
    NORSE,
    NOT_INLAND,
    OFF,
    POOL,
    ROSTER,
    SIDES,
    SLUG,
    Board,
    Piece,
    Procedure,
    State,
    deals_before,
    enemy,
    is_too_much,
    norse_coast,
)
from .views import HammerView

T = TypeVar("T")
_TRIES = 20
"""So often hands are guessed that could be kept: nearly always one is found."""


class _Slot(NamedTuple):
    """A place on the map with a hidden block."""

    area: str
    start: str = ""
    via: str = ""


def determinise(view: HammerView, chooser: Chooser) -> State:
    """Return a state that shows `view` to the same seat."""
    pieces = {**_own(view), **_foes(view, chooser)}
    dealt, played = _cards(view, chooser)
    for _ in range(_TRIES if DEAL_123 in view.variants else 0):
        if not any(is_too_much([CARD_NAME[card] for card in hand]) for hand in (dealt[:5], dealt[5:])):
            break
        dealt, played = _cards(view, chooser)
    board = Board(
        view.scenario,
        view.year,
        view.turn,
        tuple(pieces[name] for name in ROSTER),
        view.variants,
        view.bid,
        view.years or 0,
        first=view.first,
        truce=view.truce,
        deal=deals_before(view.scenario, view.year) + (view.again or 0) + (1 if dealt else 0),
        dealt=dealt,
        played=played,
        king=view.king,
        edward=view.edward,
        wintered=view.wintered,
        attacks=view.main_attacks,
        crossed=tuple((*c.between, c.side, c.blocks) for c in view.crossings),
        marks=view.marked,
        retreated=tuple((*c.between, c.side, c.blocks) for c in view.retreats),
    )
    stack = tuple(Procedure.known(entry["at"]).guessed(entry, board) for entry in view.stack)
    return State(board, stack, dict(view.result) if view.result else None)


def _own(view: HammerView) -> dict[str, Piece]:
    return {
        name: Piece(name, view.seat, block.at, block.strength, *block.way, _known(view, SLUG[name]))
        for name, block in ((BLOCK_OF[key], block) for key, block in view.blocks.items())
    }


def _known(view: HammerView, key: str) -> int:
    shown = view.revealed.get(key)
    return 0 if shown is None else 2 if shown.strength else 1


def _foes(view: HammerView, chooser: Chooser) -> dict[str, Piece]:
    foe = enemy(view.seat)
    names = [
        name for name in ROSTER if BLOCKS[name].owner == foe or (name in NOBLES and view.nobles[SLUG[name]] == foe)
    ]
    found: dict[str, Piece] = {}
    slots = _slots(view, foe)
    for place, gone in ((DEAD, view.dead), (OFF, view.off)):
        found.update((name, Piece(name, foe, place, 0)) for name in gone if name in names)
    for key, shown in view.revealed.items():
        if shown.side == foe:
            name = BLOCK_OF[key]
            if shown.at == POOL:  # Edward, kept there by a bid
                found[name] = Piece(name, foe, POOL, 0, known=1)
                continue
            slot = _slot_of(slots, shown.at, name, view)
            slots.remove(slot)
            strength = shown.strength or 1 + chooser.randrange(BLOCKS[name].max)
            found[name] = Piece(name, foe, slot.area, strength, slot.start, slot.via, _known(view, key))
    _landed(view, slots, found, foe, chooser)
    hidden = [name for name in names if name not in found]
    # The thirteen nobles are always on the map; of the others chance decides who is, and who is in the pool.
    nobles = [name for name in hidden if name in NOBLES]
    others = _shuffled([name for name in hidden if name not in NOBLES], chooser)
    on_map = nobles + others[: len(slots) - len(nobles)]
    on_map, slots = _keep_norse_at_sea(on_map, _shuffled(slots, chooser), others, view)
    for name, slot in zip(on_map, slots, strict=True):
        strength = 1 + chooser.randrange(BLOCKS[name].max)
        found[name] = Piece(name, foe, slot.area, strength, slot.start, slot.via)
    found.update((name, Piece(name, foe, POOL, 0)) for name in hidden if name not in found)
    return found


def _landed(view: HammerView, slots: list[_Slot], found: dict[str, Piece], foe: str, chooser: Chooser) -> None:
    """Put Norse and French where blocks have landed this winter: no other block does."""
    if view.turn and "winter" not in view.frames:
        return
    for slot in [slot for slot in slots if slot.start]:
        if able := [name for name in NOT_INLAND if BLOCKS[name].owner == foe and name not in found]:
            name = able[chooser.randrange(len(able))]
            found[name] = Piece(name, foe, slot.area, 1 + chooser.randrange(BLOCKS[name].max), slot.start, slot.via)
            slots.remove(slot)


def _slots(view: HammerView, foe: str) -> list[_Slot]:
    found: list[_Slot] = []
    told = (*(counts[foe] for counts in view.occupancy.values()), *(a.blocks for a in view.came))
    if max(told, default=0) > len(BLOCKS):  # a friend's word: no list is made as long as he likes
        raise ValueError("more blocks than there are")
    for area, counts in view.occupancy.items():
        came = [
            _Slot(area, a.start, a.via) for a in view.came if a.area == area and a.side == foe for _ in range(a.blocks)
        ]
        found += came + [_Slot(area)] * (counts[foe] - len(came))
    return found


def _slot_of(slots: Sequence[_Slot], area: str, name: str, view: HammerView) -> _Slot:
    """Return the slot of a revealed block: the front line tells how it came."""
    there = [slot for slot in slots if slot.area == area]
    if name == NORSE:
        return next((slot for slot in there if slot.via == "sea"), there[0])
    return there[0]


def _keep_norse_at_sea(
    on_map: list[str], slots: list[_Slot], others: Sequence[str], view: HammerView
) -> tuple[list[str], list[_Slot]]:
    """Put the Norse on a coast of Scotland, or into the pool if no block is there."""
    if NORSE not in on_map:
        return on_map, slots
    i, coast = on_map.index(NORSE), norse_coast(view.variants)
    if slots[i].area in coast:
        return on_map, slots
    for j, slot in enumerate(slots):
        if slot.area in coast:
            slots[i], slots[j] = slots[j], slots[i]
            return on_map, slots
    if spare := next((name for name in others if name not in on_map), None):
        on_map[i] = spare
    return on_map, slots


def _cards(view: HammerView, chooser: Chooser) -> tuple[tuple[str, ...], tuple[tuple[int, ...], tuple[int, ...]]]:
    if view.played is None:
        return (), ((), ())
    deck = list(DECK)
    dealt: list[str] = []
    played: list[tuple[int, ...]] = []

    def take(name: str) -> str:
        card = next(c for c in deck if CARD_NAME[c] == name)
        deck.remove(card)
        return card

    known = {side: [*view.cards[side].played, *(view.hand if side == view.seat else ())] for side in SIDES}
    named = {side: [take(name) for name in known[side]] for side in SIDES}
    for i, side in enumerate(SIDES):
        cards = named[side]
        while len(cards) < 5:
            cards.append(deck.pop(chooser.randrange(len(deck))))
        dealt += cards
        played.append(tuple(range(5 * i, 5 * i + len(view.cards[side].played))))
    return tuple(dealt), (played[0], played[1])


def _shuffled(items: Sequence[T], chooser: Chooser) -> list[T]:
    left, found = list(items), []
    while left:
        found.append(left.pop(chooser.randrange(len(left))))
    return found
