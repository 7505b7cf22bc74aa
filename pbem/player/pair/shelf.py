"""The games of two on a desk, and its seat in each: where they lie, which key signs, whose turn it is. It signs nothing.

A log may have come out of a backup, or may have been moved away: so what the own letters hold behind its end is known here, too.
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
from pbem.ledger.of_two import WORD, is_of_two_friends
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
"""Where a letter lies that was ever signed here."""


class Pairs:
    """The games of two on one desk."""

    def __init__(self, folder: Folder, tray: Tray) -> None:
        self.folder, self.tray = folder, tray
        self.tables: dict[str, PairTable] = {}
        self._is_alone = False
        self._waits_on = True

    @contextmanager
    def alone(self, notes: PairNotes | None = None) -> Iterator[None]:
        """Be the only program that goes on with games of two on this desk; what others have written by now is known here.

        Raises UsageError where the game of these notes is not here any more, and HeldError where another program does not let go.
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
        """Return the games whose id begins so."""
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
        """Return the log of a game as it lies here, perhaps with nothing in it yet."""
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
                "You play this game by another key since entry {n} (“pbem rekey” made it): put that one into a new folder "
                "with “pbem key --import”, and read your friend's whole log there (“pbem copy” sends it).",
                n=n,
            )
        )

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
        for folder in FOLDERS:
            for path in (self.folder.home / folder).glob(f"{game[:8]}.*.eml"):
                _game, kind, number, *_more = path.name.split(".")
                if kind in (NAME, COPY) and (n := whole(number)) is not None and n > last:
                    found.append((n, path))
        return [path for _number, path in sorted(found, reverse=True)]

    def mended(self, table: PairTable) -> list[Entry]:
        """Return what own letters add to a log: signed turns that stand right behind it. Nothing is taken yet."""
        found: list[Entry] = []
        trial = table.beside()
        for path in reversed(self.letters_behind(table.game, table.head[0])):
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
        """Return the letters of the game that wait to be sent, of these kinds or of all."""
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
        """Return how the game stands."""
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
        """Say that a log lies beside that parts from this one, where one does."""
        if not (parted := self.path("fork")).is_file():
            return []
        return [
            _(
                "{file} holds another turn that was signed in the place of one of this log, which counts here.",
                file=parted.name,
            )
        ]

    def verdict(self) -> Verdict:
        """Verify the whole of the log."""
        return self.table.verdict(self.pack.look.seat_name)

    def last_turn(self, *, own: bool) -> list[Entry]:
        """Return this player's `own` entries at the end of the log, or the friend's; none where the other's stand there."""
        return [
            *takewhile(
                lambda entry: (entry.fields["by"] == self.notes.seat) == own, reversed(self.table.entries[JOINS + 1 :])
            )
        ][::-1]

    def _owed(self) -> str:
        """Say what the friend owes who has pledged plans, where this player has met them in his last turn; else ""."""
        acts = [act for entry in self.last_turn(own=True) for act in entry.fields["say"]["acts"]]
        if not any(act["do"] == "meet" and act["text"] for act in acts):
            return ""
        return _(
            "Your plans for the battle are open to him, and his are sealed: his program owes the opening, and can tell already "
            "what dice will fall."
        )

    def whose(self) -> tuple[str, str]:
        """Return how a game stands: “joining”, “mine”, “theirs” or “over”, and the seat whose turn it is.

        It is “lost” where the log is not here.
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
        """How the game stands: “joining”, “mine”, “theirs”, “over”, or “lost”, as `whose`."""
        return self.whose()[0]

    @property
    def key(self) -> PrivateKey:
        """The key that signs in it, as `Pairs.key`."""
        return self.pairs.key(self.table)

    def play(self) -> PairPlay:
        """Return the play of a game as it stands. Raises RecordError where the log itself shows that somebody is at fault."""
        try:
            return self.table.play(self.key)
        except Fault as why:
            raise self.stands_still(why) from why

    def overdue(self, at: str) -> int:
        """Return within how many hours both wanted to answer, where whoever has the turn has had them; else 0."""
        hours = int(self.table.entries[0].fields["terms"]["hours"])
        is_asked = self.state in ("mine", "theirs") and bool(self.notes.since)
        return hours if is_asked and hours * 3600 < seconds_between(self.notes.since, at) else 0

    def stands_still(self, why: Fault) -> RecordError:
        """Say that a log itself shows who is at fault, and that what shows it has to reach the friend."""
        table = self.table
        behind = {entry.fields["by"] for entry in table.entries[why.entry :]}
        if behind == {why.party} == {self.notes.seat}:
            return RecordError(
                _(
                    "Your own turn is at fault, as this version of pbem finds: entry {entry}, {code}. {reason} If your friend's "
                    "program has refused it, ask him for his whole log (“pbem copy” sends it): “pbem read MAIL --instead” puts it "
                    "in the place of yours, which is kept, and you sign that turn again.",
                    entry=why.entry,
                    code=why.code,
                    reason=why,
                )
            )
        said = _(
            "This game stands still: entry {entry}, {code}, at fault: {party}. {reason} Both have signed what shows it; "
            "{path} is the evidence. Agree with your friend on what comes of it.",
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
        """Return what this player has said besides his turns to entry `n`, as his letters are called."""
        names = [
            path.name.split(".")
            for one in FOLDERS
            for path in (self.folder.home / one).glob(f"{self.notes.game[:8]}.{WORD}.*.eml")
        ]
        return sorted({name[2] for name in names if name[3] == str(n)})

    @in_turn
    def mend(self) -> PairPlay:
        """Return the play of a game whose log was brought up to what was signed here.

        Raises RecordError where that cannot be: then nothing may be signed.
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
        """Raise RecordError where more was signed or taken here than the log holds."""
        table = self.pairs.lying(self.notes.game)
        last = table.head[0]
        letters = self.pairs.letters_behind(self.notes.game, last)
        if not letters and table.later <= last:
            return
        what = letters[0] if letters else table.kept
        raise RecordError(
            _(
                "Your log of {title} ends with entry {last}, and you have been further: {path} shows it. What you sign "
                "behind that would be a second turn in the same place, and a fork by you; so nothing is signed. Ask your "
                "friend for the whole log (“pbem copy” sends it) and read that letter. If he has no more than you, your "
                "turn never left: move that file away.",
                title=self.notes.title,
                last=last,
                path=what.relative_to(self.folder.home),
            )
        )
