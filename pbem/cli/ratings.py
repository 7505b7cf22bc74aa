"""The command ratings: the players' strength, from the logs of finished games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.errors import FormError, RecordError, UsageError
from pbem.i18n import _

from . import screen
from .common import (
    OtherRules,
    echo_json,
    no_log,
    read_bytes,
    read_repaired,
    read_text,
    rules_lent,
    say_taken,
)
from .language import for_programs

if TYPE_CHECKING:
    from pbem.club.rating_list import RatedPlayer, RatingList
    from pbem.club.registers import MissingGame, Registers
    from pbem.club.results import LeftOut, RatedGame
    from pbem.games.shelf import Lender

SHORT = 12
"""The number of characters of a fingerprint shown to people; JSON has the whole fingerprint."""
Logs = Annotated[list[Path], typer.Argument(metavar="LOG…", help="Logs, or folders with .pbem files.")]
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print one JSON object.")]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--host", metavar="KEY", help="Only games of this host, by its key's fingerprint; may be repeated."),
]
Names = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The owners of the keys: a fingerprint and a name in each line.")
]
GivenRegisters = Annotated[
    list[Path] | None,
    typer.Option(
        "--register",
        metavar="FILE",
        help="Only games in this register of a host (“pbem host register”). You can repeat it, also with older "
        "registers.",
    ),
]


def ratings(
    logs: Logs,
    event: Annotated[str | None, typer.Option(metavar="NAME", help="Only games of this event.")] = None,
    host: Hosts = None,
    names: Names = None,
    register: GivenRegisters = None,
    rules: OtherRules = None,
    json: Json = False,
) -> None:
    """Compute the players' ratings from the logs of rated games: the same list on any machine."""
    from pbem.club.rating_list import RatingList

    files = list(log_files(logs))
    called = named_keys(names) if names else {}
    registers = registers_of(register) if register else None
    with rules_lent(rules) as lent:
        results, file_of = results_of_files(files, lent, registers)
    found = RatingList.of(results, event, host or ())
    missing = registers.missing({result.id for result in results}, event, host or ()) if registers else ()
    if json:
        echo_json(found.to_json() | (registers.to_json(missing) if registers else {}))
        return
    say_taken(lent)
    screen.echo("\n".join(_in_words(found, called, file_of)))
    if registers:
        screen.echo("\n".join(_of_registers(registers, missing, called)))


def log_files(given: list[Path]) -> Iterator[Path]:
    """Go through files that were named, and the logs in folders that were. Raises UsageError for a folder without any."""
    for path in given:
        if path.is_dir():
            inside = sorted(path.rglob("*.pbem"))
            if not inside:
                raise UsageError(_("There is no .pbem file in {folder}.", folder=path))
            yield from inside
        else:
            yield path


def results_of_files(
    files: list[Path], lent: Lender, registers: Registers | None = None
) -> tuple[list[RatedGame | LeftOut], dict[str, Path]]:
    """Return what logs give, each judged, and by the ids of games the files that have them. Raises RecordError for no log."""
    from pbem.club.results import result_of
    from pbem.games import installed

    results, file_of = list[Any](), dict[str, Path]()
    for path in files:
        try:
            results.append(result_of(read_repaired(str(path)), installed, lent, registers))
            file_of.setdefault(results[-1].id, path)
        except FormError as error:
            raise no_log(path, error) from error
    return results, file_of


def named_keys(path: Path) -> Mapping[str, str]:
    """Return the owners of keys from a file of names: fingerprint -> name. Raises UsageError for an unreadable line."""
    found = {}
    for number, line in enumerate(read_text(str(path)).splitlines(), 1):
        key, _sign, name = line.strip().partition(" ")
        if key and (not key.startswith("SHA256:") or not name.strip()):
            raise UsageError(
                _(
                    "{path}, line {number}: “{line}” is not a fingerprint with a name, such as “SHA256:… Robert”.",
                    path=path,
                    number=number,
                    line=line,
                )
            )
        if key:
            found[key] = name.strip()
    return found


def registers_of(paths: list[Path]) -> Registers:
    """Return the registers in these files. Raises RecordError for a file that is not a register, or was changed."""
    from pbem.club.registers import Registers
    from pbem.ledger.register import Register

    given = []
    for path in paths:
        try:
            given.append((str(path), Register.parse(read_bytes(str(path)))))
        except FormError as error:
            raise RecordError(
                _("{path} is not a host's register, or it was changed: {why}.", path=path, why=error)
            ) from error
    return Registers(given)


def _in_words(found: RatingList, called: Mapping[str, str], file_of: Mapping[str, Path]) -> Iterator[str]:
    from pbem.games import find
    from pbem.look import PageTable
    from pbem.reports.text import set_out

    heads = ("", _("Player"), _("Rating"), "±", _("Games"), _("Won"), _("Shared"))
    for game, rows in found.games.items():
        unsure = "" if all(row.sure for row in rows) else _("?: a first guess, from few games.")
        cells = tuple(_row(place, row, called) for place, row in enumerate(rows, 1))
        yield set_out(PageTable(find(game).rules.title, heads, cells, unsure)) + "\n"
    yield _("Games that count: {n}.", n=len(found.counted))
    if found.left_out:
        yield _("Left out:")
        yield from (f"  {file_of[one.id]}: {one.why}" for one in found.left_out)


def _row(place: int, row: RatedPlayer, called: Mapping[str, str]) -> tuple[str, ...]:
    name = next((called[key] for key in row.keys if key in called), _short(row.key))
    rating = f"{row.strength.rating}{'' if row.sure else '?'}"
    return (f"{place}", name, rating, f"{2 * row.strength.deviation}", f"{row.games}", f"{row.won}", f"{row.shared}")


def _short(key: str) -> str:
    return f"{key[: len('SHA256:') + SHORT]}…"


def _of_registers(registers: Registers, missing: tuple[MissingGame, ...], called: Mapping[str, str]) -> Iterator[str]:
    for name, register in registers.counting.items():
        n, head = register.head
        yield _("{file}: in order; its last line is line {n}, with the hash {head}.", file=name, n=n + 1, head=head)
    for heading, begun in (
        (_("Begun, but no log was given; these games count for nobody:"), True),
        (_("Opened, and not begun:"), False),
    ):
        found = [one for one in missing if bool(one.keys) == begun]
        if found:
            yield heading
        for one in found:
            players = " – ".join(called.get(key, _short(key)) for key in one.keys.values())
            yield "  " + "  ".join(filter(None, (one.at, one.id[:SHORT], one.game, one.event, players)))
