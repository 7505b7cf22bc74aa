"""What happened in the game at a faulty entry: the part of the game, the entry in a sentence, and what belongs to it.

It comes above a verdict, so that a player recognizes the moment before he meets an entry number and a code. The file is faulty:
each line is read by itself, none is trusted, and what cannot be read is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError
from pbem.games import find
from pbem.i18n import _
from pbem.i18n.visible import in_a_line
from pbem.ledger import Entry, Log, repaired
from pbem.ledger.first_line import HOST, TWO, mode_name
from pbem.ledger.log import Line, make_attachment

from .entries import EntryReader, Reader
from .text import readable
from .told import NONSENSE
from .turns import Turns

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json
    from pbem.ledger import Verdict

_LONGEST = 400
"""The most characters of a sentence that are shown."""


def _of_two(_log: Log, pack: GamePack | None) -> EntryReader:
    from .friends import PairReader  # few logs are

    return PairReader(pack)


_READERS: dict[str, Callable[[Log, GamePack | None], EntryReader]] = {HOST: Reader, TWO: _of_two}


def reader_of(log: Log, pack: GamePack | None) -> EntryReader:
    """Return what reads the entries of a log aloud, by its mode; `pack` is its game, None where that is not here."""
    return _READERS[mode_name(log.entries[0].line)](log, pack)


def scene(data: bytes, verdict: Verdict) -> str:
    """Return what happened in the game at the entry of a fault, as one paragraph; "" if nothing can be said."""
    found = verdict.repaired or verdict
    if found.verdict != "fault" or not found.entry:
        return ""
    with suppress(PbemError, *NONSENSE):
        return _scene(repaired(data)[0], found.entry)
    return ""


def _scene(data: bytes, n: int) -> str:
    log = Log(_lines(data))
    at = next((place for place, entry in enumerate(log.entries) if entry.n == n), None)
    if at is None:
        return ""
    with suppress(PbemError):
        pack = find(log.entries[0].fields["rules"]["id"])
        reader, entry = reader_of(log, pack), log.entries[at]
        moment = _moment(log.entries[:at], pack) or _("before the first turn")
        said = [_("In the game: {moment}.", moment=moment)]
        said.append(_("This entry says: {what}", what=_short(reader.line(entry))))
        if (question := _question(log.entries[:at], entry)) is not None:
            said.append(_("The question was: {what}", what=_short(reader.line(question))))
        if news := _came_of(log.entries[at:], pack):
            said.append(_("The next report says: {what}", what=news))
        return " ".join(said)
    return ""


def _lines(data: bytes) -> Iterator[Line]:
    """Yield the lines of a file that can be read, each entry with its place among the entries for a number."""
    n = 0
    for line in data.split(b"\n"):
        if line.startswith(b"{"):
            with suppress(ValueError, RecursionError):
                if isinstance(fields := json.loads(line), dict):
                    yield Entry(n, "", fields, line)
            n += 1
        elif line:
            with suppress(PbemError, *NONSENSE):
                yield make_attachment(line)


def _moment(entries: Sequence[Entry], pack: GamePack) -> str:
    """Return the part of the game that the entries have come to, the largest part first; "" before the first."""
    turns = Turns()
    for entry in entries:
        with suppress(*NONSENSE):
            for fact in _facts(entry):
                if readable(fact, None, pack) is not None and (chapter := pack.look.chapter(fact)):
                    turns.note(entry.n, chapter)
    return ", ".join(turn.name for turn in turns.open)


def _facts(entry: Entry) -> Sequence[Json]:
    """Return what an entry tells everybody, in a game with or without a host."""
    if entry.k == "tell":
        return list(entry.fields["pub"]["facts"])
    acts: list[dict[str, Any]] = entry.fields["say"]["acts"] if entry.k == "turn" else []
    return [fact for act in acts if act["do"] == "tell" for fact in act["facts"]]


def _question(above: Sequence[Entry], entry: Entry) -> Entry | None:
    """Return the question that an order or a skip of a game with a host belongs to."""
    if entry.k not in ("order", "skip"):
        return None
    return next((one for one in reversed(above) if one.k == "ask"), None)


def _came_of(entries: Sequence[Entry], pack: GamePack) -> str:
    """Return what the next report says of the dice of the first entry; "" if it says nothing."""
    news = next((one for one in entries if one.k == "tell"), None)
    if news is None or entries[0].k != "rand" or "res" not in entries[0].fields:
        return ""
    counts = [len(dice) for dice in entries[0].fields["res"]]  # not which dice: one of the two may be false
    with suppress(*NONSENSE):
        for fact in _facts(news):
            rolled, text = pack.look.rolled(fact), readable(fact, None, pack)
            if rolled and text and len(rolled.dice) in counts:
                return _cut(in_a_line(text))
    return ""


def _short(line: str) -> str:
    """Return the sentence of an entry's line without its number, in one line and not too long."""
    return _cut(in_a_line(line.strip().partition(" ")[2].strip()))


def _cut(said: str) -> str:
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"
