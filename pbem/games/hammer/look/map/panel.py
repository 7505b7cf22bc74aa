"""The panels beside the land: the cartouche with year and turn, the table of both sides, the key to the signs."""

from __future__ import annotations

from markupsafe import Markup

from pbem.i18n import N_
from pbem.look.markup import joined, markup

from ...rules import ENGLISH, SCENARIOS, SCOTTISH, SIDES, card_value, last_year
from ...rules.said import _
from ...views import HammerView
from ..board import nobles as nobles_of
from ..board import player_1
from ..words import SIDE, the
from .geometry import num
from .scene import Scene

MOST_YEARS = 18
_ROMAN = ("I", "II", "III", "IV", "V")
SEEN_BY = {ENGLISH: N_("as the English see it"), SCOTTISH: N_("as the Scots see it"), "": N_("as everybody sees it")}


def seen_by(scene: Scene) -> str:
    """Return the heading that says who sees this map."""
    if len(scene.seats) > 1:
        return _("the whole position")
    seat = scene.seats[0] if scene.seats else ""
    return _(SEEN_BY[seat])


def cartouche(scene: Scene) -> Markup:
    """Draw scenario, year, the years of the scenario, and the five turns with the winter."""
    view = scene.view
    scenario, last = SCENARIOS[view.scenario], last_year(view.scenario, view.years or 0)
    now = len(_ROMAN) if "winter" in view.frames else view.turn - 1
    return markup(
        '<g id="hm-cartouche"><rect class="scroll" x="748" y="18" width="236" height="146" rx="3"/>'
        '<rect class="rule" x="752.5" y="22.5" width="227" height="137" rx="2"/>'
        '<text class="serif big mid" x="866" y="57">{year}</text>'
        '<text class="italic head mid" x="866" y="77">{title}</text>'
        '{years}{turns}<text class="italic head mid" x="866" y="150">{seen}</text></g>',
        year=view.year, title=_(scenario.title), years=_years(view.year, scenario.first_year, last),
        turns=joined(_turn(i, numeral, i == now) for i, numeral in enumerate((*_ROMAN, _("Winter")))), seen=seen_by(scene),
    )  # fmt: skip


def _turn(no: int, numeral: str, now: bool) -> Markup:
    x, wide = (764 + 29 * no, 24) if no < len(_ROMAN) else (911, 58)
    return markup(
        '<rect class="{rect}" x="{x}" y="106" width="{wide}" height="22" rx="2"/>'
        '<text class="serif small mid{text}" x="{middle}" y="121.5">{numeral}</text>',
        rect="now" if now else "rule", x=x, wide=wide, text=" now-text" if now else "", middle=num(x + wide / 2), numeral=numeral,
    )  # fmt: skip


def _years(now: int, first: int, last: int | None) -> Markup:
    """Draw the years of a game as a row of dots; of one with very many, or no last, only when it began."""
    if last is None or last - first > MOST_YEARS:
        return markup(
            '<text class="serif small mid" x="866" y="94">{since}</text>', since=_("since {year}", year=first)
        )
    return _dots(now, first, last)


def _dots(now: int, first: int, last: int) -> Markup:
    step = min(26.0, 150 / max(last - first, 1))
    start, end = 866 - step * (last - first) / 2, 866 + step * (last - first) / 2
    dots = joined(
        markup(
            '<circle class="{kind}" cx="{x}" cy="90" r="{r}"/>',
            kind="now" if year <= now else "rule",
            x=num(start + step * (year - first)),
            r=4.4 if year == now else 2.4,
        )
        for year in range(first, last + 1)
    )
    return markup(
        '<text class="serif small end" x="{left}" y="94">{first}</text>{dots}'
        '<text class="serif small" x="{right}" y="94">{last}</text>',
        left=num(start - 9), first=first, dots=dots, right=num(end + 9), last=last,
    )  # fmt: skip


def table(scene: Scene) -> Markup:
    """Draw nobles, pools and cards of both sides, and further notes."""
    view, top = scene.view, 1108
    pools = {str(side): n for side, n in view.pools.items()}
    parts = [_frame(top, _("Nobles"), _("Pool"), _("Cards played"))]
    for i, side in enumerate(SIDES):
        y = top + 47 + 29 * i
        who, nobles = _(SIDE[side]), nobles_of(view, str(side))
        parts.append(
            markup(
                '<use href="#hm-shield-{side}" x="39" y="{above}"/>'
                '<text class="serif row" x="52" y="{y}">{who}</text>'
                '<text class="number mid" x="127" y="{y}">{nobles}</text>'
                '<text class="number mid" x="177" y="{y}">{pool}</text>',
                side=side, above=y - 5, y=y, who=who, nobles=nobles, pool=pools[side],
            )
        )  # fmt: skip
        parts += [_card(side, card, 206 + 23 * n, y - 16) for n, card in enumerate(_cards(view, side))]
    parts.append(
        markup('<text class="italic row mid" x="176" y="{y}">{notes}</text>', y=top + 101, notes=_notes(scene))
    )
    return markup('<g id="hm-table" class="pb-score">{parts}</g>', parts=joined(parts))


