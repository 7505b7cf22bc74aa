"""Rules and lessons on a page: their texts, the touches that continue, and the effects of an order.

The module is loaded later than the rest of a page (`later`), when somebody wants to learn.
"""

from __future__ import annotations

import re
from textwrap import wrap

from pbem.errors import UsageError
from pbem.games import find
from pbem.games.lessons import LessonStanding, lesson_of, standing
from pbem.games.taught import TaughtSection
from pbem.i18n import _
from pbem.reports.text import WIDTH, set_out

from . import lessons
from .calls import Reply
from .chair import Chair, grid
from .playing import SvgDrawing
from .preview import drawing
from .puzzles import STEP, parted
from .tale import Tale

_DEFINES = re.compile(r"<style>.*?</style>|<defs>.*?</defs>", re.DOTALL)


def answer(asked: lessons.AskRulebook | lessons.AskStep | lessons.AskLeads | lessons.Learn) -> Reply:
    """Answer a call. Raises OrderError, and UsageError for a game or step that there is not."""
    match asked:
        case lessons.AskRulebook(game=game):
            return _rulebook(game)
        case lessons.AskStep(game=name):
            return _step(_named(name))
        case lessons.AskLeads(game=name, draft=draft):
            return _leads(name, draft)
        case lessons.Learn(game=name, text=text):
            return _learned(name, text)


def chair(name: str) -> Chair:
    """Return a step as its seat has it before it. Raises UsageError as `answer`."""
    at = _named(name)
    return Chair.posed(name, at.pack, at.seat, ((), at.view()))


def _named(name: str) -> LessonStanding:
    found = parted(STEP, name)
    if found is None:
        raise UsageError(_("There is no lesson step “{name}”.", name=name[:40]))
    return standing(*found)


def _rulebook(game: str) -> lessons.Rulebook:
    pack = find(game)
    lesson = lesson_of(pack)
    return lessons.Rulebook(
        title=pack.rules.title,
        about=_("The rules in our own words. Rare cases are left out; the rule book of the game has the last word."),
        sections=tuple(
            lessons.RulesSection(
                title=_(one.title),
                rules=tuple(
                    lessons.RuleShown(marks=tuple(map(_, rule.marks)), text=_(rule.text)) for rule in one.rules
                ),
                drawing=_figure(game, one),
            )
            for one in lesson.sections
        ),
        lists=tuple(map(grid, lesson.lists())),
    )


def in_words(game: str) -> str:
    """Return the rules of a game as plain text. Raises UsageError where it has none."""
    book = _rulebook(game)
    lines = [book.title, "=" * len(book.title), "", *wrap(book.about, WIDTH)]
    for section in book.sections:
        lines += ["", section.title, "-" * len(section.title)]
        for rule in section.rules:
            lines += wrap(f"{', '.join(rule.marks)}: {rule.text}", WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, *(f"\n{set_out(table)}" for table in lesson_of(find(game)).lists())])


def _figure(game: str, section: TaughtSection) -> SvgDrawing | None:
    """Return the battle or the board of the step that a section shows, or what it draws itself.

    A battle is drawn with what the board defines.
    """
    if callable(section.shows):
        return drawing(section.shows())
    if not (section.shows or section.scene):
        return None
    at = standing(game, section.shows or section.scene)
    view = at.pack.rules.read_view(at.view())
    board = str(at.pack.look.picture([view], ()))
    if section.shows:
        return drawing(board)
    head, mark, rest = str(at.pack.look.scene([view])).partition(">")
    return drawing("".join([head, mark, *_DEFINES.findall(board), rest]))


def _step(at: LessonStanding) -> lessons.StepShown:
    steps, game = len(lesson_of(at.pack).steps), at.pack.rules.id
    return lessons.StepShown(
        number=at.number,
        steps=steps,
        lesson=game,
        title=_(at.step.title),
        says=_(at.step.says),
        touch=_(at.step.touch),
        next=f"{STEP}{game}-{at.number + 1}" if at.number < steps else "",
    )


def _leads(name: str, draft: tuple[str, ...]) -> lessons.Leads:
    at = _named(name)
    if not at.leads_on(draft):
        return lessons.Leads(astray=_not_wanted(at, "\n".join(draft)), touches=())
    ways = (one for one in chair(name).touches(draft).touches if at.leads_on(one.draft) and one.draft != draft)
    return lessons.Leads(astray="", touches=tuple(lessons.LeadsOn(at=one.at, draft=one.draft) for one in ways))


def _not_wanted(at: LessonStanding, text: str) -> str:
    touch = _(at.step.touch)
    if text and at.leads_on(text.split("\n")):
        return _("That is right, but not complete yet. Continue with what has the red frame.")
    said = at.trap(text) or _("The rules allow that, but this step is about something else.")
    return f"{said} {touch}"


def _learned(name: str, text: str) -> lessons.Learned:
    at = _named(name)
    order = at.order(text)
    if not at.is_wanted(order):
        return lessons.Learned(wanted=False, said=_not_wanted(at, str(order)), moment=None, position=None)
    came = at.after(order)
    after = Chair.posed(name, at.pack, at.seat, ((), at.view()), (came.facts, at.view(came.state)))
    moment, *_rest = Tale(at.pack, at.seat, after.tells, None).told(0).moments
    return lessons.Learned(wanted=True, said=_(at.step.why), moment=moment, position=after.position(None))
