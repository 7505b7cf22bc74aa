"""Mail from a seat's own address in which nothing could be read: it is answered, shown first, and holds a deadline once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.host import _told
from pbem.games import find, manifest
from pbem.host.built_in import address_of
from pbem.host.moments import later
from pbem.ledger import held_for
from pbem.mail.incoming import MAX_MAIL
from pbem.mail.mime import MAX_PARTS
from pbem.referee.audit import audit
from tests.club.evening import Evening
from tests.stored import stored_rows

from .in_time import due, held, ordered, said, skipped, stuck
from .post import Club, a_club
from .several import several

pytestmark = pytest.mark.usefixtures("letters_kept")

PARTS = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nhello\r\n" * (MAX_PARTS + 1)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=8, hours=24, terms={"leave": 48}) as club:
        yield club.begin()


def unreadable(seat: str = "ann", words: str = "") -> bytes:
    """A mail with more parts than are read, and no order in those."""
    return f"From: {seat}@example.org\r\nSubject: my move {words}\r\n".encode() + PARTS


def holds(club: Club) -> list[str]:
    """For which seats the log holds deadlines."""
    return [seat for entry in club.log().entries if entry.k == "extend" and (seat := held_for(entry.fields["why"]))]


def wait(club: Club, until: str) -> None:
    """Let the host work until then: a clock that leaps would be doubted."""
    while (now := club.robot.arrivals.clock()) < until:
        club.office.work(min(later(now, hours=48), until) if now else until)


def answer(club: Club, seat: str, at: str) -> None:
    """Let a seat answer what it is asked, in time."""
    if seat in club.asked():
        club.read_all()
        assert club.robot.take(club.order(seat), at, "imap").startswith("order")


UNREADABLE = {
    "parts": PARTS,
    "size": b"\r\n" + b"x" * MAX_MAIL,
    "texts": b"\r\n" + b"hello " * 200_000,
    "mails": b"Content-Type: message/rfc822\r\n\r\n" * 9 + b"hello\r\n",
    "head": b"X: y\r\n" * 60_000 + b"\r\nhello",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", UNREADABLE)
def test_a_mail_that_cannot_be_read_is_answered_shown_first_and_holds_the_deadline(club: Club, what: str) -> None:
    """The mail is too large or too nested to show an order. If the deadline passes, the host extends it once by
    `hold_days`, with an entry that names the seat."""
    over, at = due(club), later(due(club), hours=-2)
    club.office.work(at)
    outcome = club.robot.take(b"From: Ann <ANN@example.org>\r\nSubject: my move\r\n" + UNREADABLE[what], at, "imap")
    assert outcome.startswith("unreadable: ")
    (told,) = said(club, "refusal")
    assert "--- Your mail could not be read to its end, and nothing in the game has changed." in told
    assert "alone in a new mail" in told
    assert "it is made longer once" in told
    first = club.office.status()["troubles"][0]
    assert (first["games"], first["seat"], first["until"]) == ([1], "ann", "")
    assert _told(first).startswith(f"Mail {first['mail']} from seat ann of game 1 could not be read. The seat was told")
    club.office.work(later(over, hours=1))
    assert (skipped(club), holds(club)) == ([], ["ann"])
    assert due(club) == later(over, hours=24 * 7)
    assert _told(club.office.status()["troubles"][0]).startswith("Mail")
    assert "A mail of Ann could not be read. There is more time to answer" in said(club, "report")[-1]
    assert club.robot.take(club.order("ann"), later(over, hours=30), "imap") == "order: ann"
    assert stuck(club) == []
    wait(club, later(over, hours=24 * 7, minutes=1))
    assert [seat for seat, _at in ordered(club)] == ["ann"]
    assert skipped(club) == ["bob"]


CLOSED = {
    "encrypted": b"Content-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nMIAGCSqGSIb3\r\n",
    "winmail.dat": b'Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\nx\x9f>"\r\n',
    "a piece": b'Content-Type: message/partial; number=1; total=2; id="a@b"\r\n\r\nSubject: my move\r\n\r\nCARD\r\n',
    "a picture": b"Content-Type: image/png\r\n\r\n\x89PNG\r\n",
}


@pytest.mark.variants
@pytest.mark.parametrize("what", CLOSED)
def test_so_does_a_mail_that_is_closed_to_the_host(club: Club, what: str) -> None:
    over = due(club)
    wait(club, later(over, hours=-2))
    club.robot.take(b"From: ann@example.org\r\nSubject: my move\r\n" + CLOSED[what], later(over, hours=-2), "imap")
    assert "it is made longer once" in said(club, "refusal")[0]
    assert club.office.status()["troubles"][0]["seat"] == "ann"
    wait(club, later(over, hours=1))
    assert (skipped(club), holds(club)) == ([], ["ann"])


@pytest.mark.slow
def test_a_player_who_sends_nothing_again_gets_the_default_and_is_not_called_silent(club: Club) -> None:
    """The host could not read the player's mail, and the player sends no other."""
    over = due(club)
    club.office.work(later(over, hours=-2))
    club.robot.take(unreadable(), later(over, hours=-2), "imap")
    club.office.work(later(over, hours=1))
    wait(club, later(over, hours=24 * 7 + 1))
    assert skipped(club) == ["ann", "bob"]
    assert "silent" not in " ".join(said(club, "report"))
    assert "No answer of Ann was read in time" in said(club, "report")[-1]
    assert "held its deadline until" in _told(club.office.status()["troubles"][0]), "until the seat is heard"


