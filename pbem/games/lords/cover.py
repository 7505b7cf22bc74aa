"""The card of Lords of Scotland on the shelf of games, with its options in plain words.

The words of an option describe its effect on play; `docs/reference` names the rule that it follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.i18n import N_
from pbem.kernel import Json, View
from pbem.look.cover import Cover, OptionWords


def score(result: Json, _views: Sequence[View]) -> Mapping[str, int]:
    """Return the points of each seat."""
    return dict(result.get("points", {}))


COVER = Cover(
    N_("Play followers into skirmishes, use their powers, and claim the throne with 40 points."),
    players=(2, 5),
    minutes=(20, 45),
    taught=True,
    options={
        "players": OptionWords(N_("Players")),
        "bruce": OptionWords(N_("With the two Bruce cards")),
        "first": OptionWords(
            N_("Who begins"),
            {
                "": N_("the dice decide"),
            },
        ),
        "activation": OptionWords(
            N_("A power is used"),
            {
                "usual": N_("as is usual for this number of players"),
                "lowest": N_("if no other follower there is weaker"),
                "clan": N_("if no other of its clan is as strong or weaker"),
            },
        ),
        "claims": OptionWords(
            N_("Supporters are claimed"),
            {
                "together": N_("by all at once"),
                "in turn": N_("one after the other"),
            },
        ),
        "goal": OptionWords(N_("Points that win")),
        "rounds": OptionWords(
            N_("Rounds"),
            {
                "0": N_("no limit"),
            },
        ),
        "bruce_strength": OptionWords(N_("Strength of the Bruce cards")),
    },
    score=score,
)
"""Seats are lords; their names need no other words.

A power that is “usual” follows the number of players.
"""
