"""What the commands share: the clock, randomness, passphrases, options of games."""

from __future__ import annotations

import json
import os
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import private
from pbem.errors import FormError, OtherFormat, RecordError, UsageError, WorldError, system_said
from pbem.i18n import _
from pbem.i18n.moments import told as told_moment
from pbem.i18n.visible import escaped
from pbem.records import dataclass

from . import screen

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbem.games import GamePack
    from pbem.games.bot import Bot
    from pbem.games.shelf import Lender
    from pbem.host import Office
    from pbem.ledger import Log, PrivateKey


Scenario = Annotated[str | None, typer.Option(help="The scenario, for games that have them.")]
Edition = Annotated[str | None, typer.Option(help="The edition of the rules, for games that have several.")]
Players = Annotated[
    str | None,
    typer.Option(metavar="N", help="How many play, for games of several numbers; the same as --option players=N."),
]
Option = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game.")]
Svg = Annotated[Path | None, typer.Option("--svg", metavar="OUT", help="Write its drawing as SVG.")]
Png = Annotated[Path | None, typer.Option("--png", metavar="OUT", help="Write its drawing as PNG.")]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="OUT", help="Write it as a page for a browser, with the drawing.")
]
OtherRules = Annotated[
    list[Path] | None,
    typer.Option(
        "--rules",
        metavar="FOLDER",
        help="A folder with another pbem, for the rules of its version; may be repeated.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do it without being asked, as for a script.")]
GameId = Annotated[str | None, typer.Option("--game", help="Which game (default: the first that comes with pbem).")]


def end(troubles: Sequence[object]) -> None:
    """Say what could not be done; the program ends with code 1 then."""
    for trouble in troubles:
        screen.echo(f"pbem: {trouble}", err=True)
    if troubles:
        raise typer.Exit(1)


HOME = Path("~/.pbem").expanduser()
"""A player's folder."""


def now() -> str:
    """Return the time, UTC, in whole seconds (RFC 3339)."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(at: str, zone: str) -> str:
    """Return a moment as people say it, by the clock that the host's letters go by; and how long it is until then."""
    return told_moment(at, zone or "UTC", now()) if at else ""


def fresh_key() -> PrivateKey:
    """Return a new key from the system's randomness."""
    from pbem.ledger import PrivateKey

    return PrivateKey.from_seed(os.urandom(32))


def passphrase() -> bytes | None:
    """Return the passphrase that the environment names, or None."""
    value = os.environ.get("PBEM_PASSPHRASE")
    return value.encode() if value else None


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file, or of standard input for “-”."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise WorldError(_("{path} cannot be read: {why}.", path=path, why=system_said(error))) from error


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input: UTF-8, or UTF-16 with a mark, as some editors of Windows save it."""
    data = read_bytes(path)
    text = data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig", "replace")
    if "\0" in text:
        raise UsageError(_("{path} is not text.", path=path))
    whole, _sign, rest = text.partition("\x1a")  # with this sign old editors of Windows end a text
    return text if rest.strip("\x1a \r\n") else whole


def read_log(path: str) -> Log:
    """Return the log in a file. Raises RecordError, which names the file, if it is not a log."""
    return log_in(path, read_repaired(path))


def read_repaired(path: str) -> bytes:
    """Return the bytes of a log in a file or on standard input, with correct line ends and without words below it."""
    from pbem.ledger import repaired
    from pbem.ledger.line_ends import lines_of_a_log

    data = repaired(read_bytes(path))[0]
    return lines_of_a_log(data) or data


def no_log(path: str | Path, error: FormError) -> RecordError:
    """Return the error for a file without a log that this program reads."""
    if isinstance(error, OtherFormat):
        return RecordError(f"{path}: {error}")
    return RecordError(_("{path} is not a .pbem file, or it is damaged: {why}.", path=path, why=error))


def check_log(path: str, data: bytes) -> None:
    """Raise RecordError, which names the file, unless its bytes are a log of either mode."""
    from pbem.ledger.modes import mode_of

    try:
        if not mode_of(data).entries(data):
            raise RecordError(_("{path} contains no entries of a game.", path=path))
    except FormError as error:
        raise no_log(path, error) from error


def log_in(path: str, data: bytes) -> Log:
    """Return the log of a game with a host from a file's bytes. Raises RecordError, which names the file, if it is not one."""
    from pbem.ledger import Log
    from pbem.ledger.modes import WITH_HOST, mode_of

    if mode_of(data) is not WITH_HOST:
        raise RecordError(
            _(
                "{path} is the log of a game of two, without a host: this wants one of a game with a host. Once a game of two is "
                "over, “pbem replay” shows what each had and saw.",
                path=path,
            )
        )
    check_log(path, data)
    return Log.parse(data)


