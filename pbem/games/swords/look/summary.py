"""The results of a round and of the game: who has won where, and the sources of points. Everything follows from the facts told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.i18n import N_, _
from pbem.kernel import Json

from ..rules import told
from .words import both, player, points

_LINES = 10
"""The summary of a game has at most this many lines."""
_BATTLES, _CARDS, _REGIONS = N_("battles {n}"), N_("glory cards {n}"), N_("regions {n}")


def summary(facts: Sequence[Json], start: int) -> list[str]:
    """Return what came of a round; of the whole game, its rounds and then its players, where it starts with the first fact."""
    read = [told.SwordsFact.read(fact) for fact in facts[start:] if fact["f"] in told.SwordsFact.kinds()]
    if start:
        return [*_battles(read), *_by_player(read)]
    begins = [at for at, fact in enumerate(read) if isinstance(fact, told.RoundBegins)]
    rounds = [_in_a_line(read[at:end]) for at, end in zip(begins, [*begins[1:], len(read)], strict=True)]
    players = [*_by_player(read)]
    return [*rounds[len(players) - _LINES :], *players]


def _sources(facts: Sequence[told.SwordsFact]) -> list[tuple[str, Counter[str]]]:
    """Return the points of each seat by their source, the seat with the most first."""
    scored = next((fact for fact in reversed(facts) if isinstance(fact, told.RoundScored)), None)
    found: dict[str, Counter[str]] = {seat: Counter() for seat in (scored.points if scored else ())}
    for fact in facts:
        match fact:
            case told.Won():
                found.setdefault(fact.seat, Counter())[_BATTLES] += fact.points
            case told.GloryPoints():
                found.setdefault(fact.seat, Counter())[_CARDS] += fact.points
            case told.RoundScored():
                for one in fact.regions:
                    if one.seat:
                        found.setdefault(one.seat, Counter())[_REGIONS] += one.points
    return sorted(found.items(), key=lambda one: -one[1].total())


def _battles(facts: Sequence[told.SwordsFact]) -> Iterator[str]:
    won: dict[str, dict[str, None]] = {}
    for fact in facts:
        if isinstance(fact, told.Won):
            won.setdefault(fact.seat, {})[fact.region] = None
    for seat, regions in won.items():
        yield _("{who} won in {regions}.", who=player(seat), regions=both(regions))
    if lost := dict.fromkeys(fact.region for fact in facts if isinstance(fact, told.AllLost)):
        yield _("Nobody won in {regions}.", regions=both(lost))


def _by_player(facts: Sequence[told.SwordsFact]) -> Iterator[str]:
    for seat, by in _sources(facts):
        said = {"who": player(seat), "points": points(by.total())}
        parts = ", ".join(_(what, n=by[what]) for what in (_BATTLES, _CARDS, _REGIONS) if by[what])
        yield _("{who}: {points} ({parts}).", parts=parts, **said) if parts else _("{who}: {points}.", **said)


def _in_a_line(facts: Sequence[told.SwordsFact]) -> str:
    no = next(fact.round for fact in facts if isinstance(fact, told.RoundBegins))
    won = Counter(fact.seat for fact in facts if isinstance(fact, told.Won))
    got = ", ".join(f"{player(seat)} {by.total()}" for seat, by in _sources(facts))
    if not won:
        return _("Round {round}: points {got}; no battle was won.", round=no, got=got)
    battles = ", ".join(f"{player(seat)} {n}" for seat, n in won.items())
    return _("Round {round}: points {got}; battles won {battles}.", round=no, got=got, battles=battles)
