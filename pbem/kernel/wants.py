"""What rules may want from outside, and what they disclose: the vocabulary between a game's rules and their drivers.

Rules request only an `Ask` (orders of seats) or a `Chance` (dice, draws, deals), and report only the four events below. Nothing
here knows a game, a key or a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, dataclass_transform

Json: TypeAlias = Any
"""A JSON value without floats and nulls: dict, list, str, int, bool."""

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def _value(kind: type[T]) -> type[T]:
    """Make a dataclass, frozen to the type checker alone: at run time that would make it twice as slow to make."""
    return dataclass(slots=True, unsafe_hash=True)(kind)


Secret: TypeAlias = Literal["no", "until resolved", "until end"]
Outcome: TypeAlias = tuple[tuple[Any, ...], ...]
"""What chance gave: one tuple for each request, of dice (int) or of drawn names (str)."""


@_value
class Roll:
    """`n` dice with `sides` sides; the outcome is a tuple of n integers from 1 to sides."""

    n: int
    sides: int = 6

    def json(self) -> dict[str, Json]:
        return {"op": "roll", "n": self.n, "sides": self.sides}


@_value
class Draw:
    """`n` names out of the list `of`, in the order they come; the list's own order is fixed by the rules."""

    n: int
    of: tuple[str, ...]

    def json(self) -> dict[str, Json]:
        return {"op": "draw", "n": self.n, "of": list(self.of)}


Request: TypeAlias = Roll | Draw


@_value
class Ask:
    """A question to `seats`, all at once.

    `what` names the question; its details are in the asked seats' views. `secret` says what an answer gives away. `mark` is true
    for questions that every seat always gets, whatever anyone chooses (PROTOCOL 5, fair 2).
    """

    seats: tuple[str, ...]
    what: str
    secret: Secret
    mark: bool = False

    def json(self) -> dict[str, Json]:
        return {"seats": list(self.seats), "what": self.what, "secret": self.secret, "mark": self.mark}


@_value
class Chance:
    """A random event on one chain: `pub` (all see it), `priv:<seat>` (its owner sees it), `deal:<k>` (places sealed one by one).

    Deals are numbered 1, 2, … in order. Cards that a new host deals again are on `anew:<k>`; no rules ask for it. `listed` is false
    for a deal with a hidden list of cards: then the request is sealed too.
    """

    label: str
    requests: tuple[Request, ...]
    listed: bool = True

    @property
    def owner(self) -> str | None:
        """The seat that owns this private chain, or None."""
        return self.label[5:] if self.label.startswith("priv:") else None

    @property
    def is_deal(self) -> bool:
        return self.label.startswith(("deal:", "anew:"))

    def json(self) -> dict[str, Json]:
        return {"label": self.label, "requests": [r.json() for r in self.requests], "listed": self.listed}


@_value
class End:
    """The game is over; `result` is a JSON object that names at least `winner` (a seat, or "" for nobody) and `why`."""

    result: Json


Wants: TypeAlias = Ask | Chance | End


class Telling(Protocol):
    """A fact that is not JSON yet; what it says does not change any more."""

    def json(self, *, knows: bool) -> dict[str, Json]:
        """Return the fact as JSON, either for those who know its hidden fields or for all others."""


class Fact:
    """Something that happened: `public` is what everybody hears (None: nothing), `private` what some seats hear instead.

    Facts are JSON objects with a key `f` that names the kind; the game's words turn them into sentences. Rules tell more than
    anybody reads, as when they are only tried out: so a `Telling` becomes JSON when it is first looked at.
    """

    __slots__ = ("_private", "_public")
    __match_args__ = ("public", "private")

    def __init__(
        self, public: Json | Telling | None, private: Mapping[str, Json] | tuple[str, ...] | None = None
    ) -> None:
        """Make a fact from JSON, or from a telling and the seats that hear its hidden fields (without seats: everybody)."""
        self._public: Any = public
        self._private = {} if private is None else private

    @property
    def public(self) -> Json | None:
        """What everybody hears."""
        if isinstance(self._private, tuple):
            self._make(self._private)
        return self._public

    @property
    def private(self) -> Mapping[str, Json]:
        """What some seats hear instead."""
        return self._make(self._private) if isinstance(self._private, tuple) else self._private

    def _make(self, knowing: tuple[str, ...]) -> Mapping[str, Json]:
        known = self._public.json(knows=True)
        self._public = self._public.json(knows=False) if knowing else known
        self._private = dict.fromkeys(knowing, known)
        return self._private

    def heard_by(self, seat: str | None) -> Json | None:
        """What `seat` hears; None as seat is the public."""
        return self.public if seat is None else self.private.get(seat, self.public)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fact):
            return NotImplemented
        return (self.public, self.private) == (other.public, other.private)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Fact(public={self.public!r}, private={self.private!r})"


@_value
class Show:
    """Place `place` of deal `label` goes to `seat` alone: a dealt card."""

    seat: str
    label: str
    place: int


@_value
class Open:
    """Place `place` of deal `label` is turned up for everybody: a played card."""

    label: str
    place: int


@_value
class Release:
    """Nothing that the link of deal `label` tells is hidden any longer: it may be shown."""

    label: str


@_value
class Unseen:
    """Dealt cards that lie where no seat has looked: their places, each (label, place), and their names in an order of the rules'.

    There are as many names as places, and each of the names can lie at each of the places.
    """

    places: tuple[tuple[str, int], ...]
    names: tuple[str, ...]


Event: TypeAlias = Fact | Show | Open | Release


@_value
class Stop:
    """The result of a step: the state, the events on the way, and what the game wants now."""

    state: Any
    events: tuple[Event, ...]
    wants: Wants
