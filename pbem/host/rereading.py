"""Repeats the reading of the mails behind entries of kept seats, for anyone with a log and the folder that its host wrote.

It checks whether each digest matches, and whether the host's parser finds the entry in letter and mail. A host can omit mails or
invent some: this checks only what the host shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pbem import __version__, private
from pbem.errors import PbemError, UsageError, system_said
from pbem.games import GamePack, find
from pbem.i18n import ENGLISH, N_, _, _n, speaking
from pbem.kernel import Json
from pbem.ledger import TAKEBACK, Log, cj, sha256_hex
from pbem.ledger.kept import KEPT, MAIL, mail_digest, words_of
from pbem.ledger.log import Entry
from pbem.ledger.telling import seen
from pbem.mail import read_message
from pbem.records import dataclass
from pbem.reports.choices import choices

from . import vouching
from .answers import AskedByMail, read_answer, read_yes
from .besides import marks_behind
from .evidence import AGREE, words_behind_join
from .store import Store
from .store.kept_rows import Evidence, parts_behind
from .zone import Look

INDEX = "mails.json"
JOINS = ("join", "amend")
"""Kinds of entries by which a kept player takes a seat."""
_SAYS = {"resign": "RESIGN", "claim": "CLAIM", "draw": "OFFER DRAW", "leave": "AWAY", TAKEBACK: "UNDO"}


@dataclass(frozen=True, slots=True)
class Reread:
    """The finding on the mails behind one entry.

    `digest` is “fits”, “differs” or “missing”; `read` is “same”, “differs”, “cannot be told” or “not read”. `dkim` are the
    providers' signatures on the mails, if the digest fits.
    """

    entry: int
    seat: str
    digest: str
    read: str
    dkim: Sequence[dict[str, Json]] = ()

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        found = {"entry": self.entry, "seat": self.seat, "digest": self.digest, "read": self.read}
        return found | ({"dkim": [*self.dkim]} if self.dkim else {})


def written(store: Store, game: int) -> dict[str, bytes]:
    """Return the files that hold the mails behind a game, by name, with one that says which is which."""
    files: dict[str, bytes] = {}
    index, signed = [], vouching.kept(store, game)
    for one in store.find(Evidence, game=game):
        parts = []
        for no, (name, raw) in enumerate(parts_behind(store, game, one.id)):
            file = f"{one.id:05d}-{one.seat}-{no}-{name}.{'eml' if name in ('mail', 'yes') else 'txt'}"
            files[file] = raw
            parts.append([name, file])
        index.append(
            {"said": one.said, "seat": one.seat, "digest": one.digest, "salt": one.salt, "at": one.at,
             "language": one.language, "program": one.program, "parts": parts, "dkim": signed.get(one.id, [])}
        )  # fmt: skip
    files[INDEX] = json.dumps(index, indent=1, ensure_ascii=False).encode() + b"\n"
    return files


def reread(
    log: Log, files: Mapping[str, bytes], find: Callable[[str], GamePack] = find, look: Look | None = None
) -> list[Reread]:
    """Look at the mails behind every entry that names some; `look` asks the DNS whether it still has the keys of their signatures.

    Raises ValueError, KeyError, IndexError or TypeError for files that are no such.
    """
    by_said = {str(one["said"]): one for one in json.loads(files[INDEX])}
    reader = Again(log, find, look)
    return [reader.look(entry, digest, by_said, files) for entry, digest in named(log)]


def named(log: Log) -> Iterator[tuple[Entry, str]]:
    """Go through the entries that name mails, each with the digest of the mails."""
    for entry in log.entries:
        field = entry.fields.get(MAIL) or (entry.k in JOINS and entry.fields.get(KEPT, {}).get("mail"))
        if field:
            yield entry, str(field)


def said_in(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the signed statement in an entry; in an amendment, the newcomer."""
    say: Mapping[str, Any] = fields["what"]["player"]["say"] if fields["k"] == "amend" else fields["say"]
    return say


