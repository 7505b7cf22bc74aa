"""Bad days of a host that has a mailbox and a door: one fails, the other goes on, and a monitor is told."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.host.post import Club, a_club, moment
from tests.mail.scripted import PASSWORD, USER, ImapServer, Line, listening

from .door import health
from .doors import at_work, settings


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


@dataclass
class Guarded(ImapServer):
    """A mailbox whose password may be another one tomorrow."""

    password: str = PASSWORD

    def serve(self, line: Line, command: str) -> bool:
        tag, verb, *words = command.split()
        if verb == "LOGIN" and words[-1].strip('"') != self.password:
            line.say(f"{tag} NO [AUTHENTICATIONFAILED] {words[-1]} is not it")
            return True
        return super().serve(line, command)

    def changes(self, password: str) -> None:
        """Who is logged in is logged out by that."""
        self.password = password
        for sock in self.lines:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def mailbox(box: ImapServer) -> str:
    """The settings of a mailbox beside a door."""
    return (
        f'[in.imap]\nhost = "127.0.0.1"\nport = {box.port}\ntls = "none"\nuser = "{USER}"\npassword_file = "password"\n'
    )


def test_a_changed_password_stops_no_other_way_in_and_waiting_mail_counts(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`status` names the refused login, and `door/health` does so after 15 minutes. The host reads the password file at
    each try, so it needs no restart. Waiting mail keeps its time of arrival."""
    monkeypatch.setattr("pbem.host.run.RETRY", (0.01, 0.01))
    kept = club.folder / "host" / "password"
    kept.write_text(f"{PASSWORD}\n", "utf-8")
    kept.chmod(0o600)
    mailed, brought = club.asked()
    by_mail, by_door = club.order(mailed), club.order(brought)
    with listening(Guarded()) as box:
        assert isinstance(box, Guarded)
        with at_work(club, settings(more=mailbox(box))) as host:
            box.changes("another")
            host.hear("refuses the login of club")
            box.arrive(by_mail, moment(60))
            assert host.door(club, brought).bring(by_door).became == "taken"
            (trouble,) = club.office.status()["troubles"]
            assert (trouble["way"], trouble["since"]) == ("imap", moment(60))
            assert "Is the password in" in trouble["why"]
            assert PASSWORD not in trouble["why"]
            assert health(host) == (200, {"well": True}), "it may be mended at once"
            host.clock[0] = moment(130)
            assert host.door(club, brought).bring(by_door).became == "duplicate"
            assert health(host) == (503, {"well": False})
            kept.write_text("another\n", "utf-8")
            host.hear("imap: it works again")
            host.door(club, brought).bring(by_door)  # what was said is noted by then
            assert health(host) == (200, {"well": True})
    assert box.folders["INBOX"] == {}
    assert club.office.status()["troubles"] == []
    assert {entry.fields["by"] for entry in club.log().entries if entry.k == "order"} == {mailed, brought}
