"""What the commands of a player have in common: his folder, the game that is meant, and the mail that they read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError, UsageError
from pbem.words import N_, _

from . import screen
from .common import passphrase, read_bytes
from .language import of_the_player

if TYPE_CHECKING:
    from pbem.player import Desk

Home = Annotated[
    Path, typer.Option("--home", envvar="PBEM_HOME", callback=of_the_player, help="Your folder with key and games.")
]
Game = Annotated[str, typer.Option("--game", help="The first letters of the game's id, when you play several.")]
Mail = Annotated[str, typer.Argument(metavar="MAIL", help="A saved mail, a Maildir, or - for standard input.")]

HOME = Path("~/.pbem").expanduser()
SENDS = N_("“pbem send” sends it.")


def desk_in(home: Path, *, keyless: bool = False) -> Desk:
    """Open the desk in a player's folder; `keyless`: though his key is lost."""
    from pbem.player import Desk

    return Desk(home, passphrase(), keyless=keyless)


def each_mail(where: str, do: Callable[[bytes], None]) -> int:
    """Do something with the mail at a place: a file, standard input, or each new one of a Maildir; return with how many.

    In a Maildir a mail with which it failed stays new, and is tried again after the others: it may have overtaken one of
    them. The program ends with code 1 when one is left.
    """
    from pbem.mail import Maildir

    if where == "-" or not Path(where).is_dir():
        do(read_bytes(where))
        return 1
    if not (Path(where) / "new").is_dir():
        raise UsageError(
            _("{where} is no mail folder (Maildir): there is no “new” in it. Name a mail that you saved.", where=where)
        )
    folder = Maildir(Path(where))
    waiting = [(path, raw) for path, raw, _since in folder.new()]
    count, done = len(waiting), -1
    while done:
        done, failed = 0, []
        for path, raw in waiting:
            try:
                do(raw)
            except PbemError as error:
                failed.append((path, raw, error))
            else:
                folder.done(path)
                done += 1
        waiting = [(path, raw) for path, raw, _why in failed]
    for path, _raw, why in failed:
        screen.echo(f"pbem: {path}: {why}", err=True)
    if failed:
        raise typer.Exit(1)
    return count


def nothing_new(mail: str) -> str:
    """Say that no mail waits in a Maildir."""
    return _(
        "There is no new mail in {mail}. What was read before lies in {path}: name the file.",
        mail=mail,
        path=Path(mail) / "cur",
    )
