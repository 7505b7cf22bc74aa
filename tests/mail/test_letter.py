"""What we send: the same bytes each time, read by any program, and no field of it can add a header or an address."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import UsageError
from pbem.mail import Deadline, Letter, read_message
from tests.counted import calls

from .by_library import by_the_library

DATE = datetime(2030, 1, 1, tzinfo=UTC)
DUE = Deadline("3f29.ann@example.org", 9, "2030-01-01T00:00:00Z", "2030-01-03T18:00:00Z", "Hammer: your move")
EVERYTHING: dict[str, Any] = {
    "html": '<p>From here\n.\nGrüße</p><img src="cid:map" alt="the map">',
    "images": {"map": b"\x89PNG" + bytes(range(256))},
    "page": "<html><body>alone</body></html>",
    "deadline": DUE,
    "log": b'{"k":"game"}\n["head"]\n' * 40,
}


def letter(**changed: Any) -> Letter:
    made = {"sender": "pbem <host@example.org>", "to": "ann@example.org", "subject": "your move", "text": "Hello.\n"}
    return Letter(**{**made, "message_id": "1@example.org", "date": DATE, **changed})


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def shape(message: MIMEPart) -> Any:
    """The types of a message's parts, as they lie in each other."""
    kind = message.get_content_type()
    return (kind, *map(shape, message.iter_parts())) if message.is_multipart() else kind


def headers(message: EmailMessage) -> Iterator[tuple[str, str]]:
    for part in message.walk():
        yield from ((name.lower(), str(value)) for name, value in part.items())


# --- its parts ----------------------------------------------------------------------------------------------------------


def test_a_letter_with_everything_has_its_parts_in_order() -> None:
    raw = letter(**EVERYTHING).raw()
    related = ("multipart/related", "text/html", "image/png")
    assert shape(parsed(raw)) == (
        "multipart/mixed",
        ("multipart/alternative", "text/plain", related),
        "text/calendar",
        "text/html",
        "application/x-pbem",
    )
    assert [defect for part in parsed(raw).walk() for defect in part.defects] == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((), "text/plain"),
        (("html",), ("multipart/alternative", "text/plain", "text/html")),
        (("html", "images"), ("multipart/alternative", "text/plain", ("multipart/related", "text/html", "image/png"))),
        (("log",), ("multipart/mixed", "text/plain", "application/x-pbem")),
        (("deadline",), ("multipart/mixed", "text/plain", "text/calendar")),
        (("html", "page"), ("multipart/mixed", ("multipart/alternative", "text/plain", "text/html"), "text/html")),
    ],
)
def test_what_a_letter_does_not_have_leaves_no_empty_part(fields: tuple[str, ...], expected: Any) -> None:
    made = letter(**{name: EVERYTHING[name] for name in fields}).raw()
    assert shape(parsed(made)) == expected
    assert read_message(made).text == "Hello.\n"


def test_every_part_comes_back_as_it_was_given() -> None:
    html, image, ics, page, log = (
        part.get_content() for part in parsed(letter(**EVERYTHING).raw()).walk() if not part.is_multipart() and part["Content-Type"]
        and part.get_content_type() != "text/plain"
    )  # fmt: skip
    assert html.replace("\r\n", "\n").strip() == EVERYTHING["html"]
    assert image == EVERYTHING["images"]["map"]
    assert ics.replace("\r\n", "\n") == DUE.ics().replace("\r\n", "\n")
    assert page.strip() == EVERYTHING["page"]
    assert log == EVERYTHING["log"]


