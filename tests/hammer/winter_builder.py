"""A table at which it is winter: the nobles that a test does not name are at home, with whoever holds their home."""

from __future__ import annotations

from typing import Any

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.board import Piece, State
from pbem.games.hammer.rules.levy import Levy
from pbem.games.hammer.rules.printed import AREAS, BLOCKS, ENGLISH, NOBLES, OFF, SCOTTISH
from pbem.games.hammer.rules.winter import Winter
from pbem.games.hammer.rules.winter_builds import Builds
from pbem.games.hammer.rules.winter_disband import Disbanding
from pbem.games.hammer.rules.year import Year
from pbem.kernel import Ask, advance
from tests.hammer.builder import Places, Table

HOMES = {**{name: BLOCKS[name].homes[0] for name in NOBLES}, "Bruce": "Annan", "Comyn": "Badenoch"}


class WinterTable(Table):
    """A game in its Winter Turn, or just before some action of it."""

    def __init__(
        self, english: Places | None = None, scots: Places | None = None, year: int = 1297, **board: Any
    ) -> None:
        super().__init__(english, scots, year, **board)
        held = set(scots or {}) - set(english or {})
        placed = []
        for piece in self.start.pieces:
            if piece.at == OFF and piece.name in NOBLES:
                side = SCOTTISH if HOMES[piece.name] in held else ENGLISH
                placed.append(Piece(piece.name, side, HOMES[piece.name], BLOCKS[piece.name].max, known=1))
        self.start = self.start.put(*placed)

    def begin(self, *stack: Any) -> WinterTable:
        """Begin with these procedures on the stack."""
        self._go(advance(State(self.start, (Year("next"), *stack))))
        return self

    def order(self, text: str, seat: str = "") -> WinterTable:
        super().order(text, seat)
        return self

    def draw(self, *names: str) -> WinterTable:
        super().draw(*names)
        return self

    def winter(self) -> WinterTable:
        """Begin the Winter Turn."""
        return self.begin(Winter("begin"))

    def disbanding(self, step: str = "english") -> WinterTable:
        """Begin 7.3, or with `scots` 7.5."""
        return self.begin(Winter("disbanded"), Disbanding(step))

    def builds(self, side: str = SCOTTISH) -> WinterTable:
        """Begin the builds (7.6), of the Scots alone or of both sides."""
        return self.begin(Winter("built"), Builds("begin", english=side == ENGLISH))

    def levy(self) -> WinterTable:
        """Begin 7.7."""
        return self.begin(Winter("levied"), Levy("begin"))

    def silence(self) -> WinterTable:
        """Take the answer of the seats that are asked and say nothing."""
        wanted = self.stop.wants
        assert isinstance(wanted, Ask)
        orders = {seat: GAME.default(self.view(seat)) for seat in wanted.seats}
        assert all(GAME.why_not(self.view(seat), order) is None for seat, order in orders.items())
        self._go(GAME.step(self.stop.state, orders))
        return self

    def on_map(self, side: str) -> dict[str, str]:
        """Return the blocks of a side on the map that are not nobles at home, and where they are."""
        return {p.name: p.at for p in self.board.pieces if p.side == side and p.at in AREAS and p.name not in NOBLES}

    @property
    def secret(self) -> str:
        """What the answer to the question asked gives away."""
        wanted = self.stop.wants
        assert isinstance(wanted, Ask)
        return wanted.secret
