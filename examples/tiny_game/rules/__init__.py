"""The rules of Tiny: board.py, then turn.py (the procedures), sight.py (what a seat sees), game.py (the contract)."""

from .board import worth
from .game import GAME, Tiny, TinyOptions
from .sight import SideView, TinyView
from .turn import BANKED

__all__ = ["BANKED", "GAME", "SideView", "Tiny", "TinyOptions", "TinyView", "worth"]
