"""The command match: two players, built-in or programs, play many games against each other."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import Edition, GameId, Option, Players, Scenario, chosen_game, echo_json, game_options
from .language import for_programs

if TYPE_CHECKING:
    from pbem.engine.match import MatchGame
    from pbem.engine.standings import Standings

INTERRUPTED = 130
"""The exit code of what Ctrl-C has ended."""
_WHO = "A built-in player, such as sensible, normal or hard; or the command line of a program that plays."
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print one JSON object.")]


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=_WHO)],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    game: GameId = None,
    games: Annotated[int, typer.Option(min=2, help="How many games: an even number, for sides are changed.")] = 200,
    seed: Annotated[str, typer.Option(help="The same seed gives the same cards and dice.")] = "1",
    scenario: Scenario = None,
    edition: Edition = None,
    players: Players = None,
    option: Option = None,
    seconds: Annotated[int, typer.Option(min=1, help="How many seconds a program may think about one answer.")] = 60,
    log: Annotated[Path | None, typer.Option(metavar="FOLDER", help="A new folder for the games, as JSON.")] = None,
    json: Json = False,
) -> None:
    """Let two players play many games against each other, and say which is better: score, interval, Elo."""
    from pbem.engine.match import Match
    from pbem.engine.standings import Standings, in_words, told

    if games % 2:
        raise UsageError(_("Games are played in pairs, with sides changed: take an even number."))
    folder = _new(log) if log else None
    options = game_options(scenario, edition, option or [], players)
    meeting = Match(chosen_game(game), options, (a, b), seed, seconds)
    found, pair = Standings(meeting.seats), list["MatchGame"]()
    with (
        suppress(KeyboardInterrupt),
        _ended_like_ctrl_c(),
        closing(meeting.play(games)) as every,
        _bar(games, found) as bar,
    ):
        for played in every:
            if folder:
                _keep(folder, played)
            pair.append(played)
            if len(pair) == len(meeting.players):  # a game whose other half is missing says nothing
                for one in pair:
                    found.count(one)
                pair.clear()
            if bar:
                bar.update(1)
    if folder:
        _write(folder / "match.json", told(meeting, found))
    if json:
        echo_json(told(meeting, found))
    elif found.games:
        screen.say("\n".join(in_words(meeting, found)))
    if found.games < games:
        said = _("Broken off: {done} of {games} games were played in pairs.", done=found.games, games=games)
        screen.say(said, err=True)
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _bar(games: int, found: Standings) -> Iterator[Any]:
    """Show a match's progress and score in a terminal; elsewhere yield None."""
    from pbem.engine.match import A, B

    if not sys.stderr.isatty():
        yield None
        return
    showing: Any = typer.progressbar(
        length=games, file=sys.stderr, show_pos=True, item_show_func=lambda _now: f"A {found.won(A)}, B {found.won(B)}"
    )
    with showing as bar:
        yield bar


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """Make SIGTERM, or closing the terminal, act like Ctrl-C, so that programs started here end too.

    Ignored signals, as under nohup, are still ignored.
    """

    def interrupt(*_signal: object) -> NoReturn:
        raise KeyboardInterrupt

    there = (getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
    numbers = [number for number in there if signal.getsignal(number) is not signal.SIG_IGN]
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, was in zip(numbers, before, strict=True):
            signal.signal(number, was)


def _new(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(_("{out} is there already; name a new folder with --log.", out=folder))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(folder: Path, played: MatchGame) -> None:
    _write(folder / f"game-{played.number:04}.json", played.json())


def _write(path: Path, said: object) -> None:
    text = json.dumps(said, ensure_ascii=False, indent=1) + "\n"
    private.write(path, text.encode("utf-8", "backslashreplace"))  # half a surrogate becomes its JSON escape
