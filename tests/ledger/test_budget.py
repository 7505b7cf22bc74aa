"""No file hangs a reader: whatever it holds, there is a verdict, and the work that is counted stays within the format's budget.

`make fuzz` looks at 100,000 mutants (PBEM_MUTANTS says how many), a few hundred stand here."""

from __future__ import annotations

import os

import pytest

from pbem.ledger import Log, verify
from pbem.ledger.chains import SEAT_LENGTH
from pbem.ledger.course.calls import FAR
from pbem.ledger.fields import MAX_NUMBER
from pbem.ledger.forms import entry_fault, line_fault
from pbem.ledger.telling import MAX_HEARD, names_what_is_there
from pbem.ledger.verifier import verify_checked
from tests.ledger.budget import judged
from tests.ledger.builder import TIMED, Table, short_game
from tests.ledger.mutants import mutants
from tests.ledger.resigned import resigned
from tests.ledger.worst import NOBODY, WORST, hosts, one_fact_told_a_thousand_times, private_draws_shown_at_last

SIZE = 50_000
MUTANTS, PARTS = int(os.environ.get("PBEM_MUTANTS", "400")), 4


@pytest.mark.variants
@pytest.mark.parametrize("name", WORST)
def test_the_worst_that_is_known_stays_within_the_budget(name: str) -> None:
    """A stranger combines all bounds in one file."""
    judged(WORST[name](SIZE))


def a_game_of_two() -> bytes:
    """All that the table knows: deals, draws, dice, questions in the open and in secret, with and without marks, skips, says."""
    table = Table(terms=TIMED).begin()
    places = table.deal(1, ["x", "y"])
    table.deal(2, ["z"], hidden=True)
    table.draw("ann", 1, ["q", "r"])
    table.roll()
    table.tell(facts=["dice fall"])
    table.ask("ann", "bob", what="card", secret="until end", mark=True)
    table.order("ann", "CARD 1", "ANY")
    table.order("bob", "CARD 2")
    table.tell(opens=[places["p0"]], facts=["a", "b"])
    table.ask("ann")
    table.say("bob", "draw")
    table.skip("ann")
    table.tell(links=[["deal:1", 1]])
    table.ask("bob", mark=True, secret="until resolved")
    table.order("bob", "GO")
    table.tell()
    return table.end().dump()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_of_a_good_log_gets_a_verdict_within_the_budget(part: int) -> None:
    """Somebody changes, repairs and signs a log in any way."""
    found = {judged(mutant.data).code for mutant in mutants(MUTANTS // PARTS, seed=part)}
    assert len(found) > 8, "they come past hashes and signatures, to the checks behind them"


def test_what_is_signed_anew_without_a_change_is_in_order() -> None:
    assert verify(resigned(a_game_of_two(), ("host", "ann", "bob"))).verdict == "clean"


def test_the_highest_marks_cost_a_chain_once() -> None:
    """As many hosts as fit, each with a mark as high as it may be: no seat's link is walked further than its chain is long."""
    data = hosts(SIZE)
    verdict, c = verify_checked(data)
    called = sum(entry.k == "host" for entry in c.entries)
    assert verdict.verdict == "unfinished"
    assert called > 1
    assert 0.9 * FAR * (called - 4) < c.work.hashes <= SEAT_LENGTH * called


def test_a_giant_mark_is_refused_before_anything_is_hashed() -> None:
    """A host wants readers to hash a chain for minutes."""
    data = hosts(SIZE)
    mark = next(entry.fields["mark"] for entry in Log.parse(data).entries if entry.k == "host")
    giant = resigned(data.replace(b'"mark":%d' % mark, b'"mark":%d' % 1_000_000), ("host", "s00"))
    verdict, c = verify_checked(giant)
    assert verdict.verdict == "fault"
    assert c.work.hashes <= 1


NUMBERS = ('mark":2', 'link_n":2', 'link_n":1', 'i":1', 'no":1', 'rev":0', 'ask":1', 'ver":1', 'seen":[2', 'rolls":[1')


@pytest.mark.parametrize("number", NUMBERS)
def test_a_giant_number_in_any_entry_that_has_one_is_malformed(number: str) -> None:
    """Whoever signs it: nothing is done with it but to refuse it."""
    data = a_game_of_two()
    giant = data.replace(number.encode(), number.rstrip("0123456789").encode() + b"1000001", 1)
    assert giant != data
    found = judged(resigned(giant, ("host", "ann", "bob")))
    assert (found.verdict, found.code, found.party) == ("fault", "FORM", "host")


def test_a_chain_is_walked_once_whatever_is_shown_of_it() -> None:
    data = private_draws_shown_at_last(SIZE)
    _verdict, c = verify_checked(data)
    assert c.work.hashes <= c.course.indices["priv:s00"] + 1
    long = resigned(data.replace(b'"i":2,', b'"i":1000000,'), ("host", "s00"))
    assert judged(long).verdict == "fault"


def test_a_path_has_as_many_steps_as_the_tree_is_deep() -> None:
    deal = next(entry.fields for entry in short_game().entries if entry.fields.get("chain") == "deal:1")
    assert entry_fault(deal) is None
    assert entry_fault({**deal, "path": deal["path"] * 80})
    assert entry_fault({**deal, "path": deal["path"][:-1]})


@pytest.mark.parametrize("n", [2**53 - 1, 2**60, 1_000_001])
def test_a_head_over_a_giant_number_below_a_broken_line_is_no_head(n: int) -> None:
    """It is read before it is known to be of the right form; a number that nothing can write must not stop the reader."""
    game = short_game()
    head = b'["head","%s",%d,"%s","%s=="]' % (game.game.encode(), n, b"0" * 64, b"A" * 86)
    found = judged(b"\n".join([game.entries[0].line, b'{"k":', head, b""]))
    assert (found.entry, found.code, found.party) == (1, "FORM", "supplier")


@pytest.mark.parametrize("number", [1_000_000, 1_000_001])
def test_lines_beside_the_chain_have_the_bounds_of_entries(number: int) -> None:
    lines: list[list[object]] = [
        ["link", "0" * 64, "deal:1", number, "0" * 64],
        ["head", "0" * 64, number, "0" * 64, NOBODY],
        ["seal", "0" * 64, "a", -number, "order", "0" * 32, ""],
    ]
    assert [bool(line_fault(line)) for line in lines] == [number > MAX_NUMBER] * 3


def test_a_seat_hears_no_more_than_a_report_can_hold() -> None:
    """What is named once always may be; what is named again and again only while the whole stays small."""
    fact = "a" * 1000
    public = {"facts": [fact] * 2, "view": {}}
    most = MAX_HEARD // (len(fact) + 2)
    assert names_what_is_there(public, {"facts": [0] * most, "view": {}})
    assert not names_what_is_there(public, {"facts": [0] * (most + 1), "view": {}})
    found = judged(one_fact_told_a_thousand_times(SIZE))
    assert (found.code, found.party) == ("FORM", "host")
