"""Facts in the rule book's words: the year, cards, events, crowns, moves and raids. Battles and winter have files of their own.

The beginning of a text says how the report sets it (`pbem.look`). An empty line opens a paragraph under a heading; a blank
continues the line before. The look capitalises the first letter.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pbem.i18n import N_
from pbem.look import Chapter

from ..rules import told
from ..rules.printed import enemy, is_event
from ..rules.said import _, _n, named
from .words import SIDE, blocks, capital, dice, listed, spoken_of, steps, the

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.kernel import Json

_WHY = {
    "all nobles": N_("all nobles in play are with them (9.1)"),
    "king killed": N_("the Scottish King is killed (9.1)"),
    "edward ii killed": N_("Edward II is killed (9.1)"),
    "majority": N_("most of the nobles are with them (9.0)"),
    "tie wallace": N_("the nobles are divided seven to seven, and Wallace is on the map (9.0)"),
    "tie no wallace": N_("the nobles are divided seven to seven, and Wallace is dead or in the pool (9.0)"),
}


def result(why: str, winner: str) -> str:
    """Return the sentence for the end of the game (9.0, 9.1)."""
    return capital(_("{winner} win: {why}.", winner=the(winner), why=_(_WHY[why])))


def chapter(fact: Json) -> Chapter | None:
    """Return the part of the game that a fact begins: a turn with its cards, a winter, and within them the battles."""
    match fact["f"]:
        case "turn":
            return Chapter(_("{year}, Game Turn {turn}", year=fact["year"], turn=fact["turn"]))
        case "year ends":
            return Chapter(_("{year}, Winter", year=fact["year"]))
        case "battle":
            return Chapter(named(fact["area"]), 1)
        case "cards":
            return Chapter(f"{named(fact['english'])} – {named(fact['scottish'])}", adds=True)
        case "battle over" if winner := fact.get("winner"):
            return Chapter(_(SIDE[winner]), 1, adds=True)
    return None


def sentence(fact: told.HammerFact) -> str | None:
    """Return the sentence for a fact; None for those of other files."""
    match fact:
        case told.Levy(0):
            return _("The English draw pool is empty: there is nobody to levy (7.7).")
        case told.Levy(n, names):
            return _("The English levy {n} in England, at full strength{drawn}.", n=blocks(n), drawn=_named(names))
        case told.Year(year):
            head = _("The year {year}", year=year)
            return "\n".join(["", head, _("The deck is shuffled, and five cards are dealt to each player (3.0).")])
        case told.DealtAgain(year):
            return _(
                "In {year} somebody is dealt too many cards of a kind: the deck is shuffled again, and five new cards "
                "are dealt to each player (option 1-2-3).",
                year=year,
            )
        case told.Turn(year, turn):
            return _("\n{year}, Game Turn {turn}", year=year, turn=turn)
        case told.Cards(english, scottish, first):
            return _(
                "The English play {english}, the Scots {scottish}: {first} are Player 1.",
                english=english, scottish=scottish, first=the(first),
            )  # fmt: skip
        case told.Victory(winner, why):
            return "\n".join(["", _("The game is over"), result(why, winner)])
        case told.Move() | told.MainAttack() | told.Raid():
            return _movement(fact)
    return _act(fact)


def _act(fact: told.HammerFact) -> str | None:
    match fact:
        case told.Pass(side, card):
            if is_event(card):
                return _("{who} pass: their {card} is not used.", who=the(side), card=card)
            return _("{who} move nobody.", who=the(side))
        case told.Herald(side, noble):
            return _("{who} send the Herald to {noble}.", who=the(side), noble=noble)
        case told.HeraldAnswer(_noble, die, success):
            shown = dice([die], 4)
            if success:
                return _(" The die (1-4 wins him): {die}, he listens.", die=shown)
            return _(" The die (1-4 wins him): {die}, he will not listen.", die=shown)
        case told.Defection(noble, side, area, strength):
            return _(
                "{noble} changes sides and joins {side} in {area}{strength}.",
                noble=noble, side=the(side), area=area, strength=at_strength(strength),
            )  # fmt: skip
        case told.Pillage(side, target, group):
            return _(
                "{who} pillage {target} from {group}: two hits on {enemy} there.",
                who=the(side), target=target, group=group, enemy=the(enemy(side)),
            )  # fmt: skip
        case told.PillageLosses(_side, _area, n, gone, losses):
            lost = [steps(n), *([_n("{n} block eliminated", "{n} blocks eliminated", gone)] if gone else [])]
            return _(" They lose {lost}{strengths}.", lost=", ".join(lost), strengths=strengths(losses))
        case told.PillageGains(side, area, 0):
            return _("{who} add no steps in {area}.", who=the(side), area=area)
        case told.PillageGains(side, area, n, gains):
            return _(
                "{who} add {steps} in {area}{strengths}.",
                who=the(side), steps=steps(n), area=area, strengths=strengths(gains),
            )  # fmt: skip
        case told.SeaMove(side, start, to, n, names):
            return _(
                "{who} move {blocks} by sea from {start} to {to}.",
                who=the(side), blocks=spoken_of(names) if names else blocks(n), start=start, to=to,
            )  # fmt: skip
        case told.Truce(side):
            return _(
                "{who} call a Truce: this turn {other} may move, but not attack.", who=the(side), other=the(enemy(side))
            )
        case told.Victuals(side, area, n, gains):
            return _(
                "{who} bring Victuals to {area}: {steps}{strengths}.",
                who=the(side), area=area, steps=steps(n), strengths=strengths(gains),
            )  # fmt: skip
        case told.Coronation(area, "Bruce"):
            return _(
                "Bruce is crowned King of Scots. The King takes the field in {area} at full strength, and the Comyn nobles of the "
                "Scots, except Moray, go over to the English (6.21).",
                area=area,
            )
        case told.Coronation(area, _king):
            return _(
                "Comyn is crowned King of Scots. The King takes the field in {area} at full strength, and the Bruce nobles of the "
                "Scots go over to the English (6.21).",
                area=area,
            )
        case told.Return(area):
            return _(
                "King Balliol returns from exile. The King takes the field in {area} at full strength, "
                "and the Bruce nobles of the Scots go over to the English (6.22).",
                area=area,
            )
    return None


def _movement(fact: told.Move | told.MainAttack | told.Raid) -> str:
    match fact:
        case told.Move(side, route, n):
            who, names = the(side), _named(fact.blocks)
            purpose = next((_(text) for what, text in _PURPOSES.items() if getattr(fact, what)), "")
            if fact.norse:
                return _(
                    "{who} sail the Norse from {start} to {to}{purpose}{names}.",
                    who=who, start=route[0], to=route[1], purpose=purpose, names=names,
                )  # fmt: skip
            return _(
                "{who} move {blocks}, {route}{purpose}{names}.",
                who=who, blocks=blocks(n), route=" > ".join(map(named, route)), purpose=purpose, names=names,
            )  # fmt: skip
        case told.MainAttack(area, start, via, n, others, reserve):
            ways = [_way(way) for way in (told.Way(start, via), *others)]
            return _(
                "Main attack on {area}: {blocks} {ways}{reserve} (5.32).",
                area=area, blocks=blocks(n),
                ways=reduce(lambda most, last: _("{most} and {last}", most=most, last=last), ways),
                reserve=_("; {blocks} of other groups in reserve", blocks=blocks(reserve)) if reserve else "",
            )  # fmt: skip
        case told.Raid(n, None):
            return _n(
                "{n} block of the Scots raids England; the English have no block to lose (5.9).",
                "{n} blocks of the Scots raid England; the English have no block to lose (5.9).",
                n,
            )
    return _n(
        "{n} block of the Scots raids England: the English must disband {lost} in {area} (5.9).",
        "{n} blocks of the Scots raid England: the English must disband {lost} in {area} (5.9).",
        fact.n, lost=fact.block or _("a block"), area=fact.area,
    )  # fmt: skip


_PURPOSES = {"attack": N_(", to attack"), "reinforce": N_(", to reinforce"), "rally": N_(", to rally")}


def _way(way: told.Way) -> str:
    match way:
        case told.Way(start, via) if start == via:
            return _("from {start}", start=start)
        case told.Way(start, "sea"):
            return _("from {start}, by sea", start=start)
    return _("from {start}, over the border from {via}", start=way.start, via=way.via)


def _named(names: Sequence[str] | None) -> str:
    """Return the names of blocks to append to a sentence about them, if this seat may know them."""
    return _(": {names}", names=listed(names)) if names else ""


def at_strength(strength: int | None) -> str:
    """Return with which strength somebody comes over, if this seat may know it."""
    return "" if strength is None else _(" at strength {strength}", strength=strength)


def strengths(changed: Sequence[told.Reached] | None) -> str:
    """Return the strengths that blocks have reached, in brackets, to append to a sentence about them, if this seat may know
    them."""
    found = [
        _("{block} now {strength}", block=one.block, strength=one.strength)
        if one.strength
        else _("{block} gone", block=one.block)
        for one in changed or ()
    ]
    return f" ({', '.join(found)})" if found else ""
