"""What people read of Hammer: messages in which areas, blocks and cards bear the names that a language has for them.

Only texts do: orders, states, facts and logs have the printed names. `_` and `_n` are those of `pbem.i18n`, with these names.
`typed` gives the French edition's names to the readers of orders, which understand them in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.i18n import ENGLISH, N_, spoken
from pbem.i18n import _ as told
from pbem.i18n import _n as told_n

_NAMES = frozenset((
    N_("England"),
    N_("King"), N_("Norse"), N_("French Knights"), N_("Wales Archers"), N_("Lancaster Archers"), N_("Lancaster Knights"),
    N_("York Knights"), N_("Durham Knights"), N_("York Infantry"), N_("Lancaster Infantry"), N_("Northumber Infantry"),
    N_("Durham Infantry"), N_("Cumbria Infantry"), N_("Westmor Infantry"), N_("Wales Infantry"), N_("Ulster Infantry"),
    N_("Move 1"), N_("Move 2"), N_("Move 3"), N_("Herald"), N_("Pillage"), N_("Sea Move"), N_("Truce"), N_("Victuals"),
))  # fmt: skip
"""The names that are other words in another language; all others are the same in all."""

_FRENCH = {
    "Angleterre": "England",
    "Roi": "King", "Nordiques": "Norse", "Chevaliers français": "French Knights", "Archers gallois": "Wales Archers",
    "Archers de Lancaster": "Lancaster Archers", "Chevaliers de Lancaster": "Lancaster Knights",
    "Chevaliers d’York": "York Knights", "Chevaliers de Durham": "Durham Knights", "Infanterie d’York": "York Infantry",
    "Infanterie de Lancaster": "Lancaster Infantry", "Infanterie de Northumber": "Northumber Infantry",
    "Infanterie de Durham": "Durham Infantry", "Infanterie de Cumbria": "Cumbria Infantry",
    "Infanterie de Westmor": "Westmor Infantry", "Infanterie galloise": "Wales Infantry",
    "Infanterie d’Ulster": "Ulster Infantry",
    "Mouvement 1": "Move 1", "Mouvement 2": "Move 2", "Mouvement 3": "Move 3", "Héraut": "Herald",
    "Mouvement maritime": "Sea Move", "Trêve": "Truce", "Ravitaillement": "Victuals",
}  # fmt: skip
"""The names of the French edition, as they are shown, and as its readers type them."""


def named(name: str) -> str:
    """Return an area, a block or a card by its name in the language that is spoken; any other text as it is.

    >>> from pbem.i18n import speaking
    >>> with speaking("fr"):
    ...     named("England"), named("Fife"), named("Move 3")
    ('Angleterre', 'Fife', 'Mouvement 3')
    """
    return told(name) if name in _NAMES else name


def typed(names: Iterable[str]) -> dict[str, str]:
    """Return the French names that may be typed for the given names, each with the printed one.

    >>> typed(["Fife", "England"])
    {'Angleterre': 'England'}
    """
    wanted = {*names}
    return {french: name for french, name in _FRENCH.items() if name in wanted}


def _(message: str, /, **values: object) -> str:
    """Return a message in the language that is spoken, its values by their names there."""
    return told(message, **_by_name(values))


def _n(one: str, many: str, n: int, /, **values: object) -> str:
    """Return the message that goes with a number, in the same way."""
    return told_n(one, many, n, **_by_name(values))


def _by_name(values: Mapping[str, object]) -> Mapping[str, object]:
    if spoken() == ENGLISH:
        return values
    return {key: named(value) if isinstance(value, str) else value for key, value in values.items()}
