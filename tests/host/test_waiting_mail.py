"""Mail that waits until a deadline may pass is kept whole: it is decided on later, as it came."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.host import Robot
from pbem.host.moments import later
from tests.stored import stored_row, stored_rows

from .post import a_club


@contextmanager
def late_while_a_mailbox_is_unread(folder: Path) -> Iterator[tuple[Robot, bytes, str]]:
    """A host with an order that came an hour after the time for it was over; until when that was."""
    with a_club(folder, hours=24) as club:
        club.begin()
        robot = club.robot
        robot.arrivals.expect(["imap"])
        order = club.order("ann")
        due = str(club.log().entries[-1].fields["due"])
        assert robot.take(order, later(due, hours=1), "maildir").startswith("waits:")
        yield robot, order, due


def look(robot: Robot, at: str) -> None:
    """The mailbox is read completely, and the time is looked at."""
    robot.arrivals.look(at)
    robot.arrivals.read("imap", at)
    robot.tick(at)


def test_mail_that_waits_keeps_its_bytes(tmp_path: Path) -> None:
    with late_while_a_mailbox_is_unread(tmp_path) as (robot, order, due):
        (row,) = stored_rows(robot.store, "select raw from inbox where outcome like 'waits:%'")
        assert row["raw"] == order
        look(robot, later(due, hours=2))
        decided = stored_row(robot.store, "select outcome from inbox order by id desc")
        assert decided is not None
        # it is read as an order, and late
        assert decided["outcome"].startswith(
            ("refused: ASK: Nothing is asked of Ann now", "refused: ASK: This order answers")
        )


def test_mail_that_waits_came_when_its_first_copy_did(tmp_path: Path) -> None:
    """The copy that came late lay in a folder, and the one that came in time in a mailbox that is read after it."""
    with late_while_a_mailbox_is_unread(tmp_path) as (robot, order, due):
        assert robot.take(b"Received: by another way\r\n" + order, later(due, hours=-1), "imap") == "duplicate"
        look(robot, later(due, hours=2))
        assert [
            row["outcome"] for row in stored_rows(robot.store, "select outcome from inbox order by id desc limit 1")
        ] == ["order: ann"]
