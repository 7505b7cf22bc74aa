"""What the tests of notations ask: whether two games tell the same, whether a notation comes back, what a command says."""

from __future__ import annotations

from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.ledger import cj
from pbem.reports.replay import Opened
from pbem.story.notation import Notation, as_json_lines, read, written


def same(one: Opened, other: Opened) -> bool:
    """Do both tell the same to everybody, with the same numbers?"""
    told = [
        [(seat, tell.n, cj(list(tell.facts)), cj(tell.view)) for seat, tells in each.told.items() for tell in tells]
        for each in (one, other)
    ]
    ends = [(each.game, list(each.seats), each.end, each.last) for each in (one, other)]
    return told[0] == told[1] and ends[0] == ends[1]


def comes_back(game: Notation) -> None:
    """See that a notation is read from both of its forms as it was written."""
    for form in (written, as_json_lines):
        again = read(form(game).encode())
        assert (again.head, list(again.lines)) == (game.head, list(game.lines))
        assert form(again) == form(game)


def said(*arguments: object) -> tuple[int, str]:
    """Type a command; return its exit code, and what it prints or refuses with."""
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    if isinstance(done.exception, PbemError):
        return 2, done.output + str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output
