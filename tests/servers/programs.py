"""Mail programs that can be driven without a screen: how each answers a report in each way, and sends it to the servers."""

from __future__ import annotations

import email.message
import email.policy
import html
import os
import pty
import re
import shutil
import smtplib
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes
from functools import cached_property
from pathlib import Path

from .real import PASSWORD, Servers

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


@dataclass(frozen=True)
class Program:
    """A mail program: its name, what it needs, its package, and how it answers (False: it has no such way)."""

    name: str
    needs: tuple[str, ...]
    package: str
    answer: Callable[[Case], bool]

    @property
    def user(self) -> str:
        return re.sub("[^a-z0-9]", "", self.name.lower())

    def missing(self) -> str:
        """What it needs and is not here, or ""."""
        return ", ".join(name for name in self.needs if shutil.which(name) is None and not Path(name).exists())

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


# -- programs that read mail and answer it ---------------------------------------------------------------------------------


def _muttlike(case: Case, name: str) -> bool:
    mine = case.file("mine", case.body if case.attached is None else f"{SAID}\n")
    settings = [
        "set autoedit fast_reply include=yes quit=yes copy=no record='' abort_nosubject=no abort_unmodified=no confirmappend=no",
        f"set editor='{case.editor}' sendmail='{case.sendmail} -oi' use_from from={case.sender} realname='' header_cache=''",
        "set mime_forward=yes sleep_time=0 wait_key=no mail_check=0 charset=utf-8 send_charset=utf-8 reply_to=yes postpone=no",
        f"set folder={case.folder} spoolfile={case.maildir} mbox_type=Maildir move=no sig_dashes=no signature=''",
        f"set {'' if case.way == 'flowed' else 'no'}text_flowed {'allow_8bit' if case.way == '8bit' else 'noallow_8bit'}",
        f"my_hdr X-Way: {case.way}",
    ]
    rc = case.file("rc", "\n".join(settings) + "\n")
    if case.way == "as it is":
        if name == "mutt":
            case.run(name, "-n", "-F", rc, "-H", case.folder / "order.eml")
        return name == "mutt"
    keys = "<reply>"
    if case.way == "forwarded":
        keys = f"<forward-message>{case.host}<enter>"
    elif case.attached:
        keys += f"<attach-file>{case.attached}<enter>"
    elif case.way == "HTML":
        mine.write_text(case.page, "utf-8")
        keys += "<edit-type><kill-line>text/html; charset=utf-8<enter>"
    elif case.way in ENCODINGS:
        keys += f"<edit-encoding><kill-line>{ENCODINGS[case.way]}<enter>"
    case.at_a_terminal(
        name,
        "-n",
        "-F",
        rc,
        "-f",
        case.maildir,
        "-e",
        f'push "{keys}<send-message><quit>"',
        WAY=case.way,
        MINE=str(mine),
    )
    return True


@program("mutt", "mutt", package="mutt")
def _mutt(case: Case) -> bool:
    return _muttlike(case, "mutt")


@program("neomutt", "neomutt", package="neomutt")
def _neomutt(case: Case) -> bool:
    return _muttlike(case, "neomutt")


@program("s-nail", "s-nail", package="s-nail")
def _s_nail(case: Case) -> bool:
    if case.way == "as it is":
        case.run("s-nail", "-:/", "-S", f"mta={case.sendmail}", "-t", stdin=case.letter.replace(b"\r\n", b"\n"))
        return True
    encoding = {"8bit": "8bit", "base64": "base64"}.get(case.way, "quoted-printable")
    settings = [f"set mta={case.sendmail} from={case.sender} ttycharset=utf-8 reply-to-honour nosave nobang fullnames"]
    settings += [f"set mime-encoding={encoding} sendcharsets=utf-8 indentprefix='> ' v15-compat"]
    commands = {"above": "~r {mine}\n~m\n", "below": "~m\n~r {mine}\n"}.get(case.way, "~r {mine}\n")
    mine = case.file("mine", f"{SAID}\n" if case.attached else case.body)
    if case.way in ("HTML", "flowed", "forwarded"):
        return False
    if case.attached:
        commands += f"~@ {case.attached}\n"
    typed = "\n".join(settings) + f"\nreply 1\n{commands.format(mine=mine)}~.\nxit\n"
    case.run("s-nail", "-:/", "-#", "-~", "-R", "-f", case.mbox, stdin=typed)
    return True


