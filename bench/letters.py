"""The letters of whole games by mail: how many for a game turn and player, how much stood in the one before, how long they are.

Built-in players answer, by the whole way through the host. In the mode “standing” each takes what the numbered list offers for
later questions, too: to fight on, to stay, the battles as they stand, the rest of a winter. A receipt goes with the next report
where that comes within ten minutes: so it is told how many letters there are where all answer at once, and where nobody does.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path

from bench.games import START, ByMail, Players, Speaking, chosen, key_of
from pbem.games import GamePack, find
from pbem.host.codes import code_of_letter
from pbem.host.robot import Robot
from pbem.host.store import Store, StoredLedger
from pbem.kernel import Json
from pbem.ledger.terms import terms
from pbem.mail import Letter
from pbem.mail.address import reply_address
from pbem.referee import AnswersDue, AskSeen, Pen
from pbem.reports.choices import choices

MODES = ("each question", "standing")
LETTERS = (6.2, 4.6)
"""At most this many letters for a turn and player, in each mode, where all answer at once."""
AGAIN, LINES = 40, 60
"""At most this many percent of lines stood in the letter before; at most this many lines has the median of those that ask."""


@dataclass(slots=True)
class Counted:
    """The letters of a game: by kind; the receipts among them that a report would have brought; its turns."""

    seats: int
    turns: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    waiting: int = 0
    asking: list[int] = field(default_factory=list)
    """The lines of each report with a question, without the board in words."""
    lines: int = 0
    again: int = 0
    """Lines of reports, and those of them that stand in the report before to the same seat."""

    def a_turn(self, *, at_once: bool) -> float:
        """Letters for a game turn and player: where all answer `at_once`, or none within ten minutes."""
        return (sum(self.kinds.values()) - self.waiting * at_once) / (self.turns * self.seats)


class Standing(Players):
    """The built-in players, with the plans of the numbered list."""

    def __init__(self, pack: GamePack, seats: tuple[str, ...], seed: int) -> None:
        super().__init__(pack, seats, seed)
        self.pack = pack

    def plan(self, seat: str, view: Json) -> str:
        """Return the plans of the first answer of the list that has some."""
        return next((one.plans for one in choices(self.pack, self.pack.rules.read_view(view)) if one.plans), "")


class WithPlans(ByMail):
    """A game by mail whose players say plans with their orders."""

    def answers(self, robot: Robot, number: int, pens: Mapping[str, Pen], name: str) -> list[tuple[bytes, str]]:
        """Write the answers to the open question of a game, each with its time of arrival."""
        referee = robot.house.game(number).resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            return []
        ledger, views = StoredLedger(robot.store, number, self.seats), referee.views()
        question = AskSeen.of(due.ask, ledger.entry(due.ask), ledger.hash_of(due.ask) or "")
        found = []
        for seat in due.to:
            said = pens[seat].order(question, self.players.say(seat, views[seat]), self.players.plan(seat, views[seat]))
            found.append((self._letter(seat, f"{name}order.{due.ask}", said), self._now()))
        return found

    players: Players


class ByReply(WithPlans):
    """The same game by replies: the host keeps all keys, and each answer is typed into a mail."""

    def open(self, robot: Robot, players: Speaking | None = None) -> None:
        """Open the game before a host; all reply JOIN."""
        self.robot, self.pens = robot, dict[str, Pen]()
        posts = {seat: f"{seat}@example.org" for seat in self.seats}
        self.number = robot.new_game(
            self.pack.rules.id,
            self.options,
            posts,
            "Bench",
            terms(0),
            f"bench {self.seed}",
            self._now(),
            kept=self.seats,
        )
        for seat in self.seats:
            outcome = robot.take(self._reply(seat, "join", f"JOIN words of {seat}"), self._now())
            assert outcome.startswith("joined"), outcome

    def answers(self, robot: Robot, number: int, pens: Mapping[str, Pen], name: str) -> list[tuple[bytes, str]]:
        """Write the replies to the open question, each with its time of arrival."""
        referee = robot.house.game(number).resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            return []
        views, found = referee.views(), []
        for seat in due.to:
            plans = self.players.plan(seat, views[seat])
            said = [self.players.say(seat, views[seat]), *(f"PLAN {plan}" for plan in plans.split("\n") if plan)]
            found.append((self._reply(seat, f"{name}order.{due.ask}", "\n".join(said)), self._now()))
        return found

    def _reply(self, seat: str, name: str, said: str) -> bytes:
        code = code_of_letter(self.robot.house.game(self.number), seat)
        return Letter(
            sender=f"{seat}@example.org",
            to=reply_address("host@example.org", code),
            subject=name,
            text=f"{said}\n",
            message_id=f"bench.{self.seed}.{name}.{seat}@example.org",
            date=START,
        ).raw()


def count(
    game: str, options: Mapping[str, str], mode: str, turns: int, seed: int, *, by_reply: bool = False
) -> Counted:
    """Play one game by mail, for so many turns (0: to the end), and count its letters; `by_reply`: the host keeps all keys."""
    pack = find(game)
    by_mail = (ByReply if by_reply else WithPlans)(pack, pack.ending(pack.complete(options)), seed)
    players = Standing(pack, by_mail.seats, seed) if mode == MODES[1] else Players(pack, by_mail.seats, seed)
    by_mail.players = players
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "host.db", new=True)
        try:
            by_mail.open(Robot(store, key_of(seed, "host"), "host@example.org"), players)
            while not turns or _turns(by_mail) <= turns:
                if not by_mail.answer_all():
                    break
            return _counted(store, by_mail, turns)
        finally:
            store.db.close()


def _turns(by_mail: ByMail) -> int:
    ledger = StoredLedger(by_mail.robot.store, by_mail.number, by_mail.seats)
    return sum(fact["f"] == "turn" for facts in ledger.told("", 0) for fact in facts)


def _counted(store: Store, by_mail: ByMail, turns: int) -> Counted:
    """Count what lies in the outbox of a host that has sent nothing."""
    found = Counted(len(by_mail.seats), min(turns, _turns(by_mail)) or _turns(by_mail))
    before: dict[str, set[str]] = {}
    waits: Counter[str] = Counter()
    for row in store.db.query("select kind, seat, not_before, raw from outbox where game is not null order by id"):
        kind, seat = row["kind"], row["seat"]
        found.kinds[kind] += 1
        if kind == "receipt" and row["not_before"]:
            waits[seat] += 1
        if kind == "report":
            found.waiting += waits.pop(seat, 0)
            text = _text(row["raw"])
            said = [line for line in text if line.strip()]
            if seat in before:
                found.lines += len(said)
                found.again += sum(line in before[seat] for line in said)
            before[seat] = set(said)
            if "YOUR CHOICE" in text:
                found.asking.append(len(_without_board(text)))
    return found


def _text(raw: bytes) -> list[str]:
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert part is not None
    return str(part.get_content()).splitlines()


def _without_board(text: list[str]) -> list[str]:
    """Return the lines of a letter without the board in words, which stands before the last two."""
    return [*text[: text.index("THE BOARD")], *text[-2:]] if "THE BOARD" in text else text


def main() -> None:
    """Print the figures of both modes, and the targets."""
    parser = argparse.ArgumentParser(prog="python -m bench.letters", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--turns", type=int, default=0, help="play so many game turns; 0: to the end")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument(
        "--by-reply", action="store_true", help="the host keeps all keys, and answers are typed into mails"
    )
    args = parser.parse_args()
    print(f"Letters of {args.games} games of Hammer of the Scots by mail, for a game turn and player")
    print(
        f"  {'':<16}{'at once':>9}{'slowly':>9}{'aim':>6}{'again':>9}{'aim':>7}{'lines':>7}{'aim':>5}   what they are"
    )
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for mode, aim in zip(MODES, LETTERS, strict=True):
            play = partial(count, "hammer", chosen(args.option), mode, args.turns, by_reply=args.by_reply)
            games = list(pool.map(play, range(1, args.games + 1)))
            turns = sum(game.turns for game in games)
            fast, slow = (
                sum(game.a_turn(at_once=at_once) * game.turns for game in games) / turns for at_once in (True, False)
            )
            again = 100 * sum(game.again for game in games) / sum(game.lines for game in games)
            lines = statistics.median(n for game in games for n in game.asking)
            kinds = sum((game.kinds for game in games), Counter[str]())
            told = ", ".join(f"{kind} {n / turns / games[0].seats:.2f}" for kind, n in kinds.most_common(4))
            print(
                f"  {mode:<16}{fast:>9.2f}{slow:>9.2f}{aim:>6.1f}{again:>7.0f} %{AGAIN:>5} %"
                f"{lines:>7.0f}{LINES:>5}   {told}"
            )


if __name__ == "__main__":
    main()
