"""Games are found by their id, wherever they lie."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import tiny_game
from typer.testing import CliRunner

import pbem.games
from pbem.cli.app import app
from pbem.engine.contestants import contestant
from pbem.errors import UsageError
from pbem.games import GamePack, find, known
from pbem.kernel import Json
from tests.other_python import python

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

OTHER = """
from tiny_game.rules import Tiny

class Other(Tiny):
    id = "{id}"

GAME = Other()
"""


def make_game(folder: Path, package: str, game_id: str) -> Path:
    """Write a game package without LOOK and BOTS in front; they stand in its modules."""
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(OTHER.format(id=game_id))
    (folder / package / "look.py").write_text("LOOK = 'the look of ' + __package__")
    (folder / package / "bots.py").write_text("BOTS = {'random': None}")
    return folder / package


def test_a_game_in_a_named_folder_is_found_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
    pack = find("tiny")
    assert pack == GamePack(tiny_game.GAME, "tiny_game")
    assert pack.look is tiny_game.LOOK
    assert {"random", "sensible"} <= pack.bots.keys()
    assert "tiny" in known()


def test_a_folder_that_python_does_not_search_will_do(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "tiny_game", tmp_path / "tiny_game")
    script = "import sys; from pbem.games import find; print(find('tiny').look.seat_name('ann'), sys.modules['tiny_game'].__file__)"
    assert python(script, path=[ROOT], games=tmp_path).split() == ["Ann", str(tmp_path / "tiny_game" / "__init__.py")]


def test_a_game_among_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path, "wholeother", "wholeother")
    monkeypatch.setattr(pbem.games, "__path__", [*pbem.games.__path__, str(tmp_path)])
    assert find("wholeother").package == "pbem.games.wholeother"
    assert "wholeother" in known()


def test_a_game_that_somebody_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path, "installed_game", "inst")
    (tmp_path / "installed_game-1.dist-info").mkdir()
    (tmp_path / "installed_game-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: installed-game\nVersion: 1\n"
    )
    (tmp_path / "installed_game-1.dist-info" / "entry_points.txt").write_text("[pbem.games]\ninst = installed_game\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find("inst").rules.id == "inst"
    assert "inst" in known()


def test_words_and_players_are_imported_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path, "lazy_game", "lazy")
    monkeypatch.setenv("PBEM_GAMES", str(tmp_path))
    pack = find("lazy")
    assert "lazy_game.look" not in sys.modules
    assert str(pack.look) == "the look of lazy_game"
    assert "lazy_game.bots" not in sys.modules
    assert list(pack.bots) == ["random"]


@pytest.mark.parametrize("unknown", ["chess", "", "..", "Tiny", "pack", "bot", "tiny_game"])
def test_an_unknown_game_is_refused_with_those_there_are(unknown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
    with pytest.raises(UsageError, match=r"The games are: .*tiny"):
        find(unknown)


def test_who_lacks_a_game_is_told_how_to_add_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_GAMES", raising=False)
    with pytest.raises(UsageError, match=r"no game “tiny” here.* set PBEM_GAMES to the folder above the game's own"):
        find("tiny")
    result = CliRunner().invoke(app, ["demo", "--game", "tiny"])
    assert "set PBEM_GAMES to the folder above" in str(result.exception)


def test_the_folder_of_a_game_is_not_the_folder_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would import the game's parts as games, and say something about relative imports."""
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES / "tiny_game"))
    with pytest.raises(UsageError, match=r"tiny_game, which is not a folder with folders of games"):
        find("tiny")


def test_a_folder_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="nowhere, which is not a folder"):
        known()


def test_a_folder_named_like_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path, "json", "js")
    monkeypatch.setenv("PBEM_GAMES", str(tmp_path))
    with pytest.raises(UsageError, match="needs another folder name"):
        find("js")


