"""Every error that pbem raises on purpose, in one tree.

::

    PbemError
    ├── PlayerError        what a player can mend: the message says what was read, where, why not, what would have worked
    │   ├── OrderError         an order that does not parse, or is not allowed here (lines, rule numbers)
    │   ├── KeyFileError       a key file or passphrase that cannot be used
    │   │   └── KeyLockedError     no passphrase was given, and it wants one
    │   └── UsageError         a command that does not fit the situation ("this game has not begun")
    │       └── EarlierWanted      a mail of a game that builds on one which is not here
    ├── RecordError        what is wrong with a record: a log, an entry, a signature
    │   ├── FormError          bytes that are not what PROTOCOL 2 and 3 ask for
    │   │   ├── OtherFormat        a log of another format than the one that is read here
    │   │   └── FullWanted         a short block that cannot be written out from what is here: its full form would tell
    │   ├── EndlessError       rules that do not come to an end with one entry
    │   ├── ForkError          two histories of one game, both signed by its host
    │   └── Fault              a verdict: entry, code, party, one sentence
    └── WorldError         what the world did: a disk, a network, a missing program
        ├── LoginRefused       a mail server is there, and refuses name or password
        ├── NotTaken           one letter that a mail server does not take, now or for good
        └── StoreError         a host's store that is missing, damaged or none: nothing is taken until somebody has mended it

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
"""What a system says of files, in English; what is not here is told as it says it."""


def system_said(error: OSError) -> str:
    """Return why the system could not do something, in the language that is spoken."""
    return _(error.strerror) if error.strerror else str(error)


def installing(extra: str) -> str:
    """Return how to install an extra of pbem. No index of packages has pbem, so the command names a place."""
    return _(
        "In your clone of pbem, type: pip install '.[{extra}]'. With a wheel: pip install './pbem-….whl[{extra}]'.",
        extra=extra,
    )


LATER = 75
"""The exit code that tells a mail server, or whoever watches a program, to come again (EX_TEMPFAIL)."""


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
        said = [str(problem) for problem in problems[:_MANY]]
        if len(problems) > _MANY:
            said.append(
                _(
                    "And {count} more lines cannot be read. Is this the right file? Of a report only the order lines belong in it.",
                    count=len(problems) - _MANY,
                )
            )
        super().__init__("\n".join(said))


class KeyFileError(PlayerError):
    """A key file, or its passphrase, that cannot be used."""


class KeyLockedError(KeyFileError):
    """A key file that is locked with a passphrase, and none was given: whoever can ask for one may ask."""


class UsageError(PlayerError):
    """A command that does not fit what is there; the text says what would."""


class EarlierWanted(UsageError):
    """A mail builds on an earlier one that is missing: its lines continue no copy that is here."""


class RecordError(PbemError):
    """Something is wrong with a record, whoever made it."""


class FormError(RecordError):
    """Bytes or values that are not of the form the protocol asks for."""


class OtherFormat(FormError):
    """A log of another format than the one that is read here: it need not be damaged."""


class FullWanted(FormError):
    """A short block that cannot be written out from what is here; nothing is said against who wrote it.

    `game` is the first 16 digits of the id that it names, `seat` the seat's place in that game, from 0.
    """

    def __init__(self, text: str, game: str = "", seat: int = 0) -> None:
        self.game, self.seat = game, seat
        super().__init__(text)


class EndlessError(RecordError):
    """The rules of a game do more for one entry than the format's budget of work allows."""


class ForkError(RecordError):
    """Two heads that the host signed over one entry number: `lines` are the proof, whatever else the copies hold."""

    def __init__(self, n: int, *lines: bytes) -> None:
        self.n = n
        self.lines = lines
        super().__init__(_("The host signed two histories of this game: two different heads over entry {n}.", n=n))


class Fault(RecordError):
    """A misdeed or damage found in a log: at which entry, which code of the closed list, whose, and one sentence."""

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
    """A server has taken leave, or fallen silent, over a letter that it had begun to take: over that one, or all the same."""


class NotTaken(WorldError):
    """A mail server does not take one letter, though it takes mail; is trying again of no use, may its sender be the reason?"""

    def __init__(self, text: str, *, for_good: bool, by_sender: bool = False) -> None:
        self.for_good, self.by_sender = for_good, by_sender
        super().__init__(text)


class StoreError(WorldError):
    """A host's store is missing, damaged or no store: whoever runs the host has to mend that, and mail comes again then."""
