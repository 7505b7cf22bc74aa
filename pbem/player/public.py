"""Whether what one seat is told agrees with what all are told: a host that lies to one player about what everybody sees is found at
once, and not when the game is over.

What all see stands in the chain, the same for everybody. A seat sees more, and nothing else: its view determines what
the public sees, and of everything that all hear it hears that, or more of the same."""

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
    """Return the first tell, by its entry, and the fact in it that all heard and this seat did not; None where there is none."""
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
