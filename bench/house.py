"""How the house is built: statements, circles of imports, arrows that run upward, and how many hops two walks take.

    python -m bench.house [FOLDER]      the package pbem, or the one in another folder (its walks are not walked)

A statement is one of Python's syntax tree, but for docstrings. A hop is a call from one module of `pbem` into another: counted
for an order, from the mail to the letters that tell of it, and for a report, from what was told to the text: the mean of twenty in
the midst of a game of Hammer of the Scots that is played from a seed.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from pbem.games import find
from pbem.host.robot import Robot
from pbem.host.store import Store
from pbem.reports.text import render

from .games import ByMail, key_of

ROOT = Path(__file__).resolve().parents[1]
BEFORE, WALKS = 40, 20
"""After so many orders so many walks of each kind are counted."""


def statements(path: Path) -> int:
    """Count the statements of a file."""
    return sum(
        isinstance(node, ast.stmt)
        and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def imports(root: Path) -> dict[str, set[str]]:
    """Return which modules of a package each of its modules imports, be it in a function; what only types need is left out."""
    names = {_name(root, path): path for path in root.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        taken = {one for node in _that_runs(ast.parse(path.read_text("utf-8"))) for one in _taken(node, package, names)}
        found[name] = taken - {name}
    return found


def _name(root: Path, path: Path) -> str:
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _that_runs(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from _that_runs(node)


def _taken(node: ast.AST, package: str, names: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names if one.name in names)
    elif isinstance(node, ast.ImportFrom):
        up = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
        module = ".".join([*up, *([node.module] if node.module else [])])
        if module in names:
            inside = [f"{module}.{one.name}" for one in node.names]
            yield from (one if one in names else module for one in inside)


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the groups of modules that import each other, a package's face left out where it only hands on."""
    reach = {name: _reached(graph, name) for name in graph}
    found: list[set[str]] = []
    for name in graph:
        group = {other for other in reach[name] if name in reach[other]} | {name}
        if len(group) > 1 and group not in found:
            found.append(group)
    return found


def _reached(graph: dict[str, set[str]], name: str) -> set[str]:
    seen: set[str] = set()
    todo = list(graph[name])
    while todo:
        if (one := todo.pop()) not in seen:
            seen.add(one)
            todo.extend(graph[one])
    return seen


class Hops:
    """Counts calls from one module of pbem into another."""

    def __init__(self) -> None:
        self.pairs, self.walks = Counter[tuple[str, str]](), 0

    def _call(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_back is None:
            return
        of, to = (str(one.f_globals.get("__name__", "")) for one in (frame.f_back, frame))
        if of != to and of.startswith("pbem.") and to.startswith("pbem."):
            self.pairs[of, to] += 1

    def count(self, run: Callable[[], object]) -> None:
        """Run something under the counter."""
        self.walks += 1
        sys.setprofile(self._call)
        try:
            run()
        finally:
            sys.setprofile(None)

    def __str__(self) -> str:
        return f"{self.pairs.total() / self.walks:.0f} hops; between {len(self.pairs)} pairs of modules in {self.walks} walks"


def walks() -> tuple[Hops, Hops]:
    """Walk with some orders, then with the reports that tell of some more."""
    order, report = Hops(), Hops()
    game = ByMail(find("hammer"), {"scenario": "bruce"}, 1)

    def counted(*args: Any, **more: Any) -> str:
        said: list[str] = []
        report.count(lambda: said.append(render(*args, **more)))
        return said[0]

    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "host.db", new=True)
        try:
            game.open(Robot(store, key_of(1, "host"), "host@example.org"))
            while len(game.took) < BEFORE:
                game.answer_all()
            while order.walks < WALKS:
                for letter in game.write_answers():
                    order.count(partial(game.take, [letter]))
            with patch("pbem.host.reporting.render", counted):
                while report.walks < WALKS:
                    game.answer_all()
        finally:
            store.db.close()
    return order, report


def main(folder: Path) -> None:
    """Print what there is."""
    sizes = Counter[str]()
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).parts
        sizes["/".join(parts[:2]) if parts[0] == "games" and len(parts) > 2 else parts[0]] += statements(path)
    print(f"{sizes.total()} statements in {len(list(folder.rglob('*.py')))} files")
    for name, size in sizes.most_common():
        print(f"  {size:6} {name}")
    for circle in circles(imports(folder)):
        print(f"circle of {len(circle)}: {', '.join(sorted(circle))}")
    if folder == ROOT / "pbem":
        order, report = walks()
        print(f"an order: {order}\na report: {report}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "pbem")
