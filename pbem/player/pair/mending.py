"""What a desk knows of a game of two besides its log: which it has had, and what it has signed behind the log's end.

A log may have come out of a backup, or may have been moved away. Who signs behind an end that is none signs the same turn twice,
and who plays a game again whose secrets are known has none. So this decides when nothing may be signed, and mends the log from
what the own letters hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import PbemError, RecordError
from pbem.i18n import _
from pbem.kernel.digits import whole
from pbem.ledger.of_two import WORD, is_of_two_friends
from pbem.mail import read_message

from .busy import in_turn
from .letters import COPY, NAME
from .shelf import PairShelf
from .talk import apart

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.ledger import Entry
    from pbem.referee.pair import PairPlay

    from .notes import PairNotes
    from .table import PairTable

_FOLDERS = ("out", "given", "sent", "replaced")


class PairMending(PairShelf):
    """Knows what was signed here before, and brings it back."""

    def remember(self, game: str) -> None:
        """Take note that this desk plays a game, for as long as its key."""
        if game not in (had := self._had()):
            private.put(self._record, "".join(f"{one}\n" for one in [*had, game]).encode())

    def has_had(self, game: str) -> bool:
        """Has this desk ever played a game, as far as it can know? Whatever lies here of it counts."""
        lies_here = any((self.folder.home / "games").glob(f"{self.path(game, 'pbem').stem}.*"))
        return lies_here or game in self._had() or bool(self.letters_behind(game, -1))

    @property
    def _record(self) -> Path:
        return self.folder.home / "games" / "had"

    def _had(self) -> list[str]:
        return self._record.read_text("ascii").split() if self._record.is_file() else []

    def letters_behind(self, game: str, last: int) -> list[Path]:
        """Return the own letters of a game that go further than an entry, as their names have it; the furthest first."""
        found = []
        for folder in _FOLDERS:
            for path in (self.folder.home / folder).glob(f"{game[:8]}.*.eml"):
                _game, kind, number, *_more = path.name.split(".")
                if kind in (NAME, COPY) and (n := whole(number)) is not None and n > last:
                    found.append((n, path))
        return [path for _number, path in sorted(found, reverse=True)]

    def words_to(self, game: str, n: int) -> list[str]:
        """Return what this player has said besides his turns to entry `n`, as his letters are called."""
        names = [
            path.name.split(".")
            for one in _FOLDERS
            for path in (self.folder.home / one).glob(f"{game[:8]}.{WORD}.*.eml")
        ]
        return sorted({name[2] for name in names if name[3] == str(n)})

    def mended(self, game: str, table: PairTable) -> list[Entry]:
        """Return what own letters add to a log: signed turns that stand right behind it. Nothing is taken yet."""
        found: list[Entry] = []
        trial = table.beside()
        for path in reversed(self.letters_behind(game, table.head[0])):
            log, _words = apart(read_message(path.read_bytes()).log)
            if not log or not is_of_two_friends(log):
                continue
            try:
                new = trial.brought(log).entries
            except PbemError:
                continue  # it begins further behind, or is of another game
            trial.entries += new
            found += new
        return found

    @in_turn
    def mend(self, notes: PairNotes) -> PairPlay:
        """Return the play of a game whose log was brought up to what was signed here.

        Raises RecordError where that cannot be: then nothing may be signed.
        """
        table = self.table(notes)
        play = self.play(table)
        if self.letters_behind(notes.game, table.head[0]) and (new := self.mended(notes.game, table)):
            table.take(play, new)
            notes.answers, notes.says, notes.heard = [], [], []
            self.keep(notes)
        self.must_be_whole(notes, table)
        return play

    def put_instead(self, notes: PairNotes, table: PairTable, whole: PairTable, n: int) -> None:
        """Let a log that was judged take the place of one's own, which parts from it at entry `n`; that is kept as evidence."""
        table.keep_beside(b"".join(entry.line + b"\n" for entry in table.entries))
        for path in self.letters_behind(notes.game, n - 1):
            path.rename(path.with_suffix(".parted"))  # it holds turns that count no more
        table.kept.unlink(missing_ok=True)
        table.later, table.entries = -1, []
        table.grow(whole.entries)

    def must_be_whole(self, notes: PairNotes, table: PairTable) -> None:
        """Raise RecordError where more was signed or taken here than the log holds."""
        last = table.head[0]
        letters = self.letters_behind(notes.game, last)
        if not letters and table.later <= last:
            return
        what = letters[0] if letters else table.kept
        raise RecordError(
            _(
                "Your log of {title} ends with entry {last}, and you have been further: {path} shows it. What you sign "
                "behind that would be a second turn in the same place, and a fork by you; so nothing is signed. Ask your "
                "friend for the whole log (“pbem copy” sends it) and read that letter. If he has no more than you, your "
                "turn never left: move that file away.",
                title=notes.title,
                last=last,
                path=what.relative_to(self.folder.home),
            )
        )
