"""How the house is built: figures of its sources and docs, and how many calls an order and a report make.

    python -m bench.house [FOLDER]     every figure of pbem, or of the package in another folder
    python -m bench.house --lower      lower the ceilings in tests/project/house.toml to what is so now
    python -m bench.house --prose      the docs' words, long sentences and phrases to avoid, per folder; --long: the sentences, too
    python -m bench.house --record     record the game anew, where its orders are no longer legal

`tests/project/test_house.py` holds every figure against its ceiling. Nothing here measures time.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from pbem.games import find, manifests
from pbem.host.robot import Robot
from pbem.host.store import Store
from pbem.kernel import Json
from pbem.records import dataclass
from pbem.reports.reckoned import render

from . import prose
from .games import ByMail, key_of

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "project" / "house.toml"
RECORDED = ROOT / "tests" / "golden" / "hammer" / "by_mail.json"
"""The orders of one turn of Hammer of the Scots: both cards, moves, and three answers in battles."""

SHORT, MANY = 60, 30
"""A file of fewer lines is a short one; a class of more methods has many."""
Figures = dict[str, dict[str, int]]
"""Sections and rows, as in the table of ceilings."""


@dataclass(frozen=True, slots=True)
class Source:
    """A module: its name, how many lines and statements it has, what it imports, and its classes with bases and methods."""

    name: str
    lines: int
    statements: int
    imports: frozenset[str]
    classes: Mapping[str, tuple[tuple[str, ...], frozenset[str]]]


@cache
def sources(root: Path) -> dict[Path, Source]:
    """Read the modules of a package."""
    names = {_name(root, path) for path in root.rglob("*.py")}
    found = {}
    for path in sorted(root.rglob("*.py")):
        text, name = path.read_text("utf-8"), _name(root, path)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        count, taken, classes = 0, set[str](), {}
        for node in ast.walk(ast.parse(text)):
            count += isinstance(node, ast.stmt) and not _is_docstring(node)
            taken.update(_taken(node, package, names))
            if isinstance(node, ast.ClassDef):
                bases = (ast.unparse(base).rpartition(".")[2] for base in node.bases)
                own = (one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
                classes[node.name] = tuple(bases), frozenset(own)
        found[path] = Source(name, text.count("\n"), count, frozenset(taken - {name}), classes)
    return found


def _name(root: Path, path: Path) -> str:
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _taken(node: ast.AST, package: str, names: set[str]) -> Iterator[str]:
    """Go through the modules that a statement imports, be it in a function or for types alone."""
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names if one.name in names)
    elif isinstance(node, ast.ImportFrom):
        up = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
        module = ".".join([*up, *([node.module] if node.module else [])])
        if module in names:
            inside = [f"{module}.{one.name}" for one in node.names]
            yield from (one if one in names else module for one in inside)


# -- what the imports say --------------------------------------------------------------------------------------------


def imports(root: Path) -> dict[str, frozenset[str]]:
    """Return which modules of a package each of its modules imports, be it in a function or for types alone."""
    return {one.name: one.imports for one in sources(root).values()}


def cycles(graph: Mapping[str, frozenset[str]]) -> list[set[str]]:
    """Return the groups of modules that import each other; a package counts where something of its own is taken."""
    reach = {name: _reached(graph, name) for name in graph}
    found: list[set[str]] = []
    for name in graph:
        group = {other for other in reach[name] if name in reach[other]} | {name}
        if len(group) > 1 and group not in found:
            found.append(group)
    return found


def _reached(graph: Mapping[str, frozenset[str]], name: str) -> set[str]:
    seen: set[str] = set()
    todo = list(graph[name])
    while todo:
        if (one := todo.pop()) not in seen:
            seen.add(one)
            todo.extend(graph[one])
    return seen


def levels(graph: Mapping[str, frozenset[str]], inside: set[str]) -> int:
    """Return how many modules stand on each other at most, of those `inside` a package; those of a cycle do, in any order."""
    group = {name: frozenset({name}) for name in inside}
    for circle in cycles({name: graph[name] & inside for name in inside}):
        group.update(dict.fromkeys(circle, frozenset(circle)))

    @cache
    def height(of: frozenset[str]) -> int:
        below = {group[to] for name in of for to in graph[name] & inside} - {of}
        return len(of) + max(map(height, below), default=0)

    return max(map(height, group.values()))


# -- what is counted in the sources ----------------------------------------------------------------------------------


def package_of(root: Path, path: Path) -> str:
    """Return under which name a file is counted: its package, its game's, or pbem's own."""
    parts = path.relative_to(root).parts
    deep = parts[0] == "games" and len(parts) > 2
    return "/".join(parts[: 2 if deep else 1]) if len(parts) > 1 else root.name


def counted(root: Path, added: Mapping[str, Mapping[str, Any]] | None = None) -> Figures:
    """Count what stands in a package; `added` are capabilities, whose files are counted under their own names alone."""
    own = {root.parent / file: name for name, of in (added or {}).items() for file in of["files"]}
    found, graph = defaultdict[str, dict[str, int]](dict), imports(root)
    statements, inside = Counter[str](), defaultdict[str, set[str]](set)
    new = Counter[str]()
    for path, source in sources(root).items():
        package = package_of(root, path)
        inside[package].add(source.name)
        if path in own:
            new[own[path]] += source.statements
        else:
            statements[package] += source.statements
    circles = cycles(graph)
    methods = _methods(root)
    found["cycles"] = {"groups": len(circles), "files": sum(map(len, circles))}
    found["statements"] = {"total": statements.total(), **statements}
    found["levels"] = {package: levels(graph, names) for package, names in inside.items() if package != root.name}
    found["files"] = {
        "short": sum(
            one.lines < SHORT and path.name not in ("__init__.py", "__main__.py") for path, one in sources(root).items()
        )
    }
    found["methods"] = {"most": max(methods.values(), default=0), "many": sum(one > MANY for one in methods.values())}
    return found | ({"added": dict(new)} if new else {})


def _methods(root: Path) -> dict[tuple[str, str], int]:
    """Return how many methods each class has, inherited ones of pbem included; bases are found by their names."""
    classes = {(one.name, name): of for one in sources(root).values() for name, of in one.classes.items()}
    by_name = {name: of for (_module, name), of in classes.items()}

    def all_of(module: str, name: str, seen: frozenset[str]) -> frozenset[str]:
        bases, own = classes.get((module, name)) or by_name.get(name, ((), frozenset()))
        return own.union(*(all_of(module, base, seen | {base}) for base in bases if base not in seen))

    return {(module, name): len(all_of(module, name, frozenset({name}))) for module, name in classes}


ASKED = {
    "takeback": re.compile(r"[\"']takeback[\"']"),
    "of two": re.compile(r"\b(?:is_)?of_two(?:_friends)?\b(?!\(self)|\bfrom (?:pbem\.\w+)?\.pair\b|\bimport two\b"),
}
"""What ought to stand in few files: the name of taking back; whether a game has no host, packages for such games apart."""


def asked(root: Path) -> dict[str, int]:
    """Count the files of a package that hold what ought to stand in few."""
    texts = [
        (path.relative_to(root).parts, path.read_text("utf-8"))
        for kind in ("*.py", "*.js")
        for path in root.rglob(kind)
        if "_data" not in path.parts
    ]
    return {
        what: sum(form.search(text) is not None and not (what == "of two" and "pair" in parts) for parts, text in texts)
        for what, form in ASKED.items()
    }


# -- what an order and a report take ---------------------------------------------------------------------------------


class Calls:
    """Counts calls from one module of pbem into another, and of those the ones that are made for a report."""

    def __init__(self) -> None:
        self.all, self.of_reports, self.reports = 0, 0, 0
        self._report: FrameType | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if frame.f_code is render.__code__:
            self.reports += event == "call"
            self._report = frame if event == "call" else None
        elif event == "call" and frame.f_back is not None:
            of, to = (str(one.f_globals.get("__name__", "")) for one in (frame.f_back, frame))
            if of != to and of.startswith("pbem.") and to.startswith("pbem."):
                self.all += 1
                self.of_reports += self._report is not None


class Recorded:
    """Players who say what was recorded, or, where it is recorded anew, what the built-in ones say."""

    def __init__(self, orders: Sequence[Sequence[str]]) -> None:
        self.left = list(orders)

    def say(self, seat: str, view: Json) -> str:
        """Return the next order, which has to be this seat's."""
        assert [seat] == [one for one, _order in self.left[:1]], f"{RECORDED.name} has no order for {seat} here; {ANEW}"
        return self.left.pop(0)[1]


