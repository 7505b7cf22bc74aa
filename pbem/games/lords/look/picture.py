"""The table as SVG: recruits, supporters and piles above, below them a panel for each lord: points, army and its total, hand.

Drawn from views alone. What one of them knows, the picture shows: with the views of all seats, all hands lie open. Narrow on
purpose: on a telephone it can be read without zooming.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.look.markup import joined, markup, stylesheet
from pbem.look.picture import MOVING, STILL

from ..rules.cards import RECRUITS, TURNS, clan
from ..views import HIDDEN, LordsView
from . import standing
from .faces import CARD_H, CARD_W, SHORT, definitions, face
from .style import SHEET, TABLE, TARTANS
from .words import cards, lord

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH, TOP, STEP = 760, 400, CARD_W + 6
"""How wide it is, where the lords begin, and from card to card."""
ARMY, RIGHT = 190, WIDTH - 18
"""Where armies begin, and where their totals end."""
_PANEL, _BAR = CARD_H + 20, 160


def picture(views: Sequence[LordsView]) -> Markup:
    """Return the table as these views show it together."""
    view, tops = views[0], _tops(views)
    high = tops[""]
    who = _("all") if len(views) > 1 else lord(view.seat) or _("everybody")
    title = _("Lords of Scotland, round {round}, seen by {who}", round=view.round, who=who)
    layers = {
        "where": [_text(16, 34, _where(view), "serif head"), *_heads()],
        "recruits": _row(view, 60, _("Recruits"), [r.card for r in view.recruits], "recruit"),
        "supporters": _row(view, 222, _("Supporters"), view.supporters),
        "pile": [_piles(view)],
        **{seat: _lord(views, seat, tops[seat]) for seat in view.seats},
    }
    parts = [
        markup(
            '<svg xmlns="http://www.w3.org/2000/svg" class="los" viewBox="0 0 {wide} {high}" role="img" '
            'aria-labelledby="los-title">\n{sheet}{defs}{still}\n<rect width="{wide}" height="{high}" fill="{table}"/>{moving}',
            wide=WIDTH, high=high, sheet=stylesheet(SHEET), defs=definitions(), still=STILL, table=TABLE, moving=MOVING,
        ),
        markup('<title id="los-title">{title}</title>', title=title),
        *(line for name, drawn in layers.items() for line in (markup('<g id="los-{name}">', name=name), *drawn, markup("</g>"))),
        markup("</svg>\n"),
    ]  # fmt: skip
    return joined(parts, "\n")


def _tops(views: Sequence[LordsView]) -> dict[str, int]:
    """Return where the panel of each lord begins; "" is the end. Who shows a hand has room for it below the army."""
    tops, y = {}, TOP
    for seat in views[0].seats:
        tops[seat] = y
        y += _high(views, seat) + 8
    return {**tops, "": y + 4}


def _high(views: Sequence[LordsView], seat: str) -> int:
    return _PANEL + (_hand_high(views) + 10 if _held(views, seat) else 0)


def _hand_high(views: Sequence[LordsView]) -> int:
    return SHORT if len(views) > 1 or views[0].shown is not None else CARD_H


def _held(views: Sequence[LordsView], seat: str) -> Sequence[str]:
    shown = views[0].shown
    return next((view.hand for view in views if view.seat == seat), shown[seat] if shown is not None else ())


def _where(view: LordsView) -> str:
    if view.result is not None:
        winner = view.result.get("winner")
        return _("{lord} claims the throne", lord=lord(winner)) if winner else _("The game is over")
    if not view.turn:
        return _("Before the next round")
    return _("Round {round}, turn {turn} of {turns}", round=view.round, turn=view.turn, turns=TURNS)


def _heads() -> Iterator[Markup]:
    """Go through the heads of the lords' columns."""
    yield _text(16, TOP - 8, _("Lord and points"), "note")
    yield _text(ARMY, TOP - 8, _("Army"), "note")
    yield _text(RIGHT, TOP - 8, _("Total"), "note end")


def _text(x: int, y: int, text: str, css: str) -> Markup:
    return markup('<text x="{x}" y="{y}" class="{css}">{text}</text>', x=x, y=y, css=css, text=text)


# The middle of the table


def _row(view: LordsView, y: int, head: str, row: Sequence[str], place: str = "") -> list[Markup]:
    drawn = [_card(view, 16 + i * STEP, y + 12, card, at=f"{place}:{i + 1}") for i, card in enumerate(row)]
    places = (_free(16 + i * STEP, y + 12) for i in range(len(row), RECRUITS if place else len(view.seats)))
    return [joined([_text(16, y + 1, head, "note"), *places]), *drawn]


def _free(x: int, y: int) -> Markup:
    return markup(
        '<rect class="place" x="{x}" y="{y}" width="{wide}" height="{high}" rx="8"/>',
        x=x,
        y=y,
        wide=CARD_W,
        high=CARD_H,
    )


