"""What several tests need of verify mjs: judged, differences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.ledger import verify
from pbem.ledger.modes import OF_TWO, mode_of
from pbem.ledger.pair import verify_pair
from tests.ledger.verify_mjs import of_node, said


def judged(tmp_path: Path, files: Mapping[str, bytes]) -> dict[str, tuple[Any, Any]]:
    """What both programs say of each file."""
    found = of_node(tmp_path, list(files.values()))
    return {
        name: (
            said(verify_pair(data) if mode_of(data) is OF_TWO else verify(data)),
            tuple(other[field] for field in ("verdict", "entry", "code", "party", "head")),
        )
        for (name, data), other in zip(files.items(), found, strict=True)
    }


def differences(tmp_path: Path, files: Mapping[str, bytes]) -> dict[str, tuple[Any, Any]]:
    """The files of which the two programs say different things, and what."""
    return {name: both for name, both in judged(tmp_path, files).items() if both[0] != both[1]}
