"""The games of two on a desk, and its seat in each: the files, the signing key, and the seat to move. It signs nothing.

A log may have come out of a backup, or may have been moved away. So the own letters' entries behind its end are known here, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from pbem import private
from pbem.errors import Fault, PbemError, RecordError, UsageError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line
from pbem.kernel.digits import whole
from pbem.ledger.fields import seconds_between
from pbem.ledger.first_line import TWO, WORD, mode_of_lines
from pbem.ledger.pair.course import JOINS
from pbem.mail import read_message
from pbem.player.overview import Overview, State
from pbem.records import dataclass

from .busy import TRIES, UNTOLD, held, in_turn
from .letters import COPY, NAME, SEEN
from .notes import PairNotes
from .table import PairTable, key_among, replaced_in
from .talk import Talk, apart

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.ledger import Entry, PrivateKey, Verdict
    from pbem.player.folder import Folder
    from pbem.player.tray import Tray
    from pbem.referee.pair import PairPlay

_NAMED = 16
FOLDERS = ("out", "given", "sent", "replaced")
"""The folders that may hold a letter signed here."""


class Pairs:
    """The games of two on one desk."""

    def __init__(self, folder: Folder, tray: Tray) -> None:
        self.folder, self.tray = folder, tray
        self.tables: dict[str, PairTable] = {}
        self._is_alone = False
        self._waits_on = True

    @contextmanager
    def alone(self, notes: PairNotes | None = None) -> Iterator[None]:
        """Be the only program that continues the games of two on this desk, and read what others have written.

        Raises UsageError if the game of these notes is gone, and HeldError if another program keeps the lock.
        """
        if self._is_alone:
            yield
            return
        tries, tell = (TRIES, self.folder.tell) if self.folder.tell else (UNTOLD, None)
        if not self._waits_on:  # it was in vain a moment ago: nobody is kept waiting again for each game and letter
            tries, tell = 1, None
        self._waits_on = False
        with held(self.folder.home / "games" / "busy", tell, tries):
            self._is_alone = self._waits_on = True
            try:
                self.tables = {game: table for game, table in self.tables.items() if table.lies_so}
                if notes is not None:
                    self._follow(notes)
                yield
            finally:
                self._is_alone = False

    def _follow(self, notes: PairNotes) -> None:
        path = self.path(notes.game, "two")
        if path.is_file():
            notes.follow(PairNotes.read(path))
        elif notes.were_kept:
            raise UsageError(
                _("{title}, game {game}, is not on this desk any longer: another program of yours has put it away.",
                  title=notes.title, game=notes.game[:8])
            )  # fmt: skip

    def games(self) -> Iterator[PairNotes]:
        """Go through the games."""
        for path in sorted((self.folder.home / "games").glob("*.two")):
            yield PairNotes.read(path)

    def named(self, game: str) -> list[PairNotes]:
        """Return the games with ids that begin so."""
        return [notes for notes in self.games() if notes.game.startswith(game.lower())]

    def found(self, game: str) -> PairNotes | None:
        """Return the game of an id; None where it is not here."""
        return next((notes for notes in self.games() if notes.game == game), None)

    def seat(self, notes: PairNotes) -> PairSeat:
        """Return this desk's seat in a game."""
        return PairSeat(self, notes)

    def path(self, game: str, ending: str) -> Path:
        """Return a file of a game: “pbem” its log, “two” the notes, “seen” the snapshot."""
        return self.folder.home / "games" / f"{game[:_NAMED]}.{ending}"

    def lying(self, game: str) -> PairTable:
        """Return the stored log of a game, which may still be empty."""
        if game not in self.tables:
            self.tables[game] = PairTable(self.path(game, "pbem"), self.path(game, "seen"))
        return self.tables[game]

    def whole(self, log: bytes) -> PairTable:
        """Return a log that a letter brings from its first entry on, in memory alone. Raises RecordError."""
        table = PairTable(self.folder.home / "games" / "nowhere", self.folder.home / "games" / "nowhere")
        table.entries = table.brought(log).entries
        return table

    def key(self, table: PairTable) -> PrivateKey:
        """Return the key that signs in a game: the desk's own, or the one before it, until the next turn has told of the change."""
        own = self.folder.key
        try:
            return key_among(table.entries, [own])
        except UsageError:
            if (n := replaced_in(table.entries, own.key_line)) is None:
                return key_among(table.entries, [*self.folder.keys_before()])
        raise UsageError(
            _(
                "Since entry {n} you have played this game with another key (“pbem rekey” made it). Put that "
                "key into a new folder with “pbem key --import”, and read your friend's whole log there "
                "(“pbem copy” sends it).",
                n=n,
            )
        )

    def remember(self, game: str) -> None:
        """Take note that this desk plays a game, for as long as its key."""
        if game not in (had := self._had()):
            private.put(self._record, "".join(f"{one}\n" for one in [*had, game]).encode())

    def has_had(self, game: str) -> bool:
        """Return whether any trace of a game shows that this desk has ever played it."""
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
        for folder in FOLDERS:
            for path in (self.folder.home / folder).glob(f"{game[:8]}.*.eml"):
                _game, kind, number, *_more = path.name.split(".")
                if kind in (NAME, COPY) and (n := whole(number)) is not None and n > last:
                    found.append((n, path))
        return [path for _number, path in sorted(found, reverse=True)]

    def mended(self, table: PairTable) -> list[Entry]:
        """Return the entries that the player's own letters add to a log: signed turns directly after its end. Takes nothing yet."""
        found: list[Entry] = []
        trial = table.beside()
        for path in reversed(self.letters_behind(table.game, table.head[0])):
            log, _words = apart(read_message(path.read_bytes()).log)
            if not log or mode_of_lines(log) != TWO:
                continue
            try:
                new = trial.brought(log).entries
            except PbemError:
                continue  # it begins further behind, or is of another game
            trial.entries += new
            found += new
        return found


