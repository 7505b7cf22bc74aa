"""Plans: their subject, then the preferred regions, colours or cards, one after the other, or one of a few answers.

A deployment is planned as the first formation there is, or as one of those completed by the cube placed now (`foreseen`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.errors import OrderError
from pbem.i18n import N_, _
from pbem.look.touches import PLAN, Touch, listed

from ...orders import NONE, STAY
from ...plans import ALL, ANY, HALF, OFTEN, VERBS, read_plans
from ...rules.names import BANNER, CARDINAL, COLOURS, DRUID, GLORY, MERCHANT, PICTS, SWORD, TAPESTRY, WALL
from ...views import SwordsView
from ..words import card, colour, place
from .foreseen import foreseen
from .names import Touched

_CALLED: Mapping[str, str] = {
    "CUBE": N_("First cubes"), "DEPLOY": N_("Deployments"), "KILL": N_("Castles"), "COMMIT": N_("Commitments"),
    "RETREAT": N_("Retreats"), "GLORY": N_("Glory cards after a lost battle"), "HEAL": N_("Druid"),
    "NEXT": N_("Which battle is next"), "SWORD": N_("Long Sword"), "MERCHANT": N_("Merchant's Outpost"),
    "CARDINAL": N_("Cardinal"), "WALL": N_("Hadrian's Wall"), "TAPESTRY": N_("Tapestry"),
}  # fmt: skip
_NEEDS = {
    "HEAL": DRUID, "SWORD": SWORD, "MERCHANT": MERCHANT, "CARDINAL": CARDINAL, "WALL": WALL, "TAPESTRY": TAPESTRY,
}  # fmt: skip
"""Questions that a glory card alone brings up."""
_HEADS = {verb: f"{PLAN} {verb} " for verb in VERBS} | {"DEPLOY": f"{PLAN} DEPLOY {ANY} TO "}
_MOST = 12
"""The maximum number of cubes that can be chosen by touch, and of names in a list."""


def plan(view: SwordsView, lines: Sequence[str]) -> Sequence[Touch]:
    """Return the touches of plans: for the last of the given lines, or the possible subjects of a further line."""
    *before, line = lines or ("",)
    words = line.upper().split()
    if len(words) < 2:
        return _verbs(view, before)
    verb = words[1]
    if verb not in _CALLED:
        return ()
    touches = [*_wishes(view, verb, line)] if verb in _LISTS and not _is_certain(view, verb, words) else []
    touches += foreseen(view, line) if verb == "DEPLOY" and words[2:3] != [ANY] else ()
    touches += _answers(view, verb, line) if verb not in _LISTS else ()
    more = _verbs(view, lines) if _is_whole(line) else ()
    return [*(touch._replace(draft=(*before, *touch.draft)) for touch in touches), *more]


def _is_certain(view: SwordsView, verb: str, words: Sequence[str]) -> bool:
    """Does a plan name the squares of a formation?"""
    return verb == "DEPLOY" and len(words) > 2 and words[2] in view.table.parts.squares


def _verbs(view: SwordsView, before: Sequence[str]) -> list[Touch]:
    """Return what a further plan may be for: what can still be asked in this game."""
    used = {verb for other in before for verb in other.upper().split()[1:2]} - {*OFTEN}
    never = {verb for verb, name in _NEEDS.items() if name not in view.table.glory} | (
        {"CUBE"} if view.table.round else set()
    )
    return [
        Touch(f"choice:{verb}", _(_CALLED[verb]), (*before, f"{PLAN} {verb}"))
        for verb in VERBS
        if verb not in used | never
    ]


def _is_whole(line: str) -> bool:
    try:
        read_plans(line)
    except OrderError:
        return False
    return True


_LISTS = ("CUBE", "DEPLOY", "KILL", "RETREAT", "NEXT", "GLORY")
_TWICE = ("CUBE", "KILL")
"""In these one name may be wished more than once."""


def _wishes(view: SwordsView, verb: str, line: str) -> Iterator[Touch]:
    """Go through what may be wished next in a list."""
    head, said = _HEADS[verb], Touched(view)
    text = line[len(head) :].strip() if line.upper().startswith(head.upper()) else ""
    named = [item.strip() for item in text.split(",") if item.strip()]
    if len(named) >= _MOST or (named and named[-1].upper() in (ANY, NONE)):
        return
    for item in _items(view, verb, named):
        whole = f"{head}{', '.join([*named, item])}"
        label = _("{plan}: {what}", plan=_(_CALLED[verb]), what=_label(item))
        yield Touch(said.at(item.lstrip("0123456789 ")), label, (whole,), closes=True)


def _items(view: SwordsView, verb: str, named: Sequence[str]) -> Iterator[str]:
    if verb == "GLORY":
        yield from () if named else (NONE,)
        there = [name for name in GLORY if name in view.table.glory and not any(item.endswith(name) for item in named)]
        yield from (f"{n} {name}" for name in there for n in range(1, _MOST + 1))
        return
    picts = (PICTS,) if BANNER in view.table.glory else ()
    names = (*view.table.seats, *picts) if verb == "KILL" else view.table.parts.names
    yield from (name for name in names if verb in _TWICE or name not in named)
    yield ANY


def _label(item: str) -> str:
    if item in (ANY, NONE):
        return _("whatever there is") if item == ANY else _("nothing")
    if item in COLOURS:
        return colour(item)
    number, _blank, name = item.partition(" ")
    return _("{n} on {card}", n=number, card=card(name)) if number.isdecimal() else place(item)


def _answers(view: SwordsView, verb: str, line: str) -> Sequence[Touch]:
    """Return the continuations of a plan that is one of a few answers."""
    said = Touched(view)
    texts = [f"{PLAN} {verb} {answer}" for answer in _few(view, verb)]
    return listed(texts, (line,), lambda words: said.at(words.rstrip(":")), lambda words: _said(said, words))


def _said(said: Touched, words: str) -> str:
    told = {ALL: _("all of them"), HALF: _("half of them"), NONE: _("none of them"), ANY: _("any battle")}
    name = words.rstrip(":")
    return told[name] if name in told else said.label(name)


def _few(view: SwordsView, verb: str) -> Iterator[str]:
    parts, laid = view.table.parts, view.table.boards[view.seat]
    match verb:
        case "COMMIT":
            numbers = (ALL, HALF, NONE, *range(_MOST + 1))
            yield from (f"{where}: {n}" for where in (*parts.names, ANY) for n in numbers)
        case "HEAL":
            yield from ("YES", "PICT", "NO") if BANNER in view.table.glory else ("YES", "NO")
        case "SWORD":
            yield from ("NOW", "LATER", "NO")
        case "MERCHANT":
            yield STAY
            yield from (f"{start} > {goal}" for start in laid for goal in parts.squares if goal not in laid)
        case "CARDINAL":
            yield from (STAY, *parts.names)
        case "WALL":
            yield from (STAY, *(" - ".join(border) for border in parts.borders))
        case _:
            yield from (STAY, *parts.icons)