def rules_lent(folders: list[Path] | None) -> Lender:
    """Return the lender of other versions' rules, from the given folders and from the shelf. It works while it is open."""
    from pbem.games import installed
    from pbem.games.shelf import Lender
    from pbem.resources import folder

    return Lender(folders or [], folder("shelf"), installed)


def say_taken(lent: Lender) -> None:
    """Say which rules were taken off the shelf."""
    for said in lent.words():
        screen.echo(said)


def check_address(address: str) -> None:
    """Raise UsageError for what cannot be an e-mail address."""
    from pbem.mail import check_address as check

    check(address)


def say_doubts(office: Office, addresses: Iterable[str]) -> None:
    """Say which of the addresses of players nobody may read."""
    for address in addresses:
        if why := office.robot.post.doubt(address):
            screen.echo(why, err=True)


def echo_json(value: Any) -> None:
    """Print one JSON object."""
    screen.echo(escaped(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)))


def game_options(
    scenario: str | None, edition: str | None, pairs: list[str], players: str | None = None
) -> dict[str, Any]:
    """Return a game's options from `--scenario S`, `--edition E`, `--option name=value` …; a value that is JSON is read as such."""
    options: dict[str, Any] = {"scenario": scenario} if scenario else {}
    if edition:
        options["edition"] = edition
    for pair in [f"players={players}", *pairs] if players else pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise UsageError(_("“{pair}” is not an option; write --option name=value.", pair=pair))
        if name in options:
            raise UsageError(_("The option {name} is given twice.", name=name))
        try:
            options[name] = json.loads(value)
        except ValueError:  # JSONDecodeError, and a number that is too long for Python
            options[name] = value
    return options


def chosen_game(game: str | None) -> GamePack:
    """Return the game that was named, or the first that comes with pbem."""
    from pbem.games import find, shipped

    return find(game or shipped()[0])


def check_seat(seats: Sequence[str], seat: str | None) -> None:
    """Raise UsageError for a seat that a copy or a position does not have; None means without a seat, and is accepted."""
    if seat is not None and seat not in seats:
        raise UsageError(_("This game has no seat “{seat}”; its seats are {seats}.", seat=seat, seats=", ".join(seats)))


def seat_of(seats: Sequence[str], seat: str) -> str:
    """Check the name of a seat, and return it. Raises UsageError if the game has no such seat."""
    if seat not in seats:
        raise UsageError(_("There is no seat “{seat}”; the seats are {seats}.", seat=seat, seats=", ".join(seats)))
    return seat


def bot_of(pack: GamePack, name: str) -> Bot:
    """Return a new built-in player of a game. Raises UsageError if the game has no such player."""
    return pack.bots[pack.player_named(name)]()


@dataclass(frozen=True, slots=True)
class Pictures:
    """The files into which to draw a position."""

    svg: Path | None
    png: Path | None
    html: Path | None = None
    for_all: bool = False
    """Whether anybody may read them, as what shows nothing of a game that is played."""

    def __bool__(self) -> bool:
        return bool(self.svg or self.png or self.html)

    def write(self, picture: Callable[[], Markup], page: Callable[[], str]) -> None:
        """Draw the requested files, and say so. Raises UsageError if a game has no picture."""
        from pbem.look.markup import joined
        from pbem.look.picture import with_fonts
        from pbem.look.pixels import png

        svg = picture() if self.svg or self.png else joined()
        if (self.svg or self.png) and not svg:
            raise UsageError(_("This game draws no picture; --html writes its board in tables."))
        if self.svg:
            write_bytes(self.svg, with_fonts(svg).encode(), for_all=self.for_all)
        if self.png:
            write_bytes(self.png, png(svg), for_all=self.for_all)
        if self.html:
            write_bytes(self.html, page().encode(), for_all=self.for_all)


def write_bytes(path: Path, data: bytes, *, for_all: bool = False) -> None:
    """Write a file that the user named, and say so. Unless it is `for_all`, only the user can read it."""
    if for_all:
        path.write_bytes(data)
    else:
        private.write(path, data)
    screen.echo(_("Written: {path}", path=path))
