"""A desk whose program refuses a turn by what its seat alone sees: who can see it, and what shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.ledger.pair import append, signed_turn
from pbem.referee.pair.play import vault_of
from tests.pair.bad_days import both, letter_of
from tests.pair.friends import Friend, TwoFriends

from .bad_days import ahead

__all__ = ["both"]


def judged(command: str, *words: object) -> dict[str, Any]:
    return json.loads(CliRunner().invoke(app, [command, *map(str, words), "--json"]).output)  # type: ignore[no-any-return]


def secret_of(friend: Friend) -> bytes:
    return vault_of(friend.table.entries, friend.desk.key).secret.encode()


def bent(both: TwoFriends, tmp_path: Path, **changed: Any) -> tuple[Friend, Friend, Path, Path]:
    """One of the two, the other, the one's honest letter that tells something, and the same with that changed."""
    for _letter in range(60):
        one, other = ahead(both)
        honest = letter_of(both, one)
        entry, before = one.table.entries[-1], one.table.entries[-2]
        acts = entry.fields["say"]["acts"]
        if any(act["do"] == "tell" for act in acts):
            acts = [act | changed if act["do"] == "tell" else act for act in acts]
            head, vault = (before.n, before.hash), vault_of(one.table.entries, one.desk.key)
            made = append(head, signed_turn(one.desk.key, vault, entry.fields["say"]["no"], head, acts))
            letter = tmp_path / "bent.pbem"
            letter.write_bytes(made.line + b"\n")
            return one, other, honest, letter
        other.does("read", honest)
    raise AssertionError


@pytest.mark.slow
def test_what_nobody_can_read_is_proved_by_the_common_key_and_the_game_goes_on(
    both: TwoFriends, tmp_path: Path
) -> None:
    one, other, honest, letter = bent(both, tmp_path, hand="A" * 684)
    assert "is kept here" in other.pbem("say", "prove", "--yes")[1], "nothing was refused yet"
    code, said = other.pbem("read", letter)
    assert code == 2
    assert "The key that you both share proves it" in said
    log = other.table.path
    assert judged("complain", log, log.with_suffix(".fault"))["verdict"] == "cannot_judge"
    before = other.log
    assert str(log.with_suffix(".proof")) in other.does("say", "prove", "--yes")
    found = judged("complain", log, log.with_suffix(".proof"))
    assert (found["verdict"], found["code"], found["party"]) == ("fault", "SEALBIND", one.notes.seat)
    assert secret_of(other) not in log.with_suffix(".proof").read_bytes()
    assert other.log == before
    other.does("read", honest)


@pytest.mark.slow
def test_what_a_seat_alone_knows_is_proved_by_its_secret_which_ends_the_game(both: TwoFriends, tmp_path: Path) -> None:
    one, other, honest, letter = bent(both, tmp_path, view={"sides": 5})
    code, said = other.pbem("read", letter)
    assert code == 2
    assert "Your secret proves it" in said
    log = other.table.path
    shown = secret_of(other)
    assert shown not in log.read_bytes()
    assert shown not in log.with_suffix(".fault").read_bytes(), "it is shown to nobody unasked"
    assert judged("complain", log, log.with_suffix(".fault"))["verdict"] == "cannot_judge"
    other.does("say", "prove", "--yes")
    assert shown in log.with_suffix(".proof").read_bytes()
    for found in (judged("audit", log), judged("complain", log, log.with_suffix(".proof"))):
        assert (found["verdict"], found["code"], found["party"]) == ("fault", "TELL", one.notes.seat)
    for words in (("read", honest), ("turn",), ("say", "draw", "--yes"), ("say", "prove", "--yes")):
        assert other.pbem(*words)[0] == 2, "its program goes no further"
    assert judged("audit", log)["party"] == one.notes.seat


@pytest.mark.slow
def test_what_everybody_sees_needs_no_secret(both: TwoFriends, tmp_path: Path) -> None:
    one, other = ahead(both)
    table, letter = one.table, tmp_path / "bent.pbem"
    vault, no = vault_of(table.entries, one.desk.key), sum(e.fields.get("by") == one.notes.seat for e in table.entries)
    acts = [{"do": "link", "x": "0" * 64}]
    letter.write_bytes(append(table.head, signed_turn(one.desk.key, vault, no, table.head, acts)).line + b"\n")
    code, said = other.pbem("read", letter)
    assert code == 2
    assert "Everybody can see it" in said
    assert "Everybody can see it" in other.pbem("say", "prove", "--yes")[1]
    assert not other.table.path.with_suffix(".proof").exists()
    other.does("read", letter_of(both, one))
