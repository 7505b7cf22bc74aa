"""What may be done in a battle: whom castles remove, who may be committed, whither losers go ("3 Battle", and its glory cards)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product

from pbem.i18n import N_, _
from pbem.kernel import Order, Refusal

from ..orders import Bid, Choose, Commit, DrawSword, Heal, Kill, Retreat, RetreatTo
from .board import Board
from .names import CARDINAL, COLOURS, DRUID, GLORY, PICTS, QUAICH, SWORD
from .placing_law import CubeSource, sources, why_not_from
from .troops import Troops

BATTLE = N_("3 Battle")
LOSERS = N_("3 Battle, losers")


# Which battle


def why_not_chosen(board: Board, order: Order) -> Refusal | None:
    """Return why a battle cannot be the next, or None."""
    standing = board.battles()
    if isinstance(order, Choose) and order.region in standing:
        return None
    return Refusal(_("“{order}” names no battle that stands", order=order), _(BATTLE), ", ".join(standing))


# Long Sword


def sword_sources(board: Board, seat: str, region: str) -> list[CubeSource]:
    """Return whence a cube may come to a battle: not from its own region."""
    return [source for source in sources(board, seat) if source.place != region]


def swords(board: Board, seat: str, region: str, *, later: bool) -> list[Order]:
    """Return what the holder of the Long Sword may say; LATER only where it may wait for the castles."""
    found: list[Order] = [DrawSword(when="NO"), *([DrawSword(when="LATER")] if later else [])]
    return found + [DrawSword(when="NOW", source=s.place, pict=s.pict) for s in sword_sources(board, seat, region)]


def why_not_sword(board: Board, seat: str, region: str, order: Order, *, later: bool) -> Refusal | None:
    """Return why the Long Sword cannot be used so, or None."""
    if order in swords(board, seat, region, later=later):
        return None
    if not isinstance(order, DrawSword):
        return Refusal(_("“{order}” says nothing of the Long Sword", order=order), _(SWORD), "SWORD NO")
    if order.when != "NOW":
        why = _("a cube comes with NOW alone") if order.source or order.pict else _("no castle will act after this")
        return Refusal(why, _(SWORD), "SWORD NO")
    if order.source == region:
        return Refusal(_("a cube from the battle's own region adds none"), _(SWORD))
    return why_not_from(board, seat, order.source, pict=order.pict)


# Castles


def targets(board: Board, region: str, seat: str, fighting: tuple[str, ...]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the cubes in a battle that a seat's castles may remove: the others', and its own; by colour."""
    others: dict[str, int] = {}
    own: dict[str, int] = {}
    for fighter in fighting:
        troops = board.troops(fighter, region)
        found = {fighter: troops.own, PICTS: troops.picts}
        (own if fighter == seat else others).update({colour: n for colour, n in found.items() if n})
    return others, own


def kills(
    board: Board, region: str, seat: str, castles: int, fighting: tuple[str, ...], *, sparing: bool = False
) -> list[Kill]:
    """Return the ways to name colours for that number of castles.

    Your own colour comes only when no other is left, if that is agreed or `sparing`.
    """
    others, own = targets(board, region, seat, fighting)
    if not sparing and board.terms.own == "any":
        every = {**others, **own}
        return [Kill(colours=some) for some in _multisets(every, min(castles, sum(every.values())))]
    first = min(castles, sum(others.values()))
    then = min(castles - first, sum(own.values()))
    return [Kill(colours=(*some, *rest)) for some, rest in product(_multisets(others, first), _multisets(own, then))]


def _multisets(counts: Mapping[str, int], n: int) -> list[tuple[str, ...]]:
    colours = [colour for colour in COLOURS if colour in counts]
    every = combinations_with_replacement(colours, n)
    return [some for some in every if all(some.count(colour) <= counts[colour] for colour in colours)]


def why_not_kill(
    board: Board, region: str, seat: str, castles: int, fighting: tuple[str, ...], order: Order
) -> Refusal | None:
    """Return why castles cannot remove these cubes, or None."""
    legal = kills(board, region, seat, castles, fighting)
    n = len(legal[0].colours)
    said = ", ".join(map(str, legal[:6]))
    if not isinstance(order, Kill):
        return Refusal(_("“{order}” names no colours", order=order), _(BATTLE), said)
    if order in legal:
        return None
    if len(order.colours) != n:
        return Refusal(_("name {n} colours: each of your castles removes a cube", n=n), _(BATTLE), said)
    if board.terms.own == "last":
        return Refusal(_("there are not these cubes to remove; your own only when no other is left"), _(BATTLE), said)
    return Refusal(_("there are not these cubes to remove"), _(BATTLE), said)


# Commitments


def least(board: Board, region: str, seat: str, present: tuple[str, ...]) -> int:
    """Return the fewest cubes that a seat may commit: half, rounded up, against the holder of the Quaich."""
    bound = any(other != seat and board.has(other, QUAICH) for other in present)
    return (board.troops(seat, region).total + 1) // 2 if bound else 0


def commitments(board: Board, region: str, seat: str, present: tuple[str, ...]) -> list[Commit]:
    """Return all that a seat may commit."""
    troops, fewest = board.troops(seat, region), least(board, region, seat, present)
    every = product(range(troops.own + 1), range(troops.picts + 1))
    return [Commit(troops=Troops(own, picts)) for own, picts in every if own + picts >= fewest]