ANEW = "“python -m bench.house --record” records the game anew"


@contextmanager
def _a_game(by: Recorded | None = None) -> Iterator[ByMail]:
    """A game before a host, in which everybody is ready; its dice hang on no text of the rules, and no version."""
    game = ByMail(find("hammer"), {"scenario": "bruce"}, 1)
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(manifests, "_manifest", lambda pack: ("as ever", "0" * 64)),
        patch.object(type(game.pack.rules), "version", 1),
    ):
        store = Store(Path(folder) / "host.db", new=True)
        try:
            game.open(Robot(store, key_of(1, "host"), "host@example.org"), by)
            yield game
        finally:
            store.db.close()


def walked() -> Figures:
    """Play the recorded orders; return the calls and the SQL statements of an order, and the calls of a report: means of them."""
    by = Recorded(json.loads(RECORDED.read_text("utf-8")))
    orders, calls, sql = len(by.left), Calls(), list[str]()
    with _a_game(by) as game:
        while by.left:
            for letter in game.write_answers():
                game.robot.store.db.conn.set_trace_callback(sql.append)
                sys.setprofile(calls)
                try:
                    game.take([letter])
                finally:
                    sys.setprofile(None)
                    game.robot.store.db.conn.set_trace_callback(None)
    assert calls.reports, "no report has been written"
    return {
        "calls": {"order": round(calls.all / orders), "report": round(calls.of_reports / calls.reports)},
        "sql": {"order": round(len(sql) / orders)},
    }


