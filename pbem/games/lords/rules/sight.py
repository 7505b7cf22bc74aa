"""What a seat may see: the one place where hidden cards are masked.

Everybody sees supporters, discards, face-up recruits and followers, victory piles, how many cards a hand has and which of them
were taken openly. A seat sees besides: its hand, and the face-down followers that it mustered or ever had in its army. Which place
of a deal a card in a hand came from is nobody's business but its owner's. When the game is over, hands are shown.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from pbem.kernel import Ask, Json, wants

from .cards import slug

if TYPE_CHECKING:
    from .board import Board, Follower, Recruit
    from .reign import Procedure, State

HIDDEN = "?"


def see(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `LordsView`."""
    board = state.board
    wanted = wants(board, state.stack, state.result)
    found: dict[str, Json] = {
        "seat": seat or "",
        "terms": {**asdict(board.terms), "bruce": list(board.terms.bruce)},
        "seats": list(board.seats),
        "round": board.round,
        "turn": board.turn,
        "victor": board.victor,
        "hand": list(board.hands[seat]) if seat else [],
        "hands": {owner: len(hand) for owner, hand in board.hands.items()},
        "taken": {owner: list(cards) for owner, cards in board.taken.items()},
        "armies": {owner: [_follower(f, seat) for f in army] for owner, army in board.armies.items()},
        "row": [_recruit(recruit) for recruit in board.recruits],
        "supporters": list(board.supporters),
        "won": {owner: list(cards) for owner, cards in board.won.items()},
        "discards": {slug(card): True for card in board.discards},
        "old": {slug(card): True for card in board.old},
        "pile": len(board.pile),
        "dealt": board.dealt,
        "deals": board.deals,
        "placing": list(board.placing),
        "stack": {frame.at: _locals(frame) for frame in state.stack},
        "waiting": dict.fromkeys(wanted.seats, wanted.what) if isinstance(wanted, Ask) else {},
    }
    if state.result is not None:
        found |= {"shown": _shown(board), "result": state.result}
    return found


def _follower(follower: Follower, seat: str | None) -> dict[str, Json]:
    if not follower.up:
        return {"card": follower.card if seat in follower.seen else HIDDEN, "seen": list(follower.seen)}
    return {"card": follower.card, **({"power": follower.power} if follower.power else {})}


def _recruit(recruit: Recruit) -> str:
    return recruit.card if recruit.up else f"{HIDDEN}{recruit.deal}.{recruit.place}"


def _locals(frame: Procedure) -> dict[str, Json]:
    return {name: value for name, value in asdict(frame).items() if name != "at"}


def _shown(board: Board) -> dict[str, Json]:
    return {owner: list(hand) for owner, hand in board.hands.items()}
