"""A battle as a scene: where it is fought and for how many points, and a row for each who takes part.

It refers to what the picture defines, and has no ids of its own. A sealed number is in no view, and so in no scene.
"""

from __future__ import annotations

from markupsafe import Markup

from pbem.i18n import _
from pbem.look.markup import joined, markup, stylesheet

from ...rules.battles import Battle
from ...rules.board import Board
from ...rules.names import PICTS
from ...rules.troops import Troops
from ...views import SwordsView
from ..words import both, card, player
from .geometry import WIDTH
from .pieces import cube, cubes
from .style import SHEET

_ROW, _TOP = 92, 84


def scene(view: SwordsView) -> Markup:
    """Return the battle that is fought; empty where none is."""
    battle, table = view.battle, view.table
    if battle is None:
        return joined()
    rows = joined(_fighter(view, battle, seat, _TOP + no * _ROW) for no, seat in enumerate(battle.fighting))
    high = _TOP + _ROW * len(battle.fighting) + 8
    title = _("The battle of {region}", region=battle.region)
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="sw" viewBox="0 0 {wide} {high}" role="img" aria-label="{title}">{sheet}'
        '<rect width="{wide}" height="{high}" fill="#e6dcc0"/><g class="fought"><circle class="token" cx="44" cy="42" r="28"/></g>'
        '<text class="serif name mid" x="44" y="51">{token}</text><text class="serif name" x="88" y="52">{title}</text>'
        "{rows}</svg>",
        wide=WIDTH, high=high, title=title, sheet=stylesheet(SHEET), token=table.tokens[battle.region], rows=rows,
    )  # fmt: skip


def _fighter(view: SwordsView, battle: Battle, seat: str, y: int) -> Markup:
    table = view.table
    there = _laid(seat, table.troops(seat, battle.region))
    fell = battle.fallen.get(seat)
    castles = table.held_castles(seat, battle.region)
    forts = joined(
        markup('<use href="#sw-fort" class="fort" x="{x}" y="46"/>', x=452 + 38 * no) for no in range(len(castles))
    )
    return markup(
        '<g transform="translate(0 {y})"><rect class="panel" x="8" y="0" width="884" height="84" rx="10"/>{cube}'
        '<text class="serif name" x="66" y="40">{who}</text><text class="note" x="66" y="68">{held}</text>{there}{forts}'
        '<text class="note end" x="872" y="34">{said}</text>{fell}</g>',
        y=y, cube=cube(seat, 22, 24), who=player(seat), held=_held(table, seat), there=cubes(there, 350, 28), forts=forts,
        said=_said(view, battle, seat), fell=cubes(_laid(seat, fell), 820, 44) if fell else "",
    )  # fmt: skip


def _laid(seat: str, some: Troops) -> dict[str, int]:
    return {seat: some.own, PICTS: some.picts}


def _held(table: Board, seat: str) -> str:
    names = [card(name) for name in table.glory if table.has(seat, name)]
    return both(names) if names else ""


def _said(view: SwordsView, battle: Battle, seat: str) -> str:
    """Return the state of a participant in a battle, in a few words."""
    if battle.winner == seat:
        return _("wins")
    if seat in view.waiting:
        return _("is asked")
    if seat in battle.fallen:
        return _("committed {n}", n=battle.fallen[seat].total)
    return ""
