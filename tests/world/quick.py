"""Many worlds of the same secrets are played faster when what follows from these is made once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pbem.ledger.chains import HashChain
from pbem.ledger.tree import Deals

_WALKED: dict[tuple[str, str, str, int], list[str]] = {}
_TREES: dict[tuple[bytes, str, int, int, int], list[list[str]]] = {}


@contextmanager
def quick() -> Iterator[None]:
    """Walk each hash chain and build each tree of deals once: their keys and nonces are the same in many worlds."""
    walk, tree = HashChain._walk, Deals._block

    def walked(chain: HashChain) -> list[str]:
        key = (chain.top, chain.bound, chain.label, chain.length)
        if key not in _WALKED:
            _WALKED[key] = walk(chain)
        return _WALKED[key]

    def built(deals: Deals, number: int) -> list[list[str]]:
        key = (deals._secret._secret, deals._nonce, deals.first, deals._begun, number)
        if key not in _TREES:
            _TREES[key] = tree(deals, number)
        return _TREES[key]

    with patch.object(HashChain, "_walk", walked), patch.object(Deals, "_block", built):
        yield
