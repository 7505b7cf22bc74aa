"""What a seat may order, from its own view, question by question: what is legal, why not, and the default of a silent seat.

The rules themselves are in `rules/*_law.py`, which see a table; here a view provides what they need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar, cast

from pbem.i18n import N_, _
from pbem.kernel import Chooser, Composed, Listed, Options, Order, Refusal

from .orders import (
    Bid,
    Carry,
    Choose,
    Commit,
    Cube,
    Deploy,
    DrawSword,
    Heal,
    Kill,
    Retreat,
    RetreatTo,
    Special,
)
from .rules import battle_law, deploy_law, placing_law, settling_law, shapes
from .rules.battles import Battle
from .rules.board import Board
from .rules.flip import Deploying
from .rules.names import CARDINAL, GLORY, TAPESTRY, WALL
from .rules.troops import Troops
from .views import SwordsView

T = TypeVar("T")
SETUP = N_("Set-Up")


@dataclass(frozen=True, slots=True)
class Answering:
    """A question: its legal answers, why an order is not one of them, and the default."""

    options: Callable[[SwordsView], Options]
    why_not: Callable[[SwordsView, Order], Refusal | None]
    default: Callable[[SwordsView], Order]


# Set-up


def _cubes(view: SwordsView) -> Options:
    return Listed([Cube(region=name) for name in view.table.parts.names])


def _why_not_cube(view: SwordsView, order: Order) -> Refusal | None:
    names = view.table.parts.names
    if isinstance(order, Cube) and order.region in names:
        return None
    return Refusal(_("“{order}” places no cube in a region", order=order), _(SETUP), ", ".join(names))


def _default_cube(view: SwordsView) -> Order:
    """Where one has fewest cubes, the first of those."""
    table = view.table
    return Cube(region=min(table.parts.names, key=lambda name: table.count(name, view.seat)))


# Placing


def _placings(view: SwordsView) -> Options:
    return Listed(placing_law.placings(view.table, view.seat))


def _why_not_place(view: SwordsView, order: Order) -> Refusal | None:
    return placing_law.why_not_place(view.table, view.seat, order)


def _default_place(view: SwordsView) -> Order:
    """The first square, from the first source."""
    return placing_law.placings(view.table, view.seat)[0]


# Deploying


def formation(view: SwordsView) -> deploy_law.FormationAt:
    return cast(Deploying, view.deploying).formation


def _deployments(view: SwordsView) -> Options:
    table, at = view.table, formation(view)

    def sample(chooser: Chooser) -> Order:
        four = _one(deploy_law.fours(table, at), chooser)
        there = deploy_law.left(table, at.seat, four)
        pulled = _one(list(combinations(there, deploy_law.must_pull(table, at.seat, four))), chooser)
        region = _one(deploy_law.goals(table, at.seat), chooser)
        after = deploy_law.pulled_to(table, at.seat, pulled, region)
        ways: list[Special | None] = [None, *deploy_law.specials(after, at.seat, region, shapes.shape(four))]
        return Deploy(squares=four, pulled=pulled, region=region, special=_one(ways, chooser))

    words = _(
        "Say DEPLOY and four connected squares, {square} among them, PULL and {n} of them, TO and one of these regions, and, "
        "if you want it, THEN and the action of the shape: {regions}.",
        square=at.square, n=table.number, regions=", ".join(deploy_law.goals(table, at.seat)),
    )  # fmt: skip
    every = lambda: deploy_law.deployments(table, at)  # noqa: E731
    return Composed(sample, every, lambda order: _why_not_deploy(view, order) is None, words)


def _why_not_deploy(view: SwordsView, order: Order) -> Refusal | None:
    return deploy_law.why_not_deploy(view.table, formation(view), order)


def _default_deploy(view: SwordsView) -> Order:
    """The first formation and its first cubes, to where one has most cubes; no special action."""
    table, at = view.table, formation(view)
    four = deploy_law.fours(table, at)[0]
    pulled = deploy_law.left(table, at.seat, four)[: deploy_law.must_pull(table, at.seat, four)]
    region = max(deploy_law.goals(table, at.seat), key=lambda name: table.troops(at.seat, name).total)
    return Deploy(squares=four, pulled=pulled, region=region)


def _carryings(view: SwordsView) -> Options:
    return Listed(deploy_law.carryings(view.table, view.seat))


def _why_not_carry(view: SwordsView, order: Order) -> Refusal | None:
    return deploy_law.why_not_carry(view.table, view.seat, order)


# Battles


def fight(view: SwordsView) -> Battle:
    return cast(Battle, view.battle)


def _standing(view: SwordsView) -> Options:
    return Listed([Choose(region=name) for name in view.table.battles()])


def _why_not_battle(view: SwordsView, order: Order) -> Refusal | None:
    return battle_law.why_not_chosen(view.table, order)


def _swords(view: SwordsView) -> Options:
    battle = fight(view)
    later = battle.waits_for_castles(view.table)
    return Listed(battle_law.swords(view.table, view.seat, battle.region, later=later))


def _why_not_sword(view: SwordsView, order: Order) -> Refusal | None:
    battle = fight(view)
    later = battle.waits_for_castles(view.table)
    return battle_law.why_not_sword(view.table, view.seat, battle.region, order, later=later)


def kills(view: SwordsView, *, sparing: bool = False) -> list[Kill]:
    """Return the ways to name colours for the castles of this seat; `sparing` its own colour while there is another."""
    battle, table = fight(view), view.table
    castles = len(battle.castles(table, view.seat))
    return battle_law.kills(table, battle.region, view.seat, castles, battle.fighting, sparing=sparing)


def _why_not_kill(view: SwordsView, order: Order) -> Refusal | None:
    battle, table = fight(view), view.table
    castles = len(battle.castles(table, view.seat))
    return battle_law.why_not_kill(table, battle.region, view.seat, castles, battle.fighting, order)


def _default_kill(view: SwordsView) -> Order:
    """Cubes of whom has most there; one's own only when no other is left."""
    battle, table = fight(view), view.table
    return max(
        kills(view, sparing=True), key=lambda kill: sum(table.count(battle.region, colour) for colour in kill.colours)
    )


