"""What mail programs are asked to do: the ways of answering a report, what lies there for one answer, the list of programs."""

from __future__ import annotations

import email.message
import email.policy
import html
import os
import pty
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes
from functools import cached_property
from pathlib import Path

from .real import Servers

WAYS = {
    "plain": "an answer that holds the order and its block, and nothing else",
    "above": "the same above the quoted report",
    "below": "the same below the quoted report",
    "HTML": "the same as a page, with the plain text beside it where the program makes both",
    "eml attached": "`out/….eml`, as `pbem order` wrote it, as a file that is attached",
    "txt attached": "the order and its block in a text file that is attached",
    "forwarded": "`out/….eml`, opened as a mail and forwarded as an attachment (`message/rfc822`)",
    "flowed": "`format=flowed`",
    "qp": "letters beyond ASCII, quoted-printable",
    "8bit": "the same as they are",
    "base64": "the same in base64",
    "as it is": "`out/….eml` is sent as it is",
}
"""Ways of answering, and what they mean."""
ENCODINGS = {"qp": "quoted-printable", "8bit": "8bit", "base64": "base64"}
SAID = "A word of my own."
LIMIT = 30
"""Seconds for one program."""


@dataclass
class Case:
    """One answer to be sent: in which way, in which folder, through which servers, from whom; the letter, and what it answers."""

    way: str
    folder: Path
    servers: Servers
    sender: str
    letter: bytes
    report: bytes

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.file("order.eml", self.letter.replace(b"\r\n", b"\n"))
        self.file("orders.txt", self.body)
        self.file("report.eml", self.report.replace(b"\r\n", b"\n"))

    def file(self, name: str, data: str | bytes, mode: int = 0o600) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        path.chmod(mode)
        return path

    def run(self, *command: str | Path, stdin: str | bytes = b"", **env: str) -> bytes:
        """Run a program in the folder; it has to end well."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [str(word) for word in command], input=data, capture_output=True, check=True, timeout=LIMIT,
            cwd=self.folder, env=self.env | env,
        )  # fmt: skip
        return done.stdout

    def at_a_terminal(self, *command: str | Path, **env: str) -> None:
        """Run a program that wants a terminal; what it draws is thrown away."""
        ours, theirs = pty.openpty()
        try:
            program = subprocess.Popen(
                [str(word) for word in command], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder,
                env=self.env | env, start_new_session=True,
            )  # fmt: skip
            os.close(theirs)
            drawn: list[bytes] = []
            reader = threading.Thread(target=_swallow, args=(ours, drawn), daemon=True)
            reader.start()
            try:
                code = program.wait(LIMIT)
            except subprocess.TimeoutExpired as error:
                program.kill()
                program.wait()
                raise subprocess.TimeoutExpired(error.cmd, LIMIT, stderr=b"".join(drawn)[-600:]) from None
            if code:
                raise subprocess.CalledProcessError(code, command[0], stderr=b"".join(drawn))
        finally:
            os.close(ours)

    @cached_property
    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder), "PATH": os.environ["PATH"], "TERM": "vt100", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
            "EMAIL": self.sender, "REPLYTO": self.sender, "USER": "root", "LOGNAME": "root", "COLUMNS": "80", "LINES": "24",
        }  # fmt: skip

    @cached_property
    def message(self) -> email.message.EmailMessage:
        return _parsed(self.letter)

    @property
    def host(self) -> str:
        return str(self.message["To"])

    @cached_property
    def body(self) -> str:
        """The order and its block, as they are typed; with letters beyond ASCII where the way asks for them."""
        text = str(self.message.get_content()).replace("\r\n", "\n")
        return (
            text.replace("END\n", "END\n\nÀ bientôt, disait-il – à dix heures.\n", 1) if self.way in ENCODINGS else text
        )

    @cached_property
    def asked(self) -> email.message.EmailMessage:
        return _parsed(self.report)

    @property
    def subject(self) -> str:
        return f"Re: {self.asked['Subject']}"

    @cached_property
    def quotation(self) -> str:
        """The report as most programs quote it."""
        part = self.asked.get_body(("plain",))
        assert part is not None
        quoted = "\n".join(f"> {line}" for line in part.get_content().rstrip().splitlines())
        return f"On Tue, Jan 1, 2030 at 11:03 AM pbem <host@club.test> wrote:\n{quoted}\n"

    @property
    def text(self) -> str:
        """What stands in the mail, for programs that do not quote by themselves."""
        match self.way:
            case "above":
                return f"{self.body}\n{self.quotation}"
            case "below":
                return f"{self.quotation}\n{self.body}"
            case "eml attached" | "txt attached" | "forwarded":
                return f"{SAID}\n"
        return self.body

    @property
    def page(self) -> str:
        """What stands in the mail as HTML: a line each in a `div`, as an editor writes it."""
        lines = "".join(f"<div>{html.escape(line) or '<br>'}</div>\n" for line in self.body.split("\n"))
        return f"<html><body>\n{lines}</body></html>\n"

    @property
    def attached(self) -> Path | None:
        """The file to be attached."""
        name = {"eml attached": "order.eml", "forwarded": "order.eml", "txt attached": "orders.txt"}.get(self.way)
        return self.folder / name if name else None

    @property
    def sendmail(self) -> Path:
        """A program as every system has one."""
        return self.file(
            "sendmail", f'#!/bin/sh\nexec /usr/sbin/sendmail -C {self.servers.postfix} -f {self.sender} "$@"\n', 0o755
        )

    @property
    def editor(self) -> Path:
        """An editor that writes as the way says: it lays the order above or below what is quoted, or throws that away."""
        return self.file("editor", f"#!{sys.executable}\n{EDITOR}", 0o755)

    @property
    def maildir(self) -> Path:
        """A folder with the report, or with the letter where it is to be forwarded."""
        for part in ("tmp", "new", "cur"):
            (self.folder / "box" / part).mkdir(parents=True, exist_ok=True)
        name = "order.eml" if self.way == "forwarded" else "report.eml"
        shutil.copy(self.folder / name, self.folder / "box" / "cur" / "1.1.here:2,S")
        return self.folder / "box"

    @property
    def mbox(self) -> Path:
        """The same as one file."""
        name = "order.eml" if self.way == "forwarded" else "report.eml"
        text = (self.folder / name).read_bytes()
        return self.file(
            "box.mbox", b"From host Tue Jan  1 11:03:00 2030\n" + re.sub(rb"(?m)^From ", b">From ", text) + b"\n"
        )

    def draft(self, *headers: str) -> Path:
        """A mail with its head, as programs take it that send what is written."""
        head = (
            f"From: {self.sender}",
            f"To: {self.host}",
            f"Subject: {self.subject}",
            f"In-Reply-To: {self.asked['Message-ID']}",
            *headers,
        )
        return self.file("draft", "\n".join(head) + f"\n\n{self.text}")


EDITOR = r"""
import os, sys
from pathlib import Path
path, way = Path(sys.argv[-1]), os.environ["WAY"]
text, mine = path.read_text("utf-8"), Path(os.environ["MINE"]).read_text("utf-8")
head = ""
if os.environ.get("HEAD"):
    head, _, text = text.partition(os.environ["HEAD"])
    head += os.environ["HEAD"]
