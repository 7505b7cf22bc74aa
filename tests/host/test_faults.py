"""What can go wrong between a host and mail servers: nothing is lost, nothing is decided twice, and it is said what is wrong.

`tests/rows.toml` has a row for each of these tests.
"""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import StoreAway, WorldError
from pbem.host import Office
from pbem.host.checking import check as check_host
from pbem.host.store import WAITING
from pbem.ledger import sha256_hex
from pbem.mail import read_message
from pbem.mail.imap import PIECE
from pbem.mail.incoming import MAX_MAIL
from tests.host.faults import NOW, SOON, joining, laid, large, letters, settle, why
from tests.mail.scripted import PASSWORD, USER, ImapServer, Line, Server, SmtpServer, _Cut, listening
from tests.stored import stored_rows

from .either import can_write, cannot_write
from .post import Club, a_club

LATER = "2030-01-01T12:03:00Z"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A game just opened: two invitations wait."""
    with a_club(tmp_path) as club:
        yield club


def taken_back(office: Office, letters: list[dict[str, Any]]) -> None:
    """Let the store know nothing of what was sent, as when the host is killed before it notes it."""
    for row in letters:
        office.store.change("outbox", row["id"], sent=0, attempts=0, not_before="", raw=row["raw"])


# -- sending ------------------------------------------------------------------------------------------------------------

SMTP_COMMANDS = ["EHLO", "AUTH", *2 * ["NOOP", "MAIL", "RCPT", "DATA", "the letter"], "QUIT"]
"""What is said while two letters are sent; the first of them needs no NOOP."""
del SMTP_COMMANDS[2]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_the_line_is_cut_at_each_command_of_smtp(club: Club, after: bool) -> None:
    """The host sends unsent letters with the next try. A line cut after a letter's last dot leaves it unknown whether
    the letter arrived: the host sends it again under the same Message-ID."""
    with listening(SmtpServer()) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        waiting = letters(office)
        for cut, command in enumerate(SMTP_COMMANDS, 1):
            taken_back(office, waiting)
            server.letters.clear()
            server.commands.clear()
            server.cut, server.after = cut, after
            office.send(NOW)
            office.sending.hang_up()
            assert server.commands[cut - 1].upper().startswith(command.upper())
            server.heal()
            office.send(LATER)
            office.sending.hang_up()
            twice = after and command == "the letter"  # the same mail again, with the same Message-ID
            assert sorted(set(server.ids)) == sorted(laid(office))
            assert len(server.ids) == 2 + twice
            assert office.status()["mails_unsent"] == 0
            assert office.status()["troubles"] == []


def test_a_server_that_is_down_is_tried_after_growing_waits(club: Club) -> None:
    """All letters wait 1, 2, 5, 10, 20 and 40 minutes, then 1, 2 and 4 hours. `pbem host status` shows why and until when."""
    with listening(SmtpServer()) as server:
        pass
    office = settle(club, server)
    tries = []
    for minute in range(40):
        at = f"2030-01-01T13:{minute:02}:00Z"
        if office.send(at):
            tries.append(minute)
    assert tries == [0, 1, 3, 8, 18, 38]
    assert "Nothing listens at 127.0.0.1" in why(office)
    assert office.status()["troubles"][0]["next"] == "2030-01-01T14:18:00Z"
    assert office.status()["mails_unsent"] == 2


def test_a_clock_that_is_put_back_makes_no_letter_wait_longer(club: Club) -> None:
    """The clock was a day ahead when the letter began to wait."""
    with listening(SmtpServer()) as server:
        pass
    office = settle(club, server)
    assert office.send("2030-01-02T13:00:00Z"), "by a clock that is a day ahead"
    assert office.send("2030-01-01T13:00:30Z"), "not tomorrow"
    assert office.send("2030-01-01T13:01:00Z") == [], "but not at once again and again"
    assert office.status()["troubles"][0]["next"] == "2030-01-01T13:02:30Z"


def test_a_server_that_comes_back_gets_everything_in_order(club: Club) -> None:
    """The server was busy (421)."""
    with listening(SmtpServer(answers={"": "421 not now"})) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        office.send(NOW)
        assert "does not serve us now: 421 not now" in why(office)
        server.heal()
        assert office.send(NOW) == []
        assert server.ids == []
        office.send(SOON)
        assert server.ids == laid(office)


def test_a_server_that_takes_few_letters_by_one_connection_gets_the_others_by_the_next(club: Club) -> None:
    """The server closes the connection (421) after a few letters."""
    with listening(SmtpServer(most=1)) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        assert len(laid(office)) > 1
        assert office.send(NOW) == []
        assert server.ids == laid(office)
        assert office.send(SOON) == []


@pytest.mark.variants
@pytest.mark.parametrize(
    "answer", ["452 4.2.2 mailbox full", "552 5.2.2 mailbox full", "552 no space", "450 greylisted"]
)
@pytest.mark.parametrize("command", ["RCPT", "."])
def test_a_full_mailbox_is_tried_again_and_holds_nobody_up(club: Club, answer: str, command: str) -> None:
    """After a 4xx, 552 or 5.2.2 the letter waits, and so do later letters to the same address. Other letters go out."""
    with listening(SmtpServer(answers={command: answer})) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        troubles = office.send(NOW)
        assert len(troubles) == 2  # each letter was tried
        assert answer in troubles[0]
        assert office.status()["letters_refused"] == 0
        server.heal()
        office.send(SOON)
        assert server.ids == laid(office)


@pytest.mark.variants
@pytest.mark.parametrize("answer", ["550 5.1.1 nobody here", "552 5.3.4 too large", "554 no"])
def test_a_letter_that_is_refused_for_good_is_kept_and_shown(club: Club, answer: str) -> None:
    """After a 5xx the host keeps the letter as refused; `pbem host retry` sends it again."""
    with listening(SmtpServer(answers={"RCPT": answer})) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        office.send(NOW)
        server.heal()
        assert office.send(LATER) == []
        assert server.ids == []
        assert office.status()["letters_refused"] == 2
        assert answer in why(office)
        assert office.sending.send_again() == 2
        office.send(LATER)
        assert server.ids == laid(office)
        assert office.status()["troubles"] == []


def test_a_refused_sender_waits_for_the_operator(club: Club) -> None:
    """The letter waits until the operator corrects the address."""
    with listening(SmtpServer(answers={"MAIL": "553 5.7.1 not your address"})) as server:
        office = settle(club, server)
        office.send(NOW)
        assert "may send from" in why(office)
        assert office.status()["letters_refused"] == 0


@dataclass
class Choosy(SmtpServer):
    """It takes letters to all but one address."""

    against: str = ""
    says: str = ""

    def serve(self, line: Line, command: str) -> bool:
        if command.upper().startswith("RCPT") and self.against in command:
            if self.says:
                line.say(self.says)
            return self.says[:3] not in ("", "421")
        return super().serve(line, command)


@pytest.mark.variants
@pytest.mark.parametrize(
    ("says", "tries", "refused"),
    [("550 5.1.1 nobody here", 1, 1), ("450 4.2.0 later", 1, 0), ("421 not to him", 2, 0), ("", 2, 0)],
)
def test_a_server_that_refuses_one_receiver_gets_the_letters_to_all_others(
    club: Club, says: str, tries: int, refused: int
) -> None:
    """A server that answers 421 or cuts the line at one address may be down, so at first all letters wait. From the
    second try on, only that address waits."""
    with listening(Choosy(against="ann@", says=says)) as server:
        assert isinstance(server, Choosy)
        office = settle(club, server)
        ann, bob = laid(office)
        for at in (NOW, SOON)[:tries]:
            assert bob not in server.ids
            office.send(at)
        assert server.ids == [bob]
        (trouble,) = office.status()["troubles"]
        assert (trouble["letter"], trouble["failed"]) == (ann, bool(refused))
        assert says in trouble["why"]
        server.against = "nobody@"
        office.sending.send_again()
        office.send(LATER)
        assert server.ids == [bob, ann], "nothing is lost, and nothing goes twice"
        assert office.status()["troubles"] == []


@dataclass
class Slow(SmtpServer):
    """It takes so many letters, and then says at the receiver that they come too fast."""

    takes: int = 0
    says: str = "450 4.7.1 too many messages, slow down"
    asked: int = 0

    def serve(self, line: Line, command: str) -> bool:
        if command.upper().startswith("RCPT"):
            self.asked += 1
            if len(self.letters) >= self.takes:
                line.say(self.says)
                return True
        return super().serve(line, command)


@pytest.mark.variants
@pytest.mark.parametrize(
    "says",
    ["450 4.7.1 rejected", "451 4.7.0 Try again later", "452 4.3.1 rate limit exceeded", "450 too many messages"],
)
def test_a_providers_rate_limit_is_one_pause_and_not_a_try_for_each_letter(club: Club, says: str) -> None:
    """All letters wait together, and in their order; status says the server's words."""
    with listening(Slow(takes=1, says=says)) as server:
        assert isinstance(server, Slow)
        office = settle(club, server)
        for no in range(200):
            office.store.insert(
                "outbox", message_id=f"{no}@example.org", game=None, seat="", address=f"p{no}@example.org", at=NOW, kind="club",
                token=None, sender="", sent=WAITING, attempts=0, not_before="", last_error="", raw=b"Message-ID: <x>\r\n\r\n",
            )  # fmt: skip
        troubles = office.send(NOW)
        assert server.asked == 2, "one was taken, and one refused"
        assert len(troubles) == 1
        assert "201 letters wait for another try" in troubles[0]
        assert says in troubles[0]
        assert office.send(NOW) == []
        assert server.asked == 2, "nothing is tried in the pause"
        office.send(SOON)
        assert server.asked <= 2 + 4, "of the next try, too: whether one letter alone is meant shows at a few"
        server.takes = 1000
        office.sending.send_again()
        office.send(LATER)
        assert len(server.letters) == 202


