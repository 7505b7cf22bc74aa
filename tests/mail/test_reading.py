"""What is read in a mail, and how much of it: limits, charsets, HTML, quotes, attachments, robots, bounces, commands."""

from __future__ import annotations

import base64
import quopri
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel import tidy
from pbem.mail import Bounce, Command, Named, read_block, read_message
from pbem.mail.finding import SEEN
from pbem.mail.incoming import MAX_MAIL
from pbem.mail.mime import MAX_DEPTH, MAX_HEAD, MAX_PARTS, take_apart
from pbem.mail.text import MAX_TEXT, decode, plain, unflow, words
from tests.mail.reading import headers, mail, parts

from .block import BLOCK, ENVELOPE

# --- limits: each cuts, and none refuses ---------------------------------------------------------------------------------

ORDER = ("Content-Type: text/plain", BLOCK)
ICON = ("Content-Type: image/png\r\nContent-Transfer-Encoding: base64", "iVBORw0KGgo=")


def is_found(raw: bytes) -> bool:
    """Is the order in it read?"""
    found = read_message(raw)
    return not found.problem and read_block(found.text) == ENVELOPE


@pytest.mark.parametrize("size", [10_000, 20_000, 80_000, 240_000, 300_000, 2_000_000])
def test_an_order_below_a_long_head_is_found(size: int) -> None:
    """What is read of it are its beginning and its end: a server writes above what the writer's program wrote."""
    whole = b"From: ann@example.org\r\n" + headers(size)
    encoded = base64.encodebytes(BLOCK.encode())
    assert is_found(mail(BLOCK, X=headers(size)[3:-2].decode()))
    assert is_found(whole + b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + encoded)
    assert read_message(whole + b"\r\n" + BLOCK.encode()).sender == "ann@example.org"


@pytest.mark.parametrize("lines", [201, 3000])
def test_an_order_below_many_headers_is_found(lines: int) -> None:
    assert is_found(b"X: y\r\n" * lines + mail(BLOCK))


@pytest.mark.parametrize("receivers", [900, 20_000])
def test_an_order_to_many_receivers_is_found(receivers: int) -> None:
    cc = ",\r\n ".join(f"player.{no}@example.org" for no in range(receivers))
    assert is_found(mail(BLOCK, From="ann@example.org", Cc=cc))
    assert is_found(mail(BLOCK, From="ann@example.org", Cc=cc.replace("\r\n", "")))


@pytest.mark.variants
@pytest.mark.parametrize("many", [20, 27, 50, 900])
@pytest.mark.parametrize("first", [True, False])
def test_an_order_among_many_parts_is_found(many: int, *, first: bool) -> None:
    icons = [ICON] * many
    assert is_found(parts(*([ORDER, *icons] if first else [*icons, ORDER])))
    inner = "".join(f"--c\r\n{head}\r\n\r\n{text}\r\n" for head, text in [*icons, ORDER]) + "--c--\r\n"
    assert is_found(parts(("Content-Type: multipart/related; boundary=c", inner), ICON))


