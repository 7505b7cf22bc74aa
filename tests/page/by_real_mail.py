"""Two at the page and a host, with real mail between them: `python -m tests.page.by_real_mail MODULES [SEED]`.

The host is `pbem host run` at a mailbox of Dovecot's; it sends through Postfix. The English sit at a desktop over `pbem web` and
send a letter as the file that the page saved, the Scots have a telephone and send what a mailto link holds, both by SMTP with TLS
and their login, as their mail programs would. What comes to their mailboxes is fetched by IMAP and dropped on the page as it is.
They take their seats and play some turns of Hammer by clicks and taps; then the English resign, and the log is audited.

Servers are started by root; Chromium and playwright-core (MODULES is a folder with it) come from outside: `.ci/run` runs it.
"""

from __future__ import annotations

import imaplib
import smtplib
import ssl
import sys
import time
from collections import Counter
from pathlib import Path

from pbem.host import Office
from tests.servers.games import a_host, begin, running
from tests.servers.real import HOST, PASSWORD, Servers, missing
from tests.servers.real import running as mail_servers
from tests.stored import stored_rows

from .by_page import House, Places, Table, driven, posted

ORDERS = 14
DESKTOP, PHONE = SEATS = ("english", "scottish")
LOOKS = 3000
"""So often one looks whether the host has decided, before it is said that he does nothing."""


class MailedHouse(House):
    """A host behind real servers, and the mailboxes of the players, who have nothing else of him."""

    def __init__(self, folder: Path, servers: Servers) -> None:
        self.folder, self.servers, self.seats, self.number, self.sent = folder, servers, SEATS, 1, 0
        self.home = a_host(folder, servers, "imap smtp")
        begin(self.home, "hammer", {seat: seat for seat in SEATS})
        self.office = Office(self.home)
        """Is read here, and never set to work: that does `pbem host run`."""
        self._tls = ssl.create_default_context(cafile=servers.certificate)

    def mail_of(self, seat: str) -> str:
        return f"{seat}@players.test"

    def posts(self, seat: str, raw: bytes) -> None:
        """Let somebody's mail program send a mail."""
        with smtplib.SMTP("localhost", self.servers.submission) as out:
            out.starttls(context=self._tls)
            out.login(seat, PASSWORD)
            assert not out.sendmail(self.mail_of(seat), [HOST], raw)
        self.sent += 1

    def rests(self) -> None:
        """Wait until the host has decided all that was sent, and all that he writes is in its mailboxes."""
        for _ in range(LOOKS):
            told = self.office.status()
            if (told["mails_in"], told["mails_undecided"], told["mails_unsent"]) == (self.sent, 0, 0):
                self.servers.deliver()
                return
            time.sleep(0.05)
        raise AssertionError(f"{self.sent} mails were sent: {told}\n{self.servers.log()[-3000:]}")

    def deliver(self) -> dict[str, list[Path]]:
        """Fetch what is new in the players' mailboxes; return it as files, by seat, as it came."""
        self.rests()
        return {seat: files for seat in SEATS if (files := self._fetched(seat))}

    def _fetched(self, seat: str) -> list[Path]:
        with imaplib.IMAP4_SSL("localhost", self.servers.imaps, ssl_context=self._tls) as box:
            box.login(seat, PASSWORD)
            box.select("INBOX")
            files = []
            for number in box.search(None, "UNSEEN")[1][0].split():
                first = box.fetch(number.decode(), "(RFC822)")[1][0]
                assert isinstance(first, tuple), first
                files.append(self.folder / f"{seat}-{int(number):04}.eml")
                files[-1].write_bytes(first[1])
        return files

    def outcomes(self) -> Counter[str]:
        """What the host decided of the mails, without whose they were."""
        return Counter(
            row["outcome"].partition(":")[0] for row in stored_rows(self.office.store, "select outcome from inbox")
        )


class ByMail(Table):
    """The two, and the mail between them and the host."""

    house: MailedHouse

    def send(self, who: str, letter: dict[str, str]) -> None:
        """Let a letter go by a mail program."""
        self.seen["mailto" if "mailto" in letter else "file"] += 1
        self.house.posts(who, posted(letter, self.house.mail_of(who)))

    def play(self) -> None:
        """Play some turns; then the English resign, and both have the end."""
        while self.seen["order"] < ORDERS:
            assert self.house.asked()
            self.turn()
        self.send(DESKTOP, self.tell(DESKTOP, "says", what="Resign"))
        self.bring()
        for seat in SEATS:
            assert self.tell(seat, "ends").startswith("You "), seat
        assert self.house.verdict() == "clean", self.house.verdict()
        assert self.seen["mailto"] > 2 < self.seen["file"], self.seen
        decided = self.house.outcomes()
        assert decided["order"] == self.seen["order"], decided
        assert not {"refused", "error"} & set(decided), decided


def by_real_mail(there: Places) -> str:
    """Let them play; return what they did."""
    with mail_servers(there.folder / "servers", "host", *SEATS) as servers:
        house = MailedHouse(there.folder, servers)
        table = ByMail(house, dict.fromkeys(SEATS, there.browsers))
        there.browsers.tell(DESKTOP, "comes", address=there.desk)
        there.browsers.tell(PHONE, "comes", address=there.page, phone=True)
        with running(house.home):
            table.sit_down()
            table.play()
        house.office.close()
    return f"by the page and real mail servers: {dict(table.seen)}"


if __name__ == "__main__":
    if why := missing():
        print(f"skipped: {why}. What it would have told: whether people at the page can play by real mail.")
    else:
        sys.exit(driven(sys.argv[1:], 2, __doc__, by_real_mail))
