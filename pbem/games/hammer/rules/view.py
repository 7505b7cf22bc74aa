"""What a seat may see: the one place where hidden things are masked.

Everybody sees cards played, nobles' allegiance, pool sizes, dead blocks, blocks by area as counts, and face-up blocks. Everybody
also sees the origins of blocks this turn as counts, borders used and controlled, and the procedures under way. A seat also sees its
hand, its own blocks with place and strength, and the particulars of its question. Rules 3.0, 4.3, 5.1, 5.32 and the sidebar
Fog-of-War.

A log has the change from view to view three times, for each seat and the public. So parts that change slightly are objects keyed by
slugs, and everything derived or empty is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap, zip_longest

from pbem.kernel import Ask, Json, taken_over, wants

from .board import Board, Piece, State, by_roster
from .deal_123 import deals_before
from .printed import AREAS, DEAD, ENGLISH, INDEX, NOBLES, OFF, POOL, SCOTTISH, SIDES, SLUG

KNOWN_STRENGTH = 2


_NOBLES = tuple((SLUG[name], INDEX[name]) for name in NOBLES)


class _Look:
    """What is shown of one state. Parts equal to those of the previous state shown are reused as the same object.

    Several seats look at every stop, and little changes from one to the next. So the view is made quickly, and comparing or
    reading two views can skip shared objects.
    """

    def __init__(self, state: State, before: _Look | None) -> None:
        self.state, self._was = state, before.views if before else {}
        self.views: dict[str, dict[str, Json]] = {}
        now, then = state.board.pieces, before.state.board.pieces if before else ()
        self._changed = [] if now is then else [pair for pair in zip_longest(now, then) if pair[0] is not pair[1]]
        moved = any(starmap(_has_moved, self._changed))
        self.placed: dict[str, Json] = before.placed if before and not moved else _placed(state.board)
        self.public: dict[str, Json] = taken_over(_public(state, self.placed), self._was.get("", {}))
        self.views[""] = self.public

    def seat(self, seat: str) -> dict[str, Json]:
        """Return all that a seat may know."""
        state, board = self.state, self.state.board
        own: dict[str, Json] = {"hand": [board.card(place) for place in board.hand(seat)]}
        if hiding := {frame.at: frame.seen(board, seat) for frame in state.stack if frame.hides}:
            own["frames"] = {**self.public["frames"], **hiding}
        if seat in self.public.get("wait", ()) and (particulars := state.stack[-1].particulars(board, seat)):
            own["particulars"] = particulars
        was = self._was.get(seat, {})
        for name, part in own.items():
            own[name] = taken_over(part, was.get(name))
        found = self.views[seat] = {**self.public, "seat": seat, **own, "blocks": self._blocks(seat)}
        return found

    def _blocks(self, seat: str) -> dict[str, Json]:
        if seat in self._was and all(then and now.side == then.side for now, then in self._changed):
            own = {SLUG[now.name]: _own(now) for now, _then in self._changed if now.side == seat}
            return {**self._was[seat]["blocks"], **own} if own else self._was[seat]["blocks"]
        return {SLUG[piece.name]: _own(piece) for piece in self.state.board.pieces if piece.side == seat}


def _has_moved(now: Piece, then: Piece | None) -> bool:
    return then is None or (now.side, now.at, now.start, now.via) != (then.side, then.at, then.start, then.via)


_last: list[_Look | None] = [None]
"""The look that was taken last."""


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `HammerView`."""
    look = _last[0]
    if look is None or look.state is not state:
        look = _last[0] = _Look(state, look)
    return dict(look.public) if seat is None else look.seat(seat)


def _own(piece: Piece) -> dict[str, Json]:
    own: dict[str, Json] = {"at": piece.at, "strength": piece.strength}
    if piece.start:
        own["came"] = way(piece.start, piece.via)
    return own


