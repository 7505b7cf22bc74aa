"""The Winter Turn in words: who goes home or changes sides, who disbands, what is built, drawn and levied. Rules 7.0-7.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.words import _

from ..rules.facts import ENGLISH
from .facts import at_strength, strengths
from .words import blocks, listed, steps, the

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .facts import Sentence


def _year_ends(fact: Json) -> str:
    ends = (
        _("The year ends early: both sides have played an event (7.0).") if fact["early"] else _("The year ends (7.0).")
    )
    return "\n".join(["", _("The Winter Turn of {year}", year=fact["year"]), ends])


def _homes(fact: Json) -> str:
    found = [(entry["noble"], entry["area"]) for entry in fact["nobles"]]
    nobles = listed(noble if noble == area else _("{who} in {area}", who=noble, area=area) for noble, area in found)
    if fact["side"] == ENGLISH:
        return _("English nobles at home (7.1): {nobles}.", nobles=nobles)
    return _("Scottish nobles at home (7.1): {nobles}.", nobles=nobles)


def _turned(fact: Json) -> str:
    noble, side, strength = fact["noble"], the(fact["to"]), at_strength(fact)
    if "area" in fact:
        return _(
            "{noble} finds his home {area} held by {side}, changes sides and joins them{strength} (7.1).",
            noble=noble, area=fact["area"], side=side, strength=strength,
        )  # fmt: skip
    return _(
        "{noble} finds both his homes held by {side}, changes sides and joins them{strength} (7.1).",
        noble=noble, side=side, strength=strength,
    )  # fmt: skip


def _disband(fact: Json) -> str:
    told = [
        _("{who} in {area}", who=listed(one["blocks"]) if one.get("blocks") else blocks(one["n"]), area=one["area"])
        for one in fact["areas"]
    ]
    return _("{who} disband {blocks}.", who=the(fact["side"]), blocks=_("; ").join(told))


def _winter_move(fact: Json) -> str:
    who = fact.get("block") or (_("an English block") if fact["side"] == ENGLISH else _("a Scottish block"))
    start, to = fact["start"], fact["to"]
    strength = _(", now at strength {strength}", strength=fact["strength"]) if "strength" in fact else ""
    if start == to:
        return _("{who} winters in {to}{strength}.", who=who, to=to, strength=strength)
    return _(
        "{who} goes from {start} to {to} for the winter{strength}.", who=who, start=start, to=to, strength=strength
    )


def _edward_winters(fact: Json) -> str:
    if "area" in fact:
        return _("Edward I winters in {area}, with the blocks around him (7.4).", area=fact["area"])
    return _("Edward I winters in Scotland, with the blocks around him (7.4).")


def _french(fact: Json) -> str:
    return _("The Scots hold eight nobles: the French Knights join their draw pool (7.61).")


def _build(fact: Json) -> str:
    told = [
        _(
            "{steps} in {area}{strengths}",
            steps=steps(one["steps"]), area=one["area"], strengths=strengths(one.get("gains")),
        )
        for one in fact["areas"]
    ]  # fmt: skip
    return _("{who} build {steps}.", who=the(fact["side"]), steps=_("; ").join(told))


def _draw(fact: Json) -> str:
    return _(
        "{who} draw {block} in {area}, at strength 1 (7.62){lands}.",
        who=the(fact["side"]), block=fact.get("block") or _("a block"), area=fact["area"],
        lands=_("; it lands in {to} (variant)", to=fact["to"]) if "to" in fact else "",
    )  # fmt: skip


def _no_levy(fact: Json) -> str:
    return _("Edward I is in Scotland: there is no Feudal Levy (7.7).")


def _edward_ii(fact: Json) -> str:
    return _("Edward I dies; from now on Edward II is king of England (6.1).")


SAYS: dict[str, Sentence] = {
    "year ends": _year_ends,
    "homes": _homes,
    "turned": _turned,
    "disband": _disband,
    "winter move": _winter_move,
    "edward winters": _edward_winters,
    "french": _french,
    "build": _build,
    "draw": _draw,
    "no levy": _no_levy,
    "edward ii": _edward_ii,
}
"""Kind of fact -> its sentence."""
