"""Battles in words, as they are fought: round by round, every die to be seen. Rules 5.0-5.8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.words import _, _n

from ..rules.facts import AREAS, BLOCKS, SLUG, enemy
from .words import blocks, capital, dice, hits, listed, men, rating, the

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .facts import Sentence


def _battles(fact: Json) -> str:
    areas = fact["areas"]
    return _n(
        "There is a battle to fight in {areas} (5.1).", "There are battles to fight in {areas} (5.1).",
        len(areas), areas=listed(areas),
    )  # fmt: skip


def _battle(fact: Json) -> str:
    attacker, defender = fact["attacker"], enemy(fact["attacker"])
    attack = _("{who} attack with {blocks}.", who=the(attacker), blocks=_force(fact, attacker))
    defence = _("{who} defend with {blocks}.", who=the(defender), blocks=_force(fact, defender))
    return "\n".join(["", _("The battle of {area}", area=fact["area"]), capital(attack), capital(defence)])


def _force(fact: Json, side: str) -> str:
    front, reserve = blocks(fact[side]), fact.get(f"{side}_reserve", 0)
    return _("{blocks} and {reserve} in reserve", blocks=front, reserve=blocks(reserve)) if reserve else front


def _round(fact: Json) -> str:
    return _("\n{area}, round {round}", area=fact["area"], round=fact["round"])


def _reveal(fact: Json) -> str:
    rated = fact.get("ratings", {})
    told = [f"{name} {n} ({rated.get(SLUG[name]) or rating(name)})" for name, n in _by_name(fact["blocks"])]
    return _("{who} reveal {blocks}.", who=the(fact["side"]), blocks=", ".join(told))


def _unity(fact: Json) -> str:
    block, die = fact["block"], fact["die"]
    if fact["gone"]:
        return _(
            "Celtic unity, {block} (5 or 6 and it leaves): {die}, it leaves for the draw pool.", block=block, die=die
        )
    return _("Celtic unity, {block} (5 or 6 and it leaves): {die}, it stays.", block=block, die=die)


def _fire(fact: Json) -> str:
    letter = fact.get("letter") or BLOCKS[fact["block"]].letter
    where = _(" at home") if fact.get("home") else _(" in a schiltrom") if fact.get("schiltrom") else ""
    return _n(
        "{block} fires {dice} at {rating}{where}: {rolled}  {hits}.",
        "{block} fire {dice} at {rating}{where}: {rolled}  {hits}.",
        men(fact["block"]), block=fact["block"], dice=_n("{n} die", "{n} dice", len(fact["dice"])),
        rating=f"{letter}{fact['rating']}", where=where, rolled=dice(fact["dice"], fact["rating"]),
        hits=hits(fact["hits"]) if fact["hits"] else _("no hit"),
    )  # fmt: skip


def _hit(fact: Json) -> str:
    told = [
        _n(
            "{block} reduced to {strength}", "{block} reduced to {strength}",
            men(name), block=name, strength=strength,
        )
        for name, strength in _by_name(fact["blocks"])
        if strength
    ]  # fmt: skip
    return f" {', '.join(told)}." if told else ""


def _retreats(fact: Json) -> str:
    return _n("{block} chooses to retreat.", "{block} choose to retreat.", men(fact["block"]), block=fact["block"])


def _stays(fact: Json) -> str:
    return _n("{block} passes.", "{block} pass.", men(fact["block"]), block=fact["block"])


def _killed(fact: Json) -> str:
    name = fact["block"]
    if fact["fate"] == "dead":
        return _n(
            " {block} is eliminated for good (5.8).", " {block} are eliminated for good (5.8).", men(name), block=name
        )
    return _n(
        " {block} is eliminated and goes to the draw pool.", " {block} are eliminated and go to the draw pool.",
        men(name), block=name,
    )  # fmt: skip


def _edward(fact: Json) -> str:
    return _("Edward I is dead; his son is King Edward II (6.1).")


def _captured(fact: Json) -> str:
    noble, side = fact["noble"], the(fact["by"])
    match fact["how"]:
        case "no retreat":
            return _(
                " {noble} cannot retreat and is captured: he changes sides and joins {side} at strength 1 (5.7).",
                noble=noble, side=side,
            )  # fmt: skip
        case "pillage":
            return _(
                " {noble} has lost his last step: he changes sides and joins {side} at strength 1 (5.7).",
                noble=noble, side=side,
            )  # fmt: skip
    return _(
        " {noble} is captured: he changes sides and joins {side} at strength 1 (5.7).", noble=noble, side=side
    )  # fmt: skip


def _control(fact: Json) -> str:
    return _(
        "Battlefield control changes: now {attacker} attack and {defender} defend (5.32).",
        attacker=the(fact["attacker"]), defender=the(enemy(fact["attacker"])),
    )  # fmt: skip


def _withdraw(fact: Json) -> str:
    return _("Three rounds are fought, and {who} have not won: they must retreat (5.3).", who=the(fact["side"]))


def _retreat(fact: Json) -> str:
    places, lost = _places(fact["to"]), fact.get("lost", [])
    found = [capital(_("{who} retreat {places}.", who=the(fact["side"]), places=places))] if places else []
    if lost:
        missed = _n(
            "{blocks} finds no retreat (5.5).", "{blocks} find no retreat (5.5).", len(lost), blocks=listed(lost)
        )
        found.append(capital(missed))
    return " ".join(found)


def _regroup(fact: Json) -> str:
    who, places = the(fact["side"]), _places(fact["to"])
    if places:
        return _("{who} regroup {places}.", who=who, places=places)
    return _("{who} stay in {area}.", who=who, area=fact["area"])


def _places(to: Json) -> str:
    """Return how many blocks go where, by name where this seat may know them."""
    found = ((area, to[SLUG[area]]) for area in sorted(AREAS) if SLUG[area] in to)
    return ", ".join(
        _("{blocks} to {area}", blocks=blocks(who) if isinstance(who, int) else listed(who), area=area)
        for area, who in found
    )


def _by_name(found: Json) -> list[tuple[str, int]]:
    """Return blocks with their strengths, in the order of the roster."""
    return [(name, found[SLUG[name]]) for name in BLOCKS if SLUG[name] in found]


def _battle_over(fact: Json) -> str:
    winner = fact.get("winner")
    if not winner:
        return _("Nobody is left in {area}.", area=fact["area"])
    won = _("{who} win the battle of {area}.", who=the(winner), area=fact["area"])
    return won + (_(" Nobody regroups: a defection caused it (variant).") if fact.get("stay") else "")


SAYS: dict[str, Sentence] = {
    "battles": _battles,
    "battle": _battle,
    "round": _round,
    "reveal": _reveal,
    "unity": _unity,
    "fire": _fire,
    "hit": _hit,
    "retreats": _retreats,
    "stays": _stays,
    "killed": _killed,
    "edward": _edward,
    "captured": _captured,
    "control": _control,
    "withdraw": _withdraw,
    "retreat": _retreat,
    "battle over": _battle_over,
    "regroup": _regroup,
}
"""Kind of fact -> its sentence."""
