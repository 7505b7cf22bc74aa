"""Verdicts in words: for every code, in both languages, and true to who can have done it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.i18n import ENGLISH, speaking
from pbem.ledger import CODES, Verdict, verify
from pbem.reports.verdicts import HAPPENED, explained

BAD = Path(__file__).parents[1] / "ledger" / "data" / "bad"


def words(verdict: Verdict, entry: dict[str, object] | None = None, **more: bool) -> str:
    return " ".join(explained(verdict, entry, rules=more.get("rules", True)))


def fault(code: str, party: str) -> Verdict:
    return Verdict("fault", 10, code, party, "", None)


def test_every_code_has_words() -> None:
    assert HAPPENED.keys() == CODES.keys()


@pytest.mark.parametrize("party", ["host", "supplier", "ann"])
@pytest.mark.parametrize("code", sorted(CODES))
def test_each_is_said_in_both_languages(code: str, party: str) -> None:
    said = {}
    for language in (ENGLISH, "fr"):
        with speaking(language):
            said[language] = explained(fault(code, party), {"k": "order", "by": "ann", "say": {}}, rules=True)
    assert len(said[ENGLISH]) == len(said["fr"]) == 3
    assert not set(said[ENGLISH]) & set(said["fr"])


def test_a_file_that_was_changed_is_held_against_neither_host_nor_player() -> None:
    for code in ("STRAY", "CHAIN", "HEADSIG", "FORM", "UNOPENED"):
        said = words(fault(code, "supplier"))
        assert "The host and the other players cannot have" in said
        assert "Send no more orders" not in said
        assert "another copy" in said


def test_what_a_player_sent_and_the_host_let_count_is_told_apart_from_what_the_host_wrote() -> None:
    assert "A player may have sent it like this" in words(
        fault("ILLEGAL", "host"), {"k": "order", "by": "ann", "say": {}}
    )
    assert "Only the host can have done it" in words(fault("TELL", "host"), {"k": "tell"})
    assert "Only the host can have done it" in words(fault("SIG", "host"), {"k": "game"})


def test_what_was_not_judged_is_not_said_to_be_in_order() -> None:
    for verdict in (Verdict("clean", None, None, None, "", None), Verdict("unfinished", None, None, None, "", None)):
        assert "“pbem audit”" in words(verdict, rules=False)
        assert "“pbem audit”" not in words(verdict)
        assert "rules" in words(verdict)


@pytest.mark.parametrize(
    "entry", [None, {}, {"k": 7}, {"k": "order", "by": ["x"]}, {"k": "rand", "chain": 3}, {"k": "zz"}]
)
def test_a_malformed_entry_has_words_too(entry: dict[str, object] | None) -> None:
    assert words(fault("FORM", "host"), entry).startswith("Entry 10")


@pytest.mark.slow
def test_every_recorded_misdeed_has_words() -> None:
    for one in json.loads((BAD / "index.json").read_text()):
        assert words(verify((BAD / one["file"]).read_bytes()), rules=False)
