"""Two friends at their desks: one asks back what he answered last, the other lets him, or plays on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.cli.turn import _Sitting
from pbem.ledger.pair import lines_of, verify_pair
from pbem.ledger.statements import is_consent
from pbem.player.pair import turns
from pbem.player.pair.saying import sayings_of_two
from pbem.referee.pair import PairPlay
from tests.pair.bad_days import ahead, is_asked
from tests.pair.friends import Friend, TwoFriends
from tests.pair.said import ends, passes

WHEN = "2026-01-02T03:04:05Z"
Answered = tuple[TwoFriends, Friend, Friend, Path]


@pytest.fixture(params=["asked", "waiting"])
def answered(request: pytest.FixtureRequest, tmp_path: Path) -> Answered:
    """One has answered, and his letter lies with the other, who is asked something, or whose program waits to go on."""
    both = TwoFriends(tmp_path, "--game", "swords", "--option", "players=2")
    both.join()
    one, other = both.bob, both.ann
    for _letter in range(80):
        one.answers(both.rng)
        letter = one.posts()
        assert letter is not None
        stands = one.desk.pairs.seat(one.notes).play()
        if stands.course.can_go_back(one.notes.seat):
            key = other.desk.pairs.key(other.table)
            play = PairPlay.of(stands.knowing, one.table.entries, key)
            play.turn(key)
            if (play.question is not None) == (request.param == "asked"):
                return both, one, other, letter
        other.does("read", letter)
        one, other = other, one
    raise AssertionError


def asks_back(one: Friend, other: Friend, letter: Path, *, together: bool = True) -> str:
    """Both letters come together, so that the other's program cannot go on in between."""
    assert "you ask to take back your last answers" in one.does("say", "takeback", "--yes")
    word = one.posts()
    assert word is not None
    if together:
        other.desk.read(letter.read_bytes(), WHEN)
    return other.does("read", word)


@pytest.mark.slow
def test_who_is_let_is_asked_again(answered: Answered) -> None:
    both, one, other, letter = answered
    said = asks_back(one, other, letter)
    request = "asks to take back what he answered last: “pbem say let” lets him"
    assert request in said[:300], "a long report follows"
    assert not other.desk.tray.unsent(), "no program goes on over it by itself"
    for command in ("games", "board"):
        assert "asks to take back" in other.does(command)
    assert "is asked again" in other.does("say", "let", "--yes")
    consent = other.posts()
    assert consent is not None
    assert "I let you take back" in consent.read_text("utf-8")
    said = one.does("read", consent)
    assert "lets you take back what you answered last: you are asked again" in said
    assert "took back the answer in entry" in said
    assert is_asked(one)
    code, said = one.pbem("say", "takeback", "--yes")
    assert (code, "taken back already" in said) == (2, True), said
    one.answers(both.rng)
    plays_to_an_end(both)


def plays_to_an_end(both: TwoFriends) -> None:
    for _time in range(3):
        passes(both.ann, both.bob)
        passes(both.bob, both.ann)
    one, _other = ahead(both)
    one.does("say", "resign", "--yes")
    assert "resigned" in ends(both)


@pytest.mark.slow
def test_playing_on_lets_the_answer_stand(answered: Answered) -> None:
    both, one, other, letter = answered
    asks_back(one, other, letter)
    if is_asked(other):
        other.answers(both.rng)
    else:
        assert "play on" in other.does("send")
    answer = other.posts()
    assert answer is not None
    assert "so they are final" in one.does("read", answer)
    assert b'"back"' not in other.log
    code, said = one.pbem("say", "takeback", "--yes")
    if ahead(both)[0] is one:
        assert (code, "so it is final" in said, "pbem press" in said) == (2, True, True), said
    plays_to_an_end(both)


@pytest.mark.slow
def test_a_request_that_comes_too_late_has_no_effect(answered: Answered) -> None:
    """A request to take an answer back crosses with the friend's turn. The answer remains, and both players are told."""
    both, one, other, letter = answered
    one.does("say", "takeback", "--yes")
    word = one.posts()
    assert word is not None
    other.does("read", letter)
    if is_asked(other):
        other.answers(both.rng)
    code, said = other.pbem("read", word)
    assert (code, "It is no longer valid" in said) == (2, True), said


