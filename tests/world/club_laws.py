"""The laws of a simulated club: what must hold of it at the end, whatever its people did; and the figures that it came to.

- **Mails** are all stored and decided; none waits or failed.
- **Letters** are in their mailbox or at the web address, unless the mailbox is gone. Only after a broken delivery one comes twice.
- **Strangers** got no more letters than the settings allow. The store names nobody who left.
- **Seats** belong to the right keys.
- **Games** that ended audit clean, and players' copies agree.
- **Ratings** are equal from the logs in any order, the register and players' copies.
- **Events** have exactly the games that follow from file and logs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pbem.club.event import Event
from pbem.club.event_course import EventCourse
from pbem.club.rating_list import RatingList
from pbem.club.registers import Registers
from pbem.club.results import LeftOut, RatedGame, result_of
from pbem.games import installed
from pbem.host.built_in import is_built_in
from pbem.host.moments import later
from pbem.host.registering import register_of
from pbem.host.store.erasing import FORGOTTEN
from pbem.host.store.rows import GameRow, LetterRow, Mail, Member
from pbem.ledger import Log, sha256_hex
from pbem.referee.audit import audit
from tests.host.post import key_of, moment
from tests.stored import all_rows, stored_row, stored_rows

if TYPE_CHECKING:
    from .a_club import ClubWorld


@dataclass(frozen=True, slots=True)
class Figures:
    """What a club came to."""

    count: Counter[str]
    audits_clean: int
    rated: int
    events: tuple[str, ...]
    left: tuple[str, ...]
    """The hash of each log that is over, and of the rating list: what another club of the same seed comes to, too."""

    def told(self) -> list[str]:
        """Return it in lines."""
        counted = [f"{n:>9}  {what}" for what, n in sorted(self.count.items())]
        return [
            *counted,
            f"{self.audits_clean:>9}  audits clean",
            f"{self.rated:>9}  rated games counted",
            *self.events,
        ]


def hold(world: ClubWorld) -> Figures:
    """Hold a world to all laws. Raises AssertionError for the first that is broken."""
    _every_mail_is_accounted_for(world)
    _every_letter_is_accounted_for(world)
    _strangers_are_left_in_peace(world)
    _nobody_has_anothers_seat(world)
    _who_left_is_erased(world)
    logs = _every_game_is_clean(world)
    results = _ratings_follow_from_logs(world, logs)
    events = _events_follow_from_file_and_logs(world, results)
    store = world.office.store
    for row in stored_rows(store, "select stage, count(*) as n from games group by stage"):
        world.count[f"games {row['stage']}"] = row["n"]
    world.count["members at the end"] = sum(bool(one.confirmed) for one in store.find(Member))
    world.count["letters out"] = (stored_row(store, "select count(*) as n from outbox") or {"n": 0})["n"]
    for way, n in world.boxes.failed.items():
        world.count[f"servers: {way}"] = n
    for status, n in world.door.turned_away.items():
        world.count[f"door: answered with {status}"] = n
    left = [sha256_hex(logs[number]) for number in sorted(logs)]
    left.append(sha256_hex(json.dumps(RatingList.of(results).to_json(), sort_keys=True).encode()))
    return Figures(world.count, len(logs), len(results), tuple(events), tuple(left))


def _every_mail_is_accounted_for(world: ClubWorld) -> None:
    """Each mail that was handed in is stored and decided, or was there before, and then nothing of it is stored."""
    mails = world.office.store.find(Mail)
    for mail in mails:
        assert mail.outcome, f"mail {mail.id} is not decided"
        assert not mail.outcome.startswith(("failed", "waits")), f"mail {mail.id}: {mail.outcome}"
    assert len(mails) + world.count["mails that were there before"] == world.count["mails in"]
    assert world.door.wrong == [], "the door stumbled"
    troubles = [one for one in world.office.troubles() if "letter" not in one]
    assert troubles == [], troubles


def _every_letter_is_accounted_for(world: ClubWorld) -> None:
    """Each letter has reached its mailbox once, or lay at the door instead, or the mailbox is no more; none came of nothing."""
    for _round in range(3):
        world.minute += 300  # what was not taken is tried again
        world.deliver()
    letters = world.office.store.find(LetterRow)
    known, less_by_mail = {one.message_id for one in letters}, 0
    assert set(world.boxes.came) <= known, "a letter that nobody has written"
    for one in letters:
        came = world.boxes.came[one.message_id]
        if one.sent == 1 and not came and not is_built_in(one.address):
            less_by_mail += 1
            assert one.seat, f"{one.message_id} went nowhere"
        elif one.sent != 1:
            assert one.address in world.boxes.shut, f"{one.message_id} to {one.address} was not sent"
    twice = sum(n - 1 for n in world.boxes.came.values() if n > 1)
    assert twice <= world.boxes.failed["taken all the same"]
    world.count["letters at the door alone"] = less_by_mail
    world.count["letters that came twice"] = twice


def _strangers_are_left_in_peace(world: ClubWorld) -> None:
    """In no day, from whatever minute on, go more letters to addresses that are no member's than the settings say."""
    from .a_club import STRANGERS

    rows = stored_rows(world.office.store, "select at, address from outbox where kind = 'register' order by at")
    known = {*world.owner, FORGOTTEN}  # a member who leaves is written to as well, and erased then
    strange = [row["at"] for row in rows if row["address"] not in known]
    most = max((sum(later(at, hours=-24) < other <= at for other in strange) for at in set(strange)), default=0)
    assert most <= STRANGERS, "strangers are written to too often"
    world.count["letters to strangers, most in a day"] = most


