"""What counts as rules: what play follows from, wherever it lies, and nothing else."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tiny_game

from pbem.games import GamePack, find, manifest, shipped
from pbem.games.manifests import counted
from tests.conformance import play, transcript
from tests.other_python import python
from tests.project.source import games

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TINY = GamePack(tiny_game.GAME, "tiny_game")
PACKS = [TINY, *map(find, shipped())]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with copies of pbem and of the example, as an installation would lay them down."""
    for source in (ROOT / "pbem", EXAMPLES / "tiny_game"):
        shutil.copytree(source, tmp_path / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def manifest_of(folder: Path) -> str:
    script = (
        "import sys, pbem.games as games; assert games.__file__.startswith(sys.argv[1]), games.__file__\n"
        "text, sha256 = games.manifest('tiny'); print(sha256); print(text, end='')"
    )
    return python(script, str(folder), path=[folder], games=folder)


def paths(pack: GamePack) -> list[str]:
    return [file.path for file in counted(pack)]


def test_the_manifest_is_the_text_of_a_sha256sum_file() -> None:
    text, sha256 = manifest(TINY)
    assert hashlib.sha256(text.encode()).hexdigest() == sha256
    lines = [line.split("  ") for line in text.splitlines()]
    assert [path for _, path in lines] == sorted(paths(TINY))
    assert [digest for digest, _ in lines] == [hashlib.sha256(file.normal).hexdigest() for file in counted(TINY)]


def test_the_manifest_names_what_decides_the_play() -> None:
    assert paths(TINY) == [
        *(
            f"pbem/kernel/{name}.py"
            for name in (
                "ahead",
                "facts",
                "forms",
                "frames",
                "game",
                "last_made",
                "options",
                "order",
                "position",
                "slots",
                "trusted",
                "values",
                "wants",
            )
        ),
        "tiny_game/orders.py",
        *(f"tiny_game/rules/{name}.py" for name in ("board", "game", "questions", "sight", "told", "turn")),
    ]


@pytest.mark.variants
@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.rules.id)
def test_what_a_game_has_besides_decides_nothing(pack: GamePack) -> None:
    """Looks, players, positions in words, the list of facts: no rules import them."""
    package = pack.package.replace(".", "/")
    every = {str(m.path.relative_to(EXAMPLES if package == "tiny_game" else ROOT)) for m in games()[pack.package]}
    beside = {path.removeprefix(f"{package}/") for path in every - set(paths(pack))}
    known = {
        "__init__.py", "rules/__init__.py", "look.py", "cover.py", "bots.py", "setting_up.py", "knowing.py", "rules/sound.py",
    }  # fmt: skip
    assert {path for path in beside if not path.startswith(("look/", "bots/", "puzzles/", "lesson/"))} <= known


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.rules.id)
def test_nothing_that_counts_looks_at_sentences_and_annotations(pack: GamePack) -> None:
    """They are left out of the normal form; so no play may follow from them."""
    readers = (
        "__doc__", "__annotations__", "get_type_hints", "getdoc", "inspect", "singledispatch", "validate_call",
        "computed_field", "PlainSerializer", "WrapSerializer", "gettext", "import_module", "__import__", "eval", "exec",
    )  # fmt: skip
    for file in counted(pack):
        words = set(file.normal.decode().replace("(", " ").replace(")", " ").replace("]", " ").split())
        assert not words & set(readers), file.path


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.rules.id)
def test_what_rules_read_from_files_lies_in_their_data(pack: GamePack) -> None:
    """Of another file no manifest would know."""
    read = [
        word for file in counted(pack) for word in file.normal.decode().split('"') if word.endswith((".json", ".txt"))
    ]
    assert all(word.startswith("data/") for word in read)
    assert bool(read) == any("/data/" in path for path in paths(pack))


