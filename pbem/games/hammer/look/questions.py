"""The questions, in the rule book's terms, with the rule's number and what the rule leaves open.

Everything comes from the view of the asked seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pbem.i18n import N_

from ..orders import DISBAND, STAY, Disband
from ..rules import (
    ANDREW_DE_MORAY,
    ANDREW_GAINS,
    ANGUS_OG,
    AREAS,
    BORDER,
    BORDER_ONE_GROUP,
    CANDIDATES,
    ENGLAND,
    ENGLISH,
    MORAY,
    NEIGHBOURS,
    NORSE,
    NORSE_SEA_MOVE,
    RALLY,
    SCOTTISH,
    SIMULTANEOUS_FIRE,
    SLUG,
    Exits,
    buildable,
    card_value,
    combat_turn,
    coronation_refusal,
    draw_refusal,
    edition_of,
    edward_refusal,
    exits_seen,
    has_one_target,
    home_choices,
    is_event,
    landing_places,
    leaders,
    mover,
    points_left,
    quarters,
    return_refusal,
    tied_seen,
    wallace_refusal,
)
from ..rules.said import _, _n, named
from ..views import HammerView
from .board import battle_lines, nor_england
from .words import LETTER, block, capital, either, hanging, hits, listed, solid, steps, the

CALLED: Mapping[str, str] = {
    "card": N_("“card”"),
    "act": N_("“act”"),
    "next battle": N_("“next battle”"),
    "battle action": N_("“battle action”"),
    "hits": N_("“hits”"),
    "pillage losses": N_("“pillage losses”"),
    "pillage gains": N_("“pillage gains”"),
    "retreats": N_("“retreats”"),
    "regroup": N_("“regroup”"),
    "raid": N_("“raid”"),
    "home": N_("“home”"),
    "disband": N_("“disband”"),
    "build": N_("“build”"),
}
"""Question -> its name."""

_ABOUT: Mapping[str, str] = {
    "card": N_("{when}, a card"),
    "act": N_("{when}, your {card}"),
    "next battle": N_("{when}, the next battle"),
    "battle action": N_("{when}, battle of {area}"),
    "hits": N_("{when}, battle of {area}"),
    "retreats": N_("{when}, battle of {area}"),
    "pillage losses": N_("{when}, pillage of {area}"),
    "pillage gains": N_("{when}, pillage of {area}"),
    "regroup": N_("{when}, regrouping in {area}"),
    "raid": N_("{when}, the raid on England"),
    "home": N_("{when}, the nobles go home"),
    "disband": N_("{when}, who disbands"),
    "build": N_("{when}, the builds"),
}
"""Question -> its public subject."""

Question: TypeAlias = "Callable[[HammerView, dict[str, Any]], list[str]]"
"""Returns lines, from the view and the question."""


def about(view: HammerView, ask: Mapping[str, Any]) -> str:
    """Return in a few words when and what is asked, with nothing that only the asked seat knows."""
    winter = any(entry["at"] == "winter" for entry in view.stack)
    when = _("{year} winter", year=view.year) if winter else _("{year} turn {turn}", year=view.year, turn=view.turn)
    area = ask.get("area") or (view.battle.area if view.battle else "")
    said = _ABOUT[ask["what"]]
    return _(said, when=when, area=area, card=ask.get("card", ""))


def _card(view: HammerView, ask: dict[str, Any]) -> list[str]:
    return hanging(
        "",
        _(
            "{year}, Game Turn {turn}: which card do you play? Both cards are revealed together. "
            "The higher card makes its player Player 1, who moves first; an event beats any number, and the English win "
            "ties (3.1).",
            year=view.year, turn=view.turn,
        ),
    )  # fmt: skip


# Acts


def _act(view: HammerView, ask: dict[str, Any]) -> list[str]:
    card = ask["card"]
    head = _("You have played {card} and are Player {player}.", card=card, player=ask["player"])
    if is_event(card):
        free = card == "Sea Move" and NORSE_SEA_MOVE in view.variants
        what = _(_NORSE_BY_SEA_MOVE if free else _EVENTS[card])
        or_pass = _("Or PASS (3.1).")
        return hanging("", f"{head} {what} {or_pass}{_crown(view)}")
    moves = card_value(card)
    told = [head, _n("{n} Group Move, or PASS (4.0).", "{n} Group Moves, or PASS (4.0).", moves)]
    if view.truce == view.seat:
        told.append(_("Truce: you may move, but not attack this turn{england}.", england=nor_england(view)))
    how = [
        _(
            "A line for each route; MAIN ends the line of a main attack (5.32); each block that crosses the "
            "Anglo-Scottish border costs a Group Move (4.4)."
        )
    ]
    if BORDER_ONE_GROUP in view.variants:
        how.append(_("All that cross it to attack one area fight as one group."))
    return [*hanging("", " ".join(told)), *hanging("", " ".join(how)), *_rally(view), "", *_groups(view)]


def _rally(view: HammerView) -> list[str]:
    if RALLY not in view.variants:
        return []
    who = mover(view)
    found = (_("{who} in {area}", who=name, area=who.places[name]) for name in leaders(who.side, who.places))
    return hanging(
        "",
        _(
            "RALLY ends the line of blocks that go to a leader, from anywhere: all that rally at one place cost one Group "
            "Move together (option). Now: {leaders}.",
            leaders=listed(found),
        ),
    )


_EVENTS = {
    "Herald": N_("Name an enemy noble, not Moray: on a die of 1-4 he comes over to you."),
    "Pillage": N_(
        "Name an area with enemy blocks and a neighbouring one with your own: the enemy there takes two hits, "
        "and each step he loses you may add to your group."
    ),
    "Sea Move": N_(
        "One or two of your blocks, not the Norse, go from one coastal area to another where you stand alone."
    ),
    "Truce": N_("This turn the enemy may move, but not attack."),
    "Victuals": N_("Add up to three steps to your blocks in one area."),
}
_NORSE_BY_SEA_MOVE = N_(
    "One or two of your blocks, the Norse not to England, go from one coastal area to another where you stand alone."
)


def _crown(view: HammerView) -> str:
    """Say which kings may be crowned in place of an event (6.2); "" where none may."""
    if view.seat != SCOTTISH:
        return ""
    kings = [_("CORONATION {name} (6.21)", name=name) for name in CANDIDATES if coronation_refusal(view, name) is None]
    kings += [_("RETURN (6.22)")] if return_refusal(view) is None else []
    return _(" Instead of the event you may crown a king: {kings}.", kings=", ".join(kings)) if kings else ""


def _groups(view: HammerView) -> list[str]:
    """Return the seat's groups, their blocks with Move Rating, and below the borders around them."""
    who = mover(view)
    lines = [
        _("Your groups: blocks (Move Rating), and to where how many may cross;"),
        _("r: a red border, stop there; [E1]: English, [S1]: Scots there."),
    ]
    for area in AREAS:
        here = who.own.get(area, 0)
        if not here:
            continue
        around, contested = [], who.is_contested(area)
        for there in NEIGHBOURS[area]:
            border = BORDER[area, there]
            if contested and who.marks.get((area, there)) == view.enemy:
                around.append(solid(_("{area} closed (4.6)", area=there)))
            else:
                around.append(
                    solid(f"{named(there)} {border.limit}{'r' if border.red else ''}{_standing(view, there)}")
                )
        blocks = ", ".join(
            solid(_("Norse (sea)") if n == NORSE else f"{named(n)} ({who.rating(n)})") for n in view.groups[area]
        )
        pinned = _n("; {n} pinned (4.6)", "; {n} pinned (4.6)", here - who.free(area)) if contested else ""
        lines += hanging(f"  {named(area):<12}", blocks + pinned)
        lines += hanging(" " * 16, ", ".join(around))
    if NORSE in who.places:
        sail = _("The Norse sail to any other coast but England, for a Group Move by themselves (4.7).")
        if ANGUS_OG in view.variants:
            sail = _(
                "The Norse sail to any other coast of the Irish Sea but England, for a Group Move by themselves (4.7)."
            )
        lines += hanging("  ", sail)
    return lines


