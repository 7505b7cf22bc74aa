"""The player's side: what a desk believes, what it refuses, and that it signs nothing over a copy at fault."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import KeyFileError, OrderError, PbemError, RecordError, UsageError
from pbem.host.outbox import WAITS_FOR
from pbem.ledger import Log, PrivateKey, cj, sha256_hex, verify
from pbem.mail import read_message
from pbem.player import Desk, PlayerSettings
from pbem.player.showing import report
from pbem.player.tray import Tray
from pbem.referee import receipt
from tests.host.post import Club, a_club, key_of
from tests.player.desk import changed, copy_of, has_lines, next_report, retold


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Two players; the first question is open."""
    with a_club(tmp_path_factory.mktemp("club"), turns=3) as club:
        yield club.begin()


@pytest.fixture
def club(begun: Club, tmp_path: Path) -> Iterator[Club]:
    twin = begun.copy_to(tmp_path)
    yield twin
    twin.office.close()


def keep_facts_back(fields: dict[str, Any]) -> None:
    if fields["k"] == "tell":
        fields["pub"]["facts"] = []


# --- what a mail says -------------------------------------------------------------------------------------------------


def report_in(raw: bytes) -> str:
    """The report in a mail: what is below the line above which a reply is typed."""
    return read_message(raw).text.partition(" ---\n")[2]


def test_an_honest_report_is_shown_as_it_was_sent(club: Club) -> None:
    seat, raw = "ann", next_report(club)
    reading = club.desks[seat].read(raw)
    assert reading.warnings == ()
    assert reading.text.split() == report_in(raw).split()


def test_a_mail_whose_text_lies_is_warned_of_and_the_log_believed(club: Club) -> None:
    seat, raw = "ann", next_report(club)
    honest = report_in(raw)
    lie = changed(raw, text=lambda text: re.sub(r"\d", "9", text))
    reading = club.desks[seat].read(lie)
    assert "not what the log says" in reading.warnings[0]
    assert reading.text.split() == honest.split()


def test_the_same_mail_read_twice_adds_nothing(club: Club) -> None:
    seat, raw = "ann", next_report(club)
    first = club.desks[seat].read(raw)
    before = copy_of(club, seat)
    assert club.desks[seat].read(raw) == first
    assert copy_of(club, seat) == before


def test_a_mail_without_log_lines_is_only_shown(club: Club) -> None:
    before = copy_of(club, "ann")
    reading = club.desks["ann"].read(b"From: bob@example.org\r\n\r\nGood luck!\r\n")
    assert (reading.game, reading.text, reading.words) == ("", "", "Good luck!\n")
    assert copy_of(club, "ann") == before


# --- lost and missing mails -------------------------------------------------------------------------------------------


def test_a_missing_mail_is_named_and_can_be_read_later(club: Club) -> None:
    """Ann goes on at her laptop; at home the second mail is opened before the first."""
    home, laptop = club.desks["ann"], club.new_desk("ann", "laptop")
    for raw in club.received["ann"]:
        laptop.read(raw)
    first = next_report(club)
    club.desks["ann"] = laptop
    laptop.read(first)
    second = next_report(club)
    with pytest.raises(UsageError, match="an earlier mail is missing"):
        home.read(second)
    home.read(first)
    assert home.read(second).warnings == ()


@pytest.mark.slow
def test_a_lost_copy_comes_back_from_the_mails(club: Club) -> None:
    """Key and mails are all that a player needs to keep."""
    club.play()
    new = club.new_desk("ann", "new computer")
    for raw in club.received["ann"]:
        new.read(raw)
    (path,) = (club.folder / "new computer" / "games").glob("*.pbem")
    assert path.read_bytes() == copy_of(club, "ann")


def test_a_copy_cut_off_in_a_line_grows_again(club: Club) -> None:
    seat, raw = "ann", next_report(club)
    club.desks[seat].read(raw)
    (path,) = (club.folder / seat / "games").glob("*.pbem")
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b'["head"') + 30])
    again = Desk(club.folder / seat)
    again.read(raw)
    assert path.read_bytes() == whole


# --- what is refused --------------------------------------------------------------------------------------------------