def way(start: str, via: str) -> str:
    """Return how a block came, in one word: the area where it started and the last one before it arrived, or the sea."""
    return f"{SLUG.get(start, start)}:{SLUG.get(via, via)}"


def _public(state: State, placed: dict[str, Json]) -> dict[str, Json]:
    board = state.board
    frames = {frame.at: frame.seen(board, None) for frame in state.stack}
    wanted = wants(board, state.stack, state.result)
    found: dict[str, Json] = {
        "scenario": board.scenario, "variants": list(board.variants), "bid": board.bid,
        "year": board.year, "turn": board.turn, "first": board.first, "truce": board.truce,
        "king": board.king, "edward": board.edward, "wintered": board.wintered,
        "frames": frames, **placed, "seat": "", "hand": [], "blocks": {},
    }  # fmt: skip
    # 5.32, 4.3, 5.5: what the turn has left behind
    return found | _what_there_is({
        "years": board.years,
        "again": board.deal - deals_before(board.scenario, board.year) - bool(board.dealt),
        "played": {side: [board.card(p) for p in board.played[i]] for i, side in enumerate(SIDES) if board.dealt},
        "face_up": _face_up(board, frames.get("battle", {})),
        "attacks": {SLUG[area]: f"{side}:{way(start, via)}" for area, side, start, via in board.attacks},
        "crossed": _used(board.crossed),
        "retreated": _used(board.retreated),
        "marks": {border(a, b): side for a, b, side in board.marks},
        "wait": dict.fromkeys(wanted.seats, wanted.what) if isinstance(wanted, Ask) else {},
        "result": state.result,
    })  # fmt: skip


def _what_there_is(parts: dict[str, Json]) -> dict[str, Json]:
    """Return the parts that are not empty."""
    return {name: part for name, part in parts.items() if part}


def _used(borders: Iterable[tuple[str, str, str, int]]) -> dict[str, dict[str, int]]:
    """Return by border how many blocks of each side have used it."""
    found: dict[str, dict[str, int]] = {}
    for a, b, side, n in borders:
        found.setdefault(border(a, b), {})[side] = n
    return found


def border(a: str, b: str) -> str:
    """Return the key of a border."""
    return f"{SLUG[a]}:{SLUG[b]}"


def _placed(board: Board) -> dict[str, Json]:
    """Return the places of blocks, as everybody sees them."""
    occupied = board.occupancy()
    areas = {SLUG[at]: {side: n for side, n in occupied[at].items() if n} for at in AREAS if at in occupied}
    pools = {side: len(board.blocks_in(POOL, side)) for side in SIDES}
    beside = {at: [*by_roster(name for side in SIDES for name in board.blocks_in(at, side))] for at in (DEAD, OFF)}
    arrivals: dict[str, dict[str, int]] = {}
    for _name, side, at, _strength, start, via, _known in board.pieces:
        if start:
            came, key = arrivals.setdefault(SLUG[at], {}), f"{side}:{way(start, via)}"
            came[key] = came.get(key, 0) + 1
    nobles = {slug: board.pieces[i].side for slug, i in _NOBLES}
    return {"nobles": nobles, "pools": pools, **beside, "areas": areas} | _what_there_is({"arrivals": arrivals})


def _face_up(board: Board, battle: dict[str, Json]) -> dict[str, Json]:
    """Return the face-up blocks, except those in the front lines of a battle."""
    found: dict[str, Json] = {}
    shown = [battle[part] for part in (ENGLISH, SCOTTISH, "leaving") if part in battle]
    for piece in [piece for piece in board.pieces if piece.known and piece.at not in (DEAD, OFF)]:
        if piece.at == POOL:
            found[SLUG[piece.name]] = {"at": POOL}  # Edward, kept there by a bid
        elif not any(SLUG[piece.name] in blocks for blocks in shown):
            seen = {"strength": piece.strength} if piece.known == KNOWN_STRENGTH else {}
            found[SLUG[piece.name]] = {"at": piece.at, **seen}
    return found
