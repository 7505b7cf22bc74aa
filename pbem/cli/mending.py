"""The command host mend: restore one game's log, from a backup or from a copy of the log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _, _n

from . import screen
from .common import OtherRules, Yes, now, read_log, rules_lent, say_taken
from .host import HERE, Dir, Number, sending

if TYPE_CHECKING:
    from pbem.host import Office
    from pbem.host.mending import SpareLog

_SQLITE = b"SQLite format 3\0"


def mend(
    game: Number,
    from_: Annotated[
        Path, typer.Option("--from", metavar="FILE", help="A backup of this host, or a copy of the game's log (.pbem).")
    ],
    stand_still: Annotated[
        bool,
        typer.Option(
            "--stand-still",
            help="Put it back although players know more. The game waits until their copies are here.",
        ),
    ] = False,
    rules: OtherRules = None,
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Put the log of one game back that is damaged in the store, or gone; “pbem host check” names such games.

    It is verified whole, and has to end where the game stood. Other games are not touched, and the host may work meanwhile.
    """
    if stand_still:
        screen.sure(
            _(
                "Game {game} is restored as it is in {file}. It is paused, and its players are asked for "
"their copies, until it reaches again the last entry that they were told about.",
                game=game, file=from_,
            ),
            yes=yes,
        )  # fmt: skip
    with sending(dir) as office:
        given = _given(office, from_, game)
        with rules_lent(rules) as lent:
            found = office.robot.mend(game, given, now(), lent, stand_still=stand_still)
        say_taken(lent)
        title = office.robot.house.game(game).title
        screen.echo(
            _n(
                "The log of game {game}, {title}, is whole again, to entry {entry}: {n} line was put back from {file}.",
                "The log of game {game}, {title}, is whole again, to entry {entry}: {n} lines were put back from {file}.",
                found.lines, game=game, title=title, entry=found.entry, file=from_,
            )
        )  # fmt: skip
        if found.still:
            screen.echo(
                _(
                    "It is paused, and its players are asked for their copies; it had reached at least entry "
"{told}. “pbem host catch-up COPY…” takes copies from files, and “pbem host go-on {game}” "
"lets it continue once that entry is here again.",
                    told=found.told, game=game,
                )
            )  # fmt: skip
        if found.why:
            screen.echo(f"  {found.why}")
        try:
            office.for_everybody()
        except UsageError as error:
            screen.echo(f"pbem: {error}", err=True)


def _given(office: Office, path: Path, game: int) -> SpareLog:
    """Return a game's lines in a file, which may be a backup or a log. Raises PbemError."""
    from pbem.host.mending import SpareLog, in_backup
    from pbem.host.store.backup import looked_into
    from pbem.private import PART

    if not path.is_file():
        raise UsageError(_("There is no file {saved}.", saved=path))
    with path.open("rb") as file:
        is_backup = file.read(len(_SQLITE)) == _SQLITE
    if not is_backup:
        return SpareLog(str(path), read_log(str(path)))
    with looked_into(path, office.folder / f"mend{PART}", office.robot.house.key.key_line) as store:
        return in_backup(store, str(path), game)
