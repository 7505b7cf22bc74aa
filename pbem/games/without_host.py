"""Which games two can play without a host, and by which rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.errors import UsageError

from . import releases
from .manifests import manifest
from .pack import find

if TYPE_CHECKING:
    from pbem.kernel import Json
    from pbem.kernel.knowing import Knowing


def knowing_of(rules: Mapping[str, Json]) -> Knowing | None:
    """Return who knows what in the rules that a log names, if they are here and play alike; otherwise None."""
    return knowing_by_version(rules) if play_alike(rules) else None


def knowing_by_version(rules: Mapping[str, Json]) -> Knowing | None:
    """Return the same if rules of that version are here, in whichever bytes."""
    try:
        pack = find(str(rules["id"]))
    except UsageError:
        return None
    return pack.knowing if rules["ver"] == pack.rules.version else None


def play_alike(rules: Mapping[str, Json]) -> bool:
    """Are the rules that a log names here in the same bytes, or in such as are known to play alike?"""
    try:
        is_here = rules["sha256"] == manifest(find(str(rules["id"])))[1]
    except UsageError:
        return False
    return is_here or releases.known(str(rules["id"]), int(rules["ver"]), str(rules["sha256"])) is not None
