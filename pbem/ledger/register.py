"""The register of a host: its rated games, entered at opening and at beginning, so that a missing one is noticed.

Decides the contents of a line, how lines are chained, and which facts of a game they contain. Each line is canonical JSON. It
contains its number and the hash of the previous line, and the host signs it in a separate namespace. The first line names the
host's key. A `key` line names the next key, which signs everything below it. Entry 0 of a rated game names the line below which the
game is entered, so neither can be made after the other. Knows no file, no store and no result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger.canon import cj, cj_read, read_line, sha256_hex
from pbem.ledger.declared import Fields, Limits, form, one_of
from pbem.ledger.entries import MAX_EVENT, MAX_SEATS
from pbem.ledger.fields import MAX_NUMBER, At, Hex64, KeyLine, RulesId, Seat, Seen, Sig
from pbem.ledger.forms import Checks, fault, schema_of
from pbem.ledger.keys import REGISTER, PrivateKey, fingerprint, verify_sig, verify_sig_read
from pbem.ledger.log import ZERO, Entry

FORMAT = "pbem-register/1"
PLACE = "x:register"
"""The term of entry 0 that names the line below which the game is entered: its number and hash."""
ROUND = "x:round"
"""The term of entry 0 that says of which round of its event a game is."""

_HEAD_SAID = re.compile(
    r"([0-9]{1,9})\s+([0-9]{1,9})\s+([0-9a-f]{64})\s+([A-Za-z0-9+/]{44})\s+([A-Za-z0-9+/]{41}[AQgw]==)", re.ASCII
)


LINE: Fields = {"n": Annotated[int, Limits(ge=0, le=MAX_NUMBER)], "prev": Hex64, "sig": Sig}
"""What every line bears: its number, the hash of the line above, the host's signature over the rest."""
Fingerprint: TypeAlias = Annotated[str, Limits(pattern=r"^SHA256:[A-Za-z0-9+/]{43}$")]
KINDS: dict[str, Any] = {
    "register": form(
        "FirstLine",
        "The first line, and only the first: the key that keeps the register.",
        {**LINE, "k": Literal["register"], "proto": Literal["pbem-register/1"], "host": KeyLine},
    ),
    "open": form(
        "OpenedGame",
        "A rated game is opened: its id G, its rules, its event if the terms name one, and `at` of its entry 0.",
        {
            **LINE, "k": Literal["open"], "game": Hex64, "rules": RulesId,
            "event": NotRequired[Annotated[str, Limits(min_length=1, max_length=MAX_EVENT)]], "at": At,
        },
    ),
    "begin": form(
        "BegunGame",
        "All seats of a game are taken: the fingerprint of each seat's key; [n, h_n] and `at` of the entry with the last join.",
        {
            **LINE, "k": Literal["begin"], "game": Hex64,
            "keys": Annotated[dict[Seat, Fingerprint], Limits(min_length=1, max_length=MAX_SEATS)], "roster": Seen, "at": At,
        },
    ),
    "key": form(
        "NextKey", "Another key signs the lines below.", {**LINE, "k": Literal["key"], "key": KeyLine, "at": At}
    ),
}  # fmt: skip
_CHECKS = Checks(KINDS)


