"""The log of one game of two on a desk, and this seat's program at its end.

This module decides which lines of a letter continue the log, and writes them whole or not at all. The play judges their meaning;
lines that it refuses are not written.
"""

from __future__ import annotations

from functools import reduce
from itertools import takewhile
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import Fault, FormError, RecordError, UsageError
from pbem.games import find
from pbem.games.without_host import knowing_of
from pbem.i18n import _
from pbem.ledger import Entry, read_line, sha256_hex
from pbem.ledger.pair import PairCourse, checked, lines_of, verify_pair
from pbem.ledger.pair.course import JOINS
from pbem.player.folder import unused
from pbem.records import dataclass
from pbem.referee.pair import PairPlay
from pbem.referee.pair.play import vault_of

from .snapshot import reaches, restored, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.kernel.knowing import Knowing
    from pbem.ledger import PrivateKey, Verdict


@dataclass(frozen=True, slots=True)
class BroughtLines:
    """What a letter's lines bring to a log: the entries that are new, and the entry before the first of all its lines."""

    entries: list[Entry]
    since: int
    last: int
    """The last entry in the letter."""


class Parted(RecordError):
    """Lines that tell otherwise than the log from entry `n` on, which in the log `by` has signed."""

    def __init__(self, text: str, n: int, by: str) -> None:
        super().__init__(text)
        self.n, self.by = n, by


