"""Luck in Swords: the numbers that came with formations, the cards that found no square, and who was drawn to begin.

The rule book's battles are without luck. Chance deals the tokens and glory cards, which are the same for all. The order of the
deployment cards is not: a card completes a formation for one player and is of no use to another. The number beside it says how
many cubes the formation deploys. The last number of a round is printed on the board. All wait for it, so it is not luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pbem.i18n import _, _n
from pbem.look.tale import most

from .words import player

if TYPE_CHECKING:
    from pbem.kernel import Json


def luck(facts: Sequence[Json]) -> Iterator[str]:
    """Say who was drawn to begin, who had the best numbers, and for whom most cards came for nothing."""
    yield from (
        _("{who} begins, by the die.", who=player(fact["seat"]))
        for fact in facts
        if fact["f"] == "first" and fact.get("die")
    )
    numbers, formed = _numbers(facts)
    means = {seat: Fraction(numbers[seat], n) for seat, n in formed.items()}
    best = max(means.values(), default=0)
    lucky = [seat for seat, mean in means.items() if mean == best]
    if len(means) > 1 and len(lucky) == 1:
        first, *others = sorted(means, key=lambda seat: -means[seat])
        said = {seat: _formed(formed[seat], numbers[seat]) for seat in means}
        yield _(
            "The best numbers beside the cards: {who}, {formations} ({others}). The last number of each round does not count.",
            who=player(first),
            formations=said[first],
            others=_("; ").join(_("{who}: {what}", who=player(seat), what=said[seat]) for seat in others),
        )
    idle = Counter(str(fact["seat"]) for fact in facts if fact["f"] == "nothing")
    if found := most(idle, 2):
        yield _("Most cards for nothing: {who}, who had no free square {n} times.", who=player(found[0]), n=found[1])


def _numbers(facts: Sequence[Json]) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return by seat the sum of the numbers beside its formations, and how many formations; without the last card of each round."""
    numbers, formed = Counter[str](), Counter[str]()
    here: list[str] = []
    number = 0
    for fact in facts:
        if fact["f"] == "flip":
            numbers.update({seat: number * n for seat, n in Counter(here).items()})
            formed.update(here)
            here, number = [], fact["number"]
        elif fact["f"] == "deploy":
            here.append(fact["seat"])
        elif fact["f"] == "score":
            here = []
    return numbers, formed


def _formed(formations: int, numbers: int) -> str:
    """Say how many formations came with which numbers in all."""
    return _n(
        "{numbers} cubes for {n} formation",
        "{numbers} cubes for {n} formations",
        formations,
        n=formations,
        numbers=numbers,
    )