class Register:
    """The lines of a register in their order; it grows at its end, by lines that are right."""

    def __init__(self) -> None:
        self.lines: list[Entry] = []
        self.keys: list[str] = []
        """The keys that keep it, one after the other; the last one is in force."""
        self.opened: dict[str, Entry] = {}
        """By game, the line of its opening."""
        self.begun: dict[str, Entry] = {}
        """By game, the line of its beginning."""
        self._since: list[int] = []

    @classmethod
    def parse(cls, data: bytes) -> Register:
        """Read a file, and check every line and signature. Raises FormError, which names the first line that is wrong, and why."""
        if not data.endswith(b"\n"):
            raise FormError(_("the file does not end in a line feed"))
        register = cls()
        for number, line in enumerate(data[:-1].split(b"\n"), 1):
            try:
                register.add(line)
            except FormError as error:
                read = line[:80].decode(errors="replace")
                raise FormError(_("line {number}, “{read}…”: {why}", number=number, read=read, why=error)) from error
        return register

    def dump(self) -> bytes:
        """The file, byte for byte."""
        return b"".join(line.line + b"\n" for line in self.lines)

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last line."""
        return (self.lines[-1].n, self.lines[-1].hash) if self.lines else (-1, ZERO)

    @property
    def key(self) -> str:
        """The line of the key that keeps it, "" where it has no line."""
        return self.keys[-1] if self.keys else ""

    def key_at(self, n: int) -> str:
        """Return the line of the key that signed line `n`."""
        return next(key for key, since in zip(reversed(self.keys), reversed(self._since), strict=True) if since <= n)

    def add(self, line: bytes) -> Entry:
        """Add a line at the end. Raises FormError, saying why, for one that does not belong there."""
        fields = read_line(line)
        kind = fields.get("k") if isinstance(fields, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise FormError(_("it is not a line of a register; such a line is one of: {kinds}", kinds=", ".join(KINDS)))
        why = fault(_CHECKS[kind], fields) or self._objection(fields)
        if why:
            raise FormError(why)
        entry = Entry(fields["n"], sha256_hex(line), fields, line)
        self._take(entry)
        return entry

    def sign(self, key: PrivateKey, fields: Mapping[str, Any]) -> Entry:
        """Add a line at the end, signed by the key that keeps the register. Raises FormError for one that does not belong there."""
        n, prev = self.head
        said = {**fields, "n": n + 1, "prev": prev}
        return self.add(cj({**said, "sig": key.sign(REGISTER, cj(said))}))

    def parting(self, other: Register) -> int | None:
        """Return the number of the first line in which two registers differ, None where one is a beginning of the other."""
        pairs = zip(self.lines, other.lines, strict=False)
        return next((mine.n for mine, theirs in pairs if mine.line != theirs.line), None)

    def _objection(self, fields: Mapping[str, Any]) -> str:
        """Return why a line with a correct form does not belong at the end, or ""."""
        n, prev = self.head
        if fields["n"] != n + 1:
            return _(
                "it has the number {n}, but {wanted} was expected: a line is missing, duplicated or out of place",
                n=fields["n"], wanted=n + 1,
            )  # fmt: skip
        if fields["prev"] != prev:
            return _(
                "it follows on a line with the hash {prev}, and the line above it has {hash}: one of the two was changed",
                prev=fields["prev"], hash=prev,
            )  # fmt: skip
        if (fields["k"] == "register") != (n < 0):
            return _("the line “register” must come first, and only there")
        key = fields["host"] if n < 0 else self.key
        said = {name: value for name, value in fields.items() if name != "sig"}
        if not verify_sig_read(key, REGISTER, cj_read(said), fields["sig"]):
            return _("its signature is not by the key that keeps the register there, {key}", key=fingerprint(key))
        return self._twice(fields)

    def _twice(self, fields: Mapping[str, Any]) -> str:
        game = fields.get("game", "")
        if fields["k"] == "key" and fields["key"] in self.keys:
            return _("the key that it names has kept the register before")
        if fields["k"] == "open" and game in self.opened:
            return _("its game was opened in line {number} already", number=self.opened[game].n + 1)
        if fields["k"] == "begin" and game in self.begun:
            return _("its game began in line {number} already", number=self.begun[game].n + 1)
        if fields["k"] == "begin" and game not in self.opened:
            return _("its game was not opened in any line above it")
        return ""

    def _take(self, entry: Entry) -> None:
        self.lines.append(entry)
        if entry.k in ("register", "key"):
            self.keys.append(entry.fields["host" if entry.k == "register" else "key"])
            self._since.append(entry.n + (entry.k == "key"))
        elif entry.k == "open":
            self.opened[entry.fields["game"]] = entry
        else:
            self.begun[entry.fields["game"]] = entry


def opening(key_line: str) -> dict[str, Any]:
    """Return what the first line of a host's register says."""
    return {"k": "register", "proto": FORMAT, "host": key_line}


def opened(game: str, first: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a register says of a game that is opened, from its id and its entry 0."""
    event = {"event": first["terms"]["event"]} if "event" in first["terms"] else {}
    return {"k": "open", "game": game, "rules": first["rules"]["id"], "at": first["at"], **event}


def begun(
    game: str, entries: Iterable[Mapping[str, Any]], hash_of: Callable[[int], str | None]
) -> dict[str, Any] | None:
    """Return what a register says of a game that begins, from its log; None where not all seats are taken."""
    keys, seats = dict[str, str](), -1
    for n, entry in enumerate(entries):
        seats = len(entry["seats"]) if entry["k"] == "game" else seats
        if entry["k"] == "join":
            keys[entry["by"]] = fingerprint(entry["say"]["key"])
        if len(keys) == seats:
            return {"k": "begin", "game": game, "keys": keys, "roster": [n, hash_of(n)], "at": entry["at"]}
    return None


def is_rated(first: Mapping[str, Any]) -> bool:
    """Does entry 0 say that a game is rated?"""
    return first["terms"].get("rated") is True


def place_in_register(first: Mapping[str, Any]) -> tuple[int, str] | None:
    """Return number and hash of the line below which the game is entered, by entry 0; None if entry 0 does not name a line."""
    said = first["terms"].get(PLACE)
    if not isinstance(said, list) or len(said) != 2 or type(said[0]) is not int or type(said[1]) is not str:
        return None
    return said[0], said[1]


def round_said(terms: Mapping[str, Any]) -> int:
    """Return the round of its event by a game's terms; 0 if they do not name one."""
    said = terms.get(ROUND)
    return said if type(said) is int and said > 0 else 0


def head_said(key: PrivateKey, game: str, entry: int, head: tuple[int, str]) -> str:
    """Return what a letter of a rated game says of its host's register: how far it goes at an entry of the game, signed."""
    sig = key.sign(REGISTER, _head_signed(game, entry, *head))
    return f"{entry} {head[0]} {head[1]} {sig[:44]} {sig[44:]}"  # a longer word would be encoded in a header


def head_read(said: str, game: str, host: str) -> tuple[int, int, str] | None:
    """Return the entry, and number and hash of the register's last line then; None where the host (a key line) did not sign it."""
    if not (found := _HEAD_SAID.fullmatch(said)):
        return None
    entry, n, head = int(found[1]), int(found[2]), found[3]
    return (
        (entry, n, head)
        if verify_sig(host, REGISTER, _head_signed(game, entry, n, head), found[4] + found[5])
        else None
    )


def _head_signed(game: str, entry: int, n: int, head: str) -> bytes:
    """The signed bytes: a list, so that they are never those of a line."""
    return cj(["register", game, entry, n, head])


def json_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a register."""
    return schema_of(one_of(KINDS.values(), "k"), "a line of a host's register")