REFUSED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a line is missing": lambda lines: [line for line in lines if not line.startswith(b'["seal"')],
    "the head is missing": lambda lines: lines[:-1],
    "cut short": lambda lines: lines[: len(lines) // 2],
    "an entry is missing": lambda lines: [line for line in lines if b'"k":"tell"' not in line],
    "an entry is changed": lambda lines: [line.replace(b'"facts":[', b'"facts":[{"f":"lie"},', 1) for line in lines],
    "an opening is changed": lambda lines: [re.sub(rb'^(\["seal".*"facts":\[)', rb'\1{"f":"lie"},', line) for line in lines],
    "a line is no JSON": lambda lines: [*lines, b"{hello"],
    "a line is a number": lambda lines: [b"7", *lines],
    "a line is empty": lambda lines: [b"", *lines],
    "an entry without a number": lambda lines: [b'{"k":"tell"}', *lines],
    "an entry with a wild number": lambda lines: [b'{"k":"tell","n":-5}', *lines],
    "lines of another game": lambda lines: [re.sub(rb'"prev":"....', b'"prev":"0000', line) for line in lines],
}  # fmt: skip


@pytest.mark.variants
@pytest.mark.parametrize("how", REFUSED)
def test_a_damaged_mail_is_refused_and_the_good_one_still_fits(club: Club, how: str) -> None:
    seat, raw = "ann", next_report(club)
    before = copy_of(club, seat)
    bad = changed(raw, log=REFUSED[how])
    for desk in (club.desks[seat], Desk(club.folder / seat)):
        with pytest.raises((RecordError, UsageError)):
            desk.read(bad)
        assert copy_of(club, seat) == before
    assert club.desks[seat].read(raw).warnings == ()


def test_lines_that_a_stranger_chained_on_are_refused(club: Club) -> None:
    """Entries bear no signature of their own: without a head of the host they are nobody's word."""
    honest = next_report(club)
    before = copy_of(club, "ann")
    with pytest.raises(RecordError, match="not as the host sent it"):
        club.desks["ann"].read(retold(club, honest, keep_facts_back, key="mallory"))
    assert copy_of(club, "ann") == before
    assert club.desks["ann"].read(honest).warnings == ()


def test_a_second_history_that_the_host_signed_is_a_fork_and_kept(club: Club) -> None:
    honest = next_report(club)
    lie = retold(club, honest, keep_facts_back)
    club.desks["ann"].read(honest)
    before = copy_of(club, "ann")
    with pytest.raises(RecordError, match="FORK"):
        club.desks["ann"].read(lie)
    assert copy_of(club, "ann") == before
    (other,) = (club.folder / "ann" / "games").glob("*.fork")
    heads = [line for line in Log.parse(other.read_bytes()).attachments if line.k == "head"]
    assert verify(Log([*Log.parse(before).lines, heads[-1]]), "ann").code == "FORK"


def test_a_second_history_that_nobody_signed_is_no_fork(club: Club) -> None:
    honest = next_report(club)
    lie = retold(club, honest, keep_facts_back, key="mallory")
    club.desks["ann"].read(honest)
    with pytest.raises(RecordError, match="the host has not signed that entry"):
        club.desks["ann"].read(lie)
    assert not list((club.folder / "ann" / "games").glob("*.fork"))


def test_nothing_is_signed_over_a_copy_at_fault(club: Club) -> None:
    """The host changed a die, and signed that: the copy keeps the evidence, and the desk signs no more."""

    def change_a_die(fields: dict[str, Any]) -> None:
        if fields.get("chain") == "pub":
            fields["res"][0][0] = fields["res"][0][0] % 6 + 1

    with pytest.raises(RecordError, match=r"DO NOT GO ON: entry \d+, RAND, at fault: host"):
        club.desks["ann"].read(retold(club, next_report(club), change_a_die))
    for desk in (club.desks["ann"], Desk(club.folder / "ann")):
        assert desk.copy(desk.notes()).verdict().code == "RAND"
        _, view, pack = desk.question(desk.notes())
        legal = str(next(iter(pack.rules.options(view))))
        with pytest.raises(RecordError, match="nothing is signed"):
            desk.order(desk.notes(), legal, "", club.now())
        assert desk.tray.unsent() == []


def test_a_report_of_nonsense_that_the_host_signed_is_no_crash(club: Club) -> None:
    """He seals for ann what is no view of this game."""
    honest = next_report(club)
    lies: dict[str, list[Any]] = {}

    def opening(fields: list[Any]) -> list[Any]:
        return lies.get(sha256_hex(cj(fields)), fields)

    def tell(fields: dict[str, Any]) -> None:
        if fields["k"] == "tell" and fields["seals"]["ann"] == last:
            told = next(a for a in whole.attachments if a.digest == last)
            lie = [*told.fields[:6], {"facts": [{"f": 7}, 5], "view": {"x": 1}}]
            lies[told.digest] = lie
            fields["seals"]["ann"] = sha256_hex(cj(lie))

    whole = Log.parse(copy_of(club, "ann") + read_message(honest).log)
    last = [entry for entry in whole.entries if entry.k == "tell"][-1].fields["seals"]["ann"]
    with pytest.raises(RecordError, match=r"makes no sense in this game|a public fact that is not there"):
        club.desks["ann"].read(retold(club, honest, tell, opening))
    with pytest.raises(RecordError, match=r"makes no sense in this game|a public fact that is not there"):
        club.desks["ann"].question(club.notes("ann"))