@pytest.mark.parametrize("first", [True, False])
def test_an_order_beside_a_large_photo_is_found(*, first: bool) -> None:
    photo = ("Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64", "/9j/4AAQ\r\n" * 500_000)
    assert is_found(parts(*([ORDER, photo] if first else [photo, ORDER])))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_an_order_far_down_in_a_long_text_is_found(kind: str) -> None:
    long = "hello there\n" * (3 * SEEN // 12)
    assert is_found(mail(f"{long}{BLOCK}\n{long}", f"text/{kind}"))
    assert is_found(parts((f"Content-Type: text/{kind}", long), ("Content-Type: text/plain", f"{long}{BLOCK}"), ORDER))


@pytest.mark.slow
def test_the_order_in_a_mail_that_is_cut_off_is_found() -> None:
    photo = ("Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64", "/9j/4AAQ\r\n" * (MAX_MAIL // 10))
    assert is_found(parts(ORDER, photo))


def test_parts_deeper_than_is_looked_are_searched_as_text() -> None:
    raw = mail(BLOCK)
    for no in range(MAX_DEPTH + 5):
        raw = b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n%b\r\n--%d--\r\n' % (no, no, raw, no)
        assert is_found(raw), no


MUCH = ("Content-Type: text/plain", "hello")
TOO_MUCH = {
    "bytes": mail("x" * MAX_MAIL),
    "parts": parts(*[MUCH] * (MAX_PARTS + 1)),
    "deep": mail("hello"),
    "A head": b"X: y\r\n" * (MAX_HEAD // 5) + mail("hello"),
    "The heads": parts(*[("Content-Type: text/plain; x=" + ";" * 20_000, "x")] * 60),
    "texts": mail("hello " * SEEN),
}
for number in range(MAX_DEPTH + 1):
    TOO_MUCH["deep"] = b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n%b' % (
        number,
        number,
        TOO_MUCH["deep"],
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", TOO_MUCH)
def test_where_nothing_that_counts_is_found_it_is_said_what_was_left_out(what: str) -> None:
    found = read_message(TOO_MUCH[what])
    assert what in found.problem
    assert found.cut


@pytest.mark.slow
@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_request_in_what_is_read_counts(what: str) -> None:
    found = read_message(b"From: ann@example.org\r\nSubject: STATUS\r\n" + TOO_MUCH[what])
    assert found.command == Command("STATUS") or found.text != ""
    assert found.sender == "ann@example.org"


def test_64_kb_of_text_are_read() -> None:
    text = read_message(mail("STATUS\n" + "é" * 100_000)).text
    assert len(text) == MAX_TEXT
    assert text.startswith("STATUS\né")


@pytest.mark.parametrize("more", [1, 2, 5])
def test_lines_that_end_in_several_cr_are_read(more: int) -> None:
    """A program that takes LF for CR LF, and does so once more."""
    raw = parts(ORDER, ICON).replace(b"\r\n", b"\n").replace(b"\n", b"\r" * more + b"\n")
    assert is_found(raw)
    assert read_message(raw).text == read_message(raw.replace(b"\r", b"")).text
    inside = quopri.encodestring(BLOCK.replace("\n", "\r" * more + "\n").encode())
    assert is_found(mail(inside, Content_Transfer_Encoding="quoted-printable"))


# --- heads, parts -------------------------------------------------------------------------------------------------------


def test_a_folded_header_is_one_and_a_second_of_its_name_does_not_count() -> None:
    message, _ = take_apart(b"From x Tue\nSubject: a\r\n\tb\r\n c\r\nsubject: d\r\nX : e\r\n\r\n")
    assert message.get("subject") == "a b c"
    assert message.all("subject") == ["a b c", "d"]
    assert message.get("x") == "e"


@pytest.mark.parametrize(
    "raw", [b"hello there\r\nworld", b"Subject: x\r\nhello there\r\nworld", b"\r\nhello there\r\nworld"]
)
def test_a_head_that_is_missing_or_cut_short_costs_no_text(raw: bytes) -> None:
    assert read_message(raw).text.split() == ["hello", "there", "world"]


@pytest.mark.parametrize("kind", ["multipart/mixed", 'multipart/mixed; boundary=""', "multipart/mixed; boundary=never"])
def test_a_multipart_without_parts_is_text(kind: str) -> None:
    assert read_message(mail("STATUS\n", kind)).command == Command("STATUS")


def test_a_part_that_is_never_closed_is_read() -> None:
    assert read_message(mail("--b\r\n\r\nSTATUS", "multipart/mixed; boundary=b")).text == "STATUS"


def test_a_boundary_that_begins_another_one_is_told_from_it() -> None:
    inner = "--bb\r\n\r\nSTATUS\r\n--bb--"
    raw = mail(
        f"--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n{inner}\r\n--b--", "multipart/mixed; boundary=b"
    )
    assert read_message(raw).text == "STATUS"


@pytest.mark.parametrize("encoding", ["base64", "Quoted-Printable", "7bit", "8bit", "binary", "x-nobody-knows"])
def test_an_encoded_body_is_decoded(encoding: str) -> None:
    data = "Größe =3D\n".encode()
    made = {"base64": base64.encodebytes(data), "Quoted-Printable": quopri.encodestring(data)}.get(encoding, data)
    assert read_message(mail(made, Content_Transfer_Encoding=encoding)).text == "Größe =3D\n"


@pytest.mark.parametrize("damage", [b"=", b"====", b"A", b"\xff\x00", b"AAAA=AAAA", b"<b>"])
def test_broken_base64_is_read_as_far_as_it_goes(damage: bytes) -> None:
    body = base64.b64encode(b"STATUS") + damage
    assert read_message(mail(body, Content_Transfer_Encoding="base64")).text.startswith("STATUS")


# --- charsets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Größe".encode("latin-1"), "iso-8859-1", "Größe"),
        ("Größe".encode("utf-16"), "utf-16", "Größe"),
        ("Größe".encode("cp437"), "IBM437", "Größe"),
        ("Größe".encode(), "us-ascii", "Größe"),
        ("Größe".encode(), "", "Größe"),
        (b"\x93Gr\xf6\xdfe\x94", "utf-8", "“Größe”"),
        (b"\x81Gr\xf6\xdfe", "klingon", "\x81Größe"),
        (b"Groesse", "punycode", "Groesse"),
        (b"Groesse", "base64", "Groesse"),
        (b"Gr\\xf6sse", "unicode_escape", "Gr\\xf6sse"),
        (b"Groesse", "x" * 300, "Groesse"),
    ],
)
def test_a_text_is_read_by_its_charset_else_by_utf8_windows_1252_latin_1(data: bytes, charset: str, text: str) -> None:
    assert decode(data, charset) == text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("CARD\u00a0Herald", "CARD Herald"),
        ("CARD\u202fHerald\u2009!", "CARD Herald !"),
        ("\u201cAngus\u201d \u2018s\u2019 \u201eMar\u201f \u00abRoss\u00bb", '"Angus" \'s\' "Mar" "Ross"'),
        ("Mar \u2013 Ross \u2014 \u2010\u2011\u2012\u2015\u2212", "Mar - Ross - -----"),
        ("A\u200bn\u200cg\u200du\u2060s\ufeff\u00ad", "Angus"),
        ("ＣＡＲＤ ﬁve ①", "CARD five 1"),
        ("Cafe\u0301", "Café"),
    ],
)
def test_letters_become_plain_ones(written: str, read: str) -> None:
    assert tidy(written) == read


