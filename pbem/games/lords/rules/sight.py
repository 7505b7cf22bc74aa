"""What a seat may see: the one place where hidden cards are masked.

Everybody sees supporters, discards, face-up recruits and followers, victory piles, the size of each hand, and its cards that were
taken openly. A seat also sees its hand, and the face-down followers that it mustered or ever had in its army. Only the owner of a
hand knows which place of a deal a card came from. When the game is over, hands are shown.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.kernel import Ask, Json, LastMade, wants

from .cards import slug
from .position import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .board import Follower
    from .reign import State

HIDDEN = "?"


_LAST = LastMade()


def see(state: State, seat: str | None) -> dict[str, Json]:
    """Return all that `seat` (None: the public) may know, as the JSON form of `LordsView`."""
    found = dict(_LAST.of("public", state, _public))
    if seat is not None:
        board = state.board
        found["seat"] = seat
        found["hand"] = _LAST.of(f"hand {seat}", board.hands[seat], list)
        if any(seat in follower.seen for army in board.armies.values() for follower in army):
            found["armies"] = _LAST.of(f"armies {seat}", board.armies, partial(_armies, seat=seat))
    return found


def _public(state: State) -> dict[str, Json]:
    board, last = state.board, _LAST.of
    wanted = wants(board, state.stack, state.result)
    found: dict[str, Json] = {
        "seat": "",
        "terms": board.terms.as_json(),
        "seats": list(board.seats),
        "round": board.round,
        "turn": board.turn,
        "victor": board.victor,
        "hand": [],
        "hands": last("hands", board.hands, _sizes),
        "taken": last("taken", board.taken, listed),
        "armies": last("armies", board.armies, partial(_armies, seat=None)),
        "row": [r.card if r.up else f"{HIDDEN}{r.deal}.{r.place}" for r in board.recruits],
        "supporters": list(board.supporters),
        "won": last("won", board.won, listed),
        "discards": last("discards", board.discards, _each),
        "old": last("old", board.old, _each),
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
        found |= {"shown": listed(board.hands), "result": state.result}
    return found


def _sizes(hands: Mapping[str, tuple[str, ...]]) -> Json:
    return {owner: len(hand) for owner, hand in hands.items()}


def _each(cards: tuple[str, ...]) -> Json:
    return {slug(card): True for card in cards}


def _armies(armies: Mapping[str, tuple[Follower, ...]], seat: str | None) -> Json:
    return {owner: [_follower(follower, seat) for follower in army] for owner, army in armies.items()}


def _follower(follower: Follower, seat: str | None) -> dict[str, Json]:
    if not follower.up:
        return {"card": follower.card if seat in follower.seen else HIDDEN, "seen": list(follower.seen)}
    return {"card": follower.card, **({"power": follower.power} if follower.power else {})}
