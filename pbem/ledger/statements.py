"""What players sign (PROTOCOL 3 and 4): the form of each signed statement in an entry.

Each is the `say` of its entry. The verifier checks whether it fits the game, the question or the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypeAlias

from pbem.i18n import N_
from pbem.ledger.declared import Limits, Requirement, form, must
from pbem.ledger.fields import MAX_HOURS, MAX_NUMBER, Count, Hex64, KeyLine, Positive, Seat, Seen, Sig

TAKEBACK = "takeback"


class SayForm(NamedTuple):
    """The properties of a kind of statement other than an order."""

    names: str = ""
    """The field that names its subject; "" if there is none."""
    is_offer: bool = False
    """Whether all other seats have to agree to it."""


SAYS: Mapping[str, SayForm] = {
    "resign": SayForm(),
    "draw": SayForm(is_offer=True),
    TAKEBACK: SayForm("about", is_offer=True),
    "agree": SayForm("about"),
    "leave": SayForm("hours"),
    "claim": SayForm(),
}
"""All that a player can say so."""


def said(name: str, says: str, *acts: str, conditions: tuple[Requirement, ...] = (), **fields: Any) -> Any:
    """Return the form of a statement: one of some acts, of a game and a seat, with further fields."""
    return form(name, says, {"act": Literal[acts], "game": Hex64, "seat": Seat, **fields}, *conditions)


Recovery: TypeAlias = Annotated[str, Limits(pattern=r"^([0-9a-f]{64})?$")]
"""The SHA-256 of a recovery key line, or ""."""


def _are_last_orders(pairs: list[list[int]]) -> bool:
    good = all(len(pair) == 2 and -MAX_NUMBER <= pair[0] <= MAX_NUMBER and 0 <= pair[1] <= MAX_NUMBER for pair in pairs)
    return good and [pair[0] >= 0 for pair in pairs] in ([], [True], [False], [True, False])


After: TypeAlias = Annotated[
    list[list[int]],
    must(
        _are_last_orders,
        N_("after names the last answer, [question, revision], and the last order ahead, [−mark, revision]"),
    ),
]
"""A seat's last signed orders, if any: its last answer and its last premove, each as the `ref` of its seals and its revision."""


def _names_what_it_is_about(say: dict[str, Any]) -> bool:
    names = ("about" in say) + ("what" in say)
    return names == (SAYS[say["act"]].names == "about") and ("what" not in say or say["act"] == "agree")


ABOUT = must(
    _names_what_it_is_about,
    N_("agree names its entry or the thing agreed to, takeback names a question, and other statements name neither"),
)
HOURS_OF_LEAVE = must(
    lambda say: (SAYS[say["act"]].names == "hours") == ("hours" in say),
    N_("leave, and no other statement, says for how many hours"),
)
PublicOrder = form("PublicOrder", "Empty, unless the question's answers are public.", {"order": NotRequired[str]})
OrderSeals = form(
    "OrderSeals",
    "The digests of the order's canonical text and of the plans that go with it.",
    {"order": Hex64, "plans": Hex64},
)
JoinSay = said(
    "JoinSay",
    'What a player signs to take a seat: his key, his chain\'s anchor and the SHA-256 of a recovery key line, or "".',
    "join",
    key=KeyLine,
    chain=Hex64,
    next=Recovery,
)
ReadySay = said(
    "ReadySay",
    "What a player signs after seeing all players, keys and anchors: his first link.",
    "ready",
    link=Hex64,
    link_n=Positive,
    seen=Seen,
)
OrderSay = said(
    "OrderSay",
    "What a player signs as his answer to one question.",
    "order",
    conditions=(must(lambda say: ("link" in say) == ("link_n" in say), N_("link and link_n must occur together")),),
    ask=Count,
    rev=Count,
    seen=Seen,
    link=NotRequired[Hex64],
    link_n=NotRequired[Positive],
    pub=PublicOrder,
    seals=OrderSeals,
)
AheadSay = said(
    "AheadSay",
    "What a player signs as his answer to a question before it is put: the one with the mark `link_n`.",
    "ahead",
    rev=Count,
    seen=Seen,
    link=Hex64,
    link_n=Annotated[int, Limits(ge=2, le=MAX_NUMBER)],
    seals=OrderSeals,
)
SaySay = said(
    "SaySay",
    "A statement that is not an order.\n\n"
    "`after` names the last orders that the player signed; `about` the offer he accepts, or the question to go back to; `what` "
    "the SHA-256 of the amendment he agrees to; `hours` the leave.",
    *SAYS,
    conditions=(ABOUT, HOURS_OF_LEAVE),
    no=Positive,
    seen=Seen,
    after=After,
    about=NotRequired[Count],
    what=NotRequired[Hex64],
    hours=NotRequired[Annotated[int, Limits(ge=1, le=MAX_HOURS)]],
)
RekeySay = said(
    "RekeySay",
    "What a player signs to change his key and chain; with `recovery`, the recovery key's line, that key signs.\n\n"
    "With the key that the seat has it renews its chain, of which few links are left.",
    "rekey",
    no=Positive,
    seen=Seen,
    after=After,
    key=KeyLine,
    chain=Hex64,
    next=Recovery,
    recovery=NotRequired[KeyLine],
)
Newcomer = form(
    "Newcomer",
    "What a player signs who takes the seat of one who has vanished: as at a join.",
    {"say": JoinSay, "sig": Sig},
)


def sealed_under(say: Mapping[str, Any]) -> int:
    """Return the `ref` of an order's seals: its question, or the mark with a minus sign where it was sent ahead."""
    return int(say["ask"]) if say["act"] == "order" else -int(say["link_n"])


def is_asking_back(act: Mapping[str, Any]) -> bool:
    """Does an act quote that its author's friend wants his answers back?"""
    return bool(act["do"] == "word" and act["say"]["what"] == "back")


def is_consent(say: Mapping[str, Any]) -> bool:
    """Return whether a turn only quotes such a request and agrees to it."""
    acts = say.get("acts", ())
    return (
        bool(acts) and is_asking_back(acts[0]) and acts[1:] == [{"do": "say", "what": "agree"}] and not say.get("more")
    )
