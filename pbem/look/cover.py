"""The card of a game on a shelf: one sentence, the number of players, the length, and its options in plain words.

A game may have a card of its own (`pbem.games.pack`). It names only things that the rules have, and decides nothing: without a
card, players see the options by their own names.

    COVER = Cover(
        N_("Two armies meet at a bridge."),
        players=(2, 2),
        minutes=(20, 40),
        options={"rounds": OptionWords(N_("Rounds"), {"0": N_("no limit")})},
        score=lambda result, views: result["points"],
    )
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pbem.kernel import Json, View


class OptionWords(NamedTuple):
    """How a form names an option. All texts are messages."""

    label: str
    """The label before the field; "" keeps the option's own description."""

    values: Mapping[str, str] = {}
    """Words for values, by how the option writes them. A number with words for a value is chosen from a list."""


def _winner(result: Json) -> Sequence[str]:
    return (result["winner"],) if result["winner"] else ()


def _no_score(_result: Json, _views: Sequence[View]) -> Mapping[str, int]:
    return {}


class Cover(NamedTuple):
    """The card of one game. All texts are messages."""

    sentence: str
    """A description of the game for somebody who does not know it."""

    players: tuple[int, int]
    """The fewest and the most that can play."""

    minutes: tuple[int, int]
    """The shortest and the longest usual game against built-in players; an estimate."""

    taught: bool = False
    """Does the game have rules in our words, and a first lesson (`pbem.games.taught`)?"""

    options: Mapping[str, OptionWords] = {}
    """Words for options, by name; those under `seat` name the seats in a form."""

    score: Callable[[Json, Sequence[View]], Mapping[str, int]] = _no_score
    """From the result and the last views of all seats, what each seat has; {} where counting did not decide the end."""

    winners: Callable[[Json], Sequence[str]] = _winner
    """From the result, the seats that have won; several share a victory."""
