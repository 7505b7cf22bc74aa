"""The board in plain text: the year, a sketch of the map, every area with its blocks, this turn's borders, the nobles.

It shows one view and nothing else: own blocks by name and strength, the enemy's as numbers unless they lie face-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from ..rules.facts import (
    AREAS,
    BLOCK_OF,
    BLOCKS,
    BORDER,
    EDWARD,
    ENGLAND,
    ENGLISH,
    MORAY,
    NOBLES,
    POOL,
    SCOTTISH,
    SIDES,
    SLUG,
    enemy,
)
from ..rules.move_law import may_raid_in_truce
from ..rules.ratings import home_bonus, schiltrom
from ..rules.scenarios import CAMPAIGN, SCENARIOS, Scenario
from ..rules.variants import EDITIONS, OPTIONS, edition_of
from .words import SIDE, THE, WIDTH, block, count, hanging, in_pool, listed, rating, solid, the

if TYPE_CHECKING:
    from ..views import Battle, HammerView

NORTH_TO_SOUTH = {
    "The Highlands": (
        "Ross", "Garmoran", "Moray", "Strathspey", "Buchan", "Lochaber", "Badenoch", "Mar", "Angus", "Atholl", "Argyll",
    ),
    "The Lowlands": ("Lennox", "Mentieth", "Fife", "Lanark", "Lothian", "Dunbar"),
    "The South": ("Carrick", "Selkirk", "Teviot", "Annan", "Galloway", ENGLAND),
}  # fmt: skip
"""The areas as the board shows them, grouped from north to south."""

_SKETCH = (
    ((20, "Ross"),),
    ((20, "Moray"), (36, "Strathspey"), (53, "Buchan")),
    ((1, "Garmoran"), (26, "Badenoch")),
    ((9, "Lochaber"), (36, "Mar"), (50, "Angus")),
    ((25, "Atholl"),),
    ((3, "Argyll"), (24, "Mentieth"), (40, "Fife")),
    ((11, "Lennox"), (37, "Lothian"), (54, "Dunbar")),
    ((23, "Lanark"), (39, "Selkirk")),
    ((9, "Carrick"), (53, "Teviot")),
    ((30, "Annan"),),
    ((13, "Galloway"), (53, ENGLAND)),
)
"""Where each area's name begins, line by line from north to south, about as on the map."""

IN_BATTLE = ("battle action", "hits", "retreats")
"""The questions of a battle, which show the battle themselves."""

_COLUMNS = f"{'':<14}{'Limit':>5}{SIDE[ENGLISH]:>8}{SIDE[SCOTTISH]:>7}   "


def board(view: HammerView) -> str:
    """Return the whole board."""
    head, fight, borders, nobles = board_parts(view)
    parts = [head, fight, _sketch(view), _areas(view), borders, nobles]
    return "\n\n".join("\n".join(part) for part in parts if part)


def board_parts(view: HammerView) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return what stands around the map: year and cards, the battle, this turn's borders, the nobles."""
    asked = view.ask is not None and view.ask["what"] in IN_BATTLE
    fight = [] if asked else battle_lines(view)  # the question has shown it
    return _head(view), fight, _borders(view), _nobles(view)


def hand(view: HammerView) -> str:
    """Return the seat's cards and the blocks in its pool; the public has none."""
    if not view.seat:
        return ""
    left = next(cards.left for side, cards in view.cards.items() if side != view.seat)
    lines = hanging(
        "Cards:     ", f"{listed(view.hand)}. {the(view.enemy)} hold {count(left, 'card') if left else 'none'}."
    )
    lines += hanging(
        "Draw pool: ", ", ".join(in_pool(name, view.variants) for name in view.groups.get(POOL, ())) or "empty"
    )
    return "\n".join(lines)


# The year, the cards, the pools


def truce_binds(view: HammerView, who: str) -> str:
    """Return what the side may not do that the Truce binds, called by `who`."""
    england = "" if may_raid_in_truce(view.truce, view.variants) else ", nor enter England (5.9)"
    return f"{who} may move, but not attack this turn{england}"


def _head(view: HammerView) -> list[str]:
    when = f"{view.year}, Game Turn {view.turn} of 5" if view.turn else f"{view.year}"
    if any(entry["at"] == "winter" for entry in view.stack):
        when = f"The Winter Turn of {view.year}"
    first = f" {the(view.first)} are Player 1." if view.first else ""
    lines = [f"{when}.{first}"]
    if view.truce:
        lines += wrap(f"Truce: {truce_binds(view, THE[view.truce])}.", WIDTH)
    lines += ["", f"{'':<13}Cards played this year (left)                 Draw pool"]
    for side, pool in sorted(view.pools.items()):
        cards = view.cards[side]
        played = f"{', '.join(cards.played) or 'none'} ({cards.left})"
        lines.append(f"{the(side):<13}{played:<46}{count(pool):>9}")
    return lines + wrap(beside(view), WIDTH)


