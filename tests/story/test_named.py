"""What readers name in words: a seat as it is called, a moment by its turn; and the terms, which entry 0 shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.show import tale_in
from pbem.games import find
from pbem.i18n import speaking
from pbem.player.named import moment, seat_named
from tests.golden_logs import FOLDER
from tests.pair.golden import FOLDER as OF_TWO
from tests.story.comparing import said

SEATS = ["english", "scottish"]


@pytest.mark.parametrize(
    ("language", "typed", "seat"),
    [
        ("en", "scottish", "scottish"),
        ("en", "scots", "scottish"),
        ("en", "The Scots", "scottish"),
        ("en", " ENGLISH", "english"),
        ("fr", "Écossais", "scottish"),
        ("fr", "les ecossais", "scottish"),
        ("en", None, None),
    ],
)
def test_a_seat_is_read_as_it_is_called(language: str, typed: str | None, seat: str | None) -> None:
    with speaking(language):
        assert seat_named(SEATS, typed, find("hammer")) == seat


def test_commands_that_show_a_log_read_the_names_of_seats() -> None:
    for command in (("replay", "--at", "60", "--seat"), ("show", "--hand")):
        by_id, by_name = (
            said(command[0], FOLDER / "hammer-bruce.pbem", *command[1:], seat) for seat in ("scottish", "Scots")
        )
        assert by_id == by_name
        code, text = said(command[0], FOLDER / "hammer-bruce.pbem", *command[1:], "pict")
        assert (code, "its seats are english, scottish" in text) == (2, True)


@pytest.mark.parametrize("log", [FOLDER / "hammer-bruce.pbem", OF_TWO / "hammer-resigned.pbem"])
def test_a_moment_is_named_by_its_turn_its_year_or_its_number(log: Path) -> None:
    for name in ("1306, Game Turn 1", "1306, game turn 1", "1306", "1306, winter"):
        code, by_name = said("replay", log, "--at", name)
        assert code == 0, by_name
        assert "1306" in by_name
    code, text = said("replay", log, "--at", "Culloden")
    assert code == 2
    assert "1306, Game Turn 1; " in text
    code, text = said("replay", log, "--at", "99999")
    assert code == 2
    assert "99999" in text


@pytest.mark.slow
def test_a_page_opens_at_the_moment_that_was_named(tmp_path: Path) -> None:
    log, out = FOLDER / "lords-3.pbem", tmp_path / "page.html"
    assert said("replay", log, "--html", out)[0] == 0
    whole = out.read_text("utf-8")
    assert "<body>" in whole
    n = moment(tale_in(str(log), log.read_bytes()), "Round 2")
    assert said("replay", log, "--html", out, "--at", "round 2")[0] == 0
    assert out.read_text("utf-8") == whole.replace("<body>", f'<body data-at="{n}">')


@pytest.mark.parametrize(
    ("log", "terms"),
    [
        (
            FOLDER / "swords-3.pbem",
            ("3 players", "at least 24 and at most 744 hours for an answer", "then a default answer"),
        ),
        (OF_TWO / "hammer-pledged.pbem", ("scenario The Bruce", "no limit of time")),
    ],
)
def test_entry_0_shows_the_terms_of_the_game(log: Path, terms: tuple[str, ...]) -> None:
    code, text = said("show", log, "0")
    assert code == 0
    assert all(f"\n  {term}" in text for term in terms)
    assert "agreed to" not in said("show", log, "1")[1]
