"""The mode of a log, or of the lines in a letter, by the first line. It loads no code for either mode.

The names of the modes: HOST for games with a host, TWO for games of two players without one.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from pbem.errors import FormError
from pbem.ledger.canon import read_line

ModeName: TypeAlias = Literal["host", "two"]
HOST: Final = "host"
TWO: Final = "two"
PEER_PROTO = "pbem-peer/2"
WORD = "word"
"""So one is called that brings a word alone, said while it is the other's turn."""
WORDS = "press"
"""The kind of a line that brings one friend's words to the other; it is in no log."""
_CUT = re.compile(rb'\{"by":"[a-z][a-z0-9_]{0,39}","k":"turn"|\{"k":"game","n":0,"nonce"')
"""So a line begins that was cut off, of which it can still be seen what it was."""
_WITHIN = re.compile(rb'"k":"turn"|"proto":"pbem-peer/2"|"do":"(?:word|press)"|"key":"[^"]*","mix":"')
"""Texts that only logs of two contain, to recognise them in or after a damaged line."""


def mode_name(data: bytes) -> ModeName:
    """Return the name of a log's mode; HOST for other bytes."""
    try:
        first = read_line(data.split(b"\n", 1)[0])
    except FormError:
        return HOST
    return TWO if isinstance(first, dict) and first.get("proto") == PEER_PROTO else HOST


def mode_of_lines(log: bytes) -> ModeName:
    """Return the name of the mode to which a letter's lines belong; HOST for a letter without lines."""
    return TWO if _between_two(log) else HOST


def _between_two(log: bytes) -> bool:
    """Are these the lines of a letter between two who play without a host, to go by the first?"""
    try:
        first = read_line(log.split(b"\n", 1)[0])
    except FormError:
        return (_CUT.match(log) or _WITHIN.search(log)) is not None
    if not isinstance(first, dict):
        return False
    say = first["say"] if isinstance(first.get("say"), dict) else {}
    of_join = first.get("k") == "join" and "mix" in say
    # of a damaged line one of the two may be left
    of_turn = first.get("k") == "turn" or say.get("act") in ("turn", WORD)
    return first.get("proto") == PEER_PROTO or of_turn or of_join or first.get("do") in (WORD, WORDS)
