"""Positions in words: a flip at which all place, or with battles to fight, as a small text.

::

    SWORDS 2 for 3
    ROUND 2 FLIP 5 stag 3 PLACE
    LEADER yellow
    CUBES Moray: pink 3, yellow 2, picts
    CASTLES: Perth pink, Blair picts
    BOARD pink: A1, B1, C2 pict
    GLORY The Crown: pink 2, yellow
    POINTS: pink 12, yellow 4

Lines are read as orders are: comments, folded lines and abbreviated names are accepted. Cubes named in no line are in the supply,
or at the side of the board. All other moments have only the JSON form (`rules.position`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pbem.errors import OrderError, Problem, UsageError
from pbem.i18n import N_, _
from pbem.kernel import Json, Line, Names, folded
from pbem.kernel.worded import Worded, WordedReading, items, number, once

from .game import GAME
from .reading import CARDS, LineReader, square
from .rules.battles import Battles
from .rules.board import Board, DeckCard, in_order
from .rules.flip import Flip
from .rules.names import BANNER, COLOURS, GLORY, PICTS
from .rules.parts import TERMS, Agreed
from .rules.position import POSITION, flaws
from .rules.war import Season, State, War

MOMENT = "ROUND 2 FLIP 5 stag 3 PLACE"
WORDS = Names(
    (
        "OPTION", "ROUND", "LEADER", "TOKENS", "DECK", "CUBES", "CASTLES", "BOARD", "GLORY", "POINTS", "PICTS", "CARDINAL", "WALL",
        "WILD",
    ),
    N_("line"),
)  # fmt: skip
_MOMENTS = Names(("PLACE", "BATTLES"), N_("moment"))
_ROUND = re.compile(r"(\S+)\s+FLIP\s+(\S+)\s+([A-Za-z]+)\s+(\S+)(?:\s+(\w+))?", re.IGNORECASE)
_ROUNDS, _FLIPS, _CARD = 9, 99, 4
"""The maximum of a round, of a flip, and of the number on a deployment card."""
_ITEM = re.compile(r"(.+?)(?:\s+(\d{1,5}))?")


class SwordsPositions(Worded[State]):
    """Reads and writes them."""

    wordless = N_("Words are for placing and for battles that stand; this position ({doing}) has a JSON form only.")

    def read(self, text: str) -> tuple[dict[str, Json], State]:
        return _SwordsReading(text).result()

    def lines(self, state: State) -> Iterator[str]:
        return _written(state)

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of positions as JSON."""
        return POSITION.schema()


POSITIONS = SwordsPositions()


# -- writing ------------------------------------------------------------------------------------------------------------


def _written(state: State) -> Iterator[str]:
    board = state.board
    if not state.stack:
        raise UsageError(_("Nobody is asked."))
    moment = "BATTLES" if isinstance(state.stack[-1], Battles) else "PLACE"
    yield f"SWORDS {GAME.version} for {len(board.seats)}"
    yield from _options(board)
    yield f"ROUND {board.round} FLIP {board.flip} {board.icon} {board.number} {moment}"
    yield f"LEADER {board.leader}"
    if any(board.tokens[name] != board.parts.token(name, len(board.seats)) for name in board.parts.names):
        yield folded("TOKENS: ", [f"{name} {board.tokens[name]}" for name in board.parts.names])
    yield folded("DECK: ", [f"{card.icon} {card.number}" for card in board.deck]) if board.deck else "DECK:"
    for name in board.parts.names:
        if there := board.cubes.get(name):
            yield f"CUBES {name}: {_counted(there)}"
    if board.castles:
        yield folded(
            "CASTLES: ", [f"{name} {board.castles[name]}" for name in board.parts.strongholds if name in board.castles]
        )
    for seat in board.seats:
        if covered := board.boards[seat]:
            squares = [f"{s}{' pict' * (covered[s] == PICTS)}" for s in board.parts.squares if s in covered]
            yield folded(f"BOARD {seat}: ", squares)
    yield from (f"GLORY {card}: {_counted(board.glory[card])}".rstrip() for card in GLORY if card in board.glory)
    yield f"POINTS: {', '.join(f'{seat} {board.points[seat]}' for seat in board.seats)}"
    if board.picts:
        yield f"PICTS {board.picts}"
    yield from (f"{word} {said}" for word, said in _blue(board).items() if said)


