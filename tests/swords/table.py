"""A small table to play on: cubes laid in the rule book's words, typed orders, dictated dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.games.swords.game import GAME, SwordsOptions
from pbem.games.swords.rules.board import Board, DeckCard
from pbem.games.swords.rules.flip import Flip
from pbem.games.swords.rules.names import BANNER, GLORY, PICTS, SEATS
from pbem.games.swords.rules.parts import STANDARD
from pbem.games.swords.rules.war import Season, State, War
from pbem.games.swords.views import SwordsView
from pbem.kernel import Json, advance
from tests.standing import Standing

Laid = Mapping[str, str]
"""A place -> who lies there: {"Moray": "pink 3, yellow 2"}."""


def counts(text: str) -> dict[str, int]:
    """`pink 3, picts` are three and one."""
    parts = [part.split() for part in text.split(",") if part.strip()]
    return {word[0]: int(word[1]) if len(word) > 1 else 1 for word in parts}


class Table(Standing):
    """A game of Swords Over Scotland."""

    game = GAME

    @property
    def board(self) -> Board:
        """The whole table."""
        board = self.stop.state.board
        assert isinstance(board, Board)
        return board

    def view(self, seat: str | None) -> SwordsView:
        seen = super().view(seat)
        assert isinstance(seen, SwordsView)
        return seen

    def told(self, kind: str = "") -> list[Json]:
        """All facts, or those of one kind: all hear the same."""
        return self.heard(None, kind)

    def place(self, **by_seat: str) -> Table:
        """Place cubes at a flip, as the others do who are not named: by default."""
        (*seats,) = self.asked
        default = {seat: str(GAME.default(self.view(seat))) for seat in seats}
        return self.order(**{**default, **by_seat})

    def there(self, region: str) -> dict[str, int]:
        """The cubes in a region."""
        return dict(self.board.cubes.get(region, {}))


def lay(
    *,
    cubes: Laid | None = None,
    castles_: Laid | None = None,
    boards: Laid | None = None,
    glory: Laid | None = None,
    game: str = "",
    points: Mapping[str, int] | None = None,
    leader: str = "pink",
    round_: int = 1,
    flip: int = 1,
    icon: str = "thistle",
    number: int = 2,
    deck: str = "stag1 harp1 harp2",
    tokens: Mapping[str, int] | None = None,
    picts: int = -1,
    **more: Any,
) -> Board:
    """Lay a table out. What is not named of a seat's cubes is in its supply; `more` are fields of the board, and options.

    `game` names glory cards that lie there without cubes; `picts` are those in the supply, all that lie nowhere else as a rule.
    `castles_` are who is in them; `castles` is the option. `boards` may say "A1 B1*": a star is a Pict.
    """
    fields = {name: more.pop(name) for name in ("cardinal", "wall", "wild") if name in more}
    options = SwordsOptions.model_validate({"players": 2, **more})
    seats = SEATS[: options.players]
    board = replace(
        Board.set_up(options.agreed, seats, leader), round=round_, flip=flip, icon=icon, number=number, **fields
    )
    bids = {name.strip(): "" for name in game.split(",") if name.strip()} | dict(glory or {})
    covered = {
        seat: {
            square.rstrip("*"): PICTS if square.endswith("*") else seat
            for square in (boards or {}).get(seat, "").split()
        }
        for seat in seats
    }
    board = replace(
        board,
        cubes={region: counts(text) for region, text in (cubes or {}).items()},
        castles=dict(castles_ or {}),
        boards=covered,
        glory={card: counts(bids[card]) for card in GLORY if card in bids},
        tokens={**board.tokens, **(tokens or {})},
        points={seat: (points or {}).get(seat, 0) for seat in seats},
    )
    board = replace(board, held=board.holders())
    used = dict.fromkeys((*seats, PICTS), 0)
    for colour, n in replace(board, supply={}).every_cube():
        used[colour] += n
    left = {seat: board.parts.cubes - used[seat] for seat in seats}
    blue = board.parts.picts - used[PICTS] if BANNER in board.glory else 0
    spare = (blue if picts < 0 else picts) if board.held.get(BANNER) else 0
    top = [DeckCard(*_card(text)) for text in deck.split()]
    board = replace(
        board, supply=left, picts=spare, aside=blue - spare, deck=tuple(top), top=top[0].number if top else 0
    )
    assert min(left.values()) >= 0
    return board


def _card(text: str) -> tuple[str, int]:
    """`stag2` is a stag with a 2 on its other side."""
    return text[:-1], int(text[-1])


def at(board: Board, frame: Any) -> Table:
    """The game that stands at a procedure of a flip."""
    state = State(board, (War("round", placed=99), Season("next"), frame))
    assert GAME.load(GAME.dump(state)) == state
    return Table(advance(state))


def table(**laid: Any) -> Table:
    """A table on which a card was just flipped: all place."""
    return at(lay(**laid), Flip("place"))


def battle(region: Any = "Moray", cubes: Any = "pink 4, yellow 3", **laid: Any) -> Table:
    """A table on which all have deployed, and a battle is triggered in a region (with the token of Moray, 7 for two)."""
    more = laid.pop("elsewhere", {})
    return at(lay(cubes={region: cubes, **more}, **laid), Flip("battles", next=4))


def deploying(seat: Any = "pink", square: Any = "B2", *, kept: Any = "", **laid: Any) -> Table:
    """A table on which a seat has to place its fourth cube: the others place nothing of note, and it places on `square`."""
    game = table(icon=STANDARD.squares[square], **laid)
    return game.place(**{seat: f"PLACE {square}{kept}"})
