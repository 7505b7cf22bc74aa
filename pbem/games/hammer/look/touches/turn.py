"""The touches of the card and move phases: which card, and what an event card does. Rules 3.1, 3.12, 6.2.

Moves have a file of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.kernel import Order
from pbem.look.touches import Touch

from ... import orders
from ...questions.turn import is_of_use
from ...rules import AREAS, CANDIDATES, COAST, ROSTER, coronation_refusal, is_event, return_refusal, sea_move_refusal
from ...rules.said import _
from ...views import HammerView
from . import reading
from .feeding import one_step_more
from .moves import moves

_SOMEWHERE = next(iter(AREAS))
"""Ends an unfinished line, so that it can be read."""


# card


def _card(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    if draft:
        return
    for order in reading.question(view).options(view):
        if isinstance(order, orders.PlayCard):
            note = "" if is_of_use(view, order.card) else _("can do nothing as things stand")
            yield reading.made(view, f"card:{order.card}", _("Play {card}", card=order.card), order, note)


# act


def _act(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    card: str = (view.ask or {})["card"]
    if not is_event(card):
        yield from moves(view, draft)
        return
    if not draft:
        yield reading.passing(_("Pass: nothing is done with this card"))
    yield from _EVENTS[card](view, draft)
    if not draft:
        yield from _crowns(view)


def _legal(view: HammerView, kind: type[Order]) -> list[Order]:
    """Return the legal orders of a kind, where they can be listed."""
    return [order for order in reading.question(view).options(view) if isinstance(order, kind)]


def _herald(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    if draft:
        return
    for order in _legal(view, orders.Herald):
        noble = order.noble  # type: ignore[attr-defined]
        yield reading.made(view, f"block:{noble}", _("Send the Herald to {noble}", noble=noble), order)


def _truce(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    if not draft:
        label = _("Truce: the enemy may move this turn, but not attack")
        yield reading.made(view, "choice:TRUCE", label, orders.Truce())


def _pillage(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through the areas to be pillaged, then the groups that can do it; where there is but one it is not asked for."""
    groups: dict[str, list[str]] = {}
    for order in _legal(view, orders.Pillage):
        assert isinstance(order, orders.Pillage)  # noqa: S101 - so asked for
        groups.setdefault(order.target, []).append(order.group)
    if not draft:
        for target in (area for area in AREAS if area in groups):
            yield _pillaged(view, target, groups[target])
    elif "FROM" not in draft[-1].upper().split():
        begun = reading.read(view, draft, f" FROM {_SOMEWHERE}")
        target = begun.target if isinstance(begun, orders.Pillage) else ""
        for group in groups.get(target, ()):
            label = _("for your group in {area}", area=group)
            yield reading.made(view, f"area:{group}", label, orders.Pillage(target=target, group=group))


def _pillaged(view: HammerView, target: str, groups: Sequence[str]) -> Touch:
    if len(groups) > 1:
        return Touch(f"area:{target}", _("Pillage {area}", area=target), (f"PILLAGE {target}",))
    label = _("Pillage {area} for your group in {group}", area=target, group=groups[0])
    return reading.made(view, f"area:{target}", label, orders.Pillage(target=target, group=groups[0]))


# Sea Move


def _sea(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through who sails, then where to, or who sails as well."""
    if not draft:
        yield from _sailors(view, ())
    elif ":" not in draft[-1]:
        begun = reading.read(view, draft, f": {_SOMEWHERE} > {_SOMEWHERE}")
        if isinstance(begun, orders.SeaMove) and begun.blocks:
            yield from _sailors(view, begun.blocks)
            for order in _sailings(view, begun.blocks):
                yield reading.made(view, f"area:{order.to}", _("over the sea to {area}", area=order.to), order)


def _sailors(view: HammerView, names: tuple[str, ...]) -> Iterator[Touch]:
    for area in COAST:
        for name in view.groups.get(area, ()):
            both = tuple(sorted({*names, name}, key=ROSTER.index))
            if name not in names and next(_sailings(view, both), None):
                label = (
                    _("with {block}", block=name) if names else _("{block} in {area}, by sea", block=name, area=area)
                )
                yield Touch(f"block:{name}", label, (f"SEA {', '.join(both)}",))


def _sailings(view: HammerView, names: tuple[str, ...]) -> Iterator[orders.SeaMove]:
    """Go through the legal Sea Moves of the given blocks."""
    own = view.own(names[0])
    start = own.at if own else ""
    found = (orders.SeaMove(blocks=names, start=start, to=to) for to in COAST)
    return (order for order in found if sea_move_refusal(view, order) is None)


# Victuals and the crown


def _victuals(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    order = reading.read(view, draft) if draft else orders.Victuals(area="", steps=())
    if not isinstance(order, orders.Victuals):
        return
    for area in [order.area] if draft else AREAS:
        yield from one_step_more(view, order, area)


def _crowns(view: HammerView) -> Iterator[Touch]:
    """Go through what may take the place of an event (6.2)."""
    for name in CANDIDATES:
        if coronation_refusal(view, name) is None:
            label = _("Crown {candidate} instead of the event", candidate=name)
            yield reading.made(view, f"block:{name}", label, orders.Coronation(candidate=name))
    if return_refusal(view) is None:
        label = _("King Balliol returns from exile, instead of the event")
        yield reading.made(view, "choice:RETURN", label, orders.ReturnOfTheKing())


_EVENTS: Mapping[str, Callable[[HammerView, Sequence[str]], Iterator[Touch]]] = {
    "Herald": _herald,
    "Pillage": _pillage,
    "Sea Move": _sea,
    "Truce": _truce,
    "Victuals": _victuals,
}

TOUCHES: Mapping[str, Callable[[HammerView, Sequence[str]], Iterator[Touch]]] = {"card": _card, "act": _act}
"""Each question of the phases of a game turn -> its touches."""
