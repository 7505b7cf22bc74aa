"""What players sign (PROTOCOL 3 and 4): the form of each statement that an entry carries with a signature.

Each stands in the `say` of its entry. Whether it fits the game, the question or the key is for the verifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from pbem.ledger.fields import MAX_HOURS, MAX_NUMBER, Count, Hex64, KeyLine, Positive, Seat, Seen, Sig, strict
from pbem.words import _


@strict
class Said(TypedDict):
    """What every statement binds: its game, and the seat that says it."""

    game: Hex64
    seat: Seat


@strict
class JoinSay(Said):
    """What a player signs to take a seat: his key, his chain's anchor and the SHA-256 of a recovery key line, or ""."""

    act: Literal["join"]
    key: KeyLine
    chain: Hex64
    next: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]


@strict
class ReadySay(Said):
    """What a player signs once he has seen the roster, all keys and all anchors: his first link."""

    act: Literal["ready"]
    link: Hex64
    link_n: Positive
    seen: Seen


@strict
class PublicOrder(TypedDict):
    """Empty, unless the question's answers are public."""

    order: NotRequired[str]


@strict
class OrderSeals(TypedDict):
    """The digests of the order's canonical text and of the plans that go with it."""

    order: Hex64
    plans: Hex64


def _link_whole(say: dict[str, Any]) -> dict[str, Any]:
    if ("link" in say) != ("link_n" in say):
        raise ValueError(_("link and link_n stand together"))
    return say


@strict
class OrderSayFields(Said):
    """What a player signs as his answer to one question."""

    act: Literal["order"]
    ask: Count
    rev: Count
    seen: Seen
    link: NotRequired[Hex64]
    link_n: NotRequired[Positive]
    pub: PublicOrder
    seals: OrderSeals


OrderSay: TypeAlias = Annotated[OrderSayFields, AfterValidator(_link_whole)]


@strict
class AheadSay(Said):
    """What a player signs as his answer to a question that is not put yet; it is for the one that bears the mark `link_n`."""

    act: Literal["ahead"]
    rev: Count
    seen: Seen
    link: Hex64
    link_n: Annotated[int, Field(ge=2, le=MAX_NUMBER)]
    seals: OrderSeals


def _last_orders(pairs: list[list[int]]) -> list[list[int]]:
    good = all(len(pair) == 2 and -MAX_NUMBER <= pair[0] <= MAX_NUMBER and 0 <= pair[1] <= MAX_NUMBER for pair in pairs)
    if not good or [pair[0] >= 0 for pair in pairs] not in ([], [True], [False], [True, False]):
        raise ValueError(
            _("after names the last answer, [question, revision], and the last order ahead, [−mark, revision]")
        )
    return pairs


After: TypeAlias = Annotated[list[list[int]], AfterValidator(_last_orders)]
"""The last orders that a seat had signed: its last answer and its last one sent ahead, where there are any, each as the
`ref` of its seals and its revision."""


def about_fits(say: dict[str, Any]) -> dict[str, Any]:
    names = ("about" in say) + ("what" in say)
    if names != (say["act"] in ("agree", "takeback")) or ("what" in say and say["act"] != "agree"):
        raise ValueError(
            _("agree names the entry it is about or what is agreed to, takeback a question, and no other names any")
        )
    if (say["act"] == "leave") != ("hours" in say):
        raise ValueError(_("leave, and nothing else, says for how many hours"))
    return say


@strict
class SaySayFields(Said):
    """Something a player signs besides his orders.

    `after` are the last orders that he has signed; `about` the offer agreed to, or the question to go back to; `what`
    the SHA-256 of the amendment agreed to; `hours` the time that leave adds to an answer."""

    act: Literal["resign", "draw", "takeback", "agree", "leave", "claim"]
    no: Positive
    seen: Seen
    after: After
    about: NotRequired[Count]
    what: NotRequired[Hex64]
    hours: NotRequired[Annotated[int, Field(ge=1, le=MAX_HOURS)]]


SaySay: TypeAlias = Annotated[SaySayFields, AfterValidator(about_fits)]


@strict
class RekeySay(Said):
    """What a player signs to change his key and chain; with `recovery`, the recovery key's line, that key signs.

    With the key that the seat has it renews its chain, of which few links are left.
    """

    act: Literal["rekey"]
    no: Positive
    seen: Seen
    after: After
    key: KeyLine
    chain: Hex64
    next: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]
    recovery: NotRequired[KeyLine]


@strict
class Newcomer(TypedDict):
    """What a player signs who takes the seat of one who has vanished: as at a join."""

    say: JoinSay
    sig: Sig


def sealed_under(say: Mapping[str, Any]) -> int:
    """Return the `ref` of an order's seals: its question, or the mark with a minus sign where it was sent ahead."""
    return int(say["ask"]) if say["act"] == "order" else -int(say["link_n"])
