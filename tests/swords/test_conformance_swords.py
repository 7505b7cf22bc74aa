"""The suite that every game must pass, for Swords Over Scotland with each number of players and each option."""

from __future__ import annotations

from pbem.games.swords.game import GAME
from pbem.games.swords.look import LOOK
from tests.conformance import Conformance


class TestSwords(Conformance):
    """Whole games of two, three and four."""

    game = GAME
    look = LOOK
    where = "pbem.games.swords:GAME"
    options = tuple({"players": players} for players in (2, 3, 4))
    plans = (
        "CUBE Moray, Moray, Fife, Isles",
        "DEPLOY ANY TO Moray, Fife, ANY",
        "COMMIT Moray: 3\nCOMMIT ANY: HALF",
        "RETREAT Ross, ANY\nGLORY NONE\nHEAL NO",
    )
    games = 1
    stride = 3
    slow_stride = 11
    hash_limit = 80


class TestOptions(Conformance):
    """All glory cards, four at a time; the options of the readings."""

    game = GAME
    look = LOOK
    where = "pbem.games.swords:GAME"
    options = (
        {"players": 4, "glory": ["A Bloody Banner", "Cardinal", "Long Sword"], "first": "black", "castles": "any"},
        {"players": 3, "glory": ["Tapestry", "Merchant's Outpost", "Druid"], "tokens": "drawn", "merchant": "once"},
        {"players": 4, "glory": ["Hadrian's Wall", "Quaich", "The Crown"], "crown": "itself", "tie": "all"},
        {"players": 2, "glory": "first"},
        {"players": 3, "glory": ["Bagpipes", "Drums", "Edinburgh Castle"]},
    )
    games = 1
    stride = 5
    slow_stride = 17
    hash_limit = 60
