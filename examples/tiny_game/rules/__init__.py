"""The rules of Tiny: board.py, told.py (facts), turn.py (procedures), sight.py (what a seat sees), game.py (the contract)."""

from .board import worth
from .game import GAME, Tiny, TinyOptions
from .sight import SideView, TinyView
from .turn import BANKED

__all__ = ["BANKED", "GAME", "SideView", "Tiny", "TinyOptions", "TinyView", "worth"]