def _blue(board: Board) -> dict[str, str]:
    return {"CARDINAL": board.cardinal, "WALL": " - ".join(board.wall), "WILD": board.wild}


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{colour} {counts[colour]}" for colour in COLOURS if colour in counts)


def _options(board: Board) -> Iterator[str]:
    terms, usual = board.terms, Agreed()
    said = {name: getattr(terms, name) for name in TERMS}
    yield from (f"OPTION {name}={value}" for name, value in said.items() if value != getattr(usual, name))
    if terms.printed:
        yield f"OPTION parts={json.dumps(terms.printed.model_dump(mode='json'), ensure_ascii=False)}"


# -- reading ------------------------------------------------------------------------------------------------------------


class _SwordsReading(WordedReading):
    """One text on its way to a state."""

    game = GAME
    words = WORDS
    settled = ("players", "glory", "tokens", "first")

    def __init__(self, text: str) -> None:
        self.moment = ""
        super().__init__(text)

    def agreed(self) -> None:
        super().agreed()
        agreed = self.chosen.agreed
        self.board = Board.set_up(agreed, self.seats, self.seats[0])
        self.reader = LineReader(agreed.parts)

    def result(self) -> tuple[dict[str, Json], State]:
        what = _("which flip it is, and what is done, is missing")
        self.judge(None if self.moment else Problem(0, "", what, legal=MOMENT))
        board = _completed(self.board)
        if found := list(flaws(board)):
            raise OrderError(*(Problem(0, "", flaw.rstrip(".")) for flaw in found))
        if self.moment == "BATTLES" and not board.battles():
            raise OrderError(Problem(0, self.moment, _("no battle stands in this position"), legal=MOMENT))
        war = War("round", placed=board.parts.first_cubes * len(board.seats))
        # the leader names the battle even where only one stands: the position is what was typed, and no rule has acted yet
        frame = (Flip("place"),) if self.moment == "PLACE" else (Flip("done"), Battles("choose"))
        return self.chosen.model_dump(mode="json"), State(board, (war, Season("next"), *frame))

    def line(self, line: Line) -> None:
        word, _blank, said = line.text.partition(" ")
        head, said = WORDS.find(word.removesuffix(":"), line), said.strip()
        board = self._read(head, line, said)
        once(self.said, line, f"{head} {self._place(head, said.partition(':')[0].strip(), line)}".rstrip())
        self.board = board

    def _read(self, word: str, line: Line, said: str) -> Board:
        board, before, listed = self.board, said.partition(":")[0].strip(), line.text.partition(":")[2]
        counts = list(_counts(line, listed))
        match word:
            case "ROUND":
                return self._flip(board, line, said)
            case "LEADER":
                return replace(board, leader=self._seat(said, line))
            case "TOKENS":
                return replace(board, tokens={**board.tokens, **_named(line, counts, self.reader.regions)})
            case "DECK":
                cards = [_card(self.reader, line, item) for item in items(listed)]
                deck = in_order(board.parts, cards)
                if len(deck) < len(cards):
                    raise line.refusal(_("there are not so many such cards"))
                return replace(board, deck=deck)
            case "CUBES":
                return replace(
                    board, cubes={**board.cubes, self.reader.regions.find(before, line): self._colours(line, counts)}
                )
            case "CASTLES":
                castles = [self._castle(line, item) for item in items(listed)]
                for castle, _colour in castles:
                    once(self.said, line, castle)
                return replace(board, castles=dict(castles))
            case "BOARD":
                seat = self._seat(before, line)
                covered = [_covered(line, seat, item) for item in items(listed)]
                for on, _colour in covered:
                    once(self.said, line, f"{seat} {on}")
                return replace(board, boards={**board.boards, seat: dict(covered)})
            case "GLORY":
                return replace(board, glory={**board.glory, CARDS.find(before, line): self._colours(line, counts)})
            case "POINTS":
                return replace(board, points={**board.points, **_named(line, counts, Names(self.seats, N_("seat")))})
            case "PICTS":
                return replace(board, picts=number(line, said, 0, board.parts.picts, f"{word} {said}"))
            case "CARDINAL":
                return replace(board, cardinal=self.reader.regions.find(said, line))
            case "WALL":
                _verb, order = self.reader.part(line, ("WALL",))
                return replace(board, wall=tuple(getattr(order, "border", ())))
        return replace(board, wild=self.reader.icons.find(said, line))

    def _flip(self, board: Board, line: Line, said: str) -> Board:
        found = _ROUND.fullmatch(said)
        if not found:
            raise line.refusal(_("this cannot be read"), MOMENT)
        self.moment = _MOMENTS.find(found[5] or "PLACE", line)
        icon = self.reader.icons.find(found[3], line)
        round_ = number(line, found[1], 0, _ROUNDS, f"ROUND {found[1]}")
        flip = number(line, found[2], 0, _FLIPS, f"FLIP {found[2]}")
        on_card = number(line, found[4], 1, _CARD, f"{found[3]} {found[4]}")
        return replace(board, round=round_, flip=flip, icon=icon, number=on_card)

    def _place(self, word: str, said: str, line: Line) -> str:
        """Return of what a line tells, where there may be several lines with its word."""
        match word:
            case "CUBES":
                return self.reader.regions.find(said, line)
            case "GLORY":
                return CARDS.find(said, line)
        return self._seat(said, line) if word == "BOARD" else ""

    def _seat(self, word: str, line: Line) -> str:
        return Names(self.seats, N_("seat")).find(word, line)

    def _colours(self, line: Line, counts: Iterable[tuple[str, int]]) -> dict[str, int]:
        names = Names((*self.seats, PICTS), N_("colour"))
        return {name: n for name, n in _named(line, counts, names).items() if n}

    def _castle(self, line: Line, item: str) -> tuple[str, str]:
        name, _blank, colour = item.rpartition(" ")
        return self.reader.castles.find(name, line), next(iter(self._colours(line, [(colour, 1)])))


