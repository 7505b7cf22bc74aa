"""Positions in words: any position of Hammer of the Scots at the beginning of a game turn, or of a year, as a small text.

::

    HAMMER 2 braveheart
    YEAR 1299 TURN 2
    ENGLISH Lanark: Steward 3, York Infantry 2
    ENGLISH England: Edward 4, Hobelars 3
    SCOTTISH Fife: Wallace 4, Douglas 2
    SCOTTISH dead: Norse
    CROWNED Bruce
    CARDS english: Move 3 a, Herald (1), Move 1 a, Truce, Move 2 a
    CARDS scottish: Move 2 b (1), Move 3 b, Move 1 b, Pillage, Victuals

The first line also names the edition (2.3), the options, a bid (E1) and `years=9`, if the game has any. Lines are read as orders
are: comments, folded lines and abbreviated names are accepted. The local data of a procedure under way has no form in words. Such
positions have only the JSON form (`rules.position`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from pbem.errors import FormError, OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import Json, Line, Names, folded, read_lines
from pbem.kernel.order import nearest
from pbem.kernel.worded import Worded, items, number, once

from .game import GAME, HammerOptions
from .rules import (
    ALIASES,
    AREAS,
    BIDS,
    BLOCKS,
    CARD_NAME,
    CARDS_A_YEAR,
    DEAD,
    DECK,
    EDITIONS,
    EDWARD,
    ENGLISH,
    KING,
    MOST_YEARS,
    NESTING,
    NOBLES,
    OFF,
    OPTIONS,
    POOL,
    ROSTER,
    SCENARIOS,
    SIDES,
    SLUG,
    Board,
    GameTurn,
    Piece,
    Procedure,
    State,
    Year,
    deals_before,
    edition_of,
    keeps_edward,
    scenario,
)

PLACES = Names((*AREAS, POOL, OFF, DEAD), N_("place"))
NAMES = Names(ROSTER, N_("block"), ALIASES)
KINGS = Names(("Balliol", "Bruce", "Comyn"), N_("king"))
CARD = Names((*DECK, *dict.fromkeys(CARD_NAME.values())), N_("card"))
HOMES_FIRST = {"Comyn": ("Badenoch", "Lochaber")}  # 8.1: he is deployed in Badenoch
_NUMBERS = {
    "YEAR": "YEAR 1297 TURN 1",
    "EDWARD": "EDWARD 1",
    "WINTERED": "WINTERED 1298",
    "AGAIN": "AGAIN 2",
}
"""Lines of numbers, with an example of each."""
_FROM_TO = {
    "YEAR": (1000, 9999),
    "TURN": (1, CARDS_A_YEAR),
    "EDWARD": (1, 2),
    "WINTERED": (1000, 9999),
    "AGAIN": (0, 99),
}
_NEAR = 8
"""The maximum number of options suggested for a misspelt one."""
WORDS = ("YEAR", "ENGLISH", "SCOTTISH", "CROWNED", "EDWARD", "WINTERED", "AGAIN", "CARDS")


class HammerPositions(Worded[State]):
    """Reads and writes them."""

    wordless = N_("Words are for the beginning of a turn; this position ({doing}) has a JSON form only.")

    def read(self, text: str) -> tuple[dict[str, Json], State]:
        return _Reading(text).result()

    def lines(self, state: State) -> Iterator[str]:
        return _written(state.board)

    def check(self, state: State) -> None:
        """Raise FormError for contradictory blocks: nobles off the map (7.1), or a strength off the map, or none on it."""
        for piece in state.board.pieces:
            if piece.name in NOBLES and not piece.on_map:
                raise FormError(_("{name} is always on the map, not in “{at}”.", name=piece.name, at=piece.at))
            if piece.on_map != (piece.strength > 0):
                name, side, strength = piece.name, piece.side, piece.strength
                raise FormError(
                    _("{name} cannot be {side} with strength {strength}.", name=name, side=side, strength=strength)
                )

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of positions as JSON."""
        board = TypeAdapter(Board).json_schema()
        board.pop("$defs", None)
        entry: dict[str, Any] = {"type": "array", "oneOf": [{"minItems": n, "maxItems": n} for n in (3, 6)]}
        entry["prefixItems"] = [{"enum": list(SIDES)}, {"enum": [*AREAS, POOL, OFF, DEAD]}, {"type": "integer"}]
        entry["prefixItems"] += [{"type": "string"}, {"type": "string"}, {"enum": [0, 1, 2]}]
        slugs = [SLUG[name] for name in ROSTER]
        board["properties"]["pieces"] = {"type": "object"} | _closed({key: {"$ref": "#/$defs/piece"} for key in slugs})
        board |= _closed(board["properties"])
        stack = {"type": "array", "items": {"oneOf": [_procedure(at) for at in NESTING]}}
        result = {"type": "object", "additionalProperties": {"type": "string"}}
        found = {"type": "object", **_closed({"board": board, "stack": stack, "result": result})}
        return found | {"required": ["board", "stack"], "$defs": {"piece": entry}}


