"""What two friends write to each other: it arrives, once, as what its writer signed, and no log holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.ledger import PRESS, PrivateKey, cj, read_line
from pbem.mail import read_message
from pbem.mail.press import A_DAY, LINES, LONGEST
from pbem.player import Desk
from pbem.player.pair import saying
from pbem.player.pair.talk import apart
from pbem.player.pair.witness import Witness
from tests.pair.bad_days import TINY, ahead, both, goes_on, letter_of
from tests.pair.friends import Friend, TwoFriends
from tests.pair.said import passes

__all__ = ["both"]

STRANGER = PrivateKey.from_seed(b"s" * 32)


def words_in(letter: Path) -> list[bytes]:
    return apart(read_message(letter.read_bytes()).log)[1]


def signed(key: PrivateKey, one: Friend, **other: object) -> bytes:
    """A line as a friend's program writes it, with other things in it."""
    say = {"act": "press", "game": one.notes.game, "no": 7, "seat": one.notes.seat, "text": "Hello", "to": ""} | other
    return cj({"do": "press", "say": say, "sig": key.sign(PRESS, cj(say))}) + b"\n"


def reads(other: Friend, log: bytes) -> tuple[int, str]:
    file = other.home / "words.pbem"
    file.write_bytes(log)
    return other.pbem("read", file)


@pytest.mark.slow
def test_words_alone_arrive_and_are_shown_once(both: TwoFriends) -> None:
    one, other = ahead(both)
    assert "Signed, for your friend." in one.does("press", "A truce\nuntil winter?")
    letter = one.posts()
    assert letter is not None
    before = other.log
    said = other.does("read", letter)
    assert "Your friend writes:\n\n  | A truce\n  | until winter?\n" in said
    again = other.does("read", letter)
    assert ("A truce" not in again, "already" in again) == (True, True)
    assert other.log == before, "no log holds them"
    assert b"| A truce" in letter.read_bytes()
    goes_on(both)


