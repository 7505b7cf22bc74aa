"""Rules and a first lesson of Hammer of the Scots, and lists of its contents, made from its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.games.taught import Lesson
from pbem.i18n import N_
from pbem.look import PageTable

from ..look.cards import SAYS
from ..look.words import SIDE
from ..rules import AREAS, BLOCKS, CARD_NAME, NEIGHBOURS
from ..rules.printed import BORDER, Block, Border
from ..rules.said import _, named
from .rules import SECTIONS
from .steps import STEPS

_TYPES = {
    "king": N_("king"), "wallace": N_("leader"), "noble": N_("noble"), "archers": N_("archers"), "knights": N_(
        "knights"
    ),
    "hobelars": N_("light horse"), "cavalry": N_("light horse"), "infantry": N_("infantry"), "norse": N_("ship"),
}  # fmt: skip


def lists() -> tuple[PageTable, ...]:
    """Return the lists."""
    return _blocks(), _areas(), _cards()


def _blocks() -> PageTable:
    heads = (_("Block"), _("Side"), _("Kind"), _("Strength"), _("Combat"), _("Move"), _("Notes"))
    return PageTable(_("Blocks"), heads, tuple(map(_block, BLOCKS.values())))


def _block(block: Block) -> tuple[str, ...]:
    side = _(SIDE[block.owner]) if block.owner else _("either")
    notes = [
        *([_("black cross")] if block.cross else ()),
        *([_("at home {rating}", rating=f"{block.letter}{block.rating + 1}")] if block.is_noble else ()),
        *([_("party of {noble}", noble=block.faction)] if block.faction else ()),
    ]
    kind, move = _(_TYPES[block.type]), str(block.move or _("by sea"))
    return named(block.name), side, kind, str(block.max), f"{block.letter}{block.rating}", move, ", ".join(notes)


def _areas() -> PageTable:
    heads = (_("Area"), _("Castles"), _("Home of"), _("Neighbours; red borders with 2"))
    return PageTable(_("Areas"), heads, tuple(map(_area, AREAS)), _("+1: a cathedral, for the Scots alone."))


def _area(name: str) -> tuple[str, ...]:
    area = AREAS[name]
    ways = [f"{named(other)} {border.limit}" if border.red else named(other) for other, border in _borders(name)]
    castles = f"{area.limit}+1" if area.cathedral else str(area.limit)
    return named(name), castles, named(area.home_of) if area.home_of else "–", ", ".join(ways)


def _borders(name: str) -> Iterator[tuple[str, Border]]:
    yield from ((other, BORDER[name, other]) for other in NEIGHBOURS[name])


def _cards() -> PageTable:
    count = Counter(CARD_NAME.values())
    rows = ((named(name), str(n), _(SAYS[name]) if name in SAYS else "") for name, n in count.items())
    return PageTable(_("Cards"), (_("Card"), _("How many"), _("What it does")), tuple(rows))


LESSON = Lesson(SECTIONS, STEPS, lists)