@settings(max_examples=200)
@given(st.text(max_size=40))
@pytest.mark.slow
def test_what_is_plain_stays_as_it_is(text: str) -> None:
    """A report as it comes is compared with the report as it was made."""
    assert tidy(tidy(text)) == tidy(text)


def test_no_letter_bears_a_thousand_marks() -> None:
    """To sort them, the library takes the square of their number."""
    assert len(tidy("a" + "\u0301\u0323" * 30_000)) <= 31
    assert len(tidy("a" + "\u0f73" * 30_000)) <= 61


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("=?iso-8859-1?Q?Gr=FC=DFe?=", "Grüße"),
        ("=?utf-8?B?R3LDvMOfZQ==?= =?utf-8?q?_an_alle?=", "Grüße an alle"),
        ("=?nonsense?q?a?= =?utf-8?b?!?=", None),
        ("a\tb   c\x00\x07", "a b c"),
        ("\u202egnorw", "gnorw"),
    ],
)
def test_a_header_is_read_as_words(value: str, read: str | None) -> None:
    assert words(value) == read if read else words(value)


# --- format=flowed ------------------------------------------------------------------------------------------------------

WRAPPED = "MOVE Fife: Wallace, Douglas > \nMentieth\n> quoted \n> text\n-- \nWilliam \nWallace\n"


def test_wrapped_lines_are_joined_only_where_flowed_is_declared() -> None:
    assert read_message(mail(WRAPPED)).text == WRAPPED
    flowed = read_message(mail(WRAPPED, 'text/plain; Format="Flowed"')).text
    assert flowed == "MOVE Fife: Wallace, Douglas > Mentieth\n> quoted text\n-- \nWilliam Wallace\n"


