"""The Norse's possible places and ways by sea: any coast of Scotland (4.7), or less by the options Angus Og and Same coast."""

from __future__ import annotations

from .printed import NORSE_COAST, SEAS
from .variants import ANGUS_OG, SAME_COAST

IRISH_SEA = "Irish Sea"


def norse_coast(variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the areas where the Norse can be: Angus Og keeps to the Irish Sea; the Norse never enter England (4.7).

    >>> norse_coast(("angus_og",))
    ('Ross', 'Garmoran', 'Lochaber', 'Argyll', 'Lennox', 'Carrick', 'Galloway', 'Annan')
    """
    return _OF_ANGUS_OG if ANGUS_OG in variants else NORSE_COAST


_OF_ANGUS_OG = tuple(area for area in NORSE_COAST if area in SEAS[IRISH_SEA])


def regroup_coast(area: str, variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the coasts to which the Norse may regroup from an area; by the option only those of a sea that it borders.

    >>> regroup_coast("Lennox", ("same_coast",)) == norse_coast(("angus_og",))
    True
    """
    coast = norse_coast(variants)
    if SAME_COAST not in variants:
        return coast
    return tuple(there for there in coast if any(area in shore and there in shore for shore in SEAS.values()))
