"""What several tests need of club by mail: Host."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.host import Office
from pbem.host.settings import ClubByMail
from pbem.mail import Maildir, read_message
from tests.stored import all_rows, stored_row

from .post import HOST, key_of, moment


class Host:
    """A host with a club and no game, and people who write to it from anywhere."""

    def __init__(self, folder: Path, **rules: object) -> None:
        self.office = Office.create(folder / "host", key_of("host"), HOST)
        club = ClubByMail.model_validate({"games": ["tiny"], **rules})
        self.office.robot.open_club(club)
        self.office.condition.club = club
        self.folder, self.minute, self.no = folder, 0, 0

    @property
    def store(self):  # type: ignore[no-untyped-def]
        return self.office.store

    def write(self, who: str, text: str, *headers: str) -> str:
        """Let somebody write a line; return what the host decided."""
        self.no += 1
        self.minute += 61  # who writes so seldom meets no cap of an hour
        address = who if "@" in who else f"{who}@example.org"
        head = [f"From: {address}", f"To: {HOST}", "Subject: hello", f"Message-ID: <{self.no}@x>", *headers]
        raw = "\r\n".join(["Content-Type: text/plain; charset=utf-8", *head, "", text, ""]).encode()
        return self.office.robot.take(raw, moment(self.minute))

    def box(self, who: str) -> list[bytes]:
        """What has come for somebody."""
        self.office.send(moment(self.minute))
        box, found = Maildir(self.office.folder / "mail" / who), []
        for path, raw, _at in sorted(box.new(), key=lambda one: self._no(one[1])):
            found.append(raw)
            box.done(path)
        return found

    def _no(self, raw: bytes) -> int:
        row = stored_row(self.store, "select id from outbox where message_id = ?", read_message(raw).message_id)
        return int(row["id"]) if row else 0

    def texts(self, who: str) -> list[str]:
        return [" ".join(read_message(raw).text.split()).replace("“", '"').replace("”", '"') for raw in self.box(who)]

    def keeps(self, address: str) -> bool:
        """Does an address stand anywhere in the store?"""
        values = (value for _table, row in all_rows(self.store) for value in row)
        return any(address in value for value in values if isinstance(value, str))

    def member(self, who: str, said: str = "") -> None:
        """Let somebody become a member."""
        assert (
            self.write(who, f"REGISTER {who.capitalize()} {said}".strip())
            == "asked: whether a stranger wants to be a member"
        )
        (letter,) = self.texts(who)
        code = re.search("CONFIRM [0-9a-f]{32}", letter)
        assert code
        assert self.write(who, code[0]) == "member: confirmed"
        (welcome,) = self.texts(who)
        assert f"{who.capitalize()}." in welcome.split("GAMES")[0]
