"""What things are called over the line: by their names as values, by the same names as slugs where they are keys of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.engine import Engine
from tests.engine.spelling import SLUGS

from .talking import ask

MOST = 120
"""So many steps of a game are looked at."""


def _misspelt(said: Any, slugs: Mapping[str, str], at: str = "") -> Iterator[str]:
    """Go through the keys that are names, and the values that are slugs."""
    if isinstance(said, dict):
        for key, inner in said.items():
            if slugs.get(key, key) != key:
                yield f"{at}: the key {key}"
            yield from _misspelt(inner, slugs, f"{at}/{key}")
    elif isinstance(said, list):
        for inner in said:
            yield from _misspelt(inner, slugs, at)
    elif isinstance(said, str) and said not in slugs and said in slugs.values():
        yield f"{at}: the value {said}"


@pytest.mark.variants
@pytest.mark.parametrize("game", SLUGS)
def test_values_are_names_and_keys_are_slugs(game: str) -> None:
    engine, slugs, found = Engine(), SLUGS[game], set[str]()
    wants = ask(engine, "new", game=game)["wants"]
    for no in range(MOST):
        if wants["k"] == "end":
            break
        looked = [ask(engine, "position"), wants, *(ask(engine, "view", seat=seat) for seat in wants.get("seats", ()))]
        if wants["k"] == "chance":
            reached = ask(engine, "step", seed=no)
        else:
            sampled = {seat: ask(engine, "options", seat=seat, samples=1, seed=no) for seat in wants["seats"]}
            reached = ask(engine, "step", orders={seat: said["orders"][0] for seat, said in sampled.items()})
        found |= {flaw for said in (*looked, reached) for flaw in _misspelt(said, slugs)}
        wants = reached["wants"]
    assert not found


def test_a_misspelt_name_is_found() -> None:
    slugs = SLUGS["hammer"]
    wrong = {"blocks": {"Lancaster Archers": 1}, "at": ["lanark", "Lanark"]}
    assert [*_misspelt(wrong, slugs)] == ["/blocks: the key Lancaster Archers", "/at: the value lanark"]
    assert not [*_misspelt({"areas": {"lanark": 1}, "at": "Lanark"}, slugs)]
