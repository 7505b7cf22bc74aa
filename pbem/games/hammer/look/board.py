"""The board in plain text: the year, a sketch of the map, every area with its blocks, this turn's borders, the nobles.

It shows a single view: own blocks by name and strength, the enemy's as numbers unless they are face-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap

from pbem.i18n import N_

from ..rules import (
    AREAS,
    BLOCK_OF,
    BLOCKS,
    BORDER,
    EDITIONS,
    EDWARD,
    ENGLAND,
    ENGLISH,
    MORAY,
    NOBLES,
    OPTIONS,
    POOL,
    SCENARIOS,
    SCOTTISH,
    SIDES,
    SIMULTANEOUS_FIRE,
    SLUG,
    Fight,
    edition_of,
    enemy,
    home_bonus,
    last_year,
    may_raid_in_truce,
    schiltrom,
)
from ..rules.said import _, _n, named
from ..views import Arrival, HammerView
from .words import LETTER, SIDE, WIDTH, block, blocks, capital, hanging, hits, in_pool, listed, rating, solid, the

NORTH_TO_SOUTH = {
    N_("The Highlands"): (
        "Ross", "Garmoran", "Moray", "Strathspey", "Buchan", "Lochaber", "Badenoch", "Mar", "Angus", "Atholl", "Argyll",
    ),
    N_("The Lowlands"): ("Lennox", "Mentieth", "Fife", "Lanark", "Lothian", "Dunbar"),
    N_("The South"): ("Carrick", "Selkirk", "Teviot", "Annan", "Galloway", ENGLAND),
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

TITLES = (N_("Braveheart"), N_("The Bruce"), N_("Campaign"))
"""The titles of the scenarios, as the rules have them."""

_PLAYED = 46
"""So wide is the column with the cards that were played."""

IN_BATTLE = ("battle action", "hits", "retreats")
"""The questions of a battle, which show the battle themselves."""


def board(view: HammerView) -> str:
    """Return the whole board."""
    head, fight, borders, nobles = board_parts(view)
    parts = [head, fight, _sketch(view), _areas(view), borders, nobles]
    return "\n\n".join("\n".join(part) for part in parts if part)


def board_parts(view: HammerView) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the texts around the map: year and cards, the battle, this turn's borders, the nobles."""
    asked = view.ask is not None and view.ask["what"] in IN_BATTLE
    fight = [] if asked else battle_lines(view)  # the question has shown it
    return _head(view), fight, _borders(view), _nobles(view)


def hand(view: HammerView, *, pool: bool = True) -> str:
    """Return the seat's cards, and with `pool` the blocks in its pool; the public has none."""
    if not view.seat:
        return ""
    if left := next(cards.left for side, cards in view.cards.items() if side != view.seat):
        held = _n("{who} hold {n} card.", "{who} hold {n} cards.", left, who=the(view.enemy))
    else:
        held = _("{who} hold none.", who=the(view.enemy))
    parts = {_("Cards:"): f"{listed(view.hand)}. {capital(held)}"}
    if pool:
        row = (in_pool(name, view.variants) for name in view.groups.get(POOL, ()))
        parts[_("Draw pool:")] = ", ".join(row) or _("empty")
    wide = max(map(len, parts)) + 1
    return "\n".join(line for head, text in parts.items() for line in hanging(head.ljust(wide), text))


# The year, the cards, the pools


def when(view: HammerView) -> str:
    """Return year and turn."""
    if any(entry["at"] == "winter" for entry in view.stack):
        return _("The Winter Turn of {year}", year=view.year)
    return _("{year}, Game Turn {turn} of 5", year=view.year, turn=view.turn) if view.turn else f"{view.year}"


def player_1(view: HammerView) -> str:
    """Return who is Player 1 of this turn, "" if not yet known."""
    return capital(_("{who} are Player 1.", who=the(view.first))) if view.first else ""


def truce(view: HammerView) -> str:
    """Return what the side may not do that a Truce binds."""
    if not view.truce:
        return ""
    return _(
        "Truce: {who} may move, but not attack this turn{england}.", who=the(view.truce), england=nor_england(view)
    )


def nor_england(view: HammerView) -> str:
    """Return what a Truce forbids beside attacks."""
    return "" if may_raid_in_truce(view.truce, view.variants) else _(", nor enter England (5.9)")


