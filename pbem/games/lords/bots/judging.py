"""What a table of Lords of Scotland is worth to each seat when a round is over."""

from __future__ import annotations

from pbem.games.searching import WORTH

from .fray import CLAN, Fray

_TABLE = [1000]
while _TABLE[-1] > 1:
    _TABLE.append(_TABLE[-1] * 31 // 32)


def shares(table: Fray) -> list[int]:
    """Return each seat's chance to win, in parts of `WORTH`."""
    seats = range(len(table.hands))
    if table.over:
        return [WORTH if seat == table.winner else 0 for seat in seats]
    values = [_value(table, seat) for seat in seats]
    best = max(values)
    weights = [_TABLE[min(best - value, len(_TABLE) - 1)] for value in values]
    total = sum(weights)
    return [WORTH * weight // total for weight in weights]


def _value(table: Fray, seat: int) -> int:
    strength = table.printed.strength
    value = 6 * table.points[seat]
    kin = [0] * 9
    for card in table.hands[seat]:
        value += 4 + strength[card] + 4 * kin[CLAN[card]]
        kin[CLAN[card]] += 1
    for card, _up, _power, _seen in table.armies[seat]:
        value += 2 * strength[card]
    return value + (6 if table.victor == seat else 0)
