"""The form of an order class: the words of its text, and where its fields come between them.

- `CARD {card}`: words, and a field.
- `CLAIM {cards:NONE}`: a list, with commas. An empty one is called NONE.
- `{plays}`: a list with no words before it has a line for each part.
- `[ TO {target}]`: left out, with its words, where the field is empty.
- `[ DOWN|down]`: words that appear where a flag is true.

Every order class has a form; `pbem.kernel.slots` reads orders by it, and makes them grow along it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple


class Piece(NamedTuple):
    """A part of a form: the text before a field, and the field ("" for none).

    `none` is the name of an empty list. A piece in brackets is `optional`. A flag has no text of its own.
    """

    before: str
    field: str = ""
    none: str = ""
    optional: bool = False
    flag: bool = False


_PIECE = re.compile(r"\[([^{|\]]*)(?:\{(\w+)\}|\|(\w+))\]|([^{\[]*)\{(\w+)(?::(\w+))?\}")


def pieces(form: str) -> tuple[Piece, ...]:
    """Return the pieces of a form; one without a field if it has none.

    >>> [piece.field for piece in pieces("MUSTER {card}[ DOWN|down]")]
    ['card', 'down']
    >>> pieces("PASS")
    (Piece(before='PASS', field='', none='', optional=False, flag=False),)
    """
    found = []
    for before, field, flag, start, name, none in (part.groups("") for part in _PIECE.finditer(form)):
        optional = bool(field or flag)
        found.append(Piece(before, field or flag, "", optional, bool(flag)) if optional else Piece(start, name, none))
    return tuple(found) or (Piece(form),)


@cache
def pieces_of(kind: Any) -> tuple[Piece, ...]:
    """Return the pieces of an order class's form, with its verb as text."""
    verb = kind.model_fields["verb"].default if "verb" in kind.model_fields else ""
    return pieces(kind.form.replace("{verb}", str(verb)))


def filled(form: Iterable[Piece], values: Mapping[str, object]) -> str:
    """Return the text of a form with these values of its fields.

    >>> filled(pieces("CLAIM {cards:NONE}[ NOW|now]"), {"cards": (), "now": True})
    'CLAIM NONE NOW'
    """
    said = ""
    for before, field, none, optional, flag in form:
        value = values.get(field, "")
        if isinstance(value, tuple):
            value = (", " if before else "\n").join(map(str, value)) or none
        if value or not optional:
            said += before if flag else f"{before}{value}"
    return said


class Formed:
    """The text of a class with a form: `class Bid(Order, form="BID {bid}")`."""

    form: ClassVar[str]

    def __init_subclass__(cls, form: str = "{verb}", **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.form = form

    def __str__(self) -> str:
        kind: Any = type(self)
        return filled(pieces_of(kind), self.__dict__)
