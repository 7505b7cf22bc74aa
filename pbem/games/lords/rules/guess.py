"""Positions that fit what a seat sees: the cards that it cannot see are put in places that it cannot see.

A guess respects what everybody can work out. The pile has only cards of the last deal; a seat that took a card openly has it in
hand, or has mustered it face-down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from pbem.kernel import Chooser

from ..views import HIDDEN, LordsView
from .board import Board, Follower, Recruit
from .cards import slug
from .position import stack_of
from .reign import State

_Slot: TypeAlias = tuple[str, str, int]
"""The place of an unseen card: "hand" or "army", its owner, and its number there."""


def guess(view: LordsView, chooser: Chooser) -> State:
    """Return some position that looks like `view` to its seat."""
    terms = view.terms
    known = set(_known(view))
    unknown = _shuffled([card for card in terms.cards if card not in known], chooser)
    slots = {owner: list(_slots(view, owner)) for owner in view.seats}
    laid: dict[_Slot, str] = {}
    for owner in view.seats:
        free = _shuffled(slots[owner], chooser)
        laid.update({free.pop(): card for card in view.taken[owner] if card in unknown})
    unknown = [card for card in unknown if card not in laid.values()]
    old = [card for card in unknown if slug(card) in view.old]
    new = [card for card in unknown if slug(card) not in view.old]
    recruits = []
    for recruit in view.recruits:
        if recruit.up:
            recruits.append(Recruit(recruit.card, up=True))
            continue
        deal, place = map(int, recruit.back.split("."))
        hidden = new if deal == view.deals else old
        recruits.append(Recruit(hidden.pop(), up=False, deal=deal, place=place))
    pile = tuple(new.pop() for _ in range(view.pile))
    left = _shuffled(new + old, chooser)
    laid.update({slot: left.pop() for owner in view.seats for slot in slots[owner] if slot not in laid})
    board = Board(
        terms=terms,
        seats=tuple(view.seats),
        hands={},
        taken={owner: tuple(cards) for owner, cards in view.taken.items()},
        armies={owner: _army(view, owner, laid) for owner in view.seats},
        won={owner: tuple(cards) for owner, cards in view.won.items()},
        discards=tuple(sorted((c for c in terms.cards if slug(c) in view.discards), key=terms.rank)),
        supporters=tuple(view.supporters),
        recruits=tuple(recruits),
        pile=pile,
        dealt=view.dealt,
        deals=view.deals,
        old=tuple(sorted((c for c in terms.cards if slug(c) in view.old), key=terms.rank)),
        victor=view.victor,
        round=view.round,
        turn=view.turn,
        placing=tuple(view.placing),
    )
    for owner in view.seats:
        seen = _hand(view, owner)
        board = board.hold(owner, seen or (laid["hand", owner, i] for i in range(view.hands[owner])))
    return State(board, stack_of(view.stack), {**view.result} if view.result else None)


def _hand(view: LordsView, owner: str) -> Sequence[str]:
    """Return the visible part of a hand: the seat's own, and all at the end."""
    return view.shown[owner] if view.shown is not None else view.hand if owner == view.seat else ()


def _known(view: LordsView) -> Iterator[str]:
    yield from (*view.supporters, *view.left)
    yield from (recruit.card for recruit in view.recruits if recruit.up)
    for owner in view.seats:
        yield from (*view.won[owner], *_hand(view, owner))
        yield from (follower.card for follower in view.armies[owner] if follower.card != HIDDEN)


def _slots(view: LordsView, owner: str) -> Iterator[_Slot]:
    """Go through the unseen places of the cards that a seat held: its hand, and what it mustered face-down."""
    if not _hand(view, owner):
        yield from (("hand", owner, i) for i in range(view.hands[owner]))
    for seat in view.seats:
        for i, follower in enumerate(view.armies[seat]):
            if follower.card == HIDDEN and follower.seen and follower.seen[0] == owner:
                yield "army", seat, i


def _army(view: LordsView, owner: str, laid: dict[_Slot, str]) -> tuple[Follower, ...]:
    return tuple(
        Follower(
            laid["army", owner, i] if follower.card == HIDDEN else follower.card,
            follower.up,
            follower.power or "",
            tuple(follower.seen or ()),
        )
        for i, follower in enumerate(view.armies[owner])
    )


def _shuffled(items: Sequence[Any], chooser: Chooser) -> list[Any]:
    left = list(items)
    return [left.pop(chooser.randrange(len(left))) for _ in items]