def test_flowed_lines_may_lose_their_blank_and_their_stuffing() -> None:
    assert unflow("Lan \nark\n From here\n >no quote", delsp=True) == "Lanark\nFrom here\n>no quote"


@pytest.mark.parametrize(
    ("text", "joined"), [("a \n> b", "a \n> b"), ("> a \nb", "> a \nb"), ("a \n-- \nb", "a \n-- \nb"), ("a ", "a ")]
)
def test_a_line_is_not_joined_to_one_that_is_quoted_otherwise_or_to_a_signature(text: str, joined: str) -> None:
    assert unflow(text) == joined


@settings(max_examples=100)
@given(st.lists(st.text("ab >", max_size=9)))
def test_unflowing_loses_no_letter(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert [c for c in unflow(text) if c in "ab"] == [c for c in text if c in "ab"]


# --- HTML ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("<p>a\n   b</p><p>c</p>", "a b\n\nc\n"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<head><title>x</title></head>a<style>p {}</style><script>if (a<b) x</script>b<!-- <p>no -->c", "abc"),
        ("<header>a</header>", "a"),
        ("<style>never closed <p>a", "a"),
        ("<html><head><meta name=x><body><pre>a\nb</pre>", "a\nb"),
        ("<head><title/><p>a", "a"),
        ("<title>never closed<pre>a\nb", "a\nb"),
        ("<script src=x />a", "a"),
        ("<!-->a<!--->b<!-- c --!>d", "abd"),
        ("<!--[if mso]><p>x</p><![endif]-->a<!--[if !mso]><!-->b<!--<![endif]--><![if !x]>c<![endif]>", "abc"),
        ("<p>a<!-- never closed <p>b", "ab"),
        ("a<br clear=all>b<br / >c</br>d", "a\nb\nc\nd"),
        ("a&nbspb &ltc&gt &amp d", "a\xa0b <c> & d"),
        ("no tag\nat all &amp; 1 < 2", "no tag\nat all & 1 < 2"),
        ("<?xml version='1.0'?><!doctype html><template><p>x</template>a", "a"),
        ("a &lt;b&gt; &amp; &quot;c&quot; &#8217;", 'a <b> & "c" ’'),
        ("1 < 2 and <3", "1 < 2 and <3"),
        ("<blockquote>old<blockquote>older</blockquote></blockquote>new", "> old\n> > older\nnew"),
        ("<pre>a  b\n  c</pre>", "a  b\n  c"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ('<a href="http://x/?a>b">w</a>', 'b">w'),
        ("a<unfinished", "a<unfinished"),
        ("İ<b>x</b>", "İx"),
    ],
)
def test_a_page_is_read_as_words(page: str, text: str) -> None:
    assert plain(page) == text


def test_a_mail_of_html_alone_is_read() -> None:
    assert read_message(mail("<html><body><div>Status</div></body></html>", "text/html")).command == Command("STATUS")


def test_plain_text_is_read_before_html() -> None:
    both = [("Content-Type: text/html", "<p>HELP</p>"), ("Content-Type: text/plain", "STATUS")]
    assert read_message(parts(*both, kind="multipart/alternative")).text == "STATUS"


def test_html_is_read_where_the_plain_text_is_empty() -> None:
    both = [("Content-Type: text/plain", " \r\n"), ("Content-Type: text/html", "<p>STATUS</p>")]
    assert read_message(parts(*both, kind="multipart/alternative")).command == Command("STATUS")


# --- attachments --------------------------------------------------------------------------------------------------------

FILE = "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=order.txt"


def test_orders_in_a_text_file_count_where_the_body_has_none() -> None:
    found = read_message(parts(("Content-Type: text/plain", "See the file."), (FILE, BLOCK)))
    assert read_block(found.text) == ENVELOPE


