"""The contract's door: every player bids once, in secret; lots are drawn; the bids are matched; the result names the games.

The seats are the players. Bids are asked of all at once and opened together; the lots decide where the rule leaves a choice, so
nobody's bid can bend them (the question is marked: it is always asked, of everybody).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pbem.errors import OrderError, Problem
from pbem.kernel import (
    Ask,
    Chance,
    Chooser,
    Draw,
    Frame,
    Game,
    Json,
    Listed,
    Options,
    Order,
    Outcome,
    PlainPosition,
    Refusal,
    Run,
    Stop,
    Unseen,
    View,
    advance,
)
from pbem.words import N_, _

from .matching import BIDS, match
from .orders import Bid, read_bid

FOLLOWING = "hammer"
"""The game that the bids are for."""
RESERVED = frozenset(("host", "state", "pub", "req", "order", "plans"))
SEAT = re.compile(r"[a-z][a-z0-9_]{0,39}")
MOST = 64
"""So many players at the most: more would not fit into one entry of a log."""


class TournamentOptions(BaseModel):
    """Who takes part: an even number of names, which become the seats."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    players: tuple[str, ...] = Field(
        default=("ann", "bob", "cat", "dan"), min_length=2, max_length=MOST, description=N_("players")
    )

    @field_validator("players", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Names may come as one text, parted by commas or blanks."""
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("players")
    @classmethod
    def _fit(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if len(names) % 2:
            raise ValueError(_("{n} players cannot be matched in pairs", n=len(names)))
        if len(set(names)) != len(names):
            raise ValueError(_("a name comes twice"))
        if bad := [name for name in names if name in RESERVED or not SEAT.fullmatch(name)]:
            raise ValueError(_("“{name}” is no name for a seat: small letters, digits and _ will do", name=bad[0]))
        return names


@dataclass(frozen=True, slots=True)
class Bidding:
    """What lies on the table: the players, their opened bids, the lots in the order drawn."""

    players: tuple[str, ...]
    bids: Mapping[str, str] = field(default_factory=dict)
    lots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Matching(Frame):
    """Bids, lots, pairings."""

    step: Literal["bid", "lots"]

    def want_bid(self, board: Bidding) -> Ask:
        return Ask(board.players, "bid", "until resolved", mark=True)

    def take_bid(self, run: Run[Bidding], given: Mapping[str, Bid]) -> None:
        bids = {seat: given[seat].bid for seat in run.board.players}
        run.board = replace(run.board, bids=bids)
        run.tell({"f": "bids", "bids": bids})
        run.goto("lots")

    def want_lots(self, board: Bidding) -> Chance:
        return Chance("pub", (Draw(len(board.players), board.players),))

    def take_lots(self, run: Run[Bidding], given: Outcome) -> None:
        board = run.board = replace(run.board, lots=given[0])
        run.tell({"f": "lots", "order": list(board.lots)})
        pairings = match(board.bids, board.lots)
        for pair in pairings:
            run.tell({"f": "match", **pair._asdict()})
        games = [
            {
                "game": FOLLOWING,
                "options": {"bid": pair.bid},
                "seats": {"english": pair.english, "scottish": pair.scottish},
            }
            for pair in pairings
        ]
        run.end({"winner": "", "why": "matched", "games": games})


@dataclass(frozen=True, slots=True)
class State:
    """The table, what is under way, and the result once it is there."""

    board: Bidding
    stack: tuple[Matching, ...]
    result: dict[str, Any] | None = None


class TournamentView(View):
    """All that a seat ("" is the public) may know: nothing here is hidden but bids that are not yet opened, which nobody has."""

    seat: str = ""
    players: tuple[str, ...]
    step: Literal["bid", "lots", "over"]
    bids: dict[str, str]
    lots: tuple[str, ...]
    result: dict[str, Any] | None = None

    @property
    def is_asked(self) -> bool:
        """Is a bid asked of this seat?"""
        return self.step == "bid" and bool(self.seat)


_POSITION = PlainPosition(State, "Tournament Play")


class Tournament(Game):
    """The bids of a tournament."""

    id: ClassVar[str] = "tournament"
    title: ClassVar[str] = "Tournament Play"
    version: ClassVar[int] = 1
    options_model: ClassVar[type[BaseModel]] = TournamentOptions
    view_model: ClassVar[type[View]] = TournamentView
    deals: ClassVar[int] = 0

    def seats(self, options: Json) -> tuple[str, ...]:
        chosen: TournamentOptions = self.read_options(options)
        return chosen.players

    def start(self, options: Json) -> Stop:
        return advance(State(Bidding(self.seats(options)), (Matching("bid"),)))

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        board = state.board
        return {
            "seat": seat or "",
            "players": list(board.players),
            "step": state.stack[-1].step if state.stack else "over",
            "bids": dict(board.bids),
            "lots": list(board.lots),
            **({"result": state.result} if state.result else {}),
        }

    def options(self, view: View) -> Options:
        return Listed([Bid(bid=bid) for bid in BIDS] if cast(TournamentView, view).is_asked else [])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        legal = self.options(view)
        if order in legal:
            return None
        return Refusal(_("“{order}” does not answer what is asked", order=order), legal=", ".join(map(str, legal)))

    def default(self, view: View) -> Order:
        """The lowest bid, for the side that the built-in players win with less often: it costs the silent player least."""
        return Bid(bid="E1")

    def parse(self, view: View, text: str) -> Order:
        if not cast(TournamentView, view).is_asked:
            raise OrderError(Problem(0, "", _("you are not asked anything now")))
        return read_bid(text)

    def unseen(self, state: State) -> tuple[Unseen, ...]:
        return ()

    def determinise(self, view: View, chooser: Chooser) -> State:
        seen = cast(TournamentView, view)
        board = Bidding(seen.players, seen.bids, seen.lots)
        return State(board, () if seen.step == "over" else (Matching(seen.step),), seen.result)

    def dump(self, state: State) -> dict[str, Json]:
        return _POSITION.dump(state)

    def load(self, position: Json) -> State:
        return _POSITION.load(position)


GAME = Tournament()
