"""Removes one guard at a time from a copy of the package, and expects the guard's own test to fail (`make mutants`).

    python -m tests.guards [--some 20] [--number N] [--only WORD]

`tests/guards.toml` lists the guards: the test of a row of attacks in tests/rows.toml, a file of the package, a text that stands
there once, and what replaces it. With `--some`, a number chooses that many of them; the run prints the number, and `--number`
repeats it. Every chosen test must pass first in a copy with all guards. A test that cannot begin without its guard proves nothing:
only a failed assertion or an exception inside the test counts, not one in a fixture or an import.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.rows import Proof

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("guards.toml")
BUILT = "_data"
"""What `make page` leaves in the package: nothing is removed from it, so it is not copied."""
SECONDS = 300
"""So long one test may take."""


@dataclass(frozen=True)
class Guard:
    """A condition of the program, and the test that fails without it."""

    test: str
    """The test's file, its name, and where it is one of several, which."""
    file: str
    text: str
    without: str

    @property
    def test_name(self) -> str:
        """The name of the test's function."""
        return self.test.partition("::")[2].partition("[")[0]

    def proves(self, proof: Proof) -> bool:
        """Tell whether this is the guard of a test that a row names."""
        return self.test.partition("[")[0] == f"tests/{proof.file}::{proof.name}"

    @property
    def place(self) -> str:
        """The module and function that hold the text: how a row of the attacks page names its guard."""
        source = (ROOT / self.file).read_text("utf-8")
        line = source[: source.index(self.text)].count("\n") + 1
        found = self.file.removeprefix("pbem/").removesuffix(".py").replace("/", ".")
        return f"{found}: {_function_at(source, line)}"

    def removed_from(self, source: str) -> str:
        """Return the source without the guard. Raises ValueError where its text does not stand there exactly once."""
        if (times := source.count(self.text)) != 1:
            raise ValueError(f"{self.file} holds {times} times, and once was expected: {self.text!r}")
        return source.replace(self.text, self.without)


@cache
def guards() -> list[Guard]:
    """Read the table."""
    return [Guard(**row) for row in tomllib.loads(TABLE.read_text("utf-8"))["guard"]]


_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _function_at(source: str, line: int) -> str:
    """Return the innermost function around a line, or the first name that its statement binds."""
    found = ""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _NAMED) and node.lineno <= line <= (node.end_lineno or 0):
            found = node.name
    if found:
        return found
    statement = next(one for one in ast.parse(source).body if one.lineno <= line <= (one.end_lineno or 0))
    return next(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def chosen(all_of_them: Iterable[Guard], some: int, number: int) -> list[Guard]:
    """Return as many guards as are wanted, by a number: the same number and table always choose the same ones."""
    listed = sorted(all_of_them, key=lambda guard: (guard.test, guard.file, guard.text))
    return random.Random(number).sample(listed, min(some, len(listed))) if some else listed


def fails_in(folder: Path, tests: Collection[str], *, compiled: bool) -> tuple[bool, str]:
    """Run tests in a copy; return whether one failed, and what pytest said. `compiled`: what is imported is kept compiled.

    Raises RuntimeError where they could not be run.
    """
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "--tb=line", "-p", "no:xdist", *sorted(tests)],
        cwd=folder, capture_output=True, text=True, timeout=SECONDS * max(1, len(tests) // 20), check=False,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "" if compiled else "1"},
    )  # fmt: skip
    out = said.stdout + said.stderr
    if said.returncode == 0:
        return False, out
    if said.returncode != 1 or re.search(r"^ERROR ", said.stdout, re.MULTILINE):
        raise RuntimeError(f"pytest ended with {said.returncode}, without a verdict:\n{out}")
    return True, out


def copied(folder: Path) -> None:
    """Lay a copy of the package into a folder; whatever else its tests read is linked to."""
    shutil.copytree(ROOT / "pbem", folder / "pbem", ignore=shutil.ignore_patterns("__pycache__", BUILT))
    for path in (*ROOT.iterdir(), ROOT / "pbem" / BUILT):
        if path.name != "pbem" and not path.name.startswith(".") and path.exists():
            (folder / path.relative_to(ROOT)).symlink_to(path)


def survivors(listed: Collection[Guard], folder: Path) -> list[str]:
    """Remove each guard in turn; return a line for each mutant that its test does not notice."""
    copied(folder)
    failed, said = fails_in(folder, {guard.test for guard in listed}, compiled=True)
    if failed:
        raise RuntimeError(f"with all guards in place a test fails:\n{said}")
    found = []
    for guard in listed:
        path = folder / guard.file
        source, before = path.read_text("utf-8"), path.stat()
        mutant = guard.removed_from(source)
        compile(mutant, guard.file, "exec")
        path.write_text(mutant, "utf-8")
        try:
            failed, said = fails_in(folder, [guard.test], compiled=False)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed, said = False, str(error)
        path.write_text(source, "utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # what was compiled of it counts again
        print(f"{'found   ' if failed else 'SURVIVES'} {guard.place}: {guard.test}", flush=True)
        if not failed:
            found.append(f"{guard.file} without {guard.text!r}: {guard.test} does not fail\n{said[-1500:]}")
    return found


def main() -> int:
    """Run the mutants that are wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--some", type=int, default=0, help="how many, chosen by a number (default: all of them)")
    parser.add_argument("--number", type=int, default=None, help="the number that an earlier run printed")
    parser.add_argument("--only", default="", help="only guards that have this in their file or test")
    said = parser.parse_args()
    number = secrets.randbelow(1_000_000) if said.number is None else said.number
    fitting = [guard for guard in guards() if said.only in f"{guard.file} {guard.test}"]
    listed = chosen(fitting, said.some, number)
    if said.some:
        print(f"{len(listed)} of {len(fitting)} guards, chosen by --number {number}")
    with tempfile.TemporaryDirectory(prefix="pbem-guards-") as folder:
        found = survivors(listed, Path(folder))
    print(*found, sep="\n")
    print(
        f"{len(listed) - len(found)} of {len(listed)} mutants are found"
        + (f" (--number {number})" if said.some else "")
    )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