def _head(view: HammerView) -> list[str]:
    lines = [" ".join(filter(None, [f"{when(view)}.", player_1(view)])), *wrap(truce(view), WIDTH)]
    rows = [("", _("Cards played this year (left)"), _("Draw pool"))]
    for side, pool in sorted(view.pools.items()):
        cards = view.cards[side]
        played = ", ".join(map(named, cards.played)) or _("none")
        rows.append((capital(the(side)), f"{played} ({cards.left})", blocks(pool)))
    lines.append("")
    for head, text, right in rows:
        first, *more = wrap(text, _PLAYED)
        lines += [f"{head:<13}{first:<{_PLAYED}}{right:>9}", *(" " * 13 + line for line in more)]
    return lines + wrap(beside(view), WIDTH)


def beside(view: HammerView) -> str:
    """Return the years of the scenario, the options, and the blocks that are dead or not yet in the game, and the kings."""
    edition = edition_of(view.variants)
    options = [_(OPTIONS[name]) for name in OPTIONS if name in view.variants and name not in EDITIONS[edition]]
    said = [
        _scenario(view),
        _("Edition {edition} of the rules is played.", edition=edition) if EDITIONS[edition] else "",
        _("Options: {options}.", options=_("; ").join(options)) if options else "",
        _bid(view) if view.bid else "",
        _("Dead for good: {blocks}.", blocks=listed(view.dead)) if view.dead else "",
        _("Not yet in the game: {blocks}.", blocks=listed(view.off)) if view.off else "",
        _("{king} is King of Scots.", king=view.king) if view.king else "",
        _king_of_england(view),
    ]
    return " ".join(filter(None, said))


def _king_of_england(view: HammerView) -> str:
    if view.edward == 2:
        return _("Edward II is king of England (6.1).")
    return _("Edward I wintered in Scotland in {year} (7.4).", year=view.wintered) if view.wintered else ""


def _bid(view: HammerView) -> str:
    n = int(view.bid[1])
    if view.bid[0] == "S":
        return _n(
            "Bid {bid}: the English drew {n} block more when the game began (Tournament Play).",
            "Bid {bid}: the English drew {n} blocks more when the game began (Tournament Play).",
            n, bid=view.bid,
        )  # fmt: skip
    if SLUG[EDWARD] in view.revealed and view.revealed[SLUG[EDWARD]].at == POOL:
        return _(
            "Bid {bid}: Edward lies face-up in the draw pool until the levy for {year} (Tournament Play).",
            bid=view.bid, year=SCENARIOS[view.scenario].first_year + n,
        )  # fmt: skip
    return _("Bid {bid}: the years are over in which Edward could not be drawn (Tournament Play).", bid=view.bid)


def _scenario(view: HammerView) -> str:
    scenario, last = SCENARIOS[view.scenario], last_year(view.scenario, view.years or 0)
    told = {"title": _(scenario.title), "first": scenario.first_year}
    if last is None:
        return _("{title}: from {first}, until one side has won (8.3).", **told)
    if scenario.last_year is None:
        return _("{title}: {first} to {last} at the longest, without a count before (8.3).", last=last, **told)
    return _("{title}: {first} to {last}.", last=last, **told)


# The battle that is being fought


def battle_lines(view: HammerView) -> list[str]:
    """Return the state of the current battle, defender first; [] if there is none."""
    battle = view.battle
    if battle is None:
        return []
    lines = [battle_now(battle)]
    if battle.hits and SIMULTANEOUS_FIRE in view.variants:
        waiting = _("{hits} to fall on the strongest in front when all have fired (option)", hits=hits(battle.hits))
        lines += hanging("  ", waiting)
    for side, front, going, reserve in drawn_up(view, battle):
        if going:
            front.append(_("{blocks} in retreat", blocks=listed(solid(named(name)) for name in going)))
        if reserve:
            front.append(solid(_("{n} in reserve", n=reserve)))
        lines += hanging(_("  {what}: ", what=role(battle, side)), ", ".join(front) or _("nobody in front"))
    return lines


def drawn_up(view: HammerView, battle: Fight) -> Iterator[tuple[str, list[str], list[str], int]]:
    """Yield the sides of a battle, the defender first: front line, blocks in retreat, size of the reserve."""
    must = view.frames.get("retreat", {})
    leaving = [*battle.leaving, *must.get("blocks", ())]
    for side in (enemy(battle.attacker), battle.attacker):
        front = [fighter(view, battle, name) for name in battle.front(side) if name not in leaving]
        going = leaving if must.get("side", battle.side) == side else []
        yield side, front, going, view.count(battle.area, side) - len(front) - len(going)