POSITIONS = HammerPositions()


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"properties": properties, "required": list(properties), "additionalProperties": False}


def _procedure(at: str) -> dict[str, Any]:
    procedure = Procedure.known(at)
    made = TypeAdapter(procedure).json_schema()
    made.pop("description", None)  # for readers of the rules
    made["properties"]["step"] = {"enum": list(procedure.steps())}
    return made | _closed({"at": {"const": at}, **made["properties"]})


# -- writing ------------------------------------------------------------------------------------------------------------


def _written(board: Board) -> Iterator[str]:
    years = [f"years={board.years}"] if board.years else []
    yield " ".join(
        (f"HAMMER {GAME.version} {board.scenario}", *_played(board.variants), *filter(None, [board.bid]), *years)
    )
    yield f"YEAR {board.year}" + (f" TURN {board.turn}" if board.turn else "")
    for side in SIDES:
        for place in (*AREAS, POOL, OFF, DEAD):
            if names := board.blocks_in(place, side):
                blocks = [f"{name} {board[name].strength}" if place in AREAS else name for name in names]
                yield folded(f"{side.upper()} {place}: ", blocks)
    if board.king:
        yield f"CROWNED {board.king}"
    if board.edward != 1:
        yield f"EDWARD {board.edward}"
    if board.wintered:
        yield f"WINTERED {board.wintered}"
    if again := board.deal - deals_before(board.scenario, board.year) - bool(board.dealt):
        yield f"AGAIN {again}"
    for i, side in enumerate(SIDES if board.dealt else ()):
        turns = {place: turn for turn, place in enumerate(board.played[i], 1)}
        own = range(CARDS_A_YEAR * i, CARDS_A_YEAR * (i + 1))
        yield folded(f"CARDS {side}: ", [board.dealt[n] + (f" ({turns[n]})" if n in turns else "") for n in own])


# -- reading ------------------------------------------------------------------------------------------------------------


