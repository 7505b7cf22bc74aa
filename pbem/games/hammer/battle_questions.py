"""The questions of battles, retreats, regroups, pillage and raids. Rules 5.1-5.9.

What the asked seat is told besides its own blocks (`view.ask`):

==============  ===========================================================================================================
next battle     `areas`
battle action   `area`, `letter`, `blocks` (who may act), `fire` (is there an enemy in front), `retreat` (who may)
hits            `area`, `hits` (how many blocks to name), `among` (the equally strong ones)
retreats        `area`, `blocks`, `must` (after round 3), `exits` ({to, room}), `coasts` (for the Norse)
regroup         `area`, `exits`, `coasts`
pillage losses  `area`, `hits` (at most)
pillage gains   `area` (of the pillaging group), `steps`
raid            nothing
==============  ===========================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

from pbem.kernel import Chooser, Composed, Json, Line, Listed, Names, Options, Order, Refusal

from . import orders
from .orders import Place
from .question import Form, Question, find_area, find_block, split_area, words, wrong_order
from .rules import events
from .rules.facts import NORSE
from .rules.hits import forced_and_tied, take_hits
from .rules.raids import raid_refusal, raided
from .rules.retreats import Exits, default_places, places_refusal
from .turn_questions import PASS, read_pass, read_steps, room_in, spread
from .views import HammerView


def _ask(view: HammerView) -> Mapping[str, Json]:
    return view.ask or {}


def _wrong(verb: str, rule: str) -> Refusal:
    return Refusal(f"{verb} is wanted here", rule, f"{verb} …")


def _one(verb: str, form: Form) -> Mapping[str, Form]:
    return {verb: form}


# next battle


def _next_refusal(view: HammerView, order: Order) -> Refusal | None:
    if not isinstance(order, orders.NextBattle):
        return _wrong("NEXT", "5.1")
    if order.area not in _ask(view)["areas"]:
        return Refusal(f"there is no battle in {order.area}", "5.1", ", ".join(_ask(view)["areas"]))
    return None


def _next_options(view: HammerView) -> Options:
    return Listed([orders.NextBattle(area=area) for area in _ask(view)["areas"]])


NEXT = Question(
    lambda view: _one("NEXT", lambda v, line, rest: orders.NextBattle(area=find_area(rest, line))),
    _next_options,
    _next_refusal,
    lambda view: orders.NextBattle(area=_ask(view)["areas"][0]),
)


# battle action

_ACTIONS = ("FIRE", "RETREAT", "PASS")


def _read_action(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    name, _, action = text.rpartition(" ")
    if not name:
        raise wrong_order(line, "a block and what it does are wanted", "BATTLE Lanark: Wallace FIRE")
    block = find_block(name, line, _ask(view)["blocks"])
    done = Names(_ACTIONS, "action", {"FIGHT": "FIRE", "ATTACK": "FIRE"}).find(action, line)
    return orders.BattleAction.model_validate({"area": area, "block": block, "action": done})


def _action_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if not isinstance(order, orders.BattleAction):
        return _wrong("BATTLE", "5.31")
    if order.area != ask["area"]:
        return Refusal(f"the battle is in {ask['area']}", "5.1")
    if order.block not in ask["blocks"]:
        return Refusal(f"it is not the turn of {order.block}", "5.31", ", ".join(ask["blocks"]))
    if order.action == "FIRE" and not ask["fire"]:
        return Refusal("there is no enemy block in front to fire at", "5.4")
    if order.action == "RETREAT" and order.block not in ask["retreat"]:
        return Refusal(f"{order.block} has nowhere to retreat to", "5.5", ", ".join(ask["retreat"]))
    return None


def _action_options(view: HammerView) -> Options:
    ask = _ask(view)
    found: list[Order] = [
        orders.BattleAction.model_validate({"area": ask["area"], "block": block, "action": action})
        for block in ask["blocks"]
        for action in _ACTIONS
        if action == "PASS" or (ask["fire"] if action == "FIRE" else block in ask["retreat"])
    ]
    return Listed(found)


def _action_default(view: HammerView) -> Order:
    ask = _ask(view)
    action = "FIRE" if ask["fire"] else "PASS"
    return orders.BattleAction.model_validate({"area": ask["area"], "block": ask["blocks"][0], "action": action})


ACTION = Question(lambda view: _one("BATTLE", _read_action), _action_options, _action_refusal, _action_default)


# hits


def _read_hits(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    near = view.groups.get(area, ())
    return orders.Hits(area=area, blocks=tuple(find_block(word, line, near) for word in words(text)))


def _hits_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if not isinstance(order, orders.Hits):
        return _wrong("HITS", "5.41")
    if order.area != ask["area"]:
        return Refusal(f"the hits fall in {ask['area']}", "5.41")
    legal = ", ".join(ask["among"])
    for name in order.blocks:
        if name not in ask["among"]:
            return Refusal(f"{name} is not one of your strongest blocks there", "5.41", legal)
    if len(order.blocks) != ask["hits"] or len(set(order.blocks)) < len(order.blocks):
        return Refusal(f"{ask['hits']} different blocks are to be named", "5.41", legal)
    return None


def _hits_options(view: HammerView) -> Options:
    ask = _ask(view)
    return Listed([orders.Hits(area=ask["area"], blocks=blocks) for blocks in combinations(ask["among"], ask["hits"])])


def _hits_default(view: HammerView) -> Order:
    ask = _ask(view)
    return orders.Hits(area=ask["area"], blocks=tuple(ask["among"][: ask["hits"]]))


HITS = Question(lambda view: _one("HITS", _read_hits), _hits_options, _hits_refusal, _hits_default)


# pillage


def _losses_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if not isinstance(order, orders.Hits):
        return _wrong("HITS", "Pillage")
    if order.area != ask["area"]:
        return Refusal(f"the hits fall in {ask['area']}", "Pillage")
    return events.losses_refusal(view, order.area, order.blocks)


def _every_loss(view: HammerView) -> list[Order]:
    area = _ask(view)["area"]
    found: list[Order] = []

    def further(strength: dict[str, int], hits: tuple[str, ...]) -> None:
        if len(hits) == events.PILLAGE_HITS or not strength:
            found.append(orders.Hits(area=area, blocks=hits))
            return
        forced, tied, _ = forced_and_tied(strength, 1)
        for name in forced or tied:
            further(take_hits(strength, (name,)), (*hits, name))

    further(events.strengths(view, area), ())
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
        return Refusal(f"the pillaging group stands in {ask['area']}", "Pillage")
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
        raise wrong_order(line, f"where {', '.join(waiting)} goes is missing", "Wallace > Lennox, Douglas > Annan")
    return area, tuple(found)


def _read_retreat(view: HammerView, line: Line, rest: str) -> Order:
    area, places = _read_places(view, line, rest, _ask(view)["blocks"])
    return orders.Retreat(area=area, places=places)


def _retreat_refusal(view: HammerView, order: Order) -> Refusal | None:
    ask = _ask(view)
    if not isinstance(order, orders.Retreat):
        return _wrong("RETREAT", "5.5")
    if order.area != ask["area"]:
        return Refusal(f"the retreat is from {ask['area']}", "5.5")
    must = ask["blocks"] if ask["must"] else None
    return places_refusal(Exits.of(ask), ask["blocks"], order.places, must, "5.5")


def _random_places(open_to: Exits, blocks: Sequence[str], chooser: Chooser, stay: bool) -> tuple[Place, ...]:
    room, coasts = dict(open_to.room), list(open_to.coasts)
    left = list(blocks)
    found = []
    while left:
        name = left.pop(chooser.randrange(len(left)))
        if stay and chooser.randrange(2):
            continue
        if name == NORSE:
            if not coasts and left and chooser.randrange(4):
                left.append(name)
                continue
            choices = coasts
        else:
            choices = [area for area, n in room.items() if n]
        if not choices:
            continue
        to = choices[chooser.randrange(len(choices))]
        found.append(Place(block=name, to=to))
        if name != NORSE:
            room[to] -= 1
            if open_to.opened_by(to) and to not in coasts:
                coasts.append(to)
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
    ask = _ask(view)
    area, blocks, open_to = ask["area"], ask["blocks"], Exits.of(ask)

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

    text = f"RETREAT {area}: a place for each of {', '.join(blocks)}: {_rooms(open_to, blocks)}"
    return Composed(compose, every, lambda order: _retreat_refusal(view, order) is None, text)


def _rooms(open_to: Exits, blocks: Sequence[str]) -> str:
    rooms = ", ".join(f"{area} ({n})" for area, n in open_to.room.items())
    if NORSE in blocks:
        return f"{rooms}; the Norse to {', '.join(open_to.coasts) or 'a coast that becomes friendly'}"
    return rooms


def _retreat_default(view: HammerView) -> Order:
    ask = _ask(view)
    return orders.Retreat(area=ask["area"], places=default_places(Exits.of(ask), ask["blocks"]))


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
        return Refusal(f"the battle was in {ask['area']}", "5.6")
    if not order.places:
        return Refusal("a regroup names blocks and their places", "5.6", "PASS to stay")
    return places_refusal(Exits.of(ask), view.groups.get(order.area, ()), order.places, (), "5.6")


def _regroup_options(view: HammerView) -> Options:
    ask = _ask(view)
    area, open_to = ask["area"], Exits.of(ask)
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

    text = f"PASS, or REGROUP {area}: places for any of {', '.join(blocks)}: {_rooms(open_to, blocks)}"
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
