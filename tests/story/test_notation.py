"""The full notation: every golden log comes back from it, byte for byte; what does not fit its rules is refused by its line."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError, PbemError
from pbem.games import find, installed
from pbem.games.shelf import Lender
from pbem.ledger import Log
from pbem.referee.replaying import Library
from pbem.reports.replay import opened
from pbem.story.from_log import notation_of
from pbem.story.notation import FIRST, Notation, as_json_lines, read, written
from pbem.story.rebuilt import rebuilt
from pbem.story.short import short
from tests.golden_logs import FOLDER, LATER, index
from tests.story.comparing import comes_back, said, same

ROOT = Path(__file__).parents[2]
QUICK = ("tiny", "tiny-ahead", "tiny-another-host", "tiny-rules", "tiny-talk", "tiny-vanished", "lords-2", "tournament")
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in index()]


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    with Lender([], ROOT / "shelf", installed) as lent:
        yield Library(installed, ChainMap(LATER, lent))  # type: ignore[arg-type] # it changes none of them


def log_of(name: str) -> Log:
    return Log.parse((FOLDER / f"{name}.pbem").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_comes_back_from_both_forms(name: str, library: Library) -> None:
    log = log_of(name)
    game = notation_of(log)
    comes_back(game)
    assert same(rebuilt(game, library), opened(log))


def test_lines_without_numbers_tells_and_asks_are_the_same_game(library: Library) -> None:
    game = notation_of(log_of("lords-2"))
    bare = [line.model_copy(update={"n": None}) for line in game.lines if line.k not in ("tell", "ask", "note")]
    again, log = rebuilt(Notation(game.head, bare), library), opened(log_of("lords-2"))
    assert [tell.facts for tell in again.told[""]] == [tell.facts for tell in log.told[""]]
    assert again.end
    assert log.end
    assert again.end[1] == log.end[1]


TINY = f"""{FIRST}
game: tiny
options: {{"players": 2, "turns": 2}}
source: a kitchen table
"""


def tiny() -> str:
    """A game of Tiny as an importer would write it, found by what the rules ask for."""
    lines = written(notation_of(log_of("tiny-begun"))).splitlines()
    return "\n".join([FIRST, *lines[1:3], "source: a kitchen table", *(line.partition(" ")[2] for line in lines[4:])])


def test_an_importer_s_file_is_played(library: Library) -> None:
    told = rebuilt(read(tiny().encode()), library)
    assert told.unsigned.startswith("Unsigned")
    assert told.end is None
    assert told.told[""]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda text: text.replace("roll deal:1: [", "roll deal:1: [7, "),
            "line 5: chance does not give that here: due is roll",
        ),
        (
            lambda text: text.replace("roll deal:1", "roll pub"),
            "line 5: chance does not give that here: due is roll deal:1",
        ),
        (lambda text: text.replace('"c', '"x'), "line 5: chance cannot give"),
        (lambda text: text.replace("order ann: CARD", "order ann: CRAD"), "line 8: "),
        (
            lambda text: text.replace("order ann", "order zoe"),
            "line 8: zoe is not asked here: due are answers of ann, bob",
        ),
        (
            lambda text: text.replace("order ann: CARD c10\n", "", 1).replace("order cat", "order bob"),
            "bob is not asked here",
        ),
        (lambda text: "\n".join(text.split("\n")[:4]), "line 1: the game stops where chance is to give something"),
        (lambda text: text + "\nroll pub: [1]", "nothing falls here by chance: due"),
        (lambda text: text.replace("tell: ", "tell: 0000", 1), "line 6: the rules come to another position here"),
        (lambda text: text.replace("ask ", "ask bob ", 1), "line 7: the rules put another question"),
        (lambda text: text.replace("order ann:", "say ann:"), "“say ann” should be one of: roll CHAIN"),
        (lambda text: text.replace(FIRST, "pbem-notation/2"), "its first line is neither"),
        (lambda text: text.replace("game: ", "came: "), "“came” should be one of"),
        (lambda text: text + '\nnote: {"f": "won"}', "the “f” of a note is one of say, player"),
        (lambda text: text + '\nchange: {"out": ["zoe"], "why": "late", "by": 1}', "this is not a change"),
        (lambda text: text + '\nchange: {"back": 1}', "LookupError"),
        (lambda text: text + "\nroll pub: [" + "[" * 60 + "]" * 60 + "]", "nested more than"),
        (lambda text: text + "\nroll pub: [1.5]", ""),
    ],
)
def test_what_does_not_fit_is_named_by_its_line(change: object, says: str, library: Library) -> None:
    text = change(tiny())  # type: ignore[operator]
    assert text != tiny()
    with pytest.raises(PbemError) as found:
        rebuilt(read(text.encode()), library)
    assert says in str(found.value)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_file_breaks_the_reader(data: st.DataObject) -> None:
    lines = tiny().split("\n")
    for _time in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(1, len(lines) - 1))
        do = data.draw(st.sampled_from(["cut", "twice", "swap", "text"]))
        if do == "cut":
            del lines[at]
        elif do == "twice":
            lines.insert(at, lines[at])
        elif do == "swap":
            lines[at - 1], lines[at] = lines[at], lines[at - 1]
        else:
            lines[at] += data.draw(st.text(max_size=5))
        if len(lines) < 2:
            return
    try:
        rebuilt(read("\n".join(lines).encode("utf-8", "replace")), Library(installed, {}))
    except PbemError:
        return


def test_bytes_that_are_no_notation_are_refused() -> None:
    for data in (
        b"",
        b"\xff\xfe\x00",
        b"{}",
        b"[]",
        b'{"format": "pbem-notation/1"}',
        b"x" * 9_000_000,
        b"\n" * 300_000,
    ):
        with pytest.raises(FormError):
            read(data)


# The commands


def test_the_commands_write_a_notation_and_play_it_again(tmp_path: Path) -> None:
    log = FOLDER / "lords-2.pbem"
    for form in ("full", "json"):
        code, text = said("replay", log, "--notation", form)
        assert code == 0
        place = tmp_path / form
        place.write_text(text, "utf-8")
        code, told = said("replay", "--from", place)
        assert code == 0, told
        mark, _empty, rest = told.split("\n", 2)
        assert mark.startswith("Unsigned: ")
        whole = said("replay", log)[1]
        assert rest.split("\nAfter")[0] == whole.split("\nAfter")[0]
        assert said("replay", "--from", place, "--notation", form) == (0, text)


def test_every_page_of_an_unsigned_game_says_so(tmp_path: Path) -> None:
    place = tmp_path / "game.txt"
    place.write_text(said("replay", FOLDER / "lords-2.pbem", "--notation", "full")[1], "utf-8")
    for more in ((), ("--opinion",)):
        out = tmp_path / "page.html"
        assert said("replay", "--from", place, "--html", out, *more)[0] == 0
        assert "Unsigned: this game comes from a notation" in out.read_text("utf-8")
    assert "# Unsigned: " in said("replay", "--from", place, "--notation", "short")[1]
    said("replay", FOLDER / "lords-2.pbem", "--html", out)
    assert "Unsigned" not in out.read_text("utf-8")


def test_a_notation_is_not_taken_for_a_log_nor_a_log_for_a_notation(tmp_path: Path) -> None:
    place = tmp_path / "game.txt"
    place.write_text(tiny(), "utf-8")
    code, told = said("replay", place)
    assert code == 2
    assert "add --from" in told
    code, told = said("replay", "--from", FOLDER / "tiny.pbem")
    assert code == 2
    assert "is not a game in full notation" in told
    for command in ("audit", "verify"):
        assert said(command, place)[0] != 0


@pytest.mark.parametrize("form", ["short", "full", "json"])
def test_a_running_game_has_no_notation(form: str) -> None:
    """An export must not open what is hidden: not even from the host's own log, which has everything."""
    code, told = said("replay", FOLDER / "hammer-begun.pbem", "--notation", form)
    assert code == 2
    assert "This game is not over" in told
    assert "order " not in told


def test_a_copy_that_does_not_open_everything_has_no_notation() -> None:
    from pbem.errors import UsageError
    from pbem.ledger import redact

    log = log_of("hammer-begun")
    copy = redact(log, "english")
    with pytest.raises(UsageError, match="is not open in this copy"):
        notation_of(copy)


def test_the_short_notation_has_a_line_per_turn_and_side() -> None:
    log = log_of("lords-2")
    lines = short(notation_of(log), opened(log), find("lords")).splitlines()
    assert lines[0] == "# Lords of Scotland"
    assert sum(line.startswith("Round ") for line in lines) == sum(line.startswith("  Angus ") for line in lines)


def test_json_lines_are_json() -> None:
    rows = [json.loads(row) for row in as_json_lines(notation_of(log_of("tiny"))).splitlines()]
    assert rows[0]["format"] == "pbem-notation/1"
    assert {row["k"] for row in rows[1:]} >= {"roll", "order", "tell", "ask"}
