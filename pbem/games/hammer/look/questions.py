"""What is asked, in the rule book's terms, with the rule's number and what the rule leaves open. The winter has its own file.

All of it comes from the view of the seat that is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from ..rules.battle_law import combat_turn, tied_seen
from ..rules.facts import AREAS, BORDER, ENGLAND, NEIGHBOURS, NORSE, SCOTTISH, SLUG, card_value, is_event
from ..rules.move_law import mover
from ..rules.rally import leaders
from ..rules.retreat_law import exits_seen
from ..rules.variants import ANGUS_OG, BORDER_ONE_GROUP, NORSE_SEA_MOVE, ONE_TARGET, RALLY
from .board import battle_lines, truce_binds
from .words import block, count, hanging, listed, solid, the

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..rules.retreat_law import Exits
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
        what = _EVENTS[card]
        if NORSE_SEA_MOVE in view.variants:
            what = what.replace("not the Norse", "the Norse not to England")
        return hanging("", f"{head} {what} Or PASS (3.1).{_crown(view)}")
    moves = count(card_value(card), "Group Move")
    truce = f" Truce: {truce_binds(view, 'you')}." if view.truce == view.seat else ""
    return [
        *hanging("", f"{head} {moves}, or PASS (4.0).{truce}"),
        *hanging("", "A line for each route; MAIN ends the line of a main attack (5.32); each block that crosses the "
                     f"Anglo-Scottish border costs a Group Move (4.4).{_one_group(view)}"),
        *_rally(view),
        "",
        *_groups(view),
    ]  # fmt: skip


def _one_group(view: HammerView) -> str:
    return " All that cross it to attack one area fight as one group." if BORDER_ONE_GROUP in view.variants else ""


def _rally(view: HammerView) -> list[str]:
    if RALLY not in view.variants:
        return []
    who = mover(view)
    found = listed(f"{name} in {who.places[name]}" for name in leaders(who.side, who.places))
    return hanging(
        "",
        "RALLY ends the line of blocks that go to a leader, from anywhere: all that rally at one place cost one Group "
        f"Move together (option). Now: {found}.",
    )


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
        blocks = ", ".join(solid(f"{n} ({'sea' if n == NORSE else who.rating(n)})") for n in view.groups[area])
        pinned = f"; {here - who.free(area)} pinned (4.6)" if who.is_contested(area) else ""
        lines += hanging(f"  {area:<12}", blocks + pinned)
        lines += hanging(" " * 16, ", ".join(around))
    if NORSE in who.places:
        coast = "coast of the Irish Sea" if ANGUS_OG in view.variants else "coast"
        lines += hanging(
            "  ", f"The Norse sail to any other {coast} but England, for a Group Move by themselves (4.7)."
        )
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
    area, steps, them = ask["area"], count(ask["steps"], "step"), "it" if ask["steps"] == 1 else "them"
    return hanging(
        "",
        f"Your pillage has taken {steps}: add {them} to blocks in {area}, up to their full strength, or PASS. "
        f"There: {_own(view, area)}.",
    )


def _own(view: HammerView, area: str) -> str:
    names = view.groups.get(area, ())
    return ", ".join(block(name, view.blocks[SLUG[name]].strength, view.variants) for name in names)


# Battles


def _next_battle(view: HammerView, _: dict[str, Any]) -> list[str]:
    fights = [
        f"{area} (English {view.count(area, 'english')}, Scots {view.count(area, SCOTTISH)})" for area in view.contested
    ]
    return hanging("", f"You are Player 1: which battle is fought next (5.1)? {listed(fights)}.")


def _battle_action(view: HammerView, _: dict[str, Any]) -> list[str]:
    turn = combat_turn(view)
    can = [word for word, may in (("FIRE", turn.fire), ("RETREAT", any(map(turn.exits.ways, turn.blocks)))) if may]
    acts = listed([*can, "PASS"]).replace(" and ", " or ")
    lines = hanging("", f"Your {turn.letter} blocks act (5.31): {listed(turn.blocks)}. {acts}?")
    if len(turn.blocks) > 1:
        lines += hanging(
            "", "They act in the order named, each hit is applied before the next; who is not named is asked again."
        )
    if "RETREAT" in can:
        lines += _exits(turn.exits, turn.blocks)
    return [*battle_lines(view), "", *lines]


def _hits(view: HammerView, _: dict[str, Any]) -> list[str]:
    tied, n = tied_seen(view)
    among = listed(tied)
    if ONE_TARGET in view.variants:
        hits = view.battle.hits if view.battle else n
        asked = f"{count(hits, 'hit')} to apply, and {among} are your strongest: which one of them takes all (option)?"
    else:
        asked = f"{count(n, 'hit')} to apply, and {among} are your strongest. Whom do you reduce, a step each (5.41)?"
    lines = hanging("", asked)
    return [*battle_lines(view), "", *lines]


def _exits(open_to: Exits, blocks: Iterable[str]) -> list[str]:
    """Return where blocks may retreat or regroup to, and how many of them."""
    rooms = ", ".join(solid(f"{area} ({n})") for area, n in open_to.room.items() if n) or "nowhere"
    lines = hanging("", f"Open, with border limits: {rooms}.")
    if NORSE in blocks:
        lines += hanging("", f"The Norse, to a coast of yours (4.7): {listed(open_to.coasts)}.")
    return lines


def _retreats(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area, blocks = ask["area"], view.frames["retreat"]["blocks"]
    lines = hanging(
        "",
        f"Retreat from {area}: {listed(blocks)}: three rounds are over, and who finds no exit is lost (5.5). "
        "Name a place for each; they go in the order named.",
    )
    return [*battle_lines(view), "", *lines, *_exits(exits_seen(view, area), blocks)]


def _regroup(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area = ask["area"]
    lines = hanging(
        "", f"You have won in {area}. Your blocks there may regroup: {_own(view, area)}. Who is not named stays (5.6)."
    )
    return [*lines, *_exits(exits_seen(view, area, regroup=True), view.groups.get(area, ()))]


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