def test_orders_in_a_text_file_do_not_count_where_the_body_has_some() -> None:
    found = read_message(parts((FILE, f"other\r\n{BLOCK}"), ("Content-Type: text/plain", f"body\r\n{BLOCK}")))
    assert found.text.startswith("body")


def test_a_whole_block_in_a_file_stands_in_for_a_damaged_one_in_the_body() -> None:
    found = read_message(parts(("Content-Type: text/plain", BLOCK.replace("0", "")), (FILE, BLOCK)))
    assert read_block(found.text) == ENVELOPE


def test_the_parts_of_a_digest_are_messages() -> None:
    read = read_message(parts(("X: y", f"\r\n{BLOCK}"), kind="multipart/digest"))
    assert read_block(read.text) == ENVELOPE


def test_the_log_is_known_by_its_type_or_its_name() -> None:
    for head in ("Content-Type: application/x-pbem", 'Content-Type: text/plain; name="3f29.PBEM"',
                 "Content-Disposition: attachment; filename*=utf-8''3f29.pbem"):  # fmt: skip
        found = read_message(parts(("Content-Type: text/plain", "hello"), (head, '{"k":"game"}')))
        assert (found.text, found.log) == ("hello", b'{"k":"game"}')


# --- to whom, about which game ------------------------------------------------------------------------------------------


def test_a_game_is_named_by_address_line_subject_and_thread_in_this_order() -> None:
    raw = mail(
        "GAME 3F29-c1d0 TURN 1298.3\nSTATUS\n", To="The host <host+g42@example.org>", Subject="Re: [pbem 7] Hammer: your move",
        References="<0123456789abcdef.invitation.ann@example.org> <x@example.net>",
        In_Reply_To="<0123456789abcdef.report.9.ann@example.org>",
    )  # fmt: skip
    found = read_message(raw)
    thread = Named("thread", "0123456789abcdef")
    assert found.games == (Named("address", "42"), Named("line", "3f29c1d0"), Named("subject", "7"), thread)
    assert found.references == (
        "0123456789abcdef.report.9.ann@example.org",
        "x@example.net",
        "0123456789abcdef.invitation.ann@example.org",
    )
    assert found.command == Command("STATUS")


def test_all_addresses_that_a_mail_came_to_are_known() -> None:
    raw = mail("x", To="a@x.org, b@x.org", Cc="c@x.org (d@x.org)", Delivered_To="e@x.org")
    assert read_message(raw, recipient="<f@x.org>").to == ("f@x.org", "e@x.org", "a@x.org", "b@x.org", "c@x.org")


@pytest.mark.parametrize(
    "value",
    [
        "bob@x.org",
        "Bob <bob@x.org>",
        '"ann@y.org" <bob@x.org>',
        "=?utf-8?q?B=C3=B6b?= <bob@x.org>",
        "(ann@y.org) bob@x.org",
        '"a, b" <bob@x.org>, ann@y.org',
        "club: bob@x.org;",
        "ann@y.org <bob@x.org>",
        "(" * 4000 + ")" * 4000 + "<bob@x.org>",
    ],
)
def test_the_sender_is_the_address_in_from(value: str) -> None:
    assert read_message(mail("x", From=value)).sender == "bob@x.org"


@pytest.mark.parametrize("value", ["", "bob", "<>", "(" * 9000, '"bob@x.org', "group:;", "<<<<", "@", "a@b@"])
def test_a_sender_that_is_none_is_empty(value: str) -> None:
    assert read_message(mail("x", From=value)).sender in ("", "a@b")


# --- commands -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("STATUS", Command("STATUS")),
        ("\n\n> old\n help. \nSTATUS", Command("HELP")),
        ("Board\n-- \nSTATUS", Command("BOARD")),
        ("resend since 12", Command("RESEND", 12)),
        ("RESEND 3", Command("RESEND", 3)),
        ("RESEND", Command("RESEND")),
        ("STATUS # please", Command("STATUS")),
        ("Hello!\nSTATUS", None),
        ("help me", None),
        ("STATUS 3", None),
        ("RESEND SINCE ever", None),
        ("RESEND SINCE 9999999999", None),
        ("END\nSTATUS", None),
        ("signoff\nSTATUS", None),
        ("-- \nSTATUS", None),
        ("--\nSTATUS", None),
        ("> STATUS", None),
        ("", None),
        (f"STATUS\n\n{BLOCK}", None),
        (f"STATUS\n\n{BLOCK[:-5]}", None),
    ],
)
def test_a_command_is_the_first_line_of_ones_own_without_a_signed_block(text: str, command: Command | None) -> None:
    assert read_message(mail(text)).command == command