def battle_now(battle: Fight) -> str:
    """Return the current battle, and its round."""
    return _("The battle of {area}, round {round}", area=battle.area, round=battle.round)


def role(battle: Fight, side: str) -> str:
    """Return whether a side attacks or defends."""
    if side == battle.attacker:
        return capital(_("{who} attack", who=the(side)))
    return capital(_("{who} defend", who=the(side)))


def fighter(view: HammerView, battle: Fight, name: str) -> str:
    """Return a block of a front line as everybody sees it. A noble defending his home (1.4) and a schiltrom get one more."""
    defends = name not in battle.front(battle.attacker)
    home = home_bonus(name, battle.area, defends, view.variants)
    schiltroms = not home and schiltrom(name, battle.english, view.variants)
    rated = rating(name, view.variants, plus=int(home or schiltroms))
    rated += _(" at home") if home else _(" in a schiltrom") if schiltroms else ""
    return solid(f"{named(name)} {view.revealed[SLUG[name]].strength} ({rated})")


# The map


def _sketch(view: HammerView) -> list[str]:
    lines = [_("The map, with E for English, S for Scottish blocks, ! for both")]
    letters = {side: _(LETTER[side]) for side in SIDES}
    for row in _SKETCH:
        line = ""
        for column, area in row:
            cell = _cell(area, [f"{letters[side]}{n}" for side, n in view.occupancy.get(area, {}).items() if n])
            line = f"{line:<{column + 1}} {cell}" if line else " " * (column + 2) + cell
        lines.append(line)
    return lines


def _cell(area: str, counts: Sequence[str]) -> str:
    return f"{named(area)} {' '.join(counts) or '.'}{'!' if len(counts) > 1 else ''}"


def _areas(view: HammerView) -> list[str]:
    head, (english, scots) = _("Limit"), [_(SIDE[side]) for side in SIDES]
    wide = max(7, len(scots) + 1)
    what = _("Your blocks: strength (combat)") if view.seat else _("Face-up")
    lines = [f"{head:>19}{english:>8}{scots:>{wide}}   {what}"]
    for region, areas in NORTH_TO_SOUTH.items():
        lines.append(_(region))
        empty = []
        for area in areas:
            if area in view.occupancy:
                lines += _area(view, area, wide)
            else:
                empty.append(f"{named(area)} {limit(area)}")
        if empty:
            lines += hanging(_("  empty: "), ", ".join(empty))
    lines.append(_("Limit: castle limit, + with a cathedral (1 more for the Scots)."))
    return lines


def limit(area: str) -> str:
    """Return a castle limit; + is a cathedral (1.3)."""
    return f"{AREAS[area].limit}{'+' if AREAS[area].cathedral else ''}"


def _area(view: HammerView, area: str, wide: int) -> list[str]:
    english, scottish = (str(n or "-") for n in view.occupancy[area].values())
    row = f"  {named(area):<12}{f'{limit(area):<2}':>5}{english:>8}{scottish:>{wide}}   "
    text = standing(view, area)
    return hanging(row, text) if text else [row.rstrip()]


def standing(view: HammerView, area: str) -> str:
    """Return what this seat knows of an area beside the number of blocks."""
    found = tuple(known(view, area))
    text = _("; ").join(found) if len(found) > 1 else "".join(found)
    if area not in view.contested:
        return text
    return _("CONTESTED: {blocks}", blocks=text) if text else _("CONTESTED")


def known(view: HammerView, area: str) -> Iterator[str]:
    """Go through the blocks in an area that this seat knows: its own, then those that lie face-up, side by side."""
    own = [block(name, n, view.variants, area) for name, n in view.strengths(area).items()]
    if own:
        yield ", ".join(own)
    for side in SIDES:
        shown = {key: r for key, r in view.revealed.items() if (r.at, r.side) == (area, side) and side != view.seat}
        if shown:
            shown_here = ((BLOCK_OF[key], r.strength) for key, r in shown.items())
            told = ", ".join(block(name, n, view.variants, area) if n else named(name) for name, n in shown_here)
            yield _("{side}: {blocks}", side=_(SIDE[side]), blocks=told)


# This turn's moves


