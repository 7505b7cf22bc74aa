"""Who stood better: told when a game is over, to whom everything is open, and the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import main
from pbem.games import find
from pbem.games.hammer.bots.foresight.guessing import whole
from pbem.games.hammer.bots.foresight.numbers import AREA_NAMES, BLOCK
from pbem.games.hammer.views import HammerView
from pbem.ledger import Log
from pbem.look import PageTable
from pbem.reports.opinion import opinion
from pbem.reports.replay import EVERYTHING, films
from pbem.reports.told import told

LOGS = Path(__file__).parents[1] / "golden" / "logs"
BRAVEHEART = Log.parse((LOGS / "hammer-braveheart.pbem").read_bytes())
HAMMER = find("hammer")


def views_of(log: Log) -> dict[int, list[HammerView]]:
    """Return the views of both sides by the entry after which they are so."""
    heard = [{tell.n: tell.view for tell in told(log, seat)} for seat in log.entries[0].fields["seats"]]
    return {n: [HammerView.model_validate(views[n]) for views in heard] for n in heard[0]}


def test_each_turn_has_a_row_and_each_row_makes_a_hundred() -> None:
    turns = next(film for film in films(BRAVEHEART, HAMMER) if film.seat == EVERYTHING).turns.found
    drawing, table = opinion(HAMMER, turns, views_of(BRAVEHEART))
    assert isinstance(table, PageTable)
    assert table.heads == ("Turn", "The English", "The Scots")
    assert [row[0] for row in table.rows] == [turn.name for turn in turns if turn.depth == 0 and turn.name != "The end"]
    assert {sum(map(int, row[1:])) for row in table.rows} == {100}
    assert {row[1] for row in table.rows} == {"100"}  # it ends with its first year, and the English have the nobles
    assert "The Scots" in str(drawing)
    assert opinion(HAMMER, turns, views_of(BRAVEHEART)) == (drawing, table)


def test_of_a_game_without_end_not_every_turn_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = next(film for film in films(BRAVEHEART, HAMMER) if film.seat == EVERYTHING).turns.found
    _drawing, every = opinion(HAMMER, turns, views_of(BRAVEHEART))
    monkeypatch.setattr("pbem.reports.opinion.MOST", len(turns) // 3)
    _drawing, some = opinion(HAMMER, turns, views_of(BRAVEHEART))
    assert isinstance(every, PageTable)
    assert isinstance(some, PageTable)
    assert 1 < len(some.rows) < len(every.rows)
    assert set(some.rows) < set(every.rows)


def test_with_years_to_come_a_lead_is_not_all() -> None:
    turns = next(film for film in films(BRAVEHEART, HAMMER) if film.seat == EVERYTHING).turns.found
    longer = {n: [view.model_copy(update={"years": 9}) for view in views] for n, views in views_of(BRAVEHEART).items()}
    _drawing, table = opinion(HAMMER, turns, longer)
    assert isinstance(table, PageTable)
    english = [int(row[1]) for row in table.rows]
    assert len(set(english)) > 1
    assert all(20 < share < 80 for share in english)


def test_nothing_is_guessed() -> None:
    """With the views of both sides each block lies in the small game where it lies in the true one."""
    for english, scottish in list(views_of(BRAVEHEART).values())[::7]:
        model = whole([english, scottish])
        for view in (english, scottish):
            for name, block in view.blocks.items():
                number = next(
                    b for title, b in BLOCK.items() if title.lower().replace(" ", "_").replace("'", "") == name
                )
                if block.at in AREA_NAMES:
                    assert (AREA_NAMES[model.at[number]], model.st[number]) == (block.at, block.strength)


@pytest.mark.slow
def test_the_page_tells_it_only_when_it_is_asked_for(tmp_path: Path) -> None:
    def said(judged: bool) -> str:
        made = films(BRAVEHEART, HAMMER, judged=judged)
        return "\n".join("\n".join(film.frames[max(film.frames)][2]) for film in made)

    assert "Who stood better" not in said(judged=False)
    assert (
        said(judged=True).count("Who stood better, turn by turn") == 1
    )  # beside everything, and not beside one seat's game


def test_a_game_without_a_judge_has_none() -> None:
    log = Log.parse((LOGS / "tournament.pbem").read_bytes())
    pack = find("tournament")
    assert pack.opinion is None
    assert films(log, pack, judged=True)[0].frames == films(log, pack)[0].frames


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lords-3", "swords-2"])
def test_games_of_several_have_a_share_for_each_seat(name: str) -> None:
    log, pack = Log.parse((LOGS / f"{name}.pbem").read_bytes()), find(name.partition("-")[0])
    made = [film.frames[max(film.frames)][2] for film in films(log, pack, judged=True)]
    said = ["\n".join(lines) for lines in made]
    assert said == ["\n".join(film.frames[max(film.frames)][2]) for film in films(log, pack, judged=True)]
    assert "Who stood better" in said[0]
    assert not any("Who stood better" in other for other in said[1:])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["hammer-braveheart.pbem", "--opinion"], "--opinion goes with --html"),
        (["hammer-begun.pbem", "--opinion", "--html", "out.html"], "This game is not over: here it ends with entry "),
        (
            ["hammer-braveheart.pbem", "--opinion", "--html", "out.html", "--seat", "english"],
            "--opinion goes with --html",
        ),
        (["tournament.pbem", "--opinion", "--html", "out.html"], "no built-in player that judges"),
    ],
)
def test_it_is_for_the_page_of_a_game_that_is_over(
    words: list[str], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["pbem", "replay", str(LOGS / words[0]), *words[1:]])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert why in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out.html").exists()
