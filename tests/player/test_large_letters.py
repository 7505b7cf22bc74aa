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
from tests.mail.dressed import ICON, among, photo, to_many, with_headers


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


DRESSED: dict[str, Callable[[bytes], bytes]] = {
    "80 KB of headers": lambda raw: with_headers(raw, 80_000),
    "900 receivers": lambda raw: to_many(raw, 900),
    "50 parts": lambda raw: among(raw, [ICON] * 25, [ICON] * 25),
    "5 MB": lambda raw: among(raw, [photo(5_000_000)], []),
    "CR CR LF": lambda raw: raw.replace(b"\n", b"\r\r\n"),
    "CR CR CR LF": lambda raw: raw.replace(b"\n", b"\r\r\r\n"),
    "a mail attached to a large one": lambda raw: among(
        b"Subject: look\nContent-Type: message/rfc822\n\n" + raw, [ICON] * 50, []
    ),
}


@pytest.mark.variants
@pytest.mark.parametrize("how", DRESSED)
def test_a_letter_that_was_dressed_on_its_way_is_read(club: Club, how: str) -> None:
    """80 KB of headers, 900 receivers, 50 icons, a photo, or line ends CR CR LF."""
    for seat in club.asked():
        club.take(club.order(seat))
    new = club.deliver()
    asked = club.asked()[0]
    fetcher = Fetcher(club.desks[asked])
    kinds = [news.kind for letter in new[asked] if (news := fetcher.take(DRESSED[how](letter)))]
    assert kinds[-1] == "report"
    for seat, letters in new.items():
        for letter in letters:
            (saved,) = unpacked("a.eml", DRESSED[how](letter))
            assert club.desks[seat].read(saved.raw).game == club.log().game
    assert club.desks[asked].copy(club.notes(asked)).log.head == club.log().head


@pytest.mark.slow
def test_a_letter_that_cannot_be_read_says_what_helps(club: Club) -> None:
    """`pbem read` names the omitted part and the remedy. `pbem turn` leaves the letter and does not call it a stranger's."""
    raw = b"From: pbem <host@example.org>\nSubject: [pbem 1] x\n\n" + b"x" * MAX_FROM_HOST
    with pytest.raises(UsageError) as refused:
        club.desks["ann"].read(raw)
    assert "It has more than 32000000 bytes." in str(refused.value)
    assert "Save the file attached to the letter" in str(refused.value)
    news = Fetcher(club.desks["ann"]).take(raw)
    assert news is not None
    assert (news.kind, news.text) == ("left", str(refused.value))
