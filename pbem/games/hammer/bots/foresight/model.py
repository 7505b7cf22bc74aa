"""The small model of the game on which a player looks ahead: which blocks are where, how strong, and the traces of the turn.

It is changed in place, and copied first if it is still needed. It leaves out what hardly matters for an evaluation: options of the
rules, border limits of retreats. Real games are decided by the rules, never here.
"""

from __future__ import annotations

from .numbers import AREA_NAMES, LETTER, MORAY, POOL, SCOTS, TURNING, WALLACE


class SmallGame:
    """A game in the small model. `men[side][area]` are the blocks there; `at`, `st`, `side` are by block.

    - `attacker` is the attacking side, by contested area.
    - `late` are the blocks that arrive in round 2 of a battle.
    - `shut` is the side that alone may use a border, by way (from, to).
    - `left` are the remaining game turns of this year.
    - `winner` is -1 for nobody yet.
    """

    __slots__ = (
        "at", "attacker", "edward", "last", "late", "left", "men", "shut", "side", "st", "truce", "winner", "wintered", "year",
    )  # fmt: skip

    def __init__(self) -> None:
        self.at: list[int] = [POOL] * len(LETTER)
        self.st: list[int] = [0] * len(LETTER)
        self.side: list[int] = [0] * len(LETTER)
        self.men: tuple[list[list[int]], list[list[int]]] = ([[] for _ in AREA_NAMES], [[] for _ in AREA_NAMES])
        self.attacker: dict[int, int] = {}
        self.late: set[int] = set()
        self.shut: dict[tuple[int, int], int] = {}
        self.year, self.left, self.last = 0, 0, 0
        self.edward, self.wintered, self.truce, self.winner = 1, 0, -1, -1

    def copy(self) -> SmallGame:
        """Return another one like it."""
        new = SmallGame.__new__(SmallGame)
        new.at, new.st, new.side = self.at[:], self.st[:], self.side[:]
        english, scots = self.men
        new.men = ([a[:] for a in english], [a[:] for a in scots])
        new.attacker, new.late, new.shut = dict(self.attacker), set(self.late), dict(self.shut)
        new.year, new.left, new.last = self.year, self.left, self.last
        new.edward, new.wintered, new.truce, new.winner = self.edward, self.wintered, self.truce, self.winner
        return new

    def place(self, block: int, area: int, strength: int) -> None:
        """Put a block that is off the map into an area."""
        self.at[block], self.st[block] = area, strength
        self.men[self.side[block]][area].append(block)

    def take(self, block: int, to: int = POOL) -> None:
        """Take a block off the map."""
        self.men[self.side[block]][self.at[block]].remove(block)
        self.at[block], self.st[block] = to, 0

    def go(self, block: int, to: int) -> None:
        """Move a block to another area."""
        men = self.men[self.side[block]]
        men[self.at[block]].remove(block)
        men[to].append(block)
        self.at[block] = to

    def turn_over(self, block: int) -> None:
        """Let a noble on the map change sides in his area."""
        area, side = self.at[block], self.side[block]
        self.men[side][area].remove(block)
        self.men[1 - side][area].append(block)
        self.side[block] = 1 - side

    def contested(self) -> list[int]:
        """Return the areas with blocks of both sides."""
        english, scots = self.men
        return [a for a, there in enumerate(english) if there and scots[a]]

    def nobles(self) -> int:
        """Return how many nobles more the English have than the Scots, Moray among these."""
        scots = sum(self.side[n] for n in TURNING)
        return len(TURNING) - 2 * scots - (self.at[MORAY] >= 0)

    def decide(self) -> None:
        """Set the winner if one side has every noble (9.1)."""
        lead = self.nobles()
        if lead == len(TURNING):
            self.winner = 1 - SCOTS
        elif lead <= -len(TURNING):
            self.winner = SCOTS

    def count(self) -> None:
        """Set the winner at the end of the last year (9.0)."""
        lead = self.nobles()
        if lead:
            self.winner = int(lead < 0)
        else:
            self.winner = int(self.at[WALLACE] >= 0)

    def forget(self) -> None:
        """Begin a new turn: nobody has moved."""
        self.attacker, self.late, self.shut, self.truce = {}, set(), {}, -1
