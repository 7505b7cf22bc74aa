"""What a seat of Tiny sees of a position, and positions that fit what it sees.

A view has the same form for every seat; `?` stands for what its seat may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from pbem.kernel import Chooser, Json, View

from ..orders import ALL_TOKENS, CardName, Seat, Token
from .board import Board, Card, Side
from .turn import Dig, Refill, State, Turn

HIDDEN = "?"

Nobody = Literal[""]
Hidden = Literal["?"]
Back = Annotated[str, Field(pattern=r"^[0-9]{1,2}\.[0-9]{1,2}$")]
Deal = Annotated[str, Field(pattern=r"^deal:[0-9]{1,2}$")]


class SideView(BaseModel):
    """A side as one seat sees it; `hand` lies in the order of `backs`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backs: list[Back]
    hand: list[CardName | Hidden]
    chest: list[Token | Hidden]
    kept: list[Token | Hidden]
    score: int


@with_config(ConfigDict(extra="forbid"))
class Result(TypedDict):
    """How the game ended: who has won ("" is nobody), why, and everybody's points."""

    winner: Seat | Nobody
    why: Literal["points", "tie"]
    score: dict[Seat, int]


class TinyView(View):
    """All that a seat ("" is the public) may know."""

    seat: Seat | Nobody
    step: Literal["shuffle", "card", "roll", "act", "draw", "keep", "over"]
    turn: int
    turns: int
    sides: dict[Seat, SideView]
    pile: list[Back]
    unseen: dict[Deal, list[CardName]]
    discards: list[CardName]
    deals: int
    table: dict[Seat, CardName]
    winner: Seat | Nobody
    drawn: list[Token | Hidden]
    result: Result | None = None

    @property
    def mine(self) -> SideView:
        return self.sides[self.seat]

    @property
    def question(self) -> str:
        """What this seat is asked now, or ""."""
        is_asked = (self.step in ("act", "keep") and self.seat == self.winner) or (self.step == "card" and self.seat)
        return self.step if is_asked else ""


def see(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` may know; at the end that is everything."""
    board, frame = state.board, state.stack[-1] if state.stack else None

    def seen(owner: str, names: Sequence[str]) -> list[str]:
        return [name if owner == seat or frame is None else HIDDEN for name in names]

    sides = {
        owner: {
            "backs": [card.back for card in side.hand],
            "hand": seen(owner, [card.name for card in side.hand]),
            "chest": seen(owner, side.chest),
            "kept": seen(owner, side.kept),
            "score": side.score,
        }
        for owner, side in board.sides.items()
    }
    return {
        "seat": seat or "",
        "step": frame.step if frame else "over",
        "turn": board.turn,
        "turns": board.turns,
        "sides": sides,
        "pile": [card.back for card in board.pile],
        "unseen": board.unseen(),
        "discards": list(board.discards),
        "deals": board.deals,
        "table": dict(board.table),
        "winner": board.winner,
        "drawn": seen(frame.seat, frame.drawn) if isinstance(frame, Dig) else [],
        **({"result": state.result} if state.result else {}),
    }


def _shuffled(names: Sequence[str], chooser: Chooser) -> list[str]:
    left = list(names)
    return [left.pop(chooser.randrange(len(left))) for _ in names]


def _guess_cards(view: TinyView, chooser: Chooser) -> dict[str, Card]:
    """Return for every back the card it could be: each deal's unseen cards on its unseen places."""
    names = {b: name for side in view.sides.values() for b, name in zip(side.backs, side.hand, strict=True)}
    cards = {}
    for label, unseen in view.unseen.items():
        unknown = _shuffled([name for name in unseen if name not in names.values()], chooser)
        for back in [*names, *view.pile]:
            deal, place = map(int, back.split("."))
            if label == f"deal:{deal}":
                known = names.get(back, HIDDEN)
                cards[back] = Card(unknown.pop() if known == HIDDEN else known, deal, place)
    return cards


def _guess_side(side: SideView, cards: Mapping[str, Card], chooser: Chooser) -> Side:
    """Return a side that fits what is seen of it."""
    chest, kept = side.chest, side.kept
    if HIDDEN in (*chest, *kept):
        tokens = _shuffled(ALL_TOKENS, chooser)
        chest, kept = sorted(tokens[: len(chest)]), tokens[len(chest) :]
    return Side(tuple(cards[back] for back in side.backs), tuple(chest), tuple(kept), side.score)


def guess(view: TinyView, chooser: Chooser) -> State:
    """Return some position that looks like `view` to its seat."""
    cards = _guess_cards(view, chooser)
    board = Board(
        turns=view.turns,
        turn=view.turn,
        sides={owner: _guess_side(side, cards, chooser) for owner, side in view.sides.items()},
        discards=tuple(view.discards),
        pile=tuple(cards[back] for back in view.pile),
        deals=view.deals,
        table=view.table,
        winner=view.winner,
    )
    stack: tuple[Turn | Refill | Dig, ...]
    match view.step:
        case "over":
            stack = ()
        case "shuffle":
            stack = (Turn("card"), Refill("shuffle"))
        case "draw" | "keep":
            chest = _shuffled(board.sides[view.winner].chest, chooser)
            drawn = chest[: len(view.drawn)] if HIDDEN in view.drawn else view.drawn
            stack = (Turn("next"), Dig(view.step, view.winner, tuple(drawn)))
        case step:
            stack = (Turn(step),)
    return State(board, stack, {**view.result} if view.result else None)
