"""Parts of a step that cannot be so are refused when they come, and whoever said them is named."""

from __future__ import annotations

from typing import Any

import pytest
import tiny_game

from pbem.errors import Fault
from pbem.games import GamePack
from pbem.kernel import Json

from .playing import Couple, at_random

TRUE: Json = {"backs": ["1.0"], "hand": ["c1"], "chest": ["t1", "t2", "t3", "t4", "t5"], "kept": [], "score": 0}


@pytest.mark.variants
@pytest.mark.parametrize(
    "part",
    [
        {},
        {"side": {}},
        {"side": []},
        {"side": "c1"},
        {"side": TRUE | {"kept": "t1"}},
        {"side": TRUE | {"kept": ["t9"]}},
        {"side": TRUE | {"hand": ["c99"]}},
        {"side": TRUE | {"score": "3"}},
        {"side": TRUE | {"more": 1}},
    ],
    ids=str,
)
@pytest.mark.parametrize("liar", ["ann", "bob"])
def test_a_part_that_cannot_be_so_is_refused_when_it_comes(liar: str, part: Json) -> None:
    couple = Couple(GamePack(tiny_game.GAME, "tiny_game"), {"players": 2, "turns": 1})
    peer: Any = couple.plays[liar].peer
    peer.part = lambda _worked: part
    with pytest.raises(Fault) as found:
        couple.play(at_random(1))
    assert (found.value.code, found.value.party) == ("TELL", liar)