class PairTable:
    """The log in the file `path`; `kept` is the place of a snapshot of the play, which you may delete at any time."""

    def __init__(self, path: Path, kept: Path) -> None:
        self.path, self.kept = path, kept
        self.entries: list[Entry] = []
        if path.is_file():
            data = path.read_bytes()
            try:
                self.entries = lines_of(data)
            except Fault as why:
                raise RecordError(
                    _(
                        "Your log {path} is damaged: {why} Move it away, and ask your friend for the whole of his: his "
                        "program sends "
                        "it with “pbem copy”.",
                        path=path,
                        why=why,
                    )
                ) from why
        self.later = -1
        """The last entry that this desk has known of the game by its snapshot, where the log ends before that."""

    @property
    def lies_so(self) -> bool:
        """Is the file as it was read, or written, here? Another program may have gone on with the game."""
        data = self.path.read_bytes() if self.path.is_file() else b""
        return data == b"".join(entry.line + b"\n" for entry in self.entries)

    def beside(self) -> PairTable:
        """Return the same log in memory alone, to try something on."""
        trial = PairTable(self.path.with_suffix(".trial"), self.kept.with_suffix(".trial"))
        trial.entries = list(self.entries)
        return trial

    def nothing(self) -> PairTable:
        """Return an empty log in memory alone, in which another one of the same game is looked at."""
        return PairTable(self.path.with_suffix(".trial"), self.kept.with_suffix(".trial"))

    @property
    def head(self) -> tuple[int, str]:
        """Its last entry: number and hash."""
        return (self.entries[-1].n, self.entries[-1].hash) if self.entries else (-1, "0" * 64)

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.entries[0].hash

    @property
    def waits(self) -> bool:
        """Does it wait for its second player?"""
        return sum(entry.k == "join" for entry in self.entries[: JOINS + 1]) < len(self.entries[0].fields["seats"])

    @property
    def pack(self) -> GamePack:
        """The game that is played."""
        return find(str(self.entries[0].fields["rules"]["id"]))

    @property
    def beginning(self) -> PairCourse:
        """The terms and the players: the course of entry 0 and the joins."""
        return reduce(checked, self.entries[: JOINS + 1], PairCourse())

    @property
    def knowing(self) -> Knowing:
        """Who knows what in the rules of this log. Raises UsageError where they are not here."""
        rules = self.entries[0].fields["rules"]
        knowing = knowing_of(rules)
        if knowing is None:
            raise UsageError(
                _(
                    "This game uses version {ver} of the rules of {game} with the fingerprint {sha256}…, which "
                    "are not installed here. Each player's own program needs these rules: use the same version "
                    "of pbem.",
                    game=rules["id"],
                    ver=rules["ver"],
                    sha256=rules["sha256"][:16],
                )
            )
        return knowing

    def play(self, key: PrivateKey) -> PairPlay:
        """Return this player's program after the last entry. It says nothing that is not in the log.

        Raises Fault, or UsageError if the key does not belong to this game or the second player has not joined yet.
        """
        knowing, data = self.knowing, self.kept.read_bytes() if self.kept.is_file() else b""
        vault = vault_of(self.entries, key)
        play = restored(data, knowing, self.entries, vault) if data else None
        self.later = max(self.later, reaches(data, vault))
        if play is None:
            play = PairPlay.of(knowing, self.entries, key)
            self._keep(play)
        return play

    def look(self, key: PrivateKey) -> None:
        """Go through the whole log with a key, and check by the snapshot how far this desk has been. It writes nothing.

        Raises Fault, or UsageError.
        """
        _judged = PairPlay.of(self.knowing, self.entries, key)
        data = self.kept.read_bytes() if self.kept.is_file() else b""
        self.later = max(self.later, reaches(data, vault_of(self.entries, key)))

    def take(self, play: PairPlay, entries: Sequence[Entry]) -> None:
        """Let the play take entries that follow, and write them. Raises Fault: then nothing is written, and the play is spoilt."""
        for entry in entries:
            play.take_entry(entry)
        self.grow(entries)
        self._keep(play)

    def grow(self, entries: Sequence[Entry]) -> None:
        """Write entries that follow, whole or not at all."""
        grown = [*self.entries, *entries]
        private.put(self.path, b"".join(entry.line + b"\n" for entry in grown))
        self.entries = grown

    def signed(self, play: PairPlay, made: Sequence[Entry]) -> None:
        """Write what this player has signed, before anybody gets it."""
        self.grow(made)
        self._keep(play)

    def _keep(self, play: PairPlay) -> None:
        if play.course.head[0] >= self.later and (made := snapshot(play)) is not None:
            private.write(self.kept, made)

    # -- what letters bring -----------------------------------------------------------------------------------------

    def brought(self, log: bytes) -> BroughtLines:
        """Compare a letter's lines with the log; return the new ones.

        Raises RecordError for lines that are damaged, that begin after the end of the log, or that contradict it. The error is
        FORK if one seat has signed both.
        """
        numbered = [(_number(line), line) for line in log.removesuffix(b"\n").split(b"\n")]
        first = numbered[0][0]
        if first > len(self.entries):
            raise RecordError(
                _(
                    "This letter begins at entry {n}, and your log ends with entry {last}: an earlier letter is "
                    "missing. Nothing is "
                    "lost: read that one first, or ask your friend for the whole log (“pbem copy” sends it).",
                    n=first,
                    last=len(self.entries) - 1,
                )
            )
        same = list(takewhile(lambda one: one[0] < len(self.entries) and self.entries[one[0]].line == one[1], numbered))
        rest = numbered[len(same) :]
        if rest and rest[0][0] < len(self.entries):
            self._parts(*rest[0])
        at = self.entries[rest[0][0] - 1] if rest and rest[0][0] else None
        if at and at.k == "turn" and read_line(rest[0][1]).get("prev") != at.hash:
            raise Parted(
                _(
                    "This letter continues from an entry {n} that differs from the one in your log. Nothing was "
                    "taken from it. Compare your log with your friend's: “pbem copy” sends the whole log.",
                    n=at.n,
                ),
                at.n,
                at.fields["by"],
            )
        data = b"".join(line + b"\n" for _n, line in rest)
        try:
            new = lines_of(data, (at.n, at.hash) if at else (-1, "0" * 64)) if rest else []
        except Fault as why:
            raise damaged(why) from why
        return BroughtLines(new, first - 1, numbered[-1][0])

    def _parts(self, n: int, line: bytes) -> None:
        """Say that a line is not the one that the log has there. Raises RecordError."""
        ours, theirs = self.entries[n].fields, read_line(line)
        other = Entry(n, sha256_hex(line), theirs, line)
        try:
            checked(reduce(checked, self.entries[:n], PairCourse()), other)
        except Fault as why:
            raise damaged(why) from why
        if other.k == "join":  # anybody can sign one in anybody's name
            raise RecordError(
                _(
                    "Two people have joined by one invitation. Entry {n} of this letter has another key than in "
                    "your log, so compare keys with your friend. Nothing was taken from this letter. The player "
                    "who sent the invitation continues with the person who answered first. For a game with the "
                    "other person, “pbem with” makes a new one.",
                    n=n,
                )
            )
        if theirs["by"] == ours["by"]:
            beside = self.keep_beside(b"".join(entry.line + b"\n" for entry in self.entries[:n]) + line + b"\n")
            raise Parted(
                _(
                    "FORK: {seat} has signed two different turns after entry {before}. The first one, in your "
                    "log, counts here; nothing was taken from the other. {path} and {beside} are the evidence, "
                    "for “pbem merge” and for your friend. If your friend lost his copy and started again from "
                    "an earlier entry, send him yours with “pbem copy”.",
                    seat=ours["by"],
                    before=n - 1,
                    path=self.path.name,
                    beside=beside.name,
                ),
                n,
                ours["by"],
            )
        raise RecordError(
            _(
                "This letter tells another entry {n} than your log: nothing has been taken from it. Compare with your "
                "friend what both "
                "have: “pbem copy” sends him your log.",
                n=n,
            )
        )

    def verdict(self, called: Callable[[str], str] = str) -> Verdict:
        """Verify the whole log; `called` gives the name of a seat."""
        return verify_pair(b"".join(entry.line + b"\n" for entry in self.entries), called)

    def keep_beside(self, other: bytes) -> Path:
        """Keep a log that conflicts with this one as `.fork`; an earlier one stays under another name."""
        beside = self.path.with_suffix(".fork")
        if beside.is_file() and beside.read_bytes() != other:
            beside.rename(unused(beside))  # it may show what somebody else has signed twice
        private.put(beside, other)
        return beside

    def evidence(self, entries: Sequence[Entry]) -> Path:
        """Keep entries at fault beside the log, with all before them; return the file."""
        beside = self.path.with_suffix(".fault")
        private.put(beside, b"".join(entry.line + b"\n" for entry in [*self.entries, *entries]))
        return beside


