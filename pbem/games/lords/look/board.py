"""The table as text and as tables: supporters, recruits, armies, victory piles; and what one seat has before it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _, _n
from pbem.look import PageTable

from ..rules.cards import TURNS
from ..views import HIDDEN, FollowerView, LordsView
from .words import both, cards, fold, lord, points

_ASIDE = "  "


def board(view: LordsView) -> str:
    """Return the table in plain text."""
    lines = [_where(view), ""]
    lines += fold(_("Supporters: {cards}", cards=", ".join(view.supporters) or _("none")), _ASIDE)
    lines += fold(_("Recruits: {cards}", cards=", ".join(_recruits(view)) or _("none")), _ASIDE)
    lines.append(
        _("Draw pile: {pile}. Discards: {discards}.", pile=cards(view.pile), discards=cards(len(view.discards)))
    )
    for seat in view.seats:
        lines += ["", *_lord(view, seat)]
    return "\n".join(lines)


def _where(view: LordsView) -> str:
    if view.result is not None:
        return _("The game is over after {round} rounds.", round=view.round)
    if not view.turn:
        return _("Before round {round}.", round=view.round + 1)
    return _(
        "Round {round}, turn {turn} of {turns}. {lord} has the Victor's Initiative.",
        round=view.round, turn=view.turn, turns=TURNS, lord=lord(view.victor),
    )  # fmt: skip


def _recruits(view: LordsView) -> Iterator[str]:
    for place, recruit in enumerate(view.recruits, 1):
        said = recruit.card if recruit.up else _("face-down")
        yield f"{place} {said}"


def _lord(view: LordsView, seat: str) -> Iterator[str]:
    said = {"lord": lord(seat), "points": points(view.points(seat)), "hand": cards(view.hands[seat])}
    if seat in view.waiting:
        yield _("{lord}: {points}; {hand} in hand; to act", **said)
    else:
        yield _("{lord}: {points}; {hand} in hand", **said)
    yield from fold(_("  Army: {army}", army=_army(view, seat)), "    ")
    if view.taken[seat]:
        yield from fold(_("  Taken openly, not seen since: {cards}", cards=", ".join(view.taken[seat])), "    ")
    if view.won[seat]:
        yield from fold(_("  Victory pile: {cards}", cards=", ".join(view.won[seat])), "    ")


def _army(view: LordsView, seat: str) -> str:
    if not view.armies[seat]:
        return _("nobody")
    return ", ".join(called(seat, i, f) for i, f in enumerate(view.armies[seat])) + _strength(view, seat)


def called(seat: str, place: int, follower: FollowerView) -> str:
    """Return a follower as the table shows it, with the number that orders call it by where it lies face-down."""
    if follower.up:
        return f"{follower.card}{f' [{follower.power}]' if follower.power else ''}"
    known = _("face-down") if follower.card == HIDDEN else _("{card} face-down", card=follower.card)
    return f"({seat} {place + 1}: {known})"


def _strength(view: LordsView, seat: str) -> str:
    seen = [follower.card for follower in view.armies[seat] if follower.card != HIDDEN]
    hidden = len(view.armies[seat]) - len(seen)
    return _(
        " = {total}{more}, highest rank {rank}",
        total=sum(map(view.terms.strength, seen)), more=_n(" and {n} unknown", " and {n} unknown", hidden) if hidden else "",
        rank=max(map(view.terms.rank, seen)) if seen else _("unknown"),
    )  # fmt: skip


def hand(view: LordsView) -> str:
    """Return what a seat has before it: its hand with ranks, and what its own army comes to."""
    if not view.seat:
        return ""
    if not view.hand:
        return _("Your hand is empty.")
    held = ", ".join(_("{card} (rank {rank})", card=card, rank=view.terms.rank(card)) for card in view.hand)
    return "\n".join(fold(_("Your hand, {n}: {cards}.", n=cards(len(view.hand)), cards=held), _ASIDE))


def tables(view: LordsView) -> list[PageTable]:
    """Return the table as tables."""
    rows = [
        (
            lord(seat),
            str(view.points(seat)),
            str(view.hands[seat]),
            _army(view, seat),
            ", ".join(view.won[seat]),
        )
        for seat in view.seats
    ]
    middle = [
        (_("Supporters"), ", ".join(view.supporters) or _("none")),
        (_("Recruits"), ", ".join(_recruits(view)) or _("none")),
        (_("Draw pile"), cards(view.pile)),
        (_("Discards"), cards(len(view.discards))),
    ]
    return [
        PageTable(_where(view), (_("Where"), _("Cards")), tuple(middle)),
        PageTable(_("The lords"), (_("Lord"), _("Points"), _("Hand"), _("Army"), _("Victory pile")), tuple(rows)),
    ]


def seen(view: LordsView) -> PageTable | None:
    """Return which cards the others took openly and still hold or have mustered face-down."""
    rows = tuple((lord(seat), both(view.taken[seat])) for seat in view.seats if seat != view.seat and view.taken[seat])
    note = _("Each is in the hand, or lies face-down where that lord mustered it.")
    return PageTable(_("Taken openly, not seen since"), (_("Lord"), _("Cards")), rows, note) if rows else None
