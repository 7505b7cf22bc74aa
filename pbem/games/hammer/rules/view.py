"""What a seat may see: the one place where hidden things are masked.

Everybody sees: cards played, nobles' allegiance, pool sizes, dead blocks, blocks by area as counts, what lies face-up, where
blocks came from this turn as counts, borders used and controlled, the procedures under way. A seat sees besides: its hand, its
own blocks with place and strength, and the particulars of the question it is asked. Rules 3.0, 4.3, 5.1, 5.32 and the sidebar
Fog-of-War.
"""

from __future__ import annotations

from pbem.kernel import Ask, Json, wants

from .board import Board, State
from .facts import AREAS, DEAD, ENGLISH, NOBLES, OFF, POOL, SCOTTISH, SIDES, SLUG

KNOWN_STRENGTH = 2
_last: list[tuple[State, dict[str, Json]]] = []
"""The public part of the view made last: every stop is looked at by several seats."""


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `HammerView`."""
    if not _last or _last[0][0] is not state:
        _last[:] = [(state, _public(state))]
    found = dict(_last[0][1])
    board = state.board
    found["frames"] = {frame.at: frame.seen(board, seat) for frame in state.stack}
    found["seat"] = seat or ""
    blocks: dict[str, Json] = {}
    if seat is not None:
        found["hand"] = [board.card(place) for place in board.hand(seat)]
        for name, side, at, strength, start, via, _known in board.pieces:
            if side == seat:
                own: dict[str, Json] = {"at": at, "strength": strength}
                if start:
                    own["start"], own["via"] = start, via
                blocks[SLUG[name]] = own
        wait = found.get("wait")
        if wait and seat in wait["seats"]:
            found["ask"] = {"what": wait["what"], **state.stack[-1].particulars(board, seat)}
    else:
        found["hand"] = []
    found["blocks"] = blocks
    return found


def _public(state: State) -> dict[str, Json]:
    board = state.board
    found: dict[str, Json] = {
        "scenario": board.scenario, "year": board.year, "turn": board.turn, "first": board.first, "truce": board.truce,
        "king": board.king, "edward": board.edward, "wintered": board.wintered,
        "cards": {
            side: {"left": len(board.hand(side)), "played": [board.card(place) for place in board.played[i]]}
            for i, side in enumerate(SIDES)
        },
        "nobles": {SLUG[name]: board[name].side for name in NOBLES},
        "attacks": [{"area": area, "side": side, "start": start, "via": via} for area, side, start, via in board.attacks],
        "crossed": [{"between": [a, b], "side": side, "blocks": n} for a, b, side, n in board.crossed],
        "marks": [{"between": [a, b], "side": side} for a, b, side in board.marks],
        "retreated": [{"between": [a, b], "side": side, "blocks": n} for a, b, side, n in board.retreated],
    }  # fmt: skip
    found["procedures"] = [frame.at for frame in state.stack]
    _places(board, found)
    wanted = wants(board, state.stack, state.result)
    if isinstance(wanted, Ask):
        found["wait"] = {"what": wanted.what, "seats": list(wanted.seats), "secret": wanted.secret}
    if state.result is not None:
        found["result"] = state.result
    return found


def _places(board: Board, found: dict[str, Json]) -> None:
    pools = {ENGLISH: 0, SCOTTISH: 0}
    areas: dict[str, dict[str, int]] = {}
    beside: dict[str, list[str]] = {DEAD: [], OFF: []}
    revealed: dict[str, Json] = {}
    arrivals: dict[tuple[str, str, str, str], int] = {}
    for name, side, at, strength, start, via, known in board.pieces:
        if at in AREAS:
            counts = areas.get(at)
            if counts is None:
                counts = areas[at] = {ENGLISH: 0, SCOTTISH: 0}
            counts[side] += 1
            if start:
                key = (at, side, start, via)
                arrivals[key] = arrivals.get(key, 0) + 1
            if known:
                revealed[SLUG[name]] = {"side": side, "at": at, "strength": strength if known == KNOWN_STRENGTH else 0}
        elif at == POOL:
            pools[side] += 1
        else:
            beside[at].append(name)
    found["pools"] = pools
    found.update(beside)
    found["areas"] = {SLUG[area]: areas[area] for area in sorted(areas)}
    found["revealed"] = revealed
    found["arrivals"] = [
        {"area": area, "side": side, "start": start, "via": via, "blocks": n}
        for (area, side, start, via), n in sorted(arrivals.items())
    ]
    found["battles"] = [area for area in AREAS if area in areas and areas[area][ENGLISH] and areas[area][SCOTTISH]]
