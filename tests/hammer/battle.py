"""What several tests need of battle: fight, lanark."""

from __future__ import annotations

from pbem.games.hammer.rules.printed import ENGLISH
from tests.hammer.builder import Table

HOME = {"Dunbar": "Dunbar"}
NORTH = {"Ross": "Ross"}


def fight(english: dict[str, str], scots: dict[str, str], *attacks: tuple[str, str, str, str]) -> Table:
    """Return the battles of these blocks; without attacks, the English attack Lanark from nowhere in particular."""
    return Table({**HOME, **english}, {**NORTH, **scots}).battles(*(attacks or (("Lanark", ENGLISH, "", ""),)))


def lanark(english: str, scots: str, attacker: str = ENGLISH) -> Table:
    """Return a battle at Lanark, everybody in front."""
    return fight({"Lanark": english}, {"Lanark": scots}, ("Lanark", attacker, "", ""))