@pytest.mark.slow
@pytest.mark.parametrize("answers", [(), (1, 3), (0, 1, 2, 3)])
def test_rubbish_before_every_deadline_gains_one_hold(club: Club, answers: tuple[int, ...]) -> None:
    """A player sends unreadable mail each time. Another hold needs a later question answered without one; the audit
    counts holds per seat."""
    for question in range(5):
        over, ask = due(club), stored_rows(club.robot.store, "select ask from games")[0]["ask"]
        wait(club, later(over, hours=-3))
        club.robot.take(unreadable(words=str(question)), later(over, hours=-3), "imap")
        club.robot.take(unreadable(words=f"{question} again"), later(over, hours=-2), "imap")
        answer(club, "bob", later(over, hours=-1))
        if question in answers and question:
            answer(club, "ann", later(over, minutes=-40))
        wait(club, later(over, hours=1))
        if question in answers and not question:
            answer(club, "ann", later(over, hours=2))
        while stored_rows(club.robot.store, "select 1 from games where ask = ?", ask):
            wait(club, later(due(club), hours=1))
    assert holds(club) == ["ann"]
    verdict = audit(club.log().dump(), lambda game: (find(game).rules, manifest(game)[1])).verdict
    assert verdict.choices is not None
    assert verdict.choices["ann"]["holds"] == 1
    assert "holds" not in verdict.choices["bob"]


@pytest.mark.slow
def test_who_answers_in_time_without_such_mail_may_gain_another_hold(club: Club) -> None:
    for rubbish in (True, False, True):
        while "ann" not in club.asked():
            answer(club, "bob", later(due(club), hours=-1))
        wait(club, later(due(club), hours=-3))
        over = due(club)  # a letter that left late has made it longer
        if rubbish:
            club.robot.take(unreadable(words=over), later(over, hours=-2), "imap")
            wait(club, later(over, hours=1))
        at = later(over, hours=2 if rubbish else -1)
        answer(club, "ann", at)
        answer(club, "bob", at)
    assert holds(club) == ["ann", "ann"]


@pytest.mark.variants
@pytest.mark.parametrize(
    "head",
    [
        b"From: mallory@example.net\r\nSubject: [pbem 1]\r\n",
        b"From: mallory@example.net\r\nReply-To: ann@example.org\r\nSender: ann@example.org\r\n",
        b"From: ann@example.org\r\nAuto-Submitted: auto-replied\r\n",
        b"From: ann@example.org\r\nReturn-Path: <>\r\n",
    ],
)
def test_mail_of_strangers_and_robots_that_cannot_be_read_holds_nothing(club: Club, head: bytes) -> None:
    """The mail comes from another address or is an automatic answer."""
    over = due(club)
    club.office.work(later(over, hours=-2))
    club.robot.take(head + PARTS, later(over, hours=-2), "imap")
    club.office.work(later(over, hours=1))
    assert (skipped(club), holds(club)) == (["ann", "bob"], [])
    assert stuck(club) == []
    assert said(club, "refusal") == []


