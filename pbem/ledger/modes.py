"""The differences between logs of games with a host and logs of two players without one: a row for each mode.

`mode_of` looks at the first line of a file. Each mode decides for itself who deals, and about waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.ledger.copies import merge
from pbem.ledger.evidence import ExportedSig, export_sig
from pbem.ledger.first_line import HOST, TWO, mode_name
from pbem.ledger.forms import json_schema
from pbem.ledger.log import Entry, Log
from pbem.ledger.verifier import Progress, Verdict, verify_checked


class Mode(NamedTuple):
    """The operations on the bytes of a log in one mode. Each raises FormError or Fault for bytes that are not a log."""

    name: str
    """What tables call it that have a row for each."""
    entries: Callable[[bytes], Sequence[Entry]]
    """Read its entries; nothing is checked but that they are lines which follow each other."""
    verify: Callable[[bytes, str | None, Progress | None, int, Callable[[str], str]], Verdict]
    """Verify it without rules. Arguments: the bytes, the copy's seat, a progress callback, the number of processes, and the seats'
    names.
    """
    export_sig: Callable[[bytes, int], ExportedSig]
    """Return the signature of an entry, as OpenSSH checks it."""
    merge: Callable[[bytes, bytes], bytes]
    """Unite two copies of one game. Raises UsageError, RecordError or Fault where they are none."""
    schema: Callable[[], dict[str, Any]]
    """Return the JSON Schema of a line."""
    refuse: Callable[[Mapping[str, object]], None] = lambda _given: None
    """Raise UsageError for an option, by its name, that is given and says nothing of such a log."""
    in_pieces: bool = True
    """Whether mails bring its copy piece by piece."""
    unrated: str = ""
    """Why a club never rates such games; "" where it may."""


def _lent(name: str) -> Callable[..., Any]:
    """Return a function for logs of two, which are loaded when one is there: few commands need them, and a page has them later."""

    def call(*given: Any) -> Any:
        from pbem.ledger.pair import checking

        return getattr(checking, name)(*given)

    return call


def _schema_of_two() -> dict[str, Any]:
    from pbem.ledger.pair.forms import pair_schema

    return pair_schema()


def _refuse(given: Mapping[str, object]) -> None:
    for option in (name for name, value in given.items() if value):
        raise UsageError(
            _(
                "{option} is for logs of games with a host. A game for two has no host and no receipts: both "
                "players have the same log, which is evidence by itself. Name only the file. A complaint "
                "also takes your friend's letter, or the file kept next to the log (….fault, ….fork).",
                option=option,
            )
        )


WITH_HOST = Mode(
    HOST,
    lambda data: Log.parse(data).entries,
    lambda data, seat, told, jobs, _called: verify_checked(data, seat, told, jobs)[0],
    lambda data, n: export_sig(Log.parse(data), n),
    lambda one, other: merge(Log.parse(one), Log.parse(other)).dump(),
    json_schema,
)
OF_TWO = Mode(
    TWO,
    _lent("lines_of"),
    lambda data, _seat, _told, _jobs, called: _lent("verify_pair")(data, called),
    _lent("export_pair_sig"),
    _lent("united"),
    _schema_of_two,
    _refuse,
    in_pieces=False,
    unrated=N_("It is a game of two without a host; only games of a host are rated."),
)


MODES = {one.name: one for one in (WITH_HOST, OF_TWO)}
"""The modes by their names."""


def mode_of(data: bytes) -> Mode:
    """Return the mode of a log, judged by its first line; by default, that of a game with a host."""
    return MODES[mode_name(data)]


def united(one: bytes, other: bytes, names: tuple[str, str]) -> bytes:
    """Unite two copies of one game, called so. Raises UsageError, RecordError or Fault where they are none."""
    if (mode := mode_of(one)) is not mode_of(other):
        two, hosted = names if mode is OF_TWO else reversed(names)
        raise UsageError(
            _(
                "These are of two games: {two} is the log of one without a host, and {hosted} of one with a host.",
                two=two,
                hosted=hosted,
            )
        )
    return mode.merge(one, other)
