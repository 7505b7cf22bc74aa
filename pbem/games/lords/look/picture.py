"""The table as SVG: pile, recruits and supporters in the middle, below them a row for each lord with army, points and hand.

Drawn from views alone. What one of them knows, the picture shows: with the views of all seats, all hands lie open. A clan
is told by its name, its colours are an ornament.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.look.markup import joined, markup, stylesheet
from pbem.look.picture import MOVING, STILL

from ..rules.cards import TURNS, clan
from ..views import HIDDEN, LordsView
from .words import cards, lord, points

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH, ROW, TOP = 1000, 132, 190
CARD_W, CARD_H = 62, 84
DRAWN = 1024
"""So many drawings of cards are kept to be used again."""
INK, PAPER, TABLE, BACK, PALE = "#2f2417", "#fbf5e4", "#dfe5d3", "#5b4a3a", "#6a5a48"
TARTANS = {
    "Scott": "#b3352c", "Makgill": "#1f5f4a", "MacDonnell": "#2b4d86", "Wemyss": "#8c2f5b", "Ferguson": "#3c6e2f",
    "Forsyth": "#55407f", "Cockburn": "#9a5a12", "Cochrane": "#256f85", "Bruce": "#7a6410",
}  # fmt: skip
SHEET = f"""
.los text{{font-family:"pbem Sans",sans-serif;fill:{INK};font-size:13px}}
.los .head{{font-family:"pbem Serif",serif;font-size:19px}}
.los .note{{fill:{PALE};font-size:12px}}
.los .mid{{text-anchor:middle}}
.los .card{{fill:{PAPER};stroke:{INK};stroke-width:1}}
.los .back{{fill:{BACK};stroke:{INK};stroke-width:1}}
.los .weave{{stroke:{PAPER};stroke-width:1;stroke-opacity:.5;fill:none}}
.los .strength{{font-family:"pbem Serif",serif;font-size:22px}}
.los .rank{{font-size:10px;fill:{PALE}}}
.los .name{{font-size:10.5px}}
.los .down{{fill:{PAPER}}}
"""


def picture(views: Sequence[LordsView]) -> Markup:
    """Return the table as these views show it together."""
    view = views[0]
    high = TOP + ROW * len(view.seats) + 10
    who = _("all") if len(views) > 1 else lord(view.seat) or _("everybody")
    title = _("Lords of Scotland, round {round}, seen by {who}", round=view.round, who=who)
    layers = {
        "where": [_text(24, 32, _where(view), "head")],
        "supporters": _row(view, 24, 50, _("Supporters"), view.supporters),
        "recruits": _row(view, 500, 50, _("Recruits"), [r.card for r in view.recruits], "recruit"),
        "pile": [_pile(view)],
        **{seat: _lord(views, seat, TOP + ROW * i) for i, seat in enumerate(view.seats)},
    }
    parts = [
        markup(
            '<svg xmlns="http://www.w3.org/2000/svg" class="los" viewBox="0 0 {wide} {high}" role="img" '
            'aria-labelledby="los-title">\n{sheet}{still}\n<rect width="{wide}" height="{high}" fill="{table}"/>{moving}',
            wide=WIDTH, high=high, sheet=stylesheet(SHEET), still=STILL, table=TABLE, moving=MOVING,
        ),
        markup('<title id="los-title">{title}</title>', title=title),
        *(line for name, drawn in layers.items() for line in (markup('<g id="los-{name}">', name=name), *drawn, markup("</g>"))),
        markup("</svg>\n"),
    ]  # fmt: skip
    return joined(parts, "\n")


def _where(view: LordsView) -> str:
    if view.result is not None:
        winner = view.result.get("winner")
        return _("{lord} claims the throne", lord=lord(winner)) if winner else _("The game is over")
    if not view.turn:
        return _("Before the next round")
    return _(
        "Round {round}, turn {turn} of {turns}; the Victor's Initiative: {lord}",
        round=view.round, turn=view.turn, turns=TURNS, lord=lord(view.victor),
    )  # fmt: skip


def _pile(view: LordsView) -> Markup:
    counts = ((cards(view.pile), _("to draw")), (cards(len(view.discards)), _("discarded")))
    return joined(
        part
        for i, (n, name) in enumerate(counts)
        for part in (_text(900, 66 + 46 * i, n), _text(900, 84 + 46 * i, name, "note"))
    )


def _text(x: int, y: int, text: str, css: str = "") -> Markup:
    if not css:
        return markup('<text x="{x}" y="{y}">{text}</text>', x=x, y=y, text=text)
    return markup('<text x="{x}" y="{y}" class="{css}">{text}</text>', x=x, y=y, css=css, text=text)


def _row(view: LordsView, x: int, y: int, head: str, row: Sequence[str], place: str = "") -> list[Markup]:
    drawn = (_card(view, x + i * (CARD_W + 8), y + 16, card, at=f"{place}:{i + 1}") for i, card in enumerate(row))
    return [_text(x, y + 8, head, "note"), *drawn]


def _card(view: LordsView, x: int, y: int, card: str, down: bool = False, mark: str = "", at: str = "") -> Markup:
    """Draw a card. Where it is touched its name says, but `at` where it lies face-down."""
    if card == HIDDEN:
        return markup('<g transform="translate({x} {y})" data-at="{at}">{back}</g>', x=x, y=y, at=at, back=_BACK)
    face = _face(card, view.terms.strength(card), view.terms.rank(card), down, _("face-down") if down else mark)
    return markup(
        '<g id="los-card-{name}" transform="translate({x} {y})" data-at="{at}">{face}</g>',
        name=card.lower().replace(" ", "-"), x=x, y=y, at=at if down else f"card:{card}", face=face,
    )  # fmt: skip


_BACK = markup(
    '<rect class="back" width="{wide}" height="{high}" rx="6"/><path class="weave" d="{weave}"/>',
    wide=CARD_W, high=CARD_H, weave="".join(f"M6 {line}H{CARD_W - 6}" for line in range(10, CARD_H, 10)),
)  # fmt: skip


@lru_cache(DRAWN)
def _face(card: str, strength: int, rank: int, down: bool, lying: str) -> Markup:
    edge = {"wide": CARD_W, "high": CARD_H}
    return joined([
        markup('<rect class="card" width="{wide}" height="{high}" rx="6" stroke-dasharray="5 3"/>', **edge)
        if down
        else markup('<rect class="card" width="{wide}" height="{high}" rx="6"/>', **edge),
        markup(
            '<rect x="5" y="34" width="{inner}" height="14" fill="{tartan}"/><text class="strength" x="7" y="25">{strength}</text>'
            '<text class="rank" x="{right}" y="15" text-anchor="end">{rank}</text>'
            '<text class="name" x="5" y="62">{clan}</text>',  # to the left: cards of a hand overlap
            inner=CARD_W - 10, tartan=TARTANS[clan(card)], strength=strength, right=CARD_W - 7, rank=rank, clan=clan(card),
        ),
        markup('<text class="rank mid" x="{middle}" y="76">{lying}</text>', middle=CARD_W // 2, lying=lying) if lying else "",
    ])  # fmt: skip


def _lord(views: Sequence[LordsView], seat: str, y: int) -> list[Markup]:
    view = views[0]
    said = [
        _text(24, y + 20, lord(seat), "head"),
        _text(24, y + 42, points(view.points(seat))),
        _text(24, y + 60, _("{cards} in hand", cards=cards(view.hands[seat]))),
        _text(24, y + 78, _("to act") if seat in view.waiting else "", "note"),
    ]
    return [joined(said), *_army(views, seat, y), *_hand(views, seat, y)]


def _army(views: Sequence[LordsView], seat: str, y: int) -> Iterator[Markup]:
    armies = [view.armies[seat] for view in views]
    step = min(CARD_W + 8, 400 // max(1, len(armies[0])))
    for i, follower in enumerate(armies[0]):
        known = [army[i].card for army in armies if army[i].card != HIDDEN]
        card = known[0] if known else HIDDEN
        at = f"follower:{seat}/{i + 1}"
        yield _card(views[0], 170 + i * step, y + 8, card, down=not follower.up, mark=follower.power or "", at=at)


def _hand(views: Sequence[LordsView], seat: str, y: int) -> list[Markup]:
    shown = views[0].shown
    hand = next((view.hand for view in views if view.seat == seat), shown[seat] if shown is not None else [])
    step = min(CARD_W + 8, 340 // max(1, len(hand)))
    return [_card(views[0], 600 + i * step, y + 8, card, at=f"hand:{seat}/{i + 1}") for i, card in enumerate(hand)]
