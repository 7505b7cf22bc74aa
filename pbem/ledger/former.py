"""What the lines of `pbem-log/0` had otherwise: that format is still read, and no longer written.

Its questions bore no moment, its says named no order before them, each deal had an anchor of its own in entry 0, and a
seat was told everything anew that all were told. What a log of that time holds of other keys, hosts, players or rules
is not judged any more."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, get_type_hints

from typing_extensions import TypedDict

from pbem.ledger import entries
from pbem.ledger.declared import Limits, strict
from pbem.ledger.entries import AS_MANY_PLACES, ONE_IN_THE_OPEN, REQUEST_ONCE
from pbem.ledger.fields import EACH_ONCE, Count, Hex64, Hours, Positive, Seat
from pbem.ledger.statements import ABOUT, HOURS_OF_LEAVE, SaySayFields

_typed: Any = TypedDict


def _otherwise(form: Any, *without: str, **fields: Any) -> Any:
    """Return a form of today as it was: without some of its fields, and with others as these."""
    now = get_type_hints(form, include_extras=True) | fields
    return strict(_typed(form.__name__, {name: value for name, value in now.items() if name not in without}))


@strict
class FormerTerms(TypedDict):
    """What became of a late answer, and how much leave a seat might take."""

    late: Literal["default", "claim"]
    leave: Hours


_GAME = _otherwise(
    entries.Game,
    "at",
    "deals",
    proto=Literal["pbem-log/0"],
    opts=dict[str, Any],
    seats=Annotated[list[Seat], Limits(min_length=1, max_length=16), EACH_ONCE],
    chains=dict[Annotated[str, Limits(pattern=r"^(pub|priv:[a-z][a-z0-9_]{0,39}|deal:[1-9][0-9]{0,5})$")], Hex64],
    terms=NotRequired[FormerTerms],
)
_ASK = _otherwise(
    entries.AskFields,
    "at",
    to=Annotated[list[Seat], Limits(min_length=1), EACH_ONCE],
    what=str,
    mark=NotRequired[Count],
)
_DEAL = _otherwise(entries.DealFields, "anchor", "path", i=Positive)
_SAY_SAY = _otherwise(SaySayFields, "after", no=Count)

KINDS: dict[str, Any] = {
    "game": _GAME,
    "join": entries.Join,
    "ready": entries.Ready,
    "ask": Annotated[_ASK, ONE_IN_THE_OPEN],
    "order": entries.Order,
    "tell": entries.Tell,
    "skip": _otherwise(entries.Skip, why=str),
    "say": _otherwise(entries.Say, say=Annotated[_SAY_SAY, ABOUT, HOURS_OF_LEAVE]),
    "extend": _otherwise(entries.Extend, "at", why=str),
    "end": _otherwise(entries.End, "at", result=dict[str, Any]),
}
RANDS: dict[str, Any] = {
    "pub": entries.PublicRand,
    "priv": entries.PrivateRand,
    "deal": Annotated[_DEAL, REQUEST_ONCE, AS_MANY_PLACES],
}
VALUES: dict[str, Any] = entries.VALUES | {"report": entries.Report}
GONE = ("rekey", "amend", "host")
"""Kinds of entries that are not judged any more."""
