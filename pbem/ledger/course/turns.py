"""The course of a log on one page: the kinds of entries allowed in each phase, and the phases they lead to.

`objections` has the other conditions for an entry, and `steps` its effects. This is the part that can be learned by heart. The
format's reference page has its table from here.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ledger.course.state import Phase

_CLOSING: tuple[Phase, ...] = ("answered", "play")
_CALLED: tuple[Phase, ...] = ("called",)

TURNS: Mapping[Phase, Mapping[str, tuple[Phase, ...]]] = {
    "roster": {"game": ("roster",), "join": ("roster", "ready"), "say": ("roster",)},
    "ready": {"ready": ("ready", "play"), "say": ("ready",)},
    "play": {"rand": ("play",), "tell": ("told",), "end": ("over",), "say": ("play",)},
    "told": {"ask": ("asked",), "end": ("over",), "say": ("told",)},
    "asked": {
        "order": _CLOSING,
        "skip": _CLOSING,
        "say": ("asked",),
        "extend": ("asked",),
        "amend": ("play", "called"),
        "rekey": _CALLED,
        "host": _CALLED,
        "renew": _CALLED,
        "end": ("over",),
    },
    "answered": {"order": _CLOSING, "skip": _CLOSING, "say": ("answered",)},
    "called": {
        "ready": ("called", "told", "play"),
        "say": ("called", "told", "play"),
        "extend": _CALLED,
        "amend": _CALLED,
        "rekey": _CALLED,
        "host": _CALLED,
        "renew": _CALLED,
        "end": ("over",),
    },
    "over": {},
}
"""By phase, the kinds of entries that may come in it, each with the phases that may follow."""

MEANS: Mapping[Phase, str] = {
    "roster": "players take their seats",
    "ready": "all seats are taken and get ready",
    "play": "no question is open; dice and cards may come",
    "told": "everybody has heard the news",
    "asked": "a question is open, and untouched",
    "answered": "the log has one of its answers",
    "called": "all seats must get ready again",
    "over": "the game has ended",
}
"""The meaning of each phase."""
