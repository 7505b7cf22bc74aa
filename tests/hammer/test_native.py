"""The compiled part of a trial beside Python: the same hope from thousands of trials, and an error for what is no small model."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import pbem
from pbem.games.bot import Bot
from pbem.games.hammer import GAME
from pbem.games.hammer.bots import SensibleBot, ThinkingBot
from pbem.games.hammer.bots.foresight import rest
from pbem.games.hammer.bots.foresight.guessing import small
from pbem.games.hammer.bots.foresight.model import SmallGame
from pbem.games.hammer.bots.foresight.numbers import Thrown
from pbem.games.hammer.bots.foresight.rest import Act, Later, finish, in_python
from pbem.games.hammer.rules import SIDES
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask
from tests.hammer.bots import Moments

SOURCE = Path(pbem.__file__).parent / "extras" / "native" / "rollout.c"
CARDS = ("Move 1", "Move 2", "Move 3", "Herald", "Victuals", "Truce", "Pillage", "Sea Move")


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Return the compiled part, made here as the wheel's build makes it."""
    compiler, headers = shutil.which("cc"), Path(sysconfig.get_paths()["include"])
    if compiler is None or not (headers / "Python.h").exists():
        pytest.skip("a C compiler and the headers of Python are needed to compile it")
    made = tmp_path_factory.mktemp("native") / "pbem_native.so"
    flags = ["-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-shared", "-fPIC"]
    linked = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    subprocess.run([compiler, *flags, *linked, f"-I{headers}", str(SOURCE), "-o", str(made), "-lm"], check=True)
    spec = spec_from_file_location("pbem_native", made, loader=ExtensionFileLoader("pbem_native", str(made)))
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    found.setup(rest.tables())
    return found


def positions(seed: int, scenario: str) -> list[HammerView]:
    """Return what one side sees whenever it is asked for cards, moves and battles in a game."""
    bots: dict[str, Bot] = {side: SensibleBot() for side in SIDES}
    found = list[HammerView]()
    for before, _given, _after in Moments(bots, seed, scenario):
        if isinstance(before.wants, Ask) and before.wants.what in ("card", "act", "battle action"):
            view = GAME.read_view(GAME.view(before.state, before.wants.seats[0]))
            assert isinstance(view, HammerView)
            found.append(view)
    return found


def rest_of_a_trial(view: HammerView, rng: random.Random) -> tuple[SmallGame, list[Act], Later | None]:
    """Return a guess of what is hidden, and some who act then: of any card, in any order."""
    model = small(view, Thrown(rng.getrandbits(60)))
    acts = [
        Act(
            rng.randrange(2),
            rng.choice(CARDS),
            bool(rng.randrange(2)),
            rng.choice((0.0, 0.3, 1.0)),
            rng.choice((1, 1, 3)),
        )
        for _ in range(rng.randrange(4))
    ]
    if rng.random() < 0.4:
        model.left = 0
    hand, unseen = (tuple(rng.choice(CARDS) for _ in range(n)) for n in (rng.randrange(5), 15))
    return model, acts, Later(rng.randrange(2), hand, unseen) if rng.random() < 0.6 and model.left else None


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "scenario"), [(1, "braveheart"), (2, "bruce"), (3, "campaign")])
def test_thousands_of_trials_come_to_the_same(
    native: ModuleType, seed: int, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, tried = random.Random(seed), 0
    monkeypatch.setattr(rest, "COMPILED", native)
    for view in positions(seed, scenario)[:250]:
        for _ in range(6):
            model, acts, later = rest_of_a_trial(view, rng)
            start, doing = rng.getrandbits(64), rng.getrandbits(64)
            compiled = finish(model, start, Thrown(doing), acts, later)
            assert compiled == in_python(model, start, Thrown(doing), acts, later), (view.year, acts, later)
            tried += 1
    assert tried > 1000


@pytest.mark.slow
def test_a_player_answers_the_same_with_and_without_it(native: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    view = next(view for view in positions(1, "braveheart") if (view.ask or {})["what"] == "act")
    answers = set[str]()
    for compiled in (None, native):
        monkeypatch.setattr(rest, "COMPILED", compiled)
        answers.add(str(ThinkingBot(SensibleBot(), 20, more=True).answer(view, random.Random(1))))
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda model: model.at.pop(), "a number for each block"),
        (lambda model: model.at.__setitem__(0, 99), "nowhere"),
        (lambda model: model.men[0][3].append(60), "two things"),
        (lambda model: setattr(model, "left", 9), "five turns"),
        (lambda model: model.attacker.__setitem__(77, 1), "who attacks"),
        (lambda model: setattr(model, "st", None), "lists of blocks"),
        (lambda model: None, "each noble"),
    ],
)
def test_what_is_no_small_model_is_an_error_and_no_crash(native: ModuleType, change: object, why: str) -> None:
    model = SmallGame()
    assert callable(change)
    change(model)
    with pytest.raises((ValueError, TypeError), match=why):
        native.finish(model, 1, 1, (), None)


def test_a_table_of_another_version_is_refused(native: ModuleType) -> None:
    tables = rest.tables()
    with pytest.raises(ValueError, match="does not fit this version"):
        native.setup({**tables, "weights": tables["weights"][:-3]})
    with pytest.raises(ValueError, match="the table ways"):
        native.setup({name: table for name, table in tables.items() if name != "ways"})
    native.setup(tables)
