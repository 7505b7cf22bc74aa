"""The list of known rules: what stands there plays alike, and what is here stands there."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_game

from pbem import releasing
from pbem.errors import UsageError
from pbem.games import GamePack, find, manifest, shipped
from pbem.games.releases import NEXT, Known, known, listed, named, read_list, versions, write_list
from pbem.games.running import rules_in
from pbem.referee.table import Table
from pbem.releasing import register, released
from tests.attacks.recorded import take_turn
from tests.cli.other_rules import EXAMPLES, another

TINY = GamePack(tiny_game.GAME, "tiny_game")
SHA256 = manifest(TINY)[1]
OTHER = "5" * 64
NOTHING = Path("no shelf")


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


@pytest.mark.parametrize("game", shipped())
def test_the_rules_that_are_here_are_known(game: str) -> None:
    """Only code that decides play enters the fingerprint. A corrected sentence or picture does not change it."""
    rules, sha256 = find(game).rules, manifest(game)[1]
    assert known(game, rules.version, sha256), (
        f"The rules of {rules.title} have changed: {sha256} is not known. If play has not changed, “make known” puts them on the "
        f"list. If it has, “make shelf” the former rules, raise the version above {rules.version}, and then “make known”."
    )


def test_each_line_is_of_one_game_and_version() -> None:
    for game in shipped():
        assert find(game).rules.version in versions(game)
        for line in listed(game):
            assert known(line.game, line.version, line.sha256) == named(line.sha256) == line
            assert known(line.game, line.version + 1, line.sha256) is None
            assert known("chess", line.version, line.sha256) is None
    assert known("lords", 1, "0" * 64) is None
    assert named("0" * 64) is None


def test_the_list_reads_back() -> None:
    lines = (Known("a", 2, OTHER, "1.0", "2026-12-24"), Known("b", 1, SHA256, NEXT))
    assert read_list(write_list(reversed(lines))) == lines
    assert [line.is_out for line in lines] == [True, False]


def played(seed: str, sha256: str, tmp_path: Path, *, to_the_end: bool = True, rules: Path | None = None) -> Path:
    """Record a game of Tiny, by the rules that are here or by those of another folder."""

    def record(game: object) -> bytes:
        table = Table(game, {"players": 2, "turns": 2}, seed, sha256)  # type: ignore[arg-type]
        take_turn(table)
        while table.open and to_the_end:
            take_turn(table)
        return table.whole()

    logs = tmp_path / "logs"
    logs.mkdir(exist_ok=True)
    if rules is None:
        data = record(TINY.rules)
    else:
        with rules_in(rules, "tiny") as (there, _):
            data = record(there)
    (logs / f"{seed}.pbem").write_bytes(data)
    return logs


def test_the_first_rules_of_a_version_are_listed_as_they_are(tmp_path: Path) -> None:
    (line,) = register([], TINY, tmp_path, NOTHING)
    assert line == Known("tiny", 1, SHA256, NEXT)
    assert register([line], TINY, tmp_path, NOTHING) == [line]


def test_what_nobody_has_played_by_is_replaced(tmp_path: Path) -> None:
    before = [Known("tiny", 1, OTHER, NEXT), Known("tiny", 0, OTHER, "0.1.0", "2026-01-01")]
    assert register(before, TINY, tmp_path, NOTHING) == [before[1], Known("tiny", 1, SHA256, NEXT)]


@pytest.mark.slow
def test_what_was_released_stays_and_what_plays_alike_comes_beside_it(tmp_path: Path) -> None:
    before = [Known("tiny", 1, OTHER, "0.1.0", "2026-01-01")]
    played("whole", OTHER, tmp_path)
    logs = played("running", OTHER, tmp_path, to_the_end=False)
    after = register(before, TINY, logs, NOTHING)
    assert after == [*before, Known("tiny", 1, SHA256, NEXT)]
    assert released(after, "0.2.0", "2026-12-24") == [*before, Known("tiny", 1, SHA256, "0.2.0", "2026-12-24")]


def test_nothing_shows_that_it_plays_alike(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no game by it that shows whether these rules play alike"):
        register([Known("tiny", 1, OTHER, "0.1.0", "2026-01-01")], TINY, tmp_path, NOTHING)


@pytest.mark.slow
@pytest.mark.parametrize("release", [NEXT, "0.1.0"])
def test_what_plays_otherwise_is_not_listed_under_the_version(release: str, tmp_path: Path) -> None:
    """A recorded game in which BANK is worth four points, by version 1."""
    logs = played("four", OTHER, tmp_path, rules=another(tmp_path / "other", 1))
    with pytest.raises(UsageError, match=r"by these rules four\.pbem is another game .*raise its version"):
        register([Known("tiny", 1, OTHER, release)], TINY, logs, NOTHING)


def test_the_rules_of_another_version_are_not_listed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="these are the rules of version 7, not 1"):
        register([Known("tiny", 7, SHA256, NEXT)], TINY, tmp_path, NOTHING)


def test_the_command_writes_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = tmp_path / "known.txt"
    lines.write_text(write_list([]), "utf-8")
    words = ["--list", str(lines), "--logs", str(tmp_path), "--shelf", str(tmp_path)]
    assert releasing.main(["known", "tiny", *words]) == 0
    assert read_list(lines.read_text("utf-8")) == (Known("tiny", 1, SHA256, NEXT),)
    assert releasing.main(["out", "--release", "0.3.0", *words]) == 0
    assert read_list(lines.read_text("utf-8"))[0].release == "0.3.0"
    before = lines.read_text("utf-8").replace(SHA256, OTHER)
    lines.write_text(before, "utf-8")
    assert releasing.main(["known", "tiny", *words]) == 1
    assert "play alike" in capsys.readouterr().err
    assert lines.read_text("utf-8") == before
