"""The questions of battles, retreats, regroups, pillage and raids. Rules 5.1-5.9.

What is legal follows from the view: the battle, its front lines, the borders used and controlled (`rules.battle_law`,
`rules.retreat_law`). The seat is also told (`view.particulars`):

==============  ====================================
pillage losses  `area`, `hits` (at most)
pillage gains   `area` (of the pillaging group), `steps`
==============  ====================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product

from pbem.errors import OrderError, Problem
from pbem.i18n import N_
from pbem.kernel import Chooser, Composed, Line, Listed, Names, Options, Order, Refusal

from .. import orders
from ..rules import (
    NORSE,
    PILLAGE_HITS,
    Exits,
    acts_refusal,
    combat_turn,
    default_places,
    every_acts,
    exits_seen,
    feed_refusal,
    forced_and_tied,
    losses_refusal,
    places_refusal,
    raid_refusal,
    raided,
    take_hits,
    tied_seen,
)
from ..rules.said import _, _n
from ..views import HammerView
from .question import PASS, Form, Question, asked_area, find_area, find_block, one_verb, split_area, words
from .turn import read_steps, room_in, spread

# next battle


def _next_refusal(view: HammerView, order: orders.NextBattle) -> Refusal | None:
    if order.area in view.contested:
        return None
    return Refusal(_("there is no battle in {area}", area=order.area), "5.1")


NEXT = one_verb(
    orders.NextBattle,
    "5.1",
    lambda view, line, rest: orders.NextBattle(area=find_area(rest, line)),
    lambda view: Listed([orders.NextBattle(area=area) for area in view.contested]),
    _next_refusal,
    lambda view: orders.NextBattle(area=view.contested[0]),
)


# battle action

_ACTIONS = Names(("FIRE", "RETREAT", "PASS"), N_("action"), {"FIGHT": "FIRE"})
_ACTED = ("FIRE", "FIGHT", "RETREAT", "PASS")
_FEW = 40
"""The maximum number of orders listed."""


def _read_actions(view: HammerView, line: Line, rest: str) -> Order:
    """Read "Wallace FIRE, Moray RETREAT Lennox, Bruce, Douglas PASS".

    ALL, or a missing name, means the blocks whose turn it is that are not yet named.
    """
    area, text = split_area(view, line, rest)
    turn = combat_turn(view)
    if area != turn.area:
        raise OrderError(Problem(line.no, line.text, _("the battle is in {area}", area=turn.area), "5.1"))
    found: list[orders.Act] = []
    without: list[str] = []
    for part in words(text):
        name, action, to = _split_act(part)
        named = {act.block for act in found}
        all_others = [n for n in turn.blocks if n not in named and n not in without]
        without += all_others if name.upper() in ("ALL", "") else [find_block(name, line, turn.blocks)]
        if action:
            does, place = _ACTIONS.find(action, line), find_area(to, line) if to else ""
            for n in without:
                ways = turn.exits.ways(n) if does == "RETREAT" and not to else ()
                where = ways[0] if len(ways) == 1 else place  # one way out need not be named
                found.append(orders.Act.model_validate({"block": n, "action": does, "to": where}))
            without = []
    if without or not found:
        what = (
            _("what {blocks} does is missing", blocks=", ".join(without))
            if without
            else _("a block and what it does are wanted")
        )
        raise line.refusal(what, "BATTLE Lanark: Wallace FIRE, Douglas RETREAT Annan")
    return orders.BattleActions(area=area, acts=tuple(found))


def _split_act(part: str) -> tuple[str, str, str]:
    """Return block, action and place of "York Infantry RETREAT Annan"; an arrow is a retreat, "TO" may precede the place."""
    said = part.replace(">", " > ").split()
    for i, word in enumerate(said):
        short = i and (word == ">" or any(action.startswith(word.upper()) for action in _ACTED))
        if short or word.upper() in _ACTED:
            to = said[i + 1 :]
            while to and to[0].upper() in (">", "TO"):
                to = to[1:]
            return " ".join(said[:i]), "RETREAT" if word == ">" else word, " ".join(to)
    return " ".join(said), "", ""


def _action_refusal(view: HammerView, order: orders.BattleActions) -> Refusal | None:
    turn = combat_turn(view)
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
        left, found = turn, list[orders.Act]()
        while left.blocks and (not found or chooser.randrange(4)):
            choices = list(left.acts(left.blocks[chooser.randrange(len(left.blocks))]))
            found.append(choices[chooser.randrange(len(choices))])
            left = left.after(found[-1])
        return orders.BattleActions(area=turn.area, acts=tuple(found))

    said = {"area": turn.area, "blocks": ", ".join(turn.blocks)}
    if turn.fire:
        text = _("Say BATTLE {area} and FIRE, RETREAT or PASS for any of these: {blocks}.", **said)
    else:
        text = _("Say BATTLE {area} and RETREAT or PASS for any of these: {blocks}.", **said)
    words = "\n".join([text, *_rooms(turn.exits, turn.blocks)])
    return Composed(compose, every, lambda order: ACTION.why_not(view, order) is None, words)


def _action_default(view: HammerView) -> Order:
    """All fire while there is somebody to fire at."""
    turn = combat_turn(view)
    action = "FIRE" if turn.fire else "PASS"
    return orders.BattleActions(
        area=turn.area, acts=tuple(orders.Act(block=name, action=action) for name in turn.blocks)
    )


def _join_actions(given: Sequence[Order]) -> Order:
    lines = [order for order in given if isinstance(order, orders.BattleActions)]
    return orders.BattleActions(area=lines[0].area, acts=tuple(act for line in lines for act in line.acts))


ACTION = one_verb(
    orders.BattleActions, "5.31", _read_actions, _action_options, _action_refusal, _action_default, join=_join_actions
)


# hits


def _read_hits(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    near = view.groups.get(area, ())
    return orders.Hits(area=area, blocks=tuple(find_block(word, line, near) for word in words(text)))


def _hits_refusal(view: HammerView, order: orders.Hits) -> Refusal | None:
    among, hits = tied_seen(view)
    for name in order.blocks:
        if name not in among:
            return Refusal(_("{name} is not one of your strongest blocks there", name=name), "5.41")
    if len(order.blocks) != hits or len(set(order.blocks)) < len(order.blocks):
        return Refusal(_n("one block is to be named", "{n} different blocks are to be named", hits), "5.41")
    return None


def _hits_options(view: HammerView) -> Options:
    area, (among, hits) = asked_area(view), tied_seen(view)
    return Listed([orders.Hits(area=area, blocks=blocks) for blocks in combinations(among, hits)])


def _hits_default(view: HammerView) -> Order:
    among, hits = tied_seen(view)
    return orders.Hits(area=asked_area(view), blocks=among[:hits])


_HITS_ELSEWHERE = N_("the hits fall in {area}")
HITS = one_verb(orders.Hits, "5.41", _read_hits, _hits_options, _hits_refusal, _hits_default, elsewhere=_HITS_ELSEWHERE)


# pillage


def _every_loss(view: HammerView) -> list[Order]:
    area = asked_area(view)
    found: list[Order] = []

    def further(strength: dict[str, int], hits: tuple[str, ...]) -> None:
        if len(hits) == PILLAGE_HITS or not strength:
            found.append(orders.Hits(area=area, blocks=hits))
            return
        forced, tied, _left = forced_and_tied(strength, 1)
        for name in forced or tied:
            further(take_hits(strength, (name,)), (*hits, name))

    further(view.strengths(area), ())
    return found


LOSSES = one_verb(
    orders.Hits,
    "Pillage",
    _read_hits,
    lambda view: Listed(_every_loss(view)),
    lambda view, order: losses_refusal(view, order.area, order.blocks),
    lambda view: _every_loss(view)[0],
    elsewhere=_HITS_ELSEWHERE,
)


def _read_gains(view: HammerView, line: Line, rest: str) -> Order:
    area, text = split_area(view, line, rest)
    return orders.Gains(area=area, steps=read_steps(view, line, text, area))


def _gains_options(view: HammerView) -> Options:
    area, steps = asked_area(view), _steps_won(view)
    return Listed([PASS, *(orders.Gains(area=area, steps=found) for found in spread(room_in(view, area), steps))])


def _steps_won(view: HammerView) -> int:
    return int((view.ask or {})["steps"])


GAINS = one_verb(
    orders.Gains,
    "Pillage",
    _read_gains,
    _gains_options,
    lambda view, order: feed_refusal(view, order.area, order.steps, _steps_won(view), "Pillage"),
    lambda view: PASS,
    elsewhere=N_("the pillaging group stands in {area}"),
    may_pass=True,
)


# retreats and regroups


def _read_places(view: HammerView, line: Line, rest: str, near: Sequence[str]) -> tuple[str, tuple[orders.Place, ...]]:
    area, text = split_area(view, line, rest)
    found: list[orders.Place] = []
    waiting: list[str] = []
    for part in words(text):
        name, arrow, to = part.partition(">")
        waiting.append(find_block(name.strip(), line, near))
        if arrow:
            found += [orders.Place(block=block, to=find_area(to, line)) for block in waiting]
            waiting = []
    if waiting:
        raise line.refusal(
            _("where {blocks} goes is missing", blocks=", ".join(waiting)), "Wallace > Lennox, Douglas > Annan"
        )
    return area, tuple(found)


Going = orders.Retreat | orders.Regroup


def _who(view: HammerView, kind: type[Going]) -> Sequence[str]:
    """Return the blocks that must retreat, or that may regroup."""
    return view.frames["retreat"]["blocks"] if kind is orders.Retreat else view.groups.get(asked_area(view), ())


def _going_form(kind: type[Going]) -> Form:
    def read(view: HammerView, line: Line, rest: str) -> Order:
        area, places = _read_places(view, line, rest, _who(view, kind))
        return kind(area=area, places=places)

    return read


def _random_places(open_to: Exits, blocks: Sequence[str], chooser: Chooser, stay: bool) -> tuple[orders.Place, ...]:
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
            found.append(orders.Place(block=name, to=ways[chooser.randrange(len(ways))]))
            open_to = open_to.after(name, found[-1].to)
    return tuple(found)


def _every_places(open_to: Exits, blocks: Sequence[str]) -> Iterator[tuple[orders.Place, ...]]:
    everywhere = [*open_to.room, *(c for c in open_to.coasts if c not in open_to.room)]
    for n in range(len(blocks), -1, -1):
        sequences = permutations(blocks, n) if NORSE in blocks else combinations(blocks, n)
        for names in sequences:
            for to in product(everywhere, repeat=n):
                yield tuple(orders.Place(block=name, to=area) for name, area in zip(names, to, strict=True))


def _going_options(question: Question, view: HammerView, kind: type[Going], text: str) -> Options:
    """Return where blocks may retreat or regroup to: of those who may stay some do, or all."""
    area, blocks, stay = asked_area(view), _who(view, kind), kind is orders.Regroup
    open_to = exits_seen(view, area, regroup=stay)

    def is_legal(order: Order) -> bool:
        return question.why_not(view, order) is None

    def compose(chooser: Chooser) -> Order:
        order = kind(area=area, places=_random_places(open_to, blocks, chooser, stay=stay))
        return order if is_legal(order) else question.default(view)

    def every() -> Iterator[Order]:
        if stay:
            yield PASS
        found = (kind(area=area, places=places) for places in _every_places(open_to, blocks))
        yield from filter(is_legal, found)

    words = "\n".join([_(text, area=area, blocks=", ".join(blocks)), *_rooms(open_to, blocks)])
    return Composed(compose, every, is_legal, words)


def _rooms(open_to: Exits, blocks: Sequence[str]) -> Iterator[str]:
    if open_to.room:
        rooms = ", ".join(f"{area} {n}" for area, n in open_to.room.items())
        yield _("So many blocks may go to these areas: {places}.", places=rooms)
    if NORSE in blocks and open_to.coasts:
        yield _("The Norse may go to {coasts}.", coasts=", ".join(open_to.coasts))
    elif NORSE in blocks:
        yield _("The Norse may go to a coast that becomes friendly.")


def _retreat_refusal(view: HammerView, order: orders.Retreat) -> Refusal | None:
    blocks = _who(view, orders.Retreat)
    return places_refusal(exits_seen(view, order.area), blocks, order.places, blocks, "5.5")


def _retreat_default(view: HammerView) -> Order:
    area = asked_area(view)
    return orders.Retreat(area=area, places=default_places(exits_seen(view, area), _who(view, orders.Retreat)))


RETREATS: Question = one_verb(
    orders.Retreat,
    "5.5",
    _going_form(orders.Retreat),
    lambda view: _going_options(
        RETREATS, view, orders.Retreat, N_("Say RETREAT {area} and an area for each of these: {blocks}.")
    ),
    _retreat_refusal,
    _retreat_default,
    elsewhere=N_("the retreat is from {area}"),
)


def _regroup_refusal(view: HammerView, order: orders.Regroup) -> Refusal | None:
    if not order.places:
        return Refusal(_("a regroup names blocks and their places"), "5.6")
    exits = exits_seen(view, order.area, regroup=True)
    return places_refusal(exits, _who(view, orders.Regroup), order.places, (), "5.6")


REGROUP: Question = one_verb(
    orders.Regroup,
    "5.6",
    _going_form(orders.Regroup),
    lambda view: _going_options(
        REGROUP, view, orders.Regroup, N_("Say PASS, or REGROUP {area} and an area for any of these: {blocks}.")
    ),
    _regroup_refusal,
    lambda view: PASS,
    elsewhere=N_("the battle was in {area}"),
    may_pass=True,
)


# raid


def _raid_default(view: HammerView) -> Order:
    weakest = min(raided(view), key=lambda name: (view.own(name).strength, name))  # type: ignore[union-attr]
    return orders.Raid(block=weakest)


RAID = one_verb(
    orders.Raid,
    "5.9",
    lambda view, line, rest: orders.Raid(block=find_block(rest, line, raided(view))),
    lambda view: Listed([orders.Raid(block=name) for name in raided(view)]),
    lambda view, order: raid_refusal(view, order.block),
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
