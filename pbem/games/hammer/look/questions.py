"""What is asked, in the rule book's terms, with the rule's number and what the rule leaves open. The winter has its own file.

All of it comes from the view of the seat that is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from ..rules.facts import AREAS, BLOCKS, BORDER, ENGLAND, NEIGHBOURS, NORSE, SCOTTISH, SLUG, card_value, is_event
from ..rules.move_law import mover
from .board import battle_lines
from .words import block, count, hanging, listed, solid, the

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..views import HammerView

Question: TypeAlias = "Callable[[HammerView, dict[str, Any]], list[str]]"
"""From the view and what is asked to lines."""


def _card(view: HammerView, _: dict[str, Any]) -> list[str]:
    return hanging(
        "",
        f"{view.year}, Game Turn {view.turn}: which card do you play? Both cards are revealed together. "
        "Who plays an event is Player 1, else who plays the higher card; the English win ties (3.1).",
    )


# Acts


def _act(view: HammerView, ask: dict[str, Any]) -> list[str]:
    card, player = ask["card"], ask["player"]
    head = f"You have played {card} and are Player {player}."
    if is_event(card):
        return hanging("", f"{head} {_EVENTS[card]} Or PASS (3.1).{_crown(view)}")
    moves = count(card_value(card), "Group Move")
    truce = " Truce: you may not attack this turn." if view.truce == view.seat else ""
    return [
        *hanging("", f"{head} {moves}, or PASS (4.0).{truce}"),
        *hanging("", "A line for each route; MAIN ends the line of a main attack (5.32); each block that crosses the "
                     "Anglo-Scottish border costs a Group Move (4.4)."),
        "",
        *_groups(view),
    ]  # fmt: skip


_EVENTS = {
    "Herald": "Name an enemy noble, not Moray: on a die of 1-4 he comes over to you.",
    "Pillage": "Name an area with enemy blocks and a neighbouring one with your own: the enemy there takes two hits, "
    "and each step he loses you may add to your group.",
    "Sea Move": "One or two of your blocks, not the Norse, go from one coastal area to another where you stand alone.",
    "Truce": "This turn the enemy may move, but not attack.",
    "Victuals": "Add up to three steps to your blocks in one area.",
}


def _crown(view: HammerView) -> str:
    if view.seat != SCOTTISH or view.king:
        return ""
    return " Instead of the event you may crown a king, if the conditions are met: CORONATION (6.21), RETURN (6.22)."


def _groups(view: HammerView) -> list[str]:
    """Return the seat's groups, their blocks with Move Rating, and below the borders around them."""
    who = mover(view)
    lines = [
        "Your groups: blocks (Move Rating), and to where how many may cross;",
        "r: a red border, stop there; [E1]: English, [S1]: Scots there.",
    ]
    for area in AREAS:
        here = who.own.get(area, 0)
        if not here:
            continue
        around = []
        for there in NEIGHBOURS[area]:
            border = BORDER[area, there]
            if who.is_contested(area) and who.marks.get((area, there)) == view.enemy:
                around.append(solid(f"{there} closed (4.6)"))
            else:
                around.append(solid(f"{there} {border.limit}{'r' if border.red else ''}{_standing(view, there)}"))
        blocks = ", ".join(solid(f"{n} ({'sea' if n == NORSE else BLOCKS[n].move})") for n in view.groups[area])
        pinned = f"; {here - who.free(area)} pinned (4.6)" if who.is_contested(area) else ""
        lines += hanging(f"  {area:<12}", blocks + pinned)
        lines += hanging(" " * 16, ", ".join(around))
    if NORSE in who.places:
        lines += hanging("  ", "The Norse sail to any other coast but England, for a Group Move by themselves (4.7).")
    return lines


def _standing(view: HammerView, area: str) -> str:
    here = [(letter, view.count(area, side)) for letter, side in (("E", "english"), ("S", "scottish"))]
    told = " ".join(f"{letter}{n}" for letter, n in here if n)
    return f" [{told}]" if told else ""


# Event cards