def test_a_letter_that_cannot_be_noted_as_sent_is_not_sent_again_and_again(club: Club) -> None:
    """The disk is full and `pbem host run` wakes every minute. It notes the letter once there is room."""
    with listening(SmtpServer()) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        cannot_write(office.store)
        for _ in range(5):
            with pytest.raises(WorldError):
                office.send(NOW)
        can_write(office.store)
        office.send(NOW)
        assert server.ids == laid(office)
        assert not letters(office)


def test_letters_to_one_address_go_in_their_order(club: Club) -> None:
    """No letter overtakes an earlier one to the same address."""
    with listening(SmtpServer(answers={"RCPT": "450 later"})) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        office.send(NOW)
        server.heal()
        office.robot.cancel(1, NOW)
        office.send(NOW)
        assert server.ids == []  # the news of the end waits behind the invitation
        office.send(SOON)
        assert server.ids == laid(office)


def test_a_letter_not_noted_goes_again_with_the_same_message_id(club: Club) -> None:
    """The host is killed between sending a letter and noting it. It sends the same bytes again."""
    with listening(SmtpServer()) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        waiting = letters(office)
        office.send(NOW)
        first = list(server.letters)
        taken_back(office, waiting)
        office.send(NOW)
        assert server.letters == first + first


def test_smtp_refuses_the_login(club: Club) -> None:
    """All letters wait. The host shows the server's words, but never the password."""
    with listening(SmtpServer(answers={"AUTH": f"535 5.7.8 wrong: {PASSWORD}"})) as server:
        office = settle(club, server)
        said = [*office.send(NOW), why(office), *(sentence for _, sentence in check_host(office, NOW))]
        assert all(f"refuses the login of {USER}" in text for text in said[:2])
        assert "password in the file password right" in said[0]
        assert not any(PASSWORD in text for text in said)
        assert office.status()["mails_unsent"] == 2
        held = b"".join(path.read_bytes() for path in (club.folder / "host").glob("pbem.sqlite*"))
        assert PASSWORD.encode() not in held


