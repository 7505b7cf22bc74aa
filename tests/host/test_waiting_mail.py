"""Mail that waits until a deadline may pass is kept whole: it is decided on later, as it came."""

from __future__ import annotations

from pathlib import Path

from pbem.host.outbox import later

from .post import a_club


def test_mail_that_waits_keeps_its_bytes(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        robot = club.robot
        robot.arrivals.expect(["imap"])
        order = club.order("ann")
        due = str(club.log().entries[-1].fields["due"])
        assert robot.take(order, later(due, hours=1), "maildir").startswith("waits:")
        (row,) = robot.store.rows("select raw from inbox where outcome like 'waits:%'")
        assert row["raw"] == order
        robot.arrivals.look(later(due, hours=2))
        robot.arrivals.read("imap", later(due, hours=2))
        robot.tick(later(due, hours=2))
        decided = robot.store.row("select outcome from inbox order by id desc")
        assert decided is not None
        # it is read as an order, and late
        assert decided["outcome"].startswith(
            ("refused: ASK: Nothing is asked of Ann now", "refused: ASK: This order answers")
        )


def test_mail_that_waits_came_when_its_first_copy_did(tmp_path: Path) -> None:
    """The copy that came late lay in a folder, and the one that came in time in a mailbox that is read after it."""
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        robot = club.robot
        robot.arrivals.expect(["imap"])
        order = club.order("ann")
        due = str(club.log().entries[-1].fields["due"])
        assert robot.take(order, later(due, hours=1), "maildir").startswith("waits:")
        assert robot.take(b"Received: by another way\r\n" + order, later(due, hours=-1), "imap") == "duplicate"
        robot.arrivals.look(later(due, hours=2))
        robot.arrivals.read("imap", later(due, hours=2))
        robot.tick(later(due, hours=2))
        assert [row["outcome"] for row in robot.store.rows("select outcome from inbox order by id desc limit 1")] == [
            "order: ann"
        ]
