"""Drawings of cards: strength, rank, clan, its tartan with the sign of its power, and the power in a few words.

=========  ====  a sign for each power
Scott      two cards, one copied          Ferguson   arrows to and fro
Makgill    a card, and one more           Forsyth    a card that is drawn
MacDonnell a tower that stays             Cockburn   arrows up and down
Wemyss     a cross                        Cochrane   two crowns
Bruce      a crown
=========  ====
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap

from markupsafe import Markup

from pbem.i18n import N_, _
from pbem.look.markup import joined, markup

from ..rules.cards import BRUCE, CLANS, COCHRANE, COCKBURN, FERGUSON, FORSYTH, MACDONNELL, MAKGILL, SCOTT, WEMYSS, clan
from .style import BACK, BLUE, INK, PAPER, STRIPES, TARTANS, THREAD

CARD_W, CARD_H, SHORT = 92, 132, 84
"""The width and height of a card, and its visible part where it matters less."""
DRAWN = 1024
"""The number of cached card drawings."""
_SAYS = {
    SCOTT: N_("copies a power"), MAKGILL: N_("musters another"), MACDONNELL: N_("stays for a round"),
    WEMYSS: N_("discards a follower"), FERGUSON: N_("swaps with a follower"), FORSYTH: N_("draws a card"),
    COCKBURN: N_("swaps with a supporter"), COCHRANE: N_("claims two"), BRUCE: N_("is of any clan"),
}  # fmt: skip
_ROOM = 13
"""The number of letters of the power's text that fit in a line."""
_SIGNS = {
    SCOTT: "M-9-9H3V5H-9zM-4 5V9H9V-5H3",
    MAKGILL: "M-9-10H1V8H-9zM6-5V7M0 1H12",
    MACDONNELL: "M-8 10V-4H-10V-10H-6V-7H-2V-10H2V-7H6V-10H10V-4H8V10zM-2 10V4H2V10",
    WEMYSS: "M-8-8L8 8M8-8L-8 8",
    FERGUSON: "M-10-4H9M5-8L9-4 5 0M10 5H-9M-5 1L-9 5-5 9",
    FORSYTH: "M-8 2V10H8V2M0 6V-10M-5-5L0-10 5-5",
    COCKBURN: "M-5 10V-9M-9-5L-5-9-1-5M5-10V9M1 5L5 9 9 5",
    COCHRANE: "M-8-2V-10L-4-6 0-11 4-6 8-10V-2zM-8 10V2L-4 6 0 1 4 6 8 2V10z",
    BRUCE: "M-10 8V-6L-5 0 0-9 5 0 10-6V8z",
}
_WEAVE = "".join(f"M{x} 12L{x + 14} 26 {x} 40 {x - 14} 26z" for x in (22, 46, 70))
_CROWN = "M-13 9V-7L-6 0 0-11 6 0 13-7V9z"


def definitions() -> Markup:
    """Return the shared definitions: a tartan for each clan, the signs of the powers, a card's back, crown and flag.

    They have no classes, because on a page a class would not reach the elements that refer to them. Those elements have the class,
    or the definitions have colours.
    """
    signs = joined(markup('<path id="los-{name}" d="{d}"/>', name=name, d=d) for name, d in _SIGNS.items())
    weave = joined(markup('<path transform="translate(0 {y})" d="{d}"/>', y=y, d=_WEAVE) for y in (0, 28, 56, 80))
    return markup(
        '<defs>{tartans}{signs}<path id="los-crown" d="{crown}"/><g id="los-back">'
        '<rect width="{wide}" height="{high}" rx="8" fill="{back}" stroke="{ink}" stroke-width="1.5"/>'
        '<g fill="none" stroke="{thread}" stroke-width="1.6">'
        '<rect x="6" y="6" width="{inner}" height="{depth}" rx="4"/>{weave}</g></g>'
        '<g id="los-flag"><path fill="{blue}" d="M0-14H34L27-4 34 6H0z"/><g fill="none"><path stroke="{paper}" stroke-width="3" '
        'd="M3-12L21 4M21-12L3 4"/><path stroke="{ink}" stroke-width="1.2" d="M0-14H34L27-4 34 6H0z"/><path stroke="{ink}" '
        'stroke-width="2.4" stroke-linecap="round" d="M0-15V11"/></g></g></defs>',
        tartans=joined(map(_tartan, (*CLANS, BRUCE))), signs=signs, crown=_CROWN, wide=CARD_W, high=CARD_H, inner=CARD_W - 12,
        depth=CARD_H - 12, weave=weave, back=BACK, ink=INK, paper=PAPER, blue=BLUE, thread=THREAD,
    )  # fmt: skip


