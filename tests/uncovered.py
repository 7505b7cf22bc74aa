"""Which lines of Hammer's rules no fast test reaches, against the page that explains them (`make coverage`).

    python -m tests.uncovered

Runs the fast tests of the game under coverage, prints the table, and compares the lines that were not run with
`tests/hammer/uncovered.md`: each stands there with its reason.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "tests" / "hammer" / "uncovered.md"
GAME = ROOT / "pbem" / "games" / "hammer"
DECIDING = ("rules/*.py", "questions/*.py", "guess.py", "orders.py", "views.py", "game.py")
"""What decides a game. Built-in players, pictures, words and plans have tests of their own kind."""
SLOW = (
    "bots", "html", "look_board", "look_facts", "look_reports", "map", "plans", "random_games", "secrecy", "setting_up",
    "variants_page", "edition_23_page", "rules_page", "conformance_hammer", "winter_orders",
)  # fmt: skip
PICK = "not typing_everything"


def measured() -> dict[str, dict[str, list[int]]]:
    """Return what coverage found, by file."""
    tests = [path for path in sorted((ROOT / "tests" / "hammer").glob("test_*.py")) if path.stem[5:] not in SLOW]
    include = ",".join(str(GAME / pattern) for pattern in DECIDING)
    with tempfile.TemporaryDirectory() as folder:
        data, report = f"--data-file={folder}/data", Path(folder) / "report.json"
        run = [sys.executable, "-m", "coverage", "run", data, "--branch", f"--source={GAME}", "-m", "pytest", "-q"]
        subprocess.run([*run, "-p", "no:xdist", "-k", PICK, *map(str, tests)], cwd=ROOT, check=False)
        for form in (["report", "--skip-covered"], ["json", "-q", "-o", str(report)]):
            subprocess.run(
                [sys.executable, "-m", "coverage", *form, data, f"--include={include}"], cwd=ROOT, check=True
            )
        found: dict[str, dict[str, list[int]]] = json.loads(report.read_text("utf-8"))["files"]
    return found


def uncovered(files: dict[str, dict[str, list[int]]]) -> Iterator[tuple[str, str]]:
    """Go through the lines that were not run: the file, and the line as it stands there."""
    for name, file in files.items():
        lines = (ROOT / name).read_text("utf-8").splitlines()
        for number in file["missing_lines"]:
            yield str((ROOT / name).relative_to(GAME)), lines[number - 1].strip()


def explained() -> set[tuple[str, str]]:
    """Return the lines that the page explains."""
    return set(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))


def main() -> None:
    missing, known = set(uncovered(measured())), explained()
    for file, line in sorted(missing - known):
        print(f"No test reaches, and the page does not explain: | `{file}` | `{line}` |")
    for file, line in sorted(known - missing):
        print(f"The page explains a line that is run here, or gone: | `{file}` | `{line}` |")
    sys.exit(bool(missing - known))


if __name__ == "__main__":
    main()
