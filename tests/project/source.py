"""Reading the project's own source: its modules, what each imports, and in which ring it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Module:
    """A module of ours: its file, its dotted name, and its syntax tree."""

    path: Path
    name: str
    tree: ast.Module

    @property
    def package(self) -> str:
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    @property
    def shown(self) -> str:
        return str(self.path.relative_to(ROOT))

    def imports(self) -> Iterator[str]:
        """Go through the dotted names that it imports anywhere, also for type checking; `from a import b` gives both."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = self.package.split(".")[: len(self.package.split(".")) - node.level + 1] if node.level else []
                start = ".".join([*above, *([node.module] if node.module else [])])
                yield start
                yield from (f"{start}.{alias.name}" for alias in node.names)


@cache
def modules(top: Path = ROOT / "pbem", name: str = "pbem") -> list[Module]:
    """Return the modules of a package, by path."""
    found = []
    for path in sorted(top.rglob("*.py")):
        parts = [name, *path.relative_to(top).with_suffix("").parts]
        dotted = ".".join(parts).removesuffix(".__init__")
        found.append(Module(path, dotted, ast.parse(path.read_text("utf-8"))))
    return found


@cache
def games() -> dict[str, list[Module]]:
    """Return the modules of every game in the repository, the example included, by the game's package."""
    found = {}
    for start in sorted([*(ROOT / "pbem" / "games").glob("*/__init__.py"), *(ROOT / "examples").glob("*/__init__.py")]):
        above = "pbem.games." if start.parent.parent.name == "games" else ""
        package = above + start.parent.name
        found[package] = modules(start.parent, package)
    return found


def decides_play(module: Module, package: str) -> bool:
    """May a game's module decide its play? Not looks, cards, built-in players, puzzles, lessons; of others their imports say it."""
    rest = module.name.removeprefix(package).removeprefix(".")
    return not rest.startswith(("look", "cover", "bots", "puzzles", "lesson"))


@cache
def inner() -> list[Module]:
    """Return the modules of rings 1 and 2, and of every game what decides its play: no clock, no chance, no printing."""
    ours = [m for m in modules() if m.name.startswith(("pbem.kernel", "pbem.ledger", "pbem.referee"))]
    return ours + [m for package, of_game in games().items() for m in of_game if decides_play(m, package)]
