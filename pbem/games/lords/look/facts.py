"""Every kind of fact -> its sentence. `you` is the seat that heard it, or None."""

from __future__ import annotations

from collections.abc import Callable

from pbem.kernel import Json

from .words import both, cards, follower, lord, points

_Saying = Callable[[Json, str | None], str]


def _who(fact: Json, you: str | None, verb: str) -> str:
    """Return who does it: “You take”, “Angus takes”."""
    return f"You {verb}" if fact["seat"] == you else f"{lord(fact['seat'])} {verb}s"


def _first(fact: Json, you: str | None) -> str:
    return f"The die shows {fact['die']}: {lord(fact['seat'])} begins, with the Victor's Initiative."


def _hand(fact: Json, you: str | None) -> str:
    if "cards" in fact:
        return f"You are dealt {both(fact['cards'])}."
    return f"{lord(fact['seat'])} is dealt {cards(fact['n'])}."


def _round(fact: Json, you: str | None) -> str:
    return f"\nRound {fact['round']}: {lord(fact['first'])} goes first"


def _recruit(fact: Json, you: str | None) -> str:
    taken = f", {fact['card']}" if "card" in fact else ", face-down"
    return f"{_who(fact, you, 'take')} recruit {fact['place']}{taken}."


def _muster(fact: Json, you: str | None) -> str:
    card = fact.get("card", "a card")
    return f"{_who(fact, you, 'muster')} {card}{'' if 'up' in fact else ' face-down'}."


def _power(fact: Json, you: str | None) -> str:
    card, power, target = fact["card"], fact["power"], follower(fact.get("target", ""))
    by = card if card.startswith(power) else f"{card}, as {power},"
    match power:
        case "Cockburn":
            return f" {by} changes places with the supporter {target}."
        case "Ferguson":
            took = f": it is {fact['took']}" if "took" in fact else ""
            return f" {by} goes to {lord(fact['from'])} for {target}{took}."
        case "Forsyth":
            return f" {by} draws a card."
        case "Makgill":
            return f" {by} musters another."
        case "Wemyss":
            shown = "" if fact["gone"] == target else f": it was {fact['gone']}"
            return f" {by} discards {target} from {lord(fact['from'])}'s army{shown}."
        case "Bruce":
            return f" {by} will count for any clan."
        case "Cochrane":
            return f" {by} will claim two supporters."
    return f" {by} will stay for another round."


def _draw(fact: Json, you: str | None) -> str:
    return f"{_who(fact, you, 'draw')} {fact.get('card', 'a card')}."


def _armies(fact: Json, you: str | None) -> str:
    if not fact["armies"]:
        return "\nThe skirmish is over\nNobody has an army."
    lines = [
        f"{place}. {lord(army['seat'])}: {army['total']}"
        + (f" ({army['total'] // 2} doubled)" if army["doubled"] else "")
        + (f", by rank {army['rank']}" if [a["total"] for a in fact["armies"]].count(army["total"]) > 1 else "")
        for place, army in enumerate(fact["armies"], 1)
    ]
    return "\n".join(["\nThe skirmish is over", *lines])


def _claim(fact: Json, you: str | None) -> str:
    have = "have" if fact["seat"] == you else "has"
    return f"{_who(fact, you, 'claim')} {both(fact['cards'])}, and {have} {points(fact['points'])}."


SAYS: dict[str, _Saying] = {
    "first": _first,
    "hand": _hand,
    "round": _round,
    "recruit": _recruit,
    "muster": _muster,
    "power": _power,
    "draw": _draw,
    "armies": _armies,
    "claim": _claim,
    "shuffle": lambda fact, you: f"{cards(fact['cards']).capitalize()} are shuffled into a draw pile.",
    "no cards": lambda fact, you: "There is no card left to draw.",
    "supporters": lambda fact, you: f"Supporters: {both(fact['cards'])}.",
    "same": lambda fact, you: "They are all of one strength: they are discarded, and others drawn.",
    "turn up": lambda fact, you: f"Recruit {fact['place']} is turned up: {fact['card']}.",
    "new recruit": lambda fact, you: f" In its place comes {fact['card']}.",
    "pass": lambda fact, you: f"{_who(fact, you, 'can')} do nothing.".replace("cans", "can"),
    "flip": lambda fact, you: f"{_who(fact, you, 'turn')} up {both(fact['cards'])}.",
    "unclaimed": lambda fact, you: f"Nobody claims {both(fact['cards'])}: discarded.",
    "stay": lambda fact, you: f"{both(fact['cards'])} {_stays(fact)} in the army of {lord(fact['seat'])}.",
    "show hand": lambda fact, you: f"{_who(fact, you, 'hold')} {both(fact['cards'])}.",
}


def _stays(fact: Json) -> str:
    return "stays" if len(fact["cards"]) == 1 else "stay"


def result(result: Json) -> str:
    """Return a sentence for the end of the game."""
    score = ", ".join(f"{lord(seat)} {n}" for seat, n in result["points"].items())
    if not result["winner"]:
        return f"Nobody wins, the best are level: {score}."
    why = "" if result["why"] == "throne" else " The cards have run out."
    return f"{lord(result['winner'])} claims the throne.{why} Points: {score}."
