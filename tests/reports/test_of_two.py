"""A verdict on a log of two speaks of two players, and of no host."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.i18n import ENGLISH, speaking
from pbem.ledger import CODES, Verdict
from pbem.ledger.pair import verify_pair
from pbem.reports.verdict_details import Judged
from pbem.reports.verdicts import OF_TWO, explained
from tests.pair.golden import FOLDER
from tests.pair.mutants import mutants

FOUND = (
    "FORM",
    "CHAIN",
    "SIG",
    "BIND",
    "SEEN",
    "ORDERING",
    "LINK",
    "SEALBIND",
    "STRAY",
    "TELL",
    "ILLEGAL",
    "CARD",
    "FORK",
)
"""What is found in logs of two."""


def said(verdict: Verdict, *, rules: bool = False) -> str:
    return "\n".join(
        explained(verdict, {"k": "turn", "by": "ann", "say": {}}, rules=rules, name=str.capitalize, mode="two")
    )


def fault(code: str, party: str) -> Verdict:
    return Verdict("fault", 10, code, party, "", None)


@pytest.mark.parametrize("party", ["ann", "supplier"])
@pytest.mark.parametrize("code", FOUND)
def test_no_fault_speaks_of_a_host(code: str, party: str) -> None:
    told = {}
    for language, host in ((ENGLISH, "host"), ("fr", "hôte")):
        with speaking(language):
            told[language] = said(fault(code, party))
            assert host not in told[language]
    assert told[ENGLISH] != told["fr"]


def test_every_code_can_be_said() -> None:
    for code in CODES:
        assert said(fault(code, "ann"))
    assert OF_TWO.keys() <= set(FOUND)


def test_who_signed_it_is_named_and_nobody_else() -> None:
    text = said(fault("LINK", "ann"))
    assert "Entry 10, a turn of Ann." in text
    assert "Only the owner of the key of Ann" in text
    assert "“pbem verify”" in text


def test_what_the_supplier_can_have_done_is_held_against_neither_player() -> None:
    text = said(fault("CHAIN", "supplier"))
    assert "Neither player" in text
    assert "either player for another copy" in text


def test_what_was_not_judged_is_not_said_to_be_in_order() -> None:
    for verdict in (Verdict("clean", None, None, None, "", None), Verdict("unfinished", None, None, None, "", None)):
        assert "secrets" in said(verdict)
    assert "“pbem audit” checks the rules" in said(Verdict("clean", None, None, None, "", None))
    assert "in order: rules, dice" in said(Verdict("clean", None, None, None, "", None), rules=True)
    assert "Nobody is at fault" in said(Verdict("cannot_judge", 0, "RULES", "nobody", "", None))


def test_verify_and_audit_print_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
    for name, word in (
        ("tiny", "both have shown their secrets"),
        ("tiny-begun", "It is the turn of Ann, since entry 7"),
    ):
        done = CliRunner().invoke(app, ["verify", str(FOLDER / f"{name}.pbem")])
        assert done.exit_code == 0
        assert word in " ".join(done.output.split())
    data = (FOLDER / "tiny.pbem").read_bytes()
    bad = tmp_path / "bad.pbem"
    bad.write_bytes(data.replace(b'"x":"', b'"x":"0', 1))
    for command in ("verify", "audit"):
        done = CliRunner().invoke(app, [command, str(bad)])
        assert done.exit_code == 1
        assert "host" not in done.output


@pytest.mark.slow
def test_whatever_is_found_is_said() -> None:
    for mutant in mutants(40, seed=3):
        assert Judged.of(verify_pair(mutant.data), mutant.data, rules=False).text()
