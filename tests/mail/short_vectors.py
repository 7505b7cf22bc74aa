"""Vectors for the short block: ``python -m tests.mail.short_vectors`` writes `short-blocks.json`, for any program that reads them.

They stand on the complete example of the log format's page, cut before its answer. Another deflate may pack other bytes, so it is
reading that is held against them.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.ledger import SAY, Log, PrivateKey, cj, salt_from, seal
from pbem.mail import KnownLog, Short, shorten
from pbem.mail import short as form
from pbem.mail.block import _lines
from pbem.mail.short import SignedPart
from pbem.referee import Envelope
from tests.ledger.builder import short_game

FILE = Path(__file__).parent / "short-blocks.json"
WORDS = {0: b"", 1: b"DIG BANK CARD WALK HOME"}
SEED = "00112233445566778899aabbccddeeff"
ASK = 6


def known() -> KnownLog:
    """The example's log up to its question, and the dictionaries of these vectors."""
    return KnownLog(short_game().cut(ASK), WORDS.get)


def key() -> PrivateKey:
    """The key of seat a: its seed is the SHA-256 of the letter."""
    return PrivateKey.from_seed(hashlib.sha256(b"a").digest())


def signed(order: str, plans: str = "", rev: int = 0, *, mark: int = 0, seed: str = SEED) -> Envelope:
    """An answer to the question; with a mark, an order sent ahead."""
    log, ref = known().log, -mark or ASK
    texts = {"order": order, "plans": plans}
    seals = {name: seal(log.game, "a", ref, name, salt_from(seed, name), text) for name, text in texts.items()}
    say: dict[str, Any] = {"act": "ahead" if mark else "order", "game": log.game, "seat": "a", "rev": rev}
    say |= {"seen": list(log.head), "seals": {name: sealed.digest for name, sealed in seals.items()}}
    say |= {"link": hashlib.sha256(b"a link").hexdigest(), "link_n": mark or 2}
    say |= {} if mark else {"ask": ASK, "pub": {"order": order}}
    return Envelope(say, key().sign(SAY, cj(say)), tuple(sealed.fields for sealed in seals.values()), seed=seed)


GOOD: dict[str, tuple[Envelope, int]] = {
    "an order without plans": (signed("GO"), 0),
    "an order with plans, by a dictionary": (signed("CARD WALK HOME", "BANK", 3), 1),
    "an order and two sent ahead with the same plans": (
        replace(
            signed("GO", "DIG"),
            ahead=(
                signed("GO", "DIG", mark=3, seed="1" * 32),
                signed("IF RICH: BANK", "DIG", 1, mark=4, seed="2" * 32),
            ),
        ),
        0,
    ),
    "an order sent ahead alone": (signed("", "", 2, mark=3), 0),
    "letters of more than one byte": (signed("Gràdh · Ęś"), 1),
}


def _changed(**fields: Any) -> Callable[[Short], Short]:
    return lambda said: replace(said, parts=(replace(said.parts[0], **fields),))


BAD: dict[str, tuple[str, Callable[[Short], Short]]] = {
    "another entry was seen": ("full wanted", _changed(head="0" * 16)),
    "an entry that is not there was seen": ("full wanted", _changed(seen=7)),
    "what is answered is no question": ("full wanted", _changed(number=5, seen=ASK)),
    "a dictionary that is not there": ("full wanted", lambda said: replace(said, dictionary=9)),
    "a seat that is not there": ("full wanted", lambda said: replace(said, seat=1)),
    "another game": ("full wanted", lambda said: replace(said, game="0" * 16)),
    "another revision": ("not signed", _changed(rev=1)),
    "another seed": ("not signed", _changed(seed="f" * 32)),
    "another link": ("not signed", _changed(link="0" * 64)),
    "another text": ("not signed", _changed(order="NO")),
}


def _summed(data: bytes) -> bytes:
    return data + struct.pack(">I", zlib.crc32(data))


def _broken(data: bytes) -> dict[str, tuple[str, bytes]]:
    """Bytes that are no short block, made of one that is, by what is wrong."""
    body, texts = data[:-4], len(form.read(data).packed)
    return {
        "a bit is another": ("damaged", bytes([*data[:20], data[20] ^ 1, *data[21:]])),
        "the last byte is lost": ("damaged", data[:-1]),
        "a later version": ("full wanted", _summed(bytes([0x20]) + body[1:])),
        "a number longer than need be": ("none", _summed(body[:9] + b"\x80\x00" + body[10:])),
        "a flag that is none": ("none", _summed(body[:10] + bytes([body[10] | 64]) + body[11:])),
        "texts that do not end": ("none", _summed(body[: len(body) - texts // 2])),
        "something behind the texts": ("none", _summed(body + b"\0")),
        "texts of more than 65,536 bytes": ("none", _summed(body[: len(body) - texts] + _packed(b"A" * 65537))),
        "a text too many": ("none", _summed(body[: len(body) - texts] + _packed(b"GO\0GO"))),
    }


def _packed(said: bytes) -> bytes:
    made = zlib.compressobj(9, zlib.DEFLATED, -15)
    return made.compress(said) + made.flush()


def short_of(envelope: Envelope, dictionary: int) -> Short:
    """The short form of a vector's statement."""
    made = shorten(envelope, known(), dictionary)
    assert made is not None
    return made


def _told(part: SignedPart) -> dict[str, Any]:
    names = ("ahead", "number", "rev", "seen", "head", "link", "seed", "sig", "order", "planned")
    return {name: getattr(part, name) for name in names} | {"plans": part.plans.name.lower()}


def _good(envelope: Envelope, dictionary: int) -> dict[str, Any]:
    said = short_of(envelope, dictionary)
    data = form.write(said, WORDS[dictionary])
    return {
        "dictionary": dictionary, "seat": said.seat, "game": said.game, "parts": [_told(part) for part in said.parts],
        "payload": data.hex(), "block": _lines(data).split("\n"),
        "signed": [{"say": one.say, "sig": one.sig, "openings": list(one.openings)} for one in (envelope, *envelope.ahead)],
    }  # fmt: skip


def vectors() -> dict[str, Any]:
    """Return all of them."""
    first = short_of(*GOOD["an order without plans"])
    bad = {what: (kind, form.write(change(first), b"")) for what, (kind, change) in BAD.items()}
    bad |= _broken(form.write(first, b""))
    return {
        "about": "The log is the complete example of docs/reference/log-format.md up to entry 6.",
        "log": Log(known().log.lines).dump().decode().splitlines(),
        "dictionaries": {str(number): words.decode() for number, words in WORDS.items()},
        "good": {what: _good(*made) for what, made in GOOD.items()},
        "bad": {what: {"is": kind, "block": _lines(data).split("\n")} for what, (kind, data) in bad.items()},
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", "utf-8")


TOLD: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
