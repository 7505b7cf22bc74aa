"""The door to the rules of Tiny: the contract that every game keeps (pbem.kernel.Game)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from pydantic import BaseModel, ConfigDict, Field

from pbem.i18n import N_, _
from pbem.kernel import (
    ChangingHosts,
    Chooser,
    Game,
    Json,
    Listed,
    Options,
    Order,
    Outcome,
    PlainPosition,
    Planned,
    Planning,
    Refusal,
    SendingAhead,
    Stop,
    Unseen,
    View,
    advance,
)

from ..orders import ALL_CARDS, SEATS, Act, Keep, PlayCard, read_order, read_plans
from .board import Board, Side, worth
from .sight import TinyView, guess, see
from .turn import State, Turn


class TinyOptions(BaseModel):
    """The options of a game: how many play, and for how many turns."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    players: int = Field(default=3, ge=2, le=4, description=N_("players"))
    turns: int = Field(default=6, ge=1, le=8, description=N_("turns"))


class Tiny(Game, Planning, SendingAhead, ChangingHosts):
    """The contract's door to these rules."""

    id = "tiny"
    title = "Tiny"
    version = 1
    position = PlainPosition(State, "Tiny")
    options_model = TinyOptions
    view_model = TinyView
    marked = ("card",)

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS[: self.read_options(options).players]

    def start(self, options: Json) -> Stop:
        chosen: TinyOptions = self.read_options(options)
        deck = ALL_CARDS[: 3 * chosen.players + 1]  # 1.1
        board = Board(chosen.turns, {seat: Side() for seat in self.seats(options)}, deck)
        return advance(State(board, (Turn("refill"),)))

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        return see(state, seat)

    def unseen(self, state: State) -> tuple[Unseen, ...]:
        """What is left of a deal in the pile; no pile holds cards of two deals."""
        pile = state.board.pile
        places = tuple((card.label, card.place) for card in pile)
        return (Unseen(places, tuple(sorted(card.name for card in pile))),) if pile else ()

    def dealt_anew(self, state: State, drawn: Outcome) -> State:
        names = drawn[0] if drawn else ()
        pile = (replace(card, name=name) for card, name in zip(state.board.pile, names, strict=True))
        return replace(state, board=replace(state.board, pile=tuple(pile)))

    def determinise(self, view: View, chooser: Chooser) -> State:
        return guess(cast(TinyView, view), chooser)

    # What may be ordered

    def options(self, view: View) -> Options:
        seen = cast(TinyView, view)
        match seen.question:
            case "card":
                return Listed([PlayCard(card=name) for name in seen.mine.hand])
            case "act":
                return Listed([Act(act="BANK"), Act(act="DIG")])
            case "keep":
                return Listed([Keep(keep=token) for token in seen.drawn])
        return Listed([])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        seen = cast(TinyView, view)
        if order in self.options(view):
            return None
        match order:
            case PlayCard(card=name) if seen.question == "card":
                return Refusal(_("{card} is not in your hand", card=name), "2.1")
            case Keep(keep=token) if seen.question == "keep":
                return Refusal(_("{token} is not one of the two tokens that you drew", token=token), "4.2")
        return Refusal(_("“{order}” does not answer what is asked", order=order), "2")

    def default(self, view: View) -> Order:
        """7: the lowest card, BANK, the better token."""
        seen = cast(TinyView, view)
        match seen.question:
            case "card":
                return PlayCard(card=min(seen.mine.hand, key=worth))
            case "keep":
                return Keep(keep=max(seen.drawn, key=worth))
        return Act(act="BANK")

    def parse(self, view: View, text: str) -> Order:
        return read_order(text, cast(TinyView, view).question)

    def read_plans(self, text: str) -> str:
        return read_plans(text)

    def read_ahead(self, view: View, what: str, text: str) -> str:
        return str(read_order(text, what))

    def planned(self, view: View, plans: str) -> Planned | None:  # 5
        if plans and cast(TinyView, view).question == "act":
            return Planned(read_order(plans, "act"), plans)
        return None


GAME = Tiny()
