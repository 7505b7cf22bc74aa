"""Battles in words, as they are fought: round by round, every die to be seen. Rules 5.0-5.8."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..rules import told
from ..rules.printed import AREAS, BLOCKS, SLUG, enemy
from ..rules.said import _, _n, named
from .words import at_home, blocks, capital, dice, hits, listed, men, spoken_of, the

if TYPE_CHECKING:
    from collections.abc import Mapping


def sentence(fact: told.HammerFact) -> str | None:
    """Return the sentence for a fact; None for those of other files."""
    match fact:
        case told.Battles(areas):
            return _n(
                "There is a battle to fight in {areas} (5.1).", "There are battles to fight in {areas} (5.1).",
                len(areas), areas=listed(areas),
            )  # fmt: skip
        case told.Battle(area, attacker):
            forces = {
                "english": _force(fact.english, fact.english_reserve),
                "scottish": _force(fact.scottish, fact.scottish_reserve),
            }
            defender = enemy(attacker)
            attack = _("{who} attack with {blocks}.", who=the(attacker), blocks=forces[attacker])
            defence = _("{who} defend with {blocks}.", who=the(defender), blocks=forces[defender])
            return "\n".join(["", _("The battle of {area}", area=area), capital(attack), capital(defence)])
        case told.Round(area, no):
            return _("\n{area}, round {round}", area=area, round=no)
        case told.Reveal(side, strengths, ratings):
            rated = ratings or {}
            shown = [f"{named(name)} {n} ({rated.get(SLUG[name]) or at_home(name)})" for name, n in _by_name(strengths)]
            return _("{who} reveal {blocks}.", who=the(side), blocks=", ".join(shown))
        case told.Hit(strengths):
            return _hit(strengths)
        case told.Control(attacker):
            return _(
                "Battlefield control changes: now {attacker} attack and {defender} defend (5.32).",
                attacker=the(attacker), defender=the(enemy(attacker)),
            )  # fmt: skip
        case told.Withdraw(side):
            return _("Three rounds are fought, and {who} have not won: they must retreat (5.3).", who=the(side))
        case told.Retreat(_area, side, to, lost):
            return _retreat(side, to, lost)
        case told.Regroup(area, side, to):
            if to:
                return _regroup(side, to)
            return _("{who} stay in {area}.", who=the(side), area=area)
        case told.BattleOver(area, None):
            return _("Nobody is left in {area}.", area=area)
        case told.BattleOver(area, str(winner), stay):
            won = _("{who} win the battle of {area}.", who=the(winner), area=area)
            return won + (_(" Nobody regroups: a defection caused it (variant).") if stay else "")
    return _of_a_block(fact)


def _of_a_block(fact: told.HammerFact) -> str | None:
    match fact:
        case told.Unity(block, die, True):
            return _(
                "Celtic unity, {block} (5 or 6 and it leaves): {die}, it leaves for the draw pool.",
                block=block, die=die,
            )  # fmt: skip
        case told.Unity(block, die):
            return _("Celtic unity, {block} (5 or 6 and it leaves): {die}, it stays.", block=block, die=die)
        case told.Fire(block, most, rolled, n):
            where = _(" at home") if fact.home else _(" in a schiltrom") if fact.schiltrom else ""
            return _n(
                "{block} fires {dice} at {rating}{where}: {rolled}  {hits}.",
                "{block} fire {dice} at {rating}{where}: {rolled}  {hits}.",
                men(block), block=block, dice=_n("{n} die", "{n} dice", len(rolled)),
                rating=f"{fact.letter or BLOCKS[block].letter}{most}", where=where, rolled=dice(rolled, most),
                hits=hits(n) if n else _("no hit"),
            )  # fmt: skip
        case told.Retreats(block):
            return _n("{block} chooses to retreat.", "{block} choose to retreat.", men(block), block=block)
        case told.Stays(block):
            return _n("{block} passes.", "{block} pass.", men(block), block=block)
        case told.Killed(_area, _side, block, "dead"):
            return _n(
                " {block} is eliminated for good (5.8).", " {block} are eliminated for good (5.8).",
                men(block), block=block,
            )  # fmt: skip
        case told.Killed(_area, _side, block):
            return _n(
                " {block} is eliminated and goes to the draw pool.", " {block} are eliminated and go to the draw pool.",
                men(block), block=block,
            )  # fmt: skip
        case told.EdwardDead():
            return _("Edward I is dead; his son is King Edward II (6.1).")
        case told.Captured(_area, noble, side, "no retreat"):
            return _(
                " {noble} cannot retreat and is captured: he changes sides and joins {side} at strength 1 (5.7).",
                noble=noble, side=the(side),
            )  # fmt: skip
        case told.Captured(_area, noble, side, "pillage"):
            return _(
                " {noble} has lost his last step: he changes sides and joins {side} at strength 1 (5.7).",
                noble=noble, side=the(side),
            )  # fmt: skip
        case told.Captured(_area, noble, side):
            return _(
                " {noble} is captured: he changes sides and joins {side} at strength 1 (5.7).",
                noble=noble, side=the(side),
            )  # fmt: skip
    return None


def _force(front: int, reserve: int) -> str:
    return (
        _("{blocks} and {reserve} in reserve", blocks=blocks(front), reserve=blocks(reserve))
        if reserve
        else blocks(front)
    )


def _hit(strengths: Mapping[str, int]) -> str:
    found = [
        _n(
            "{block} reduced to {strength}", "{block} reduced to {strength}",
            men(name), block=name, strength=strength,
        )
        for name, strength in _by_name(strengths)
        if strength
    ]  # fmt: skip
    return f" {', '.join(found)}." if found else ""


_To: TypeAlias = "Mapping[str, tuple[str, ...] | int]"
"""By slugs of areas which blocks go there, or how many where this seat may not know them."""


def _retreat(side: str, to: _To, lost: tuple[str, ...]) -> str:
    named, counted = _places(to)
    found = [
        _n("{blocks} retreats to {area}.", "{blocks} retreat to {area}.", _men(who), blocks=spoken_of(who), area=area)
        for area, who in named
    ]
    if counted:
        found.append(capital(_("{who} retreat, {places}.", who=the(side), places=counted)))
    if lost:
        missed = _n(
            "{blocks} finds no retreat (5.5).", "{blocks} find no retreat (5.5).", len(lost), blocks=spoken_of(lost)
        )
        found.append(capital(missed))
    return " ".join(found)


def _regroup(side: str, to: _To) -> str:
    named, counted = _places(to)
    found = [
        _n("{blocks} regroups to {area}.", "{blocks} regroup to {area}.", _men(who), blocks=spoken_of(who), area=area)
        for area, who in named
    ]
    if counted:
        found.append(capital(_("{who} regroup, {places}.", who=the(side), places=counted)))
    return " ".join(found)


def _men(names: tuple[str, ...]) -> int:
    """Return the grammatical number for these blocks in a sentence."""
    return men(names[0]) if len(names) == 1 else 2


def _places(to: _To) -> tuple[list[tuple[str, tuple[str, ...]]], str]:
    """Return which blocks go where, those that this seat may know; and in words how many others do."""
    found = [(area, to[SLUG[area]]) for area in sorted(AREAS) if SLUG[area] in to]
    named = [(area, who) for area, who in found if not isinstance(who, int)]
    counted = [_("{blocks} to {area}", blocks=blocks(n), area=area) for area, n in found if isinstance(n, int)]
    return named, ", ".join(counted)


def _by_name(found: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return blocks with their strengths, in the order of the roster."""
    return [(name, found[SLUG[name]]) for name in BLOCKS if SLUG[name] in found]
