"""The numbered answers of each question: what players mostly answer, in words, and answers that also settle later questions.

An answer that settles later questions has plans (docs/reference/plans.md). Everything comes from the view of the asked seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from pbem.i18n import N_
from pbem.kernel import Order

from .. import orders
from ..questions import QUESTIONS
from ..questions.question import PASS, asked_area
from ..questions.turn import room_in
from ..rules import (
    AREAS,
    BORDER,
    EDWARD,
    ENGLAND,
    ENGLISH,
    NEIGHBOURS,
    SCOTTISH,
    VICTUALS_STEPS,
    WALLACE,
    CombatTurn,
    Exits,
    combat_turn,
    exits_seen,
    hand_out,
    is_event,
    mover,
)
from ..rules.said import _, named
from ..views import HammerView
from .words import blocks as told_blocks
from .words import listed


class Advised(NamedTuple):
    """An answer to list: its order, what it means, and the plans that go with it."""

    order: Order
    words: str = ""
    plans: str = ""


Answers: TypeAlias = Iterator[Advised]
_MOVES = 4
"""A list has at most this many attacks."""
_MATTERS = "ASK WHEN IT MATTERS"
_ANY = "BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY"
_NOBODY = N_("nobody moves; this turn's battles as they stand: fight on, ask me when it matters, stay if we win")
_WINTER = ("KEEP ANY", "BUILD ANY: DRAW 9, STRENGTHEN WEAKEST")


def choices(view: HammerView) -> list[Advised]:
    """Return the answers to list, the suggestion first: those alone that are legal."""
    if not view.ask:
        return []
    what, question = view.ask["what"], QUESTIONS[view.ask["what"]]
    found = chain(_LISTS[what](view) if what in _LISTS else [Advised(question.default(view))], _all(view, what))
    return [one for one in found if question.why_not(view, one.order) is None]


def _all(view: HammerView, what: str) -> Answers:
    """Go through all answers where they can be listed."""
    options = QUESTIONS[what].options(view)
    return (Advised(order) for order in (options if options.count() is not None else ()))


def _standing(view: HammerView, order: Order, words: str, *clauses: str) -> Advised:
    """Return an answer with plans; for Player 1, who chooses the next battle, they fight battles in the board's order."""
    more = ("NEXT ANY",) if view.first == view.seat and len(view.contested) > 1 else ()
    return Advised(order, words, "\n".join((*clauses, *more)))


# the card and the act


def _cards(view: HammerView) -> Answers:
    first = QUESTIONS["card"].default(view)
    for order in dict.fromkeys([first, *(orders.PlayCard(card=card) for card in view.hand)]):
        card = getattr(order, "card", "")
        n = view.hand.count(card)
        yield Advised(order, _("{card} (you hold {n})", card=card, n=n) if n > 1 else named(card))


def _acts(view: HammerView) -> Answers:
    card = (view.ask or {})["card"]
    if not is_event(card):
        yield Advised(PASS, _("nobody moves"))
        # when Player 2 moves nobody, and no area is contested, nothing is fought over
        yield from (
            [Advised(PASS, _(_NOBODY), f"{_ANY}\nNEXT ANY\n{_MATTERS}")]
            if (view.ask or {})["player"] == 1 or view.contested
            else []
        )
        yield from islice(_attacks(view), _MOVES)
        return
    if card == "Victuals":
        yield from _victuals(view)
    else:
        options = QUESTIONS["act"].options(view)
        yield from (Advised(order) for order in islice((one for one in options if one != PASS), 7))
    yield Advised(PASS, _("the {card} is not used", card=card))


def _attacks(view: HammerView) -> Answers:
    """Go through attacks of one group on fewer blocks next to it, the most uneven first."""
    who, found = mover(view), list[tuple[int, Order]]()
    for area, names in view.groups.items():
        if area not in AREAS or view.count(area, view.enemy):
            continue
        for there in NEIGHBOURS[area]:
            foes = view.count(there, view.enemy)
            able = tuple(name for name in names if who.rating(name))[: BORDER[area, there].limit]
            if foes and len(able) > foes and there != ENGLAND:
                march = orders.March(start=area, blocks=able, route=(there,))
                found.append((foes - len(able), orders.Move(marches=(march,))))
    for _more, order in sorted(found, key=lambda one: one[0]):
        yield Advised(order)


