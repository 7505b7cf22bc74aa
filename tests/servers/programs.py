"""Mail programs that can be driven without a screen: how each answers a report in each way, and sends it to the servers."""

from __future__ import annotations

from . import readers, senders  # each enters its own into the list
from .cases import PROGRAMS, WAYS, Case, Program, is_so

__all__ = ["PROGRAMS", "WAYS", "Case", "Program", "is_so", "readers", "senders"]
