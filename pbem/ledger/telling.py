"""Reports to one seat, written as the difference from the public report, because most of both is the same.

A report is {"facts", "view"}: the events, and a merge patch of the view. In a seat's own part, an integer means the public fact
with that index. The patch applies to the seat's view after the public patch. `heard` and `seen` restore the input of `own_part`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger.canon import cj_read
from pbem.ledger.patch import diff, fold

MAX_HEARD = 262_144
"""Bytes of the facts that a seat hears, with the public ones that it names written out: no line may swell to a thousand."""


Shown: TypeAlias = tuple[Mapping[str, Any], Mapping[str, Any]]
"""The view of all before a report and behind it, as the report's patch says."""


def own_part(
    public: Mapping[str, Any], facts: Sequence[Any], before: Any, view: Any, shown: Shown | None = None
) -> dict[str, Any]:
    """Return a seat's own part of a report: it hears these facts, and its view goes from `before` to `view`."""
    index: dict[str, int] = {}
    for i, fact in enumerate(public["facts"]):
        index.setdefault(_key(fact), i)
    heard = [index.get(_key(fact), fact) for fact in facts]
    return {"facts": heard, "view": diff(_after(public, before, shown), view)}


def names_what_is_there(public: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Does a seat's own part name no public fact but those there are, and none so often that it tells more than `MAX_HEARD`?"""
    named = [fact for fact in own["facts"] if type(fact) is int]
    if not named:
        return True
    if min(named) < 0 or max(named) >= len(public["facts"]):
        return False
    # two lines hold what is named once
    return len(set(named)) == len(named) or _bytes_heard(public["facts"], own["facts"]) <= MAX_HEARD


def _bytes_heard(public: Sequence[Any], own: Sequence[Any]) -> int:
    size = {k: len(cj_read(public[k])) for k in {fact for fact in own if type(fact) is int}}
    return sum(size[fact] if type(fact) is int else len(cj_read(fact)) for fact in own)


def heard(public: Mapping[str, Any], own: Mapping[str, Any]) -> list[Any]:
    """Return the facts that a seat heard. Raises FormError where its own part names a fact that is not there."""
    if not names_what_is_there(public, own):
        raise FormError(_("a seat's report names a public fact that is not there"))
    return [public["facts"][fact] if type(fact) is int else fact for fact in own["facts"]]


def seen(public: Mapping[str, Any], own: Mapping[str, Any], before: Any, shown: Shown | None = None) -> Any:
    """Return a seat's view after a report, given the view before it."""
    return fold(_after(public, before, shown), own["view"])


def _after(public: Mapping[str, Any], before: Any, shown: Shown | None) -> Any:
    """Return a view after the public patch; parts that were the same object as in `shown` remain so, if `shown` is given."""
    return fold(before, public["view"]) if shown is None else _beside(public["view"], before, *shown)


def _beside(patch: Mapping[str, Any], before: Any, was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    view = dict(before)
    for key, part in patch.items():
        if part is None:
            view.pop(key, None)
        elif type(part) is not dict or (key in was and view.get(key) is was[key]):
            view[key] = now[key]
        else:
            view[key] = fold(view.get(key), part)
    return view


def _key(fact: Any) -> str:
    return json.dumps(fact, sort_keys=True)
