"""Commands that show things: show, demo, play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import (
    HOME,
    Edition,
    GameId,
    Option,
    Players,
    Scenario,
    check_log,
    chosen_game,
    echo_json,
    game_options,
    log_in,
    read_repaired,
)
from .desk import Home
from .language import for_programs

if TYPE_CHECKING:
    from pbem.ledger import Log
    from pbem.player.tales import Tale

File = Annotated[str, typer.Argument(metavar="FILE", help="A .pbem file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print the fields, as JSON.")]


def show(
    file: File,
    n: Annotated[
        int | None, typer.Argument(metavar="[N]", help="Only this entry, with all that belongs to it.")
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option("--hand", metavar="SEAT", help="The hand of this seat, if the copy opens it."),
    ] = None,
    year: Annotated[
        int | None, typer.Option("--year", metavar="N", help="With --hand: the year or round (default: each).")
    ] = None,
    json: Json = False,
) -> None:
    """Tell what the entries of a log say, in sentences, also of a redacted copy."""
    if year is not None and hand is None:
        raise UsageError(_("--year says in which year a hand is shown: name its seat, too, with --hand SEAT."))
    if hand is not None and n is not None:
        raise UsageError(_("--hand shows a hand, and {n} an entry: name one of the two.", n=n))
    from pbem.reports.scenes import reader_of

    data = read_repaired(file)
    if hand is not None:
        _show_hands(log_in(file, data), hand, year, as_json=json)
        return
    tale = tale_in(file, data)
    entries, reader = tale.entries, reader_of(tale.log, tale.pack_or_none)
    if n is not None and not 0 <= n < len(entries):
        raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(entries) - 1, n=n))
    if json:
        fields = [entry.fields for entry in entries]
        echo_json(fields if n is None else fields[n])
        return
    if n is not None:
        screen.echo(reader.whole(entries[n]))
        if n == 0:
            from pbem.player.named import agreed

            screen.echo("\n" + "\n".join([_("The players agreed to this:"), *(f"  {line}" for line in agreed(tale))]))
        return
    for entry in entries:
        screen.echo(reader.line(entry))


def _show_hands(log: Log, seat: str, year: int | None, *, as_json: bool) -> None:
    from pbem.games import find
    from pbem.player.named import seat_named
    from pbem.reports.hands import hands
    from pbem.reports.text import sentence

    pack = find(log.entries[0].fields["rules"]["id"])
    seat = seat_named(log.entries[0].fields["seats"], seat, pack) or seat
    found = hands(log, pack, seat, year)
    if as_json:
        echo_json([one._asdict() for one in found])
        return
    name = pack.look.seat_name(seat)
    for one in found:
        said = {"seat": name, "n": one.n, "year": one.year}
        text = _("{seat}, {year} (entry {n}):", **said) if one.year else _("{seat} (entry {n}):", **said)
        screen.echo(sentence(text))
        screen.echo((one.says or _("nothing")) + "\n")


def tale_in(file: str, data: bytes) -> Tale:
    """Return what a log tells. Raises RecordError, which names the file, if it is not a log."""
    from pbem.player.modes import mode_in

    check_log(file, data)
    return mode_in(data).tale(data)


def _bot(text: str) -> tuple[str, str]:
    seat, sign, name = text.partition("=")
    if not sign:
        raise UsageError(_("“{text}” does not name a seat and a built-in player; write --bot SEAT=random.", text=text))
    return seat, name


def demo(
    out: Annotated[Path, typer.Option(help="A new folder for everything the demonstration leaves.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 1,
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    players: Players = None,
    option: Option = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=NAME", help="Who plays a seat: sensible (easy), normal, random, and in some games hard."
        ),
    ] = None,
) -> None:
    """Watch built-in players play a whole game by mail. Leaves the log, the copies, the reports and a replay."""
    from .demo import Demo

    pack = chosen_game(game)
    options = pack.complete(game_options(scenario, edition, option or [], players))
    stage = Demo(out, seed, pack, options, dict(map(_bot, bot or [])))
    left = stage.play(screen.echo)
    verdict = left.audited.verdict
    screen.echo(f"\n{left.result}")
    screen.echo(_("The audit says: {verdict}. {reason}", verdict=verdict.outcome, reason=verdict.reason))
    screen.echo("\n" + _("What to do next") + "\n")
    seat = stage.seats[0]
    for does, typed in {
        _("Play yourself, in your browser"): "pbem web",
        _("Play yourself, in this terminal"): f"pbem play --game {pack.rules.id}",
        _("Step through this game"): _("open {file} in a browser", file=out / "replay.html"),
        _("Read a player's letters"): f"less {out / 'reports' / seat}/*",
        _("Check the game by its rules"): f"pbem audit {out / 'game.pbem'}",
    }.items():
        screen.echo(f"  {does:<32}{typed}")
    if verdict.verdict != "clean":
        raise typer.Exit(1)


def play(
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    players: Players = None,
    option: Option = None,
    seat: Annotated[str | None, typer.Option(help="Your seat (default: the first).")] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="The built-in player: sensible (easy), normal, random, and in some games hard. Default: sensible."
        ),
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Play the same dice again.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the log goes at the end.")] = None,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep/--no-keep",
            help="Keep the game in your folder after every order, so that you can continue later, here or in "
            "“pbem web” (default: yes).",
        ),
    ] = True,
    go_on: Annotated[
        bool | None,
        typer.Option("--go-on/--new", help="Continue the last game, or begin another. Default: pbem asks you."),
    ] = None,
    home: Home = HOME,
) -> None:
    """Play now, in this terminal, against a built-in player."""
    from pbem.page.alone import Shelf, Solo, beginning

    from .play import Sitting, left_here, say_left

    shelf = Shelf(home)
    told = {
        "--game": game, "--scenario": scenario, "--edition": edition, "--players": players, "--option": option, "--seat": seat,
        "--against": against, "--seed": seed, "--no-keep": not keep,
    }  # fmt: skip
    begins = [name for name, said in told.items() if said]
    if go_on and begins:
        raise UsageError(
            _(
                "--go-on continues a game as it was started; it cannot be combined with {options}.",
                options=", ".join(begins),
            )
        )
    if go_on or (go_on is None and not begins):
        try:
            left = left_here(shelf, ask=not go_on)
        except typer.Abort:
            screen.echo()
            say_left()
            return
        if left is not None:
            Sitting(left).play(out)
            return
        if go_on:
            raise UsageError(_("No game is left unfinished in {home}: “pbem play” begins one.", home=home))
    pack = chosen_game(game)
    options = pack.complete(game_options(scenario, edition, option or [], players))
    if keep:
        Sitting(shelf.begin(pack.rules.id, options, seat or "", against or "", seed or "")).play(out)
    else:
        Sitting(Solo(None, beginning(pack, options, seat or "", against or "", seed or ""))).play(out)
