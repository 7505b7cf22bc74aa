"""A check that one seat's facts agree with the public facts. So a lie of the host to one player about public facts is found out at
once, not only when the game is over.

Public facts are in the chain, the same for everybody. A seat sees these facts and more: its view determines the public view, and it
hears each public fact in the same or in more detail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.ledger.canon import same

if TYPE_CHECKING:
    from pbem.kernel import Game, Json
    from pbem.reports.told import Told


class _First:
    """Chooses the first of whatever there is: any guess will do, for all look alike to the public."""

    def randrange(self, stop: int, /) -> int:
        return 0


def same_board(rules: Game, own: Json, public: Json) -> bool:
    """Is the public's view the one that follows from a seat's?"""
    return same(rules.view(rules.determinise(rules.read_view(own), _First()), None), public)


def unheard(own: Sequence[Told], public: Sequence[Told]) -> tuple[int, Json] | None:
    """Return the first public fact that this seat did not hear, with the number of its entry; None if it heard all."""
    heard = {tell.n: tell.facts for tell in own}
    for tell in public:
        rest = iter(heard.get(tell.n, ()))
        for fact in tell.facts:
            if not any(_tells(other, fact) for other in rest):
                return tell.n, fact
    return None


def _tells(own: Json, public: Json) -> bool:
    """Is it the same fact, or the same one with what only this seat knows?

    A seat's fact may hold more fields, names where all hear a number, and leave out a number that what it holds says as well.
    """
    match public:
        case dict():
            if not isinstance(own, dict) or own.get("f") != public.get("f"):
                return False
            return all(
                _tells(own[name], value) if name in own else "f" in public and type(value) is int
                for name, value in public.items()
            )
        case list():
            return isinstance(own, list) and len(own) == len(public) and all(map(_tells, own, public))
        case int() if isinstance(own, list) and type(public) is int:
            return len(own) == public
    return type(own) is type(public) and bool(own == public)