def _standing(view: HammerView, area: str) -> str:
    here = [_(LETTER[side]) + str(n) for side, n in view.occupancy.get(area, {}).items() if n]
    return f" [{' '.join(here)}]" if here else ""


# Event cards


def _pillage_losses(view: HammerView, ask: dict[str, Any]) -> list[str]:
    asked = _(
        "{who} pillage {area}: your blocks there take {hits}, each on the strongest (5.41). "
        "Name the block for each hit. There: {blocks}.",
        who=the(view.enemy), area=ask["area"], hits=hits(ask["hits"]), blocks=_own(view, ask["area"]),
    )  # fmt: skip
    return hanging("", capital(asked))


def _pillage_gains(view: HammerView, ask: dict[str, Any]) -> list[str]:
    return hanging("", _n(
        "Your pillage has taken {n} step: add it to blocks in {area}, up to their full strength, or PASS. There: {blocks}.",
        "Your pillage has taken {n} steps: add them to blocks in {area}, up to their full strength, or PASS. There: {blocks}.",
        ask["steps"], area=ask["area"], blocks=_own(view, ask["area"]),
    ))  # fmt: skip


def _own(view: HammerView, area: str) -> str:
    names = view.groups.get(area, ())
    return ", ".join(block(name, view.blocks[SLUG[name]].strength, view.variants, area) for name in names)


