"""The questions of battles, retreats, regroups, pillage and raids. Rules 5.1-5.9.

What is legal follows from the view: the battle, its front lines, the borders used and controlled (`rules.battle_law`,
`rules.retreat_law`). Besides, the seat is told (`view.particulars`):

==============  ====================================
pillage losses  `area`, `hits` (at most)
pillage gains   `area` (of the pillaging group), `steps`
==============  ====================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product

from pbem.errors import OrderError, Problem
from pbem.kernel import Chooser, Composed, Json, Line, Listed, Names, Options, Order, Refusal
from pbem.words import N_, _, _n

from . import orders
from .orders import Act, Place
from .question import Form, Question, find_area, find_block, split_area, words, wrong_order
from .rules import events
from .rules.battle_law import acts_refusal, combat_turn, every_acts, tied_seen
from .rules.facts import NORSE
from .rules.hits import forced_and_tied, take_hits
from .rules.raids import raid_refusal, raided
from .rules.retreat_law import Exits, default_places, exits_seen, places_refusal
from .turn_questions import PASS, read_pass, read_steps, room_in, spread
from .views import HammerView


def _ask(view: HammerView) -> Mapping[str, Json]:
    return view.ask or {}


def _wrong(verb: str, rule: str) -> Refusal:
    return Refusal(_("{verb} is wanted here", verb=verb), rule, f"{verb} …")


def _one(verb: str, form: Form) -> Mapping[str, Form]:
    return {verb: form}


# next battle


def _next_refusal(view: HammerView, order: Order) -> Refusal | None:
    if not isinstance(order, orders.NextBattle):
        return _wrong("NEXT", "5.1")
    if order.area not in view.contested:
        return Refusal(_("there is no battle in {area}", area=order.area), "5.1", ", ".join(view.contested))
    return None


def _next_options(view: HammerView) -> Options:
    return Listed([orders.NextBattle(area=area) for area in view.contested])


NEXT = Question(
    lambda view: _one("NEXT", lambda v, line, rest: orders.NextBattle(area=find_area(rest, line))),
    _next_options,
    _next_refusal,
    lambda view: orders.NextBattle(area=view.contested[0]),
)


# battle action

_ACTIONS = Names(("FIRE", "RETREAT", "PASS"), N_("action"), {"FIGHT": "FIRE"})
_FEW = 40
"""So many orders are listed at the most."""


def _read_actions(view: HammerView, line: Line, rest: str) -> Order:
    """Read "Wallace FIRE, Moray RETREAT Lennox, Bruce, Douglas PASS"; ALL are those whose turn it is and who are not yet named."""
    area, text = split_area(view, line, rest)
    turn = combat_turn(view)
    if area != turn.area:
        raise OrderError(Problem(line.no, line.text, _("the battle is in {area}", area=turn.area), "5.1"))
    found: list[Act] = []
    without: list[str] = []
    for part in words(text):
        name, action, to = _split_act(part)
        named = {act.block for act in found}
        all_others = [n for n in turn.blocks if n not in named and n not in without]
        without += all_others if name.upper() == "ALL" else [find_block(name, line, turn.blocks)]
        if action:
            does, place = _ACTIONS.find(action, line), find_area(to, line) if to else ""
            for n in without:
                ways = turn.exits.ways(n) if does == "RETREAT" and not to else ()
                where = ways[0] if len(ways) == 1 else place  # one way out need not be named
                found.append(Act.model_validate({"block": n, "action": does, "to": where}))
            without = []
    if without or not found:
        what = (
            _("what {blocks} does is missing", blocks=", ".join(without))
            if without
            else _("a block and what it does are wanted")
        )
        raise wrong_order(line, what, "BATTLE Lanark: Wallace FIRE, Douglas RETREAT Annan")
    return orders.BattleActions(area=area, acts=tuple(found))


def _split_act(part: str) -> tuple[str, str, str]:
    """Return block, action and place of "York Infantry RETREAT Annan"; an arrow is a retreat, "TO" may stand before the place."""
    said = part.replace(">", " > ").split()
    for i, word in enumerate(said):
        if i and (
            word == ">" or any(action.startswith(word.upper()) for action in ("FIRE", "FIGHT", "RETREAT", "PASS"))
        ):
            to = said[i + 1 :]
            while to and to[0].upper() in (">", "TO"):
                to = to[1:]
            return " ".join(said[:i]), "RETREAT" if word == ">" else word, " ".join(to)
    return " ".join(said), "", ""


def _action_refusal(view: HammerView, order: Order) -> Refusal | None:
    turn = combat_turn(view)
    if not isinstance(order, orders.BattleActions):
        return _wrong("BATTLE", "5.31")
    if order.area != turn.area:
        return Refusal(_("the battle is in {area}", area=turn.area), "5.1")
    return acts_refusal(turn, order.acts)


def _action_options(view: HammerView) -> Options:
    turn = combat_turn(view)

    def every() -> Iterator[Order]:
        return (orders.BattleActions(area=turn.area, acts=acts) for acts in every_acts(turn))

    few = list(islice(every(), _FEW + 1))
    if len(few) <= _FEW:
        return Listed(few)

    def compose(chooser: Chooser) -> Order:
        left, found = turn, list[Act]()
        while left.blocks and (not found or chooser.randrange(4)):
            choices = list(left.acts(left.blocks[chooser.randrange(len(left.blocks))]))
            found.append(choices[chooser.randrange(len(choices))])
            left = left.after(found[-1])
        return orders.BattleActions(area=turn.area, acts=tuple(found))

    said = {"area": turn.area, "blocks": ", ".join(turn.blocks), "places": _rooms(turn.exits, turn.blocks)}
    if turn.fire:
        text = _("BATTLE {area}: FIRE, RETREAT or PASS for any of {blocks}; places: {places}", **said)
    else:
        text = _("BATTLE {area}: RETREAT or PASS for any of {blocks}; places: {places}", **said)
    return Composed(compose, every, lambda order: _action_refusal(view, order) is None, text)


def _action_default(view: HammerView) -> Order:
    """All fire while there is somebody to fire at."""
    turn = combat_turn(view)
    action = "FIRE" if turn.fire else "PASS"
    return orders.BattleActions(area=turn.area, acts=tuple(Act(block=name, action=action) for name in turn.blocks))


def _join_actions(given: Sequence[Order]) -> Order:
    lines = [order for order in given if isinstance(order, orders.BattleActions)]
    return orders.BattleActions(area=lines[0].area, acts=tuple(act for line in lines for act in line.acts))


ACTION = Question(
    lambda view: _one("BATTLE", _read_actions), _action_options, _action_refusal, _action_default, _join_actions
)


# hits


def _read_hits(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    near = view.groups.get(area, ())
    return orders.Hits(area=area, blocks=tuple(find_block(word, line, near) for word in words(text)))


def _hits_refusal(view: HammerView, order: Order) -> Refusal | None:
    among, hits = tied_seen(view)
    if not isinstance(order, orders.Hits):
        return _wrong("HITS", "5.41")
    if order.area != _ask(view)["area"]:
        return Refusal(_("the hits fall in {area}", area=_ask(view)["area"]), "5.41")
    legal = ", ".join(among)
    for name in order.blocks:
        if name not in among:
            return Refusal(_("{name} is not one of your strongest blocks there", name=name), "5.41", legal)
    if len(order.blocks) != hits or len(set(order.blocks)) < len(order.blocks):
        return Refusal(_n("one block is to be named", "{n} different blocks are to be named", hits), "5.41", legal)
    return None


def _hits_options(view: HammerView) -> Options:
    area, (among, hits) = _ask(view)["area"], tied_seen(view)
    return Listed([orders.Hits(area=area, blocks=blocks) for blocks in combinations(among, hits)])


def _hits_default(view: HammerView) -> Order:
    among, hits = tied_seen(view)
    return orders.Hits(area=_ask(view)["area"], blocks=among[:hits])


HITS = Question(lambda view: _one("HITS", _read_hits), _hits_options, _hits_refusal, _hits_default)


# pillage


def _losses_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if not isinstance(order, orders.Hits):
        return _wrong("HITS", "Pillage")
    if order.area != ask["area"]:
        return Refusal(_("the hits fall in {area}", area=ask["area"]), "Pillage")
    return events.losses_refusal(view, order.area, order.blocks)


def _every_loss(view: HammerView) -> list[Order]:
    area = _ask(view)["area"]
    found: list[Order] = []

    def further(strength: dict[str, int], hits: tuple[str, ...]) -> None:
        if len(hits) == events.PILLAGE_HITS or not strength:
            found.append(orders.Hits(area=area, blocks=hits))
            return
        forced, tied, _left = forced_and_tied(strength, 1)
        for name in forced or tied:
            further(take_hits(strength, (name,)), (*hits, name))

    further(view.strengths(area), ())
    return found


LOSSES = Question(
    lambda view: _one("HITS", _read_hits),
    lambda view: Listed(_every_loss(view)),
    _losses_refusal,
    lambda view: _every_loss(view)[0],
)


def _read_gains(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    return orders.Gains(area=area, steps=read_steps(view, line, text, area))


def _gains_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if isinstance(order, orders.Pass):
        return None
    if not isinstance(order, orders.Gains):
        return _wrong("GAINS", "Pillage")
    if order.area != ask["area"]:
        return Refusal(_("the pillaging group stands in {area}", area=ask["area"]), "Pillage")
    return events.feed_refusal(view, order.area, order.steps, ask["steps"], "Pillage")


def _gains_options(view: HammerView) -> Options:
    ask = _ask(view)
    gains: list[Order] = [
        orders.Gains(area=ask["area"], steps=steps) for steps in spread(room_in(view, ask["area"]), ask["steps"])
    ]
    return Listed([PASS, *gains])


GAINS = Question(
    lambda view: {"GAINS": _read_gains, "PASS": read_pass}, _gains_options, _gains_refusal, lambda view: PASS
)


# retreats and regroups


def _read_places(view: HammerView, line: Line, rest: str, near: Sequence[str]) -> tuple[str, tuple[Place, ...]]:
    area, text = split_area(view, line, rest)
    found: list[Place] = []
    waiting: list[str] = []
    for part in words(text):
        name, arrow, to = part.partition(">")
        waiting.append(find_block(name.strip(), line, near))
        if arrow:
            found += [Place(block=block, to=find_area(to, line)) for block in waiting]
            waiting = []
    if waiting:
        raise wrong_order(
            line, _("where {blocks} goes is missing", blocks=", ".join(waiting)), "Wallace > Lennox, Douglas > Annan"
        )
    return area, tuple(found)


def _leaving(view: HammerView) -> tuple[str, ...]:
    """Return the blocks that must retreat."""
    return tuple(view.frames["retreat"]["blocks"])


def _read_retreat(view: HammerView, line: Line, rest: str) -> Order:
    area, places = _read_places(view, line, rest, _leaving(view))
    return orders.Retreat(area=area, places=places)


def _retreat_refusal(view: HammerView, order: Order) -> Refusal | None:
    area, blocks = _ask(view)["area"], _leaving(view)
    if not isinstance(order, orders.Retreat):
        return _wrong("RETREAT", "5.5")
    if order.area != area:
        return Refusal(_("the retreat is from {area}", area=area), "5.5")
    return places_refusal(exits_seen(view, area), blocks, order.places, blocks, "5.5")


def _random_places(open_to: Exits, blocks: Sequence[str], chooser: Chooser, stay: bool) -> tuple[Place, ...]:
    left = list(blocks)
    found = []
    while left:
        name = left.pop(chooser.randrange(len(left)))
        if stay and chooser.randrange(2):
            continue
        ways = open_to.ways(name)
        if name == NORSE and not ways and left and chooser.randrange(4):
            left.append(name)  # another block may open a coast to them
        elif ways:
            found.append(Place(block=name, to=ways[chooser.randrange(len(ways))]))
            open_to = open_to.after(name, found[-1].to)
    return tuple(found)


def _every_places(open_to: Exits, blocks: Sequence[str]) -> Iterator[tuple[Place, ...]]:
    everywhere = [*open_to.room, *(c for c in open_to.coasts if c not in open_to.room)]
    if NORSE in blocks:
        everywhere += [c for c in open_to.room if c not in everywhere]
    for n in range(len(blocks), -1, -1):
        sequences = permutations(blocks, n) if NORSE in blocks else combinations(blocks, n)
        for names in sequences:
            for to in product(everywhere, repeat=n):
                yield tuple(Place(block=name, to=area) for name, area in zip(names, to, strict=True))


def _retreat_options(view: HammerView) -> Options:
    area, blocks = _ask(view)["area"], _leaving(view)
    open_to = exits_seen(view, area)

    def compose(chooser: Chooser) -> Order:
        order = orders.Retreat(area=area, places=_random_places(open_to, blocks, chooser, stay=False))
        if _retreat_refusal(view, order) is None:
            return order
        return _retreat_default(view)

    def every() -> Iterator[Order]:
        for places in _every_places(open_to, blocks):
            order = orders.Retreat(area=area, places=places)
            if _retreat_refusal(view, order) is None:
                yield order

    text = _(
        "RETREAT {area}: a place for each of {blocks}: {places}",
        area=area,
        blocks=", ".join(blocks),
        places=_rooms(open_to, blocks),
    )
    return Composed(compose, every, lambda order: _retreat_refusal(view, order) is None, text)


def _rooms(open_to: Exits, blocks: Sequence[str]) -> str:
    rooms = ", ".join(f"{area} ({n})" for area, n in open_to.room.items())
    if NORSE not in blocks:
        return rooms
    if not open_to.coasts:
        return _("{places}; the Norse to a coast that becomes friendly", places=rooms)
    return _("{places}; the Norse to {coasts}", places=rooms, coasts=", ".join(open_to.coasts))


def _retreat_default(view: HammerView) -> Order:
    area = _ask(view)["area"]
    return orders.Retreat(area=area, places=default_places(exits_seen(view, area), _leaving(view)))


RETREATS = Question(lambda view: _one("RETREAT", _read_retreat), _retreat_options, _retreat_refusal, _retreat_default)


def _read_regroup(view: HammerView, line: Line, rest: str) -> Order:
    area, places = _read_places(view, line, rest, view.groups.get(_ask(view)["area"], ()))
    return orders.Regroup(area=area, places=places)


def _regroup_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if isinstance(order, orders.Pass):
        return None
    if not isinstance(order, orders.Regroup):
        return _wrong("REGROUP", "5.6")
    if order.area != ask["area"]:
        return Refusal(_("the battle was in {area}", area=ask["area"]), "5.6")
    if not order.places:
        return Refusal(_("a regroup names blocks and their places"), "5.6", _("PASS to stay"))
    return places_refusal(
        exits_seen(view, order.area, regroup=True), view.groups.get(order.area, ()), order.places, (), "5.6"
    )


def _regroup_options(view: HammerView) -> Options:
    area = _ask(view)["area"]
    open_to = exits_seen(view, area, regroup=True)
    blocks = view.groups.get(area, ())

    def compose(chooser: Chooser) -> Order:
        places = _random_places(open_to, blocks, chooser, stay=True)
        return orders.Regroup(area=area, places=places) if places else PASS

    def every() -> Iterator[Order]:
        yield PASS
        for places in _every_places(open_to, blocks):
            order = orders.Regroup(area=area, places=places)
            if places and _regroup_refusal(view, order) is None:
                yield order

    text = _(
        "PASS, or REGROUP {area}: places for any of {blocks}: {places}",
        area=area,
        blocks=", ".join(blocks),
        places=_rooms(open_to, blocks),
    )
    return Composed(compose, every, lambda order: _regroup_refusal(view, order) is None, text)


REGROUP = Question(
    lambda view: {"REGROUP": _read_regroup, "PASS": read_pass}, _regroup_options, _regroup_refusal, lambda view: PASS
)


# raid


def _raid_refusal(view: HammerView, order: Order) -> Refusal | None:
    if not isinstance(order, orders.Raid):
        return _wrong("RAID", "5.9")
    return raid_refusal(view, order.block)


def _raid_default(view: HammerView) -> Order:
    weakest = min(raided(view), key=lambda name: (view.own(name).strength, name))  # type: ignore[union-attr]
    return orders.Raid(block=weakest)


RAID = Question(
    lambda view: _one("RAID", lambda v, line, rest: orders.Raid(block=find_block(rest, line, raided(v)))),
    lambda view: Listed([orders.Raid(block=name) for name in raided(view)]),
    _raid_refusal,
    _raid_default,
)


QUESTIONS: Mapping[str, Question] = {
    "next battle": NEXT,
    "battle action": ACTION,
    "hits": HITS,
    "pillage losses": LOSSES,
    "pillage gains": GAINS,
    "retreats": RETREATS,
    "regroup": REGROUP,
    "raid": RAID,
}