def record(orders: int = 6) -> None:
    """Record a game anew, played by built-in players."""
    said: list[tuple[str, str]] = []
    with _a_game() as game:
        built_in = game.say

        def say(seat: str, view: Json) -> str:
            said.append((seat, built_in(seat, view)))
            return said[-1][1]

        game.say = say
        while len(said) < orders:
            game.answer_all()
    RECORDED.write_text(json.dumps(said, indent=1) + "\n", "utf-8")


# -- the table of ceilings -------------------------------------------------------------------------------------------


def ceilings() -> dict[str, dict[str, Any]]:
    """Read the table of ceilings."""
    return tomllib.loads(TABLE.read_text("utf-8"))


def figures() -> Figures:
    """Return every figure that has a ceiling."""
    added = ceilings().get("added")
    docs = prose.counted(ROOT / "docs", added)
    return counted(ROOT / "pbem", added) | docs | {"asked": asked(ROOT / "pbem")} | walked()


def slack(section: str, ceiling: int) -> int:
    """Return by how much a figure may be off: one hundredth of what many people change at once, nothing of the rest."""
    return max(5, ceiling // 100) if section in ("statements", "words", "long", "phrases", "calls", "added") else 0


def wrong(section: str, row: str, figure: int, ceiling: int | None) -> str:
    """Say what is wrong with a figure and what to do, or ""."""
    what = f"{section} {row}: {figure}"
    if ceiling is None:
        return f"{what} has no ceiling; {LOWER} gives it one"
    if figure > ceiling + slack(section, ceiling):
        return f"{what}, the ceiling is {ceiling}; {LESS}"
    if figure < ceiling - max(2, 3 * slack(section, ceiling)):
        return f"{what}, the ceiling is {ceiling}; {LOWER} lowers it"
    return ""


LOWER = "“python -m bench.house --lower”"
LESS = (
    "ceilings only go down: do it with less, or take as much away elsewhere. Files of what pbem could not do before get a row of "
    "their own: a table [added.NAME] with “files” (“pbem/…”) and “ceiling”, and perhaps “pages” (“docs/…”), each with a row of its "
    "words. Code that moves elsewhere takes its count along. “make prose” "
    "shows the figures of the docs"
)


def lower(now: Figures) -> None:
    """Lower every ceiling to what is so now; rows that are missing are added, and those of what is gone go."""
    table = ceilings()
    text = [TABLE.read_text("utf-8").strip().partition("\n\n")[0]]
    for section, rows in now.items():
        if section != "added":
            old = table.get(section, {})
            lines = (f"{_key(row)} = {min(value, old.get(row, value))}" for row, value in sorted(rows.items()))
            text.append("\n".join([f"[{section}]", *lines]))
    for name, of in sorted(table.get("added", {}).items()):
        lists = "".join(f"{what} = {json.dumps(of[what])}\n" for what in ("files", "pages") if what in of)
        text.append(f"[added.{name}]\n{lists}ceiling = {min(now['added'][name], of['ceiling'])}")
    TABLE.write_text("\n\n".join(text) + "\n", "utf-8")


def _key(row: str) -> str:
    return row if row.replace("-", "").isalnum() else json.dumps(row)


def main(words_said: list[str]) -> None:
    """Print every figure, or do what is said above."""
    if words_said == ["--record"]:
        return record()
    if words_said == ["--lower"]:
        return lower(figures())
    if words_said[:1] == ["--prose"]:
        return print(*prose.lines(ROOT / "docs", sentences_too="--long" in words_said), sep="\n")
    root = Path(words_said[0]).resolve() if words_said else ROOT / "pbem"
    for section, rows in (counted(root) if words_said else figures()).items():
        print(
            f"{section}: " + ", ".join(f"{row} {value}" for row, value in sorted(rows.items(), key=lambda one: -one[1]))
        )
    for circle in cycles(imports(root)):
        print(f"a cycle of {len(circle)}: {', '.join(sorted(circle))}")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
