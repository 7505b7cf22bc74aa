"""Facts in the rule book's words: the year, cards, events, crowns, moves and raids. Battles and winter have files of their own.

Each kind of fact has one function, entered in `SAYS`. How a text begins says how the report sets it (`pbem.reports.look`):
an empty line opens a paragraph under a heading, a blank goes on in the line before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pbem.reports.look import Chapter

from ..rules.facts import ENGLISH, SCOTTISH, enemy, is_event
from .words import THE, count, dice, listed, the

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.kernel import Json

Sentence: TypeAlias = "Callable[[Json], str]"


def result(ended: Json) -> str:
    """Return the sentence for the end of the game (9.0, 9.1)."""
    winner, why = the(ended["winner"]), _WHY[ended["why"]]
    return f"{winner} win: {why}."


def chapter(fact: Json) -> Chapter | None:
    """Return the part of the game that a fact begins: a turn, a winter, and within them the battles."""
    match fact["f"]:
        case "turn":
            return Chapter(f"{fact['year']}, Game Turn {fact['turn']}")
        case "year ends":
            return Chapter(f"{fact['year']}, Winter")
        case "battle":
            return Chapter(f"{fact['area']}", 1)
    return None


_WHY = {
    "all nobles": "all nobles in play are with them (9.1)",
    "king killed": "the Scottish King is killed (9.1)",
    "edward ii killed": "Edward II is killed (9.1)",
    "majority": "most of the nobles are with them (9.0)",
    "tie wallace": "the nobles are divided seven to seven, and Wallace is on the map (9.0)",
    "tie no wallace": "the nobles are divided seven to seven, and Wallace is dead or in the pool (9.0)",
}


# The year and the turn


def _levy(fact: Json) -> str:
    if not fact["n"]:
        return "The English draw pool is empty: there is nobody to levy (7.7)."
    drawn = f": {listed(fact['blocks'])}" if fact.get("blocks") else ""
    return f"The English levy {count(fact['n'])} in England, at full strength{drawn}."


def _year(fact: Json) -> str:
    return f"\nThe year {fact['year']}\nThe deck is shuffled, and five cards are dealt to each player (3.0)."


def _dealt_again(fact: Json) -> str:
    return (
        f"In {fact['year']} somebody is dealt too many cards of a kind: the deck is shuffled again, and five new cards "
        "are dealt to each player (option 1-2-3)."
    )


def _turn(fact: Json) -> str:
    return f"\n{fact['year']}, Game Turn {fact['turn']}"


def _cards(fact: Json) -> str:
    first = fact["first"]
    played = f"The English play {fact[ENGLISH]}, the Scots {fact[SCOTTISH]}"
    return f"{played}: {THE[first]} are Player 1."


def _victory(fact: Json) -> str:
    return f"\nThe game is over\n{result(fact)}"


# Acts


def _pass(fact: Json) -> str:
    who = the(fact["side"])
    return f"{who} pass: their {fact['card']} is not used." if is_event(fact["card"]) else f"{who} move nobody."


def _herald(fact: Json) -> str:
    return f"{the(fact['side'])} send the Herald to {fact['noble']}."


def _herald_answer(fact: Json) -> str:
    answer = "he listens" if fact["success"] else "he will not listen"
    return f" The die (1-4 wins him): {dice([fact['die']], 4)}, {answer}."


def _defection(fact: Json) -> str:
    strength = f" at strength {fact['strength']}" if "strength" in fact else ""
    return f"{fact['noble']} changes sides and joins {THE[fact['to']]} in {fact['area']}{strength}."


def _pillage(fact: Json) -> str:
    side = fact["side"]
    return f"{the(side)} pillage {fact['target']} from {fact['group']}: two hits on {THE[enemy(side)]} there."


def _pillage_losses(fact: Json) -> str:
    gone = fact["gone"]
    removed = f", {count(gone)} eliminated" if gone else ""
    return f" They lose {count(fact['steps'], 'step')}{removed}{_strengths(fact.get('losses'))}."


def _pillage_gains(fact: Json) -> str:
    steps = count(fact["steps"], "step") if fact["steps"] else "no steps"
    return f"{the(fact['side'])} add {steps} in {fact['area']}{_strengths(fact.get('gains'))}."


def _strengths(blocks: Json) -> str:
    """Return the strengths that blocks have reached, if this seat may know them."""
    told = [f"{b['block']} {'now ' + str(b['strength']) if b['strength'] else 'gone'}" for b in blocks or ()]
    return f" ({', '.join(told)})" if told else ""


def _sea_move(fact: Json) -> str:
    blocks = fact.get("blocks")
    who = listed(blocks) if blocks else count(fact["n"])
    return f"{the(fact['side'])} move {who} by sea from {fact['start']} to {fact['to']}."


def _truce(fact: Json) -> str:
    other = THE[enemy(fact["side"])]
    return f"{the(fact['side'])} call a Truce: this turn {other} may move, but not attack."


def _victuals(fact: Json) -> str:
    steps = count(fact["steps"], "step")
    return f"{the(fact['side'])} bring Victuals to {fact['area']}: {steps}{_strengths(fact.get('gains'))}."


def _coronation(fact: Json) -> str:
    king = fact["king"]
    other = "Comyn" if king == "Bruce" else "Bruce"
    return (
        f"{king} is crowned King of Scots. The King takes the field in {fact['area']} at full strength, "
        f"and the {other} nobles of the Scots go over to the English (6.21)."
    )


def _return(fact: Json) -> str:
    return (
        f"King Balliol returns from exile. The King takes the field in {fact['area']} at full strength, "
        "and the Bruce nobles of the Scots go over to the English (6.22)."
    )


# Movement


def _move(fact: Json) -> str:
    route, blocks = fact["route"], fact.get("blocks")
    if fact.get("norse"):
        who = f"{the(fact['side'])} sail the Norse from {route[0]} to {route[1]}"
    else:
        who = f"{the(fact['side'])} move {count(fact['n'])}, {' > '.join(route)}"
    purpose = next((f", to {what}" for what in ("attack", "reinforce", "rally") if fact.get(what)), "")
    return f"{who}{purpose}{': ' + listed(blocks) if blocks else ''}."


def _main_attack(fact: Json) -> str:
    ways = " and ".join(_way(way["start"], way["via"]) for way in (fact, *fact.get("with", ())))
    reserve = fact.get("reserve", 0)
    others = f"; {count(reserve)} of other groups in reserve" if reserve else ""
    return f"Main attack on {fact['area']}: {count(fact['n'])} {ways}{others} (5.32)."


def _way(start: str, via: str) -> str:
    if via == start:
        return f"from {start}"
    return f"from {start}, by sea" if via == "sea" else f"from {start}, over the border from {via}"


# Border raids


def _raid(fact: Json) -> str:
    raiders = f"{count(fact['n'])} of the Scots {'raids' if fact['n'] == 1 else 'raid'} England"
    if "area" not in fact:
        return f"{raiders}; the English have no block to lose (5.9)."
    lost = fact.get("block", "a block")
    return f"{raiders}: the English must disband {lost} in {fact['area']} (5.9)."


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