# Battles


def _next_battle(view: HammerView, ask: dict[str, Any]) -> list[str]:
    fights = (
        _(
            "{area} (English {english}, Scots {scots})",
            area=area, english=view.count(area, ENGLISH), scots=view.count(area, SCOTTISH),
        )
        for area in view.contested
    )  # fmt: skip
    return hanging("", _("You are Player 1: which battle is fought next (5.1)? {battles}.", battles=listed(fights)))


_ACTS = (N_("FIRE"), N_("RETREAT"), N_("PASS"))


def _battle_action(view: HammerView, ask: dict[str, Any]) -> list[str]:
    turn = combat_turn(view)
    may = dict(zip(_ACTS, (turn.fire, any(map(turn.exits.ways, turn.blocks)), True), strict=True))
    lines = hanging("", _(
        "Your {letter} blocks act (5.31): {blocks}. {acts}?",
        letter=turn.letter, blocks=listed(turn.blocks), acts=either([_(word) for word in may if may[word]]),
    ))  # fmt: skip
    if len(turn.blocks) > 1:
        order = _("They act in the order named, each hit is applied before the next; who is not named is asked again.")
        if SIMULTANEOUS_FIRE in view.variants:
            order = _("All who fire do so at once, at the strongest (option); who is not named is asked again.")
        lines += hanging("", order)
    if may["RETREAT"]:
        lines += _exits(turn.exits, turn.blocks)
    if shut_in := [name for name in turn.blocks if not turn.exits.ways(name)]:
        lines += hanging("", _("No way is open to {blocks}: no retreat now (5.5).", blocks=listed(shut_in)))
    return [*battle_lines(view), "", *lines]


def _hits(view: HammerView, ask: dict[str, Any]) -> list[str]:
    tied, n = tied_seen(view)
    among = listed(tied)
    if has_one_target(view.variants):
        asked = _(
            "{hits} to apply, and {blocks} are your strongest: which one of them takes all (option)?",
            hits=hits(view.battle.hits if view.battle else n), blocks=among,
        )  # fmt: skip
    else:
        asked = _(
            "{hits} to apply, and {blocks} are your strongest. Whom do you reduce, a step each (5.41)?",
            hits=hits(n), blocks=among,
        )  # fmt: skip
    return [*battle_lines(view), "", *hanging("", asked)]


def _exits(open_to: Exits, blocks: Iterable[str]) -> list[str]:
    """Return where blocks may retreat or regroup to, and how many of them."""
    rooms = ", ".join(solid(f"{named(area)} ({n})") for area, n in open_to.room.items() if n) or _("nowhere")
    lines = hanging("", _("Open, with border limits: {areas}.", areas=rooms))
    if NORSE in blocks:
        lines += hanging("", _("The Norse, to a coast of yours (4.7): {areas}.", areas=listed(open_to.coasts)))
    return lines


