"""Another version of the rules in a running game: all agree, the log names it, the audit replays each stretch by its own."""

from __future__ import annotations

import pytest
import tiny_game

from pbem.ledger import Log, Verdict
from pbem.referee.audit import audit
from tests.attacks.other_rules import CODES, NEW, SHA, a_game

from .forger import Forger
from .judging import every_copy_shows, faulted, stands_in_every_copy


def judged(data: bytes) -> Verdict:
    """With both versions at hand."""
    return audit(data, lambda _: (NEW, SHA), {("tiny", 1): (tiny_game.GAME, SHA)}).verdict


def test_the_honest_game_is_clean_in_every_copy() -> None:
    recorded = a_game()
    assert Forger(recorded).write().tidy().dump() == recorded.whole
    assert judged(recorded.whole).verdict == "clean"
    stands_in_every_copy(recorded)


@pytest.mark.parametrize("version", [1, 2])
def test_where_a_version_is_not_at_hand_nobody_is_at_fault(version: int) -> None:
    """RULES, at the entry from which it is needed."""
    recorded = a_game()
    verdict = audit(recorded.whole, lambda _: (tiny_game.GAME if version == 1 else NEW, SHA)).verdict
    amend = next(entry.n for entry in Log.parse(recorded.whole).entries if entry.k == "amend")
    assert (verdict.verdict, verdict.code, verdict.entry) == ("cannot_judge", "RULES", amend if version == 1 else 0)


test_every_copy_shows_it_with_the_next_report = every_copy_shows(CODES, a_game)


def test_the_question_is_put_anew_with_its_mark() -> None:
    f = Forger(a_game())
    amend = f.first("amend")
    before, again = f.last("ask", amend).fields, f.next("ask", amend).fields
    assert {**before, "n": 0, "prev": ""} == {**again, "n": 0, "prev": ""}


def test_changed_rules_without_an_announcement_are_found() -> None:
    """TELL. A host that changes the rules has to announce it."""
    f = Forger(a_game())
    tell = f.next("tell", f.first("amend"))
    f.retell(tell, lambda fact: None)
    assert faulted(judged(f.write().tidy().dump())) == (tell.n, "TELL", "host")
