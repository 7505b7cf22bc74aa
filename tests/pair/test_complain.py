"""A complaint in a game of two: what the friend has signed, laid beside the log, as anybody can judge it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import UsageError
from pbem.ledger import read_line
from pbem.ledger.pair import append, lines_of, signed_turn
from pbem.mail import read_message
from pbem.referee.pair.play import vault_of
from tests.pair.bad_days import TINY, ahead, both, goes_on, letter_of
from tests.pair.friends import Friend, TwoFriends

__all__ = ["both"]


def complains(*words: object) -> tuple[dict[str, object], int]:
    result = CliRunner().invoke(app, ["complain", *map(str, words), "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return json.loads(result.output), result.exit_code


def turn_by(one: Friend, acts: list[dict[str, object]], signs: Friend | None = None) -> bytes:
    """A turn that this player signs behind his log, whatever stands in it; or that another signs in his name."""
    table = one.table
    vault, no = vault_of(table.entries, one.desk.key), sum(e.fields.get("by") == one.notes.seat for e in table.entries)
    entry = append(table.head, signed_turn((signs or one).desk.key, vault, no, table.head, acts))
    return entry.line + b"\n"


@pytest.mark.slow
def test_a_turn_that_is_at_fault_is_shown_to_others(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    letter, shows = tmp_path / "letter.pbem", tmp_path / "shows.pbem"
    letter.write_bytes(turn_by(one, [{"do": "link", "x": "0" * 64}]))
    assert other.pbem("read", letter)[0] == 2
    log = other.table.path
    for brought in (letter, log.with_suffix(".fault")):
        verdict, code = complains(log, brought, "--out", shows)
        assert (verdict["verdict"], verdict["code"], verdict["party"], code) == ("fault", "LINK", one.notes.seat, 1)
        for command in ("verify", "audit"):
            said = CliRunner().invoke(app, [command, str(shows), "--json"])
            assert json.loads(said.output)["code"] == "LINK"
    one.answers(both.rng)
    one.does("press", "Well played")  # behind the turn in the same letter, and no part of what is judged
    honest = letter_of(both, one)
    verdict, code = complains(log, honest)
    assert verdict["verdict"] == "cannot_judge", "nobody is accused of an honest turn"
    assert "When both have shown their secrets" in str(verdict["reason"])
    assert complains(log, honest, "--out", shows)[0] == verdict
    other.does("read", honest)
    assert shows.read_bytes() == other.log
    verdict, code = complains(log, honest)
    assert (verdict["verdict"], code) == ("unfounded", 0)
    result = CliRunner().invoke(app, ["complain", str(log), str(honest), "--out", str(shows)])
    assert (result.exit_code, "Others see it" in result.output) == (0, False)


def test_nobody_signs_the_second_turn_of_a_fork_in_anothers_name(both: TwoFriends, tmp_path: Path) -> None:
    """A cheat invents another turn of his friend's for a place that the log has. SIG names nobody; only the friend's own
    second signature is FORK."""
    one, other = ahead(both)
    letter, acts = tmp_path / "letter.pbem", list[dict[str, object]]([{"do": "say", "what": "resign"}])
    invented, signed = turn_by(one, acts, signs=other), turn_by(one, acts)
    other.does("read", letter_of(both, one))
    found = []
    for brought in (invented, signed):
        letter.write_bytes(brought)
        verdict, _code = complains(other.table.path, letter)
        found.append((verdict["code"], verdict["party"]))
    assert found == [("SIG", "supplier"), ("FORK", one.notes.seat)]


def test_two_turns_for_one_place_are_a_fork(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    letter, shows = tmp_path / "letter.pbem", tmp_path / "shows.pbem"
    letter.write_bytes(turn_by(one, [{"do": "say", "what": "resign"}]))
    other.does("read", letter_of(both, one))
    log = other.table.path
    assert other.pbem("read", letter)[0] == 2
    for brought in (letter, log.with_suffix(".fork")):
        verdict, _code = complains(log, brought, "--out", shows)
        assert (verdict["verdict"], verdict["code"], verdict["party"]) == ("fault", "FORK", one.notes.seat)
    result = CliRunner().invoke(app, ["merge", str(log), str(shows), "--out", str(tmp_path / "both.pbem")])
    assert "two different turns" in str(result.exception)
    said = CliRunner().invoke(app, ["complain", str(log), str(letter), "--out", str(shows)]).output
    assert "pbem merge" in said
    assert "have signed both" in said
    result = CliRunner().invoke(app, ["diff", str(log), str(shows)])
    said = " ".join(result.output.split())
    assert (result.exit_code, "Both turns bear the signature of " in said, "pbem merge" in said) == (1, True, True), (
        said
    )
    assert "pbem verify" not in said, "each is in order by itself, so that judges nothing"
    assert "resign" in said
    assert "{" not in said
    said = CliRunner().invoke(app, ["diff", str(log), str(shows)], env={"PBEM_LANGUAGE": "fr"}).output
    assert f"la signature d’{one.notes.seat.title()}" in said or f"la signature de {one.notes.seat.title()}" in said, (
        said
    )


def test_what_somebody_else_wrote_accuses_nobody(both: TwoFriends, tmp_path: Path) -> None:
    """A complaint brings a letter that is another's, of another game, damaged, or in the log. A signed fault is written
    out for others."""
    one, other = ahead(both)
    log = other.table.path
    honest = read_message(letter_of(both, one).read_bytes()).log
    letter = tmp_path / "letter.pbem"
    letter.write_bytes(honest.replace(b'"no":', b'"no":1', 1))
    verdict, _code = complains(log, letter)
    assert (verdict["code"], verdict["party"]) == ("SIG", "supplier")
    letter.write_bytes(honest[:-20])
    assert complains(log, letter)[0]["verdict"] == "cannot_judge"


def test_what_shows_nothing_is_said_to(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    log = other.table.path
    letter = tmp_path / "letter.pbem"
    another = TwoFriends(tmp_path / "another", *TINY)
    for brought, why in (
        (another.ann.log, "another game"),
        (append((99, "0" * 64), read_line(one.table.entries[-1].line)).line + b"\n", "does not connect to the log"),
    ):
        letter.write_bytes(brought)
        verdict, _code = complains(log, letter)
        assert verdict["verdict"] == "cannot_judge"
        assert why in str(verdict["reason"]), verdict
    letter.write_bytes(b"From: bob@example.org\r\nSubject: my turn\r\n\r\nIt is attached.\r\n")
    verdict, code = complains(log, letter)
    assert (verdict["verdict"], code, "attached" in str(verdict["reason"])) == ("cannot_judge", 1, True)
    other.does("say", "draw", "--yes")
    word = other.posts()
    assert "nobody can tell" in str(complains(log, word)[0]["reason"])
    with pytest.raises(UsageError, match="no receipt"):
        raise CliRunner().invoke(app, ["complain", str(log), str(letter), "--other", str(letter)]).exception  # type: ignore[misc]


@pytest.mark.slow
def test_the_end_of_a_game_is_judged_by_the_rules(both: TwoFriends, tmp_path: Path) -> None:
    goes_on(both)
    entries = lines_of(both.ann.log)
    log, letter = tmp_path / "log.pbem", tmp_path / "letter.pbem"
    log.write_bytes(b"".join(entry.line + b"\n" for entry in entries[:-1]))
    letter.write_bytes(entries[-1].line + b"\n")
    verdict, code = complains(log, letter)
    assert (verdict["verdict"], code) == ("unfounded", 0)


def test_an_earlier_fork_is_kept(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    letters = []
    for what in ("resign", "draw"):
        letter = tmp_path / f"{what}.pbem"
        letter.write_bytes(turn_by(one, [{"do": "say", "what": what}]))
        letters.append(letter)
    other.does("read", letter_of(both, one))
    for letter in (*letters, letters[-1]):
        assert "FORK" in other.pbem("read", letter)[1]
    kept = sorted(path.name for path in other.table.path.parent.glob("*.fork*"))
    assert len(kept) == len(letters)
    assert other.table.path.with_suffix(".fork").read_bytes().endswith(letters[-1].read_bytes())


def test_a_letter_that_was_saved_without_what_was_attached_says_so(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    raw = letter_of(both, one).read_bytes()
    head, _blank, _body = raw.partition(b"\r\n\r\n")
    kept = [
        line
        for line in head.split(b"\r\n")
        if line.split(b":")[0] in (b"From", b"To", b"Subject", b"Date", b"Message-ID")
    ]
    bare = tmp_path / "bare.eml"
    bare.write_bytes(b"\r\n".join(kept) + b"\r\n\r\nMy turn is attached.\r\n")
    code, said = other.pbem("read", bare)
    assert code == 1
    assert ("the attachment of such a letter is missing" in said, "host" in said.replace("without a host", "")) == (
        True,
        False,
    )
    assert "| My turn is attached." in said


def test_send_again_knows_games_of_two(both: TwoFriends) -> None:
    one, _other = ahead(both)
    letter = letter_of(both, one)
    assert "Laid ready again" in one.does("send", "--again", "--game", one.notes.game[:8])
    again = one.posts()
    assert again is not None
    assert read_message(again.read_bytes()).log == read_message(letter.read_bytes()).log
