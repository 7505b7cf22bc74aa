"""The worth of a lead in nobles: how likely the English are to win, judged by the blocks' places."""

from __future__ import annotations

from ..adding import added
from .model import SmallGame
from .numbers import DEAD, EDWARD, ENGLAND, ENGLISH, INFANTRY, MORAY, POOL, SCOTS, TURNS, WALLACE

CERTAIN = 1_000_000
FAR_OFF = 8
"""The maximum number of years to come that is distinguished."""


def english_hope(model: SmallGame, coming: float = 0.0) -> int:
    """Return a number from 0 (the Scots have won) to `CERTAIN` (the English have); nearer the end a lead is worth more.

    By `coming` the lead is going to change when nobles whose homes are taken change sides.
    """
    if model.winner >= 0:
        return CERTAIN * (1 - model.winner)
    years = max(0, min(FAR_OFF, model.last - model.year))
    score = _lead(model) + coming
    return int(CERTAIN * (0.5 + 0.5 * score / (abs(score) + 1.5 + years)))


def _lead(model: SmallGame) -> float:
    """Return the English lead in nobles; the remains of an army and the leaders' lives count as well."""
    st, score = model.st, model.nobles() + 1.5
    for area, there in enumerate(model.men[ENGLISH]):
        for b in there:
            if not TURNS[b]:
                score += 0.08 * st[b] if area == ENGLAND else 0.25 * st[b] + 0.1 * INFANTRY[b]
    for there in model.men[SCOTS]:
        score -= added(0.3 * st[b] + 0.2 for b in there if not TURNS[b])
    score -= model.at[WALLACE] not in (DEAD, POOL)
    score += 0.5 * (model.edward == 1) + 0.5 * (model.at[MORAY] == DEAD) + (model.at[EDWARD] > ENGLAND)
    return score
