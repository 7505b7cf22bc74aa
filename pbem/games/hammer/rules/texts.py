"""A position as canonical JSON, of which what has not changed since the one before is not written again."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from pbem.kernel import written

from .board import Board, Piece, State
from .frame import Procedure
from .printed import ROSTER, SLUG

_FIELDS = tuple(sorted(Board.__slots__))
_VALUES = attrgetter(*_FIELDS)
_SLUGS = tuple(sorted(SLUG[name] for name in ROSTER))
_Texts = dict[str, tuple[Any, str]]
"""By name, what was written last, and its text."""

_last: list[_Texts] = [{}]


def canonical(state: State) -> str:
    """Return the position of a state, as `dump` has it, in canonical JSON."""
    known = dict(_last[0])
    board = ",".join(
        f'"{name}":{_text(known, f"board {name}", value, _written if name != "pieces" else _pieces)}'
        for name, value in zip(_FIELDS, _VALUES(state.board), strict=True)
    )
    stack = ",".join([_text(known, f"at {frame.at}", frame, _frame) for frame in state.stack])
    result = "" if state.result is None else f'"result":{written(state.result)},'
    _last[0] = known
    return f'{{"board":{{{board}}},{result}"stack":[{stack}]}}'


def _text(known: _Texts, name: str, value: Any, write: Callable[[_Texts, Any], str]) -> str:
    if name not in known or known[name][0] is not value:
        known[name] = (value, write(known, value))
    return known[name][1]


def _written(_known: _Texts, value: Any) -> str:
    return written(value)


def _frame(_known: _Texts, frame: Procedure) -> str:
    return written(frame.json())


def _pieces(known: _Texts, pieces: tuple[Piece, ...]) -> str:
    then = known["board pieces"][0] if "board pieces" in known else (None,) * len(pieces)
    for piece, was in zip(pieces, then, strict=True):
        if piece is not was:
            slug = SLUG[piece.name]
            known[slug] = (piece, f'"{slug}":{written(piece[1:] if piece.start or piece.known else piece[1:4])}')
    return f"{{{','.join([known[slug][1] for slug in _SLUGS])}}}"
