"""The words that recur: players, cubes, counts, lines of 72 columns."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from pbem.i18n import N_, _, _n

from ..rules.board import Board
from ..rules.names import GLORY, PICTS
from ..rules.troops import Troops

WIDTH = 72
_FRENCH = {
    "CUBE": "CUBE", "PLACER": "PLACE", "DEPUIS": "FROM", "RÉSERVE": "SUPPLY", "AVEC": "WITH", "PICTE": "PICT",
    "PICTES": "PICTS", "RIEN": "NOTHING", "DÉPLOYER": "DEPLOY", "RETIRER": "PULL", "VERS": "TO", "PUIS": "THEN",
    "DÉPLACER": "MOVE", "AJOUTER": "ADD", "PRENDRE": "TAKE", "TRANSPORTER": "MERCHANT", "RESTER": "STAY",
    "BATAILLE": "BATTLE", "DÉGAINER": "SWORD", "MAINTENANT": "NOW", "APRÈS": "LATER", "OUI": "YES", "NON": "NO",
    "TUER": "KILL", "ENGAGER": "COMMIT", "SOIGNER": "HEAL", "RECULER": "RETREAT", "RETRAITE": "RETREAT", "AUCUN": "NONE",
    "GLOIRE": "GLORY", "CARDINAL": "CARDINAL", "MURAILLE": "WALL", "TAPISSERIE": "TAPESTRY",
}  # fmt: skip
"""The words of orders in French.

None is a name of the game, or a word of one, except where the English form of that name is in the order: Tapisserie. MUR and ÉPÉE
would be words of “Mur d’Hadrien” and “Grande épée”.
"""
ORDER_WORDS = {"fr": _FRENCH}
_PLAYERS = {"pink": N_("Pink"), "yellow": N_("Yellow"), "black": N_("Black"), "white": N_("White")}
_COLOURS = {
    "pink": N_("pink"), "yellow": N_("yellow"), "black": N_("black"), "white": N_("white"), PICTS: N_("Picts"),
}  # fmt: skip
_ICONS = {"thistle": N_("thistle"), "sword": N_("sword"), "stag": N_("stag"), "harp": N_("harp")}
_SHAPES = {"line": N_("line"), "box": N_("box")}
_CARDS = {
    "Bagpipes": N_("Bagpipes"), "A Bloody Banner": N_("A Bloody Banner"), "Cardinal": N_("Cardinal"),
    "The Crown": N_("The Crown"), "Druid": N_("Druid"), "Drums": N_("Drums"), "Edinburgh Castle": N_("Edinburgh Castle"),
    "Hadrian's Wall": N_("Hadrian's Wall"), "Long Sword": N_("Long Sword"), "Merchant's Outpost": N_("Merchant's Outpost"),
    "Tapestry": N_("Tapestry"), "Quaich": N_("Quaich"),
}  # fmt: skip
_POWERS = {
    "Bagpipes": N_("4 points more for a battle won"),
    "A Bloody Banner": N_("you control the Picts"),
    "Cardinal": N_("where he stands you commit last, seeing what the others do"),
    "The Crown": N_("you win ties"),
    "Druid": N_("one of your committed cubes is healed"),
    "Drums": N_("2 points for a battle lost"),
    "Edinburgh Castle": N_("one castle of yours in each of your battles"),
    "Hadrian's Wall": N_("only your cubes cross its border"),
    "Long Sword": N_("a cube more before a battle"),
    "Merchant's Outpost": N_("after a deployment you move a cube on your player board"),
    "Tapestry": N_("one icon is wild for you"),
    "Quaich": N_("against you at least half is committed"),
}


def player(seat: str) -> str:
    """Return the name of a seat in a sentence."""
    return _(_PLAYERS[seat]) if seat in _PLAYERS else seat


def colour(name: str) -> str:
    """Return the name of a colour of cubes."""
    return _(_COLOURS[name])


def icon(name: str) -> str:
    """Return the name of an icon; a name from a stranger's parts is unchanged."""
    return _(_ICONS[name]) if name in _ICONS else name


def shape(name: str) -> str:
    """Return the name of a shape."""
    return _(_SHAPES[name]) if name in _SHAPES else name


def laid(table: Board) -> tuple[str, ...]:
    """Return the glory cards of a game in the rule book's order; a view's own order depends on who wrote it."""
    return tuple(name for name in GLORY if name in table.glory)


def card(name: str) -> str:
    """Return the name of a glory card."""
    return _(_CARDS[name])


def place(name: str) -> str:
    """Return what a region, a castle or a glory card is called."""
    return _(_CARDS[name]) if name in _CARDS else name


def power(name: str) -> str:
    """Return what a glory card does, in a few words."""
    return _(_POWERS[name])


def cubes(n: int, picts: int = 0) -> str:
    """Return a count of cubes, of which some are Picts: "3 cubes, 1 of them Picts"."""
    said = _n("{n} cube", "{n} cubes", n)
    return _("{cubes}, {n} of them Picts", cubes=said, n=picts) if picts else said


def troops(some: Troops) -> str:
    """Return what cubes there are, in words."""
    return cubes(some.total, some.picts)


def points(n: int) -> str:
    """Return a count of points: "1 point"."""
    return _n("{n} point", "{n} points", n)


def a_cube(pict: bool) -> str:
    """Return "a cube", or "a Pict"."""
    return _("a Pict") if pict else _("a cube")


def both(names: Iterable[str]) -> str:
    """Return names in a row with “and” before the last.

    >>> both(["Ross", "Moray", "Fife"])
    'Ross, Moray and Fife'
    """
    *most, last = [*names] or [_("none")]
    return _("{most} and {last}", most=", ".join(most), last=last) if most else last


def fold(text: str, indent: str = "") -> list[str]:
    """Return a sentence as lines, those after the first indented."""
    return wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
