"""The door to the rules of Tiny: the contract that every game keeps (pbem.kernel.Game)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from pydantic import BaseModel, ConfigDict, Field

from pbem.errors import OrderError, Problem
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
from pbem.kernel.slots import Question

from ..orders import ALL_CARDS, SEATS
from .board import Board, Side
from .questions import QUESTIONS
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
        return QUESTIONS[seen.question].options(seen) if seen.question else Listed([])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        return _asked(view).why_not(cast(TinyView, view), order)

    def default(self, view: View) -> Order:  # 7
        return _asked(view).silence(cast(TinyView, view))

    def parse(self, view: View, text: str) -> Order:
        return _asked(view).read(cast(TinyView, view), text)

    def read_plans(self, text: str) -> str:  # 5
        return QUESTIONS["act"].read_plan(None, text)

    def read_ahead(self, view: View, what: str, text: str) -> str:
        return str(QUESTIONS[what].read(cast(TinyView, view), text))

    def planned(self, view: View, plans: str) -> Planned | None:  # 5
        if plans and cast(TinyView, view).question == "act":
            return Planned(self.parse(view, plans), plans)
        return None


def _asked(view: View) -> Question[TinyView]:
    """Return the question that is put to a view's seat. Raises OrderError if there is none."""
    if not (name := cast(TinyView, view).question):
        raise OrderError(Problem(0, "", _("nothing is asked of you now")))
    return QUESTIONS[name]


GAME = Tiny()