@pytest.mark.slow
def test_consent_is_written_once_whatever_is_read_again(answered: Answered) -> None:
    _both, one, other, letter = answered
    asks_back(one, other, letter)
    other.does("say", "let", "--yes")
    log, consent = other.log, other.posts()
    assert consent is not None
    code, said = other.pbem("say", "let", "--yes")
    assert (code, "friend's turn" in said) == (2, True), said
    one.does("read", consent)
    assert "already" in one.does("read", consent)
    assert one.log == other.log == log


@pytest.mark.slow
def test_a_stopped_consent_is_sent_again_unchanged(answered: Answered) -> None:
    """The program stops after any write: the notes, the log, the letter. No earlier premove answers."""
    _both, one, other, letter = answered
    asks_back(one, other, letter)
    notes_before = other.desk.pairs.path(other.notes.game, "two").read_bytes()
    other.does("say", "let", "--yes")
    log = other.log
    (waiting,) = other.desk.tray.unsent()
    raw = waiting.read_bytes()
    waiting.unlink()
    other.desk.pairs.path(other.notes.game, "two").write_bytes(notes_before)  # the log was written, and nothing else
    other.does("resend")
    (waiting,) = other.desk.tray.unsent()
    assert other.log == log
    assert lines_of(other.log)[-1].line in waiting.read_bytes() or raw  # what is attached is the same
    again = other.posts()
    assert again is not None
    one.does("read", again)
    assert one.log == log
    assert is_asked(one)


@pytest.mark.slow
def test_what_was_said_in_advance_speaks_no_more(answered: Answered) -> None:
    _both, one, other, letter = answered
    notes = one.notes
    notes.along, notes.ahead = "RAID WEAKEST", {"99": ["RAID", ""]}
    one.desk.pairs.seat(notes).keep()
    theirs = other.notes
    theirs.answers = []
    theirs.along = "RAID WEAKEST"
    other.desk.pairs.seat(theirs).keep()
    asks_back(one, other, letter)
    other.does("say", "let", "--yes")
    assert other.notes.along == ""
    consent = other.posts()
    assert consent is not None
    assert "hold no longer" in one.does("read", consent)
    assert (one.notes.along, one.notes.ahead, one.notes.answers) == ("", {}, [])


@pytest.mark.slow
def test_unwritten_notes_let_no_earlier_premove_answer(answered: Answered) -> None:
    """The log has the consent, and the notes are those of before: they do not fit its count of answers."""
    _both, one, other, letter = answered
    asks_back(one, other, letter)
    other.does("say", "let", "--yes")
    consent = other.posts()
    assert consent is not None
    notes = one.notes
    notes.along = "RAID WEAKEST"
    one.desk.pairs.seat(notes).keep()
    path = one.desk.pairs.path(notes.game, "two")
    before = path.read_bytes()
    one.desk.read(consent.read_bytes(), WHEN)
    path.write_bytes(before)
    kept = one.notes
    play = turns.go_on(one.desk.pairs.seat(kept), WHEN)
    assert play is not None
    assert kept.along == ""


@pytest.mark.slow
def test_notes_that_were_not_written_twice_let_nothing_stale_speak(answered: Answered) -> None:
    """Stopped behind his signature and behind the consent, with the same count of answers: what is given up is not given again."""
    _both, one, other, letter = answered
    pairs = one.desk.pairs
    notes, play = one.notes, pairs.seat(one.notes).play()
    # as they stood before he signed
    notes.behind, notes.answers, notes.along = play.answered - 1, ["RAID"], "RAID WEAKEST"
    pairs.seat(notes).keep()
    asks_back(one, other, letter)
    path = pairs.path(notes.game, "two")
    before = path.read_bytes()
    other.does("say", "let", "--yes")
    consent = other.posts()
    assert consent is not None
    one.desk.read(consent.read_bytes(), WHEN)
    path.write_bytes(before)
    kept, log = one.notes, one.log
    assert turns.go_on(one.desk.pairs.seat(kept), WHEN) is not None, "he is asked anew"
    assert (kept.answers, kept.along, one.log) == ([], "", log)


@pytest.mark.slow
def test_own_consent_from_another_machine_is_not_told_as_the_friends(answered: Answered, tmp_path: Path) -> None:
    both, one, other, letter = answered
    other.desk.read(letter.read_bytes(), WHEN)
    second = Friend(tmp_path / "second")
    shutil.copytree(other.home, second.home)
    asks_back(one, other, letter, together=False)
    other.does("say", "let", "--yes")
    consent = other.posts()
    assert consent is not None
    one.does("read", consent)
    one.answers(both.rng)
    while one.posts():
        pass
    one.does("copy")
    whole = one.posts()
    assert whole is not None
    assert "lets you take back" not in second.does("read", whole)
    assert second.log.startswith(one.log)


