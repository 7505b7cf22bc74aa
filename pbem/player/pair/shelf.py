"""The games of two on a desk: which there are, which key signs in each, whose turn it is, and the letters that are laid ready.

It decides what goes into a letter: what the friend has not got for certain. It signs nothing, and reads no mail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import Fault, PbemError, RecordError, UsageError
from pbem.i18n import N_, _
from pbem.kernel.digits import whole
from pbem.ledger import to_compare
from pbem.ledger.fields import seconds_between
from pbem.ledger.pair.course import JOINS, is_consent
from pbem.mail import read_message, readdressed

from .busy import TRIES, UNTOLD, held, in_turn
from .letters import COPY, NAME, SEEN, TALK, lines_behind, lines_seen, write
from .notes import PairNotes
from .table import PairTable, key_among, replaced_in
from .talk import Talk, apart, numbers_of

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.ledger import PrivateKey
    from pbem.player.folder import Folder
    from pbem.player.tray import Tray
    from pbem.referee.pair import PairPlay

    from .talk import Written

_NAMED = 16

_INVITES = N_(
    "I would like to play {title} with you, by mail and without a host: our two programs deal, roll and keep everything "
    "secret that is "
    "to be secret, and both check everything.\n\n"
    "Save this mail, and type in the terminal:\n\n    pbem join MAIL\n\nOr let pbem turn fetch it, or "
    "drop the mail on pbem's page in a browser. Before you sign, the "
    "program tells "
    "what we agree on. If you have no pbem yet, ask me: I can send it to you as one file, pbem.html, which a browser "
    "opens with nothing to install.\n\n"
    "My key, which your program keeps from now on; it says when to compare it with me, by telephone or in some other way than "
    "this mail:\n\n  {key}\n"
)
_TURN = N_(
    "My turn in {title} is attached, entries {first} to {last} of our log.\n\nSave this mail and type pbem read MAIL, "
    "then pbem order "
    "and pbem send; or let pbem turn do all of that; or drop it on the page.\n\nHead of the log: {head}\n"
)
_OFFERS = N_("With it I offer a draw: pbem say agree accepts it, an order of yours plays on.")
_LETS = N_("With it I let you take back what you answered last: your program asks you again.")
_NOTHING = N_(
    "This letter of {title} holds no decision of mine: my program sent it by itself, as yours waits for what is in it. "
    "Entries {first} to "
    "{last} of our log are attached.\n\nSave this mail and type pbem read MAIL, or let pbem turn fetch it, or "
    "drop it on the page.\n\nHead of "
    "the log: {head}\n"
)
_WHOLE = N_(
    "Our whole log of {title}, entries 0 to {last}, is attached. Save this mail and type pbem read MAIL, or let pbem "
    "turn fetch it, or drop it on the page: what "
    "you have of it stays as it is.\n\nHead of the log: {head}\n"
)
_WRITES = N_("I write to you:\n\n{text}\n")
_ALONE = N_(
    "{text}\n\nThis letter of {title} holds these words, signed, and nothing of our log. Save this mail and type pbem read MAIL, "
    "or let pbem turn fetch it, or drop it on the page.\n"
)
_SEEN = N_(
    "You keep the letters of a game of {title} that two play without a host, and this is one of them. Save this mail and type "
    "pbem witness MAIL: it notes when it came. What is hidden in it you cannot read.\n"
)


class PairShelf:
    """The games of two on one desk."""

    def __init__(self, folder: Folder, tray: Tray) -> None:
        self.folder, self.tray = folder, tray
        self._tables: dict[str, PairTable] = {}
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
                self._tables = {game: table for game, table in self._tables.items() if table.lies_so}
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

    # -- which there are --------------------------------------------------------------------------------------------

    def games(self) -> Iterator[PairNotes]:
        """Go through the games."""
        for path in sorted((self.folder.home / "games").glob("*.two")):
            yield PairNotes.read(path)

    def named(self, game: str) -> list[PairNotes]:
        """Return the games whose id begins so."""
        return [notes for notes in self.games() if notes.game.startswith(game.lower())]

    def going(self) -> list[PairNotes]:
        """Return the games that are not over; one whose log cannot be read stops no other."""
        return [notes for notes in self.games() if not self._is_over(notes)]

    def _is_over(self, notes: PairNotes) -> bool:
        with suppress(PbemError):
            return self.state(notes)[0] == "over"
        return False

    def path(self, game: str, ending: str) -> Path:
        """Return a file of a game: “pbem” its log, “two” the notes, “seen” the snapshot."""
        return self.folder.home / "games" / f"{game[:_NAMED]}.{ending}"

    @in_turn
    def keep(self, notes: PairNotes) -> None:
        """Write the notes of a game."""
        notes.write(self.path(notes.game, "two"))

    def table(self, notes: PairNotes) -> PairTable:
        """Return the log of a game. Raises RecordError where it is damaged, or not here."""
        table = self.lying(notes.game)
        if not table.entries:
            raise RecordError(
                _(
                    "The log of {title}, game {game}, is not here any longer ({path}). Nothing is lost: ask your friend for "
                    "the whole of his (“pbem copy” sends it), and read that letter.",
                    title=notes.title,
                    game=notes.game[:8],
                    path=table.path,
                )
            )
        return table

    def lying(self, game: str) -> PairTable:
        """Return the log of a game as it lies here, perhaps with nothing in it yet."""
        if game not in self._tables:
            self._tables[game] = PairTable(self.path(game, "pbem"), self.path(game, "seen"))
        return self._tables[game]

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

    def state(self, notes: PairNotes) -> tuple[str, str]:
        """Return how a game stands: “joining”, “mine”, “theirs” or “over”, and the seat whose turn it is.

        It is “lost” where the log is not here.
        """
        table = self.lying(notes.game)
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
        return ("mine" if baton == notes.seat else "theirs"), baton

    def play(self, table: PairTable) -> PairPlay:
        """Return the play of a game as it stands. Raises RecordError where the log itself shows that somebody is at fault."""
        try:
            return table.play(self.key(table))
        except Fault as why:
            raise self.stands_still(table, why) from why

    def overdue(self, notes: PairNotes, at: str) -> int:
        """Return within how many hours both wanted to answer, where whoever has the turn has had them; else 0."""
        hours = int(self.table(notes).entries[0].fields["terms"]["hours"])
        is_asked = self.state(notes)[0] in ("mine", "theirs") and bool(notes.since)
        return hours if is_asked and hours * 3600 < seconds_between(notes.since, at) else 0

    def stands_still(self, table: PairTable, why: Fault) -> RecordError:
        """Say that a log itself shows who is at fault, and that what shows it has to reach the friend."""
        behind = {entry.fields["by"] for entry in table.entries[why.entry :]}
        if behind == {why.party} and why.party in {notes.seat for notes in self.named(table.game)}:
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
        waits = [path for path in self.tray.unsent() if path.name.startswith(f"{table.game[:8]}.{NAME}.")]
        if waits:
            said += " " + _("Your turn that proves it is signed, and waits to be sent: “pbem send”.")
        return RecordError(said)

    # -- letters ----------------------------------------------------------------------------------------------------

    def lay_turn(self, notes: PairNotes, play: PairPlay, at: str, *, decided: bool) -> None:
        about = _("my turn") if decided else _("nothing to decide, sent by the program")
        if play.course.is_over or play.result is not None:
            about = _("the game is over")
        notes.since = at
        self.keep(notes)
        self._lay(notes, about, "", at, decided=decided)

    def _lay(
        self,
        notes: PairNotes,
        about: str,
        text: str,
        at: str,
        *,
        kind: str = NAME,
        whole: bool = False,
        decided: bool = True,
    ) -> Path:
        """Lay a letter ready with what the friend has not got for certain; it takes the place of one of its kind that waited."""
        table = self.table(notes)
        first, log = lines_behind(table.entries, notes.seat, whole=whole)
        last, head = table.head
        said = _TURN if decided else _NOTHING
        text = text or _(said, title=notes.title, first=first, last=last, head=head[:16])
        if {"do": "say", "what": "draw"} in table.entries[-1].fields["say"].get("acts", ()):
            text += "\n" + _(_OFFERS) + "\n"
        if decided and is_consent(table.entries[-1].fields["say"]):
            text += "\n" + _(_LETS) + "\n"
        words: list[Written] = []
        if kind == NAME and not table.waits:
            with suppress(RecordError):  # damaged words keep no turn back: who writes or reads the next ones is told
                words = self.words_along(notes)
        self.tray.lay_aside(*self._waiting(notes, kind))
        if words:
            self.tray.lay_aside(*self._waiting(notes, TALK))  # it goes along
            log += b"".join(one.line for one in words)
            text += "\n" + _(_WRITES, text="\n\n".join(one.text for one in words))
        seen = lines_seen(table.entries, notes.seat)
        if self._aside_for_witness(notes) or whole:  # what was laid aside may hold what no later letter does
            seen = lines_behind(table.entries, notes.seat, whole=True)[1]
        return self.put(notes, f"{kind}.{last}", about, text, log, at, seen=seen)

    def put(
        self, notes: PairNotes, name: str, about: str, text: str, log: bytes, at: str, *, seen: bytes = b""
    ) -> Path:
        """Lay a letter ready, with a copy for the witness, if there is one, who is to see these lines or the same."""
        self.must_have_friend(notes)
        if notes.witness:
            self._write(notes.witness, notes, f"{SEEN}.{name}", about, _(_SEEN, title=notes.title), seen or log, at)
        return self._write(notes.friend, notes, name, about, text, log, at)

    def _write(self, to: str, notes: PairNotes, name: str, about: str, text: str, log: bytes, at: str) -> Path:
        path = self.folder.home / "out" / f"{notes.game[:8]}.{name}.eml"
        private.put(path, write(self.folder.settings.address, to, notes, name, about, text, log, at))
        return path

    def must_have_friend(self, notes: PairNotes) -> None:
        """Raise UsageError where nobody knows where letters to the friend go."""
        if not notes.friend:
            raise UsageError(_("Where does your friend read his mail? Name it with “pbem address --friend ADDRESS”."))

    # -- what one writes besides ------------------------------------------------------------------------------------

    def talk(self, notes: PairNotes) -> Talk:
        """Return what the two have written to each other in a game."""
        return Talk(self.path(notes.game, "press"))

    def last_of_friend(self, notes: PairNotes) -> int:
        """Return the number of the friend's last entry."""
        return next(entry.n for entry in reversed(self.table(notes).entries) if entry.fields.get("by") != notes.seat)

    def words_along(self, notes: PairNotes) -> list[Written]:
        """Return what goes along with the next letter: each makes up for those before it that were lost, or have not left.

        It is signed by the key that counts behind the turn that it goes with.
        """
        key = self.key(self.table(notes))
        waiting, behind = self._words_in(self._waiting(notes, NAME, TALK)), self.last_of_friend(notes)
        own = self.talk(notes).own_since(notes.seat, behind, waiting, self.words_unsent(notes))
        return [one.signed_by(key) for one in own]

    def words_unsent(self, notes: PairNotes) -> set[int]:
        """Return the numbers of the words that wait in a letter, and have left in none."""
        waiting = self._words_in(self._waiting(notes, NAME, TALK))
        if not waiting:
            return waiting
        least = {NAME: self.last_of_friend(notes), TALK: min(waiting)}
        left = [
            path
            for folder in ("sent", "given")
            for kind in (NAME, TALK)
            for path in (self.folder.home / folder).glob(f"{notes.game[:8]}.{kind}.*.eml")
            if (number := whole(path.name.split(".")[2])) is not None and number >= least[kind]
        ]
        return waiting - self._words_in(left)

    def _words_in(self, letters: Iterable[Path]) -> set[int]:
        return {no for path in letters for no in numbers_of(apart(read_message(path.read_bytes()).log)[1])}

    def turn_waits(self, notes: PairNotes) -> bool:
        """Does a turn wait to be sent, with which words can go?"""
        return bool(self._waiting(notes, NAME))

    def lay_words(self, notes: PairNotes, at: str) -> None:
        """Lay a letter ready with words alone, of which a witness gets no copy; it takes the place of one that waited."""
        words = self.words_along(notes)
        self.tray.lay_aside(*self._waiting(notes, TALK))
        text = _(_ALONE, title=notes.title, text="\n\n".join(one.text for one in words))
        log = b"".join(one.line for one in words)
        self._write(notes.friend, notes, f"{TALK}.{words[-1].say['no']}", _("press"), text, log, at)

    def _waiting(self, notes: PairNotes, *kinds: str) -> list[Path]:
        names = tuple(f"{notes.game[:8]}.{kind}." for kind in kinds)
        return [path for path in self.tray.unsent() if path.name.startswith(names)]

    # -- where letters go -------------------------------------------------------------------------------------------

    @in_turn
    def name_witness(self, notes: PairNotes, witness: str, at: str) -> None:
        """Let copies of the letters of a game go to a witness from now on, the whole log first; "": to nobody any longer."""
        notes.witness = witness
        self.keep(notes)
        if not witness:
            self.tray.lay_aside(*self._for_witness(notes))
        else:
            self._aside_for_witness(notes)
            self.readdress(notes)
            table = self.table(notes)
            log = lines_behind(table.entries, notes.seat, whole=True)[1]
            name = f"{SEEN}.{COPY}.{table.head[0]}"
            self._write(witness, notes, name, _("the whole log"), _(_SEEN, title=notes.title), log, at)

    def _for_witness(self, notes: PairNotes, *kinds: str) -> list[Path]:
        names = tuple(f"{notes.game[:8]}.{SEEN}.{kind}" for kind in kinds or ("",))
        return [one for one in self.tray.unsent() if one.name.startswith(names)]

    def _aside_for_witness(self, notes: PairNotes) -> bool:
        """Lay the copies of turns aside that wait for the witness, but no words; were there any?"""
        waiting = self._for_witness(notes, NAME, COPY)
        self.tray.lay_aside(*waiting)
        return bool(waiting)

    @in_turn
    def move_friend(self, notes: PairNotes, friend: str, at: str) -> None:
        """Let the letters of a game go to another address, with what could not be written while none was known."""
        was, notes.friend = notes.friend, friend
        self.keep(notes)
        self.readdress(notes)
        if not was and self.table(notes).entries[-1].k == "turn" and self.state(notes)[0] != "mine":
            _first, log = lines_behind(self.table(notes).entries, notes.seat)
            if log:
                self.again(notes, at)

    @in_turn
    def readdress(self, notes: PairNotes) -> None:
        """Let the letters of a game that wait go where its letters go now, from the address that is this player's now."""
        for path in self.tray.unsent():
            if path.name.startswith(f"{notes.game[:8]}."):
                to = notes.witness if f".{SEEN}." in path.name else notes.friend
                private.put(path, readdressed(path.read_bytes(), self.folder.settings.address, to))

    @in_turn
    def again(self, notes: PairNotes, at: str, *, whole: bool = False) -> None:
        """Lay the last letter ready once more, as it was signed; or the `whole` log."""
        table = self.table(notes)
        if table.waits:
            self.invite(notes, at)
        elif whole:
            last, head = table.head
            text = _(_WHOLE, title=notes.title, last=last, head=head[:16])
            self._lay(notes, _("the whole log"), text, at, kind=COPY, whole=True)
        else:
            _first, log = lines_behind(table.entries, notes.seat)
            if not log and self.words_along(notes):
                self.lay_words(notes, at)
                return
            if not log:
                raise UsageError(_("It is your turn: there is no letter of yours that your friend has not answered."))
            self._lay(notes, _("my turn"), "", at)

    def invite(self, notes: PairNotes, at: str) -> None:
        key = to_compare(self.table(notes).entries[1].fields["say"]["key"])
        self._lay(notes, _("invitation to a game of two"), _(_INVITES, title=notes.title, key=key), at, whole=True)
