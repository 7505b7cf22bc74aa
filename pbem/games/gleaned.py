"""What was learned of sources before: what each imports, and the SHA-256 of its normal form, kept beside Python's compiled modules.

To read a game's rules for their manifest takes longer than to load them. What is learned of a source follows from its bytes and
from how it is read here; so it is kept by the SHA-256 of these, and cannot be out of date. Where nothing can be kept, or what was
kept cannot be read, all is learned anew.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import sys
from functools import cached_property
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .normal import hands_on, imports, normal_form

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 2_000
"""So many sources are kept."""


class Imported(NamedTuple):
    """An import: how many packages up, the module, and which name of it: "" for the whole, "*" for all."""

    level: int
    module: str
    name: str


class Source:
    """The source of a module, and what is to be known of it."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax."""
        return ast.parse(self.data)

    @cached_property
    def _notes(self) -> dict[str, Any]:
        return _KEPT.about(self.data)

    @property
    def hands_on(self) -> bool:
        """Does it nothing but import?"""
        if "hands_on" not in self._notes:
            self._notes["hands_on"] = hands_on(self.tree)
        return bool(self._notes["hands_on"])

    @property
    def imports(self) -> list[Imported]:
        """All that it imports when it is run."""
        if "imports" not in self._notes:
            self._notes["imports"] = [*_imported(self.tree)]
        return [Imported(*said) for said in self._notes["imports"]]

    @property
    def normal(self) -> str:
        """The SHA-256 of its normal form, in hex."""
        if "normal" not in self._notes:
            self._notes["normal"] = hashlib.sha256(normal_form(self.tree).encode()).hexdigest()
        return str(self._notes["normal"])


def _imported(tree: ast.Module) -> Iterator[Imported]:
    for node in imports(tree):
        for alias in node.names:
            if isinstance(node, ast.Import):
                yield Imported(0, alias.name, "")
            else:
                yield Imported(node.level, node.module or "", alias.name)


class _Kept:
    """The file with what was learned, read when it is first asked."""

    def __init__(self) -> None:
        self._before = ""

    @cached_property
    def _place(self) -> Path | None:
        with contextlib.suppress(NotImplementedError):
            return Path(cache_from_source(__file__)).with_suffix(".json")
        return None

    @cached_property
    def _way(self) -> str:
        """How sources are read: by this, and by what writes normal forms."""
        ways = [Path(__file__), Path(__file__).with_name("normal.py")]
        return hashlib.sha256(b"".join(way.read_bytes() for way in ways)).hexdigest()

    @cached_property
    def _known(self) -> dict[str, dict[str, Any]]:
        try:
            self._before = self._place.read_text() if self._place else ""
            said = json.loads(self._before)
            return dict(said["known"]) if said["way"] == self._way else {}
        except (OSError, ValueError, LookupError, TypeError):
            return {}

    def about(self, data: bytes) -> dict[str, Any]:
        """Return what is known of a source; what is put there, is kept by `keep`."""
        found = self._known.setdefault(hashlib.sha256(data).hexdigest(), {})
        return found if isinstance(found, dict) else {}

    def keep(self) -> None:
        """Write down what was learned since, if anything."""
        with contextlib.suppress(OSError):
            known = dict([*self._known.items()][-MOST:])
            now = json.dumps({"way": self._way, "known": known})
            if now == self._before or self._place is None or sys.dont_write_bytecode:
                return
            self._place.parent.mkdir(parents=True, exist_ok=True)
            beside = self._place.with_suffix(f".{os.getpid()}")
            try:
                beside.write_text(now)
                beside.replace(self._place)
            finally:
                beside.unlink(missing_ok=True)
            self._before = now


_KEPT = _Kept()
keep = _KEPT.keep
