"""The orders of Lords of Scotland: the models and their canonical text; `reading` parses typed orders.

- `RECRUIT 3` takes the third recruit, counted from the left.
- `MUSTER Scott 8` musters it face-up, with its power not used.
- `MUSTER Scott 8 DOWN` musters it face-down.
- `MUSTER Scott 2 USE Wemyss` copies a clan; a target may follow.
- `CLAIM Scott 12, Wemyss 9` names supporters, best first.
- `CLAIM STRONGEST` names none.
- `PASS` does nothing.

A player may type these in capitals or not, and cut names short.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pbem.kernel import Order, OrderPart


class TakeRecruit(Order, form="{verb} {place}"):
    """RECRUIT 3: take the third recruit into your hand."""

    verb: Literal["RECRUIT"] = "RECRUIT"
    place: int


class Play(OrderPart, form="MUSTER {card}[ DOWN|down][ USE|use][ {copy_of}][ {target}]"):
    """A card played to an army: face-up or `down`; with `use`, its power is used.

    `copy_of` is the clan whose power a Scott copies. `target` is a supporter (Cockburn) or a follower (Ferguson, Wemyss): its
    card, or its seat and number if it is face-down.
    """

    card: str
    down: bool = False
    use: bool = False
    copy_of: str = ""
    target: str = ""


class Muster(Order, form="{plays}"):
    """MUSTER Wemyss 3 USE Scott 8: play a card to your army; a line more for each Makgill that is used."""

    verb: Literal["MUSTER"] = "MUSTER"
    plays: tuple[Play, ...] = Field(min_length=1)


class Claim(Order, form="CLAIM {cards:STRONGEST}"):
    """CLAIM Scott 12, Wemyss 9: the supporters you want, best first; unnamed ones follow, the strongest first."""

    verb: Literal["CLAIM"] = "CLAIM"
    cards: tuple[str, ...] = ()


class Pass(Order):
    """PASS: when you can neither recruit nor muster."""

    verb: Literal["PASS"] = "PASS"
