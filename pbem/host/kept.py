"""Keeping the keys of seats: what a host signs for players who answer by mail. It knows no store, and no mail.

The seed of a game follows from the host's root, and so does the key of each seat. The key cannot be derived from anything shown. A
seat's chain begins with the seed and its player's words (`pbem.ledger.kept`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pbem.kernel import Json
from pbem.ledger import Course, PrivateKey, Root
from pbem.ledger.kept import KEPT, TERM, commitment, end_field, term, top_of
from pbem.records import dataclass
from pbem.referee import After, AskSeen, Envelope, Pen

SPARE = "spare.json"
"""The name of the file by which a player can take his seat over."""


def kept_term(root: Root, nonce: str, seats: Sequence[str]) -> dict[str, Json]:
    """Return the term of a game in which these seats may be kept; none where no seat may."""
    return term(commitment(nonce, _seed(root, nonce)), seats) if seats else {}


def shown_at_end(root: Root, nonce: str, entries: Callable[[], Iterable[Mapping[str, Json]]]) -> dict[str, Json]:
    """Return the field by which the end reveals the seed; {} if entry 0 fixes no seed of this host, or if no seat was kept."""
    first, *later = entries()
    seed, fixed = _seed(root, nonce), first["terms"].get(TERM, {})
    kept = fixed.get("of") == commitment(nonce, seed) and any(KEPT in entry for entry in later)
    return end_field(seed) if kept else {}


def _seed(root: Root, nonce: str) -> str:
    return root.secret_for("kept", nonce)


class HowKept(NamedTuple):
    """The holder of a kept seat: the words he wrote; `later`, whether he replaced another player during the game."""

    words: str
    later: bool = False


@dataclass(frozen=True, slots=True)
class Keeper:
    """What signs for the kept seats of one game: its id and nonce, and the root of its host."""

    root: Root
    game: str
    nonce: str

    @property
    def opened(self) -> str:
        """What entry 0 of a game publishes of the seed, where this host has opened it."""
        return commitment(self.nonce, _seed(self.root, self.nonce))

    def key(self, seat: str, held: HowKept) -> PrivateKey:
        """Return the key of a seat; a replacement player gets another key than his predecessors."""
        return PrivateKey.from_seed(bytes.fromhex(self._secret(seat, held)))

    def _secret(self, seat: str, held: HowKept) -> str:
        return self.root.secret_for("kept key", self.game, seat, *(("newcomer", held.words) if held.later else ()))

    def pen(self, seat: str, held: HowKept, course: Course | None = None) -> Pen:
        """Return what signs for a seat; `course`: how far the log has come."""
        key, top = self.key(seat, held), top_of(_seed(self.root, self.nonce), self.game, seat, held.words)
        return Pen.at(key, self.game, seat, course, top) if course else Pen(key, self.game, seat, top=top)

    def joined(self, seat: str, held: HowKept, token: str) -> Envelope:
        """Take the seat for a player, with the token of his invitation."""
        return self.pen(seat, held).join(token=token)

    def ready(self, seat: str, held: HowKept, seen: tuple[int, str], mark: int, course: Course) -> Envelope:
        """Declare that the seat is ready, having seen that head."""
        return self.pen(seat, held, course).ready(seen, mark)

    def sign(
        self, seat: str, held: HowKept, course: Course, to: AskSeen, order: str, plans: str = "", rev: int = 0
    ) -> Envelope:
        """Answer a question for the seat, with the canonical text of an order and of plans."""
        return self.pen(seat, held, course).order(to, order, plans, rev)

    def ahead(
        self,
        seat: str,
        held: HowKept,
        course: Course,
        seen: tuple[int, str],
        later: tuple[int, str],
        plans: str,
        rev: int,
    ) -> Envelope:
        """Sign a premove for the seat: `later` is its mark and the canonical text of the premove."""
        return self.pen(seat, held, course).ahead(later[0], seen, later[1], plans, rev)

    def state(
        self, seat: str, held: HowKept, course: Course, seen: tuple[int, str], after: After, act: str, **more: Json
    ) -> Envelope:
        """Make a statement for the seat, other than an order; `after` are its last orders."""
        said = {"act": act, "no": course.next_no(seat), "seen": list(seen), "after": after}
        return self.pen(seat, held, course).say({**said, **more})

    def spare(self, seat: str, held: HowKept) -> dict[str, str]:
        """Return what lets its player take the seat over: the file that he is asked to keep."""
        top = self.pen(seat, held).chain.top
        return {"game": self.game, "seat": seat, "key": self._secret(seat, held), "top": top}
