"""Commands of a host: init, check, new, run, take, tick, retry, status, cancel, export; `housekeeping` holds the rest."""

from __future__ import annotations

import signal
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.errors import PbemError, UsageError, WorldError
from pbem.words import N_, _, _n

from .common import (
    Edition,
    GameId,
    Option,
    Players,
    Scenario,
    check_address,
    check_options,
    chosen_game,
    echo_json,
    fresh_key,
    game_options,
    now,
    passphrase,
    read_log,
)
from .language import for_programs

if TYPE_CHECKING:
    from pbem.host import Office

app = typer.Typer(
    help="Run a host. Whoever runs it sees every hand: a third person or a club, never a player.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Dir = Annotated[Path, typer.Option("--dir", envvar="PBEM_HOST", help="The host's folder.")]
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print JSON.")]
Number = Annotated[int, typer.Argument(metavar="GAME", help="The game's number here.")]

LONGEST = 87600
"""Hours: ten years."""
Hours = Annotated[int, typer.Option(min=0, max=LONGEST, help="The time for an answer; 0: no limit.")]
Late = Annotated[
    str,
    typer.Option(help="A late answer: “default” (the default is taken), or “claim” (an opponent may claim the game)."),
]
Leave = Annotated[
    int, typer.Option(min=0, max=365, metavar="DAYS", help="How many days of leave each player may take in all.")
]

Language = Annotated[
    list[str] | None,
    typer.Option(
        "--language",
        metavar="[SEAT=]CODE",
        help="The language of the letters, as fr, or of those to one seat, as english=fr; else the host's own.",
    ),
]
TheirLanguage = Annotated[
    str, typer.Option("--language", metavar="CODE", help="The language of the letters, as fr; else the host's own.")
]

_COUNTED = {
    "games_joining": N_("games joining"),
    "games_readying": N_("games readying"),
    "games_playing": N_("games playing"),
    "games_ended": N_("games ended"),
    "games_cancelled": N_("games cancelled"),
    "mails_in": N_("mails in"),
    "mails_undecided": N_("mails undecided"),
    "mails_refused": N_("mails refused"),
    "mails_stuck": N_("mails stuck"),
    "mails_out": N_("mails out"),
    "mails_unsent": N_("mails unsent"),
    "addresses_marked": N_("addresses marked"),
    "clock_leapt_at": N_("clock leapt at"),
    "letters_refused": N_("letters refused"),
}
"""What the status counts, for people; programs read the names themselves."""

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
        raise WorldError(_("The host's store in {folder} cannot be used: {why}.", folder=folder, why=error)) from error


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
    typer.echo(
        _(
            "A host stands in {folder}. Its key, to be compared by telephone:\n  {fingerprint}",
            folder=folder,
            fingerprint=fingerprint(key.key_line),
        )
    )
    there = f"--dir {quote(str(folder))}"
    typer.echo(
        _(
            "Look at {settings}: where mail comes and goes; “pbem host check {there}” tries it.",
            settings=folder / "host.toml",
            there=there,
        )
    )
    typer.echo(_("Then open a game with “pbem host new {there}”.", there=there))


@app.command()
def check(dir: Dir = HERE) -> None:  # noqa: A002
    """Try every way in and out, without taking or sending anything, and say what is wrong and what to do."""
    with host_in(dir) as office:
        found = list(office.check())
    for well, sentence in found:
        typer.echo("  ".join([_("well ") if well else _("WRONG"), sentence]))
    if not all(well for well, _ in found):
        raise typer.Exit(1)


def end(troubles: list[str]) -> None:
    """Say what could not be done; the program ends with code 1 then."""
    for trouble in troubles:
        typer.echo(f"pbem: {trouble}", err=True)
    if troubles:
        raise typer.Exit(1)


@app.command()
def new(
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat.")],
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    players: Players = None,
    option: Option = None,
    title: Annotated[str, typer.Option(help="What the mails call it.")] = "",
    hours: Hours = 0,
    late: Late = "default",
    leave: Leave = 0,
    grace: Annotated[
        int, typer.Option(min=0, max=LONGEST, metavar="HOURS", help="On top of each deadline before anything happens.")
    ] = 0,
    zone: Annotated[
        str, typer.Option(help="The players' time zone, until each says his own with “pbem time”.")
    ] = "UTC",
    quiet: Annotated[
        str, typer.Option(metavar="FROM-TO", help="Hours of the day that do not count, as 22-08.")
    ] = "off",
    weekends: Annotated[
        str, typer.Option(metavar="on|off|DAYS", help="“off”: Saturday and Sunday do not count; or days, as fri,sat.")
    ] = "on",
    language: Language = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Open a game and invite its players."""
    import secrets

    from pbem.host.hours import ALWAYS
    from pbem.host.hours import Hours as Clock

    pack = chosen_game(game)
    options = check_options(pack, game_options(scenario, edition, option or [], players))
    posts = dict(_pair(text) for text in seat)
    clock = Clock.read(zone, quiet, weekends)
    terms = _terms(hours, late, leave, more=bool(grace or clock != ALWAYS))
    with host_in(dir) as office:
        number = office.robot.new_game(
            pack.rules.id,
            options,
            posts,
            title or pack.rules.title,
            hours,
            secrets.token_hex(32),
            now(),
            terms,
            grace,
            clock,
            _languages(language or [], posts),
        )
        troubles = office.send(now())
    if troubles:
        typer.echo(_("Game {number} is open; {count} invitations wait.", number=number, count=len(posts)))
    else:
        typer.echo(_("Game {number} is open; {count} invitations have been sent.", number=number, count=len(posts)))
    end(troubles)


@app.command()
def follow(
    game: Number,
    scenario: Scenario = None,
    edition: Edition = None,
    option: Option = None,
    hours: Hours = 0,
    late: Late = "default",
    leave: Leave = 0,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Open the games that follow from one that has ended, as a tournament's bids name them, and invite their players."""
    import secrets

    from pbem.host.following import follow as open_following

    terms = _terms(hours, late, leave)
    with host_in(dir) as office:
        options = game_options(scenario, edition, option or [])
        numbers = open_following(office.robot, game, options, hours, lambda: secrets.token_hex(32), now(), terms)
        troubles = office.send(now())
    typer.echo(_("{count} games are open: {numbers}.", count=len(numbers), numbers=", ".join(map(str, numbers))))
    typer.echo(_("The invitations wait.") if troubles else _("The invitations have been sent."))
    end(troubles)


def _terms(hours: int, late: str, leave: int, *, more: bool = False) -> dict[str, Any] | None:
    """Return what the players agree on about time, None for the usual; `more`: they need a time for other things, too."""
    if late not in ("default", "claim"):
        raise UsageError(
            _("“{late}” says not what becomes of a late answer; write --late default or --late claim.", late=late)
        )
    usual = late == "default" and not leave
    if not hours and (more or not usual):
        raise UsageError(
            _("Without a time for an answer (--hours) nobody is late, and nobody needs leave, grace or a clock.")
        )
    return None if usual else {"late": late, "leave": 24 * leave}


def _languages(given: list[str], seats: Iterable[str]) -> dict[str, str]:
    """The languages of seats: for one “SEAT=fr”, for all “fr”. Raises UsageError."""
    from pbem.host.tongues import known

    found: dict[str, str] = {}
    for text in given:
        seat, sign, language = text.rpartition("=")
        if sign and seat not in seats:
            raise UsageError(
                _("“{seat}” is no seat of this game; its seats are {seats}.", seat=seat, seats=", ".join(seats))
            )
        found |= dict.fromkeys([seat] if sign else seats, known(language))
    return found


def _pair(text: str) -> tuple[str, str]:
    seat, sign, address = text.partition("=")
    if not sign:
        raise UsageError(
            _("“{text}” does not name a seat and an address; write --seat english=alice@example.org.", text=text)
        )
    check_address(address)
    return seat, address


@app.command()
def run(
    once: Annotated[bool, typer.Option("--once", help="Do what there is to do, and end.")] = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Wait for mail at every door, decide, send the answers and keep deadlines, until it is stopped (Ctrl-C, SIGTERM)."""
    from pbem.host import Running

    with host_in(dir) as office:
        if once:
            outcomes, troubles = office.work(now())
            for outcome in outcomes:
                typer.echo(outcome)
            end(troubles)
            return
        running = Running(office, now, typer.echo)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: running.stop())
        running.run()


@app.command()
def take(
    sender: Annotated[
        str | None, typer.Option(help="The sender of the mail's envelope, as the mail server has it.")
    ] = None,
    recipient: Annotated[str | None, typer.Option(help="The receiver of the mail's envelope.")] = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take one mail from standard input, for a mail server's pipe. Exit code 0 taken, 75 try again later, 67 refused."""
    from pbem.mail.incoming import MAX_RAW

    raw = sys.stdin.buffer.read(MAX_RAW + 1)
    if not raw.strip() or len(raw) > MAX_RAW:
        why = (
            _("a mail may have {max_raw} bytes, and this one has more", max_raw=MAX_RAW)
            if raw.strip()
            else _("no mail came on standard input")
        )
        typer.echo(f"pbem: {why}", err=True)
        raise typer.Exit(REFUSED)
    try:
        with host_in(dir) as office:
            if recipient and not office.settings.is_ours(recipient):
                why = _(
                    "{recipient} is not an address of this host, which is {address}",
                    recipient=recipient,
                    address=office.settings.address,
                )
                typer.echo(f"pbem: {why}", err=True)
                raise typer.Exit(REFUSED)
            typer.echo(office.robot.take(raw, now(), "pipe", sender, recipient))
            for trouble in office.send(now()):
                typer.echo(f"pbem: {trouble}", err=True)  # the letter is kept, and the mail has been taken
    except (PbemError, OSError) as error:
        typer.echo(f"pbem: {error}", err=True)
        raise typer.Exit(LATER) from error


@app.command()
def tick(dir: Dir = HERE) -> None:  # noqa: A002
    """Close every question whose time is past, with the default answers, remind who is awaited, and send what follows."""
    with host_in(dir) as office:
        closed = office.robot.tick(now())
        troubles = office.send(now())
    typer.echo(_("{count} questions closed.", count=closed))
    end(troubles)


@app.command()
def retry(dir: Dir = HERE) -> None:  # noqa: A002
    """Send at once what waits for another try and what was refused for good, and decide on mail over which pbem stumbled.

    For when a password, an address or the program has been mended.
    """
    with host_in(dir) as office:
        for outcome in office.robot.retry():
            typer.echo(outcome)
        count = office.send_again()
        troubles = office.send(now())
    typer.echo(_("{count} letters were tried again.", count=count))
    end(troubles)


@app.command()
def status(json: Json = False, dir: Dir = HERE) -> None:  # noqa: A002
    """Say how the host stands: games by stage, mail in and out."""
    with host_in(dir) as office:
        found = office.status()
    if json:
        echo_json(found)
        return
    for name, value in found.items():
        if name != "troubles":
            shown = (", ".join(map(str, value)) or _("none")) if isinstance(value, list) else value
            told = _(_COUNTED[name])
            typer.echo(f"{told:22}{shown}")
    for trouble in found["troubles"]:
        typer.echo(f"\n{_told(trouble)}")


def _told(trouble: dict[str, Any]) -> str:
    """One trouble of the status in words."""
    if "way" in trouble:
        told = _("{way} does not work, since {since}:", way=trouble["way"], since=trouble["since"])
        return f"{told}\n  {trouble['why']}"
    if trouble["failed"]:
        told = _n(
            "The letter {letter} to {to} was refused for good, after {n} try:",
            "The letter {letter} to {to} was refused for good, after {n} tries:",
            trouble["tries"],
            letter=trouble["letter"],
            to=trouble["to"],
        )
    else:
        told = _n(
            "The letter {letter} to {to} waits until {next}, after {n} try:",
            "The letter {letter} to {to} waits until {next}, after {n} tries:",
            trouble["tries"],
            letter=trouble["letter"],
            to=trouble["to"],
            next=trouble["next"],
        )
    return f"{told}\n  {trouble['why']}"


@app.command()
def replace(
    game: Number,
    seat: Annotated[str, typer.Argument(help="The seat whose player has vanished.")],
    address: Annotated[str, typer.Argument(help="Who is invited to it.")],
    language: TheirLanguage = "",
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Invite somebody to the seat of a player who has vanished; he plays when all others have agreed."""
    from pbem.host.tongues import known

    check_address(address)
    with host_in(dir) as office:
        office.robot.replace(game, seat, address, now(), known(language) if language else "")
        troubles = office.send(now())
    typer.echo(_("{address} is invited to the seat {seat} of game {game}.", address=address, seat=seat, game=game))
    end(troubles)


@app.command()
def adopt(
    copies: Annotated[
        list[str],
        typer.Argument(metavar="COPY...", help="The players' copies of the game (.pbem), or one that is merged."),
    ],
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat.")],
    title: Annotated[str, typer.Option(help="What the mails call it.")] = "",
    hours: Annotated[int, typer.Option(min=0, max=LONGEST, help="The time for an answer; 0: no limit.")] = 0,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take over a game whose host has vanished, from its players' copies; it goes on when all have agreed."""
    from functools import reduce

    from pbem.ledger import merge

    posts = dict(_pair(text) for text in seat)
    whole = reduce(merge, map(read_log, copies))
    with host_in(dir) as office:
        number = office.robot.adopt(whole, posts, title, hours, now())
        game = office.robot.house.game(number)
        kept, waiting = game.ledger.n, game.waiting()
        troubles = office.send(now())
    seats = ", ".join(waiting)
    typer.echo(
        _(
            "Game {number} goes on from entry {entry} when all have agreed: {seats}.",
            number=number,
            entry=kept,
            seats=seats,
        )
    )
    if lost := whole.head[0] - kept:
        typer.echo(_n("{n} entry of the copies counts no more.", "{n} entries of the copies count no more.", lost))
    end(troubles)


@app.command()
def cancel(game: Number, dir: Dir = HERE) -> None:  # noqa: A002
    """Call off a game that has not begun, and tell those who were invited."""
    with host_in(dir) as office:
        office.robot.cancel(game, now())
        troubles = office.send(now())
    typer.echo(_("Game {game} is called off.", game=game))
    end(troubles)


@app.command()
def export(
    game: Number,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the log goes.")],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write a game's log with everything the host holds. While the game is on, show it to nobody."""
    with host_in(dir) as office:
        out.write_bytes(office.robot.export(game))
    typer.echo(_("{out} holds the whole log of game {game}.", out=out, game=game))
