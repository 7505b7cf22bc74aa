"""The rules that a game may play differently: options, each by itself, and older editions, each a set of differences.

A board carries the names of those that are in force (`Board.variants`); the rules ask for one by its name where it makes a
difference: ``if SCHILTROMS in board.variants``. Nothing here decides anything; what a variant does stands beside the rule that
it changes, and `docs/reference/variants-hammer.md` lists them all. Sources: the optional rules of 4.0 (sidebars), and the
summary of 2.3 with its variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCHILTROMS = "schiltroms"
ANDREW_DE_MORAY = "andrew_de_moray"
ANGUS_OG = "angus_og"
RALLY = "rally"
ONE_TARGET = "one_target"
DEAL_123 = "deal_123"
INLAND_LANDING = "inland_landing"
NO_REGROUP_AFTER_DEFECTION = "no_regroup_after_defection"
SAME_COAST = "same_coast"

OPTIONS: Mapping[str, str] = {
    SCHILTROMS: "Scottish infantry hits one better where no English archers fight",
    ANDREW_DE_MORAY: "Moray fights as A3 and gains two steps when he goes home for the winter",
    ANGUS_OG: "the Norse keep to the Irish Sea, where castles do not limit them",
    RALLY: "blocks may rally to a leader",
    ONE_TARGET: "all hits of a block fall on one enemy block",
    DEAL_123: "hands with too many cards of one kind are dealt again",
    INLAND_LANDING: "Norse and French drawn inland land on a friendly coast",
    NO_REGROUP_AFTER_DEFECTION: "nobody regroups after a battle that a defection caused",
    SAME_COAST: "the Norse regroup along the same coast only",
}
"""Every option by its name, with what it does in a few words."""

EDITIONS: Mapping[str, tuple[str, ...]] = {"4.0": (), "2.3": ()}
"""Every edition of the rule book, with the names of the rules in which it differs from 4.0."""

VARIANTS: tuple[str, ...] = tuple(dict.fromkeys((*OPTIONS, *(name for names in EDITIONS.values() for name in names))))
"""All names, in the order in which a board holds them."""


def edition_of(variants: Iterable[str]) -> str:
    """Return the edition all of whose differences are in force; 4.0 if there is no other."""
    names = set(variants)
    return next((edition for edition, own in EDITIONS.items() if own and names.issuperset(own)), "4.0")


def chosen(options: Iterable[str], edition: str = "4.0") -> tuple[str, ...]:
    """Return the names in force for some options and an edition, in the order of `VARIANTS`."""
    names = {*options, *EDITIONS[edition]}
    return tuple(name for name in VARIANTS if name in names)
