"""The games, and how one is found by its id. Importing this package imports no game."""

from __future__ import annotations

from .manifests import installed, manifest
from .pack import GamePack, find, known, shipped

__all__ = ["GamePack", "find", "installed", "known", "manifest", "shipped"]
