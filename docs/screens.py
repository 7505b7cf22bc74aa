"""Makes a desk on which a game alone stands at each kind of screen: ``python -m docs.screens FOLDER`` prints their names as JSON.

The pictures of the docs are made over it, and the face is driven over it in a browser. The built-in players play each game, from a
seed, up to a question of its kind; so all stand there as they will the next time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem.page.service import Service

MOST = 2000
"""So many questions are answered at the most until a screen is reached."""
SEEDS = 6
"""So many games are tried."""
Position = Mapping[str, Any]


class Wanted(NamedTuple):
    """A kind of screen: of which game, who sees it, from which seed, and what its position is like."""

    game: str
    seat: str
    seed: int
    is_it: Callable[[str, Position], bool]
    player: str = "sensible"
    """Who plays for that seat: against one who plays at random a war is soon over."""


def _asked(what: str) -> Callable[[str, Position], bool]:
    return lambda asked, position: position["asked"] and asked == what


def _lively(asked: str, position: Position) -> bool:
    """Is it a battle of several blocks, in which dice have fallen?"""
    blocks = position["scene"]["svg"].count("data-at=") if position["scene"] else 0
    return asked == "battle action" and blocks > LIVELY and "round 1" not in position["scene"]["svg"]


LIVELY = 4
SCREENS = {
    "hand": Wanted("hammer", "scottish", 4, _asked("card")),
    "moves": Wanted("hammer", "scottish", 4, _asked("act")),
    "battle": Wanted("hammer", "scottish", 4, _lively),
    "retreats": Wanted("hammer", "english", 4, _asked("retreats")),
    "regroup": Wanted("hammer", "scottish", 4, _asked("regroup")),
    "home": Wanted("hammer", "scottish", 4, _asked("home")),
    "disband": Wanted("hammer", "scottish", 4, _asked("disband")),
    "winter": Wanted("hammer", "scottish", 4, _asked("build")),
    "lords": Wanted("lords", "angus", 3, lambda asked, position: position["n"] > 60 and position["asked"]),
    "claim": Wanted("lords", "angus", 3, _asked("claim")),
    "place": Wanted("swords", "pink", 3, _asked("place")),
    "deploy": Wanted("swords", "pink", 3, _asked("deploy")),
    "over": Wanted("hammer", "scottish", 4, lambda _, position: bool(position["over"]), "random"),
}
"""By name, each kind of screen that a game alone shows."""


def make(folder: Path, names: Mapping[str, Wanted] = SCREENS) -> dict[str, str]:
    """Play the games; return by the name of the screen what each is called on the desk in `folder`."""
    service = Service(folder)
    return {name: _made(service, wanted) for name, wanted in names.items()}


def _made(service: Service, wanted: Wanted) -> str:
    """Return the game of the first seed that comes to such a screen: other rules, though they play alike, have other dice."""
    for seed in range(wanted.seed, wanted.seed + SEEDS):
        if game := _played(service, wanted, seed):
            return game
    raise SystemExit(f"{wanted.game}, seed {wanted.seed} and those after it: that screen is not reached.")


def _played(service: Service, wanted: Wanted, seed: int) -> str:
    """Play up to that screen; return what the game is called, "" where it is over before."""
    game: str = _call(service, "begin", game=wanted.game, seat=wanted.seat, seed=str(seed))["game"]
    solo, whims = service.alone.get(game), Random(seed)  # noqa: S311 - it draws a picture
    player = solo.pack.bots[wanted.player]()
    for _question in range(MOST):
        while _call(service, "go_on", game=game)["more"]:
            pass
        view: Any = solo.view
        asked = (view.ask or {}).get("what", "") if wanted.game == "hammer" else view.question
        position = _call(service, "position", game=game)
        if wanted.is_it(asked, position):
            return game
        if position["over"]:
            break
        _call(service, "sign", game=game, text=str(player.answer(view, whims)))
    service.alone.forget(game)
    return ""


def _call(service: Service, call: str, **more: Any) -> Any:
    return json.loads(service.answer(json.dumps({"call": call, **more})))["ok"]


if __name__ == "__main__":
    print(json.dumps(make(Path(sys.argv[1]))))
