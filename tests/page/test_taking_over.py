"""A kept seat is taken over on the page, as by `pbem join spare.json`: with the file, or the letter that brought it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.page.service import Service
from tests.host.mailboxes import Mailboxes, parsed
from tests.page.calling import ok, refused
from tests.page.service import in_base64


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Mailboxes]:
    with Mailboxes(tmp_path, options={"players": 2, "turns": 3}) as made:
        yield made.begin()


def kept_by(boxes: Mailboxes, seat: str) -> tuple[bytes, bytes]:
    """The letter “keep this” of a seat, and the file that is attached to it."""
    (letter,) = [raw for raw in boxes.letters[seat] if "keep this" in str(parsed(raw)["Subject"])]
    (file,) = [part for part in parsed(letter).iter_attachments() if part.get_filename() == "spare.json"]
    return letter, bytes(file.get_content())


def a_page(boxes: Mailboxes, seat: str) -> Service:
    service = Service(boxes.folder / "page", boxes.now)
    ok(service, "key", address=f"{seat}@example.org")
    return service


def reads_all(boxes: Mailboxes, service: Service, seat: str) -> None:
    assert boxes.say(seat, "RESEND", to=boxes.put_to(seat)) == "answered: RESEND"
    ok(service, "read", data=in_base64(boxes.letters[seat][-1]))


@pytest.mark.parametrize("which", [0, 1], ids=["the letter", "the file"])
@pytest.mark.slow
def test_a_seat_is_taken_over_and_played_on_the_page(boxes: Mailboxes, which: int) -> None:
    ann, bob = boxes.seats
    data, service = kept_by(boxes, ann)[which], a_page(boxes, ann)
    (early,) = ok(service, "read", data=in_base64(data))["came"]
    assert (early["kind"], early["proposes"]) == ("strange", "")
    assert "RESEND" in early["text"]
    reads_all(boxes, service, ann)
    (came,) = ok(service, "read", name="spare.json", data=in_base64(data))["came"]
    assert (came["kind"], came["proposes"]) == ("asks", "spare")
    signed = ok(service, "welcome", data=came["eml"])
    assert "There is no way back" in signed["said"]
    (letter,) = signed["letters"]
    assert boxes.take(service.desk.tray.sent(service.desk.tray.unsent()[0]).read_bytes()) == f"rekey: {ann}"
    assert letter["kind"] == "rekey"
    keys = next(raw for raw in reversed(boxes.letters[ann]) if ".keys." in str(parsed(raw)["Message-ID"]))
    ok(service, "read", data=in_base64(keys))
    game = ok(service, "games")["games"][0]["game"]
    ok(service, "join", game=game)
    assert boxes.take(service.desk.tray.sent(service.desk.tray.unsent()[0]).read_bytes()) == f"ready: {ann}"
    assert boxes.say(ann, "1", to=boxes.put_to(ann)).startswith("refused: FORM"), "a reply counts no more"
    assert boxes.say(bob, "1", to=boxes.put_to(bob)) == f"order: {bob}"
    assert "does not keep the key" in refused(service, "welcome", data=in_base64(data))[1]


def test_a_file_of_another_game_or_seat_takes_nothing(boxes: Mailboxes) -> None:
    ann, bob = boxes.seats
    service = a_page(boxes, ann)
    reads_all(boxes, service, ann)
    (came,) = ok(service, "read", data=in_base64(kept_by(boxes, bob)[1]))["came"]
    assert "of another game or seat" in refused(service, "welcome", data=came["eml"])[1]
    (odd,) = ok(service, "read", data=in_base64(b'{"game": 7}'))["came"]
    assert odd["proposes"] == ""
    assert service.desk.tray.unsent() == []
