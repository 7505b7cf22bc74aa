"""Mail that others have collected: nothing in it stops the reader or the host, becomes an order, or has a bounce answered.

`tests/corpora.py` fetches it; it is not kept with pbem.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.mail import read_block, read_message
from tests.corpora import messages

from .post import HOST, Club, a_club

pytestmark = pytest.mark.slow

SOME = {name: messages(name) for name in ("python", "bounces")}
each = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(not paths, reason="not fetched: run “python tests/corpora.py”"))
        for name, paths in SOME.items()
    ],
)


def under(headers: bytes, path: Path) -> bytes:
    """A message with headers added on top, as by a mail server; without the line of a mailbox file."""
    raw = path.read_bytes()
    return headers + (raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw)


@each
def test_every_message_is_read_or_said_to_be_unreadable(name: str) -> None:
    for path in SOME[name]:
        mail = read_message(path.read_bytes(), own=HOST)
        assert read_block(mail.text) is None, path.name
        assert (mail.command, mail.bounce, mail.log) == (None, None, b""), path.name
        (mail.text + mail.sender + mail.subject + mail.message_id + mail.problem + mail.robot).encode()


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club")) as made:
        made.begin()
        yield made


@each
def test_the_host_takes_every_message_and_the_game_does_not_move(club: Club, name: str) -> None:
    before = club.state()
    club.deliver()
    for path in SOME[name]:
        outcome, letters = club.answer_to(path.read_bytes())
        assert outcome.startswith(("refused: FORM", "ignored", "unreadable", "duplicate", "bounce")), (
            path.name,
            outcome,
        )
        assert not any(letters.values()), path.name
    assert club.state() == before


@each
def test_none_is_answered_that_comes_back_to_a_letter_whoever_it_says_it_is_from(club: Club, name: str) -> None:
    before = club.state()
    for path in SOME[name]:
        raw = under(b"X-Original-To: host+b-3f29@example.org\nFrom: ann@example.org\n", path)
        outcome, letters = club.answer_to(raw)
        assert not any(letters.values()), (path.name, outcome)
    assert club.state() == before


@pytest.mark.skipif(not SOME["bounces"], reason="not fetched: run “python tests/corpora.py”")
def test_the_reports_among_the_bounces_have_a_status_that_is_read() -> None:
    found = []
    for path in SOME["bounces"]:
        bounce = read_message(under(b"Delivered-To: host+b-3f29@example.org\n", path)).bounce
        assert bounce is not None, path.name
        assert bounce.token == "3f29"
        found.append(bounce.kind)
    assert found.count("hard") >= 10, "they are bounces"
    assert found.count("soft") >= 1


OURS = sorted((Path(__file__).parents[1] / "mail").glob("c*/*.eml"))


def test_mails_of_our_own_cases_stop_no_host_and_move_no_game(club: Club) -> None:
    """Those that ordinary programs write, and those that once broke something; their orders are for another game."""
    before = club.state()
    assert len(OURS) > 50
    for path in OURS:
        outcome, letters = club.answer_to(path.read_bytes())
        assert outcome.startswith(("refused: ", "ignored", "unreadable", "duplicate", "bounce", "answered")), (
            path.name,
            outcome,
        )
        assert not letters["bob"], path.name
    assert club.state() == before
