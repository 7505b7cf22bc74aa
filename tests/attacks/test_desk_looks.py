"""What a desk looks at before it signs: rules that nobody knows, letters that say otherwise, times, numbers seen before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import FormError, RecordError, UsageError
from pbem.games import find, manifest
from pbem.games.releases import Known
from pbem.ledger import cj, sha256_hex
from pbem.mail import Letter, read_message
from pbem.player import Desk
from tests.attacks.desk_looks import answer
from tests.host.another_host import adopt, vanish
from tests.host.post import HOST, Club, a_club, key_of, moment
from tests.host.says import Later
from tests.player.desk import changed, next_report, retold

INVENTED = sha256_hex(b"rules that nobody has")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24, turns=3) as club:
        yield club.begin()


@pytest.fixture
def invented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A host that names rules which nobody can look up; it plays by the true ones."""
    monkeypatch.setattr("pbem.host.roster.manifest", lambda _game: ("", INVENTED))
    with a_club(tmp_path / "club") as club:
        yield club


def invite(club: Club) -> dict[str, bytes]:
    return {seat: raws[0] for seat, raws in club.deliver().items()}


def arrived(raw: bytes, minute: int) -> bytes:
    """A letter as the reader's server has stamped it in that minute."""
    date = format_datetime(datetime.fromisoformat(moment(minute)))
    return f"Received: from host.example.org by mx.example.org; {date}\r\n".encode() + raw


# -- another format -----------------------------------------------------------------------------------------------------


def test_no_seat_is_taken_in_a_game_of_a_former_format(tmp_path: Path) -> None:
    """That format binds the host to no times and lets stored statements count later."""
    with a_club(tmp_path / "club") as club:
        raw, first = invite(club)["ann"], club.log().entries[0].fields
        old = {name: value for name, value in first.items() if name not in ("at", "deals", "terms")}
        old |= {"proto": "pbem-log/0", "chains": first["chains"] | {"deal:1": first["deals"]}}
        letter = Letter(HOST, "ann@example.org", "Tiny", read_message(raw).text, "old@host", datetime.fromisoformat(moment(0)),
                        log=cj(old) + b"\n", log_name="old.pbem", headers={"X-Pbem-Seat": "ann"})  # fmt: skip
        with pytest.raises(FormError, match="The log is written in pbem-log/0, but this program reads pbem-log/1"):
            club.desks["ann"].join(letter.raw(), club.now())
        assert club.desks["ann"].tray.unsent() == []


# -- rules that are not known -------------------------------------------------------------------------------------------


def test_a_game_with_unknown_rules_is_not_played(invented: Club) -> None:
    """Under an invented fingerprint an audit could judge nothing. You can play such a game only by typing the fingerprint."""
    for seat, raw in invite(invented).items():
        desk = invented.desks[seat]
        for typed in ("", INVENTED[:15], INVENTED[::-1], manifest(find("tiny"))[1]):
            with pytest.raises(UsageError, match=f"add “--rules {INVENTED[:16]}”"):
                desk.join(raw, invented.now(), typed)
        assert desk.tray.unsent() == []


@pytest.mark.slow
def test_who_types_their_fingerprint_plays_by_them_all_the_same(invented: Club) -> None:
    """In so many words; and each machine of his, and each thing that is signed, asks for itself until he has."""
    laptop = invented.new_desk("ann", "laptop")
    for seat, raw in invite(invented).items():
        said = invented.desks[seat].join(raw, invented.now(), INVENTED[:16].upper())
        assert f"with the fingerprint {INVENTED[:16]}…: NOT KNOWN HERE" in said
        invented.take(invented.letters(invented.desks[seat])[0])
    laptop.read(invented.received["ann"][0])
    rosters = {seat: raws[-1] for seat, raws in invented.deliver().items()}
    with pytest.raises(UsageError, match="add “--rules"):
        laptop.join(rosters["ann"], invented.now())
    assert laptop.tray.unsent() == []
    for seat, raw in rosters.items():
        assert "NOT KNOWN HERE" in invented.desks[seat].join(raw, invented.now())
        invented.take(invented.letters(invented.desks[seat])[0])
    invented.read_all()
    question = invented.received["ann"][-1]
    laptop.read(question)
    with pytest.raises(UsageError, match="add “--rules"):
        laptop.order(laptop.notes(), "CARD c1", "", invented.now())
    vanish(invented)
    adopt(invented)
    raw = invented.deliver()["ann"][-1]
    with pytest.raises(UsageError, match="add “--rules"):
        laptop.newcomers.welcome(raw, invented.now())
    assert laptop.tray.unsent() == []
    assert "NOT KNOWN HERE" in invented.desks["ann"].newcomers.welcome(raw, invented.now())


