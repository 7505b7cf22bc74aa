"""What a seat may see: the one place where hidden things are masked.

Everybody sees: cards played, nobles' allegiance, pool sizes, dead blocks, blocks by area as counts, what lies face-up, where
blocks came from this turn as counts, borders used and controlled, the procedures under way. A seat sees besides: its hand, its
own blocks with place and strength, and the particulars of the question it is asked. Rules 3.0, 4.3, 5.1, 5.32 and the sidebar
Fog-of-War.
"""

from __future__ import annotations

from typing import Any

from pbem.kernel import Ask, Json, wants

from .board import Board, State
from .facts import AREAS, DEAD, ENGLISH, NOBLES, OFF, POOL, SCOTTISH, SIDES, SLUG

_last: list[tuple[State, dict[str, Json]]] = []
"""The public part of the view made last: every stop is looked at by several seats."""


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `HammerView`."""
    if not _last or _last[0][0] is not state:
        _last[:] = [(state, _public(state))]
    found = dict(_last[0][1])
    found["stack"] = [frame.seen(state.board, seat) for frame in state.stack]
    if seat is None:
        return found
    board = state.board
    found["seat"] = seat
    found["hand"] = [board.card(place) for place in board.hand(seat)]
    blocks: dict[str, Json] = {}
    for name, side, at, strength, start, via, _known in board.pieces:
        if side == seat:
            own: dict[str, Json] = {"at": at}
            if strength:
                own["strength"] = strength
            if start:
                own["start"], own["via"] = start, via
            blocks[SLUG[name]] = own
    found["blocks"] = blocks
    wait = found.get("wait")
    if wait and seat in wait["seats"]:
        found["ask"] = {"what": wait["what"], **state.stack[-1].particulars(board, seat)}
    return found


def _public(state: State) -> dict[str, Json]:
    board = state.board
    found: dict[str, Json] = {"scenario": board.scenario, "year": board.year, "turn": board.turn}
    for key, said in (("first", board.first), ("truce", board.truce), ("king", board.king)):
        if said:
            found[key] = said
    found["edward"] = board.edward
    if board.wintered:
        found["wintered"] = board.wintered
    found["cards"] = {
        side: {"left": len(board.hand(side)), "played": [board.card(place) for place in board.played[i]]}
        for i, side in enumerate(SIDES)
    }
    found["nobles"] = {SLUG[name]: board[name].side for name in NOBLES}
    _places(board, found)
    if board.attacks:
        found["attacks"] = [
            {"area": area, "side": side, "start": start, "via": via} for area, side, start, via in board.attacks
        ]
    if board.crossed:
        found["crossed"] = [{"between": [a, b], "side": side, "blocks": n} for a, b, side, n in board.crossed]
    if board.marks:
        found["marks"] = [{"between": [a, b], "side": side} for a, b, side in board.marks]
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
                counts = areas[at] = {}
            counts[side] = counts.get(side, 0) + 1
            if start:
                key = (at, side, start, via)
                arrivals[key] = arrivals.get(key, 0) + 1
            if known:
                shown: dict[str, Any] = {"side": side, "at": at}
                if known == 2:
                    shown["strength"] = strength
                revealed[SLUG[name]] = shown
        elif at == POOL:
            pools[side] += 1
        else:
            beside[at].append(name)
    found["pools"] = pools
    found.update((place, names) for place, names in beside.items() if names)
    found["areas"] = {SLUG[area]: counts for area, counts in sorted(areas.items())}
    if revealed:
        found["revealed"] = revealed
    if arrivals:
        found["arrivals"] = [
            {"area": area, "side": side, "start": start, "via": via, "blocks": n}
            for (area, side, start, via), n in sorted(arrivals.items())
        ]
    contested = [area for area in AREAS if len(areas.get(area, ())) == len(SIDES)]
    if contested:
        found["battles"] = contested
