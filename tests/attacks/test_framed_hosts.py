"""An honest host is to look dishonest: a player signs what the host takes, but what the log may not hold where it comes to stand.

Whatever is entered is held against the host, who signs it. So nothing is taken that the verifier would object to there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import ForkError, RecordError
from pbem.ledger import SAY, Log, PrivateKey, cj, merge, sha256_hex, verify
from pbem.referee import Envelope, Pen, proof_of, signed_head
from pbem.referee.table import AT
from tests.host.post import Club, a_club, key_of, letter_of

from .newcomers import agree, holder, three, token, trio
from .recorded import a_log

__all__ = ["three", "trio"]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=8) as made:
        yield made.begin()


# -- orders sent ahead --------------------------------------------------------------------------------------------------


def until_mark(club: Club, seat: str, mark: int) -> None:
    """Play until that seat is asked the question with that mark."""
    while seat not in (course := club.robot.house.game(1).course).waiting or course.seats[seat].mark < mark:
        club.turn()


@pytest.mark.slow
@pytest.mark.parametrize("further", [0, 1, 2])
def test_an_order_sent_ahead_by_who_had_seen_too_little_is_refused(club: Club, further: int) -> None:
    """A player names an old entry as his last, so that the host looks dishonest. An honest host does not use it."""
    log, since = club.log(), club.robot.house.game(1).course.since
    long_ago = since, log.entries[since].hash
    until_mark(club, "ann", 6)
    game = club.robot.house.game(1)
    legal = str(next(iter(game.pack.rules.options(game.resume().view("ann")))))
    ahead = Pen(key_of("ann"), log.game, "ann").ahead(6 + further, long_ago, legal)
    before = club.state()
    outcome = club.take(letter_of("ann", ahead, legal))
    club.play()
    assert verify(club.log()).verdict == "clean"
    assert outcome.startswith("refused: SEEN: You signed this having seen entry"), outcome
    assert before["ahead"] == []


@pytest.mark.slow
def test_one_that_a_former_program_took_is_not_used(club: Club) -> None:
    """It lies in the host's store: it is passed over, and its player is asked."""
    log, since = club.log(), club.robot.house.game(1).course.since
    until_mark(club, "ann", 6)
    game, pen = club.robot.house.game(1), Pen(key_of("ann"), log.game, "ann")
    legal = "\n".join(map(str, game.pack.rules.options(game.resume().view("ann"))))
    ahead = pen.ahead(7, (game.ledger.n, game.ledger.head), legal)
    assert club.take(letter_of("ann", ahead, legal)).startswith("ahead: ann")
    old = pen.ahead(7, (since, log.entries[since].hash), legal)
    with club.office.store.decision():
        club.office.store.db.execute("update ahead set say = ?, sig = ?", (cj(old.say).decode(), old.sig))
    club.play()
    assert verify(club.log()).verdict == "clean"
    assert not [e for e in club.log().entries if e.k == "order" and e.fields["say"]["act"] == "ahead"]


# -- newcomers ----------------------------------------------------------------------------------------------------------


def newcomer(club: Club, chain: str) -> Envelope:
    """Dora takes Bob's seat, with an anchor of her choice."""
    say = {**Pen(key_of("dora"), club.log().game, "bob").join().say, "chain": chain}
    return Envelope(say, key_of("dora").sign(SAY, cj(say)), proof=proof_of(token(club), say))


def test_a_newcomer_with_the_vanished_player_s_chain_is_refused(trio: Club) -> None:
    """The anchor is public in the log. With it the amendment would be BIND, the host's fault."""
    before = trio.log().dump()
    old = trio.robot.house.game(trio.number).course.seats["bob"].anchor
    outcome = trio.take(letter_of("dora", newcomer(trio, old)))
    agree(trio)
    assert verify(trio.log()).verdict == "unfinished"
    assert outcome.startswith("refused: BIND"), outcome
    assert trio.log().dump() == before


def test_a_newcomer_whose_key_another_player_takes_meanwhile_is_refused(trio: Club) -> None:
    """Cat takes the key with which the newcomer waits. The host refuses the last agreement."""
    join = Pen(key_of("dora"), trio.log().game, "bob").join(token=token(trio))
    assert trio.take(letter_of("dora", join)) == "newcomer: bob"
    game = trio.robot.house.game(trio.number)
    head, pen = (game.ledger.n, game.ledger.head), Pen(key_of("dora"), trio.log().game, "cat", begun=1)
    last = game.course.seats["cat"].answer
    changed = pen.rekey(key_of("cat"), head, [list(last)])
    assert trio.take(letter_of("cat", changed)) == "rekey: cat"
    trio.read_all()
    what = sha256_hex(cj({"player": {"say": join.say, "sig": join.sig}}))
    course = trio.robot.house.game(trio.number).course
    head = course.next - 1, trio.log().head[1]
    for seat, key in (("ann", key_of("ann")), ("cat", key_of("dora"))):
        after = [list(course.seats[seat].answer)]
        no = course.seats[seat].said + 1
        say = {
            "act": "agree",
            "what": what,
            "no": no,
            "seen": list(head),
            "after": after,
            "game": trio.log().game,
            "seat": seat,
        }
        outcome = trio.take(letter_of(seat, Envelope(say, key.sign(SAY, cj(say)))))
    assert verify(trio.log()).verdict == "unfinished", verify(trio.log())
    assert outcome.startswith("refused: BIND"), outcome
    assert holder(trio) == key_of("bob").key_line


# -- copies -------------------------------------------------------------------------------------------------------------


def usurped(log: Log, thief: PrivateKey, why: str) -> Log:
    """A copy that goes on under a host whom nobody has agreed to, signed by him."""
    (first, *_rest) = (entry.n for entry in log.entries if entry.k == "ask")
    made = log.cut(first)
    seen = [first, made.entries[first].hash]
    made.append(
        {
            "k": "host",
            "at": AT,
            "key": thief.key_line,
            "chains": {},
            "deals": "0" * 64,
            "mark": 4,
            "seen": seen,
            "agreed": [1],
        }
    )
    made.append({"k": "extend", "at": AT, "ask": first, "due": AT, "why": why})
    made.attach(signed_head(thief, made.game, *made.head))
    return made


def test_two_copies_by_a_made_up_host_show_no_two_histories_of_the_true_one() -> None:
    """A stranger signed both with his own key, so that a merge accuses the true host. One copy counts as altered."""
    log, thief = Log.parse(a_log("tiny").whole), key_of("thief")
    one, other = usurped(log, thief, "a"), usurped(log, thief, "b")
    assert verify(one).party == verify(other).party == "supplier"
    with pytest.raises(RecordError, match="no two signed heads") as found:
        merge(one, other)
    assert not isinstance(found.value, ForkError)
