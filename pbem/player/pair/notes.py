"""What a desk keeps of a game of two beside its log, in `games/<id>.two`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.kernel import Json


@dataclass(slots=True)
class PairNotes:
    """What is remembered of one game of two. All of it but the friend's address can be lost without harm."""

    game: str
    seat: str
    title: str
    friend: str
    """Where letters to the friend go."""
    since: str = ""
    """When it last became somebody's turn: the friend's letter came, or this player's was written."""
    told: int = 0
    """So many facts of the game he has been shown."""
    answers: list[str] = field(default_factory=list)
    """What he has answered in a turn that asks more, and is not signed yet."""
    says: list[str] = field(default_factory=list)
    """What he says with his next turn: “draw”."""
    heard: list[Json] = field(default_factory=list)
    """What the friend has said and signed in the meantime, to be quoted in the next turn."""
    passed: int = -1
    """The last entry behind which he plays on, with an offer of the friend's, or a word of his own that has lapsed, before him."""
    witness: str = ""
    """Where copies of these letters go; "" where nobody keeps any."""

    @classmethod
    def read(cls, path: Path) -> PairNotes:
        """Return the notes in a file. Raises UsageError."""
        try:
            return cls(**json.loads(path.read_text("utf-8")))
        except (OSError, TypeError, ValueError) as error:
            raise UsageError(
                _(
                    "The notes {path} are damaged ({why}). Move the file away, and let “pbem read” take any letter of that game "
                    "again, or the log that lies beside it; the log itself is not touched by it.",
                    path=path,
                    why=error,
                )
            ) from error

    def write(self, path: Path) -> None:
        """Write the notes into a file."""
        private.put(path, f"{json.dumps(asdict(self), indent=1)}\n".encode())
