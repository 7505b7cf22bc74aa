"""Battles: which comes first, whom castles remove, how many are committed, where losers go and what they bid."""

from __future__ import annotations

from collections import Counter
from typing import cast

from pbem.kernel import Chooser, Order

from .. import law
from ..game import GAME
from ..orders import Choose, Commit, DrawSword, Kill, Retreat, RetreatTo
from ..rules import battle_law
from ..rules.names import PICTS, QUAICH
from ..rules.troops import Troops
from ..views import SwordsView
from .glory import bids
from .ground import Region, fought, worth
from .situation import Outlook


def next_battle(view: SwordsView) -> Order:
    """Return the battle to fight first: the surest, since who wins it leads on."""
    now = Outlook(view)
    return Choose(region=max(view.table.battles(), key=lambda name: worth(now.regions[name], now.times)))


def draw_sword(view: SwordsView) -> Order:
    """Return whether the Long Sword adds a cube: after the castles, where it is worth more than a cube, and from the supply."""
    battle, now = law.fight(view), Outlook(view)
    legal = [cast(DrawSword, order) for order in GAME.options(view)]
    if any(order.when == "LATER" for order in legal) and now.regions[battle.region].cubes[0] > 1:
        return DrawSword(when="LATER")
    spare = [order for order in legal if order.when == "NOW" and not order.source]
    before, after = _spoken(now, battle.region), _spoken(now, battle.region, Counter({view.seat: 1}))
    pays = fought(after, now.times).worth > fought(before, now.times).worth + now.cube
    return spare[-1] if spare and pays else DrawSword(when="NO")


def _spoken(now: Outlook, name: str, more: Counter[str] | None = None) -> Region:
    """Return the region of a battle after its castles, with cubes more or fewer of some seats."""
    region, more = now.regions[name], more or Counter()
    cubes = tuple(max(0, n + more[seat]) for seat, n in zip(now.seats, region.cubes, strict=True))
    return region._replace(cubes=cubes, castles=(0,) * len(cubes))


def kill(view: SwordsView) -> Order:
    """Return whom our castles remove: so that the battle is worth most to us."""
    now, region = Outlook(view), law.fight(view).region

    def found(order: Kill) -> int:
        gone = Counter({now.table.owner(colour): -order.colours.count(colour) for colour in set(order.colours)})
        picts = order.colours.count(PICTS)
        if picts and (owner := now.table.owner(PICTS)):
            gone[owner] = -sum(order.colours.count(colour) for colour in (PICTS, owner))
        return fought(_spoken(now, region, gone), now.times).worth

    return max(law.kills(view, sparing=True), key=found)


def commit(view: SwordsView, chooser: Chooser) -> Order:
    """Return how many are committed: as a duel of such strengths is fought, a number by chance; the Cardinal's holder knows."""
    battle, now = law.fight(view), Outlook(view)
    legal = [cast(Commit, order).troops for order in GAME.options(view)]
    fewest = min(troops.total for troops in legal)
    there = _spoken(now, battle.region)
    if battle.fallen:
        number = _reply(now, there, [troops.total for troops in battle.fallen.values()], fewest)
    else:
        bound = view.table.has(view.seat, QUAICH)
        theirs = (max(there.cubes[1:]) + 1) // 2 if bound else 0
        number = _drawn(fought(there, now.times, (fewest, theirs)).weights, chooser)
    wanted = max(fewest, min(number, there.cubes[0]))
    # Picts go first: what falls of them can not be put on a glory card, but neither is it our own
    return Commit(troops=max((troops for troops in legal if troops.total == wanted), key=lambda troops: troops.picts))


def _reply(now: Outlook, there: Region, shown: list[int], fewest: int) -> int:
    """Return what beats all that was shown, if that can be and pays."""
    enough = max(max(shown) + 1, fewest)
    pays = 10 * there.token > now.cube * (enough - fewest)
    return enough if enough <= there.cubes[0] and pays else fewest


def _drawn(weights: tuple[int, ...], chooser: Chooser) -> int:
    lot = chooser.randrange(sum(weights))
    for number, weight in enumerate(weights):
        lot -= weight
        if lot < 0:
            return number
    return 0


def heal(view: SwordsView) -> Order:
    """Return the cube that the winner's Druid heals: one of our own."""
    return GAME.default(view)


def retreat(view: SwordsView) -> Order:
    """Return where our cubes go: one by one to where it gains most, or all to one region; and what they bid for."""
    now, region, table = Outlook(view), law.fight(view).region, view.table
    fallen, ways = law.fallen(view), table.ways(view.seat, region)
    healing = (
        battle_law.heals(table, view.seat, fallen)[-1] if ways else battle_law.heals(table, view.seat, Troops())[0]
    )
    going = table.troops(view.seat, region) + battle_law.healed(healing)
    bid = bids(now, fallen.own - int(healing.heal == "YES"))
    if not ways or not going.total:
        return Retreat(glory=bid, heal=healing.heal if ways and going.total else "NO")
    together: list[Counter[str]] = [Counter({name: going.total}) for name in ways]
    best = max([_apart(now, ways, going.total), *together], key=now.gain)
    return Retreat(ways=_split(best, going), glory=bid, heal=healing.heal)


def _apart(now: Outlook, ways: tuple[str, ...], cubes: int) -> Counter[str]:
    """Return where cubes go that go one by one, each to where it gains most."""
    gone: Counter[str] = Counter()
    for _cube in range(cubes):
        gone[max(ways, key=lambda name: now.gain({**gone, name: gone[name] + 1}))] += 1
    return gone


def _split(gone: Counter[str], going: Troops) -> tuple[RetreatTo, ...]:
    """Return who goes where, Picts last."""
    found, own = [], going.own
    for name, n in gone.items():
        ours = min(own, n)
        own -= ours
        if n:
            found.append(RetreatTo(troops=Troops(ours, n - ours), region=name))
    return tuple(found)
