"""One battle: reveal, Celtic unity, up to three rounds of combat turns, fire and hits, and what ends it.

The frame holds the two front lines, which everybody sees; all others in the area are in reserve, so that a captured noble is
in his captor's reserve as soon as he has changed sides. Rules 1.4, 5.2, 5.3, 5.31, 5.32, 5.33, 5.4, 5.41 and their rulings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from pbem.kernel import Ask, Chance, Json, Order, Outcome, Roll, Run

from .. import orders
from .board import settle
from .eliminations import eliminate
from .facts import BLOCKS, CELTIC, ENGLISH, POOL, SCOTTISH, SIDES, enemy
from .frame import Procedure, answer
from .hits import forced_and_tied
from .regroup import Regrouping
from .retreats import Retreating, can_retreat

if TYPE_CHECKING:
    from .board import Board

LETTERS = "ABC"
ROUNDS = 3
UNITY_FAILS = 5


@dataclass(frozen=True, slots=True)
class Battle(Procedure):
    """A battle in `area`; `turn` counts the six combat turns of a round: defender A, attacker A, defender B …

    `acted` are the blocks that have done so in this combat turn, `leaving` those that chose to retreat and have no place yet,
    `revealing` those just revealed, who may have to roll for Celtic unity, `block` is the one that fires, `hits` what is
    to be applied.
    """

    at: ClassVar[str] = "battle"

    area: str
    attacker: str
    english: tuple[str, ...]
    scottish: tuple[str, ...]
    event: bool = False
    round: int = 1
    turn: int = 0
    acted: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    revealing: tuple[str, ...] = ()
    block: str = ""
    hits: int = 0

    # what the frame knows

    def front(self, side: str) -> tuple[str, ...]:
        """Return a side's front line."""
        return self.english if side == ENGLISH else self.scottish

    def reserve(self, board: Board, side: str) -> tuple[str, ...]:
        """Return a side's reserve: whoever is in the area and not in front."""
        there = board.blocks_in(self.area, side)
        front = self.front(side)
        return tuple(name for name in there if name not in front and name not in self.leaving)

    @property
    def side(self) -> str:
        """Whose combat turn it is: the defender acts before the attacker (5.31)."""
        return self.attacker if self.turn % 2 else enemy(self.attacker)

    @property
    def letter(self) -> str:
        """The combat letter whose turn it is."""
        return LETTERS[self.turn // 2]

    def is_over(self, board: Board) -> bool:
        """Has a side neither front nor reserve (ruling 5.3)?"""
        return any(not self.front(side) and not self.reserve(board, side) for side in SIDES)

    def waiting(self) -> tuple[str, ...]:
        """Return the blocks that may act in this combat turn and have not."""
        return tuple(n for n in self.front(self.side) if BLOCKS[n].letter == self.letter and n not in self.acted)

    def home_bonus(self, name: str) -> bool:
        """Does a noble defend his home (1.4)? The present role counts (ruling 1.4)."""
        return self.area in BLOCKS[name].homes and name not in self.front(self.attacker)

    # round by round

    def do_begin(self, run: Run[Board]) -> None:
        board = run.board
        reserves = {f"{side}_reserve": len(self.reserve(board, side)) for side in SIDES}
        run.tell({
            "f": "battle", "area": self.area, "attacker": self.attacker, "event": self.event,
            "english": len(self.english), "scottish": len(self.scottish), **reserves,
        })  # fmt: skip
        run.goto("reveal", revealing=self.english + self.scottish)

    def do_reveal(self, run: Run[Board]) -> None:
        board = run.board
        run.board = board.put(*(board[name]._replace(known=2) for name in self.revealing))
        run.tell({"f": "round", "area": self.area, "round": self.round})
        for side in (enemy(self.attacker), self.attacker):
            names = [name for name in self.revealing if board[name].side == side]
            if names:
                blocks = [{"block": name, "strength": board[name].strength} for name in names]
                run.tell({"f": "reveal", "area": self.area, "side": side, "blocks": blocks})
        # 5.2: each time Ulster and Welsh blocks are revealed
        rolling = tuple(name for name in self.revealing if name in CELTIC)
        run.goto("unity" if rolling else "turn", revealing=rolling)

    def want_unity(self, board: Board) -> Chance:
        return Chance("pub", (Roll(len(self.revealing)),))

    def take_unity(self, run: Run[Board], outcome: Outcome) -> None:
        gone = []
        for name, die in zip(self.revealing, outcome[0], strict=True):
            leaves = die >= UNITY_FAILS
            run.tell({"f": "unity", "area": self.area, "block": name, "die": die, "gone": leaves})
            if leaves:
                gone.append(name)
        board = run.board
        run.board = board.put(
            *(board[n]._replace(at=POOL, strength=0, start="", via="", known=0) for n in gone)
        )  # 5.2: into the English Draw Pool
        run.goto("turn", revealing=(), english=tuple(n for n in self.english if n not in gone))

    def do_turn(self, run: Run[Board]) -> None:
        over = self.is_over(run.board)
        if not over and self.waiting():
            if self._may_fire() or self._may_retreat(run.board):
                run.goto("action")
                return
            for name in self.waiting():
                self._tell(run, "stays", name)
            run.goto("turn", acted=(*self.acted, *self.waiting()))
        elif self.leaving:
            run.call(Retreating("begin", self.area, self.side, self.letter, self.leaving), "turn", leaving=())
        elif over:
            run.goto("over")
        elif self.turn + 1 < len(SIDES) * len(LETTERS):
            run.goto("turn", turn=self.turn + 1, acted=())
        else:
            run.goto("round_ends", acted=())

    def do_round_ends(self, run: Run[Board]) -> None:
        board = run.board
        attacker = self.attacker
        # 5.32: control changes if round 1 leaves no defender in front, and an attacker stands there (ruling)
        if self.round == 1 and not self.front(enemy(attacker)) and self.front(attacker):
            attacker = enemy(attacker)
            run.tell({"f": "control", "area": self.area, "attacker": attacker})
        run.board = replace(board, retreated=())  # 5.5: border limits are reset for each Combat Round
        if self.round == ROUNDS:
            run.tell({"f": "withdraw", "area": self.area, "side": attacker})
            run.goto("withdraw", turn=0)
            return
        # 5.32, 5.33, 5.7: reserves and captured nobles join
        english, scottish = self.reserve(board, ENGLISH), self.reserve(board, SCOTTISH)
        run.goto(
            "reveal", attacker=attacker, round=self.round + 1, turn=0, revealing=english + scottish,
            english=self.english + english, scottish=self.scottish + scottish,
        )  # fmt: skip

    def do_withdraw(self, run: Run[Board]) -> None:
        # 5.3: the attacker must retreat; 5.5: A before B before C
        if self.turn == len(LETTERS):
            run.goto("over")
            return
        letter = LETTERS[self.turn]
        going = tuple(n for n in run.board.blocks_in(self.area, self.attacker) if BLOCKS[n].letter == letter)
        if going:
            frame = Retreating("begin", self.area, self.attacker, letter, going, must=True)
            staying = tuple(n for n in self.front(self.attacker) if n not in going)
            run.call(frame, "withdraw", turn=self.turn + 1, **{self.attacker: staying})
        else:
            run.goto("withdraw", turn=self.turn + 1)

    def do_over(self, run: Run[Board]) -> None:
        board = replace(run.board, retreated=())
        winner = next((side for side in SIDES if board.blocks_in(self.area, side)), "")
        victors = board.blocks_in(self.area, winner)
        run.board = settle(board, victors)  # 5.1: stand all blocks upright
        run.tell({"f": "battle over", "area": self.area, **({"winner": winner} if winner else {})})
        run.done()
        if winner:
            run.stack.append(Regrouping("begin", self.area, winner))  # 5.6

    # a combat turn

    def _may_fire(self) -> bool:
        return bool(self.front(enemy(self.side)))

    def _may_retreat(self, board: Board) -> list[str]:
        return [n for n in self.waiting() if can_retreat(board, self.area, self.side, (*self.leaving, n))]

    def want_action(self, board: Board) -> Ask:
        return Ask((self.side,), "battle action", "no")

    def take_action(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        order = answer(given, orders.BattleAction)
        acted = (*self.acted, order.block)
        if order.action == "FIRE":
            run.goto("dice", acted=acted, block=order.block)
        elif order.action == "RETREAT":
            self._tell(run, "retreats", order.block)
            without = tuple(n for n in self.front(self.side) if n != order.block)
            run.goto("turn", acted=acted, leaving=(*self.leaving, order.block), **{self.side: without})
        else:
            self._tell(run, "stays", order.block)
            run.goto("turn", acted=acted)

    def _tell(self, run: Run[Board], kind: str, name: str) -> None:
        run.tell({"f": kind, "area": self.area, "side": self.side, "block": name})

    def want_dice(self, board: Board) -> Chance:
        return Chance("pub", (Roll(board[self.block].strength),))  # 5.4: as many dice as its strength

    def take_dice(self, run: Run[Board], outcome: Outcome) -> None:
        block = BLOCKS[self.block]
        home = self.home_bonus(self.block)
        rating = block.rating + home  # 1.4: B2 = B3
        dice = list(outcome[0])
        hits = sum(1 for die in dice if die <= rating)
        run.tell({
            "f": "fire", "area": self.area, "side": self.side, "block": self.block, "letter": block.letter, "rating": rating,
            "home": home, "dice": dice, "hits": hits,
        })  # fmt: skip
        run.goto("apply" if hits else "turn", hits=hits, block="")

    def do_apply(self, run: Run[Board]) -> None:
        # 5.41: hits are applied at once, each to the strongest
        forced, tied, left = forced_and_tied(self._targets(run.board), self.hits)
        if tied:
            self._hit(run, forced, "hits", left)
        else:
            self._hit(run, forced, "turn", 0)

    def _targets(self, board: Board) -> dict[str, int]:
        return {name: board[name].strength for name in self.front(enemy(self.side))}

    def want_hits(self, board: Board) -> Ask:
        return Ask((enemy(self.side),), "hits", "no")

    def take_hits(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._hit(run, answer(given, orders.Hits).blocks, "turn", 0)

    def _hit(self, run: Run[Board], hits: Sequence[str], then: str, left: int) -> None:
        victim = enemy(self.side)
        front = self.front(victim)
        for name in hits:
            piece = run.board[name]
            run.board = run.board.put(piece._replace(strength=piece.strength - 1))
            run.tell({
                "f": "hit", "area": self.area, "side": victim, "block": name, "strength": piece.strength - 1,
            })  # fmt: skip
            if piece.strength == 1:
                front = tuple(n for n in front if n != name)
                eliminate(run, name, "killed")
                if run.result is not None:
                    return  # 9.1: the leader's death ends the game in mid-battle
        run.goto(then, hits=left, **{victim: front})

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        if self.step == "hits":
            _, tied, left = forced_and_tied(self._targets(board), self.hits)
            return {"area": self.area, "hits": left, "among": list(tied)}
        return {
            "area": self.area, "letter": self.letter, "blocks": list(self.waiting()), "fire": self._may_fire(),
            "retreat": self._may_retreat(board),
        }  # fmt: skip
