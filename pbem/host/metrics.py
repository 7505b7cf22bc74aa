"""The state of a host as numbers for a monitor, in the text format of Prometheus.

It counts what `pbem host status` tells. It contains no name, address, title or text of anybody, so you may show it to anyone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from pbem.kernel import Json

_GAMES = "games_"
_HELP = {
    "pbem_games": "Games by stage.",
    "pbem_mails": "Mails that came, by what became of them.",
    "pbem_letters": "Letters to players, by what became of them.",
    "pbem_addresses_marked": "Addresses that letters come back from.",
    "pbem_troubles": "What does not work, by kind: damage, endless rules, a way in, a mail, a letter, a held deadline, a budget.",
    "pbem_clock_timestamp_seconds": "The moment up to which the host has come: it stands still while the host does.",
    "pbem_since_timestamp_seconds": "Since when the oldest mail is undecided and the oldest letter unsent; missing where none is.",
    "pbem_last_timestamp_seconds": "When a backup and a check last found nothing wrong; missing where none has.",
    "pbem_store_bytes": "How large the store is.",
    "pbem_disk_free_bytes": "How many bytes are free on the disk of the host's folder.",
}
"""Each number and its help text. All are gauges: the counts are in the store, and a store can be restored."""
_MAILS = {"mails_in": "in", "mails_undecided": "undecided", "mails_refused": "refused", "mails_stuck": "stuck"}
_LETTERS = {"mails_out": "written", "mails_unsent": "unsent", "letters_refused": "refused"}
_MOMENTS = {
    "undecided_since": "undecided",
    "unsent_since": "unsent",
    "last_backup": "backup",
    "last_check": "check",
    "clock": "",
}
TROUBLES = ("damage", "endless", "way", "mail", "letter", "held", "matter", "budget")
"""The kinds of troubles, each by the name that only this kind has."""


def told(status: Mapping[str, Json], clock: str, store_bytes: int, free_bytes: int) -> str:
    """Return the numbers of a host as a text for Prometheus: `status` is `Office.status`, `clock` the host's last moment."""
    troubles = Counter(next((kind for kind in TROUBLES if kind in one), "matter") for one in status["troubles"])
    stages = {name.removeprefix(_GAMES): n for name, n in status.items() if name.startswith(_GAMES)}
    found: dict[str, tuple[str, dict[str, int]]] = {
        "pbem_games": ("stage", dict(sorted(stages.items()))),
        "pbem_mails": ("what", {what: status[name] for name, what in _MAILS.items()}),
        "pbem_letters": ("what", {what: status[name] for name, what in _LETTERS.items()}),
        "pbem_addresses_marked": ("", {"": len(status["addresses_marked"])}),
        "pbem_troubles": ("kind", {kind: troubles[kind] for kind in TROUBLES}),
        "pbem_clock_timestamp_seconds": ("", _moments({"clock": clock}, "clock") if clock else {}),
        "pbem_since_timestamp_seconds": ("what", _moments(status, "_since")),
        "pbem_last_timestamp_seconds": ("what", _moments(status, "last")),
        "pbem_store_bytes": ("", {"": store_bytes}),
        "pbem_disk_free_bytes": ("", {"": free_bytes}),
    }
    return "".join(f"{line}\n" for name, (label, numbers) in found.items() for line in _lines(name, label, numbers))


def _moments(status: Mapping[str, Json], kind: str) -> dict[str, int]:
    """Return the moments of a kind that a status has, in seconds since 1970, by what they are."""
    return {
        what: int(datetime.fromisoformat(status[name]).timestamp())
        for name, what in _MOMENTS.items() if kind in name and name in status
    }  # fmt: skip


def _lines(name: str, label: str, numbers: Mapping[str, int]) -> Iterator[str]:
    yield f"# HELP {name} {_HELP[name]}"
    yield f"# TYPE {name} gauge"
    for of, number in numbers.items():
        yield f"{name}{{{label}={json.dumps(of)}}} {number}" if label else f"{name} {number}"