# --- robots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: All\r\nAuto-Submitted: auto-generated; why",
        "X-Autoreply: yes",
        "Precedence: auto_reply",
        "Auto-Submitted: No\r\nAuto-Submitted: auto-notified",
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: list",
        "List-Id: <a.example.org>",
        "X-Loop: alice@forward.example.net\r\nX-Loop: pbem host@example.org",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status",
        "From: MAILER-DAEMON@example.org",
        "From: The Postmaster <postmaster@example.org>",
        "From: no-reply@example.org",
        "From: Shop <noreply+123@example.org>",
        "From: do-not-reply@example.org",
        "From: bounces@example.org",
        "From: bob@example.org\r\nReturn-Path: <MAILER-DAEMON@mx.example.org>",
        "From: bob@example.org\r\nSender: Mail Delivery <mailer-daemon@mx.example.org>",
        "Message-ID: <0123456789abcdef.report.4.ann@Example.org>",
    ],
)
def test_robots_are_known_by_their_marks_and_get_no_command_done(header: str) -> None:
    found = read_message(f"{header}\r\n\r\nSTATUS\r\n".encode(), own="host@example.org")
    assert found.automatic
    assert found.command is None


def test_an_empty_envelope_sender_is_a_mark() -> None:
    assert read_message(b"\r\nhello", envelope="").automatic
    assert not read_message(b"\r\nhello", envelope="bob@example.org").automatic
    assert not read_message(b"\r\nhello", envelope=None).automatic


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: No; a person",
        "Precedence: first-class",
        "X-Auto-Response-Suppress: none",
        "X-Auto-Response-Suppress: All",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply\r\nAuto-Submitted: auto-generated",
        "Auto-Submitted: auto-generated",
        "Auto-Submitted: Auto-Generated; by a phone",
        "X-Loop: alice@forward.example.net",
        "X-Loop: host@example.org",
        "From: bob@example.org\r\nReturn-Path: <bounces+77@list.example.org>",
        "From: bob@example.org\r\nReturn-Path: <bounces+SRS=Xb3kq=ZZ@club.onmicrosoft.com>",
        "From: bob@example.org\r\nReturn-Path: <SRS0=Xb3k=ZZ=example.org=bob@forward.example.net>",
        "From: bob@example.org\r\nReturn-Path: <noreply@forward.example.net>",
        "From: bob@example.org\r\nSender: bounce+bob=example.org@mail.example.net",
        "From: Noreen <noreen@example.org>",
        "From: Bounce McKay <bouncey@example.org>",
        "Message-ID: <bob.1@example.org>",
        "Message-ID: <0123456789abcdef.report.4.ann@example.net>",
    ],
)
def test_people_are_no_robots(header: str) -> None:
    assert read_message(f"{header}\r\n\r\nSTATUS\r\n".encode(), own="host@example.org").robot == ""


# --- bounces ------------------------------------------------------------------------------------------------------------


def bounce(status: str, action: str = "failed", to: str = "host+b-a1b2c3@example.org", more: str = "") -> bytes:
    report = (
        f"Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; x\r\nAction: {action}\r\nStatus: {status}\r\n{more}"
    )
    body = f"--b\r\n\r\nNo such user.\r\n{BLOCK}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n{report}\r\n--b--\r\n"
    return mail(body, "multipart/report; report-type=delivery-status; boundary=b", To=to)