def _victuals(view: HammerView) -> Answers:
    """Go through the areas: in each the weakest blocks gain as much as they can."""
    rooms = ((area, room_in(view, area)) for area in AREAS)
    for area, room in sorted(((area, room) for area, room in rooms if room), key=lambda one: -sum(one[1].values())):
        steps = hand_out(room, VICTUALS_STEPS, lambda left: max(left, key=lambda name: left[name]))
        yield Advised(orders.Victuals(area=area, steps=steps))


# battles


def _battle(view: HammerView) -> Answers:
    turn = combat_turn(view)
    area, fire, exits = turn.area, QUESTIONS["battle action"].default(view), [*ways_out(turn)]
    lone = len(turn.blocks) == 1
    stay = orders.BattleActions(area=area, acts=tuple(orders.Act(block=name, action="PASS") for name in turn.blocks))
    passing = Advised(stay, _("pass") if lone else _("all pass"))
    if not turn.fire:
        yield passing
    else:
        yield Advised(fire, _("fire") if lone else _("all fire: {blocks}", blocks=listed(turn.blocks)))
        fight = f"BATTLE {area}: FIGHT; HITS ANY; REGROUP STAY"
        yield _standing(view, fire, _(_ON_TILL_IT_MATTERS), fight, _MATTERS)
        if exits and max(view.fight.strengths(view.seat).values()) > 1:
            to = exits[0][0]
            weak = "; ".join(f"{name} RETREAT {to} IF {name} BELOW 2" for name in view.fight.strengths(view.seat))
            leaving = f"BATTLE {area}: {weak}; FIGHT; HITS ANY; REGROUP STAY"
            yield _standing(view, fire, _(_ON_TILL_WEAK, area=to), leaving)
        yield _standing(view, fire, _(_ON_TO_THE_END), fight)
    for to, n in exits[:3]:
        acts, left = list[orders.Act](), turn
        for name in turn.blocks:
            if to in left.exits.ways(name):
                acts.append(orders.Act(block=name, action="RETREAT", to=to))
                left = left.after(acts[-1])
        gone = [act.block for act in acts]
        rest = [orders.Act(block=name, action="FIRE" if turn.fire else "PASS") for name in left.blocks]
        words = (
            _("retreat to {area} ({n} may cross)", area=to, n=n)
            if lone
            else _("retreat to {area}: {blocks} ({n} may cross)", area=to, blocks=listed(gone), n=n)
        )
        if rest:
            words = _("{words}; the others stay and fight", words=words)
        yield Advised(orders.BattleActions(area=area, acts=(*acts, *rest)), words)
    yield passing


_ON_TILL_IT_MATTERS = N_("fire and fight on; ask me when I am the weaker side or could lose a leader; stay if we win")
_ON_TILL_WEAK = N_("fire and fight on until one of mine is at 1, who retreats to {area}; stay if we win")
_ON_TO_THE_END = N_("fire and fight on to the end; stay if we win")


def ways_out(turn: CombatTurn) -> Iterator[tuple[str, int]]:
    """Go through the areas where blocks on foot may retreat to, and how many; the Norse have coasts."""
    open_to = {to: turn.exits.room.get(to, 1) for name in turn.blocks for to in turn.exits.ways(name)}
    yield from sorted(open_to.items(), key=lambda one: -one[1])


def _hits(view: HammerView) -> Answers:
    for order in QUESTIONS["hits"].options(view):
        own = view.fight.strengths(view.seat)
        found = [_("{block}, now at {n}", block=name, n=own[name]) for name in getattr(order, "blocks", ())]
        yield Advised(order, _("; ").join(found))
    area = asked_area(view)
    fight = f"BATTLE {area}: FIGHT; HITS ANY; REGROUP STAY"
    first = QUESTIONS["hits"].default(view)
    yield _standing(
        view,
        first,
        _("{blocks}; then fight on, any block takes the hits", blocks=listed(getattr(first, "blocks", ()))),
        fight,
        _MATTERS,
    )


