"""The card of Tiny on a shelf, with its options in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.i18n import N_
from pbem.kernel import Json, View
from pbem.look.cover import Cover, OptionWords


def score(result: Json, _views: Sequence[View]) -> Mapping[str, int]:
    """Return the points of each seat."""
    return dict(result.get("score", {}))


COVER = Cover(
    N_("An example for programmers: each plays a card in secret and rolls a die; the higher sum wins."),
    players=(2, 4),
    minutes=(3, 5),
    options={"players": OptionWords(N_("Players")), "turns": OptionWords(N_("Turns"))},
    score=score,
)
