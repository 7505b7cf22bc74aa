"""The evidence for a complaint: what a player signed, from the letter or the desk, and the host's receipt for it.

This module finds the evidence in the given files, and says what is missing. It judges nothing: `pbem.ledger.complaint` does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.errors import FormError, RecordError, UsageError
from pbem.games import find
from pbem.games.releases import known
from pbem.games.words import words
from pbem.i18n import _
from pbem.kernel import Fit, choose
from pbem.ledger import Log, cj, read_line, sha256_hex
from pbem.ledger.course import read
from pbem.mail import KnownLog, Short, read_block, read_message, rebuild
from pbem.referee.replaying import Find, Library, NoRules, Shelf
from pbem.reports.told import NONSENSE, view_at

if TYPE_CHECKING:
    from pbem.referee import Envelope


def signed_by_letter(
    name: str, raw: bytes, data: bytes, mark: int | None, full: Envelope | None = None
) -> dict[str, Any]:
    """Return the signed part of a letter; for a letter with premoves, the part for `mark`. Raises UsageError if it is missing.

    A short block is written out from the log, whose bytes are `data`, unless its `full` form is given.
    """

    def write_out(said: Short) -> Envelope:
        log = Log.parse(data)
        return rebuild(said, KnownLog(log, partial(words, find(str(log.entries[0].fields["rules"]["id"])))))

    found = full or read_block(read_message(raw).text, None, write_out)
    if found is None:
        for line in (read_message(raw).log or raw).splitlines():
            if line.startswith(b'{"openings":'):  # what a host has signed for who replies comes with its receipt
                return dict(read_line(line))
        raise UsageError(_("{letter} contains no signed block.", letter=name))
    if mark is not None:
        found = next((one for one in (found, *found.ahead) if one.say.get("link_n") == mark), None)
        if found is None:
            raise UsageError(_("{letter} contains no order for mark {mark}.", letter=name, mark=mark))
    return {"say": found.say, "sig": found.sig, "openings": [list(line) for line in found.openings]}


def receipt_for(name: str, data: bytes, envelope: dict[str, Any]) -> list[Any]:
    """Return the receipt in `data` for a signed order.

    Raises UsageError if there is no such receipt, and RecordError for a line that is not a receipt.
    """
    digest = sha256_hex(cj(envelope["say"]))
    for line in data.splitlines():
        try:
            found = read_line(line)
        except FormError as error:
            raise RecordError(
                _("{path} contains a line that is not a receipt: {why}.", path=name, why=error)
            ) from error
        if isinstance(found, list) and found[2:3] == [digest]:
            return found
    raise UsageError(
        _(
            "{path} contains no receipt for this order. If the receipt came with a report, it is in your copy of the game: name "
            "that file. If none came, ask the host again (“pbem resend”).",
            path=name,
        )
    )


def fitting(data: bytes, find_game: Find, shelf: Shelf) -> Callable[[str, int, str], bool | None]:
    """Return a predicate that checks whether a premove answers a question of a log, by the rules that the log names for it.

    It uses other rules of the same version only if a release is known to play by each of the two. Otherwise it returns None.
    """
    library = Library(find_game, shelf)

    def fits(seat: str, ask: int, text: str) -> bool | None:
        log = Log.parse(data)
        named = read(entry.fields for entry in log.entries[: ask + 1]).rules
        try:
            rules, sha256 = library.get(dict(named), ask)
        except NoRules:
            return None
        listed = (known(rules.id, rules.version, found) for found in (sha256, named["sha256"]))
        if sha256 != named["sha256"] and not all(listed):
            return None
        view = view_at(log, seat, ask)
        try:
            return None if view is None else isinstance(choose(rules, rules.read_view(view), text), Fit)
        except NONSENSE:  # what these rules do not know they do not judge
            return None

    return fits
