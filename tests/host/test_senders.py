"""A way out that takes letters with the host's own address as sender only: it is found out, remembered, said, and tried anew."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.host import Office
from pbem.host.checking import check as check_host
from tests.mail.scripted import Line, SmtpServer, listening

from .faults import NOW, SOON, laid, settle, why
from .post import HOST, Club, a_club

A_WEEK_LATER = "2030-01-08T12:00:01Z"
NOT_YOURS = "550 5.7.60 Client does not have permissions to send as this sender"


@dataclass
class Choosy(SmtpServer):
    """Takes letters from one sender only, and says so at a command: MAIL, RCPT, or "." behind the letter."""

    at: str = "MAIL"
    no: str = NOT_YOURS
    only: str = HOST

    def serve(self, line: Line, command: str) -> bool:
        verb, _, rest = command.partition(" ")
        sender = rest[6:-1] if verb.upper() == "MAIL" else (self.envelope or [""])[0]
        self.answers.pop(".", "")
        if self.at and sender != self.only:
            if verb.upper() == self.at:
                line.say(self.no)
                return True
            if verb.upper() == "DATA" and self.at == ".":
                self.answers["."] = self.no
        return super().serve(line, command)

    @property
    def senders(self) -> list[str]:
        return [sender for sender, _, _ in self.letters]

    def asked(self, command: str) -> int:
        return sum(said.upper().startswith(command) for said in self.commands)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Two invitations wait (with ways back), and a refusal (with an empty sender)."""
    with a_club(tmp_path) as club:
        club.take(b"From: ann@example.org\r\n\r\nhm\r\n")
        yield club


@pytest.mark.variants
@pytest.mark.parametrize("at", ["MAIL", "RCPT", "."])
@pytest.mark.parametrize("no", [NOT_YOURS, "553 not owned by user", "501 mail from address must be same as user"])
def test_letters_go_with_the_plain_address_where_the_provider_takes_no_other(club: Club, at: str, no: str) -> None:
    """The provider may refuse the empty sender or a return path at any command. The host then uses the plain address at
    once, tries the other again after a week, and `status` shows the provider's words."""
    with listening(Choosy(at=at, no=no)) as server:
        assert isinstance(server, Choosy)
        office = settle(club, server)
        assert office.send(NOW) == []
        assert server.ids == laid(office)
        assert set(server.senders) == {HOST}
        assert office.status()["troubles"] == []
        shown = office.status()["senders_refused"]
        assert [one.partition(" (")[0] for one in shown] == ["<>", "host+b-…@example.org"]
        assert all(no in one and NOW in one for one in shown)
        tried = server.asked("MAIL")
        office.robot.cancel(1, NOW)
        office.send(SOON)
        assert server.ids == laid(office)
        assert server.asked("MAIL") - tried == len(server.ids) - 3, (
            "a sender that was refused is not tried for each letter"
        )


def test_after_a_week_a_refused_sender_is_tried_anew(club: Club) -> None:
    with listening(Choosy()) as server:
        assert isinstance(server, Choosy)
        office = settle(club, server)
        office.send(NOW)
        server.at = ""
        office.robot.cancel(1, NOW)
        office.send(A_WEEK_LATER)
        assert server.ids == laid(office)
        assert [sender.startswith("host+b-") for sender in server.senders[3:]] == [True, True]
        assert [one[:2] for one in office.status()["senders_refused"]] == ["<>"], "the other one was taken"


@pytest.mark.variants
@pytest.mark.parametrize("answer", ["550 5.1.1 nobody here", "552 5.3.4 too large", "554 no", "450 later"])
def test_a_refusal_of_receiver_or_letter_is_not_taken_for_one_of_the_sender(club: Club, answer: str) -> None:
    with listening(SmtpServer(answers={"RCPT": answer})) as server:
        office = settle(club, server)
        office.send(NOW)
        assert answer in why(office)
        assert office.status()["senders_refused"] == []
        once_more = f"mail FROM:<{HOST}>" in server.commands
        assert once_more == (answer == "554 no"), "what may be meant so is tried with the plain address, too"


@pytest.mark.parametrize("at", ["MAIL", "RCPT"])
def test_check_names_each_sender_that_is_refused_and_the_letters_go_with_the_plain_one(club: Club, at: str) -> None:
    """`pbem host check` tries every sender in use before anything is sent."""
    with listening(Choosy(at=at)) as server:
        assert isinstance(server, Choosy)
        office = settle(club, server)
        found = list(check_host(office, NOW))
        assert all(well for well, _ in found)
        said = [sentence for _, sentence in found if NOT_YOURS in sentence]
        assert [sentence.split()[2] for sentence in said] == ["<>", "host+b-…@example.org"]
        assert all(f"go with {HOST}" in sentence for sentence in said)
        assert len(office.status()["senders_refused"]) == 2
        assert server.letters == []
        server.commands.clear()
        office.send(NOW)
        assert server.asked("MAIL") == 3
        server.at = ""
        assert not any("refused" in sentence for _, sentence in check_host(office, NOW)), "what is mended is found so"
        assert office.status()["senders_refused"] == []


@pytest.mark.parametrize("at", ["MAIL", "RCPT"])
def test_check_finds_a_provider_that_does_not_take_the_plain_address_either(club: Club, at: str) -> None:
    with listening(Choosy(at=at, only="somebody@example.org")) as server:
        office = settle(club, server)
        found = list(check_host(office, NOW))
        assert [NOT_YOURS in sentence for well, sentence in found if not well] == [True]
        assert office.status()["senders_refused"] == []
        office.send(NOW)
        assert "may send from" in why(office) or at == "RCPT"


def test_check_tells_of_an_account_at_another_domain(club: Club) -> None:
    with listening(SmtpServer()) as server:
        office = settle(club, server, user="club@elsewhere.example")
        (said,) = (sentence for well, sentence in check_host(office, NOW) if well and "SPF" in sentence)
        assert "elsewhere.example" in said
        assert "example.org says so" in said


PROGRAM = """#!{python}
import sys
sender, address = sys.argv[1:]
if sender != "host@example.org":
    sys.exit("envelope from address not accepted by the server" if {code} == 1 else {code})
open({place!r} + "/" + address, "ab").write(sys.stdin.buffer.read())
"""


@pytest.mark.variants
@pytest.mark.parametrize("code", [1, 65, 69, 77])
def test_a_program_that_takes_no_other_sender_is_given_the_plain_address(club: Club, tmp_path: Path, code: int) -> None:
    """A program that passes letters to a provider, such as msmtp, reports the refusal by its exit code."""
    place, program = tmp_path / "sent", tmp_path / "program"
    place.mkdir()
    program.write_text(PROGRAM.format(python=sys.executable, place=str(place), code=code), "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    home = club.folder / "host"
    club.office.close()
    settings = f'address = "{HOST}"\n[out.sendmail]\ncommand = ["{program}", "{{sender}}", "{{address}}"]\n'
    (home / "host.toml").write_text(settings, "utf-8")
    club.office = office = Office(home)
    assert any("<> and host+b-…@example.org" in sentence for _, sentence in check_host(office, NOW))
    assert office.send(NOW) == []
    assert {path.name for path in place.iterdir()} == {"ann@example.org", "bob@example.org"}
    assert len(office.status()["senders_refused"]) == 2
