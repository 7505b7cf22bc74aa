"""Take-back points: the last answers that a seat may take back, if every other seat agrees.

Only questions put to one seat alone are included, answered by itself one after the other. Nothing since then may have been
disclosed for good:

- a random event;
- a sealed answer or a dealt card that was shown;
- a plan that answered;
- anything that the game's rules report as disclosing a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from pbem.kernel import Game, Json
from pbem.records import dataclass


@dataclass(frozen=True, slots=True)
class TrailPoint:
    """A question that may be put again: its entry, the seat it was put to, and how everything stood before it was put."""

    ask: int
    seat: str
    state: Any
    marks: Mapping[str, int]
    plans: Mapping[str, str]


@dataclass(slots=True)
class Trail:
    """The questions to which one may go back, and the one that is open."""

    points: list[TrailPoint] = field(default_factory=list)
    here: TrailPoint | None = None

    def block(self) -> None:
        """Note that something happened behind which one cannot go back."""
        self.points.clear()

    def asked(self, here: TrailPoint, told_secret: Callable[[Any, Any], bool]) -> None:
        """Note that a question was put; `told_secret` is the rules' word on the way to it."""
        if self.points and told_secret(self.points[-1].state, here.state):
            self.block()
        self.here = here

    def answered(self, by: Iterable[str], secret: str) -> None:
        """Note that the open question was answered by orders of the given seats (none: by default)."""
        here, self.here = self.here, None
        if here is None or list(by) != [here.seat] or secret == "until resolved":
            self.block()
            return
        if self.points and self.points[-1].seat != here.seat:
            self.block()
        self.points.append(here)

    def back_to(self, ask: int) -> TrailPoint | None:
        """Return the question at entry `ask`, if the seat may go back to it."""
        return next((point for point in self.points if point.ask == ask), None)

    def dump(self, game: Game) -> list[Json]:
        """Return the trail as JSON; the position of the open question is not in it."""
        return [
            {"ask": point.ask, "seat": point.seat, "marks": dict(point.marks), "plans": dict(point.plans)}
            | ({} if point is self.here else {"position": game.dump(point.state)})
            for point in (*self.points, *([self.here] if self.here else []))
        ]

    @classmethod
    def load(cls, game: Game, points: Iterable[Json], state: Any) -> Trail:
        """Return the trail that was dumped; `state` is that of the open question."""
        trail = cls()
        for p in points:
            then = game.load(p["position"]) if "position" in p else state
            point = TrailPoint(p["ask"], p["seat"], then, p["marks"], p["plans"])
            if "position" in p:
                trail.points.append(point)
            else:
                trail.here = point
        return trail
