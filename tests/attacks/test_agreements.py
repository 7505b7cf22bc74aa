"""An agreement to another host is to that one, from that entry, and to the last one only; no false one takes the true host away.

How a game goes on under another host, `tests/host/test_another_host.py` shows; what a log may hold of it, `test_another_host`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_game

from pbem.errors import RecordError, UsageError
from pbem.host import Office
from pbem.host.store.keeping import Wanted, overview
from pbem.ledger import Log, cj, fingerprint, make_entry, merge
from pbem.mail import read_message
from pbem.player import Desk
from pbem.referee import signed_head
from pbem.referee.audit import audit
from tests.host.another_host import adopt, ready, vanish, with_a_report
from tests.host.post import Club, a_club, key_of
from tests.player.desk import changed


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", turns=3) as club:
        yield club.begin()


def proposed(club: Club, name: str = "other") -> tuple[Office, dict[str, bytes]]:
    """Another host proposes itself from where the copies are; return the present one, and the mails that ask."""
    former = vanish(club, name)
    adopt(club)
    return former, {seat: raws[-1] for seat, raws in club.deliver().items()}


def play_on(club: Club, office: Office) -> None:
    """The present host goes on until all are asked again, and all read what he writes."""
    club.office, other = office, club.office
    number, club.number = club.number, 1
    club.turn()
    while len(club.asked()) < len(club.desks):
        club.turn()
    club.office, club.number = other, number


def dump(desk: Desk) -> bytes:
    return desk.copy(desk.notes()).log.dump()


def send(club: Club) -> list[str]:
    """Everybody's letters are taken; what the host decided."""
    return [club.take(letter) for desk in club.desks.values() for letter in club.letters(desk)]


# -- the last agreement counts ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_letter_that_waits_with_an_earlier_agreement_is_not_sent_with_a_later_one(club: Club) -> None:
    """Both would go with the next `pbem send`, and either host could use his: two games from one."""
    _, one = proposed(club)
    _, two = proposed(club, "third")
    desk = club.desks["ann"]
    desk.newcomers.welcome(one["ann"], club.now())
    desk.newcomers.welcome(two["ann"], club.now(), another=True)
    (letter,) = club.letters(desk)
    assert read_message(letter).to == ("third@example.org",)
    assert club.take(letter) == "agree: ann"


def agreed_early(club: Club) -> tuple[dict[str, bytes], list[bytes]]:
    """All have agreed to another host who has not used it, and have played on with the present one; return mails and letters."""
    present, early = proposed(club)
    for seat, desk in club.desks.items():
        desk.newcomers.welcome(early[seat], club.now())
    unused = [letter for desk in club.desks.values() for letter in club.letters(desk)]
    for desk in club.desks.values():
        assert "has been sent: if all others agree as well" in desk.newcomers.stay(desk.notes())
    play_on(club, present)
    return early, unused


@pytest.mark.slow
def test_a_host_picks_no_other_beginning_afterwards(club: Club) -> None:
    """It has agreements to an early and a late starting point. They are valid for its last proposal only."""
    _, unused = agreed_early(club)
    before = {seat: dump(desk) for seat, desk in club.desks.items()}
    adopt(club)
    for seat, raws in club.deliver().items():
        club.desks[seat].newcomers.welcome(raws[-1], club.now())
    for letter in unused:
        assert club.take(letter).startswith("refused: ")
    assert send(club) == ["agree: ann", "agree: bob"]
    ready(club)
    for seat, desk in club.desks.items():
        assert dump(desk).startswith(before[seat]), "nothing was wound back"
    club.play()
    assert audit(club.log().dump(), lambda _: (tiny_game.GAME, "0" * 64)).verdict.verdict == "clean"


@pytest.mark.slow
def test_an_earlier_agreement_that_comes_first_winds_no_copy_back(club: Club) -> None:
    """A host uses early agreements after a later one. Each program keeps its last agreement."""
    _, unused = agreed_early(club)
    before = {seat: dump(desk) for seat, desk in club.desks.items()}
    cheat, number = club.office, club.number
    _, late = proposed(club, "third")
    for seat, desk in club.desks.items():
        desk.newcomers.welcome(late[seat], club.now())
    third, later, club.office, club.number = club.office, club.number, cheat, number
    for letter in unused:
        assert club.take(letter).startswith("agree: ")
    for seat, raws in club.deliver().items():
        with pytest.raises(RecordError, match=r"not in the way you last agreed to\. Nothing was taken from it"):
            club.desks[seat].read(raws[-1])
        assert dump(club.desks[seat]) == before[seat]
    club.office, club.number = third, later
    assert send(club) == ["agree: ann", "agree: bob"]
    ready(club)
    for seat, desk in club.desks.items():
        assert dump(desk).startswith(before[seat])
    assert club.play().log().finished


