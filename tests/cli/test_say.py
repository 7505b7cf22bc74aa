"""What is said besides orders, as it is typed: offers found without their number, and each mistake with a sentence to act on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.errors import UsageError
from tests.host.post import Club, a_club


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
    with a_club(tmp_path, hours=48, terms={"late": "default", "leave": 24}) as club:
        yield club.begin()


def typed(club: Club, who: str, *words: object) -> Result:
    return CliRunner().invoke(app, [*map(str, words), "--home", str(club.folder / who)])


def sent(club: Club, who: str) -> str:
    """Send what waits on a desk; everybody reads what comes of it."""
    (letter,) = club.letters(club.desks[who])
    outcome = club.take(letter)
    club.read_all()
    for desk in club.desks.values():
        desk._copies.clear()
    return outcome


@pytest.mark.slow
def test_an_offer_and_its_answer_need_no_numbers(club: Club) -> None:
    assert "Signed: draw" in typed(club, "ann", "say", "draw", "--yes").output
    assert sent(club, "ann") == "draw: ann"
    found = typed(club, "bob", "say", "agree", "--yes")
    assert found.exit_code == 0, found.exception
    assert sent(club, "bob") == "agree: bob"
    assert club.log().finished


def test_who_offers_a_draw_while_one_stands_is_told_that_he_can_agree(club: Club) -> None:
    """His own offer would have been no agreement, and nobody would have said so."""
    typed(club, "ann", "say", "draw", "--yes")
    sent(club, "ann")
    found = typed(club, "bob", "say", "draw", "--yes")
    n = club.log().entries[-1].n
    assert (
        f"offered a draw at entry {n}, and the offer is still open. Agree to that one (“pbem say agree {n}”)."
        in str(found.exception)
    )
    assert club.desks["bob"].tray.unsent() == []


@pytest.mark.slow
def test_one_thing_is_said_after_the_other(club: Club) -> None:
    typed(club, "ann", "say", "draw", "--yes")
    found = typed(club, "ann", "say", "leave", 5, "--yes")
    assert isinstance(found.exception, UsageError)
    assert "waits to be sent, and the host takes one saying after the other" in str(found.exception)
    assert sent(club, "ann") == "draw: ann"
    assert "Signed: leave" in typed(club, "ann", "say", "leave", 5, "--yes").output
    assert sent(club, "ann") == "leave: ann"


def test_leave_is_taken_in_hours(club: Club) -> None:
    typed(club, "bob", "say", "leave", 5, "--yes")
    assert sent(club, "bob") == "leave: bob"
    assert club.log().entries[-1].k == "extend"


@pytest.mark.variants
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("shout",), "is not a statement"),
        (("agree",), "the number of its entry goes with"),
        (("agree", 3), "not an offer, or is one that has lapsed"),
        (("leave",), "a number of hours goes with"),
        (("leave", 25), "has 24 left"),
        (("takeback",), "add its number to"),
        (("resign", 3), "No number goes with"),
        (("rules",), "here is 1"),
    ],
)
def test_what_cannot_be_said_is_answered(club: Club, words: tuple[object, ...], why: str) -> None:
    found = typed(club, "ann", "say", *words, "--yes")
    assert isinstance(found.exception, UsageError)
    assert why in str(found.exception)
    assert not club.letters(club.desks["ann"])


@pytest.mark.slow
def test_a_new_key_is_made_with_the_spare_one(club: Club, tmp_path: Path) -> None:
    spare, home = tmp_path / "spare", tmp_path / "dora"
    made = CliRunner().invoke(app, ["key", "--address", "d@example.org", "--recovery", str(spare), "--home", str(home)])
    assert made.exit_code == 0, made.exception
    assert spare.stat().st_mode & 0o077 == 0
    assert "No game is going on." in CliRunner().invoke(app, ["rekey", "--yes", "--home", str(home)]).output
    found = typed(club, "ann", "rekey", "--recovery", spare, "--yes")
    assert "not the recovery key" in str(found.exception)
    assert "“pbem send” tells the host: Tiny." in typed(club, "ann", "rekey", "--yes").output
    assert sent(club, "ann") == "rekey: ann"


@pytest.mark.slow
def test_a_mail_that_proposes_nobody_is_named(club: Club, tmp_path: Path) -> None:
    (tmp_path / "mail").write_bytes(club.received["ann"][-1])
    assert "contains no offer to take a seat" in str(
        typed(club, "ann", "welcome", tmp_path / "mail", "--yes").exception
    )


def test_terms_need_a_time_for_an_answer() -> None:
    for words in (("--late", "never"), ("--late", "claim"), ("--leave", "3")):
        found = CliRunner().invoke(app, ["host", "new", "--seat", "ann=a@example.org", *words])
        assert isinstance(found.exception, UsageError), found.output
