"""The contract's face: every player bids once, in secret; lots are drawn; the bids are matched; the result names the games.

The seats are the players. Everybody bids at once, and the bids are opened together. The lots decide where the rule leaves a choice.
Nobody's bid can bend them, because the question is marked: it is always asked, of everybody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, with_config
from typing_extensions import TypedDict

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _, _n
from pbem.kernel import (
    Ask,
    Chance,
    ChangingHosts,
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
    changed,
    one_of,
)

from .matching import BIDS, match
from .orders import Bid, read_bid
from .told import Bids, Lots

FOLLOWING = "hammer"
"""The game that the bids are for."""
RESERVED = frozenset(("host", "state", "pub", "req", "order", "plans"))
SEAT = re.compile(r"[a-z][a-z0-9_]{0,39}")
OPTION = re.compile(r"(?!scenario|bid|after)[a-z][a-z0-9_]{0,39}(=[A-Za-z0-9_.-]{1,40})?")
Seat = Annotated[str, Field(pattern=f"^{SEAT.pattern}$")]
Chosen = dict[Seat, Literal[True] | Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{0,40}$")]]
"""Options of the games that follow, by their names; one that needs no value is true."""
MOST = 64
"""The maximum number of players: more would not fit into one entry of a log."""


class TournamentOptions(BaseModel):
    """The participants: an even number of names, which become the seats; and the games that they bid for.

    Scenario and options of the games are fixed here, before anybody bids: a bid is for a side of these.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: str = Field(default="braveheart", pattern=r"^[a-z]{1,20}$", description=N_("scenario of the games"))
    games: tuple[str, ...] = Field(default=(), max_length=MOST, description=N_("options of the games"))
    """Further options of theirs, each NAME, or NAME=VALUE."""

    players: tuple[str, ...] = Field(
        default=("ann", "bob", "cat", "dan"), min_length=2, max_length=MOST, description=N_("players")
    )

    @property
    def of_games(self) -> dict[str, Json]:
        """The options of the games, as values."""
        named = (text.partition("=") for text in self.games)
        return {"scenario": self.scenario} | {name: value if sign else True for name, sign, value in named}

    def in_words(self) -> dict[str, str]:
        """Return a sentence for each option; those of the games that follow come from these games."""
        names = ", ".join(name.capitalize() for name in self.players)
        said = _n("{n} player: {names}", "{n} players: {names}", len(self.players), names=names)
        return {"players": said, "scenario": "", "games": ""}

    @field_validator("players", "games", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Names may come as one text, parted by commas or blanks."""
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("games")
    @classmethod
    def _are_options(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        if bad := [text for text in texts if not OPTION.fullmatch(text)]:
            raise ValueError(_("“{text}” is no option of a game: write NAME, or NAME=VALUE", text=bad[0]))
        return texts

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
    """The table: the players, the games they bid for, their opened bids, the lots in the order drawn."""

    players: tuple[str, ...]
    games: Mapping[str, Any] = field(default_factory=dict)
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
        run.board = changed(run.board, bids=bids)
        run.tell(Bids(bids))
        run.goto("lots")

    def want_lots(self, board: Bidding) -> Chance:
        return Chance("pub", (Draw(len(board.players), board.players),))

    def take_lots(self, run: Run[Bidding], given: Outcome) -> None:
        board = run.board = changed(run.board, lots=given[0])
        run.tell(Lots(board.lots))
        pairings = match(board.bids, board.lots)
        for pair in pairings:
            run.tell(pair)
        games = [
            {
                "game": FOLLOWING,
                "options": {**board.games, "bid": pair.bid},
                "seats": {"english": pair.english, "scottish": pair.scottish},
            }
            for pair in pairings
        ]
        run.end({"winner": "", "why": "matched", "games": games})


@dataclass(frozen=True, slots=True)
class State:
    """The table, the procedures under way, and the result once there is one."""

    board: Bidding
    stack: tuple[Matching, ...]
    result: dict[str, Any] | None = None


@with_config(ConfigDict(extra="forbid"))
class Pairing(TypedDict):
    """A game that follows: its name, the bid in force ("" for none), and the player of each side."""

    game: Literal["hammer"]
    options: Chosen
    seats: dict[Literal["english", "scottish"], Seat]


@with_config(ConfigDict(extra="forbid"))
class Result(TypedDict):
    """The games that follow; nobody has won."""

    winner: Literal[""]
    why: Literal["matched"]
    games: list[Pairing]


class TournamentView(View):
    """All that a seat ("" is the public) may know: nothing here is hidden but bids that are not yet opened, which nobody has."""

    seat: Seat | Literal[""] = ""
    players: tuple[Seat, ...]
    games: Chosen
    step: Literal["bid", "lots", "over"]
    bids: dict[Seat, Annotated[str, one_of(BIDS)]]
    lots: tuple[Seat, ...]
    result: Result | None = None

    @property
    def is_asked(self) -> bool:
        """Is a bid asked of this seat?"""
        return self.step == "bid" and bool(self.seat)


class Tournament(Game, ChangingHosts):
    """The bids of a tournament."""

    id: ClassVar[str] = "tournament"
    title: ClassVar[str] = "Tournament Play"
    version: ClassVar[int] = 2
    position = PlainPosition(State, "Tournament Play")
    options_model: ClassVar[type[BaseModel]] = TournamentOptions
    view_model: ClassVar[type[View]] = TournamentView

    def seats(self, options: Json) -> tuple[str, ...]:
        chosen: TournamentOptions = self.read_options(options)
        return chosen.players

    def following(self, options: Json) -> tuple[tuple[str, dict[str, Json]], ...]:
        chosen: TournamentOptions = self.read_options(options)
        return ((FOLLOWING, chosen.of_games),)

    def start(self, options: Json) -> Stop:
        chosen: TournamentOptions = self.read_options(options)
        return advance(State(Bidding(chosen.players, chosen.of_games), (Matching("bid"),)))

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        board = state.board
        return {
            "seat": seat or "",
            "players": list(board.players),
            "games": dict(board.games),
            "step": state.stack[-1].step if state.stack else "over",
            "bids": dict(board.bids),
            "lots": list(board.lots),
            **({"result": state.result} if state.result else {}),
        }

    def options(self, view: View) -> Options:
        return Listed([Bid(bid=bid) for bid in BIDS] if cast(TournamentView, view).is_asked else [])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        if order in self.options(view):
            return None
        return Refusal(_("“{order}” does not answer what is asked", order=order))

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
        stack = () if seen.step == "over" else (Matching(seen.step),)
        return State(
            Bidding(seen.players, seen.games, seen.bids, seen.lots), stack, {**seen.result} if seen.result else None
        )


GAME = Tournament()
