"""The Winter Turn in words: who goes home or changes sides, who disbands, what is built, drawn and levied. Rules 7.0-7.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .words import OF, THE, count, listed, the

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .facts import Sentence


def _year_ends(fact: Json) -> str:
    early = " early: both sides have played an event" if fact["early"] else ""
    return f"\nThe Winter Turn of {fact['year']}\nThe year ends{early} (7.0)."


def _homes(fact: Json) -> str:
    nobles = [(entry["noble"], entry["area"]) for entry in fact["nobles"]]
    told = [noble if noble == area else f"{noble} in {area}" for noble, area in nobles]
    return f"{OF[fact['side']]} nobles at home (7.1): {listed(told)}."


def _turned(fact: Json) -> str:
    where = f"his home {fact['area']}" if "area" in fact else "both his homes"
    strength = f" at strength {fact['strength']}" if "strength" in fact else ""
    return f"{fact['noble']} finds {where} held by {THE[fact['to']]}, changes sides and joins them{strength} (7.1)."


def _disband(fact: Json) -> str:
    areas = fact["areas"]
    told = [f"{listed(a['blocks']) if a.get('blocks') else count(a['n'])} in {a['area']}" for a in areas]
    return f"{the(fact['side'])} disband {'; '.join(told)}."


def _winter_move(fact: Json) -> str:
    who = fact.get("block", f"A {OF[fact['side']]} block" if fact["side"] == "scottish" else "An English block")
    start, to = fact["start"], fact["to"]
    goes = f"winters in {to}" if start == to else f"goes from {start} to {to} for the winter"
    return f"{who} {goes}{', now at strength ' + str(fact['strength']) if 'strength' in fact else ''}."


def _edward_winters(fact: Json) -> str:
    return f"Edward I winters in {fact.get('area', 'Scotland')}, with the blocks around him (7.4)."


def _french(_: Json) -> str:
    return "The Scots hold eight nobles: the French Knights join their draw pool (7.61)."


def _build(fact: Json) -> str:
    told = []
    for area in fact["areas"]:
        gains = ", ".join(f"{gain['block']} now {gain['strength']}" for gain in area.get("gains", ()))
        told.append(f"{count(area['steps'], 'step')} in {area['area']}{f' ({gains})' if gains else ''}")
    return f"{the(fact['side'])} build {'; '.join(told)}."


def _draw(fact: Json) -> str:
    lands = f"; it lands in {fact['to']} (variant)" if "to" in fact else ""
    return f"{the(fact['side'])} draw {fact.get('block', 'a block')} in {fact['area']}, at strength 1 (7.62){lands}."


def _no_levy(_: Json) -> str:
    return "Edward I is in Scotland: there is no Feudal Levy (7.7)."


def _edward_ii(_: Json) -> str:
    return "Edward I dies; from now on Edward II is king of England (6.1)."


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
