"""The base of Hammer's procedures, and their form in positions and views.

A law keeps secrecy simple: **a frame contains nothing hidden.** Hidden things (which block, how strong, which card) are on the
board, where `view` masks them once for all. So every view shows a frame as it is, without the locals that have their default, and
`determinise` takes it back from there. No procedure is under way twice at a time, so its name is its key in a view; `NESTING` says
which is inside which. A frame that must break the law sets `hides`, and overrides `seen` (the part that a seat may see) and
`guessed` (some frame that fits). Only `Battle` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from pbem.errors import FormError
from pbem.i18n.misfits import misfit, place
from pbem.kernel import Frame, Json, Order

from .board import Board
from .said import _

Kind = TypeVar("Kind", bound=Order)

NESTING = (
    "year", "setup", "turn", "herald", "pillage", "battles", "battle", "retreat", "regroup", "raid", "winter",
    "nobles_go_home", "disbanding", "builds", "levy",
)  # fmt: skip
"""The names of all procedures, outermost first: those under way are on the stack in this order."""


@dataclass(frozen=True, slots=True)
class Procedure(Frame):
    """A frame of Hammer: `at` is its name in positions and views; its fields are str, int, bool and tuples of them."""

    at: ClassVar[str]
    hides: ClassVar[bool] = False
    _known: ClassVar[dict[str, type[Procedure]]] = {}

    def __init_subclass__(cls, at: str = "", hides: bool = False) -> None:
        # A slotted dataclass is made twice; the second, real one takes the place of the first, and bears its name already.
        if at:
            cls.at, cls.hides = at, hides
        Procedure._known[cls.at] = cls

    def json(self) -> dict[str, Json]:
        """Return the frame's form in a position: its name, step and locals."""
        return {"at": self.at, **self.locals()}

    def locals(self) -> dict[str, Json]:
        """Return step and locals as JSON."""
        return {name: plain(getattr(self, name)) for name, _default in self.defaults()}

    @classmethod
    @cache
    def defaults(cls) -> tuple[tuple[str, Any], ...]:
        """Return the frame's fields with their defaults (`MISSING` if there is none)."""
        return tuple((f.name, f.default) for f in fields(cls))

    @classmethod
    @cache
    def steps(cls) -> tuple[str, ...]:
        """Return the possible steps of the frame, first those at which the rules continue without an answer."""
        return tuple(name.partition("_")[2] for kind in ("do_", "want_") for name in vars(cls) if name.startswith(kind))

    @classmethod
    @cache
    def _adapter(cls) -> TypeAdapter[Any]:
        return TypeAdapter(cls)

    @staticmethod
    def known(at: str) -> type[Procedure]:
        """Return the frame that bears this name. Raises FormError."""
        cls = Procedure._known.get(at)
        if cls is None:
            raise FormError(
                _(
                    "There is no procedure “{name}” in Hammer of the Scots; there are {names}.",
                    name=at,
                    names=", ".join(sorted(Procedure._known)),
                )
            )
        return cls

    @staticmethod
    def read(entry: dict[str, Json]) -> Procedure:
        """Return the frame that `json` wrote. Raises FormError."""
        cls = Procedure.known(str(entry.get("at", "")))
        locals_ = {key: value for key, value in entry.items() if key != "at"}
        if set(locals_) != {name for name, _default in cls.defaults()}:
            raise FormError(
                _(
                    "The procedure “{name}” has other fields than {fields}.",
                    name=cls.at,
                    fields=", ".join(name for name, _default in cls.defaults()),
                )
            )
        try:
            read: Procedure = cls._adapter().validate_python(locals_)
        except ValidationError as error:
            first, schema = error.errors()[0], cls._adapter().json_schema()
            where, why = place(first, schema), misfit(first, schema)
            raise FormError(
                _("The procedure “{name}” cannot be read: {where}: {why}.", name=cls.at, where=where, why=why)
            ) from error
        if read.step not in cls.steps():
            steps = ", ".join(cls.steps())
            raise FormError(
                _("The procedure “{name}” has no step “{said}”, but {steps}.", name=cls.at, said=read.step, steps=steps)
            )
        return read

    def seen(self, board: Board, seat: str | None) -> dict[str, Json]:
        """Return what `seat` may see of step and locals, those left out that have their default."""
        found = {}
        for name, default in self.defaults():
            value = getattr(self, name)
            if value is not default and value != default:
                found[name] = plain(value) if type(value) is tuple else value
        return found

    @classmethod
    def guessed(cls, entry: dict[str, Json], board: Board) -> Self:
        """Return some frame that a seat could see as `entry` (with its name); `board` is the board guessed for it."""
        usual = {name: plain(default) for name, default in cls.defaults() if default is not MISSING}
        here = {"at", *(name for name, _default in cls.defaults())}  # views by a former version may show others
        frame = Procedure.read({**usual, **{name: value for name, value in entry.items() if name in here}})
        assert isinstance(frame, cls)  # noqa: S101 - `at` names the class
        return frame

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        """Return the facts that `seat` needs, beyond the question's name, to answer at this step."""
        return {}


def plain(value: Any) -> Json:
    """Return a value as JSON, tuples as lists."""
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def answer(given: Mapping[str, Order], kind: type[Kind]) -> Kind:
    """Return the order of the one seat asked."""
    (order,) = given.values()
    assert isinstance(order, kind)  # noqa: S101 - legal orders only come in
    return order
