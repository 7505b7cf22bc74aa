"""A small table to play on: set blocks up in the rule book's words, play cards, type orders, dictate dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.errors import OrderError
from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.battle_law import combat_turn
from pbem.games.hammer.rules.battles import Battles
from pbem.games.hammer.rules.board import Board, Piece, State
from pbem.games.hammer.rules.printed import (
    AREAS,
    BLOCKS,
    CARD_NAME,
    DEAD,
    DECK,
    ENGLISH,
    FRENCH,
    KING,
    NOBLES,
    OFF,
    POOL,
    ROSTER,
    SCOTTISH,
)
from pbem.games.hammer.rules.year import GameTurn, Year
from pbem.games.hammer.views import HammerView
from pbem.games.touching import taken
from pbem.i18n import speaking
from pbem.kernel import Ask, Chance, Draw, End, Fact, Json, Roll, Stop, advance
from tests.i18n import BRACKETS, outside

NAMES = {word for name in (*AREAS, *BLOCKS, *CARD_NAME.values()) for word in name.split()}
"""The words that are the same in every language, besides those in capitals."""

Places = Mapping[str, str]
"""Area -> blocks: {"Fife": "Wallace, Douglas 2"}; without a number a block has its full strength."""


def pieces(english: Places, scots: Places) -> tuple[Piece, ...]:
    """Return all pieces: those named, the other nobles out of the way, everybody else in the pools."""
    found: dict[str, Piece] = {}
    for side, places in ((ENGLISH, english), (SCOTTISH, scots)):
        for place, blocks in places.items():
            for word in blocks.split(", "):
                name, _, number = word.rpartition(" ") if word[-1].isdigit() else (word, "", "")
                strength = 0 if place not in AREAS else int(number or BLOCKS[name].max)
                assert name not in found
                assert BLOCKS[name].owner in ("", side)
                found[name] = Piece(name, side, place, strength)
    for name in ROSTER:
        if name not in found:
            place = OFF if name in (*NOBLES, KING, FRENCH) else POOL
            found[name] = Piece(name, BLOCKS[name].owner or ENGLISH, place, 0)
    return tuple(found[name] for name in ROSTER)


class Table:
    """A game at some position, and what it has told so far."""

    def __init__(
        self, english: Places | None = None, scots: Places | None = None, year: int = 1297, **board: Any
    ) -> None:
        self.start = Board("braveheart", year, 0, pieces(english or {}, scots or {}), deal=year - 1296, **board)
        self.stop = Stop(State(self.start, (Year("turns"),)), (), End({}))
        self.told: list[Fact] = []

    # going on

    def _go(self, stop: Stop) -> Table:
        self.stop = stop
        self.told += [event for event in stop.events if isinstance(event, Fact)]
        assert GAME.load(GAME.dump(stop.state)) == stop.state
        return self

    def deal(self, english: str, scots: str) -> Table:
        """Begin a year in which each has this card, and four more; both are asked for one."""
        deck, hands = list(DECK), []
        for name in (english, scots):
            card = next(c for c in deck if CARD_NAME[c] == name)
            deck.remove(card)
            hands.append(card)
        dealt = (hands[0], *deck[:4], hands[1], *deck[4:8])
        return self._go(advance(State(altered(self.board, dealt=dealt), self.stop.state.stack)))

    def turn(self, english: str, scots: str) -> Table:
        """Begin a game turn in which these cards are played."""
        if not self.board.dealt:
            self.deal(english, scots)
        return self._go(GAME.step(self.stop.state, self._cards(english, scots)))

    def _cards(self, english: str, scots: str) -> Any:
        texts = {ENGLISH: english, SCOTTISH: scots}
        return {seat: GAME.parse(self.view(seat), f"CARD {card}") for seat, card in texts.items()}

    def battles(self, *attacks: tuple[str, str, str, str], event: str = "", first: str = ENGLISH) -> Table:
        """Begin the battles on the board: main attacks as (area, side, start, via), or all of an event's."""
        dealt = (*DECK[3:8], *DECK[13:18])
        board = altered(self.start, first=first, attacks=attacks, turn=1, dealt=dealt, played=((0,), (5,)))
        turn = GameTurn("raid")
        return self._go(advance(State(board, (Year("turns"), turn, Battles("begin", event)))))

    def order(self, text: str, seat: str = "") -> Table:
        """Give the order of the seat that is asked."""
        wanted = self.stop.wants
        assert isinstance(wanted, Ask), wanted
        (asked,) = wanted.seats
        assert seat in ("", asked), f"{asked} is asked {wanted.what}"
        order = GAME.parse(self.view(asked), text)
        assert GAME.why_not(self.view(asked), order) is None
        return self._go(GAME.step(self.stop.state, {asked: order}))

    def both(self, english: str, scots: str) -> Table:
        """Give the orders of both seats, who are asked at the same time."""
        given = {}
        for seat, text in ((ENGLISH, english), (SCOTTISH, scots)):
            given[seat] = GAME.parse(self.view(seat), text)
            assert GAME.why_not(self.view(seat), given[seat]) is None
        return self._go(GAME.step(self.stop.state, given))

    def orders(self, *texts: str) -> Table:
        """Give several orders, one after the other."""
        for text in texts:
            self.order(text)
        return self

    def dice(self, *dice: int) -> Table:
        """Dictate a roll."""
        wanted = self.stop.wants
        assert isinstance(wanted, Chance), wanted
        assert isinstance(wanted.requests[0], Roll)
        assert wanted.requests[0].n == len(dice), wanted
        return self._go(GAME.step(self.stop.state, (dice,)))

    def draw(self, *names: str) -> Table:
        """Dictate a draw."""
        wanted = self.stop.wants
        assert isinstance(wanted, Chance), wanted
        assert isinstance(wanted.requests[0], Draw)
        assert set(names) <= set(wanted.requests[0].of)
        return self._go(GAME.step(self.stop.state, (names,)))

    # looking

    def view(self, seat: str | None) -> HammerView:
        return HammerView.model_validate(GAME.view(self.stop.state, seat))

    @property
    def board(self) -> Board:
        board: Board = self.stop.state.board
        return board

    def at(self, name: str) -> str:
        """Where a block stands."""
        return self.board[name].at

    def strength(self, name: str) -> int:
        return self.board[name].strength

    def side(self, name: str) -> str:
        return self.board[name].side

    def blocks(self, area: str) -> dict[str, int]:
        """The blocks in an area, with their strengths."""
        return {p.name: p.strength for p in self.board.pieces if p.at == area}

    @property
    def asked(self) -> tuple[str, str]:
        """Who is asked what, or ("chance", its label), or ("end", the reason)."""
        wanted = self.stop.wants
        if isinstance(wanted, Ask):
            return "+".join(wanted.seats), wanted.what
        if isinstance(wanted, Chance):
            return "chance", wanted.label
        return "end", wanted.result["why"]

    @property
    def waiting(self) -> tuple[str, ...]:
        """The blocks whose turn it is in a battle."""
        return combat_turn(self.view(self.asked[0])).blocks

    def fought(self, action: str = "PASS") -> Table:
        """Let all blocks do the same while actions are asked, none of them hitting."""
        while self.asked[1] == "battle action":
            self.order(f"BATTLE ALL {action}")
        return self

    def refused(self, text: str) -> str:
        """Return what a player reads when he types this order, which must be refused, in words, and change nothing."""
        with speaking(BRACKETS):
            for problem in self._refusal(text).problems:
                assert not outside(problem.why), problem.why
                assert {word for word in outside(problem.legal) if not word.isupper()} <= NAMES, problem.legal
        return str(self._refusal(text))

    def _refusal(self, text: str) -> OrderError:
        wanted = self.stop.wants
        assert isinstance(wanted, Ask)
        before = GAME.dump(self.stop.state)
        try:
            order = taken(find("hammer"), self.view(wanted.seats[0]), text)
        except OrderError as error:
            assert GAME.dump(self.stop.state) == before
            return error
        raise AssertionError(f"{order} was taken")

    def options(self) -> list[str]:
        """Return what is legal now, as text."""
        wanted = self.stop.wants
        assert isinstance(wanted, Ask)
        return [str(order) for order in GAME.options(self.view(wanted.seats[0]))]

    def facts(self, kind: str, seat: str | None = None) -> list[dict[str, Json]]:
        """Return the facts of a kind as a seat, or the public, heard them."""
        heard = [fact.heard_by(seat) for fact in self.told]
        return [fact for fact in heard if fact and fact["f"] == kind]

    def dead(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.board.pieces if p.at == DEAD)


def altered(board: Board, **changes: Any) -> Board:
    """Return the board with some of its fields changed."""
    return replace(board, **changes)
