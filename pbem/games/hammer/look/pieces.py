"""Questions that ask something of several blocks, block by block; and conditions until which they fight on (UNTIL)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

from pbem.i18n import N_
from pbem.look.pieces import AnsweredPiece, Conditions, Pieces

from .. import orders
from ..questions import QUESTIONS
from ..rules import combat_turn
from ..rules.said import _, named
from ..views import HammerView
from .choices import ways_out

_MOST = 200
"""The maximum number of ways to go home that are examined."""
_GOES = {"": N_("to {area}"), orders.STAY: N_("stays"), orders.DISBAND: N_("disbands")}


def pieces(view: HammerView) -> Pieces:
    """Return the blocks that are asked, with their answers; none where one alone is asked."""
    what = (view.ask or {}).get("what")
    found = _battle(view) if what == "battle action" else _home(view) if what == "home" else Pieces()
    return found if len(found.pieces) > 1 else Pieces()


def _battle(view: HammerView) -> Pieces:
    turn = combat_turn(view)
    able = []
    for name in turn.blocks:
        answers = [(f"{name} FIRE", _("fire"))] if turn.fire else []
        answers += [(f"{name} RETREAT {to}", _("retreat to {area}", area=to)) for to in turn.exits.ways(name)]
        answers.insert(bool(turn.fire) * len(answers), (f"{name} PASS", _("pass")))
        able.append(AnsweredPiece(named(name), answers))
    return Pieces(able, f"BATTLE {turn.area}: ", ", ")


def _home(view: HammerView) -> Pieces:
    goes: dict[str, dict[str, str]] = {}
    first = QUESTIONS["home"].default(view)
    for order in (first, *islice(QUESTIONS["home"].options(view), _MOST)):
        for line, going in zip(str(order).split("\n"), getattr(order, "goings", ()), strict=False):
            said = _(_GOES.get(going.to, _GOES[""]), area=going.to)
            goes.setdefault(going.block, {}).setdefault(line, said)
    return Pieces([AnsweredPiece(named(name), [*answers.items()]) for name, answers in goes.items()])


# until when they fight


_UNTIL = re.compile(
    r"(?:UNTIL|JUSQU'(?:À|AU|A)(?:\s+CE\s+QUE?)?)\s*(?P<what>.+?)"
    r"(?:,?\s+(?:THEN|PUIS)(?:\s+(?:RETREAT|RETRAITE))?(?:\s+(?:TO|VERS))?\s+(?P<to>.+?))?",
    re.IGNORECASE,
)
_CONDITIONS: Mapping[str, re.Pattern[str]] = {
    "ROUND {n}": re.compile(r"(?:ROUND|TOUR|MANCHE)\s+(?P<n>[23])", re.IGNORECASE),
    "LOST {n}": re.compile(
        r"(?:(?:I|WE)\s+(?:HAVE\s+)?)?LOST\s+(?P<n>[1-9])(?:\s+STEPS?)?|(?P<m>[1-9])\s+(?:STEPS?\s+LOST|CRANS?\s+PERDUS?)",
        re.IGNORECASE,
    ),
    "ODDS BELOW {n}:{of}": re.compile(r"ODDS\s+(?:BELOW\s+)?(?P<n>[1-9])\s*:\s*(?P<of>[1-9])", re.IGNORECASE),
    "BELOW": re.compile(
        r"(?P<who>.+?)\s+(?:(?:IS|SOIT|EST)\s+)?(?:DOWN\s+TO|AT|À|A)\s+(?P<n>[1-3])", re.IGNORECASE
    ),
}  # fmt: skip
_ANYBODY = re.compile(
    r"(?:ONE|ANY)(?:\s+OF\s+(?:MINE|MY\s+BLOCKS|US))?|(?:L'\s?)?UN\s+DES\s+(?:MIENS|NÔTRES)", re.IGNORECASE
)


def conditions(view: HammerView) -> Conditions:
    """Return the conditions until which blocks may fight, where they can retreat."""
    if (view.ask or {}).get("what") != "battle action":
        return Conditions()
    turn = combat_turn(view)
    exits = [to for to, _n in ways_out(turn)]
    if not turn.fire or not exits:
        return Conditions()
    said = _(
        "Or fight on with a condition: UNTIL one of mine is at 1 or UNTIL {block} is at 1 (he alone then retreats), UNTIL LOST 3 "
        "or UNTIL ROUND 3 (all do). The way leads to {area}, or where you say: UNTIL ROUND 3 THEN {other}. Who wins stays.",
        block=turn.blocks[0], area=exits[0], other=exits[-1],
    )  # fmt: skip
    return Conditions(said, lambda typed: _until(view, turn.area, exits[0], typed))


def _until(view: HammerView, area: str, way: str, said: str) -> tuple[str, str] | None:
    """Return the order and plans of blocks that fight until a condition is true; None without a condition, or if it is true
    already.

    A place that is not an area is reported by the reader of the plans.
    """
    found = _UNTIL.fullmatch(said)
    if not found:
        return None
    for text, form in _CONDITIONS.items():
        if met := form.fullmatch(found["what"].strip()):
            parts, to = met.groupdict(), found["to"] or way
            n = int(parts["n"] or parts.get("m") or 0)
            leaves = [f"RETREAT {to} IF {text.format(n=n, of=parts.get('of'))}"]
            if text == "BELOW":
                own, who = view.fight.strengths(view.seat), parts["who"].strip()
                every = own if _ANYBODY.fullmatch(who) else [name for name in own if name.casefold() == who.casefold()]
                if not every or any(own[name] <= n for name in every):
                    return None
                leaves = [f"{name} RETREAT {to} IF {name} BELOW {n + 1}" for name in every]
            fight = QUESTIONS["battle action"].default(view)
            return str(fight), f"BATTLE {area}: {'; '.join(leaves)}; FIGHT; HITS ANY; REGROUP STAY"
    return None
