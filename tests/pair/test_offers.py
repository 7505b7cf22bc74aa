"""An offer of a draw reaches its player: no program signs a turn over it by itself before he knows of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.player.pair import saying, turns
from tests.pair.bad_days import ahead, both, letter_of
from tests.pair.friends import Friend, TwoFriends
from tests.pair.said import ends, passes

__all__ = ["both"]
WHEN = "2026-01-02T03:04:05Z"


@pytest.fixture
def offered(tmp_path: Path) -> tuple[TwoFriends, Friend, Friend, Path]:
    """One has offered a draw with his order, and the other has nothing to decide: game, one, other, letter."""
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=4")
    both.join()
    for _turn in range(60):
        while passes(both.ann, both.bob) + passes(both.bob, both.ann):
            pass
        one, other = ahead(both)
        if offers := not turns.told_offer(one.desk.pairs.seat(one.notes)):  # the other's, which his order ends
            one.does("say", "draw", "--yes")
        letter = letter_of(both, one)
        other.does("read", letter)
        if (
            offers
            and other.desk.pairs.seat(other.notes).state == "mine"
            and turns.go_on(other.desk.pairs.seat(other.notes), WHEN) is None
        ):
            return both, one, other, letter
    raise AssertionError


@pytest.mark.slow
def test_a_program_signs_nothing_over_an_offer_before_its_player_knows_of_it(
    offered: tuple[TwoFriends, Friend, Friend, Path],
) -> None:
    """The friend offers a draw, and your turn has no decision. Agree, or play on with `pbem send`."""
    both, _one, other, letter = offered
    assert "I offer a draw" in letter.read_text("utf-8")
    assert not other.desk.tray.unsent()
    assert other.desk.pairs.seat(other.notes).state == "mine"
    assert "“pbem say agree” accepts it; “pbem send” plays on" in other.does("read", letter)
    code, said = other.pbem("order", "-", typed="PASS")
    assert (code, "offers a draw" in said) == (2, True)
    other.does("board")
    assert not other.desk.tray.unsent()
    other.does("say", "agree", "--yes")
    assert "draw was agreed" in ends(both)


@pytest.mark.slow
def test_who_sends_without_an_answer_plays_on(offered: tuple[TwoFriends, Friend, Friend, Path]) -> None:
    _both, one, other, _letter = offered
    assert "play on" in other.does("send")
    answer = other.posts()
    assert answer is not None
    one.does("read", answer)
    with pytest.raises(UsageError, match="friend's turn"):
        saying.say(other.desk.pairs.seat(other.notes), "agree", WHEN)
    assert not turns.play_on(other.desk.pairs.seat(other.notes), WHEN)


@pytest.mark.slow
def test_a_resignation_that_was_not_quoted_can_be_said_again_with_ones_own_turn(tmp_path: Path) -> None:
    """Your friend signed a turn before reading your resignation or offer, which is void then. You can resign again with
    your own turn."""
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=4")
    both.join()
    for _turn in range(60):
        while passes(both.ann, both.bob) + passes(both.bob, both.ann):
            pass
        one, other = ahead(both)
        other.does("say", "resign", "--yes")
        letter = letter_of(both, one)
        said = other.does("read", letter)
        assert "resignation is no longer valid" in said
        assert "“pbem say resign” resigns again" in said
        assert not other.desk.tray.unsent(), "neither the old word nor a turn goes"
        if turns.go_on(other.desk.pairs.seat(other.notes), WHEN) is None:
            break
        other.answers(both.rng)
    assert other.desk.pairs.seat(other.notes).state == "mine"
    other.does("say", "resign", "--yes")
    assert "resigned" in ends(both)


def test_an_offer_that_was_not_quoted_is_reported_as_void(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    assert "offer of a draw, so it is no longer valid" in other.does("read", letter_of(both, one))


@pytest.mark.slow
def test_a_word_that_was_quoted_has_not_lapsed(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    passes(other, one)
    assert "no longer valid" not in other.does("read", letter_of(both, one))
    assert not turns.lapsed(other.desk.pairs.seat(other.notes))


@pytest.mark.slow
def test_a_player_who_offered_a_draw_can_agree_to_the_other_s(both: TwoFriends) -> None:
    """Both offers cross, and either player may agree. The program says so to a player who would offer a second time."""
    one, other = ahead(both)
    one.does("say", "draw", "--yes")
    other.does("say", "draw", "--yes")
    assert "“pbem say agree” accepts it" in passes(other, one)
    one.does("say", "agree", "--yes")
    assert "draw was agreed" in ends(both)


@pytest.mark.slow
def test_no_second_offer_replaces_the_other_s(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    passes(other, one)
    code, said = one.pbem("say", "draw", "--yes")
    assert (code, "“pbem say agree” accepts it" in said) == (2, True), said
    one.does("say", "agree", "--yes")
    assert "draw was agreed" in ends(both)


@pytest.mark.slow
def test_an_offer_is_told_alike_by_whatever_shows_the_game(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    passes(other, one)
    offer = turns.told_offer(one.desk.pairs.seat(one.notes))
    log = one.log
    for command in ("games", "board"):
        assert offer in one.does(command)
    assert "your order plays on" in offer
    assert one.log == log


def test_what_has_lapsed_is_known_without_notes(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "resign", "--yes")
    other.desk.pairs.path(other.notes.game, "two").unlink()
    other.does("read", other.desk.pairs.path(one.notes.game, "pbem"))
    other.does("address", "--friend", one.address)
    other.does("read", letter_of(both, one))
    assert "resignation is no longer valid" in other.does("games")
