"""A service for the tests of the worker: it verifies logs and signatures and keeps a key, and knows no desk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.errors import PbemError
from pbem.games import find, manifest
from pbem.ledger import PrivateKey, check_key_line, verify, verify_sig


class Service:
    """Answers a few calls about ledgers and keys; a key is kept in the folder."""

    def __init__(self, folder: str) -> None:
        self._key = Path(folder) / "key"

    def answer(self, request: str) -> str:
        """Return what a call of this class says, or what went wrong."""
        asked = json.loads(request)
        call: Callable[..., Any] = getattr(self, asked["call"])
        try:
            return json.dumps({"ok": call(**asked["args"])})
        except PbemError as error:
            return json.dumps({"error": str(error)})

    def verify(self, log: str) -> dict[str, Any]:
        """The verdict over a log, its head, and the milliseconds that it took."""
        began = time.perf_counter()
        found = verify(log.encode())
        took = round((time.perf_counter() - began) * 1000)
        return {"verdict": found.verdict, "code": found.code, "entry": found.entry, "head": found.head, "took": took}

    def edges(self, cases: list[dict[str, str]]) -> list[list[bool]]:
        """For each case, may the key be used, and does the signature count?"""
        return [[self._usable(case["key"]), self.counts(**_named(case))] for case in cases]

    def _usable(self, line: str) -> bool:
        try:
            check_key_line(line)
        except PbemError:
            return False
        return True

    def counts(self, key: str, namespace: str, message: str, sig: str) -> bool:
        """Does a signature count?"""
        return verify_sig(key, namespace, message.encode(), sig)

    def make(self, seed: str, passphrase: str) -> dict[str, str]:
        """Make a key and keep it; return its public line and the file."""
        key = PrivateKey.from_seed(bytes.fromhex(seed))
        self._key.write_bytes(key.dump(passphrase.encode() or None))
        return {"line": key.key_line, "file": self._key.read_text()}

    def sign(self, namespace: str, message: str, passphrase: str) -> str:
        """Sign with the key that was kept."""
        return self._load(self._key.read_bytes(), passphrase).sign(namespace, message.encode())

    def opens(self, file: str, passphrase: str) -> str:
        """The public line of a key file."""
        return self._load(file.encode(), passphrase).key_line

    def _load(self, file: bytes, passphrase: str) -> PrivateKey:
        return PrivateKey.load(file, passphrase.encode() or None)

    def manifests(self, games: list[str]) -> list[str]:
        """The SHA-256 of each game's rules."""
        return [manifest(find(game))[1] for game in games]


def _named(case: dict[str, str]) -> dict[str, str]:
    return {name: case[name] for name in ("key", "namespace", "message", "sig")}
