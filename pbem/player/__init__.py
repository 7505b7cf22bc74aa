"""The player's side: his key, his copies of the games, what he reads and what he signs."""

from .desk import Desk
from .notes import Notes, PlayerSettings

__all__ = ["Desk", "Notes", "PlayerSettings"]
