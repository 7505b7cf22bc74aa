"""The notation of games of two without a host: each golden log comes back from it, and a line that does not fit is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from pbem.errors import FormError, UsageError
from pbem.games import find
from pbem.player.pair.notation import hostless_notation
from pbem.player.pair.tale import PairTale
from pbem.story.hostless import line_by_line, rebuilt_hostless
from pbem.story.notation import FIRST, Notation, read, written
from pbem.story.short import short
from tests.golden_logs import index
from tests.pair.golden import FOLDER
from tests.story.comparing import comes_back, said, same

ROOT = Path(__file__).parents[2]
QUICK = ("tiny", "tiny-talk", "tournament", "hammer-resigned")
OVER = [name for name, about in index(FOLDER).items() if about["verdict"] == "clean"]
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in OVER]


@cache
def tale_of(name: str) -> PairTale:
    return PairTale((FOLDER / f"{name}.pbem").read_bytes())


@cache
def notation(name: str) -> Notation:
    return hostless_notation(tale_of(name).course, tale_of(name).entries)


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_of_two_comes_back_from_both_forms(name: str) -> None:
    tale, game = tale_of(name), notation(name)
    comes_back(game)
    assert same(rebuilt_hostless(game), tale.opened(tale.entries[-1].n))


@pytest.mark.parametrize("name", NAMES)
def test_numbered_line_by_line_it_is_the_same_game(name: str) -> None:
    """So the short notation shows each order in its turn, also where one mail ends a turn and begins the next."""
    game, tale = notation(name), tale_of(name)
    again, told = rebuilt_hostless(line_by_line(game)), tale.opened(tale.entries[-1].n)
    for seat in ("", *told.seats):
        assert again.told[seat][-1].view == told.told[seat][-1].view
    assert again.end
    assert told.end
    assert again.end[1] == told.end[1]


def test_what_is_taken_back_is_not_in_the_short_notation() -> None:
    game = notation("swords-back")
    text = short(game, rebuilt_hostless(game), find("swords"))
    orders = sum(line.k == "order" for line in game.lines)
    backs = sum(line.k == "change" and "back" in line.change for line in game.lines)
    assert backs > 3
    assert 0 < text.count(";") < orders


def test_lines_without_numbers_and_tells_are_the_same_game() -> None:
    game = notation("hammer-resigned")
    bare = [line.model_copy(update={"n": None}) for line in game.lines if line.k != "tell"]
    again = rebuilt_hostless(Notation(game.head.model_copy(update={"log": None, "ver": 0}), bare))
    tale = tale_of("hammer-resigned")
    told = tale.opened(tale.entries[-1].n)
    assert again.told[""][-1].view == told.told[""][-1].view
    assert again.end
    assert told.end
    assert again.end[1] == told.end[1]


@pytest.mark.slow
def test_the_commands_write_it_and_play_it_again(tmp_path: Path) -> None:
    log = FOLDER / "hammer-resigned.pbem"
    for form in ("full", "json"):
        code, text = said("replay", log, "--notation", form)
        assert code == 0
        place = tmp_path / form
        place.write_text(text, "utf-8")
        assert said("replay", "--from", place, "--notation", form) == (0, text)
        marked = said("replay", "--from", place, "--as", "text")[1]
        signed = said("replay", log, "--as", "text")[1]
        assert "Unsigned: this game comes from a notation" in marked
        assert marked.split("\n\n", 4)[4] == signed.split("\n\n", 3)[3]
    code, text = said("replay", log, "--notation", "short")
    assert code == 0
    assert "1306, Game Turn 1" in text
    assert "CARD " in text
    for command in ("audit", "verify"):
        assert said(command, place)[0] != 0


@pytest.mark.parametrize("form", ["short", "full", "json"])
def test_a_running_game_of_two_has_no_notation(form: str) -> None:
    code, text = said("replay", FOLDER / "tiny-begun.pbem", "--notation", form)
    assert code == 2
    assert "This game is not over" in text
    assert "order " not in text


def test_rules_of_another_version_write_no_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(find("tiny").rules), "version", 99)
    tale = PairTale((FOLDER / "tiny.pbem").read_bytes())
    with pytest.raises(UsageError, match="This log names version 1 of the rules of tiny, which is not here"):
        hostless_notation(tale.course, tale.entries)
    with pytest.raises(UsageError, match="here is 99"):
        rebuilt_hostless(read((FIRST + "\ngame: tiny 1\nhost: none\n").encode()))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("order ann: ", "order zoe: ", 1), "zoe is not asked here: due are answers of"),
        (
            lambda text: text.replace("order ann: CARD", "order ann: CRAD", 1),
            "there is no such order here (did you mean CARD?)",
        ),
        (lambda text: text.replace("roll pub: ", "roll deal:1: ", 1), "chance does not give that here: due is roll"),
        (lambda text: text.replace("roll pub: [", "roll pub: [7, ", 1), "chance does not give that here"),
        (lambda text: text + "30 roll pub: [1]\n", "nothing falls here by chance: the game is over"),
        (lambda text: text + "30 tell\n", "nothing is told here: the game is over"),
        (lambda text: text + "1 tell\n", "entry 1 comes after entry"),
        (lambda text: text + "30 ask ann: card\n", "a game of two without a host has no such line: ask"),
        (lambda text: text + '30 change: {"agreed": 3}\n', "this is not a change that a game knows"),
        (lambda text: text + '30 note: {"f": "rekey"}\n', "the “f” of a note is one of say, pledge, plan"),
        (lambda text: text.replace("host: none", "host: some"), "line 2: "),
    ],
)
def test_what_does_not_fit_is_named_by_its_line(change: Callable[[str], str], says: str) -> None:
    text = written(notation("tiny"))
    assert change(text) != text
    with pytest.raises(FormError, match=r"line [0-9]+: ") as found:
        rebuilt_hostless(read(change(text).encode()))
    assert says in str(found.value)


@pytest.mark.parametrize(
    "change",
    [
        '{"back": 90, "kept": 0, "seat": "ann"}',
        '{"back": 1, "kept": 0, "seat": "ann"}',
        '{"back": 3, "kept": 9, "seat": "ann"}',
        '{"back": 3, "kept": -1, "seat": "ann"}',
        '{"by": 3, "out": ["ann", "bob"], "why": "resigned"}',
        '{"by": 3, "out": ["ann"], "why": "late"}',
        '{"by": 3, "out": ["zoe"], "why": "resigned"}',
        '{"by": 3, "out": [["ann"]], "why": "resigned"}',
        '{"moved": "anew:1"}',
    ],
)
def test_changes_that_cannot_be_are_refused(change: str) -> None:
    lines = written(notation("tiny")).splitlines()
    text = "\n".join([*lines[:7], f"change: {change}"])
    with pytest.raises(FormError, match=r"line 8: (this is not a change|no such answer)"):
        rebuilt_hostless(read(text.encode()))


def test_cards_that_nobody_wrote_down_are_laid() -> None:
    game = notation("hammer-resigned")
    text = written(game)
    deal = next(line for line in text.splitlines() if " roll deal:1" in line)
    names = deal[deal.index("[") :]
    hidden = deal.replace(names, "[" + ", ".join(["null"] * 10) + "]")
    assert rebuilt_hostless(read((text.split(deal)[0] + hidden + "\n").encode())).told[""]