def _commitments(view: SwordsView) -> Options:
    battle = fight(view)
    return Listed(battle_law.commitments(view.table, battle.region, view.seat, battle.present(view.table)))


def _why_not_commit(view: SwordsView, order: Order) -> Refusal | None:
    battle = fight(view)
    return battle_law.why_not_commit(view.table, battle.region, view.seat, battle.present(view.table), order)


def _default_commit(view: SwordsView) -> Order:
    """Half, rounded up, one's own first."""
    troops = view.table.troops(view.seat, fight(view).region)
    n = (troops.total + 1) // 2
    return Commit(troops=Troops(min(n, troops.own), n - min(n, troops.own)))


def fallen(view: SwordsView) -> Troops:
    """Return what this seat has committed in the battle."""
    return fight(view).fallen.get(view.seat, Troops())


def _heals(view: SwordsView) -> Options:
    return Listed(battle_law.heals(view.table, view.seat, fallen(view)))


def _why_not_heal(view: SwordsView, order: Order) -> Refusal | None:
    return battle_law.why_not_heal(view.table, view.seat, fallen(view), order)


def _default_heal(view: SwordsView) -> Order:
    """Return the healing of an own cube if possible, otherwise of a Pict."""
    return battle_law.heals(view.table, view.seat, fallen(view))[1]


