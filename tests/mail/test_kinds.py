"""A file is known by its content, whatever a gateway has called it; and what cannot be read has its cause named."""

from __future__ import annotations

import base64
from email.header import Header
from pathlib import Path

import pytest

from pbem.mail import read_block, read_message
from pbem.mail.kinds import LOG_TYPE, is_log
from pbem.mail.mime import MimePart
from pbem.mail.text import decode

from .block import BLOCK, ENVELOPE
from .encodings import uuencoded
from .reading import mail, parts

GOLDEN = Path(__file__).parents[1] / "golden"
PLAIN = "Content-Type: text/plain"
LINES = '{"at":"2030-01-01T00:00:00Z","k":"ask","n":7}\n["head","00",7,"11","x"]\n'
OCTETS = "Content-Type: application/octet-stream\r\nContent-Disposition: attachment"


def attached(head: str, data: bytes | str) -> bytes:
    """A mail of some words and a file."""
    data = data.encode() if isinstance(data, str) else data
    body = base64.encodebytes(data).decode()
    return parts((PLAIN, "See there."), (f"{head}\r\nContent-Transfer-Encoding: base64", body))


NAMES = {
    "pieces": '; filename*0="a long name of 3f"; filename*1="29.pb"; filename*2="em"',
    "pieces with a charset": "; filename*0*=utf-8''Zug%20%C3%A9; filename*1=.pbem",
    "percent signs": '; filename="3f29%2Epbem"',
    "an encoded word": f'; filename="{Header("é 3f29.pbem", "utf-8").encode()}"',
    "another ending behind it": '; filename="3f29.pbem.txt"',
    "another ending": '; filename="3f29.dat"',
    "no ending": "; filename=3f29",
    "no name": "",
    "a name of something else": "; filename=image001.png",
    "a name with blanks and no quotes": "; filename=my game 3f29.pbem",
}


@pytest.mark.parametrize("how", NAMES)
def test_a_log_is_known_whatever_its_file_is_called(how: str) -> None:
    assert read_message(attached(OCTETS + NAMES[how], LINES)).log == LINES.encode()


@pytest.mark.parametrize("how", [how for how in NAMES if "something else" not in how])
def test_a_block_is_found_whatever_its_file_is_called(how: str) -> None:
    """A gateway changes the file's name, type, charset or encoding. The content decides."""
    head = OCTETS + NAMES[how].replace("pbem", "txt")
    assert read_block(read_message(attached(head, BLOCK)).text) == ENVELOPE


KINDS = [
    "application/x-pbem",
    "text/plain",
    "application/json",
    "application/x-unknown",
    "application/zip",
    "image/png",
    "message/x",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["attachment", "inline", ""])
def test_a_log_is_known_whatever_its_type_is(kind: str, place: str) -> None:
    head = f"Content-Type: {kind}" + (f"\r\nContent-Disposition: {place}" if place else "")
    read = read_message(attached(head, LINES))
    assert (read.text, read.log) == ("See there.", LINES.encode())


@pytest.mark.slow
def test_each_line_of_every_log_that_is_kept_begins_as_one() -> None:
    kept = [path for folder in ("logs", "logs-of-two") for path in (GOLDEN / folder).glob("*.pbem")]
    for line in (line for path in kept for line in path.read_bytes().splitlines()):
        assert is_log(MimePart((), line)), line[:80]


@pytest.mark.parametrize("change", ["\ufeff{}", "\r\n{}"])
def test_marks_and_line_ends_that_programs_put_into_a_log_are_taken_off(change: str) -> None:
    data = change.format(LINES).encode().replace(b"\n", b"\r\n")
    assert read_message(attached(f"Content-Type: {LOG_TYPE}", data)).log.strip() == LINES.strip().encode()
    assert read_message(attached(f"Content-Type: {LOG_TYPE}", LINES.encode("utf-16"))).log == LINES.encode()


