"""The panels beside the map: the deck, the glory cards, a board for each player."""

from __future__ import annotations

from textwrap import wrap

from markupsafe import Markup

from pbem.i18n import _
from pbem.look.markup import joined, markup

from ...rules.board import Board
from ...rules.names import BANNER, PICTS
from ...views import SwordsView
from ..words import card, player, points, power
from .geometry import HEIGHT, WIDTH, num
from .pieces import cube, cubes, icon
from .style import GOLD

GLORY, _LINE = 184, 25
"""The height of a row of glory cards; the number of letters in a line in the corner of the map."""
_IN_ROW = 3
"""The number of glory cards in a row; there are three cards."""
_SQUARE = 46
_LEFT, _TOP = 30, 72
"""Where the squares of a player board begin, right of its numbers and below its letters."""


ACROSS = WIDTH + 690
"""The width of the table with the boards beside the map."""
_OWN, _CARD, _OTHER = 1.5, 1.12, 0.76
"""How much larger or smaller the own board, the glory cards and the other boards are there."""
_AT = WIDTH + 8


def deep(table: Board) -> float:
    """Return how high the table is there."""
    others = -(-(len(table.seats) - 1) // 2)
    return max(HEIGHT, _below_own(table) + _CARD * GLORY * -(-len(table.glory) // 2) + _OTHER * high(table) * others)


def _below_own(table: Board) -> float:
    return _OWN * high(table) + 6


def _placed(x: float, y: float, wide: tuple[float, float, float]) -> dict[str, str]:
    """Return the place of a panel below the map, and its place and scale beside it."""
    left, top, scale = wide
    return {
        "transform": f"translate({num(x)} {num(y)})",
        "wide": f"translate({num(left)} {num(top)}) scale({scale})",
    }


def head(view: SwordsView, where: str) -> Markup:
    """Return the flipped pair, and the moment of the game, for the corner of the sea in the north-west."""
    table = view.table
    shown = joined()
    if table.icon:
        shown = markup(
            '<rect class="panel" x="12" y="12" width="124" height="68" rx="9"/>{icon}<path d="M74 20V72" stroke="#a98f5e"/>'
            '<text class="serif big mid" x="105" y="63">{number}</text>',
            icon=icon(table.icon, 42, 46, 1.5), number=table.number,
        )  # fmt: skip
    left = [_("{n} cards left", n=len(table.deck))] if table.deck else []
    said = joined(
        markup(
            '<text class="serif corner" x="{x}" y="{y}">{line}</text>',
            x=148 if table.icon else 16,
            y=32 + 26 * no,
            line=line,
        )
        for no, line in enumerate([*wrap(where, _LINE)[:3], *left])
    )
    return joined([shown, said])


def glory(table: Board, top: float) -> Markup:
    """Return the glory cards: what each does, the cubes on it, its holder."""
    wide = WIDTH / _IN_ROW
    beside = _below_own(table)
    return joined(
        _glory(
            table, name,
            _placed(
                no % _IN_ROW * wide, top + no // _IN_ROW * GLORY,
                (_AT + no % 2 * wide * _CARD, beside + no // 2 * GLORY * _CARD, _CARD),
            ),
        )
        for no, name in enumerate(table.glory)
    )  # fmt: skip


def _glory(table: Board, name: str, placed: dict[str, str]) -> Markup:
    holder = table.held.get(name, "")
    said = wrap(power(name), 31)[:3]
    lines = joined(
        markup('<text class="note" x="16" y="{y}">{line}</text>', y=60 + 23 * no, line=line)
        for no, line in enumerate(said)
    )
    if holder:
        mark = joined([
            markup('<rect x="12" y="124" width="276" height="46" rx="7" fill="none" stroke="{gold}" stroke-width="4"/>', gold=GOLD),
            markup('<text class="note end" x="278" y="154">{who}</text>', who=player(holder)),
        ])  # fmt: skip
    else:
        mark = markup('<text class="note end" x="278" y="154">{who}</text>', who=_("nobody"))
    wild = icon(table.wild, 268, 32) if name == "Tapestry" and table.wild else ""
    aside = cubes({PICTS: table.aside}, 256, 16) if name == BANNER and table.aside else ""
    return markup(
        '<g transform="{transform}" data-wide="{wide}" data-at="card:{key}">'
        '<rect class="panel" x="4" y="4" width="292" height="174" rx="10"/>'
        '<text class="serif name" x="16" y="36">{name}</text>{lines}{mark}{bids}{wild}{aside}</g>',
        **placed, key=name, name=card(name), lines=lines, mark=mark, wild=wild, aside=aside,
        bids=cubes(table.glory[name], 20, 129, begin=True),
    )  # fmt: skip


def boards(table: Board, top: float, own: str) -> Markup:
    """Return the players' boards, two in a row: squares with icons and cubes, supply, points, who leads.

    Beside the map the board of `own` is the large one; for the public it is the first.
    """
    others = [seat for seat in table.seats if seat != (own or table.seats[0])]
    below = deep(table) - _OTHER * high(table) * -(-len(others) // 2)
    wide = {
        seat: (_AT + i % 2 * WIDTH / 2 * _OTHER, below + i // 2 * high(table) * _OTHER, _OTHER)
        for i, seat in enumerate(others)
    }
    return joined(
        _board(table, seat, _placed(no % 2 * WIDTH / 2, top + no // 2 * high(table), wide.get(seat, (_AT, 0, _OWN))))
        for no, seat in enumerate(table.seats)
    )


def high(table: Board) -> float:
    """Return how high a row of player boards is."""
    return _TOP + 8 + _SQUARE * len(table.parts.player_board) + 12


def _board(table: Board, seat: str, placed: dict[str, str]) -> Markup:
    columns = len(table.parts.player_board[0])
    squares = joined(
        _square(table, seat, square, name, _LEFT + no % columns * _SQUARE, _TOP + no // columns * _SQUARE)
        for no, (square, name) in enumerate(table.parts.squares.items())
    )
    right = _LEFT + columns * _SQUARE + 14
    spare = table.spare(seat)
    leads = (
        markup('<use href="#sw-leader" class="leads" transform="translate(410 32) scale(1.25)"/>')
        if table.leader == seat
        else ""
    )
    return markup(
        '<g transform="{transform}" data-wide="{wide}"><rect class="panel" x="4" y="4" width="442" height="{high}" rx="10"/>{cube}'
        '<text class="serif name" x="58" y="38">{who}</text>{leads}{names}{squares}'
        '<text class="serif big" x="{right}" y="98">{n}</text><text class="note" x="{right}" y="124">{points}</text>'
        '<text class="note" x="{right}" y="166">{supply}</text>{cubes}</g>',
        **placed, high=num(high(table) - 6), cube=cube(seat, 16, 12), who=player(seat), leads=leads, squares=squares,
        names=_names(table), right=right, n=table.points[seat], points=_unit(table.points[seat]), supply=_("supply"),
        cubes=cubes({seat: spare.own, PICTS: spare.picts}, right, 176, begin=True),
    )  # fmt: skip


def _names(table: Board) -> Markup:
    """Return the letters above a player board and the numbers beside it, as orders and buttons name its squares."""
    columns, rows = len(table.parts.player_board[0]), len(table.parts.player_board)
    middle = _SQUARE / 2
    letters = [(_LEFT + no * _SQUARE + middle, _TOP - 5, "ABCDEFGH"[no]) for no in range(columns)]
    numbers = [(_LEFT / 2 + 2, _TOP + no * _SQUARE + middle + 7, str(no + 1)) for no in range(rows)]
    return joined(
        markup('<text class="note mid of-square" x="{x}" y="{y}">{name}</text>', x=num(x), y=num(y), name=name)
        for x, y, name in (*letters, *numbers)
    )


def _unit(n: int) -> str:
    return points(n).removeprefix(str(n)).strip()


def _square(table: Board, seat: str, square: str, name: str, x: float, y: float) -> Markup:
    covered = table.boards[seat].get(square, "")
    inside = cube(covered, 6, 5) if covered else icon(name, 23, 23)
    return markup(
        '<g transform="translate({x} {y})" class="{kind}" data-at="square:{seat}/{square}">'
        '<rect class="square" x="1" y="1" width="44" height="44" rx="4"/>{inside}</g>',
        x=num(x), y=num(y), kind="flipped" if name == table.icon and not covered else "still", seat=seat, square=square,
        inside=inside,
    )  # fmt: skip