@pytest.mark.slow
def test_what_will_be_lost_is_said_before_anything_is_signed(club: Club) -> None:
    """Ann has read on; the new host goes on from where the other's copy ends."""
    for seat in club.asked():
        club.take(club.order(seat))
    seat, raw = with_a_report(club.deliver())
    further = club.desks[seat]
    further.read(raw)
    _, asked = proposed(club)
    said = {name: desk.newcomers.welcome(asked[name], club.now()) for name, desk in club.desks.items()}
    n = club.robot.house.game(club.number).ledger.n
    lost = len(further.copy(further.notes()).log.entries) - 1 - n
    assert lost > 0
    assert f"The game continues from entry {n}." in said[seat]
    assert f"of your copy count{'s' if lost == 1 else ''} no more." in said[seat]
    assert all("no more" not in words for name, words in said.items() if name != seat)


@pytest.mark.slow
def test_what_was_read_after_agreeing_is_not_lost_without_a_word(club: Club) -> None:
    """The game went on with the present host, and then the other one comes with their agreements after all."""
    early, unused = agreed_early(club)
    before = {seat: dump(desk) for seat, desk in club.desks.items()}
    for letter in unused:
        club.take(letter)
    for seat, raws in club.deliver().items():
        desk = club.desks[seat]
        with pytest.raises(RecordError, match="your copy is longer, and you have not agreed to that host here"):
            desk.read(raws[-1])
        assert dump(desk) == before[seat]
        said = desk.newcomers.welcome(early[seat], club.now())
        assert "of your copy count no more." in said, "whoever will go on with him knows what it costs"
        desk.join(raws[-1], club.now())
        (kept,) = (desk.home / "games").glob("*.former")
        assert kept.read_bytes() == before[seat]


# -- a game that is over ------------------------------------------------------------------------------------------------


def finished(club: Club) -> dict[str, Log]:
    """Bob resigns and Ann has won; the copies from before that, as Bob may still show them."""
    before = {seat: Log.parse(dump(desk)) for seat, desk in club.desks.items()}
    club.say("bob", "resign")
    assert club.log().finished
    return before


def test_a_game_that_is_over_is_not_opened_again_from_a_shortened_copy(club: Club) -> None:
    """The loser brings his shortened copy and an old one of the winner's to a new host. The winner's program refuses."""
    short = finished(club)
    vanish(club)
    addresses = {seat: f"{seat}@example.org" for seat in club.desks}
    club.number = club.robot.adopt(merge(short["ann"], short["bob"]), addresses, "A test", club.now())
    raw = club.deliver()["ann"][-1]
    ann, before = club.desks["ann"], dump(club.desks["ann"])
    for another in (False, True):
        with pytest.raises(RecordError, match="According to your copy this game is over, so nobody can continue it"):
            ann.newcomers.welcome(raw, club.now(), another=another)
    assert ann.tray.unsent() == []
    assert dump(ann) == before


def test_with_the_winners_own_copy_no_host_takes_it_over(club: Club) -> None:
    """The honest host asks every player for his own copy: together they hold the end."""
    short = finished(club)
    ann = club.desks["ann"].copy(club.notes("ann")).log
    vanish(club)
    addresses = {seat: f"{seat}@example.org" for seat in club.desks}
    with pytest.raises(RecordError, match="The game is over, so nobody can continue it"):
        club.robot.adopt(merge(short["bob"], ann), addresses, "", club.now())
    with pytest.raises(RecordError, match="The copies of all seats are needed"):
        club.robot.adopt(short["bob"], addresses, "", club.now())
    assert overview(club.robot.store, Wanted()) == []


