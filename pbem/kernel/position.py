"""Positions as JSON, for a game with a plain state (its fields are the position's), or one run by frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from pbem.errors import FormError
from pbem.i18n import _
from pbem.i18n.misfits import misfit, place

from .last_made import LastMade
from .wants import Json

S = TypeVar("S")
T = TypeVar("T")


written = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
"""Writes canonical JSON."""


class PlainPosition(Generic[S]):
    """The position format that follows from a state's type; `title` is the game's."""

    def __init__(self, kind: type[S], title: str) -> None:
        self._kind, self._title = kind, title

    @cached_property
    def _states(self) -> TypeAdapter[S]:
        return TypeAdapter(self._kind)

    def dump(self, state: S) -> dict[str, Json]:
        """Return the position of a state, without its None values."""
        return cast(dict[str, Json], self._states.dump_python(state, mode="json", exclude_none=True))

    def text(self, state: S) -> str:
        """Return the position of a state as canonical JSON."""
        return written(self.dump(state))

    def load(self, position: Json) -> S:
        """Return the state of a position. Raises FormError if it is not a position, or contains anything more."""
        state = self._read(position)
        made = self.dump(state)
        if made != position:
            where = ".".join(_other(made, position)) or "position"
            raise FormError(
                _(
                    "This is not a position of {game}: {where}: it contains more than a position does, or in "
                    "another form.",
                    game=self._title,
                    where=where,
                )
            )
        return state

    def _read(self, position: Json) -> S:
        return self._taken(self._states, position)

    def _taken(self, kind: TypeAdapter[T], said: Json, part: str = "") -> T:
        """Return what a part of a position says. Raises FormError, which names the place in it."""
        try:
            return kind.validate_python(said)
        except ValidationError as error:
            first, schema = error.errors()[0], kind.json_schema()
            where = ".".join(filter(None, (part, place(first, schema)))) or "position"
            why = misfit(first, schema)
            raise FormError(
                _("This is not a position of {game}: {where}: {why}.", game=self._title, where=where, why=why)
            ) from None


def _other(made: Json, said: Json) -> Iterator[str]:
    """Yield the names on the path to the first place where `said` differs from `made`."""
    pairs: list[tuple[str, Json, Json]] = []
    if isinstance(made, dict) and isinstance(said, dict):
        pairs = [(name, made.get(name), said.get(name)) for name in (*made, *said)]
    elif isinstance(made, list) and isinstance(said, list) and len(made) == len(said):
        pairs = [(str(no), *pair) for no, pair in enumerate(zip(made, said, strict=True))]
    for name, ours, theirs in pairs:
        if ours != theirs:
            yield name
            yield from _other(ours, theirs)
            return


class FramedPosition(PlainPosition[S]):
    """The position format of a state with `board`, `stack` and, at the end, `result`; each procedure gives its name in `at`.

    `board` and `stack` are the types that parse these parts. A game whose positions arrange the board differently overrides `lay`
    and `table`; further requirements on a position go into `check`.
    """

    def __init__(self, kind: type[S], title: str, board: Any, stack: TypeAdapter[tuple[Any, ...]]) -> None:
        self._title, self._of_board, self._stack = title, board, stack
        self._state: Callable[..., S] = kind
        self._last = LastMade()

    @cached_property
    def _board(self) -> TypeAdapter[Any]:
        return TypeAdapter(self._of_board)

    def lay(self, board: Any) -> Json:
        """Return the board as JSON, without its None values."""
        return self._board.dump_python(board, mode="json", exclude_none=True)

    def laid(self, board: Any) -> Mapping[str, Json]:
        """Return the board as JSON that nobody changes; unchanged parts may be the same objects as last time."""
        said: Mapping[str, Json] = self.lay(board)
        return said

    def table(self, laid: Any) -> Any:
        """Return the board that was read. Raises FormError."""
        return laid

    def check(self, state: S) -> None:
        """Raise FormError for what can be read and cannot be."""

    def dump(self, state: Any) -> dict[str, Json]:
        found = {"board": self.lay(state.board), "stack": self._stack.dump_python(state.stack, mode="json")}
        return found if state.result is None else {**found, "result": state.result}

    def stacked(self, stack: tuple[Any, ...]) -> list[Json]:
        """Return the procedures under way as JSON; nobody changes it."""
        return [self._last.of(f"a {type(frame).__name__}", frame, self._procedure) for frame in stack]

    def _procedure(self, frame: Any) -> Json:
        (said,) = self._stack.dump_python((frame,), mode="json")
        return said

    def text(self, state: Any) -> str:
        """Return the position of a state as canonical JSON; parts unchanged since the last call are not written again."""
        laid, procedures = self.laid(state.board), self.stacked(state.stack)
        board = ",".join([f'"{name}":{self._last.of(f"text {name}", laid[name], written)}' for name in sorted(laid)])
        stack = ",".join([self._last.of(f"text {depth}", said, written) for depth, said in enumerate(procedures)])
        result = "" if state.result is None else f'"result":{written(state.result)},'
        return f'{{"board":{{{board}}},{result}"stack":[{stack}]}}'

    def load(self, position: Json) -> S:
        state = super().load(position)
        self.check(state)
        return state

    def _read(self, position: Json) -> S:
        if not isinstance(position, dict) or not {"board", "stack"} <= set(position) <= {"board", "stack", "result"}:
            raise FormError(_("A position is an object with the fields board, stack and, at the end, result."))
        stack, result = self._taken(self._stack, position["stack"], "stack"), position.get("result")
        if (result is None) == (not stack):
            raise FormError(_("A position has a procedure under way, or a result."))
        return self._state(self.table(self._taken(self._board, position["board"], "board")), stack, result)

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of positions."""
        parts = {"board": self._board.json_schema(), "stack": self._stack.json_schema()}
        defs = {name: made for part in parts.values() for name, made in part.pop("$defs", {}).items()}
        for made in (*parts.values(), *defs.values()):
            made.pop("description", None)  # for readers of the rules
            if made.get("type") == "object":
                made["additionalProperties"] = False
        found = {
            "type": "object",
            "properties": {**parts, "result": {"type": "object"}},
            "required": ["board", "stack"],
        }
        return {**found, "additionalProperties": False, "$defs": defs}
