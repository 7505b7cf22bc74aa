"""Two values of one field laid side by side, as people read them: of objects and lists only what differs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from pbem.errors import Fault, ForkError, PbemError
from pbem.i18n import N_, _, _n
from pbem.i18n.visible import escaped, in_a_line
from pbem.ledger import repaired
from pbem.ledger.modes import united

_LONGEST = 200
"""The maximum number of letters shown of a value."""
_LEAF = 40
"""The maximum number of letters shown of one value among several."""
_FEW = 4
"""Where more values of one field differ, the others are counted."""
_FIELDS = {"pub": N_("what everybody sees")}
"""Fields whose names say nothing to a reader."""


def field_name(name: str) -> str:
    """Return what people call a field."""
    return _(_FIELDS[name]) if name in _FIELDS else name


def shown(value: Any) -> str:
    """Return a value as people read it, on one line."""
    if value is None:
        return _("nothing")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _cut(in_a_line(escaped(text)), _LONGEST)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def apart(here: Any, there: Any) -> tuple[str, str]:
    """Return two values as people read them; of objects and lists only what differs, each value behind its place."""
    if not isinstance(here, (dict, list)) and not isinstance(there, (dict, list)):
        return shown(here), shown(there)
    # words before keys and proofs
    found = sorted(_leaves(here, there, ()), key=lambda leaf: max(len(str(value)) for value in leaf[1:]))

    def told(which: int) -> str:
        leaves = [
            f"{' '.join(leaf[0])} {_cut(shown(leaf[which]), _LEAF)}".strip()
            for leaf in found
            if leaf[which] is not None
        ]
        more = len(leaves) - _FEW
        behind = [_n("and {n} more value", "and {n} more values", more)] if more > 0 else []
        return "; ".join([*leaves[:_FEW], *behind]) or _("nothing")

    return told(1), told(2)


def _leaves(here: Any, there: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield the place of each value that differs, and the value in each copy; None: it is missing there."""
    if isinstance(here, dict) or isinstance(there, dict):
        one, other = (value if isinstance(value, dict) else {} for value in (here, there))
        for name in sorted({*one, *other}):
            yield from _leaves(one.get(name), other.get(name), (*path, in_a_line(escaped(str(name)))))
    elif isinstance(here, list) or isinstance(there, list):
        mine, its = (value if isinstance(value, list) else [] for value in (here, there))
        for no, (a, b) in enumerate(zip_longest(mine, its), 1):
            yield from _leaves(a, b, (*path, str(no)))
    elif json.dumps(here) != json.dumps(there):
        yield path, here, there


def signed_both(one: bytes, other: bytes, name: Callable[[str], str]) -> str:
    """Return who has signed both of two histories, and what to do then; "" where that is not shown."""
    try:
        united(repaired(one)[0], repaired(other)[0], ("", ""))
    except ForkError:
        return _(
            "The host has signed both histories, so each copy by itself is in order. Send no more orders, and keep both files: "
            "“pbem merge” of the two proves it to everybody."
        )
    except Fault as found:
        if found.code == "FORK":
            return _(
                "Both turns bear the signature of {seat}, so each copy by itself is in order. The turn that was read first counts. "
                "Usually that player went back to an older folder: send him the log with the first turn (“pbem copy”). Otherwise "
                "keep both files: “pbem merge” of the two proves it to everybody.",
                seat=name(found.party),
            )
    except (PbemError, ValueError):
        return ""
    return ""
