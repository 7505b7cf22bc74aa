"""Names that would say two things."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.project.source import Module, games, modules


def _tells(module: Module) -> bool:
    """Is `_` the one that tells a message there?"""
    taken = (node for node in ast.walk(module.tree) if isinstance(node, ast.ImportFrom))
    return any(alias.name == "_" for node in taken for alias in node.names)


def _thrown_away(tree: ast.AST) -> Iterator[int]:
    """The lines in which `_` is given a value."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id="_", ctx=ast.Store()) | ast.arg(arg="_"):
                yield node.lineno


@pytest.mark.slow
def test_where_messages_are_told_nothing_is_thrown_away_by_their_name() -> None:
    telling = [module for module in modules() if _tells(module)]
    assert len(telling) > 50
    assert [f"{module.shown}:{line}" for module in telling for line in _thrown_away(module.tree)] == []


def test_the_search_for_them_finds_them() -> None:
    tree = ast.parse('a, _ = _("x")\nfor _, b in c: pass\nd = lambda *_: 1\n*_, e = f\n')
    assert sorted(_thrown_away(tree)) == [1, 2, 3, 4]


TWINS = ("pbem.ledger.makers.page",)
"""What stands in the place of another module, where that cannot be, by the same names."""
TODAY = {
    "Condition", "Limits", "Listing", "Offer", "Piece", "Question", "Says", "Seen", "Shown", "Step", "Tale", "TooLong",
    "Way", "_Told",
}  # fmt: skip
"""Names that two classes bear today. None is to be added; some are in the rules, and a new name would change their fingerprint."""
LAYERS = ("told", "orders", "entries", "requests", "calls")
"""Modules whose classes may be spoken of with their layer: `told.Move`, `orders.Move`."""


@cache
def _classes(module: Module) -> list[str]:
    return [node.name for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]


@cache
def _spoken_of_bare(module: Module) -> set[tuple[str, str]]:
    """What it imports by its bare name: (the module it is from, the name)."""
    return {(start, name) for line in module.imports() for start, _, name in [line.rpartition(".")]}


def _with_two_meanings(found: Sequence[Module]) -> dict[str, list[str]]:
    """The names that more than one class bears, apart from those that are only spoken of with their layer."""
    bare = set().union(*map(_spoken_of_bare, found))
    meant = defaultdict(set)
    for module in (module for module in found if module.name not in TWINS):
        layered = module.name.rpartition(".")[2] in LAYERS
        for name in _classes(module):
            if not layered or (module.name, name) in bare:
                meant[name].add(module.name)
    return {name: sorted(places) for name, places in meant.items() if len(places) > 1}


@pytest.mark.slow
@pytest.mark.parametrize("package", games())
def test_a_class_has_a_name_of_its_own(package: str) -> None:
    """Two games may both have a board; a game and what is common to all may not."""
    others = tuple(f"{game}." for game in games() if game != package)
    common = [module for module in modules() if not f"{module.name}.".startswith((*others, f"{package}."))]
    assert set(_with_two_meanings([*common, *games()[package]])) <= TODAY


def _module(name: str, text: str) -> Module:
    return Module(Path(f"{name}.py"), name, ast.parse(text))


def test_the_search_finds_two_of_a_name_and_what_is_spoken_of_without_its_layer() -> None:
    told, rules = _module("a.told", "class Move: ..."), _module("a.rules", "class Move: ...")
    assert _with_two_meanings([told, rules, _module("a.look", "from . import told")]) == {}
    assert _with_two_meanings([told, rules, _module("a.look", "from .told import Move")]) == {
        "Move": ["a.rules", "a.told"]
    }
    assert _with_two_meanings([rules, _module("a.moves", "class Move: ...")]) == {"Move": ["a.moves", "a.rules"]}
