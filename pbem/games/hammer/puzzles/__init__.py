"""Puzzles of Hammer of the Scots: the battles that can be computed to their end, and the puzzles found (`kept.json`)."""

from __future__ import annotations

from .matter import MATTER

__all__ = ["MATTER"]
