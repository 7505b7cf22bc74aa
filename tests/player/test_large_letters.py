"""A letter that has become large on its way, or has odd line ends, is read by a player like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.mail import unpacked
from pbem.mail.incoming import MAX_FROM_HOST
from pbem.player.post import Fetcher
from tests.host.post import Club, a_club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def _with_headers(raw: bytes) -> bytes:
    return b"".join(b"X-Filter-%d: %s\n" % (no, b"y" * 180) for no in range(400)) + raw


def _to_many(raw: bytes) -> bytes:
    return b"Cc: " + b",\n ".join(b"player.%d@example.org" % no for no in range(900)) + b"\n" + raw


def _with_parts(raw: bytes, kind: bytes = b"multipart/related", body: bytes = b"iVBORw0KGgo=", many: int = 50) -> bytes:
    """The letter as it was, in a mail with so many icons before it."""
    head, _blank, text = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    at = next(no for no, line in enumerate(lines) if line.lower().startswith(b"content-type:"))
    last = next((no for no in range(at + 1, len(lines)) if lines[no][:1] not in (b" ", b"\t")), len(lines))
    own = b"\n".join(lines[at:last])
    outer = [*lines[:at], *lines[last:], b"Content-Type: " + kind + b"; boundary=outer"]
    icon = b"--outer\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + body + b"\n"
    return b"\n".join(outer) + b"\n\n" + icon * many + b"--outer\n" + own + b"\n\n" + text + b"\n--outer--\n"


DRESSED: dict[str, Callable[[bytes], bytes]] = {
    "80 KB of headers": _with_headers,
    "900 receivers": _to_many,
    "50 parts": _with_parts,
    "5 MB": lambda raw: _with_parts(raw, body=b"/9j/4AAQ\n" * 550_000, many=1),
    "CR CR LF": lambda raw: raw.replace(b"\n", b"\r\r\n"),
    "CR CR CR LF": lambda raw: raw.replace(b"\n", b"\r\r\r\n"),
    "a mail attached to a large one": lambda raw: _with_parts(b"Subject: look\nContent-Type: message/rfc822\n\n" + raw),
}


@pytest.mark.parametrize("how", DRESSED)
def test_a_letter_that_was_dressed_on_its_way_is_read(club: Club, how: str) -> None:
    for seat in club.asked():
        club.take(club.order(seat))
    new = club.deliver()
    fetcher = Fetcher(club.desks["bob"])
    kinds = [news.kind for letter in new["bob"] if (news := fetcher.take(DRESSED[how](letter)))]
    assert kinds == ["report"]
    for seat, letters in new.items():
        for letter in letters:
            (saved,) = unpacked("a.eml", DRESSED[how](letter))
            assert club.desks[seat].read(saved.raw).game == club.log().game
    assert club.desks["bob"].copy(club.notes("bob")).log.head == club.log().head


def test_a_letter_that_cannot_be_read_says_what_helps(club: Club) -> None:
    """“pbem read” names what was left out and the remedy; “pbem turn” leaves the letter, and calls it no stranger's."""
    raw = b"From: pbem <host@example.org>\nSubject: [pbem 1] x\n\n" + b"x" * MAX_FROM_HOST
    with pytest.raises(UsageError) as refused:
        club.desks["ann"].read(raw)
    assert "It has more than 32000000 bytes." in str(refused.value)
    assert "Save the file that is attached to the letter" in str(refused.value)
    news = Fetcher(club.desks["ann"]).take(raw)
    assert news is not None
    assert (news.kind, news.text) == ("left", str(refused.value))
