"""Signatures checked many at a time come to the verdict that each in its place comes to, for honest logs and for forged ones."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.errors import FormError
from pbem.ledger import SAY, PrivateKey, Verdict, verify, verify_checked
from pbem.ledger.keys import verify_sig_read
from pbem.ledger.verifier import Checked, _verify
from pbem.ledger.verifier.batches import BATCH, CheckSig, in_batches
from tests.ledger.builder import long_game
from tests.ledger.files import bad, bad_index, sample
from tests.ledger.mutants import mutants

KEY = PrivateKey.from_seed(bytes(32))
GOOD = (KEY.key_line, SAY, b"{}", KEY.sign(SAY, b"{}"))
FORGED = (KEY.key_line, SAY, b"{ }", GOOD[3])
NO_KEY = ("ssh-ed25519 none", *GOOD[1:])


def _each_in_its_place(data: bytes) -> tuple[Verdict, Checked]:
    return _verify(data, None, Checked(check_sig=verify_sig_read))


def _same(data: bytes) -> None:
    verdict, checked = verify_checked(data)
    in_place, alone = _each_in_its_place(data)
    assert verdict == in_place == verify(data)
    assert checked.work == alone.work
    assert checked.opened == alone.opened


@pytest.mark.variants
@pytest.mark.parametrize("case", bad_index("verify"), ids=lambda case: case["file"].removesuffix(".pbem"))
def test_a_bad_file_has_one_verdict(case: dict[str, Any]) -> None:
    _same(bad(case["file"]))


@pytest.mark.slow
def test_an_honest_log_asks_as_much() -> None:
    for data in (sample("trio"), sample("trio_bob"), long_game(30).dump()):
        assert verify(data).verdict != "fault"
        _same(data)


@pytest.mark.slow
def test_mutants_have_one_verdict() -> None:
    for mutant in mutants(20, seed=9):
        _same(mutant.data)


@pytest.mark.parametrize("wrong", [FORGED, NO_KEY], ids=["forged", "no key"])
@pytest.mark.parametrize("at", [0, 1, BATCH - 1, BATCH, 2 * BATCH + 5])
def test_nothing_counts_that_was_found_while_a_signature_was_taken_to_hold(wrong: tuple[Any, ...], at: int) -> None:
    given = [GOOD] * (2 * BATCH + 6)
    asked = 0

    def run(check: CheckSig) -> str:
        nonlocal asked
        for signature in given:
            asked += 1
            assert check(*signature)
        return "found"

    assert in_batches(run) == "found"
    given[at], asked = wrong, 0
    assert in_batches(run) is None
    assert asked <= at + BATCH, "it goes no further than to the end of the batch"


def test_a_fault_that_follows_from_a_forged_signature_does_not_count() -> None:
    def run(check: CheckSig) -> str:
        return "forged" if check(*FORGED) else "found"

    assert in_batches(run) is None
    with pytest.raises(FormError):
        verify_sig_read(*NO_KEY)
