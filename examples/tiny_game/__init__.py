"""Tiny: a card game for two to four, small enough to read in one sitting. Rules and tour: README.md."""

from __future__ import annotations

from .bots import BOTS
from .look import LOOK
from .rules import GAME

__all__ = ["BOTS", "GAME", "LOOK"]
