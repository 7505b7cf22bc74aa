"""What two friends say besides orders, another key, and what is shown of their logs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.ledger.pair import read_pair
from pbem.referee.pair import audit_pair, play
from tests.pair.bad_days import TINY, ahead, both, goes_on, letter_of
from tests.pair.friends import TwoFriends
from tests.pair.said import ends, passes

__all__ = ["both"]


@pytest.mark.slow
def test_who_resigns_in_his_turn_loses(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("say", "resign", "--yes")
    passes(one, other)
    assert "resigned" in ends(both)


@pytest.mark.slow
def test_who_resigns_in_the_others_turn_is_quoted(both: TwoFriends) -> None:
    one, other = ahead(both)
    said = other.does("say", "resign", "--yes")
    assert "quotes it in his next turn" in said
    assert "resigns" in passes(other, one)
    assert "resigned" in ends(both)


@pytest.mark.slow
def test_a_draw_is_offered_with_an_order_and_agreed_to(both: TwoFriends) -> None:
    one, other = ahead(both)
    code, said = one.pbem("say", "agree", "--yes")
    assert (code, "has offered no draw" in said) == (2, True)
    assert "takes the offer along" in one.does("say", "draw", "--yes")
    other.does("read", letter_of(both, one))
    if other.desk.pairs.seat(other.notes).state == "mine":
        other.does("say", "agree", "--yes")
        assert "draw was agreed" in ends(both)


@pytest.mark.slow
def test_a_draw_offered_in_the_others_turn_may_be_agreed_to_or_not(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    assert "offers a draw" in passes(other, one)
    one.does("say", "agree", "--yes")
    assert "draw was agreed" in ends(both)


@pytest.mark.slow
def test_a_statement_that_came_too_late_is_reported_as_void(both: TwoFriends) -> None:
    """The statement crossed with a turn."""
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    word = other.posts()
    assert word is not None
    other.does("read", letter_of(both, one))
    code, said = one.pbem("read", word)
    assert (code, "no longer valid" in said) == (2, True), said


@pytest.mark.slow
def test_a_statement_that_was_quoted_is_nothing_new(both: TwoFriends) -> None:
    """The program says so."""
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    word = other.posts()
    assert word is not None
    assert "offers a draw" in one.does("read", word)
    assert "offers a draw" in one.does("read", word)
    one.answers(both.rng)
    assert "your turn quotes what it says" in one.does("read", word)
    reading = one.desk.read(word.read_bytes(), "2026-01-02T03:04:05Z")
    assert not reading.is_new, "pbem turn, which fetches it, too, has nothing to tell"
    passes(one, other)
    goes_on(both)


@pytest.mark.slow
def test_another_key_goes_along_with_the_next_turn(both: TwoFriends) -> None:
    for friend in (both.ann, both.bob):
        friend.does("rekey", "--yes")
    goes_on(both)
    acts = [act["do"] for entry in read_pair(both.ann.log)[1][3:] for act in entry.fields["say"]["acts"]]
    assert acts.count("rekey") == 2


def test_a_friends_address_is_changed_by_hand(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("address", "--friend", "robert@example.org")
    assert b"To: robert@example.org" in letter_of(both, one).read_bytes()
    assert other.notes.friend == one.address


@pytest.mark.slow
def test_a_log_is_shown_and_signatures_are_handed_out(both: TwoFriends, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from pbem.cli.app import app
    from pbem.errors import UsageError

    def pbem(*words: object) -> str:
        result = CliRunner().invoke(app, list(map(str, words)))
        if result.exception is not None:
            raise result.exception
        return result.output

    log = both.ann.table.path
    assert "without a host" in pbem("show", log)
    assert "Ann took the seat" in pbem("show", log, 1)
    assert "ssh-keygen" in pbem("export-sig", log, 1, "--out", tmp_path / "sig")
    with pytest.raises(UsageError, match="not over"):
        pbem("replay", log)
    goes_on(both)
    assert "seen by Bob" in pbem("replay", log)
    assert "seen by Ann" in pbem("replay", log, "--seat", "ann")


def test_games_are_listed_for_people_and_programs(both: TwoFriends) -> None:
    one, other = ahead(both)
    assert "It is your turn, since" in one.does("games")
    assert "Waiting for " in other.does("games")
    assert '"state": "mine"' in one.does("games", "--json")


@pytest.mark.slow
def test_hours_of_courtesy_that_are_over_are_told_to_both_and_enforced_by_nobody(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY, "--hours", "48")
    both.join()
    one, other = both.bob, both.ann
    while one.desk.pairs.seat(one.notes).state != "mine":
        one, other = other, one
        assert both.pass_on(other, one)
    for friend in (one, other):
        assert "48 hours are over" not in friend.does("games")
        notes = friend.notes
        assert friend.desk.pairs.seat(notes).overdue("2026-01-01T00:00:00Z") == 0
        notes.since = "2026-01-01T00:00:00Z"
        friend.desk.pairs.seat(notes).keep()
        assert friend.desk.pairs.seat(notes).overdue("2026-01-02T23:59:59Z") == 0
    assert "48 hours are over" in one.does("games")
    assert "resend" not in one.does("games")
    assert "“pbem resend” sends your letter once more, as a reminder" in other.does("games")
    goes_on(both)
    assert "hours are over" not in one.does("games")


@pytest.mark.slow
def test_a_long_turn_that_tells_of_another_key_goes_on_signed_by_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind the entry that tells of it the key before counts no more, in the same turn, too."""
    made = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=3")
    made.join()
    monkeypatch.setattr(play, "MAX_ACTS", 2)
    one, other = made.bob, made.ann
    for mail in range(100):
        if mail in (1, 2):
            one.does("rekey", "--yes")
        if not made.pass_on(one, other):
            break
        one, other = other, one
    turns = [entry.fields["say"] for entry in read_pair(made.ann.log)[1][3:]]
    assert sum(bool(say.get("more")) and say["acts"][0]["do"] == "rekey" for say in turns) == 2
    assert audit_pair(made.ann.log, knowing_of).verdict == "clean"


def test_an_order_that_is_headed_for_another_game_is_not_signed(both: TwoFriends) -> None:
    one, _other = ahead(both)
    code, said = one.pbem("order", "-", typed="GAME ffff\nCARD c1\n")
    assert (code, "headed for game ffff" in said, one.desk.tray.unsent()) == (2, True, [])


def test_nobody_plays_on_from_what_does_not_wait(both: TwoFriends) -> None:
    one, _other = ahead(both)
    code, said = one.pbem("say", "play_on", "--yes")
    assert (code, "your next order plays on" in said) == (2, True), said
    assert "WARNING" not in one.does("send")  # sending plays on as well, and has nothing to warn of


def test_a_letter_that_is_laid_anew_is_said_to_wait_again(both: TwoFriends) -> None:
    _one, other = ahead(both)
    for _time in range(2):
        assert "“pbem send” sends it." in other.does("say", "draw", "--yes")


@pytest.mark.slow
def test_a_prefix_that_begins_several_games_names_them(both: TwoFriends) -> None:
    ann, firsts = both.ann, Counter[str]()
    while max(firsts.values(), default=0) < 2:
        ann.does("with", "bob@example.org", *TINY)
        firsts = Counter(notes.game[0] for notes in ann.desk.pairs.games())
    code, said = ann.pbem("order", "--game", firsts.most_common(1)[0][0])
    assert (code, "Which game?" in said) == (2, True), said
