"""The numbered list of answers in front of other touches: terminals and pages show the list of a letter, with its numbers.

A line of the list is a touch that makes a whole order, with its plans. Touches that do the same as a line of the list are not shown
again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import OrderError
from pbem.look.touches import AHEAD, END, PLAN, Parts, Touch, parts

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import View

    from .choices import Choice

Lines = tuple[str, ...]
ASIDE = (f"choice:{PLAN}", f"choice:{AHEAD}")
"""Where something is begun that goes along with an order."""


class Offered(NamedTuple):
    """What may be touched where an order is begun."""

    answers: tuple[Touch, ...]
    """The lines of the list, the suggestion first."""
    further: tuple[Touch, ...]
    """All other touches."""

    @property
    def numbered(self) -> list[Touch]:
        """All of them, as they are numbered: the answers of the list first."""
        return [*self.answers, *self.further]


def offered(
    pack: GamePack, view: View, listed: Sequence[Choice], draft: Lines, further: Callable[[Lines], Sequence[Touch]]
) -> Offered:
    """Return the lines of the list as touches, and the other touches; `further` makes the touches of a draft.

    The list is shown where an order can begin; plans and premoves may be written before it. A line with plans of its own replaces
    those.
    """
    touches, said = tuple(further(draft)), parts(draft)
    if not listed or said.order or (draft and not any(parts(touch.draft).order for touch in touches)):
        return Offered((), touches)
    twins: dict[str, Touch | None] = dict.fromkeys(one.order for one in listed)
    for touch in touches:
        if (  # what follows takes long to find out, and is asked for the few of the list alone
            (order := _made(pack, view, touch, said)) in twins
            and not twins[order]
            and all(more.at in (END, *ASIDE) for more in further(touch.draft))
        ):
            twins[order] = touch
    answers = tuple(_line(one, twins.get("" if one.plans else one.order), said) for one in listed)
    same = {twins[one.order] for one in listed if not one.plans and one.order in twins}
    return Offered(answers, tuple(touch for touch in touches if touch not in same))


def _line(choice: Choice, twin: Touch | None, along: Parts) -> Touch:
    """Return a line of the list as a touch, with what goes along; its place is that of the touch that does the same."""
    plans = tuple(f"{PLAN} {line}" for line in choice.plans.splitlines()) or along.plans
    at = twin.at if twin else f"choice:{choice.order}"
    return Touch(at, choice.words, (*choice.order.split("\n"), *plans, *along.ahead), closes=True)


def _made(pack: GamePack, view: View, touch: Touch, along: Parts) -> str:
    """Return the canonical order that a touch completes without changing plans or premoves; otherwise ""."""
    made = parts(touch.draft)
    if touch.at == END or not touch.closes or made[1:] != along[1:]:
        return ""
    try:
        return str(pack.rules.parse(view, "\n".join(made.order)))
    except OrderError:
        return ""
