"""A game as one seat sees it, by mail or solo: the facts heard, the open question, and the parts shown on a page.

It is made only from the seat's own copy (`pbem.player.showing`), or from the same of a solo game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from pbem.errors import OrderError, PlayerError, RecordError, UsageError
from pbem.games import GamePack
from pbem.games.touching import among, few, judged, mended, unsaid
from pbem.i18n import _, in_english
from pbem.kernel import Json, SendingAhead, View, read_ahead, read_lines, read_plans, take_apart
from pbem.ledger import Log, cj, read_line
from pbem.ledger.first_line import HOST, ModeName
from pbem.look import PageTable
from pbem.look.touches import Touch
from pbem.player.copy import sense
from pbem.player.saying import HostSpeaker
from pbem.records import dataclass
from pbem.reports.course import closing
from pbem.reports.html import TextLine, board, lines
from pbem.reports.replay import Opened, who_stood_better
from pbem.reports.text import result_text
from pbem.reports.told import Told
from pbem.reports.told import told as tells_of

from . import calls, numbered, playing
from .alone import Solo
from .called import called
from .ending import last_views, outcome, rematches
from .preview import drawing, preview
from .tale import Tale, laid_out

if TYPE_CHECKING:
    from markupsafe import Markup


class MovedError(PlayerError):
    """The text was written for another question than the open one."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat's view of a game. `doubt` is a fault in the question's time; `marks` are those for which premoves are possible."""

    game: str
    pack: GamePack
    seat: str
    tells: Sequence[Told]
    entry: int
    asked: tuple[str, ...] = ()
    ask: int | None = None
    since: str = ""
    due: str = ""
    result: Json | None = None
    plans: str = ""
    plans_shown: bool | None = None
    """Are they pledged in battles? None: there is nothing to be pledged."""
    alone: bool = False
    doubt: str = ""
    answered: bool = False
    watched: bool = False
    mode: ModeName = HOST
    puzzle: bool = False
    """Whether it is a puzzle, where only the order itself counts."""
    chances: bool = True
    """May chances be shown? Players can have agreed that programs show none (`terms`), as long as the game is on."""
    offers: int = 0
    back: bool = False
    """Can the last answer be taken back? Only in a game alone; others agree to it by letters."""
    marks: Mapping[str, int] = field(default_factory=dict)
    _views: dict[int | None, View] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def posed(cls, name: str, pack: GamePack, seat: str, *seen: tuple[Sequence[Json], Json]) -> Chair:
        """Return a position of a puzzle or a lesson, a view behind no facts; and the result, if its order was given."""
        tells = [Told(n, tuple(facts), read_line(cj(view))) for n, (facts, view) in enumerate(seen)]
        asked = (seat,) if len(tells) == 1 else ()
        return cls(name, pack, seat, tells, tells[-1].n, asked, 0 if asked else None, alone=True, puzzle=True)

    @classmethod
    def by_mail(cls, speaker: HostSpeaker) -> Chair:
        """Return it from the copy on a desk."""
        seat = speaker.seat
        course, log, notes = seat.course, seat.log, seat.notes
        last = log.entries[-1]
        on = course.question if course.waiting else None
        return cls(
            game=notes.game,
            pack=seat.pack,
            seat=notes.seat,
            tells=seat.copy.tells(),
            entry=last.n,
            asked=course.waiting,
            ask=on.n if on else None,
            since=on.at if on else "",
            due=course.due if course.waiting else "",
            result=last.fields["result"] if last.k == "end" else None,
            plans=notes.plans,
            doubt=notes.doubts.get(str(on.n), "") if on else "",
            answered=bool(on and str(on.n) in notes.revisions),
            chances=_agreed(log),
            offers=sum(one.seat != notes.seat and notes.seat not in one.agreed for one in course.offers.values()),
            marks=speaker.next_marks(),
        )

    @classmethod
    def of(cls, solo: Solo) -> Chair:
        """Return it from a game alone."""
        return cls(
            game=solo.name,
            pack=solo.pack,
            seat=solo.seat,
            tells=solo.tells(),
            entry=solo.table.ledger.next_n - 1,
            asked=() if solo.only else solo.asked,
            ask=solo.table.open.ask if solo.table.open else None,
            result=solo.result,
            plans=solo.plans,
            back=solo.back is not None,
            alone=True,
        )

    @classmethod
    def of_log(cls, game: str, log: Log, pack: GamePack, seat: str) -> Chair:
        """Return it from a log that is only looked at; `seat` "" is the public. Raises UsageError where nothing is open to it."""
        last, told = log.entries[-1], tells_of(log, seat or None)
        if not told:
            raise UsageError(_("In this log nothing is open that was told to {seat}.", seat=seat or _("the public")))
        result = last.fields["result"] if last.k == "end" else None
        return cls(
            game=game, pack=pack, seat=seat, tells=told, entry=last.n, result=result, watched=True, chances=_agreed(log)
        )

    @property
    def mine(self) -> bool:
        """Is this seat asked?"""
        return self.seat in self.asked and self.result is None

    @property
    def plans_alone(self) -> bool:
        """Return whether standing plans may be written here alone: no answer is due, and the game is still played by mail."""
        waits = self.mine and not self.answered
        return not (waits or self.alone or self.watched) and self.result is None

    def check_ask(self, ask: int | None) -> None:
        """Check that text for question `ask` answers the open question; None means any open question. Raises MovedError."""
        if ask is not None and (ask != self.ask or not self.mine):
            raise MovedError(
                _(
                    "The game has gone on meanwhile: this was written for an earlier question, and nothing is done with it."
                )
            )

    def view(self, n: int | None = None) -> View:
        """Return how the seat sees the game, now or as after entry `n`. Raises UsageError before anything was told."""
        told = self._told(n)
        if n not in self._views:  # it takes as long as a touch
            with sense():
                self._views[n] = self.pack.rules.read_view(read_line(cj(told[-1].view)))
        return self._views[n]

    def _told(self, n: int | None) -> Sequence[Told]:
        """All that was told, up to entry `n`."""
        told = self.tells if n is None else [tell for tell in self.tells if tell.n <= n] or self.tells[:1]
        if not told:
            raise UsageError(_("The game has not begun: nothing has been told yet."))
        return told

    # -- the position ---------------------------------------------------------------------------------------------------

    def position(self, n: int | None, ground: str = "") -> playing.Position:
        """Return the position now, or after entry `n`. The drawing omits its background if `ground` is that background's name."""
        told, view, look = self._told(n), self.view(n), self.pack.look
        now = told is self.tells or told[-1].n == self.tells[-1].n
        with sense():
            shown = board(self.pack, view, "", asks=False)
            heard = [fact for tell in told for fact in tell.facts]
            seen = look.seen(view, heard)
            mine = now and self.mine
            return playing.Position(
                game=self.game,
                title=self.pack.rules.title,
                rules=self.pack.rules.id if self.pack.cover and self.pack.cover.taught else "",
                seat=self.seat,
                seat_name=look.seat_name(self.seat) if self.seat else _("what all could see"),
                alone=self.alone,
                n=told[-1].n,
                drawing=drawing(str(look.picture([view], heard)), ground),
                scene=drawing(str(look.scene([view]))),
                tables=tuple(map(grid, shown.tables)),
                text=shown.text,
                hand=_said(shown.hand),
                cards=tuple(map(laid_out, look.cards(view))),
                seen=grid(seen) if seen else None,
                watched=self.watched,
                mode=self.mode,
                offers=self.offers if now else 0,
                back=self.back and now,
                ahead=tuple(self.marks) if now else (),
                asked=mine,
                ask=self.ask if mine else None,
                answered=mine and self.answered,
                question=_said(lines(look.question(view))) if mine else (),
                waits_for=self.waits_for if now else (),
                since=self.since if now else "",
                due=self.due if now else "",
                over=result_text(self.result, self.pack) if now and self.result is not None else "",
                plans=self.plans,
                plans_shown=self.plans_shown,
                doubt=self.doubt if mine else "",
            )

    def template(self) -> playing.OrderTemplate:
        """Return order lines to type over. They are made by touches, many of them, and so only where somebody wants to type."""
        with sense():
            return playing.OrderTemplate(text=self.pack.look.template(self.view()) if self.mine else "")

    def odds(self) -> playing.OddsShown:
        """Return the chances of the current action. At the same entry, its trials are always the same."""
        if not self.chances and self.result is None:
            return playing.OddsShown(
                tables=(grid(PageTable(_("It was agreed that programs show no chances."), (), ())),)
            )
        luck = Random(f"{self.game} {self.tells[-1].n if self.tells else 0}")  # noqa: S311 - no dice of the game
        with sense():
            return playing.OddsShown(tables=tuple(map(grid, self.pack.look.odds(self.view(), luck))))

    def closing(self, whole: Opened | None = None, solo: Solo | None = None) -> playing.Ended:
        """Return the end and the course of a finished game, as in the replay's last step; empty while it continues.

        `whole` is the revealed part of the game; `solo` is given for a solo game.
        """
        if self.result is None:
            return playing.Ended(drawings=(), tables=())
        with sense():
            went = _at_the_end(closing(self.pack, self.seat, self.tells))
            views = last_views(self.pack, whole) if whole else {}
            return playing.Ended(
                drawings=went.drawings,
                tables=went.tables,
                outcome="" if self.watched else outcome(self.pack, self.seat, self.result, list(views.values())),
                laid_open=picture(self.pack, views) if views else None,
                rematches=rematches(solo) if solo else (),
            )

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The others that are asked, as they are called."""
        name = self.pack.look.seat_name
        return tuple(name(seat) for seat in self.asked if seat != self.seat) if self.result is None else ()

    def story(self, since: int) -> playing.Moments:
        """Return the facts after an entry, moment by moment."""
        with sense():
            return Tale(self.pack, self.seat, self.tells, self._end()).told(since)

    def _end(self) -> playing.Moment | None:
        if self.result is None:
            return None
        over, end = playing.StoryItem(text=result_text(self.result, self.pack), heads=False), _("The end")
        return playing.Moment(n=self.entry, chapters=(playing.StoryPart(name=end, depth=0),), items=(over,))

    # -- an order -------------------------------------------------------------------------------------------------------

    def touches(self, draft: Sequence[str], ground: str = "") -> playing.Touches:
        """Return what may come next after a draft, how the draft reads, and how it looks on the drawing."""
        draft = tuple(in_english(line, self.pack.look.order_words) for line in draft)
        with sense():
            found = tuple(self._next(draft)) if self.mine or self.marks or self.plans_alone else ()
            view = self.view() if self.mine and not self.puzzle else None
            touches, answers = numbered.shown(self.pack, view, tuple(draft), found, self._next)
            drafted = (
                preview(self.pack, self.seat, self.view(), self.tells, draft, ground) if self.mine and draft else None
            )
        order, wrong = self._read(draft, lost=not found)
        return playing.Touches(
            touches=touches,
            answers=answers,
            closed=bool(order),
            order=order,
            unsaid=self._unsaid(draft) if order and self.mine else (),
            wrong=wrong,
            preview=drafted,
        )

    def called(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each line of a draft; "" if touches do not make it."""
        further = cache(lambda draft: tuple(self._next(draft)))  # the lines begin alike
        with sense():
            return tuple(called((line,), further) for line in lines)

    def _unsaid(self, draft: Sequence[str]) -> tuple[str, ...]:
        with sense():
            return unsaid(self.pack, self.view(), take_apart("\n".join(draft)).order)

    def _next(self, draft: Sequence[str]) -> Iterable[Touch]:
        """What the game says may be touched; of one that says nothing, its orders where they are few."""
        if found := self.pack.look.touches(self.view(), draft):
            none = [kind for kind, no in (("choice:PLAN", self.puzzle), ("choice:AHEAD", not self.marks)) if no]
            return [one for one in found if one.at not in none]
        orders = few(self.pack, self.view()) if self.mine else ()
        return among(self.pack, self.view(), orders, draft) if orders else ()

    def _read(self, draft: Sequence[str], *, lost: bool) -> tuple[str, tuple[calls.Wrong, ...]]:
        """Return a draft as a whole order in canonical form, or "" and its problems. An empty draft is neither.

        If no touch continues it (`lost`), the problems also say what would be possible.
        """
        if not any(line.strip() for line in draft):
            return "", ()
        try:
            with sense():
                return self.read("\n".join(draft)), ()
        except OrderError as error:
            with sense():
                said = take_apart("\n".join(draft)).order
                return "", wrong(mended(self.pack, self.view(), said, error) if lost and self.mine else error)
        except (UsageError, RecordError) as error:
            return "", (calls.Wrong(line=0, read="", why=str(error), rule="", legal="", text=str(error)),)

    def read(self, text: str) -> str:
        """Return what would be signed of a text, canonical. Raises OrderError, and UsageError where nothing is asked."""
        rules, sheet = self.pack.rules, take_apart(text)
        if self.puzzle:
            return str(judged(rules, self.view(), in_english(text, self.pack.look.order_words)))
        said: list[str] = []
        if self.plans_alone and sheet.plans and not sheet.ahead and not read_lines(sheet.order):
            return "\n".join(f"PLAN {line}" for line in read_plans(rules, sheet.plans).splitlines())
        if not sheet.ahead or read_lines(sheet.order):
            if not self.mine:
                raise UsageError(_("Nothing is asked of you now."))
            view = self.view()
            said.append(str(judged(rules, view, in_english(sheet.order, self.pack.look.order_words))))
        planned = read_plans(rules, sheet.plans) if sheet.plans else ""
        said += [f"PLAN {line}" for line in planned.splitlines()]
        return "\n".join([*said, *self._sent_ahead(sheet.ahead)])

    def _sent_ahead(self, text: str) -> list[str]:
        from pbem.kernel import typed

        if not text:
            return []
        if not self.marks and isinstance(self.pack.rules, SendingAhead):
            raise UsageError(_("Nothing can be sent ahead here now."))
        found = read_ahead(self.pack.rules, self.view(), self.marks, text)
        return [line for mark, one in found.items() for line in typed(mark, one)]