ALONE = """
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
import pbem.i18n

counted, tops = set(sys.argv[1].split()), {"pbem", sys.argv[2].split(".")[0]}
path_of = lambda name: name.replace(".", "/")
free = ("pbem.errors", "pbem.i18n")

class Nothing:
    "Has every name, and does nothing: whoever needs it fails."
    def __init__(self, name):
        self.name = name
    def __call__(self, *given, **named):
        raise AssertionError(self.name + " is needed for play, and not in the manifest")
    __getattr__ = __iter__ = __contains__ = __getitem__ = __call__

stubs = []

class Stub(Loader):
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__
        stubs.append(name)
        module.__getattr__ = lambda what: Nothing(name + "." + what)

def counts(name):
    path = path_of(name)
    return name in tops or path + ".py" in counted or any(file.startswith(path + "/") for file in counted)

class OnlyCounted(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in tops or name.startswith(free) or counts(name):
            return None
        return ModuleSpec(name, Stub(), is_package=True)

sys.meta_path.insert(0, OnlyCounted())
# sentences are of no use, either
pbem.i18n._ = lambda message, /, **values: "nothing is said"
pbem.i18n._n = lambda one, many, n, /, **values: "nothing is said"
pbem.i18n.N_ = lambda message: "nothing is said"

import json
from importlib import import_module
from tests.conformance import play, transcript
kind = getattr(import_module(sys.argv[3]), sys.argv[4])
for options in json.loads(sys.argv[5]):
    print(transcript(play(kind(), options, 3, 400), 7, described=False))
assert stubs
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "options"),
    [
        (TINY, '[{}, {"players": 2}]'),
        (find("lords"), '[{"players": 3, "bruce": true}]'),
        (find("hammer"), '[{}, {"scenario": "bruce"}]'),
        (find("tournament"), "[{}]"),
    ],
    ids=lambda value: value.rules.id if isinstance(value, GamePack) else "",
)
def test_a_game_is_played_from_its_manifest_alone(pack: GamePack, options: str) -> None:
    """With nothing but the modules that it names, and all sentences taken away, the same game is played, byte for byte."""
    kind = type(pack.rules)
    told = python(
        ALONE, " ".join(paths(pack)), pack.package, kind.__module__, kind.__name__, options, path=[ROOT, EXAMPLES]
    )
    records = (play(kind(), chosen, 3, 400) for chosen in json.loads(options))
    assert told.split() == [transcript(record, 7, described=False) for record in records]


@pytest.mark.slow
def test_an_installed_copy_has_the_manifest_of_the_checkout(here: Path) -> None:
    text, sha256 = manifest(TINY)
    assert manifest_of(here) == f"{sha256}\n{text}"
    assert manifest_of(here) == f"{sha256}\n{text}", "compiled files change nothing"


@pytest.mark.slow
def test_sentences_looks_and_players_change_nothing(here: Path) -> None:
    before = manifest_of(here)
    for free in (
        "look.py",
        "bots.py",
        "README.md",
        "../pbem/kernel/patch.py",
        "../pbem/i18n/forms.py",
    ):
        with (here / "tiny_game" / free).open("a", encoding="utf-8") as file:
            file.write("\nANOTHER = 1\n")
    for rule, old, new in (
        ("rules/questions.py", "is not in your hand", "is in another hand"),
        ("rules/turn.py", "# 1.2", "# 1.2, as the book says"),
        ("orders.py", '"""', '"""Orders. '),
        ("../pbem/kernel/game.py", "cannot be played so", "cannot be played like that"),
    ):
        file_ = here / "tiny_game" / rule
        text = file_.read_text("utf-8")
        assert old in text
        file_.write_text(text.replace(old, new, 1), "utf-8")
    assert manifest_of(here) == before


@pytest.mark.slow
def test_what_play_follows_from_changes_the_manifest(here: Path) -> None:
    """A rule, a module that a rule begins to import, its data, and the kernel."""
    before = manifest_of(here)
    for folder in ("data", "sub"):
        (here / "tiny_game" / folder).mkdir()
    hands_on = "from . import more\nfrom .. import sub\nfrom .more import *\n"
    unused = ("\nTOLD = 1\n", "MORE = 1\n", hands_on)
    for rule, text in (
        ("rules/turn.py", "\nDRAWN = 3\n"),
        ("told.py", "\nTOLD = 1\n"),
        ("rules/board.py", "\nfrom ..told import TOLD\n"),
        ("told.py", "\nTOLD = 2\n"),
        ("sub/__init__.py", hands_on),
        ("sub/more.py", "MORE = 1\n"),
        ("rules/board.py", "\nfrom ..sub import more\nfrom .. import sub\n"),
        ("sub/more.py", "MORE = 2\n"),
        ("rules/__init__.py", "\nGAME.title = '5'\n"),
        ("__init__.py", "\nGAME.title = '6'\n"),
        ("data/cards.json", '{"a": [1, 2]}'),
        ("../pbem/kernel/order.py", "\n_MARKS = 31\n"),
    ):
        with (here / "tiny_game" / rule).open("a", encoding="utf-8") as file:
            file.write(text)
        after = manifest_of(here)
        assert (after != before) == (text not in unused), (rule, text)
        before = after
    for laid_out, same in (('{"a":\n [1,2]}', True), ('{"a": [2, 1]}', False)):
        (here / "tiny_game" / "data" / "cards.json").write_text(laid_out, "utf-8")
        assert (manifest_of(here) == before) == same


def test_a_class_of_the_game_may_stand_anywhere(tmp_path: Path) -> None:
    """A game that derives from another counts with it; and one whose package does more than import, with all it imports."""
    (tmp_path / "other_game").mkdir()
    (tmp_path / "other_game" / "__init__.py").write_text(
        "from tiny_game.rules import Tiny\nfrom .more import MORE\nclass Other(Tiny):\n    version = MORE\nGAME = Other()\n"
    )
    (tmp_path / "other_game" / "more.py").write_text("MORE = 3\n")
    script = (
        "import other_game\nfrom pbem.games import GamePack, manifest\n"
        "print(manifest(GamePack(other_game.GAME, 'other_game'))[0])"
    )
    named = {line.split("  ")[1] for line in python(script, path=[tmp_path, ROOT, EXAMPLES]).splitlines() if line}
    assert named == {"other_game/__init__.py", "other_game/more.py", *paths(TINY)}


@pytest.mark.slow
def test_a_wheel_has_the_manifest_of_the_checkout(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "site", "zip")
    shutil.copytree(
        EXAMPLES / "tiny_game", tmp_path / "site" / "tiny_game", ignore=shutil.ignore_patterns("__pycache__")
    )
    assert manifest_of(tmp_path / "site").split("\n", 1)[0] == manifest(TINY)[1]
