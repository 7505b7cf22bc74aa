"""Hammer of the Scots: the game as its drivers see it. The rules themselves are in `rules`; start reading there."""

from __future__ import annotations

from .game import GAME, Hammer, HammerOptions

__all__ = ["GAME", "Hammer", "HammerOptions"]
