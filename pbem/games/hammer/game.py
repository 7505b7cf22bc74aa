"""Hammer of the Scots behind the kernel's contract: every method is one call to where its story is told."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from pbem.errors import OrderError, Problem
from pbem.i18n import N_
from pbem.kernel import (
    ChangingHosts,
    Chooser,
    Game,
    Json,
    Options,
    Order,
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

from . import ahead
from .guess import determinise
from .plans import planned, read_plans
from .questions import QUESTIONS
from .questions.question import Question
from .rules import (
    EDITIONS,
    MOST_YEARS,
    OPTIONS,
    SIDES,
    VARIANTS,
    State,
    canonical,
    chosen,
    dump,
    edition_of,
    load,
    set_up,
    told_secret,
    view,
)
from .rules.said import _, _n
from .views import HammerView


def _option(name: str) -> Any:
    return Field(default=False, description=OPTIONS[name])


class HammerOptions(BaseModel):
    """How a game is set up: the scenario, the edition of the rule book, and the options of `rules.variants`.

    `years` are the most that are played, 0 as many as the scenario has: a campaign (8.3) then ends by sudden death alone.
    `bid` is the net bid of a tournament (`rules.bids`), `after` the last head of the log in which its bids were matched.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: Literal["braveheart", "bruce", "campaign"] = Field(default="braveheart", description=N_("scenario"))
    edition: Literal["4.0", "2.3"] = Field(default="4.0", description=N_("edition"))
    years: int = Field(default=0, ge=0, le=MOST_YEARS, description=N_("years at the most"))
    schiltroms: bool = _option("schiltroms")
    andrew_de_moray: bool = _option("andrew_de_moray")
    angus_og: bool = _option("angus_og")
    rally: bool = _option("rally")
    one_target: bool = _option("one_target")
    simultaneous_fire: bool = _option("simultaneous_fire")
    deal_123: bool = _option("deal_123")
    builds_in_order: bool = _option("builds_in_order")
    inland_landing: bool = _option("inland_landing")
    no_regroup_after_defection: bool = _option("no_regroup_after_defection")
    same_coast: bool = _option("same_coast")
    bid: Literal["", "E1", "E2", "E3", "S1", "S2", "S3"] = Field(default="", description=N_("the tournament's net bid"))
    after: str = Field(
        default="",
        pattern=r"^([0-9a-f]{64})?$",
        description=N_("the last head of the log in which the bids were matched"),
    )

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the rules that are played differently, in the order of a board."""
        return chosen((name for name in OPTIONS if getattr(self, name)), self.edition)

    def in_words(self) -> dict[str, str]:
        """Return a sentence for each option with an unclear name and value; "" leaves it out."""
        names = {"braveheart": _("Braveheart"), "bruce": _("The Bruce"), "campaign": _("Campaign")}
        return {
            "scenario": _("scenario {name}", name=names[self.scenario]),
            "edition": _("the rules of edition {edition}", edition=self.edition),
            "years": _n("at most {n} year is played", "at most {n} years are played", self.years) if self.years else "",
            "bid": self._bid_in_words(),
            "after": _("the bids were matched in the log that ends in {head}", head=self.after) if self.after else "",
        }

    def _bid_in_words(self) -> str:
        side, n = self.bid[:1], int(self.bid[1:] or 0)
        if side == "E":
            return _n(
                "bid {bid} is in force: for {n} year Edward lies in the draw pool and is not drawn",
                "bid {bid} is in force: for {n} years Edward lies in the draw pool and is not drawn",
                n, bid=self.bid,
            )  # fmt: skip
        if side == "S":
            return _n(
                "bid {bid} is in force: the English draw {n} block more when the game begins",
                "bid {bid} is in force: the English draw {n} blocks more when the game begins",
                n, bid=self.bid,
            )  # fmt: skip
        return ""


class Hammer(Game, Planning, SendingAhead, ChangingHosts):
    """Hammer of the Scots 4.0 for two."""

    id: ClassVar[str] = "hammer"
    title: ClassVar[str] = "Hammer of the Scots"
    version: ClassVar[int] = 2
    options_model: ClassVar[type[BaseModel]] = HammerOptions
    view_model: ClassVar[type[View]] = HammerView
    marked: ClassVar[tuple[str, ...]] = ahead.MARKED

    def remarks(self, options: Json) -> tuple[str, ...]:
        edition = HammerOptions.model_validate(options).edition
        return tuple(
            _("edition {edition}: {what}", edition=edition, what=_(VARIANTS[name])) for name in EDITIONS[edition]
        )

    def seats(self, options: Json) -> tuple[str, ...]:
        return SIDES

    def start(self, options: Json) -> Stop:
        chosen: HammerOptions = self.read_options(options)
        return advance(set_up(chosen.scenario, chosen.variants, chosen.bid, chosen.years))

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        return view(state, seat)

    def options(self, view: View) -> Options:
        return _question(view).options(_seen(view))

    def why_not(self, view: View, order: Order) -> Refusal | None:
        refusal = _question(view).why_not(_seen(view), order)
        return refusal and _numbered(refusal, _seen(view))

    def default(self, view: View) -> Order:
        return _question(view).default(_seen(view))

    def parse(self, view: View, text: str) -> Order:
        return _question(view).read(_seen(view), text)

    def read_plans(self, text: str) -> str:
        return read_plans(text)

    def planned(self, view: View, plans: str) -> Planned | None:
        question, found = _question(view), planned(_seen(view), plans)
        # a plan is never applied to what it does not clearly cover
        return found if found and question.why_not(_seen(view), found.order) is None else None

    def read_ahead(self, view: View, what: str, text: str) -> str:
        return ahead.read_ahead(_seen(view), what, text)

    def bounds(self, view: View) -> tuple[str, ...]:
        return ahead.bounds(_seen(view))

    def read_condition(self, text: str) -> str:
        return ahead.read_condition(text)

    def holds(self, view: View, condition: str) -> bool:
        return ahead.holds(_seen(view), condition)

    def told_secret(self, before: State, after: State) -> bool:
        return told_secret(before, after)

    def unseen(self, state: State) -> tuple[Unseen, ...]:
        """Nothing: each of the ten cards of a year is in a hand or was played, each block is its owner's."""
        return ()

    def determinise(self, view: View, chooser: Chooser) -> Any:
        return determinise(_seen(view), chooser)

    def dump(self, state: State) -> dict[str, Json]:
        return dump(state)

    def fingerprint(self, state: State) -> str:
        return fingerprint(canonical(state), self.wants(state))

    def load(self, position: Json) -> State:
        return load(position)


def _seen(view: View) -> HammerView:
    assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
    return view


_OF_2_3 = {"7.62": "7.61", "7.61": "7.62"}
"""The paragraphs that have other numbers in the book of edition 2.3."""


def _numbered(refusal: Refusal, view: HammerView) -> Refusal:
    """Return a refusal with the number that its rule has in the book that is played by."""
    if edition_of(view.variants) == "2.3" and refusal.rule in _OF_2_3:
        return refusal._replace(rule=_OF_2_3[refusal.rule])
    return refusal


def _question(view: View) -> Question:
    if (ask := _seen(view).ask) is None:
        raise OrderError(Problem(0, "", _("you are not asked anything now")))
    return QUESTIONS[ask["what"]]


GAME = Hammer()
