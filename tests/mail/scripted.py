"""Small mail servers on loopback for the tests of faults: they speak SMTP and IMAP, keep mail in memory, and fail as told.

`cut` closes the connection at the n-th command from the start of the server: before it is carried out, or after, with the
answer lost. `answers` holds what is said to a command instead of carrying it out. A server that is `silent` greets and then
says nothing; one that `drips` says so many bytes one by one, each in time, before it goes. They know no more of the protocols
than pbem uses; the real servers have their tests elsewhere.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.parser import BytesHeaderParser

USER, PASSWORD = "club", "opensesame"


class _Cut(Exception):
    """The line is cut."""


@dataclass
class Server:
    """What both have in common."""

    cut: int = 0
    after: bool = False
    silent: bool = False
    drips: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    tls: ssl.SSLContext | None = None
    commands: list[str] = field(default_factory=list)
    port: int = 0
    lines: list[socket.socket] = field(default_factory=list)

    def greet(self) -> str:
        raise NotImplementedError

    def serve(self, line: Line, command: str) -> bool:
        """Carry one command out; is the line to be kept?"""
        raise NotImplementedError

    def heal(self) -> None:
        """Fail no more."""
        self.cut, self.silent, self.drips, self.answers = 0, False, 0, {}

    def talk(self, raw: socket.socket) -> None:
        sock, line = raw, None
        with suppress(OSError, _Cut):
            sock = self.tls.wrap_socket(raw, server_side=True) if self.tls else raw
            self.lines.append(sock)
            line = Line(sock, self)
            line.say(self.greet())
            while command := line.hear():
                if self.silent:
                    sock.recv(1)  # until the other side gives up
                    break
                if self.drips:
                    for _ in range(self.drips):
                        sock.sendall(b".")
                        threading.Event().wait(0.01)
                    break
                self.count(command, before=True)
                keep = self.serve(line, command)
                self.count(command, before=False)
                line.flush()
                if not keep:
                    break
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        if line is not None:
            line.file.close()
        sock.close()

    def count(self, command: str, *, before: bool) -> None:
        """Note a command, and cut the line when its turn has come."""
        if before:
            self.commands.append(command)
        if len(self.commands) == self.cut and before is not self.after:
            raise _Cut


class Line:
    """One connection, line by line. What is said goes out when a command has been carried out."""

    def __init__(self, sock: socket.socket, server: Server) -> None:
        self.sock, self.server = sock, server
        self.file = sock.makefile("rb")
        self._said: list[bytes] = []
        self.told = -1
        self.begun = 0
        """So many letters were begun by it."""

    def hear(self) -> str:
        self.flush()
        return self.file.readline().decode("utf-8", "replace").rstrip("\r\n")

    def say(self, text: str) -> None:
        self._said.append(f"{text}\r\n".encode())

    def say_bytes(self, data: bytes) -> None:
        self._said.append(data)

    def flush(self) -> None:
        self.sock.sendall(b"".join(self._said))
        self._said = []


@contextmanager
def listening(server: Server) -> Iterator[Server]:
    """Let a server listen at a port of its own until the end of the context."""
    door = socket.create_server(("127.0.0.1", 0))
    server.port = door.getsockname()[1]
    talks: list[threading.Thread] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                sock, _ = door.accept()
                talks.append(threading.Thread(target=server.talk, args=(sock,), daemon=True))
                talks[-1].start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        door.shutdown(socket.SHUT_RDWR)
        door.close()
        thread.join()
        for sock in server.lines:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for talk in talks:
            talk.join(10)


@dataclass
class SmtpServer(Server):
    """Takes letters: sender, receiver, bytes."""

    letters: list[tuple[str, str, bytes]] = field(default_factory=list)
    envelope: list[str] = field(default_factory=list)
    most: int = 0
    """So many letters it takes by one connection; 0: any number."""

    @property
    def ids(self) -> list[str]:
        """The Message-IDs of what it took."""
        return [str(BytesHeaderParser().parsebytes(raw)["Message-ID"]).strip("<>") for _, _, raw in self.letters]

    def greet(self) -> str:
        return self.answers.get("", "220 here")

    def serve(self, line: Line, command: str) -> bool:
        verb, _, rest = command.partition(" ")
        verb = verb.upper()
        if verb in self.answers:
            line.say(self.answers[verb])
            return not self.answers[verb].startswith("421")
        match verb:
            case "EHLO":
                line.say("250-here\r\n250 AUTH PLAIN")
            case "MAIL":
                line.begun += 1
                if self.most and line.begun > self.most:
                    line.say("421 4.7.0 too many messages in this connection")
                    return False
                self.envelope = [rest[6:-1]]
                line.say("250 yes")
            case "RCPT":
                self.envelope.append(rest[4:-1])
                line.say("250 yes")
            case "DATA":
                line.say("354 go on")
                line.flush()
                raw = b"".join(iter(lambda: line.file.readline() or _no_more(), b".\r\n"))
                self.count("the letter", before=True)
                if "." in self.answers:
                    line.say(self.answers["."])
                    return True
                self.letters.append((self.envelope[0], self.envelope[1], re.sub(rb"(?m)^\.", b"", raw)))
                self.count("the letter", before=False)
                line.say("250 taken")
            case "AUTH" | "NOOP" | "RSET":
                line.say("235 yes" if verb == "AUTH" else "250 yes")
            case "QUIT":
                line.say("221 farewell")
                return False
            case _:
                line.say("500 what?")
        return True


def _no_more() -> bytes:
    raise _Cut


def _range(wanted: str) -> tuple[int, int | None]:
    """Which bytes of a mail are asked for: from where, and up to where."""
    found = re.search(r"<(\d+)\.(\d+)>", wanted)
    return (int(found[1]), int(found[1]) + int(found[2])) if found else (0, None)


@dataclass
class ImapServer(Server):
    """One mailbox with folders of mails."""

    folders: dict[str, dict[int, bytes]] = field(default_factory=lambda: {"INBOX": {}})
    can: str = "IDLE MOVE"
    last: int = 0
    validity: int = 1
    deleted: int = 0
    tokens: list[bytes] = field(default_factory=list)
    """What was said to log in without LOGIN."""
    idling: list[Line] = field(default_factory=list)
    dates: dict[int, str] = field(default_factory=dict)
    wanted: slice = field(default_factory=lambda: slice(0, None))
    """Which bytes of a mail the last FETCH asks for."""

    def arrive(self, raw: bytes, at: str = "") -> None:
        """A mail comes, at that moment (RFC 3339, UTC); who waits is told."""
        self.last += 1
        if at:
            self.dates[self.last] = datetime.fromisoformat(at).strftime("%d-%b-%Y %H:%M:%S +0000")
        self.folders["INBOX"][self.last] = raw
        for line in list(self.idling):
            self.tell(line)
            line.flush()

    def tell(self, line: Line) -> None:
        """Tell of mail that came since it was told last."""
        if line.told != self.last:
            line.told = self.last
            line.say(f"* {len(self.folders['INBOX'])} EXISTS")

    def greet(self) -> str:
        return self.answers.get("", "* OK here")

    def serve(self, line: Line, command: str) -> bool:
        tag, _, rest = command.partition(" ")
        words = rest.split()
        if not words:
            return False
        verb = " ".join(words[:2] if words[0] == "UID" else words[:1]).upper()
        if verb in self.answers:
            line.say(f"{tag} {self.answers[verb]}")
            return True
        match verb:
            case "CAPABILITY":
                line.say(f"* CAPABILITY IMAP4rev1 {self.can}")
            case "LIST":
                for name in self.folders:
                    if words[2].strip('"') == name:
                        line.say(f'* LIST () "/" "{name}"')
            case "CREATE":
                self.folders[words[1].strip('"')] = {}
            case "AUTHENTICATE":
                line.say("+")
                self.tokens.append(b64decode(line.hear()))
            case "SELECT" | "EXAMINE":
                line.say(f"* OK [UIDVALIDITY {self.validity}] as ever")
                self.tell(line)
            case "NOOP":
                self.tell(line)
            case "UID SEARCH":
                above = int(words[3].partition(":")[0]) if words[2:3] == ["UID"] else 0
                line.say("* SEARCH " + " ".join(str(n) for n in self.folders["INBOX"] if n >= above))
            case "UID FETCH" if ":" in words[2]:
                self._fetch_heads(line, *map(int, words[2].split(":")))
            case "UID FETCH":
                self.wanted = slice(*_range(words[-1]))
                self._fetch(line, int(words[2]))
            case "UID MOVE" | "UID COPY":
                number, name = int(words[2]), words[3].strip('"')
                self.folders[name][number] = self.folders["INBOX"][number]
                if verb == "UID MOVE":
                    del self.folders["INBOX"][number]
            case "UID STORE":
                self.deleted = int(words[2])
            case "EXPUNGE":
                del self.folders["INBOX"][self.deleted]
            case "IDLE":
                line.say("+ waiting")
                self.idling.append(line)
                try:
                    self.tell(line)
                    line.hear()
                finally:
                    self.idling.remove(line)
                self.count("DONE", before=True)
            case "LOGOUT":
                line.say("* BYE")
        line.say(f"{tag} OK done")
        return verb != "LOGOUT"

    def _fetch(self, line: Line, number: int) -> None:
        raw = self.folders["INBOX"].get(number)
        if raw is not None:
            date = self.dates.get(number, f"01-Jan-2030 01:{number:02}:00 +0100")
            piece = raw[self.wanted]
            line.say(f'* 1 FETCH (UID {number} INTERNALDATE "{date}" BODY[]<{self.wanted.start}> {{{len(piece)}}}')
            line.say_bytes(piece)
            line.say(")")

    def _fetch_heads(self, line: Line, first: int, last: int) -> None:
        for number, raw in self.folders["INBOX"].items():
            if first <= number <= last:
                head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0] + b"\n\n"
                line.say(f"* 1 FETCH (UID {number} BODY[HEADER.FIELDS (FROM SUBJECT X-PBEM-SEAT)] {{{len(head)}}}")
                line.say_bytes(head)
                line.say(")")
