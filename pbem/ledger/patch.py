"""Merge patches (RFC 7396) between two views: `fold(old, diff(old, new)) == new`.

`changed` is the same for frozen values.

Views hold no null, so a null in a patch always means "this key is gone".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["changed", "diff", "fold"]
_GONE = object()

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:

    def changed(value, /, **changes):
        """Return a frozen value without slots with some fields changed: as `dataclasses.replace`, which asks every field again."""
        new = object.__new__(type(value))
        object.__setattr__(new, "__dict__", value.__dict__ | changes)
        return new


def diff(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the patch that turns `old` into `new`. Skips objects that are identical in both."""
    patch: dict[str, Any] = {}
    for key, value in new.items():
        before = old.get(key, _GONE)
        if before is value:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            inner = diff(before, value)
            if inner:
                patch[key] = inner
        elif before != value or type(before) is not type(value):
            patch[key] = value
    for key in old:
        if key not in new:
            patch[key] = None
    return patch


def fold(old: Any, patch: Any) -> Any:
    """Return `old` with `patch` applied; neither is changed."""
    if not isinstance(patch, dict):
        return patch
    new = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        elif type(value) is dict:
            new[key] = fold(new.get(key), value)
        else:
            new[key] = value
    return new
