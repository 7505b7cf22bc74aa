"""Battles in words, as they are fought: round by round, every die to be seen. Rules 5.0-5.8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rules.facts import AREAS, BLOCKS, SLUG, enemy
from .words import THE, capital, count, dice, listed, rating, the, verb

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .facts import Sentence


def _battles(fact: Json) -> str:
    areas = fact["areas"]
    return f"There {'is a battle' if len(areas) == 1 else 'are battles'} to fight in {listed(areas)} (5.1)."


def _battle(fact: Json) -> str:
    attacker = fact["attacker"]
    strengths = []
    for side, role in ((attacker, "attack"), (enemy(attacker), "defend")):
        front, reserve = fact[side], fact.get(f"{side}_reserve", 0)
        behind = f" and {count(reserve)} in reserve" if reserve else ""
        strengths.append(f"{the(side)} {role} with {count(front)}{behind}.")
    return "\n".join([f"\nThe battle of {fact['area']}", *strengths])


def _round(fact: Json) -> str:
    return f"\n{fact['area']}, round {fact['round']}"


def _reveal(fact: Json) -> str:
    rated = fact.get("ratings", {})
    told = [f"{name} {n} ({rated.get(SLUG[name]) or rating(name)})" for name, n in _by_name(fact["blocks"])]
    return f"{the(fact['side'])} reveal {', '.join(told)}."


def _unity(fact: Json) -> str:
    fate = "it leaves for the draw pool" if fact["gone"] else "it stays"
    return f"Celtic unity, {fact['block']} (5 or 6 and it leaves): {fact['die']}, {fate}."


def _fire(fact: Json) -> str:
    where = " at home" if fact.get("home") else " in a schiltrom" if fact.get("schiltrom") else ""
    letter = fact.get("letter") or BLOCKS[fact["block"]].letter
    n, hits = len(fact["dice"]), fact["hits"]
    rolled = dice(fact["dice"], fact["rating"])
    scored = count(hits, "hit") if hits else "no hit"
    return (
        f"{fact['block']} {verb(fact['block'], 'fires', 'fire')} {n} {'die' if n == 1 else 'dice'} "
        f"at {letter}{fact['rating']}{where}: {rolled}  {scored}."
    )


def _hit(fact: Json) -> str:
    told = [f"{name} reduced to {n}" for name, n in _by_name(fact["blocks"]) if n]
    return f" {', '.join(told)}." if told else ""


def _retreats(fact: Json) -> str:
    return f"{fact['block']} {verb(fact['block'], 'chooses', 'choose')} to retreat."


def _stays(fact: Json) -> str:
    return f"{fact['block']} {verb(fact['block'], 'passes', 'pass')}."


def _killed(fact: Json) -> str:
    name = fact["block"]
    fate = "for good (5.8)" if fact["fate"] == "dead" else f"and {verb(name, 'goes', 'go')} to the draw pool"
    return f" {name} {verb(name, 'is', 'are')} eliminated {fate}."


def _edward(_: Json) -> str:
    return "Edward I is dead; his son is King Edward II (6.1)."


def _captured(fact: Json) -> str:
    how = {
        "killed": "is captured",
        "no retreat": "cannot retreat and is captured",
        "pillage": "has lost his last step",
    }[fact["how"]]
    return f" {fact['noble']} {how}: he changes sides and joins {THE[fact['by']]} at strength 1 (5.7)."


def _control(fact: Json) -> str:
    attacker = fact["attacker"]
    return f"Battlefield control changes: now {THE[attacker]} attack and {THE[enemy(attacker)]} defend (5.32)."


def _withdraw(fact: Json) -> str:
    return f"Three rounds are fought, and {THE[fact['side']]} have not won: they must retreat (5.3)."


def _retreat(fact: Json) -> str:
    places, lost = _places(fact["to"]), fact.get("lost", [])
    found = [f"{the(fact['side'])} retreat {places}."] if places else []
    if lost:
        found.append(f"{capital(listed(lost))} {'finds' if len(lost) == 1 else 'find'} no retreat (5.5).")
    return " ".join(found)


def _regroup(fact: Json) -> str:
    places = _places(fact["to"])
    return f"{the(fact['side'])} regroup {places}." if places else f"{the(fact['side'])} stay in {fact['area']}."


def _places(to: Json) -> str:
    """Return how many blocks go where, by name where this seat may know them."""
    found = ((area, to[SLUG[area]]) for area in sorted(AREAS) if SLUG[area] in to)
    return ", ".join(f"{count(who) if isinstance(who, int) else listed(who)} to {area}" for area, who in found)


def _by_name(blocks: Json) -> list[tuple[str, int]]:
    """Return blocks with their strengths, in the order of the roster."""
    return [(name, blocks[SLUG[name]]) for name in BLOCKS if SLUG[name] in blocks]


def _battle_over(fact: Json) -> str:
    winner = fact.get("winner")
    if not winner:
        return f"Nobody is left in {fact['area']}."
    stay = " Nobody regroups: a defection caused it (variant)." if fact.get("stay") else ""
    return f"{the(winner)} win the battle of {fact['area']}.{stay}"


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