def test_the_page_finds_its_pictures_and_programs_find_the_calendar() -> None:
    message = parsed(letter(**EVERYTHING).raw())
    (picture,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    (calendar,) = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    (related,) = [part for part in message.walk() if part.get_content_type() == "multipart/related"]
    assert picture["Content-ID"] == "<map>"
    assert calendar["Content-Type"].params["method"] == "PUBLISH"
    assert related["Content-Type"].params["type"] == "text/html"


def test_a_letter_comes_back_as_it_was_sent() -> None:
    text = "Größe, naïve, 中文 — “quoted”\nFrom here on\n.\n" + "x" * 300 + "\n"
    sent = letter(text=text, log=EVERYTHING["log"], headers={"X-Pbem-Seat": "ann", "Auto-Submitted": "auto-replied"})
    incoming = read_message(sent.raw())
    assert incoming.log == EVERYTHING["log"]
    assert incoming.text == text.replace("—", "-").replace("“", '"').replace("”", '"')
    assert (incoming.seat, incoming.sender, incoming.automatic) == ("ann", "host@example.org", True)


# --- its bytes ----------------------------------------------------------------------------------------------------------


def test_the_same_letter_is_the_same_bytes_and_another_one_has_other_boundaries() -> None:
    one, again, other = (
        letter(**EVERYTHING).raw(),
        letter(**EVERYTHING).raw(),
        letter(**EVERYTHING, message_id="2@x.org").raw(),
    )
    assert one == again
    marks = [set(re.findall(rb'boundary="([^"]+)"', raw)) for raw in (one, other)]
    assert [len(found) for found in marks] == [3, 3]
    assert not marks[0] & marks[1]


def test_a_letter_keeps_within_what_mail_servers_carry() -> None:
    raw = letter(
        **EVERYTHING | {"text": "From me\n.\nGrüße " + "x" * 500 + "\n", "html": "<p>" + ".\nFrom x\n" * 90}
    ).raw()
    lines = raw.split(b"\r\n")
    assert max(map(len, lines)) <= 78
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert not [line for line in lines if line.startswith((b".", b"From "))]


def test_text_is_folded_at_72_columns_and_behind_a_comma_where_there_is_one() -> None:
    text = (
        "MOVE Fife: Wallace, Douglas, Grant, Barclay, Lamont, Campbell > Mentieth > Lanark MAIN\n"
        "> press from afar that somebody wrote in one long line without a single comma in it, or nearly\n"
        f"  {'x' * 80} and words behind a word too long\n"
        "short\n"
    )
    assert read_message(letter(text=text).raw()).text == (
        "MOVE Fife: Wallace, Douglas, Grant, Barclay, Lamont,\nCampbell > Mentieth > Lanark MAIN\n"
        "> press from afar that somebody wrote in one long line without a single\n> comma in it, or nearly\n"
        f"  {'x' * 80}\n  and words behind a word too long\n"
        "short\n"
    )


@settings(max_examples=100)
@given(st.lists(st.text("abc, >", min_size=0, max_size=200), max_size=5))
def test_folding_loses_no_word_and_leaves_no_line_too_long(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    folded = read_message(letter(text=text).raw()).text
    assert re.findall("[abc]+", folded) == re.findall("[abc]+", text)
    assert all(len(line) <= 72 or " " not in line.lstrip("> ") for line in folded.split("\n"))


# --- its headers --------------------------------------------------------------------------------------------------------


def test_a_letter_says_what_it_belongs_to() -> None:
    message = parsed(letter(thread="0@example.org", subject="[pbem 3] Hammer: your move").raw())
    assert (message["Message-ID"], message["References"], message["In-Reply-To"]) == (
        "<1@example.org>",
        "<0@example.org>",
        "<0@example.org>",
    )
    assert message["Subject"] == "[pbem 3] Hammer: your move"
    assert "References" not in parsed(letter(thread="1@example.org").raw()), "the first of a thread answers nothing"


def test_the_envelope_is_no_part_of_the_bytes() -> None:
    assert letter(return_path="host+b-77@example.org").raw() == letter(return_path="").raw()


@pytest.mark.parametrize("field", ["sender", "to"])
@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "ann@x.org, bob@x.org",
        "ann@x.org\r\nBcc: bob@x.org",
        "ä@x.org",
        "a@x.org b@x.org",
        "club: a@x.org, b@x.org;",
    ],
)
def test_what_is_not_one_address_is_refused(field: str, address: str) -> None:
    with pytest.raises(UsageError, match="is not an e-mail address"):
        letter(**{field: address}).raw()


@pytest.mark.parametrize("field", ["message_id", "thread"])
@pytest.mark.parametrize("value", ["a b@x.org", "<a@x.org>", "a@x.org>\r\nBcc: b@x.org", "nothing", "@", "a@é"])
def test_what_is_no_message_id_is_refused(field: str, value: str) -> None:
    with pytest.raises(UsageError, match="is not a Message-ID"):
        letter(**{field: value}).raw()


NASTY = st.text(st.characters(codec="utf-8"), max_size=300) | st.lists(
    st.sampled_from(["\r\n", "\n", "\r", "Bcc: mallory@example.net", "\r\n\r\n", "--=_", "=?utf-8?q?=0ABcc:_x?=", "\u2028", "\x00",
                     "é", '"', "\\", "<", ">", "@", ",", "(", ";", " " * 90, "x" * 90, "\u202e", "\x85"]), max_size=12,
).map("".join)  # fmt: skip
ANY = st.fixed_dictionaries(
    {},
    optional={
        "sender": NASTY,
        "to": NASTY,
        "subject": NASTY,
        "text": NASTY,
        "message_id": NASTY,
        "thread": NASTY,
        "html": NASTY,
        "page": NASTY,
        "headers": st.fixed_dictionaries({"X-Loop": NASTY, "List-Id": NASTY}),
        "log": st.binary(max_size=200),
    },
)


