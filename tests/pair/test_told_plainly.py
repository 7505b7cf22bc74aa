"""What the commands say of a game of two is so, and names what can be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.ledger import Entry
from pbem.player.pair.letters import write
from pbem.player.reading import opened
from pbem.reports.friends import PairReader
from tests.pair.bad_days import TINY, ahead, both, goes_on, letter_of
from tests.pair.friends import Friend, TwoFriends
from tests.pair.said import ends, passes

__all__ = ["both"]


@pytest.mark.slow
def test_another_key_is_said_to_go_along_with_the_next_turn(both: TwoFriends) -> None:
    said = " ".join(both.ann.does("rekey", "--yes").split())
    assert "No game is going on" not in said
    assert "your next turn carries the new key" in said
    assert "key.before" in said


@pytest.mark.slow
def test_the_letter_of_who_resigns_holds_a_decision(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.does("say", "resign", "--yes")
    (letter,) = one.desk.tray.unsent()
    assert b"no decision" not in letter.read_bytes()


@pytest.mark.slow
def test_commands_for_hosts_say_that_there_is_none(both: TwoFriends) -> None:
    code, said = both.ann.pbem("time", "--zone", "Europe/Paris", "--game", both.ann.notes.game[:8])
    assert (code, "has no host" in said, "RESEND" in said) == (2, True, False), said
    code, said = both.ann.pbem("order", "--game", "zzzz")
    assert (code, both.ann.notes.game[:8] in said, "RESEND" in said) == (2, True, False), said


@pytest.mark.slow
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
    assert "The game now" not in said


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


@pytest.mark.slow
def test_an_order_that_asks_more_has_nothing_to_send(both: TwoFriends) -> None:
    one, other = ahead(both)
    assert "pbem send" not in one.does("say", "draw", "--yes")
    assert "already" in one.does("say", "draw", "--yes")
    said = other.does("say", "draw", "--yes")
    assert "pbem send" in said
    assert "already" in other.does("say", "draw", "--yes")


@pytest.mark.slow
def test_an_offer_that_was_read_is_shown(both: TwoFriends) -> None:
    one, other = ahead(both)
    other.does("say", "draw", "--yes")
    passes(other, one)
    assert "offers a draw" in one.does("games")
    assert "offers a draw" in one.does("board")


@pytest.mark.slow
def test_a_letter_that_has_not_left_is_said_so(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.answers(both.rng)
    assert "has not left" in one.does("board")


@pytest.mark.slow
def test_at_the_end_the_audit_is_named(both: TwoFriends) -> None:
    one, _other = ahead(both)
    one.does("say", "resign", "--yes")
    said = ends(both)
    assert "pbem audit" in said
    assert "Nothing since" not in said


def damaged(one: Friend, letter: Path, at: int) -> Path:
    """The letter with a byte of its lines changed."""
    log = bytearray(opened(letter.read_bytes())[0].log)
    log[at] = ord("#")
    file = one.home / "damaged.eml"
    file.write_bytes(
        write(one.address, one.notes.friend, one.notes, "two.7", "my turn", "", bytes(log), "2026-01-02T03:04:05Z")
    )
    return file


@pytest.mark.slow
def test_a_damaged_letter_of_two_asks_for_no_host(both: TwoFriends) -> None:
    one, other = ahead(both)
    letter = letter_of(both, one)
    for at in (0, 1, 3, 8, 20, 200):
        code, said = other.pbem("read", damaged(one, letter, at))
        assert (code, "RESEND" in said) == (2, False), (at, said)


def test_a_damaged_invitation_asks_for_no_host(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY)
    letter = both.ann.posts()
    assert letter is not None
    for at in (0, 1, 3, 8, 20):
        code, said = both.bob.pbem("join", damaged(both.ann, letter, at))
        assert (code, "RESEND" in said, "pbem resend" in said) == (2, False, True), (at, said)


@pytest.mark.slow
def test_a_game_without_its_rules_stops_no_other(both: TwoFriends, monkeypatch: pytest.MonkeyPatch) -> None:
    """That game says so; `pbem games` shows the others. The same is true of a damaged log."""
    ann = both.ann
    ann.does("with", "bob@example.org", "--game", "hammer")
    monkeypatch.delenv("PBEM_GAMES")
    said = ann.does("games")
    assert "Hammer" in said
    assert "WARNING" in said
    states = sorted(one["state"] for one in json.loads(ann.does("games", "--json")))
    assert states[0] == "joining"


@pytest.mark.slow
def test_a_damaged_log_stops_no_other_game(both: TwoFriends) -> None:
    ann = both.ann
    ann.does("with", "bob@example.org", *TINY, "--option", "players=2")
    first = next(ann.desk.pairs.games())
    path = ann.desk.pairs.path(first.game, "pbem")
    path.write_bytes(path.read_bytes().replace(b'"k":', b'"x":', 1))
    assert "is damaged" in ann.does("games")
    assert [one["friend"] for one in json.loads(ann.does("games", "--json"))] == ["bob@example.org"] * 2
    states = [one["state"] for one in json.loads(ann.does("games", "--json"))]
    assert (states[0], len(states)) == ("unreadable", 2)
    assert "Your new key" in ann.does("rekey", "--yes")
    code, said = ann.pbem("order")
    assert (code, "Which game?" in said) == (2, True), said


def test_an_invitation_is_withdrawn(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY)
    assert "Withdrawn" in both.ann.does("say", "withdraw", "--yes")
    assert "no game on this desk" in both.ann.does("games")
    assert not both.ann.desk.tray.unsent()


@pytest.mark.slow
def test_who_joins_by_an_invitation_that_was_withdrawn_begins_no_game(tmp_path: Path) -> None:
    """The program says why, and how you can renew the invitation."""
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    both.ann.does("say", "withdraw", "--yes")
    both.bob.does("copy", "--yes")
    answer, whole = both.bob.desk.tray.unsent()
    for letter in (answer, whole):
        code, said = both.ann.pbem("read", letter)
        assert (code, "you had withdrawn" in said, "lost your copy" in said) == (2, True, False), said
        assert not list(both.ann.desk.pairs.games())
    said = both.ann.does("read", next((both.ann.home / "games").glob("*.withdrawn")))
    assert "Your invitation to Tiny" in said
    assert "pbem address --friend" in said
    both.ann.does("address", "--friend", both.bob.address)
    assert "the game has begun" in both.ann.does("read", answer)
    for letter in (answer, whole):
        both.bob.desk.tray.sent(letter)
    both.ann.desk.pairs.path(both.ann.notes.game, "pbem").unlink()
    assert "is here again" in both.ann.does("read", both.bob.home / "sent" / whole.name), "it is withdrawn no more"
    goes_on(both)


@pytest.mark.slow
def test_a_game_that_is_on_cannot_be_withdrawn(both: TwoFriends) -> None:
    code, said = both.ann.pbem("say", "withdraw", "--yes")
    assert (code, "has joined" in said) == (2, True)
    assert both.ann.notes


def test_a_key_alone_is_told_the_way(tmp_path: Path) -> None:
    """Only the key is left of a folder. The program says how to set up a new folder with it."""
    ann = Friend(tmp_path / "ann", "ann@example.org")
    (ann.home / "settings.json").unlink()
    code, said = ann.pbem("games")
    assert (code, "pbem key --import" in said) == (2, True), said


@pytest.mark.slow
def test_a_log_whose_notes_are_lost_is_named(both: TwoFriends) -> None:
    """Reading the log restores the notes."""
    ann = both.ann
    log = ann.table.path
    log.with_suffix(".two").unlink()
    log.with_suffix(".seen").unlink(missing_ok=True)
    said = ann.does("games")
    assert log.name in said
    assert "pbem read" in said
    ann.does("read", log)
    assert ann.notes.game


@pytest.mark.slow
def test_the_own_address_is_changed_without_a_host(both: TwoFriends) -> None:
    said = " ".join(both.ann.does("address", "ann@example.com").split())
    assert "pbem address --friend ann@example.com" in said
    assert both.ann.desk.settings.address == "ann@example.com"


def test_the_own_address_is_named_before_any_game(tmp_path: Path) -> None:
    """As “pbem key” without an address says."""
    ann = Friend(tmp_path / "ann")
    assert "“pbem address ADDRESS” names it later" in " ".join(ann.does("key").split())
    assert "come from ann@example.com" in ann.does("address", "ann@example.com")
    assert ann.desk.settings.address == "ann@example.com"


@pytest.mark.slow
def test_evidence_beside_a_log_is_named(both: TwoFriends) -> None:
    ann = both.ann
    beside = ann.table.path.with_suffix(".fork")
    beside.write_bytes(ann.log)
    for command in ("games", "check"):
        assert beside.name in ann.does(command)


def test_cards_that_are_shown_in_a_row_are_counted() -> None:
    acts = [{"do": "share", "no": 1, "place": place} for place in range(3)] + [{"do": "share", "no": 2, "place": 0}]
    entry = Entry(3, "0" * 64, {"k": "turn", "by": "ann", "say": {"no": 1, "acts": acts}}, b"")
    said = PairReader(None).line(entry)
    assert "shows the other 3 cards of deck 1; shows the other a card of deck 2" in said


@pytest.mark.slow
def test_only_the_letters_of_the_game_that_is_named_are_listed(both: TwoFriends) -> None:
    ann = both.ann
    game = ann.notes.game[:8]
    ann.answers(both.rng)
    ann.does("with", "bob@example.org", *TINY)
    (other,) = {one.game[:8] for one in ann.desk.pairs.games()} - {game}
    said = ann.does("send", "--game", other)
    assert f"{other}." in said
    assert f"{game}." not in said


def test_a_verdict_names_seats_as_the_game_does(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    both.pass_on(both.bob, both.ann)
    log = str(both.ann.table.path)
    for words in (["verify", log], ["audit", log], ["check", "--home", str(both.ann.home)]):
        assert "It is the turn of the English" in CliRunner().invoke(app, words).output


def test_a_letter_that_is_not_sent_is_what_a_game_waits_for(tmp_path: Path) -> None:
    """Nobody waits for the friend while the own letter lies here."""
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    said = both.bob.does("games")
    assert "Your part is signed, but its letter is not sent yet: “pbem send” sends it." in said
    assert "Waiting for" not in said
    (game,) = json.loads(both.bob.does("games", "--json"))
    assert len(game["unsent"]) == 1
    both.bob.posts()
    said = both.bob.does("games")
    assert ("not sent yet" in said, "Waiting for Ann since" in said) == (False, True)


@pytest.mark.slow
def test_no_report_of_a_game_of_two_names_a_word_for_a_host(tmp_path: Path) -> None:
    """There is nobody who would answer BOARD or HELP."""
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    reports = []
    for _letter in range(60):
        if not (both.pass_on(both.bob, both.ann) and both.pass_on(both.ann, both.bob)):
            break
        reports.append(both.said)
    assert any("The whole board: “pbem board”." in said for said in reports)
    assert not any("BOARD." in said or "HELP" in said for said in reports)
