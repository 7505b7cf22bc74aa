"""Boxes for a host alone: their bytes, by arithmetic of our own beside the program's; and what opens none."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from pbem.errors import FormError
from pbem.ledger import PrivateKey, curve
from pbem.ledger.sealed import MOST, STEP, boxed, number_for, paper_fault, reply_digest, unboxed

HOST = PrivateKey.from_seed(bytes(range(32)))
PAYLOAD = b'{"openings":[],"say":{},"sig":""}'
NUMBER = number_for("ab" * 32, PAYLOAD)


def by_hand(number: str, payload: bytes) -> str:
    """The box as docs/reference/in-time.md says it, by points of the curve and nothing else of the program."""
    base = curve.decode(bytes.fromhex("58" + "66" * 31))
    to = curve.decode(base64.b64decode(HOST.key_line[12:])[-32:])
    assert base is not None
    assert to is not None
    n = int.from_bytes(base64.b64decode(f"{number}="), "little")
    r, s = curve.encode(curve.times(n, base)), curve.encode(curve.times(n, to))
    key = hmac.digest(s, b"pbem-sealed-v1" + r + curve.encode(to), "sha256")
    filled = payload + b"\n" * (-len(payload) % 2048)
    stream = b"".join(hmac.digest(key, c.to_bytes(4, "big"), "sha256") for c in range(len(filled) // 32))
    hidden = bytes(a ^ b for a, b in zip(filled, stream, strict=True))
    return base64.b64encode(r + hidden + hmac.digest(key, b"tag" + r + hidden, "sha256")).decode()


@pytest.mark.parametrize("payload", [PAYLOAD, b"{}", b'{"a":"' + b"x" * 5000 + b'"}', b"x" * MOST])
def test_a_box_is_what_the_page_says(payload: bytes) -> None:
    box = boxed(HOST.key_line, NUMBER, payload)
    assert box == by_hand(NUMBER, payload)
    assert unboxed(HOST, box) == payload
    assert (len(base64.b64decode(box)) - 64) % STEP == 0


def test_the_bytes_stay_as_they_are() -> None:
    assert NUMBER == "hhiiNGWSCLHjy17DE0l0VHmW6N7FvqA/Wwy8hIcUSw0"
    assert hashlib.sha256(boxed(HOST.key_line, NUMBER, PAYLOAD).encode()).hexdigest() == (
        "2882a1e79d31368d9560320a1138dd06ac795d46e5cc2a4e72de9862f86b9ae7"
    )


def test_another_order_or_secret_has_another_number() -> None:
    assert len({number_for(s, p) for s in ("ab" * 32, "cd" * 32) for p in (PAYLOAD, b"{}")}) == 4


def test_no_other_key_opens_it_and_no_byte_may_differ() -> None:
    data = bytearray(base64.b64decode(boxed(HOST.key_line, NUMBER, PAYLOAD)))
    with pytest.raises(FormError):
        unboxed(PrivateKey.from_seed(b"2" * 32), base64.b64encode(data).decode())
    for place in (0, 31, 32, 1000, len(data) - 1):
        data[place] ^= 1
        with pytest.raises(FormError):
            unboxed(HOST, base64.b64encode(data).decode())
        data[place] ^= 1
    with pytest.raises(FormError):
        unboxed(HOST, base64.b64encode(b"\1" + bytes(31) + bytes(data[32:])).decode())


def test_what_is_too_long_goes_into_none() -> None:
    with pytest.raises(FormError, match="go into a box"):
        boxed(HOST.key_line, NUMBER, b"x" * (MOST + 1))
    with pytest.raises(FormError):
        boxed(HOST.key_line, "no number", PAYLOAD)


def test_blanks_are_no_other_reply() -> None:
    assert reply_digest("a" * 64, "ann", 7, "1\n") == reply_digest("a" * 64, "ann", 7, " 1")
    assert (
        len({reply_digest("a" * 64, seat, ask, own) for seat in ("ann", "bob") for ask in (7, 8) for own in "12"}) == 8
    )


def test_what_is_no_paper_is_said_to_be_none() -> None:
    assert paper_fault({"say": {"act": "heard"}, "sig": ""}, "heard")
    assert paper_fault({}, "sealed")
