"""The program, run in this process as from a shell."""

from __future__ import annotations

import io
import sys

import pytest

from pbem.cli import main


class Program:
    """The program with what it prints and what is typed."""

    def __init__(self, patch: pytest.MonkeyPatch, printed: pytest.CaptureFixture[str]) -> None:
        self.patch, self.printed = patch, printed

    def __call__(self, *arguments: object, typed: str | bytes = "") -> tuple[int, str]:
        """Return the exit code and what was printed, errors last."""
        code, out, err = self.run(*arguments, typed=typed)
        return code, out + err

    def run(self, *arguments: object, typed: str | bytes = "") -> tuple[int, str, str]:
        """Return the exit code, what was printed, and what was said of it."""
        self.patch.setattr(sys, "argv", ["pbem", *map(str, arguments)])
        said = typed if isinstance(typed, bytes) else typed.encode()
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said)))
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        out, err = self.printed.readouterr()
        return int(str(code or 0)), out, err