@program("mailutils", "/usr/bin/mail.mailutils", package="mailutils")
def _mailutils(case: Case) -> bool:
    """GNU mail; its own way to answer asks for a terminal, so it sends what is written."""
    mail, sender = "/usr/bin/mail.mailutils", ("-E", f"set sendmail=sendmail://{case.sendmail}")
    if case.way == "as it is":
        case.run(mail, *sender, "-t", stdin=case.letter.replace(b"\r\n", b"\n"))
        return True
    head = ("-a", f"From: {case.sender}", "-s", case.subject)
    match case.way:
        case "HTML":
            case.run(mail, *sender, *head, "-a", "Content-Type: text/html; charset=utf-8", case.host, stdin=case.page)
        case "flowed":
            case.run(
                mail,
                *sender,
                *head,
                "-a",
                "Content-Type: text/plain; charset=utf-8; format=flowed",
                case.host,
                stdin=_flowed(case.text),
            )
        case "eml attached" | "txt attached" | "forwarded":
            kind = {"eml attached": "application/octet-stream", "txt attached": "text/plain"}.get(
                case.way, "message/rfc822"
            )
            coding = "8bit" if case.way == "forwarded" else "base64"
            case.run(
                mail,
                *sender,
                *head,
                f"--content-type={kind}",
                f"--encoding={coding}",
                "-A",
                case.attached or "",
                case.host,
                stdin=case.text,
            )
        case "qp" | "base64":
            return False
        case _:
            as_it_is = ("-a", "Content-Transfer-Encoding: 8bit") if case.way == "8bit" else ()
            head = (*head, "-a", "Content-Type: text/plain; charset=utf-8", *as_it_is)
            case.run(mail, *sender, *head, case.host, stdin=case.text)
    return True


@program("bsd-mailx", "/usr/bin/bsd-mailx", package="bsd-mailx")
def _bsd_mailx(case: Case) -> bool:
    if case.way not in ("plain", "above", "below", "8bit"):
        return False
    rc = case.file(".mailrc", f"set sendmail={case.sendmail}\nset indentprefix='> '\n")
    mine = case.file("mine", case.body)
    commands = {"above": f"~r {mine}\n~m 1\n", "below": f"~m 1\n~r {mine}\n"}.get(case.way, f"~r {mine}\n")
    more = (
        ("-a", "Content-Type: text/plain; charset=utf-8", "-a", "Content-Transfer-Encoding: 8bit")
        if case.way == "8bit"
        else ()
    )
    if more:
        case.run("/usr/bin/bsd-mailx", *more, "-s", case.subject, case.host, stdin=case.body, MAILRC=str(rc))
    else:
        case.run("/usr/bin/bsd-mailx", "-I", "-f", case.mbox, stdin=f"reply 1\n{commands}.\n\nxit\n", MAILRC=str(rc))
    return True


@program("nmh", "/usr/bin/mh/repl", package="nmh")
def _nmh(case: Case) -> bool:
    case.file(".mh_profile", f"Path: Mail\nLocal-Mailbox: {case.sender}\n")
    conf = case.file("mts.conf", f"mts: sendmail/pipe\nsendmail: {case.sendmail}\n")
    name = "order.eml" if case.way == "forwarded" else "report.eml"
    case.file("Mail/inbox/1", (case.folder / name).read_bytes())
    env = {
        "MHMTSCONF": str(conf),
        "WAY": case.way,
        "MINE": str(case.file("mine", case.text if case.attached else case.body)),
        "HEAD": "--------\n",
    }
    draft = case.folder / "Mail" / "draft"
    mh = Path("/usr/bin/mh")
    if case.way in ("HTML", "flowed", "qp", "base64", "as it is"):
        return False
    if case.way == "forwarded":
        case.run(
            mh / "forw", "-build", "-noedit", "-mime", "-to", case.host, "-from", case.sender, "+inbox", "1", **env
        )
        case.run(mh / "mhbuild", draft, **env)
    else:
        quote = ("-filter", "mhl.reply") if case.way in ("above", "below") else ()
        case.run(mh / "repl", "-build", "-noedit", *quote, "+inbox", "1", **env)
        (case.folder / "Mail" / "reply").replace(draft)
        case.run(case.editor, draft, **env)
        if case.attached:
            head, _, text = draft.read_text("utf-8").partition("--------\n")
            draft.write_text(f"{head}Attach: {case.attached}\n--------\n{text}", "utf-8")
    if case.way == "8bit":
        case.run(mh / "mhbuild", "-auto", "-maxunencoded", "998", "-headerencoding", "utf-8", draft, **env)
    case.run(mh / "send", "-msgid", draft, **env)
    return True


