"""Counts as in chess: from a small position, in how many ways can the next decisions be made, and where do they lead?

Chance is dictated, so that a count follows from the rules alone: every die continues 1, 2, … 6, 1 …, every draw takes the first
names of its list. A file of `counts/` is a position in words, as `pbem board --from` reads it; behind its END stand the orders
that lead to where the counting begins, and what was counted (`docs/reference/counts.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.board import Piece, State
from pbem.games.hammer.rules.printed import BLOCKS, ENGLISH, MORAY, NOBLES, OFF
from pbem.games.hammer.setting_up import HammerPositions
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, Chance, End, Order, Outcome, Roll, Wants

FOLDER = Path(__file__).parent / "counts"
LINES = " / "
"""Parts the lines of an order that has several."""

Answers = Callable[[HammerView], Iterable[Order]]
"""The legal answers to the question that a view puts."""


def _few(state: State, position: str) -> State:
    """Take the nobles off the map whom a position does not name, so that it stays small: in no game are they ever gone."""
    stand = [line.partition(":")[2] for line in position.splitlines() if line.startswith(("ENGLISH", "SCOTTISH"))]
    named = {word.strip(" 1234") for line in stand for word in line.split(",")}
    away = [Piece(name, BLOCKS[name].owner or ENGLISH, OFF, 0) for name in (*NOBLES, MORAY) if name not in named]
    return replace(state, board=state.board.put(*away))


class Place(NamedTuple):
    """A state that wants decisions, or is the end; and how many dice have been rolled on the way."""

    state: State
    rolled: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """What makes this place another one: everything in it."""
        result = self.state.result
        return self.state.board, self.state.stack, tuple(result.items()) if result else None, self.rolled

    @property
    def wants(self) -> Wants:
        return GAME.wants(self.state)

    def settled(self) -> Place:
        """Return the place to which dictated chance leads."""
        here = self
        while isinstance(wanted := here.wants, Chance):
            given, rolled = dictated(wanted, here.rolled)
            here = Place(GAME.step(here.state, given).state, rolled)
        return here

    def after(self, orders: Mapping[str, Order]) -> Place:
        """Return the place after these decisions."""
        return Place(GAME.step(self.state, orders).state, self.rolled).settled()

    def view(self, seat: str) -> HammerView:
        view = GAME.read_view(GAME.view(self.state, seat))
        assert isinstance(view, HammerView)
        return view


def dictated(chance: Chance, rolled: int) -> tuple[Outcome, int]:
    """Return what chance gives, and how many dice have been rolled then."""
    given: list[tuple[int | str, ...]] = []
    for request in chance.requests:
        if isinstance(request, Roll):
            given.append(tuple((rolled + i) % request.sides + 1 for i in range(request.n)))
            rolled += request.n
        else:
            given.append(tuple(request.of[: request.n]))
    return tuple(given), rolled


def offered(view: HammerView) -> Iterable[Order]:
    """Return the legal answers as the rules list them."""
    return GAME.options(view)


class Depth(NamedTuple):
    """What was counted after so many decisions: the ways there, the different positions, and those that are an end."""

    ways: int
    positions: int
    ends: int

    def __str__(self) -> str:
        return f"{self.ways} ways, {self.positions} positions, {self.ends} ends"


def count(start: Place, depth: int, answers: Answers = offered) -> Iterator[Depth]:
    """Go through the counts after 1, 2 … decisions; a game that is over stays where it is."""
    level = {start.key: (start, 1)}
    for _ in range(depth):
        further: dict[tuple[object, ...], tuple[Place, int]] = {}
        for place, ways in level.values():
            for then in _ways_on(place, answers):
                key = then.key
                further[key] = then, ways + (further[key][1] if key in further else 0)
        level = further
        ends = {key[:-1] for key, (place, _) in level.items() if place.state.result is not None}
        yield Depth(sum(ways for _, ways in level.values()), len({key[:-1] for key in level}), len(ends))


def _ways_on(place: Place, answers: Answers) -> Iterator[Place]:
    wanted = place.wants
    if isinstance(wanted, End):
        yield place
        return
    assert isinstance(wanted, Ask)
    every = [list(answers(place.view(seat))) for seat in wanted.seats]
    for orders in product(*every):
        yield place.after(dict(zip(wanted.seats, orders, strict=True)))


class Case(NamedTuple):
    """A file of counts."""

    path: Path
    position: str
    played: tuple[tuple[str, str], ...]
    """Seat and order, up to where the counting begins."""
    counts: tuple[str, ...]

    def start(self) -> Place:
        """Return the place where the counting begins."""
        place = Place(_few(HammerPositions().read(self.position)[1], self.position)).settled()
        left = list(self.played)
        while left:
            wanted = place.wants
            assert isinstance(wanted, Ask), f"{self.path.name}: nobody is asked when {left[0]} is ordered"
            given = {}
            for _ in wanted.seats:
                seat, text = left.pop(0)
                assert seat in wanted.seats, f"{self.path.name}: {wanted.seats} are asked {wanted.what}, not {seat}"
                given[seat] = GAME.parse(place.view(seat), text.replace(LINES, "\n"))
            place = place.after(given)
        return place

    def counted(self) -> tuple[str, ...]:
        """Return the counts as they are now, to the depth of the file."""
        return tuple(map(str, count(self.start(), len(self.counts))))

    def rewrite(self) -> None:
        """Write the counts as they are now into the file."""
        said = self.path.read_text("utf-8").partition("\nCOUNTS\n")[0]
        self.path.write_text("\n".join([said, "COUNTS", *self.counted(), ""]), "utf-8")


def read(path: Path) -> Case:
    """Return the case that a file holds."""
    position, _, rest = path.read_text("utf-8").partition("\nEND\n")
    played, _, counts = rest.partition("COUNTS\n")
    lines = [line.partition(": ") for line in played.splitlines() if line and line != "PLAYED"]
    return Case(path, position + "\n", tuple((seat, text) for seat, _, text in lines), tuple(counts.splitlines()))


CASES = tuple(read(path) for path in sorted(FOLDER.glob("*.txt")))
