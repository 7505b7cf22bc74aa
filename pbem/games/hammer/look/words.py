"""The words that all of Hammer's texts share: sides, numbers of blocks, blocks with strength and combat rating, dice.

Nothing here sees a view or a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from pbem.i18n import N_

from ..rules import BLOCKS, ENGLISH, NORSE, SCOTTISH, home_bonus, ratings
from ..rules.said import _, _n, named

WIDTH = 72
_FRENCH = {
    "CARTE": "CARD", "DÉPLACER": "MOVE", "PRINCIPALE": "MAIN", "RALLIEMENT": "RALLY", "PASSER": "PASS", "HÉRAUT": "HERALD",
    "PILLER": "PILLAGE", "DEPUIS": "FROM", "NAVIGUER": "SEA", "TRÊVE": "TRUCE", "RAVITAILLER": "VICTUALS",
    "COURONNER": "CORONATION", "REVENIR": "RETURN", "ENSUITE": "NEXT", "BATAILLE": "BATTLE", "TIRER": "FIRE",
    "COMBATTRE": "FIRE", "RECULER": "RETREAT", "RETRAITE": "RETREAT", "TOUS": "ALL", "TOUCHES": "HITS", "GAINS": "GAINS",
    "REGROUPER": "REGROUP", "RAID": "RAID", "RENTRER": "HOME", "RESTER": "STAY", "RESTE": "STAYS", "DISSOUDRE": "DISBAND",
    "TERMINÉ": "DONE", "HIVERNER": "WINTER", "RENFORCER": "BUILD", "PIOCHER": "DRAW", "DÉBARQUER": "LAND", "VERS": "TO",
}  # fmt: skip
"""The words of orders in French, from the French rule book.

None is a name of the game, or a word of a name, unless the order has the English form of that name: Héraut, Trêve.
"""
ORDER_WORDS = {"fr": _FRENCH}

THE = {ENGLISH: N_("the English"), SCOTTISH: N_("the Scots")}
"""The sides in a sentence."""
SIDE = {ENGLISH: N_("English"), SCOTTISH: N_("Scots")}
"""The sides at the head of a column."""
LETTER = {ENGLISH: N_("E"), SCOTTISH: N_("S")}
"""The sides as a sign on a map; no letter of a combat rating, of which A, B and C are known."""


def capital(text: str) -> str:
    """Return the text with a capital first letter, also after a leading blank.

    >>> capital("the Scots win."), capital(" he listens.")
    ('The Scots win.', ' He listens.')
    """
    begins = len(text) - len(text.lstrip(" "))
    return text[:begins] + text[begins : begins + 1].upper() + text[begins + 1 :]


def the(side: str) -> str:
    """Return "the English" or "the Scots"."""
    return _(THE[side])


def listed(names: Iterable[str]) -> str:
    """Return names in a row.

    >>> listed(["Wallace", "Douglas", "Grant"])
    'Wallace, Douglas and Grant'
    """
    *most, last = [named(name) for name in names] or [_("none")]
    return _("{most} and {last}", most=", ".join(most), last=last) if most else last


def spoken_of(names: Iterable[str]) -> str:
    """Return blocks in a row as a sentence speaks of them: a language may give them articles.

    >>> spoken_of(["Grant", "Norse"])
    'Grant and Norse'
    """
    return listed(_("{block}", block=name) for name in names)


def either(choices: Iterable[str]) -> str:
    """Return what can be chosen from, in a row.

    >>> either(["FIRE", "RETREAT", "PASS"])
    'FIRE, RETREAT or PASS'
    """
    *most, last = choices
    return _("{most} or {last}", most=", ".join(most), last=last) if most else last


def blocks(n: int) -> str:
    """Return a number of blocks.

    >>> blocks(1), blocks(3)
    ('1 block', '3 blocks')
    """
    return _n("{n} block", "{n} blocks", n)


def steps(n: int) -> str:
    """Return a number of steps, as `blocks` does."""
    return _n("{n} step", "{n} steps", n)


def hits(n: int) -> str:
    """Return a number of hits, as `blocks` does."""
    return _n("{n} hit", "{n} hits", n)


def men(name: str) -> int:
    """Return the number in which a sentence speaks of a block: 2 where its name is a plural.

    >>> men("Wallace"), men("York Knights")
    (1, 2)
    """
    return 2 if name == NORSE or name.rsplit(maxsplit=1)[-1] in ("Archers", "Hobelars", "Knights") else 1


def rating(name: str, variants: tuple[str, ...] = (), *, plus: int = 0) -> str:
    """Return a block's combat rating (2.12) with these variants, `plus` one for a noble who defends his home (1.4).

    >>> rating("Wallace"), rating("Angus", plus=1)
    ('A3', 'B3')
    """
    found = ratings(variants)[name]
    return f"{found.letter}{found.most + plus}"


def block(name: str, strength: int, variants: tuple[str, ...] = (), area: str = "") -> str:
    """Return a block as its owner sees it: strength, the full strength where it has lost steps, combat rating.

    In `area` a noble may be at home, and fights better if he is attacked there (1.4).

    >>> hanging("", f"{block('Wallace', 4)}, {block('Wallace', 2)}, {block('Bruce', 4, (), 'Annan')}")
    ['Wallace 4 (A3), Wallace 2/4 (A3), Bruce 4 (B2, at home B3)']
    """
    full, rated = BLOCKS[name].max, at_home(name, area, variants) if area else rating(name, variants)
    return solid(f"{named(name)} {strength if strength == full else f'{strength}/{full}'} ({rated})")


def at_home(name: str, area: str = "", variants: tuple[str, ...] = ()) -> str:
    """Return a block's combat rating in an area, with the better one of a noble who is attacked in his home (1.4).

    Without an area, both are given for every noble, for a reader who sees where he is.

    >>> at_home("Bruce"), at_home("Bruce", "Fife"), at_home("Wallace")
    ('B2, at home B3', 'B2', 'A3')
    """
    rated = rating(name, variants)
    homes = [home for home in BLOCKS[name].homes if area in ("", home)]
    if any(home_bonus(name, home, defends=True, variants=variants) for home in homes):
        return _("{rating}, at home {better}", rating=rated, better=rating(name, variants, plus=1))
    return rated


def in_pool(name: str, variants: tuple[str, ...] = ()) -> str:
    """Return what a block in the pool bears: full strength and combat rating (2.1)."""
    return solid(f"{named(name)} ({BLOCKS[name].max}, {rating(name, variants)})")


def dice(rolls: Sequence[int], most: int) -> str:
    """Return dice with a bracket around each that is not more than `most`: hits are seen without colour.

    >>> dice([2, 5, 1, 3], 3)
    '[2] 5 [1] [3]'
    """
    return " ".join(f"[{die}]" if die <= most else str(die) for die in rolls)


_SOLID = "\ue000"
"""Represents a blank until lines are folded; a no-break space of a message stays one."""


def solid(text: str) -> str:
    """Return the text so that `hanging` does not break it."""
    return text.replace(" ", _SOLID)


def loose(text: str) -> str:
    """Return a folded text, or one that others will fold, with its blanks restored."""
    return text.replace(_SOLID, " ")


def hanging(first: str, text: str) -> list[str]:
    """Return a paragraph that begins with `first`, its further lines set in below the text."""
    lines = wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first)) or [first.rstrip()]
    return [loose(line) for line in lines]
