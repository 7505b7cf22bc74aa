"""A host that sends pictures: reports as HTML with the map, the same text, and a copy that grows as ever."""

from __future__ import annotations

import io
from collections import Counter
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from jinja2 import Environment
from PIL import Image

from pbem.host import Office, observers
from pbem.ledger.terms import terms
from pbem.mail import Maildir, read_message
from pbem.mail.above import without_cut_line
from pbem.player import Desk, PlayerSettings
from pbem.reports import html
from pbem.reports.reckoned import Reckoned
from tests.host.post import HOST, Club, a_club, key_of, moment
from tests.stored import stored_rows

pytestmark = pytest.mark.usefixtures("letters_kept")


def _first_report(folder: Path, *, pictures: bool) -> tuple[Desk, bytes]:
    """Let two players of Hammer join, and return the first player's desk with the report that asks him something."""
    office = Office.create(folder / "host", key_of("host"), HOST, pictures=pictures)
    seats = ("english", "scottish")
    addresses = {seat: f"{seat}@example.org" for seat in seats}
    office.robot.new_game("hammer", {}, addresses, "A test", terms(0), "fresh", moment(1))
    desks = {seat: Desk.create(folder / seat, key_of(seat), PlayerSettings(addresses[seat], "")) for seat in seats}
    mails: dict[str, bytes] = {}
    for minute in (10, 20, 30):
        office.work(moment(minute))
        for seat, desk in desks.items():
            box = Maildir(folder / "host" / "mail" / seat)
            for path, raw, _ in list(box.new()):
                mails[seat] = raw
                box.done(path)
                if minute < 30:
                    desk.join(raw, moment(minute + 1))
            for path in desk.tray.unsent():
                office.robot.take(path.read_bytes(), moment(minute + 2))
                path.unlink()
    office.close()
    return desks["english"], mails["english"]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, bytes]:
    return _first_report(tmp_path_factory.mktemp("drawn"), pictures=True)


def test_a_report_comes_as_text_as_html_with_its_map_and_as_a_page(drawn: tuple[Desk, bytes]) -> None:
    desk, raw = drawn
    message = message_from_bytes(raw, policy=policy.default)
    parts = {
        part.get_content_type(): part for part in message.walk() if not part.is_multipart() and not part.is_attachment()
    }
    assert set(parts) == {"text/plain", "text/html", "image/png"}
    cid = parts["image/png"]["Content-ID"].strip("<>")
    assert f'src="cid:{cid}"' in parts["text/html"].get_content()
    assert Image.open(io.BytesIO(parts["image/png"].get_content())).size == (500, 620)
    assert not [part for part in message.iter_attachments() if part.get_content_type() == "text/html"], (
        "it has the map again"
    )
    assert len(raw) < 300_000
    reading = desk.read(raw)
    assert not reading.warnings
    assert reading.text.split() == without_cut_line(read_message(raw).text).split()


def kept(report: bytes) -> tuple[int, bool]:
    """How wide the map of a report is, 0 without one; and whether a page comes with it."""
    message = message_from_bytes(report, policy=policy.default)
    maps = [part.get_content() for part in message.walk() if part.get_content_type() == "image/png"]
    pages = any(part.get_content_type() == "text/html" for part in message.iter_attachments())
    return (Image.open(io.BytesIO(maps[0])).size[0] if maps else 0), pages


@pytest.mark.slow
def test_a_player_says_how_large_his_map_is(tmp_path: Path) -> None:
    """By a plain line; the answer says so, and the other player's letters stay as they were."""
    with a_club(tmp_path, game="hammer") as club:
        club.begin()
        club.robot.post.pictures = True
        wanted = {"ON": (1000, True), "SMALL": (500, False), "off.": (0, False), "on": (1000, True)}
        for no, (size, comes) in enumerate(wanted.items()):
            asked = f"From: english@example.org\r\nMessage-ID: <{no}@x>\r\n\r\nPICTURES {size}\r\n".encode()
            outcome, letters = club.answer_to(asked)
            assert outcome == "answered: PICTURES"
            assert " map from now on" in " ".join(read_message(letters["english"][0]).text.split())
            game = club.robot.house.game(club.number)
            for seat, size_of in (("english", comes), ("scottish", (500, False))):
                club.office.store.db.execute("delete from outbox where kind = 'report'")
                club.robot.post.report(game, seat, club.now(), game.resume(), "")
                (row,) = stored_rows(club.office.store, "select raw from outbox order by id desc limit 1")
                assert kept(row["raw"]) == size_of


