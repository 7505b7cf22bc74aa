"""Facts in the rule book's words: the year, cards, events, crowns, moves and raids. Battles and winter have files of their own.

Each kind of fact has one function, entered in `SAYS`. How a text begins says how the report sets it (`pbem.reports.look`):
an empty line opens a paragraph under a heading, a blank goes on in the line before; the look sees to the first capital letter.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from pbem.reports.look import Chapter
from pbem.words import N_, _, _n

from ..rules.facts import ENGLISH, SCOTTISH, enemy, is_event
from .words import blocks, capital, dice, listed, steps, the

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.kernel import Json

Sentence: TypeAlias = "Callable[[Json], str]"


def result(ended: Json) -> str:
    """Return the sentence for the end of the game (9.0, 9.1)."""
    why = _WHY[ended["why"]]
    return capital(_("{winner} win: {why}.", winner=the(ended["winner"]), why=_(why)))


def chapter(fact: Json) -> Chapter | None:
    """Return the part of the game that a fact begins: a turn, a winter, and within them the battles."""
    match fact["f"]:
        case "turn":
            return Chapter(_("{year}, Game Turn {turn}", year=fact["year"], turn=fact["turn"]))
        case "year ends":
            return Chapter(_("{year}, Winter", year=fact["year"]))
        case "battle":
            return Chapter(fact["area"], 1)
    return None


_WHY = {
    "all nobles": N_("all nobles in play are with them (9.1)"),
    "king killed": N_("the Scottish King is killed (9.1)"),
    "edward ii killed": N_("Edward II is killed (9.1)"),
    "majority": N_("most of the nobles are with them (9.0)"),
    "tie wallace": N_("the nobles are divided seven to seven, and Wallace is on the map (9.0)"),
    "tie no wallace": N_("the nobles are divided seven to seven, and Wallace is dead or in the pool (9.0)"),
}


# The year and the turn


def _levy(fact: Json) -> str:
    if not fact["n"]:
        return _("The English draw pool is empty: there is nobody to levy (7.7).")
    drawn = _named(fact.get("blocks"))
    return _("The English levy {n} in England, at full strength{drawn}.", n=blocks(fact["n"]), drawn=drawn)


def _named(names: list[str] | None) -> str:
    """Return the blocks by name behind what was told of them, if this seat may know them."""
    return _(": {names}", names=listed(names)) if names else ""


def _year(fact: Json) -> str:
    head = _("The year {year}", year=fact["year"])
    return "\n".join(["", head, _("The deck is shuffled, and five cards are dealt to each player (3.0).")])


def _dealt_again(fact: Json) -> str:
    return _(
        "In {year} somebody is dealt too many cards of a kind: the deck is shuffled again, and five new cards "
        "are dealt to each player (option 1-2-3).",
        year=fact["year"],
    )


def _turn(fact: Json) -> str:
    return _("\n{year}, Game Turn {turn}", year=fact["year"], turn=fact["turn"])


def _cards(fact: Json) -> str:
    return _(
        "The English play {english}, the Scots {scottish}: {first} are Player 1.",
        english=fact[ENGLISH], scottish=fact[SCOTTISH], first=the(fact["first"]),
    )  # fmt: skip


def _victory(fact: Json) -> str:
    return "\n".join(["", _("The game is over"), result(fact)])


# Acts


def _pass(fact: Json) -> str:
    who = the(fact["side"])
    if is_event(fact["card"]):
        return _("{who} pass: their {card} is not used.", who=who, card=fact["card"])
    return _("{who} move nobody.", who=who)


def _herald(fact: Json) -> str:
    return _("{who} send the Herald to {noble}.", who=the(fact["side"]), noble=fact["noble"])


def _herald_answer(fact: Json) -> str:
    die = dice([fact["die"]], 4)
    if fact["success"]:
        return _(" The die (1-4 wins him): {die}, he listens.", die=die)
    return _(" The die (1-4 wins him): {die}, he will not listen.", die=die)


def _defection(fact: Json) -> str:
    return _(
        "{noble} changes sides and joins {side} in {area}{strength}.",
        noble=fact["noble"], side=the(fact["to"]), area=fact["area"], strength=at_strength(fact),
    )  # fmt: skip


def at_strength(fact: Json) -> str:
    """Return with which strength somebody comes over, if this seat may know it."""
    return _(" at strength {strength}", strength=fact["strength"]) if "strength" in fact else ""


def _pillage(fact: Json) -> str:
    return _(
        "{who} pillage {target} from {group}: two hits on {enemy} there.",
        who=the(fact["side"]), target=fact["target"], group=fact["group"], enemy=the(enemy(fact["side"])),
    )  # fmt: skip


def _pillage_losses(fact: Json) -> str:
    gone = fact["gone"]
    lost = [steps(fact["steps"]), *([_n("{n} block eliminated", "{n} blocks eliminated", gone)] if gone else [])]
    return _(" They lose {lost}{strengths}.", lost=", ".join(lost), strengths=strengths(fact.get("losses")))


def _pillage_gains(fact: Json) -> str:
    who, area = the(fact["side"]), fact["area"]
    if not fact["steps"]:
        return _("{who} add no steps in {area}.", who=who, area=area)
    return _(
        "{who} add {steps} in {area}{strengths}.",
        who=who, steps=steps(fact["steps"]), area=area, strengths=strengths(fact.get("gains")),
    )  # fmt: skip


def strengths(changed: Json) -> str:
    """Return the strengths that blocks have reached, in brackets behind what was told of them, if this seat may know them."""
    told = [
        _("{block} now {strength}", block=one["block"], strength=one["strength"])
        if one["strength"]
        else _("{block} gone", block=one["block"])
        for one in changed or ()
    ]
    return f" ({', '.join(told)})" if told else ""


def _sea_move(fact: Json) -> str:
    names = fact.get("blocks")
    return _(
        "{who} move {blocks} by sea from {start} to {to}.",
        who=the(fact["side"]), blocks=listed(names) if names else blocks(fact["n"]), start=fact["start"], to=fact["to"],
    )  # fmt: skip


def _truce(fact: Json) -> str:
    return _(
        "{who} call a Truce: this turn {other} may move, but not attack.",
        who=the(fact["side"]), other=the(enemy(fact["side"])),
    )  # fmt: skip


def _victuals(fact: Json) -> str:
    return _(
        "{who} bring Victuals to {area}: {steps}{strengths}.",
        who=the(fact["side"]), area=fact["area"], steps=steps(fact["steps"]), strengths=strengths(fact.get("gains")),
    )  # fmt: skip


def _coronation(fact: Json) -> str:
    return _(
        "{king} is crowned King of Scots. The King takes the field in {area} at full strength, "
        "and the {other} nobles of the Scots go over to the English (6.21).",
        king=fact["king"], area=fact["area"], other="Comyn" if fact["king"] == "Bruce" else "Bruce",
    )  # fmt: skip


def _return(fact: Json) -> str:
    return _(
        "King Balliol returns from exile. The King takes the field in {area} at full strength, "
        "and the Bruce nobles of the Scots go over to the English (6.22).",
        area=fact["area"],
    )


# Movement


def _move(fact: Json) -> str:
    who, route, names = the(fact["side"]), fact["route"], _named(fact.get("blocks"))
    purpose = next((_(text) for what, text in _PURPOSES.items() if fact.get(what)), "")
    if fact.get("norse"):
        return _(
            "{who} sail the Norse from {start} to {to}{purpose}{names}.",
            who=who, start=route[0], to=route[1], purpose=purpose, names=names,
        )  # fmt: skip
    return _(
        "{who} move {blocks}, {route}{purpose}{names}.",
        who=who, blocks=blocks(fact["n"]), route=" > ".join(route), purpose=purpose, names=names,
    )  # fmt: skip


_PURPOSES = {"attack": N_(", to attack"), "reinforce": N_(", to reinforce"), "rally": N_(", to rally")}


def _main_attack(fact: Json) -> str:
    ways = [_way(way["start"], way["via"]) for way in (fact, *fact.get("with", ()))]
    reserve = fact.get("reserve", 0)
    return _(
        "Main attack on {area}: {blocks} {ways}{reserve} (5.32).",
        area=fact["area"], blocks=blocks(fact["n"]),
        ways=reduce(lambda most, last: _("{most} and {last}", most=most, last=last), ways),
        reserve=_("; {blocks} of other groups in reserve", blocks=blocks(reserve)) if reserve else "",
    )  # fmt: skip


def _way(start: str, via: str) -> str:
    if via == start:
        return _("from {start}", start=start)
    if via == "sea":
        return _("from {start}, by sea", start=start)
    return _("from {start}, over the border from {via}", start=start, via=via)


# Border raids


def _raid(fact: Json) -> str:
    raiders = fact["n"]
    if "area" not in fact:
        return _n(
            "{n} block of the Scots raids England; the English have no block to lose (5.9).",
            "{n} blocks of the Scots raid England; the English have no block to lose (5.9).",
            raiders,
        )
    return _n(
        "{n} block of the Scots raids England: the English must disband {lost} in {area} (5.9).",
        "{n} blocks of the Scots raid England: the English must disband {lost} in {area} (5.9).",
        raiders, lost=fact.get("block") or _("a block"), area=fact["area"],
    )  # fmt: skip


SAYS: dict[str, Sentence] = {
    "levy": _levy,
    "year": _year,
    "dealt again": _dealt_again,
    "turn": _turn,
    "cards": _cards,
    "victory": _victory,
    "pass": _pass,
    "herald": _herald,
    "herald answer": _herald_answer,
    "pillage": _pillage,
    "pillage losses": _pillage_losses,
    "pillage gains": _pillage_gains,
    "sea move": _sea_move,
    "truce": _truce,
    "victuals": _victuals,
    "coronation": _coronation,
    "return": _return,
    "defection": _defection,
    "move": _move,
    "main attack": _main_attack,
    "raid": _raid,
}
"""Kind of fact -> its sentence."""
