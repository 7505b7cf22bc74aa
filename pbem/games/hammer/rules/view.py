"""What a seat may see: the one place where hidden things are masked.

Everybody sees: cards played, nobles' allegiance, pool sizes, dead blocks, blocks by area as counts, what lies face-up, where
blocks came from this turn as counts, borders used and controlled, the procedures under way. A seat sees besides: its hand, its
own blocks with place and strength, and the particulars of the question it is asked. Rules 3.0, 4.3, 5.1, 5.32 and the sidebar
Fog-of-War.

A log holds the change from view to view three times, for each seat and the public. So what changes a little is an object keyed by
slugs, what follows from the rest is left out, and what is empty, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kernel import Ask, Json, wants

from .board import Board, State
from .deal_123 import deals_before
from .printed import DEAD, ENGLISH, NOBLES, OFF, POOL, SCOTTISH, SIDES, SLUG

KNOWN_STRENGTH = 2
_last: list[tuple[State, dict[str, Json]]] = []
"""The public part of the view made last: every stop is looked at by several seats."""


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `HammerView`."""
    if not _last or _last[0][0] is not state:
        _last[:] = [(state, _public(state))]
    found = dict(_last[0][1])
    found["seat"] = seat or ""
    blocks: dict[str, Json] = {}
    if seat is not None:
        board = state.board
        found["hand"] = [board.card(place) for place in board.hand(seat)]
        for piece in board.pieces:
            if piece.side == seat:
                own: dict[str, Json] = {"at": piece.at, "strength": piece.strength}
                if piece.start:
                    own["came"] = way(piece.start, piece.via)
                blocks[SLUG[piece.name]] = own
        for frame in state.stack:
            if frame.hides:
                found["frames"] = {**found["frames"], frame.at: frame.seen(board, seat)}
        if seat in found.get("wait", ()):
            if particulars := state.stack[-1].particulars(board, seat):
                found["particulars"] = particulars
    else:
        found["hand"] = []
    found["blocks"] = blocks
    return found


def way(start: str, via: str) -> str:
    """Return how a block came, in one word: the area where it started and the last one before it arrived, or the sea."""
    return f"{SLUG.get(start, start)}:{SLUG.get(via, via)}"


def _public(state: State) -> dict[str, Json]:
    board = state.board
    found: dict[str, Json] = {
        "scenario": board.scenario, "variants": list(board.variants), "bid": board.bid,
        "year": board.year, "turn": board.turn, "first": board.first, "truce": board.truce,
        "king": board.king, "edward": board.edward, "wintered": board.wintered,
        "nobles": {SLUG[name]: board[name].side for name in NOBLES},
        "frames": {frame.at: frame.seen(board, None) for frame in state.stack},
    }  # fmt: skip
    found |= _what_there_is({
        "years": board.years,
        "again": board.deal - deals_before(board.scenario, board.year) - bool(board.dealt),
        "played": {side: [board.card(p) for p in board.played[i]] for i, side in enumerate(SIDES) if board.dealt},
    })  # fmt: skip
    found |= _places(board, found["frames"].get("battle", {}))
    wanted = wants(board, state.stack, state.result)
    # 5.32, 4.3, 5.5: what the turn has left behind
    return found | _what_there_is({
        "attacks": {SLUG[area]: f"{side}:{way(start, via)}" for area, side, start, via in board.attacks},
        "crossed": _used(board.crossed),
        "retreated": _used(board.retreated),
        "marks": {border(a, b): side for a, b, side in board.marks},
        "wait": dict.fromkeys(wanted.seats, wanted.what) if isinstance(wanted, Ask) else {},
        "result": state.result,
    })  # fmt: skip


def _what_there_is(parts: dict[str, Json]) -> dict[str, Json]:
    """What is empty is left out."""
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


def _places(board: Board, battle: dict[str, Json]) -> dict[str, Json]:
    pools = {ENGLISH: 0, SCOTTISH: 0}
    areas: dict[str, dict[str, int]] = {}
    beside: dict[str, list[str]] = {DEAD: [], OFF: []}
    face_up: dict[str, Json] = {}
    arrivals: dict[str, dict[str, int]] = {}
    shown = [battle[part] for part in (ENGLISH, SCOTTISH, "leaving") if part in battle]
    for piece in board.pieces:
        at, side = piece.at, piece.side
        if at == POOL:
            pools[side] += 1
            if piece.known:
                face_up[SLUG[piece.name]] = {"at": POOL}  # Edward, kept there by a bid
        elif at in beside:
            beside[at].append(piece.name)
        else:
            counts = areas.setdefault(SLUG[at], {})
            counts[side] = counts.get(side, 0) + 1
            if piece.start:
                came, key = arrivals.setdefault(SLUG[at], {}), f"{side}:{way(piece.start, piece.via)}"
                came[key] = came.get(key, 0) + 1
            if piece.known and not any(SLUG[piece.name] in blocks for blocks in shown):
                seen = {"strength": piece.strength} if piece.known == KNOWN_STRENGTH else {}
                face_up[SLUG[piece.name]] = {"at": at, **seen}
    told = {"pools": pools, **beside, "areas": areas}
    return told | _what_there_is({"face_up": face_up, "arrivals": arrivals})
