"""The form of every entry and attachment (PROTOCOL 3): which fields each has, and their possible values.

`statements` declares the signed statements in them, `fields` the scalars. One declaration serves three purposes: `forms` checks
parsed lines against it, the JSON Schema is generated from it, and it documents the log. The verifier checks whether an entry fits
the game, the question or the signature.

Every entry may have further fields with names that begin with `x:`. They change no verdict, and readers that do not know them
ignore them.
"""

from __future__ import annotations

from types import GenericAlias
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pbem.i18n import N_, _
from pbem.ledger.canon import cj_read
from pbem.ledger.declared import Fields, Limits, Requirement, each, fields_of, form, must, one_of
from pbem.ledger.fields import (
    EACH_ONCE,
    MAX_DRAWN,
    MAX_NUMBER,
    MAX_SIDES,
    AnyLabel,
    At,
    Count,
    Hex64,
    Hours,
    KeyLine,
    Label,
    Name,
    Positive,
    QuestionName,
    Reference,
    RulesId,
    Salt,
    Seat,
    Seen,
    Sig,
    Text,
)
from pbem.ledger.statements import TAKEBACK, AheadSay, JoinSay, Newcomer, OrderSay, ReadySay, RekeySay, SaySay

PROTO = "pbem-log/1"
"""The format that is written."""
CANDIDATE = "pbem-log/1-rc"
"""What it was called while it could still change: the same but for the name."""
MAX_OPTIONS = 32_768
"""Bytes of a game's options in canonical JSON: room for a whole position, or for the printed parts of a game."""
MAX_EXTRA = 4_096
"""Bytes of all `x:` fields of one entry in canonical JSON."""
MAX_SEATS = 64
MAX_EVENT = 64
"""Letters of the name of a rated game's event."""
PATH = 12
"""The depth of a deal's anchor below the root of its tree, which so has 4,096 leaves."""


Rules = form(
    "Rules",
    "The rules of the game: their id, version and the SHA-256 of their manifest.",
    {"id": RulesId, "ver": Count, "sha256": Hex64},
)
BuiltIn = form(
    "BuiltIn",
    "The built-in player of a seat: its name, version and number of playouts per decision.",
    {"player": Name, "ver": Count, "playouts": Count},
)
TermsFields = form(
    "TermsFields",
    "What the players agreed on before the game.\n\n"
    "What happens to a late answer; the hours of leave of each seat; the least hours per question (0: no limit), the hours of "
    "grace, and the most hours. The other terms change no verdict: whether the game is rated, its event, its built-in players, "
    "and whether programs show odds.",
    {
        "late": Literal["default", "claim"], "leave": Hours, "hours": Hours, "grace": Hours, "most": Hours,
        "rated": NotRequired[bool], "event": NotRequired[Annotated[str, Limits(min_length=1, max_length=MAX_EVENT)]],
        "built_in": NotRequired[GenericAlias(dict, (Seat, BuiltIn))], "odds": NotRequired[bool],
    },
    is_open=True,
)  # fmt: skip


def only_terms(known: Any) -> Requirement:
    """Return the condition that terms are those that a format knows, and what begins with `x:`."""

    def check(fields: dict[str, Any]) -> dict[str, Any]:
        for name in fields:
            if name not in known.__annotations__ and not name.startswith("x:"):
                raise ValueError(_("{name} is not a term that this format knows", name=name))
        return fields

    return Requirement(check)


Terms: Any = Annotated[
    TermsFields,
    must(
        lambda terms: terms["most"] >= terms["hours"] + terms["grace"],
        N_("the longest time for a question (most) is shorter than hours and grace together"),
    ),
    only_terms(TermsFields),
]


Options: TypeAlias = Annotated[
    dict[str, Any],
    must(
        lambda options: len(cj_read(options)) <= MAX_OPTIONS,
        N_("the options have more than {most} bytes"),
        most=MAX_OPTIONS,
    ),
]

# -- what stands in entries ---------------------------------------------------------------------------------------------

Moment: Any = NotRequired[At]
ONE_IN_THE_OPEN = must(
    lambda ask: ask["secret"] != "no" or len(ask["to"]) == 1,
    N_("a question to several seats is never answered in the open"),
)
Seats: TypeAlias = Annotated[list[Seat], Limits(min_length=1, max_length=MAX_SEATS), EACH_ONCE]
Agreed: TypeAlias = Annotated[list[Count], Limits(min_length=1, max_length=MAX_SEATS + 1), EACH_ONCE]
Roll = form(
    "Roll",
    "n dice with `sides` sides each.",
    {
        "op": Literal["roll"], "n": Annotated[int, Limits(ge=1, le=MAX_DRAWN)],
        "sides": Annotated[int, Limits(ge=1, le=MAX_SIDES)],
    },
)  # fmt: skip
Draw = form(
    "Draw",
    "n items of a list, without replacement.",
    {
        "op": Literal["draw"], "n": Annotated[int, Limits(ge=0, le=MAX_DRAWN)],
        "of": Annotated[list[Any], Limits(max_length=MAX_DRAWN)],
    },
    must(lambda draw: draw["n"] <= len(draw["of"]), N_("more are drawn than there are")),
)  # fmt: skip