# --- receipts ---------------------------------------------------------------------------------------------------------


def test_a_receipt_is_kept_once(club: Club) -> None:
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    (got,) = club.deliver()["ann"]
    for _ in range(2):
        club.desks["ann"].read(got)
    (path,) = (club.folder / "ann" / "games").glob("*.receipts")
    line, order, _ = read_message(got).log.split(b"\n")
    assert path.read_bytes() == line + b"\n"
    assert b'"rev":0' in order, "which order it is for is not kept"


def test_a_receipt_that_the_host_did_not_sign_is_refused(club: Club) -> None:
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    (got,) = club.deliver()["ann"]
    game = club.log().game
    forged = cj(receipt(key_of("mallory"), game, {"act": "order"}, "2030-01-01T00:00:00Z"))
    with pytest.raises(RecordError, match="not signed by the host"):
        club.desks["ann"].read(changed(got, log=lambda _: [forged]))
    assert not list((club.folder / "ann" / "games").glob("*.receipts"))


# --- keys, desks, joining ---------------------------------------------------------------------------------------------


def test_two_desks_of_one_player_come_to_one_order(club: Club) -> None:
    """Both write revision 0; the host keeps the first, and says how the second can replace it."""
    laptop = club.new_desk("ann", "laptop")
    for raw in club.received["ann"]:
        laptop.read(raw)
    _, view, pack = laptop.question(laptop.notes())
    one, two = map(str, pack.rules.options(view))
    assert club.take(club.order("ann", one)) == "order: ann"
    laptop.order(laptop.notes(), two, "", club.now())
    outcome, letters = club.answer_to(club.letters(laptop)[0])
    assert outcome.startswith("refused: DOUBLE")
    assert "revision 1" in read_message(letters["ann"][0]).text
    laptop.order(laptop.notes(), two, "", club.now())
    assert club.take(club.letters(laptop)[0]) == "order: ann"


def test_an_order_written_twice_is_a_new_revision(club: Club) -> None:
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    one, two = map(str, pack.rules.options(view))
    desk.order(desk.notes(), one, "", club.now())
    (first,) = club.letters(desk)
    desk.order(desk.notes(), two, "", club.now())
    (second,) = club.letters(desk)
    assert club.take(second) == "order: ann"
    assert club.take(first).startswith("refused: DOUBLE")


def test_an_order_that_was_replaced_before_it_was_sent_is_never_sent(club: Club) -> None:
    """The others have answered: whichever letter came first would be the answer."""
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    one, two = map(str, pack.rules.options(view))
    for text in (one, two):
        desk.order(desk.notes(), text, "", club.now())
    (letter,) = desk.tray.unsent()
    envelope = club.signed(letter.read_bytes())
    assert envelope.openings[0][6] == two
    (replaced,) = (desk.home / "replaced").iterdir()
    assert one in read_message(replaced.read_bytes()).text


def test_a_mail_read_after_a_later_one_is_no_reason_to_warn(club: Club) -> None:
    desk = club.desks["ann"]
    earlier = [raw for raw in club.received["ann"] if has_lines(raw)]
    assert desk.read(next_report(club)).warnings == ()
    now = report(desk.seat(desk.notes()), desk.copy(desk.notes()).log.head[0])
    for raw in earlier:
        again = desk.read(raw)
        assert again.warnings == ()
        assert again.text.startswith("You have already read a later mail of this game.")
        assert again.text.splitlines()[-4:] == now.splitlines()[-4:], "the head is that of the whole copy"


def test_a_mail_for_another_seat_is_named_as_that(club: Club) -> None:
    desk, raw = club.desks["bob"], next_report(club)
    before = desk.copy(desk.notes()).log.dump()
    with pytest.raises(UsageError, match="for the seat ann, yours is bob"):
        desk.read(raw)
    assert desk.copy(desk.notes()).log.dump() == before