@pytest.mark.slow
def test_what_may_be_said_is_told_with_its_reason(answered: Answered) -> None:
    _both, one, other, letter = answered
    says = {saying.what: saying for saying in sayings_of_two(one.desk.pairs.seat(one.notes))}
    assert says["takeback"].why_not == ""
    assert "same dice" in says["takeback"].means
    asks_back(one, other, letter)
    says = {saying.what: saying for saying in sayings_of_two(other.desk.pairs.seat(other.notes))}
    assert "Let your friend" in says["let"].label
    assert "takeback" not in says


@pytest.mark.slow
def test_behind_dice_the_reason_is_told(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=4")
    both.join()
    reasons = set()
    one, other = both.bob, both.ann
    for _letter in range(20):
        if not both.pass_on(one, other):
            break
        if one.desk.pairs.seat(one.notes).state == "theirs":
            code, said = one.pbem("say", "takeback", "--yes")
            if code:
                reasons.add(said[:30])
                assert not one.desk.tray.unsent()
            else:
                for path in one.desk.tray.unsent():
                    path.unlink()
        one, other = other, one
    assert {"After your last answer you rev", "Your last turn contains no ans"} <= reasons
    assert verify_pair(both.ann.log).verdict == "unfinished"


def asks_for_both(one: Friend, other: Friend, letter: Path) -> str:
    """One offers a draw, and asks back what he answered last; the other has read all of it, and his program has said nothing."""
    one.does("say", "draw", "--yes")
    offer = one.posts()
    assert offer is not None
    for path in (letter, offer):
        other.desk.read(path.read_bytes(), WHEN)
    return asks_back(one, other, letter)


@pytest.mark.slow
def test_who_is_asked_for_both_lets_him(answered: Answered) -> None:
    _both, one, other, letter = answered
    said = asks_for_both(one, other, letter)
    assert ("“pbem say let” lets him" in said, "“pbem say agree” accepts it" in said) == (True, True)
    other.does("say", "let", "--yes")
    passes(other, one)
    assert is_asked(one)
    assert other.pbem("say", "agree", "--yes")[0] == 2, "with the answer the offer is gone"


@pytest.mark.slow
def test_who_is_asked_for_both_agrees_to_the_draw(answered: Answered) -> None:
    both, one, other, letter = answered
    asks_for_both(one, other, letter)
    assert {"let", "agree"} <= {saying.what for saying in sayings_of_two(other.desk.pairs.seat(other.notes))}
    other.does("say", "agree", "--yes")
    assert "draw was agreed" in ends(both)


@pytest.mark.slow
def test_nobody_lets_him_who_meant_to_agree_to_a_draw(answered: Answered) -> None:
    """What he is asked may have come in another program, between what he was shown and what he says."""
    _both, one, other, letter = answered
    asks_back(one, other, letter)
    before = other.log
    code, said = other.pbem("say", "agree", "--yes")
    assert (code, "“pbem say let” lets him" in said) == (2, True), said
    assert other.log == before
    assert not other.desk.tray.unsent()


@pytest.mark.slow
def test_there_is_nothing_to_let_where_nothing_is_asked_back(answered: Answered) -> None:
    _both, one, other, letter = answered
    other.desk.read(letter.read_bytes(), WHEN)
    code, said = other.pbem("say", "let", "--yes")
    assert (code, "asks nothing back" in said) == (2, True), said
    assert "friend's turn" in one.pbem("say", "let", "--yes")[1]


@pytest.mark.variants
@pytest.mark.parametrize(("typed", "lets"), [("yes", True), ("no", False), ("later", False)])
def test_a_turn_in_one_command_asks_whether_he_lets_him(
    answered: Answered, monkeypatch: pytest.MonkeyPatch, typed: str, lets: bool
) -> None:
    _both, one, other, letter = answered
    asks_back(one, other, letter)
    asked = list[str]()

    def types(text: str) -> str:
        asked.append(text)
        return typed

    monkeypatch.setattr("pbem.cli.screen.typed", types)
    (friend,) = (desk := other.desk).friends()
    offer = friend.offered()
    assert offer is not None
    _Sitting(desk, "")._answer_offer(friend, offer)
    assert asked == ["Do you let him? (yes later no) [later]"]
    last = lines_of(other.log)[-1].fields
    assert (last["by"] == other.notes.seat and is_consent(last["say"])) == lets
