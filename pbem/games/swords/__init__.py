"""Swords Over Scotland, for two to four: cubes by icon, formations, castles, sealed commitments, three of twelve glory cards."""

from __future__ import annotations

from .game import GAME

__all__ = ["GAME"]
