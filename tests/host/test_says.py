"""What is said besides orders, by mail: everybody is told, the log holds it, and every copy stays in order."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_game

from pbem.errors import UsageError
from pbem.games import find
from pbem.host.condition import figures
from pbem.host.says import extend
from pbem.i18n import moments
from pbem.ledger import fingerprint
from pbem.mail import Maildir, read_message
from pbem.player import Desk, PlayerSettings
from pbem.referee import Pen, Refused
from pbem.referee.audit import audit
from pbem.referee.replaying import Shelf
from tests.host.says import Later, in_order
from tests.stored import stored_rows

from .post import Club, a_club, key_of, letter_of, moment

CLAIMS = {"late": "claim", "leave": 48}
LEAVE = {"late": "default", "leave": 48}


def last_report(club: Club, seat: str) -> str:
    """What a seat reads in its last mail: host's text and the copy's agree."""
    reading = club.desks[seat].read(club.received[seat][-1])
    assert reading.warnings == ()
    return " ".join(reading.text.split())


def result(club: Club) -> object:
    return club.log().entries[-1].fields.get("result")


@pytest.mark.slow
def test_who_resigns_loses_at_once(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.take(club.order("ann"))
        assert club.say("bob", "resign") == "resign: bob"
        assert result(club) == {"winner": "ann", "why": "resigned", "seats": ["bob"]}
        assert [entry.k for entry in club.log().entries[-3:]] == ["ask", "say", "end"]
        in_order(club)
        assert "Bob resigned; Ann won." in last_report(club, "ann")


@pytest.mark.slow
def test_of_three_the_others_play_on_against_the_defaults_of_who_resigned(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3) as club:
        club.begin()
        club.take(club.order("bob"))
        club.take(club.order("cat"))
        assert club.say("ann", "resign") == "resign: ann"
        assert club.log().entries[-1].k == "ask", "the question was closed: the others had answered"
        assert "Out of the game: Ann. The default answer was taken." in last_report(club, "bob")
        in_order(club)
        while club.asked():
            assert "ann" not in club.asked()
            club.turn()
        in_order(club)
        skips = [entry.fields["why"] for entry in club.log().entries if entry.k == "skip"]
        assert skips
        assert set(skips) == {"out"}


@pytest.mark.slow
def test_a_draw_is_offered_and_agreed(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3) as club:
        club.begin()
        club.say("bob", "draw")
        offer = club.log().entries[-1].n
        assert f"Bob offered a draw (entry {offer})." in last_report(club, "ann")
        club.say("ann", "agree", about=offer)
        in_order(club)
        assert club.asked() == ["ann", "bob", "cat"]
        club.say("cat", "agree", about=offer)
        assert result(club) == {"winner": "", "why": "agreed"}
        in_order(club)
        assert "A draw was agreed." in last_report(club, "bob")


@pytest.mark.slow
def test_an_offer_lapses_at_the_next_order(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.say("bob", "draw")
        offer = club.log().entries[-1].n
        club.turn()
        log, desk = club.log(), club.desks["ann"]
        pen = Pen(key_of("ann"), log.game, "ann")
        last = [
            [entry.fields["say"]["ask"], 0]
            for entry in log.entries
            if entry.k == "order" and entry.fields["by"] == "ann"
        ][-1:]
        late = pen.say({"act": "agree", "about": offer, "no": 1, "seen": list(log.head), "after": last})
        desk.tray.write(desk.notes(), "agree.1", late, "", club.now())
        before = club.state()
        (letter,) = club.letters(desk)
        outcome, answered = club.answer_to(letter)
        assert outcome.startswith("refused: BIND")
        assert "lapsed" in answered["ann"][0].decode()
        assert club.state() == before


def test_a_say_that_comes_again_is_entered_once(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        desk = club.desks["bob"]
        desk.speaker(desk.notes()).say("draw", club.now())
        (letter,) = club.letters(desk)
        club.take(letter)
        assert club.take(letter.replace(b"bob@example.org>", b"again@example.org>")).startswith("duplicate")
        assert [entry.k for entry in club.log().entries].count("say") == 1


def became(club: Club) -> list[str]:
    """What is noted of the mails in which something was said behind an order, in the order in which they came."""
    rows = stored_rows(club.office.store, "select outcome from inbox order by id")
    return [
        row["outcome"] for row in rows if row["outcome"].startswith(("waits", "resign", "draw", "refused", "ignored"))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("act", ["resign", "draw"])
def test_a_statement_that_waits_for_an_order_is_accounted_for(tmp_path: Path, act: str) -> None:
    """A player resigns or offers a draw after an order that is not in the log yet. The mail counts as waiting until the
    order is there."""
    with a_club(tmp_path) as club:
        club.begin()
        club.take(club.order("ann"))
        assert club.say("ann", act) == f"waits: {act}, ann"
        assert became(club) == [f"waits: {act}, ann"]
        club.take(club.order("bob"))
        assert became(club) == [f"{act}: ann"]
        assert [entry.fields["say"]["act"] for entry in club.log().entries if entry.k == "say"] == [act]


@pytest.mark.slow
def test_what_was_said_behind_an_order_and_binds_no_more_is_noted_as_refused(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.take(club.order("ann"))
        club.say("ann", "draw")
        club.take(club.order("ann"))
        club.take(club.order("bob"))
        (noted,) = became(club)
        assert noted.startswith("refused: SEEN: ")
        assert figures(club.office.robot.store)["mails_refused"] == 1


@pytest.mark.slow
def test_what_was_said_behind_an_order_in_a_game_that_is_over_is_noted_as_ignored(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.take(club.order("ann"))
        club.say("ann", "draw")
        club.say("bob", "resign")
        assert became(club) == ["ignored: the game is over", "resign: bob"]


@pytest.mark.slow
def test_of_two_things_said_behind_an_order_the_later_counts(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.take(club.order("ann"))
        club.say("ann", "draw")
        kept = stored_rows(club.office.store, "select say from kept_says")[0]["say"]
        say = {**json.loads(kept), "act": "resign"}
        pen = Pen(key_of("ann"), club.log().game, "ann")
        club.take(letter_of("ann", pen.say({name: say[name] for name in ("act", "no", "seen", "after")}), ""))
        assert became(club) == ["ignored: its seat has said another thing after it", "waits: resign, ann"]
        club.take(club.order("bob"))
        assert became(club) == ["ignored: its seat has said another thing after it", "resign: ann"]


@pytest.mark.slow
def test_leave_adds_time_within_its_budget(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, terms=LEAVE) as club:
        club.begin()
        due = club.log().entries[-1].fields["due"]
        club.say("bob", "leave", hours=30)
        more = club.log().entries[-1].fields
        assert (more["k"], more["why"], more["cause"]) == ("extend", "leave", club.log().entries[-2].n)
        assert more["due"] == moment(_minutes(due) + 30 * 60)
        assert "Answer by " + moments.told(more["due"], "UTC", club.log().entries[-1].fields["at"]) in " ".join(
            last_report(club, "bob").split()
        )
        with pytest.raises(UsageError, match="18 left"):
            club.say("bob", "leave", hours=19)
        club.robot.tick(due.replace(":00Z", ":01Z"))
        assert club.asked() == ["ann", "bob"], "the time has been extended"
        in_order(club)
        club.robot.tick(moment(_minutes(more["due"]) + 1))
        club.read_all()
        assert [entry.k for entry in club.log().entries].count("skip") == 2
        in_order(club)


def _minutes(at: str) -> int:
    return next(minute for minute in range(100_000) if moment(minute) == at)


@pytest.mark.slow
def test_who_claims_in_time_wins_and_his_own_answer_stands_in_the_log(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, terms=CLAIMS) as club:
        club.begin()
        club.take(club.order("ann"))
        assert "before the time to answer was over" in club.say("ann", "claim")
        club.minute += 60 * 25
        club.robot.tick(club.now())
        assert club.asked() == ["bob"], "nobody is skipped where late answers are claimed"
        assert club.say("bob", "claim").startswith("refused: ASK"), "he has not answered himself"
        assert club.say("ann", "claim") == "claim: ann"
        assert [entry.k for entry in club.log().entries[-4:]] == ["say", "order", "skip", "end"]
        assert result(club) == {"winner": "ann", "why": "late", "seats": ["bob"]}
        in_order(club)
        assert "Bob did not answer in time; Ann won." in last_report(club, "bob")


@pytest.mark.slow
def test_a_late_answer_that_comes_before_the_claim_counts(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, terms=CLAIMS) as club:
        club.begin()
        club.take(club.order("ann"))
        club.minute += 60 * 25
        assert club.take(club.order("bob")) == "order: bob"
        club.read_all()
        in_order(club)


def test_more_time_is_given_for_a_reason_that_all_read(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        game = club.robot.house.game(club.number)
        since = game.row.due
        assert since == club.log().entries[-1].fields["due"]
        until = moment(_minutes(str(since)) + 600)
        with club.office.store.decision():
            extend(club.robot.play, game, until, "the host stood still", club.now())
        club.read_all()
        assert club.robot.house.game(club.number).row.due == until
        assert "the host stood still" in last_report(club, "ann")
        assert not club.robot.tick(str(since).replace(":00Z", ":59Z"))
        in_order(club)
        with pytest.raises(Refused, match="which is not the time added"):
            extend(club.robot.play, club.robot.house.game(club.number), str(since), "shorter", club.now())


REFUSED: dict[str, tuple[Callable[[Club], dict[str, object]], str]] = {
    "a number that was not next": (lambda club: {"act": "draw", "no": 2}, "ORDERING"),
    "another history": (lambda club: {"act": "draw", "no": 1, "seen": [3, "7" * 64]}, "SEEN"),
    "leave that the terms do not give": (lambda club: {"act": "leave", "no": 1, "hours": 1}, "ORDERING"),
    "a claim that the terms do not know": (lambda club: {"act": "claim", "no": 1}, "ORDERING"),
    "agreement to nothing": (lambda club: {"act": "agree", "no": 1, "about": 1}, "BIND"),
    "an act unknown here": (lambda club: {"act": "shout", "no": 1}, "FORM"),
    "hours that go with nothing": (lambda club: {"act": "resign", "no": 1, "hours": 1}, "FORM"),
}


@pytest.mark.slow
def test_what_may_not_be_said_changes_nothing_and_is_answered(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        log, desk = club.log(), club.desks["ann"]
        pen = Pen(key_of("ann"), log.game, "ann")
        before = club.state()
        for no, (what, code) in enumerate(REFUSED.values()):
            desk.tray.write(
                desk.notes(), f"say.{no}", pen.say({"seen": list(log.head), "after": [], **what(club)}), "", club.now()
            )
            (letter,) = club.letters(desk)
            outcome, answered = club.answer_to(letter)
            assert outcome.startswith(f"refused: {code}"), outcome
            assert [seat for seat, mails in answered.items() if mails] == ["ann"]
            assert club.state() == before


@pytest.mark.slow
def test_an_answer_is_taken_back_by_consent(tmp_path: Path) -> None:
    with a_club(tmp_path, game="hammer") as club:
        club.begin()
        club.turn()
        first = club.asked()[0]
        other = next(seat for seat in club.desks if seat != first)
        question = club.log().entries[-1]
        assert "Either this seat did not answer that question last" in club.say(first, "takeback", about=question.n)
        club.take(club.order(first))
        club.read_all()
        assert club.asked() == [other]
        assert club.say(first, "takeback", about=question.n) == f"takeback: {first}"
        offer = club.log().entries[-1].n
        assert club.say(other, "agree", about=offer) == f"agree: {other}"
        assert [entry.k for entry in club.log().entries[-4:]] == ["say", "amend", "tell", "ask"]
        assert club.asked() == [first]
        again = club.log().entries[-1]
        assert again.fields["mark"] == question.fields["mark"]
        assert "may take an answer back" in last_report(club, other)
        for _ in range(4):
            club.turn()
        assert audit(club.log().dump(), lambda _: (find("hammer").rules, "0" * 64)).verdict.verdict == "unfinished"


@pytest.mark.slow
def test_a_game_goes_on_by_other_rules_when_all_have_agreed(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        late = club.order("ann")
        pack = replace(find("tiny"), rules=Later())
        club.robot.house._packs["tiny"] = pack
        outcome, answered = club.answer_to(late)
        assert outcome.startswith("refused: RULES")
        assert [seat for seat, mails in answered.items() if mails] == ["ann"]
        for seat, desk in club.desks.items():
            desk._packs["tiny"] = pack
            desk.speaker(desk.notes()).agree_to_rules(club.now())
            (letter,) = club.letters(desk)
            assert club.take(letter) == f"agree: {seat}"
            club.read_all()
        assert [entry.k for entry in club.log().entries[-4:]] == ["say", "amend", "tell", "ask"]
        assert "All agreed to continue by version 2 of the rules." in last_report(club, "bob")
        club.play()
        shelf: Shelf = {("tiny", 1): (tiny_game.GAME, "0" * 64)}
        assert audit(club.log().dump(), lambda _: (Later(), "0" * 64), shelf).verdict.verdict == "clean"


@pytest.mark.slow
def test_who_orders_by_the_former_rules_is_told_what_to_do_in_his_language(tmp_path: Path) -> None:
    with a_club(tmp_path, languages={"ann": "fr"}) as club:
        club.begin()
        club.robot.house._packs["tiny"] = replace(find("tiny"), rules=Later())
        for seat, said in (("ann", "installez cette version"), ("bob", "to that version: install it")):
            _, answered = club.answer_to(club.order(seat))
            assert said in " ".join(read_message(answered[seat][0]).text.split())


def test_agreeing_to_what_the_host_does_not_propose_changes_nothing(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        before = club.state()
        assert club.say("ann", "agree", what="7" * 64).startswith("refused: BIND")
        assert club.state() == before


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True])
def test_a_player_changes_his_key_and_all_are_ready_again(tmp_path: Path, lost: bool) -> None:
    """By the old key; or, where that is lost, by the recovery key that the seat was taken with."""
    new, spare = key_of("another key of ann"), key_of("a spare key of ann")
    with a_club(tmp_path) as club:
        desk = club.desks["ann"]
        (desk.home / "recovery.pub").write_text(spare.key_line + "\n", "utf-8")
        club.begin()
        club.take(club.order("bob"))
        assert desk.keys.rekey(new, club.now(), spare if lost else None) == ["Tiny"]
        (letter,) = club.letters(desk)
        assert club.take(letter) == "rekey: ann"
        assert club.take(letter.replace(b"ann@example.org>", b"again@example.org>")).startswith("duplicate")
        assert club.asked() == ["ann", "bob"], "nobody has answered, nobody is ready"
        assert club.take(club.order("bob")).startswith("refused: ASK")
        for seat, mails in club.deliver().items():
            (mail,) = (raw for raw in mails if b"compare the keys" in raw)
            assert b"Ann has another key" in mail
            assert fingerprint(new.key_line) in club.desks[seat].join(mail, club.now())
            (ready,) = club.letters(club.desks[seat])
            assert club.take(ready) == f"ready: {seat}"
            assert club.take(ready.replace(b"@example.org>", b"x@example.org>")).startswith("duplicate")
        club.read_all()
        assert club.asked() == ["ann", "bob"]
        club.play()
        in_order(club)


def test_a_thief_does_not_take_a_seat(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        thief, log = key_of("thief"), club.log()
        pen = Pen(thief, log.game, "ann")
        before = club.state()
        for recovery in ("", thief.key_line):
            club.desks["bob"].tray.write(
                club.notes("bob"), "rekey.1", pen.rekey(thief, log.head, [], recovery), "", club.now()
            )
            (letter,) = club.letters(club.desks["bob"])
            assert club.take(letter).startswith(("refused: SIG", "refused: FORM")), "nobody here has signed it"
            assert club.state() == before


@pytest.mark.slow
def test_another_player_takes_the_seat_of_one_who_has_vanished(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3, turns=4, hours=24) as club:
        club.begin()
        for _ in range(2):  # one deadline missed is no vanishing
            with pytest.raises(UsageError, match="Vanished: nobody"):
                club.robot.replace(club.number, "bob", "dora@example.org", club.now())
            for seat in set(club.asked()) - {"bob"}:
                club.take(club.order(seat))
            club.read_all()
            club.minute += 60 * 25
            club.robot.tick(club.now())
            club.read_all()
        club.robot.replace(club.number, "bob", "dora@example.org", club.now())
        dora = Desk.create(
            tmp_path / "dora", key_of("dora"), PlayerSettings("dora@example.org", str(tmp_path / "post"))
        )
        club.office.send(club.now())
        ((_, invitation, _),) = Maildir(tmp_path / "host" / "mail" / "dora").new()
        assert "the others are asked" in dora.join(invitation, club.now())
        (letter,) = club.letters(dora)
        assert club.take(letter) == "newcomer: bob"
        assert club.take(letter.replace(b"dora@example.org>", b"x@example.org>")).startswith("duplicate")
        for seat, mails in club.deliver().items():
            for raw in mails:
                if b"pbem welcome MAIL" in raw:
                    assert fingerprint(dora.key_line) in club.desks[seat].newcomers.welcome(raw, club.now())
                    (agreed,) = club.letters(club.desks[seat])
                    assert club.take(agreed) == f"agree: {seat}"
        assert [entry.k for entry in club.log().entries[-3:]] == ["say", "say", "amend"]
        club.desks["bob"] = dora
        boxes = club.deliver() | {"bob": [raw for _, raw, _ in Maildir(tmp_path / "host" / "mail" / "dora").new()]}
        for seat, mails in boxes.items():
            for raw in mails:
                if b"compare the keys" in raw:
                    club.desks[seat].join(raw, club.now())
                    (ready,) = club.letters(club.desks[seat])
                    assert club.take(ready) == f"ready: {seat}"
                elif seat != "bob":
                    club.desks[seat].read(raw)
        assert club.log().entries[-1].k == "ask"
        verdict = audit(club.log().dump(), lambda _: (tiny_game.GAME, "0" * 64)).verdict
        assert verdict.verdict == "unfinished", verdict
        club.read_all()
        while "bob" not in club.asked():  # a question may be put to one seat alone
            club.turn()
        club.office.send(club.now())
        box = [raw for _, raw, _ in Maildir(tmp_path / "host" / "mail" / "dora").new()]
        found = [dora.read(raw) for raw in sorted(box, key=club._order_sent)[2:]]  # after the invitation and the keys
        assert "YOUR CHOICE" in found[-1].text
        assert not any(mail.warnings for mail in found)
