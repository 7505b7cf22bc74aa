"""The golden logs of two are verified and audited by this version as by all before it, and each act of the format stands in one."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games import find
from pbem.games.without_host import knowing_by_version
from pbem.kernel import frames
from pbem.ledger import sha256_hex
from pbem.ledger.pair import read_pair, verify_pair
from pbem.ledger.pair.forms import ACTS
from pbem.referee.pair import PairPlay, audit_pair
from tests.golden_logs import index
from tests.pair import golden
from tests.pair.golden import FOLDER, GAMES, described
from tests.pair.mutants import bases

RECORDED = index(FOLDER)
LEAST = 9
"""So many are there, and never fewer."""


def data_of(name: str) -> bytes:
    return (FOLDER / f"{name}.pbem").read_bytes()


def test_none_is_missing_changed_or_unknown() -> None:
    assert len(RECORDED) >= LEAST
    assert {place.stem for place in FOLDER.glob("*.pbem")} == set(RECORDED)
    assert set(RECORDED) >= set(GAMES), "“make golden” records those that are missing"
    for name, about in RECORDED.items():
        assert sha256_hex(data_of(name)) == about["sha256"], f"{name} is another file than was recorded"


@pytest.mark.variants
@pytest.mark.parametrize(
    "name", sorted(RECORDED, key=lambda name: len(data_of(str(name))))
)  # every run takes the shortest
def test_it_is_in_order_and_by_its_rules(name: str) -> None:
    data, about = data_of(name), RECORDED[name]
    assert verify_pair(data).verdict == about["verdict"]
    if (
        knowing_by_version(read_pair(data)[0].first["rules"]) is None
    ):  # earlier rules are lent for games with a host alone
        found = audit_pair(data, knowing_by_version)
        assert found.verdict == "cannot_judge"
        assert "This log names version 1 of the rules of " in found.reason
    else:
        assert described(data) == about


@pytest.mark.slow
def test_a_player_goes_through_his_game_by_his_key_alone() -> None:
    """In a program that has seen nothing of the other's: views of states on the way could be made only where both had played."""
    for name, base in dict(bases()).items():
        if name == "all acts":
            continue
        entries = read_pair(base.data)[1]
        knowing = find(entries[0].fields["rules"]["id"]).knowing
        assert knowing is not None
        for key in base.author().keys.values():
            frames._WANT.clear()
            assert PairPlay.of(knowing, entries, key).course.head == (entries[-1].n, entries[-1].hash)


def test_every_act_is_in_one() -> None:
    held = {act for about in RECORDED.values() for act in about["acts"]}
    assert held == set(ACTS)


def test_games_that_end_by_what_was_said_are_among_them() -> None:
    shown = {what for about in RECORDED.values() for what in about["shows"]}
    assert {
        "resigned",
        "agreed",
        "taken back",
        "tiny unfinished",
        "hammer clean",
        "swords clean",
        "tournament clean",
    } <= shown


def test_what_is_recorded_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    name = next(iter(RECORDED))
    before = data_of(name)
    assert golden.main([name]) == 1
    assert "is recorded, and stays" in capsys.readouterr().out
    assert data_of(name) == before


def test_rules_that_do_not_go_with_a_log_judge_nothing() -> None:
    """Entry 0 is signed by nobody alone: seats or options that the rules do not know are nobody's fault."""
    data = data_of("tiny")

    def lent(rules: Any) -> Any:
        return find("swords").knowing

    found = audit_pair(data, lent)
    assert (found.verdict, found.code, found.party) == ("cannot_judge", "RULES", "nobody")
    found = audit_pair(data, lambda rules: None)
    assert (found.verdict, found.code, found.party) == ("cannot_judge", "RULES", "nobody")
