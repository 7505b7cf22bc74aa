"""The host: a robot that takes mail, decides by the rules, and answers; with its store and its folder."""

from .office import Office
from .robot import Robot
from .run import Running
from .settings import Settings
from .store import Store, StoredLedger

__all__ = ["Office", "Robot", "Running", "Settings", "Store", "StoredLedger"]
