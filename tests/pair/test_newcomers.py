"""What somebody new does with a game of two is met with what is so: his own letters, links, offers taken back, new keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli.commands import GROUPS, OF_A_PLAYER, OF_ALL, UNLISTED
from pbem.ledger.aloud import to_compare
from pbem.mail import as_link
from pbem.player.desk import sayable_words
from tests.cli.given_out import desktop
from tests.cli.program import Program
from tests.pair.bad_days import ahead, both, goes_on, letter_of
from tests.pair.friends import Friend, TwoFriends
from tests.pair.said import passes
from tests.project.source import ROOT

__all__ = ["both", "desktop"]


@pytest.mark.slow
def test_no_link_leaves_what_is_attached_behind(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.answers(both.rng)
    (letter,) = one.desk.tray.unsent()
    assert as_link(letter.read_bytes()) == ""
    code, said = one.pbem("send", "--mailto")
    assert (code, "attachment" in said, "mailto:" in said) == (2, True, False), said
    assert letter.exists()


@pytest.mark.slow
def test_a_letter_with_its_lines_is_opened_as_a_file(both: TwoFriends, desktop: Callable[[], list[str]]) -> None:
    one, other = ahead(both)
    one.answers(both.rng)
    one.does("send", "--open")
    (opened,) = desktop()
    other.does("read", opened)
    assert one.log == other.log


@pytest.mark.slow
def test_the_longest_letter_has_no_link_either(both: TwoFriends) -> None:
    one, _other = ahead(both)
    raw = letter_of(both, one).read_bytes()
    assert as_link(raw.replace(b"\n\n", b"\n\n" + b"x" * 70 + b"\n" * 1_000_000, 1)) == ""


def test_letters_that_wait_besides_are_counted(both: TwoFriends, tmp_path: Path) -> None:
    _one, other = ahead(both)
    other.does("say", "draw", "--yes")
    other.does("press", "Shall we?")
    assert "1 more letter waits" in other.does("send", "--eml", tmp_path / "first.eml")


@pytest.mark.slow
def test_only_letters_that_resend_lays_ready_are_said_to_be(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    one.answers(both.rng)
    assert "pbem resend" in one.does("send", "--eml", tmp_path / "turn.eml")
    other.does("say", "draw", "--yes")
    said = other.does("send", "--eml", tmp_path / "word.eml")
    assert ("pbem resend" in said, "send that file once more" in said) == (False, True), said


@pytest.mark.slow
def test_a_letter_read_by_who_wrote_it_is_said_to_be_his(both: TwoFriends) -> None:
    one, other = ahead(both)
    turn = letter_of(both, one)
    assert "your own" in one.does("read", turn)
    assert "your own" not in other.does("read", turn) + other.does("read", turn)
    passes(other, one)
    _other, one = ahead(both)
    one.does("say", "draw", "--yes")
    one.does("press", "Shall we?")
    for path in one.desk.tray.unsent():
        said = one.does("read", path)
        assert ("your own" in said, "not signed by your friend" in said) == (True, False), said


@pytest.mark.slow
def test_what_was_read_twice_still_says_that_an_answer_waits(both: TwoFriends) -> None:
    one, other = ahead(both)
    for _turn in range(20):
        letter = letter_of(both, one)
        if "waits to be sent" in other.does("read", letter):
            assert "has not left" in other.does("read", letter)
            return
        one, other = other, one
    raise AssertionError


@pytest.mark.slow
def test_an_offer_that_has_not_left_is_taken_back(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("say", "draw", "--yes")
    assert "“pbem say withdraw” takes that back" in one.does("games")
    assert "Taken back" in one.does("say", "withdraw")
    assert "offers a draw" not in one.does("games")
    for word in ("draw", "resign"):
        other.does("say", word, "--yes")
        assert "Taken back" in other.does("say", "withdraw")
        assert not other.desk.tray.unsent()
    letter = letter_of(both, one)
    assert "I offer a draw" not in letter.read_text("utf-8")
    said = other.does("read", letter)
    assert ("offers a draw" in said, "resign" in said) == (False, False), said
    goes_on(both)


@pytest.mark.slow
def test_who_orders_too_early_is_told_who_is_waited_for(both: TwoFriends) -> None:
    one, other = ahead(both)
    code, said = other.pbem("order", "-", typed="PASS")
    assert (code, "it is your friend's turn" in said, "“pbem read” takes his letter" in said) == (2, True, True), said
    while one.desk.pairs.seat(one.notes).state == "mine":
        one.answers(both.rng)
    code, said = one.pbem("order", "-", typed="PASS")
    assert (code, "has not left yet. “pbem send” sends it" in said) == (2, True), said
    passes(one, other)
    passes(other, one)
    other.does("say", "resign", "--yes")
    for sender, reader in ((other, one), (one, other), (other, one)):
        passes(sender, reader)
    code, said = other.pbem("order", "-", typed="PASS")
    assert (code, "The game is over" in said) == (2, True), said


@pytest.mark.slow
def test_say_alone_tells_what_may_be_said_and_a_misspelt_word_names_all(both: TwoFriends) -> None:
    _one, other = ahead(both)
    said = other.does("say")
    assert ("pbem say draw\n" in said, "pbem say resign\n" in said, "your friend wins" in said) == (True, True, True), (
        said
    )
    code, said = other.pbem("say", "resgin")
    assert (code, "withdraw. “pbem say” alone tells" in said) == (2, True), said
    assert not other.desk.tray.unsent()


@pytest.mark.slow
def test_a_turn_that_waits_is_not_withdrawn_and_is_said_to_stay(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.answers(both.rng)
    letters = one.desk.tray.unsent()
    assert letters
    code, said = one.pbem("say", "withdraw")
    assert (code, "A turn that you have signed" in said, "no statement of yours waits" in said) == (
        2,
        True,
        False,
    ), said
    assert one.desk.tray.unsent() == letters


def test_lines_in_the_place_of_a_file_are_said_to_be_none(both: TwoFriends) -> None:
    one, _other = ahead(both)
    for command, line in (("order", "CARD Move 2"), ("plan", "PLAN ANY: FIGHT"), ("order", "DRAW " * 2000)):
        code, said = one.pbem(command, line)
        assert (code, f'echo "{line}" | pbem {command} -' in said) == (2, True), said
    code, said = one.pbem("order", "nowhere")
    assert "nowhere cannot be read" in said, code


@pytest.mark.slow
def test_a_key_that_is_read_as_a_mail_is_not_shown(both: TwoFriends) -> None:
    """The program says that the file is a private key, and how to import it."""
    secret = (both.ann.home / "key").read_text("utf-8")
    for command in ("read", "join"):
        code, said = both.ann.pbem(command, both.ann.home / "key")
        assert (code, "is a private key" in said, "key --import" in said) == (2, True, True), said
        assert not any(line in said for line in secret.splitlines()[1:-1])


@pytest.mark.slow
def test_letters_that_wait_are_called_what_they_are(both: TwoFriends) -> None:
    one, other = ahead(both)
    assert "It is your turn: “pbem order” answers." in one.does("send")
    code, said = one.pbem("send", "--eml", one.home / "letter.eml")
    assert (code, "“pbem order” answers." in said) == (2, True), said
    assert not (one.home / "letter.eml").exists()
    assert other.does("send") == "Nothing waits to be sent.\n"
    one.answers(both.rng)
    assert "your turn, with what your program has to say (two." in one.does("games")
    other.does("say", "draw", "--yes")
    other.does("press", "Shall we?")
    said = other.does("games")
    assert ("your words (talk." in said, "your statement outside your turn (word." in said) == (True, True), said


def test_a_desk_without_a_game_tells_how_one_begins_and_how_a_lost_one_comes_back(tmp_path: Path) -> None:
    lost = Friend(tmp_path, "ann@example.org")
    assert "“pbem with ADDRESS” begins one" in lost.does("games")
    code, said = lost.pbem("order")
    assert (code, "RESEND" in said, "“pbem copy”" in said) == (2, True, True), said


@pytest.mark.slow
def test_who_plays_two_games_is_told_with_whom_and_in_which_letters_wait(both: TwoFriends) -> None:
    one, other = ahead(both)
    while one.desk.pairs.seat(one.notes).state == "mine":
        one.answers(both.rng)
    first = one.notes.game[:8]
    friend = one.notes.friend
    one.does("with", "cleo@example.org", "--game", "tiny")
    code, said = one.pbem("press", "Shall we?")
    assert (code, f"(Tiny with {friend})" in said, "(Tiny with cleo@example.org)" in said) == (
        2,
        True,
        True,
    ), said
    code, said = one.pbem("order")
    assert (code, said.startswith("It is not your turn in any of your games. Which game?")) == (2, True), said
    code, said = one.pbem("send", "--eml", one.home / "letter.eml", "--game", "zzzz")
    assert (code, "Of game zzzz nothing waits to be sent" in said, first in said) == (2, True, True), said
    code, said = other.pbem("send", "--eml", other.home / "letter.eml", "--game", "zzzz")
    assert (code, "Nothing waits to be sent." in said) == (2, True), said


def test_a_word_of_say_that_is_typed_alone_is_sent_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not to “resend”, which is spelt nearly as “resign”."""
    pbem = Program(monkeypatch, capsys)
    assert not sayable_words() & {*OF_A_PLAYER, *OF_ALL, *UNLISTED, *GROUPS}
    for word in sorted(sayable_words()):
        assert pbem(word, "--yes") == (
            2, f"pbem: There is no command “{word}” by itself: you mean “pbem say {word}”.\n",
        )  # fmt: skip