text = {"above": mine + "\n" + text, "below": text + "\n" + mine}.get(way, mine)
path.write_text(head + text, "utf-8")
"""


def _parsed(raw: bytes) -> email.message.EmailMessage:
    return message_from_bytes(raw, policy=email.policy.default)


def wrapped(text: str) -> str:
    """Wrapped as RFC 3676 has it: a blank at the end of a line that goes on."""
    return "\n".join(re.sub(r"(.{40,66}) (?=\S)", "\\1 \n", line.rstrip()) for line in text.split("\n"))


def is_so(way: str, raw: bytes) -> bool:
    """Did a mail arrive in the way in which it was to be answered?"""
    whole = list(_parsed(raw).walk())
    parts = [part for part in whole if not part.is_multipart()]
    match way:
        case "above" | "below":
            return any("\n> " in str(part.get_content()) for part in parts if part.get_content_type() == "text/plain")
        case "HTML":
            return any(part.get_content_type() == "text/html" for part in parts)
        case "eml attached":
            return any(part.get_filename() == "order.eml" for part in whole)
        case "txt attached":
            return any(part.get_filename() == "orders.txt" for part in parts)
        case "forwarded":
            return any(part.get_content_type() == "message/rfc822" for part in whole)
        case "flowed":
            return any(part.get_param("format") == "flowed" for part in parts)
        case "qp" | "8bit" | "base64":
            return any(str(part["Content-Transfer-Encoding"]).lower() == ENCODINGS[way] for part in parts)
    return len(parts) == 1


def _swallow(terminal: int, drawn: list[bytes]) -> None:
    try:
        while data := os.read(terminal, 4096):
            drawn.append(data)
    except OSError:
        return


def _is_here(name: str) -> bool:
    if "::" in name:  # a module of Perl, which packages only recommend
        return subprocess.run(["perl", f"-M{name}", "-e", "1"], capture_output=True, check=False).returncode == 0
    return shutil.which(name) is not None or Path(name).exists()


@dataclass(frozen=True)
class Program:
    """A mail program: its name, what it needs (commands, files, modules of Perl), its package, and how it answers (False: it has
    no such way)."""

    name: str
    needs: tuple[str, ...]
    package: str
    answer: Callable[[Case], bool]

    @property
    def user(self) -> str:
        return re.sub("[^a-z0-9]", "", self.name.lower())

    def missing(self) -> str:
        """What it needs and is not here, or ""."""
        return ", ".join(name for name in self.needs if not _is_here(name))

    def version(self) -> str:
        """Its version, as the system's packages have it."""
        if not self.package:
            return ".".join(map(str, sys.version_info[:2]))
        done = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", self.package], capture_output=True, text=True, check=False
        )
        return re.sub(r"^\d+:|[-+~].*$", "", done.stdout)


PROGRAMS: dict[str, Program] = {}


def program(name: str, *needs: str, package: str = "") -> Callable[[Callable[[Case], bool]], Callable[[Case], bool]]:
    """Enter a program into the list."""

    def enter(answer: Callable[[Case], bool]) -> Callable[[Case], bool]:
        PROGRAMS[name] = Program(name, needs, package, answer)
        return answer

    return enter