def why_not_commit(board: Board, region: str, seat: str, present: tuple[str, ...], order: Order) -> Refusal | None:
    """Return why a seat cannot commit that number of cubes, or None."""
    troops, fewest = board.troops(seat, region), least(board, region, seat, present)
    legal = _("{least} to {most}", least=fewest, most=troops.total)
    if not isinstance(order, Commit):
        return Refusal(_("“{order}” commits nothing", order=order), _(BATTLE), f"COMMIT {troops.total}")
    if not troops.holds(order.troops):
        return Refusal(_("you have {troops} in {region}", troops=troops, region=region), _(BATTLE), legal)
    if order.troops.total < fewest:
        why = _("against the Quaich at least half is committed: {n}", n=fewest)
        return Refusal(why, _(QUAICH), legal)
    return None


def answers_last(board: Board, region: str, present: tuple[str, ...]) -> str:
    """Return the seat that commits after seeing the others: the holder of the Cardinal, if that is here; "" for nobody."""
    return next((seat for seat in present if board.cardinal == region and board.has(seat, CARDINAL)), "")


# After the battle


def heals(board: Board, seat: str, fallen: Troops) -> list[Heal]:
    """Return what the holder of the Druid may heal of its committed cubes."""
    found = [Heal(heal="NO")]
    if board.has(seat, DRUID):
        found += [Heal(heal="YES")] if fallen.own else []
        found += [Heal(heal="PICT")] if fallen.picts and board.spare(seat).picts else []
    return found


def healed(order: Heal | Retreat) -> Troops:
    """Return the cube that an order heals."""
    return Troops(int(order.heal == "YES"), int(order.heal == "PICT"))


def why_not_heal(board: Board, seat: str, fallen: Troops, order: Order) -> Refusal | None:
    """Return why the winner's Druid cannot heal so, or None."""
    legal = heals(board, seat, fallen)
    if order in legal:
        return None
    return Refusal(_("“{order}” heals no committed cube of yours", order=order), _(DRUID), ", ".join(map(str, legal)))


def retreats(board: Board, region: str, seat: str, fallen: Troops) -> Iterator[Retreat]:
    """Go through simple ways to leave a lost battle: all to one region, committed cubes to the supply or one glory card.

    That are not all: cubes may be split, and so may what goes to glory cards.
    """
    staying = board.troops(seat, region)
    ways = board.ways(seat, region)
    for heal in heals(board, seat, fallen) if ways else [Heal(heal="NO")]:
        going = staying + healed(heal)
        dead = fallen.own - healed(heal).own
        every_way = [(RetreatTo(troops=going, region=goal),) for goal in ways] if going.total and ways else [()]
        bids = [(), *((Bid(cubes=n, card=card),) for card in GLORY if card in board.glory for n in range(1, dead + 1))]
        for way, bid in product(every_way, bids):
            yield Retreat(ways=way, glory=bid, heal=heal.heal)


def sole_retreat(board: Board, region: str, seat: str, fallen: Troops) -> Retreat | None:
    """Return the one way to leave a lost battle, or None where there are several."""
    found = retreats(board, region, seat, fallen)
    first = next(found)
    return first if next(found, None) is None else None


def why_not_retreat(board: Board, region: str, seat: str, fallen: Troops, order: Order) -> Refusal | None:
    """Return why a loser cannot leave so, or None."""
    example = str(next(retreats(board, region, seat, fallen))).replace("\n", "; ")
    if not isinstance(order, Retreat):
        return Refusal(_("“{order}” is no retreat", order=order), _(LOSERS), example)
    ways = board.ways(seat, region)
    if order.heal != "NO" and (not ways or Heal(heal=order.heal) not in heals(board, seat, fallen)):
        return Refusal(_("no committed cube of yours can be healed so"), _(DRUID))
    return _why_not_ways(board, region, seat, order) or _why_not_bids(board, fallen, order)


def _why_not_ways(board: Board, region: str, seat: str, order: Retreat) -> Refusal | None:
    ways = board.ways(seat, region)
    named = [way.region for way in order.ways]
    for goal in named:
        if goal not in ways:
            why = _("{goal} is not open from {region}", goal=goal, region=region)
            return Refusal(why, _(LOSERS), ", ".join(ways) or "RETREAT NONE")
        if named.count(goal) > 1:
            return Refusal(_("{goal} is named twice", goal=goal), _(LOSERS))
    going = board.troops(seat, region) + healed(order) if ways else Troops()
    went = sum((way.troops for way in order.ways), Troops())
    if went != going or any(not way.troops.total for way in order.ways):
        return Refusal(_("{troops} retreat, no more and no fewer", troops=going), _(LOSERS))
    return None


def _why_not_bids(board: Board, fallen: Troops, order: Retreat) -> Refusal | None:
    cards = [bid.card for bid in order.glory]
    for bid in order.glory:
        if bid.card not in board.glory:
            why = _("{card} is not in this game", card=bid.card)
            return Refusal(why, _(LOSERS), ", ".join(card for card in GLORY if card in board.glory))
        if cards.count(bid.card) > 1 or bid.cubes < 1:
            return Refusal(_("name {card} once, with one cube or more", card=bid.card), _(LOSERS))
    dead = fallen.own - healed(order).own
    if sum(bid.cubes for bid in order.glory) > dead:
        why = _("{n} committed cubes of your own colour can go to glory cards", n=dead)
        return Refusal(why, _(LOSERS))
    return None
