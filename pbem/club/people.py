"""The identity of players: a player is a series of keys, as the games show each change from one key to the next.

A key is identified by its fingerprint. A key change counts only if the owner of the new key has signed something with it.
Otherwise anyone could name another player's key as his next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class People:
    """The players of some games; each is called by the first of his keys, in the order of their fingerprints."""

    def __init__(self, owned: Iterable[Sequence[str]]) -> None:
        """`owned` are keys that one player has shown to have, from any games and in any order."""
        self._same: dict[str, str] = {}
        for keys in owned:
            for key in keys:
                self._unite(keys[0], key)

    def _unite(self, one: str, other: str) -> None:
        first, last = sorted((self.player(one), self.player(other)))
        self._same[last] = first

    def player(self, key: str) -> str:
        """Return the key by which the owner of this one is called."""
        while (known := self._same.setdefault(key, key)) != key:
            key = known
        return key

    def keys(self, player: str) -> tuple[str, ...]:
        """Return all keys of a player, in the order of their fingerprints."""
        return tuple(key for key in sorted(self._same) if self.player(key) == player)
