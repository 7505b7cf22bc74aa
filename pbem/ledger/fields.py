"""What the fields of a log's lines may hold (PROTOCOL 2): digests, keys, moments, seats, numbers, labels.

The scalars of the format, each once; entries and what players sign are made of them.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, with_config

from pbem.ledger.keys import KEY_PATTERN, SIG_PATTERN
from pbem.words import _

RESERVED_NAMES = frozenset({"host", "state", "pub", "req", "order", "plans"})
MAX_HOURS = 8760
"""The longest leave: a year."""


def _existing_moment(at: str) -> str:
    datetime.fromisoformat(at[:-1])
    return at


def _seat_name(seat: str) -> str:
    if seat in RESERVED_NAMES:
        raise ValueError(_("no seat may be called {seat}", seat=seat))
    return seat


def each_once(items: list[Any]) -> list[Any]:
    if len(set(items)) != len(items):
        raise ValueError(_("each may stand here only once"))
    return items


_HEX64 = re.compile(r"[0-9a-f]{64}")

Hex64: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Salt: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Sig: TypeAlias = Annotated[str, Field(pattern=f"^{SIG_PATTERN}$")]
KeyLine: TypeAlias = Annotated[str, Field(pattern=f"^{KEY_PATTERN}$")]
At: TypeAlias = Annotated[
    str,
    Field(pattern=r"^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z$"),
    AfterValidator(_existing_moment),
]
Seat: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$"), AfterValidator(_seat_name)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(ge=1)]
Label: TypeAlias = Annotated[str, Field(pattern=r"^(pub|priv:[a-z][a-z0-9_]{0,39}|deal:[1-9][0-9]{0,5})$")]
AnyLabel: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_:.]{0,47}$")]
Name: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
RulesId: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.:-]{0,63}$")]

strict = with_config(ConfigDict(strict=True, extra="forbid"))


def _head_seen(pair: list[Any]) -> list[Any]:
    if type(pair[0]) is not int or pair[0] < 0 or type(pair[1]) is not str or not _HEX64.fullmatch(pair[1]):
        raise ValueError(_("seen is a pair [n, h_n]"))
    return pair


Seen: TypeAlias = Annotated[list[Any], Field(min_length=2, max_length=2), AfterValidator(_head_seen)]
