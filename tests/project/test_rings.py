"""The three rings: imports point inwards, nothing outside the games names one, the inner rings know no world."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

import pytest

from pbem.games import find
from tests.project.rings import MAY_IMPORT
from tests.project.source import ROOT, Module, decides_play, games, inner, modules

FOREIGN: dict[str, set[str]] = {
    "kernel": {"pydantic", "pydantic_core"},  # two halves of one
    "ledger": {
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "cryptography",
        "pbem_noble",
    },  # the last in a browser, instead of the one before
    "referee": set(),
}
"""What the inner parts may import of other people's packages."""

WORLD = {"time", "random", "secrets", "os", "sys", "uuid", "locale", "socket", "subprocess", "threading", "tempfile"}
CLOCK = {"now", "utcnow", "today"}
SPEECH = {"print", "input", "open"}


def _part(name: str) -> str:
    return ([*name.split("."), ""])[1]


def _of_pbem(module: Module) -> set[str]:
    return {name for name in module.imports() if name.startswith("pbem.")}


def _of_others(module: Module) -> set[str]:
    return {name.split(".")[0] for name in module.imports()}


def _stays_inside(module: Module) -> bool:
    """Is it part of one game? Those have rules of their own."""
    return module.name.startswith(tuple(f"{package}." for package in games())) or module.name in games()


SHARED = [module for module in modules() if not _stays_inside(module)]


@pytest.mark.slow
def test_imports_between_the_parts_point_inwards() -> None:
    for module in SHARED:
        part = _part(module.name)
        if not part or module.name == "pbem.__main__":
            continue
        used = {_part(name) for name in _of_pbem(module)} - {part}
        used.discard("__version__")
        assert used <= MAY_IMPORT[part], f"{module.shown} imports {sorted(used - MAY_IMPORT[part])}"


@pytest.mark.parametrize("part", FOREIGN)
def test_inner_parts_use_few_packages_of_others(part: str) -> None:
    used = set().union(*(_of_others(m) for m in modules() if _part(m.name) == part))
    assert used - set(sys.stdlib_module_names) - {"pbem"} <= FOREIGN[part]


@pytest.mark.variants
@pytest.mark.parametrize("package", games())
def test_what_decides_a_games_play_imports_kernel_errors_i18n_and_its_own(package: str) -> None:
    for module in games()[package]:
        if not decides_play(module, package) or module.name == package:
            continue
        for name in _of_pbem(module) | {n for n in module.imports() if n.startswith(package)}:
            if name.startswith(f"{package}."):
                rest = name.removeprefix(f"{package}.")
                assert not rest.startswith(("look", "cover", "bots", "puzzles", "lesson")), (
                    f"{module.shown} imports {name}, which decides no play"
                )
            elif name != package:
                assert _part(name) in ("kernel", "errors", "i18n"), f"{module.shown} imports {name}"


@pytest.mark.variants
@pytest.mark.parametrize("package", games())
def test_words_and_players_of_a_game_know_nothing_of_logs_and_mail(package: str) -> None:
    for module in games()[package]:
        parts = {_part(name) for name in _of_pbem(module) if not name.startswith("pbem.games.")}
        assert parts <= {"kernel", "errors", "i18n", "look", "games"}, module.shown


def _words(module: Module) -> Iterator[str]:
    """Go through identifiers and strings, without docstrings."""
    said = set()
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            said |= {id(e.value) for e in node.body if isinstance(e, ast.Expr)}
    for node in ast.walk(module.tree):
        match node:
            case ast.Constant(value=str() as text) if id(node) not in said:
                yield text
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text) | ast.alias(name=text):
                yield text
            case ast.FunctionDef(name=text) | ast.ClassDef(name=text):
                yield text


@pytest.mark.slow
def test_nothing_outside_the_games_names_a_game() -> None:
    named = {package.rpartition(".")[2].removesuffix("_game") for package in games()} | {"braveheart"}
    found = {
        (m.name, word)
        for m in SHARED
        for text in _words(m)
        for word in named
        if word in text.lower().replace("passwords", "")
    }
    assert not found


def test_the_search_for_names_finds_them() -> None:
    tree = ast.parse('"""hammer"""\nclass Hammers:\n    """hammer"""\n    x = "the hammer"\n')
    module = Module(SHARED[0].path, "made.up", tree)
    assert [word for word in _words(module) if "hammer" in word.lower()] == ["Hammers", "the hammer"]


@pytest.mark.slow
def test_inner_rings_know_no_world() -> None:
    """No clock, no chance but `Chance`, no printing, no files opened, nothing that hangs on the machine."""
    for module in inner():
        assert not _of_others(module) & WORLD, f"{module.shown} imports {sorted(_of_others(module) & WORLD)}"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                match node.func:
                    case ast.Name(id=name) if name in SPEECH:
                        pytest.fail(f"{module.shown}:{node.lineno} calls {name}")
                    case ast.Attribute(attr=name) if name in CLOCK:
                        pytest.fail(f"{module.shown}:{node.lineno} reads the clock")


@pytest.mark.slow
def test_inner_rings_know_no_floats() -> None:
    for module in inner():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant):
                assert not isinstance(node.value, float), f"{module.shown}:{node.lineno} holds a float"
            if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div):
                assert _joins_paths(node), f"{module.shown}:{node.lineno} divides into a float"


def _joins_paths(node: ast.AST) -> bool:
    """Is it `folder / "name"`, as data files are found at import?"""
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))


def test_the_example_is_found_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", "examples")
    assert find("tiny").package == "tiny_game"


STORIES = ROOT / "tests" / "host" / "test_exports.py"
"""It plays the tests of others once more, on purpose, and looks at what their hosts export."""
OF_TESTS = re.compile(
    r"^ *(?:from [\w.]*\btest_\w+ import|import tests\.[\w.]*\btest_|from [\w.]+ import (?:\([^)]*|.*)\btest_).*",
    re.MULTILINE,
)


def test_test_files_do_not_import_each_other() -> None:
    """What several of them use lies in a file with a plain name, which tests/README.md lists."""
    found = {
        str(path): OF_TESTS.findall(path.read_text("utf-8"))
        for path in (ROOT / "tests").rglob("*.py")
        if path != STORIES
    }
    assert {path: lines for path, lines in found.items() if lines} == {}
    assert OF_TESTS.search(STORIES.read_text("utf-8"))
