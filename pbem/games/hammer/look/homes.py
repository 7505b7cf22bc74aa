"""Nobles who wait for a choice of home in winter (7.12), as their owner is shown them: where they stand, or on the way home.

The rules keep such a noble in the first of his homes until it is chosen, and the enemy sees no more than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules import SLUG, at_home
from ..views import HammerView


def as_they_stand(view: HammerView) -> HammerView:
    """Return a view in which its seat's nobles who stood in one of their homes when the winter began stand there."""
    moved: dict[str, tuple[str, str]] = {}
    for name in _waiting(view):
        own, there = view.own(name), at_home(view, name)
        if own and there and own.at != there:
            moved[name] = own.at, there
    if not moved:
        return view
    blocks: dict[Any, Any] = dict(view.blocks)
    areas: dict[Any, dict[Any, int]] = {area: dict(counts) for area, counts in view.areas.items()}
    shown: dict[Any, Any] = dict(view.face_up or {})
    for name, (start, end) in moved.items():
        key = SLUG[name]
        blocks[key] = blocks[key].model_copy(update={"at": end})
        if key in shown:
            shown[key] = shown[key].model_copy(update={"at": end})
        for area, n in ((start, -1), (end, 1)):
            counts = areas.setdefault(SLUG[area], {})
            counts[view.seat] = counts.get(view.seat, 0) + n
    there_are = {area: {side: n for side, n in counts.items() if n} for area, counts in areas.items()}
    # made anew, as a copy would keep what was worked out of the view before
    return view.model_construct(
        **{name: getattr(view, name) for name in type(view).model_fields}
        | {
            "blocks": blocks,
            "areas": {area: counts for area, counts in there_are.items() if counts},
            "face_up": shown or None,
        }
    )


def on_the_way(view: HammerView, name: str) -> bool:
    """Does a noble of the seat wait for his home who stood in none when the winter began?"""
    return name in _waiting(view) and not at_home(view, name)


def _waiting(view: HammerView) -> tuple[str, ...]:
    ask: Mapping[str, Any] = view.ask or {}
    return tuple(ask.get("nobles", ())) if ask.get("what") == "home" else ()
