"""The suite that every game must pass, for Swords Over Scotland with each number of players and each option."""

from __future__ import annotations

from itertools import combinations

import pytest

from pbem.games.swords.game import GAME
from pbem.games.swords.knowing import KNOWING
from pbem.games.swords.look import LOOK
from pbem.kernel import Json
from tests.conformance import Conformance
from tests.conformance.logged import Logged


class _Swords(Conformance):
    """What all of them share."""

    game = GAME
    look = LOOK
    knowing = KNOWING
    where = "pbem.games.swords:GAME"
    games = 1


class TestSwords(_Swords):
    """A game of three, looked at here and there: what every run has time for."""

    options = ({"players": 3},)
    plans = ("COMMIT Moray: 3\nCOMMIT ANY: HALF", "RETREAT Ross, ANY\nGLORY NONE\nNEXT ANY")
    stride = 17
    slow_stride = 41
    hash_limit = 20
    seed = 1
    hash_seeds = ("1",)
    looked_at = frozenset({1})
    together = 80


@pytest.mark.slow
class TestSwordsAtLength(_Swords):
    """Whole games of two, three and four."""

    options = tuple({"players": players} for players in (2, 3, 4))
    plans = (
        "DEPLOY ANY TO Moray, Fife, ANY",
        "COMMIT Moray: 3\nCOMMIT ANY: HALF",
        "RETREAT Ross, ANY\nGLORY NONE\nNEXT ANY",
    )
    stride = 3
    slow_stride = 11
    hash_limit = 80


@pytest.mark.slow
class TestOptions(_Swords):
    """All glory cards, four at a time; the options of the readings."""

    options = (
        {"players": 4, "glory": ["A Bloody Banner", "Cardinal", "Long Sword"], "first": "black", "castles": "any"},
        {"players": 3, "glory": ["Tapestry", "Merchant's Outpost", "Druid"], "tokens": "drawn", "merchant": "once"},
        {"players": 4, "glory": ["Hadrian's Wall", "Quaich", "The Crown"], "crown": "itself", "tie": "all"},
        {"players": 2, "glory": "first"},
        {"players": 3, "glory": ["Bagpipes", "Drums", "Edinburgh Castle"]},
    )
    stride = 5
    slow_stride = 17
    hash_limit = 60


def _wide_parts() -> Json:
    """Printed parts of nearly as many bytes as there may be: thirty regions of long names, forty castles, all the borders."""
    names = [f"Region Of Long Names {one}{other}" for one in "abcdef" for other in "abcde"]
    borders = sorted(combinations(names, 2), key=lambda pair: names.index(pair[1]) - names.index(pair[0]))[:400]
    icons = ["stag", "harp", "lion", "ship"]
    return {
        "source": "x" * 1000,
        "regions": [{"name": name, "token": [9, 12]} for name in names],
        "land": borders[:200],
        "sea": borders[200:],
        "castles": [
            {"name": f"Castle {one}{other}", "border": borders[no]}
            for no, (one, other) in enumerate((one, other) for one in "abcdefgh" for other in "abcde")
        ],
        "icons": icons,
        "player_board": [[icons[(row + column) % 4] for column in range(8)] for row in range(8)],
        "deployment_cards": [{"icon": icon, "number": number} for icon in icons for number in (2, 3)],
        "rounds": 1,
    }


class TestOwnParts(Logged):
    """The log of a game with printed parts of somebody's own, as large as they may be."""

    game = GAME
    options = ({"players": 4, "parts": _wide_parts()},)
    games = 1