@pytest.mark.slow
@settings(max_examples=300)
@given(ANY)
def test_no_field_adds_a_header_a_part_or_an_address(fields: dict[str, Any]) -> None:
    """A letter is refused, or it has the headers and parts of one whose fields are harmless."""
    try:
        raw = letter(**fields).raw()
    except UsageError:
        return
    harmless: dict[str, Any] = {name: "x" for name in ("html", "page") if fields.get(name)}
    if fields.get("log"):
        harmless["log"] = b"x"
    if fields.get("thread"):
        harmless["thread"] = "2@x.org"
    if "headers" in fields:
        harmless["headers"] = dict.fromkeys(fields["headers"], "x")
    made, expected = parsed(raw), parsed(letter(**harmless).raw())
    assert [name for name, _ in headers(made)] == [name for name, _ in headers(expected)]
    assert shape(made) == shape(expected)
    for field in ("From", "To"):
        assert len(made[field].addresses) == 1
    assert raw.isascii()
    assert not [line for line in raw.split(b"\r\n") if line.startswith((b".", b"From ")) or len(line) > 998]
    assert read_message(raw).problem == ""


def test_an_encoded_word_in_a_subject_is_not_decoded_into_a_header() -> None:
    """The library reads what it is given to write, and would find a line feed in it."""
    message = parsed(letter(subject="=?utf-8?q?=0ABcc:_mallory@example.net?=").raw())
    assert "Bcc" not in message
    assert message["Subject"] == "= ?utf-8?q?=0ABcc:_mallory@example.net?="


@pytest.mark.parametrize("name", ["X Y", "X:", "X\r\nBcc", ""])
def test_a_name_that_no_header_can_have_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="is not the name of a header"):
        letter(headers={name: "x"}).raw()


# --- in one pass ---------------------------------------------------------------------------------------------------------

_PIECES = [
    "abc",
    "é",
    "From",
    "a.b",
    "=?x",
    "(c)",
    '"q"',
    ",",
    ";",
    "x" * 90,
    "Übung:",
    "1",
    "<a>",
    "@",
    ".",
    "=C3",
    "日本",
]
_CALLS = 600
"""The maximum number of functions that writing a report's letter calls; the library needs four times as many."""


def _some(chance: random.Random, most: int) -> str:
    return " ".join(chance.choice(_PIECES) for _ in range(chance.randint(0, most)))


def _any(chance: random.Random) -> Letter:
    """A letter with odd words in each of its fields, and every part there or not."""
    lines = [_some(chance, 30), "From x", ".", "x ", "\t", "a\r", "\x0c"]
    everything: dict[str, Any] = {
        "sender": chance.choice(["a+b@e.org", "A b <x@y.z>", "a.b <x@y.z>", f"{'x' * 60}@{'y' * 50}.org"]),
        "to": chance.choice(["a@b.org", f"x_y@{'z' * 60}.org"]),
        "subject": chance.choice([_some(chance, 20), "x" * 140, " "]),
        "text": "\n".join(chance.choice(lines) for _ in range(chance.randint(0, 20))),
        "message_id": f"{'y' * chance.choice([1, 60, 100])}@example.org",
        "thread": chance.choice(["z@e.org", f"{'z' * 100}@e.org"]),
        "headers": {"X-A": _some(chance, 20), "Reply-To": chance.choice(["host+1.a@e.org", f"{'x' * 70}@e.org"])},
        "log": chance.randbytes(chance.randint(1, 200)),
        "log_name": chance.choice(["game.pbem", "é.json", "a b.pbem", f"{'x' * 40}.pbem", 'q".json']),
        "html": f"{_some(chance, 40)}.",
        "images": {"map@e.org": b"x" * 100, f"m@{'e' * 40}.org": b"yy"},
        "page": _some(chance, 99),
        "page_name": chance.choice(["report.html", "ü.html"]),
        "deadline": DUE,
        "language": chance.choice(["en", "fr"]),
    }
    return letter(**{name: value for name, value in everything.items() if chance.random() < 0.6})


def test_a_letter_written_in_one_pass_has_the_bytes_of_the_library() -> None:
    chance = random.Random(50)
    for one in (letter(), letter(**EVERYTHING), *(_any(chance) for _ in range(80))):
        assert one.raw() == by_the_library(one), one


def test_a_report_s_letter_is_written_with_few_calls() -> None:
    report = letter(text="A line of a report.\n" * 80, headers={"X-Loop": "pbem host@example.org"}, log=b"x" * 5000)
    report.raw()
    assert calls(report.raw) <= _CALLS
    assert calls(lambda: by_the_library(report)) > 4 * _CALLS, "the count sees what the library does"
