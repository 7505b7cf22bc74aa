"""What the commands of a player have in common: his folder, the game that is meant, and the mail that they read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pbem.errors import PbemError, UsageError
from pbem.i18n import N_, _
from pbem.i18n.visible import in_a_line

from . import screen
from .common import end, now, passphrase, read_bytes
from .language import of_the_player

if TYPE_CHECKING:
    from pbem.mail import Saved
    from pbem.player import Desk

Home = Annotated[
    Path, typer.Option("--home", envvar="PBEM_HOME", callback=of_the_player, help="Your folder with key and games.")
]
Game = Annotated[str, typer.Option("--game", help="The first letters of the game's id, when you play several.")]
Mails = Annotated[
    list[str],
    typer.Argument(
        metavar="MAIL...",
        help="Saved mails, or the .pbem files attached to them; a folder, a zip or an mbox of such; - for standard "
        "input.",
    ),
]

SENDS = N_("“pbem send” sends it.")


def desk_in(home: Path, *, keyless: bool = False) -> Desk:
    """Open the desk in a player's folder; `keyless`: though his key is lost."""
    from pbem.player import Desk

    desk = Desk(home, passphrase(), keyless=keyless)
    desk.tell, desk.clock = partial(screen.say, err=True), now
    return desk


def say_sends(desk: Desk, before: Mapping[Path, int]) -> None:
    """Say what sends the letters that were laid ready meanwhile, if any were; and that one which says something may yet not go."""
    from pbem.ledger import SAYS

    if laid := desk.tray.stamps(before):
        free = all(path.name.split(".")[1] in SAYS for path in laid)
        screen.echo(_("“pbem send” sends it; until then you may throw it away.") if free else _(SENDS))


class Waiting(NamedTuple):
    """A mail to read, and the action to take once it has been read."""

    saved: Saved
    done: Callable[[], None]


def each_mail(places: Sequence[str], do: Callable[[Saved], None]) -> int:
    """Do something with the mails at some places, those of earlier entries first; return with how many.

    A place is a file, standard input, a folder, or a Maildir: of that each new mail. One with which it failed is tried again after
    the others, as it may have overtaken one of them; in a Maildir it stays new. The program ends with code 1 when one is left.
    """
    from pbem.mail import first_entry

    refused: list[UsageError] = []
    found = [one for place in places for one in _at(place, refused)]
    several = len(found) > 1
    if not several and not any(Path(place).is_dir() for place in places):
        do(found[0].saved)
        return 1
    waiting: list[Waiting] = sorted(found, key=lambda one: first_entry(one.saved.raw))
    failed: list[tuple[Waiting, PbemError]] = []
    while waiting:
        failed = []
        for one in waiting:
            try:
                if several:
                    screen.echo(f"--- {in_a_line(one.saved.name)}")
                do(one.saved)
            except PbemError as error:
                failed.append((one, error))
            else:
                one.done()
        if len(failed) == len(waiting):
            break
        waiting = [one for one, _why in failed]
    end([*(f"{in_a_line(one.saved.name)}: {why}" for one, why in failed), *refused])
    return len(found)


def _at(place: str, refused: list[UsageError]) -> list[Waiting]:
    """The mails at one place."""
    from pbem.mail import Maildir, Saved, unpacked
    from pbem.mail.saved import MAX_UNPACKED

    path = Path(place)
    if place == "-" or not path.is_dir():
        name = _("what came on standard input") if place == "-" else place
        return [Waiting(one, _nothing) for one in unpacked(name, read_bytes(place))]
    if (path / "new").is_dir():
        folder = Maildir(path)
        new = folder.new(MAX_UNPACKED)
        return [Waiting(Saved(str(file), raw), partial(folder.done, file)) for file, raw, _since in new]
    found = [Waiting(one, _nothing) for one in _in_folder(path, refused)]
    if not found and not refused:
        raise UsageError(
            _(
                "{where} is not a mail folder (Maildir): it has no “new”. It also contains no mail, and no "
                "attachment that ends in .pbem.",
                where=place,
            )
        )
    return found


def _in_folder(path: Path, refused: list[UsageError]) -> Iterator[Saved]:
    """The mails that lie in a folder of files; what cannot be read, and why, goes to the others that were refused."""
    from pbem.mail import unpacked
    from pbem.mail.saved import MAX_UNPACKED

    for file in sorted(path.iterdir()):
        if not file.is_file() or file.name.startswith("."):
            continue
        if file.stat().st_size > MAX_UNPACKED:
            why = _(
                "{name} has more than {n} bytes, and was not read. Name the mails in it.", name=file, n=MAX_UNPACKED
            )
            refused.append(UsageError(why))
            continue
        try:
            yield from unpacked(str(file), read_bytes(str(file)), inside=file.suffix.lower() != ".zip")
        except UsageError as error:
            refused.append(error)


def _nothing() -> None:
    """A file that somebody saved stays where it is."""


def nothing_new(mails: Sequence[str]) -> str:
    """Say that no mail waits in a Maildir."""
    return _(
        "There is no new mail in {mail}. Mail that was read before is in {path}: name the file.",
        mail=", ".join(mails),
        path=Path(mails[0]) / "cur",
    )
