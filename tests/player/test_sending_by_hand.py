"""Sending with one's own mail program: as a file that it opens, or as a link; the host reads either as the letter it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import UsageError
from pbem.mail import Letter, read_message, short_blocks
from tests.host.post import HOST, Club, a_club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as made:
        made.begin()
        yield made


def an_order(club: Club, seat: str = "ann") -> Path:
    """Let a seat sign its first legal order; return the letter that waits."""
    desk = club.desks[seat]
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", club.now())
    (path,) = desk.tray.unsent()
    return path


def send(club: Club, *options: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["send", "--home", str(club.folder / "ann"), *map(str, options)])
    if isinstance(result.exception, UsageError):
        return 2, str(result.exception)
    return result.exit_code, result.stdout


def test_a_letter_in_a_file_is_a_draft_that_the_host_takes(club: Club) -> None:
    waiting = an_order(club)
    letter = waiting.read_bytes()
    code, said = send(club, "--eml", club.folder / "move.eml")
    assert code == 0
    assert f"Written: {club.folder / 'move.eml'}\nOpen it with your mail program and send it.\n" in said
    draft = message_from_bytes((club.folder / "move.eml").read_bytes(), policy=policy.default)
    assert (draft["X-Unsent"], draft["To"]) == ("1", HOST)
    assert club.signed(draft.as_bytes()) == club.signed(letter)
    assert club.take(draft.as_bytes()) == "order: ann"
    assert (club.folder / "ann" / "given" / waiting.name).read_bytes() == letter
    assert not waiting.exists()


def test_a_letter_as_a_link_is_taken_as_the_mail_program_writes_it(club: Club) -> None:
    signed = club.signed(an_order(club).read_bytes())
    code, said = send(club, "--mailto")
    assert code == 0
    link = said.splitlines()[0]
    assert len(link) < 1800
    fields = parse_qs(urlsplit(link).query)
    assert unquote(urlsplit(link).path) == HOST
    body = fields["body"][0]
    assert "\r\nEND\r\n" in body
    raw = Letter(
        "ann@example.org", HOST, fields["subject"][0], body, "typed.1@example.org", datetime(2030, 1, 1, tzinfo=UTC)
    ).raw()
    assert club.signed(raw) == signed
    assert club.take(raw) == "order: ann"


def test_a_letter_goes_in_full_where_its_host_asks_for_that(club: Club) -> None:
    waiting = an_order(club)
    short, kept = waiting.read_bytes(), (club.folder / "ann" / "signed" / waiting.name).read_bytes()
    assert send(club, "--eml", club.folder / "short.eml")[0] == 0
    assert send(club, "--again", "--full", "--eml", club.folder / "full.eml")[0] == 0
    drafts = [(club.folder / f"{form}.eml").read_bytes() for form in ("short", "full")]
    assert [len(short_blocks(read_message(raw).text)) for raw in drafts] == [1, 0]
    assert drafts == [b"X-Unsent: 1\r\n" + raw for raw in (short, kept)]
    assert [club.take(raw) for raw in drafts[::-1]] == ["order: ann", "duplicate: that order is here"]


def test_a_link_with_a_short_block_is_short(club: Club) -> None:
    an_order(club)
    link = send(club, "--mailto")[1].splitlines()[0]
    assert len(link) < 600


def test_a_letter_too_long_for_a_link_is_told_and_stays(club: Club) -> None:
    waiting = an_order(club)
    waiting.write_bytes(waiting.read_bytes().replace(b"END\r\n", b"# a long remark\r\n" * 80 + b"END\r\n", 1))
    code, said = send(club, "--mailto")
    assert code == 2
    assert "This letter does not fit into a link" in said
    assert waiting.exists()


def test_a_file_that_cannot_be_written_leaves_the_letter_waiting(club: Club) -> None:
    waiting = an_order(club)
    send(club, "--eml", club.folder / "nowhere" / "move.eml")
    assert waiting.exists()


def test_of_several_games_one_is_named(club: Club) -> None:
    waiting = an_order(club)
    other = waiting.with_name(f"0000aaaa.{waiting.name.partition('.')[2]}")
    other.write_bytes(waiting.read_bytes())
    code, said = send(club, "--mailto")
    assert (code, "Name one with --game: 0000aaaa, " in said) == (2, True)
    assert send(club, "--eml", club.folder / "move.eml", "--game", "0000")[0] == 0
    assert (waiting.exists(), other.exists()) == (True, False)


def test_when_nothing_waits_that_is_said(club: Club) -> None:
    assert send(club, "--eml", club.folder / "move.eml") == (2, "Nothing waits to be sent.")
    assert not (club.folder / "move.eml").exists()
