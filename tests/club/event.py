"""What several tests need of event: text."""

from __future__ import annotations

from .games import known

FILE = """
name = "Border Cup"
game = "tiny"
kind = "{kind}"
{more}
[options]
players = 2
turns = 2
{players}
"""
PEOPLE = ("rose", "iain", "moira", "ann")


def text(kind: str = "round robin", more: str = "", people: tuple[str, ...] = PEOPLE, later: str = "") -> str:
    players = "\n".join(f'[[players]]\nname = "{name.title()}"\nkey = "{known(name)}"' for name in people)
    return FILE.format(kind=kind, more=more, players=players) + later
