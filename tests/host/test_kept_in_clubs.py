"""Kept seats in clubs: who has no key sits down at a table and plays by replying; rated games and events are for keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import find, manifest
from pbem.host.members import member_of
from pbem.host.store.rows import KEPT, GameRow
from pbem.ledger import Log
from pbem.ledger.kept import look_at, seats_of
from pbem.referee.audit import audit
from tests.host.club_by_mail import Host

from .mailboxes import Mailboxes, parsed, text_of
from .post import HOST, moment


class Club(Host):
    """A club whose members have a mailbox and nothing else."""

    def __init__(self, folder: Path, **rules: object) -> None:
        super().__init__(folder, **rules)
        self.letters: dict[str, list[bytes]] = {}

    def last(self, who: str, kind: str = "") -> bytes:
        """The last letter to somebody, of a kind."""
        self.letters.setdefault(who, []).extend(self.box(who))
        return next(raw for raw in reversed(self.letters[who]) if kind in str(parsed(raw)["Message-ID"]))

    def reply(self, who: str, said: str, kind: str = "") -> str:
        """Let somebody reply to his last letter of a kind; return what the host decided."""
        self.minute, self.no = self.minute + 61, self.no + 1
        raw = Mailboxes.reply(self, who, said, self.last(who, kind), sender="")  # type: ignore[arg-type]
        return self.office.robot.take(raw, moment(self.minute))

    @property
    def sent(self) -> int:
        return self.no

    @sent.setter
    def sent(self, no: int) -> None:
        self.no = no


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    made = Club(tmp_path)
    for who in ("ann", "bob"):
        made.member(who)
    yield made
    made.office.close()


def a_table(club: Club, more: str = "") -> int:
    """A table that Ann opens and Bob fills; return its game."""
    assert club.write("ann", f"NEW tiny players=2 turns=2 side=ann {more}".strip()) == "answered: NEW"
    assert club.write("bob", "JOIN 1") == "answered: JOIN"
    return int(club.store.find(GameRow)[-1].id)


@pytest.mark.slow
def test_who_has_no_key_sits_down_and_plays_to_the_end(club: Club) -> None:
    number = a_table(club)
    assert club.reply("ann", "JOIN eleven swans", "invitation") == "joined: ann"
    assert club.reply("bob", "JOIN", "invitation") == "joined: bob"
    for _ in range(40):
        game = club.office.robot.house.game(number)
        if game.stage == "ended":
            break
        for seat in game.waiting():
            assert club.reply(seat, "1", ".report.") == f"order: {seat}"
    exported = club.office.robot.house.game(number).exported().dump()
    assert audit(exported, lambda name: (find(name).rules, manifest(find(name))[1])).verdict.verdict == "clean"
    found = look_at(Log.parse(exported))
    assert found is not None
    assert (found.seed, found.odd, sorted(found.seats)) == ("fits", [], ["ann", "bob"])


def test_a_built_in_player_at_a_table_is_none_of_the_kept(club: Club) -> None:
    club.write("ann", "NEW tiny players=2 side=ann bob=random")
    assert seats_of(club.office.robot.house.game(1).ledger.entry(0)["terms"]) == ("ann",)
    assert club.reply("ann", "JOIN a horse", "invitation") == "joined: ann"


@pytest.mark.parametrize(("rules", "more"), [({}, "rated"), ({"own_keys": True}, "")])
def test_no_seat_is_kept_in_a_rated_game_or_where_the_club_says_so(
    tmp_path: Path, rules: dict[str, object], more: str
) -> None:
    club = Club(tmp_path, **rules)
    for who in ("ann", "bob"):
        club.member(who)
    game = club.office.robot.house.game(a_table(club, more))
    assert seats_of(game.ledger.entry(0)["terms"]) == ()
    assert "Reply with JOIN" not in text_of(club.last("ann", "invitation"))
    assert club.reply("ann", "JOIN eleven swans", "invitation").startswith(
        "refused: FORM: In this game each player signs"
    )
    assert "a key of his own" in " ".join(text_of(club.last("ann", "refusal")).split())
    assert not club.office.robot.house.game(1).seats["ann"].key
    club.office.close()


def test_a_table_says_who_needs_a_key(club: Club) -> None:
    club.write("ann", "NEW tiny players=2 side=ann rated")
    assert "rated: each player signs with a key of his own" in text_of(club.last("ann", "club"))
    club.write("cid", "GAMES")
    assert "you need only your mailbox" in " ".join(text_of(club.last("cid")).split())


def test_what_is_the_clubs_is_answered_by_it_though_it_replies_to_a_game(club: Club) -> None:
    """A player writes to the club by replying to whatever letter he finds; his order in the same mail counts."""
    number = a_table(club)
    assert club.reply("ann", "JOIN eleven swans", "invitation") == "joined: ann"
    assert club.reply("bob", "JOIN 3", "invitation") == "joined: bob", "there is no table 3, so these are his words"
    assert club.reply("ann", "GAMES", ".report.") == "answered: GAMES"
    assert club.reply("ann", "NEW tiny players=2", ".report.") == "answered: NEW"
    assert club.reply("bob", "JOIN 2", ".report.") == "answered: JOIN"
    assert club.reply("ann", "GAMES\n1", ".report.") == "order: ann"
    seats = club.office.robot.house.game(number).seats.values()
    assert [seat.kept for seat in seats] == [KEPT, KEPT]
    assert [member_of(club.store, str(seat.key)) for seat in seats] == [None, None], (
        "a key that the host keeps names nobody"
    )


def test_join_with_the_number_of_a_table_that_waits_is_for_the_table(club: Club) -> None:
    a_table(club)
    club.write("bob", "NEW tiny players=2")
    assert club.reply("ann", "JOIN 2", "invitation") == "answered: JOIN"
    assert not club.office.robot.house.game(1).seats["ann"].key
    assert club.reply("ann", "JOIN 2", "invitation").startswith("joined"), "it waits no more"


def test_join_in_a_new_mail_is_told_where_it_belongs(club: Club) -> None:
    a_table(club)
    assert club.write("ann", "JOIN eleven swans").startswith(
        "refused: FORM: JOIN counts only in a reply to the invitation"
    )
    assert HOST in str(parsed(club.last("ann"))["From"])


def test_who_leaves_the_club_plays_his_kept_seat_to_its_end_or_resigns(club: Club) -> None:
    number = a_table(club)
    club.reply("ann", "JOIN eleven swans", "invitation")
    club.reply("bob", "JOIN hm", "invitation")
    assert club.write("bob", "LEAVE CLUB") == "answered: LEAVE"
    code = next(line.strip() for line in text_of(club.last("bob", "register")).split("\n") if "CONFIRM" in line)
    assert club.write("bob", code) == "member: left"
    assert club.reply("bob", "1", ".report.") == "order: bob"
    assert club.reply("bob", "RESIGN", ".report.").startswith("to be confirmed")
    assert club.reply("bob", "YES", "doubt") == "waits: resign, bob"
    assert club.reply("ann", "1", ".report.") == "order: ann"
    assert club.office.robot.house.game(number).stage == "ended"
    club.box("bob")
    club.office.robot.tick(moment(club.minute + 60 * 24))
    assert not club.keeps("bob@example.org")
