"""The question, and order lines to copy and edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pbem.i18n import N_, _, _n
from pbem.kernel import Order
from pbem.look import offers
from pbem.look.offers import Touching

from .. import law
from ..orders import Deploy, Retreat
from ..reading import read_order
from ..rules import battle_law, deploy_law, placing_law, shapes
from ..rules.names import CARDINAL, CROWN, DRUID, QUAICH, TAPESTRY, WALL
from ..views import SwordsView
from .words import both, card, cubes, fold, icon, laid, player, points, power, shape, troops

CALLED: Mapping[str, str] = {
    "setup": N_("“first cubes”"), "place": N_("“place”"), "deploy": N_("“deploy”"), "merchant": N_("“Merchant's Outpost”"),
    "battle": N_("“next battle”"), "sword": N_("“Long Sword”"), "castles": N_("“castles”"), "commit": N_("“commit”"),
    "druid": N_("“Druid”"), "retreat": N_("“retreat”"), "cardinal": N_("“Cardinal”"), "wall": N_("“Hadrian's Wall”"),
    "tapestry": N_("“Tapestry”"),
}  # fmt: skip
"""Question -> its name."""


def question(view: SwordsView) -> str:
    """Return the question to the seat."""
    return "\n".join(fold(_ASKED[view.question](view))) if view.question else ""


def _setup(view: SwordsView) -> str:
    first = view.table.parts.first_cubes
    there = len(view.table.presence(view.seat))
    if not there:
        return _(
            "In which region do you place your first cube? {first} are placed by each, one at a time.", first=first
        )
    return _n(
        "In which region do you place your next cube? {first} are placed by each, one at a time; you stand in {n} region.",
        "In which region do you place your next cube? {first} are placed by each, one at a time; you stand in {n} regions.",
        there, first=first,
    )  # fmt: skip


def _place(view: SwordsView) -> str:
    table = view.table
    said = _(
        "Flip {flip}: {icon}, and {number} on a formation. On which square do you PLACE a cube? All are placed at once.",
        flip=table.flip, icon=icon(table.icon), number=table.number,
    )  # fmt: skip
    if not placing_law.squares(table, view.seat):
        return _("{question} You have no free square with it: NOTHING is all you can do.", question=said)
    whence = [source.place for source in placing_law.sources(table, view.seat)]
    if not whence:
        return _("{question} All your cubes are on your player board: NOTHING is all you can do.", question=said)
    return said if not whence[0] else _("{question} Your supply is empty: say FROM where it comes.", question=said)


def _deploy(view: SwordsView) -> str:
    at = law.formation(view)
    fours = deploy_law.fours(view.table, at)
    kinds = dict.fromkeys(shape(shapes.shape(four)) for four in fours)
    # a cube that several formations share is pulled by the first: the next may have fewer left than the card says
    pulled = sorted({deploy_law.must_pull(view.table, view.seat, four) for four in fours})
    return _(
        "The cube on {square} makes a formation ({shapes}). Pull {n} of its cubes to a region where you have one, THEN use its "
        "shape: S moves cubes to or from a neighbour, a box adds one from the supply anywhere, T takes a castle, a line does any "
        "of these.",
        square=at.square, shapes=both(kinds), n="-".join(str(n) for n in dict.fromkeys((pulled[0], pulled[-1]))),
    )  # fmt: skip


def _merchant(_view: SwordsView) -> str:
    return _("Do you move a cube of your player board to another free square? It may make a formation. Or STAY.")


def _next_battle(view: SwordsView) -> str:
    return _("You lead: which battle is next? {regions} stand.", regions=both(view.table.battles()))


def _sword(view: SwordsView) -> str:
    fight = law.fight(view)
    if fight.waits_for_castles(view.table):
        return _(
            "Battle in {region}: a cube more by the Long Sword, NOW, LATER (after the castles) or NO?",
            region=fight.region,
        )
    return _(
        "Battle in {region}: no castle will act now. A cube more by the Long Sword, NOW or NO?", region=fight.region
    )


def _castles(view: SwordsView) -> str:
    fight = law.fight(view)
    n = len(fight.castles(view.table, view.seat))
    return _n(
        "Battle in {region}: your castle removes a cube. Which colour?",
        "Battle in {region}: your {n} castles remove a cube each. Which colours?",
        n, region=fight.region,
    )  # fmt: skip


def _commit(view: SwordsView) -> str:
    table, fight = view.table, law.fight(view)
    there = both(f"{player(seat)} {table.troops(seat, fight.region).total}" for seat in fight.present(table))
    said = _(
        "Battle in {region} for {points}: {there}. How many do you commit? The most wins, equal numbers lose; all committed "
        "cubes go.",
        region=fight.region, points=points(table.tokens[fight.region]), there=there,
    )  # fmt: skip
    if fight.fallen:
        shown = both(f"{player(seat)} {some.total}" for seat, some in fight.fallen.items())
        return _("{question} You see what the others committed: {shown}.", question=said, shown=shown)
    for name in (CROWN, QUAICH, CARDINAL):
        if name in table.held and (name != CARDINAL or table.cardinal == fight.region):
            said += _(" {card}: {who}, {power}.", card=card(name), who=player(table.held[name]), power=power(name))
    return said


def _druid(view: SwordsView) -> str:
    return _(
        "You won, with {cubes} committed. Does your Druid heal one, so that it stays?", cubes=troops(law.fallen(view))
    )


def _retreat(view: SwordsView) -> str:
    table, region = view.table, law.fight(view).region
    ways = _ways(view)
    going = table.troops(view.seat, region)
    said = _("You lost in {region}.", region=region)
    if going.total and not ways:
        said += _(" No region is open, so your {cubes} go to the supply.", cubes=troops(going))
    elif going.total:
        said += _(" Where to with your {cubes}? Open are {regions}.", cubes=troops(going), regions=both(ways))
    if law.fallen(view).own and table.glory:
        said += _(
            " Of your {cubes} committed you may put some on GLORY cards: {cards}.",
            cubes=cubes(law.fallen(view).own), cards=both(map(card, laid(table))),
        )  # fmt: skip
    if table.has(view.seat, DRUID) and law.fallen(view).total and ways:
        said += _(" Your Druid may HEAL one of them, which then retreats, too.")
    return said


def _set_piece(view: SwordsView) -> str:
    table = view.table
    match view.question:
        case "cardinal":
            name, where = CARDINAL, table.cardinal
        case "wall":
            name, where = WALL, " - ".join(table.wall)
        case _:
            name, where = TAPESTRY, icon(table.wild) if table.wild else ""
    if where:
        return _("{card}: it stands at {where}. Does it STAY, or go elsewhere?", card=card(name), where=where)
    return _("{card} is yours: where do you put it? {power}.", card=card(name), power=power(name).capitalize())


_ASKED: Mapping[str, Callable[[SwordsView], str]] = {
    "setup": _setup, "place": _place, "deploy": _deploy, "merchant": _merchant, "battle": _next_battle, "sword": _sword,
    "castles": _castles, "commit": _commit, "druid": _druid, "retreat": _retreat, "cardinal": _set_piece, "wall": _set_piece,
    "tapestry": _set_piece,
}  # fmt: skip


_SQUARES = re.compile(r"(?:[A-H][1-8] )+(?=[A-H][1-8] (?:PULL|TO) )")


def unsaid(view: SwordsView, text: str) -> Iterator[str]:
    """Yield what a legal order means beyond its lines, a sentence each. Raises OrderError if the text is not an order."""
    match read_order(view.table.parts, text, view.question):
        case Deploy(special=None) as order:
            after = deploy_law.pulled_to(view.table, view.seat, order.pulled, order.region)
            if next(deploy_law.specials(after, view.seat, order.region, shapes.shape(order.squares)), None):
                yield _("You take no special action (no THEN).")
        case Retreat() as order:
            yield from _unsaid_of_retreat(view, order)


def _unsaid_of_retreat(view: SwordsView, order: Retreat) -> Iterator[str]:
    table, fallen = view.table, law.fallen(view)
    if order.heal == "NO" and len(battle_law.heals(table, view.seat, fallen)) > 1 and _ways(view):
        yield _("Your Druid heals no cube (no HEAL).")
    left = fallen.own - battle_law.healed(order).own - sum(bid.cubes for bid in order.glory)
    if left and table.glory:
        yield _("Committed cubes that go to your supply: {n}", n=left)
    if (going := table.troops(view.seat, law.fight(view).region)).total and not _ways(view):
        yield _("No region is open, so your {cubes} go to the supply.", cubes=troops(going))


def _ways(view: SwordsView) -> tuple[str, ...]:
    return view.table.ways(view.seat, law.fight(view).region)


_ALONG: Mapping[str, tuple[str, ...]] = {
    "setup": ("PLAN CUBE Moray, Fife",),
    "place": ("PLAN COMMIT ANY: HALF", "PLAN RETREAT ANY", "AHEAD PLACE: PLACE A1"),
    "deploy": ("PLAN COMMIT ANY: HALF", "PLAN RETREAT ANY"),
    "commit": ("PLAN RETREAT ANY", "PLAN GLORY NONE"),
}
"""What may go with an answer, to be made fitting: it saves mails."""


def template(view: SwordsView, advice: Order, touching: Touching) -> str:
    """Return order lines to copy and edit, made from the touches of the view; the advised order is first."""
    along = [*_with_special(view, advice), *_ALONG.get(view.question, ())]
    lines = offers.template(touching, str(advice), along, ways=True).split("\n")
    return "\n".join(part for line in lines for part in _folded(line))


def _folded(line: str) -> list[str]:
    """Return a line on two where it is too long: a deployment with its special action, parted behind a comma."""
    found = [*_SQUARES.finditer(line)] if len(line) > offers.WIDTH else []
    if not found:
        return [line]
    start, squares, end = found[-1].start(), found[-1][0].split(), found[-1].end()
    mark = "# " if line.startswith("#") else ""
    return [f"{line[:start]}{', '.join(squares)},", f"{mark}    {line[end:]}"]


def _with_special(view: SwordsView, order: Order) -> Iterator[str]:
    """Go through a deployment with the first special action of each kind that its shape allows."""
    if isinstance(order, Deploy):
        order = order.model_copy(update={"special": None})
        after = deploy_law.pulled_to(view.table, view.seat, order.pulled, order.region)
        found = deploy_law.specials(after, view.seat, order.region, shapes.shape(order.squares))
        yield from {special.verb: f"{order} THEN {special}" for special in reversed([*found])}.values()
