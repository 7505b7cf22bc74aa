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
    """Return who knows what in the rules that a log names, if they are here and play alike; else None."""
    try:
        pack = find(str(rules["id"]))
    except UsageError:
        return None
    if rules["ver"] != pack.rules.version:
        return None
    is_here = rules["sha256"] == manifest(pack)[1]
    if not is_here and releases.known(str(rules["id"]), int(rules["ver"]), str(rules["sha256"])) is None:
        return None
    return pack.knowing