def _nobody_has_anothers_seat(world: ClubWorld) -> None:
    """The key of each seat is the one of whose address it was given to, or of nobody."""
    for row in stored_rows(world.office.store, "select address, key from seats where key is not null and key <> ''"):
        owner = world.owner.get(row["address"])
        if owner is not None:
            assert row["key"] == key_of(owner.name).key_line, row


def _is_later(then: str, value: str) -> bool:
    return re.fullmatch(r"[0-9-]{10}t[0-9:]{8}z", value) is not None and value > then.lower()


def _who_left_is_erased(world: ClubWorld) -> None:
    """Nothing is stored of somebody who has left, and whose games are over, but for what he has written as a stranger since."""
    rows = [[value.lower() for value in row if isinstance(value, str)] for _table, row in all_rows(world.office.store)]
    store, gone = world.office.store, 0
    for person in world.people:
        if (
            person.left
            and person.address not in store.notes("left ")
            and not store.find(Member, address=person.address)
        ):
            if not store.registered(person.address) and person.left + 1440 < world.minute:
                gone += 1
                then = moment(person.left)
                kept = [row for row in rows if person.address in row and not any(map(partial(_is_later, then), row))]
                assert not kept, f"{person.address} has left, and is stored: {kept}"
    world.count["left and erased"] = gone


def _every_game_is_clean(world: ClubWorld) -> dict[int, bytes]:
    """Each game that is over audits clean, and each player's copy is its beginning or the whole of it; return the logs."""
    robot, logs = world.office.robot, dict[int, bytes]()
    for row in world.office.store.find(GameRow, stage="ended", order="id"):
        logs[row.id] = robot.house.game(row.id).exported().dump()
        found = audit(logs[row.id], installed).verdict
        assert found.verdict == "clean", f"game {row.id}: {found}"
    numbers = {Log.parse(data).game: number for number, data in logs.items()}
    for person in world.people:
        for notes in person.desk.games() if person.desk else ():
            n, head = person.desk.copy(notes).log.head if person.desk else (0, "")
            if notes.game in numbers:
                assert robot.house.game(numbers[notes.game]).ledger.hash_of(n) == head, (
                    f"{person.name}'s copy is another history"
                )
                world.count["copies that agree"] += 1
    return logs


def _ratings_follow_from_logs(world: ClubWorld, logs: dict[int, bytes]) -> list[RatedGame]:
    """The list is the same from the host's logs in any order, from players' copies, and with the register."""
    registers = Registers([("the host's", register_of(world.office.store))])
    results: list[RatedGame | LeftOut] = [result_of(data, installed, registers=registers) for data in logs.values()]
    ratings = RatingList.of(results)
    lost = [one for one in ratings.left_out if "register" in one.why]
    assert not lost, f"a rated game that no register knows: {lost}"
    world.chance.shuffle(results)
    assert RatingList.of(results).to_json() == ratings.to_json(), "the order of the logs counts"
    copies: list[RatedGame | LeftOut] = []
    mine = {one.id for one in ratings.counted}
    for person in world.people:
        for notes in person.desk.games() if person.desk else ():
            if notes.game in mine:
                mine.discard(notes.game)
                assert person.desk is not None
                copies.append(result_of(person.desk.copy(notes).log.dump(), installed))
    theirs = [one for one in copies if isinstance(one, RatedGame)]
    by_players = {one.id for one in theirs}
    ours = RatingList.of(one for one in ratings.counted if one.id in by_players)
    assert RatingList.of(theirs).to_json() == ours.to_json(), "players' copies give another list"
    missing = [one for one in registers.missing({one.id for one in results}, None, ()) if one.keys]
    world.count["rated games begun and not over"] = len(missing)
    world.count["rated games by players' copies"] = len(theirs)
    world.count["rated players"] = sum(len(rows) for rows in ratings.games.values())
    return list(ratings.counted)


def _events_follow_from_file_and_logs(world: ClubWorld, results: list[RatedGame]) -> list[str]:
    """Each event's rounds, paired anew from its file and the logs, are those whose games the host has opened, and no others."""
    told, notes = [], world.office.store.notes("event ")
    for file, text in world.events.items():
        event = Event.read(text, file)
        course = EventCourse(event, results)
        assert not course.strangers, course.strangers
        pairs = {
            f"{event.full_name} {no} {one.pair.first} {one.pair.second}"
            for no, games in enumerate(course.rounds, 1)
            for one in games
        }
        opened = {name for name in notes if name.startswith(event.full_name)}
        assert opened <= pairs, f"games that nobody has paired: {opened - pairs}"
        over = "over" if course.over else f"in round {len(course.rounds)}"
        first = course.table()[0]
        told.append(
            f"{event.full_name}: {len(event.players)} players, {len(opened)} games opened, {over}; {first.name} leads"
        )
    return told
