"""What several tests need of attacks at once: scene_of."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from pbem.games import find
from pbem.kernel import Json

from .cheating import Scene, Wanted
from .hosted import TINY

HAMMER, SWORDS = find("hammer"), find("swords")
PACKS = {"tiny": TINY, "hammer": HAMMER, "swords": SWORDS}
OPTIONS: dict[str, Json] = {"tiny": {"players": 2, "turns": 3}, "hammer": {}, "swords": {"players": 2}}
ANY: Wanted = lambda _scene: True  # noqa: E731


@cache
def scene_of(game: str, do: str, wanted: Wanted) -> Scene:
    """The first scene that is wanted, in one game or the next."""
    for seed in range(1, 30):
        with suppress(LookupError):
            return Scene(PACKS[game], OPTIONS[game], do, wanted, seed)
    raise LookupError(do)
