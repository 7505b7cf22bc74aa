"""What may be ordered now: an object that one can iterate, ask `in`, count, print, and choose from at random."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from .order import Order


class Chooser(Protocol):
    """Whatever chooses for us: `random.Random` in a built-in player, a scripted list in a test."""

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 up to, and without, `stop`."""


class Options(ABC):
    """All legal answers to one question of one seat."""

    @abstractmethod
    def __iter__(self) -> Iterator[Order]:
        """Go through the legal orders; where they are too many, through a generator that never ends too soon."""

    @abstractmethod
    def __contains__(self, order: object) -> bool:
        """Is this order legal?"""

    @abstractmethod
    def count(self) -> int | None:
        """How many there are, or None where they are too many to count."""

    @abstractmethod
    def sample(self, chooser: Chooser) -> Order:
        """Return one legal order; every legal order can come."""


class Listed(Options):
    """Legal orders few enough to be listed."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self.orders = tuple(orders)

    def __iter__(self) -> Iterator[Order]:
        return iter(self.orders)

    def __contains__(self, order: object) -> bool:
        return order in self.orders

    def count(self) -> int:
        return len(self.orders)

    def sample(self, chooser: Chooser) -> Order:
        return self.orders[chooser.randrange(len(self.orders))]

    def __str__(self) -> str:
        return "\n".join(map(str, self.orders))


class Composed(Options):
    """Legal orders too many to list: made one by one by `compose`, judged by `is_legal`, described by `words`."""

    def __init__(
        self,
        compose: Callable[[Chooser], Order],
        every: Callable[[], Iterator[Order]],
        is_legal: Callable[[Order], bool],
        words: str,
    ) -> None:
        self._compose, self._every, self._is_legal, self._words = compose, every, is_legal, words

    def __iter__(self) -> Iterator[Order]:
        return self._every()

    def __contains__(self, order: object) -> bool:
        return isinstance(order, Order) and self._is_legal(order)

    def count(self) -> None:
        return None

    def sample(self, chooser: Chooser) -> Order:
        return self._compose(chooser)

    def __str__(self) -> str:
        return self._words
