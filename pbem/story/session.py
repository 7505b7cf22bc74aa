"""A session report: two pages on a game that is over, for people who were not there.

It has a chronicle, the turning points (where a built-in player's opinion swung), luck, the best battle, a few awards and the final
count. The text comes from the game's own tale (`pbem.look.tale`) and from what the readers may hear.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.look.pixels import in_few_colours
from pbem.reports.replay import opened
from pbem.reports.turns import Turns

from .forms import TaleBlock, of_passage, opening, written
from .holdings import CHART, counted, drawn_opinion, held
from .pictures import Shot, card, picture
from .telling import ALL, LogHead, ToldGame

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.ledger import Log
    from pbem.look.tale import ToldBattle
    from pbem.reports.replay import Opened

    from .telling import TalePart

JUDGED = 30
"""The maximum number of positions that are judged, evenly through the game: a second or two of a processor."""
LISTED = 20
"""A chronicle lists the battles of its turns if there are not more turns than these."""
SWING, SHOWN = 60, 3
"""The least swing that turns a game, in thousandths of hope, and how many of them are told."""
CARD, FIELD = "story-card.png", "story-battle.png"


class Swing(NamedTuple):
    """A part in which the opinion swung: for whom, from what to what, in thousandths."""

    part: TalePart
    seat: str
    before: int
    after: int

    @property
    def wide(self) -> int:
        """How far it swung."""
        return self.after - self.before


class SessionReport(NamedTuple):
    """A session report: the two pages, and the pictures that they show, by name."""

    html: str
    markdown: str
    pictures: Mapping[str, bytes]


def report(shown: Opened, pack: GamePack, head: LogHead | None = None, *, drawn: bool = True) -> SessionReport:
    """Return the report of a game that is over; with pictures if it is `drawn` and the game has any.

    Raises UsageError for a game that is not over.
    """
    told = _told(shown, pack)
    fights = (
        (part, fight)
        for part in told.parts
        for fight in told.tale.fights([fact for fact in part.facts if told.knows(fact)], told.say)
    )
    best = max(fights, key=lambda one: one[1].weight, default=None)
    pictures = drawn_opinion(told) if drawn else {}
    if drawn and told.pack.look.picture(told.views(told.parts[-1].last), told.facts):
        pictures[CARD] = card(told, head)
        if best:
            pictures[FIELD] = in_few_colours(picture(told, Shot(best[0].last, best[0].title)))
    blocks = list(_blocks(told, head, best, pictures))
    inside = {name: f"data:image/png;base64,{b64encode(data).decode()}" for name, data in pictures.items()}
    page = [one._replace(text=inside[one.text]) if one.kind == "image" else one for one in blocks]
    return SessionReport(written(page, "html"), written(blocks, "markdown"), pictures)


def page_of(log: Log, pack: GamePack) -> str:
    """Return the page of a log's game that is over, without pictures."""
    return report(opened(log), pack, LogHead(*log.head), drawn=False).html


def _told(shown: Opened, pack: GamePack) -> ToldGame:
    """Return the game with everything, or as the public saw it if the copy does not open everything."""
    try:
        return ToldGame(shown, pack, ALL)
    except UsageError:
        return ToldGame(shown, pack)


def _blocks(
    told: ToldGame, head: LogHead | None, best: tuple[TalePart, ToldBattle] | None, pictures: Mapping[str, bytes]
) -> Iterator[TaleBlock]:
    yield from opening(told, head)
    if CARD in pictures:
        yield TaleBlock("image", CARD, (told.result,))
    yield TaleBlock("h2", _("Chronicle"))
    yield TaleBlock("list", lines=told.summary() or [part.title for part in told.parts if part.name])
    if 0 < len(turns := [*_chronicle(told)]) <= LISTED:
        yield TaleBlock("list", lines=turns)
    if swings := turning_points(told):
        yield TaleBlock("h2", _("Turning points"))
        yield TaleBlock(
            "p",
            _(
                "Where a built-in player, who sees everything, changed its mind. The drawing shows each side's share of wins as "
                "an area."
            ),
        )
        yield from (TaleBlock("image", name, (_("Who stood better"),)) for name in pictures if name == CHART)
        for swing in swings:
            yield TaleBlock("h3", swing.part.title)
            yield TaleBlock("p", _said(told, swing))
    if luck := told.tale.luck(told.facts):
        yield TaleBlock("h2", _("Luck"))
        yield TaleBlock("list", lines=luck)
    if best:
        yield TaleBlock("h2", _("The best battle"))
        yield from of_passage(best[1].passage, " – ".join(filter(None, (best[1].passage.head, best[0].name))))
        if FIELD in pictures:
            yield TaleBlock("image", FIELD, (best[0].title,))
    if awards := told.tale.awards(told.facts):
        yield TaleBlock("h2", _("Awards"))
        yield TaleBlock(
            "list", lines=[_("{award}: {who}, {why}.", award=one.name, who=one.who, why=one.why) for one in awards]
        )
    yield TaleBlock("h2", _("The final count"))
    yield TaleBlock("p", told.result)
    yield from (TaleBlock("table", table=one) for one in (*held(told), *told.tables()))


def _chronicle(told: ToldGame) -> Iterator[str]:
    """Yield a line for each part with battles: its name, and how they ended."""
    for part in told.parts:
        if ended := _ended(told, part):
            yield _("{chapter}: {what}", chapter=part.name, what=ended)


def _ended(told: ToldGame, part: TalePart) -> str:
    """Return how the battles of a part ended, in its order; "" if there were none."""
    turns = Turns()
    for fact in part.facts:
        chapter = told.pack.look.chapter(fact) if told.knows(fact) else None
        if chapter is not None and chapter.depth == 1:
            turns.note(part.n, chapter)
    return _("; ").join(counted(map(str, turns.found)))


def turning_points(told: ToldGame) -> list[Swing]:
    """Return the parts in which the opinion swung most, in their order; none for a game that nobody judges."""
    judge = told.pack.opinion
    parts = [part for part in told.parts if part.name]
    if judge is None or told.seat != ALL or len(parts) < 2:
        return []
    every = -(-len(parts) // JUDGED)
    marks = parts[::every]
    hopes = [judge(told.views(part.n), Random(part.n)) for part in marks]  # noqa: S311 - no dice of a game
    swings = []
    for part, before, after in zip(marks, hopes, hopes[1:], strict=False):
        seat = max(after, key=lambda one: after[one] - before[one])
        swings.append(Swing(part, seat, before[seat], after[seat]))
    wide = sorted((one for one in swings if one.wide >= SWING), key=lambda one: -one.wide)[:SHOWN]
    return sorted(wide, key=lambda one: one.part.n)


def _said(told: ToldGame, swing: Swing) -> str:
    """Return a swing in words, with the battles of its part."""
    text = _(
        "{seat}: from {before} to {after} wins in a hundred such games.",
        seat=told.names[swing.seat],
        before=(swing.before + 5) // 10,
        after=(swing.after + 5) // 10,
    )
    ended = _ended(told, swing.part)
    return f"{text} {ended}." if ended else text
