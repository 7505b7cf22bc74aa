"""The small files that a desk keeps next to its key and copies: who the player is, and its notes on each game.

A file is written whole or not at all. You may edit `settings.json` by hand, so an error message names the place of the error.
"""

from __future__ import annotations

import json
from dataclasses import asdict, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pbem import private
from pbem.errors import UsageError, system_said
from pbem.i18n import _, languages
from pbem.ledger import REACH
from pbem.ledger.first_line import HOST, ModeName
from pbem.records import dataclass

if TYPE_CHECKING:
    from pbem.kernel import Json

_EXAMPLE = '{"address": "ann@example.org", "post": "", "smtp": {}, "imap": {}}'


class Ahead(NamedTuple):
    """An order sent ahead: its revision (-1: none was), its canonical text, and the entry that its writer had seen."""

    rev: int = -1
    text: str = ""
    seen: int = 0


class RegisterSeen(NamedTuple):
    """How far a host's register went by a letter: with which entry of the game, the last line's number and hash, the host's key
    line, and what he has signed."""

    entry: int
    n: int
    head: str
    host: str
    signed: str = ""


@dataclass(slots=True)
class AnyNotes:
    """What the desk remembers of a game beside its copy, or log."""

    mode: ClassVar[ModeName]
    game: str
    seat: str
    title: str
    plans: str = field(default="", kw_only=True)
    """The standing plans. They go with every order that has no plans of its own."""

    def with_whom(self) -> dict[str, str]:
        """Return the partner's address, for a program, if there is one partner and no host."""
        return {}


