"""Battles, one after the other until none is left: the leader says which is next; each in its phases ("3 Battle").

Castles, then commitments, then the winner and the losers. The seat that leads when a battle begins determines its whole order; its
winner leads from its end on. Orders that come here are legal; a seat without a choice is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pbem.kernel import Ask, Frame, Run, changed

from ..orders import Choose, Commit, DrawSword, Heal, Kill, Retreat
from .battle_law import (
    answers_last,
    commitments,
    heals,
    kills,
    sole_retreat,
    sword_sources,
    targets,
)
from .board import Board, clockwise
from .names import BAGPIPES, DRUMS, EDINBURGH, PICTS, SWORD, Name, Seat, SeatOrNone, Times, Turns
from .placing_law import taken
from .settling import Settling
from .told import (
    AllLost,
    BattleBegins,
    Committed,
    GloryBid,
    GloryPoints,
    Healed,
    Killed,
    LeaderIs,
    NoWay,
    Number,
    Present,
    Retreated,
    SwordDrawn,
    Won,
)
from .troops import Troops

BAGPIPE_POINTS, DRUM_POINTS = 4, 2


@dataclass(frozen=True, slots=True)
class Battles(Frame):
    """All pending battles, and those that they cause."""

    step: Literal["look", "choose"]
    at: Literal["battles"] = "battles"

    def do_look(self, run: Run[Board]) -> None:
        standing = run.board.battles()
        if not standing:
            run.done()
        elif len(standing) == 1:
            run.call(Battle.begin(run.board, standing[0]), then="look")
        else:
            run.goto("choose")

    def want_choose(self, board: Board) -> Ask:
        return Ask((board.leader,), "battle", "no")

    def take_choose(self, run: Run[Board], given: Mapping[str, Choose]) -> None:
        (order,) = given.values()
        run.call(Battle.begin(run.board, order.region), then="look")


@dataclass(frozen=True, slots=True)
class Battle(Frame):
    """A battle in a region.

    `order` are all seats, clockwise from the leader of its beginning; `fighting` those who take part. `drawn` says whether the Long
    Sword has been spoken of. `next` counts the seats whose castles have spoken, then the losers who have left. `fallen` is what
    each has committed; `winner` who won.
    """

    step: Literal[
        "begin", "sword", "ask_sword", "castles", "ask_castles", "later", "ask_later", "muster", "commit", "reply", "answer",
        "resolve", "druid", "ask_druid", "lose", "retreat", "end",
    ]  # fmt: skip
    region: Name
    order: Turns
    fighting: Turns
    drawn: bool = False
    next: Times = 0
    fallen: Mapping[Seat, Troops] = field(default_factory=dict)
    winner: SeatOrNone = ""
    at: Literal["battle"] = "battle"

    @staticmethod
    def begin(board: Board, region: str) -> Battle:
        """Return the battle that is triggered in a region."""
        order = board.in_turn
        return Battle("begin", region, order, clockwise(board.strength(region), order))

    def present(self, board: Board) -> tuple[str, ...]:
        """Return who takes part and has a cube there still, clockwise."""
        return tuple(seat for seat in self.fighting if board.troops(seat, self.region).total)

    @property
    def losers(self) -> tuple[str, ...]:
        """Return the losers, clockwise."""
        return tuple(seat for seat in self.fighting if seat != self.winner)

    def do_begin(self, run: Run[Board]) -> None:
        board = run.board
        told = [(seat, board.troops(seat, self.region)) for seat in self.fighting]
        present = tuple(Present(seat, troops.total, troops.picts) for seat, troops in told)
        run.tell(BattleBegins(self.region, board.tokens[self.region], present))
        run.goto("sword")

    # Long Sword: before or after the castles

    def do_sword(self, run: Run[Board]) -> None:
        run.goto("ask_sword" if self._may_draw(run.board) else "castles")

    def _may_draw(self, board: Board) -> str:
        """Return who may add a cube by the Long Sword, "" for nobody."""
        holder = board.held.get(SWORD, "")
        may = holder in self.fighting or (holder and board.terms.sword == "any")
        return holder if may and not self.drawn and sword_sources(board, holder, self.region) else ""

    def waits_for_castles(self, board: Board) -> bool:
        """May the Long Sword wait for the castles? That is so before they act, where one will."""
        return self.step == "ask_sword" and any(self.castles(board, seat) for seat in self.order)

    def want_ask_sword(self, board: Board) -> Ask:
        return Ask((board.held[SWORD],), "sword", "no")

    def take_ask_sword(self, run: Run[Board], given: Mapping[str, DrawSword]) -> None:
        self._draw(run, given, then="castles")

    def do_later(self, run: Run[Board]) -> None:
        run.goto("ask_later" if self._may_draw(run.board) else "muster")

    def want_ask_later(self, board: Board) -> Ask:
        return self.want_ask_sword(board)

    def take_ask_later(self, run: Run[Board], given: Mapping[str, DrawSword]) -> None:
        self._draw(run, given, then="muster")

    def _draw(self, run: Run[Board], given: Mapping[str, DrawSword], then: str) -> None:
        ((seat, order),) = given.items()
        run.goto(then, drawn=order.when != "LATER")
        if order.when == "NOW":
            run.goto(then, fighting=clockwise((*self.fighting, seat), self.order))
            colour = PICTS if order.pict else seat
            run.board = taken(run.board, seat, order.source, pict=order.pict).change(self.region, colour, 1)
            run.tell(SwordDrawn(seat, self.region, order.source, order.pict))
            run.call(Settling("look"), then=then, drawn=True)

    # 1) Castles

    def do_castles(self, run: Run[Board]) -> None:
        if self.next == len(self.order):
            run.goto("later", next=0)
            return
        seat = self.order[self.next]
        legal = kills(run.board, self.region, seat, len(self.castles(run.board, seat)), self.fighting)
        if len(legal) == 1:
            self._kill(run, seat, legal[0])
        else:
            run.goto("ask_castles")

    def castles(self, board: Board, seat: str) -> tuple[str, ...]:
        """Return the castles that act for a seat in this battle: all its castles on the border, and Edinburgh if it takes part."""
        takes_part = seat in self.fighting
        on_border = board.held_castles(seat, self.region) if takes_part or board.terms.castles == "any" else ()
        return (*on_border, *((EDINBURGH,) if takes_part and board.has(seat, EDINBURGH) else ()))

    def want_ask_castles(self, board: Board) -> Ask:
        return Ask((self.order[self.next],), "castles", "no")

    def take_ask_castles(self, run: Run[Board], given: Mapping[str, Kill]) -> None:
        ((seat, order),) = given.items()
        self._kill(run, seat, order)

    def _kill(self, run: Run[Board], seat: str, order: Kill) -> None:
        others, _own = targets(run.board, self.region, seat, self.fighting)
        colours = sorted(order.colours, key=lambda colour: colour not in others)
        for castle, colour in zip(self.castles(run.board, seat), colours, strict=False):
            run.board = run.board.change(self.region, colour, -1).store(colour, 1)
            run.tell(Killed(seat, castle, colour))
        run.goto("castles", next=self.next + 1)

    # 2) Commitments

    def do_muster(self, run: Run[Board]) -> None:
        present = self.present(run.board)
        if len(present) < 2:
            run.goto("resolve", winner=present[0] if present else "")
        elif self._choosers(run.board, self.first(run.board)):
            run.goto("commit")
        else:
            self._commit(run, self.first(run.board), {}, then="reply")

    def first(self, board: Board) -> tuple[str, ...]:
        """Return the seats that commit first: all except the holder of the Cardinal, if that is here."""
        last = answers_last(board, self.region, self.present(board))
        return tuple(seat for seat in self.present(board) if seat != last)

    def _choosers(self, board: Board, seats: tuple[str, ...]) -> tuple[str, ...]:
        """Return who of some has a choice, in seat order."""
        present = self.present(board)
        able = [seat for seat in seats if len(commitments(board, self.region, seat, present)) > 1]
        return clockwise(able, board.seats)

    def want_commit(self, board: Board) -> Ask:
        choosers = self._choosers(board, self.first(board))
        return Ask(choosers, "commit", "until resolved" if len(choosers) > 1 else "no")

    def take_commit(self, run: Run[Board], given: Mapping[str, Commit]) -> None:
        self._commit(run, self.first(run.board), given, then="reply")

    def do_reply(self, run: Run[Board]) -> None:
        last = answers_last(run.board, self.region, self.present(run.board))
        if not last:
            run.goto("resolve")
        elif self._choosers(run.board, (last,)):
            run.goto("answer")
        else:
            self._commit(run, (last,), {}, then="resolve")

    def want_answer(self, board: Board) -> Ask:
        return Ask((answers_last(board, self.region, self.present(board)),), "commit", "no")

    def take_answer(self, run: Run[Board], given: Mapping[str, Commit]) -> None:
        self._commit(run, tuple(given), given, then="resolve")

    def _commit(self, run: Run[Board], seats: tuple[str, ...], given: Mapping[str, Commit], then: str) -> None:
        """Reveal the commitments of the given seats; a seat without a choice commits the only possible number."""
        board, present = run.board, self.present(run.board)
        fallen, told = dict(self.fallen), []
        for seat in seats:
            order = given.get(seat) or commitments(board, self.region, seat, present)[0]
            fallen[seat] = order.troops
            of = board.troops(seat, self.region).total
            told.append(Number(seat, order.troops.total, of, order.troops.picts))
        run.tell(Committed(self.region, tuple(told), bool(self.fallen)))
        run.goto(then, fallen=fallen)

    # 3) Resolve

    def do_resolve(self, run: Run[Board]) -> None:
        for seat, troops in self.fallen.items():
            run.board = run.board.send_home(seat, troops, self.region)
        how = "unopposed"
        winner = self.winner
        if self.fallen:
            winner, how = run.board.most({seat: troops.total for seat, troops in self.fallen.items()}, zero=True)
        run.goto("druid" if winner else "lose", winner=winner)
        if winner:
            points = run.board.tokens[self.region]
            run.board = run.board.score(winner, points)
            run.tell(Won(winner, self.region, points, how))  # type: ignore[arg-type]
            _bonus(run, winner, BAGPIPES, BAGPIPE_POINTS)
        else:
            run.tell(AllLost(self.region))
        for seat in self.fighting:
            if seat != winner:
                _bonus(run, seat, DRUMS, DRUM_POINTS)

    def do_druid(self, run: Run[Board]) -> None:
        fallen = self.fallen.get(self.winner, Troops())
        run.goto("ask_druid" if len(heals(run.board, self.winner, fallen)) > 1 else "lose")

    def want_ask_druid(self, board: Board) -> Ask:
        return Ask((self.winner,), "druid", "no")

    def take_ask_druid(self, run: Run[Board], given: Mapping[str, Heal]) -> None:
        order = given[self.winner]
        self._heal(run, self.winner, order)
        run.goto("lose")

    def _heal(self, run: Run[Board], seat: str, order: Heal | Retreat) -> None:
        """Return a committed cube from the supply to the region (Druid); a loser's cube then leaves with the others."""
        if order.heal != "NO":
            colour = PICTS if order.heal == "PICT" else seat
            run.board = run.board.store(colour, -1).change(self.region, colour, 1)
            run.tell(Healed(seat, order.heal == "PICT"))

    def do_lose(self, run: Run[Board]) -> None:
        if self.next == len(self.losers):
            run.goto("end")
            return
        seat = self.losers[self.next]
        if order := sole_retreat(run.board, self.region, seat, self.fallen.get(seat, Troops())):
            self._leave(run, seat, order)
        else:
            run.goto("retreat")

    def want_retreat(self, board: Board) -> Ask:
        return Ask((self.losers[self.next],), "retreat", "no")

    def take_retreat(self, run: Run[Board], given: Mapping[str, Retreat]) -> None:
        ((seat, order),) = given.items()
        self._leave(run, seat, order)

    def _leave(self, run: Run[Board], seat: str, order: Retreat) -> None:
        self._heal(run, seat, order)
        for way in order.ways:
            run.board = run.board.march(seat, way.troops, self.region, way.region)
            run.tell(Retreated(seat, self.region, way.region, way.troops.total, way.troops.picts))
        if (routed := run.board.troops(seat, self.region)).total:
            run.board = run.board.send_home(seat, routed, self.region)
            run.tell(NoWay(seat, self.region, routed.total))
        for bid in order.glory:
            run.board = run.board.store(seat, -bid.cubes).bid(bid.card, seat, bid.cubes)
            run.tell(GloryBid(seat, bid.card, bid.cubes))
        added = tuple(bid.card for bid in order.glory)
        run.call(Settling("look", seat, added), then="lose", next=self.next + 1)

    def do_end(self, run: Run[Board]) -> None:
        if self.winner and self.winner != run.board.leader:
            run.board = changed(run.board, leader=self.winner)
            run.tell(LeaderIs(self.winner))
        run.done()


def _bonus(run: Run[Board], seat: str, card: str, points: int) -> None:
    if run.board.has(seat, card):
        run.board = run.board.score(seat, points)
        run.tell(GloryPoints(seat, card, points))
