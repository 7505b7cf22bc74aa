"""Keys as words to be read out: a function of the fingerprint, easy to tell apart."""

from __future__ import annotations

import base64
import re

from pbem.ledger import PrivateKey, fingerprint, to_compare
from pbem.ledger.aloud import _word, aloud


def _key(n: int) -> str:
    return PrivateKey.from_seed(bytes([n]) * 32).key_line


def test_each_word_is_sixteen_bits_and_no_two_are_the_same() -> None:
    words = {_word(n.to_bytes(2, "big")) for n in range(1 << 16)}
    assert len(words) == 1 << 16
    assert all(re.fullmatch("([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]", word) for word in words)
    assert (_word(b"\x7f\x00"), _word(b"\x00\x01")) == ("lusab", "babad")


def test_the_words_follow_from_the_first_bits_of_the_fingerprint() -> None:
    for n in range(5):
        digest = base64.b64decode(fingerprint(_key(n)).removeprefix("SHA256:") + "=")
        assert aloud(_key(n)) == "-".join(_word(digest[i : i + 2]) for i in range(0, 12, 2))
    assert len({aloud(_key(n)) for n in range(5)}) == 5


def test_both_forms_stand_below_each_other() -> None:
    first, second = to_compare(_key(1)).split("\n")
    assert (first, second) == (fingerprint(_key(1)), f"  {aloud(_key(1))}")