@pytest.mark.slow
def test_what_comes_too_late_or_of_a_seat_that_has_answered_holds_nothing(club: Club) -> None:
    over = due(club)
    club.office.work(later(over, hours=-3))
    club.robot.take(club.order("ann"), later(over, hours=-3), "imap")
    club.robot.take(unreadable(), later(over, hours=-2), "imap")
    club.robot.take(unreadable("bob"), later(over, minutes=1), "imap")
    assert len(said(club, "refusal")) == 2, "both are answered"
    club.office.work(later(over, hours=1))
    assert (skipped(club), holds(club)) == (["bob"], [])


@pytest.mark.slow
def test_where_the_terms_allow_no_more_time_the_deadline_is_held_without_an_entry(tmp_path: Path) -> None:
    """The deadline is held for up to `hold_days`, and the seat's answer is in time."""
    with a_club(tmp_path, turns=3, hours=24, terms={"most": 24}) as club:
        club.begin()
        over = due(club)
        club.office.work(later(over, hours=-2))
        club.robot.take(unreadable(), later(over, hours=-2), "imap")
        for hours in (1, 24, 24 * 6):
            wait(club, later(over, hours=hours))
            assert (skipped(club), holds(club)) == ([], [])
            assert held(club)[0]["why"].startswith("mail ")
        assert club.robot.take(club.order("ann"), later(over, hours=24 * 6), "imap") == "order: ann"
        wait(club, later(over, hours=24 * 7 + 2))
        assert [seat for seat, _at in ordered(club)] == ["ann"]
        assert skipped(club) == ["bob"]
        found = audit(club.log().dump(), lambda game: (find(game).rules, manifest(game)[1])).verdict
        assert found.verdict in ("clean", "unfinished"), found.reason


@pytest.mark.slow
def test_a_claim_waits_for_who_could_not_be_read(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=3, hours=24, terms={"late": "claim"}) as club:
        club.begin()
        over = due(club)
        club.office.work(later(over, hours=-3))
        club.robot.take(club.order("bob"), later(over, hours=-3), "imap")
        club.robot.take(unreadable(), later(over, hours=-2), "imap")
        club.office.work(later(over, hours=1))
        assert holds(club) == ["ann"]
        assert due(club) == later(over, hours=24 * 7)


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "held"), [("my move", [1, 2]), ("[pbem 2] my move", [2])])
def test_who_plays_several_games_holds_each_that_the_mail_may_be_for_once(
    tmp_path: Path, subject: str, held: list[int]
) -> None:
    """An unreadable mail gains one hold in each possible game, or in the game that it names."""
    games = several(tmp_path, 2, turns=8, hours=24)
    store = games[0].office.store
    for game in games:
        game.begin()
    with store.decision():
        store.db.execute("update seats set address = 'ann@example.org' where seat = 'ann'")
    one = games[0]
    over = max(due(game) for game in games)
    wait(one, later(over, hours=-2))
    for words in ("", "again"):
        raw = unreadable(words=words).replace(b"Subject: my move", f"Subject: {subject}".encode())
        assert one.robot.take(raw, later(over, hours=-2), "imap").startswith("unreadable: ")
    wait(one, later(over, hours=1))
    assert [game.number for game in games if holds(game) == ["ann"]] == held
    assert [game.number for game in games if skipped(game) == ["ann", "bob"]] == [n for n in (1, 2) if n not in held]
    wait(one, later(over, hours=24 * 7 + 2))
    for game in games:
        assert holds(game).count("ann") == (game.number in held)
    one.office.close()


@pytest.mark.slow
def test_a_seat_of_a_built_in_player_gains_no_hold(tmp_path: Path) -> None:
    """A built-in player writes no such mail, so a stranger forged it. A late built-in player is the host's fault."""
    evening = Evening(tmp_path, "tiny", {"players": 2, "turns": 8}, "random", hours=24).play(3)
    evening.office.beside = lambda _now: False
    evening.play(2)
    robot, seat = evening.office.robot, evening.seats[1]
    game = robot.house.game(evening.number)
    assert seat in game.waiting()
    over = str(game.row.due)
    evening.office.work(at := later(over, hours=-2))
    head = f"From: {address_of(seat, 'random')}\r\nSubject: my move\r\n".encode()
    assert robot.take(head + PARTS, at, "imap").startswith("unreadable: ")
    evening.office.work(later(over, hours=1))
    entries = evening.log().entries
    assert [entry.k for entry in entries if entry.k == "extend"] == []
    assert seat in [entry.fields["to"] for entry in entries if entry.k == "skip"]
    evening.close()
