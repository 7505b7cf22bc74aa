"""Random whole games of two to four, a hundred of each, with everything that must always be true looked at after every step."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from pbem.games import find
from pbem.games.swords.game import GAME
from pbem.games.swords.rules.names import GLORY
from pbem.kernel import Json
from tests.conformance.spying import Spy
from tests.conformance.watching import watched_game
from tests.swords.invariants import check_board
from tests.swords.table import lay

OPTIONS: tuple[Json, ...] = (
    {},
    {"tokens": "drawn", "castles": "any"},
    {"crown": "itself", "glory": ["The Crown", "A Bloody Banner", "Long Sword"]},
    {"merchant": "once", "tie": "all", "glory": ["Merchant's Outpost", "Tapestry", "Druid"]},
)


@pytest.mark.slow
@pytest.mark.parametrize("ten", range(10))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_the_invariants(players: int, ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        watched_game(GAME, {"players": players, **OPTIONS[seed % len(OPTIONS)]}, seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", GLORY)
def test_every_two_glory_cards_come_together(first: str) -> None:
    for no, (one, other) in enumerate(combinations(GLORY, 2)):
        if one == first:
            third = next(card for card in (*GLORY[no % 12 :], *GLORY) if card not in (one, other))
            watched_game(GAME, {"players": 2 + no % 3, "glory": [one, other, third]}, no)


@pytest.mark.variants
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_sealed_is_told(players: int) -> None:
    """The table lies open: whoever looks at a position made up from a view is told the same by every step."""
    options = {"players": players, "glory": ["Cardinal", "Quaich", "Long Sword"]}
    spy = Spy(
        find("swords"),
        GAME.seats(options),
        random.Random(f"spied {players}"),
        frozenset(("nothing is hidden",)),
        reports=40,
    )
    spy.follow(options, most=110)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"supply": {"pink": 22, "yellow": 21}}, id="a cube too many"),
        pytest.param({"picts": 3}, id="Picts without their card"),
        pytest.param({"cubes": {"Xyzzy": {"pink": 1}}}, id="no region"),
        pytest.param({"cubes": {"Moray": {"pink": 0}}}, id="no cube"),
        pytest.param({"castles": {"Xyzzy": "pink"}}, id="no castle"),
        pytest.param({"boards": {"pink": {"A1": "yellow"}, "yellow": {}}}, id="a cube of another on a board"),
        pytest.param({"wall": ("Fife", "Isles")}, id="a wall on no border"),
        pytest.param({"cardinal": "Xyzzy"}, id="the Cardinal nowhere"),
        pytest.param({"held": {"Drums": "pink"}}, id="a card that is not in the game"),
    ],
)
def test_what_cannot_be_on_a_table_is_noticed(changes: dict[str, Any]) -> None:
    check_board(lay())
    with pytest.raises(AssertionError):
        check_board(replace(lay(), **changes))