@program("mblaze", "mcom", package="mblaze")
def _mblaze(case: Case) -> bool:
    case.file(".mblaze/profile", f"Local-Mailbox: {case.sender}\nSendmail: {case.sendmail}\nSendmail-Args: -t -i\n")
    case.file(".mblaze/seq", f"{case.folder}/report.eml\n")
    if case.way in ("HTML", "8bit", "base64"):
        return False
    if case.way in ("flowed", "qp", "as it is"):
        return _by_mmime(case)
    env = {"WAY": case.way, "MINE": str(case.file("mine", case.text if case.attached else case.body)), "HEAD": "\n\n"}
    if case.way == "forwarded":
        case.run("mfwd", "-to", case.host, "--", "./order.eml", stdin="s\n", EDITOR="true", VISUAL="true", **env)
        return True
    head = ("-attach", str(case.attached), "--") if case.attached else ()
    case.run("mrep", *head, "1", stdin="s\n", EDITOR=str(case.editor), VISUAL=str(case.editor), **env)
    return True


def _by_mmime(case: Case) -> bool:
    """Its program that makes MIME of what is written, and chooses the encoding."""
    match case.way:
        case "as it is":
            made = (case.folder / "order.eml").read_bytes()
        case "flowed":
            made = case.run("mmime", "-r", stdin=case.draft("Content-Type: text/plain; format=flowed").read_bytes())
        case _:
            made = case.run("mmime", "-r", stdin=case.draft().read_bytes())
    case.run(case.sendmail, "-t", "-i", stdin=made)
    return True


@program("Emacs", "emacs", package="emacs-nox")
def _emacs(case: Case) -> bool:
    """Message mode, as Gnus and others use it; what it cites is written for it."""
    if case.way in ("qp", "8bit", "flowed"):
        return False
    mine = case.file("mine", case.text if case.attached else case.body)
    tags = {
        "HTML": f'(insert "<#multipart type=alternative>\\n") (insert-file-contents "{mine}") (goto-char (point-max)) '
        f'(insert "<#part type=text/html>\\n") (insert-file-contents "{case.file("page.html", case.page)}") '
        '(goto-char (point-max)) (insert "<#/multipart>\\n")',
        "base64": f'(insert "<#part type=text/plain encoding=base64>\\n") (insert-file-contents "{mine}") (goto-char (point-max))',
        "above": f'(insert-file-contents "{mine}")',
        "below": f'(goto-char (point-max)) (insert-file-contents "{mine}")',
    }
    write = tags.get(
        case.way, f'(delete-region (point) (point-max)) (insert-file-contents "{mine}") (goto-char (point-max))'
    )
    if case.way in ("HTML", "base64"):
        write = f"(delete-region (point) (point-max)) {write}"
    if case.attached:
        kind = {"eml attached": "application/octet-stream", "txt attached": "text/plain"}.get(
            case.way, "message/rfc822"
        )
        write += f' (mml-attach-file "{case.attached}" "{kind}" nil "attachment")'
    if case.way == "as it is":
        visit = (
            f'(find-file "{case.folder}/order.eml") (goto-char (point-min)) (re-search-forward "^$") '
            '(replace-match "--text follows this line--") (message-mode)'
        )
    else:
        visit = (
            f'(find-file "{case.folder}/report.eml") (message-reply) (message-goto-body) '
            f'(save-excursion (insert-file-contents "{case.folder}/quoted.txt")) {write}'
        )
    script = f"""
(prefer-coding-system 'utf-8)
(require 'message) (require 'mml) (require 'gnus-art)
(setq user-mail-address "{case.sender}" user-full-name "" mail-host-address "players.test" message-from-style nil
      send-mail-function 'sendmail-send-it message-send-mail-function 'message-send-mail-with-sendmail
      sendmail-program "{case.sendmail}" message-sendmail-f-is-evil t message-interactive t message-confirm-send nil
      message-auto-save-directory nil message-kill-buffer-on-exit t message-setup-hook nil
      mml-content-disposition-alist nil message-forward-as-mime t)
{visit}
(message-send)
"""
    part = case.asked.get_body(("plain",))
    assert part is not None
    quoted = "\n".join(f"> {line}" for line in part.get_content().rstrip().splitlines())
    case.file("quoted.txt", f"pbem <host@club.test> writes:\n\n{quoted}\n")
    case.run("emacs", "-Q", "--batch", "-l", case.file("script.el", script))
    return True


@program("notmuch", "notmuch", package="notmuch")
def _notmuch(case: Case) -> bool:
    """It makes the answer, and another program sends it."""
    if case.way not in ("plain", "above", "below"):
        return False
    case.file(".notmuch-config", f"[database]\npath={case.maildir}\n[user]\nprimary_email={case.sender}\nname=Ann\n")
    case.run("notmuch", "new", "--quiet")
    draft = case.file("draft", case.run("notmuch", "reply", "*"))
    case.run(case.editor, draft, WAY=case.way, MINE=str(case.file("mine", case.body)), HEAD="\n\n")
    case.run(case.sendmail, "-t", "-i", stdin=draft.read_bytes())
    return True


