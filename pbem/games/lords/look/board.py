"""The table as text and as tables: supporters, recruits, armies, victory piles; and what one seat has before it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _, _n
from pbem.look import PageTable

from ..rules.cards import TURNS
from ..views import HIDDEN, FollowerView, LordsView
from . import standing
from .words import both, cards, fold, lord

_ASIDE = "  "
INITIATIVE = "*"
"""The mark of the seat with the Victor's Initiative, where a line has no room for more."""


def board(view: LordsView) -> str:
    """Return the table in plain text: who is ahead, the middle, the lords' numbers in columns, their cards."""
    lines = [_where(view), *(line for told in standing.said(view) for line in fold(told, _ASIDE)), ""]
    lines += fold(_("Supporters: {cards}", cards=", ".join(view.supporters) or _("none")), _ASIDE)
    lines += fold(_("Recruits: {cards}", cards=", ".join(_recruits(view)) or _("none")), _ASIDE)
    lines.append(
        _("Draw pile: {pile}. Discards: {discards}.", pile=cards(view.pile), discards=cards(len(view.discards)))
    )
    lines += ["", *_columns(view)]
    for seat in view.seats:
        lines += ["", *_lord(view, seat)]
    return "\n".join(lines)


def _columns(view: LordsView) -> Iterator[str]:
    """Yield the lords' numbers as lines with a head; the mark of the Victor's Initiative follows a name."""
    rows = [(_("Lord"), _("Points"), _("Army"), _("Rank"), _("Hand"), "")]
    for seat in view.seats:
        acts = _("to act") if seat in view.waiting else ""
        rows.append((_marked(view, seat), *_numbers(view, seat), str(view.hands[seat]), acts))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *numbers, acts in rows:
        told = (n.rjust(room) for n, room in zip(numbers, wide[1:], strict=False))
        yield "  ".join([name.ljust(wide[0]), *told, acts]).rstrip()
    if view.turn:
        yield _("{mark} has the Victor's Initiative.", mark=INITIATIVE)


def _marked(view: LordsView, seat: str) -> str:
    return f"{lord(seat)} {INITIATIVE}" if view.turn and seat == view.victor else lord(seat)


def _numbers(view: LordsView, seat: str) -> tuple[str, str, str]:
    """Return points, total of the army and its highest rank, as the columns show them."""
    stands = standing.army([view], seat)
    there = bool(view.armies[seat])
    return str(view.points(seat)), stands.said if there else "–", str(stands.rank or "?") if there else "–"


def _where(view: LordsView) -> str:
    if view.result is not None:
        return _n(
            "The game is over after {round} round.",
            "The game is over after {round} rounds.",
            view.round,
            round=view.round,
        )
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
    yield lord(seat)
    yield from fold(_("  Army: {army}", army=_army(view, seat)), "    ")
    if view.taken[seat]:
        yield from fold(_("  Taken openly, not seen since: {cards}", cards=", ".join(view.taken[seat])), "    ")
    if view.won[seat]:
        yield from fold(_("  Victory pile: {cards}", cards=", ".join(view.won[seat])), "    ")


def _army(view: LordsView, seat: str) -> str:
    if not view.armies[seat]:
        return _("no follower yet")
    called_by = ", ".join(called(seat, i, f) for i, f in enumerate(view.armies[seat]))
    return called_by + (_(", doubled, as all are of one clan") if standing.army([view], seat).doubled else "")


def called(seat: str, place: int, follower: FollowerView) -> str:
    """Return a follower as the table shows it; if it is face-down, with the number that orders use for it."""
    if follower.up:
        return f"{follower.card}{f' [{follower.power}]' if follower.power else ''}"
    known = _("face-down") if follower.card == HIDDEN else _("{card} face-down", card=follower.card)
    return _("({seat} {place}: {known})", seat=seat, place=place + 1, known=known)


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
            _marked(view, seat),
            *_numbers(view, seat),
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
    heads = _("Points"), _("Total"), _("Highest rank")
    note = standing.said(view)
    if view.turn:
        note.append(_("{mark} has the Victor's Initiative.", mark=INITIATIVE))
    return [
        PageTable(_where(view), (_("Where"), _("Cards")), tuple(middle)),
        PageTable(
            _("The lords"), (_("Lord"), *heads, _("Hand"), _("Army"), _("Victory pile")), tuple(rows), " ".join(note)
        ),
    ]


def seen(view: LordsView) -> PageTable | None:
    """Return which cards the others took openly and still hold or have mustered face-down."""
    rows = tuple((lord(seat), both(view.taken[seat])) for seat in view.seats if seat != view.seat and view.taken[seat])
    note = _("Each is in the hand, or lies face-down where that lord mustered it.")
    return PageTable(_("Taken openly, not seen since"), (_("Lord"), _("Cards")), rows, note) if rows else None
