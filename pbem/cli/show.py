"""Commands that show things: show, replay, demo, play."""

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
    Pictures,
    Players,
    Png,
    Scenario,
    Svg,
    check_seat,
    chosen_game,
    echo_json,
    game_options,
    log_in,
    read_repaired,
    write_bytes,
)
from .desk import Home
from .language import for_programs
from .show_pair import check_opinion, history, replay_pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import GamePack
    from pbem.ledger import Entry, Log
    from pbem.reports.entries import Reader
    from pbem.reports.of_two import PairReader
    from pbem.reports.told import Told

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
    data = read_repaired(file)
    if hand is not None:
        _show_hands(log_in(file, data), hand, year, as_json=json)
        return
    entries, reader = _read(file, data)
    if n is not None and not 0 <= n < len(entries):
        raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(entries) - 1, n=n))
    if json:
        fields = [entry.fields for entry in entries]
        echo_json(fields if n is None else fields[n])
        return
    if n is not None:
        screen.echo(reader.whole(entries[n]))
        return
    for entry in entries:
        screen.echo(reader.line(entry))


def _read(file: str, data: bytes) -> tuple[Sequence[Entry], Reader | PairReader]:
    """Return the entries of a log, and what reads them."""
    from pbem.ledger.pair import is_of_two, read_pair
    from pbem.reports.entries import Reader
    from pbem.reports.of_two import PairReader

    if is_of_two(data):
        own = read_pair(data)[1]
        return own, PairReader(_pack_of(own[0]))
    log = log_in(file, data)
    return log.entries, Reader(log, _pack_of(log.entries[0]))


def _show_hands(log: Log, seat: str, year: int | None, *, as_json: bool) -> None:
    from pbem.games import find
    from pbem.reports.hands import hands
    from pbem.reports.text import sentence

    check_seat(log.entries[0].fields["seats"], seat)
    pack = find(log.entries[0].fields["rules"]["id"])
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


def _pack_of(first: Entry) -> GamePack | None:
    """The game of a log by its first entry, None where it is not here."""
    from pbem.games import find

    try:
        return find(first.fields["rules"]["id"])
    except UsageError:
        return None


def replay(
    file: File,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", help="Only the position after entry N, and what led to it.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(help="The view of this seat. Default: the public's, with a drawing of all that the copy opens."),
    ] = None,
    svg: Svg = None,
    png: Png = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="OUT",
            help="Write the whole game as a page that steps through it; with --at, that position alone.",
        ),
    ] = None,
    opinion: Annotated[
        bool, typer.Option("--opinion", help="With --html, of a game that is over: who stood better at each turn.")
    ] = False,
) -> None:
    """Tell the story of a game, or show one of its positions. Reads only the copy, without replaying the rules."""
    from pbem.games import find
    from pbem.ledger.pair import is_of_two
    from pbem.reports.told import sense, told

    if is_of_two(data := read_repaired(file)):
        whole, drawn = (html, None) if at is None else (None, html)
        replay_pair(data, at, seat, Pictures(svg, png, drawn), whole=whole, opinion=opinion)
        return
    log = log_in(file, data)
    seats = log.entries[0].fields["seats"]
    check_seat(seats, seat)
    if at is not None and at > log.head[0]:
        raise UsageError(_("This copy ends with entry {n}; it has no entry {at}.", n=log.head[0], at=at))
    pack = find(log.entries[0].fields["rules"]["id"])
    if opinion:
        fits = html is not None and at is None and not seat
        check_opinion(pack, log.head[0], fits=fits, is_over=log.entries[-1].k == "end")
    heard = told(log, seat)
    tells = [tell for tell in heard if at is None or tell.n <= at]
    if not tells:
        said = (
            _("Up to there nothing has been told to {seat} that this copy opens.", seat=seat)
            if seat
            else _("Up to there nothing has been told to the public that this copy opens.")
        )
        if heard:
            said += " " + _("The first tell that it opens is entry {n}.", n=heard[0].n)
        raise UsageError(said)
    with sense(
        _(
            "These rules do not recognise a report of {game} in this copy: it comes from other rules, or "
            "somebody made it up.",
            game=pack.rules.title,
        )
    ):
        if html and at is None:
            from pbem.reports.replay import page

            write_bytes(html, page(log, pack, seat, judged=opinion).encode(), for_all=seat is None)
        if pictures := Pictures(svg, png, html if at is not None else None):
            _draw(pack, log, tells, (seat,) if seat else tuple(seats), pictures)
        if html or pictures:
            return
        end = log.entries[-1]
        is_told = end.k == "end" and tells[-1].n == end.n - 1
        facts = [(tell.n, tell.facts) for tell in (tells if at is None else tells[-1:])]
        screen.echo(history(pack, facts, seat, end.fields["result"] if is_told else None))
        view = pack.rules.read_view(tells[-1].view)
        last, n = tells[-1].n, log.head[0] if at is None else at
        if last == n:
            after = _("After entry {n}:", n=n)
        else:
            after = _("After entry {n}, as the report in entry {last} left it:", n=n, last=last)
        screen.echo(f"\n{after}\n")
        screen.show_position(pack.look, view)


def _draw(pack: GamePack, log: Log, tells: list[Told], seats: tuple[str, ...], pictures: Pictures) -> None:
    """Draw the position after a disclosure for the given seats that the copy opens at that point; otherwise for the public."""
    from pbem.reports.text import readable
    from pbem.reports.told import told

    from .board import draw

    opened = {seat: [tell for tell in told(log, seat) if tell.n <= tells[-1].n] for seat in seats}
    views = {
        seat: pack.rules.read_view(heard[-1].view)
        for seat, heard in opened.items()
        if heard and heard[-1].n == tells[-1].n
    }
    facts = [fact for tell in tells for fact in tell.facts if readable(fact, None, pack) is not None]
    draw(pack, views or {"": pack.rules.read_view(tells[-1].view)}, pictures, facts)


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