def _going(kind: type[orders.Retreat | orders.Regroup]) -> Callable[[HammerView], Answers]:
    def answers(view: HammerView) -> Answers:
        area, stays = asked_area(view), kind is orders.Regroup
        if stays:
            yield Advised(PASS, _("all stay in {area}", area=area))
            if len(view.contested):
                yield _standing(
                    view, PASS, _("all stay, in this turn's other battles, too"), "BATTLE ANY: REGROUP STAY"
                )
            names: Iterable[str] = view.groups.get(area, ())
        else:
            names = view.frames["retreat"]["blocks"]
            yield Advised(QUESTIONS["retreats"].default(view))
        exits = exits_seen(view, area, regroup=stays)
        for to in exits.room:
            places = tuple(_places(exits, names, to))
            if places:
                words = _("{blocks} to {area}", blocks=listed(place.block for place in places), area=to)
                yield Advised(kind(area=area, places=places), words)

    return answers


def _places(open_to: Exits, names: Iterable[str], to: str) -> Iterator[orders.Place]:
    for name in names:
        if to in open_to.ways(name):
            yield orders.Place(block=name, to=to)
            open_to = open_to.after(name, to)


def _next(view: HammerView) -> Answers:
    first = orders.NextBattle(area=view.contested[0])
    yield Advised(first, _fight_in(view, view.contested[0]))
    if len(view.contested) > 2:
        row = listed(view.contested)
        yield Advised(first, _("the battles as they stand on the board: {areas}", areas=row), "NEXT ANY")
    yield from (Advised(orders.NextBattle(area=area), _fight_in(view, area)) for area in view.contested[1:])


def _fight_in(view: HammerView, area: str) -> str:
    own, foe = (told_blocks(view.count(area, side)) for side in (view.seat, view.enemy))
    return _("{area}: your {own} against {enemy}", area=area, own=own, enemy=foe)


# winter


def _home(view: HammerView) -> Answers:
    order = QUESTIONS["home"].default(view)
    text, leader = _homes(order), view.own(EDWARD if view.seat == ENGLISH else WALLACE)
    words, goes = _WHOLE_WINTER[view.seat, leader is not None and leader.at in AREAS]
    yield Advised(order, text)
    yield Advised(order, _(words, answer=text), "\n".join((*goes, *_WINTER)))
    yield from (Advised(one, _homes(one)) for one in QUESTIONS["home"].options(view))


_WHOLE_WINTER = {
    (ENGLISH, True): (
        N_("{answer}; and the whole winter: Edward goes home, the strongest stay, the weakest gain"),
        ("EDWARD GOES",),
    ),
    (ENGLISH, False): (N_("{answer}; and the whole winter: the strongest stay, the weakest gain"), ()),
    (SCOTTISH, True): (
        N_("{answer}; and the whole winter: Wallace to Selkirk, the strongest stay, draw blocks"),
        ("WALLACE GOES",),
    ),
    (SCOTTISH, False): (N_("{answer}; and the whole winter: the strongest stay, draw blocks"), ()),
}
"""For a side, with its leader on the map and without him: the text of an answer with plans for the whole winter, and his plan."""
_THEN_BUILD = {
    ENGLISH: N_("{answer}; then build: the weakest gain"),  # 7.63: they draw none
    SCOTTISH: N_("{answer}; then build: draw blocks, and the weakest gain"),
}
_GOES = {"": N_("{block} to {area}"), orders.STAY: N_("{block} stays"), orders.DISBAND: N_("{block} disbands")}


def _homes(order: Order) -> str:
    """Return where each of those goes who have a choice."""
    goings = getattr(order, "goings", ())
    found = [_(_GOES.get(one.to, _GOES[""]), block=one.block, area=one.to) for one in goings]
    return _("; ").join(found) or _("nobody has a choice")


def _disband(view: HammerView) -> Answers:
    order = QUESTIONS["disband"].default(view)
    yield Advised(order)
    words = _(_THEN_BUILD[view.seat], answer=str(order).replace("\n", _("; ")))
    yield Advised(order, words, _WINTER[1])
    yield from (Advised(one) for one in (orders.Disband(), orders.Disband(edward=True), orders.Disband(wallace=True)))


def _build(view: HammerView) -> Answers:
    yield Advised(QUESTIONS["build"].default(view))
    yield Advised(orders.Build(done=True), _("build nothing"))


_LISTS: Mapping[str, Callable[[HammerView], Answers]] = {
    "card": _cards,
    "act": _acts,
    "next battle": _next,
    "battle action": _battle,
    "hits": _hits,
    "retreats": _going(orders.Retreat),
    "regroup": _going(orders.Regroup),
    "home": _home,
    "disband": _disband,
    "build": _build,
}
"""The questions with a list other than the default followed by the legal orders."""
