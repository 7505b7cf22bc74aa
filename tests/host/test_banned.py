"""A banned person gets no answer and nothing new; his running games go on. And everybody can have what a host keeps about him."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from pbem.errors import UsageError
from pbem.host import Store, banned
from pbem.host.store import person
from pbem.host.store.rows import Mail
from pbem.host.store.schema import MIGRATIONS, tables
from pbem.ledger import verify
from tests.cli.odd_uses import pbem, the_example_game_is_found
from tests.cli.program import Program
from tests.stored import stored_row

from .another_host import adopt, agree, vanish
from .mailboxes import Mailboxes, address
from .post import HOST, Club, a_club, key_of
from .requests import request

__all__ = ["pbem", "the_example_game_is_found"]
STRANGER = f"From: Stan <stan@example.net>\nTo: {HOST}\nSubject: hello\n\nLet me in.\n".encode()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24) as club:
        yield club.begin()


def letters_written(club: Club) -> int:
    row = stored_row(club.office.store, "select count(*) as n from outbox")
    assert row is not None
    return int(row["n"])


def test_a_banned_stranger_is_not_answered_and_counted(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    assert pbem("host", "ban", "Stan@Example.net", "--why", "mail bombs", "--dir", host) == (
        0,
        "stan@example.net is banned.\n",
    )
    before = letters_written(club)
    for _ in range(3):
        assert club.take(STRANGER + bytes(club.minute)) == "ignored: from stan@example.net, who is banned"
    assert letters_written(club) == before
    _code, said = pbem("host", "status", "--dir", host)
    assert "mails turned away: 3 (mail bombs)" in said
    assert pbem("host", "unban", "stan@example.net", "--dir", host)[1] == "The ban is lifted. It turned away 3 mails.\n"
    assert "banned" not in pbem("host", "status", "--dir", host)[1]
    assert not club.take(STRANGER).startswith("ignored: from stan")


@pytest.mark.parametrize("who", ["address", "key"])
def test_the_running_games_of_a_banned_player_go_on_without_his_words(club: Club, who: str) -> None:
    """His orders count and are answered; nobody reads his press, whoever its envelope names."""
    one = "ann@example.org" if who == "address" else key_of("ann").key_line
    assert banned.ban(club.office.store, one, "", club.now()) == [club.number]
    outcome, letters = club.answer_to(request("PRESS\n\nYou will be sorry."))
    assert outcome == f"ignored: from {banned.shown(one)}, who is banned"
    assert not any(letters.values())
    club.play()
    assert verify(club.log().dump()).verdict == "clean"


@pytest.mark.slow
def test_after_his_last_game_a_banned_player_is_answered_nothing(club: Club) -> None:
    club.play()
    club.deliver()
    assert banned.ban(club.office.store, "ann@example.org", "", club.now()) == []
    outcome, letters = club.answer_to(request("STATUS"))
    assert outcome == "ignored: from ann@example.org, who is banned"
    assert not any(letters.values())


def test_a_ban_by_key_counts_whatever_address_a_mail_names(tmp_path: Path) -> None:
    with a_club(tmp_path / "club", hours=24) as club:
        banned.ban(club.office.store, key_of("ann").key_line, "", club.now())
        (raw,) = club.deliver()["ann"]
        club.desks["ann"].join(raw, club.now())
        (letter,) = club.letters(club.desks["ann"])
        assert club.take(letter.replace(b"ann@example.org", b"new@example.org")).startswith("ignored: from SHA256:")
        assert not any(club.deliver().values())


def test_a_banned_address_gets_no_invitation(club: Club, pbem: Program) -> None:
    """Not to a new game, not to a seat of one, and not in the place of somebody who has vanished."""
    host, store = club.folder / "host", club.office.store
    banned.ban(store, "stan@example.net", "", club.now())
    before = letters_written(club)
    new = ("host", "new", "--game", "tiny", "--option", "players=2", "--option", "turns=2", "--dir", host)
    for words in (
        (*new, "--seat", "ann=ann@example.org", "--seat", "bob=Stan@example.net"),
        ("host", "invite", "1", "ann", "stan@example.net", "--yes", "--dir", host),
        ("host", "replace", "1", "ann", "stan@example.net", "--yes", "--dir", host),
    ):
        code, said = pbem(*words)
        assert (code, "stan@example.net is banned here and gets no invitation." in said) == (2, True), said
    assert letters_written(club) == before
    assert store.game_numbers() == [1]
    banned.unban(store, "stan@example.net")
    assert pbem(*new, "--seat", "ann=ann@example.org", "--seat", "bob=Stan@example.net")[0] == 0


def test_a_game_with_a_banned_address_is_not_taken_over(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        vanish(club).close()
        store = club.office.store
        banned.ban(store, "bob@example.org", "", club.now())
        with pytest.raises(UsageError, match=r"bob@example\.org is banned here"):
            adopt(club)
        assert store.game_numbers() == []
        banned.unban(store, "bob@example.org")
        adopt(club)
        assert len(agree(club)) == 2


def test_again_opens_no_game_for_somebody_who_is_banned_now(tmp_path: Path) -> None:
    """The other learns that no game is opened, and not why."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 1}, hours=24) as boxes:
        ann, bob = boxes.begin().seats
        boxes.play()
        banned.ban(boxes.office.store, address(bob), "", "2030-01-02T00:00:00Z")
        assert boxes.say(ann, "AGAIN", to=boxes.put_to(ann)) == "refused: no game for one of them"
        assert "This host opens no more games for the players of this one." in " ".join(boxes.last(ann).split())
        assert boxes.office.store.game_numbers() == [1]


