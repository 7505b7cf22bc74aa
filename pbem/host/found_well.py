"""What an audit has found well in a store, so that a check replays only games that have changed since.

A note for each game binds the finding to all bytes that it follows from: the rows of the game, its rules and this program. The
check reads and hashes these bytes each time. If one bit differs, it reads the whole game again, and replays it if it is not over.

One check replays for `MOST` seconds of the processor, and begins with the games that were not replayed for the longest time. It
reads the others, too, says how many it did not replay, and leaves these to the next check. “pbem host audit --all” trusts no note,
replays every game, and notes what it finds well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from time import process_time

from pbem import __version__
from pbem.errors import UsageError, WorldError
from pbem.games import installed
from pbem.i18n import _, _n

from .auditing import GameAudited, audited, note_damage
from .store import Store
from .store.keeping import ON, STAGES

MOST = 60
"""The number of seconds of the processor for the replays of one check."""
TABLES = (
    "games", "seats", "entries", "attachments", "held", "courses", "answers", "ahead", "kept_says", "evidence", "evidence_parts",
)  # fmt: skip
"""All that an audit of one game reads."""
NAME = "found well "
"""So the notes begin; the number of their game follows."""
_AT_ONCE = 100
"""The number of notes that are written in one decision: mail waits only for these."""


class FoundWell:
    """The notes of a store on what was found well, read at the beginning. `at` is now.

    With `trust`, a game that was found well as it is now is not looked at again, and replays take `MOST` seconds together.
    """

    def __init__(self, store: Store, at: str = "", *, trust: bool = True) -> None:
        self._store, self._at, self._trust = store, at, trust
        self._known = {int(number): value for number, value in store.notes(NAME).items()}
        self._new: dict[int, str] = {}
        self._seal, self._began, self._spent, self._left = "", 0.0, 0.0, False
        self.left: list[int] = []
        """The games that were read, and not replayed."""

    def audited(self, stages: Collection[str] = STAGES) -> Iterator[GameAudited]:
        """Audit all games that are not noted as well, and what belongs to no game; games of other stages are read alone."""
        for found in audited(
            self._store, stages=stages, order=self.in_order, leave_out=self.has, may_replay=self.may_replay
        ):
            if found.number:
                self.hear(found)
            yield found

    def in_order(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return these games; with `trust`, those first that were not replayed for the longest time."""
        return sorted(numbers, key=self._replayed) if self._trust else numbers

    def _replayed(self, number: int) -> str:
        """Return when a game was replayed last, or an empty text."""
        return self._known.get(number, "").partition(" ")[2]

    def seal(self, number: int) -> str:
        """Return the digest of all that a finding about a game follows from."""
        found = [_program(str(id_)) for id_ in self._store.values("games", "game", id=number)]
        found += [repr((one.table, one.values)) for one in self._store.stored_of(number, TABLES)]
        return sha256("\n".join(sorted(found)).encode()).hexdigest()

    def has(self, number: int) -> bool:
        """Look at a game: was it found well as it is now?"""
        self._seal, self._left = self.seal(number), False
        return self._trust and self._known.get(number, "").partition(" ")[0] == self._seal

    def may_replay(self) -> bool:
        """Is there time to replay the game that was looked at last? If not, it is left."""
        self._began, self._left = process_time(), self._trust and self._spent >= MOST
        return not self._left

    def hear(self, found: GameAudited) -> None:
        """Hear what was found of the game that was looked at last. If it was left, its last replay stays noted."""
        before = self._replayed(found.number)
        if self._left:
            self.left.append(found.number)
            self._new[found.number] = f"- {before}" if before else ""
        else:
            self._spent += process_time() - self._began
            self._new[found.number] = "" if found.damage else f"{self._seal} {self._at}"

    def told_left(self) -> str:
        """Return a sentence on the games that were left."""
        return _n(
            "{n} game was read, and not replayed by its rules: the next check begins with it. "
            "“pbem host audit --all” replays every game.",
            "{n} games were read, and not replayed by their rules: the next check begins with them. "
            "“pbem host audit --all” replays every game.",
            len(self.left),
        )

    def keep(self, store: Store) -> None:
        """Write the notes into the store, if it can be written to, and forget those of games that are gone."""
        gone = dict.fromkeys(set(self._known) - set(store.game_numbers()), "")
        told = [(f"{NAME}{n}", value) for n, value in (self._new | gone).items() if value != self._known.get(n, "")]
        with suppress(WorldError):
            for first in range(0, len(told), _AT_ONCE):
                with store.decision():
                    for name, value in told[first : first + _AT_ONCE]:
                        if value:
                            store.put_note(name, value)
                        else:
                            store.forget(name)


@cache
def _program(game: str) -> str:
    """Return the program that judges: this pbem, and the rules of a game, if they are here."""
    rules = ""
    with suppress(UsageError):
        rules = installed(game)[1]
    return f"{__version__} {rules}"


def checked(store: Store, now: str) -> Iterator[tuple[bool, str]]:
    """Audit the games that are on, and read the logs of all others, unless the notes say that they are well; note damage, and yield
    it as `checking` does."""
    notes = FoundWell(store, now)
    found = [one for one in notes.audited(ON) if one.damage]
    note_damage(store, found, now)
    notes.keep(store)
    yield from ((False, one.damage) for one in found)
    if not found:
        yield True, _("The logs of all games hang together.")
    if notes.left:
        yield True, notes.told_left()


def faults(store: Store) -> Iterator[str]:
    """Yield a sentence for each damage in a store, without replaying any game, unless the notes say that it is well."""
    return (one.damage for one in FoundWell(store).audited(()) if one.damage)
