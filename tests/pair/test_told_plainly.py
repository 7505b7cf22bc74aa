"""What the commands say of a game of two is so, and names what can be done."""

from __future__ import annotations

from pathlib import Path

from tests.pair.friends import TwoFriends
from tests.pair.test_bad_days import TINY, ahead, both, letter_of
from tests.pair.test_said import ends, passes

__all__ = ["both"]


def test_another_key_is_said_to_go_along_with_the_next_turn(both: TwoFriends) -> None:
    said = " ".join(both.ann.does("rekey", "--yes").split())
    assert "No game is going on" not in said
    assert "goes along with your next turn" in said
    assert "key.before" in said


def test_the_letter_of_who_resigns_holds_a_decision(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.does("say", "resign", "--yes")
    (letter,) = one.desk.tray.unsent()
    assert b"no decision" not in letter.read_bytes()


def test_commands_for_hosts_say_that_there_is_none(both: TwoFriends) -> None:
    for command in (
        ("plan",),
        ("press", "Hello"),
        ("time", "--zone", "Europe/Paris", "--game", both.ann.notes.game[:8]),
    ):
        code, said = both.ann.pbem(*command)
        assert (code, "has no host" in said, "RESEND" in said) == (2, True, False), said
    code, said = both.ann.pbem("order", "--game", "zzzz")
    assert (code, both.ann.notes.game[:8] in said, "RESEND" in said) == (2, True, False), said


def test_a_turn_is_no_invitation(both: TwoFriends, tmp_path: Path) -> None:
    one, _other = ahead(both)
    letter = letter_of(both, one)
    stranger = TwoFriends(tmp_path / "others", *TINY).ann
    code, said = stranger.pbem("join", letter)
    assert (code, "read it with" in said, "-1" in said) == (2, True, False), said


def test_the_own_invitation_is_told_from_others(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    said = both.ann.does("read", both.invitation)
    assert "your own invitation" in said
    assert "stands now" not in said


def test_it_is_said_why_a_game_is_not_for_two(tmp_path: Path) -> None:
    ann = TwoFriends(tmp_path, *TINY).ann
    wrong = {
        ("bob@example.org", "--game", "swords", "--option", "players=3"): "is played by",
        ("bob@example.org", "--game", "tournament"): "is played by",
        ("ann@example.org", *TINY): "your own address",
    }
    for words, why in wrong.items():
        code, said = ann.pbem("with", *words)
        assert (code, why in said) == (2, True), said


def test_an_order_that_asks_more_has_nothing_to_send(both: TwoFriends) -> None:
    one, other = ahead(both)
    assert "pbem send" not in one.does("say", "draw", "--yes")
    assert "already" in one.does("say", "draw", "--yes")
    said = other.does("say", "draw", "--yes")
    assert "pbem send" in said
    assert "already" in other.does("say", "draw", "--yes")


def test_an_offer_that_was_read_is_shown(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    passes(other, one)
    assert "offers a draw" in one.does("games")
    assert "offers a draw" in one.does("board")


def test_a_letter_that_has_not_left_is_said_so(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.answers(both.rng)
    assert "has not left" in one.does("board")


def test_at_the_end_the_audit_is_named(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.does("say", "resign", "--yes")
    assert "pbem audit" in ends(both)
