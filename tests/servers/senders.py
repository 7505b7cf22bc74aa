"""Mail programs that send, and read nothing."""

from __future__ import annotations

import email.message
import email.policy
import smtplib
import ssl

from .cases import ENCODINGS, LIMIT, Case, program, wrapped
from .real import PASSWORD


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
            message.set_content(wrapped(case.text), params={"format": "flowed"}, cte="8bit")
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
                f"=<{case.file('flowed', wrapped(case.text))};type=text/plain;charset=utf-8;format=flowed;encoder=8bit",
            ]
    case.run(*server, *head, *parts)
    return True


@program("swaks", "swaks", "Net::SSLeay", package="swaks")
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
            flowed = case.file("flowed", wrapped(case.text))
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


@program(
    "git send-email",
    "/usr/lib/git-core/git-send-email",
    "Mail::Address",
    "IO::Socket::SSL",
    "Authen::SASL",
    package="git-email",
)
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
    text = case.file("text", wrapped(case.text) if case.way == "flowed" else case.text)
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
