"""The store of a host: the file, its tables as rows with names, and the logs of its games. It contains all SQL."""

from .file import KEPT_BY, STORE, damaged, is_of_the_world, unusable
from .ledger import Heard, StoredLedger
from .memory import Store, place_named, place_of
from .older import OlderStore
from .rows import FAILED, SENT, WAITING
from .words import is_server, shown

__all__ = [
    "FAILED", "KEPT_BY", "SENT", "STORE", "WAITING", "Heard", "OlderStore", "Store", "StoredLedger", "damaged", "is_of_the_world",
    "is_server", "place_named", "place_of", "shown", "unusable",
]  # fmt: skip
