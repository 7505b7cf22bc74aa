"""How long commands take to start and do the least that they do, as processor time, against Python importing pydantic and typer.

    python -m bench.start [--runs 7]

A desk on which a game of Hammer of the Scots has begun, its log, and a host without a game are made in a folder. Each command runs
in a process of its own, with its modules compiled already; what counts is the least that user and system took over some runs, which
are taken in turns with those of the floor.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from pbem.cli.demo import Demo
from pbem.games import find
from pbem.host import StoredLedger
from pbem.host.office import Office
from pbem.ledger.terms import terms

from .games import key_of

AIM = 1.6
FLOOR = "import pydantic, typer"
PROGRAM = "import sys; sys.argv[0] = 'pbem'; from pbem.cli import main; main()"
_MAILS = 8
"""So often all read what has come and answer, and until a letter lies there for who is tried: the game has begun then."""


def prepare(folder: Path) -> dict[str, list[str]]:
    """Make what the commands are tried on; return them by name, each with its words."""
    demo = Demo(folder / "club", 1, find("hammer"), {}, {})
    posts = {seat: f"{seat}@example.org" for seat in demo.seats}
    number = demo.office.robot.new_game("hammer", demo.options, posts, "A game", terms(0), "start", demo.tick())
    demo.office.send(demo.tick())
    times, letters = 0, list[bytes]()
    while times < _MAILS or not letters:
        for player in demo.players.values():
            player.attend()
        demo.office.work(demo.tick())
        times, letters = times + 1, [raw for _path, raw, _at in demo.players["scottish"].mail.new()]
    (folder / "game.pbem").write_bytes(StoredLedger(demo.office.store, number, demo.seats).whole().dump())
    (folder / "mail.eml").write_bytes(letters[0])
    demo.office.close()
    Office.create(folder / "host", key_of(1, "start"), "host@example.org").close()
    home = ["--home", str(folder / "club" / "players" / "scottish")]
    host, log = ["--dir", str(folder / "host")], str(folder / "game.pbem")
    return {
        "--version": ["--version"], "--help": ["--help"], "order --help": ["order", "--help"],
        "verify LOG": ["verify", log], "replay LOG": ["replay", log], "show LOG": ["show", log],
        "send": ["send", *home], "games": ["games", *home], "read MAIL": ["read", str(folder / "mail.eml"), *home],
        "board": ["board", *home], "host status": ["host", "status", *host], "host run --once": ["host", "run", "--once", *host],
        "play": ["play", "--home", str(folder / "alone")],
    }  # fmt: skip


def spent(words: list[str], env: dict[str, str]) -> float:
    """Return the seconds of processor time that Python takes with these words behind it, which has to do what they say."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = [sys.executable, "-c", *words]
    subprocess.run(run, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True)  # noqa: S603 - our own program
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(prog="python -m bench.start", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        env = {**os.environ, "PYTHONPYCACHEPREFIX": f"{name}/compiled"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        commands = prepare(Path(name))
        for words in commands.values():
            spent([PROGRAM, *words], env)
        print(f"Commands, to Python importing pydantic and typer (aim: at most {AIM}; Python {sys.version.split()[0]})")
        for command, words in commands.items():
            pairs = [(spent([FLOOR], env), spent([PROGRAM, *words], env)) for _ in range(runs)]
            floor, took = map(min, zip(*pairs, strict=True))
            said = "kept" if took <= AIM * floor else "MISSED"
            print(f"  {command:<20} {1000 * took:6.0f} ms  {took / floor:5.2f}  {said}   (floor {1000 * floor:.0f} ms)")


if __name__ == "__main__":
    main()
