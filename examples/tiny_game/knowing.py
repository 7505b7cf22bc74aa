"""Who can work out each step of Tiny from his own view, for two who play without a host.

The pile is known to nobody: whoever is dealt a card of it works that step out, and where he alone cannot know what lies at a place
it comes from outside. At the end each turns up his own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.kernel import Chooser, Json, Order
from pbem.kernel.knowing import ALL, EACH, Knowing, Parts, Publicly

from .orders import PlayCard
from .rules.board import Card, worth
from .rules.game import GAME
from .rules.told import Counted
from .rules.turn import HAND, Refill, State, Turn

ON_THE_WAY = ("deal", "next")
"""The steps at which nobody is asked anything and no chance is wanted: no view that a host shows stands there."""


class TinyKnowing(Knowing):
    """Who knows what in Tiny."""

    def who(self, frame: Any, board: Any) -> str:
        match frame:
            case Refill(step="deal"):
                return _next_dealt(board) or ALL
            case Turn(step="next") if board.turn == board.turns:
                return EACH  # the tokens kept are turned up
        return ALL

    def shows(self, state: State) -> Mapping[tuple[str, int], str]:
        seat = _next_dealt(state.board) if state.stack[-1].step == "deal" else ""
        return {(card.label, card.place): seat for card in state.board.pile[:1] if seat}

    def played(self, state: State, given: Mapping[str, Order]) -> Mapping[str, str]:
        return {seat: order.card for seat, order in given.items() if isinstance(order, PlayCard)}

    def guess(self, view: Json, chooser: Chooser) -> State:
        """Guess a state on the way as one in which a roll is wanted, for the same is seen of both."""
        step = view["step"]
        state: State = super().guess({**view, "step": "roll"} if step in ON_THE_WAY else view, chooser)
        if step not in ON_THE_WAY:
            return state
        return replace(state, stack=(Turn("card"), Refill("deal")) if step == "deal" else (Turn("next"),))

    def laid(self, state: State, label: str, place: int, card: str) -> State:
        """Let the card change places with the one that was guessed to lie there."""
        board = state.board
        cards = [*board.pile, *(held for side in board.sides.values() for held in side.hand)]
        there = next(held for held in cards if (held.label, held.place) == (label, place))
        names = {there.name: card, card: there.name}

        def changed(held: tuple[Card, ...]) -> tuple[Card, ...]:
            return tuple(replace(one, name=names[one.name]) if one.name in names else one for one in held)

        sides = {seat: replace(side, hand=changed(side.hand)) for seat, side in board.sides.items()}
        return replace(state, board=replace(board, pile=changed(board.pile), sides=sides))

    def part(self, seat: str, told: Publicly) -> dict[str, Json]:
        """Turn up one's own side."""
        return {"side": told.view["sides"][seat]}

    def joined(self, told: Publicly, parts: Parts) -> Publicly:
        """Count the tokens that all have kept."""
        if not parts:
            return told
        sides = told.view["sides"] | {seat: part["side"] for seat, part in parts.items()}
        score = {seat: side["score"] + sum(map(worth, side["kept"])) for seat, side in sides.items()}
        facts = [Counted(seat, tuple(side["kept"]), score[seat]).json(knows=True) for seat, side in sides.items()]
        best = [seat for seat in score if score[seat] == max(score.values())]
        ends = {"winner": best[0], "why": "points"} if len(best) == 1 else {"winner": "", "why": "tie"}
        return Publicly(tuple(facts), {**told.view, "sides": sides, "result": {**ends, "score": score}})


def _next_dealt(board: Any) -> str:
    """Return who gets the card on top of the pile, or "" where nobody is short of one, or there is none."""
    short = [seat for seat, side in board.sides.items() if len(side.hand) < HAND]
    return min(short, key=lambda seat: len(board.sides[seat].hand)) if short and board.pile else ""


KNOWING = TinyKnowing(GAME)
