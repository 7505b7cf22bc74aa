"""What stands beside the land: the cartouche with year and turn, the table of both sides, the key to the signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.words import N_, _

from ...rules.facts import ENGLISH, SCOTTISH, SIDES, card_value
from ...rules.scenarios import SCENARIOS
from ..board import player_1
from ..words import SIDE, the
from .geometry import num

if TYPE_CHECKING:
    from ...views import HammerView
    from .scene import Scene

MOST_YEARS = 18
_ROMAN = ("I", "II", "III", "IV", "V")
SEEN_BY = {ENGLISH: N_("as the English see it"), SCOTTISH: N_("as the Scots see it"), "": N_("as everybody sees it")}


def seen_by(scene: Scene) -> str:
    """Return whose map this is."""
    if len(scene.seats) > 1:
        return _("the whole position")
    seat = scene.seats[0] if scene.seats else ""
    return _(SEEN_BY[seat])


def cartouche(scene: Scene) -> str:
    """Draw scenario, year, the years of the scenario, and the five turns with the winter."""
    view = scene.view
    scenario = SCENARIOS[view.scenario]
    title, winter = _(scenario.title), "winter" in view.frames
    turns = []
    for i, numeral in enumerate((*_ROMAN, _("Winter"))):
        now = winter if i == len(_ROMAN) else view.turn == i + 1 and not winter
        x, wide = (764 + 29 * i, 24) if i < len(_ROMAN) else (911, 58)
        turns.append(
            f'<rect class="{"now" if now else "rule"}" x="{x}" y="106" width="{wide}" height="22" rx="2"/>'
            f'<text class="serif small mid{" now-text" if now else ""}" x="{num(x + wide / 2)}" y="121.5">{numeral}</text>'
        )
    return (
        '<g id="hm-cartouche"><rect class="scroll" x="748" y="18" width="236" height="146" rx="3"/>'
        '<rect class="rule" x="752.5" y="22.5" width="227" height="137" rx="2"/>'
        f'<text class="serif big mid" x="866" y="57">{view.year}</text>'
        f'<text class="italic head mid" x="866" y="77">{title}</text>'
        f"{_years(view.year, scenario.first_year, scenario.last_year)}"
        f'{"".join(turns)}<text class="italic head mid" x="866" y="150">{seen_by(scene)}</text></g>'
    )


def _years(now: int, first: int, last: int) -> str:
    """Draw the years of a scenario as a row of dots; of one with very many, only when it began."""
    if last - first > MOST_YEARS:
        since = _("since {year}", year=first)
        return f'<text class="serif small mid" x="866" y="94">{since}</text>'
    step = min(26.0, 150 / max(last - first, 1))
    start, end = 866 - step * (last - first) / 2, 866 + step * (last - first) / 2
    dots = "".join(
        f'<circle class="{"now" if year <= now else "rule"}" cx="{num(start + step * (year - first))}" cy="90" '
        f'r="{4.4 if year == now else 2.4}"/>'
        for year in range(first, last + 1)
    )
    return (
        f'<text class="serif small end" x="{num(start - 9)}" y="94">{first}</text>{dots}'
        f'<text class="serif small" x="{num(end + 9)}" y="94">{last}</text>'
    )


def table(scene: Scene) -> str:
    """Draw nobles, pools and cards of both sides, and what else must be known."""
    view, top = scene.view, 1108
    pools = {str(side): n for side, n in view.pools.items()}
    parts = [
        f'<g id="hm-table"><rect class="scroll" x="18" y="{top}" width="316" height="114" rx="3"/>',
        f'<rect class="rule" x="22.5" y="{top + 4.5}" width="307" height="105" rx="2"/>',
    ]
    for x, head in ((127, _("Nobles")), (177, _("Pool")), (263, _("Cards played"))):
        parts.append(f'<text class="serif small mid" x="{x}" y="{top + 21}">{head}</text>')
    for i, side in enumerate(SIDES):
        y = top + 47 + 29 * i
        who, nobles = _(SIDE[side]), sum(1 for one in view.nobles.values() if one == side)
        parts.append(
            f'<use href="#hm-shield-{side}" x="39" y="{y - 5}"/>'
            f'<text class="serif row" x="52" y="{y}">{who}</text>'
            f'<text class="number mid" x="127" y="{y}">{nobles}</text>'
            f'<text class="number mid" x="177" y="{y}">{pools[side]}</text>'
        )
        parts += [_card(side, card, 206 + 23 * n, y - 16) for n, card in enumerate(_cards(view, side))]
    parts.append(f'<text class="italic row mid" x="176" y="{top + 101}">{_notes(scene)}</text></g>')
    return "".join(parts)


def _cards(view: HammerView, side: str) -> list[str]:
    """Return the cards of the year as everybody sees them: the value or the first letters of those played, then backs."""
    played = [str(card_value(card)) if card_value(card) else card[:2] for card in view.cards[side].played]
    return played + [""] * view.cards[side].left


def _card(side: str, says: str, x: float, y: float) -> str:
    if not says:
        return f'<g class="{side}"><rect class="body" x="{x}" y="{y}" width="19" height="23" rx="2"/></g>'
    return (
        f'<rect fill="#fffaf0" stroke="#5f4526" x="{x}" y="{y}" width="19" height="23" rx="2"/>'
        f'<text class="card mid" x="{x + 9.5}" y="{y + 15.5}">{says}</text>'
    )


def _notes(scene: Scene) -> str:
    """Return the one thing beside the rest that matters most now."""
    view = scene.view
    if view.truce:
        return _("Truce: {who} may not attack", who=the(view.truce))
    told = [player_1(view).removesuffix(".")] if view.first else []
    if view.king:
        told.append(_("King {king}", king=view.king) if told else _("King {king} of Scots", king=view.king))
    return _("; ").join(told)


def key() -> str:
    """Draw the key to the signs, and the compass."""
    rows = [
        ('<path class="line major" d="M30 0H66"/><path class="line core" d="M30 0H66"/>', _("open border: 6")),
        ('<path class="line minor" d="M30 0H66"/>', _("rough border: 2")),
        ('<use href="#hm-tower" class="now" x="48"/><text class="limit mid" x="48" y="6">2</text>', _("castle limit")),
        ('<use href="#hm-cross" fill="#7d1a14" x="48"/>', _("cathedral")),
        ('<use href="#hm-shield-english" x="38"/><use href="#hm-shield-scottish" x="58"/>', _("his noble’s side")),
        ('<use href="#hm-arms-bruce" x="28" y="-9"/><use href="#hm-arms-comyn" x="50" y="-9"/>', "Bruce, Comyn"),
        (_crossed(_("E 1/6"), 48, ""), _("blocks over a border")),
        (_crossed(_("E 3/6"), 43, '<use href="#hm-swords" x="67"/>'), _("the main attack")),
        ('<rect class="contested" x="28" y="-8" width="42" height="16" stroke="#5f4526"/>', _("contested")),
    ]
    parts = [
        '<g id="hm-key"><rect class="scroll" x="18" y="634" width="186" height="228" rx="3"/>',
        '<rect class="rule" x="22.5" y="638.5" width="177" height="219" rx="2"/>',
    ]
    for i, (drawn, says) in enumerate(rows):
        parts.append(
            f'<g transform="translate(0 {654 + 23.5 * i:g})">{drawn}<text class="serif small" x="84" y="4">{says}</text></g>'
        )
    return "".join([*parts, "</g>", _compass()])


def _crossed(text: str, x: int, swords: str) -> str:
    wide = 44 if not swords else 54
    return (
        f'<g class="used english"><rect class="body" x="{x - 22 if not swords else 25}" y="-8.5" width="{wide}" height="17" '
        f'rx="2.5"/><text class="mid" x="{x}" y="4.2">{text}</text>{swords}</g>'
    )


def _compass() -> str:
    rays = "".join(
        f'<g transform="rotate({turn})"><path d="M0-{long} {wide} -{wide} 0 0z" fill="#33230f"/>'
        f'<path d="M0-{long}-{wide}-{wide} 0 0z" fill="#f7edd3" stroke="#33230f" stroke-width=".6"/></g>'
        for turn, long, wide in [(t, 25, 5) for t in (45, 135, 225, 315)] + [(t, 38, 6) for t in (0, 90, 180, 270)]
    )
    return (
        '<g id="hm-compass" transform="translate(104 938)"><circle r="31" fill="#f7edd3" fill-opacity=".55" class="rule"/>'
        f'<circle r="27" class="rule"/>{rays}<text class="serif head mid" y="-43">N</text></g>'
    )
