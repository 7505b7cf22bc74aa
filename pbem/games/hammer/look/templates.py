"""Order lines to type over: the answer of silence first, as it stands; others behind `#`.

Every line fits the grammar of its question. Names of blocks are cut short only where a line would be too long otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import groupby, islice

from pbem.i18n import _
from pbem.kernel import Order

from .. import orders
from ..questions.turn import room_in
from ..rules import (
    AREAS,
    ENGLISH,
    NORSE,
    RALLY,
    SCOTTISH,
    VICTUALS_STEPS,
    Tally,
    buildable,
    combat_turn,
    default_places,
    edward_refusal,
    exits_seen,
    home_choices,
    leaders,
    marches,
    mover,
    points_left,
    sailings,
    spend_sensibly,
    wallace_refusal,
)
from ..views import HammerView
from .questions import landings
from .words import WIDTH

_PLANS = {
    "act": ("ANY: FIGHT; HITS ANY; REGROUP STAY", "ANY DEFENDING: RETREAT Fife, Lennox IF ODDS BELOW 1:2; FIGHT"),
    "home": ("KEEP ANY", "BUILD ANY: DRAW 1, STRENGTHEN WEAKEST"),
}
"""Plans for what comes after a question, to be made fitting: they save mails."""
MOST = 12
"""So many other answers are shown at the most."""


def template(view: HammerView) -> str:
    """Return the lines for the question asked in `view`."""
    from .. import GAME  # the game is made of the rules and knows its look only by name

    ask = view.ask or {}
    if ask["what"] == "home":
        lines = list(_homes(view)) or [str(GAME.default(view))]
        return "\n".join([*lines, *(f"# PLAN {line}" for line in _PLANS["home"])])
    default = GAME.default(view)
    if examples := _EXAMPLES.get(f"{ask['what']} {ask.get('card', '')[:4]}".strip()):
        others = list(examples(view))
    else:
        found = (order for order in GAME.options(view) if order != default)
        others = [fitted(view, order) for order in islice(found, MOST + 1)]
    first = fitted(view, default)
    others = [text for text in others if _fits(text) and text not in first.split("\n")]
    behind = [f"# {line}" for text in others[:MOST] for line in text.split("\n")]
    if len(others) > MOST:
        behind.append("# " + _("... and others like these"))
    behind += [f"# PLAN {line}" for line in _PLANS.get(ask["what"], ())]
    behind += [f"# AHEAD {line}" for line in _ahead(view, ask["what"])]
    return "\n".join([first, *behind])


def _ahead(view: HammerView, what: str) -> list[str]:
    """What can be sent ahead from a question, to be made fitting."""
    if what == "card":
        return ["ACT IF FIRST: PASS"]
    return [f"CARD: CARD {view.hand[0]}"] if what == "act" and view.hand else []


def fitted(view: HammerView, order: Order) -> str:
    """Return an order's text, the names of blocks cut as far as needed to keep its lines short enough."""
    return next(filter(_fits, (_form(view, order, least) for least in _CUTS)), str(order))


_CUTS = (99, 12, 8, 5, 3, 2, 1)
"""The least letters of a name that is cut short."""


def _fits(text: str) -> bool:
    return all(len(f"# {line}") <= WIDTH for line in text.split("\n"))


def _form(view: HammerView, order: Order, least: int) -> str:
    match order:
        case orders.Retreat() | orders.Regroup():
            near = view.groups[order.area]
            groups = groupby(order.places, lambda place: place.to)
            named = [([place.block for place in group], to) for to, group in groups]
            return f"{order.verb} {order.area}: " + ", ".join(f"{_cut(b, near, least)} > {to}" for b, to in named)
        case orders.BattleActions():
            near = combat_turn(view).blocks
            same = groupby(order.acts, lambda act: f"{act.action} {act.to}".rstrip())
            done = (f"{_cut([act.block for act in acts], near, least)} {does}" for does, acts in same)
            return f"BATTLE {order.area}: {', '.join(done)}"
        case orders.Hits():
            return f"{order.verb} {order.area}: {_cut(order.blocks, view.groups[order.area], least)}"
        case orders.Disband():
            leaders = str(order.model_copy(update={"blocks": ()})) if order.edward or order.wallace else ""
            gone = [f"DISBAND {', '.join(order.blocks[i : i + 3])}" for i in range(0, len(order.blocks), 3)]
            return "\n".join(filter(None, [leaders, *gone])) or orders.DONE
        case orders.Build():
            return (
                "\n".join(
                    [*_builds(view, order, least), *(f"DRAW {area}" for area in order.draws), *map(str, order.landings)]
                )
                or orders.DONE
            )
        case _:
            return str(order)


def _builds(view: HammerView, order: orders.Build, least: int) -> Iterator[str]:
    for build in order.builds:
        steps = (f"{_cut([step.block], view.groups[build.area], least)} {step.steps}" for step in build.steps)
        yield f"BUILD {build.area}: {', '.join(steps)}"


def _cut(names: Iterable[str], near: Sequence[str], least: int) -> str:
    """Return names, each cut to the fewest letters, but not below `least`, that mean no other block `near`.

    >>> _cut(["York Infantry", "Hobelars"], ["York Infantry", "York Knights", "Hobelars"], 3)
    'York I, Hob'
    """
    cut = []
    for name in names:
        lengths = (n for n in range(least, len(name)) if name[n - 1] != " ")
        clear = (name[:n] for n in lengths if not any(o.startswith(name[:n]) for o in near if o != name))
        cut.append(next(clear, name))
    return ", ".join(cut)


