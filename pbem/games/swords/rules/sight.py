"""The visible part of the game for a seat: the whole table, and the questions to all seats. Others' pending answers are not in
it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel import Ask, Json, LastMade, wants

from .position import POSITION

if TYPE_CHECKING:
    from .war import State

_LAST = LastMade()


def see(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `SwordsView`."""
    return {**_LAST.of("public", state, _public), "seat": seat or ""}


def _public(state: State) -> dict[str, Json]:
    wanted = wants(state.board, state.stack, state.result)
    found: dict[str, Json] = {
        "seat": "",
        "board": POSITION.laid(state.board),
        "stack": POSITION.stacked(state.stack),
        "waiting": dict.fromkeys(wanted.seats, wanted.what) if isinstance(wanted, Ask) else {},
    }
    return found if state.result is None else {**found, "result": state.result}
