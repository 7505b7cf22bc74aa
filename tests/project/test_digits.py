"""Numbers from outside: none is so long that Python refuses it, and nobody hands digits to `int` that were not looked at."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli.common import game_options
from pbem.engine import Engine
from pbem.errors import PbemError, UsageError
from pbem.games import shipped
from pbem.host.settings import Settings
from pbem.kernel.digits import MOST, whole
from pbem.player import Notes
from tests.engine.talking import ask

ROOT = Path(__file__).resolve().parents[2] / "pbem"
LONG = "9" * 5000
LOOKED_AT = re.compile(
    r"\.isdigit\(|\.isdecimal\(|except (?:json\.)?JSONDecodeError|TOMLDecodeError\)? as|(?<![.\\])\((?:\\d|\[0-9\])[+*]\)"
)
"""Ways to let a number through that `int` may refuse: digits of any script, and any number of them."""
KNOWN = {
    "kernel/digits.py", "kernel/ahead.py", "ledger/log.py", "host/tables.py", "host/clubroom.py", "host/about.py",
    "player/club.py", "player/pair/busy.py", "games/hammer/setting_up.py", "games/swords/plans.py",
    "games/swords/look/touches/planning.py",
}  # fmt: skip
"""Files in which each of them is bounded, or in which no number is made of it."""


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), (str(MOST), MOST), (str(MOST + 1), None), (LONG, None), ("0" * 5000 + "1", 1), ("", None), ("-1", None),
     ("²", None), ("٣", None), (" 1", None), ("1_0", None), ("+1", None)],
)  # fmt: skip
def test_digits_are_read_as_a_number_or_not_at_all(text: str, number: int | None) -> None:
    assert whole(text) == number


def test_a_setting_of_thousands_of_digits_is_told_as_any_other_fault(tmp_path: Path) -> None:
    (tmp_path / "host.toml").write_text(f'address = "a@example.org"\nevery = {LONG}\n', "utf-8")
    with pytest.raises(PbemError, match=r"host\.toml"):
        Settings.of(tmp_path / "host.toml")


@pytest.mark.parametrize("value", [LONG, "[" * 100_000, '{"a":' * 100_000], ids=["digits", "brackets", "braces"])
def test_notes_of_thousands_of_digits_or_brackets_are_told_as_damaged(tmp_path: Path, value: str) -> None:
    """The page names the damaged notes or settings and the remedy."""
    (path := tmp_path / "notes.json").write_text(f'{{"game": {value}}}', "utf-8")
    with pytest.raises(
        UsageError,
        match=r"notes\.json are damaged \(it contains a number with thousands of digits, or too many brackets",
    ):
        Notes.read(path)


def test_an_option_of_thousands_of_digits_is_taken_as_a_text() -> None:
    assert game_options(None, None, [f"years={LONG}"]) == {"years": LONG}


@pytest.mark.variants
@pytest.mark.parametrize("game", shipped())
def test_an_order_with_thousands_of_digits_is_refused_in_words(game: str) -> None:
    """By the first question of each game, whatever word the number follows."""
    engine = Engine()
    ask(engine, "new", game=game)
    while (wanted := ask(engine, "wants"))["k"] == "chance":
        ask(engine, "step", seed=1)
    for word in (
        "",
        "MOVE",
        "RECRUIT",
        "MUSTER",
        "CARD",
        "BUILD",
        "BID E",
        "IF ROUND",
        "DRAW",
        "PLAN BATTLE",
        "AHEAD 1:",
        "PLACE",
    ):
        found = ask(engine, "why_not", seat=wanted["seats"][0], order=f"{word} {LONG}")
        assert found["problems"], word


def test_no_digits_from_outside_go_to_int_unseen() -> None:
    found = {
        str(path.relative_to(ROOT)).replace("\\", "/")
        for path in ROOT.rglob("*.py")
        if LOOKED_AT.search(path.read_text("utf-8")) and "bots" not in path.parts
    }
    assert found <= KNOWN
