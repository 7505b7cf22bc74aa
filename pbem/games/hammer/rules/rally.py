"""Rallying to a leader (option): blocks from anywhere that can reach him go there together, for one Group Move.

The leader is the own king; while he is not on the map, a knight of the English, Wallace or Moray of the Scots. He may move as
well, before or after, as part of a group. Nobody rallies where a battle will be, nor across the Anglo-Scottish border, where
each block is a group by itself (4.4). Decided from the mover's own view, since only he knows where his leaders are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.kernel import Refusal
from pbem.words import _

from .facts import BLOCKS, EDWARD, ENGLISH, KING, MORAY, SCOTTISH, WALLACE
from .variants import RALLY

if TYPE_CHECKING:
    from ..orders import March
    from .move_law import Mover

_KNIGHTS = tuple(name for name, block in BLOCKS.items() if (block.owner, block.type) == (ENGLISH, "knights"))
_KING_AND_OTHERS = {ENGLISH: (EDWARD, _KNIGHTS), SCOTTISH: (KING, (WALLACE, MORAY))}


def leaders(side: str, on_map: Iterable[str]) -> tuple[str, ...]:
    """Return to whom a side may rally, of its blocks on the map.

    >>> leaders("scottish", ["Moray", "Wallace", "Douglas"]), leaders("scottish", ["King", "Wallace"])
    (('Wallace', 'Moray'), ('King',))
    """
    king, others = _KING_AND_OTHERS[side]
    there = tuple(on_map)
    return (king,) if king in there else tuple(name for name in others if name in there)


def rally_refusal(who: Mover, places: Mapping[str, str], march: March, crosses: bool) -> Refusal | None:
    """Return why blocks may not rally by this line; `places` is where the mover's blocks stand by now."""
    end = march.route[-1]
    if RALLY not in who.variants:
        return Refusal(_("rallying is an option that is not played here"), "4.2")
    if march.start == "":
        return Refusal(_("the Norse move by themselves, and do not rally"), "4.7")
    if march.main or who.foes.get(end):
        return Refusal(_("nobody rallies where a battle will be, as in {end}", end=end), _("Rally"))
    if crosses:
        return Refusal(
            _("a block that crosses the Anglo-Scottish border is a group by itself, and does not rally"), "4.4"
        )
    found = leaders(who.side, places)
    if end not in [places[name] for name in found if name not in march.blocks]:
        legal = ", ".join(_("{who} in {area}", who=name, area=places[name]) for name in found)
        return Refusal(_("no leader to rally to stands in {end}", end=end), _("Rally"), legal)
    return None
