"""Puzzles of Hammer of the Scots: which battles can be reckoned to their end, and those that were found, `kept.json`."""

from __future__ import annotations

from .matter import MATTER

__all__ = ["MATTER"]
