"""A nonce used twice tells nobody a player's links: his chain hangs on the game's id, which is known only when he joins.

The tops of all chains followed from root, nonce and label. A host that opened a rematch under the old nonce knew every
link that the players would give, and dealt what it liked: 20,000 deals tried in five seconds. The host's own chains do
come again; its share in the dice is then known to those who have seen the first game, and the desk refuses a nonce that
it has met.
"""

from __future__ import annotations

from functools import cache

import pytest
import tiny_game

from pbem.errors import FormError
from pbem.ledger import SAY, cj, event_key, outcome, verify
from pbem.referee import AskSeen, Envelope, Pen, Refused, check_order, check_ready, check_rekey
from pbem.referee.table import Table

from .adding import entry, fault_of
from .forger import Forger
from .judging import faulted, shows_with_the_next_report
from .misdeeds import MIXED_KEY, a_marked_ask
from .recorded import Recorded, record, take_turn
from .rekey import NEW, SPARE

SEATS = ("ann", "bob")


def a_table(turns: int) -> Table:
    """By the same seed the same keys, the same host, and the same nonce; with other options it is another game."""
    return Table(tiny_game.GAME, {"players": 2, "turns": turns}, "rematch", hours=24, recovery=SPARE.key_line)


@cache
def both() -> tuple[Table, Table]:
    """A game to its end, and the rematch at its beginning."""
    first, again = a_table(3), a_table(2)
    while first.open:
        take_turn(first)
    return first, again


@cache
def rematch() -> Recorded:
    table = a_table(2)
    while table.open:
        take_turn(table)
    return record(table)


def test_the_hosts_chains_come_again_and_no_players() -> None:
    first, again = both()
    assert first.scribe.chains.nonce == again.scribe.chains.nonce
    assert first.course.chains["pub"] == again.course.chains["pub"]
    for seat in SEATS:
        assert first.pens[seat].key.key_line == again.pens[seat].key.key_line
        known = {first.pens[seat].link(i) for i in range(65)}
        assert known.isdisjoint(again.pens[seat].link(i) for i in range(65)), seat


def test_nobody_knows_the_dice_of_a_rematch() -> None:
    """A host uses a nonce again and so has its own link and the players' from the first game. Chains depend on the
    game's id, so the links differ."""
    first, again = both()
    x, request = again.scribe.chains.link(again.course, "pub", 1), [{"op": "roll", "n": 12, "sides": 6}]

    def dice(table: Table) -> list[list[int]]:
        links = [[seat, 2, table.pens[seat].link(2)] for seat in SEATS]
        return outcome(event_key(x, again.id, "pub", 1, links), request)

    assert dice(first) != dice(again)


def test_a_link_of_the_first_game_fits_nowhere_in_the_second() -> None:
    """LINK, if a host or player gives it with an order, as ready or as ready again."""
    first, _again = both()
    f = Forger(rematch())
    order = f.answers(a_marked_ask(f, 0))[0]
    order.fields["say"]["link"] = first.pens[order.seat].link(order.fields["say"]["link_n"])
    shows_with_the_next_report(f, order, "LINK")
    f = Forger(rematch())
    ready = f.first("ready")
    ready.fields["say"]["link"] = first.pens[ready.seat].link(1)
    shows_with_the_next_report(f, ready, "LINK")


def test_a_host_that_rolls_with_links_of_the_first_game_is_found_out() -> None:
    """RAND: the dice do not give the host's result."""
    first, _again = both()
    f = Forger(rematch())
    roll = f.first("rand", lambda fields: fields["chain"] == "pub")
    known = [[seat, n, first.pens[seat].link(n)] for seat, n, _link in f.links_at(roll)]
    roll.fields["res"] = f.outcome(roll, roll.fields["req"], known)
    shows_with_the_next_report(f, roll, "RAND")


def test_the_door_takes_no_link_of_another_game() -> None:
    first, _ = both()
    again = a_table(2)
    question = again.course.question
    assert question
    put = AskSeen(question.n, question.secret, question.mark, (question.n, again.ledger.log.entries[question.n].hash))
    pen = again.pens["ann"]
    pen._chain = first.pens["ann"].chain
    with pytest.raises(Refused) as caught:
        check_order(pen.order(put, "X"), again.history, put)
    assert caught.value.code == "LINK"
    again.change_key("bob", NEW)
    assert again.course.call
    with pytest.raises(Refused) as caught:
        check_ready(pen.ready(again.ledger.log.head, again.course.call.mark), again.history)
    assert caught.value.code == "LINK"


def test_a_chain_that_was_renewed_hangs_on_the_game_as_well() -> None:
    """Otherwise a host could help a player with a changed key to real sixes in a rematch."""
    tables = a_table(3), a_table(2)
    for table in tables:
        table.rekey("bob", NEW)
    one, two = (table.pens["bob"] for table in tables)
    assert one.begun == two.begun
    assert {one.link(one.base + i) for i in range(9)}.isdisjoint({two.link(two.base + i) for i in range(9)})


def test_a_statement_of_the_first_game_is_none_in_the_second() -> None:
    """BIND: whatever a player signed names its game."""
    first, _ = both()
    again = a_table(2)
    resigned = first.pens["ann"].say({"act": "resign", "no": 1, "seen": list(again.ledger.log.head), "after": []})
    assert fault_of(again, entry(again, "say", resigned)) == "BIND"


# -- keys under which one signature can be read in two ways -------------------------------------------------------------


def test_a_key_with_a_part_of_low_order_joins_nowhere() -> None:
    """SIG, at join, at a change of key and for a new host. Libraries disagree about its signatures, so the player could
    deny an order."""
    f = Forger(rematch())
    join = f.first("join")
    join.fields["say"]["key"] = MIXED_KEY
    shows_with_the_next_report(f, join, "SIG")
    assert "the key has a part of low order" in verify(f.write()).reason, "and not only for its signature"


@pytest.mark.parametrize("name", ["key", "recovery"])
def test_nor_does_a_seat_change_to_it(name: str) -> None:
    table = a_table(2)
    pen, key = Pen(NEW, table.id, "bob", begun=1), table.pens["bob"].key
    envelope = pen.rekey(key, table.ledger.log.head, table.after("bob"), table.course.seats["bob"].next)
    say = {**envelope.say, name: MIXED_KEY}
    forged = Envelope(say, key.sign(SAY, cj(say)))
    assert fault_of(table, entry(table, "rekey", forged, due=table.course.due)) == "SIG"
    with pytest.raises((FormError, Refused), match=r"a part of low order|not the recovery key"):
        check_rekey(forged, table.history, table.now)


def test_nor_does_anybody_host_with_it() -> None:
    f = Forger(rematch())
    f.first("game").fields["host"] = MIXED_KEY
    assert faulted(verify(f.write())) == (0, "SIG", "host")
