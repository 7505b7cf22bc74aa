"""How a game went, for its end: points through the rounds and whence they came, battles, what became of the cubes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from pbem.i18n import _
from pbem.kernel import Json
from pbem.look import PageTable
from pbem.look.markup import joined, markup, stylesheet

from ..views import SwordsView
from .picture.geometry import num
from .picture.style import COLOURS, INK, SHEET
from .words import player

_WIDE, _HIGH, _LEFT, _TOP = 560, 260, 70, 30


def closing(course: Sequence[tuple[SwordsView, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
    """Return the points at the end of each round, as a drawing and a table; whence they came; battles and cubes."""
    if not course:
        return ()
    seats = tuple(course[-1][0].table.seats)
    facts = [fact for _view, heard in course for fact in heard]
    rounds = {fact["round"]: fact["points"] for fact in facts if fact["f"] == "score"}
    chart = [_chart(seats, rounds)] if rounds else []
    return [*chart, _points(seats, rounds, facts), _battles(seats, facts), _cubes(seats, facts)]


def _points(seats: Sequence[str], rounds: dict[int, dict[str, int]], facts: Sequence[Json]) -> PageTable:
    regions, battles, cards = Counter[str](), Counter[str](), Counter[str]()
    for fact in facts:
        match fact["f"]:
            case "won":
                battles[fact["seat"]] += fact["points"]
            case "bonus":
                cards[fact["seat"]] += fact["points"]
            case "score":
                for one in fact["regions"]:
                    regions[one["seat"]] += one.get("points", 0)
    rows = [
        (_("After round {round}", round=no), *(str(points[seat]) for seat in seats)) for no, points in rounds.items()
    ]
    for label, counted in ((_("for regions"), regions), (_("for battles"), battles), (_("for glory cards"), cards)):
        rows.append((label, *(str(counted[seat]) for seat in seats)))
    return PageTable(_("Points"), ("", *map(player, seats)), tuple(rows))


def _battles(seats: Sequence[str], facts: Sequence[Json]) -> PageTable:
    fought, won, alone = Counter[str](), Counter[str](), Counter[str]()
    for fact in facts:
        if fact["f"] == "battle":
            fought.update(one["seat"] for one in fact["present"])
        elif fact["f"] == "won":
            won[fact["seat"]] += 1
            alone[fact["seat"]] += fact["how"] == "unopposed"
    told = {_("Fought"): fought, _("Won"): won, _("of them unopposed"): alone}
    rows = tuple((what, *(str(counted[seat]) for seat in seats)) for what, counted in told.items())
    n = sum(fact["f"] == "battle" for fact in facts)
    nobody = sum(fact["f"] == "all lost" for fact in facts)
    note = _("{n} battles in all, {nobody} of them without a winner.", n=n, nobody=nobody)
    return PageTable(_("Battles"), ("", *map(player, seats)), rows, note)


def _cubes(seats: Sequence[str], facts: Sequence[Json]) -> PageTable:
    made, sent, killed, glory = (Counter[str]() for _kind in range(4))
    for fact in facts:
        match fact["f"]:
            case "deploy":
                made[fact["seat"]] += 1
            case "commit":
                sent.update({one["seat"]: one["n"] for one in fact["numbers"]})
            case "kill":
                killed[fact["colour"]] += 1
            case "bid":
                glory[fact["seat"]] += fact["n"]
    told = {
        _("Formations deployed"): made, _("Cubes committed"): sent, _("Cubes removed by castles"): killed,
        _("Cubes on glory cards"): glory,
    }  # fmt: skip
    rows = tuple((what, *(str(counted[seat]) for seat in seats)) for what, counted in told.items())
    return PageTable(_("Cubes"), ("", *map(player, seats)), rows)


def _chart(seats: Sequence[str], rounds: dict[int, dict[str, int]]) -> Markup:
    """Draw everybody's points through the rounds, each line named at its end."""
    top = max(max(points.values()) for points in rounds.values()) or 1
    steps = _WIDE / len(rounds)
    ends = _apart({seat: _y([*rounds.values()][-1][seat], top) for seat in seats})
    lines = []
    for no, seat in enumerate(seats):
        points = [(0, 0), *((n, said[seat]) for n, said in enumerate(rounds.values(), 1))]
        d = "M" + "L".join(f"{num(_LEFT + n * steps)} {num(_y(many, top))}" for n, many in points)
        dashes = ("none", "10 6", "3 5", "14 5 3 5")[no % 4]
        lines.append(markup(
            '<path class="course" d="{d}" stroke="{ink}" stroke-width="7"/><path class="course" d="{d}" stroke="{colour}" '
            'stroke-width="4.5" stroke-dasharray="{dashes}"/>',
            d=d, ink=INK, colour=COLOURS[seat][0], dashes=dashes,
        ))  # fmt: skip
        said = _("{who} {n}", who=player(seat), n=[*rounds.values()][-1][seat])
        lines.append(
            markup('<text x="{x}" y="{y}">{said}</text>', x=_LEFT + _WIDE + 12, y=num(ends[seat] + 7), said=said)
        )
    for n, no in enumerate(rounds, 1):
        label = _("Round {round}", round=no)
        lines.append(
            markup(
                '<text class="note end" x="{x}" y="{y}">{label}</text>',
                x=num(_LEFT + n * steps),
                y=_TOP + _HIGH + 30,
                label=label,
            )
        )
    lines += [
        markup('<text class="note end" x="{x}" y="{y}">{n}</text>', x=_LEFT - 10, y=num(_y(many, top) + 7), n=many)
        for many in sorted({0, top // 2, top})
    ]
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="sw scene" viewBox="0 0 {wide} {high}" role="img" '
        'aria-label="{title}">{sheet}<rect class="panel" x="1" y="1" width="{inner}" height="{depth}" rx="10"/>'
        '<path class="rule" d="M{left} {top}V{foot}H{right}"/>'
        "{lines}</svg>",
        wide=_LEFT + _WIDE + 150, high=_TOP + _HIGH + 50, inner=_LEFT + _WIDE + 148, depth=_TOP + _HIGH + 48, left=_LEFT, top=_TOP,
        foot=_TOP + _HIGH, right=_LEFT + _WIDE, title=_("Points through the rounds"), lines=joined(lines), sheet=stylesheet(SHEET),
    )  # fmt: skip


def _y(points: int, top: int) -> float:
    return _TOP + _HIGH - _HIGH * points / top


def _apart(ends: dict[str, float]) -> dict[str, float]:
    """Return where lines are named: so far apart that names do not meet, the lowest first.

    >>> _apart({"pink": 100, "yellow": 110})
    {'yellow': 110, 'pink': 84}
    """
    found: dict[str, float] = {}
    for seat in sorted(ends, key=lambda seat: -ends[seat]):
        found[seat] = min([ends[seat], *(y - 26 for y in found.values())])
    return found