class _Reading:
    """One text on its way to a state: what has been read so far, and its problems."""

    def __init__(self, text: str) -> None:
        self.problems: list[Problem] = []
        self.pieces: dict[str, Piece] = {}
        self.numbers: dict[str, int] = {}
        self.king = ""
        self.said: dict[str, int] = {}
        self.cards: dict[str, tuple[Line, list[tuple[str, int]]]] = {}
        lines = read_lines(text)
        self.options: dict[str, Json] = (self._try(self._head, lines[0]) if lines else None) or {}
        self.first = lines[0] if lines else Line(0, "")
        for line in lines[1:]:
            self._try(self._line, line)

    def _try(self, what: Any, line: Line) -> Any:
        try:
            return what(line)
        except OrderError as error:
            self.problems += error.problems
            return None

    def result(self) -> tuple[dict[str, Json], State]:
        if self.first.no == 0:
            self._wrong(self.first, _("a position begins with the game, its version and the scenario"), _head())
        if "year" not in self.numbers and not self.problems:
            self._wrong(self.first, _("the year is missing"), "YEAR 1297 TURN 1")
        dealt, played = self._dealt()
        if self.problems:
            raise OrderError(*self.problems)
        options = HammerOptions.model_validate(self.options)
        beside = scenario(options.scenario, options.variants).beside
        pieces = tuple(self.pieces.get(name) or self._unnamed(name, beside.get(name, POOL)) for name in ROSTER)
        year, turn = self.numbers["year"], self.numbers.get("turn", 0)
        board = Board(
            options.scenario,
            year,
            turn,
            pieces,
            options.variants,
            options.bid,
            options.years,
            deal=deals_before(options.scenario, year) + self.numbers.get("again", 0) + (1 if dealt else 0),
            dealt=dealt,
            played=played,
            king=self.king,
            edward=self.numbers.get("edward", 1),
            wintered=self.numbers.get("wintered", 0),
        )
        if keeps_edward(board, year):
            if board[EDWARD].at != POOL:
                why = _("by the bid {bid} Edward lies in the draw pool in {year}", bid=options.bid, year=year)
                raise OrderError(Problem(0, EDWARD, why, _("Tournament Play")))
            board = board.put(board[EDWARD]._replace(known=1))
        if board.contested():
            area = board.contested()[0]
            raise OrderError(
                Problem(0, area, _("both sides stand there; a turn begins when all battles are over"), "4.5")
            )
        if board.deal < (1 if dealt else 0):
            raise OrderError(Problem(0, f"YEAR {year}", _("the scenario begins later")))
        return options.model_dump(mode="json"), State(
            board, (Year("turns"), GameTurn("cards")) if dealt else (Year("deal"),)
        )

    def _unnamed(self, name: str, beside: str) -> Piece:
        """Return the place of a block that no line names: a noble at home with the side that holds it, the others beside
        the map."""
        block = BLOCKS[name]
        if name == KING:
            return Piece(name, block.owner, POOL if self.king else OFF, 0)
        if name not in NOBLES:
            return Piece(name, block.owner, beside, 0)
        sides = {home: next((p.side for p in self.pieces.values() if p.at == home), ENGLISH) for home in block.homes}
        # 8.1: the nobles whom nobody deploys are English and at home; 7.1, 7.12: unless the Scots hold that home
        home = next((home for home in HOMES_FIRST.get(name, block.homes) if sides[home] == ENGLISH), block.homes[0])
        return Piece(name, sides[home], home, block.max)

    def _wrong(self, line: Line, why: str, legal: str = "") -> None:
        self.problems += line.refusal(why, legal).problems

    # the lines

    def _head(self, line: Line) -> dict[str, Json]:
        words = line.text.lower().split()
        if len(words) < 3 or words[0] != "hammer" or words[1] != str(GAME.version):
            raise line.refusal(_("a position begins with the game, its version and the scenario"), _head())
        named, *others = words[2:]
        if named not in SCENARIOS:
            raise line.refusal(_("there is no such scenario"), _head())
        options: dict[str, Json] = {"scenario": named}
        for word in others:
            if word in EDITIONS:
                options["edition"] = word
            elif word.upper() in BIDS:
                options["bid"] = word.upper()
            elif word.startswith("years="):
                options["years"] = number(line, word[6:], 1, MOST_YEARS, word)
            elif word in OPTIONS:
                options[word] = True
            else:
                raise line.refusal(
                    _("there is no option “{word}”", word=word),
                    ", ".join(nearest(word, (*EDITIONS, *OPTIONS, *BIDS, "years=9"))[:_NEAR]),
                )
        return options

    def _line(self, line: Line) -> None:
        word = line.text.split()[0]
        match Names(WORDS, N_("line")).find(word, line):
            case "CARDS":
                self._cards(line)
            case "CROWNED":
                once(self.said, line, "CROWNED")
                self.king = KINGS.find(line.text.removeprefix(word).strip(), line)
            case "ENGLISH" | "SCOTTISH" as side:
                self._blocks(line, side.lower(), line.text.removeprefix(word).strip())
            case _:
                self._numbers(line, Names(WORDS).find(word, line))

    def _numbers(self, line: Line, head: str) -> None:
        _word, *said = line.text.upper().split()
        names = [head, *said[1::2]]
        if len(said) % 2 == 0 or names not in ([head], ["YEAR", "TURN"]):
            raise line.refusal(_("this cannot be read"), _NUMBERS[head])
        once(self.said, line, head)
        for name, text in zip(names, said[::2], strict=True):
            self.numbers[name.lower()] = number(line, text, *_FROM_TO[name], f"{name} {text}")

    def _blocks(self, line: Line, side: str, said: str) -> None:
        place, colon, blocks = said.partition(":")
        if not colon:
            raise line.refusal(_("place and blocks are parted by a colon"), "ENGLISH Lanark: Steward 3, Hobelars")
        at = PLACES.find(place, line)
        for item in items(blocks):
            self._try(lambda line, item=item: self._block(line, side, at, item), line)

    def _block(self, line: Line, side: str, at: str, item: str) -> None:
        found = re.fullmatch(r"(.*?)(?: (\d{1,2}))?", item)
        assert found is not None  # noqa: S101 - it fits everything
        name = NAMES.find(found[1], line)
        block = BLOCKS[name]
        if name in self.pieces:
            raise Line(line.no, item).refusal(
                _("{name} stands in {area} already", name=name, area=self.pieces[name].at)
            )
        if name in NOBLES and at not in AREAS:
            raise Line(line.no, item).refusal(_("{name} is always on the map", name=name), ", ".join(block.homes))
        if block.owner not in ("", side):
            raise Line(line.no, item).refusal(_("{name} is never {side}", name=name, side=side))
        if at not in AREAS and found[2]:
            raise Line(line.no, item).refusal(_("beside the map a block has no strength"), name)
        strength = int(found[2] or block.max) if at in AREAS else 0
        if at in AREAS and not 1 <= strength <= block.max:
            raise Line(line.no, item).refusal(
                _("{name} has not that strength", name=name), _("1 to {most}", most=block.max)
            )
        self.pieces[name] = Piece(name, side, at, strength)

    def _cards(self, line: Line) -> None:
        found = re.fullmatch(r"\S+ (\S+?) ?: ?(.*)", line.text)
        if found is None:
            raise line.refusal(_("this cannot be read"), "CARDS english: Move 3, Herald (1), Truce, Move 1, Move 2")
        side = Names(SIDES, N_("side")).find(found[1], line)
        once(self.said, line, f"CARDS {side}")
        cards = []
        for item in map(str.strip, found[2].split(",")):
            parts = re.fullmatch(r"(.*?)(?: ?\(([0-9]+)\))?", item)
            assert parts is not None  # noqa: S101 - it fits everything
            when = number(line, parts[2], 1, CARDS_A_YEAR, item) if parts[2] else 0
            cards.append((CARD.find(parts[1], line), when))
        if len(cards) != CARDS_A_YEAR:
            raise line.refusal(
                _("that are {n} cards; each side is dealt {most} a year (rule 3.0)", n=len(cards), most=CARDS_A_YEAR),
            )
        self.cards[side] = (line, cards)

    def _dealt(self) -> tuple[tuple[str, ...], tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the ten cards dealt and the places played; cards without their letter get the first one that is free."""
        turn = self.numbers.get("turn", 0)
        if not turn and not self.cards:
            return (), ((), ())
        if not turn or len(self.cards) < len(SIDES):
            if not self.problems:
                self._wrong(
                    self.first,
                    _("turn and cards belong together"),
                    _("YEAR … TURN 1, and CARDS of both sides; or none"),
                )
            return (), ((), ())
        named = [card for _seat, cards in self.cards.values() for card, _when in cards if card in CARD_NAME]
        free = [card for card in DECK if card not in named]
        dealt: list[str] = []
        played: list[tuple[int, ...]] = []
        for side in SIDES:
            line, cards = self.cards[side]
            places = {}
            for said, when in cards:
                card = said if said in CARD_NAME else next((c for c in free if CARD_NAME[c] == said), "")
                if not card or card in dealt:
                    self._wrong(
                        Line(line.no, said), _("there are not so many of these cards"), _("the deck of rule 3.0")
                    )
                if card in free:
                    free.remove(card)
                if when:
                    places[when] = len(dealt)
                dealt.append(card)
            if sorted(places) != list(range(1, turn)) or sum(when > 0 for _card, when in cards) != len(places):
                turns = ", ".join(f"({n})" for n in range(1, turn)) or _("none")
                why = _("in turn {n} the cards played in the turns before are marked: {turns}", n=turn, turns=turns)
                self._wrong(line, why)
            played.append(tuple(places[n] for n in sorted(places)))
        return tuple(dealt), (played[0], played[1])


def _head() -> str:
    return _(
        "HAMMER {version} and one of {scenarios}, then edition and options if any",
        version=GAME.version,
        scenarios=", ".join(SCENARIOS),
    )


def _played(variants: tuple[str, ...]) -> Iterator[str]:
    """Name the edition, if it is not the newest, and the options that it does not hold already."""
    edition = edition_of(variants)
    if EDITIONS[edition]:
        yield edition
    yield from (name for name in OPTIONS if name in variants and name not in EDITIONS[edition])