@pytest.mark.slow
def test_words_go_along_with_a_turn_that_waits(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.answers(both.rng)
    assert "goes along with your turn" in one.does("press", "Your move!")
    letter = one.posts()  # one letter alone
    assert letter is not None
    said = other.does("read", letter)
    assert "| Your move!" in said
    assert one.log == other.log
    goes_on(both)


@pytest.mark.slow
def test_a_turn_takes_words_along_that_waited(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("press", "Thinking.")
    letter = letter_of(both, one)
    assert len(words_in(letter)) == 1
    assert "| Thinking." in other.does("read", letter)
    assert words_in(letter_of(both, other)) == [], "what the friend has answered needs no second letter"


@pytest.mark.slow
def test_words_that_were_lost_come_with_the_next_letter_and_with_resend(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("press", "First.")
    first = one.posts()
    assert first is not None
    one.does("press", "Second.")
    assert len(one.desk.tray.unsent()) == 1
    second = one.posts()
    assert second is not None
    said = other.does("read", second)
    assert said.index("| First.") < said.index("| Second."), "the letter before it has not come yet"
    one.does("resend")
    for again in (first, one.posts(), letter_of(both, one)):
        assert again is not None
        shown = other.does("read", again)
        assert "First." not in shown
    goes_on(both)


@pytest.mark.slow
def test_words_that_have_not_left_go_along_with_later_ones(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("press", "Written in your turn.")
    other.does("read", letter_of(both, one))
    other.does("press", "Written in mine.")
    other.answers(both.rng)
    other.does("press", "Behind it.")
    said = passes(other, one)  # one letter, with all of it
    places = [said.index(f"| {text}") for text in ("Written in your turn.", "Written in mine.", "Behind it.")]
    assert places == sorted(places)
    goes_on(both)


@pytest.mark.slow
def test_in_the_friends_turn_words_go_alone(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("press", "Take your time.", "--to", one.notes.seat)
    assert "cannot go on" not in other.does("board"), "no turn waits"
    assert "| Take your time." in passes(other, one)
    code, said = other.pbem("press", "Me", "--to", other.notes.seat)
    assert (code, "to your friend alone" in said) == (2, True)


def test_before_the_friend_has_joined_nothing_can_be_written(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY)
    code, said = both.ann.pbem("press", "Hello")
    assert (code, "has not joined" in said) == (2, True)


@pytest.mark.slow
def test_a_stranger_puts_no_words_into_a_friends_mouth(both: TwoFriends) -> None:
    """The program says that it left them out, and takes the turn. It shows a friend's own statements once, as marked
    lines."""
    one, other = ahead(both)
    code, said = reads(other, signed(STRANGER, one))
    assert (code, "not signed by your friend" in said) == (2, True), said
    assert "| Hello" in reads(other, signed(one.desk.key, one))[1], "the same, signed by him, is shown"


@pytest.mark.slow
def test_words_of_another_game_or_another_use_are_not_shown(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    for wrong in ({"game": "0" * 64}, {"act": "word"}, {"to": "bob"}, {"no": 0}, {"no": "7"}, {"text": 7}, {"more": 1}):
        code, said = reads(other, signed(one.desk.key, one, **wrong))
        assert (code, "not shown" in said) == (2, True), (wrong, said)
    say = {"act": "press", "game": one.notes.game, "no": 7, "seat": one.notes.seat, "text": "Hello", "to": ""}
    other_use = cj({"do": "press", "say": say, "sig": one.desk.key.sign("pbem-say-v1", cj(say))}) + b"\n"
    assert reads(other, other_use)[0] == 2


@pytest.mark.slow
def test_strange_words_beside_a_turn_keep_no_turn_back(both: TwoFriends) -> None:
    one, other = ahead(both)
    log = read_message(letter_of(both, one).read_bytes()).log
    code, said = reads(other, log + signed(STRANGER, one, text="I resign"))
    assert (code, "not signed by your friend" in said, "I resign" in said) == (0, True, False), said
    assert one.log == other.log
    goes_on(both)


@pytest.mark.slow
def test_what_is_too_long_is_neither_sent_nor_shown(both: TwoFriends) -> None:
    one, other = ahead(both)
    for text in ("a" * (LONGEST + 1), "a" + "\n" * LINES + "a", " "):
        code, said = one.pbem("press", text)
        assert code == 2, said
        assert "at least one" in said or "what you have to say" in said
        code, said = reads(other, signed(one.desk.key, one, text=text))
        assert (code, "at least one" in said) == (2, True), said
    assert one.posts() is None
    longest = "ä" * LONGEST
    one.does("press", longest)
    assert passes(one, other).count("ä") == LONGEST


@pytest.mark.variants
@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "\x1b[2J\x07gone\u202egpj", "It is your turn.\r\nFrom the host:", "{{ key }} %s {0}"],
)
def test_hostile_words_are_shown_as_words(both: TwoFriends, text: str) -> None:
    one, other = ahead(both)
    said = reads(other, signed(one.desk.key, one, text=text))[1]
    shown = said.partition("Your friend writes:")[2].split("\n\n")[1]
    assert all(line.startswith("  | ") for line in shown.strip("\n").split("\n")), said
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(said)


@pytest.mark.variants
@pytest.mark.parametrize("text", ["Ça va, l’ami ?", "Καλησπέρα", "Добрый вечер", "晚上好", "مساء الخير", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 wins"])
def test_words_of_any_language_arrive(both: TwoFriends, text: str) -> None:
    one, other = ahead(both)
    one.does("press", text)
    letter = one.posts()
    assert letter is not None
    assert read_line(words_in(letter)[0])["say"]["text"] == text
    assert text.rsplit(maxsplit=1)[-1].strip("?") in other.does("read", letter)


@pytest.mark.slow
def test_so_much_is_written_in_a_day_and_a_letter_brings_no_more(both: TwoFriends) -> None:
    one, other = ahead(both)
    for no in range(A_DAY):
        one.does("press", f"Word {no}")
    code, said = one.pbem("press", "One more")
    assert (code, "within a day" in said) == (2, True), said
    assert f"| Word {A_DAY - 1}" in passes(one, other)
    flood = b"".join(signed(one.desk.key, one, no=no, text=f"flood {no}") for no in range(1, 100))
    assert reads(other, flood)[1].count("| flood") == A_DAY


@pytest.mark.slow
def test_a_letter_that_waits_loses_nothing_by_what_is_written_later(both: TwoFriends) -> None:
    """On another day there may be more; but a letter holds no more, so nothing is signed that would push another out."""
    one, other = ahead(both)
    for no in range(A_DAY):
        one.does("press", f"Word {no}.")
    desk, notes = one.desk, one.notes
    with pytest.raises(UsageError, match="of your messages wait to be sent, and a letter has no room for more"):
        saying.write_words(desk.pairs.seat(notes), "Word 10.", "2099-01-02T03:04:05Z")
    said = passes(one, other)
    assert [no for no in range(A_DAY) if f"| Word {no}." in said] == [*range(A_DAY)]
    for no in range(10, 13):  # those that have left make room for those that have not
        saying.write_words(desk.pairs.seat(one.notes), f"Word {no}.", "2099-01-02T03:04:05Z")
    letter = one.posts()
    assert letter is not None
    assert len(words_in(letter)) == A_DAY
    said = other.does("read", letter)
    assert [no for no in range(13) if f"| Word {no}." in said] == [10, 11, 12]


@pytest.mark.slow
def test_by_the_key_that_counts(both: TwoFriends) -> None:
    one, other = ahead(both)
    before = one.desk.key
    one.does("rekey", "--yes")
    other.does("read", letter_of(both, one))
    assert one.desk.key.key_line != before.key_line
    code, said = reads(other, signed(before, one))
    assert (code, "a new key" in said) == (2, True), said
    assert "| Hello" in reads(other, signed(one.desk.key, one))[1]


@pytest.mark.slow
@pytest.mark.parametrize("first", ["press", "rekey"])
def test_words_that_go_with_the_turn_that_tells_of_another_key_are_by_that_key(both: TwoFriends, first: str) -> None:
    one, other = ahead(both)
    said = {"press": ("press", "Hello"), "rekey": ("rekey", "--yes")}
    for command in (first, *(said.keys() - {first})):
        one.does(*said[command])
    assert "| Hello" in other.does("read", letter_of(both, one))
    goes_on(both)


@pytest.mark.slow
def test_words_alone_before_that_turn_are_by_the_key_before(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("rekey", "--yes")
    one.does("press", "Hello")
    assert "| Hello" in passes(one, other)
    goes_on(both)


@pytest.mark.slow
def test_a_witness_gets_no_words(both: TwoFriends, tmp_path: Path) -> None:
    one, _other = ahead(both)
    one.does("address", "eve@example.net", "--witness")
    one.does("press", "Between us.")
    letter = letter_of_all(both, one)
    keeper = Witness(tmp_path / "eve")
    for path in letter:
        if b"To: eve@" in path.read_bytes():
            assert words_in(path) == []
            assert b"Between us" not in path.read_bytes()
        else:
            assert words_in(path)
    for path in sorted(letter, key=lambda path: ".whole." not in path.name):  # one handed on by hand, too
        keeper.read(path.read_bytes(), "2026-01-02T03:04:05Z")
    (game,) = keeper.games()
    assert game.table.entries[-1].n == one.table.head[0]
    assert not any(b"Between us" in path.read_bytes() for path in (tmp_path / "eve").iterdir())


def letter_of_all(both: TwoFriends, one: Friend) -> list[Path]:
    one.answers(both.rng)
    return [one.desk.tray.sent(path) for path in one.desk.tray.unsent()]


@pytest.mark.slow
def test_a_log_out_of_a_backup_is_mended_from_a_letter_with_words(both: TwoFriends) -> None:
    one, other = ahead(both)
    kept = one.log
    one.answers(both.rng)
    one.does("press", "With it.")
    letter = one.posts()
    assert letter is not None
    whole = one.log
    one.table.path.write_bytes(kept)
    one.desk.pairs.path(one.notes.game, "seen").unlink()
    Desk(one.home).pairs.seat(one.notes).mend()
    assert one.log == whole
    other.does("read", letter)


@pytest.mark.slow
def test_what_is_kept_of_them_may_be_damaged_or_lost(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.answers(both.rng)
    one.does("press", "Hello")
    letter = one.posts()
    assert letter is not None
    kept = other.desk.pairs.path(other.notes.game, "press")
    kept.write_text("nonsense\n")
    assert "is damaged" in other.does("read", letter)
    assert one.log == other.log, "the turn was taken all the same"
    other.answers(both.rng)
    assert "is damaged" in other.pbem("press", "Hello")[1]
    one.does("read", letter_of(both, other))
    kept.unlink()
    assert "| Hello" in other.does("read", letter)
    goes_on(both)
