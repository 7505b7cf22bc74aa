"""The player's side: his key, his copies of the games, what he reads and what he signs."""

from .desk import Desk
from .notes import Notes, PlayerSettings
from .reading import Reading

__all__ = ["Desk", "Notes", "PlayerSettings", "Reading"]
