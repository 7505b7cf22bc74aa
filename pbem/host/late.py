"""Whether an order that cannot be taken any more had come in time: its host closed the question before it was read.

It decides nothing: the log stands as it is. The player gets the host's signed word of it.
"""

from __future__ import annotations

from pbem.kernel import Json
from pbem.referee import Envelope

from .hosted import HostedGame


def came_in_time(game: HostedGame, envelope: Envelope, at: str) -> str:
    """Return until when the question of an order could be answered, if the order came by then and its seat was skipped; else ""."""
    say, seat = envelope.say, envelope.say.get("seat")
    if say.get("act") not in ("order", "ahead") or not game.course.terms.hours:
        return ""
    due, ask = "", 0
    for n, entry in enumerate(game.ledger.entries()):
        match entry["k"]:
            case "ask" if _is_meant(say, n, entry):
                due, ask = str(entry.get("due", "")), n
            case "extend" if entry["ask"] == ask:
                due = str(entry["due"])
            case "skip" if entry["ask"] == ask and entry["to"] == seat and entry["why"] in ("due", "late"):
                return due if at <= due else ""
    return ""


def _is_meant(say: dict[str, Json], n: int, ask: dict[str, Json]) -> bool:
    if say["act"] == "order":
        return bool(say.get("ask") == n)
    return bool("mark" in ask and ask["mark"] == say.get("link_n") and say.get("seat") in ask["to"])
