"""What a page shows of Swords as cards and dice: the glory cards, one's castles and supply; who begins; what a battle costs.

From a view, or from one fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _, _n
from pbem.look.shown import CardRow, Die, HandCard, Rolled, Struck

from ..rules import told
from ..rules.names import PICTS
from ..views import SwordsView
from .picture.style import COLOURS, GOLD
from .words import both, card, colour, cubes, laid, player, power


def card_rows(view: SwordsView) -> Iterator[CardRow]:
    """Yield the card rows of a seat: the glory cards with its cubes on them, its castles, its supply."""
    if not view.seat:
        return
    table = view.table
    if table.glory:
        yield CardRow(_("Glory cards"), tuple(_glory(view, name) for name in laid(table)))
    spare = table.spare(view.seat)
    held = {name: table.castles.get(name) for name in table.parts.strongholds}
    mine = tuple(
        HandCard(
            one.name, f"castle:{one.name}", "", _("castle"), " – ".join(one.border), COLOURS[held[one.name] or PICTS][0]
        )
        for one in table.parts.castles
        if held[one.name] in table.colours(view.seat)
    )
    said = cubes(spare.total, spare.picts)
    yield CardRow(
        _("In your supply: {cubes}. Your castles:", cubes=said) if mine else _("In your supply: {cubes}", cubes=said),
        mine,
        small=True,
    )


def _glory(view: SwordsView, name: str) -> HandCard:
    """Return a glory card: the number of the seat's cubes on it, and its holder."""
    table = view.table
    holder, mine = table.held.get(name, ""), table.glory[name].get(view.seat, 0)
    if holder == view.seat:
        kind = _("yours")
    else:
        kind = _("{who} has it", who=player(holder)) if holder else _("nobody has it")
    band = COLOURS[holder][0] if holder else GOLD
    return HandCard(card(name), f"card:{name}", str(mine) if mine else "", kind, _capital(power(name)), band)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def rolled(fact: told.SwordsFact) -> Rolled | None:
    """Return the die that says who begins."""
    match fact:
        case told.Begins(seat, die) if die:
            return Rolled("", _("Who begins"), (Die(die, counts=True),), player(seat))
    return None


def struck(fact: told.SwordsFact) -> Iterator[Struck]:
    """Go through what a battle costs: a cube that a castle removes, cubes that are committed, a rout."""
    match fact:
        case told.Killed(_seat, castle, name):
            yield Struck(f"castle:{castle}", _("{castle} removes a cube: {colour}", castle=castle, colour=colour(name)))
        case told.Committed(region, numbers):
            said = both(
                _n("{who}: {n} cube", "{who}: {n} cubes", one.n, who=player(one.seat)) for one in numbers if one.n
            )
            if any(one.n for one in numbers):
                yield Struck(f"area:{region}", _("Committed in {region}: {cubes}", region=region, cubes=said))
        case told.NoWay(seat, region, n):
            said = _n(
                "No way out of {region}: {n} cube of {who} lost", "No way out of {region}: {n} cubes of {who} lost",
                n, region=region, who=player(seat),
            )  # fmt: skip
            yield Struck(f"area:{region}", said, gone=True)