def _pillage_losses(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area, hits = ask["area"], count(ask["hits"], "hit")
    return hanging(
        "",
        f"{the(view.enemy)} pillage {area}: your blocks there take {hits}, each on the strongest (5.41). "
        f"Name the block for each hit. There: {_own(view, area)}.",
    )


def _pillage_gains(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area, steps = ask["area"], count(ask["steps"], "step")
    return hanging(
        "",
        f"Your pillage has taken {steps}: add them to blocks in {area}, up to their full strength, or PASS. "
        f"There: {_own(view, area)}.",
    )


def _own(view: HammerView, area: str) -> str:
    names = view.groups.get(area, ())
    return ", ".join(block(name, view.blocks[SLUG[name]].strength) for name in names)


# Battles


def _next_battle(view: HammerView, ask: dict[str, Any]) -> list[str]:
    fights = [
        f"{area} (English {view.count(area, 'english')}, Scots {view.count(area, SCOTTISH)})" for area in ask["areas"]
    ]
    return hanging("", f"You are Player 1: which battle is fought next (5.1)? {listed(fights)}.")


def _battle_action(view: HammerView, ask: dict[str, Any]) -> list[str]:
    can = [word for word, may in (("FIRE", ask["fire"]), ("RETREAT", ask["retreat"])) if may]
    who = listed(ask["blocks"])
    acts = listed([*can, "PASS"]).replace(" and ", " or ")
    lines = hanging("", f"Your {ask['letter']} blocks act (5.31): {who}. Name one, and what it does: {acts}.")
    if ask["retreat"]:
        lines += hanging("", f"Open for retreat, with border limits (5.5): {_rooms(open_exits(view, ask['area']))}.")
    return [*battle_lines(view), "", *lines]


def _hits(view: HammerView, ask: dict[str, Any]) -> list[str]:
    hits, among = ask["hits"], listed(ask["among"])
    lines = hanging(
        "", f"{count(hits, 'hit')} to apply, and {among} are your strongest. Whom do you reduce, a step each (5.41)?"
    )
    return [*battle_lines(view), "", *lines]


def open_exits(view: HammerView, area: str) -> dict[str, int]:
    """Return how many of the seat's blocks may still retreat to each neighbour of a battle's area, on foot (5.5)."""
    marks = {pair: mark.side for mark in view.marks for pair in (mark.between, mark.between[::-1])}
    used = {pair: c.blocks for c in view.retreated if c.side == view.seat for pair in (c.between, c.between[::-1])}
    found = {}
    for there in NEIGHBOURS[area]:
        barred = area == ENGLAND if view.seat != SCOTTISH else there == ENGLAND
        room = BORDER[area, there].limit - used.get((area, there), 0)
        if not barred and not view.count(there, view.enemy) and marks.get((area, there)) != view.enemy and room:
            found[there] = room
    return found


def _rooms(room: dict[str, int]) -> str:
    return ", ".join(solid(f"{area} ({n})") for area, n in room.items()) or "nowhere"


def _exits(ask: dict[str, Any], blocks: Iterable[str]) -> list[str]:
    """Return where blocks may retreat or regroup to, and how many of them."""
    lines = hanging("", f"Open, with border limits: {_rooms({e['to']: e['room'] for e in ask['exits']})}.")
    if NORSE in blocks:
        lines += hanging("", f"The Norse, to a coast of yours (4.7): {listed(ask['coasts'])}.")
    return lines


def _retreats(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area, who = ask["area"], listed(ask["blocks"])
    must = ": three rounds are over, and who finds no exit is lost" if ask["must"] else ""
    lines = hanging("", f"Retreat from {area}: {who}{must} (5.5). Name a place for each; they go in the order named.")
    return [*battle_lines(view), "", *lines, *_exits(ask, ask["blocks"])]


def _regroup(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area = ask["area"]
    lines = hanging(
        "", f"You have won in {area}. Your blocks there may regroup: {_own(view, area)}. Who is not named stays (5.6)."
    )
    return [*lines, *_exits(ask, view.groups.get(area, ()))]


def _raid(view: HammerView, _: dict[str, Any]) -> list[str]:
    n = view.count(ENGLAND, SCOTTISH)
    return hanging(
        "",
        f"{count(n)} of the Scots {'raids' if n == 1 else 'raid'} England: which block, not a noble, do you disband (5.9)?",
    )


SAYS: dict[str, Question] = {
    "card": _card,
    "act": _act,
    "pillage losses": _pillage_losses,
    "pillage gains": _pillage_gains,
    "next battle": _next_battle,
    "battle action": _battle_action,
    "hits": _hits,
    "retreats": _retreats,
    "regroup": _regroup,
    "raid": _raid,
}
"""Name of a question -> its text."""
