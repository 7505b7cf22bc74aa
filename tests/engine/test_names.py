"""What a question is about has one name: it stands in the position, and in an order that is legal, in every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine import Engine

from .spelling import SLUGS
from .talking import ask

GAMES = 4
MOST = 260
"""So many steps of a game are looked at."""
NAMED = {"area", "areas", "blocks", "nobles", "card", "cards", "region", "regions", "square", "castles", "icon"}
"""What of `about` is a name, or names."""
_LETTER = re.compile(r"(.* \d) [a-z]")


def names(about: Any, key: str = "") -> Iterator[str]:
    """Go through the names that are told of a question."""
    if isinstance(about, dict):
        for inner, said in about.items():
            yield from names(said, inner)
    elif isinstance(about, list):
        for said in about:
            yield from names(said, key)
    elif key in NAMED and isinstance(about, str):
        yield about


def words(said: Any) -> Iterator[str]:
    """Go through the keys and the texts of a position; cards without the letter that tells them from their like."""
    if isinstance(said, dict):
        yield from said
        said = list(said.values())
    if isinstance(said, list):
        for inner in said:
            yield from words(inner)
    elif isinstance(said, str):
        yield said if (found := _LETTER.fullmatch(said)) is None else found[1]


def flaws(game: str, options: dict[str, Any]) -> tuple[set[str], set[str], set[str]]:
    """Return the names that questions told in some games; those that no position had; those that no legal order had."""
    told, astray, texts = set[str](), set[str](), set[str]()
    engine = Engine()
    for number in range(GAMES):
        wants = ask(engine, "new", game=game, options=options)["wants"]
        for step in range(MOST):
            if wants["k"] == "end":
                break
            seed = f"{number} {step}"
            if wants["k"] == "chance":
                wants = ask(engine, "step", seed=seed)["wants"]
                continue
            here, orders = {*words(ask(engine, "position"))}, {}
            for seat, about in wants["about"].items():
                found = {*names(about)}
                told |= found
                astray |= {name for name in found if not {name, SLUGS[game].get(name, name)} & here}
                samples = ask(engine, "options", seat=seat, samples=12, seed=seed)["orders"]
                assert all(said["legal"] for said in ask(engine, "why_not", seat=seat, orders=samples)["answers"])
                texts |= {*samples}
                orders[seat] = samples[0]
            wants = ask(engine, "step", orders=orders)["wants"]
    every = "\n".join(texts)
    return told, astray, {name for name in told if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", every)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "least"),
    [("hammer", {"years": 2}, 40), ("lords", {"players": 3, "rounds": 3}, 20), ("swords", {"players": 3}, 15)],
)
def test_what_is_told_of_a_question_stands_in_positions_and_in_orders(
    game: str, options: dict[str, Any], least: int
) -> None:
    told, astray, unordered = flaws(game, options)
    assert len(told) >= least
    assert (astray, unordered) == (set(), set())


def test_names_and_words_are_found() -> None:
    about = {"area": "Fife", "blocks": ["Wallace"], "points": [{"area": "Mar", "points": 3}], "what": "hits"}
    assert [*names(about)] == ["Fife", "Wallace", "Mar"]
    assert [*words({"moray": [{"played": "Move 3 a"}], "at": 2})] == ["moray", "at", "played", "Move 3"]
