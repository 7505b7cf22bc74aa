"""The orders of Lords of Scotland: the models and their canonical text; `reading` parses typed orders."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pbem.kernel import Order, OrderPart


class TakeRecruit(Order, form="{verb} {place}"):
    """RECRUIT 3: take the third recruit into your hand."""

    verb: Literal["RECRUIT"] = "RECRUIT"
    place: int


class Play(OrderPart):
    """A card played to an army: face-up or `down`; with `use`, its power is used.

    `copy_of` is the clan whose power a Scott copies. `target` is a supporter (Cockburn) or a follower (Ferguson, Wemyss): its
    card, or its seat and number if it is face-down.
    """

    card: str
    down: bool = False
    use: bool = False
    copy_of: str = ""
    target: str = ""

    def __str__(self) -> str:
        said = f"MUSTER {self.card}{' DOWN' if self.down else ''}{' USE' if self.use else ''}"
        return f"{said}{' ' + self.copy_of if self.copy_of else ''}{' ' if self.target else ''}{self.target}"


class Muster(Order):
    """MUSTER Wemyss 3 USE Scott 8: play a card to your army; a line more for each Makgill that is used."""

    verb: Literal["MUSTER"] = "MUSTER"
    plays: tuple[Play, ...] = Field(min_length=1)

    def __str__(self) -> str:
        return "\n".join(map(str, self.plays))


class Claim(Order):
    """CLAIM Scott 12, Wemyss 9: the supporters you want, best first; unnamed ones follow, the strongest first."""

    verb: Literal["CLAIM"] = "CLAIM"
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"CLAIM {', '.join(self.cards) or 'STRONGEST'}"


class Pass(Order):
    """PASS: when you can neither recruit nor muster."""

    verb: Literal["PASS"] = "PASS"
