"""The tree over the anchors of deals: one digest in entry 0 fixes 4,096 of them (PROTOCOL 5).

Each deal has a chain of its own, of one link, so that each can be shown by itself. Its anchor is a leaf of a binary tree of hashes.
The root is published beforehand, and the event of a deal carries its anchor with the path to the root. A leaf is bound to its
label, so no anchor can be moved to another deal. Leaves and nodes are hashed under different words, so neither passes for the
other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property

from pbem.ledger.chains import Root, link
from pbem.ledger.entries import PATH

LEAVES, BLOCK = 1 << PATH, 6
"""The number of deals with their anchors under one root, and the levels of a block of them."""


def leaf(label: str, anchor: str) -> str:
    """The leaf of a deal, in hex."""
    return hashlib.sha256(f"pbem-leaf/1 {label} {anchor}".encode()).hexdigest()


def node(left: str, right: str) -> str:
    """The node over two others, in hex."""
    return hashlib.sha256(f"pbem-node/1 {left} {right}".encode()).hexdigest()


def climb(label: str, anchor: str, at: int, path: Sequence[str]) -> str:
    """Return the root at the end of a path from the anchor of a deal; its leaf is the `at`-th, counted from 0."""
    x = leaf(label, anchor)
    for depth, other in enumerate(path):
        x = node(other, x) if at >> depth & 1 else node(x, other)
    return x


def _grown(level: list[str]) -> list[list[str]]:
    """Return the levels of a tree over some nodes, these first."""
    levels = [level]
    while len(below := levels[-1]) > 1:
        levels.append([node(below[i], below[i + 1]) for i in range(0, len(below), 2)])
    return levels


class Deals:
    """A host's deals under one root: those from `first` on. They follow from his root secret, and are made when they are wanted.

    The tree is made of blocks of 64 deals. `keep` returns the stored roots of the blocks, or None. If roots are given, it
    stores them. A path then needs one block, and not 4,096 anchors.
    """

    def __init__(
        self, root: Root, nonce: str, first: int = 1, begun: int = 0,
        keep: Callable[[list[str] | None], Sequence[str] | None] = lambda _roots: None,
    ) -> None:  # fmt: skip
        self._secret, self._nonce, self.first, self._begun, self._keep = root, nonce, first, begun, keep

    def link(self, k: int) -> str:
        """The one link of deal k, in hex."""
        return self._secret.top(self._nonce, f"deal:{k}", self._begun)

    def anchor(self, k: int) -> str:
        """The anchor of deal k, in hex."""
        return link(self._nonce, f"deal:{k}", 1, self.link(k))

    def _block(self, number: int) -> list[list[str]]:
        deals = range(self.first + (number << BLOCK), self.first + (number + 1 << BLOCK))
        return _grown([leaf(f"deal:{k}", self.anchor(k)) for k in deals])

    @cached_property
    def _over(self) -> list[list[str]]:
        """The levels from the roots of the blocks up."""
        roots = self._keep(None)
        if roots is None:
            roots = [self._block(number)[-1][0] for number in range(LEAVES >> BLOCK)]
            self._keep(list(roots))
        return _grown([*roots])

    @property
    def root(self) -> str:
        """The digest in entry 0."""
        return self._over[-1][0]

    def path(self, k: int) -> list[str]:
        """The path from deal k's anchor to the root, from below."""
        at = k - self.first
        block = self._block(at >> BLOCK)
        levels = [level[(at & ~(-1 << BLOCK)) >> depth ^ 1] for depth, level in enumerate(block[:-1])]
        return [*levels, *(level[at >> depth ^ 1] for depth, level in enumerate(self._over[:-1], BLOCK))]
