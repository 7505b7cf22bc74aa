"""One seat of the desk's player: the notes of its game, its copy, and what may be signed with it.

Before anything is signed, this module decides what to believe. It checks which rules apply, whether the copy is in order, and
whether this seat heard the same as everybody. It writes only its notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.errors import PbemError, RecordError, UsageError
from pbem.games import GamePack, manifest, releases
from pbem.i18n import _
from pbem.ledger import Course, Log, PrivateKey, Verdict, objection
from pbem.ledger.fields import plus_seconds
from pbem.ledger.kept import is_kept
from pbem.records import dataclass
from pbem.referee import After, Pen, last_orders

from .copy import Copy, sense
from .overview import Overview, overview
from .public import same_board, unheard
from .terms import told_terms
from .tray import Tray

if TYPE_CHECKING:
    from pbem.kernel import Json, View

    from .folder import Folder
    from .notes import Notes

_ENOUGH = 16
"""The number of digits of a fingerprint that suffice to name rules."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat in one game: its notes, in the folder where its copy and its key are."""

    folder: Folder
    notes: Notes

    @property
    def copy(self) -> Copy:
        """Its copy of the game. Raises RecordError where it is lost or damaged."""
        return self.folder.copy(self.notes)

    @property
    def log(self) -> Log:
        """The log in the copy."""
        return self.copy.log

    @property
    def course(self) -> Course:
        """How far the game has come."""
        return self.copy.course

    @property
    def pack(self) -> GamePack:
        """The game that is played."""
        return self.folder.pack(self.log)

    def called(self, seat: str) -> str:
        """Return the name of a seat by its game, or by the log if that game is not installed."""
        try:
            return self.pack.look.seat_name(seat)
        except PbemError:
            return seat

    @property
    def name(self) -> str:
        """What tells the game from others of its kind."""
        return self.notes.title

    @property
    def heading(self) -> str:
        """Which game it is, in a sentence, and which seat."""
        own, notes = self.called(self.notes.seat), self.notes
        return _("{title}, game {game}. You play {seat}.", title=notes.title, game=notes.game[:8], seat=own)

    @property
    def keys(self) -> Mapping[str, str]:
        """The host's key, under "", and that of each seat."""
        return {"": self.course.host} | {seat: held.key for seat, held in self.course.seats.items()}

    def overview(self) -> Overview:
        """Return the game's state, by its copy and the letters on the desk. Raises RecordError if the copy is damaged."""
        notes, tray, copy = self.notes, Tray(self.folder), self.folder.lying(self.notes)
        if not copy.log.entries and not copy.damage:
            return Overview(notes.game, notes.title, notes.seat, "lost", (), "", "", tuple(tray.lying(notes)))
        return overview(
            notes, self.log, self.course, tray,
            tuple(seat for seat in self.course.missing if is_kept(self.log.entries, seat)),
        )  # fmt: skip

    def evidence(self) -> tuple[str, ...]:
        """Return nothing: the evidence is in the copy."""
        return ()

    def verdict(self) -> Verdict:
        """Verify the whole of the copy."""
        return self.copy.verdict()

    @property
    def view(self) -> View:
        """How it sees the game after all that it was told."""
        with sense():
            return self.pack.rules.read_view(self.copy.tells()[-1].view)

    @property
    def pen(self) -> Pen:
        """The pen, with its current chain. Without a copy, it signs statements that are in no log, such as a request for a copy."""
        course = self.folder.lying(self.notes).course
        return self.pen_at(course) if course.seats else Pen(self.folder.key, self.notes.game, self.notes.seat)

    def pen_at(self, course: Course) -> Pen:
        """Return its pen as the log had come: with the key that a host kept, as long as that one counts and is here."""
        notes, spare = self.notes, self.notes.spare
        if (
            spare
            and course.seats[notes.seat].key == (kept := PrivateKey.from_seed(bytes.fromhex(spare["key"]))).key_line
        ):
            return Pen.at(kept, notes.game, notes.seat, course, spare["top"])
        return Pen.at(self.folder.key, notes.game, notes.seat, course)

    @property
    def own_line(self) -> str:
        """The line of the key with which this seat is signed for here."""
        return self.pen.key.key_line if self.notes.spare else self.folder.key_line

    def keep(self) -> None:
        """Write its notes into the folder."""
        self.folder.keep(self.notes)

    def after(self, course: Course | None = None) -> After:
        """Return the last signed orders as a statement names them: by the notes, or by the log if the notes are lost.

        `course` is the valid part of the game, if that is not the whole copy.
        """
        course = course or self.course
        holder, signed = course.seats[self.notes.seat], self.notes.revisions.items()
        answer = max([holder.answer, *((int(ask), rev) for ask, rev in signed if int(ask) < course.next)])
        ahead = max([holder.ahead, *((int(mark), int(sent[0])) for mark, sent in self.notes.ahead.items())])
        return last_orders(answer if answer[0] >= 0 else None, ahead if ahead[0] >= 0 else None)

    def check_public(self, since: int) -> None:
        """Hold what this seat was told after an entry against what all were told. Raises RecordError where they differ."""
        own, public = self.copy.tells(), self.copy.public()
        if not own or self.course.rules["sha256"] in self.notes.rules:
            return  # nothing that is said by rules which are not known here can be held against anything
        with sense():
            differs = not same_board(self.pack.rules, own[-1].view, public[-1].view)
            missing = unheard([t for t in own if t.n > since], [t for t in public if t.n > since])
        if differs or missing:
            raise RecordError(
                _(
                    "DO NOT GO ON: the host's report to you differs from its report to everybody (entry "
                    "{entry}). The host has signed both; {copy} is the evidence. Show it to the other players.",
                    entry=missing[0] if missing else own[-1].n,
                    copy=self.copy.path.name,
                )
            )

    def check_rules(self, wanted: str = "") -> str:
        """Return the rules that a game is played by, in a sentence. Raises UsageError if they are not known here.

        `wanted` is the beginning of their fingerprint, from a player who accepts them although they are unknown.
        """
        pack, rules, notes = self.pack, self.course.rules, self.notes
        if said := told_rules(pack, rules):
            return said
        sha256 = str(rules["sha256"])
        if len(wanted) >= _ENOUGH and sha256.startswith(wanted.lower()) and sha256 not in notes.rules:
            notes.rules.append(sha256)
            self.keep()
        found = {"game": pack.rules.title, "ver": rules["ver"], "sha256": sha256[:_ENOUGH]}
        if sha256 in notes.rules:
            return _(
                "{game}, version {ver} of the rules with the fingerprint {sha256}…: NOT KNOWN HERE. If the host "
                "reports falsely, no "
                "audit with the rules that you have can tell.",
                **found,
            )
        raise UsageError(
            _(
                "This game uses version {ver} of the rules of {game} with the fingerprint {sha256}…, which "
                "are not known here. Nobody without these rules can check what the host says. Ask the host "
                "for a version of pbem that knows them. To play by them anyway, add “--rules {sha256}”.",
                **found,
            )
        )

    def agreed_on(self, known: str) -> list[str]:
        """Return what he agrees to by taking part: rules, options and terms, as entry 0 has them, whatever a letter says."""
        first = self.log.entries[0].fields
        lines = [_("Entry 0 of the log says the following, which is valid whatever a letter may say:"), f"  {known}"]
        return ["", *lines, *(f"  {line}" for line in [*self.pack.told(first["opts"]), *told_terms(first["terms"])])]

    def objection(self, kind: str, say: Mapping[str, Json], at: str) -> str:
        """Return why the log could not contain a statement, by this copy, or ""."""
        course = self.course
        entry: dict[str, Json] = {"k": kind, "by": self.notes.seat, "say": dict(say), "at": max(at, course.clock)}
        if kind == "rekey" and course.terms.hours:
            entry["due"] = plus_seconds(entry["at"], course.call_length())
        found = objection(course, entry)
        return found.reason if found else ""

    def check(self) -> None:
        """Sign nothing over a copy that is at fault, nor for a host that was given up. Raises RecordError or UsageError."""
        if self.notes.next_host:
            raise UsageError(
                _(
                    "You have agreed that another host continues this game, so nothing more is signed for the "
                    "former one. Wait for the mail that says that all have agreed."
                )
            )
        verdict = self.copy.verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                _(
                    "Your copy is at fault, so nothing is signed: entry {entry}, {code}. {reason}",
                    entry=verdict.entry,
                    code=verdict.code,
                    reason=verdict.reason,
                )
            )
        self.check_public(self.copy.tells()[-1].n - 1 if self.copy.tells() else 0)


def told_rules(pack: GamePack, rules: Mapping[str, Json]) -> str | None:
    """Return by which rules a game is played, as a sentence; None where they are not known here, so that nothing can be judged."""
    told, here = {"game": pack.rules.title, "ver": rules["ver"]}, rules["ver"] == pack.rules.version
    if here and rules["sha256"] == manifest(pack)[1]:
        return _("{game}, version {ver} of the rules: those that are installed here", **told)
    known = releases.known(str(rules["id"]), int(rules["ver"]), str(rules["sha256"]))
    if known is None:
        return None
    if here:
        return _(
            "{game}, version {ver} of the rules: those of pbem {release}, which play as the installed ones",
            **told,
            release=known.release,
        )
    return _("{game}, version {ver} of the rules: those of pbem {release}", **told, release=known.release)