def _borders(view: HammerView) -> list[str]:
    lines = []
    for between, crossed in groupby(view.crossings, lambda crossed: crossed.between):
        border, by = BORDER[between], [_("{side} {n}", side=_(SIDE[one.side]), n=one.blocks) for one in crossed]
        whom = closed_to(view.controlled, *between)
        line = _(
            "{a} - {b} ({kind}): {by}{none}",
            a=border.a, b=border.b, kind=kind(between), by=", ".join(by),
            none=_("; no retreat for {whom}", whom=whom) if whom else "",
        )  # fmt: skip
        lines += hanging("  ", line)
    found = [_("Borders crossed this turn (colour, limit), by how many blocks"), *lines] if lines else []
    arrived = [(area, _("; ").join(_arrived(view, area))) for area in view.contested]
    lines = [line for area, text in arrived if text for line in hanging(_("  {what}: ", what=area), text)]
    return [*found, *([_("How they came to the contested areas"), *lines] if lines else [])]


def kind(between: tuple[str, str]) -> str:
    """Return a border's colour and limit."""
    border = BORDER[between]
    return _("red, {limit}", limit=border.limit) if border.red else _("green, {limit}", limit=border.limit)


def closed_to(closed: Mapping[tuple[str, str], str], a: str, b: str) -> str:
    """Return for whom a border is closed; from where, if only one way is (edition 2.3)."""
    there, back = closed.get((a, b)), closed.get((b, a))
    if there and there == back:
        return the(enemy(there))
    ways = [(a, there), (b, back)]
    found = [_("{who} from {area}", who=the(enemy(side)), area=area) for area, side in ways if side]
    return listed(found) if found else ""


def _arrived(view: HammerView, area: str) -> Iterator[str]:
    for came in view.came:
        if came.area == area:
            yield _(
                "{side} {n} from {start}{main}",
                side=_(SIDE[came.side]), n=came.blocks, start=way(came), main=_(" (MAIN ATTACK)") if came.main else "",
            )  # fmt: skip


def way(came: Arrival) -> str:
    """Return from where blocks came, and over which border if it is not the nearest."""
    if came.via == "sea":
        return _("{start} by sea", start=came.start)
    return named(came.start) if came.via == came.start else _("{start} by {area}", start=came.start, area=came.via)


# The nobles


def _nobles(view: HammerView) -> list[str]:
    lines = hanging("", score(view))
    for side in SIDES:
        lines += hanging("  " + _(SIDE[side]).ljust(9), followers(view, side))
    return [*lines, _("  * Comyn faction (2.22, 6.21); in brackets homes of another name")]


def followers(view: HammerView, side: str) -> str:
    """Return the nobles of a side; Moray is among the Scots while he may be on the map."""
    names = [_NOBLE[name] for name in NOBLES if view.nobles[SLUG[name]] == side]
    if side == SCOTTISH and may_be_on_map(view, MORAY):
        names.append(_NOBLE[MORAY])
    return ", ".join(names) or _("none")


def _noble(name: str) -> str:
    """Return a noble, with his home areas where they bear another name, * for the Comyn faction."""
    homes = BLOCKS[name].homes
    home = "" if homes == (name,) else f" ({', '.join(homes)})"
    return solid(named(f"{name}{'*' if BLOCKS[name].faction == 'Comyn' else ''}{home}"))


_NOBLE = {name: _noble(name) for name in (*NOBLES, MORAY)}


def score(view: HammerView) -> str:
    """Return who leads: the nobles on the map count, and Moray only there (9.0)."""
    english, scottish = nobles(view, ENGLISH), nobles(view, SCOTTISH)
    if not may_be_on_map(view, MORAY):
        return _lead(english, scottish, _("Moray is off the map"))
    if view.seat == SCOTTISH:
        return _lead(english, scottish, _("Moray among them"))
    return _lead(english, scottish, _("and Moray, if he is on the map"))


def nobles(view: HammerView, side: str) -> int:
    """Return how many nobles of a side are on the map, as this seat knows: whether Moray is, the Scots alone know (9.0)."""
    own = side == SCOTTISH == view.seat and may_be_on_map(view, MORAY)
    return sum(1 for one in view.nobles.values() if one == side) + own


def may_be_on_map(view: HammerView, name: str) -> bool:
    own = view.own(name)
    return own.at in AREAS if own else name not in view.dead and name not in view.off


def _lead(english: int, scottish: int, moray: str) -> str:
    ahead = ENGLISH if english > scottish else SCOTTISH
    leads = _("nobody leads") if english == scottish else _("{who} lead", who=the(ahead))
    return _(
        "Nobles: English {english}, Scots {scots} ({moray}); {leads}.",
        english=english, scots=scottish, moray=moray, leads=leads,
    )  # fmt: skip
