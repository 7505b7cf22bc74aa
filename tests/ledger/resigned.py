"""What a host and players who work together would make of a changed log: its chain fits again, and all is signed once more.

So a mutant comes past hashes and signatures, to the checks behind them. It knows the keys of `builder.key_of` by their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from pbem.errors import FormError
from pbem.ledger import GOT, HEAD, SAY, PrivateKey, cj, sha256_hex
from tests.ledger.builder import key_of

_HEX = re.compile(rb"\b[0-9a-f]{64}\b")


@cache
def _keys(names: tuple[str, ...]) -> dict[str, PrivateKey]:
    return {key_of(name).key_line: key_of(name) for name in names}


def resigned(data: bytes, names: Iterable[str]) -> bytes:
    """Return the log with `n`, `prev` and every signature made anew, as far as its lines can be written at all."""
    keys, renamed = _keys(tuple(names)), dict[bytes, bytes]()
    players = {name: key_of(name) for name in names}
    made: list[bytes] = []
    lines = data.split(b"\n")[:-1]
    meant = iter(_prevs(lines))
    n, prev = 0, "0" * 64
    for old in lines:
        line = _HEX.sub(lambda found: renamed.get(found[0], found[0]), old)
        try:
            value = json.loads(line)
            if isinstance(value, dict):
                line = _entry(value | {"n": n, "prev": prev}, json.loads(old).get("say"), players, renamed)
                prev = sha256_hex(line)
                renamed[next(meant, b"")] = prev.encode()
                n += 1
            elif isinstance(value, list) and value[:1] in (["head"], ["got"]) and len(value) == 5:
                host = keys.get(_host(made))
                if value[:3:2] == ["head", n - 1]:
                    value[3] = prev
                line = cj([*value[:4], host.sign(HEAD if value[0] == "head" else GOT, cj(value[:4]))]) if host else line
        except (ValueError, FormError):
            pass
        made.append(line)
    return b"\n".join([*made, b""])


def _prevs(lines: list[bytes]) -> list[bytes]:
    """What the later lines of the log call each entry: the one below it names it as `prev`, however it was changed."""
    found = [re.search(rb'"prev":"([0-9a-f]{64})"', line) for line in lines if line.startswith(b"{")]
    return [prev[1] if prev else b"" for prev in found[1:]]


def _entry(value: dict[str, Any], before: object, players: dict[str, PrivateKey], renamed: dict[bytes, bytes]) -> bytes:
    say = value.get("say")
    key = players.get(value["by"]) if isinstance(value.get("by"), str) else None
    if isinstance(say, dict) and key is not None:
        value["sig"] = key.sign(SAY, cj(say))
        renamed[
            sha256_hex(json.dumps(before, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).encode()
        ] = sha256_hex(cj(say)).encode()
    return cj(value)


def _host(lines: list[bytes]) -> str:
    try:
        return str(json.loads(lines[0])["host"])
    except (ValueError, LookupError, TypeError):
        return ""
