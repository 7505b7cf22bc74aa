"""What `status` says first, as the table of faults has it: each test's docstring says it, and is held to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_FIRST, NO_TROUBLE = re.compile(r"`status` says first: `([^`]+)`"), "`status` names no trouble."


def told(said: str, test: Callable[..., Any]) -> None:
    """Compare what was said with what the docstring of a test says."""
    text = " ".join((test.__doc__ or "").split())
    found = _FIRST.search(text)
    assert found or NO_TROUBLE in text, "the table of faults has to say what `status` says first"
    assert said.startswith(found[1] if found else "games "), said
