"""Papers beside the log that prove when an order was sent: an order sealed for the host alone, and an acknowledgement of it.

A player's program gives the other players a signed paper with the order in a box that only the host's key opens. Their programs
sign that it came, and when. This module decides the bytes of the box, the forms of the two papers, and their signers. A box follows
from the order and one number. Showing both proves that exactly this order, for this host, was in that box. The paper reveals the
order's question, its revision, and a digest over random salts. A copy of the log shows all of these later anyway.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.declared import Limits, form, one_of
from pbem.ledger.fields import At, Count, Hex64, Seat, Sig
from pbem.ledger.forms import Checks, fault, schema_of
from pbem.ledger.group import BASE, Element, drawn, element, multiple, number, of_number
from pbem.ledger.keys import PrivateKey, verify_sig
from pbem.ledger.statements import said

SEALED = "pbem-sealed-v1"
"""What a player signs when he gives others an order in a box: outside the log."""
HEARD = "pbem-heard-v1"
"""A player's signature that such a paper, or a reply to a host of which he was sent a copy, has come: outside the log, too."""
STEP = 2048
"""The size of a box is a multiple of this number of bytes, so that it hides the exact length of an order."""
MOST = 16 * STEP
"""The maximum number of bytes in a box."""

BoxText: TypeAlias = Annotated[str, Limits(pattern=r"^[A-Za-z0-9+/]{2000,44000}={0,2}$")]


_FORMS = Checks(
    {
        "sealed": form(
            "SealedPaper",
            "A paper with its signature.",
            {
                "say": said(
                    "SealedSay",
                    "An order to question `ask`, revision `rev`, whose statement has the digest `order`; it lies in the box.",
                    "sealed",
                    ask=Count,
                    rev=Count,
                    order=Hex64,
                    box=BoxText,
                ),
                "sig": Sig,
            },
        ),
        "heard": form(
            "HeardPaper",
            "An acknowledgement with its signature. Its receiver shows beside it the number that the box follows from.",
            {
                "say": said(
                    "HeardSay",
                    "What seat `of` sent for question `ask` has come to the player of `seat`.\n\n"
                    "`came` is the moment at which his mail server had it, `at` that at which his program signed this and passed "
                    'the box on. `box` is the SHA-256 of the box\'s text; "" for a reply of a kept seat, whose digest `order` is '
                    "then.",
                    "heard",
                    of=Seat,
                    ask=Count,
                    order=Hex64,
                    box=Annotated[str, Limits(pattern=r"^([0-9a-f]{64})?$")],
                    came=At,
                    at=At,
                ),
                "sig": Sig,
            },
        ),
    }
)
_SPACES = {"sealed": SEALED, "heard": HEARD}


def paper_fault(paper: Mapping[str, Any], kind: Literal["sealed", "heard"]) -> str | None:
    """Return why something is not a paper of a kind, in a sentence, or None."""
    return fault(_FORMS[kind], {"say": paper.get("say"), "sig": paper.get("sig")})


def is_signed(paper: Mapping[str, Any], key: str) -> bool:
    """Was a paper that has its form signed by a key?"""
    return verify_sig(key, _SPACES[paper["say"]["act"]], cj(paper["say"]), paper["sig"])


def reply_digest(game: str, seat: str, ask: int, own: str) -> str:
    """Return the digest of a reply of a kept seat to a question: of its writer's own lines, as they are read from his mail."""
    return sha256_hex(cj(["pbem-reply/1", game, seat, ask, " ".join(own.split())]))


# -- boxes ---------------------------------------------------------------------------------------------------------------


def boxed(host: str, chosen: str, payload: bytes) -> str:
    """Return the box with a payload, for the holder of a host's key line, as it follows from a number. Raises FormError."""
    if len(payload) > MOST:
        raise FormError(_("the order has {n} bytes, and {most} go into a box", n=len(payload), most=MOST))
    n, to = number(chosen), Element(base64.b64decode(host[12:])[-32:])
    begun = multiple(n, BASE).data
    key = _key(begun, to, multiple(n, to))
    hidden = _crossed(key, payload + b"\n" * (-len(payload) % STEP))
    return base64.b64encode(begun + hidden + _tag(key, begun, hidden)).decode("ascii")


def unboxed(key: PrivateKey, box: str) -> bytes:
    """Return the payload of a box for the owner of a key. Raises FormError if the box is for another key, or damaged."""
    data = base64.b64decode(box)
    begun, hidden, tag = data[:32], data[32:-32], data[-32:]
    sender, own = element(base64.b64encode(begun).decode("ascii").rstrip("=")), multiple(key.scalar, BASE)
    shared = _key(begun, own, multiple(key.scalar, sender))
    if not hmac.compare_digest(tag, _tag(shared, begun, hidden)):
        raise FormError(_("the box was made for another host, or damaged on its way"))
    return _crossed(shared, hidden).rstrip(b"\n")


def number_for(secret: str, payload: bytes) -> str:
    """Return the number from which the box with a payload follows: it follows from a secret, 64 hex digits, of its writer."""
    return of_number(drawn(secret, "sealed", sha256_hex(payload)))


def _key(begun: bytes, to: Element, shared: Element) -> bytes:
    return hmac.digest(shared.data, SEALED.encode() + begun + to.data, "sha256")


def _crossed(key: bytes, data: bytes) -> bytes:
    """The bytes, each crossed with one of a stream: once more, and they are as before."""
    blocks = range(-(-len(data) // 32))
    stream = b"".join(hmac.digest(key, block.to_bytes(4, "big"), "sha256") for block in blocks)[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")


def _tag(key: bytes, begun: bytes, hidden: bytes) -> bytes:
    return hmac.digest(key, b"tag" + begun + hidden, "sha256")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a paper."""
    return schema_of(one_of(_FORMS.forms.values()), "a paper about when an order was sent")