def _piles(view: LordsView) -> Markup:
    """Draw the pile, as high as it is, and how many cards lie there and among the discards."""
    x, y, below, depth = 640, 72, WIDTH - 16, -(-view.pile // 16)
    backs = (markup('<use href="#los-back" x="{x}" y="{y}"/>', x=x - 3 * i, y=y - 3 * i) for i in range(depth))
    return joined([
        _free(x, y) if not depth else "", *backs,
        _text(below, y + 156, _("{cards} to draw", cards=cards(view.pile)), "end"),
        _text(below, y + 180, _("{cards} discarded", cards=cards(len(view.discards))), "note end"),
        _text(below, y + 204, _("{n} points win", n=view.terms.goal), "note end"),
    ])  # fmt: skip


def _card(
    view: LordsView,
    x: int,
    y: int,
    card: str,
    *,
    down: bool = False,
    power: str = "",
    at: str = "",
    short: bool = False,
) -> Markup:
    """Draw a card. Its name is the place to touch, or `at` if it is face-down."""
    if card == HIDDEN:
        return markup('<g transform="translate({x} {y})" data-at="{at}"><use href="#los-back"/></g>', x=x, y=y, at=at)
    return markup(
        '<g id="los-card-{name}" transform="translate({x} {y})" data-at="{at}">{face}</g>',
        name=card.lower().replace(" ", "-"), x=x, y=y, at=at if down else f"card:{card}",
        face=face(card, view.terms.strength(card), view.terms.rank(card), down=down, power=power, short=short),
    )  # fmt: skip


# The lords


def _lord(views: Sequence[LordsView], seat: str, y: int) -> list[Markup]:
    view = views[0]
    waits, n = seat in view.waiting, view.points(seat)
    said = [
        markup(
            '<rect class="{kind}" x="6" y="{y}" width="{wide}" height="{high}" rx="10"/>',
            kind="panel asked" if waits else "panel", y=y, wide=WIDTH - 12, high=_high(views, seat),
        ),
        _text(18, y + 34, lord(seat), "serif head"), *_marks(view, seat, y + 84),
        *_bar(view, seat, y + 46),
        _text(18, y + 88, _("{n} of {goal}", n=n, goal=view.terms.goal), ""),
        _text(18, y + 112, _("{cards} in hand", cards=cards(view.hands[seat])), "note"),
        _text(18, y + 136, _("to act") if waits else "", ""),
        *_total(views, seat, y),
    ]  # fmt: skip
    return [joined(said), *_army(views, seat, y + 10), *_hand(views, seat, y + _PANEL)]


def _marks(view: LordsView, seat: str, y: int) -> Iterator[Markup]:
    """Yield the marks of a lord, from the right: the flag of the Victor's Initiative, a crown for the leader."""
    x = ARMY - 46
    if view.turn and seat == view.victor:
        yield _mark("flag", x, y, _("Victor's Initiative"))
        x -= 10
    if seat in standing.leaders(view):
        yield _mark("crown", x - 12 if x < ARMY - 46 else x + 20, y, _("ahead"))


def _mark(name: str, x: int, y: int, says: str) -> Markup:
    return markup(
        '<g transform="translate({x} {y})"><title>{says}</title><use href="#los-{name}" class="{name}"/></g>',
        x=x,
        y=y,
        says=says,
        name=name,
    )


def _bar(view: LordsView, seat: str, y: int) -> Iterator[Markup]:
    """Draw the way to the throne: each supporter that is won as long as it is strong, in the colour of its clan."""
    whole = max(view.terms.goal, view.points(seat))
    yield markup('<rect class="bar" x="18" y="{y}" width="{wide}" height="18" rx="3"/>', y=y, wide=_BAR)
    done = 0
    for card in view.won[seat]:
        begin, done = _BAR * done // whole, done + view.terms.strength(card)
        yield markup(
            '<rect class="share" x="{x}" y="{y}" width="{wide}" height="16" fill="{tartan}"><title>{card}</title></rect>',
            x=18 + begin,
            y=y + 1,
            wide=_BAR * done // whole - begin,
            tartan=TARTANS[clan(card)],
            card=card,
        )


def _total(views: Sequence[LordsView], seat: str, y: int) -> Iterator[Markup]:
    """Go through what an army comes to: its total, whether that is doubled, its highest rank."""
    if not views[0].armies[seat]:
        return
    stands = standing.army(views, seat)
    yield _text(RIGHT, y + 62, stands.said, "serif total end")
    if stands.doubled:
        yield _text(RIGHT, y + 86, _("doubled"), "end")
    if stands.rank:
        yield _text(RIGHT, y + 110, _("rank {rank}", rank=stands.rank), "note end")


def _army(views: Sequence[LordsView], seat: str, y: int) -> Iterator[Markup]:
    armies = [view.armies[seat] for view in views]
    step = _step(len(armies[0]), RIGHT - 80 - ARMY)
    for i, follower in enumerate(armies[0]):
        known = [army[i].card for army in armies if army[i].card != HIDDEN]
        card = known[0] if known else HIDDEN
        at = f"follower:{seat}/{i + 1}"
        yield _card(views[0], ARMY + i * step, y, card, down=not follower.up, power=follower.power or "", at=at)


def _hand(views: Sequence[LordsView], seat: str, y: int) -> list[Markup]:
    hand, short = _held(views, seat), _hand_high(views) == SHORT
    step = _step(len(hand), WIDTH - 22 - ARMY)
    head = [_text(18, y + 34, _("Hand"), "serif head")] if hand else []
    return [*head, *(
        _card(views[0], ARMY + i * step, y, card, at=f"hand:{seat}/{i + 1}", short=short) for i, card in enumerate(hand)
    )]  # fmt: skip


def _step(n: int, room: int) -> int:
    """Return the distance between that number of cards in this room: they overlap if they must."""
    return min(STEP, (room - CARD_W) // max(1, n - 1))
