"""Lords of Scotland, for two to five: eight clans, the royal cards of Bruce, five turns a skirmish, forty points for the throne."""

from __future__ import annotations

from .game import GAME

__all__ = ["GAME"]