def test_a_ban_is_lifted_in_one_decision(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program that lifts it meanwhile waits, and is told that there is none."""
    store, inside = club.office.store, list[bool]()
    banned.ban(store, "stan@example.net", "", club.now())
    forget = store.forget

    def watched(*names: str) -> None:
        inside.append(store.rows._parts is not None)
        forget(*names)

    monkeypatch.setattr(store, "forget", watched)
    assert banned.unban(store, "stan@example.net") == 0
    assert inside == [True]


def test_what_is_neither_address_nor_key_is_called_so(club: Club, pbem: Program) -> None:
    code, said = pbem("host", "ban", "stan", "--dir", club.folder / "host")
    assert (code, "neither an address nor a key" in said) == (2, True)
    code, said = pbem("host", "unban", "stan@example.net", "--dir", club.folder / "host")
    assert (code, "is not banned here. Banned: nobody." in said) == (2, True)


def test_without_bans_an_order_costs_no_statement_more(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    rows = club.office.store.rows
    read = rows._read

    def watched(sql: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        asked.append(sql)
        return read(sql, values)

    monkeypatch.setattr(rows, "_read", watched)
    club.take(club.order("ann"))
    assert asked
    assert not [sql for sql in asked if "name >= ?" in sql and "ban" in sql]


# -- what is held about a person ----------------------------------------------------------------------------------------


def test_every_table_is_said_to_be_about_people_or_not() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        db = Database(connection)
        MIGRATIONS.apply(db)
        assert {*tables(db)} == {*person.BY_ADDRESS, *person.BY_SEAT, *person.OF_NOBODY}
    assert all(person.OF_NOBODY.values())


def test_a_person_is_told_of_mails_that_name_him_in_their_head(club: Club) -> None:
    """Whoever handed them over: a list, or nobody; and not of those that only speak of him."""
    for no, (line, sender) in enumerate(
        [("From: Ann <Ann@Example.org>", "list@example.net"), ("From: Bob <bob@example.org>\nSender: ann@example.org", ""),
         ("From: Bob <bob@example.org>\nSubject: ann@example.org", "bob@example.org")]
    ):  # fmt: skip
        club.robot.keep(f"{line}\nTo: {HOST}\n\nHello {no}.\n".encode(), club.now(), "lmtp", sender)
    numbers = [mail.id for mail in club.office.store.find(Mail)][-3:]
    found = [row["id"] for row in person.held_about(club.office.store, "ann@example.org")["inbox"]]
    assert [number in found for number in numbers] == [True, True, False]


def test_a_person_is_told_all_that_is_about_him_and_nothing_of_others(
    club: Club, pbem: Program, tmp_path: Path
) -> None:
    """No address, key, code or order of anybody else is in it."""
    club.set_clock("ann", "Europe/Berlin", "22-08", "off")
    club.turn()
    for who in ("ann", "bob"):
        club.robot.take(request("STATUS", f"{who}@example.org"), club.now(), "lmtp", f"{who}@example.org")
    banned.ban(club.office.store, "ann@example.org", "writes too much", club.now())
    host, out = club.folder / "host", tmp_path / "ann.json"
    code, said = pbem("host", "person", "Ann@example.org", "--out", out, "--dir", host)
    assert code == 0, said
    assert out.stat().st_mode & 0o077 == 0
    found = json.loads(out.read_text("utf-8"))
    (seat,) = found["seats"]
    assert (seat["address"], seat["zone"], seat["key"]) == ("ann@example.org", "Europe/Berlin", key_of("ann").key_line)
    assert {row["sender"] for row in found["inbox"]} == {"ann@example.org"}
    assert len(found["outbox"]) == len([1 for row in found["outbox"] if row["address"] == "ann@example.org"])
    assert found["notes"]["ban ann@example.org"].endswith("writes too much")
    text = out.read_text("utf-8")
    assert "bob@example.org" not in text
    assert key_of("bob").key_line not in text
    assert not {"code", "token", "raw", "salt", "openings"} & {
        name for rows in found.values() for row in rows for name in row
    }
    assert json.loads(pbem("host", "person", "nobody@example.org", "--dir", host)[1]) == {}


@pytest.mark.slow
def test_the_export_names_all_that_forgetting_erases(club: Club) -> None:
    """Where somebody was erased, nothing is left to tell."""
    club.play()
    store: Store = club.office.store
    assert person.held_about(store, "ann@example.org")
    from pbem.host.members import forget

    forget(store, "ann@example.org")
    left = person.held_about(store, "ann@example.org")
    assert {*left} <= {"outbox"}, "letters that wait still"
    assert store.get(Mail, sender="ann@example.org") is None
