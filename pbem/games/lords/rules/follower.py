"""The name of a follower in an order: its card if it is face-up, otherwise its army and its number there, "angus 2"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Lying(Protocol):
    """A follower on the table or in a view."""

    @property
    def card(self) -> str:
        """Return the card, or the placeholder of an unknown one."""

    @property
    def up(self) -> bool:
        """Does it lie face-up?"""


def name(seat: str, place: int, follower: Lying) -> str:
    """Return what the follower at a place (from 0) of a seat's army is called."""
    return follower.card if follower.up else f"{seat} {place + 1}"


def every(armies: Mapping[str, Sequence[Lying]], seats: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return the names of all followers, and the place of each: the army's seat, and the place there from 0."""
    return {name(seat, i, follower): (seat, i) for seat in seats for i, follower in enumerate(armies[seat])}