def test_who_looks_on_has_no_say_in_the_maps(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        observers.observe(club.robot.house.game(club.number), "finn@example.org", club.robot.post, club.now())
        assert club.take(b"From: finn@example.org\r\n\r\nPICTURES OFF\r\n").startswith(
            "refused: FORM: PICTURES is for players"
        )


def test_the_map_in_a_mail_is_small_and_opaque(drawn: tuple[Desk, bytes]) -> None:
    """A mail program that is dark shows its own ground behind what one can see through."""
    message = message_from_bytes(drawn[1], policy=policy.default)
    (png,) = (part.get_content() for part in message.walk() if part.get_content_type() == "image/png")
    assert len(png) < 250_000
    picture = Image.open(io.BytesIO(png))
    assert (picture.mode, picture.info.get("transparency")) == ("P", None)
    assert len(picture.getcolors() or ()) <= 128


def test_without_pictures_the_text_is_the_same(drawn: tuple[Desk, bytes], tmp_path: Path) -> None:
    _, plain = _first_report(tmp_path, pictures=False)
    assert read_message(drawn[1]).text == read_message(plain).text
    assert b"text/html" not in plain


def test_a_game_without_a_picture_is_sent_as_html_all_the_same(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.robot.post.pictures = True
        club.begin()
        report = club.received["ann"][-1]
        assert b"text/html" in report
        assert b"image/png" not in report


def _reports(club: Club) -> list[tuple[str, bytes]]:
    """All reports, in their order, each with the seat that it goes to."""
    sent = stored_rows(club.office.store, "select seat, raw from outbox where kind = 'report' order by id")
    return [(row["seat"], row["raw"]) for row in sent]


@pytest.mark.slow
def test_a_drawing_that_fails_stops_no_order_and_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report goes out as text. `status` shows the error until the host can draw a report for the same reader."""
    with a_club(tmp_path) as club:
        club.robot.post.pictures = True
        club.begin()
        entries, reports = len(club.log().entries), len(_reports(club))
        with monkeypatch.context() as patch:

            def stumble(*_: object) -> str:
                raise ZeroDivisionError("a fault of ours")

            patch.setattr("pbem.reports.html.page", stumble)
            club.turn()
            assert len(club.log().entries) > entries, "the orders count"
            new = _reports(club)[reports:]
            assert new
            assert all("WHAT HAPPENED" in read_message(raw).text and b"text/html" not in raw for _, raw in new)
            assert [(found["way"], found["why"]) for found in club.office.status()["troubles"]] == [
                (f"drawing for {seat.title()} in game 1", "ZeroDivisionError: a fault of ours")
                for seat in sorted({seat for seat, _ in new})
            ]
        club.play()
        assert b"text/html" in _reports(club)[-1][1]
        assert club.office.status()["troubles"] == []


@pytest.mark.slow
def test_a_public_report_is_drawn_once_for_all_who_look_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: Counter[str] = Counter()
    draw = html.page

    def count(made: Reckoned, env: Environment) -> str:
        drawn[made.report.seat] += 1
        return draw(made, env)

    with a_club(tmp_path) as club:
        club.robot.post.pictures = True
        club.begin()
        game = club.robot.house.game(club.number)
        lookers_on = ("eve@example.org", "finn@example.org")
        with club.office.store.decision():
            for address in lookers_on:
                observers.observe(game, address, club.robot.post, club.now())
        monkeypatch.setattr("pbem.reports.html.page", count)
        club.turn()
        assert drawn[""] == 1
        sent = "select raw from outbox where address = ? and kind = 'public'"
        for address in lookers_on:
            (row,) = stored_rows(club.office.store, sent, address)
            assert b"text/html" in row["raw"]
