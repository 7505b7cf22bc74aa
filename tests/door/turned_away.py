"""What several tests need of turned away: club, Signed."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pbem.ledger import PrivateKey, sha256_hex
from pbem.mail.door import Greeting, Knock
from tests.host.post import Club, key_of, moment

from .doors import PATIENCE, DoorHost


class Signed:
    """A request as it should be, of which a test changes one thing."""

    def __init__(self, host: DoorHost, club: Club, body: bytes = b"") -> None:
        _status, _headers, told = host.ask("GET", "/door/greeting")
        self.greeting = Greeting.model_validate_json(told)
        self.host, self.body, self.seat = host, body, club.asked()[0]
        self.what: dict[str, Any] = {
            "method": "POST" if body else "GET", "target": "door/letters?since=0", "host": key_of("host").key_line,
            "game": club.log().game, "seat": self.seat, "key": key_of(self.seat).key_line, "time": moment(60), "nonce": "0" * 32,
            "opened": self.greeting.opened, "body": sha256_hex(body),
        }  # fmt: skip

    def sent(
        self, signer: PrivateKey | None = None, /, asks: str = "", body: bytes | None = None, **other: str
    ) -> tuple[int, str]:
        """Send it; return status and the word of the answer."""
        knock = Knock(**{**self.what, **other})
        header = knock.header(signer or key_of(self.seat))
        body = self.body if body is None else body
        status, _headers, told = self.host.ask(
            self.what["method"], f"/{asks or self.what['target']}", body, Pbem_Signed=header
        )
        found = json.loads(told)
        return status, str(found.get("error", found.get("became")))


@contextmanager
def _line(host: DoorHost) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", host.port), PATIENCE) as line:
        yield line
