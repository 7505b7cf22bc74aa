"""What several tests need of verify mjs: node_is_new_enough, run, of_node, said."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from pbem.ledger import Verdict

SCRIPT = Path(__file__).parents[2] / "examples" / "verify.mjs"
AT_A_TIME = 250


def node_is_new_enough() -> bool:
    if shutil.which("node") is None:
        return False
    version = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    return int(version.removeprefix("v").partition(".")[0]) >= 20


def run(tmp_path: Path, data: bytes, *arguments: str) -> tuple[int, dict[str, Any]]:
    path = tmp_path / "game.pbem"
    path.write_bytes(data)
    done = subprocess.run(["node", SCRIPT, path, *arguments], check=False, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def of_node(tmp_path: Path, files: list[bytes]) -> list[dict[str, Any]]:
    """What the script says of each file."""
    paths = [tmp_path / f"{no}.pbem" for no in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    names = "".join(f"{path}\n" for path in paths)
    done = subprocess.run(["node", SCRIPT, "--many"], input=names, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def said(verdict: Verdict) -> tuple[Any, ...]:
    """What the script should say: of what is in order no more than that, for it knows no rules."""
    outcome = "in order" if verdict.verdict == "clean" else verdict.verdict
    return outcome, verdict.entry, verdict.code, verdict.party, list(verdict.head) if verdict.head else None
