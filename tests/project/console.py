"""Running the console blocks of a page, and comparing what they print with what the page says.

In a block ``console`` a line ``$ command`` is run by bash, in one session for the whole page; the lines below it are what
it prints. ``…`` stands for anything within a line, a line ``…`` for any lines. What follows a prompt of ours was typed.
A block ``sh`` is run only where the test says so.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

PROMPTS = (
    "Number or order (? board plan quit): ",
    "Number or order (undo ? board plan quit): ",
    "Is that right? [Y/n]: ",
    "Number (back quit): ",
    "Number, or nothing to keep it (back quit): ",
    "Keep it? (yes back quit): ",
    "Another plan? [y/N]: ",
)


@dataclass(slots=True)
class Call:
    """A command of a page, and what the page says it prints."""

    command: str
    shown: list[str] = field(default_factory=list)

    @property
    def typed(self) -> str:
        """What the page shows as typed at our prompts."""
        lines = [line.removeprefix(p) for line in self.shown for p in PROMPTS if line.startswith(p)]
        return "".join(f"{line}\n" for line in lines)

    def fits(self, printed: str) -> bool:
        """Is that what the page says? Blank lines and prompts aside."""
        for prompt in PROMPTS:
            printed = printed.replace(prompt, "\n")
        lines = [line for line in self.shown if line.strip() and not line.startswith(PROMPTS)]
        patterns = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines]
        said = "".join(f"{line}\n" for line in printed.splitlines() if line.strip())
        return re.fullmatch("".join(patterns), said) is not None


def calls(page: Path) -> list[Call]:
    """Return the commands of a page's console blocks."""
    found: list[Call] = []
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Call(line[2:]))
            else:
                found[-1].shown.append(line)
    return found


class Session:
    """One session of bash in a folder; every command starts where the one before it ended."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        self.folder, self.env = folder, {**kept, **env}

    def run(self, command: str, typed: str = "") -> tuple[int, str]:
        """Run a command; return its exit code and all that it printed."""
        run = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.env, input=typed, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return run.returncode, run.stdout
