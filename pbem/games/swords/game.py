"""Swords Over Scotland behind the kernel's contract: every method is one call to where its story is told."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any, ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from pbem.errors import OrderError
from pbem.i18n import N_, _, _n
from pbem.i18n.misfits import misfit, place
from pbem.kernel import (
    ChangingHosts,
    Chooser,
    Event,
    Game,
    Json,
    Listed,
    Options,
    Order,
    Planned,
    Planning,
    Refusal,
    Run,
    SendingAhead,
    Stop,
    Unseen,
    View,
    advance,
    fingerprint,
)

from .law import ANSWERING
from .plans import planned, read_plans
from .reading import CARDS, read_order
from .rules.board import Board
from .rules.names import FIRST_GAME, GLORY, SEATS
from .rules.parts import TERMS, Agreed, PrintedParts
from .rules.position import POSITION
from .rules.sight import see
from .rules.told import Begins
from .rules.war import GLORY_CARDS, State, War, lay_glory
from .views import SwordsView

_LONG = ("deploy",)
"""Questions with orders of many parts: a refusal is only helpful if it names a whole order."""


class SwordsOptions(BaseModel):
    """The setup of a game.

    - `tokens` are in the places of the parts, or drawn over the regions.
    - `glory` are the cards: drawn, those of a first game, or three by name.
    - `first` places first and leads (by default the dice decide).
    - `castles`, `own`, `sword`, `crown`, `tie` and `merchant` are readings of the rules; the defaults follow the book.
    - `parts` are the printed parts of your own copy, as an object; without them our reconstruction is played.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    players: int = Field(default=4, ge=2, le=len(SEATS), description=N_("players"))
    glory: Literal["drawn", "first"] | tuple[str, str, str] = Field(default="drawn", description=N_("glory cards"))
    tokens: Literal["printed", "drawn"] = Field(default="printed", description=N_("tokens"))
    first: Literal["", "pink", "yellow", "black", "white"] = Field(default="", description=N_("first"))
    castles: Literal["any", "present"] = Field(default="any", description=N_("castles"))
    own: Literal["any", "last"] = Field(default="any", description=N_("castles and your own colour"))
    sword: Literal["participant", "any"] = Field(default="participant", description=N_("Long Sword"))
    crown: Literal["nobody", "itself"] = Field(default="nobody", description=N_("ties for the Crown"))
    tie: Literal["board", "all"] = Field(default="board", description=N_("ties at the end"))
    merchant: Literal["every", "once"] = Field(default="every", description=N_("merchant"))
    parts: Literal[""] | PrintedParts = Field(default="", description=N_("parts"))

    @field_validator("glory", mode="before")
    @classmethod
    def _by_name(cls, said: Any) -> Any:
        if not isinstance(said, list | tuple) or not all(isinstance(name, str) for name in said):
            return said
        try:
            cards = {CARDS.find(name) for name in said}
        except OrderError as error:
            raise ValueError(error.problems[0].why) from None
        if len(cards) != GLORY_CARDS or len(said) != GLORY_CARDS:
            raise ValueError(_("name {n} glory cards", n=GLORY_CARDS))
        return tuple(card for card in GLORY if card in cards)

    @field_validator("parts", mode="before")
    @classmethod
    def _whole_parts(cls, said: Any) -> Any:
        try:
            return said if said == "" else PrintedParts.model_validate(said)
        except ValidationError as error:
            first, schema = error.errors()[0], PrintedParts.model_json_schema()
            where, why = place(first, schema), misfit(first, schema)
            raise ValueError(f"{where}: {why}" if where else why) from None

    @model_validator(mode="after")
    def _first_plays(self) -> SwordsOptions:
        if self.first and self.first not in SEATS[: self.players]:
            seats = ", ".join(SEATS[: self.players])
            raise ValueError(_("{seat} does not play: the seats are {seats}", seat=self.first, seats=seats))
        return self

    @property
    def agreed(self) -> Agreed:
        """What the table must know of all this."""
        return Agreed(self.parts or None, **{name: getattr(self, name) for name in TERMS})

    def in_words(self) -> dict[str, str]:
        """Return a sentence for each option; "" leaves it out."""
        named = ", ".join(_(name) for name in (FIRST_GAME if isinstance(self.glory, str) else self.glory))
        begins = _("{who} begins", who=_(self.first.capitalize())) if self.first else _("a die says who begins")
        return {
            "players": _n("{n} player", "{n} players", self.players),
            "glory": _("three glory cards are drawn")
            if self.glory == "drawn"
            else _("glory cards: {names}", names=named),
            "tokens": _(_IN_WORDS[f"tokens {self.tokens}"]),
            "first": begins,
            **{name: _(_IN_WORDS[f"{name} {getattr(self, name)}"]) for name in TERMS},
            "parts": "",  # a remark tells of them
        }


