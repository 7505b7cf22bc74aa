"""A game as it is played by two without a host: orders alone, as nobody is there who could keep plans or what is sent ahead.

It decides what is not offered: touches, and lines of the form, that begin with PLAN or AHEAD. All else is the game's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import take_apart
from pbem.look.touches import AHEAD, PLAN, first_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import GamePack
    from pbem.kernel import Order, View
    from pbem.look import Look
    from pbem.look.touches import Touch

_ALONG = (PLAN, AHEAD)
_ASIDE = tuple(f"choice:{word}" for word in _ALONG)


class OrdersAlone:
    """The words and drawings of a game, without what would go along with an order."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def __getattr__(self, name: str) -> Any:
        return getattr(self._look, name)

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        """Return what may be touched next."""
        if draft and first_word(draft[-1]) in _ALONG:
            return ()
        return [touch for touch in self._look.touches(view, draft) if touch.at not in _ASIDE]

    def template(self, view: View, advice: Order | None = None) -> str:
        """Return the form of an order."""
        lines = self._look.template(view, advice).split("\n")
        return "\n".join(line for line in lines if first_word(line.lstrip("# ")) not in _ALONG)


class PackOfTwo:
    """A game of whose look only orders are left."""

    def __init__(self, pack: GamePack) -> None:
        self._pack = pack

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pack, name)

    @property
    def look(self) -> Look:
        return cast("Look", OrdersAlone(self._pack.look))


def for_two(pack: GamePack) -> GamePack:
    """Return a game as two play it without a host."""
    return cast("GamePack", PackOfTwo(pack))


def order_alone(text: str) -> str:
    """Return the lines of an order. Raises UsageError where plans, or orders sent ahead, are among them."""
    apart = take_apart(text)
    if apart.plans or apart.ahead:
        raise UsageError(
            _(
                "PLAN and AHEAD lines do not go with an order in a game of two yet: there is no host who would keep them. "
                "Nothing has been signed; give the order without them."
            )
        )
    return apart.order
