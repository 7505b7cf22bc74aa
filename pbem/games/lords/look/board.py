"""The table as text and as tables: supporters, recruits, armies, victory piles; and what one seat has before it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.reports.look import Table

from ..rules.cards import TURNS
from ..views import HIDDEN, FollowerView, LordsView
from .words import both, cards, fold, lord, points

_ASIDE = "  "


def board(view: LordsView) -> str:
    """Return the table in plain text."""
    lines = [_where(view), ""]
    lines += fold(f"Supporters: {', '.join(view.supporters) or 'none'}", _ASIDE)
    lines += fold(f"Recruits: {', '.join(_recruits(view)) or 'none'}", _ASIDE)
    lines.append(f"Draw pile: {cards(view.pile)}. Discards: {cards(len(view.discards))}.")
    for seat in view.seats:
        lines += ["", *_lord(view, seat)]
    return "\n".join(lines)


def _where(view: LordsView) -> str:
    if view.result is not None:
        return f"The game is over after {view.round} rounds."
    if not view.turn:
        return f"Before round {view.round + 1}."
    return f"Round {view.round}, turn {view.turn} of {TURNS}. {lord(view.victor)} has the Victor's Initiative."


def _recruits(view: LordsView) -> Iterator[str]:
    for place, recruit in enumerate(view.recruits, 1):
        yield f"{place} {recruit.card if recruit.up else 'face-down'}"


def _lord(view: LordsView, seat: str) -> Iterator[str]:
    acts = "; to act" if seat in view.waiting else ""
    yield f"{lord(seat)}: {points(view.points(seat))}; {cards(view.hands[seat])} in hand{acts}"
    army = ", ".join(called(seat, i, f) for i, f in enumerate(view.armies[seat])) or "nobody"
    yield from fold(f"  Army: {army}{_strength(view, seat)}", "    ")
    if view.taken[seat]:
        yield from fold(f"  Taken openly, not seen since: {', '.join(view.taken[seat])}", "    ")
    if view.won[seat]:
        yield from fold(f"  Victory pile: {', '.join(view.won[seat])}", "    ")


def called(seat: str, place: int, follower: FollowerView) -> str:
    """Return a follower as the table shows it, with the number that orders call it by where it lies face-down."""
    if follower.up:
        return f"{follower.card}{f' [{follower.power}]' if follower.power else ''}"
    known = "face-down" if follower.card == HIDDEN else f"{follower.card} face-down"
    return f"({seat} {place + 1}: {known})"


def _strength(view: LordsView, seat: str) -> str:
    seen = [follower.card for follower in view.armies[seat] if follower.card != HIDDEN]
    hidden = len(view.armies[seat]) - len(seen)
    if not view.armies[seat]:
        return ""
    more = f" and {hidden} unknown" if hidden else ""
    return f" = {sum(map(view.terms.strength, seen))}{more}, highest rank {_rank(view, seen)}"


def _rank(view: LordsView, seen: list[str]) -> str:
    return str(max(map(view.terms.rank, seen))) if seen else "unknown"


def hand(view: LordsView) -> str:
    """Return what a seat has before it: its hand with ranks, and what its own army comes to."""
    if not view.seat:
        return ""
    held = [f"{card} (rank {view.terms.rank(card)})" for card in view.hand]
    return (
        "\n".join(fold(f"Your hand, {cards(len(held))}: {', '.join(held)}.", _ASIDE)) if held else "Your hand is empty."
    )


def tables(view: LordsView) -> list[Table]:
    """Return the table as tables."""
    rows = [
        (
            lord(seat),
            str(view.points(seat)),
            str(view.hands[seat]),
            ", ".join(called(seat, i, f) for i, f in enumerate(view.armies[seat])) + _strength(view, seat) or "nobody",
            ", ".join(view.won[seat]),
        )
        for seat in view.seats
    ]
    middle = [
        ("Supporters", ", ".join(view.supporters) or "none"),
        ("Recruits", ", ".join(_recruits(view)) or "none"),
        ("Draw pile", cards(view.pile)),
        ("Discards", cards(len(view.discards))),
    ]
    return [
        Table(_where(view), ("Where", "Cards"), tuple(middle)),
        Table("The lords", ("Lord", "Points", "Hand", "Army", "Victory pile"), tuple(rows)),
    ]


def seen(view: LordsView) -> Table | None:
    """Return which cards the others took openly and still hold or have mustered face-down."""
    rows = tuple((lord(seat), both(view.taken[seat])) for seat in view.seats if seat != view.seat and view.taken[seat])
    note = "Each is in the hand, or lies face-down where that lord mustered it."
    return Table("Taken openly, not seen since", ("Lord", "Cards"), rows, note) if rows else None
