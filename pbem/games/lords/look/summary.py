"""The results of a round and of the game: armies, claims, points. Everything follows from the facts told to a seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.i18n import _
from pbem.kernel import Json

from ..rules import told
from .words import both, lord, points

_LINES = 10
"""The summary of a game has at most this many lines."""


def summary(facts: Sequence[Json], start: int) -> list[str]:
    """Return what came of a round, a line for each lord; of the game, from its first fact, a line for each round."""
    if start:
        return [*_of_a_round(_read(facts[start:]), _points(_read(facts[:start])))]
    read = _read(facts)
    begins = [at for at, fact in enumerate(read) if isinstance(fact, told.Round)]
    ends = [*begins[1:], len(read)]
    lines = [_in_a_line(read[at:end], _points(read[:at])) for at, end in zip(begins, ends, strict=True)]
    return lines[-_LINES:]


def _read(facts: Sequence[Json]) -> list[told.LordsFact]:
    """Return the facts of the game, without its players' statements."""
    return [told.LordsFact.read(fact) for fact in facts if fact["f"] in told.LordsFact.kinds()]


def _points(facts: Sequence[told.LordsFact]) -> dict[str, int]:
    """Return the points of those who have claimed something.

    >>> _points([told.Claimed(seat="angus", cards=("Scott 9",), points=9)])
    {'angus': 9}
    """
    return {fact.seat: fact.points for fact in facts if isinstance(fact, told.Claimed)}


def _armies(facts: Sequence[told.LordsFact]) -> tuple[told.Army, ...]:
    """Return the armies as they were counted; () before that."""
    return next((fact.armies for fact in facts if isinstance(fact, told.Armies)), ())


def _of_a_round(facts: Sequence[told.LordsFact], before: dict[str, int]) -> Iterator[str]:
    """Go through the lords, the one with the most points first: army, claims, and the points that he has by then."""
    after = before | _points(facts)
    claims = {fact.seat: fact.cards for fact in facts if isinstance(fact, told.Claimed)}
    totals = {army.seat: army.total for army in _armies(facts)}
    for seat in sorted(totals | claims | after, key=lambda one: -after.get(one, 0)):
        said = {"lord": lord(seat), "total": totals.get(seat, 0), "points": points(after.get(seat, 0))}
        if seat in claims:
            yield _("{lord}: army {total}, claimed {cards}; {points} now.", cards=both(claims[seat]), **said)
        else:
            yield _("{lord}: army {total}, claimed nothing; {points} now.", **said)


def _in_a_line(facts: Sequence[told.LordsFact], before: dict[str, int]) -> str:
    """Return a round in a line: the armies as they were counted, and the points that were claimed."""
    armies = ", ".join(f"{lord(army.seat)} {army.total}" for army in _armies(facts)) or _("none")
    got = {seat: n - before.get(seat, 0) for seat, n in _points(facts).items()}
    won = ", ".join(f"{lord(seat)} {n}" for seat, n in got.items()) or _("none")
    no = next(fact.round for fact in facts if isinstance(fact, told.Round))
    return _("Round {round}: armies {armies}; points {won}.", round=no, armies=armies, won=won)
