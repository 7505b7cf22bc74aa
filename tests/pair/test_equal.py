"""What two play without a host is the hosted game of the same decisions, dice and deals: a few whole games; `many` plays more."""

from __future__ import annotations

import pytest

from pbem.kernel import Json

from .hosted import TINY, Watched, equal_to_hosted, find

GAMES: list[tuple[str, Json]] = [
    ("tiny", {"players": 2, "turns": 4}), ("swords", {"players": 2}), ("tournament", {"players": ["ann", "bob"]}),
]  # fmt: skip


@pytest.mark.variants
@pytest.mark.parametrize("bots", [{}, {0: "sensible", 1: "sensible"}])
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_game_without_a_host_is_the_hosted_one(game: str, options: Json, bots: dict[int, str]) -> None:
    couple = Watched(TINY if game == "tiny" else find(game), options, f"equal {game}", bots)
    assert couple.play(couple.answer)
    assert equal_to_hosted(couple) > 1


@pytest.mark.slow
def test_a_year_of_hammer_is_the_hosted_one() -> None:
    """A short campaign: winters, deals, turned nobles; more of it in `python -m tests.pair.many`."""
    couple = Watched(find("hammer"), {"scenario": "bruce"}, "equal hammer", {1: "sensible"})
    assert couple.play(couple.answer)
    assert equal_to_hosted(couple) > 100
