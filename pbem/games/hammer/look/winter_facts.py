"""The Winter Turn in words: nobles go home or change sides, blocks disband, builds, draws and the levy. Rules 7.0-7.7."""

from __future__ import annotations

from ..rules import told
from ..rules.printed import ENGLISH
from ..rules.said import _
from .facts import at_strength, strengths
from .words import blocks, listed, spoken_of, steps, the


def sentence(fact: told.HammerFact) -> str | None:
    """Return the sentence for a fact; None for those of other files."""
    match fact:
        case told.YearEnds(year, early):
            ends = (
                _("The year ends early: both sides have played an event (7.0).") if early else _("The year ends (7.0).")
            )
            return "\n".join(["", _("The Winter Turn of {year}", year=year), ends])
        case told.Homes(side, homes):
            nobles = listed(
                one.noble if one.noble == one.area else _("{who} in {area}", who=one.noble, area=one.area)
                for one in homes
            )
            if side == ENGLISH:
                return _("English nobles at home (7.1): {nobles}.", nobles=nobles)
            return _("Scottish nobles at home (7.1): {nobles}.", nobles=nobles)
        case told.Turned(noble, to, None, strength):
            return _(
                "{noble} finds both his homes held by {side}, changes sides and joins them{strength} (7.12).",
                noble=noble, side=the(to), strength=at_strength(strength),
            )  # fmt: skip
        case told.Turned(noble, to, area, strength):
            return _(
                "{noble} finds his home {area} held by {side}, changes sides and joins them{strength} (7.1).",
                noble=noble, area=area, side=the(to), strength=at_strength(strength),
            )  # fmt: skip
        case told.Disband(side, areas):
            gone = [
                _("{who} in {area}", who=spoken_of(one.blocks) if one.blocks else blocks(one.n), area=one.area)
                for one in areas
            ]
            return _("{who} disband {blocks}.", who=the(side), blocks=_("; ").join(gone))
        case told.WinterMove(side, start, to):
            who = fact.block or (_("an English block") if side == ENGLISH else _("a Scottish block"))
            now = _(", now at strength {strength}", strength=fact.strength) if fact.strength is not None else ""
            if start == to:
                return _("{who} winters in {to}{strength}.", who=who, to=to, strength=now)
            return _(
                "{who} goes from {start} to {to} for the winter{strength}.",
                who=who, start=start, to=to, strength=now,
            )  # fmt: skip
        case told.EdwardWinters(None):
            return _("Edward I winters in Scotland, with the blocks around him (7.4).")
        case told.EdwardWinters(area):
            return _("Edward I winters in {area}, with the blocks around him (7.4).", area=area)
        case told.French():
            return _("The Scots hold eight nobles: the French Knights join their draw pool (7.61).")
        case told.Build(side, areas):
            built = [
                _(
                    "{steps} in {area}{strengths}",
                    steps=steps(one.steps), area=one.area, strengths=strengths(one.gains),
                )
                for one in areas
            ]  # fmt: skip
            return _("{who} build {steps}.", who=the(side), steps=_("; ").join(built))
        case told.Draw(side, area, to, block):
            return _(
                "{who} draw {block} in {area}, at strength 1 (7.62){lands}.",
                who=the(side), block=block or _("a block"), area=area,
                lands=_("; it lands in {to} (variant)", to=to) if to else "",
            )  # fmt: skip
        case told.NoLevy():
            return _("Edward I is in Scotland: there is no Feudal Levy (7.7).")
        case told.EdwardII():
            return _("Edward I dies; from now on Edward II is king of England (6.1).")
    return None
