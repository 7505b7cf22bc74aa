"""What a seat may see: the one place where hidden cards are masked.

Everybody sees supporters, discards, face-up recruits and followers, victory piles, how many cards a hand has and which of them
were taken openly. A seat sees besides: its hand, and the face-down followers that it mustered or ever had in its army. Which place
of a deal a card in a hand came from is nobody's business but its owner's. When the game is over, hands are shown.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING

from pbem.kernel import Ask, Json, wants

from .cards import slug

if TYPE_CHECKING:
    from .board import Board, Follower
    from .cards import Agreed
    from .reign import State

HIDDEN = "?"


_last: list[tuple[State, dict[str, Json]]] = []
"""The public view made last: every stop is looked at by several seats."""


def see(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `LordsView`."""
    if not _last or _last[0][0] is not state:
        _last[:] = [(state, _public(state))]
    found = dict(_last[0][1])
    if seat is not None:
        board = state.board
        found["seat"] = seat
        found["hand"] = list(board.hands[seat])
        if any(seat in follower.seen for army in board.armies.values() for follower in army):
            found["armies"] = _armies(board, seat)
    return found


def _public(state: State) -> dict[str, Json]:
    board = state.board
    wanted = wants(board, state.stack, state.result)
    found: dict[str, Json] = {
        "seat": "",
        "terms": _terms(board.terms),
        "seats": list(board.seats),
        "round": board.round,
        "turn": board.turn,
        "victor": board.victor,
        "hand": [],
        "hands": {owner: len(hand) for owner, hand in board.hands.items()},
        "taken": {owner: list(cards) for owner, cards in board.taken.items()},
        "armies": _armies(board, None),
        "row": [r.card if r.up else f"{HIDDEN}{r.deal}.{r.place}" for r in board.recruits],
        "supporters": list(board.supporters),
        "won": {owner: list(cards) for owner, cards in board.won.items()},
        "discards": {slug(card): True for card in board.discards},
        "old": {slug(card): True for card in board.old},
        "pile": len(board.pile),
        "dealt": board.dealt,
        "deals": board.deals,
        "placing": list(board.placing),
        "stack": {
            frame.at: {name: getattr(frame, name) for name in frame.__dataclass_fields__ if name != "at"}
            for frame in state.stack
        },
        "waiting": dict.fromkeys(wanted.seats, wanted.what) if isinstance(wanted, Ask) else {},
    }
    if state.result is not None:
        found |= {"shown": {owner: list(hand) for owner, hand in board.hands.items()}, "result": state.result}
    return found


@cache
def _terms(terms: Agreed) -> dict[str, Json]:
    return {**asdict(terms), "bruce": list(terms.bruce)}


def _armies(board: Board, seat: str | None) -> dict[str, Json]:
    return {owner: [_follower(follower, seat) for follower in army] for owner, army in board.armies.items()}


def _follower(follower: Follower, seat: str | None) -> dict[str, Json]:
    if not follower.up:
        return {"card": follower.card if seat in follower.seen else HIDDEN, "seen": list(follower.seen)}
    return {"card": follower.card, **({"power": follower.power} if follower.power else {})}