ENCODED = base64.encodebytes(LINES.encode()).decode()
WRITTEN = {
    "no encoding is named": ("7bit", ENCODED),
    "an encoding is named that was undone": ("base64", LINES),
    "another encoding is named": ("quoted-printable", ENCODED),
    "words below": ("8bit", f"{LINES}-- \nScanned by a gateway.\n"),
    "words below, in base64": ("base64", base64.encodebytes(f"{LINES}\nSent from my phone\n".encode()).decode()),
    "uuencode": ("x-uuencode", uuencoded(LINES.encode()).decode()),
}


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("head", [f"{OCTETS}; filename=3f29.pbem", OCTETS, "Content-Type: text/plain; name=a.txt"])
def test_a_log_is_read_where_its_head_is_wrong_about_how_it_is_encoded(how: str, head: str) -> None:
    encoding, body = WRITTEN[how]
    read = read_message(parts((PLAIN, "See there."), (f"{head}\r\nContent-Transfer-Encoding: {encoding}", body)))
    assert (read.text, read.log.strip()) == ("See there.", LINES.strip().encode())


@pytest.mark.parametrize(
    "text", ['{"name": "a list of mine"}', "[1, 2]", '["a"]', "{ k: 1 }", '{"@context":"https://schema.org"}']
)
def test_what_only_looks_like_a_log_is_none(text: str) -> None:
    assert read_message(attached("Content-Type: application/json", text)).log == b""


LETTER = f"From: ann@example.org\r\nSubject: my move\r\n{PLAIN}\r\n\r\nCARD Herald\r\nEND\r\n\r\n{BLOCK}\r\n"


@pytest.mark.parametrize(
    ("head", "data"),
    [
        (f"{OCTETS}; filename=3f29.order.dat", LETTER),
        (OCTETS, LETTER),
        ("Content-Type: text/plain\r\nContent-Disposition: attachment; filename=order.txt", LETTER),
        (f"{OCTETS}; filename*0=or; filename*1=der.eml", LETTER),
        (f"{OCTETS}; filename=order.asc", BLOCK),
        ("Content-Type: application/x-order", BLOCK),
        ("Content-Type: text/x-order", BLOCK),
        (f"{OCTETS}; filename=order", BLOCK.encode("utf-16")),
        ("Content-Type: text/plain; name=order.txt", BLOCK.encode("utf-16")),
        ("Content-Type: text/plain; charset=us-ascii; name=order.txt", BLOCK.encode("utf-16-be")),
        (f"{OCTETS}; filename=order.htm", f"<html><body><p>{BLOCK}</p></body></html>"),
        ("Content-Type: text/plain", f"<!DOCTYPE html><html><style>p {{}}</style><p>{BLOCK}</p></html>"),
        ("Content-Type: text/plain", b"Hello\n\n" + uuencoded(BLOCK.encode())),
    ],
)  # fmt: skip
def test_an_order_is_found_by_the_content_of_its_file(head: str, data: bytes | str) -> None:
    assert read_block(read_message(attached(head, data)).text) == ENVELOPE


def test_a_text_is_read_where_its_head_is_wrong_about_how_it_is_encoded() -> None:
    encoded = base64.encodebytes(BLOCK.encode())
    assert read_block(read_message(mail(BLOCK, Content_Transfer_Encoding="base64")).text) == ENVELOPE
    assert read_block(read_message(mail(encoded)).text) == ENVELOPE
    assert read_block(read_message(mail(encoded, Content_Transfer_Encoding="8bit")).text) == ENVELOPE


WIDE = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("declared", ["", "us-ascii", "utf-8", "utf-16", "'utf-16'", "ucs-2", "klingon"])
@pytest.mark.parametrize("charset", [*WIDE, "utf-8", "utf-8-sig", "latin-1"])
def test_a_text_says_itself_how_wide_its_letters_are(charset: str, declared: str) -> None:
    assert decode(BLOCK.encode(charset), declared) == BLOCK