def beside(view: HammerView) -> str:
    """Return the years of the scenario, and who is dead, not yet in the game, or king."""
    said = [_scenario(SCENARIOS[view.scenario])]
    edition = edition_of(view.variants)
    if EDITIONS[edition]:
        said.append(f"Edition {edition} of the rules is played.")
    if options := [name for name in OPTIONS if name in view.variants and name not in EDITIONS[edition]]:
        said.append(f"Options: {'; '.join(OPTIONS[name] for name in options)}.")
    if view.bid:
        said.append(_bid(view))
    if view.dead:
        said.append(f"Dead for good: {listed(view.dead)}.")
    if view.off:
        said.append(f"Not yet in the game: {listed(view.off)}.")
    if view.king:
        said.append(f"{view.king} is King of Scots.")
    if view.edward == 2:
        said.append("Edward II is king of England (6.1).")
    elif view.wintered:
        said.append(f"Edward I wintered in Scotland in {view.wintered} (7.4).")
    return " ".join(said)


def _bid(view: HammerView) -> str:
    n = int(view.bid[1])
    if view.bid[0] == "S":
        return f"Bid {view.bid}: the English drew {count(n, 'block')} more when the game began (Tournament Play)."
    if SLUG[EDWARD] in view.revealed and view.revealed[SLUG[EDWARD]].at == POOL:
        first = SCENARIOS[view.scenario].first_year + n
        return f"Bid {view.bid}: Edward lies face-up in the draw pool until the levy for {first} (Tournament Play)."
    return f"Bid {view.bid}: the years are over in which Edward could not be drawn (Tournament Play)."


def _scenario(scenario: Scenario) -> str:
    years = f"{scenario.first_year} to {scenario.last_year}"
    if scenario is CAMPAIGN:
        years += " at the longest, without a count before (8.3)"
    return f"{scenario.title}: {years}."


# The battle that is being fought


def battle_lines(view: HammerView) -> list[str]:
    """Return how the battle stands that is being fought, defender first; nothing if there is none."""
    battle = view.battle
    if battle is None:
        return []
    must = view.frames.get("retreat", {})
    leaving = [*battle.leaving, *must.get("blocks", ())]
    leaves = must.get("side", battle.side)
    lines = [f"The battle of {battle.area}, round {battle.round}"]
    for side in (enemy(battle.attacker), battle.attacker):
        front = [fighter(view, battle, name) for name in battle.front(side) if name not in leaving]
        going = leaving if leaves == side else []
        reserve = view.count(battle.area, side) - len(front) - len(going)
        if going:
            front.append(f"{listed(map(solid, going))} in retreat")
        if reserve:
            front.append(solid(f"{reserve} in reserve"))
        role = "attack" if side == battle.attacker else "defend"
        lines += hanging(f"  {the(side)} {role}: ", ", ".join(front) or "nobody in front")
    return lines


def fighter(view: HammerView, battle: Battle, name: str) -> str:
    """Return a block of a front line as everybody sees it: who defends his home (1.4) or stands in a schiltrom has one more."""
    defends = name not in battle.front(battle.attacker)
    more = home_bonus(name, battle.area, defends, view.variants) or schiltrom(name, battle.english, view.variants)
    return solid(f"{name} {view.revealed[SLUG[name]].strength} ({rating(name, view.variants, plus=int(more))})")


# The map


def _sketch(view: HammerView) -> list[str]:
    lines = ["The map, with E for English, S for Scottish blocks, ! for both"]
    for row in _SKETCH:
        line = ""
        for column, area in row:
            line = f"{line:<{column + 1}} {_cell(view, area)}" if line else " " * (column + 2) + _cell(view, area)
        lines.append(line)
    return lines


def _cell(view: HammerView, area: str) -> str:
    english, scottish = (view.count(area, side) for side in SIDES)
    counts = [f"{letter}{n}" for letter, n in (("E", english), ("S", scottish)) if n]
    return f"{area} {' '.join(counts) or '.'}{'!' if english and scottish else ''}"


def _areas(view: HammerView) -> list[str]:
    lines = [_COLUMNS + ("Your blocks: strength (combat)" if view.seat else "Face-up")]
    for region, areas in NORTH_TO_SOUTH.items():
        lines.append(region)
        empty = []
        for area in areas:
            if any(view.count(area, side) for side in SIDES):
                lines += _area(view, area)
            else:
                empty.append(f"{area} {limit(area)}")
        if empty:
            lines += hanging("  empty: ", ", ".join(empty))
    lines.append("Limit: castle limit, + with a cathedral (1 more for the Scots).")
    return lines


def limit(area: str) -> str:
    """Return a castle limit; + is a cathedral (1.3)."""
    return f"{AREAS[area].limit}{'+' if AREAS[area].cathedral else ''}"