def _retreats(view: SwordsView) -> Options:
    table, region = view.table, fight(view).region
    going, ways = table.troops(view.seat, region), table.ways(view.seat, region)

    def sample(chooser: Chooser) -> Order:
        heals = battle_law.heals(table, view.seat, fallen(view)) if ways else [Heal(heal="NO")]
        heal = _one(heals, chooser)
        leaving = going + battle_law.healed(heal) if ways else Troops()
        dead = fallen(view).own - battle_law.healed(heal).own
        glory = tuple(_bids(table, dead, chooser))
        return Retreat(ways=tuple(_split(leaving, ways, chooser)), glory=glory, heal=heal.heal)

    def every() -> Iterator[Order]:
        return battle_law.retreats(table, region, view.seat, fallen(view))

    words = []
    if going.total and ways:
        where = ", ".join(ways)
        words.append(_("Say RETREAT {troops}, all or in parts, and where to: {regions}.", troops=going, regions=where))
    elif going.total:
        words.append(_("No way is open to your cubes."))
    if fallen(view).own and table.glory:
        cards = ", ".join(card for card in GLORY if card in table.glory)
        words.append(
            _("For up to {n} committed cubes say GLORY 1 and a card: {cards}.", n=fallen(view).own, cards=cards)
        )
    return Composed(sample, every, lambda order: _why_not_retreat(view, order) is None, "\n".join(words))


def _split(troops: Troops, ways: tuple[str, ...], chooser: Chooser) -> Iterator[RetreatTo]:
    """Go through ways for all of the troops, one cube after the other to any of them."""
    gone: dict[str, Troops] = {}
    for one, n in ((Troops(1), troops.own), (Troops(0, 1), troops.picts)):
        for _cube in range(n):
            goal = _one(ways, chooser)
            gone[goal] = gone.get(goal, Troops()) + one
    yield from (RetreatTo(troops=went, region=goal) for goal, went in gone.items())


def _bids(table: Board, cubes: int, chooser: Chooser) -> Iterator[Bid]:
    for card in GLORY:
        if card in table.glory and cubes and (n := chooser.randrange(cubes + 1)):
            cubes -= n
            yield Bid(cubes=n, card=card)


def _why_not_retreat(view: SwordsView, order: Order) -> Refusal | None:
    return battle_law.why_not_retreat(view.table, fight(view).region, view.seat, fallen(view), order)


def _default_retreat(view: SwordsView) -> Order:
    """All to the region where one has most cubes; committed cubes to the supply, but one that is healed."""
    table, region = view.table, fight(view).region
    ways = table.ways(view.seat, region)
    heal = battle_law.heals(table, view.seat, fallen(view))[-1] if ways else Heal(heal="NO")
    going = table.troops(view.seat, region) + battle_law.healed(heal)
    if not ways or not going.total:
        return Retreat()
    goal = max(ways, key=lambda name: table.troops(view.seat, name).total)
    return Retreat(ways=(RetreatTo(troops=going, region=goal),), heal=heal.heal)


# Cardinal, wall, Tapestry


def _setting(card: str) -> Answering:
    """Return the question where a card's piece is put; who stays silent leaves it, or takes the first place there is."""
    return Answering(
        lambda view: Listed(settling_law.settings(view.table, card)),
        lambda view, order: settling_law.why_not_set(view.table, card, order),
        lambda view: settling_law.settings(view.table, card)[0],
    )


def _one(items: Sequence[T], chooser: Chooser) -> T:
    return items[chooser.randrange(len(items))]


ANSWERING: Mapping[str, Answering] = {
    "setup": Answering(_cubes, _why_not_cube, _default_cube),
    "place": Answering(_placings, _why_not_place, _default_place),
    "deploy": Answering(_deployments, _why_not_deploy, _default_deploy),
    "merchant": Answering(_carryings, _why_not_carry, lambda view: Carry()),
    "battle": Answering(_standing, _why_not_battle, lambda view: Choose(region=view.table.battles()[0])),
    "sword": Answering(_swords, _why_not_sword, lambda view: DrawSword(when="NO")),
    "castles": Answering(lambda view: Listed(kills(view)), _why_not_kill, _default_kill),
    "commit": Answering(_commitments, _why_not_commit, _default_commit),
    "druid": Answering(_heals, _why_not_heal, _default_heal),
    "retreat": Answering(_retreats, _why_not_retreat, _default_retreat),
    "cardinal": _setting(CARDINAL),
    "wall": _setting(WALL),
    "tapestry": _setting(TAPESTRY),
}
"""Every question, and how it may be answered."""
