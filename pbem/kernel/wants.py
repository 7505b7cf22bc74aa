"""What rules may want from outside, and what they let be known.

The vocabulary between a game's rules and whoever drives them. Rules never ask for anything else than an `Ask` (orders of
seats) or a `Chance` (dice, draws, deals), and never speak otherwise than by the four events below. Nothing here knows a
game, a key or a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Json: TypeAlias = Any
"""A JSON value without floats and nulls: dict, list, str, int, bool."""

Secret: TypeAlias = Literal["no", "until resolved", "until end"]
Outcome: TypeAlias = tuple[tuple[Any, ...], ...]
"""What chance gave: one tuple for each request, of dice (int) or of drawn names (str)."""


@dataclass(frozen=True, slots=True)
class Roll:
    """`n` dice with `sides` sides; the outcome is a tuple of n integers from 1 to sides."""

    n: int
    sides: int = 6

    def json(self) -> dict[str, Json]:
        return {"op": "roll", "n": self.n, "sides": self.sides}


@dataclass(frozen=True, slots=True)
class Draw:
    """`n` names out of the list `of`, in the order they come; the list's own order is fixed by the rules."""

    n: int
    of: tuple[str, ...]

    def json(self) -> dict[str, Json]:
        return {"op": "draw", "n": self.n, "of": list(self.of)}


Request: TypeAlias = Roll | Draw


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to `seats`, all at once.

    `what` names the question; its particulars stand in the asked seats' views. `secret` says what an answer gives away.
    `mark` is true for the questions that every seat is always asked, whatever anyone chooses (PROTOCOL 5, fair 2).
    """

    seats: tuple[str, ...]
    what: str
    secret: Secret
    mark: bool = False

    def json(self) -> dict[str, Json]:
        return {"seats": list(self.seats), "what": self.what, "secret": self.secret, "mark": self.mark}


@dataclass(frozen=True, slots=True)
class Chance:
    """A random event on one chain: `pub` (all see it), `priv:<seat>` (its owner sees it), `deal:<k>` (places sealed one by one).

    Deals are numbered 1, 2, … in the order in which they are made. What another host deals anew is on `anew:<k>`; no
    rules ask for it.

    `listed` is false for a deal whose list of cards is itself hidden: then the request is sealed too.
    """

    label: str
    requests: tuple[Request, ...]
    listed: bool = True

    @property
    def owner(self) -> str | None:
        """The seat whose private chain this is, or None."""
        return self.label[5:] if self.label.startswith("priv:") else None

    @property
    def is_deal(self) -> bool:
        return self.label.startswith(("deal:", "anew:"))

    def json(self) -> dict[str, Json]:
        return {"label": self.label, "requests": [r.json() for r in self.requests], "listed": self.listed}


@dataclass(frozen=True, slots=True)
class End:
    """The game is over; `result` is a JSON object that names at least `winner` (a seat, or "" for nobody) and `why`."""

    result: Json


Wants: TypeAlias = Ask | Chance | End


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened: `public` is what everybody hears (None: nothing), `private` what some seats hear instead.

    Facts are JSON objects with a key `f` that names the kind; the game's words turn them into sentences.
    """

    public: Json | None
    private: Mapping[str, Json] = field(default_factory=dict)

    def heard_by(self, seat: str | None) -> Json | None:
        """What `seat` hears; None as seat is the public."""
        return self.public if seat is None else self.private.get(seat, self.public)


@dataclass(frozen=True, slots=True)
class Show:
    """Place `place` of deal `label` goes to `seat` alone: a dealt card."""

    seat: str
    label: str
    place: int


@dataclass(frozen=True, slots=True)
class Open:
    """Place `place` of deal `label` is turned up for everybody: a played card."""

    label: str
    place: int


@dataclass(frozen=True, slots=True)
class Release:
    """Nothing that the link of deal `label` tells is hidden any longer: it may be shown."""

    label: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """Dealt cards that lie where no seat has looked: their places, each (label, place), and their names in an order of the rules'.

    There are as many names as places, and each of the names can lie at each of the places.
    """

    places: tuple[tuple[str, int], ...]
    names: tuple[str, ...]


Event: TypeAlias = Fact | Show | Open | Release


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a game stands after a step: the state, the events on the way, and what it wants now."""

    state: Any
    events: tuple[Event, ...]
    wants: Wants