def keys_in(entries: Sequence[Entry]) -> dict[str, str]:
    """Return by seat the key that signs for it behind the last of some entries."""
    counts: dict[str, str] = {}
    for entry in entries:
        say = entry.fields.get("say", {})
        if entry.k == "join":
            counts[say["seat"]] = say["key"]
        for act in say.get("acts", ()):
            if act["do"] == "rekey":
                counts[say["seat"]] = act["key"]
    return counts


def key_among(entries: Sequence[Entry], keys: Sequence[PrivateKey]) -> PrivateKey:
    """Return the one of some keys that signs in a game now. Raises UsageError where none does."""
    counts = keys_in(entries).values()
    for key in keys:
        if key.key_line in counts:
            return key
    raise UsageError(_("This key plays no seat of this game."))


def replaced_in(entries: Sequence[Entry], key: str) -> int | None:
    """Return the entry in which a seat has left a key for another; None where no seat ever had it."""
    seat = ""
    for entry in entries[1:]:
        say = entry.fields["say"]
        for line in [say.get("key"), *(act["key"] for act in say.get("acts", ()) if act["do"] == "rekey")]:
            if seat and say["seat"] == seat and line:
                return entry.n
            seat = say["seat"] if line == key else seat
    return None


def _number(line: bytes) -> int:
    """Return the number of an entry. Raises RecordError for a line that is damaged or not from a log."""
    try:
        value = read_line(line)
    except FormError as error:
        raise damaged(error) from error
    n = value.get("n") if isinstance(value, dict) else None
    if type(n) is not int or n < 0:
        raise damaged(_("a line is not an entry of a log"))
    return n


def damaged(why: object) -> RecordError:
    """Return the error for damaged lines in a friend's letter."""
    return RecordError(
        _(
            "The lines of the log in this letter are damaged, or not all of them came ({why}): nothing has been taken "
            "from it. Save the "
            "mail once more; if that does not help, ask your friend to send it again: “pbem resend” does.",
            why=why,
        )
    )
