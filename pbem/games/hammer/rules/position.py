"""The position format: a whole game as JSON, and back.

::

    {"board": {"scenario": "braveheart", "year": 1297, …, every field of `Board` by its name;
               "pieces": {"wallace": ["scottish", "Fife", 4], "comyn": ["english", "Lanark", 3, "Badenoch", "Mentieth", 2], …}},
     "stack": [{"at": "year", "step": "turns"}, {"at": "turn", …}, …],   each procedure, outermost first, with its locals
     "result": {"winner": "english", "why": "…"}}                         only when the game is over

A piece is side, place and strength, followed, unless all are empty, by start, via and known (see `Piece`).
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from pbem.errors import FormError
from pbem.i18n.misfits import misfit, place
from pbem.kernel import Json

from .bids import BIDS
from .board import Board, Piece, State
from .frame import Procedure, plain
from .groups import SEA
from .printed import AREAS, BLOCKS, DEAD, OFF, POOL, ROSTER, SIDES, SLUG
from .said import _
from .scenarios import MOST_YEARS, SCENARIOS
from .variants import VARIANTS
from .view import KNOWN_STRENGTH

_BOARD = tuple(name for name in Board.__slots__ if name != "pieces")
_READER: TypeAdapter[Board] = TypeAdapter(Board)
_STARTS = ("", *AREAS)
_PLACES = (*AREAS, POOL, OFF, DEAD)


def dump(state: State) -> dict[str, Json]:
    """Return the position of a state."""
    board = state.board
    found: dict[str, Json] = dict(zip(_BOARD, plain(tuple(getattr(board, name) for name in _BOARD)), strict=True))
    found["pieces"] = {SLUG[p[0]]: list(p[1:4] if not p[4] and not p[6] else p[1:]) for p in board.pieces}
    position: dict[str, Json] = {"board": found, "stack": [frame.json() for frame in state.stack]}
    if state.result is not None:
        position["result"] = state.result
    return position


def load(position: Json) -> State:
    """Return the state of a position. Raises FormError."""
    if not isinstance(position, dict) or not set(position) <= {"board", "stack", "result"}:
        raise FormError(_("A position is an object with the fields board, stack and, at the end, result."))
    board, stack, result = position.get("board"), position.get("stack"), position.get("result")
    if not isinstance(board, dict) or set(board) != {*_BOARD, "pieces"}:
        raise FormError(_("The board of a position has the fields {fields}.", fields=", ".join(Board.__slots__)))
    if board["scenario"] not in list(SCENARIOS):
        raise FormError(
            _(
                "The scenario of a position is one of {able}, not “{said}”.",
                able=", ".join(SCENARIOS),
                said=board["scenario"],
            )
        )
    variants = board["variants"]
    if not isinstance(variants, list) or variants != [name for name in VARIANTS if name in variants]:
        raise FormError(
            _("The variants of a position are some of {variants}, in this order.", variants=", ".join(VARIANTS))
        )
    if board["bid"] not in ("", *BIDS):
        raise FormError(
            _(
                "The bid of a position is one of {able}, or empty, not “{said}”.",
                able=", ".join(BIDS),
                said=board["bid"],
            )
        )
    if type(board["years"]) is not int or not 0 <= board["years"] <= MOST_YEARS:
        why = _(
            "The years of a position are a number from 0 to {most}, not “{said}”.", most=MOST_YEARS, said=board["years"]
        )
        raise FormError(why)
    if not isinstance(stack, list) or not all(isinstance(entry, dict) for entry in stack):
        raise FormError(_("The stack of a position is a list of procedures."))
    if result is not None and not (isinstance(result, dict) and all(isinstance(said, str) for said in result.values())):
        raise FormError(_("The result of a position says in words who has won and why."))
    try:
        return State(
            _READER.validate_python({**board, "pieces": _pieces(board["pieces"])}),
            tuple(Procedure.read(entry) for entry in stack),
            result,
        )
    except ValidationError as error:
        first, schema = error.errors()[0], _READER.json_schema()
        where, why = place(first, schema), misfit(first, schema)
        raise FormError(_("The board of the position cannot be read: {where}: {why}.", where=where, why=why)) from error


def _pieces(entries: Any) -> tuple[Piece, ...]:
    if not isinstance(entries, dict) or set(entries) != {SLUG[name] for name in ROSTER}:
        raise FormError(_("A position has every block of the game exactly once."))
    found = []
    for name in ROSTER:
        entry = entries[SLUG[name]]
        if not isinstance(entry, list) or len(entry) not in (3, 6):
            raise FormError(
                _(
                    "“{entry}” does not say where {name} is: side, place, strength, and start, via, known or not.",
                    entry=entry,
                    name=name,
                )
            )
        piece = Piece(name, *entry)
        _check_piece(piece)
        found.append(piece)
    return tuple(found)


def _check_piece(piece: Piece) -> None:
    name, side, at, strength, start, via, known = piece
    owner = BLOCKS[name].owner
    whole = type(strength) is int and type(known) is int  # true is no 1
    if not whole or side not in SIDES or owner not in ("", side) or not 0 <= strength <= BLOCKS[name].max:
        raise FormError(
            _(
                "{name} cannot be {side} with strength {strength}, but {sides} with 0 to {most}.",
                name=name,
                side=side,
                strength=strength,
                sides=owner or ", ".join(SIDES),
                most=BLOCKS[name].max,
            )
        )
    if at not in _PLACES or start not in _STARTS or via not in (*_STARTS, SEA) or not 0 <= known <= KNOWN_STRENGTH:
        raise FormError(
            _(
                "{name} cannot stand in “{at}”, from “{start}” over “{via}”, known {known}: "
                "that is no area, or no place for a block.",
                name=name,
                at=at,
                start=start,
                via=via,
                known=known,
            )
        )
