"""The whole game: the draws, the first cubes, three rounds of flips, the scoring, the end ("Set-Up", "Round/Game End").

The deck is never laid out in secret. Public chance draws the number of the next card on top from the remaining cards. When the
card is flipped, its icon is drawn from the cards with that number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from pbem.kernel import Ask, Chance, Draw, Frame, Json, Outcome, Roll, Run, changed

from ..orders import Cube
from .battles import Battle, Battles
from .board import Board, DeckCard
from .flip import Deploying, Flip
from .names import BANNER, CROWN, GLORY, Times
from .settling import Settling
from .told import (
    Begins,
    CardFlipped,
    CubePlaced,
    GloryDealt,
    RegionScored,
    RoundBegins,
    RoundScored,
    TokensDealt,
)

GLORY_CARDS = 3


@dataclass(frozen=True, slots=True)
class War(Frame):
    """The game; `placed` counts the first cubes. `tokens`, `glory` and `first` are steps where chance decides them."""

    step: Literal["tokens", "glory", "first", "cubes", "cube", "round", "end"]
    then: Annotated[tuple[Literal["tokens", "glory", "first"], ...], Field(max_length=3)] = ()
    """What chance has to say after this."""
    placed: Times = 0
    at: Literal["war"] = "war"

    @staticmethod
    def begin(*chance: Literal["tokens", "glory", "first"]) -> War:
        """Return the beginning of a game in which chance says these."""
        return War(chance[0], chance[1:]) if chance else War("cubes")

    def _on(self, run: Run[Board]) -> None:
        run.goto(self.then[0] if self.then else "cubes", then=self.then[1:])

    def want_tokens(self, board: Board) -> Chance:
        names = board.parts.names
        return Chance("pub", (Draw(len(names), names),))

    def take_tokens(self, run: Run[Board], given: Outcome) -> None:
        printed = [run.board.tokens[name] for name in run.board.parts.names]
        tokens = dict(zip(given[0], printed, strict=True))
        names = run.board.parts.names
        run.board = changed(run.board, tokens={name: tokens[name] for name in names})
        run.tell(TokensDealt(names, tuple(tokens[name] for name in names)))
        self._on(run)

    def want_glory(self, board: Board) -> Chance:
        return Chance("pub", (Draw(GLORY_CARDS, GLORY),))

    def take_glory(self, run: Run[Board], given: Outcome) -> None:
        lay_glory(run, given[0])
        self._on(run)

    def want_first(self, board: Board) -> Chance:
        return Chance("pub", (Roll(1, len(board.seats)),))

    def take_first(self, run: Run[Board], given: Outcome) -> None:
        seat = run.board.seats[given[0][0] - 1]
        run.board = changed(run.board, leader=seat)
        run.tell(Begins(seat, given[0][0]))
        self._on(run)

    def do_cubes(self, run: Run[Board]) -> None:
        board = run.board
        run.goto("round" if self.placed == board.parts.first_cubes * len(board.seats) else "cube")

    def want_cube(self, board: Board) -> Ask:
        return Ask((board.in_turn[self.placed % len(board.seats)],), "setup", "no")

    def take_cube(self, run: Run[Board], given: Mapping[str, Cube]) -> None:
        ((seat, order),) = given.items()
        run.board = run.board.store(seat, -1).change(order.region, seat, 1)
        run.tell(CubePlaced(seat, order.region, self.placed // len(run.board.seats) + 1))
        run.goto("cubes", placed=self.placed + 1)

    def do_round(self, run: Run[Board]) -> None:
        if run.board.round == run.board.parts.rounds:
            run.goto("end")
        else:
            run.call(Season("shuffle"), then="round")

    def do_end(self, run: Run[Board]) -> None:
        run.end(result(run.board))


def lay_glory(run: Run[Board], cards: tuple[str, ...]) -> None:
    """Lay the glory cards out, and at their side the Picts, where those are in the game."""
    found = tuple(card for card in GLORY if card in cards)
    aside = run.board.parts.picts if BANNER in found else 0
    run.board = changed(run.board, glory={card: {} for card in found}, aside=aside)
    run.tell(GloryDealt(found))


@dataclass(frozen=True, slots=True)
class Season(Frame):
    """A round: the deck is shuffled, its cards are flipped one by one, the regions are scored."""

    step: Literal["shuffle", "next", "flip", "score"]
    at: Literal["season"] = "season"

    def want_shuffle(self, board: Board) -> Chance:
        return Chance("pub", (Roll(1, len(board.parts.deployment_cards)),))

    def take_shuffle(self, run: Run[Board], given: Outcome) -> None:
        board = run.board
        deck = tuple(DeckCard(card.icon, card.number) for card in board.parts.deployment_cards)
        top = deck[given[0][0] - 1].number
        run.board = changed(board, round=board.round + 1, flip=0, deck=deck, top=top, icon="", number=0)
        run.tell(RoundBegins(run.board.round, top, board.leader))
        run.goto("next")

    def do_next(self, run: Run[Board]) -> None:
        if not run.board.deck:
            run.goto("score")
        elif _rolls(run.board):
            run.goto("flip")
        else:
            self._flip(run, ())

    def want_flip(self, board: Board) -> Chance:
        return Chance("pub", _rolls(board))

    def take_flip(self, run: Run[Board], given: Outcome) -> None:
        self._flip(run, given)

    def _flip(self, run: Run[Board], given: Outcome) -> None:
        """The icon is that of the card on top; the number that of the next one, or the one printed under the deck."""
        board = run.board
        dice = [die for dice in given for die in dice]
        on_top = _on_top(board)
        card = on_top[dice.pop(0) - 1 if len(on_top) > 1 else 0]
        place = board.deck.index(card)
        deck = board.deck[:place] + board.deck[place + 1 :]
        top = deck[dice.pop(0) - 1 if len(deck) > 1 else 0].number if deck else 0
        number = top or board.parts.last_number
        run.board = changed(board, flip=board.flip + 1, deck=deck, top=top, icon=card.icon, number=number)
        run.tell(CardFlipped(run.board.flip, card.icon, number))
        run.call(Flip("place"), then="next")

    def do_score(self, run: Run[Board]) -> None:
        board, told = run.board, []
        for region in board.parts.names:
            seat, how = board.most(board.strength(region))
            points = board.tokens[region] if seat else 0
            told.append(RegionScored(region, seat, points, how))  # type: ignore[arg-type]
            run.board = run.board.score(seat, points) if seat else run.board
        run.tell(RoundScored(board.round, tuple(told), dict(run.board.points)))
        run.done()


def _on_top(board: Board) -> list[DeckCard]:
    """Return the cards that may be on top: those left with the visible number."""
    return [card for card in board.deck if card.number == board.top]


def _rolls(board: Board) -> tuple[Roll, ...]:
    """Return the dice of a flip: which of the cards with that number it was, and which card then comes to lie on top."""
    sides = (len(_on_top(board)), len(board.deck) - 1)
    return tuple(Roll(1, n) for n in sides if n > 1)


def result(board: Board) -> dict[str, Json]:
    """Return how the game ended: the most points; of equals the holder of the Crown, then the most cubes on the board."""
    points = dict(board.points)
    best = [seat for seat in board.seats if points[seat] == max(points.values())]
    cubes = {seat: board.on_map(seat, glory=board.terms.tie == "all") for seat in board.seats}
    why = "points"
    if len(best) > 1:
        why, crown = "crown", board.held.get(CROWN, "")
        if crown in best:
            best = [crown]
        else:
            why, most = "cubes", max(cubes[seat] for seat in best)
            best = [seat for seat in best if cubes[seat] == most]
    shared = len(best) > 1
    return {
        "winner": "" if shared else best[0],
        "why": "shared" if shared else why,
        "points": points,
        "cubes": cubes,
        "shared": best if shared else [],
    }


Procedure: TypeAlias = War | Season | Flip | Deploying | Battles | Battle | Settling


@dataclass(frozen=True, slots=True)
class State:
    """A position: the table, the procedures under way with the innermost last, and the result once there is one."""

    board: Board
    stack: tuple[Procedure, ...]
    result: dict[str, Any] | None = None
