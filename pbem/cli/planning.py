"""Making a plan word by word in the terminal: what may come next are the touches of the game, here they are numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pbem.errors import OrderError
from pbem.i18n import N_, _
from pbem.kernel import Line, Names, read_plans
from pbem.kernel.digits import whole
from pbem.look.touches import END, PLAN, first_word

from . import screen

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import View
    from pbem.look.touches import Touch

OrderDraft = tuple[str, ...]

_LINK = "choice:OR"
"""The word between consecutive choices; if you type several numbers, you can leave it out."""


def may_plan(pack: GamePack, view: View, above: Sequence[str] = ()) -> bool:
    """Can a plan of this game be made word by word, beside those that there are already?"""
    return bool(_further(pack, view, (*above, PLAN)))


def make_plan(pack: GamePack, view: View, above: Sequence[str] = ()) -> str | None:
    """Ask for the words of a plan until one is made and kept; return its line, or None to leave it.

    `above` are the plans that there are already. Several numbers or names may be said at once; `back` takes the last answer back.
    """
    drafts: list[OrderDraft] = [(*above, PLAN)]
    while drafts:
        answer = _answered(pack, view, drafts[-1])
        if answer == "keep":
            return drafts[-1][-1]
        if answer == "quit":
            return None
        if answer == "back":
            drafts.pop()
        elif not isinstance(answer, str):
            drafts.append(answer)
    return None


def _further(pack: GamePack, view: View, draft: OrderDraft) -> list[Touch]:
    """Return the touches that continue the last line of a draft, which is a plan."""
    found = (touch for touch in pack.look.touches(view, draft) if touch.at != END and len(touch.draft) == len(draft))
    return [touch for touch in found if first_word(touch.draft[-1]) == PLAN]


def _is_whole(pack: GamePack, draft: OrderDraft) -> bool:
    try:
        return bool(read_plans(pack.rules, draft[-1]))
    except OrderError:
        return False


def _answered(pack: GamePack, view: View, draft: OrderDraft) -> OrderDraft | str:
    """Show what may come next, and return the draft that is chosen; or keep, back or quit."""
    found, whole = _further(pack, view, draft), _is_whole(pack, draft)
    screen.echo("")
    screen.say(f"  {draft[-1]}")
    screen.echo("\n".join(screen.laid_out(_told(found))))
    while True:
        said = screen.asked(_how(found, whole), partial(_completions, _names(_ways(pack, view, draft)))).strip().lower()
        if said in ("back", "retour"):
            return "back"
        if said in ("quit", "quitter"):
            return "quit"
        if said in screen.HELP or not (said or whole):
            screen.echo("\n".join(screen.laid_out(_told(found))))
            continue
        if whole and (not said or _("yes").startswith(said) or "yes".startswith(said)):
            return "keep"
        if said and (chosen := _chosen(pack, view, draft, found, said)):
            return chosen


def _how(found: Sequence[Touch], whole: bool) -> str:
    if not found:
        return _("Keep it? (yes back quit)")
    return _("Number, or nothing to keep it (back quit)") if whole else _("Number (back quit)")


def _names(ways: Sequence[Touch]) -> dict[str, Touch]:
    """Return touches by what they are called where a plan is typed."""
    return {touch.at.partition(":")[2]: touch for touch in reversed(ways)}


def _completions(names: Mapping[str, Touch], said: str) -> list[str]:
    """Return the possible completions of typed words, the last of which comes after a comma."""
    head, comma, last = said.rpartition(",")
    before = f"{head}{comma} " if comma else ""
    return [f"{before}{name}" for name in list(names)[::-1] if name.casefold().startswith(last.strip().casefold())]


def _told(found: Sequence[Touch]) -> list[str]:
    """Return what touches are called; what all begin with, as "Plan: fight on" does, is plain here."""
    heads = {touch.label.partition(": ")[:2] for touch in found}
    texts = [
        touch.label.partition(": ")[2] if len(heads) == 1 and ": " in touch.label else touch.label for touch in found
    ]
    return [f"{text} ({touch.note})" if touch.note else text for text, touch in zip(texts, found, strict=True)]


def _chosen(pack: GamePack, view: View, draft: OrderDraft, shown: Sequence[Touch], answer: str) -> OrderDraft | None:
    """Return the draft that numbers or names make, one after the other; None where one does not fit, after saying why.

    Numbers are those of the list that is shown; a name is that of any touch by then.
    """
    parts = answer.replace(",", " ").split()
    if not all(whole(part) is not None for part in parts):
        parts = [part.strip() for part in answer.split(",") if part.strip()]
    for part in parts:
        ways = _ways(pack, view, draft)
        touch = _numbered(shown, ways, int(part)) if whole(part) is not None else _named(ways, part)
        if touch is None:
            return None
        draft = touch.draft
    return draft


def _ways(pack: GamePack, view: View, draft: OrderDraft) -> list[Touch]:
    """Return the touches that continue a draft, and those behind a link."""
    ways = _further(pack, view, draft)
    return [*ways, *(way for link in ways if link.at == _LINK for way in _further(pack, view, link.draft))]


def _numbered(shown: Sequence[Touch], ways: Sequence[Touch], number: int) -> Touch | None:
    if not 1 <= number <= len(shown):
        screen.echo(_("There is no number {number}; choose 1 to {count}.", number=number, count=len(shown)))
        return None
    at = shown[number - 1].at
    found = next((touch for touch in ways if touch.at == at), None)
    if found is None:
        screen.say(_("“{part}” cannot come behind the others.", part=number))
    return found


def _named(ways: Sequence[Touch], part: str) -> Touch | None:
    """Return a touch by its name, or by the beginning of its label here."""
    by_name = _names(ways)
    also = {name.rpartition(" ")[2]: name for name in by_name}  # of “CLAIM Scott” what is chosen is its end
    also |= {text: touch.at.partition(":")[2] for text, touch in zip(_told(ways), ways, strict=True)}
    try:
        return by_name[Names(reversed(by_name), N_("choice"), also).find(part, Line(0, part))]
    except OrderError as error:
        screen.say(str(error))
        return None
