"""Host and player at one domain: what his program wrote and the host cannot take is refused with a letter, and not passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail import Maildir, read_message

from .post import HOST, a_club, key_of


def test_who_is_at_the_hosts_domain_hears_why_his_order_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when his order, of a program that does not look, overtakes the letter by which he changes his key."""
    monkeypatch.setattr("pbem.player.saying._check", lambda seat: seat.check())
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        desk = club.desks["ann"]
        desk.keys.rekey(key_of("another of ann"), club.now())
        for path in desk.tray.unsent():
            desk.tray.sent(path)
        order = club.order("ann")
        assert read_message(order, own=HOST).robot == "a mail of our own", "or this test shows nothing"
        outcome, letters = club.answer_to(order)
        assert outcome.startswith("refused: FORM: What it says cannot be written out here as you have signed it")
        desk.read(letters["ann"][-1])
        (full,) = desk.tray.unsent()
        assert read_message(full.read_bytes(), own=HOST).robot == "a mail of our own"
        assert club.take(full.read_bytes()).startswith("refused: SIG")
        club.office.send(club.now())
        more = [raw for _, raw, _ in Maildir(club.office.folder / "mail" / "ann").new()]
        assert any(b".refusal." in raw for raw in more)
