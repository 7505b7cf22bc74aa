"""The host: a robot that takes mail, decides by the rules, and answers; with its store and its folder."""

from .office import Config, Office
from .robot import Robot
from .store import Store, StoredLedger

__all__ = ["Config", "Office", "Robot", "Store", "StoredLedger"]