@dataclass(slots=True)
class Notes(AnyNotes):
    """What the desk remembers of a game with a host."""

    mode: ClassVar[ModeName] = HOST
    host: str
    revisions: dict[str, int] = field(default_factory=dict)
    """The highest revision of an answer, by the number of its question."""
    moves: int = 0
    """The number of the last change of address."""
    clocks: int = 0
    """How often he has said when time counts for him."""
    next_host: str = ""
    """The digest of what he has agreed to about another host, until the copy shows that all have."""
    next_key: str = ""
    """The fingerprint of that host's key."""
    token: str = ""
    """What shows that he was invited to the seat."""
    players: dict[str, str] = field(default_factory=dict)
    """The holders of the other seats: an address or a name for each, as in the invitation."""
    rules: list[str] = field(default_factory=list)
    """SHA-256 of rules that are not known here but that the player accepts."""
    doubts: dict[str, str] = field(default_factory=dict)
    """By the number of a question or call: the fault in its time, found when the letter came."""
    door: str = ""
    """Where its host has a door, as he has signed; "": he has said nothing of one."""
    door_from: int = 0
    """From which entry on it is there: of two that he has signed the later counts."""
    at_door: int = 0
    """The number of the last letter that was fetched there."""
    last_at_door: str = ""
    """Its SHA-256: a host with a restored store gives the same numbers to other letters."""
    mails: int = 0
    """How often he has said what he gets by mail beside the door."""
    ahead: dict[str, list[Json]] = field(default_factory=dict)
    """The premoves sent, by mark, in the form of `Ahead`."""
    reads: list[int] = field(default_factory=list)
    """Up to which version and dictionary the host reads short blocks, as his last letter said; empty: none."""
    register: list[Json] = field(default_factory=list)
    """The longest extent of the host's register of rated games in any letter, as `RegisterSeen` has it."""
    zone: str = ""
    """By which time zone the host's letters tell him moments, as the last one said."""
    cc: list[str] | None = None
    """The addresses to which a copy of each order goes, sealed for the host; None: as the settings say."""
    spare: dict[str, str] = field(default_factory=dict)
    """The key of the seat and the top of its chain, as the host that kept them has sent them."""

    def sent_ahead(self, mark: int | None) -> Ahead:
        """Return the premove that was sent for a mark."""
        return Ahead(*self.ahead.get(str(mark), ()))

    def note_ahead(self, mark: int, sent: Ahead) -> None:
        """Note the premove sent for a mark; forget those that closed long ago."""
        self.ahead = {m: old for m, old in self.ahead.items() if int(m) > mark - 2 * REACH} | {str(mark): list(sent)}

    @classmethod
    def read(cls, path: Path) -> Notes:
        """Return the notes in a file. Raises UsageError."""
        try:
            return cls(**_object(path))
        except (TypeError, ValueError) as error:
            raise UsageError(
                _(
                    "The notes {path} are damaged ({why}). Move the file away. Then let “pbem read” read the "
                    "first mail of that game again. Your copy of the game is not affected.",
                    path=path,
                    why=error,
                )
            ) from error

    def write(self, path: Path) -> None:
        """Write the notes into a file."""
        _write(path, asdict(self))


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """The player, and the destination of his letters: the Maildir of the host, a mail server, or none (they stay in `out/`).

    `smtp` and `imap` are in the form that `pbem.mail.settings` reads; files that they name are in the desk's folder. `imap` is the
    mailbox to which his letters come, where “pbem turn” is to fetch them.
    """

    address: str
    post: str = ""
    smtp: dict[str, Json] = field(default_factory=dict)
    language: str = ""
    """What he reads, as “fr”; "" where he has not said."""
    imap: dict[str, Json] = field(default_factory=dict)
    block: str = ""
    """“full”: every signed block goes in its full form; "": in its short one where the host reads that."""
    cc: str = ""
    """“all”: copies of orders go to all other players, sealed for the host, unless a game's notes say otherwise."""
    only: str = ""
    """“sign”: “pbem turn” signs by itself if there is only one legal answer; "": it asks the player."""

    @classmethod
    def read(cls, path: Path) -> PlayerSettings:
        """Read the settings from a file. Raises UsageError with the place of the error."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise _unread(path, system_said(error)) from error
        return cls.parse(data, path)

    @classmethod
    def parse(cls, data: bytes, path: Path) -> PlayerSettings:
        """Return the settings in `data`; `path` is where the file is or will be. Raises UsageError."""
        try:
            found = cls(**_named(data))
            if (
                not isinstance(found.address, str)
                or not isinstance(found.post, str)
                or not isinstance(found.smtp, dict)
                or not isinstance(found.imap, dict)
            ):
                raise TypeError(_("“address” and “post” are texts, “smtp” and “imap” have names and values in braces"))
            for name, word in (("block", "full"), ("only", "sign"), ("cc", "all")):
                if getattr(found, name) not in ("", word):
                    raise ValueError(_("“{name}” is “{word}”, or is not there", name=name, word=word))
            if found.language not in ("", *languages()):
                raise ValueError(_("“language” is one of {languages}", languages=", ".join(languages())))
        except (TypeError, ValueError) as error:
            raise _unread(path, str(error).removeprefix("PlayerSettings.__init__() ")) from error
        return found

    def write(self, path: Path) -> None:
        """Write the settings into a file."""
        _write(path, asdict(self))

    @property
    def ways(self) -> bool:
        """Is there a way to send?"""
        return bool(self.post or self.smtp)


def _unread(path: Path, why: str) -> UsageError:
    return UsageError(
        _(
            "Your settings {path} cannot be read: {why}. They look like {example}.",
            path=path,
            why=why,
            example=_EXAMPLE,
        )
    )


def _object(path: Path) -> dict[str, Any]:
    return _named(path.read_bytes())


def _named(data: bytes) -> dict[str, Any]:
    """Return the names and values of a JSON text. Raises ValueError or TypeError with the place of the error."""
    try:
        text = data.decode("utf-8-sig")  # some editors of Windows begin a file with a mark
        found = json.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError(_("it is not UTF-8 text; save it as UTF-8")) from error
    except (ValueError, RecursionError) as error:
        if not isinstance(error, json.JSONDecodeError):
            raise ValueError(
                _("it contains a number with thousands of digits, or too many brackets within brackets")
            ) from error
        if not text.strip():
            raise ValueError(_("the file is empty")) from error
        line = text.splitlines()[error.lineno - 1].strip() if error.lineno <= len(text.splitlines()) else ""
        raise ValueError(
            _(
                "line {line}, at character {column}, is not written as JSON: “{read}”", line=error.lineno, column=error.colno,
                read=line[:60],
            )
        ) from error  # fmt: skip
    if not isinstance(found, dict):
        raise TypeError(_("it contains no names and values in braces"))
    return found


def _write(path: Path, value: Json) -> None:
    private.put(path, f"{json.dumps(value, indent=1)}\n".encode())
