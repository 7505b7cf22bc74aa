"""Numbers from outside."""

from __future__ import annotations

MOST = 10**15


def whole(text: str, most: int = MOST) -> int | None:
    """Return the number that ASCII digits say; None where they say none, or one above `most`.

    Python raises ValueError for a number with thousands of digits, and takes digits of all scripts: so nothing that comes from
    outside is handed to `int` as it is.
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(most)):
        return None
    found = int(digits)
    return found if found <= most else None
