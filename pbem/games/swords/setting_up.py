"""Positions in words: a flip at which all place, or at which battles stand, as a small text.

::

    SWORDS 1 for 3
    ROUND 2 FLIP 5 stag 3 PLACE
    LEADER yellow
    CUBES Moray: pink 3, yellow 2, picts
    CASTLES: Perth pink, Blair picts
    BOARD pink: A1, B1, C2 pict
    GLORY The Crown: pink 2, yellow
    POINTS: pink 12, yellow 4

Lines are read as orders are: comments, folded lines and names cut short do no harm. Cubes that no line names are in the supply, or
at the side of the board. All other moments have their JSON form only (`rules.position`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import ValidationError

from pbem.errors import OrderError, PbemError, Problem, UsageError
from pbem.i18n import N_, _
from pbem.kernel import Json, Line, Names, advance, folded, read_each, read_lines

from .game import GAME, SwordsOptions
from .reading import CARDS, LineReader, refusal, square
from .rules.battles import Battles
from .rules.board import Board, DeckCard, in_order
from .rules.flip import Flip
from .rules.names import BANNER, COLOURS, GLORY, PICTS, SEATS
from .rules.position import flaws, schema
from .rules.war import Season, State, War

HEAD = f"SWORDS {GAME.version} for 3"
MOMENT = "ROUND 2 FLIP 5 stag 3 PLACE"
WORDS = Names(
    (
        "OPTION", "ROUND", "LEADER", "TOKENS", "DECK", "CUBES", "CASTLES", "BOARD", "GLORY", "POINTS", "PICTS", "CARDINAL", "WALL",
        "WILD",
    ),
    N_("line"),
)  # fmt: skip
_AGREED = ("castles", "crown", "tie", "merchant", "parts")
_MOMENTS = Names(("PLACE", "BATTLES"), N_("moment"))
_ROUND = re.compile(r"(\d)\s+FLIP\s+(\d{1,2})\s+([A-Za-z]+)\s+([1-4])(?:\s+(\w+))?", re.IGNORECASE)
_ITEM = re.compile(r"(.+?)(?:\s+(\d{1,5}))?")


class SwordsPositions:
    """Reads and writes them."""

    def read(self, text: str) -> tuple[dict[str, Json], State]:
        """Return the options and the state that a text means. Raises OrderError with all bad lines."""
        return _Position(text).result()

    def write(self, state: State) -> str:
        """Return the canonical text of a state. Raises UsageError where only JSON can hold it."""
        try:
            text = "\n".join(_written(state)) + "\n"
            same = self.read(text)[1] == state
        except PbemError:
            same = False
        if not same:
            doing = " > ".join(f"{frame.at}: {frame.step}" for frame in state.stack) or _("the end of the game")
            raise UsageError(
                _(
                    "Words are for placing and for battles that stand; this position ({doing}) has a JSON form only.",
                    doing=doing,
                )
            )
        return text

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of positions as JSON."""
        return schema()


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
    terms = board.terms
    said = {"castles": terms.castles, "crown": terms.crown, "tie": terms.tie, "merchant": terms.merchant}
    usual = SwordsOptions()
    yield from (f"OPTION {name}={value}" for name, value in said.items() if value != getattr(usual, name))
    if terms.own:
        yield f"OPTION parts={json.dumps(terms.own.model_dump(mode='json'), ensure_ascii=False)}"


# -- reading ------------------------------------------------------------------------------------------------------------


