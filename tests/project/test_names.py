"""Names that would say two things."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.project.source import Module, modules


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


def test_where_messages_are_told_nothing_is_thrown_away_by_their_name() -> None:
    telling = [module for module in modules() if _tells(module)]
    assert len(telling) > 50
    assert [f"{module.shown}:{line}" for module in telling for line in _thrown_away(module.tree)] == []


def test_the_search_for_them_finds_them() -> None:
    tree = ast.parse('a, _ = _("x")\nfor _, b in c: pass\nd = lambda *_: 1\n*_, e = f\n')
    assert sorted(_thrown_away(tree)) == [1, 2, 3, 4]


OWN = ("pbem.player", "pbem.cli", "pbem.mail", "pbem.i18n", "pbem.errors")
"""No class of these has the name of another."""


def test_a_class_has_a_name_of_its_own() -> None:
    named: dict[str, list[str]] = {}
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                named.setdefault(node.name, []).append(module.name)
    twice = {name: places for name, places in named.items() if len(places) > 1}
    assert {name: places for name, places in twice.items() if any(place.startswith(OWN) for place in places)} == {}