@dataclass(frozen=True, slots=True)
class PairSeat:
    """One seat in one game of two."""

    pairs: Pairs
    notes: PairNotes

    @property
    def folder(self) -> Folder:
        """The folder of its desk."""
        return self.pairs.folder

    @property
    def tray(self) -> Tray:
        """Where its letters lie."""
        return self.pairs.tray

    @property
    def talk(self) -> Talk:
        """What the two have written to each other."""
        return Talk(self.path("press"))

    def alone(self) -> AbstractContextManager[None]:
        """Be the only program at this game, as `Pairs.alone`."""
        return self.pairs.alone(self.notes)

    def path(self, ending: str) -> Path:
        """Return a file of the game, as `Pairs.path`."""
        return self.pairs.path(self.notes.game, ending)

    def waiting(self, *kinds: str) -> list[Path]:
        """Return the waiting letters of the game, of the given kinds or of all."""
        names = tuple(f"{self.notes.game[:8]}.{kind}." for kind in kinds) or f"{self.notes.game[:8]}."
        return [path for path in self.tray.unsent() if path.name.startswith(names)]

    @in_turn
    def keep(self) -> None:
        """Write the notes of a game."""
        self.notes.write(self.path("two"))

    @property
    def table(self) -> PairTable:
        """Return the log of a game. Raises RecordError where it is damaged, or not here."""
        table = self.pairs.lying(self.notes.game)
        if not table.entries:
            raise RecordError(
                _(
                    "The log of {title}, game {game}, is not here any longer ({path}). Nothing is lost: ask your friend for "
                    "the whole of his (“pbem copy” sends it), and read that letter.",
                    title=self.notes.title,
                    game=self.notes.game[:8],
                    path=table.path,
                )
            )
        return table

    def must_have_begun(self) -> None:
        """Raise UsageError where the friend has not joined yet."""
        if self.table.waits:
            raise UsageError(_("The game has not begun: your friend has not joined yet."))

    @property
    def pack(self) -> GamePack:
        """The game that is played."""
        return self.table.pack

    @property
    def name(self) -> str:
        """What tells the game from others of its kind."""
        return _("{title} with {friend}", title=self.notes.title, friend=in_a_line(self.notes.friend or "?"))

    @property
    def heading(self) -> str:
        """Which game it is, in a sentence."""
        notes = self.notes
        if self.state == "lost":
            return _("{title}, game {game}.", title=notes.title, game=notes.game[:8])
        return _(
            "{title}, game {game}. You play {seat} with {friend}.", title=notes.title, game=notes.game[:8],
            seat=self.pack.look.seat_name(notes.seat), friend=in_a_line(notes.friend or "?"),
        )  # fmt: skip

    @property
    def keys(self) -> Mapping[str, str]:
        """The key of each seat that is taken."""
        return {seat: held.key for seat, held in self.table.beginning.seats.items()}

    def overview(self) -> Overview:
        """Return the state of the game."""
        state, baton = self.whose()
        notes, waits = self.notes, (baton,) if baton else ()
        if state == "joining":
            waits = tuple(one for one in self.table.entries[0].fields["seats"] if one != notes.seat)
        return Overview(
            game=notes.game,
            title=notes.title,
            seat=notes.seat,
            state=cast("State", {"theirs": "others"}.get(state, state)),
            seats=waits,
            since=notes.since,
            due="",
            waiting=tuple(self.letters()),
            friend=notes.friend,
            owed=self._owed() if state == "theirs" else "",
        )

    def letters(self) -> list[Path]:
        """Return the letters to the friend that wait."""
        return [path for path in self.waiting() if path not in self.waiting(SEEN)]

    def evidence(self) -> list[str]:
        """Return a sentence about the conflicting log kept next to this one, if there is one."""
        if not (parted := self.path("fork")).is_file():
            return []
        return [
            _(
                "{file} contains a second turn, signed in the place of a turn in this log. The turn in this "
                "log counts here.",
                file=parted.name,
            )
        ]

    def verdict(self) -> Verdict:
        """Verify the whole of the log."""
        return self.table.verdict(self.pack.look.seat_name)

    def last_turn(self, *, own: bool) -> list[Entry]:
        """Return the entries at the end of the log by this player (`own`) or by the friend; empty if the other's come last."""
        return [
            *takewhile(
                lambda entry: (entry.fields["by"] == self.notes.seat) == own, reversed(self.table.entries[JOINS + 1 :])
            )
        ][::-1]

    def _owed(self) -> str:
        """Return what a friend with pledged plans owes after this player has met them in the last turn; otherwise ""."""
        acts = [act for entry in self.last_turn(own=True) for act in entry.fields["say"]["acts"]]
        if not any(act["do"] == "meet" and act["text"] for act in acts):
            return ""
        return _(
            "Your plans for the battle are open to your friend, but his are sealed. His program owes the "
            "opening, and can already tell what the dice will be."
        )

    def whose(self) -> tuple[str, str]:
        """Return the state of a game (“joining”, “mine”, “theirs” or “over”) and the seat to move.

        The state is “lost” if the log is not here.
        """
        table = self.pairs.lying(self.notes.game)
        if not table.entries:
            return "lost", ""
        if table.waits:
            return "joining", ""
        last = table.entries[-1]
        overs = {
            e.fields["by"]
            for e in table.entries[JOINS + 1 :][-8:]
            for act in e.fields["say"].get("acts", ())
            if act["do"] == "over"
        }
        if len(overs) == len(table.entries[0].fields["seats"]):
            return "over", ""
        seats, by = table.entries[0].fields["seats"], str(last.fields["by"])
        keeps = last.k == "join" or last.fields["say"].get("more", False)
        baton = by if keeps else next(seat for seat in seats if seat != by)
        return ("mine" if baton == self.notes.seat else "theirs"), baton

    @property
    def state(self) -> str:
        """The state of the game: “joining”, “mine”, “theirs”, “over” or “lost”, as in `whose`."""
        return self.whose()[0]

    @property
    def key(self) -> PrivateKey:
        """The key that signs in it, as `Pairs.key`."""
        return self.pairs.key(self.table)

    def play(self) -> PairPlay:
        """Return the current play of a game. Raises RecordError if the log itself shows that somebody is at fault."""
        try:
            return self.table.play(self.key)
        except Fault as why:
            raise self.stands_still(why) from why

    def overdue(self, at: str) -> int:
        """Return the agreed time to answer, in hours, if the player to move has used it up; otherwise 0."""
        hours = int(self.table.entries[0].fields["terms"]["hours"])
        is_asked = self.state in ("mine", "theirs") and bool(self.notes.since)
        return hours if is_asked and hours * 3600 < seconds_between(self.notes.since, at) else 0

    def stands_still(self, why: Fault) -> RecordError:
        """Return the error for a log that itself shows who is at fault; it says that the evidence has to reach the friend."""
        table = self.table
        behind = {entry.fields["by"] for entry in table.entries[why.entry :]}
        if behind == {why.party} == {self.notes.seat}:
            return RecordError(
                _(
                    "This version of pbem finds a fault in your own turn: entry {entry}, {code}. {reason} If "
                    "your friend's program has refused the turn, ask him for his whole log (“pbem copy” sends "
                    "it). “pbem read MAIL --instead” replaces your log with his; yours is kept, and you sign "
                    "that turn again.",
                    entry=why.entry,
                    code=why.code,
                    reason=why,
                )
            )
        said = _(
            "This game cannot continue: entry {entry}, {code}, at fault: {party}. {reason} Both players "
            "have signed what shows it; {path} is the evidence. Agree with your friend on what to do "
            "about it.",
            entry=why.entry,
            code=why.code,
            party=why.party,
            reason=why,
            path=table.path.name,
        )
        if self.waiting(NAME):
            said += " " + _("Your turn that proves it is signed, and waits to be sent: “pbem send”.")
        return RecordError(said)

    def words_to(self, n: int) -> list[str]:
        """Return this player's statements to entry `n` outside of turns, by the names of the letters."""
        names = [
            path.name.split(".")
            for one in FOLDERS
            for path in (self.folder.home / one).glob(f"{self.notes.game[:8]}.{WORD}.*.eml")
        ]
        return sorted({name[2] for name in names if name[3] == str(n)})

    @in_turn
    def mend(self) -> PairPlay:
        """Return the play of a game after its log was completed by the turns signed here.

        Raises RecordError if that is impossible; then nothing may be signed.
        """
        table = self.table
        play = self.play()
        if self.pairs.letters_behind(self.notes.game, table.head[0]) and (new := self.pairs.mended(table)):
            table.take(play, new)
            self.notes.answers, self.notes.says, self.notes.heard = [], [], []
            self.keep()
        self.must_be_whole()
        return play

    def put_instead(self, whole: PairTable, n: int) -> None:
        """Let a log that was judged take the place of one's own, which parts from it at entry `n`; that is kept as evidence."""
        table = self.table
        table.keep_beside(b"".join(entry.line + b"\n" for entry in table.entries))
        for path in self.pairs.letters_behind(self.notes.game, n - 1):
            path.rename(path.with_suffix(".parted"))  # it holds turns that count no more
        table.kept.unlink(missing_ok=True)
        table.later, table.entries = -1, []
        table.grow(whole.entries)

    def must_be_whole(self) -> None:
        """Raise RecordError if more was signed or taken here than the log contains."""
        table = self.pairs.lying(self.notes.game)
        last = table.head[0]
        letters = self.pairs.letters_behind(self.notes.game, last)
        if not letters and table.later <= last:
            return
        what = letters[0] if letters else table.kept
        raise RecordError(
            _(
                "Your log of {title} ends with entry {last}, but {path} shows that you had played further. "
                "Signing there again would make a second turn in the same place, a fork by you, so nothing "
                "is signed. Ask your friend for the whole log (“pbem copy” sends it) and read that letter. "
                "If his log is no longer than yours, your turn was never sent: move that file away.",
                title=self.notes.title,
                last=last,
                path=what.relative_to(self.folder.home),
            )
        )
