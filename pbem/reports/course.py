"""How a game went: each step that was not taken back, with the position as somebody saw it and what he heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pbem.kernel import Json, View
from pbem.ledger import TAKEBACK, cj, read_line

from .text import readable

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbem.games import GamePack
    from pbem.look import PageTable

    from .told import Told

Steps: TypeAlias = dict[int, tuple[View, Sequence[Json]]]
"""By entry: the position after it, and the facts that led there."""


def step(steps: Steps, n: int, view: View, facts: Sequence[Json]) -> None:
    """Note a step; a take-back removes the steps that it takes back."""
    for fact in facts:
        if fact["f"] == TAKEBACK:
            stands = _before(steps.get(fact["ask"]), fact)
            for gone in [one for one in steps if one >= fact["ask"]]:
                del steps[gone]
            if stands:
                steps[fact["ask"]] = view, stands
    steps[n] = view, facts


def _before(step: tuple[View, Sequence[Json]] | None, takeback: Json) -> Sequence[Json]:
    """Return the facts that remain of the step at which the take-back begins; in a game of two, earlier facts of the step may
    remain.
    """
    facts = step[1] if step else ()
    said = [fact for fact in facts if fact["f"] == "say"]
    rest = [fact for fact in facts if fact["f"] != "say"]
    return [*said, *rest[: takeback["stand"]]] if "stand" in takeback else ()


def closing(pack: GamePack, seat: str, tells: Sequence[Told]) -> Sequence[PageTable | Markup]:
    """Return how a game went for one seat ("" for the public), for its end: tables and drawings."""
    steps: Steps = {}
    for tell in tells:
        view = pack.rules.read_view(read_line(cj(tell.view)))
        step(steps, tell.n, view, list(_known(pack, seat, tell.facts)))
    return pack.look.closing(list(steps.values()))


def _known(pack: GamePack, seat: str, facts: Sequence[Json]) -> Iterator[Json]:
    """Yield the facts that the installed rules know."""
    return (fact for fact in facts if readable(fact, seat or None, pack) is not None)
