"""One battle: reveal, Celtic unity, up to three rounds of combat turns, fire and hits, and its end.

The frame has the two front lines, which everybody sees. All others in the area are in reserve, so a captured noble is in his
captor's reserve as soon as he has changed sides. An order names what several blocks of one letter do; they act one by one. Blocks
without an order, or with one that can no longer be carried out, are asked about when the others have acted. Orders not carried out
yet, and the goals of retreats, are hidden from the enemy. Rules 1.4, 5.2, 5.3, 5.31, 5.32, 5.33, 5.4, 5.41, their rulings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pbem.kernel import Ask, Chance, Json, Order, Outcome, Roll, Run, changed

from .. import orders
from . import told
from .battle_law import LETTERS, waiting
from .board import Board, by_roster
from .eliminations import eliminate
from .frame import Procedure, answer
from .hits import forced_and_tied, has_one_target, on_the_strongest
from .printed import BLOCK_OF, BLOCKS, CELTIC, ENGLISH, SCOTTISH, SIDES, SLUG, acting_side, enemy
from .ratings import PRINTED, home_bonus, ratings, schiltrom
from .regroup import Regrouping
from .retreat_law import can_retreat, default_places, exits
from .retreats import Retreating, go, gone_to
from .variants import SIMULTANEOUS_FIRE, UNITY_BEFORE_BATTLE

ROUNDS = 3
UNITY_FAILS = 5


@dataclass(frozen=True, slots=True)
class Battle(Procedure, at="battle", hides=True):
    """A battle in `area`; `turn` counts the six combat turns of a round: defender A, attacker A, defender B …

    - `acted` are the blocks that have acted in this combat turn.
    - `leaving` are those that have chosen to retreat, each with its place: they go when all of their letter have acted.
    - `queue` are orders not carried out yet: block, action, place.
    - `revealing` are the blocks just revealed, which may have to roll for Celtic unity.
    - `block` is the block that fires, `hits` the number to be applied.
    - `lost` are the steps that each side has lost in this battle, the English first.
    - `regroups` is false if the victors have to stay.
    """

    area: str
    attacker: str
    english: tuple[str, ...]
    scottish: tuple[str, ...]
    event: bool = False
    regroups: bool = True
    round: int = 1
    turn: int = 0
    acted: tuple[str, ...] = ()
    leaving: tuple[tuple[str, str], ...] = ()
    queue: tuple[tuple[str, str, str], ...] = ()
    revealing: tuple[str, ...] = ()
    block: str = ""
    hits: int = 0
    lost: tuple[int, int] = (0, 0)

    # what the frame knows

    def front(self, side: str) -> tuple[str, ...]:
        """Return a side's front line."""
        return self.english if side == ENGLISH else self.scottish

    def reserve(self, board: Board, side: str) -> tuple[str, ...]:
        """Return a side's reserve: the blocks in the area that are not in front."""
        there, front, leaving = board.blocks_in(self.area, side), self.front(side), dict(self.leaving)
        return tuple([name for name in there if name not in front and name not in leaving])

    @property
    def side(self) -> str:
        """The current combat turn: the defender acts before the attacker (5.31)."""
        return acting_side(self.attacker, self.turn)

    def is_over(self, board: Board) -> bool:
        """Has a side neither front nor reserve (ruling 5.3)?"""
        there = self.english or self.reserve(board, ENGLISH)
        return not there or not (self.scottish or self.reserve(board, SCOTTISH))

    def waiting(self, board: Board) -> tuple[str, ...]:
        """Return the blocks that may act in this combat turn and have not."""
        return waiting(self.front(self.side), self.turn, self.acted, board.variants)

    # round by round

    def do_begin(self, run: Run[Board]) -> None:
        board = run.board
        fronts = len(self.english), len(self.scottish)
        reserves = len(self.reserve(board, ENGLISH)), len(self.reserve(board, SCOTTISH))
        run.tell(told.Battle(self.area, self.attacker, *fronts, *reserves, self.event))
        run.goto("reveal", revealing=self.english + self.scottish)

    def do_reveal(self, run: Run[Board]) -> None:
        board = run.board
        run.board = board.put(*(board[name].shown(2) for name in self.revealing))
        run.tell(told.Round(self.area, self.round))
        for side in (enemy(self.attacker), self.attacker):
            blocks = {SLUG[name]: board[name].strength for name in self.revealing if board[name].side == side}
            if blocks:
                rated = {name: ratings(board.variants)[name] for name in self.revealing if board[name].side == side}
                unprinted = {SLUG[name]: str(found) for name, found in rated.items() if found != PRINTED[name]}
                run.tell(told.Reveal(side, blocks, unprinted or None))
        # 5.2: each time Ulster and Welsh blocks are revealed
        rolling = tuple(name for name in self.revealing if name in CELTIC)
        if UNITY_BEFORE_BATTLE in board.variants:
            rolling = self._roll_before_battle(run) if self.round == 1 else ()
        run.goto("unity" if rolling else "turn", revealing=rolling)

    def _roll_before_battle(self, run: Run[Board]) -> tuple[str, ...]:
        """Return the Celts of front and reserve (2.3, 5.2); who rolls in reserve is known from then on, how strong he is not."""
        there = tuple(name for name in run.board.blocks_in(self.area, ENGLISH) if name in CELTIC)
        shown = (run.board[name] for name in there if name not in self.revealing)
        run.board = run.board.put(*(piece.shown(1) for piece in shown))
        return there

    def want_unity(self, board: Board) -> Chance:
        return Chance("pub", (Roll(len(self.revealing)),))

    def take_unity(self, run: Run[Board], outcome: Outcome) -> None:
        gone = []
        for name, die in zip(self.revealing, outcome[0], strict=True):
            leaves = die >= UNITY_FAILS
            run.tell(told.Unity(name, die, leaves))
            if leaves:
                gone.append(name)
        board = run.board
        run.board = board.put(*(board[n].gone() for n in gone))  # 5.2: into the English Draw Pool
        run.goto("turn", revealing=(), english=tuple(n for n in self.english if n not in gone))

    def do_turn(self, run: Run[Board]) -> None:
        over = self.is_over(run.board)
        left = () if over else self.waiting(run.board)
        if self.queue and not over and self._is_possible(self.queue[0]):
            self._act(run, *self.queue[0])
        elif left and (self._may_fire() or self._may_retreat(run.board)):
            run.goto("action", queue=())
        elif left:
            for name in left:
                run.tell(told.Stays(name))
            run.goto("turn", acted=(*self.acted, *left), queue=())
        elif self.hits:
            run.goto("apply")  # option: all of the combat turn have fired
        elif self.leaving:
            places = [orders.Place(block=name, to=to) for name, to in self.leaving]
            run.board = go(run.board, self.area, self.side, places)
            run.tell(told.Retreat(self.area, self.side, gone_to(places)), self.side)
            run.goto("turn", leaving=(), queue=())
        elif over:
            run.goto("over")
        elif turn := self._next_turn(run.board):
            run.goto("turn", turn=turn, acted=())
        else:
            run.goto("round_ends", acted=())

    def _next_turn(self, board: Board) -> int:
        """Return the next combat turn of the round in which a block may act, 0 if there is none."""
        for turn in range(self.turn + 1, len(SIDES) * len(LETTERS)):
            if waiting(self.front(acting_side(self.attacker, turn)), turn, (), board.variants):
                return turn
        return 0

    def do_round_ends(self, run: Run[Board]) -> None:
        board = run.board
        attacker = self.attacker
        # 5.32: control changes if round 1 leaves no defender in front, and an attacker stands there (ruling)
        if self.round == 1 and not self.front(enemy(attacker)) and self.front(attacker):
            attacker = enemy(attacker)
            run.tell(told.Control(attacker))
        if board.retreated:
            board = run.board = changed(board, retreated=())  # 5.5: border limits are reset for each Combat Round
        if self.round == ROUNDS:
            run.tell(told.Withdraw(attacker))
            run.goto("withdraw", turn=0)
            return
        # 5.32, 5.33, 5.7: reserves and captured nobles join
        english, scottish = self.reserve(board, ENGLISH), self.reserve(board, SCOTTISH)
        run.goto(
            "reveal", attacker=attacker, round=self.round + 1, turn=0, revealing=english + scottish,
            english=by_roster(self.english + english), scottish=by_roster(self.scottish + scottish),
        )  # fmt: skip

    def do_withdraw(self, run: Run[Board]) -> None:
        # 5.3: the attacker must retreat; 5.5: A before B before C
        if self.turn == len(LETTERS):
            run.goto("over")
            return
        letter, rated = LETTERS[self.turn], ratings(run.board.variants)
        going = tuple(n for n in run.board.blocks_in(self.area, self.attacker) if rated[n].letter == letter)
        if going:
            frame = Retreating("begin", self.area, self.attacker, going)
            staying = tuple(n for n in self.front(self.attacker) if n not in going)
            run.call(frame, "withdraw", turn=self.turn + 1, **{self.attacker: staying})
        else:
            run.goto("withdraw", turn=self.turn + 1)

    def do_over(self, run: Run[Board]) -> None:
        board = run.board
        winner = next((side for side in SIDES if board.blocks_in(self.area, side)), "")
        there = (board[name].upright() for name in board.blocks_in(self.area, winner))
        run.board = board.put(*there, retreated=())  # 5.1: stand all blocks upright
        run.tell(told.BattleOver(self.area, winner or None, stay=bool(winner) and not self.regroups))
        run.done()
        if winner and self.regroups:
            run.stack.append(Regrouping("begin", self.area, winner))  # 5.6

    # a combat turn

    def _may_fire(self) -> bool:
        return bool(self.front(enemy(self.side)))

    def _may_retreat(self, board: Board) -> bool:
        open_to, leaving = exits(board, self.area, self.side), tuple(name for name, _ in self.leaving)
        return any(can_retreat(open_to, (*leaving, name)) for name in self.waiting(board))

    def _is_possible(self, act: tuple[str, str, str]) -> bool:
        """Return whether an order can still be carried out. A retreat always can: its way was reserved when it was ordered."""
        return act[1] != "FIRE" or self._may_fire()

    def want_action(self, board: Board) -> Ask:
        return Ask((self.side,), "battle action", "until end")

    def take_action(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        acts = answer(given, orders.BattleActions).acts
        run.goto("turn", queue=tuple((act.block, act.action, act.to) for act in acts))

    def _act(self, run: Run[Board], name: str, action: str, to: str) -> None:
        acted, queue = (*self.acted, name), self.queue[1:]
        if action == "FIRE":
            run.goto("dice", acted=acted, queue=queue, block=name)
        elif action == "RETREAT":
            run.tell(told.Retreats(name))
            without = tuple(n for n in self.front(self.side) if n != name)
            run.goto("turn", acted=acted, queue=queue, leaving=(*self.leaving, (name, to)), **{self.side: without})
        else:
            run.tell(told.Stays(name))
            run.goto("turn", acted=acted, queue=queue)

    def want_dice(self, board: Board) -> Chance:
        return Chance("pub", (Roll(board[self.block].strength),))  # 5.4: as many dice as its strength

    def take_dice(self, run: Run[Board], outcome: Outcome) -> None:
        name, variants = self.block, run.board.variants
        rated = ratings(variants)[name]
        # ruling 1.4: the present role counts
        home = home_bonus(name, self.area, name not in self.front(self.attacker), variants)
        in_schiltrom = schiltrom(name, self.english, variants)
        rating = rated.most + home + in_schiltrom  # 1.4: B2 = B3; sidebar Schiltroms: C3 = C4
        hits = sum(1 for die in outcome[0] if die <= rating)
        letter = rated.letter if rated != PRINTED[name] else ""
        because = {"home": True} if home else {"schiltrom": True} if in_schiltrom else {}
        run.tell(told.Fire(name, rating, outcome[0], hits, letter=letter, **because))
        # by the option of simultaneous fire hits wait until all of this combat turn have fired
        at_once = hits and SIMULTANEOUS_FIRE not in variants
        run.goto("apply" if at_once else "turn", hits=self.hits + hits, block="")

    def do_apply(self, run: Run[Board]) -> None:
        # 5.41: hits are applied at once, each to the strongest; by the options all of them to one
        targets = self._targets(run.board)
        share = on_the_strongest if has_one_target(run.board.variants) else forced_and_tied
        forced, tied, left = share(targets, self.hits)
        if tied:
            self._hit(run, forced, "hits", left)
        else:
            self._hit(run, forced, "turn", 0)

    def _targets(self, board: Board) -> dict[str, int]:
        return {name: board[name].strength for name in self.front(enemy(self.side))}

    def want_hits(self, board: Board) -> Ask:
        return Ask((enemy(self.side),), "hits", "no")

    def take_hits(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        board, blocks = run.board, answer(given, orders.Hits).blocks
        if has_one_target(board.variants):
            blocks *= min(self.hits, board[blocks[0]].strength)
        self._hit(run, blocks, "turn", 0)

    def _hit(self, run: Run[Board], hits: Sequence[str], then: str, left: int) -> None:
        victim = enemy(self.side)
        board = run.board
        strengths = {name: board[name].strength - hits.count(name) for name in dict.fromkeys(hits)}
        run.board = board.put(*(board[name].left_with(n) for name, n in strengths.items()))
        if strengths:
            run.tell(told.Hit({SLUG[name]: n for name, n in strengths.items()}))
        gone = [name for name in dict.fromkeys(reversed(hits)) if not strengths[name]]
        eliminate(run, reversed(gone), "killed")
        if run.result is not None:
            return  # 9.1: the leader's death ends the game in mid-battle
        steps = tuple(n + len(hits) * (side == victim) for side, n in zip(SIDES, self.lost, strict=True))
        run.goto(
            then, hits=left, lost=steps, **{victim: tuple(name for name in self.front(victim) if name not in gone)}
        )

    # what a seat sees of it

    def seen(self, board: Board, seat: str | None) -> dict[str, Json]:
        """Return front lines and leaving blocks with their strengths; orders and goals are for their owner alone."""
        found = Procedure.seen(self, board, seat)
        found.pop("queue", None)
        places = found.pop("leaving", None)
        for side in SIDES:
            found[side] = {SLUG[name]: board[name].strength for name in self.front(side)}
        if places:
            found["leaving"] = {SLUG[name]: board[name].strength for name, _ in self.leaving}
        if seat == self.side:
            if places:
                found["places"] = places
            if self.queue:
                found["queue"] = [list(act) for act in self.queue]
        return found

    @classmethod
    def guessed(cls, entry: dict[str, Json], board: Board) -> Self:
        """For the enemy: those who leave go anywhere they may, and nothing more is ordered."""
        fronts = {side: [name for name in BLOCKS if SLUG[name] in entry[side]] for side in SIDES}
        plain = {key: value for key, value in entry.items() if key != "places"}
        leaving = entry.get("places")
        if leaving is None:
            side = acting_side(entry["attacker"], entry.get("turn", 0))
            names = by_roster(BLOCK_OF[key] for key in entry.get("leaving", ()))
            places = default_places(exits(board, entry["area"], side), names)
            leaving = [[place.block, place.to] for place in places]
        return super(Battle, cls).guessed({**plain, **fronts, "leaving": leaving}, board)
