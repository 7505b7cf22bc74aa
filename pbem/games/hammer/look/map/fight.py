"""The current battle, as a drawing of its own: the defender's line above, the attacker's below.

Behind the front line are the leaving blocks, pale, and the reserve, turned down. The heading names the side that has the combat
turn. It is drawn from views, and uses the drawings of blocks that the map defines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from pbem.look.markup import joined, markup

from ...rules import LETTERS, SLUG, Fight
from ...rules.said import _
from ...views import HammerView
from ..board import battle_now, drawn_up, role
from ..words import rating
from .pieces import front, placed, stack
from .scene import Face

SIZE, STEP, A_ROW = 44, 49, 7
MARGIN, HEAD, LIT = 10, 22, 4
WIDTH = 2 * MARGIN + A_ROW * STEP


def fight(views: Sequence[HammerView]) -> Markup:
    """Return the battle, or nothing where none is fought."""
    view = views[0]
    battle = view.battle
    if battle is None:
        return Markup()
    down, parts = 2 * HEAD, []
    for side, _front, going, reserve in drawn_up(view, battle):
        if side == battle.side and battle.step not in _BEFORE and "retreat" not in view.frames:
            parts.append(_acting(battle, down))
        parts.append(_heading(role(battle, side), down))
        standing = list(_standing(view, battle, side, going, reserve))
        parts += [_at(drawn, i, down + MARGIN + LIT) for i, drawn in enumerate(standing)]
        down += HEAD + 2 * MARGIN + LIT + STEP * max(1, -(-len(standing) // A_ROW))
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="hm scene" viewBox="0 0 {wide} {high}" role="img" aria-label="{title}">'
        '<rect class="scroll" x="1" y="1" width="{inner}" height="{depth}" rx="3"/>'
        '<text class="serif number mid" x="{middle}" y="20">{title}</text>{parts}</svg>',
        wide=WIDTH, high=down - HEAD, inner=WIDTH - 2, depth=down - HEAD - 2, middle=WIDTH / 2, title=battle_now(battle),
        parts=joined(parts),
    )  # fmt: skip


_BEFORE = ("begin", "reveal", "unity")
"""Steps of a round before its first combat turn."""


def _acting(battle: Fight, down: int) -> Markup:
    says = _("{letter} blocks act", letter=LETTERS[battle.turn // 2])
    return markup(
        '<rect class="acts" x="{x}" y="{top}" width="{wide}" height="{high}" rx="3"/>'
        '<text class="serif row end" x="{end}" y="{y}">{says} ◂</text>',
        x=3, y=down + 4, top=down - HEAD + 8, wide=WIDTH - 6, high=HEAD - 2, end=WIDTH - MARGIN, says=says,
    )  # fmt: skip


def _heading(text: str, down: int) -> Markup:
    return markup('<text class="italic row" x="{x}" y="{y}">{text}</text>', x=MARGIN, y=down + 4, text=text)


def _standing(view: HammerView, battle: Fight, side: str, going: Sequence[str], reserve: int) -> Iterator[Markup]:
    """Go through the blocks of a side: the front line, those in retreat, and the reserve from behind."""
    stays = [name for name in battle.front(side) if name not in going]
    for name in (*stays, *going):
        face = Face(name, side, view.revealed[SLUG[name]].strength, name in battle.acted, rating(name, view.variants))
        kind = f"face {side}" if name in stays else f"face {side} going"
        yield markup('<g class="{kind}" data-at="block:{name}">{drawn}</g>', kind=kind, name=name, drawn=front(face))
    if reserve:
        waits = {"side": side, "drawn": stack(side, reserve), "says": _("in reserve")}
        yield markup('<g class="back {side}"><title>{says}</title>{drawn}</g>', **waits)


def _at(drawn: Markup, i: int, down: int) -> Markup:
    x, y = MARGIN + STEP * (i % A_ROW), down + STEP * (i // A_ROW)
    return markup('<g transform="{placed}">{drawn}</g>', placed=placed(x, y, SIZE), drawn=drawn)


__all__ = ["fight"]