# -- programs that send ---------------------------------------------------------------------------------------------------


@program("sendmail", "/usr/sbin/sendmail", package="postfix")
def _sendmail(case: Case) -> bool:
    if case.way == "as it is":
        case.run(case.sendmail, "-t", "-i", stdin=case.letter.replace(b"\r\n", b"\n"))
    return case.way == "as it is"


def _composed(case: Case) -> bytes:
    """A mail as Python's library makes it."""
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message["From"], message["To"], message["Subject"] = case.sender, case.host, case.subject
    message["In-Reply-To"] = case.asked["Message-ID"]
    match case.way:
        case "as it is":
            return case.letter
        case "flowed":
            message.set_content(_flowed(case.text), params={"format": "flowed"}, cte="8bit")
        case "qp" | "8bit" | "base64":
            message.set_content(case.text, cte=ENCODINGS[case.way])
        case _:
            message.set_content(case.text)
    if case.way == "HTML":
        message.add_alternative(case.page, subtype="html")
    elif case.way == "forwarded":
        message.add_attachment(case.message)
    elif case.way == "eml attached":
        message.add_attachment(case.letter, maintype="application", subtype="octet-stream", filename="order.eml")
    elif case.way == "txt attached":
        message.add_attachment(case.body, filename="orders.txt")
    return message.as_bytes()


def _flowed(text: str) -> str:
    """Wrapped as RFC 3676 has it: a blank at the end of a line that goes on."""
    return "\n".join(re.sub(r"(.{40,66}) (?=\S)", "\\1 \n", line.rstrip()) for line in text.split("\n"))


@program("Python smtplib")
def _smtplib(case: Case) -> bool:
    context = ssl.create_default_context(cafile=str(case.servers.certificate))
    with smtplib.SMTP("localhost", case.servers.submission, timeout=LIMIT) as server:
        server.starttls(context=context)
        server.login(case.sender.partition("@")[0], PASSWORD)
        options = ["body=8bitmime"] if case.way in ("8bit", "flowed") else []
        server.sendmail(case.sender, [case.host], _composed(case), mail_options=options)
    return True


@program("msmtp", "msmtp", package="msmtp")
def _msmtp(case: Case) -> bool:
    rc = case.file(
        "msmtprc",
        f"account default\nhost localhost\nport {case.servers.submission}\ntls on\ntls_starttls on\n"
        f"tls_trust_file {case.servers.certificate}\nauth on\nuser {case.sender.partition('@')[0]}\n"
        f"password {PASSWORD}\nfrom {case.sender}\n",
    )
    if case.way == "as it is":
        case.run("msmtp", "-C", rc, "-t", stdin=case.letter.replace(b"\r\n", b"\n"))
    return case.way == "as it is"


@program("curl", "curl", package="curl")
def _curl(case: Case) -> bool:
    server = [
        "curl",
        "-sS",
        "--ssl-reqd",
        "--cacert",
        str(case.servers.certificate),
        f"smtp://localhost:{case.servers.submission}/players.test",
    ]
    server += [
        "-u",
        f"{case.sender.partition('@')[0]}:{PASSWORD}",
        "--mail-from",
        case.sender,
        "--mail-rcpt",
        case.host,
    ]
    if case.way == "as it is":
        case.run(*server, "-T", case.file("as-it-is", case.letter))
        return True
    text = case.file("text", case.text)
    head = [
        word
        for line in (f"From: {case.sender}", f"To: {case.host}", f"Subject: {case.subject}")
        for word in ("-H", line)
    ]
    coding = {"qp": ";encoder=quoted-printable", "8bit": ";encoder=8bit", "base64": ";encoder=base64"}.get(
        case.way, ";encoder=quoted-printable"
    )
    parts = ["-F", f"=<{text};type=text/plain;charset=utf-8{coding}"]
    match case.way:
        case "HTML":
            page = case.file("page.html", case.page)
            parts = [
                "-F",
                "=(;type=multipart/alternative",
                "-F",
                f"=<{text};type=text/plain;charset=utf-8;encoder=quoted-printable",
            ]
            parts += ["-F", f"=<{page};type=text/html;charset=utf-8;encoder=quoted-printable", "-F", "=)"]
        case "eml attached":
            parts += ["-F", f"=@{case.attached};type=application/octet-stream;encoder=base64"]
        case "txt attached":
            parts += ["-F", f"=@{case.attached};type=text/plain;encoder=base64"]
        case "forwarded":
            parts += ["-F", f"=<{case.attached};type=message/rfc822;encoder=8bit"]
        case "flowed":
            parts = [
                "-F",
                f"=<{case.file('flowed', _flowed(case.text))};type=text/plain;charset=utf-8;format=flowed;encoder=8bit",
            ]
    case.run(*server, *head, *parts)
    return True