def _frame(top: int, *heads: str) -> Markup:
    """Draw the table without its rows."""
    scroll = markup(
        '<rect class="scroll" x="18" y="{top}" width="316" height="114" rx="3"/>'
        '<rect class="rule" x="22.5" y="{inner}" width="307" height="105" rx="2"/>',
        top=top, inner=top + 4.5,
    )  # fmt: skip
    said = (
        markup('<text class="serif small mid" x="{x}" y="{y}">{head}</text>', x=x, y=top + 21, head=head)
        for x, head in zip((127, 177, 263), heads, strict=True)
    )
    return joined([scroll, *said])


def _cards(view: HammerView, side: str) -> list[str]:
    """Return the cards of the year as everybody sees them: the value or the first letters of those played, then backs."""
    played = [str(card_value(card)) if card_value(card) else card[:2] for card in view.cards[side].played]
    return played + [""] * view.cards[side].left


def _card(side: str, says: str, x: float, y: float) -> Markup:
    if not says:
        return markup(
            '<g class="{side}"><rect class="body" x="{x}" y="{y}" width="19" height="23" rx="2"/></g>',
            side=side,
            x=x,
            y=y,
        )
    return markup(
        '<rect fill="#fffaf0" stroke="#5f4526" x="{x}" y="{y}" width="19" height="23" rx="2"/>'
        '<text class="card mid" x="{middle}" y="{base}">{says}</text>',
        x=x, y=y, middle=x + 9.5, base=y + 15.5, says=says,
    )  # fmt: skip


def _notes(scene: Scene) -> str:
    """Return the one thing beside the rest that matters most now."""
    view = scene.view
    if view.truce:
        return _("Truce: {who} may not attack", who=the(view.truce))
    told = [player_1(view).removesuffix(".")] if view.first else []
    if view.king:
        told.append(_("King {king}", king=view.king) if told else _("King {king} of Scots", king=view.king))
    return _("; ").join(told)


def key() -> Markup:
    """Draw the key to the signs, and the compass."""
    rows = [
        (markup('<path class="line major" d="M30 0H66"/><path class="line core" d="M30 0H66"/>'), _("open border: 6")),
        (markup('<path class="line minor" d="M30 0H66"/>'), _("rough border: 2")),
        (
            markup('<use href="#hm-tower" class="now" x="48"/><text class="limit mid" x="48" y="6">2</text>'),
            _("castle limit"),
        ),
        (markup('<use href="#hm-cross" fill="#7d1a14" x="48"/>'), _("cathedral")),
        (
            markup('<use href="#hm-shield-english" x="38"/><use href="#hm-shield-scottish" x="58"/>'),
            _("his noble’s side"),
        ),
        (
            markup('<use href="#hm-arms-bruce" x="28" y="-9"/><use href="#hm-arms-comyn" x="50" y="-9"/>'),
            "Bruce, Comyn",
        ),
        (_crossed(_("E 1/6"), 48), _("blocks over a border")),
        (_crossed(_("E 3/6"), 43, markup('<use href="#hm-swords" x="67"/>')), _("the main attack")),
        (
            markup('<rect class="contested" x="28" y="-8" width="42" height="16" stroke="#5f4526"/>'),
            _("contested"),
        ),
    ]
    drawn = (
        markup(
            '<g transform="translate(0 {y})">{sign}<text class="serif small" x="84" y="4">{says}</text></g>',
            y=f"{654 + 23.5 * i:g}",
            sign=sign,
            says=says,
        )
        for i, (sign, says) in enumerate(rows)
    )
    return markup(
        '<g id="hm-key" class="pb-key"><rect class="scroll" x="18" y="634" width="186" height="228" rx="3"/>'
        '<rect class="rule" x="22.5" y="638.5" width="177" height="219" rx="2"/>{rows}</g>{compass}',
        rows=joined(drawn), compass=_compass(),
    )  # fmt: skip


def _crossed(text: str, x: int, swords: Markup | str = "") -> Markup:
    return markup(
        '<g class="used english"><rect class="body" x="{left}" y="-8.5" width="{wide}" height="17" rx="2.5"/>'
        '<text class="mid" x="{x}" y="4.2">{text}</text>{swords}</g>',
        left=25 if swords else x - 22, wide=54 if swords else 44, x=x, text=text, swords=swords,
    )  # fmt: skip


def _compass() -> Markup:
    rays = joined(
        markup(
            '<g transform="rotate({turn})"><path d="M0-{long} {wide} -{wide} 0 0z" fill="#33230f"/>'
            '<path d="M0-{long}-{wide}-{wide} 0 0z" fill="#f7edd3" stroke="#33230f" stroke-width=".6"/></g>',
            turn=turn,
            long=long,
            wide=wide,
        )
        for turn, long, wide in [(t, 25, 5) for t in (45, 135, 225, 315)] + [(t, 38, 6) for t in (0, 90, 180, 270)]
    )
    return markup(
        '<g id="hm-compass" transform="translate(104 938)"><circle r="31" fill="#f7edd3" fill-opacity=".55" class="rule"/>'
        '<circle r="27" class="rule"/>{rays}<text class="serif head mid" y="-43">N</text></g>',
        rays=rays,
    )
