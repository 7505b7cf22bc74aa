"""A signed block is found wherever it stands: far below, in a file, in a message that is attached; and which of several counts."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.ledger import PrivateKey
from pbem.mail import Command, read_block, read_message, write_block
from pbem.mail.block import with_blocks
from pbem.mail.finding import MAX_INSIDE
from pbem.mail.mime import MAX_PARTS
from pbem.mail.text import MAX_TEXT
from pbem.referee import AskSeen, Envelope, Pen

from .block import BLOCK, ENVELOPE, order, quoted
from .reading import mail, parts

REPORT = "The Scots attack from Moray, and Wallace fires: 5 2 6, two hits.\n"
PLAIN = "Content-Type: text/plain"
SAID = (PLAIN, "My order is attached.")
LETTER = f"From: ann@example.org\r\nSubject: my move\r\n{PLAIN}\r\n\r\nCARD Herald\r\nEND\r\n\r\n{BLOCK}\r\n"
ENCODED = f"{PLAIN}\r\nContent-Transfer-Encoding: base64\r\n\r\n{base64.encodebytes(BLOCK.encode()).decode()}"


def found(raw: bytes) -> Envelope | None:
    read = read_message(raw)
    assert read.problem == ""
    assert len(read.text) <= MAX_TEXT
    return read_block(read.text)


def attached(text: str, kind: str = "message/rfc822", name: str = "") -> tuple[str, str]:
    place = f"attachment; filename={name}" if name else "attachment"
    return f"Content-Type: {kind}\r\nContent-Disposition: {place}", text


def message(*inner: tuple[str, str], boundary: str = "c") -> str:
    """A message of parts, to be attached to another."""
    return parts(*inner).decode().replace('"b"', f'"{boundary}"').replace("--b", f"--{boundary}")


def in_base64(part: tuple[str, str]) -> tuple[str, str]:
    head, text = part
    return f"{head}\r\nContent-Transfer-Encoding: base64", base64.encodebytes(text.encode()).decode()


# --- far below ----------------------------------------------------------------------------------------------------------


@pytest.mark.variants
@pytest.mark.parametrize("size", [200_000, 900_000])
@pytest.mark.parametrize("mark", ["> ", ""], ids=["quoted", "as Outlook quotes"])
def test_a_block_below_a_long_quotation_is_found(size: int, mark: str) -> None:
    raw = mail(f"My move is below.\n\n{(mark + REPORT) * (size // 70)}\n{BLOCK}\n")
    assert found(raw) == ENVELOPE
    assert read_message(raw).text.startswith("My move is below.\n")


def test_in_a_page_too() -> None:
    lines = "".join(f"<p class=MsoNormal><span>{line}</span></p>" for line in [REPORT] * 4000)
    assert found(mail(f"<div>{lines}</div><pre>{BLOCK}</pre>", "text/html")) == ENVELOPE


def test_one_below_a_long_text_that_is_damaged_is_not_passed_over_for_a_quoted_one() -> None:
    damaged = BLOCK.replace("0", "1", 1)
    with pytest.raises(FormError, match="damaged"):
        found(mail(f"{quoted(BLOCK)}\n\n{REPORT * 3000}\n{damaged}"))


@pytest.mark.slow
def test_more_blocks_than_there_is_room_for_are_refused() -> None:
    many = "\n\n".join(write_block(order(rev=rev)) for rev in range(80))
    with pytest.raises(FormError, match="end of the signed block is missing"):
        found(mail(f"{REPORT * 2000}\n{many}"))


SMALL = [replace(order(rev=rev), sig=f"{rev}", openings=()) for rev in range(3)]
PIECES = st.sampled_from(
    [
        *(write_block(one) for one in SMALL),
        *(quoted(write_block(one)) for one in SMALL),
        write_block(SMALL[1]).replace("0", "1", 1),
        write_block(SMALL[2])[:-9],
        "BEGIN PBEM ORDERS", "END PBEM ORDERS", "> BEGIN PBEM ORDERS and so on", "0C4ME 9HJQA", "END", REPORT * 9, "a b c\n" * 50,
    ]
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(PIECES, max_size=9), st.integers(60, 4000), st.sampled_from(["\n", " "]))
def test_a_text_that_is_cut_says_of_blocks_what_all_of_it_says(pieces: list[str], most: int, between: str) -> None:
    text = between.join(pieces)
    cut = with_blocks(text, most)
    assert len(cut) <= most
    try:
        expected = read_block(text)
    except FormError:
        with pytest.raises(FormError):
            read_block(cut)
        return
    try:
        assert read_block(cut) == expected
    except FormError as error:  # there is not room for all of them
        if expected is None or "end of the signed block" not in str(error):
            raise


# --- in what is attached ------------------------------------------------------------------------------------------------

WAYS = {
    "a message": attached(LETTER),
    "a message that was encoded": attached(ENCODED),
    "a letter of out/, as most programs attach it": in_base64(attached(LETTER, "application/octet-stream", "3f29.order.eml")),
    "the same, said to be text": attached(LETTER, "text/plain", "order.eml"),
    "the same, said to be a message": in_base64(attached(LETTER, "message/rfc822", "order.EML")),
    "a text file": in_base64(attached(BLOCK, "application/octet-stream", "order.txt")),
    "octets without a name": in_base64(attached(BLOCK, "application/octet-stream")),
    "a message in a message": attached(f"Content-Type: message/rfc822\r\n\r\n{LETTER}"),
    "a message of parts": attached(message((PLAIN, "Look:"), attached(LETTER))),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_block_in_what_is_attached_is_found(way: str) -> None:
    assert found(parts(SAID, WAYS[way])) == ENVELOPE


def test_the_log_that_comes_with_an_attached_letter_comes_with_it() -> None:
    inner = message((PLAIN, BLOCK), ('Content-Type: application/x-pbem; name="a.pbem"', '{"k":"game"}'))
    assert read_message(parts(SAID, attached(inner))).log == b'{"k":"game"}'


def test_messages_lie_3_deep_and_not_deeper_and_that_is_said() -> None:
    raw = LETTER
    for depth in range(1, MAX_INSIDE + 2):
        raw = message(SAID, attached(raw), boundary=f"d{depth}")
        read = read_message(raw.encode())
        assert (read_block(read.text) == ENVELOPE, read.cut) == (
            (True, False) if depth <= MAX_INSIDE else (False, True)
        )


def test_so_many_parts_are_looked_at_in_what_is_attached_and_that_there_are_more_is_said() -> None:
    many = message(*[(PLAIN, "x")] * (MAX_PARTS - 1))
    assert found(parts(SAID, attached(many), attached(LETTER))) == ENVELOPE
    read = read_message(parts(SAID, attached(many), attached("x"), attached(LETTER)))
    assert (read.text, read.problem) == ("My order is attached.", "The mails in it have more than 1000 parts.")


def test_what_is_attached_asks_for_nothing() -> None:
    read = read_message(parts((PLAIN, "Hello"), attached(f"Subject: HELP\r\n{PLAIN}\r\n\r\nSTATUS\r\n")))
    assert (read.text, read.command) == ("Hello", None)


@pytest.mark.parametrize("kind", ["application/zip", "application/ms-tnef", "image/png", "application/pdf"])
def test_archives_are_not_opened(kind: str) -> None:
    read = read_message(parts((PLAIN, "See there."), (f"Content-Type: {kind}", f"\r\n{BLOCK}")))
    assert (read.text, read.problem) == ("See there.", "")


@pytest.mark.parametrize(
    "head",
    ["Auto-Submitted: auto-replied", "From: MAILER-DAEMON@example.org", "To: host+b-0123456789abcdef@example.org"],
)
def test_what_a_robot_sends_back_is_not_opened(head: str) -> None:
    raw = f"{head}\r\n".encode() + parts((PLAIN, "I am away."), attached(LETTER))
    assert read_message(raw, own="host@example.org").text.strip() == "I am away."


@pytest.mark.parametrize(
    "head", ["Precedence: list", "List-Id: <club.example.org>", "Precedence: bulk\r\nList-Id: <a.b>"]
)
def test_what_a_list_hands_on_is_opened(head: str) -> None:
    for raw in (parts((PLAIN, "From the list."), attached(LETTER)), LETTER.encode()):
        read = read_message(f"{head}\r\n".encode() + raw)
        assert (read_block(read.text), read.automatic) == (ENVELOPE, True)


# --- which of several ---------------------------------------------------------------------------------------------------

OLD, NEW = order(rev=7), order(rev=0)


def letter(envelope: Envelope, change: str = "") -> str:
    return f"{PLAIN}\r\n\r\n{write_block(envelope).replace('0', change or '0', 1)}\r\n"


@pytest.mark.parametrize(
    ("body", "inside", "counts"),
    [
        (write_block(NEW), [letter(OLD)], NEW),
        (quoted(write_block(OLD)), [letter(NEW)], NEW),
        (quoted(write_block(NEW)), [f"{PLAIN}\r\n\r\n{quoted(write_block(OLD))}"], NEW),
        ("See there.", [letter(NEW), letter(OLD)], OLD),
        ("See there.", [letter(OLD), letter(NEW)], OLD),
        ("See there.", [f"{PLAIN}\r\n\r\n{quoted(write_block(OLD))}", letter(NEW)], NEW),
        ("See there.", [f"{PLAIN}\r\n\r\n{quoted(write_block(OLD))}"], OLD),
    ],
    ids=[
        "own",
        "attached before quoted",
        "quoted",
        "later",
        "later, first",
        "attached before quoted there",
        "all there is",
    ],
)
def test_ones_own_count_before_quoted_ones_and_what_lies_further_out_before_what_is_attached(
    body: str, inside: list[str], counts: Envelope
) -> None:
    assert found(parts((PLAIN, body), *map(attached, inside))) == counts


@pytest.mark.parametrize(
    ("body", "inside"),
    [
        (write_block(NEW).replace("0", "1", 1), [letter(OLD)]),
        ("See there.", [letter(NEW, "1"), letter(OLD)]),
        ("See there.", [letter(OLD), letter(NEW, "1")]),
    ],
    ids=["in the body", "attached", "attached below"],
)
def test_a_damaged_one_is_passed_over_for_none_that_is_attached(body: str, inside: list[str]) -> None:
    with pytest.raises(FormError, match="damaged"):
        found(parts((PLAIN, body), *map(attached, inside)))


def test_of_several_those_that_are_signed_count() -> None:
    forged = replace(order(rev=99), sig="none")
    text = f"{write_block(NEW)}\n\nFrom: bob\n{write_block(forged)}"
    assert read_block(text) == forged
    assert read_block(text, lambda envelope: envelope.sig != "none") == NEW
    assert read_block(text, lambda envelope: False) == forged, "then the host says of that one that it is not signed"
    another = Pen(PrivateKey.from_seed(b"y" * 32), "b" * 64, "scottish").order(AskSeen(9, "", 2, (9, "c" * 64)), "x")
    assert read_block(f"{text}\n{write_block(another)}", lambda envelope: envelope == NEW) == NEW


def test_what_differs_in_a_damaged_block_is_said() -> None:
    with pytest.raises(FormError, match=r"All \d+ bytes arrived, but some characters"):
        read_block(BLOCK.replace("WS68J", "WS68K"))
    with pytest.raises(FormError, match=r"\d+ bytes came; it says it has \d+"):
        read_block(BLOCK.replace("WS68J ", ""))


# --- requests in the subject --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "text", "command"),
    [
        ("HELP", "", Command("HELP")),
        ("Help, please!", "Hello, how does this work?", Command("HELP")),
        ("[pbem 42] status", "-- \nAnn", Command("STATUS")),
        ("RESEND SINCE 17", "\n", Command("RESEND", 17)),
        ("unsubscribe", "", Command("UNSUBSCRIBE")),
        ("HELP", "STATUS", Command("STATUS")),
        ("HELP", BLOCK, None),
        ("HELP", BLOCK[:-5], None),
        ("Re: HELP", "thank you", None),
        ("HELP me", "", None),
        ("your move: HELP", "", None),
    ],
)
def test_a_request_may_stand_in_the_subject(subject: str, text: str, command: Command | None) -> None:
    assert read_message(mail(text, Subject=subject)).command == command


@pytest.mark.parametrize("line", ["Help, please!", "please help", "HELP please.", "Please, STATUS", "Status?"])
def test_a_request_may_be_polite(line: str) -> None:
    assert read_message(mail(line)).command in (Command("HELP"), Command("STATUS"))


def test_a_robot_gets_none_done_by_its_subject() -> None:
    read = read_message(mail("", Subject="HELP", Auto_Submitted="auto-replied"))
    assert (read.automatic, read.command) == (True, None)


def test_a_language_beside_a_request_in_the_subject_is_that_of_the_answer() -> None:
    read = read_message(mail("LANGUAGE fr", Subject="HELP"))
    assert (read.wants, read.command) == ("fr", Command("HELP"))
