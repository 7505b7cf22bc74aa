"""Rules and a first lesson of Lords of Scotland, and lists of clans, powers and cards, made from its data.

A page shows them beside a game; the lists give the printed values, whatever options a game has.
"""

from __future__ import annotations

from pbem.games.taught import Lesson
from pbem.i18n import _
from pbem.look import PageTable

from ..look.cards import POWERS
from ..rules.cards import BRUCE, BRUCE_RANKS, BRUCE_STRENGTH, CLANS, LASTING, NORMAL, ROYAL, Agreed, clan
from .rules import SECTIONS
from .steps import STEPS


def lists() -> tuple[PageTable, ...]:
    """Return the lists."""
    return _clans(), _ranks()


def _clans() -> PageTable:
    rows = tuple(
        (
            name,
            str(_count(name)),
            _("at the end of the round") if name in LASTING else _("at once"),
            _(POWERS[name]),
        )
        for name in (*CLANS, BRUCE)
    )
    note = _(
        "Bruce has strength {strength} and the ranks {ranks}, if not agreed otherwise.",
        strength=BRUCE_STRENGTH,
        ranks=", ".join(map(str, BRUCE_RANKS)),
    )
    return PageTable(_("Clans and powers"), (_("Clan"), _("Cards"), _("When"), _("What it does")), rows, note)


def _count(name: str) -> int:
    """Return how many cards a clan has."""
    return sum(clan(card) == name for card in (*NORMAL, *ROYAL))


def _ranks() -> PageTable:
    terms = Agreed()
    by_strength: dict[int, list[str]] = {}
    for card in NORMAL:
        by_strength.setdefault(terms.strength(card), []).append(str(terms.rank(card)))
    rows = tuple((str(strength), *ranks) for strength, ranks in sorted(by_strength.items()))
    cards = list(dict.fromkeys(clan(card) for card in NORMAL))
    note = _("The higher the rank, the stronger in a tie.")
    return PageTable(_("Ranks"), (_("Strength"), *cards), rows, note)


LESSON = Lesson(SECTIONS, STEPS, lists)
