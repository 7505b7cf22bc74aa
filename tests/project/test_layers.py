"""The layers inside a game: each module imports from its own layer and those below it, also for type checking and inside functions.

The same names mean the same in every game: what is `printed`, what is `told`, the `orders`, the `board`, the `machine` of frames,
the `law` of what is legal, the `sight` of a seat (its view, and guesses that fit it), the `questions` and how they are answered,
`plans` and what else is said in advance, the `game` that gathers them; and upon it positions in `words`, who
is `knowing` what, `puzzles`, `bots`, the `look` with the `cover`, and the `lesson`.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from tests.project.source import ROOT, Module, games

LAYERS: dict[str, dict[str, str]] = {
    "pbem.games.hammer": {
        "printed": "rules.printed rules.said rules.variants rules.scenarios rules.norse",
        "told": "rules.told",
        "orders": "orders",
        "board": "rules.board rules.bids rules.deal_123 rules.groups rules.hits rules.ratings rules.asked",
        "law": "rules.*_law rules.winter_limits",
        "machine": (
            "rules.frame rules.setup rules.year rules.acts rules.moves rules.events rules.crown rules.battle* rules.retreats "
            "rules.regroup rules.defections rules.eliminations rules.raids rules.victory rules.levy rules.winter* rules.telling"
        ),
        "sight": "rules.view rules.position rules.texts rules names views guess",
        "questions": "questions*",
        "plans": "plans* ahead",
        "game": "game",
        "words": "setting_up",
        "knowing": "knowing",
        "puzzles": "puzzles*",
        "bots": "bots*",
        "look": "look* cover",
        "lesson": "lesson*",
    },
    "pbem.games.lords": {
        "printed": "rules.cards",
        "told": "rules.told",
        "orders": "orders",
        "board": "rules rules.board rules.follower",
        "machine": "rules.drawing rules.turn rules.skirmish rules.reign rules.sound",
        "sight": "rules.sight rules.facedown rules.position views rules.guess",
        "law": "law",
        "questions": "reading",
        "game": "game",
        "words": "setting_up",
        "puzzles": "puzzles*",
        "bots": "bots*",
        "look": "look* cover",
        "lesson": "lesson*",
    },
    "pbem.games.swords": {
        "printed": "rules.names rules.troops rules.shapes rules.parts",
        "told": "rules.told",
        "orders": "orders",
        "board": "rules rules.board",
        "law": "rules.*_law",
        "machine": "rules.settling rules.battles rules.flip rules.war",
        "sight": "rules.position rules.sight views",
        "questions": "law reading",
        "plans": "plans",
        "game": "game",
        "words": "setting_up",
        "knowing": "knowing",
        "puzzles": "puzzles*",
        "bots": "bots*",
        "look": "look* cover",
        "lesson": "lesson*",
    },
    "pbem.games.tournament": {
        "orders": "orders matching told",
        "game": "game",
        "knowing": "knowing",
        "bots": "bots",
        "look": "look* cover",
    },
    "tiny_game": {
        "orders": "orders told rules.told",
        "board": "rules.board",
        "machine": "rules.turn",
        "sight": "rules.sight",
        "questions": "rules.questions",
        "game": "rules.game rules",
        "knowing": "knowing",
        "bots": "bots",
        "look": "look* cover",
    },
}
"""By game, from below to above: the modules of each layer. The package itself hands the game on, and stands in none."""


def _layer(package: str, module: str) -> int | None:
    """Return how high a module of a game stands, or None where it has no layer; the first that names it counts."""
    rest = module.removeprefix(f"{package}.")
    for height, patterns in enumerate(LAYERS[package].values()):
        if any(fnmatchcase(rest, pattern) for pattern in patterns.split(" ")):
            return height
    return None


def _above(module: Module, package: str) -> list[str]:
    """Return what a module imports from layers above its own."""
    known = {other.name for other in games()[package]} - {package}
    own = _layer(package, module.name)
    assert own is not None, f"{module.shown} stands in no layer"
    used = known.intersection(module.imports())
    whole = {
        name for name in used if not any(other.startswith(f"{name}.") for other in used)
    }  # `from . import a` is of a alone
    return sorted(name for name in whole if (_layer(package, name) or 0) > own)


@pytest.mark.variants
@pytest.mark.parametrize("package", games())
def test_a_game_is_built_in_layers(package: str) -> None:
    found = {module.shown: above for module in games()[package][1:] if (above := _above(module, package))}
    assert not found


def test_every_game_has_its_layers() -> None:
    assert set(games()) == set(LAYERS)


_NOT_INSTALLED = {
    "tests/cli/test_touching.py": "puts code before the program that the command cannot be given",
    "tests/host/test_spool.py": "prints what the command has loaded",
    "tests/project/test_layers.py": "names it",
    "tests/project/test_resources.py": "packs pbem into an archive, where nothing is installed",
    "tests/project/test_sessions.py": "puts a “pbem” of its own into a folder of commands",
}
"""The files that may run pbem as no user does, and why."""


def test_tests_run_the_installed_command() -> None:
    """A program that is started from the sources finds what an installation has left out."""
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").rglob("*.mjs")]
    found = {
        str(one.relative_to(ROOT)) for one in files if "from pbem.cli import main; main()" in one.read_text("utf-8")
    }
    assert found - set(_NOT_INSTALLED) == set()
