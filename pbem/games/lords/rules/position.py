"""The position format: a whole game as JSON, and back.

::

    {"board": every field of `Board` by its name; a follower as {"card", "up", "power", "seen"}, a recruit as {"card", "up", "deal",
               "place"},
     "stack": [{"at": "reign", "step": "end", "next": 3}, {"at": "skirmish", …}, …],   each procedure, outermost first
     "result": {"winner": "angus", "why": "throne", "points": {…}}}                     only when the game is over
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Annotated, Any, TypeAlias

from pydantic import Field, TypeAdapter

from pbem.errors import FormError
from pbem.i18n import _
from pbem.kernel import FramedPosition, Json

from .board import Board, Follower, Recruit
from .cards import Agreed
from .reign import Procedure, State

_Frame: TypeAlias = Annotated[Procedure, Field(discriminator="at")]
_STACK: TypeAdapter[tuple[Any, ...]] = TypeAdapter(tuple[_Frame, ...])
NESTING = ("reign", "skirmish", "claims", "turn", "drawing")
"""The names of all procedures, outermost first: those under way are on the stack in this order."""
MOST_DEALS = 65_536
"""A position with more would only be slow to read and to end; no game comes near."""


def stack_of(named: dict[str, dict[str, Json]]) -> tuple[Any, ...]:
    """Return the procedures that are under way, from an object with their names as keys."""
    return _STACK.validate_python([{"at": at, **named[at]} for at in NESTING if at in named])


def listed(cards: Mapping[str, tuple[str, ...]]) -> Json:
    """Return what each seat has, as JSON."""
    return {owner: list(there) for owner, there in cards.items()}


def _armies(armies: Mapping[str, tuple[Follower, ...]]) -> Json:
    return {owner: [_follower(follower) for follower in army] for owner, army in armies.items()}


def _follower(follower: Follower) -> Json:
    return {"card": follower.card, "up": follower.up, "power": follower.power, "seen": list(follower.seen)}


def _recruits(recruits: tuple[Recruit, ...]) -> Json:
    return [{"card": one.card, "up": one.up, "deal": one.deal, "place": one.place} for one in recruits]


_LAY: Mapping[str, Callable[[Any], Json]] = {
    "terms": Agreed.as_json, "seats": list, "hands": listed, "taken": listed, "armies": _armies, "won": listed, "discards": list,
    "supporters": list, "recruits": _recruits, "pile": list, "old": list, "placing": list,
}  # fmt: skip
"""How the fields of a table are laid that are not JSON as they are."""
_FIELDS = tuple(field.name for field in fields(Board))


class _LordsPosition(FramedPosition[State]):
    """Checks that a position has every card in one place, and a player in every seat."""

    def laid(self, board: Board) -> dict[str, Json]:
        last = self._last.of
        return {
            name: last(name, getattr(board, name), _LAY[name]) if name in _LAY else getattr(board, name)
            for name in _FIELDS
        }

    def check(self, state: State) -> None:
        board = state.board
        if len(board.terms.bruce) not in (0, 3):
            raise FormError(_("The royal cards have one strength and two ranks."))
        for name in ("hands", "taken", "armies", "won"):
            if set(getattr(board, name)) != set(board.seats):
                raise FormError(
                    _("The {name} of a position belong to its seats: {seats}.", name=name, seats=", ".join(board.seats))
                )
        laid = Counter(board.every_card())
        wrong = [
            card for card in {**dict.fromkeys(board.terms.cards), **laid} if laid[card] != (card in board.terms.cards)
        ]
        if wrong:
            raise FormError(_("A position has every card exactly once; look for {cards}.", cards=", ".join(wrong[:3])))
        if not 0 <= board.deals <= MOST_DEALS:
            raise FormError(_("A position has from 0 to {most} deals, not {said}.", most=MOST_DEALS, said=board.deals))


POSITION = _LordsPosition(State, "Lords of Scotland", Board, _STACK)
