"""The position as it will be once an order is given, as far as the seat that gives it can know.

The order is played on several positions guessed from the seat's view (`Law.determinise`); the others answer differently in each.
What comes of it in all of them alike is sure. The rest is not decided: dice, cards, answers of others, what is hidden. Only the
view is looked at, so nothing is given away. The same view and order give the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
ANSWERS = 6
"""Answers of the others that are tried on each, where they answer at the same time."""


class Foreseen(NamedTuple):
    """What is sure once an order is given: how the seat's view changes, what it hears, and why the rest is not decided."""

    patch: dict[str, Json]
    view: View
    facts: tuple[Json, ...]
    undecided: str


def foreseen(game: Game, seat: str, view: Json, order: Order) -> Foreseen | None:
    """Return what is sure of the position after a legal order; None where nothing is, or the rules cannot be taken step by step.

    `view` is what the seat sees now, as JSON.
    """
    before = read_line(cj(view))
    asked = game.read_view(before)
    lucks = [Random(f"{n} {order}") for n in range(GUESSES)]  # noqa: S311 - no dice of the game
    guesses = [game.determinise(asked, luck) for luck in lucks]
    if not hasattr(guesses[0], "stack"):  # rules of another version, in a process of their own
        return None
    tries = [one for state, luck in zip(guesses, lucks, strict=True) for one in _tried(game, seat, state, order, luck)]
    patches = [diff(before, after.view) for after in tries]
    sure = _common(patches)
    try:
        seen = game.read_view(fold(before, sure))
    except NONSENSE:
        return None  # what is sure of it is no whole position
    facts = tuple(
        heard[0] for heard in zip(*(one.facts for one in tries), strict=False) if heard.count(heard[0]) == len(tries)
    )
    return Foreseen(sure, seen, facts, _why(tries, hidden=any(patch != sure for patch in patches))) if sure else None


class _Tried(NamedTuple):
    view: dict[str, Json]
    facts: list[Json]
    others: bool
    chance: bool


def _tried(game: Game, seat: str, state: Any, order: Order, luck: Random) -> Iterator[_Tried]:
    """Play the order on one guess, up to where the rules go on by themselves, beside several answers of those also asked."""
    wanted = game.wants(state)
    others = [other for other in wanted.seats if other != seat] if isinstance(wanted, Ask) else []
    may = {other: game.options(game.own_view(game.view(state, other))) for other in others}
    for _answer in range(ANSWERS if others else 1):
        given = {seat: order, **{other: options.sample(luck) for other, options in may.items()}}
        after, events = one_step(state, given)
        heard = [said for event in events if isinstance(event, Fact) and (said := event.heard_by(seat)) is not None]
        chance = not is_going(after) and isinstance(game.wants(after), Chance)
        yield _Tried(game.view(after, seat), heard, bool(others), chance)


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


def _why(tries: Sequence[_Tried], *, hidden: bool) -> str:
    """Say in a sentence what is not decided; "" where all is."""
    open_ = [
        *([_("the dice or cards")] if any(one.chance for one in tries) else ()),
        *([_("what the others answer")] if any(one.others for one in tries) else ()),
        *([_("what is hidden from you")] if hidden and not any(one.others for one in tries) else ()),
    ]
    return _("Not decided yet: {what}.", what=", ".join(open_)) if open_ else ""
