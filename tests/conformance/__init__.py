"""The suite that every game must pass, written against `pbem.kernel.Game` and nothing behind it.

A game is tested by a class of its own:

    from tests.conformance import Conformance

    class TestTiny(Conformance):
        game = tiny_game.GAME
        where = "tiny_game:GAME"
        plans = ("ACT BANK",)
        look = tiny_game.LOOK

It is played at random to the end a few times; the checks then go over the recorded games, each with a stride, so that a
game of thousands of steps can be checked in seconds. Every failure names seed and step, so it can be played again:
`play(game, options, seed)`.
"""

from __future__ import annotations

from .advice import Advice
from .ahead import Ahead
from .course import Course
from .foreseen import Foreseeing
from .forms import canonical, flaws, visible
from .logged import Logged
from .orders import Orders
from .peers import Peers
from .plans import Plans
from .playing import Given, Record, answers, game_at, outcome, play, take, transcript
from .positions import Positions
from .read_back import ReadBack
from .secrecy import Secrecy
from .views import Views

__all__ = [
    "Conformance", "Given", "Record", "answers", "canonical", "flaws", "game_at", "outcome", "play", "take", "transcript",
    "visible",
]  # fmt: skip


class Conformance(Course, Logged, Positions, Views, Secrecy, Peers, Orders, Plans, Ahead, Advice, ReadBack, Foreseeing):
    """All checks. A subclass names its game, and tunes how much is played and looked at."""
