"""The position after an order, limited to what its seat can know.

The order is played on several positions guessed from the seat's view (`Law.determinise`); the others answer differently in each.
Results common to all are certain. The rest is undecided: dice, cards, answers of others, hidden information. Only the view is used,
so nothing is given away. Results are deterministic for a view and order; the guesses for the last view are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from pbem.i18n import _
from pbem.kernel import Ask, Chance, Fact, Game, Json, Order, View
from pbem.kernel.knowing import is_going, one_step
from pbem.ledger import cj, read_line
from pbem.ledger.patch import diff, fold

from .told import NONSENSE

GUESSES = 8
"""Positions that are tried."""
ANSWERED = 32
"""The number of positions if others answer at the same time, each with different answers: rare answers should occur in one of them.
"""


class Foreseen(NamedTuple):
    """The certain results of an order: how the seat's view changes, what it hears, and why the rest is undecided."""

    patch: dict[str, Json]
    view: View
    facts: tuple[Json, ...]
    undecided: str


def foreseen(game: Game, seat: str, view: Json, order: Order) -> Foreseen | None:
    """Return the certain part of the position after a legal order; None if there is none, or if the rules cannot be run in steps.

    `view` is the seat's current view, as JSON.
    """
    guesses, before = _guesses(game, seat, line := cj(view)), read_line(line)
    if not guesses:
        return None
    tries = (_tried(game, seat, state, {seat: order, **answers}) for state, answers in guesses)
    views, told, chances = zip(*tries, strict=True)
    patches = [diff(before, after) for after in views]
    sure = _common(patches)
    try:
        after = game.read_view(fold(before, sure))
    except NONSENSE:
        return None  # what is sure of it is no whole position
    facts = tuple(heard[0] for heard in zip(*told, strict=False) if heard.count(heard[0]) == len(told))
    others, varies = any(answers for _state, answers in guesses), any(patch != sure for patch in patches)
    return Foreseen(sure, after, facts, _why(any(chances), others, varies and not others)) if sure else None


@lru_cache(1)
def _guesses(game: Game, seat: str, view: bytes) -> Sequence[tuple[Any, Mapping[str, Order]]]:
    """Guess positions from a view, and what the others answer there who are asked as well: the same for each order."""
    asked = game.read_view(read_line(view))
    lucks = [Random(n) for n in range(ANSWERED)]  # noqa: S311 - no dice of the game
    first = game.determinise(asked, lucks[0])
    if not hasattr(first, "stack"):  # rules of another version, in a process of their own
        return ()
    wanted = game.wants(first)
    others = [other for other in wanted.seats if other != seat] if isinstance(wanted, Ask) else []
    states = [first, *(game.determinise(asked, luck) for luck in lucks[1 : ANSWERED if others else GUESSES])]
    return [
        (state, {other: game.options(game.own_view(game.view(state, other))).sample(luck) for other in others})
        for state, luck in zip(states, lucks, strict=False)
    ]


def _tried(game: Game, seat: str, state: Any, given: Mapping[str, Order]) -> tuple[Any, list[Json], bool]:
    """Play the given orders on one guess for one step. Return the view, the facts heard, and whether chance is wanted next."""
    after, events = one_step(state, given)
    heard = [said for event in events if isinstance(event, Fact) and (said := event.heard_by(seat)) is not None]
    return game.view(after, seat), heard, not is_going(after) and isinstance(game.wants(after), Chance)


def _common(patches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what all patches change, and change alike."""
    first, *others = patches
    return dict(_alike(first, others))


def _alike(first: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    for key, value in first.items():
        found = [other[key] for other in others if key in other]
        if len(found) < len(others):
            continue
        if isinstance(value, dict) and all(isinstance(one, dict) for one in found):
            if inner := dict(_alike(value, found)):
                yield key, inner
        elif all(one == value and type(one) is type(value) for one in found):
            yield key, value


def _why(chance: object, others: object, hidden: object) -> str:
    """Return a sentence about what is undecided; "" if nothing is."""
    open_ = [
        *([_("the dice or cards")] if chance else ()),
        *([_("what the others answer")] if others else ()),
        *([_("what is hidden from you")] if hidden else ()),
    ]
    return _("Not decided yet: {what}.", what=", ".join(open_)) if open_ else ""