def test_the_right_invitation_takes_the_place_of_a_wrong_one(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        letters, desk = club.deliver(), club.desks["bob"]
        with pytest.raises(UsageError, match=r"addressed to ann@example\.org, but you are bob@.*add “--seat ann”"):
            desk.join(letters["ann"][0], club.now())
        assert (list(desk.games()), desk.tray.unsent()) == ([], [])
        with pytest.raises(UsageError, match="for the seat ann, not for bob"):
            desk.join(letters["ann"][0], club.now(), seat="bob")
        assert desk.join(letters["ann"][0], club.now(), seat="ann").partition("\n")[0].endswith("You play Ann.")
        assert desk.join(letters["bob"][0], club.now()).partition("\n")[0].endswith("You play Bob.")
        assert club.take(club.letters(desk)[0]) == "joined: bob"


def test_a_sheet_may_be_headed_and_hold_its_plans(club: Club) -> None:
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    text = str(next(iter(pack.rules.options(view))))
    sheet = f"GAME {desk.notes().game[:8].upper()} TURN 1\n{text}\nplan act bank\n"
    assert desk.order(desk.notes(), sheet, "", club.now()) == f"{text}\nPLAN ACT BANK"
    envelope = club.signed(club.letters(desk)[0])
    assert [opening[6] for opening in envelope.openings] == [text, "ACT BANK"]


def test_a_sheet_headed_for_another_game_is_refused(club: Club) -> None:
    desk = club.desks["ann"]
    with pytest.raises(UsageError, match="headed for game ffff, not for"):
        desk.order(desk.notes(), "GAME ffff\nCARD c1", "", club.now())
    assert not desk.tray.unsent()


def test_the_host_enters_another_key(tmp_path: Path) -> None:
    """He could play in somebody's name; ready is not said."""
    with a_club(tmp_path) as club:
        invitations = {seat: raws[0] for seat, raws in club.deliver().items()}
        club.desks["ann"].join(invitations["ann"], club.now())
        false = Desk.create(tmp_path / "false ann", key_of("mallory"), PlayerSettings("ann@example.org"))
        false.join(invitations["ann"], club.now())
        club.take(club.letters(false)[0])
        club.desks["bob"].join(invitations["bob"], club.now())
        club.take(club.letters(club.desks["bob"])[0])
        roster = club.deliver()["ann"][-1]
        club.letters(club.desks["ann"])
        with pytest.raises(RecordError, match="another key for ann"):
            club.desks["ann"].join(roster, club.now())
        assert club.desks["ann"].tray.unsent() == []


def test_joining_is_said_to_invitations_and_rosters_alone(club: Club) -> None:
    report = [raw for raw in club.received["ann"] if has_lines(raw)][-1]
    with pytest.raises(UsageError, match="neither joining nor being ready"):
        club.desks["ann"].join(report, club.now())
    with pytest.raises(UsageError, match="neither an invitation nor"):
        club.desks["ann"].join(b"\r\nhello\r\n", club.now())


def test_an_invitation_for_a_seat_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        invitation = club.deliver()["ann"][0].replace(b"X-Pbem-Seat: ann", b"X-Pbem-Seat: zoe")
        with pytest.raises(UsageError, match="which seat is yours"):
            club.desks["ann"].join(invitation, club.now())
        assert list(club.desks["ann"].games()) == []


@pytest.mark.slow
def test_a_locked_key_signs_only_with_its_passphrase(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        invitation = club.deliver()["ann"][0]
        settings = PlayerSettings("ann@example.org")
        Desk.create(tmp_path / "safe", key_of("ann"), settings, b"open sesame")
        assert b"ENCRYPTED" not in (tmp_path / "safe" / "key").read_bytes()
        for passphrase, why in ((None, "locked with a passphrase"), (b"open", "does not open")):
            desk = Desk(tmp_path / "safe", passphrase)
            assert desk.read(invitation).game, "reading needs no key"
            with pytest.raises(KeyFileError, match=why):
                desk.join(invitation, club.now())
            assert desk.tray.unsent() == []
        desk = Desk(tmp_path / "safe", b"open sesame")
        desk.join(invitation, club.now())
        assert club.take(club.letters(desk)[0]) == "joined: ann"


def test_a_key_is_never_overwritten(club: Club) -> None:
    with pytest.raises(UsageError, match="cannot be had back"):
        Desk.create(club.folder / "ann", key_of("another"), PlayerSettings("ann@example.org"))


def test_a_key_file_is_for_its_owner_alone(club: Club) -> None:
    assert (club.folder / "ann" / "key").stat().st_mode & 0o077 == 0


# --- anything at all --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=60)
@given(data=st.data())
def test_whatever_is_read_is_taken_or_refused_in_words(begun: Club, data: st.DataObject) -> None:
    """A letter of the host with its lines cut, doubled, turned round or scribbled on: taken, or a sentence; and no half."""
    desk = Desk(begun.folder / "ann")
    raw = data.draw(st.sampled_from([raw for raw in begun.received["ann"] if read_message(raw).log]))
    lines = read_message(raw).log.split(b"\n")[:-1]
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "double", "swap", "scribble", "junk"])):
            case "drop" if len(lines) > 1:
                del lines[at]
            case "double":
                lines.insert(at, lines[data.draw(st.integers(0, len(lines) - 1))])
            case "swap":
                lines.append(lines.pop(at))
            case "scribble":
                line = bytearray(lines[at] or b"x")
                line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
                lines[at] = bytes(line)
            case _:
                lines[at] = data.draw(
                    st.binary(max_size=60) | st.sampled_from([b"{}", b"[]", b'["got"]', b"null", b'{"k":"game"}'])
                )
    before, games = copy_of(begun, "ann"), set((desk.home / "games").iterdir())
    with contextlib.suppress(PbemError):
        desk.read(changed(raw, log=lambda _: lines))
    assert copy_of(begun, "ann") == before, "all of it is in the copy already"
    for place in set((desk.home / "games").iterdir()) - games:  # an invitation of other letters is one to another game
        place.unlink()


