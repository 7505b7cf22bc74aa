"""Outside samples and misdeeds of `pbem-log/1`: `verify` and the audit say of each what it is."""

from __future__ import annotations

from typing import Any

import pytest
import tiny_game

from pbem.ledger import Log, verify
from pbem.referee.audit import audit
from tests.attacks.judging import faulted
from tests.ledger.files import DATA, found, outside

HERE = DATA / "protocol1"


def test_the_samples_are_in_order() -> None:
    said = {path.stem: verify(path.read_bytes()) for path in HERE.glob("samples/*.pbem")}
    assert len(said) == 9
    assert {
        name: v.reason for name, v in said.items() if v.verdict != ("unfinished" if "_mid" in name else "clean")
    } == {}


def test_every_misdeed_that_verify_can_find_is_found() -> None:
    cases = [case for case in outside() if case["found_by"] == "verify"]
    want = {case["file"]: (case["expect_entry"], case["code"], case["party"]) for case in cases}
    assert len(want) > 60
    assert {file: found(verify((HERE / file).read_bytes())) for file in want} == want


@pytest.mark.parametrize(
    "case", [case for case in outside() if case["found_by"] == "audit"], ids=lambda case: case["code"]
)
def test_what_only_the_rules_can_find_the_audit_finds(case: dict[str, Any]) -> None:
    data = (HERE / case["file"]).read_bytes()
    assert verify(data).verdict in ("clean", "unfinished")
    sha256 = Log.parse(data).entries[0].fields["rules"]["sha256"]
    verdict = audit(data, lambda _: (tiny_game.GAME, sha256)).verdict
    assert faulted(verdict) == (case["expect_entry"], case["code"], case["party"])
