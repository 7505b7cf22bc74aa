"""The limits of what a seat accepts from the other: nothing about its own private knowledge.

A step that the other works out can tell this seat things it has not seen. About its own private knowledge it can hear at most what
it already knows, or that the thing no longer exists.
"""

from __future__ import annotations

from typing import Any

_NOTHING = object()


def is_told_its_own(own: Any, public: Any, patch: dict[str, Any], *, alone: bool) -> bool:
    """Does a patch tell a seat, which sees `own` where everybody sees `public`, another thing of what it alone knows?

    `alone`: the patch is for its eyes only; then it has nothing to tell there at all.
    """
    for key, value in patch.items():
        mine, theirs = (one.get(key, _NOTHING) if isinstance(one, dict) else _NOTHING for one in (own, public))
        if isinstance(value, dict):
            if is_told_its_own(mine, theirs, value, alone=alone):
                return True
        elif mine is not theirs and mine != theirs and (alone or (value is not None and value != mine)):
            return True
    return False
