"""How a game went, for its end: the nobles through the years, losses, and the luck of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from markupsafe import Markup

from pbem.kernel import Json, View
from pbem.look import PageTable
from pbem.look.markup import joined, markup

from ..rules import BLOCK_OF, DEAD, ENGLISH, MORAY, NOBLES, SCOTTISH, SIDES
from ..rules.said import _
from ..views import HammerView
from .board import may_be_on_map
from .map.geometry import num
from .words import SIDE

PIPS = 6
HIGH, WIDE, LEFT, TOP = 110, 270, 34, 26
MOST = len(NOBLES) + 1
"""The maximum number of nobles of the Scots, including Moray."""
APART, MOST_YEARS = 5, 9
"""The distance of a side's name from its line, away from the other, and the number of years that fit below."""


def closing(course: Sequence[tuple[HammerView, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
    """Return the nobles of both sides at the end of each year, as a drawing and a table; losses; dice."""
    years = {view.year: _counted(view) for view, _facts in course}
    facts = [fact for _view, heard in course for fact in heard]
    chart = [_chart(years)] if len(years) > 1 else []
    return [
        PageTable(
            _("The final count"),
            ("", *_sides()),
            (
                (_("Nobles"), str((last := years[max(years)]).english), _scots(last)),
                (_("of them Moray"), "0", _("not known") if last.moray is None else str(int(last.moray))),
            ),
        ),
        *chart,
        _nobles(years),
        _losses(facts),
        _dice(facts),
    ]


def nobles(views: Sequence[View]) -> dict[str, int]:
    """Return how many nobles follow each side in the last views of both, in which nothing is hidden."""
    found = [_counted(cast("HammerView", view)).least for view in views]
    return {ENGLISH: max(one[0] for one in found), SCOTTISH: max(one[1] for one in found)}


def _sides() -> tuple[str, str]:
    return _(SIDE[ENGLISH]), _(SIDE[SCOTTISH])


class _Counted(NamedTuple):
    """How many nobles on the map follow each side, the Scots without Moray; and whether he is there, None if this view hides it."""

    english: int
    scottish: int
    moray: bool | None

    @property
    def least(self) -> tuple[int, int]:
        """Return how many each side has for certain, the English first."""
        return self.english, self.scottish + bool(self.moray)


def _counted(view: HammerView) -> _Counted:
    """Count the nobles as victory does (9.0): Moray is one of the Scots while he is on the map."""
    english = sum(side == ENGLISH for side in view.nobles.values())
    scottish = len(NOBLES) - english
    if view.own(MORAY) or not may_be_on_map(view, MORAY):
        return _Counted(english, scottish, moray=may_be_on_map(view, MORAY))
    why = (view.result or {}).get("why", "")
    if english == scottish + 1 and why in ("majority", "tie wallace", "tie no wallace"):
        return _Counted(english, scottish, moray=why != "majority")
    if not view.pools.get(SCOTTISH):  # type: ignore[call-overload]
        return _Counted(english, scottish, moray=True)
    return _Counted(english, scottish, moray=None)


def _nobles(years: dict[int, _Counted]) -> PageTable:
    rows = tuple((str(year), str(count.english), _scots(count)) for year, count in years.items())
    note = _("Moray counts for the Scots while he is on the map.")
    if any(count.moray is None for count in years.values()):
        note = _(
            "Moray counts for the Scots while he is on the map. Where you cannot know that, you read both numbers."
        )
    return PageTable(_("Nobles at the end of each year"), (_("Year"), *_sides()), rows, note)


def _scots(count: _Counted) -> str:
    if count.moray is None:
        return _("{a} or {b}", a=count.scottish, b=count.scottish + 1)
    return str(count.least[1])


def _losses(facts: Sequence[Json]) -> PageTable:
    killed = Counter((fact["side"], fact["fate"] == DEAD) for fact in facts if fact["f"] == "killed")
    lost = Counter(fact["by"] for fact in facts if fact["f"] == "captured")
    won = Counter(fact["winner"] for fact in facts if fact["f"] == "battle over" and fact.get("winner"))
    told = {
        _("Battles won"): [won[side] for side in SIDES],
        _("Nobles captured"): [lost[side] for side in SIDES],
        _("Blocks eliminated"): [killed[side, False] + killed[side, True] for side in SIDES],
        _("of them for good"): [killed[side, True] for side in SIDES],
    }
    rows = tuple((what, *map(str, counts)) for what, counts in told.items())
    return PageTable(_("Battles"), ("", *_sides()), rows)


class _Volley(NamedTuple):
    """The rolls of a block: its side, the number of dice, the highest number that hits, and the number of hits."""

    side: str
    dice: int
    rating: int
    hits: int


def _volleys(facts: Sequence[Json]) -> Iterator[_Volley]:
    """Go through all fire; the side of a block is that of its last reveal."""
    of: dict[str, str] = {}
    for fact in facts:
        if fact["f"] == "reveal":
            of |= {BLOCK_OF[key]: fact["side"] for key in fact["blocks"]}
        elif fact["f"] == "fire" and fact["block"] in of:
            yield _Volley(of[fact["block"]], len(fact["dice"]), fact["rating"], fact["hits"])


def _dice(facts: Sequence[Json]) -> PageTable:
    volleys = list(_volleys(facts))
    rows = []
    for side in SIDES:
        own = [volley for volley in volleys if volley.side == side]
        sixths = sum(volley.dice * volley.rating for volley in own)
        hits = sum(volley.hits for volley in own)
        rows.append(
            (_(SIDE[side]), str(sum(volley.dice for volley in own)), str(hits), _tenths(sixths), _luck(hits, sixths))
        )
    heads = (_("Side"), _("Dice"), _("Hits"), _("To be expected"), _("Luck"))
    return PageTable(_("The dice of the battles"), heads, tuple(rows))


def _tenths(sixths: int) -> str:
    """Return sixths as a number with one place.

    >>> _tenths(10), _tenths(12)
    ('1.7', '2.0')
    """
    tenths = (sixths * 10 + PIPS // 2) // PIPS
    return _("{whole}.{tenth}", whole=tenths // 10, tenth=tenths % 10)


def _luck(hits: int, sixths: int) -> str:
    more = hits * PIPS - sixths
    return f"{'+' if more >= 0 else '−'}{_tenths(abs(more))}"


def _chart(years: dict[int, _Counted]) -> Markup:
    """Draw the nobles of both sides through the years, the English by a whole line, the Scots by a broken one."""
    steps = WIDE / (len(years) - 1)
    lines = []
    for place, side in enumerate(SIDES):
        points = [
            (LEFT + i * steps, TOP + HIGH - HIGH * count.least[place] / MOST) for i, count in enumerate(years.values())
        ]
        d = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)
        lines.append(markup('<g class="move {side}"><path class="over" d="{d}"/></g>', side=side, d=d))
        apart = APART if points[-1][1] > TOP + HIGH / 2 else -APART
        lines.append(_text(_(SIDE[side]), points[-1][0] + 6, points[-1][1] + 4 + apart, "small"))
    every = -(-len(years) // MOST_YEARS)
    named = list(enumerate(years))[::every]
    lines += [_text(str(year), LEFT + i * steps, TOP + HIGH + 18, "small mid") for i, year in named]
    scale = (0, MOST // 2, MOST)
    lines += [_text(str(n), LEFT - 8, TOP + HIGH - HIGH * n / MOST + 4, "small end") for n in scale]
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="hm scene" viewBox="0 0 {wide} {high}" role="img" aria-label="{title}">'
        '<rect class="scroll" x="1" y="1" width="{inner}" height="{depth}" rx="3"/>'
        '<path class="rule" d="M{left} {top}V{foot}H{right}"/>{lines}</svg>',
        wide=LEFT + WIDE + 60, high=TOP + HIGH + 30, inner=LEFT + WIDE + 58, depth=TOP + HIGH + 28, left=LEFT, top=TOP,
        foot=TOP + HIGH, right=LEFT + WIDE, title=_("Nobles through the years"), lines=joined(lines),
    )  # fmt: skip


def _text(says: str, x: float, y: float, kind: str) -> Markup:
    return markup('<text class="{kind}" x="{x}" y="{y}">{says}</text>', kind=kind, x=num(x), y=num(y), says=says)
