"""The audit of every game of a host, by the rules; and of what its store keeps beside the logs.

`sound` reads each byte of a log without rules. This replays the log, and compares the end with the stored position and course. The
host continues from those, so damage there would make it break the rules. Stored mails and orders are compared with digests and
signatures, too. It needs no key, and changes no game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from pbem.errors import RecordError, UsageError
from pbem.games import installed
from pbem.games.shelf import Lender
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import SAY, Course, Log, after, cj, seal, verify_sig
from pbem.ledger.kept import mail_digest
from pbem.records import dataclass
from pbem.referee import AnswersDue
from pbem.referee.audit import Audited, audit
from pbem.resources import folder

from .evidence import digest_of
from .rereading import named, said_in
from .sound import NOT_BEGUN, damaged, log_fault, lost, strays
from .store import Store, StoredLedger
from .store.keeping import STAGES
from .store.kept_rows import Evidence, parts_behind
from .store.rows import AheadRow, AnswerRow, GameRow, KeptSay, SeatRow
from .troubles import DAMAGE, note

_ELSE = "store"
_UNREADABLE = (RecordError, ValueError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class GameAudited:
    """What was found of a game, or (number 0) of what belongs to no game. `damage` is a sentence, "" where nothing is wrong."""

    number: int
    title: str
    verdict: str
    """As `pbem audit` says it; “damaged”, where the store is; “not begun”."""
    reason: str
    damage: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {"game": self.number, "title": self.title, "verdict": self.verdict, "reason": self.damage or self.reason}


def audited(
    store: Store, numbers: Sequence[int] = (), stages: Collection[str] = STAGES, *,
    order: Callable[[Sequence[int]], Sequence[int]] = list, leave_out: Callable[[int], bool] = lambda _number: False,
    may_replay: Callable[[], bool] = lambda: True,
) -> Iterator[GameAudited]:  # fmt: skip
    """Audit these games, or all, and what belongs to none. Games of other stages are read, and not replayed.

    `order` orders all games, `leave_out` is asked for each, `may_replay` before each replay.
    """
    with Lender([], folder("shelf"), installed) as lent:
        for number in numbers or order(store.game_numbers()):
            with store.one_look():  # a host at work writes meanwhile
                found = None if leave_out(number) else _Stored.of(store, number)
            if found is not None:
                yield found.judged(lent, replay=found.row.stage in stages and may_replay())
    for why in () if numbers else _of_no_game(store):
        yield GameAudited(0, "", "damaged", why, why)
    with suppress(UsageError):  # it is said of the register itself
        yield from (GameAudited(0, "", "lost", why, why) for why in (lost(store) if stages and not numbers else ()))


def faults(store: Store) -> Iterator[str]:
    """Yield a sentence for each damage in a store, without replaying any game."""
    return (one.damage for one in audited(store, stages=()) if one.damage)


def note_damage(store: Store, found: Iterable[GameAudited], at: str) -> None:
    """Note the damage that an audit of all games has found, for the status, and forget what is right again."""
    told = {f"{DAMAGE}{f'game {one.number}' if one.number else _ELSE}": one.damage for one in found if one.damage}
    gone = (f"{DAMAGE}{name}" for name in store.notes(f"trouble {DAMAGE}"))
    for what in {*told, *gone}:
        note(store, what, told.get(what, ""), at)


class _Stored:
    """A game in the store, read at one moment."""

    def __init__(self, store: Store, row: GameRow) -> None:
        self.row, self.damage = row, log_fault(store, row)
        self.log, self.seats = Log(), {seat.seat: seat.key for seat in store.find(SeatRow, game=row.id)}
        if self.damage:
            return
        self.log = StoredLedger(store, row.id, ()).whole()
        kept = store.course(row.id)
        self.course: dict[str, Json] = json.loads(kept[1]) if kept else {}
        self.course_at = int(kept[0]) if kept else -1
        self.damage = _mails_fault(store, row, self.log) or self._signed_fault(store)

    @classmethod
    def of(cls, store: Store, number: int) -> _Stored | None:
        """Return the game of that number, or None where it has gone meanwhile."""
        row = store.get(GameRow, id=number)
        if row is None:
            return None
        try:
            return cls(store, row)
        except _UNREADABLE as error:  # who reads it looks for what is always there
            return _Unreadable(row, _said(error))

    def judged(self, lent: Lender, *, replay: bool) -> GameAudited:
        """Return the finding."""
        row = self.row
        if not self.damage:
            try:
                self.damage = self._course_fault()
                found = self._replayed(lent) if replay and not self.damage else None
            except _UNREADABLE as error:
                self.damage, found = _said(error), None
            if found is not None and not self.damage:
                verdict = found.verdict
                wrong = verdict.reason if verdict.verdict == "fault" else ""
                return GameAudited(row.id, row.title, verdict.verdict, verdict.reason, wrong and _faulty(row, wrong))
        if self.damage:
            return GameAudited(row.id, row.title, "damaged", self.damage, damaged(row, self.damage))
        return GameAudited(row.id, row.title, "not begun" if row.stage in NOT_BEGUN else "read", "")

    def _replayed(self, lent: Lender) -> Audited | None:
        """Replay the log, and compare where it ends with what the store says; None for a game that has not begun."""
        signed = [line.fields[2] for line in self.log.attachments if line.k == "head"]
        if not signed:
            return None
        found = audit(self.log.cut(max(signed)).dump(), installed, lent)
        is_whole = max(signed) == self.log.head[0] and found.replay is not None and self.row.stage != "moving"
        if found.replay is None or not is_whole or not self.row.snapshot:
            return found
        referee, course = found.replay.referee, found.replay.course
        if json.loads(json.dumps(referee.snapshot())) != json.loads(self.row.snapshot):
            self.damage = _("the stored position is not that at the end of the log")
            return found
        due = referee.due()
        asked, ask = (due.to, due.ask) if isinstance(due, AnswersDue) else ((), None)
        if course.phase == "called" and course.call:
            asked, ask = course.missing, course.call.n
        if self.row.stage == "playing" and (set(self.row.asked), self.row.ask) != (set(asked), ask):
            self.damage = _("the stored question is not that at the end of the log")
        return found

    def _course_fault(self) -> str:
        """Compare what follows from the log without rules with what the store says."""
        row, first = self.row, self.log.entries[0].fields
        if (row.g, row.game, row.opts) != (self.log.game, first["rules"]["id"], first["opts"]):
            return _("the store says that it is another game than its log says")
        course, then = Course(), Course()
        for entry in self.log.entries:
            course = after(course, entry.fields)
            if entry.n == self.course_at:
                then = course
        if self.course and json.loads(json.dumps(then.dump())) != self.course:
            return _("the stored course of the game is not that of its log")
        if row.stage in ("playing", "ended") and self.seats != {seat: one.key for seat, one in course.seats.items()}:
            return _("a seat's key is not that in the log")
        return ""

    def _signed_fault(self, store: Store) -> str:
        """Compare the orders and statements that wait with their signatures and seals."""
        for kind in (AnswerRow, AheadRow, KeptSay):
            for row in store.find(kind, game=self.row.id):
                if not verify_sig(self.seats.get(row.seat) or "", SAY, cj(row.say), row.sig):
                    return _("the signature under a stored order or statement of {seat} does not fit", seat=row.seat)
                for line in row.openings if isinstance(row, AnswerRow | AheadRow) else ():
                    if seal(*line[1:7]).digest != row.say["seals"][line[4]]:
                        return _("a stored order of {seat} is not the one signed", seat=row.seat)
        return ""


class _Unreadable(_Stored):
    """A game of which something cannot be read."""

    def __init__(self, row: GameRow, damage: str) -> None:
        self.row, self.damage = row, damage


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, RecordError) else f"{type(error).__name__}: {error}"


def _mails_fault(store: Store, row: GameRow, log: Log) -> str:
    """Compare the mails behind entries of kept seats with the digests that the log names; mails that were tidied away are none."""
    kept = store.find(Evidence, game=row.id)
    digests: Mapping[str, str] = {one.said: one.digest for one in kept}
    for one in kept:
        parts = [raw for _name, raw in parts_behind(store, row.id, one.id)]
        if mail_digest(row.g, one.salt, parts) != one.digest:
            return _("the stored mails behind an entry of {seat} are not those that came", seat=one.seat)
    for entry, digest in named(log) if kept else ():
        say = said_in(entry.fields)
        if digests.get(digest_of(say), digest) != digest:
            return _("at entry {n}: it names other mails than those stored", n=entry.n)
    return ""


def _of_no_game(store: Store) -> Iterator[str]:
    """Yield a sentence for each damage that concerns no one game: stray notes, mails."""
    yield from strays(store)
    if wrong := store.altered_mails():
        numbers = ", ".join(map(str, wrong[:10]))
        yield _(
            "Mails in the store are not as they came: {numbers}. Ask their senders to send them again.", numbers=numbers
        )


def _faulty(row: GameRow, why: str) -> str:
    """Return the message about a game with a log that is intact, and breaks the rules."""
    return _(
        "Game {number} ({title}) was not played by its rules: {why}. Export its log (“pbem host export {number}”) and "
        "“pbem audit” says more.",
        number=row.id, title=row.title, why=why.rstrip("."),
    )  # fmt: skip