# Examples where the answers are too many to list


def _moves(view: HammerView) -> Iterator[str]:
    """Go through one move for each group: as many of its blocks as may go one area on together."""
    who = mover(view)
    for area in AREAS:
        if names := [name for name in view.groups.get(area, ()) if name != NORSE]:
            yield from islice(_marches(view, area, names), 1)
    ends = {who.places[name] for name in leaders(who.side, who.places)} if RALLY in who.variants else set()
    yield from (text for area in AREAS for text in islice(_rallies(view, area, ends), 1))
    yield from map(str, islice(sailings(Tally(who)), 1))


def _rallies(view: HammerView, area: str, ends: Container[str]) -> Iterator[str]:
    """Go through rallies of an area's first block to where leaders stand."""
    who = mover(view)
    for name in [name for name in view.groups.get(area, ()) if name != NORSE][:1]:
        for march in marches(Tally(who), area, (name,), who.rating(name), rally=True):
            if march.route[-1] in ends and _fits(str(march)):
                yield str(march)


def _marches(view: HammerView, area: str, names: Sequence[str]) -> Iterator[str]:
    who = mover(view)
    for n in range(len(names), 0, -1):
        for march in marches(Tally(who), area, tuple(names[:n]), 1):
            text = f"MOVE {area}: ALL > {march.route[0]}" if n == len(names) > 1 else str(march)
            if _fits(text):
                yield text


def _acts(view: HammerView) -> Iterator[str]:
    """Go through some orders for all blocks together: by each exit as many as may go, the others fire, or nobody does."""
    turn = combat_turn(view)
    for way in dict.fromkeys(way for name in turn.blocks for way in turn.exits.ways(name)):
        left, acts = turn, []
        for name in turn.blocks:
            retreat = orders.Act(block=name, action="RETREAT", to=way)
            acts.append(next(left.acts(name)) if left.refusal(retreat) else retreat)
            left = left.after(acts[-1])
        yield fitted(view, orders.BattleActions(area=turn.area, acts=tuple(acts)))
    passes = tuple(orders.Act(block=name, action="PASS") for name in turn.blocks)
    yield fitted(view, orders.BattleActions(area=turn.area, acts=passes))
    if len(turn.blocks) > 1:
        first = next(turn.acts(turn.blocks[0]))
        yield fitted(view, orders.BattleActions(area=turn.area, acts=(first,)))


def _retreats(view: HammerView) -> Iterator[str]:
    """Go through one retreat by way of each exit, the others used where it is full."""
    area, blocks = (view.ask or {})["area"], view.frames["retreat"]["blocks"]
    exits = exits_seen(view, area)
    ways = list(exits.room)
    for i in range(1, len(ways)):
        turned = exits._replace(room={there: exits.room[there] for there in (*ways[i:], *ways[:i])})
        yield fitted(view, orders.Retreat(area=area, places=default_places(turned, blocks)))


def _regroup(view: HammerView) -> Iterator[str]:
    """Go through one regroup to each area: as many blocks as the border lets through."""
    area = (view.ask or {})["area"]
    exits = exits_seen(view, area, regroup=True)
    names = [name for name in view.groups.get(area, ()) if name != NORSE]
    for to, n in exits.room.items():
        if places := tuple(orders.Place(block=name, to=to) for name in names[:n]):
            yield fitted(view, orders.Regroup(area=area, places=places))
    if NORSE in view.groups.get(area, ()):
        yield from (f"REGROUP {area}: {NORSE} > {to}" for to in exits.coasts[:1])


def _victuals(view: HammerView) -> Iterator[str]:
    """Go through one feeding of each group that has lost steps."""
    for area in AREAS:
        left, steps = VICTUALS_STEPS, []
        for name, room in room_in(view, area).items():
            if left:
                steps.append(orders.Step(block=name, steps=min(room, left)))
                left -= steps[-1].steps
        if steps:
            yield str(orders.Victuals(area=area, steps=tuple(steps)))


def _homes(view: HammerView) -> Iterator[str]:
    """Go through a line for each choice, what keeps most first, the others behind `#` below it."""
    for name, places in home_choices(view).items():
        first, *others = (str(orders.Going(block=name, to=place)) for place in places)
        yield first
        yield from (f"# {line}" for line in others)


def _leaders(view: HammerView) -> Iterator[str]:
    """Go through what may be ordered of Edward or Wallace."""
    if view.seat == ENGLISH and edward_refusal(view) is None:
        yield "EDWARD STAYS"
    if view.seat == SCOTTISH and wallace_refusal(view) is None:
        yield "WALLACE > Selkirk"


def _uses(view: HammerView) -> Iterator[str]:
    """Go through one step for the first block of each area that can gain one, then where Norse and French may land."""
    for area in points_left(view):
        for name in list(buildable(view, area))[:1]:
            yield f"BUILD {area}: {name} 1"
    drawn = spend_sensibly(view).draws  # what stands above these lines already
    for area, places in landings(view).items():
        draw = "" if area in drawn else f"DRAW {area}\n"
        yield from (f"{draw}LAND {area} > {to}" for to in places)


_EXAMPLES: dict[str, Callable[[HammerView], Iterable[str]]] = {
    "act Move": _moves,
    "act Vict": _victuals,
    "battle action": _acts,
    "retreats": _retreats,
    "regroup": _regroup,
    "disband": _leaders,
    "build": _uses,
}
"""Questions that show examples in place of a list; an act with the first letters of its card."""
