"""What a seat may see: the whole table, and who is asked what. Answers that others owe are no part of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel import Ask, Json, wants

from .position import lay, stacked

if TYPE_CHECKING:
    from .war import State

_last: list[tuple[State, dict[str, Json]]] = []
"""The public view made last: every stop is looked at by several seats."""


def see(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `SwordsView`."""
    if not _last or _last[0][0] is not state:
        _last[:] = [(state, _public(state))]
    return {**_last[0][1], "seat": seat or ""}


def _public(state: State) -> dict[str, Json]:
    wanted = wants(state.board, state.stack, state.result)
    found: dict[str, Json] = {
        "seat": "",
        "board": lay(state.board),
        "stack": stacked(state.stack),
        "waiting": dict.fromkeys(wanted.seats, wanted.what) if isinstance(wanted, Ask) else {},
    }
    return found if state.result is None else {**found, "result": state.result}
