"""What differs between an entry and the rules, in words: a request for dice or cards, and a view.

A verdict names these differences, so that a player sees at once what was false. They are worked out when a verdict is written, and
not while a log is replayed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.kernel import Json

_FEW = 3
"""The most differences of a view that are named."""
_LONG = 80
"""The most characters of a value that are shown."""
_NONE = object()


class RequestsDiffer:
    """As text: how what the host drew or rolled (`found`) differs from what the rules ask for (`due`)."""

    def __init__(self, found: Json, due: Json) -> None:
        self._found, self._due = found, due

    def __str__(self) -> str:
        found, due = _lists(self._found), _lists(self._due)
        for one, by_rules in zip(found, due, strict=False):
            if one == by_rules:
                continue
            if Counter(one) == Counter(by_rules):
                place = next(no for no, (a, b) in enumerate(zip(one, by_rules, strict=True)) if a != b)
                return _(
                    "they were drawn from the right list in another order; its place {place} has “{found}”, by the rules “{due}”",
                    place=place + 1, found=one[place], due=by_rules[place],
                )  # fmt: skip
            more, less = Counter(one) - Counter(by_rules), Counter(by_rules) - Counter(one)
            return _(
                "they were drawn from another list; too much in it: {more}; missing: {less}",
                more=_names(more), less=_names(less),
            )  # fmt: skip
        return _("{found}, by the rules {due}", found=_cut(self._found), due=_cut(self._due))


class ViewsDiffer:
    """As text: where a view that was told (`found`) differs from what may be seen (`due`)."""

    def __init__(self, found: Json, due: Json) -> None:
        self._found, self._due = found, due

    def __str__(self) -> str:
        apart = list(_apart((), self._found, self._due))
        told = [
            _(
                "{place} is {found}, by the rules {due}",
                place=" › ".join(place) or "–",
                found=_cut(one),
                due=_cut(other),
            )
            for place, one, other in apart[:_FEW]
        ]
        return "; ".join(told) + (" …" if len(apart) > _FEW else "")


def _lists(requests: Json) -> list[list[str]]:
    """Return the lists that cards are drawn from."""
    asked = requests if isinstance(requests, list) else []
    return [
        [str(name) for name in of] for one in asked if isinstance(one, dict) and isinstance(of := one.get("of"), list)
    ]


def _names(many: Counter[str]) -> str:
    named = ", ".join(many.elements()) or _("nothing")
    return named if len(named) <= 3 * _LONG else f"{named[: 3 * _LONG]} …"


def _apart(place: tuple[str, ...], found: Any, due: Any) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield the places at which two values differ, as deep as both have the same form."""
    if isinstance(found, dict) and isinstance(due, dict):
        for name in sorted({*found, *due}):
            yield from _apart((*place, name), found.get(name, _NONE), due.get(name, _NONE))
    elif isinstance(found, list) and isinstance(due, list) and len(found) == len(due):
        for no, (one, other) in enumerate(zip(found, due, strict=True)):
            yield from _apart((*place, str(no + 1)), one, other)
    elif found is _NONE or due is _NONE or json.dumps(found, sort_keys=True) != json.dumps(due, sort_keys=True):
        yield place, found, due


def _cut(value: Any) -> str:
    if value is _NONE:
        return _("nothing")
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"