def work(requests: list[dict[str, Any]]) -> int:
    """Return how many dice and names on lists one random event has, all its requests together."""
    return sum(request["n"] if request["op"] == "roll" else len(request["of"]) for request in requests)


Requests: Any = Annotated[
    each(one_of((Roll, Draw), "op")),
    Limits(min_length=1, max_length=MAX_DRAWN),
    must(
        lambda requests: work(requests) <= MAX_DRAWN,
        N_("more than {most} dice and names are asked of one event"),
        most=MAX_DRAWN,
    ),
]


def _are_places(seals: dict[str, Any]) -> bool:
    count = len(seals) - ("req" in seals)
    return count > 0 and all(f"p{i}" in seals for i in range(count))


PLACE = r"^(req|p(0|[1-9][0-9]{0,4}))$"
Seals: TypeAlias = Annotated[
    dict[Annotated[str, Limits(pattern=PLACE)], Hex64],
    Limits(max_length=MAX_DRAWN + 1),
    must(_are_places, N_("the places of a deal are p0, p1, … without a gap")),
]
REQUEST_ONCE = must(
    lambda deal: ("req" in deal) != ("req" in deal["seals"]),
    N_("a deal shows its request or seals it, one of the two"),
)
AS_MANY_PLACES = must(
    lambda deal: "req" not in deal or sum(r["n"] for r in deal["req"]) == len(deal["seals"]),
    N_("a deal has as many places as its request gives results"),
)


Report = form(
    "Report",
    "The public part of a tell: facts in the rule book's words, and an RFC 7396 merge patch of the view.",
    {"facts": Annotated[list[Any], Limits(max_length=MAX_DRAWN)], "view": dict[str, Any]},
)
OwnReport = form(
    "OwnReport",
    "One seat's part of a tell, relative to the public part: a whole number means the public fact with that index; the patch "
    "applies to the seat's view after the public patch.",
    {
        "facts": Annotated[
            list[Annotated[int, Limits(ge=0, le=MAX_DRAWN)] | dict[str, Any] | str], Limits(max_length=MAX_DRAWN)
        ],
        "view": dict[str, Any],
    },
)
LinkName: TypeAlias = Annotated[
    list[Any],
    Limits(min_length=2, max_length=2),
    must(
        lambda pair: type(pair[0]) is str and type(pair[1]) is int and 1 <= pair[1] <= MAX_NUMBER,
        N_("a link is named by [label, i]"),
    ),
]


AMENDED = {
    TAKEBACK: form(
        "TakeBack", "The question to put again. The answers from there on are taken back.", {TAKEBACK: Count}
    ),
    "rules": form("NewRules", "The rules for the rest of the game.", {"rules": Rules}),
    "player": form("NewPlayer", "The new player of a seat.", {"player": Newcomer}),
}
"""By its one field, what all seats can agree on in mid-game."""
Result = form(
    "Result",
    'The winner, a seat or "" (nobody, or nobody alone), and why; any other field is the game\'s.',
    {"winner": Annotated[str, Limits(pattern=r"^([a-z][a-z0-9_]{0,39})?$")], "why": str},
    is_open=True,
)

# -- entries ------------------------------------------------------------------------------------------------------------

CHAINED: Fields = {"n": Positive, "prev": Hex64}
"""The fields of every entry except entry 0, apart from its kind: its number, and the hash of the entry before it."""
DATED: Fields = {**CHAINED, "at": At}
"""An entry that bears a moment."""


def kind(
    k: str, says: str, bears: Fields, *conditions: Requirement, name: str = "", say: Any = None, **fields: Any
) -> Any:
    """Return the form of a kind of entry; of one by which a seat signs what it says, where there is a `say`."""
    signed = {} if say is None else {"by": Seat, "say": say, "sig": Sig}
    return form(name or k.capitalize(), says, {**bears, "k": Literal[k], **signed, **fields}, *conditions)


