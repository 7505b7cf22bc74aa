"""The card of Swords Over Scotland on a shelf, with its options in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.i18n import N_
from pbem.kernel import Json, View
from pbem.look.cover import Cover, OptionWords


def score(result: Json, _views: Sequence[View]) -> Mapping[str, int]:
    """Return the points of each seat."""
    return dict(result.get("points", {}))


def winners(result: Json) -> Sequence[str]:
    """Return the winners; a victory can be shared."""
    return (result["winner"],) if result["winner"] else tuple(result.get("shared", ()))


_COLOURS = {
    "pink": N_("the pink player"),
    "yellow": N_("the yellow player"),
    "black": N_("the black player"),
    "white": N_("the white player"),
}
COVER = Cover(
    N_("Fill your board with cubes, send them over Scotland, and hold the regions that count."),
    players=(2, 4),
    minutes=(45, 90),
    taught=True,
    options={
        "seat": OptionWords("", _COLOURS),
        "players": OptionWords(N_("Players")),
        "tokens": OptionWords(
            N_("What the regions are worth"),
            {
                "printed": N_("the same in every game"),
                "drawn": N_("dealt anew by dice"),
            },
        ),
        "first": OptionWords(
            N_("Who begins"),
            {"": N_("a die decides"), **_COLOURS},
        ),
        "castles": OptionWords(
            N_("A castle beside a battle acts"),
            {
                "any": N_("for whoever holds it"),
                "present": N_("only for holders with cubes in the region"),
            },
        ),
        "own": OptionWords(
            N_("A castle removes its holder's cubes"),
            {
                "any": N_("if the holder wants it"),
                "last": N_("only when no others are left"),
            },
        ),
        "sword": OptionWords(
            N_("The Long Sword is used"),
            {
                "participant": N_("only in battles of its holder"),
                "any": N_("in any battle"),
            },
        ),
        "crown": OptionWords(
            N_("A tie for the Crown goes"),
            {
                "nobody": N_("to nobody"),
                "itself": N_("to who holds the Crown"),
            },
        ),
        "tie": OptionWords(
            N_("A tie at the end goes"),
            {
                "board": N_("to most cubes on the board"),
                "all": N_("to most cubes, glory cards included"),
            },
        ),
        "merchant": OptionWords(
            N_("The Merchant's Outpost, when it deploys,"),
            {
                "every": N_("gives a further move"),
                "once": N_("gives no further move"),
            },
        ),
    },
    score=score,
    winners=winners,
)
