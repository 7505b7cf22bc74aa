"""Commands that keep a host at work: check, run, retry, status, export; and what all commands of a host share."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import private
from pbem.errors import StoreDamaged, UsageError
from pbem.i18n import N_, _, _n

from . import screen
from .common import echo_json, end, now, passphrase
from .language import for_programs

if TYPE_CHECKING:
    from pbem.club.built_in import BuiltIns
    from pbem.host import Office

Dir = Annotated[Path, typer.Option("--dir", envvar="PBEM_HOST", help="The host's folder.")]
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print JSON.")]
Number = Annotated[int, typer.Argument(metavar="GAME", help="The game's number here.")]
TheirLanguage = Annotated[
    str, typer.Option("--language", metavar="CODE", help="The language of the letters, as fr (default: the host's).")
]

LONGEST = 87600
"""Hours: ten years."""

_COUNTED = {
    "games_joining": N_("games joining"),
    "games_readying": N_("games readying"),
    "games_playing": N_("games playing"),
    "games_ended": N_("games ended"),
    "games_cancelled": N_("games cancelled"),
    "games_moving": N_("games moving"),
    "mails_in": N_("mails in"),
    "mails_undecided": N_("mails undecided"),
    "mails_refused": N_("mails refused"),
    "mails_stuck": N_("mails stuck"),
    "mails_out": N_("mails out"),
    "mails_unsent": N_("mails unsent"),
    "addresses_marked": N_("addresses marked"),
    "clock_leapt_at": N_("clock leapt at"),
    "letters_refused": N_("letters refused"),
    "senders_refused": N_("senders refused"),
    "undecided_since": N_("oldest undecided"),
    "unsent_since": N_("oldest unsent"),
    "last_backup": N_("last backup"),
    "last_check": N_("last check"),
    "fingerprint": N_("the key's fingerprint"),
    "banned": N_("banned"),
}
"""What the status counts, for people; programs read the names themselves."""

HERE = Path()


@contextmanager
def host_in(folder: Path, *, new: bool = False) -> Iterator[Office]:
    """The host in a folder, closed at the end; what its store cannot do becomes a sentence. `new`: a store may be made."""
    from pbem.host import Office
    from pbem.host.store import STORE, unusable

    try:
        office = Office(folder, passphrase(), new=new)
        office.beside = built_ins_of(office)
        office.for_everybody = partial(_pages_written, office)
        office.for_events = rounds_of(office)
        try:
            yield office
        finally:
            office.close()
    except sqlite3.Error as error:
        raise unusable(folder / STORE, error) from error


def built_ins_of(office: Office) -> Callable[[str], bool]:
    """Return a function that lets a host's built-in players answer at a given time; without such players, it loads nothing."""
    from pbem.host.built_in import folders

    ours: BuiltIns | None = None

    def answer(at: str) -> bool:
        nonlocal ours
        if ours is None and folders(office.folder):
            from pbem.club.built_in import BuiltIns

            ours = BuiltIns(office)
        return ours is not None and ours.attend(at)

    return answer


def rounds_of(office: Office) -> Callable[[str], list[tuple[str, int]]]:
    """Return a function that opens the rounds of a host's events at a given time, and returns the games.

    Without events, it loads nothing.
    """
    if (held := office.settings.events) is None:
        return lambda _at: _no_rounds(office)
    from secrets import token_hex

    from pbem.club.rounds import Rounds
    from pbem.games import installed

    return Rounds(office, held, installed, partial(token_hex, 32)).open


def _no_rounds(office: Office) -> list[tuple[str, int]]:
    """Hold no events, and show none that were held."""
    from pbem.host.observers import hide_standings

    hide_standings(office.store)
    return []


def _pages_written(office: Office) -> None:
    """Write the club's pages, where it has any."""
    if (settings := office.settings.pages) is None:
        return
    from .club_pages import write

    if troubles := write(office, settings).troubles:
        raise UsageError(" ".join(troubles))


@contextmanager
def sending(folder: Path, *, new: bool = False) -> Iterator[Office]:
    """The same, for commands that make letters: they are sent at the end. Sending failures are reported, and end the program with
    code 1."""
    with host_in(folder, new=new) as office:
        yield office
        troubles = office.send(now())
    end(troubles)


def check(dir: Dir = HERE) -> None:  # noqa: A002
    """Try every way in and out, without taking or sending anything. Say what is wrong and what to do."""
    all_is_well = True
    from pbem.host.checking import check as check_host

    with host_in(dir) as office:
        for well, sentence in check_host(office, now()):
            screen.echo("  ".join([_("well ") if well else _("WRONG"), sentence]))
            all_is_well = all_is_well and well
    if not all_is_well:
        raise typer.Exit(1)