# -- fetching -----------------------------------------------------------------------------------------------------------


@pytest.mark.variants
@pytest.mark.parametrize("can", ["IDLE MOVE", ""], ids=["move", "copy"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_the_line_is_cut_at_each_command_of_imap(club: Club, after: bool, can: str) -> None:
    """The host does not decide a stored mail twice. It moves the remaining mails at its next visit."""
    with listening(ImapServer(can=can)) as server:
        assert isinstance(server, ImapServer)
        office = settle(club, imap=server)
        sent: list[bytes] = []
        cut, seen = 0, 1
        while cut < seen:  # until all commands of a whole visit have been cut
            cut += 1
            for _ in range(2):
                sent.append(b"Message-ID: <%d@example.net>\r\n\r\nmay I play?\r\n" % len(sent))
                server.arrive(sent[-1])
            server.commands.clear()
            server.cut, server.after = cut, after
            office.look_into_mailbox(NOW)
            server.heal()
            server.commands.clear()
            office.look_into_mailbox(LATER)
            seen = max(seen, len(server.commands))
            assert server.folders["INBOX"] == {}
        assert seen >= 12
        assert sorted(server.folders["Processed"].values()) == sorted(sent)
        stored = [row["sha256"] for row in stored_rows(office.store, "select sha256 from inbox")]
        assert sorted(stored) == sorted(sha256_hex(raw) for raw in sent)
        assert office.status()["troubles"] == []


def test_a_mail_is_moved_only_when_it_is_stored(club: Club) -> None:
    """While the store cannot be written to, the mail stays in its folder."""
    with listening(ImapServer()) as server:
        assert isinstance(server, ImapServer)
        for raw in joining(club):
            server.arrive(raw)
        office = settle(club, imap=server)
        cannot_write(office.store)
        with pytest.raises(StoreAway, match="Try again"):
            office.look_into_mailbox(NOW)
        assert len(server.folders["INBOX"]) == 2
        can_write(office.store)
        office.work(NOW)
        assert server.folders["INBOX"] == {}


def test_the_time_of_arrival_is_the_servers(club: Club) -> None:
    with listening(ImapServer()) as server:
        assert isinstance(server, ImapServer)
        for raw in joining(club):
            server.arrive(raw)
        office = settle(club, imap=server)
        office.work(NOW)
        rows = stored_rows(office.store, "select at from inbox order by id")
        assert [row["at"] for row in rows] == ["2030-01-01T00:01:00Z", "2030-01-01T00:02:00Z"]


@pytest.mark.variants
@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"LOGIN": f"NO wrong: {PASSWORD}"}, f"refuses the login of {USER}: wrong: …"),
        ({"CREATE": "NO not there"}, 'Some servers want processed = "INBOX.Processed"'),
        ({"UID MOVE": "NO over quota"}, "does not serve us: over quota"),
        ({"UID SEARCH": "BAD what"}, "does not serve us"),
        ({"": "* BYE too busy"}, "127.0.0.1"),
    ],
    ids=lambda value: "".join(value) if isinstance(value, dict) else "",
)
def test_a_mailbox_that_refuses_is_shown_and_tried_again(club: Club, answers: dict[str, str], said: str) -> None:
    """The login, a folder or a command is refused, or the mailbox is full. The waits grow; `status` shows the mailbox
    until it works."""
    with listening(ImapServer(answers=answers)) as server:
        assert isinstance(server, ImapServer)
        for raw in joining(club):
            server.arrive(raw)
        office = settle(club, imap=server)
        _, troubles = office.work(NOW)
        assert said in troubles[0]
        assert PASSWORD not in troubles[0]
        assert office.status()["troubles"][0] == {
            "way": "imap",
            "since": NOW,
            "why": troubles[0].removeprefix("imap: "),
        }
        server.heal()
        office.work(LATER)
        assert office.status()["troubles"] == []
        assert server.folders["INBOX"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("before", [0, 3 * PIECE])
def test_a_large_mail_is_fetched_in_pieces_and_read(tmp_path: Path, before: int) -> None:
    """Each piece has the whole time limit. Of a mail over 12 MB the host reads the beginning; if that has no order, the
    answer says so and the deadline is held."""
    with a_club(tmp_path) as club, listening(ImapServer()) as server:
        club.begin()
        assert isinstance(server, ImapServer)
        server.arrive(large(club.order("ann"), 2 * PIECE, before))
        office = settle(club, imap=server)
        outcomes, troubles = office.work(NOW)
        assert (outcomes, troubles) == (["order: ann"], [])
        fetched = [command for command in server.commands if "FETCH" in command]
        assert [command.partition("<")[2].partition(".")[0] for command in fetched] == [
            str(at) for at in range(0, 2 * PIECE + before + 1, PIECE)
        ]
        assert server.folders["INBOX"] == {}


@pytest.mark.slow
def test_a_mail_that_is_too_large_is_fetched_in_part_and_done_with(tmp_path: Path) -> None:
    with a_club(tmp_path) as club, listening(ImapServer()) as server:
        club.begin()
        assert isinstance(server, ImapServer)
        server.arrive(large(club.order("ann"), MAX_MAIL))
        office = settle(club, imap=server)
        assert office.work(NOW) == (["order: ann"], [])
        assert server.folders["INBOX"] == {}


class BreaksOff(ImapServer):
    """Takes leave in the midst of a mail, always at the same place."""

    def _fetch(self, line: Line, number: int) -> None:
        if self.wanted.start == 2 * PIECE:
            raise _Cut
        super()._fetch(line, number)


@pytest.mark.slow
def test_the_beginning_of_a_mail_that_the_server_breaks_off_is_read(tmp_path: Path) -> None:
    """The server breaks off four times at the same byte."""
    with a_club(tmp_path) as club, listening(BreaksOff()) as server:
        club.begin()
        assert isinstance(server, BreaksOff)
        server.arrive(large(club.order("ann"), 4 * PIECE))
        server.arrive(club.order("bob"))
        office = settle(club, imap=server)
        assert office.work(NOW) == (["order: ann", "order: bob"], [])


# -- both ---------------------------------------------------------------------------------------------------------------

BOTH: list[tuple[Callable[..., Server], str]] = [(SmtpServer, "smtp"), (ImapServer, "imap")]


@pytest.mark.parametrize(("make", "way"), BOTH, ids=["smtp", "imap"])
def test_a_server_that_greets_and_hangs(club: Club, make: Callable[..., Server], way: str) -> None:
    """After `timeout` seconds the host treats the server as down."""
    with listening(make(silent=True)) as server:
        office = settle(club, **{way: server}, timeout=0.05)
        office.work(NOW)
        assert "did not answer within 0.05 seconds" in why(office)


@pytest.mark.parametrize(("make", "way"), BOTH, ids=["smtp", "imap"])
def test_a_server_that_drips_has_a_limit_for_the_whole(club: Club, make: Callable[..., Server], way: str) -> None:
    """Each byte comes in time, but no answer ever does. After `longest` seconds for a mail, a letter or a login, the
    host treats the server as down."""
    with listening(make(drips=1000)) as server:
        office = settle(club, **{way: server}, longest=0.3)
        office.work(NOW)
        assert "took longer than 0.3 seconds in all" in why(office)
        server.heal()
        office = settle(club, **{way: server})
        office.work(LATER)
        assert office.status()["troubles"] == []


@pytest.mark.parametrize(("make", "way"), BOTH, ids=["smtp", "imap"])
def test_a_server_that_drips_its_greeting_has_the_same_limit(club: Club, make: Callable[..., Server], way: str) -> None:
    """Before a command has been given, and before TLS has begun."""
    for tls, at in (("none", NOW), ("tls", LATER)):
        with socket.create_server(("127.0.0.1", 0)) as door:

            def drip(door: socket.socket = door) -> None:
                with suppress(OSError):
                    line, _ = door.accept()
                    with line:
                        for _ in range(1000):
                            line.sendall(b".")
                            threading.Event().wait(0.01)

            dripping = threading.Thread(target=drip, daemon=True)
            dripping.start()
            office = settle(club, **{way: make(port=door.getsockname()[1])}, longest=0.3, tls=tls)
            office.work(at)
            dripping.join(30)
            assert not dripping.is_alive(), "the line was cut"
            if tls == "none":
                assert "took longer than 0.3 seconds in all" in why(office)


@pytest.mark.parametrize(("make", "way"), BOTH, ids=["smtp", "imap"])
def test_a_server_that_says_nonsense(club: Club, make: Callable[..., Server], way: str) -> None:
    """The host treats the server as down and shows its words without anything that could harm a terminal."""
    with listening(make(answers={"": "hello\0\x1b[31m, who is there?"})) as server:
        office = settle(club, **{way: server})
        office.work(NOW)
        assert "127.0.0.1" in why(office)
        assert why(office).isprintable()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of our own making, for 127.0.0.1."""
    folder = tmp_path_factory.mktemp("certificate")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "30", "-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl, which makes a certificate, is not installed")
    return folder


@pytest.mark.parametrize(("make", "way"), BOTH, ids=["smtp", "imap"])
def test_an_untrusted_certificate(club: Club, certificate: Path, make: Callable[..., Server], way: str) -> None:
    """The host sends no password; the error says how to trust the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    with listening(make(tls=context)) as server:
        office = settle(club, **{way: server}, tls="tls")
        office.work(NOW)
        assert "is not trusted" in why(office)
        assert "ca_file" in why(office)
        assert server.commands == []  # no password went there
        office = settle(club, **{way: server}, tls="tls", ca_file=str(certificate / "cert.pem"))
        office.work(LATER)
        assert office.status()["troubles"] == []


@pytest.mark.parametrize(("make", "way"), BOTH, ids=["smtp", "imap"])
def test_tls_where_the_server_speaks_none(club: Club, make: Callable[..., Server], way: str) -> None:
    """The error says which setting to write instead."""
    with listening(make()) as server:
        office = settle(club, **{way: server}, tls="tls")
        office.work(NOW)
        assert 'tls = "starttls"' in why(office)


def test_a_missing_password_is_named(club: Club) -> None:
    """All letters wait; `pbem host check` names the missing password file."""
    with listening(SmtpServer()) as server:
        office = settle(club, server)
        (club.folder / "host" / "password").unlink()
        office.send(NOW)
        assert "password cannot be read: No such file" in why(office)
        (said,) = (sentence for well, sentence in check_host(office, NOW) if not well)
        assert "password cannot be read" in said


def test_check_tries_everything_and_changes_nothing(club: Club) -> None:
    with listening(SmtpServer()) as smtp, listening(ImapServer()) as imap:
        assert isinstance(smtp, SmtpServer)
        assert isinstance(imap, ImapServer)
        imap.arrive(b"hello")
        office = settle(club, smtp, imap)
        found = list(check_host(office, NOW))
        assert all(well for well, _ in found), found
        assert [sentence for _, sentence in found][-2:] == [
            f"127.0.0.1:{imap.port} has 1 mails for {USER} in INBOX, and reports new mail (IDLE).",
            f"127.0.0.1:{smtp.port} takes letters without TLS, logged in as {USER}.",
        ]
        assert smtp.letters == []
        assert list(imap.folders["INBOX"].values()) == [b"hello"]
        (club.folder / "host" / "password").chmod(0o644)
        assert any(not well and "chmod 600" in sentence for well, sentence in check_host(office, NOW))


def test_what_is_sent_is_what_was_laid(club: Club) -> None:
    with listening(SmtpServer()) as server:
        assert isinstance(server, SmtpServer)
        office = settle(club, server)
        rows = letters(office)
        office.send(NOW)
        assert [(to, raw) for _, to, raw in server.letters] == [(row["address"], row["raw"]) for row in rows]
        assert all(read_message(raw).problem == "" for _, _, raw in server.letters)
