"""What several tests need of look facts: _TO, _NAMED, _GAINS."""

from __future__ import annotations

from typing import Any

_TO = {"annan": 1, "lennox": 2}
_NAMED = {"annan": ["Keith"], "lennox": ["Grant", "Norse"]}
_GAINS = [{"block": "Wallace", "strength": 4}, {"block": "Grant", "strength": 3}]
SAMPLES: dict[str, list[dict[str, Any]]] = {
    "levy": [{"n": 4}, {"n": 2, "blocks": ["Edward", "York Knights"]}, {"n": 0}],
    "year": [{"year": 1298}],
    "dealt again": [{"year": 1298}],
    "turn": [{"year": 1298, "turn": 3}],
    "cards": [{"english": "Move 2", "scottish": "Herald", "first": "scottish"}],
    "year ends": [{"year": 1298, "early": False}, {"year": 1299, "early": True}],
    "victory": [
        {"winner": "english", "why": why}
        for why in ("all nobles", "king killed", "edward ii killed", "majority", "tie wallace", "tie no wallace")
    ],
    "pass": [{"side": "english", "card": "Move 2"}, {"side": "scottish", "card": "Truce"}],
    "herald": [{"side": "english", "noble": "Bruce"}],
    "herald answer": [{"noble": "Bruce", "die": 4, "success": True}, {"noble": "Bruce", "die": 5, "success": False}],
    "pillage": [{"side": "scottish", "target": "Dunbar", "group": "Teviot"}],
    "pillage losses": [
        {"side": "english", "area": "Dunbar", "steps": 2, "gone": 1},
        {"side": "english", "area": "Dunbar", "steps": 1, "gone": 0, "losses": [{"block": "Hobelars", "strength": 2}]},
        {"side": "english", "area": "Dunbar", "steps": 2, "gone": 1, "losses": [{"block": "Hobelars", "strength": 0}]},
    ],
    "pillage gains": [
        {"side": "scottish", "area": "Teviot", "steps": 0},
        {"side": "scottish", "area": "Teviot", "steps": 2, "gains": _GAINS},
    ],
    "sea move": [
        {"side": "scottish", "start": "Fife", "to": "Ross", "n": 2},
        {"side": "scottish", "start": "Fife", "to": "Ross", "n": 2, "blocks": ["Wallace", "Grant"]},
    ],
    "truce": [{"side": "english"}],
    "victuals": [{"side": "scottish", "area": "Fife", "steps": 3, "gains": _GAINS}],
    "coronation": [{"king": "Bruce", "area": "Fife"}, {"king": "Comyn", "area": "Fife"}],
    "return": [{"area": "Mar"}],
    "defection": [
        {"noble": "Bruce", "to": "english", "area": "Annan", "why": "herald"},
        {"noble": "Comyn", "to": "english", "area": "Fife", "why": "coronation", "strength": 3},
    ],
    "move": [
        {"side": "english", "route": ["England", "Annan", "Galloway"], "n": 2, "attack": True},
        {"side": "english", "route": ["Mar", "Angus"], "n": 1, "reinforce": True, "blocks": ["Mar"]},
        {"side": "scottish", "route": ["Ross", "Fife"], "n": 1, "norse": True},
        {"side": "scottish", "route": ["Mar", "Atholl"], "n": 2, "rally": True},
    ],
    "main attack": [
        {"area": "Galloway", "start": "England", "via": "Annan", "n": 2, "reserve": 1},
        {"area": "Annan", "start": "England", "via": "England", "n": 1},
        {"area": "Fife", "start": "Ross", "via": "sea", "n": 1, "reserve": 2},
    ],
    "battles": [{"areas": ["Fife"]}, {"areas": ["Fife", "Mar", "Annan"]}],
    "battle": [
        {"area": "Fife", "attacker": "english", "english": 3, "scottish": 1, "english_reserve": 1},
        {"area": "Fife", "attacker": "scottish", "english": 1, "scottish": 1, "event": True},
    ],
    "round": [{"area": "Fife", "round": 2}],
    "reveal": [
        {"side": "scottish", "blocks": {"wallace": 4, "grant": 3}},
        {"side": "scottish", "blocks": {"grant": 3, "moray": 3}, "ratings": {"moray": "A3"}},
    ],
    "unity": [
        {"block": "Wales Archers", "die": 5, "gone": True},
        {"block": "Ulster Infantry", "die": 4, "gone": False},
    ],
    "fire": [
        {"block": "Wallace", "rating": 3, "dice": [2, 5, 1, 3], "hits": 3},
        {"block": "Mar", "rating": 3, "home": True, "dice": [6], "hits": 0},
        {"block": "Grant", "rating": 3, "schiltrom": True, "dice": [3, 4], "hits": 1},
        {"block": "Moray", "rating": 3, "letter": "A", "dice": [3, 4], "hits": 1},
    ],
    "hit": [{"blocks": {"york_knights": 2}}, {"blocks": {"wallace": 3, "york_knights": 0, "grant": 1}}],
    "retreats": [{"block": "Wallace"}],
    "stays": [{"block": "Wallace"}],
    "killed": [
        {"area": "Fife", "side": "scottish", "block": "Wallace", "fate": "dead"},
        {"area": "Fife", "side": "scottish", "block": "Grant", "fate": "pool"},
    ],
    "edward": [{"area": "Fife"}],
    "captured": [
        {"area": "Fife", "noble": "Bruce", "by": "english", "how": how} for how in ("killed", "no retreat", "pillage")
    ],
    "control": [{"attacker": "scottish"}],
    "withdraw": [{"side": "scottish"}],
    "retreat": [
        {"area": "Lanark", "side": "scottish", "to": _TO},
        {"area": "Lanark", "side": "scottish", "to": _NAMED, "lost": ["Fraser", "Lindsay"]},
        {"area": "Lanark", "side": "scottish", "to": {}, "lost": ["Fraser"]},
    ],
    "battle over": [
        {"area": "Fife", "winner": "english"}, {"area": "Fife"}, {"area": "Fife", "winner": "english", "stay": True},
    ],
    "regroup": [
        {"area": "Lanark", "side": "scottish", "to": _TO}, {"area": "Lanark", "side": "scottish", "to": _NAMED},
        {"area": "Lanark", "side": "scottish", "to": {}},
    ],
    "raid": [{"n": 1, "area": "Mar"}, {"n": 2, "area": "Mar", "block": "York Infantry"}, {"n": 1}],
    "homes": [{"side": "english", "nobles": [{"noble": "Mar", "area": "Mar"}, {"noble": "Bruce", "area": "Annan"}]}],
    "turned": [
        {"noble": "Mar", "to": "scottish", "area": "Mar"}, {"noble": "Comyn", "to": "english", "strength": 2},
    ],
    "winter move": [
        {"side": "scottish", "start": "Ross", "to": "Moray"},
        {"side": "scottish", "start": "Fife", "to": "Selkirk", "block": "Wallace", "strength": 4},
        {"side": "scottish", "start": "Selkirk", "to": "Selkirk"},
    ],
    "disband": [
        {"side": "english", "areas": [{"area": "England", "n": 3}, {"area": "Mar", "n": 1}]},
        {"side": "english", "areas": [{"area": "Mar", "n": 2, "blocks": ["Edward", "Hobelars"]}]},
    ],
    "edward winters": [{}, {"area": "Mentieth"}],
    "french": [{}],
    "build": [
        {"side": "scottish", "areas": [{"area": "Fife", "steps": 3}, {"area": "Mar", "steps": 1}]},
        {"side": "scottish", "areas": [{"area": "Fife", "steps": 3, "gains": _GAINS}]},
    ],
    "draw": [
        {"side": "scottish", "area": "Fife"}, {"side": "scottish", "area": "Fife", "block": "Keith"},
        {"side": "scottish", "area": "Lanark", "to": "Carrick"},
    ],
    "no levy": [{}],
    "edward ii": [{}],
}  # fmt: skip
"""Every kind of fact, as the public and as its owner hear it."""
