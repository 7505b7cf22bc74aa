"""The words that all of Hammer's texts share: sides, numbers of blocks, blocks with strength and combat rating, dice.

Nothing here sees a view or a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from ..rules.facts import BLOCKS, ENGLISH, NORSE, SCOTTISH
from ..rules.ratings import ratings

WIDTH = 72

THE = {ENGLISH: "the English", SCOTTISH: "the Scots"}
"""The sides in a sentence."""
SIDE = {ENGLISH: "English", SCOTTISH: "Scots"}
"""The sides at the head of a column."""
OF = {ENGLISH: "English", SCOTTISH: "Scottish"}
"""The sides as adjectives."""


def capital(text: str) -> str:
    """Return the text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def the(side: str) -> str:
    """Return "The English" or "The Scots", as a sentence begins."""
    return capital(THE[side])


def listed(names: Iterable[str], *, none: str = "none") -> str:
    """Return names in a row.

    >>> listed(["Wallace", "Douglas", "Grant"])
    'Wallace, Douglas and Grant'
    """
    *most, last = list(names) or [none]
    return f"{', '.join(most)} and {last}" if most else last


def count(n: int, thing: str = "block") -> str:
    """Return a number with its noun.

    >>> count(1), count(3), count(2, "step")
    ('1 block', '3 blocks', '2 steps')
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def verb(name: str, one: str, many: str) -> str:
    """Return the form of a verb that goes with a block's name.

    >>> verb("Wallace", "fires", "fire"), verb("York Knights", "fires", "fire")
    ('fires', 'fire')
    """
    return many if name == NORSE or name.rsplit(maxsplit=1)[-1] in ("Archers", "Hobelars", "Knights") else one


def rating(name: str, variants: tuple[str, ...] = (), *, plus: int = 0) -> str:
    """Return a block's combat rating (2.12) with these variants, `plus` one for a noble who defends his home (1.4).

    >>> rating("Wallace"), rating("Angus", plus=1)
    ('A3', 'B3')
    """
    found = ratings(variants)[name]
    return f"{found.letter}{found.most + plus}"


def block(name: str, strength: int, variants: tuple[str, ...] = ()) -> str:
    """Return a block as its owner sees it: strength, the full strength where it has lost steps, combat rating.

    >>> hanging("", f"{block('Wallace', 4)}, {block('Wallace', 2)}")
    ['Wallace 4 (A3), Wallace 2/4 (A3)']
    """
    full = BLOCKS[name].max
    return solid(f"{name} {strength if strength == full else f'{strength}/{full}'} ({rating(name, variants)})")


def in_pool(name: str, variants: tuple[str, ...] = ()) -> str:
    """Return what a block in the pool bears: full strength and combat rating (2.1)."""
    return solid(f"{name} ({BLOCKS[name].max}, {rating(name, variants)})")


def dice(rolls: Sequence[int], most: int) -> str:
    """Return dice with a bracket around each that is not more than `most`: hits are seen without colour.

    >>> dice([2, 5, 1, 3], 3)
    '[2] 5 [1] [3]'
    """
    return " ".join(f"[{die}]" if die <= most else str(die) for die in rolls)


_SOLID = "\u00a0"


def solid(text: str) -> str:
    """Return the text so that `hanging` does not break it."""
    return text.replace(" ", _SOLID)


def hanging(first: str, text: str) -> list[str]:
    """Return a paragraph that begins with `first`, its further lines set in below the text."""
    lines = wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first)) or [first.rstrip()]
    return [line.replace(_SOLID, " ") for line in lines]
