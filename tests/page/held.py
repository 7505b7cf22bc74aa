"""What several tests need of held: glances, about."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pbem.games import find
from pbem.games.lessons import lesson_of
from pbem.page.lessons import LESSONS
from pbem.page.listing import ALL
from pbem.page.puzzles import PUZZLES

WORKER = Path(__file__).parents[2] / "pbem" / "page" / "carrier" / "worker.mjs"


def glances() -> list[str]:
    """The calls after which a browser's worker does not look what has changed on the desk."""
    found = re.search(r"GLANCES = new Set\((\[.*?\])\)", WORKER.read_text("utf-8"))
    assert found
    return list(json.loads(found[1]))


def about(call: str, *games: str) -> list[dict[str, str]]:
    """What a call is asked about, if it is asked of each of these games; a puzzle's is asked of a puzzle, a lesson's of a step."""
    if "game" not in ALL[call].goes_in.model_fields:
        return [{}]
    if call in LESSONS:
        order = {"text": lesson_of(find("hammer")).steps[0].wants[0]} if call == "learn" else {}
        return [{"game": "hammer" if call == "rulebook" else "lesson-hammer-1", **order}]
    return [{"game": game} for game in (["puzzle-lords-1"] if call in PUZZLES else games)]