@pytest.mark.slow
def test_the_friends_key_in_the_own_folder_signs_nothing(both: TwoFriends) -> None:
    """Who keeps two desks, or restores a key, may mistake the one for the other."""
    one, other = ahead(both)
    own = (one.home / "key").read_bytes()
    (one.home / "key").write_bytes((other.home / "key").read_bytes())
    log = one.log
    for words in (("order", "-"), ("say", "draw", "--yes"), ("say", "resign", "--yes")):
        code, said = one.pbem(*words)
        assert (code, "is your friend's in this game" in said, str(one.home / "key") in said) == (2, True, True), said
    assert one.log == log
    assert not one.desk.tray.unsent()
    (one.home / "key").write_bytes(own)
    goes_on(both)


def test_what_has_left_is_not_taken_back(both: TwoFriends) -> None:
    _one, other = ahead(both)
    other.does("say", "draw", "--yes")
    other.posts()
    code, said = other.pbem("say", "withdraw")
    assert (code, "What was sent cannot be taken back" in said) == (2, True), said


@pytest.mark.slow
def test_the_friends_new_key_is_shown_to_be_compared(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("rekey", "--yes")
    letter = letter_of(both, one)
    said = other.does("read", letter)
    words = to_compare(one.desk.key.key_line).splitlines()
    assert "has another key from now on" in said
    assert all(line.strip() in said for line in words), said
    assert "has another key from now on" not in other.does("read", letter)
    goes_on(both)


def test_a_log_of_two_beside_one_of_a_host_is_said_to_be_another_kind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    program = Program(monkeypatch, capsys)
    two, hosted = ROOT / "tests/golden/logs-of-two/tiny.pbem", ROOT / "tests/golden/logs/hammer-begun.pbem"
    out, letter = tmp_path / "out.pbem", tmp_path / "letter.eml"
    letter.write_text("Subject: my turn\n\nHello\n", "utf-8")
    assert (
        f"{two} is the log of one without a host, and {hosted} of one with"
        in program("merge", hosted, two, "-o", out)[1]
    )
    assert f"{two} is the log of one without a host" in program("merge", two, hosted, "-o", out)[1]
    assert f"pbem complain {two} {letter}" in program("complain", letter, two)[1]
    assert not out.exists()
