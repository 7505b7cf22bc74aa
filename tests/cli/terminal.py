"""A person at a terminal, told as a dialogue: what is typed stands marked behind its prompt, what is printed stands whole.

A dialogue is a file: a line `$ pbem …` is a command, `‹…›` at the end of a line is what somebody types there, and a line that
begins with `## ` says what happens meanwhile. The file is its own script: it is played by what is typed in it, through the real
entry of the program, and has to come out as it stands. With PBEM_GOLDEN=write it is written anew.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import main

_TYPED = re.compile("‹([^›\n]*)›$", re.MULTILINE)
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_CALL, _MEANWHILE = "$ pbem", "## "


class Screen(io.StringIO):
    """What is printed at a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Keyboard(io.StringIO):
    """What somebody types, who ends his input when he has no more to say; it stands on the screen, marked."""

    def __init__(self, typed: list[str], shown: Screen) -> None:
        super().__init__()
        self.typed, self.shown = typed, shown

    def isatty(self) -> bool:
        return True

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        if not self.typed:
            return ""
        said = self.typed.pop(0)
        self.shown.write(f"‹{said}›\n")
        return f"{said}\n"


class AtTerminal:
    """A person with 80 columns and 24 lines, at whose terminal the program runs in this process."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        for name, value in {"COLUMNS": "80", "LINES": "24", "TERM": "xterm", "NO_COLOR": ""}.items():
            patch.setenv(name, value)

    def __call__(self, *arguments: object, typed: list[str]) -> tuple[int, str]:
        """Run a command; return its code, and what then stands on the screen. All that is typed has to be asked for."""
        screen = Screen()
        with self.patch.context() as patch:
            patch.setattr(sys, "argv", ["pbem", *map(str, arguments)])
            for name in ("stdout", "stderr"):
                patch.setattr(sys, name, screen)
            patch.setattr(sys, "stdin", Keyboard(said := list(typed), screen))
            code: object = 0
            try:
                main()
            except SystemExit as end:
                code = end.code
        shown = _COLOUR.sub("", screen.getvalue())
        assert not said, f"not asked for: {said}, behind\n{shown[-1500:]}"
        return int(str(code or 0)), shown


def replay(path: Path, person: AtTerminal, meanwhile: Callable[[str], object] = lambda _note: None) -> None:
    """Play a dialogue, and compare it with its file; `meanwhile` is called with what happens between commands."""
    kept, found = path.read_text("utf-8"), list[str]()
    for part in re.split(r"^(?=\$ pbem|## )", kept, flags=re.MULTILINE):
        if part.startswith(_MEANWHILE):
            meanwhile(part.partition("\n")[0].removeprefix(_MEANWHILE))
            found.append(f"{part.rstrip()}\n\n")
        elif part.startswith(_CALL):
            call, _, shown = part.partition("\n")
            code, printed = person(*shlex.split(call)[2:], typed=_TYPED.findall(shown))
            found.append("\n".join(line.rstrip() for line in f"{call}\n{printed}".rstrip().split("\n")) + "\n")
            found.append(f"(exit code {code})\n\n" if code else "\n")
    text = "".join(found).rstrip() + "\n"
    if os.environ.get("PBEM_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text("utf-8"), f"{path.name} has changed; PBEM_GOLDEN=write writes it anew"
