"""The luck of a pair of games: derived from a seed, and the same for both games and any players.

The outcomes of chance depend on the seed, the pair, the chain, and the number of its earlier outcomes in this game. They do not
depend on the players. So in both games the n-th dice are the same, and the n-th deal has the same order of those cards that are in
both.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from pbem.kernel import Chance, Outcome, Request, Roll


class PairLuck:
    """Gives the outcomes of one game of a pair."""

    def __init__(self, seed: str, pair: int) -> None:
        self._name = f"{seed}\n{pair}"
        self._asked: Counter[str] = Counter()

    def outcome(self, wanted: Chance) -> Outcome:
        """Return what chance gives now."""
        self._asked[wanted.label] += 1
        name = f"{self._name}\n{wanted.label}\n{self._asked[wanted.label]}"
        return tuple(_given(request, f"{name}\n{no}") for no, request in enumerate(wanted.requests))


def _given(request: Request, name: str) -> tuple[int | str, ...]:
    if isinstance(request, Roll):
        return tuple(_number(f"{name}\n{die}") % request.sides + 1 for die in range(request.n))
    seen: Counter[str] = Counter()
    ranked = list[tuple[int, str]]()
    for item in request.of:
        seen[item] += 1
        ranked.append((_number(f"{name}\n{item}\n{seen[item]}"), item))
    return tuple(item for _rank, item in sorted(ranked)[: request.n])


def _number(name: str) -> int:
    """Return a 256-bit number: modulo a few sides it is as even as any die."""
    return int.from_bytes(sha256(name.encode()).digest())