@pytest.mark.slow
def test_amended_rules_are_those_that_one_has_oneself(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host proposes version 2 by a made-up fingerprint; the desk agrees to its own, and the host can do nothing with that."""
    pack = replace(find("tiny"), rules=Later())
    club.robot.house._packs["tiny"] = pack
    monkeypatch.setattr("pbem.host.says.manifest", lambda _game: ("", INVENTED))
    for seat, desk in club.desks.items():
        desk._packs["tiny"] = pack
        assert manifest(pack)[1][:16] in desk.speaker(desk.notes()).agree_to_rules(club.now())
        assert club.take(club.letters(desk)[0]).startswith("refused: BIND"), seat
    assert not [entry for entry in club.log().entries if entry.k == "amend"]


LISTED: dict[str, tuple[Known, str]] = {
    "known": (
        Known("tiny", 1, INVENTED, "0.9", "2029-01-01"),
        "Tiny, version 1 of the rules: those of pbem 0.9, which play as the installed ones",
    ),
    "known under another version": (Known("tiny", 2, INVENTED, "0.9", "2029-01-01"), ""),
    "known as another game": (Known("hammer", 1, INVENTED, "0.9", "2029-01-01"), ""),
}


@pytest.mark.variants
@pytest.mark.parametrize("how", LISTED)
def test_what_a_release_has_played_by_is_taken_and_named(
    invented: Club, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Any pair of game, version and fingerprint on the list; a fingerprint alone is none."""
    line, told = LISTED[how]
    monkeypatch.setattr("pbem.games.releases.all_listed", lambda: (line,))
    desk, raw = invented.desks["ann"], invite(invented)["ann"]
    if told:
        assert told in desk.join(raw, invented.now())
    else:
        with pytest.raises(UsageError, match="not known here"):
            desk.join(raw, invented.now())


def test_another_version_on_the_list_is_taken_and_named(invented: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk has version 2 by now; the game is to be played by version 1, as pbem 0.9 has it."""
    monkeypatch.setattr("pbem.games.releases.all_listed", lambda: (LISTED["known"][0],))
    desk = invented.desks["ann"]
    desk._packs["tiny"] = replace(find("tiny"), rules=Later())
    said = desk.join(invite(invented)["ann"], invented.now())
    assert "Tiny, version 1 of the rules: those of pbem 0.9\n" in f"{said}\n"
    assert "installed" not in said


# -- letters that say otherwise -----------------------------------------------------------------------------------------

TERMS = (
    "Tiny, version 1 of the rules: those that are installed here",
    "at least 24 and at most 744 hours for an answer",
    "then a default answer is taken",
)


def lies(text: str) -> str:
    """A letter with other terms and options than entry 0 has."""
    return (
        text.replace("24 hours", "240 hours").replace("default answer", "kind answer")
        + "\nturns: 99\nno limit of time\n"
    )


def shows_entry_0(said: str) -> bool:
    """Does the desk say what counts, and nothing of what the letter made of it?"""
    assert "Entry 0 of the log says the following, which is valid" in said
    return all(line in said for line in TERMS) and not any(
        lie in said for lie in ("240 hours", "turns: 99", "kind answer", "no limit")
    )


@pytest.mark.slow
def test_options_and_terms_are_shown_as_entry_0_has_them(tmp_path: Path) -> None:
    """The host's letter names other options or terms, at join, ready or another host. The honest letter shows the same."""
    with a_club(tmp_path, hours=24) as club:
        for _ in ("invitation", "roster"):
            for seat, (raw,) in club.deliver().items():
                lie = changed(raw, text=lies)
                assert "turns: 99" in read_message(lie).text
                assert shows_entry_0(club.desks[seat].join(lie, club.now(), seat=seat))  # written to nobody's address
            for desk in club.desks.values():
                assert all(club.take(letter).startswith(("joined", "ready")) for letter in club.letters(desk))
        club.read_all()
        vanish(club)
        adopt(club)
        for seat, raws in club.deliver().items():
            assert shows_entry_0(club.desks[seat].newcomers.welcome(changed(raws[-1], text=lies), club.now()))
            club.take(club.letters(club.desks[seat])[0])
        for seat, raws in club.deliver().items():
            assert shows_entry_0(club.desks[seat].join(changed(raws[-1], text=lies), club.now()))


# -- times --------------------------------------------------------------------------------------------------------------


def dated(club: Club, shift: int) -> bytes:
    """Ann's next report, as it came so many minutes after the moment that its question names."""
    raw = next_report(club)
    lines = club.log().entries
    at = datetime.fromisoformat(str(lines[-1].fields["at"]))
    first = datetime.fromisoformat(moment(0))
    return arrived(raw, int((at - first).total_seconds()) // 60 + shift)


LATE = {
    "just in time": (59, ""),
    "two hours late": (
        120,
        r"is dated .*, but its letter arrived at .*\. The host or the mail has shortened the agreed time to answer \(until .*\)",
    ),
    "an hour before it was written": (-61, "but the log is at .* already: the host's clock is wrong"),
    "a little before": (-59, ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", LATE)
def test_a_question_that_is_dated_otherwise_than_its_letter_came_is_not_answered_blindly(club: Club, how: str) -> None:
    """A host backdates a question, so that no time is left."""
    shift, why = LATE[how]
    club.minute += 300
    reading = club.desks["ann"].read(dated(club, shift))
    desk = Desk(club.folder / "ann")
    assert len(reading.warnings) == bool(why)
    if not why:
        answer(desk, club.now())
        return
    with pytest.raises(UsageError, match=f"{why}.*--anyway"):
        answer(desk, club.now())
    assert desk.tray.unsent() == []
    answer(desk, club.now(), anyway=True)
    (letter,) = club.letters(desk)
    assert club.take(letter) == "order: ann"


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "late"), [(30, False), (120, True)])
def test_who_is_called_to_be_ready_too_late_is_told_so(club: Club, minutes: int, late: bool) -> None:
    """He signs, for who is not ready is late; but he knows what to ask the host for."""
    club.desks["bob"].keys.rekey(key_of("bob's second"), club.now())
    (letter,) = club.letters(club.desks["bob"])
    assert club.take(letter) == "rekey: bob"
    roster = arrived(club.deliver()["ann"][-1], club.minute + minutes)
    said = club.desks["ann"].join(roster, club.now())
    assert ("has shortened the agreed time to answer" in said) == late
    assert len(club.desks["ann"].tray.unsent()) == 1


@pytest.mark.slow
def test_within_the_grace_that_was_agreed_on_a_letter_may_be_late(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, grace=6, turns=3) as club:
        club.begin()
        club.minute += 300
        letter = dated(club, 350)
        assert club.desks["ann"].read(letter).warnings == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hours", "fits"), [(-1, False), (0, True), (23, False), (24, True), (744, True), (745, False)]
)
def test_a_due_that_is_nearer_or_farther_than_agreed_is_the_hosts_fault(club: Club, hours: int, fits: bool) -> None:
    raw = next_report(club)
    last = club.log().entries[-1].fields["at"]

    def tell(fields: dict[str, Any]) -> None:
        if fields["k"] == "ask" and fields["at"] == last and hours:
            at = int((datetime.fromisoformat(fields["at"]) - datetime.fromisoformat(moment(0))).total_seconds()) // 60
            fields["due"] = moment(at + 60 * hours)

    report = retold(club, raw, tell)
    if fits:
        club.desks["ann"].read(report)
        assert club.order("ann")
        return
    with pytest.raises(RecordError, match=r"DO NOT GO ON: entry \d+, TIME, at fault: host"):
        club.desks["ann"].read(report)
    desk = club.desks["ann"]
    with pytest.raises(RecordError, match="nothing is signed"):
        answer(desk, club.now(), anyway=True)


# -- what was seen before -----------------------------------------------------------------------------------------------


def another_game(club: Club, fresh: str) -> bytes:
    """Ann's invitation to a second game of the host's, with these random numbers."""
    first = club.log().entries[0].fields
    addresses = {seat: f"{seat}@example.org" for seat in club.desks}
    club.robot.new_game("tiny", {**first["opts"], "turns": 5}, addresses, "Rematch", first["terms"], fresh, club.now())
    return club.deliver()["ann"][-1]


@pytest.mark.slow
def test_a_nonce_that_was_used_before_is_refused(club: Club) -> None:
    """The host and the former players know the host's share of the dice from the first game."""
    desk = club.desks["ann"]
    before = desk.notes().game
    again = another_game(club, "fresh")
    for one in (desk, Desk(desk.home)):
        with pytest.raises(RecordError, match=f"a number that it has used in another game, {before[:8]}"):
            one.join(again, club.now())
        assert one.tray.unsent() == []


@pytest.mark.slow
def test_a_new_one_is_not(club: Club) -> None:
    desk = club.desks["ann"]
    raw = another_game(club, "other numbers")
    assert "You play Ann" in desk.join(raw, club.now()) or desk.tray.unsent()
    again = Desk(desk.home)
    again.join(raw, club.now())
    assert len(again.tray.unsent()) == 1, "the same invitation once more is the same game"


@pytest.mark.slow
def test_an_old_invitation_takes_no_seat_in_a_game_that_goes_on(club: Club) -> None:
    """The game's id has been seen: the copy is that of the game, and not the beginning that the mail holds."""
    desk = club.desks["ann"]
    with pytest.raises(UsageError, match="neither joining nor being ready"):
        desk.join(club.received["ann"][0], club.now())
    assert desk.tray.unsent() == []
    assert len(desk.copy(desk.notes()).log.entries) > 1


# -- keys that change ---------------------------------------------------------------------------------------------------


def change_key(club: Club, name: str, spare: str = "") -> str:
    """Bob takes another key and all are ready again; what Ann's desk says to it."""
    bob, said = club.desks["bob"], ""
    bob.keys.rekey(key_of(name), club.now(), key_of(spare) if spare else None)
    assert [club.take(letter) for letter in club.letters(bob)] == ["rekey: bob"]
    for seat, raws in club.deliver().items():
        word = club.desks[seat].join(raws[-1], club.now())
        said = word if seat == "ann" else said
    for desk in club.desks.values():
        for letter in club.letters(desk):
            club.take(letter)
    club.read_all()
    return said


@pytest.mark.slow
def test_a_seat_that_changes_its_key_a_second_time_is_warned_of(tmp_path: Path) -> None:
    """Other dice come with each. The first needs no words."""
    with a_club(tmp_path, turns=8) as club:
        (club.desks["bob"].home / "recovery.pub").write_text(key_of("spare").key_line + "\n", "utf-8")
        club.begin()
        assert "has changed the key before" not in change_key(club, "bob's second")
        club.turn()
        said = change_key(club, "bob's third", "spare")
        assert "bob has changed the key before. With each change other dice come" in said
