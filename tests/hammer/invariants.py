"""What must always be true of a game of Hammer of the Scots, whoever plays it, looked at after every step.

`Watch` follows one game. Where it can it counts for itself, from the facts told, and does not believe what the rules noted.
Used by the tests and by the long runs (`bench/soak.py`).
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import ClassVar

from pbem.games.hammer.rules.bids import keeps_edward
from pbem.games.hammer.rules.board import Board, State
from pbem.games.hammer.rules.frame import NESTING, Procedure
from pbem.games.hammer.rules.norse import norse_coast
from pbem.games.hammer.rules.printed import (
    AREA_OF,
    AREAS,
    BLOCKS,
    BORDER,
    DEAD,
    EDWARD,
    ENGLAND,
    ENGLISH,
    MORAY,
    NOBLES,
    NORSE,
    NORSE_COAST,
    OFF,
    POOL,
    ROSTER,
    SCOTTISH,
    SIDES,
    WALLACE,
    card_value,
    enemy,
)
from pbem.games.hammer.rules.ratings import ratings
from pbem.games.hammer.rules.scenarios import SCENARIOS, last_year
from pbem.games.hammer.rules.told import HammerFact
from pbem.games.hammer.rules.winter import is_last_winter
from pbem.games.hammer.rules.winter_limits import castle_limit
from pbem.kernel import Ask, Chance, End, Fact, Json, Stop
from tests.conformance.watching import Watch as AnyWatch

SELKIRK = "Selkirk"
REVEALING = frozenset((
    "reveal", "unity", "fire", "hit", "killed", "defection", "turned", "pillage losses", "captured", "raid", "homes",
))  # fmt: skip
"""The facts by which the rules show what was hidden. With `homes` the nobles leave the areas where they stood unseen, and the
winter disbands blocks that the enemy has not seen."""
STRENGTHENING = {
    "victuals",
    "pillage gains",
    "build",
    "draw",
    "levy",
    "winter move",
    "coronation",
    "return",
    "captured",
}
"""The facts with which a block may become stronger."""


def check_board(board: Board) -> None:
    """Every block in exactly one place, of its own side, with a strength that it can have; border limits kept."""
    assert tuple(p.name for p in board.pieces) == ROSTER
    for piece in board.pieces:
        block = BLOCKS[piece.name]
        assert piece.at in AREAS or piece.at in (POOL, OFF, DEAD), piece
        assert block.owner in ("", piece.side), piece
        assert 1 <= piece.strength <= block.max if piece.on_map else piece.strength == 0, piece
        # what is off the map has no way behind it, and nobody sees it, but Edward while a bid keeps him in the pool
        face_up = piece.name == EDWARD and keeps_edward(board, board.year)
        assert piece.on_map or piece[4:] in (("", "", 0), ("", "", int(face_up))), piece
    # 2.22: each of the thirteen nobles is on the map, on one side, and never dies
    assert all(board[name].on_map for name in NOBLES)
    counted = [name for side in SIDES for name in board.nobles(side) if name != MORAY]
    assert sorted(counted) == sorted(NOBLES), "each noble counts once"
    assert board[NORSE].at in (*norse_coast(board.variants), POOL, DEAD)
    # 4.3: border limits, in movement and in the retreats of one round
    for used in (board.crossed, board.retreated):
        assert len({(a, b, side) for a, b, side, _ in used}) == len(used)
        assert all(0 < n <= BORDER[a, b].limit for a, b, _, n in used)
    hands = board.hand(ENGLISH) + board.hand(SCOTTISH)
    assert len(set(hands)) == len(hands)


def check_stack(board: Board, stack: tuple[Procedure, ...]) -> None:
    """Procedures stand inside each other as they should; no area is contested but where a battle is fought or still to come."""
    names = [frame.at for frame in stack]
    assert names == [name for name in NESTING if name in names]
    fighting = "battles" in names or (names[-1] == "turn" and stack[-1].step in ("second", "battles"))
    if not fighting and names[-1] != "pillage":
        assert board.contested() == ()


def check_winter(board: Board) -> None:
    """After winter: nobles at home, castle limits kept, no Scots in England (7.1-7.6)."""
    for name in NOBLES:
        assert board[name].at in BLOCKS[name].homes, f"{name} is not at home"
    assert not board.blocks_in(ENGLAND, SCOTTISH)
    edward = board[EDWARD].at if board.wintered and board.wintered == board.year - 1 else ""
    for area in AREAS:
        for side in SIDES:
            there = board.blocks_in(area, side)
            others = [n for n in there if n not in NOBLES and not (n == WALLACE and area == SELKIRK)]
            others = [n for n in others if not (n == NORSE and "angus_og" in board.variants)]
            others = [n for n in others if not board[n].start]  # landed this winter, from an inland area
            if not (side == ENGLISH and area in (ENGLAND, edward)):
                most = max(0, castle_limit(area, side) - sum(n in NOBLES for n in there))
                assert len(others) <= most, f"{len(others)} blocks winter in {area} where {most} may"
    assert not board.contested()


class Watch(AnyWatch):
    """Follows one game: `see` every stop in turn."""

    even: ClassVar[tuple[str, ...]] = ("scenario", "edition")
    revealing: ClassVar[frozenset[str]] = REVEALING

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[tuple[str, str]] = Counter()
        self._before: Stop | None = None
        self._moves: dict[str, list[Json]] = {}

    @staticmethod
    def check(state: State) -> None:
        check_board(state.board)

    def see(self, stop: Stop) -> None:
        super().see(stop)
        board: Board = stop.state.board
        if stop.state.stack:
            check_stack(board, stop.state.stack)
        facts = [event.public for event in stop.events if isinstance(event, Fact) and event.public]
        for fact in facts:
            assert fact["f"] in HammerFact.kinds(), f"the fact {fact['f']} is not documented"
            self._count(fact, board)
        if self._before is not None:
            self._compare(self._before.state.board, board, {fact["f"] for fact in facts})
        wanted = stop.wants
        if isinstance(wanted, Ask):
            self.asked.update((seat, wanted.what) for seat in wanted.seats)
            if wanted.what == "card":
                assert not board.contested()
                assert all(len(board.hand(side)) == 6 - board.turn for side in SIDES)
        elif isinstance(wanted, Chance) and wanted.is_deal and board.year > SCENARIOS[board.scenario].first_year:
            check_winter(board)
        elif isinstance(wanted, End):
            _check_result(board, wanted.result)
        self._before = stop

    def finish(self) -> None:
        """Look at the whole, when the game is over: one card and one act a turn for either side, but for the last turn."""
        turns = self.asked[ENGLISH, "card"]
        for side in SIDES:
            assert self.asked[side, "card"] == turns
            assert self.asked[side, "act"] in (turns, turns - 1)

    def _count(self, fact: Json, board: Board) -> None:
        match fact["f"]:
            case "turn":
                self._moves = {}
            case "cards":
                self._moves = {side: [] for side in SIDES}
                self._card = {side: fact[side] for side in SIDES}
            case "move":
                self._moves[fact["side"]].append(fact)
                self._check_moves(fact["side"])
            case "regroup" | "retreat":
                _check_places(fact, board)
            case "fire":
                rating = ratings(board.variants)[fact["block"]].most + bool(fact.keys() & {"home", "schiltrom"})
                assert fact["rating"] == rating, fact
                assert fact["hits"] == sum(1 for die in fact["dice"] if die <= rating), fact
                assert all(1 <= die <= 6 for die in fact["dice"]), fact

    def _check_moves(self, side: str) -> None:
        """4.2-4.4: border limits and Group Moves, counted from what was told."""
        crossed: Counter[frozenset[str]] = Counter()
        groups: set[str] = set()
        rallies: set[str] = set()
        cost = 0
        for move in self._moves[side]:
            route = move["route"]
            if move.get("norse"):
                cost += 1
                continue
            for pair in pairwise(route):
                crossed[frozenset(pair)] += move["n"]
                assert crossed[frozenset(pair)] <= BORDER[pair].limit, f"the border limit between {pair}"
            if ENGLAND in route:
                cost += move["n"]
            elif move.get("rally"):
                rallies.add(route[-1])
            else:
                groups.add(route[0])
        assert cost + len(groups) + len(rallies) <= card_value(self._card[side]), (
            f"{self._card[side]} gives fewer Group Moves"
        )

    def _compare(self, before: Board, after: Board, kinds: set[str]) -> None:
        assert (after.year, after.turn) >= (before.year, before.turn) or after.year > before.year
        last = last_year(after.scenario, after.years)
        assert last is None or after.year <= last
        # 6.1, 7.4: Edward II from 1307 on, and no winter with Edward in Scotland after 1305
        assert after.edward == 2 or after.year <= 1306
        assert after.wintered <= 1305
        assert after.wintered in (0, before.wintered) or after.wintered > before.wintered + 1
        assert after.turn <= 5
        if not kinds & STRENGTHENING:
            for was, now in zip(before.pieces, after.pieces, strict=True):
                assert now.strength <= was.strength, f"{now.name} became stronger with {kinds}"
        for name in ROSTER:
            assert not (before[name].at == DEAD and after[name].at != DEAD), f"{name} has risen from the dead"


def _check_places(fact: Json, board: Board) -> None:
    """5.5, 5.6: border limits of one retreat or regroup, but for the Norse."""
    for key, n in fact["to"].items():
        to = AREA_OF[key]
        border = BORDER.get((fact["area"], to))
        norse = to in NORSE_COAST and fact["side"] == SCOTTISH
        most = (border.limit if border else 0) + int(norse)
        assert n <= most, f"{n} blocks go from {fact['area']} to {to}"


def _check_result(board: Board, result: Json) -> None:
    """9.0, 9.1: the winner is who should have won."""
    nobles = {side: len(board.nobles(side)) for side in SIDES}
    winner, loser = result["winner"], enemy(result["winner"])
    match result["why"]:
        case "majority":
            assert is_last_winter(board)
            assert nobles[winner] > nobles[loser]
        case "all nobles":
            assert nobles[loser] == 0
        case "tie wallace" | "tie no wallace":
            assert is_last_winter(board)
            assert nobles[winner] == nobles[loser] == 7
            assert (winner == SCOTTISH) == (board[WALLACE].at in AREAS)
        case "king killed":
            assert (winner, board["King"].at) == (ENGLISH, DEAD)
        case "edward ii killed":
            assert (winner, board[EDWARD].at, board.edward) == (SCOTTISH, DEAD, 2)
        case why:
            raise AssertionError(why)