KINDS: dict[str, Any] = {
    "game": kind(
        "game",
        "Entry 0: the rules, options, seats and terms, and the host's key and anchors. `deals` is the root over those of deals.",
        {"n": Literal[0], "prev": Hex64, "at": At},
        proto=Literal["pbem-log/1", "pbem-log/1-rc"],
        nonce=Hex64,
        rules=Rules,
        opts=Options,
        seats=Seats,
        host=KeyLine,
        chains=dict[Label, Hex64],
        deals=Hex64,
        terms=Terms,
    ),
    "join": kind("join", "A player takes a seat. `next` binds a recovery key.", DATED, say=JoinSay),
    "ready": kind("ready", "A seat is ready: at the start (mark 1), or in a call.", DATED, say=ReadySay),
    "ask": kind(
        "ask",
        "A question to one or more seats.",
        DATED,
        ONE_IN_THE_OPEN,
        to=Seats,
        what=QuestionName,
        secret=Literal["no", "until resolved", "until end"],
        mark=NotRequired[Positive],
        due=Moment,
    ),
    "order": kind(
        "order",
        "A seat's answer: to a question that was put, or sent ahead.",
        DATED,
        say=one_of((OrderSay, AheadSay), "act"),
    ),
    "tell": kind(
        "tell",
        'Everybody and each seat learn what happened. The seal "state" binds position and question.',
        CHAINED,
        pub=Report,
        opens=Annotated[list[Hex64], Limits(max_length=MAX_DRAWN)],
        links=Annotated[list[LinkName], Limits(max_length=MAX_DRAWN)],
        rolls=Annotated[list[Count], Limits(max_length=MAX_DRAWN)],
        seals=dict[Name, Hex64],
    ),
    "skip": kind(
        "skip",
        "A seat gets its default answer, without a link.",
        DATED,
        to=Seat,
        ask=Count,
        why=Literal["due", "late", "only", "out"],
    ),
    "say": kind("say", "A seat resigns, offers, agrees, takes leave or claims.", DATED, say=SaySay),
    "rekey": kind(
        "rekey",
        "A seat takes another key or chain. This begins a call, to be answered by `due`.",
        DATED,
        say=RekeySay,
        due=Moment,
    ),
    "amend": kind(
        "amend",
        "A change during the game that all seats agreed on, by the entries `agreed`.\n\n"
        "A new player begins a call, to be answered by `due`.",
        DATED,
        what=one_of(AMENDED.values()),
        agreed=Agreed,
        due=Moment,
    ),
    "host": kind(
        "host",
        "Another host continues the game from the head `seen`, with his key and anchors. All seats agreed, by `agreed`.\n\n"
        "`mark` is the mark of the call, to be answered by `due`. No seat has given a link that high.",
        DATED,
        key=KeyLine,
        chains=dict[Label, Hex64],
        deals=Hex64,
        mark=Positive,
        seen=Seen,
        agreed=Agreed,
        due=Moment,
    ),
    "renew": kind(
        "renew",
        "The host replaces chains that are nearly used up. This begins a call, to be answered by `due`.",
        DATED,
        chains=dict[Label, Hex64],
        deals=NotRequired[Hex64],
        due=Moment,
    ),
    "extend": kind(
        "extend",
        "More time to answer the open question, or to be ready. `ask` is the question, or the last entry of the call; `cause` is "
        "the leave that adds it.",
        DATED,
        ask=Count,
        due=At,
        why=Text,
        cause=NotRequired[Count],
    ),
    "end": kind(
        "end",
        "The result. Everything is opened after it. `cause` is the statement that ended the game, unless the rules did.",
        DATED,
        result=Result,
        cause=NotRequired[Count],
    ),
}
SIGNED_KINDS = frozenset(k for k, declared in KINDS.items() if "sig" in fields_of(declared))
RANDS: dict[str, Any] = {
    "pub": kind(
        "rand",
        "Public dice: link, request and result.",
        CHAINED,
        name="PublicRand",
        chain=Literal["pub"],
        i=Positive,
        x=Hex64,
        req=Requests,
        res=list[list[Any]],
    ),
    "priv": kind(
        "rand",
        "One seat's draw: request and result in one seal under the seat's name.",
        CHAINED,
        name="PrivateRand",
        chain=Annotated[str, Limits(pattern=r"^priv:[a-z][a-z0-9_]{0,39}$")],
        i=Positive,
        seals=Annotated[
            dict[Seat, Hex64], must(lambda seals: len(seals) == 1, N_("a private draw has one seal, its owner's"))
        ],
    ),
    "deal": kind(
        "rand",
        "A hidden pile, shuffled once, with a seal for each place; its anchor, and 12 digests from there to the root of its tree.",
        CHAINED,
        REQUEST_ONCE,
        AS_MANY_PLACES,
        name="Deal",
        chain=Annotated[str, Limits(pattern=r"^deal:[1-9][0-9]{0,5}$")],
        i=Literal[1],
        anchor=Hex64,
        path=Annotated[list[Hex64], Limits(min_length=PATH, max_length=PATH)],
        req=NotRequired[Requests],
        seals=Seals,
    ),
    "anew": kind(
        "rand",
        "Cards that no seat knew, dealt again by another host.",
        CHAINED,
        REQUEST_ONCE,
        name="Anew",
        chain=Annotated[str, Limits(pattern=r"^anew:[1-9][0-9]{0,5}$")],
        i=Literal[1],
        seals=Seals,
    ),
}

# -- the lines beside them, and what seals hold ---------------------------------------------------------------------------

LINES: dict[str, Any] = {
    "seal": tuple[Literal["seal"], Hex64, Name, Annotated[Reference, Limits(strict=True)], Name, Salt, Any],
    "link": tuple[Literal["link"], Hex64, AnyLabel, Annotated[Positive, Limits(strict=True)], Hex64],
    "head": tuple[Literal["head"], Hex64, Annotated[Count, Limits(strict=True)], Hex64, Sig],
    "got": tuple[Literal["got"], Hex64, Hex64, At, Sig],
}
VALUES: dict[str, Any] = {
    "report": OwnReport, "request": Requests, "draw": tuple[Requests, list[list[Any]]], "text": str,
}  # fmt: skip
