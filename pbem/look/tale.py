"""How a game tells its past to people who did not follow it: passages, battles, luck and awards, from facts alone.

A game has its own in the module `tale` of its look, as `TALE`; without one, every fact is a sentence (`GameTale`). Everything is
made from the facts that the readers may hear, so a tale shows no more than a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias, cast

from pbem.i18n import _
from pbem.kernel import Json, View

Say: TypeAlias = Callable[[Json], str]
"""Returns the sentence for a fact, as reports have it."""


class Passage(NamedTuple):
    """A piece of a tale: its heading ("" if it has none), and paragraphs."""

    head: str
    lines: Sequence[str]


class ToldBattle(NamedTuple):
    """A battle: its passage, and how much it is worth telling."""

    passage: Passage
    weight: int


class Award(NamedTuple):
    """Something to smile about: its name, who gets it, and why."""

    name: str
    who: str
    why: str


class GameTale:
    """The tale of any game: each fact is a sentence."""

    def passages(self, facts: Sequence[Json], view: View | None, say: Say) -> Sequence[Passage]:
        """Return a part of a game in short; `view` is the position at its end, if there is one."""
        return passages_of(say(fact) for fact in facts)

    def fights(self, facts: Sequence[Json], say: Say) -> Sequence[ToldBattle]:
        """Return the battles in these facts, in their order."""
        return ()

    def luck(self, facts: Sequence[Json]) -> Sequence[str]:
        """Return a few sentences on luck in a whole game."""
        return ()

    def awards(self, facts: Sequence[Json]) -> Sequence[Award]:
        """Return the awards of a whole game, a few at most."""
        return ()


def remarks(package: str, facts: Sequence[Json]) -> Sequence[str]:
    """Return a few lines on a whole game of the game in a package: its luck, and the awards."""
    tale = tale_of(package)
    awards = [_("{award}: {who}, {why}.", award=one.name, who=one.who, why=one.why) for one in tale.awards(facts)]
    return [*tale.luck(facts), *awards]


def tale_of(package: str) -> GameTale:
    """Return how the game in a package tells its past: by its own module, or fact by fact."""
    name = f"{package}.look"
    if getattr(find_spec(name), "submodule_search_locations", None) and find_spec(f"{name}.tale"):
        return cast("GameTale", cast("Any", import_module(f"{name}.tale")).TALE)
    return GameTale()


def passages_of(texts: Iterable[str]) -> list[Passage]:
    """Return sentences as passages: a text that begins with an empty line begins one, with its first line as the heading.

    >>> passages_of(["They wait.", "\\nRound 1\\nIt begins.", " Soon."])
    [Passage(head='', lines=('They wait.',)), Passage(head='Round 1', lines=('It begins.', 'Soon.'))]
    """
    found: list[tuple[str, list[str]]] = []
    for text in texts:
        head, *lines = text.removeprefix("\n").split("\n") if text.startswith("\n") else ["", *text.split("\n")]
        if head or not found:
            found.append((head, []))
        found[-1][1].extend(line.strip() for line in lines if line.strip())
    return [Passage(head, tuple(lines)) for head, lines in found if head or lines]


def most(counted: Mapping[str, int], least: int = 1) -> tuple[str, int] | None:
    """Return who has most of something, if that is `least` or more and nobody has as much.

    >>> most({"a": 3, "b": 1}), most({"a": 2, "b": 2}), most({})
    (('a', 3), None, None)
    """
    ranked = sorted(counted.items(), key=lambda one: -one[1])
    if not ranked or ranked[0][1] < least or [n for _who, n in ranked[:2]].count(ranked[0][1]) > 1:
        return None
    return ranked[0]