@pytest.mark.slow
@pytest.mark.parametrize("taken_back", [False, True])
def test_an_agreement_from_before_the_end_opens_no_game_that_is_over(club: Club, taken_back: bool) -> None:
    """Ann agreed while the host was silent; he came back, Bob resigned, Ann has won. Bob's friend uses her agreement now."""
    present, asked = proposed(club)
    shutil.copytree(club.folder / "bob", club.folder / "bob's other desk")
    ann, bob = club.desks["ann"], Desk(club.folder / "bob's other desk")
    ann.newcomers.welcome(asked["ann"], club.now())
    letters = club.letters(ann)
    if taken_back:
        ann.newcomers.stay(ann.notes())
    friend, number, club.office, club.number = club.office, club.number, present, 1
    club.say("bob", "resign")
    before = dump(ann)
    assert Log.parse(before).finished
    club.office, club.number = friend, number
    bob.newcomers.welcome(asked["bob"], club.now())
    assert [club.take(letter) for letter in [*letters, *club.letters(bob)]] == ["agree: ann", "agree: bob"]
    raw = club.deliver()["ann"][-1]
    with pytest.raises(RecordError, match="According to your copy this game is over"):
        ann.read(raw)
    assert dump(ann) == before
    assert dump(Desk(ann.home)) == before


# -- a false new host ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_agreeing_to_a_false_host_locks_nobody_out(club: Club) -> None:
    """A stranger poses as a new host. Ann sees when the true host last wrote, and withdraws her agreement."""
    present, asked = proposed(club)
    ann = club.desks["ann"]
    clock = Log.parse(dump(ann)).entries[-1].fields["at"]
    said = " ".join(ann.newcomers.welcome(asked["ann"], club.now()).split())
    assert f"The host of now, host@example.org, wrote last at {clock}, by his log." in said
    assert f"“pbem welcome --withdraw {ann.notes().game[:8]}” takes it back" in said
    club.office, club.number = present, 1
    with pytest.raises(UsageError, match="nothing more is signed for the former one"):
        club.order("ann")
    assert "was not sent, and is laid aside" in ann.newcomers.stay(ann.notes())
    assert ann.tray.unsent() == []
    with pytest.raises(UsageError, match="You have agreed to no other host"):
        ann.newcomers.stay(ann.notes())
    club.play()
    assert audit(club.log().dump(), lambda _: (tiny_game.GAME, "0" * 64)).verdict.verdict == "clean"


@pytest.mark.slow
def test_it_can_be_taken_back_when_it_was_sent_as_long_as_not_all_have_agreed(club: Club) -> None:
    """The false host has Ann's word, and not Bob's: with that he can do nothing."""
    present, asked = proposed(club)
    ann = club.desks["ann"]
    ann.newcomers.welcome(asked["ann"], club.now())
    assert [club.take(letter) for letter in club.letters(ann)] == ["agree: ann"]
    assert "has been sent" in ann.newcomers.stay(ann.notes())
    false, number = club.office, club.number
    club.office, club.number = present, 1
    club.play()
    before = dump(ann)
    log = ann.copy(ann.notes()).log
    assert log.finished
    club.office, club.number = false, number
    n, h = log.head
    host = dict(false.robot.house.game(number).ledger.entry(0))
    fields = {"k": "host", "at": club.now(), "chains": host["chains"], "deals": host["deals"]}
    entry = make_entry(n + 1, h, {**fields, "key": key_of("other").key_line, "mark": 99, "seen": [n, h], "agreed": [n]})
    head = cj(signed_head(key_of("other"), log.game, n + 1, entry.hash))
    with pytest.raises(RecordError, match="Your copy stays as it is"):
        ann.read(changed(asked["ann"], log=lambda _: [entry.line, head]))
    assert dump(ann) == before


@pytest.mark.slow
def test_a_true_host_takes_over_after_a_false_one(club: Club) -> None:
    """Ann agreed to the false one first; she withdraws, or says that he has given up, and goes on with the true one."""
    for withdraw in (True, False):
        twin = club.copy_to(club.folder.parent / f"twin {withdraw}")
        _, false = proposed(twin)
        ann = twin.desks["ann"]
        ann.newcomers.welcome(false["ann"], twin.now())
        _, true = proposed(twin, "third")
        if withdraw:
            ann.newcomers.stay(ann.notes())
        else:
            with pytest.raises(UsageError, match="add --another"):
                ann.newcomers.welcome(true["ann"], twin.now())
        said = ann.newcomers.welcome(true["ann"], twin.now(), another=not withdraw)
        assert fingerprint(key_of("third").key_line) in said
        twin.desks["bob"].newcomers.welcome(true["bob"], twin.now())
        assert send(twin) == ["agree: ann", "agree: bob"]
        ready(twin)
        assert twin.play().log().finished
        twin.office.close()
