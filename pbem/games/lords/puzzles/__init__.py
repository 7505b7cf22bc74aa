"""Puzzles of Lords of Scotland: what is hidden, what a proof examines, and the puzzles found (`kept.json`)."""

from __future__ import annotations

from .matter import MATTER

__all__ = ["MATTER"]
