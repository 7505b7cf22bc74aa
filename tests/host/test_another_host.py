"""A host vanishes in mid-game, and another goes on from the players' copies, by mail, to the end."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import tiny_game

from pbem.errors import RecordError, UsageError
from pbem.games import find
from pbem.host import Office
from pbem.host.store import KEPT_BY
from pbem.host.store.backup import back_up, restore
from pbem.host.store.keeping import Wanted, overview
from pbem.kernel import Game
from pbem.ledger import MOVE, Log, cj, fingerprint, make_entry, to_compare, verify
from pbem.mail import Letter, read_block, read_message, write_block
from pbem.mail.hours import Hours
from pbem.player import Desk
from pbem.referee import Envelope, signed_head
from pbem.referee.audit import audit
from pbem.reports.entries import Reader
from tests.host.another_host import adopt, agree, copies, ready, vanish, with_a_report

from .post import HOST, Club, a_club, key_of

OTHER = "other@example.org"


def in_order(club: Club, game: Game) -> None:
    """Log and copies are in order, and nobody is blamed."""
    whole = club.log()
    assert whole.finished
    verdict = audit(whole.dump(), lambda _: (game, "0" * 64)).verdict
    assert verdict.verdict == "clean", verdict
    assert "Lost with the former host" in verdict.reason
    for seat, desk in club.desks.items():
        copy = desk.copy(desk.notes())
        assert copy.log.head == whole.head
        assert verify(copy.log, seat).verdict == "clean"
        assert Desk(desk.home).copy(desk.notes()).verdict().verdict == "clean", "as it lies in its file, too"


def _question(club: Club) -> str:
    """What is asked of the seat that is asked alone."""
    return str(club.log().entries[-1].fields["what"])


@pytest.mark.slow
@pytest.mark.parametrize("answers", [2, 3, 5])
def test_a_game_of_tiny_goes_on_under_another_host(tmp_path: Path, answers: int) -> None:
    """Between two turns, when the cards of one are here, and when a token has been drawn."""
    with a_club(tmp_path, turns=3) as club:
        club.begin()
        for _ in range(answers):
            acts = len(club.asked()) == 1 and _question(club) == "act"
            club.take(club.order(club.asked()[0], "ACT DIG" if acts else ""))
            club.read_all()
        vanish(club)
        adopt(club)
        assert club.asked() == ["ann", "bob"]
        assert agree(club) == ["agree: ann", "agree: bob"]
        ready(club)
        club.play()
        in_order(club, tiny_game.GAME)
        assert {desk.notes().host for desk in club.desks.values()} == {OTHER}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "answers"), [("lords", 7), ("hammer", 9)])
def test_a_shipped_game_goes_on_under_another_host(tmp_path: Path, name: str, answers: int) -> None:
    with a_club(tmp_path, game=name) as club:
        club.begin()
        for _ in range(answers):
            club.take(club.order(club.asked()[0]))
            club.read_all()
        vanish(club)
        adopt(club)
        agree(club)
        ready(club)
        for _ in range(answers):
            club.take(club.order(club.asked()[0]))
            club.read_all()
        if name == "hammer":
            club.say(club.asked()[0], "resign")
        else:
            club.say("angus", "resign")
            club.say("buchan", "resign")
        in_order(club, find(name).rules)


@pytest.mark.slow
def test_what_the_players_read(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        vanish(club)
        adopt(club)
        raw = club.deliver()["ann"][-1]
        text = " ".join(club.desks["ann"].read(raw).words.split())
        assert 'The former host of Tiny "A test" (game' in text
        assert fingerprint(key_of("other").key_line) in text
        said = club.desks["ann"].newcomers.welcome(raw, club.now())
        assert said.startswith(f"{OTHER}\n  {to_compare(key_of('other').key_line)}\nThe game continues from entry ")
        (letter,) = club.letters(club.desks["ann"])
        assert b"To: other@example.org" in letter
        assert club.take(letter) == "agree: ann"
        assert club.take(letter.replace(b"ann@example.org>", b"again@example.org>")).startswith("duplicate")
        assert club.asked() == ["bob"]
        club.desks["bob"].newcomers.welcome(club.received["bob"][-1], club.now())
        assert [club.take(letter) for letter in club.letters(club.desks["bob"])] == ["agree: bob"]
        raws = club.deliver()
        said = club.desks["ann"].join(raws["ann"][-1], club.now())
        assert f"the host\n  {fingerprint(key_of('other').key_line)}" in said
        told = " ".join(club.desks["bob"].read(raws["bob"][-1]).text.split())
        assert told.startswith("The game continues under another host, as all agreed.")
        assert "Another host continues the game from entry" in told
        club.desks["bob"].join(raws["bob"][-1], club.now())
        for seat in ("ann", "bob"):
            for letter in club.letters(club.desks[seat]):
                club.take(letter)
        club.read_all()
        moved = next(entry for entry in club.log().entries if entry.k == "host")
        shown = Reader(club.log(), find("tiny")).line(moved)
        assert fingerprint(key_of("other").key_line) in shown
        assert f"from entry {moved.fields['seen'][0]}" in shown
        assert (
            "All are ready: the game continues under the other host."
            in club.desks["ann"].read(club.received["ann"][-1]).text
        )


@pytest.mark.slow
def test_a_copy_that_goes_further_is_wound_back_and_kept(tmp_path: Path) -> None:
    """One has read on, and has ordered; the last mail to the other was lost with the host."""
    with a_club(tmp_path) as club:
        club.begin()
        for seat in ("ann", "bob"):
            club.take(club.order(seat))
        seat, raw = with_a_report(club.deliver())
        further = club.desks[seat]
        further.read(raw)
        club.take(club.order(seat))
        before = further.copy(further.notes()).log.dump()
        vanish(club)
        adopt(club)
        agree(club)
        ready(club)
        moved = next(entry for entry in club.log().entries if entry.k == "host")
        assert further.copy(further.notes()).log.entries[moved.n].hash == moved.hash
        assert Log.parse(before).head[0] > moved.fields["seen"][0]
        (kept,) = (further.home / "games").glob("*.former")
        assert kept.read_bytes() == before
        assert further.notes().revisions == {}, "what was signed for the former host answers no question of this one"
        club.play()
        in_order(club, tiny_game.GAME)


@pytest.mark.slow
@pytest.mark.parametrize("notes", [True, False], ids=["", "before whose a store is was noted"])
@pytest.mark.parametrize("agreed", [True, False], ids=["taken over", "proposed"])
def test_who_took_a_game_over_gets_his_own_backup_back_and_the_former_host_does_not(
    tmp_path: Path, agreed: bool, notes: bool
) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        former = vanish(club)
        adopt(club)
        if agreed:
            assert [word for word in agree(club)[-1:] if word.startswith("agree")]
        if not notes:
            club.office.store.forget(KEPT_BY)
        back_up(club.office.store, tmp_path / "saved")
        if agreed or notes:
            with pytest.raises(UsageError, match="another key than the one here; nothing has been changed"):
                restore(tmp_path / "saved", tmp_path / "their.sqlite", key_of("host").key_line)
        found = restore(tmp_path / "saved", tmp_path / "own.sqlite", key_of("other").key_line)
        assert len(found) == agreed
        former.close()


@pytest.mark.slow
def test_the_former_host_comes_back_too_late(tmp_path: Path) -> None:
    """The orders that were on their way reach him after all, and he goes on; nobody takes anything from him."""
    with a_club(tmp_path) as club:
        club.begin()
        orders = [club.order(seat) for seat in club.asked()]
        former = vanish(club)
        adopt(club)
        agree(club)
        ready(club)
        copies_of = {seat: desk.copy(desk.notes()).log.dump() for seat, desk in club.desks.items()}
        for order in orders:
            assert former.robot.take(order, club.now()).startswith("order: ")
        club.office, other = former, club.office
        seat, report = with_a_report(club.deliver())
        desk = club.desks[seat]
        with pytest.raises(RecordError, match="Letters from the former host are no longer valid"):
            desk.read(report)
        club.office = other
        assert desk.copy(desk.notes()).log.dump() == copies_of[seat]
        assert not list((desk.home / "games").glob("*.fork"))
        assert club.take(orders[1]).startswith("refused: "), "it answers a question that is void"
        club.play()
        in_order(club, tiny_game.GAME)
        former.close()


def test_nothing_is_signed_for_the_former_host_any_more(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        former = vanish(club)
        adopt(club)
        desk = club.desks["ann"]
        desk.newcomers.welcome(club.deliver()["ann"][-1], club.now())
        with pytest.raises(UsageError, match="nothing more is signed for the former one"):
            club.order("ann")
        former.close()


@pytest.mark.slow
def test_an_order_that_waits_for_the_former_host_is_not_sent(tmp_path: Path) -> None:
    """It was written before the player agreed: neither host is to have it, with its link."""
    with a_club(tmp_path) as club:
        club.begin()
        desk = club.desks["ann"]
        _, view, pack = desk.question(desk.notes())
        desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", club.now())
        vanish(club)
        adopt(club)
        desk.newcomers.welcome(club.deliver()["ann"][-1], club.now())
        (letter,) = club.letters(desk)
        assert club.take(letter) == "agree: ann"


@pytest.mark.slow
def test_two_new_hosts_are_one_too_many(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        vanish(club)
        adopt(club)
        one = club.deliver()["ann"][-1]
        vanish(club, "third")
        adopt(club)
        two = club.deliver()["ann"][-1]
        desk = club.desks["ann"]
        desk.newcomers.welcome(one, club.now())
        with pytest.raises(UsageError, match="two hosts would continue one game"):
            desk.newcomers.welcome(two, club.now())
        desk.newcomers.welcome(two, club.now(), another=True)


@pytest.mark.slow
def test_what_was_not_proposed_is_not_taken(tmp_path: Path) -> None:
    """An agreement to one host is none to another; and one to what was proposed before is none to what is proposed now."""
    with a_club(tmp_path) as club:
        club.begin()
        vanish(club)
        adopt(club)
        club.desks["ann"].newcomers.welcome(club.deliver()["ann"][-1], club.now())
        (letter,) = club.letters(club.desks["ann"])
        vanish(club, "third")
        adopt(club)
        assert club.take(letter).startswith(
            "refused: BIND: You agree to something other than this host's latest proposal"
        )


@pytest.mark.slow
def test_a_proposal_that_was_tampered_with_is_not_agreed_to(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        vanish(club)
        adopt(club)
        raw = club.deliver()["ann"][-1]
        desk = club.desks["ann"]
        block = read_block(read_message(raw).text)
        assert block
        thief = key_of("thief")
        say = {**block.say, "host": {**block.say["host"], "key": thief.key_line}}
        with pytest.raises(RecordError, match="The new host has not signed this"):
            desk.newcomers.welcome(_with(raw, Envelope(say, block.sig)), club.now())
        for changes, why in (
            ({"seen": [3, "7" * 64]}, "That entry is from another history than your copy's"),
            ({"seen": [99, block.say["host"]["seen"][1]]}, "your copy has not reached"),
            ({"mark": 2}, "a link that may be known already"),
            ({"mark": 4000}, "use up the links of your chain"),
            ({"key": key_of("bob").key_line}, "A host is never a player"),
        ):
            host = {**block.say["host"], "key": thief.key_line, **changes}
            key = key_of("bob") if "key" in changes else thief
            say = {**block.say, "host": host}
            with pytest.raises(RecordError, match=why):
                desk.newcomers.welcome(_with(raw, Envelope(say, key.sign(MOVE, cj(say)))), club.now())
        assert not desk.tray.unsent()
        assert desk.notes().next_host == ""


def _with(raw: bytes, envelope: Envelope) -> bytes:
    """The mail with another block in it."""
    return f"From: {OTHER}\nTo: ann@example.org\n\n{write_block(envelope)}\n".encode()


@pytest.mark.slow
def test_a_host_cannot_take_over_its_own_game_nor_one_that_lacks_a_copy(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        addresses = {seat: f"{seat}@example.org" for seat in club.desks}
        with pytest.raises(UsageError, match="This host has that game already: it is game 1"):
            club.robot.adopt(copies(club), addresses, "", club.now())
        alone = club.desks["ann"].copy(club.desks["ann"].notes()).log
        vanish(club)
        with pytest.raises(RecordError, match="The copies of all seats are needed"):
            club.robot.adopt(alone, addresses, "", club.now())
        with pytest.raises(UsageError, match="name an address for each"):
            club.robot.adopt(copies(club), {"ann": HOST}, "", club.now())
        assert overview(club.robot.store, Wanted()) == [], "nothing is left half done"


@pytest.mark.slow
def test_an_agreement_that_was_not_used_winds_no_copy_back(tmp_path: Path) -> None:
    """All agreed to one host, who gave up, and then to another; the first one comes with their agreements after all."""
    with a_club(tmp_path, turns=3) as club:
        club.begin()
        vanish(club)
        adopt(club)
        club.deliver()
        unused = [club.desks[seat] for seat in club.desks]
        for desk, seat in zip(unused, club.desks, strict=True):
            desk.newcomers.welcome(club.received[seat][-1], club.now())
        letters = [letter for desk in unused for letter in club.letters(desk)]
        first, number = vanish(club, "third"), club.number
        adopt(club)
        for seat, raws in club.deliver().items():
            club.desks[seat].newcomers.welcome(raws[-1], club.now(), another=True)
            for letter in club.letters(club.desks[seat]):
                club.take(letter)
        third, late = club.office, club.number
        club.office, club.number = first, number
        for letter in letters:
            club.take(letter)
        stale = club.deliver()["ann"][-1]
        with pytest.raises(RecordError, match="not in the way you last agreed to"):
            club.desks["ann"].read(stale)
        club.office, club.number = third, late
        ready(club)
        club.turn()
        with pytest.raises(RecordError, match="you have not agreed to that host here"):
            club.desks["ann"].read(stale)
        club.play()
        in_order(club, tiny_game.GAME)


@pytest.mark.slow
def test_a_stranger_who_takes_over_spoils_no_copy(tmp_path: Path) -> None:
    """Nobody has agreed to him; who believed him would take nothing from the true host any more."""
    with a_club(tmp_path, turns=3) as club:
        club.begin()
        desk, thief = club.desks["ann"], key_of("thief")
        log = desk.copy(desk.notes()).log
        n, h = log.head
        host = {
            "chains": log.entries[0].fields["chains"],
            "deals": log.entries[0].fields["deals"],
            "key": thief.key_line,
            "mark": 9,
            "seen": [n, h],
            "agreed": [n],
        }
        entry = make_entry(n + 1, h, {"k": "host", "at": club.now(), **host})
        lines = entry.line + b"\n" + cj(signed_head(thief, log.game, n + 1, entry.hash)) + b"\n"
        mail = Letter(
            OTHER, "ann@example.org", "Tiny", "Go on.", "1@other", datetime(2030, 1, 1, tzinfo=UTC), log=lines
        )
        with pytest.raises(RecordError, match=r"that is not true\. Your copy stays as it is"):
            desk.read(mail.raw())
        assert desk.copy(desk.notes()).log.dump() == log.dump()
        club.play()
        assert club.log().finished


def test_a_former_host_needs_another_key(tmp_path: Path) -> None:
    """He has lost his backup, but not his key: what he signed before would be a second history."""
    with a_club(tmp_path) as club:
        club.begin()
        club.office = Office.create(club.folder / "again", club.office.robot.house.key, HOST)
        with pytest.raises(UsageError, match="This host's key has led the game before"):
            adopt(club)
        assert overview(club.robot.store, Wanted()) == []


@pytest.mark.slow
def test_what_no_log_holds_is_said_anew(tmp_path: Path) -> None:
    """When time counts, and in which language each is written to; hours and grace stand in the log."""
    with a_club(tmp_path, hours=48, grace=6) as club:
        club.begin()
        vanish(club)
        addresses = {seat: f"{seat}@example.org" for seat in club.desks}
        clock = Hours.read("Europe/Paris", "22-08", "off")
        club.number = club.robot.adopt(copies(club), addresses, "", club.now(), clock, {"ann": "fr"})
        proposals = {seat: read_message(raws[-1]) for seat, raws in club.deliver().items()}
        assert (proposals["ann"].language, proposals["bob"].language) == ("fr", "en")
        assert proposals["ann"].text.partition("\n")[2].startswith("L'ancien hôte")
        for seat, desk in club.desks.items():
            desk.newcomers.welcome(club.received[seat][-1], club.now())
            for letter in club.letters(desk):
                club.take(letter)
        ready(club)
        game = club.robot.house.game(club.number)
        assert game.row.title == "Tiny"
        assert (game.course.terms.hours, game.course.terms.grace, game.clock("bob")) == (48, 6, clock)
        assert game.row.due, "there is a time limit again"
