"""The card of Hammer of the Scots on a shelf, with its options in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.i18n import N_
from pbem.kernel import Json, View
from pbem.look.cover import Cover, OptionWords

COUNTED = ("majority", "tie wallace", "tie no wallace", "all nobles")
"""The ends at which nobles are counted."""


def score(result: Json, views: Sequence[View]) -> Mapping[str, int]:
    """Return the nobles of each side, where they decided the game."""
    from .look.closing import nobles

    return nobles(views) if result["why"] in COUNTED else {}


COVER = Cover(
    N_("England and Scotland fight for the allegiance of the nobles. You see only your own blocks."),
    players=(2, 2),
    minutes=(90, 180),
    taught=True,
    options={
        "seat": OptionWords(
            "",
            {
                "english": N_("the English"),
                "scottish": N_("the Scots"),
            },
        ),
        "scenario": OptionWords(
            N_("Scenario"),
            {
                "braveheart": N_("Braveheart, from 1297"),
                "bruce": N_("The Bruce, from 1306"),
                "campaign": N_("Both, one after the other"),
            },
        ),
        "edition": OptionWords(
            N_("Rules"),
            {
                "4.0": N_("newest, edition 4.0"),
                "2.3": N_("older, edition 2.3"),
            },
        ),
        "years": OptionWords(
            N_("Years"),
            {
                "0": N_("no limit"),
            },
        ),
        "bid": OptionWords(
            N_("Handicap"),
            {
                "": N_("no handicap"),
                "E1": N_("Edward stays away for 1 year"),
                "E2": N_("Edward stays away for 2 years"),
                "E3": N_("Edward stays away for 3 years"),
                "S1": N_("the English begin with 1 more block"),
                "S2": N_("the English begin with 2 more blocks"),
                "S3": N_("the English begin with 3 more blocks"),
            },
        ),
    },
    score=score,
)
