"""A small table to play on: cards laid in the rule book's words, typed orders, dictated draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.games.lords import GAME
from pbem.games.lords.game import LordsOptions
from pbem.games.lords.rules.board import Board, Follower, Recruit
from pbem.games.lords.rules.cards import SEATS
from pbem.games.lords.rules.reign import Reign, State
from pbem.games.lords.rules.skirmish import Skirmish
from pbem.games.lords.rules.turn import Turn
from pbem.games.lords.views import LordsView
from pbem.kernel import Chance, Json, Stop
from tests.standing import Standing

Laid = Mapping[str, str]
"""Seat -> cards: {"angus": "Scott 8, Makgill 3 down"}."""


def named(text: str) -> list[str]:
    """The cards of a list."""
    return [part.strip() for part in text.split(",") if part.strip()]


def follower(text: str, seat: str) -> Follower:
    """`Scott 8`, `Scott 8 down`, or `Cochrane 3 active`."""
    card, _, how = text.rpartition(" ") if text.endswith(("down", "active")) else (text, "", "")
    if how == "down":
        return Follower(card, up=False, seen=(seat,))
    return Follower(card, power=card.split()[0] if how == "active" else "")


class Table(Standing):
    """A game of Lords of Scotland."""

    game = GAME

    @property
    def board(self) -> Board:
        """The whole table."""
        board = self.stop.state.board
        assert isinstance(board, Board)
        return board

    def view(self, seat: str | None) -> LordsView:
        seen = super().view(seat)
        assert isinstance(seen, LordsView)
        return seen

    def told(self, seat: str | None = None, kind: str = "") -> list[Json]:
        """All facts that a seat has heard, or those of one kind."""
        return self.heard(seat, kind)

    def shuffle(self, *first: str) -> Table:
        """Dictate a shuffle: these cards on top, the others as they are listed."""
        wanted = self.stop.wants
        assert isinstance(wanted, Chance)
        (request,) = wanted.requests
        rest = [card for card in request.of if card not in first]  # type: ignore[union-attr]
        return self.go_on(((*first, *rest),))

    def army(self, seat: str) -> list[str]:
        """The cards in an army."""
        return [f.card for f in self.board.armies[seat]]


def table(
    *,
    hands: Laid | None = None,
    armies: Laid | None = None,
    won: Laid | None = None,
    supporters: str = "",
    recruits: str = "",
    pile: str = "",
    discards: str = "",
    all_else: str = "pile",
    turn: int = 1,
    acts: str = "angus",
    victor: str = "angus",
    deals: int = 1,
    **options: Any,
) -> Table:
    """Lay a table out in the middle of a round; every card that is not named lies in the pile, below those named for it.

    Or `all_else` are the discards, or in the hand of the seat that it names.
    """
    terms = LordsOptions.model_validate(options).terms
    seats = SEATS[: LordsOptions.model_validate(options).players]
    board = replace(
        Board.set_up(terms, seats, victor), discards=(), round=1, turn=turn, deals=deals, dealt=len(terms.cards)
    )
    row = [
        Recruit(text.removesuffix(" down"), up=False, deal=deals, place=i)
        if text.endswith(" down")
        else Recruit(text, up=True)
        for i, text in enumerate(named(recruits))
    ]
    board = replace(board, supporters=tuple(named(supporters)), recruits=tuple(row)).discard(named(discards))
    for seat, text in (hands or {}).items():
        board = board.hold(seat, named(text))
    for seat, text in (armies or {}).items():
        board = board.field(seat, [follower(one, seat) for one in named(text)])
    for seat, text in (won or {}).items():
        board = replace(board, won={**board.won, seat: tuple(named(text))})
    used = {*board.every_card(), *named(pile)}
    rest = [card for card in terms.cards if card not in used]
    board = replace(board, pile=(*named(pile), *rest) if all_else == "pile" else tuple(named(pile)))
    if all_else == "discards":
        board = board.discard(rest)
    elif all_else in seats:
        board = board.hold(all_else, (*board.hands[all_else], *rest))
    no = board.in_turn.index(acts) + 1
    state = State(board, (Reign("end"), Skirmish("turn", no), Turn("initiative", acts)))
    start = replace(state, stack=(*state.stack[:-1], Turn("act", acts)))
    GAME.load(GAME.dump(start))  # it is a position
    return Table(Stop(start, (), GAME.wants(start)))