def _tartan(name: str) -> Markup:
    broad, thin = STRIPES[name]
    return markup(
        '<pattern id="los-t-{name}" width="23" height="24" patternUnits="userSpaceOnUse">'
        '<rect width="23" height="24" fill="{ground}"/>'
        '<path d="M7 0V24M0 7H23" stroke="{broad}" stroke-width="8" stroke-opacity=".55"/>'
        '<path d="M17 0V24M0 17H23" stroke="{thin}" stroke-width="1.6" stroke-opacity=".8"/></pattern>',
        name=name, ground=TARTANS[name], broad=broad, thin=thin,
    )  # fmt: skip


def face(card: str, strength: int, rank: int, *, down: bool = False, power: str = "", short: bool = False) -> Markup:
    """Return a card, drawn from its upper left corner.

    `down` is a card that is face-down, but known. `power` is the clan with the power that works for it until the end of the round.
    A `short` card leaves out the text of its power.
    """
    says = _(_SAYS[clan(card)])
    foot = _("face-down") if down else _(_SAYS[power]) if power else says
    told = _("{card}, rank {rank}: {power}", card=card, rank=rank, power=says)
    kind = " ".join(name for name, there in (("card", True), ("down", down), ("works", power)) if there)
    return _drawn(clan(card), strength, rank, kind, told, "" if short else foot)


@lru_cache(DRAWN)
def _drawn(name: str, strength: int, rank: int, kind: str, told: str, foot: str) -> Markup:
    """Draw a card, a short one without a foot. All its words are handed in: the next may be in another language."""
    figures = {"right": CARD_W - 8, "strength": strength, "rank": rank, "clan": name}
    return joined([
        markup(
            '<title>{told}</title><rect class="{kind}" width="{wide}" height="{high}" rx="8"/>',
            told=told, kind=kind, wide=CARD_W, high=CARD_H if foot else SHORT,
        ),
        markup(
            '<text class="serif strength" x="8" y="34">{strength}</text><text class="rank end" x="{right}" y="21">{rank}</text>'
            '<text class="name" x="8" y="54">{clan}</text>',  # to the left: cards may overlap
            **figures,
        ),
        joined([_band(name, 61, 34), _sign(name), *_foot(foot, kind)]) if foot else _band(name, 62, 15),
    ])  # fmt: skip


def _band(name: str, y: int, high: int) -> Markup:
    return markup(
        '<rect x="1" y="{y}" width="{wide}" height="{high}" fill="url(#los-t-{name})"/>',
        y=y, wide=CARD_W - 2, high=high, name=name,
    )  # fmt: skip


def _sign(name: str) -> Markup:
    return markup(
        '<circle class="seal" cx="{x}" cy="78" r="19"/><use href="#los-{name}" class="sign" x="{x}" y="78"/>',
        x=CARD_W // 2,
        name=name,
    )


def _foot(text: str, kind: str) -> Iterator[Markup]:
    """Yield the foot of a card; a power at work is on gold."""
    if "works" in kind:
        yield markup('<rect class="ribbon" x="3" y="98" width="{wide}" height="31" rx="5"/>', wide=CARD_W - 6)
    lines = wrap(text, _ROOM)[:2]
    for no, line in enumerate(lines):
        yield markup(
            '<text class="power {kind} mid" x="{x}" y="{y}">{line}</text>',
            kind="says" if kind == "card" else "lies", x=CARD_W // 2, y=(111 if len(lines) > 1 else 118) + 14 * no, line=line,
        )  # fmt: skip
