"""The position format: a whole game as JSON, and back.

::

    {"board": every field of `Board` by its name; a follower as {"card", "up", "power", "seen"}, a recruit as {"card", "up", "deal",
               "place"},
     "stack": [{"at": "reign", "step": "end", "next": 3}, {"at": "skirmish", …}, …],   each procedure, outermost first
     "result": {"winner": "angus", "why": "throne", "points": {…}}}                     only when the game is over
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from pbem.errors import FormError
from pbem.i18n import _
from pbem.kernel import Json

from .board import Board
from .reign import Procedure, State

_Frame: TypeAlias = Annotated[Procedure, Field(discriminator="at")]
_STACK: TypeAdapter[tuple[Any, ...]] = TypeAdapter(tuple[_Frame, ...])
_BOARD = TypeAdapter(Board)
NESTING = ("reign", "skirmish", "claims", "turn", "drawing")
"""The names of all procedures, outermost first: whatever is under way stands on the stack in this order."""
FIELDS = ("board", "stack", "result")
MOST_DEALS = 65_536
"""A position with more would only be slow to read and to end; no game comes near."""


def schema() -> dict[str, Json]:
    """Return the JSON Schema of positions."""
    parts = {name: kind.json_schema() for name, kind in (("board", _BOARD), ("stack", _STACK))}
    defs = {name: made for part in parts.values() for name, made in part.pop("$defs", {}).items()}
    for made in (*parts.values(), *defs.values()):
        made.pop("description", None)  # for readers of the rules
        if made["type"] == "object":
            made["additionalProperties"] = False
    fields = {**parts, "result": {"type": "object"}}
    found = {"type": "object", "properties": fields, "required": ["board", "stack"], "additionalProperties": False}
    return found | {"$defs": defs}


def stack_of(named: dict[str, dict[str, Json]]) -> tuple[Any, ...]:
    """Return the procedures that are under way, from an object with their names as keys."""
    return _STACK.validate_python([{"at": at, **named[at]} for at in NESTING if at in named])


def dump(state: State) -> dict[str, Json]:
    """Return the position of a state."""
    found = {
        "board": _BOARD.dump_python(state.board, mode="json"),
        "stack": _STACK.dump_python(state.stack, mode="json"),
    }
    return found if state.result is None else {**found, "result": state.result}


def load(position: Json) -> State:
    """Return the state of a position. Raises FormError."""
    if not isinstance(position, dict) or not {"board", "stack"} <= set(position) <= set(FIELDS):
        raise FormError(_("A position is an object with the fields board, stack and, at the end, result."))
    try:
        state = State(
            _BOARD.validate_python(position["board"]), _STACK.validate_python(position["stack"]), position.get("result")
        )
    except ValidationError as error:
        said = error.errors()[0]
        where = ".".join(map(str, said["loc"]))
        raise FormError(_("The position cannot be read: {where}: {why}.", where=where, why=said["msg"])) from None
    if dump(state) != position:
        raise FormError(
            _("This is no position of {game}: it holds more than a position does.", game="Lords of Scotland")
        )
    _check(state)
    return state


def _check(state: State) -> None:
    """Whoever writes a position must have put every card in one place, and somebody in every seat."""
    board = state.board
    if len(board.terms.bruce) not in (0, 3):
        raise FormError(_("The royal cards have one strength and two ranks."))
    for name in ("hands", "taken", "armies", "won"):
        if set(getattr(board, name)) != set(board.seats):
            raise FormError(
                _("The {name} of a position belong to its seats: {seats}.", name=name, seats=", ".join(board.seats))
            )
    laid = Counter(board.every_card())
    wrong = [card for card in {**dict.fromkeys(board.terms.cards), **laid} if laid[card] != (card in board.terms.cards)]
    if wrong:
        raise FormError(_("A position has every card exactly once; look for {cards}.", cards=", ".join(wrong[:3])))
    if not 0 <= board.deals <= MOST_DEALS:
        raise FormError(_("A position has from 0 to {most} deals, not {said}.", most=MOST_DEALS, said=board.deals))
    if (state.result is None) == (not state.stack):
        raise FormError(_("A position has a procedure under way, or a result."))