class _Position:
    """One text on its way to a state: what was said so far, and what is wrong with it."""

    def __init__(self, text: str) -> None:
        self.options: dict[str, Json] = {}
        self.board: Board | None = None
        self.moment = ""
        lines = read_lines(text)
        _read, self.problems = read_each(lines[:1], self._head)
        if not lines:
            self.problems.append(Problem(0, "", _("a position begins with the game and how many play"), legal=HEAD))
        if self.problems:
            return
        # options say which parts there are: they are read before the others, wherever they stand
        first = [line for line in lines[1:] if line.text.upper().startswith("OPT")]
        self.problems += read_each(first, self._option)[1]
        if not self.problems:
            chosen = SwordsOptions.model_validate(self.options)
            self.board = Board.set_up(chosen.agreed, SEATS[: chosen.players], SEATS[0])
            self.lines = LineReader(self.board.parts)
            self.problems += read_each([line for line in lines[1:] if line not in first], self._line)[1]

    def result(self) -> tuple[dict[str, Json], State]:
        if not self.moment and not self.problems:
            self.problems.append(Problem(0, "", _("which flip it is, and what is done, is missing"), legal=MOMENT))
        if self.problems or self.board is None:
            raise OrderError(*sorted(self.problems, key=lambda problem: problem.line))
        board = _completed(self.board)
        if found := list(flaws(board)):
            raise OrderError(*(Problem(0, "", flaw.rstrip(".")) for flaw in found))
        war = War("round", placed=board.parts.first_cubes * len(board.seats))
        frame = (Flip("place"),) if self.moment == "PLACE" else (Flip("done"), Battles("look"))
        state = advance(State(board, (war, Season("next"), *frame))).state
        return SwordsOptions.model_validate(self.options).model_dump(mode="json"), state

    def _head(self, line: Line) -> None:
        found = re.fullmatch(r"SWORDS (\d+) FOR (\d+)", line.text.upper())
        if not found or int(found[1]) != GAME.version or not 2 <= int(found[2]) <= len(SEATS):
            raise refusal(line, _("a position begins with the game and how many play"), HEAD)
        self.options["players"] = int(found[2])

    def _option(self, line: Line) -> None:
        name, sign, value = line.text.partition(" ")[2].partition("=")
        if not sign or name not in _AGREED:
            raise refusal(line, _("this names no option"), ", ".join(f"OPTION {name}=…" for name in _AGREED))
        try:
            read = json.loads(value) if name == "parts" else value
            SwordsOptions.model_validate({**self.options, name: read})
        except ValidationError as error:
            raise refusal(line, _("this does not fit: {why}", why=error.errors()[0]["msg"])) from None
        except ValueError as error:
            raise refusal(line, _("this does not fit: {why}", why=error)) from None
        self.options[name] = read

    def _line(self, line: Line) -> None:
        word, _blank, said = line.text.partition(" ")
        self.board = self._read(WORDS.find(word.removesuffix(":"), line), line, said.strip())

    def _read(self, word: str, line: Line, said: str) -> Board:
        assert self.board  # noqa: S101
        board, before, listed = self.board, said.partition(":")[0].strip(), line.text.partition(":")[2]
        counts = dict(_counts(line, listed))
        match word:
            case "ROUND":
                return self._flip(board, line, said)
            case "LEADER":
                return replace(board, leader=self._seat(said, line))
            case "TOKENS":
                tokens = {self.lines.regions.find(name, line): n for name, n in counts.items()}
                return replace(board, tokens={**board.tokens, **tokens})
            case "DECK":
                cards = [_card(self.lines, line, item) for item in _items(listed)]
                deck = in_order(board.parts, cards)
                if len(deck) < len(cards):
                    raise refusal(line, _("there are not so many such cards"))
                return replace(board, deck=deck)
            case "CUBES":
                return replace(
                    board, cubes={**board.cubes, self.lines.regions.find(before, line): self._colours(line, counts)}
                )
            case "CASTLES":
                return replace(board, castles=dict(self._castle(line, item) for item in _items(listed)))
            case "BOARD":
                seat = self._seat(before, line)
                return replace(
                    board, boards={**board.boards, seat: dict(_covered(line, seat, i) for i in _items(listed))}
                )
            case "GLORY":
                return replace(board, glory={**board.glory, CARDS.find(before, line): self._colours(line, counts)})
            case "POINTS":
                return replace(
                    board, points={**board.points, **{self._seat(name, line): n for name, n in counts.items()}}
                )
            case "PICTS":
                return replace(board, picts=_number(line, said))
            case "CARDINAL":
                return replace(board, cardinal=self.lines.regions.find(said, line))
            case "WALL":
                _verb, order = self.lines.part(line, ("WALL",))
                return replace(board, wall=tuple(getattr(order, "border", ())))
        return replace(board, wild=self.lines.icons.find(said, line))

    def _flip(self, board: Board, line: Line, said: str) -> Board:
        found = _ROUND.fullmatch(said)
        if not found:
            raise refusal(line, _("this cannot be read"), MOMENT)
        self.moment = _MOMENTS.find(found[5] or "PLACE", line)
        icon = self.lines.icons.find(found[3], line)
        return replace(board, round=int(found[1]), flip=int(found[2]), icon=icon, number=int(found[4]))

    def _seat(self, word: str, line: Line) -> str:
        return Names(SEATS[: self.options["players"]], N_("seat")).find(word, line)

    def _colours(self, line: Line, counts: Mapping[str, int]) -> dict[str, int]:
        names = Names((*SEATS[: self.options["players"]], PICTS), N_("colour"))
        return {names.find(name, line): n for name, n in counts.items() if n}

    def _castle(self, line: Line, item: str) -> tuple[str, str]:
        name, _blank, colour = item.rpartition(" ")
        return self.lines.castles.find(name, line), next(iter(self._colours(line, {colour: 1})))


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


def _items(listed: str) -> Iterator[str]:
    yield from filter(None, map(str.strip, listed.split(",")))


def _counts(line: Line, listed: str) -> Iterator[tuple[str, int]]:
    """Go through names and how many; one that stands alone is one."""
    for item in _items(listed):
        found = _ITEM.fullmatch(item)
        yield (found[1], int(found[2] or 1)) if found else (item, _number(line, item))


def _number(line: Line, said: str) -> int:
    if not re.fullmatch(r"\d{1,2}", said):
        raise refusal(line, _("how many cubes?"), "PICTS 3")
    return int(said)


def _card(lines: LineReader, line: Line, item: str) -> DeckCard:
    name, _blank, number = item.rpartition(" ")
    if not re.fullmatch("[1-4]", number):
        raise refusal(line, _("a deployment card is an icon and a number"), "DECK: stag 1, harp 2", item)
    return DeckCard(lines.icons.find(name, line), int(number))


def _covered(line: Line, seat: str, item: str) -> tuple[str, str]:
    where, _blank, pict = item.partition(" ")
    if pict and pict.lower() not in ("pict", "picts"):
        raise refusal(line, _("a square alone, or with a Pict"), "B2, B3 pict", item)
    return square(line, where), PICTS if pict else seat
