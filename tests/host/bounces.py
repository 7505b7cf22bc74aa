"""What several tests need of bounces: club, ways_back, bounce, marked."""

from __future__ import annotations

from pbem.host.condition import figures
from tests.stored import stored_rows

from .post import Club


def ways_back(club: Club, seat: str) -> list[str]:
    rows = stored_rows(
        club.office.store, "select sender from outbox where seat = ? and token is not null order by id", seat
    )
    return [row["sender"] for row in rows]


def bounce(to: str, status: str, no: int = 0, text: str = "Sorry.") -> bytes:
    return (
        f"From: MAILER-DAEMON@mx.example.net\r\nTo: {to}\r\nSubject: Returned mail {no}\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Reporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; ann@example.org\r\nAction: failed\r\n"
        f"Status: {status}\r\n\r\n--b--\r\n"
    ).encode()


def marked(club: Club) -> list[str]:
    found: list[str] = figures(club.robot.store)["addresses_marked"]
    return found