def _retreats(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area, blocks = ask["area"], view.frames["retreat"]["blocks"]
    asked = _(
        "Retreat from {area}: {blocks}: three rounds are over, and who finds no exit is lost (5.5). "
        "Name a place for each; they go in the order named.",
        area=area, blocks=listed(blocks),
    )  # fmt: skip
    exits = exits_seen(view, area)
    lines = [*battle_lines(view), "", *hanging("", asked), *_exits(exits, blocks)]
    if shut_in := [name for name in blocks if not exits.ways(name)]:
        lines += hanging("", _("No way is open to {blocks} as it stands (5.5).", blocks=listed(shut_in)))
    return lines


def _regroup(view: HammerView, ask: dict[str, Any]) -> list[str]:
    area = ask["area"]
    asked = _(
        "You have won in {area}. Your blocks there may regroup: {blocks}. Who is not named stays (5.6).",
        area=area, blocks=_own(view, area),
    )  # fmt: skip
    return [*hanging("", asked), *_exits(exits_seen(view, area, regroup=True), view.groups.get(area, ()))]


def _raid(view: HammerView, ask: dict[str, Any]) -> list[str]:
    return hanging(
        "",
        _n(
            "{n} block of the Scots raids England: which block, not a noble, do you disband (5.9)?",
            "{n} blocks of the Scots raid England: which block, not a noble, do you disband (5.9)?",
            view.count(ENGLAND, SCOTTISH),
        ),
    )


# The winter


def _home(view: HammerView, ask: dict[str, Any]) -> list[str]:
    asked = _(
        "The Winter Turn of {year}. The nobles go home (7.1), the Scottish King to a cathedral (7.2).", year=view.year
    )
    lines = hanging("", asked)
    choices = home_choices(view)
    for name, places in choices.items():
        words = {STAY: _("stay where he is"), DISBAND: _("disband")}
        own = view.own(name)
        here = _(" (in {area})", area=own.at) if own else ""
        if name in view.frames["nobles_go_home"].get("turned", ()):
            here = _(" (changes sides)")
        may = _(" or ").join(words.get(place, named(place)) for place in places)
        lines += hanging("  ", _("{noble}{here}: {places}", noble=name, here=here, places=may))
    if MORAY in choices and ANDREW_DE_MORAY in view.variants:
        lines += hanging("", _("At home Moray gains up to {steps} (option).", steps=steps(ANDREW_GAINS)))
    if not choices:
        lines += hanging("", _("You have no choice to make: neither Moray nor the King is on the map."))
    return lines


def _disband(view: HammerView, ask: dict[str, Any]) -> list[str]:
    plan = quarters(view.seat, view.groups, Disband(), view.variants)
    if view.seat == ENGLISH:
        asked = [
            _("Who disbands for the winter (7.3)? Beside the nobles only infantry may stay, up to the Castle Limits.")
        ]
        if edward_refusal(view) is None:
            asked.append(_("If EDWARD STAYS, all blocks in his area may, and there is no Feudal Levy (7.4, 7.7)."))
    else:
        asked = [_("Who disbands for the winter (7.5)? Beside the nobles blocks may stay within the Castle Limits.")]
        if wallace_refusal(view) is None:
            asked.append(_("WALLACE > Selkirk: there he gains up to two steps, and the limit does not bind him (7.5)."))
    lines = [line for text in asked for line in hanging("", text)] + [""]
    for area, (free, able) in plan.areas.items():
        if able:
            stay = min(free, len(able))
            lines += hanging(
                "  ",
                _n(
                    "{area}: {blocks}; {n} may stay", "{area}: {blocks}; {n} may stay",
                    stay, area=area, blocks=_blocks(view, able),
                ),
            )  # fmt: skip
    if plan.forced:
        gone = listed(solid(named(name)) for name in plan.forced)
        lines += hanging("  ", _("These disband without being named: {blocks}", blocks=gone))
    return lines


def _blocks(view: HammerView, names: tuple[str, ...]) -> str:
    owned = ((name, view.own(name)) for name in names)
    return ", ".join(block(name, own.strength, view.variants) for name, own in owned if own) or _("nobody")


def _build(view: HammerView, ask: dict[str, Any]) -> list[str]:
    asked = [
        _("Replacement points: each gives a step for infantry or a noble in the area (7.63). What is not used is lost.")
        if view.seat == ENGLISH
        else _(
            "Replacement points: each gives a step for a block in the area, or a block drawn from the pool, at strength 1 "
            "and within the Castle Limit ({rule}). What is not used is lost.",
            rule="7.61" if edition_of(view.variants) == "2.3" else "7.62",
        )
    ]
    if landings(view):
        asked.append(
            _("Norse or French drawn inland land on a coast of yours beside it: LAND, or the first of them (option).")
        )
    lines = [line for text in asked for line in hanging("", text)] + [""]
    idle = []
    for area, points in points_left(view).items():
        names = tuple(buildable(view, area))
        uses = [_("steps for {blocks}", blocks=_blocks(view, names))] if names else []
        if draw_refusal(view, area, (), points) is None:
            uses.append(_("DRAW"))
        if uses:
            told = _n(
                "{area}, {n} point: {uses}", "{area}, {n} points: {uses}", points, area=area, uses=_(", or ").join(uses)
            )
            lines += hanging("  ", told)
        else:
            idle.append(solid(f"{named(area)} {points}"))
    return [*lines, *(hanging("  ", _("No use for the points of {areas}.", areas=listed(idle))) if idle else [])]


def landings(view: HammerView) -> dict[str, tuple[str, ...]]:
    """Return the inland areas for which a block may be drawn, and where Norse and French would land."""
    found = {
        area: landing_places(area, view.occupancy, view.variants)
        for area, points in points_left(view).items()
        if view.seat != ENGLISH and draw_refusal(view, area, (), points) is None
    }
    return {area: places for area, places in found.items() if places}


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
    "home": _home,
    "disband": _disband,
    "build": _build,
}
"""Name of a question -> its text."""
