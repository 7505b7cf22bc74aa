"""What the card of a game shows: its picture, its figures, and its options in plain words (`pbem.look.cover`).

A game that brings no card is shown by its title and its options' own names.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from pbem.games import GamePack, find
from pbem.i18n import _
from pbem.kernel import Json, View
from pbem.look.cover import Cover, OptionWords
from pbem.referee.table import Table

from . import calls

_FEW = 8
_SEED = "cover"
LONGEST = 20
"""The largest number that you can choose from a list."""


def covered(pack: GamePack) -> Cover:
    """Return the card of a game, an empty one where it brings none."""
    return pack.cover or Cover("", (0, 0), (0, 0))


def reach(numbers: tuple[int, int]) -> str:
    """Return from where to where, such as “2–5”; "" for nothing."""
    return "–".join(map(str, sorted(set(numbers) - {0})))


def seat_words(pack: GamePack, seat: str) -> str:
    """Return the name of a seat in a form."""
    return _(said) if (said := _words(pack, "seat").values.get(seat, "")) else pack.look.seat_name(seat)


@lru_cache(_FEW)
def _begun(game: str) -> View:
    """How the first seat sees the beginning. Nobody plays this game, so it need not name its rules."""
    rules = find(game).rules
    table = Table(rules, find(game).complete({}), _SEED)
    return table.referee.view(table.seats[0])


def beginning_drawn(game: str) -> str:
    """Return the drawing of a game at its beginning, as SVG; "" for a game that draws nothing."""
    return str(find(game).look.picture([_begun(game)], ()))


def setting(pack: GamePack, name: str, field: FieldInfo, value: Json) -> calls.Setting | None:
    """Return an option as a form shows it; None for one that no form shows, such as what another game has settled."""
    words = _words(pack, name)
    text = _(label) if (label := words.label or field.description) else name.replace("_", " ")
    if isinstance(value, bool):
        return calls.Setting(name=name, text=text, kind="yes or no", value=value)
    if get_origin(field.annotation) is Literal:
        values = tuple(map(str, get_args(field.annotation)))
        labels = _labels(pack, words, values)
        return calls.Setting(name=name, text=text, kind="one of", values=values, labels=labels, value=str(value))
    if isinstance(value, int):
        least, most = _bound(field, "ge"), _bound(field, "le")
        some = range(least or 0, min(most or LONGEST, LONGEST) + 1) if words.values else ()
        values = tuple(map(str, sorted({*some, value}))) if some else ()
        labels = _labels(pack, words, values)
        return calls.Setting(
            name=name, text=text, kind="number", value=value, values=values, labels=labels, least=least, most=most
        )
    return None


def _words(pack: GamePack, name: str) -> OptionWords:
    return covered(pack).options.get(name, OptionWords(""))


def _labels(pack: GamePack, words: OptionWords, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values in words: those of the card, the names of seats, or the values themselves."""
    seats = {seat: seat_words(pack, seat) for seat in values if seat and seat in _seats(pack)}
    said = {value: _(text) for value, text in words.values.items()}
    return tuple(said.get(value) or seats.get(value) or value or "–" for value in values)


def _seats(pack: GamePack) -> tuple[str, ...]:
    """All seats that a game can have."""
    model = pack.rules.options_model.model_fields.get("players")
    most = _bound(model, "le") if model else None
    return tuple(pack.rules.seats(pack.complete({"players": most} if most else {})))


def _bound(field: FieldInfo, name: Literal["ge", "le"]) -> int | None:
    return next((int(getattr(one, name)) for one in field.metadata if hasattr(one, name)), None)
