"""What may be asked of the engine: one model for each request, unknown fields refused.

The schema `engine-request` under `schemas/` is generated from these models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pbem.errors import PlayerError
from pbem.i18n.misfits import misfit, place, quoted
from pbem.kernel import Json

MOST_SAMPLES = 1000
MOST_ORDERS = 1000
"""So many orders are judged at once."""


class Refused(PlayerError):
    """A request that cannot be answered: a word for programs, a sentence for people; nothing has changed."""

    def __init__(self, code: str, why: str, problems: Sequence[Json] = ()) -> None:
        self.code, self.why, self.problems = code, why, problems
        super().__init__(why)


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    id: int | str
    """Comes back with the answer."""


class Games(_Request):
    """Which games are there."""

    do: Literal["games"]


class New(_Request):
    """Begin a game, or set up a position: as JSON, or as text where the game has such a form."""

    do: Literal["new"]
    game: str
    options: dict[str, Any] = {}
    position: dict[str, Any] | str | None = None


class Wants(_Request):
    """What the rules want now."""

    do: Literal["wants"]


class Step(_Request):
    """Go on: with the orders of all asked seats, with a dictated outcome, or with one drawn from a seed."""

    do: Literal["step"]
    orders: dict[str, str] | None = None
    mended: bool = True
    """Whether a refused order is answered with what could stand there; that costs far more than the refusal."""
    outcome: list[list[int | str]] | None = None
    seed: int | str | None = None


class Options(_Request):
    """What a seat may order: all of it, or so many samples drawn from a seed."""

    do: Literal["options"]
    seat: str
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] | None = None
    seed: int | str = 0


class WhyNot(_Request):
    """Whether an order is legal, and if not, why; or the same of several, judged against one view."""

    do: Literal["why_not"]
    seat: str
    order: str | None = None
    orders: Annotated[list[str], Field(max_length=MOST_ORDERS)] | None = None
    mended: bool = True
    """Whether a refused order is answered with what could stand there; that costs far more than the refusal."""


class View(_Request):
    """All that a seat may know; without a seat, what the public may."""

    do: Literal["view"]
    seat: str | None = None


class Position(_Request):
    """The whole position."""

    do: Literal["position"]


class Dump(_Request):
    """Game, options and position together, to be loaded later."""

    do: Literal["dump"]


class Load(_Request):
    """Take up what `dump` gave."""

    do: Literal["load"]
    dump: dict[str, Any]


class Quit(_Request):
    """End the engine."""

    do: Literal["quit"]


Request: TypeAlias = Annotated[
    Games | New | Wants | Step | Options | WhyNot | View | Position | Dump | Load | Quit, Field(discriminator="do")
]

_BY_NAME: dict[str, type[_Request]] = {
    get_args(model.model_fields["do"].annotation)[0]: model for model in get_args(get_args(Request)[0])
}


def read_request(said: Json) -> _Request:
    """Return the request that a JSON value is. Raises Refused."""
    if not isinstance(said, dict):
        raise Refused("form", "A request is a JSON object with the fields id and do.")
    if "do" not in said:
        raise Refused(
            "form", f"The field do is missing: what is to be done. What can be done here: {', '.join(_BY_NAME)}."
        )
    name = said["do"]
    model = _BY_NAME.get(name) if isinstance(name, str) else None
    if model is None:
        raise Refused("form", f"“{quoted(name)}” is nothing that can be done here; what can is: {', '.join(_BY_NAME)}.")
    try:
        return model.model_validate(said)
    except ValidationError as error:
        schema = model.model_json_schema()
        wrong = "; ".join(dict.fromkeys(f"{place(one, schema)}: {misfit(one, schema)}" for one in error.errors()))
        raise Refused(
            "form", f"“{name}” takes the fields {', '.join(model.model_fields)}. Wrong is {wrong}."
        ) from error
