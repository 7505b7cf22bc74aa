"""What several tests need of linear: lines_run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(do: Callable[[bytes], object], raw: bytes) -> int:
    """How many lines of Python ran over a mail, in us and in the library."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do(raw)
    finally:
        sys.settrace(before)
    return count
