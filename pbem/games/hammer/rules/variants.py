"""The rules that a game may play differently: options, each by itself, and older editions, each a set of differences.

A board has the names of those in force (`Board.variants`). The rules test for one by its name where it makes a difference: ``if
SCHILTROMS in board.variants``. Nothing here decides anything. The effect of a variant is beside the rule that it changes, and
`docs/reference/variants-hammer.md` lists them all.

Sources: the optional rules of 4.0 (sidebars); for 2.3 the French translation of an older book, with a summary of that edition and
its variants. `docs/reference/edition-2.3.md` compares both books paragraph by paragraph, and says which source we follow when the
older ones disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.i18n import N_

SCHILTROMS = "schiltroms"
ANDREW_DE_MORAY = "andrew_de_moray"
ANGUS_OG = "angus_og"
RALLY = "rally"
ONE_TARGET = "one_target"
SIMULTANEOUS_FIRE = "simultaneous_fire"
DEAL_123 = "deal_123"
BUILDS_IN_ORDER = "builds_in_order"
INLAND_LANDING = "inland_landing"
NO_REGROUP_AFTER_DEFECTION = "no_regroup_after_defection"
SAME_COAST = "same_coast"

ARCHERS_MOVE_2 = "archers_move_2"
BORDER_ONE_GROUP = "border_one_group"
BORDERS_BY_BATTLE = "borders_by_battle"
FRENCH_IN_POOL = "french_in_pool"
NORSE_IN_GROUP = "norse_in_group"
NORSE_SEA_MOVE = "norse_sea_move"
RAID_IN_TRUCE = "raid_in_truce"
UNITY_BEFORE_BATTLE = "unity_before_battle"

OPTIONS: Mapping[str, str] = {
    SCHILTROMS: N_("Scottish infantry hits one better where no English archers fight"),
    ANDREW_DE_MORAY: N_("Moray fights as A3 and gains two steps when he goes home for the winter"),
    ANGUS_OG: N_("the Norse keep to the Irish Sea, where castles do not limit them"),
    RALLY: N_("blocks may rally to a leader"),
    ONE_TARGET: N_("all hits of a block fall on one enemy block"),
    SIMULTANEOUS_FIRE: N_("blocks of a combat turn fire at once, all at the strongest enemy block"),
    DEAL_123: N_("hands with too many cards of one kind are dealt again"),
    BUILDS_IN_ORDER: N_("the English build when the Scots have built"),
    INLAND_LANDING: N_("Norse and French drawn inland land on a friendly coast"),
    NO_REGROUP_AFTER_DEFECTION: N_("nobody regroups after a battle that a defection caused"),
    SAME_COAST: N_("the Norse regroup along the same coast only"),
}
"""Every option by its name, with what it does in a few words."""

DIFFERENCES: Mapping[str, str] = {
    ARCHERS_MOVE_2: N_("the Scottish archers move two areas, not three"),
    NORSE_SEA_MOVE: N_("the Norse may use the Sea Move, though never to England"),
    BORDER_ONE_GROUP: N_(
        "blocks that attack one area across the Anglo-Scottish border are one group, whatever their borders"
    ),
    NORSE_IN_GROUP: N_("the Norse fight in one group with blocks that attack from the same neighbouring area"),
    BORDERS_BY_BATTLE: N_("a border is closed to the enemy only in the battle that it was crossed to enter"),
    RAID_IN_TRUCE: N_("a Truce does not keep the Scots out of an empty England"),
    UNITY_BEFORE_BATTLE: N_("Celtic unity is rolled for before a battle, reserves included"),
    FRENCH_IN_POOL: N_("in The Bruce the French Knights begin in the draw pool"),
}
"""The differences of an older edition from 4.0, without the options: each by its name, in the order of the book's paragraphs."""

EDITIONS: Mapping[str, tuple[str, ...]] = {
    "4.0": (),
    "2.3": (*DIFFERENCES, INLAND_LANDING, NO_REGROUP_AFTER_DEFECTION, SAME_COAST),
}
"""Every edition of the rule book, with the names of the rules in which it differs from 4.0."""

VARIANTS: Mapping[str, str] = {**OPTIONS, **DIFFERENCES}
"""All names, in the order of a board, with the effect of each."""


def edition_of(variants: Iterable[str]) -> str:
    """Return the edition that has all its differences in force; 4.0 if there is none."""
    names = set(variants)
    return next((edition for edition, own in EDITIONS.items() if own and names.issuperset(own)), "4.0")


def chosen(options: Iterable[str], edition: str = "4.0") -> tuple[str, ...]:
    """Return the names in force for some options and an edition, in the order of `VARIANTS`."""
    names = {*options, *EDITIONS[edition]}
    return tuple(name for name in VARIANTS if name in names)
