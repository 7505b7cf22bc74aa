"""The normal and the hard player of Lords of Scotland: they try moves on guessed tables until the round is over."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

from pbem.games.bot import Bot
from pbem.games.searching import Tree, Urn
from pbem.kernel import Chooser, Order, View

from ..orders import Claim, Muster, Pass, Play, TakeRecruit
from ..rules.cards import BRUCE, CLANS, TURNS
from ..rules.follower import name
from ..views import LordsView
from .fray import CLAN, COCKBURN, DOWN, FERGUSON, MAKGILL, NAMES, NUMBERS, SCOTT, TAKE, UP, USE, WEMYSS, Fray, Move
from .guessing import Guesses
from .habit import habit
from .judging import shares

_CLANS = (*CLANS, BRUCE)


class Lookout:
    """The game as one seat sees it, for the search: see `pbem.games.searching.SearchModel`."""

    def __init__(self, view: LordsView) -> None:
        self._guesses = Guesses(view)
        self.seat = self._guesses.seat

    def guess(self, urn: Urn) -> Fray:
        return self._guesses.lay(urn)

    def asked(self, table: Fray) -> int | None:
        return table.asked if table.turn else None

    def moves(self, table: Fray, root: bool) -> Sequence[Move]:
        return table.moves() or (Move(TAKE, -1),)

    def label(self, table: Fray, move: Move) -> Hashable:
        # another seat's card that goes down, or is taken from those face-down, looks like any other
        return (DOWN,) if move.how == DOWN and table.asked != self.seat else move

    def play(self, table: Fray, move: Move, urn: Urn) -> Fray:
        if move.how == TAKE and move.card < 0:
            table.skip()
        else:
            table.do(move, urn)
        return table

    def finish(self, table: Fray, urn: Urn) -> Sequence[int]:
        while table.turn:
            move = habit(table, urn)
            if move is None:
                table.skip()
            else:
                table.do(move, urn)
        return shares(table)


class LookingAhead(Bot):
    """Decides each turn by a number of playouts."""

    def __init__(self, playouts: int, curious: int = 300) -> None:
        self.playouts, self._curious = playouts, curious

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen = cast(LordsView, view)
        if seen.question == "claim":
            return Claim()
        tree = Tree(Lookout(seen), Urn.of(chooser), self._curious)
        tree.grow(self.playouts)
        path: list[Move] = []
        while not path or (path[-1].how == USE and path[-1].power == MAKGILL):
            path.append(cast("Move | None", tree.best(path)) or _any_other(seen, path))
        return _order(seen, path)

    def plans(self, view: View) -> str:
        return str(Claim()) if cast(LordsView, view).turn == TURNS else ""


def _any_other(view: LordsView, path: Sequence[Move]) -> Move:
    """Return what goes with a Makgill where the search has not come so far: the strongest card that is left."""
    left = [NUMBERS[card] for card in view.hand if NUMBERS[card] not in {move.card for move in path}]
    return Move(UP, max(left, key=lambda card: view.terms.worth(NAMES[card])))


def _order(view: LordsView, path: Sequence[Move]) -> Order:
    if path[0].how == TAKE:
        return TakeRecruit(place=path[0].card + 1) if path[0].card >= 0 else Pass()
    return Muster(plays=tuple(_play(view, move, path) for move in path))


def _play(view: LordsView, move: Move, path: Sequence[Move]) -> Play:
    card = NAMES[move.card]
    if move.how != USE:
        return Play(card=card, down=move.how == DOWN)
    copied = _CLANS[move.power] if CLAN[move.card] == SCOTT else ""
    return Play(card=card, use=True, copy_of=copied, target=_target(view, move, path))


def _target(view: LordsView, move: Move, path: Sequence[Move]) -> str:
    if move.power == COCKBURN:
        return NAMES[move.target]
    if move.power not in (FERGUSON, WEMYSS):
        return ""
    owner, place = view.seats[move.target >> 4], move.target & 15
    army = view.armies[owner]
    if place < len(army):
        return name(owner, place, army[place])
    return NAMES[path[place - len(army)].card]  # mustered in this turn