@program("swaks", "swaks", package="swaks")
def _swaks(case: Case) -> bool:
    server = [
        "swaks",
        "-s",
        f"localhost:{case.servers.submission}",
        "-tls",
        "-a",
        "PLAIN",
        "-au",
        case.sender.partition("@")[0],
        "-ap",
        PASSWORD,
    ]
    server += ["-f", case.sender, "-t", case.host, "--silent", "2", "--timeout", "20"]
    if case.way == "as it is":
        case.run(*server, "--data", f"@{case.folder / 'order.eml'}")
        return True
    head = ["--h-Subject", case.subject, "--add-header", "MIME-Version: 1.0"]
    text = case.file("text", case.text)
    match case.way:
        case "HTML":
            page = case.file("page.html", case.page)
            more = ["--attach-type", "text/html", "--attach-body", f"@{page}"]
        case "eml attached" | "txt attached" | "forwarded":
            kind = {"eml attached": "application/octet-stream", "txt attached": "text/plain"}.get(
                case.way, "message/rfc822"
            )
            more = [
                "--body",
                f"@{text}",
                "--attach-type",
                kind,
                "--attach-name",
                (case.attached or text).name,
                "--attach",
                f"@{case.attached}",
            ]
        case "flowed":
            flowed = case.file("flowed", _flowed(case.text))
            more = ["--add-header", "Content-Type: text/plain; charset=utf-8; format=flowed", "--body", f"@{flowed}"]
        case "8bit":
            more = [
                "--add-header",
                "Content-Type: text/plain; charset=utf-8",
                "--add-header",
                "Content-Transfer-Encoding: 8bit",
                "--body",
                f"@{text}",
            ]
        case "qp" | "base64":
            return False
        case _:
            more = ["--body", f"@{text}"]
    case.run(*server, *head, *more)
    return True


@program("git send-email", "/usr/lib/git-core/git-send-email", package="git-email")
def _git(case: Case) -> bool:
    if case.way in ("HTML", "eml attached", "txt attached", "forwarded", "flowed"):
        return False
    sending = [
        "git",
        "send-email",
        "--quiet",
        "--confirm=never",
        "--suppress-cc=all",
        "--no-validate",
        f"--from={case.sender}",
        f"--to={case.host}",
    ]
    sending += ["--smtp-server=localhost", f"--smtp-server-port={case.servers.submission}", "--smtp-encryption=tls"]
    sending += [
        f"--smtp-ssl-cert-path={case.servers.certificate}",
        f"--smtp-user={case.sender.partition('@')[0]}",
        f"--smtp-pass={PASSWORD}",
    ]
    coding = [f"--transfer-encoding={ENCODINGS[case.way]}", "--8bit-encoding=UTF-8"] if case.way in ENCODINGS else []
    draft = case.folder / "order.eml" if case.way == "as it is" else case.draft()
    case.run(*sending, *coding, draft)
    return True


@program("mime-construct", "mime-construct", package="mime-construct")
def _mime_construct(case: Case) -> bool:
    if case.way == "as it is":
        return False
    head = [
        "mime-construct",
        "--output",
        "--to",
        case.host,
        "--subject",
        case.subject,
        "--header",
        f"From: {case.sender}",
    ]
    text = case.file("text", _flowed(case.text) if case.way == "flowed" else case.text)
    kind = "text/plain; charset=utf-8" + ("; format=flowed" if case.way == "flowed" else "")
    parts = ["--encoding", ENCODINGS.get(case.way, "quoted-printable"), "--type", kind, "--file", str(text)]
    match case.way:
        case "HTML":
            page = case.file("page.html", case.page)
            parts = [
                "--multipart",
                "multipart/alternative",
                *parts,
                "--type",
                "text/html; charset=utf-8",
                "--file",
                str(page),
            ]
        case "eml attached" | "txt attached":
            parts += ["--file-attach", str(case.attached)]
        case "forwarded":
            parts += ["--encoding", "8bit", "--type", "message/rfc822", "--file", str(case.attached)]
    case.run(case.sendmail, "-t", "-i", stdin=case.run(*head, *parts))
    return True