@pytest.mark.parametrize(
    "declared", ["utf-7", "unicode-1-1-utf-7", "hz", "iso-2022-jp", "gb18030", "cp037", '"', "a b"]
)
def test_a_block_is_found_under_any_charset(declared: str) -> None:
    assert read_block(read_message(mail(BLOCK, f'text/plain; charset="{declared}"')).text) == ENVELOPE


# --- what cannot be read ------------------------------------------------------------------------------------------------

CAUSES: dict[str, tuple[str, tuple[str, bytes | str]]] = {
    "winmail.dat": ("winmail.dat", (f"{OCTETS}; filename=winmail.dat", "x")),
    "winmail.dat by its type": ("winmail.dat", ("Content-Type: application/ms-tnef", "x")),
    "winmail.dat by its content": ("winmail.dat", (OCTETS + "; filename=part2", b"\x78\x9f\x3e\x22\x00\x00")),
    "PGP": ("encrypted", ("Content-Type: application/pgp-encrypted", "Version: 1")),
    "PGP in the text": ("encrypted", (PLAIN, "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----")),
    "S/MIME": ("encrypted", ("Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", b"0\x80")),
    "S/MIME that is signed": ("smime.p7m", ("Content-Type: application/pkcs7-mime; smime-type=signed-data", b"0\x80")),
    "RTF": ("RTF", ("Content-Type: text/rtf", "{\\rtf1 " + BLOCK.replace("\n", "\\par\n") + "}")),
    "RTF by its content": ("RTF", ("Content-Type: text/plain", "{\\rtf1 " + BLOCK.replace("\n", "\\par\n") + "}")),
    "RTF by its name": ("RTF", (f"{OCTETS}; filename=order.rtf", "x")),
    "a piece": ("message/partial", ('Content-Type: message/partial; id=x; number=1; total=2', "CARD Herald")),
    "elsewhere": ("message/external-body", ("Content-Type: message/external-body; access-type=URL", "x")),
    "a zip": ("an archive", (f"{OCTETS}; filename=order.zip", b"PK\x03\x04")),
    "a document": ("office program", (f"{OCTETS}; filename=order.docx", b"PK\x03\x04")),
    "a PDF": ("“order.pdf” is a PDF", (f"{OCTETS}; filename*0=ord; filename*1=er.pdf", b"%PDF-1.4")),
    "a mail of Outlook": ("(.msg)", (OCTETS, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
}  # fmt: skip


@pytest.mark.parametrize("what", CAUSES)
def test_why_a_mail_cannot_be_read_is_named(what: str) -> None:
    said, (head, data) = CAUSES[what]
    for raw in (attached(head, data), mail(data, head.removeprefix("Content-Type: "))):
        read = read_message(raw)
        assert said in str(read.unread)
        assert read_block(read.text) is None


def test_a_picture_alone_is_named_and_one_beside_a_text_is_not() -> None:
    picture = ("Content-Type: image/png", "x")
    assert "picture" in str(read_message(parts((PLAIN, " "), picture)).unread)
    assert read_message(parts((PLAIN, "Look at this!"), picture)).unread is None


def test_no_cause_is_named_where_a_block_or_a_request_counts() -> None:
    packed = (f"{OCTETS}; filename=winmail.dat", "x")
    assert read_message(parts((PLAIN, "STATUS"), packed)).unread is None
    assert read_message(parts((PLAIN, BLOCK), packed)).unread is None


BANNERS = [
    "CAUTION: This email originated from outside of the organization.",
    "[EXTERNAL]",
    "*** ATTENTION : courrier externe ***",
    "Hello!",
]


@pytest.mark.parametrize("banner", BANNERS)
def test_a_request_below_another_line_is_named(banner: str) -> None:
    for text in (f"{banner}\n\nSTATUS\n", f"GAME 42\n{banner}\nSTATUS"):
        read = read_message(mail(text))
        assert (read.command, read.below) == (None, ("STATUS", banner))
    assert read_message(mail(f"{banner}\n\n{BLOCK}\nSTATUS")).below is None
