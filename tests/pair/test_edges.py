"""Which keys and signatures count in a log of two: the table of the format page, for joins, turns and changes of key alike."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.ledger import SAY, cj
from pbem.ledger.curve import L
from pbem.ledger.pair import verify_pair
from tests.ledger.edges import PATH as EDGES
from tests.ledger.verify_mjs import node_is_new_enough
from tests.pair.author import FIRST, Author, a_join, a_turn, an_author
from tests.pair.playing import key_of
from tests.pair.verify_mjs import differences

CASES: list[dict[str, Any]] = json.loads(EDGES.read_text("utf-8"))
UNUSABLE = sorted({case["key"] for case in CASES if not case["usable"]})


def entries_of(author: Author, *acts: Any) -> list[Any]:
    made = [dict(FIRST), a_join(author, "ann"), a_join(author, "bob"), a_turn(author, "bob", *acts)]
    author.written_out(made)
    return made


def with_key(key: str, sig: str) -> bytes:
    """Ann joins with a key; under it stands a signature that somebody made up."""
    author = an_author()
    made = entries_of(author)
    made[1]["say"]["key"] = key
    made[1]["sig"] = sig
    return author.signed(made)


def rekeyed(key: str) -> bytes:
    author = an_author()
    return author.signed(entries_of(author, {"do": "rekey", "key": key, "kept": "AAAA"}))


def resigned(n: int, change: Any) -> bytes:
    """A good log whose entry n has another signature; it is the last."""
    author = an_author()
    made = entries_of(author)[: n + 1]
    lines = author.signed(made).splitlines()
    fields = json.loads(lines[n])
    fields["sig"] = change(fields["sig"])
    return b"".join(line + b"\n" for line in (*lines[:n], cj(fields)))


def _one_more(sig: str) -> str:
    """The same R, and S + L: libraries that do not look take it, too."""
    raw = base64.b64decode(sig)
    return base64.b64encode(raw[:32] + (int.from_bytes(raw[32:], "little") + L).to_bytes(32, "little")).decode()


SIGNATURES = {
    "S + L": _one_more,
    "another R": lambda sig: base64.b64encode(
        bytes([base64.b64decode(sig)[0] ^ 1]) + base64.b64decode(sig)[1:]
    ).decode(),
    "no R": lambda sig: base64.b64encode(bytes(32) + base64.b64decode(sig)[32:]).decode(),
    "of nobody": lambda sig: "A" * 86 + "==",
}


def test_there_are_keys_that_may_not_be_used() -> None:
    assert len(UNUSABLE) > 5


@pytest.mark.parametrize("key", UNUSABLE)
def test_a_key_that_may_not_be_used_takes_no_seat_and_nobody_goes_on_by_it(key: str) -> None:
    """SIG: more than one signature would fit."""
    for case in CASES:
        if case["key"] == key:
            found = verify_pair(with_key(key, case["sig"]))
            assert (found.entry, found.code, found.party) == (1, "SIG", "supplier")
    found = verify_pair(rekeyed(key))
    assert (found.entry, found.code, found.party) == (3, "SIG", "bob")


@pytest.mark.parametrize("name", SIGNATURES)
@pytest.mark.parametrize("n", [1, 3])
def test_a_signature_that_does_not_count_is_nobodys(name: str, n: int) -> None:
    found = verify_pair(resigned(n, SIGNATURES[name]))
    assert (found.entry, found.code, found.party) == (n, "SIG", "supplier")


def test_who_goes_on_by_a_key_of_the_game_does_not() -> None:
    author = an_author()
    for seat in ("ann", "bob"):
        found = verify_pair(rekeyed(author.keys[seat].key_line))
        assert (found.entry, found.code, found.party) == (3, "BIND", "bob")
    assert verify_pair(rekeyed(key_of("made another").key_line)).verdict == "unfinished"


def test_a_word_counts_only_by_the_signature_of_who_is_quoted() -> None:
    author = an_author()
    say = {"act": "word", "game": author.game, "seat": "ann", "seen": [0, ""], "what": "resign"}
    made = entries_of(author, {"do": "word", "say": say, "sig": ""})
    assert verify_pair(author.signed(made)).verdict == "unfinished"
    lines = author.signed(made).splitlines()
    turn = json.loads(lines[3])
    turn["say"]["acts"][0]["sig"] = author.keys["bob"].sign(SAY, cj(turn["say"]["acts"][0]["say"]))
    turn["sig"] = author.keys["bob"].sign(SAY, cj(turn["say"]))
    found = verify_pair(b"".join(line + b"\n" for line in (*lines[:3], cj(turn))))
    assert (found.entry, found.code, found.party) == (3, "SIG", "bob")


@pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")
def test_the_second_verifier_says_the_same(tmp_path: Path) -> None:
    files = {f"join {at}": with_key(case["key"], case["sig"]) for at, case in enumerate(CASES)}
    files |= {f"rekey {key}": rekeyed(key) for key in {case["key"] for case in CASES}}
    files |= {f"{name} {n}": resigned(n, change) for name, change in SIGNATURES.items() for n in (1, 3)}
    assert differences(tmp_path, files) == {}
