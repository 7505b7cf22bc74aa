"""Parts of a reply beyond numbers of the list: answers to parts (`1: 2`), a condition (`UNTIL …`), and premoves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from pbem.games import GamePack
from pbem.i18n import _
from pbem.kernel import View, next_marks, read_ahead
from pbem.look.pieces import Pieces, SaidBeside
from pbem.mail.unquoting import letters_alone

_PAIR = re.compile(r"([0-9]{1,2})\s?[:=]\s?([0-9]{1,2})")
_SEPARATE = re.compile(r"\s*[,;]\s*")
_AT_MOST = 10**6


class Besides:
    """What the lines of one reply say of that."""

    def __init__(self, pack: GamePack, view: View | None, letter: str | None) -> None:
        """`letter` is what the answered letter says: parts have numbers where it has them; None: no number counts."""
        self.pack, self.view, self.letter = pack, view, letter
        self.chosen: dict[int, int] = {}
        self.order, self.plans = "", ""
        """What a condition says."""
        self.later: list[str] = []
        """Lines that are sent ahead."""

    @cached_property
    def _beside(self) -> SaidBeside | None:
        return self.pack.look.beside(self.view) if self.view is not None else None

    @cached_property
    def _pieces(self) -> Pieces:
        found, whole = self._beside.pieces if self._beside else Pieces(), letters_alone(self.letter or "")
        has_them = (
            all(letters_alone(line) in whole for line in found.lines()) if self.letter else self.letter is not None
        )
        return found if has_them else Pieces()

    def pairs(self, said: str) -> list[tuple[int, int]]:
        """Return the pieces that a line names by number, with the answers; [] for any other line, or without pieces."""
        found = [_PAIR.fullmatch(one) for one in _SEPARATE.split(said)] if self._pieces.pieces else []
        return [(int(one[1]), int(one[2])) for one in found if one] if all(found) else []

    def choose(self, pairs: list[tuple[int, int]]) -> str:
        """Note the answers of pieces; return why that cannot be, or ""."""
        pieces = self._pieces.pieces
        for no, n in pairs:
            if not 1 <= no <= len(pieces):
                return _("There are the parts 1 to {n}.", n=len(pieces))
            if not 1 <= n <= len(pieces[no - 1].answers):
                return _("Part {no} has the answers 1 to {n}.", no=no, n=len(pieces[no - 1].answers))
            if self.chosen.setdefault(no, n) != n:
                return _("Part {no} has another answer above. Write one.", no=no)
        return ""

    @property
    def by_pieces(self) -> str:
        """The order that the chosen answers make; "" where none is chosen."""
        return self._pieces.order(self.chosen) if self.chosen else ""

    def sets_condition(self, said: str) -> bool:
        """Is a line a condition that can be set? Then it is noted."""
        found = self._beside.conditions.read(said) if self._beside else None
        if found is None:
            return False
        self.order, self.plans = found
        return True

    def sent_ahead(self, marks: Mapping[str, int]) -> tuple[tuple[int, str], ...]:
        """Return the lines that are sent ahead in canonical text, for each mark. Raises OrderError."""
        if not self.later or self.view is None:
            return ()
        return tuple(read_ahead(self.pack.rules, self.view, marks, "\n".join(self.later)).items())


def marks_behind(pack: GamePack, asked: tuple[int, str], most: int = _AT_MOST) -> dict[str, int]:
    """Return the marks, up to `most`, for which a seat may send premoves, given the mark and the question asked there."""
    mark, what = asked
    return next_marks(pack.rules, mark, what, min(most - mark, 2 * len(getattr(pack.rules, "marked", ()))))