@pytest.mark.parametrize(
    ("status", "action", "kind"),
    [
        ("5.1.1", "failed", "hard"),
        ("5.1.10 (no such host)", "Failed", "hard"),
        ("5.2.1", "failed", "hard"),
        ("5.0.0", "failed", "hard"),
        ("5.2.2", "failed", "soft"),
        ("5.3.4", "failed", "soft"),
        ("5.7.1", "failed", "soft"),
        ("4.4.1", "failed", "soft"),
        ("4.4.1", "delayed", "soft"),
        ("2.1.5", "delivered", ""),
        ("5.1.1", "relayed", ""),
        ("nonsense", "failed", "soft"),
    ],
)
def test_a_bounce_is_hard_or_soft_by_its_status(status: str, action: str, kind: str) -> None:
    found = read_message(bounce(status, action)).bounce
    assert found is not None
    assert (found.token, found.kind) == ("a1b2c3", kind)


def test_the_hardest_of_several_statuses_counts() -> None:
    more = "\r\nFinal-Recipient: rfc822; y\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    assert read_message(bounce("4.2.2", more=more)).bounce == Bounce("a1b2c3", "hard", "5.1.1")


def test_a_bounce_is_known_by_its_address_alone() -> None:
    assert read_message(bounce("5.1.1", to="host@example.org")).bounce is None
    there = read_message(bounce("5.1.1", to="host@example.org"), recipient="host+b-77@example.org")
    assert there.bounce == Bounce("77", "hard", "5.1.1")
    text = "550 5.1.1 <host+b-77@example.org> Undelivered Mail\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    assert read_message(mail(text, Subject="host+b-77@example.org", To="host@example.org")).bounce is None


def test_what_comes_to_a_way_back_and_is_no_report_says_nothing_and_is_not_answered() -> None:
    found = read_message(mail("STATUS\nAction: failed\nStatus: 5.1.1", To="host+b-77@example.org"))
    assert found.bounce == Bounce("77")
    assert found.automatic
    assert found.command is None


# --- when a mail came ---------------------------------------------------------------------------------------------------

RECEIVED: dict[str, tuple[str, str]] = {
    "Postfix": ("from a (a [192.0.2.1]) by b (Postfix) with ESMTP id 4V1x; Tue,  1 Jan 2030 11:00:05 +0000 (UTC)", "11:00:05"),
    "Exim": ("from a by b with esmtps (Exim 4.96) (envelope-from <x@y>) id 1r; Tue, 01 Jan 2030 12:00:05 +0100", "11:00:05"),
    "Exchange": ("from A.example (2603::1) by B.example with HTTPS via C.EXAMPLE; Tue, 1 Jan 2030 11:00:05 +0000", "11:00:05"),
    "qmail": ("(qmail 1234 invoked by uid 89); 1 Jan 2030 11:00:05 -0000", "11:00:05"),
    "Gmail, by local time": ("by 2002:a05:7300 with SMTP id z; Tue, 1 Jan 2030 03:00:05 -0800 (PST)", "11:00:05"),
    "no seconds": ("by b; 1 Jan 2030 11:00 +0000", "11:00:00"),
    "a quarter of an hour": ("by b; 1 Jan 2030 16:45:05 +0545", "11:00:05"),
    "half an hour behind": ("by b; 1 Jan 2030 07:30:05 -0330", "11:00:05"),
    "fourteen hours ahead": ("by b; 2 Jan 2030 01:00:05 +1400", "11:00:05"),
    "GMT": ("by b; Tue, 1 Jan 2030 11:00:05 GMT", "11:00:05"),
    "a leap second": ("by b; Tue, 1 Jan 2030 11:00:60 +0000", "11:00:59"),
    "folded": ("by b\r\n\twith X;\r\n Tue, 1 Jan\r\n 2030 11:00:05\r\n +0000", "11:00:05"),
    "a comment behind it": ("by b; Tue, 1 Jan 2030 11:00:05 +0000 (seen; or not)", "11:00:05"),
    "a name that is a date": ("from [x] (helo=1 Jan 1999 00:00:00 +0000;) by b; 1 Jan 2030 11:00:05 +0000", "11:00:05"),
    "shouted": ("BY B; TUE, 1 JAN 2030 11:00:05 +0000", "11:00:05"),
}  # fmt: skip


