"""Puzzles of Swords Over Scotland: which moments can be gone through to the end, and those that were found, `kept.json`."""

from __future__ import annotations

from .matter import MATTER

__all__ = ["MATTER"]
