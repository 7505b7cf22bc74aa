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
"""The maximum number of orders judged at once."""


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
    """List the games: title, version of the rules, and default options."""

    do: Literal["games"]


class New(_Request):
    """Begin a game, or continue from a position: as `position` returns it, or in words, which name the options themselves.

    The answer has game, version, all options, `seats`, `events` and `wants`.
    """

    do: Literal["new"]
    game: str
    options: dict[str, Any] = {}
    position: dict[str, Any] | str | None = None


class Wants(_Request):
    """Say what the rules want now.

    `{"k": "ask", "seats": […], "what": …, "about": {…}}` is a question to these seats at once. `{"k": "chance", "requests": […]}`
    wants dice (`roll`) or names from a list (`draw`). `{"k": "end", "result": …}` is the end.
    """

    do: Literal["wants"]


class Step(_Request):
    """Continue with one of three: an order for each asked seat, an outcome (a list for each request of chance), or a seed.

    The same seed draws the same outcome, which the answer names. The answer has the `events` and `wants`.
    """

    do: Literal["step"]
    orders: dict[str, str] | None = None
    mended: bool = True
    """Whether the answer to a refused order has suggestions, which cost far more than the refusal."""
    outcome: list[list[int | str]] | None = None
    seed: int | str | None = None


class Options(_Request):
    """List the legal orders of a seat as canonical texts, with their `count`.

    If the error is `too_many`, ask for 1 to 1000 `samples`, drawn from `seed`.
    """

    do: Literal["options"]
    seat: str
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] | None = None
    seed: int | str = 0


class WhyNot(_Request):
    """Judge an order: `{"legal": true, "order": …}` with its canonical text, or `{"legal": false, "problems": […]}`.

    `orders`, 1000 at most, gives `{"answers": […]}`, each judged against the same view; the first hundred refusals have suggestions
    (`legal`). With `"mended": false`, here and in `step`, none has: a refusal then costs as little as a legal order.
    """

    do: Literal["why_not"]
    seat: str
    order: str | None = None
    orders: Annotated[list[str], Field(max_length=MOST_ORDERS)] | None = None
    mended: bool = True
    """Whether the answer to a refused order has suggestions, which cost far more than the refusal."""


class View(_Request):
    """Return all that a seat may know; without a seat, all that the public may know."""

    do: Literal["view"]
    seat: str | None = None


class Position(_Request):
    """Return the whole position, in the form of its game."""

    do: Literal["position"]


class Dump(_Request):
    """Return game, version, options and position together, for `load`."""

    do: Literal["dump"]


class Load(_Request):
    """Continue from a `dump`."""

    do: Literal["load"]
    dump: dict[str, Any]


class Quit(_Request):
    """End the engine."""

    do: Literal["quit"]


Request: TypeAlias = Annotated[
    Games | New | Wants | Step | Options | WhyNot | View | Position | Dump | Load | Quit, Field(discriminator="do")
]

REQUESTS: dict[str, type[_Request]] = {
    get_args(model.model_fields["do"].annotation)[0]: model for model in get_args(get_args(Request)[0])
}
"""The model of each request, by its name."""


def read_request(said: Json) -> _Request:
    """Return the request that a JSON value is. Raises Refused."""
    if not isinstance(said, dict):
        raise Refused("form", "A request is a JSON object with the fields id and do.")
    if "do" not in said:
        raise Refused(
            "form", f"The field do is missing: what is to be done. What can be done here: {', '.join(REQUESTS)}."
        )
    name = said["do"]
    model = REQUESTS.get(name) if isinstance(name, str) else None
    if model is None:
        raise Refused("form", f"“{quoted(name)}” is nothing that can be done here; what can is: {', '.join(REQUESTS)}.")
    try:
        return model.model_validate(said)
    except ValidationError as error:
        schema = model.model_json_schema()
        wrong = "; ".join(dict.fromkeys(f"{place(one, schema)}: {misfit(one, schema)}" for one in error.errors()))
        raise Refused(
            "form", f"“{name}” takes the fields {', '.join(model.model_fields)}. Wrong is {wrong}."
        ) from error