_IN_WORDS = {
    "tokens printed": N_("the tokens lie on the regions as printed"),
    "tokens drawn": N_("the tokens are dealt over the regions by public dice"),
    "castles any": N_("every castle on the border acts, also for a player without cubes in the region"),
    "castles present": N_("a castle acts only for a player with cubes in the region"),
    "own any": N_("a castle may remove its owner's colour"),
    "own last": N_("a castle removes its owner's colour only when no other is left"),
    "sword participant": N_("only a player in the battle may use the Long Sword"),
    "sword any": N_("the holder of the Long Sword may join any battle with it"),
    "crown nobody": N_("nobody wins a tie for the Crown itself"),
    "crown itself": N_("who holds the Crown wins ties for the Crown itself, too"),
    "tie board": N_("of equal points at the end the most cubes in regions and castles decide"),
    "tie all": N_("of equal points at the end the most cubes decide, those on glory cards too"),
    "merchant every": N_("a deployment that the Merchant's Outpost causes gives a further move"),
    "merchant once": N_("a deployment that the Merchant's Outpost causes gives no further move"),
}
"""What the readings of the rules mean, by option and value."""


class Swords(Game, Planning, SendingAhead, ChangingHosts):
    """Swords Over Scotland for two to four."""

    id: ClassVar[str] = "swords"
    title: ClassVar[str] = "Swords Over Scotland"
    version: ClassVar[int] = 2
    position = POSITION
    options_model: ClassVar[type[BaseModel]] = SwordsOptions
    view_model: ClassVar[type[View]] = SwordsView
    marked: ClassVar[tuple[str, ...]] = ("place",)

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS[: self.read_options(options).players]

    def remarks(self, options: Json) -> tuple[str, ...]:
        chosen: SwordsOptions = self.read_options(options)
        if not (parts := chosen.parts):
            return ()
        return (
            _(
                "The printed parts are others than ours: {regions} regions, {castles} castles, SHA-256 {digest}.",
                regions=len(parts.regions), castles=len(parts.castles), digest=digest(parts),
            ),
        )  # fmt: skip

    def start(self, options: Json) -> Stop:
        chosen: SwordsOptions = self.read_options(options)
        run: Run[Board] = Run(Board.set_up(chosen.agreed, SEATS[: chosen.players], chosen.first), ())
        chance: list[Literal["tokens", "glory", "first"]] = ["tokens"] if chosen.tokens == "drawn" else []
        if chosen.glory == "drawn":
            chance.append("glory")
        else:
            lay_glory(run, FIRST_GAME if chosen.glory == "first" else chosen.glory)
        if not chosen.first:
            chance.append("first")
        else:
            run.tell(Begins(chosen.first))
        begun: list[Event] = run.events
        stop = advance(State(run.board, (War.begin(*chance),)))
        return replace(stop, events=(*begun, *stop.events))

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        return see(state, seat)

    def options(self, view: View) -> Options:
        seen = cast(SwordsView, view)
        return ANSWERING[seen.question].options(seen) if seen.question else Listed([])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        seen = cast(SwordsView, view)
        if not seen.question:
            return Refusal(_("you are not asked anything now"))
        refusal = ANSWERING[seen.question].why_not(seen, order)
        return refusal._replace(legal=str(self.default(seen))) if refusal and seen.question in _LONG else refusal

    def default(self, view: View) -> Order:
        """Return the order of a silent seat; `law` gives it for each question."""
        seen = cast(SwordsView, view)
        return ANSWERING[seen.question].default(seen)

    def parse(self, view: View, text: str) -> Order:
        seen = cast(SwordsView, view)
        try:
            return read_order(seen.table.parts, text, seen.question)
        except OrderError as error:
            if seen.question not in _LONG:
                raise
            legal = str(self.default(seen))
            raise OrderError(*(replace(problem, legal=legal) for problem in error.problems)) from None

    def read_plans(self, text: str) -> str:
        return read_plans(text)

    def planned(self, view: View, plans: str) -> Planned | None:
        return planned(cast(SwordsView, view), plans)

    def read_ahead(self, view: View, what: str, text: str) -> str:
        return str(read_order(cast(SwordsView, view).table.parts, text, what))

    def fingerprint(self, state: State) -> str:
        return fingerprint(POSITION.text(state), self.wants(state))

    def told_secret(self, before: State, after: State) -> bool:
        """Return False: the table is open, and nothing is hidden except pending answers."""
        return False

    def unseen(self, state: State) -> tuple[Unseen, ...]:
        return ()

    def determinise(self, view: View, chooser: Chooser) -> State:
        seen = cast(SwordsView, view)
        return State(seen.table, tuple(seen.stack), {**seen.result} if seen.result else None)


def digest(parts: PrintedParts) -> str:
    """Return the first half of the SHA-256 of a set of parts, in hex."""
    text = json.dumps(parts.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


GAME = Swords()