def second_opinion(game: Log | Opened, pack: GamePack) -> playing.ClosingShown:
    """Return who was ahead in a game, turn by turn; empty if it is not over, or not fully open."""
    with sense():
        return _at_the_end(who_stood_better(game, pack))


def _at_the_end(found: Sequence[PageTable | Markup]) -> playing.ClosingShown:
    tables = tuple(grid(one) for one in found if isinstance(one, PageTable))
    drawings = [drawing(str(one)) for one in found if not isinstance(one, PageTable)]
    return playing.ClosingShown(drawings=tuple(filter(None, drawings)), tables=tables)


def seen_by(pack: GamePack, seat: str, view: View) -> playing.SeenBy:
    """Return how a seat sees a position that is of no game."""
    shown = board(pack, view, "", asks=False)
    return playing.SeenBy(
        seat=seat,
        name=pack.look.seat_name(seat),
        tables=tuple(map(grid, shown.tables)),
        text=shown.text,
        hand=_said(shown.hand),
        question=_said(lines(pack.look.question(view))),
    )


def picture(pack: GamePack, views: Mapping[str, View]) -> playing.SvgDrawing | None:
    """Return what these seats see together, drawn."""
    return drawing(str(pack.look.picture(list(views.values()), ())))


def wrong(error: OrderError) -> tuple[calls.Wrong, ...]:
    """Return the problems of an order, for a page."""
    return tuple(
        calls.Wrong(line=one.line, read=one.read, why=one.why, rule=one.rule, legal=one.legal, text=str(one))
        for one in error.problems
    )


def _agreed(log: Log) -> bool:
    """Return whether the terms of a game let programs show chances. They do by default."""
    return log.entries[0].fields["terms"].get("odds") is not False


def grid(table: PageTable) -> playing.Grid:
    return playing.Grid(title=table.title, heads=table.heads, rows=table.rows, note=table.note)


def _said(found: Iterable[TextLine]) -> tuple[playing.Said, ...]:
    return tuple(playing.Said(text=line.text, depth=line.depth) for line in found)