def test_packages_in_a_folder_that_are_no_games_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no_play").mkdir()
    (tmp_path / "no_play" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.setenv("PBEM_GAMES", str(tmp_path))
    known()
    assert "no_play" not in sys.modules


def test_importing_the_registry_imports_no_game_and_nothing_heavy() -> None:
    script = "import sys, pbem.games; pbem.games.known(); print(*sys.modules)"
    loaded = python(script, path=[ROOT]).split()
    assert "pbem.games.pack" in loaded
    assert not {"pydantic", "pbem.kernel", "sqlite3", "typer"} & set(loaded)
    ours = {"pbem.games.pack", "pbem.games.manifests", "pbem.games.normal"}
    assert not [name for name in loaded if name.startswith("pbem.games.") and name not in ours]


def test_an_invitation_tells_the_options_in_words() -> None:
    pack = find("hammer")
    told = pack.told(pack.complete({"schiltroms": True, "bid": "E2"}))
    assert told == [
        "scenario Braveheart",
        "the rules of edition 4.0",
        "Scottish infantry hits one better where no English archers fight",
        "bid E2 is in force: for 2 years Edward lies in the draw pool and is not drawn",
    ]
    assert find("tournament").told({"players": ["ann", "bob"]}) == [
        "2 players: Ann, Bob",
        "then games of Hammer of the Scots: scenario Braveheart, the rules of edition 4.0",
    ]


def test_an_invitation_tells_in_what_an_older_edition_differs() -> None:
    pack = find("hammer")
    told = pack.told(pack.complete({"edition": "2.3"}))
    assert told[1] == "the rules of edition 2.3"
    assert "edition 2.3: the Scottish archers move two areas, not three" in told
    assert "edition 2.3: the Norse regroup along the same coast only" in told
    assert len(told) == 2 + 11


@pytest.mark.parametrize(
    ("game", "options", "why"),
    [
        ("hammer", {"schiltrom": True}, "there is no option “schiltrom”; did you mean schiltroms?"),
        ("hammer", {"archers_move_2": True}, "there is no option “archers_move_2”. Its options: scenario, edition,"),
        ("hammer", {"rally": "maybe"}, "rally is true or false, not “maybe”."),
        ("hammer", {"edition": "2.4", "bid": "E4"},
         "edition is 4.0 or 2.3, not “2.4”. bid is E1, E2, E3, S1, S2 or S3, not “E4”."),
        ("hammer", {"after": "now"}, "after is a text of the form ^([0-9a-f]{64})?$, not “now”."),
        ("lords", {"players": 9}, "players is 2 to 5, not “9”."),
        ("lords", {"players": 1}, "players is 2 to 5, not “1”."),
        ("lords", {"goal": "high"}, "goal is a whole number, "),
        ("tournament", {"players": ["ann", "bob", "cat"]}, "players does not fit: 3 players cannot be matched in pairs."),
    ],
)  # fmt: skip
def test_a_wrong_option_is_answered_with_what_fits(game: str, options: dict[str, Json], why: str) -> None:
    pack = find(game)
    with pytest.raises(UsageError) as caught:
        pack.complete(options)
    assert str(caught.value).startswith(f"{pack.rules.title}: {why}")


def test_built_in_players_come_to_an_end_by_an_option_where_the_rules_have_no_last_round() -> None:
    hammer = find("hammer")
    assert hammer.ending({"scenario": "campaign"})["years"] == 40
    assert hammer.ending({"scenario": "campaign", "years": 7})["years"] == 7
    assert hammer.ending({"scenario": "bruce"})["years"] == 0
    assert find("lords").ending({}) == find("lords").complete({})


@pytest.mark.parametrize(
    ("said", "meant"),
    [("easy", "sensible"), ("Sensible", "sensible"), ("HARD", "hard"), ("hrad", ""), ("", ""), ("genius", "")],
)
def test_a_built_in_player_is_named_in_any_letters_or_by_its_level(said: str, meant: str) -> None:
    pack = find("lords")
    assert pack.player(said) == meant


def test_a_player_of_a_match_is_named_in_the_same_way() -> None:
    assert contestant(find("lords"), {}, "Easy", 60).name == "sensible"
    with pytest.raises(UsageError, match=r"nor a program that can be started: .* Is hard meant"):
        contestant(find("lords"), {}, "hrad", 60)


def test_whoever_names_no_built_in_player_hears_which_there_are() -> None:
    with pytest.raises(UsageError) as refused:
        find("lords").player_named("hrad")
    assert str(refused.value) == (
        "There is no built-in player “hrad”; the built-in players are random, sensible (easy), normal, hard. Is hard meant?"
    )
