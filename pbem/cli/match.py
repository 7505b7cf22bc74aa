"""The command match: two players, built-in or programs, play many games against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import Edition, GameId, Option, Players, Scenario, chosen_game, echo_json, game_options
from .language import for_programs

if TYPE_CHECKING:
    from pbem.engine.match import MatchGame

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
    found = Standings(meeting.seats)
    for played in meeting.play(games):
        found.count(played)
        if folder:
            _keep(folder, played)
    if folder:
        _write(folder / "match.json", told(meeting, found))
    if json:
        echo_json(told(meeting, found))
    else:
        screen.say("\n".join(in_words(meeting, found)))


def _new(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(_("{out} is there already; name a new folder with --log.", out=folder))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(folder: Path, played: MatchGame) -> None:
    _write(folder / f"game-{played.number:04}.json", played.json())


def _write(path: Path, said: object) -> None:
    private.write(path, (json.dumps(said, ensure_ascii=False, indent=1) + "\n").encode())