def _completed(board: Board) -> Board:
    """Return the table with its glory cards held, and what no line names where it belongs."""
    board = replace(board, held=board.holders())
    used = dict.fromkeys((*board.seats, PICTS), 0)
    for colour, n in replace(board, supply={}, aside=0).every_cube():
        used[colour] = used.get(colour, 0) + n
    aside = board.parts.picts - used[PICTS] if BANNER in board.glory else 0
    supply = {seat: board.parts.cubes - used[seat] for seat in board.seats}
    if short := [seat for seat, n in {**supply, PICTS: aside}.items() if n < 0]:
        raise OrderError(Problem(0, short[0], _("there are not so many cubes of this colour")))
    return replace(board, supply=supply, aside=aside, top=board.number if board.deck else 0)


def _named(line: Line, counts: Iterable[tuple[str, int]], names: Names) -> dict[str, int]:
    """Return the count of each named thing; no name may be repeated."""
    found: dict[str, int] = {}
    said: dict[str, int] = {}
    for name, n in counts:
        meant = names.find(name, line)
        once(said, line, meant)
        found[meant] = n
    return found


def _counts(line: Line, listed: str) -> Iterator[tuple[str, int]]:
    """Yield names and their counts; a name without a number counts one."""
    for item in items(listed):
        found = _ITEM.fullmatch(item)
        yield (found[1], int(found[2] or 1)) if found else (item, 1)


def _card(lines: LineReader, line: Line, item: str) -> DeckCard:
    name, blank, said = item.rpartition(" ")
    if not blank:
        raise line.refusal(_("a deployment card is an icon and a number"), "DECK: stag 1, harp 2", read=item)
    return DeckCard(lines.icons.find(name, line), number(line, said, 1, _CARD, item))


def _covered(line: Line, seat: str, item: str) -> tuple[str, str]:
    where, _blank, pict = item.partition(" ")
    if pict and pict.lower() not in ("pict", "picts"):
        raise line.refusal(_("a square alone, or with a Pict"), "B2, B3 pict", read=item)
    return square(line, where), PICTS if pict else seat
