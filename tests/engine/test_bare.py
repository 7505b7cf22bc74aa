"""Programs that are not ours get nothing of our environment but what they need to run."""

from __future__ import annotations

import json
import sys

import pytest

from pbem.engine.program import LineProgram
from pbem.games.running import INHERITED

TELLING = "import json, os, sys\nfor line in sys.stdin: print(json.dumps({'env': sorted(os.environ)}), flush=True)"


def test_an_engine_sees_no_passphrase_and_nothing_else_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in `pbem match` gets only the environment that it needs."""
    for name in ("PBEM_PASSPHRASE", "PBEM_HOME", "AWS_SECRET", "HOME", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "secret")
    program = LineProgram([sys.executable, "-c", TELLING], "an engine", 60)
    told = program.ask({"id": 1})
    program.end()
    # Python sets LC_CTYPE by itself
    assert set(told["env"]) <= {*INHERITED, "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert "secret" not in json.dumps(told)