def _area(view: HammerView, area: str) -> list[str]:
    english, scottish = (str(view.count(area, side) or "-") for side in SIDES)
    row = f"  {area:<12}{f'{limit(area):<2}':>5}{english:>8}{scottish:>7}"
    contested = "CONTESTED: " if area in view.contested else ""
    text = contested + "; ".join(known(view, area))
    return hanging(f"{row:<37}", text.removesuffix(": ")) if text else [row.rstrip()]


def known(view: HammerView, area: str) -> Iterator[str]:
    """Go through the blocks in an area that this seat knows: its own, then those that lie face-up, side by side."""
    own = [block(name, view.blocks[SLUG[name]].strength, view.variants) for name in view.groups.get(area, ())]
    if own:
        yield ", ".join(own)
    for side in SIDES:
        shown = {key: r for key, r in view.revealed.items() if (r.at, r.side) == (area, side) and side != view.seat}
        if shown:
            named = ((BLOCK_OF[key], r.strength) for key, r in shown.items())
            blocks = [block(name, n, view.variants) if n else name for name, n in named]
            yield f"{SIDE[side]}: {', '.join(blocks)}"


# This turn's moves


def _borders(view: HammerView) -> list[str]:
    used: dict[tuple[str, str], list[str]] = {}
    for crossed in view.crossings:
        used.setdefault(crossed.between, []).append(f"{SIDE[crossed.side]} {crossed.blocks}")
    closed = view.controlled
    lines = []
    for between, by in used.items():
        border = BORDER[between]
        kind = f"{'red' if border.red else 'green'}, {border.limit}"
        whom = closed_to(closed, *between)
        none = f"; no retreat for {whom}" if whom else ""
        lines += hanging("  ", f"{border.a} - {border.b} ({kind}): {', '.join(by)}{none}")
    found = ["Borders crossed this turn (colour, limit), by how many blocks", *lines] if lines else []
    arrived = [(area, "; ".join(_arrived(view, area))) for area in view.contested]
    lines = [line for area, text in arrived if text for line in hanging(f"  {area}: ", text)]
    return [*found, *(["How they came to the contested areas", *lines] if lines else [])]


def closed_to(closed: Mapping[tuple[str, str], str], a: str, b: str) -> str:
    """Return for whom a border is closed; from where, if only one way is (edition 2.3)."""
    there, back = closed.get((a, b)), closed.get((b, a))
    if there and there == back:
        return THE[enemy(there)]
    ways = ((a, there), (b, back))
    return " and ".join(f"{THE[enemy(side)]} from {area}" for area, side in ways if side)


def _arrived(view: HammerView, area: str) -> Iterator[str]:
    for arrival in view.came:
        if arrival.area == area:
            by = " by sea" if arrival.via == "sea" else f" by {arrival.via}" if arrival.via != arrival.start else ""
            main = " (MAIN ATTACK)" if arrival.main else ""
            yield f"{SIDE[arrival.side]} {arrival.blocks} from {arrival.start}{by}{main}"


# The nobles


def _nobles(view: HammerView) -> list[str]:
    lines = hanging("", score(view))
    for side in SIDES:
        names = [noble(name) for name in NOBLES if view.nobles[SLUG[name]] == side]
        if side == SCOTTISH and may_be_on_map(view, MORAY):
            names.append(noble(MORAY))
        lines += hanging(f"  {SIDE[side]:<9}", ", ".join(names) or "none")
    return [*lines, "  * Comyn faction (5.7, 6.2); in brackets homes of another name"]


def noble(name: str) -> str:
    """Return a noble, with his home areas where they bear another name, * for the Comyn faction."""
    homes = BLOCKS[name].homes
    home = "" if homes == (name,) else f" ({', '.join(homes)})"
    return solid(f"{name}{'*' if BLOCKS[name].faction == 'Comyn' else ''}{home}")


def score(view: HammerView) -> str:
    """Return who leads: the nobles on the map count, and Moray only there (9.0)."""
    english = sum(1 for side in view.nobles.values() if side == ENGLISH)
    scottish = len(NOBLES) - english
    if not may_be_on_map(view, MORAY):
        return _lead(english, scottish, "Moray is off the map")
    if view.seat == SCOTTISH:
        return _lead(english, scottish + 1, "Moray among them")
    return _lead(english, scottish, "and Moray, if he is on the map")


def may_be_on_map(view: HammerView, name: str) -> bool:
    own = view.own(name)
    return own.at in AREAS if own else name not in view.dead and name not in view.off


def _lead(english: int, scottish: int, moray: str) -> str:
    leads = "nobody leads" if english == scottish else f"{THE[ENGLISH if english > scottish else SCOTTISH]} lead"
    return f"Nobles: English {english}, Scots {scottish} ({moray}); {leads}."