def test_standing_plans_go_with_every_order_that_brings_none(club: Club) -> None:
    club.read_all()
    desk = club.desks["ann"]
    assert desk.speaker(club.notes("ann")).plan("plan act bank")[0] == "ACT BANK"
    assert Desk(desk.home).notes().plans == "ACT BANK"
    raw = club.order("ann")
    envelope = club.signed(raw)
    assert envelope.openings[1][6] == "ACT BANK"
    envelope = club.signed(club.order("ann", plans="ACT DIG"))
    assert envelope.openings[1][6] == "ACT DIG"
    with pytest.raises(OrderError):
        desk.speaker(club.notes("ann")).plan("PLAN SLEEP")
    assert desk.speaker(club.notes("ann")).plan("")[0] == club.notes("ann").plans == ""


# -- files that were changed by hand, or damaged ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, at character 2, is not written as JSON: “{”. They look like {"),
        ("", "the file is empty. They look like {"),
        (
            '{"address": "a@example.org",\n "post": mail}',
            'line 2, at character 10, is not written as JSON: “"post": mail}”',
        ),
        ('{"address": "a@example.org", "mail": ""}', "unexpected keyword argument 'mail'"),
        ("[]", "no names and values in braces"),
        ('{"address": "a@example.org", "smtp": "mail.example.org"}', "“smtp” and “imap” have names and values"),
        ("{}", "missing 1 required positional argument: 'address'"),
    ],
)
def test_settings_that_cannot_be_read_are_said_to_be_so(tmp_path: Path, text: str, said: str) -> None:
    Desk.create(tmp_path, PrivateKey.from_seed(bytes(32)), PlayerSettings("a@example.org"))
    (tmp_path / "settings.json").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=re.escape(said)):
        Desk(tmp_path)


def test_settings_may_be_saved_as_editors_save_them(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path, PrivateKey.from_seed(bytes(32)), PlayerSettings("a@example.org", "post"))
    text = (tmp_path / "settings.json").read_text("utf-8")
    (tmp_path / "settings.json").write_text(text.replace("\n", "\r\n"), "utf-8-sig", newline="")
    assert Desk(tmp_path).settings == desk.settings


def test_damaged_notes_are_named_and_come_back_with_the_first_mail(club: Club) -> None:
    desk = club.desks["ann"]
    (path,) = (desk.home / "games").glob("*.json")
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(UsageError, match=re.escape(str(path))):
        Desk(desk.home).notes()
    path.unlink()
    again = Desk(desk.home)
    again.read(club.received["ann"][0])
    assert again.notes().seat == "ann"
    club.desks["ann"] = again
    assert club.take(club.order("ann")) == "order: ann"


def test_a_new_key_is_kept_before_any_letter_tells_of_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, new = club.desks["ann"], PrivateKey.from_seed(bytes(32))

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tray, "write", die)
    with pytest.raises(KeyboardInterrupt):
        desk.keys.rekey(new, club.now())
    assert Desk(desk.home).key.key_line == new.key_line
    assert (desk.home / "key.before").is_file()
    assert not desk.tray.unsent()


def test_who_has_changed_his_key_and_joins_is_told_which_counts(club: Club) -> None:
    """A join would ask for the seat anew, with the key that the host has refused or not seen yet."""
    desk = club.desks["ann"]
    letter = club.received["ann"][-1]
    desk.keys.rekey(PrivateKey.from_seed(bytes(32)), club.now())
    waiting = desk.tray.unsent()
    with pytest.raises(UsageError, match=r"has the key that you had before.*rekey --back"):
        desk.join(letter, club.now())
    assert desk.tray.unsent() == waiting
