"""The calls for learning a game: its rules in our own words, and a first lesson, step by step; `LESSONS` is their list.

A step's position is called as a game's, by a name that begins with `STEP`. The answers come from `teaching`, which is loaded later
than the rest of a page.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field

from .calls import DeskCall, InOut, OfGame, Reply, Text
from .playing import Grid, Moment, Position, SvgDrawing

if TYPE_CHECKING:
    from .chair import Chair


class AskRulebook(OfGame):
    """A game's rules in our own words; `game` is its id."""

    call: Literal["rulebook"] = "rulebook"


class RuleShown(Reply):
    marks: tuple[str, ...] = Field(description="the numbers or headings of the rule book that it tells")
    text: str


class RulesSection(Reply):
    title: str
    rules: tuple[RuleShown, ...]
    drawing: SvgDrawing | None = None


class Rulebook(Reply):
    title: str
    about: str
    sections: tuple[RulesSection, ...]
    lists: tuple[Grid, ...]


class AskStep(OfGame):
    """What a step of a lesson is about."""

    call: Literal["step"] = "step"


class StepShown(Reply):
    number: int
    steps: int
    lesson: str = Field(description="the id of the game")
    title: str
    says: str
    touch: str = Field(description="what is to be touched")
    next: str = Field(description="the name of the next step; empty behind the last")


class AskLeads(OfGame):
    """Does a draft lead to what the step wants, and which touches go on to it?"""

    call: Literal["leads"] = "leads"
    draft: tuple[Text, ...] = ()


class LeadsOn(Reply):
    at: str = Field(description="the place, as the touch names it")
    draft: tuple[str, ...] = Field(description="the draft that it makes")


class Leads(Reply):
    astray: str = Field(description="why the draft does not lead there; empty where it does")
    touches: tuple[LeadsOn, ...] = Field(description="those that lead on")


class Learn(OfGame):
    """Give an order at a step."""

    call: Literal["learn"] = "learn"
    text: Text


class Learned(Reply):
    wanted: bool
    said: str = Field(description="why it is, or is not, what was wanted")
    moment: Moment | None = Field(description="what came of it")
    position: Position | None = Field(description="how it stands then")


LESSONS: dict[str, InOut] = {
    "rulebook": InOut(AskRulebook, Rulebook),
    "step": InOut(AskStep, StepShown),
    "leads": InOut(AskLeads, Leads),
    "learn": InOut(Learn, Learned),
}
"""By the name of the call: what goes in, and what comes out."""


def chair(game: str) -> Chair:
    """Return a step as its seat has it before it."""
    return cast("Chair", _teaching().chair(game))


def taught(asked: DeskCall) -> Any:
    """Answer one of the listed calls."""
    return _teaching().answer(asked)


def _teaching() -> Any:
    """Return what answers: it comes later than the rest of a page."""
    return import_module(f"{__package__}.teaching")
