"""What several tests need of attacks hidden: Bends."""

from __future__ import annotations

from typing import Any

from pbem.ledger.pair import Vault


class Bends(Vault):
    """A vault that binds something else than follows from it."""

    def __init__(self, vault: Vault, **other: Any) -> None:
        super().__init__(vault.game, vault.seat, vault.secret)
        self.__dict__.update(other)