def run(
    once: Annotated[
        bool,
        typer.Option(
            "--once",
            help="Take new mail, close questions with a passed deadline, remind late players, send letters, and end.",
        ),
    ] = False,
    log: Annotated[
        str,
        typer.Option(
            "--log",
            metavar="text|json",
            help="How it says what happens: in words; or as JSON, without addresses and codes.",
        ),
    ] = "text",
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Wait for mail at every way in, decide, send the answers and keep deadlines, until it is stopped (Ctrl-C, SIGTERM)."""
    from pbem.host.supervised import begun
    from pbem.host.told_lines import told_line

    if log not in ("text", "json"):
        raise UsageError(_("--log is text or json; “{said}” is neither.", said=log))

    def say(line: str) -> None:
        screen.echo(told_line(line, now()) if log == "json" else line)

    if once:
        with host_in(dir) as office:
            outcomes, troubles = office.work(now())
            for outcome in outcomes:
                say(outcome)
        end(troubles)
        return
    stopped = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_signal: stopped.set())
    with ExitStack() as at_work:
        running = begun(at_work, lambda: host_in(dir), now, say, stopped.wait)
        if running is None:
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: running.interrupt())
        if not stopped.is_set():
            running.run()


def retry(dir: Dir = HERE) -> None:  # noqa: A002
    """Send now all letters that wait for another try or were refused for good. Process mail on which pbem failed.

    For when a password, an address or the program has been mended.
    """
    with host_in(dir) as office:
        for outcome in office.robot.retry():
            screen.echo(outcome)
        count = office.sending.send_again()
        troubles = office.send(now())
    screen.echo(_("{count} letters were tried again.", count=count))
    end(troubles)


def status(
    json: Json = False,
    prometheus: Annotated[
        bool,
        typer.Option("--prometheus", help="Print numbers for a monitor, as Prometheus reads them; no names in it."),
    ] = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Show the state of the host: damage first (exit code 65), then other problems, games by stage, and mail in and out."""
    from pbem.host.condition import Condition

    with Condition.of(dir) as host:
        if prometheus:
            screen.echo(host.metrics(), nl=False)
            return
        found = host.status(now())
    if json:
        echo_json(found)
    for trouble in () if json else found["troubles"]:
        screen.echo(f"{_told(trouble)}\n")
    for name, value in () if json else found.items():
        if name != "troubles":
            shown = (", ".join(map(str, value)) or _("none")) if isinstance(value, list) else value
            screen.echo(_(_COUNTED[name]).ljust(22) + str(shown))
    if damage := ", ".join(trouble["damage"] for trouble in found["troubles"] if "damage" in trouble):
        raise StoreDamaged(_("Damaged: {what}.", what=damage))


_TROUBLES = {
    "damage": N_("Damage ({damage}), found {since}:"),
    "endless": N_("The rules come to no end ({endless}), since {since}:"),
    "held": N_("The deadline of game {game} was over at {due}, and is held since {since}:"),
    "matter": N_("{matter}, since {since}:"),
    "budget": N_("The budget for letters “{budget}” is used up, since {since}:"),
    "way": N_("{way} does not work, since {since}:"),
}
"""What the status tells of a trouble, by the name that only this kind has."""


def _told(trouble: dict[str, Any]) -> str:
    """One trouble of the status in words."""
    if "seat" in trouble:
        said = (
            N_("Mail {mail} from seat {seat} of game {game} could not be read, and held its deadline until {until}:")
            if trouble["until"]
            else N_(
                "Mail {mail} from seat {seat} of game {game} could not be read. The seat was told, and has sent no other:"
            )
        )
        told = _(said, **trouble, game=trouble["games"][0])
    elif "mail" in trouble:
        told = _n(
            "The program stumbles over mail {mail} (games {games}), since {since}; after {n} try it is tried again at {next}:",
            "The program stumbles over mail {mail} (games {games}), since {since}; after {n} tries it is tried again at {next}:",
            trouble["tries"],
            **{**trouble, "games": ", ".join(map(str, trouble["games"])) or "–"},
        )
    elif kind := next((kind for kind in _TROUBLES if kind in trouble), ""):
        told = _(_TROUBLES[kind], **{"game": trouble.get("held"), **trouble})
    elif trouble["failed"]:
        told = _n(
            "The letter {letter} to {to} was refused for good, after {n} try:",
            "The letter {letter} to {to} was refused for good, after {n} tries:",
            trouble["tries"],
            **trouble,
        )
    else:
        told = _n(
            "The letter {letter} to {to} waits until {next}, after {n} try:",
            "The letter {letter} to {to} waits until {next}, after {n} tries:",
            trouble["tries"],
            **trouble,
        )
    return f"{told}\n  {trouble['why']}"


def export(
    game: Number,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the log goes.")],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write a game's log with all that the host has, unless the log is damaged. While the game is on, show it to nobody.

    Without the host's key, the log ends with the last entry that the host has signed for.
    """
    from pbem.host.condition import Condition

    with Condition.of(dir) as host:
        private.write(out, host.exported(game, passphrase()))
    screen.echo(_("{out} contains the whole log of game {game}.", out=out, game=game))
