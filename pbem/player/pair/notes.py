"""What a desk keeps of a game of two beside its log, in `games/<id>.two`."""

from __future__ import annotations

import copy
import json
from dataclasses import field, fields
from typing import TYPE_CHECKING, ClassVar

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger.first_line import TWO, ModeName
from pbem.player.notes import AnyNotes
from pbem.records import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.kernel import Json


@dataclass(slots=True)
class PairNotes(AnyNotes):
    """The notes on one game of two. Everything except the friend's address can be lost without harm."""

    mode: ClassVar[ModeName] = TWO
    friend: str
    """Where letters to the friend go by mail; "" if nobody has said it."""
    since: str = ""
    """When it last became somebody's turn: the friend's letter came, or this player's was written."""
    told: int = 0
    """The number of facts of the game that the player has been shown."""
    answers: list[str] = field(default_factory=list)
    """What he has answered in a turn that asks more, and is not signed yet."""
    behind: int = -1
    """The number of the player's answers before the first one listed; -1 if unknown."""
    shows: bool = False
    """Whether they are pledged in the battle that they are about, so that the friend sees them once he has pledged his own."""
    along: str = ""
    """The plans that went with the player's last order; they answer the questions after it."""
    ahead: dict[str, list[str]] = field(default_factory=dict)
    """What he has sent ahead, by mark: the order's lines, and the plans that go with it."""
    spoken: list[Json] = field(default_factory=list)
    """The answers by plans and premoves: the entry, the number of facts he had heard before, and the fact about the answer."""
    told_spoken: int = 0
    """The number of answers by plans and premoves that the player has been shown."""
    says: list[str] = field(default_factory=list)
    """What he says with his next turn: “draw”."""
    heard: list[Json] = field(default_factory=list)
    """What the friend has said and signed in the meantime, to be quoted in the next turn."""
    passed: int = -1
    """The last entry behind which he plays on, with an offer of the friend's, or a word of his own that has lapsed, before him."""
    witness: str = ""
    """The address for copies of the letters; "" without one."""
    relay: str = ""
    """The link of the relay by which letters go, with the game's secret; "" without one."""
    invites: bool = False
    """Whether this player's invitation may still be at the relay."""
    strange: list[str] = field(default_factory=list)
    """The ids of letters at the relay that did not open, the last of them: nobody is told of them again."""

    _written: dict[str, Json] = field(default_factory=dict, init=False, repr=False, compare=False)
    """How they stood in their file when they were read from it, or written into it."""

    def with_whom(self) -> dict[str, str]:
        """Return the friend's address, for a program."""
        return {"friend": self.friend}

    @classmethod
    def read(cls, path: Path) -> PairNotes:
        """Return the notes in a file. Raises UsageError."""
        try:
            told = json.loads(path.read_text("utf-8"))
            notes = cls(**told)
        except (OSError, TypeError, ValueError) as error:
            raise UsageError(
                _(
                    "The notes {path} are damaged ({why}). Move the file away. Then let “pbem read” read any "
                    "letter of that game again, or the log next to the notes. The log itself is not affected.",
                    path=path,
                    why=error,
                )
            ) from error
        notes._written = copy.deepcopy(notes.told_all())
        return notes

    def told_all(self) -> dict[str, Json]:
        """Return all of them by their names."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.init}

    def follow(self, now: PairNotes) -> None:
        """Take over what another program has written since these notes were read, except for values changed here."""
        for name, value in now.told_all().items():
            if getattr(self, name) == self._written.get(name):
                setattr(self, name, value)
        self._written = now._written

    @property
    def were_kept(self) -> bool:
        """Have they a file, or had they one?"""
        return bool(self._written)

    def settle(self, answered: int, last: int) -> None:
        """Compare the notes with the log, which ends with entry `last` and has `answered` answers of this player.

        A program may have signed an answer and ended before it wrote the notes. If the log has other answers than the notes
        expect, the player's instructions in advance are void.
        """
        signed = answered - self.behind
        if self.behind >= 0 and not 0 <= signed <= len(self.answers):
            self.void(last)
        elif self.behind >= 0:
            self.answers = self.answers[signed:]
        self.behind = answered

    def void(self, last: int) -> None:
        """Let what he has said in advance, and has not signed, hold no longer; `last` is the end of the log."""
        self.answers, self.along, self.ahead = [], "", {}
        self.spoken = [one for one in self.spoken if one[0] <= last]
        self.told_spoken = min(self.told_spoken, len(self.spoken))

    def write(self, path: Path) -> None:
        """Write the notes into a file."""
        private.put(path, f"{json.dumps(self.told_all(), indent=1)}\n".encode())
        self._written = copy.deepcopy(self.told_all())
