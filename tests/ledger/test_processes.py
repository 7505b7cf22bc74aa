"""Several processes come to the verdict that one comes to, for honest logs and for forged ones."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.ledger import SAY, PrivateKey, verify_checked
from pbem.ledger.verifier import processes
from pbem.ledger.verifier.batches import BATCH
from tests.ledger.builder import long_game
from tests.ledger.files import bad, bad_index, sample


@pytest.mark.variants
@pytest.mark.parametrize("case", bad_index("verify"), ids=lambda case: case["file"].removesuffix(".pbem"))
def test_a_bad_file_has_one_verdict(case: dict[str, Any]) -> None:
    data = bad(case["file"])
    assert verify_checked(data, jobs=2)[0] == verify_checked(data)[0]


@pytest.mark.slow
def test_an_honest_copy_asks_as_much_of_two_as_of_one() -> None:
    for data in (sample("trio_bob"), long_game(30).dump()):
        (one, alone), (two, together) = verify_checked(data), verify_checked(data, jobs=2)
        assert two == one
        assert together.work == alone.work


def test_nothing_counts_that_was_found_while_a_signature_was_taken_to_hold() -> None:
    key = PrivateKey.from_seed(bytes(32)).key_line
    signatures = [(key, SAY, b"{}", "A" * 86 + "==")] * (3 * BATCH)
    found = processes.in_processes(2, lambda check: [check(*signature) for signature in signatures])
    assert found is None, "nobody has signed these"


def test_where_there_can_be_no_processes_one_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_given: object) -> None:
        raise OSError("no processes here")

    monkeypatch.setattr(processes, "ProcessPoolExecutor", none)
    assert verify_checked(sample("trio_bob"), jobs=4)[0].verdict == "clean"
