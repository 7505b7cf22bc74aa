"""Commands of a host: init, new, run, take, tick, status, cancel, export; `housekeeping` holds the rest."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError, UsageError, WorldError

from .common import (
    Edition,
    GameId,
    Option,
    Scenario,
    check_address,
    check_options,
    chosen_game,
    echo_json,
    fresh_key,
    game_options,
    now,
    passphrase,
)

if TYPE_CHECKING:
    from pbem.host import Office

app = typer.Typer(
    help="Run a host. Whoever runs it sees every hand: a third person or a club, never a player.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Dir = Annotated[Path, typer.Option("--dir", envvar="PBEM_HOST", help="The host's folder.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[int, typer.Argument(metavar="GAME", help="The game's number here.")]

HERE = Path()
REFUSED, LATER = 67, 75


@contextmanager
def host_in(folder: Path) -> Iterator[Office]:
    """The host in a folder, closed at the end; what its store cannot do becomes a sentence."""
    from pbem.host import Office

    try:
        office = Office(folder, passphrase())
        try:
            yield office
        finally:
            office.close()
    except sqlite3.Error as error:
        raise WorldError(f"The host's store in {folder} cannot be used: {error}.") from error


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    address: Annotated[str, typer.Option(help="The address that players write to.")],
) -> None:
    """Make a host: its folder, its key, its settings."""
    from pbem.host import Office
    from pbem.ledger import fingerprint

    check_address(address)
    key = fresh_key()
    Office.create(folder, key, address, passphrase(), pictures=True).close()
    typer.echo(f"A host stands in {folder}. Its key, to be compared by telephone:\n  {fingerprint(key.key_line)}")
    typer.echo(f"Look at {folder / 'host.toml'}, then open a game with “pbem host new --dir {quote(str(folder))}”.")


@app.command()
def new(
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat.")],
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    option: Option = None,
    title: Annotated[str, typer.Option(help="What the mails call it.")] = "",
    hours: Annotated[int, typer.Option(min=0, help="The time for an answer; 0: no limit.")] = 0,
    late: Annotated[
        str,
        typer.Option(
            help="A late answer: “default” (the default is taken), or “claim” (an opponent may claim the game)."
        ),
    ] = "default",
    leave: Annotated[
        int, typer.Option(min=0, max=365, metavar="DAYS", help="How many days of leave each player may take in all.")
    ] = 0,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Open a game and invite its players."""
    import secrets

    pack = chosen_game(game)
    options = check_options(pack, game_options(scenario, edition, option or []))
    players = dict(_pair(text) for text in seat)
    if late not in ("default", "claim"):
        raise UsageError(f"“{late}” says not what becomes of a late answer; write --late default or --late claim.")
    if (late != "default" or leave) and not hours:
        raise UsageError("Without a time for an answer (--hours) nobody is late and nobody needs leave.")
    terms = {"late": late, "leave": 24 * leave} if late != "default" or leave else None
    with host_in(dir) as office:
        number = office.robot.new_game(
            pack.rules.id, options, players, title or pack.rules.title, hours, secrets.token_hex(32), now(), terms
        )
        office.send()
    typer.echo(f"Game {number} is open; {len(players)} invitations have been sent.")


@app.command()
def follow(
    game: Number,
    scenario: Scenario = None,
    edition: Edition = None,
    option: Option = None,
    hours: Annotated[int, typer.Option(min=0, help="The time for an answer; 0: no limit.")] = 0,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Open the games that follow from one that has ended, as a tournament's bids name them, and invite their players."""
    import secrets

    from pbem.host.following import follow as open_following

    with host_in(dir) as office:
        options = game_options(scenario, edition, option or [])
        numbers = open_following(office.robot, game, options, hours, lambda: secrets.token_hex(32), now())
        office.send()
    typer.echo(f"{len(numbers)} games are open: {', '.join(map(str, numbers))}. Their players have been invited.")


def _pair(text: str) -> tuple[str, str]:
    seat, sign, address = text.partition("=")
    if not sign:
        raise UsageError(f"“{text}” does not name a seat and an address; write --seat english=alice@example.org.")
    check_address(address)
    return seat, address


@app.command()
def run(
    every: Annotated[int, typer.Option(min=0, help="Look for mail every so many seconds; 0: once.")] = 0,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take all mail that waits, decide, and send the answers; with --every, again and again."""
    with host_in(dir) as office:
        while True:
            for outcome in office.work(now()):
                typer.echo(outcome)
            if not every:
                return
            time.sleep(every)


@app.command()
def take(dir: Dir = HERE) -> None:  # noqa: A002
    """Take one mail from standard input, for a mail server's pipe. Exit code 0 taken, 75 try again later, 67 refused."""
    raw = sys.stdin.buffer.read()
    if not raw.strip():
        typer.echo("pbem: no mail came on standard input", err=True)
        raise typer.Exit(REFUSED)
    try:
        with host_in(dir) as office:
            typer.echo(office.robot.take(raw, now(), "pipe"))
            office.send()
    except (PbemError, OSError) as error:
        typer.echo(f"pbem: {error}", err=True)
        raise typer.Exit(LATER) from error


@app.command()
def tick(dir: Dir = HERE) -> None:  # noqa: A002
    """Close every question whose time is past, with the default answers, and send what follows."""
    with host_in(dir) as office:
        closed = office.robot.tick(now())
        office.send()
    typer.echo(f"{closed} questions closed.")


@app.command()
def status(json: Json = False, dir: Dir = HERE) -> None:  # noqa: A002
    """Say how the host stands: games by stage, mail in and out."""
    with host_in(dir) as office:
        found = office.robot.status()
    if json:
        echo_json(found)
        return
    for name, value in found.items():
        shown = (", ".join(value) or "none") if isinstance(value, list) else value
        typer.echo(f"{name.replace('_', ' '):22}{shown}")


@app.command()
def cancel(game: Number, dir: Dir = HERE) -> None:  # noqa: A002
    """Call off a game that has not begun, and tell those who were invited."""
    with host_in(dir) as office:
        office.robot.cancel(game, now())
        office.send()
    typer.echo(f"Game {game} is called off.")


@app.command()
def export(
    game: Number,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the log goes.")],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write a game's log with everything the host holds. While the game is on, show it to nobody."""
    with host_in(dir) as office:
        out.write_bytes(office.robot.export(game))
    typer.echo(f"{out} holds the whole log of game {game}.")