class Again:
    """What reads the mails of one game again."""

    def __init__(self, log: Log, find: Callable[[str], GamePack], look: Look | None = None) -> None:
        self.log, self.pack, self.dns = log, find(str(log.entries[0].fields["rules"]["id"])), look
        self.opened = {tuple(one.fields[2:5]): one.fields[6] for one in log.attachments if one.k == "seal"}
        self.views = cache(self._views)

    def look(self, entry: Entry, digest: str, by_said: Mapping[str, Any], files: Mapping[str, bytes]) -> Reread:
        say = said_in(entry.fields)
        seat, said = str(say["seat"]), sha256_hex(cj(say))
        record = by_said.get(said)
        if record is None or any(file not in files for _name, file in record["parts"]):
            return Reread(entry.n, seat, "missing", "not read")
        parts = [(str(name), files[file]) for name, file in record["parts"]]
        if mail_digest(self.log.game, record["salt"], [raw for _name, raw in parts]) != digest:
            return Reread(entry.n, seat, "differs", "not read")
        try:
            same = self._says(entry, seat, dict(parts), record["language"] or ENGLISH)
        except (PbemError, KeyError, ValueError, TypeError):
            same = False
        other = "differs" if record["program"] == __version__ else "cannot be told"
        signed = vouching.looked_at(record, parts, self.dns)
        return Reread(entry.n, seat, "fits", "same" if same else other, signed)

    def _says(self, entry: Entry, seat: str, parts: Mapping[str, bytes], language: str) -> bool:
        """Does the mail say what the entry says?"""
        fields, own = entry.fields, read_message(parts["mail"]).own
        if "yes" in parts and read_yes(read_message(parts["yes"]).own) not in ("yes", "always"):
            return False
        if entry.k in JOINS:
            found = words_behind_join(own)
            return found is not None and words_of(found) == fields[KEPT]["words"]
        say, letter = fields["say"], parts["letter"].decode()
        is_ahead = say.get("act") == "ahead"
        ask = self._open_at(say["seen"][0] + 1) if is_ahead else say.get("ask", self._open_at(entry.n))
        view, marks = self.view(seat, ask), marks_behind(self.pack, self._asked_at(seat, ask))
        with speaking(language):
            listed = choices(self.pack, view) if view is not None else ()
        reading = read_answer(own, AskedByMail(self.pack, view, listed, language, letter, marks))
        if is_ahead:
            mark = say["link_n"]
            texts = [self.opened[seat, -mark, name] for name in ("order", "plans")]
            return texts == [dict(reading.ahead).get(mark), reading.plans]
        if entry.k == "order":
            texts = [self.opened[seat, ask, name] for name in ("order", "plans")]
            return texts == [reading.order, reading.plans]
        words = ["AGREE"] if AGREE.fullmatch(own) else [one.word for one in reading.commands]
        return (
            (_SAYS[say["act"]] in words) if say["act"] in _SAYS else bool({"UNDO", "OFFER DRAW", "AGREE"} & set(words))
        )

    def _open_at(self, n: int) -> int:
        return max(entry.n for entry in self.log.entries[:n] if entry.k == "ask")

    def _asked_at(self, seat: str, ask: int) -> tuple[int, str]:
        """Return the mark at which a seat stood at a question, and what it was asked there."""
        asked = [entry.fields for entry in self.log.entries[: ask + 1] if entry.k == "ask" and "mark" in entry.fields]
        return next(((f["mark"], f["what"]) for f in reversed(asked) if seat in f["to"]), (0, ""))

    def view(self, seat: str, ask: int) -> Any:
        """Return how a seat saw the game when a question was put; None where it was not asked."""
        if seat not in self.log.entries[ask].fields["to"]:
            return None
        return self.pack.rules.read_view(self.views(seat)[max(n for n in self.views(seat) if n < ask)])

    def _views(self, seat: str) -> dict[int, Any]:
        found: dict[int, Any] = {}
        view: Any = {}
        for entry in self.log.entries:
            if entry.k == "tell":
                view = seen(entry.fields["pub"], self.opened["host", entry.n, seat], view)
                found[entry.n] = view
        return found


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """The findings on all mails behind a log."""

    found: tuple[Reread, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON; nothing where no mails were looked at."""
        return {"mails": [one.to_json() for one in self.found]} if self.found else {}

    @property
    def told(self) -> list[str]:
        """Return it in sentences."""
        return told(self.found)


def read_again(folder: Path | None, log: bytes, *, ask: bool = False) -> ReadAgain:
    """Look at the mails behind a log's entries, in a folder if given; `ask`: ask the DNS for keys, too.

    Raises UsageError.
    """
    if folder is None:
        return ReadAgain()
    try:
        files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        return ReadAgain(tuple(reread(Log.parse(log), files, look=vouching.asking() if ask else None)))
    except OSError as error:
        why = system_said(error)
        raise UsageError(_("The mails in {folder} cannot be read: {why}.", folder=folder, why=why)) from error
    except (ValueError, LookupError, TypeError) as error:
        raise UsageError(_("{folder} is not a folder that “pbem host mails” has written.", folder=folder)) from error


def write_into(folder: Path, store: Store, game: int) -> str:
    """Write the mails behind a game into a folder, which is made; say so in a sentence."""
    files = written(store, game)
    private.make_folder(folder)
    for name, data in files.items():
        private.write(folder / name, data)
    said = N_("{count} files lie in {folder}. While the game is on, show them to nobody.")
    return _(said, count=len(files), folder=folder)


_WRONG = {
    "missing": N_("There are no mails for entries {numbers}."),
    "differs": N_("The mails for entries {numbers} are not those that the entries name."),
}
_MISREAD = {
    "differs": N_("The mails of entries {numbers} do NOT say what the entry says."),
    "cannot be told": N_(
        "Another version of pbem has read the mails of entries {numbers}: what they say cannot be told."
    ),
}


def told(found: Sequence[Reread]) -> list[str]:
    """Return the findings in sentences; [] if no entry names mails."""
    if not found:
        return []
    same = sum(one.read == "same" for one in found)
    lines = [
        _n(
            "Mails: {n} entry names some; {same} say what the entry says.",
            "Mails: {n} entries name some; {same} say what the entry says.",
            len(found),
            same=same,
        )
    ]
    for said, numbers in (
        *((said, [one.entry for one in found if one.digest == what]) for what, said in _WRONG.items()),
        *((said, [one.entry for one in found if one.read == what]) for what, said in _MISREAD.items()),
    ):
        if numbers:
            lines.append(_(said, numbers=", ".join(map(str, numbers))))
    return [*lines, *vouching.told([one.dkim for one in found if one.dkim])]
