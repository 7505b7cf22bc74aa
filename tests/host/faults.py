"""What several tests need of faults: club, settle, laid, letters, why, …."""

from __future__ import annotations

import json
from typing import Any

from pbem.host import Office
from tests.mail.dressed import among, photo
from tests.mail.scripted import PASSWORD, USER, Server
from tests.stored import stored_rows

from .post import Club

NOW = "2030-01-01T12:00:00Z"
SOON = "2030-01-01T12:01:00Z"


def settle(club: Club, smtp: Server | None = None, imap: Server | None = None, **more: Any) -> Office:
    """Let the club's host use these servers."""
    club.office.close()
    home = club.folder / "host"
    (home / "password").write_text(PASSWORD + "\n", "utf-8")
    (home / "password").chmod(0o600)
    lines = ['address = "host@example.org"', "[in]"]
    for section, server in (("in.imap", imap), ("out.smtp", smtp)):
        if server is not None:
            account = {"tls": "none", "timeout": 5, "user": USER, "password_file": "password"} | more
            lines += [f"[{section}]", 'host = "127.0.0.1"', f"port = {server.port}"]
            lines += [f"{name} = {json.dumps(value)}" for name, value in account.items()]
    if smtp is None:
        lines += ["[out]", 'maildir = "mail/{local}"']
    (home / "host.toml").write_text("\n".join(lines) + "\n", "utf-8")
    club.office = Office(home)
    return club.office


def laid(office: Office) -> list[str]:
    return [row["message_id"] for row in stored_rows(office.store, "select message_id from outbox order by id")]


def letters(office: Office) -> list[dict[str, Any]]:
    """The letters that wait. Of an invitation that was sent no bytes stay, for they hold its token."""
    return stored_rows(office.store, "select id, address, raw from outbox where sent = 0 order by id")


def why(office: Office) -> str:
    """What the status says of the first trouble."""
    return str(office.status()["troubles"][0]["why"])


def joining(club: Club) -> list[bytes]:
    """The letters with which both players join."""
    letters = []
    for seat, raws in club.deliver().items():
        for raw in raws:
            club.desks[seat].join(raw, club.now())
        letters += club.letters(club.desks[seat])
    return letters


def large(order: bytes, behind: int, before: int = 0) -> bytes:
    """An order between two photos of so many bytes."""
    return among(order, [photo(before)] if before else [], [photo(behind)])
