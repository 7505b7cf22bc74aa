"""A folder of messages: whole or not at all, in the order of arrival, each once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import WorldError
from pbem.host.essence import essence
from pbem.mail import Command, Maildir, read_message


def test_a_message_delivered_twice_is_one_file(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    raw = b"Message-ID: <a.1@example.org>\r\n\r\nhello\r\n"
    assert box.deliver(raw) == box.deliver(raw)
    assert [found for _, found, _ in box.new()] == [raw.replace(b"\r\n", b"\n")]


def test_lines_in_a_folder_end_in_lf_and_mails_with_either_end_are_read_alike(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    raw = b"Message-ID: <a@example.org>\r\nSubject: x\r\n\r\nSTATUS\r\n"
    path = box.deliver(raw)
    assert b"\r" not in path.read_bytes()
    assert read_message(path.read_bytes()) == read_message(raw)
    assert essence(path.read_bytes()) == essence(raw)
    (tmp_path / "new" / "other").write_bytes(raw)
    assert [read_message(found).command for _, found, _ in box.new()] == [Command("STATUS")] * 2


def test_two_messages_with_one_message_id_are_two(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    box.deliver(b"Message-ID: <a@example.org>\r\n\r\nhello\r\n")
    box.deliver(b"Message-ID: <a@example.org>\r\n\r\ngoodbye\r\n")
    assert len(list(box.new())) == 2


def test_messages_come_as_they_arrived(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    for at in (300, 100, 200):
        box.deliver(b"Message-ID: <%d@example.org>\r\n\r\nhello\r\n" % at, at)
    assert [at for _, _, at in box.new()] == ["1970-01-01T00:01:40Z", "1970-01-01T00:03:20Z", "1970-01-01T00:05:00Z"]


def test_a_message_that_is_done_is_not_new_and_is_kept(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    path = box.deliver(b"hello\r\n")
    box.done(path)
    box.done(path)
    assert list(box.new()) == []
    assert (tmp_path / "cur" / path.name).read_bytes() == b"hello\n"


def test_what_is_still_being_written_is_not_seen(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    (tmp_path / "tmp" / "half").write_bytes(b"hel")
    assert list(box.new()) == []


def test_a_message_that_cannot_be_read_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Maildir(tmp_path / "box")
    bad, good = box.deliver(b"Subject: a\n\n1\n", 1), box.deliver(b"Subject: b\n\n2\n", 2)
    opens = Path.open

    def refuse(path: Path, *how: Any) -> Any:
        if path == bad:
            raise PermissionError(13, "Permission denied")
        return opens(path, *how)

    monkeypatch.setattr(Path, "open", refuse)
    messages = box.new()
    assert next(messages)[0] == good
    with pytest.raises(WorldError, match=f"{re.escape(bad.name)} cannot be read: Permission denied"):
        next(messages)


def test_no_more_is_read_than_is_wanted(tmp_path: Path) -> None:
    box = Maildir(tmp_path / "box")
    box.deliver(b"x" * 1000)
    assert [len(raw) for _, raw, _ in box.new(99)] == [100]
    assert [len(raw) for _, raw, _ in box.new()] == [1000]


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "/etc/passwd", "a:2,S", "..", "", "x" * 500, "é\udcff", "<<<<", "a\0b", "new\nline"]
)
def test_no_message_id_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    raw = f"Message-ID: <{name}@example.org>\r\n\r\nhello\r\n".encode("utf-8", "surrogateescape")
    path = Maildir(tmp_path / "box").deliver(raw)
    assert path.parent == tmp_path / "box" / "new"
    assert path.resolve() == path.absolute()
    assert ":" not in path.name
    assert path.read_bytes() == raw.replace(b"\r\n", b"\n")


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(WorldError, match="file/box cannot be used"):
        Maildir(tmp_path / "file" / "box")


def test_a_message_that_comes_again_keeps_the_time_at_which_it_came_first(tmp_path: Path) -> None:
    """Else an order that came in time would be late once its player had sent it once more."""
    box = Maildir(tmp_path / "box")
    for at in (1_900_000_000, 1_900_030_000, None):
        box.deliver(b"Subject: an order\n\n1\n", at)
    assert [at for _path, _raw, at in box.new()] == ["2030-03-17T17:46:40Z"]
