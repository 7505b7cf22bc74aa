"""Lords of Scotland behind the kernel's contract: every method is one call to where its story is told."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from pbem.i18n import N_, _, _n
from pbem.kernel import (
    ChangingHosts,
    Chooser,
    Game,
    Json,
    Listed,
    Options,
    Order,
    Outcome,
    Planned,
    Planning,
    Refusal,
    SendingAhead,
    Stop,
    Unseen,
    View,
    advance,
    fingerprint,
)

from .reading import QUESTIONS, planned_claim, read_ahead, read_order, read_plans
from .rules.board import Board
from .rules.cards import BRUCE_RANKS, BRUCE_STRENGTH, MOST_ROUNDS, NORMAL, SEATS, Agreed
from .rules.facedown import dealt_anew, unseen
from .rules.guess import guess
from .rules.position import POSITION
from .rules.reign import Reign, State
from .rules.sight import see
from .views import LordsView

CLAN_CONDITION_FROM = 4
"""The number of players from which a power looks only at followers of its own clan ("Alternative rules with 4 or 5 players")."""


class LordsOptions(BaseModel):
    """The setup of a game.

    - `first` has the Victor's Initiative at the beginning (by default the dice decide).
    - `activation` is when a power activates, `usual` by the number of players.
    - `claims` are made together, as lists, or each in turn.
    - After that number of `rounds` the game ends as if the throne were claimed; with 0 there is no last round.

    The royal cards' strength and ranks may be those of your own copy.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    players: int = Field(default=3, ge=2, le=len(SEATS), description=N_("players"))
    bruce: bool = Field(default=False, description=N_("bruce"))
    first: Literal["", "angus", "buchan", "carrick", "douglas", "erroll"] = Field(default="", description=N_("first"))
    activation: Literal["usual", "lowest", "clan"] = Field(default="usual", description=N_("activation"))
    claims: Literal["together", "in turn"] = Field(default="together", description=N_("claims"))
    goal: int = Field(default=40, ge=1, le=40, description=N_("goal"))
    rounds: int = Field(default=0, ge=0, le=MOST_ROUNDS, description=N_("rounds at the most"))
    bruce_strength: int = Field(default=BRUCE_STRENGTH, ge=1, le=20, description=N_("bruce strength"))
    bruce_ranks: tuple[int, int] = Field(default=BRUCE_RANKS, description=N_("bruce ranks"))

    @field_validator("bruce_ranks")
    @classmethod
    def _of_their_own(cls, ranks: tuple[int, int]) -> tuple[int, int]:
        printed = {Agreed().rank(card) for card in NORMAL}
        if len({*ranks} - printed) != len(ranks) or not all(0 <= rank <= 999 for rank in ranks):
            raise ValueError(_("the royal cards have ranks of their own, from 0 to 999"))
        return ranks

    @model_validator(mode="after")
    def _first_plays(self) -> LordsOptions:
        if self.first and self.first not in SEATS[: self.players]:
            seats = ", ".join(SEATS[: self.players])
            raise ValueError(_("{seat} does not play: the seats are {seats}", seat=self.first, seats=seats))
        return self

    @property
    def terms(self) -> Agreed:
        """What the table must know of all this."""
        usual = "clan" if self.players >= CLAN_CONDITION_FROM else "lowest"
        condition = cast('Literal["lowest", "clan"]', usual if self.activation == "usual" else self.activation)
        bruce = (self.bruce_strength, *self.bruce_ranks) if self.bruce else ()
        return Agreed(self.goal, self.claims, condition, bruce, self.rounds)

    def in_words(self) -> dict[str, str]:
        """Return a sentence for each option with an unclear name and value; "" leaves it out."""
        ranks = self.bruce_ranks
        together, strict = self.claims == "together", self.terms.condition == "lowest"
        return {
            "players": _n("{n} player", "{n} players", self.players),
            "bruce": _(
                "Bruce cards: in, of strength {strength}, with ranks {low} and {high}",
                strength=self.bruce_strength, low=ranks[0], high=ranks[1],
            ) if self.bruce else _("Bruce cards: out"),
            "bruce_strength": "",
            "bruce_ranks": "",
            "first": _("{who} begins", who=self.first.capitalize()) if self.first else _("the dice say who begins"),
            "activation": _("a power is used if no other face-up follower is weaker") if strict else _(
                "a power is used if no other face-up follower of its clan is as strong or weaker"
            ),
            "claims": _("supporters are claimed by all together, each with a list") if together else _(
                "supporters are claimed by one after the other"
            ),
            "goal": _("who has {n} points claims the throne", n=self.goal),
            "rounds": _n("at most {n} round", "at most {n} rounds", self.rounds) if self.rounds else "",
        }  # fmt: skip


class Lords(Game, Planning, SendingAhead, ChangingHosts):
    """Lords of Scotland for two to five."""

    id: ClassVar[str] = "lords"
    title: ClassVar[str] = "Lords of Scotland"
    version: ClassVar[int] = 1
    position = POSITION
    options_model: ClassVar[type[BaseModel]] = LordsOptions
    view_model: ClassVar[type[View]] = LordsView
    marked: ClassVar[tuple[str, ...]] = ("turn",)

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS[: self.read_options(options).players]

    def start(self, options: Json) -> Stop:
        chosen: LordsOptions = self.read_options(options)
        board = Board.set_up(chosen.terms, SEATS[: chosen.players], chosen.first)
        return advance(State(board, (Reign("hands" if chosen.first else "first"),)))

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        return see(state, seat)

    def options(self, view: View) -> Options:
        seen = cast(LordsView, view)
        return QUESTIONS[seen.question].options(seen) if seen.question else Listed([])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        seen = cast(LordsView, view)
        if not seen.question:
            return Refusal(_("you are not asked anything now"))
        return QUESTIONS[seen.question].why_not(seen, order)

    def default(self, view: View) -> Order:
        """Return the order of a silent seat.

        It takes the first recruit, face-up if there is one. With a full hand it musters its weakest card face-down.
        """
        seen = cast(LordsView, view)
        return QUESTIONS[seen.question].silence(seen)

    def parse(self, view: View, text: str) -> Order:
        return read_order(cast(LordsView, view), text)

    def read_plans(self, text: str) -> str:
        return read_plans(text)

    def planned(self, view: View, plans: str) -> Planned | None:
        seen = cast(LordsView, view)
        if not plans or seen.question != "claim":
            return None
        return Planned(planned_claim(seen, plans), plans)

    def read_ahead(self, view: View, what: str, text: str) -> str:
        return read_ahead(cast(LordsView, view), text)

    def fingerprint(self, state: State) -> str:
        return fingerprint(POSITION.text(state), self.wants(state))

    def told_secret(self, before: State, after: State) -> bool:
        """Has a seat, or the public, learned where a card is?"""
        watching = (None, *before.board.seats)
        return any(after.board.known_to(seat) - before.board.known_to(seat) for seat in watching)

    def unseen(self, state: State) -> tuple[Unseen, ...]:
        return unseen(state.board)

    def dealt_anew(self, state: State, drawn: Outcome) -> State:
        return replace(state, board=dealt_anew(state.board, drawn))

    def determinise(self, view: View, chooser: Chooser) -> State:
        return guess(cast(LordsView, view), chooser)


GAME = Lords()
