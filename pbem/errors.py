"""Every error that pbem raises on purpose, in one tree.

::

    PbemError
    ├── PlayerError        the player can correct it: the message says what was read, where, why not, what would have worked
    │   ├── OrderError         an order that does not parse, or is not allowed here (lines, rule numbers)
    │   ├── KeyFileError       a key file or passphrase that cannot be used
    │   │   └── KeyLockedError     a passphrase is needed, but none was given
    │   └── UsageError         a command that does not fit the situation ("this game has not begun")
    │       └── EarlierWanted      a mail of a game that builds on a missing one
    ├── RecordError        a fault in a record: a log, an entry, a signature
    │   ├── FormError          bytes that do not have the form of PROTOCOL 2 and 3
    │   │   ├── OtherFormat        a log in a format that is not read here
    │   │   └── FullWanted         a short block that cannot be expanded here: ask for its full form
    │   ├── EndlessError       rules that do not finish with one entry
    │   ├── ForkError          two histories of one game, both signed by its host
    │   └── Fault              a verdict: entry, code, party, one sentence
    └── WorldError         a failure of the environment: a disk, a network, a missing program
        ├── LoginRefused       a mail server that refuses name or password
        ├── NotTaken           one letter that a mail server refuses, now or for good
        └── StoreError         a host's store that is missing, damaged or invalid: no mail is taken until somebody repairs it
            └── StoreDamaged       its file is damaged: trying again does not help

Foreign exceptions stop at the boundary where they appear and are raised again as one of these.
"""

from __future__ import annotations

from pbem.i18n import N_, _
from pbem.records import dataclass

_OF_THE_SYSTEM = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File exists"),
    N_("No space left on device"),
    N_("Read-only file system"),
)
"""Error texts of the system about files, in English; others are shown unchanged."""


def system_said(error: OSError) -> str:
    """Return why the system could not do something, in the language that is spoken."""
    return _(error.strerror) if error.strerror else str(error)


def installing(extra: str) -> str:
    """Return how to install an extra of pbem. No index of packages has pbem, so the command names a place."""
    return _(
        "In your clone of pbem, type: pip install '.[{extra}]'. With a wheel: pip install './pbem-….whl[{extra}]'.",
        extra=extra,
    )


DAMAGED = 65
"""The exit code where a host's store or a game in it is damaged: trying again does not help (EX_DATAERR)."""
LATER = 75
"""The exit code that tells a mail server or a supervisor to try again later (EX_TEMPFAIL)."""


class PbemError(Exception):
    """The root of every error raised on purpose; its text is a sentence for the user."""


class PlayerError(PbemError):
    """Something that the person at the keyboard can put right."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an order: the line as read, why not, the rule's number, and what would have worked."""

    line: int
    read: str
    why: str
    rule: str = ""
    legal: str = ""

    def __str__(self) -> str:
        said = _("{why} (rule {rule}).", why=self.why, rule=self.rule) if self.rule else f"{self.why}."
        if self.read:
            said = _("“{read}”: {said}", read=self.read, said=said)
        if self.line:
            said = _("line {line}: {said}", line=self.line, said=said)
        return _("{said} Possible: {legal}", said=said, legal=self.legal) if self.legal else said


_MANY = 10


class OrderError(PlayerError):
    """An order that cannot be taken; nothing has changed. `problems` lists every bad line, the text at most ten."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        more = _(
            "And {count} more lines cannot be read. Is this the right file? Of a report only the order lines belong in it.",
            count=len(problems) - _MANY,
        )
        super().__init__("\n".join([*map(str, problems[:_MANY]), *[more] * (len(problems) > _MANY)]))


class KeyFileError(PlayerError):
    """A key file, or its passphrase, that cannot be used."""


class KeyLockedError(KeyFileError):
    """An encrypted key file for which no passphrase was given; the caller may ask for one."""


class UsageError(PlayerError):
    """A command that does not fit the situation; the text says what would."""


class EarlierWanted(UsageError):
    """A mail builds on an earlier one that is missing: its lines continue no copy that is here."""


class RecordError(PbemError):
    """A fault in a record, of any origin."""


class FormError(RecordError):
    """Bytes or values that are not of the form the protocol asks for."""


class OtherFormat(FormError):
    """A log of another format than the one that is read here: it need not be damaged."""


class FullWanted(FormError):
    """A short block that cannot be expanded from the data here; this is no evidence against its writer.

    `game` is the first 16 digits of the id it names, and `seat` the seat's place in that game, from 0.
    """

    def __init__(self, text: str, game: str = "", seat: int = 0) -> None:
        self.game, self.seat = game, seat
        super().__init__(text)


class EndlessError(RecordError):
    """The rules of a game do more for one entry than the format's budget of work allows."""


class ForkError(RecordError):
    """Two heads that the host signed over one entry number. `lines` are the proof, whatever more the copies contain."""

    def __init__(self, n: int, *lines: bytes) -> None:
        self.n = n
        self.lines = lines
        super().__init__(_("The host signed two histories of this game: two different heads over entry {n}.", n=n))


class Fault(RecordError):
    """A misdeed or damage found in a log: the entry, the code of the closed list, the responsible party, and one sentence."""

    def __init__(self, entry: int, code: str, party: str, reason: str) -> None:
        self.entry, self.code, self.party, self.reason = entry, code, party, reason
        super().__init__(
            _("entry {entry}: {reason} [{code}, {party}]", entry=entry, reason=reason, code=code, party=party)
        )


class WorldError(PbemError):
    """A disk, a network or another program failed us."""


class LoginRefused(WorldError):
    """A mail server refuses a name, a password or a token."""


class LeftOver(WorldError):
    """A server closed the connection or fell silent during a letter it had begun to accept; the letter may or may not be
    the cause."""


class NotTaken(WorldError):
    """A mail server does not take one letter, though it takes mail; is trying again of no use, may its sender be the reason?"""

    def __init__(self, text: str, *, for_good: bool, by_sender: bool = False) -> None:
        self.for_good, self.by_sender = for_good, by_sender
        super().__init__(text)


class StoreAway(WorldError):
    """A host's store cannot be used now: its disk is full or read-only, its server is away, or another program locks it."""


class StoreError(WorldError):
    """A host's store is missing, damaged or invalid: the operator has to repair it, and mail is delivered again afterwards."""


class StoreDamaged(StoreError):
    """The file of a host's store is damaged: trying again does not help."""
