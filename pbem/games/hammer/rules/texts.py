"""A position as canonical JSON; parts unchanged since the previous position are not encoded again."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from pbem.kernel import LastMade, written

from .board import Board, Piece, State
from .frame import Procedure
from .printed import ROSTER, SLUG

_FIELDS = tuple(sorted(Board.__slots__))
_VALUES = attrgetter(*_FIELDS)
_SLUGS = sorted(SLUG[name] for name in ROSTER)
_LAST = LastMade()
_last_pieces: list[tuple[tuple[Piece | None, ...], dict[str, str]]] = [((None,) * len(ROSTER), {})]
"""The pieces that were written last, and the text of each."""


def canonical(state: State) -> str:
    """Return the position of a state, as `dump` has it, in canonical JSON."""
    text, board = _LAST.of, state.board
    parts = [text(name, part, _WRITE[name]) for name, part in zip(_FIELDS, _VALUES(board), strict=True)]
    stack = ",".join([text(frame.at, frame, _frame) for frame in state.stack])
    result = "" if state.result is None else f'"result":{written(state.result)},'
    return f'{{"board":{{{",".join(parts)}}},{result}"stack":[{stack}]}}'


def _frame(frame: Procedure) -> str:
    return written(frame.json())


def _pieces(pieces: tuple[Piece, ...]) -> str:
    then, texts = _last_pieces[0]
    anew = {SLUG[piece.name]: _piece(piece) for piece, was in zip(pieces, then, strict=True) if piece is not was}
    texts = {**texts, **anew}
    _last_pieces[0] = pieces, texts
    return f'"pieces":{{{",".join([texts[slug] for slug in _SLUGS])}}}'


def _piece(piece: Piece) -> str:
    return f'"{SLUG[piece.name]}":{written(piece[1:] if piece.start or piece.known else piece[1:4])}'


def _field(name: str) -> Callable[[Any], str]:
    return lambda part: f'"{name}":{written(part)}'


_WRITE = {name: _pieces if name == "pieces" else _field(name) for name in _FIELDS}