@pytest.mark.parametrize("how", RECEIVED)
def test_when_a_mail_came_the_last_server_says(how: str) -> None:
    line, clock = RECEIVED[how]
    raw = b"Received: " + line.encode() + b"\r\nReceived: from c by a; Mon, 31 Dec 2029 09:00:00 +0000\r\n"
    assert read_message(raw + mail("hello")).arrived == f"2030-01-01T{clock}Z"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "by b",
        "by b; yesterday",
        "by b; Tue, 1 Jan 2030",
        "by b; 1 Jan 2030 11:00:05",
        "by b; 1 Jan 2030 11:00:05 EST",
        "by b; 1 Jan 30 11:00:05 +0000",
        "by b; 30 Feb 2030 11:00:05 +0000",
        "by b; 0 Jan 2030 11:00:05 +0000",
        "by b; 1 Jun 2030 25:00:05 +0000",
        "by b; 1 Jan 2030 11:60:05 +0000",
        "by b; 1 Foo 2030 11:00:05 +0000",
        "by b; 1 Jan 2030 11:00:05 +1500",
        "by b; 1 Jan 2030 11:00:05 +0075",
        "by b; 1 Jan 2030 11:00:05 +99999",
        "by b; 1 Jan 0001 00:00:00 +1400",
        "by b; 31 Dec 9999 23:59:59 -1400",
        "by b; ١ Jan ٢٠٣٠ ١١:٠٠:٠٥ +٠٠٠٠",
    ],
)
def test_a_line_that_names_no_moment_says_nothing(line: str) -> None:
    assert read_message(f"Received: {line}\r\n".encode() + mail("hello")).arrived == ""


def test_a_very_long_line_is_read_from_its_end() -> None:
    long = "from " + "1 Jan 1999 00:00:00 +0000 " * 600
    raw = f"Received: {long}by b; 1 Jan 2030 11:00:05 +0000\r\n".encode() + mail("hello")
    assert len(raw) > 15_000
    assert read_message(raw).arrived == "2030-01-01T11:00:05Z"


def test_a_mail_that_went_through_no_server_came_at_no_time() -> None:
    assert read_message(mail("hello", Date="Tue, 1 Jan 2030 11:00:05 +0000")).arrived == ""
    body = mail("Received: by b; 1 Jan 2030 11:00:05 +0000\n")
    assert read_message(body).arrived == "", "what stands in the text is no server's"


@settings(max_examples=200)
@given(st.text(st.sampled_from("1 2Jan:;+-0930GMT()\t"), max_size=80))
def test_when_a_mail_came_is_a_moment_or_nothing(line: str) -> None:
    arrived = read_message(b"Received: by b; " + line.encode() + b"\r\n" + mail("hello")).arrived
    assert arrived == "" or re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", arrived)


# --- what an invitation brings -------------------------------------------------------------------------------------------

TOKEN = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("text", "token"),
    [
        (f"TOKEN {TOKEN}", TOKEN),
        (f"hello\r\n   token \t {TOKEN.upper()}  \r\nbye", TOKEN),
        (f"TOKEN\u00a0{TOKEN}", TOKEN),
        (f"> > TOKEN {TOKEN}", TOKEN),
        (f"> TOKEN {'f' * 32}\r\nTOKEN {TOKEN}", TOKEN),
        (f"TOKEN {TOKEN}\r\nTOKEN {'f' * 32}", TOKEN),
        (f"TOKEN {TOKEN}0", ""),
        (f"TOKEN {TOKEN[1:]}", ""),
        (f"TOKEN {TOKEN} or so", ""),
        (f"your TOKEN {TOKEN}", ""),
        (f"TOKEN\r\n{TOKEN}", ""),
        (f"TOKEN {'g' * 32}", ""),
        ("TOKEN " + "٠" * 32, ""),
    ],
)
def test_a_token_stands_on_a_line_of_its_own(text: str, token: str) -> None:
    assert read_message(mail(text)).token == token
