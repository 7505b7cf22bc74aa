"""A host's chains in one game: where its share in all dice, draws and deals comes from.

They follow from its root secret, the game's nonce, and the length of the log, so they need not be stored. Walking them takes time,
so `keep` stores and returns checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pbem.kernel import Json
from pbem.ledger import Course, Deals, HashChain, Root, chain_length
from pbem.ledger.course.state import FEW

Keep = Callable[[str, "list[str] | None"], "Sequence[str] | None"]
"""A function of a chain's name that returns its stored checkpoints, or None. If checkpoints are given, too, it stores them."""


def _nothing_kept(name: str, checkpoints: list[str] | None) -> None:
    return None


class HostChains:
    """The chains of one host in one game."""

    def __init__(self, root: Root, nonce: str, keep: Keep = _nothing_kept) -> None:
        self.root, self.nonce, self._keep = root, nonce, keep
        self._chains: dict[tuple[str, int], HashChain] = {}
        self._deals: dict[int, Deals] = {}

    def chain(self, label: str, after: int = 0) -> HashChain:
        """Return the chain of a label that was begun after an index."""
        if (label, after) not in self._chains:
            name = f"{label}@{after}" if after else label
            kept = self._keep(name, None) if chain_length(label) > 1 else None
            chain = self._chains[label, after] = self.root.chain(self.nonce, label, after, kept)
            if kept is None and chain_length(label) > 1:
                self._keep(name, chain.checkpoints)
        return self._chains[label, after]

    def deals(self, after: int = 0) -> Deals:
        """Return the deals with a tree that was begun after a deal."""
        if after not in self._deals:
            self._deals[after] = Deals(self.root, self.nonce, after + 1, after, partial(self._keep, f"deals@{after}"))
        return self._deals[after]

    def published(self, seats: Sequence[str], course: Course | None = None) -> dict[str, Json]:
        """Return the anchors that a host publishes as it begins: `chains` and the root of the deals.

        With a course it takes the game over as it has come there.
        """
        labels = ["pub", *(f"priv:{seat}" for seat in seats), *([f"anew:{course.moves + 1}"] if course else [])]
        used = course.indices if course else {}
        chains = {label: self.chain(label, used.get(label, 0)).anchor for label in labels}
        return {"chains": chains, "deals": self.deals(course.dealt if course else 0).root}

    def link(self, course: Course, label: str, i: int) -> str:
        """Return link i of a label, as the log has come."""
        if label.startswith("deal:"):
            return self.deals(course.trees[-1][0]).link(int(label[5:]))
        after = course.chains[label][-1][0]
        return self.chain(label, after).x(i - after)

    def anchored(self, course: Course, label: str) -> dict[str, Json]:
        """Return what the event of a deal says of its anchor; nothing where the anchor was published by itself."""
        if not label.startswith("deal:"):
            return {}
        deals, k = self.deals(course.trees[-1][0]), int(label[5:])
        return {"anchor": deals.anchor(k), "path": deals.path(k)}

    def nearly_used_up(self, course: Course) -> list[str]:
        """Return the labels of which half the links are left that allow a renewal; “deals” for those of all deals."""
        kinds = {label: label.partition(":")[0] for label in course.chains} | {"deals": "deal"}
        return [label for label, kind in kinds.items() if kind in FEW and course.links_left(label) <= FEW[kind] // 2]

    def renewed(self, course: Course) -> dict[str, Json]:
        """Return the new anchors for chains that are nearly used up."""
        labels = self.nearly_used_up(course)
        chains = {label: self.chain(label, course.indices[label]).anchor for label in labels if label != "deals"}
        return {"chains": chains} | ({"deals": self.deals(course.dealt).root} if "deals" in labels else {})
