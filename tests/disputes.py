"""The files of the five disputes that people really have: ``python -m tests.disputes`` writes them into ``examples/disputes``.

Each dispute has two folders, a and b: in one of them the complaint is right, in the other it is not. The page
docs/how-to/five-disputes.md settles them, and its test holds it to these files. One year of Hammer of the Scots, by players who are
built in; the keys are those of a table.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

from pbem.games import find, manifest
from pbem.ledger import Log, redact
from pbem.ledger.fields import plus_seconds
from pbem.mail import write_block
from pbem.referee.pen import AskSeen, Envelope
from pbem.referee.scribe import receipt
from pbem.referee.table import Table
from tests.attacks.forger import Forger, Piece
from tests.attacks.misdeeds.book import a_deal, a_roll
from tests.attacks.recorded import record

FOLDER = Path(__file__).parents[1] / "examples" / "disputes"
HOUR = 3600


def play(*, silent: bool = False, most: int = 0, sent: Callable[[Table], None] = lambda table: None) -> Table:
    """Play a year, or until `most` questions have been put.

    If `silent`, the English don't answer when both are asked for the second time. `sent` is called before.
    """
    pack = find("hammer")
    table = Table(pack.rules, pack.complete({"years": 1}), "disputes", manifest(pack)[1], hours=24)
    chance, bot, both, no = random.Random(7), pack.bots["random"](), 0, 0
    while table.open and (not most or no < most):
        both += len(table.open.to) > 1
        quiet = ["english"] if silent and both == 2 and len(table.open.to) > 1 else []
        if quiet:
            sent(table)
        asked = [seat for seat in table.waiting if seat not in quiet]
        table.answer({seat: (str(bot.answer(table.referee.view(seat), chance)), "") for seat in asked}, quiet)
        no += 1
    return table


SHORT = 24
"""The questions of a file that needs no end: so few that it stays small."""


def _left_out(in_time: bool) -> dict[str, bytes]:
    """The English have a receipt for a card that is not in the log: of an hour before their time was over, or of an hour after."""
    papers: dict[str, bytes] = {}

    def sent(table: Table) -> None:
        assert table.open
        assert table.course.due
        entry = table.ledger.log.entries[table.open.ask]
        view, bot = table.referee.view("english"), find("hammer").bots["random"]()
        answer = table.referee.read("english", str(bot.answer(view, random.Random(1))), "")
        envelope = table.pens["english"].order(
            AskSeen.of(entry.n, entry.fields, entry.hash), str(answer.order), answer.plans
        )
        at = plus_seconds(table.course.due, -HOUR if in_time else HOUR)
        papers["order.eml"] = _mail(envelope, str(answer.order))
        papers["receipts"] = (
            json.dumps(receipt(table.host_key, table.id, envelope.say, at), separators=(",", ":")).encode() + b"\n"
        )

    table = play(silent=True, most=SHORT, sent=sent)
    return {"game.pbem": table.copy("english"), **papers}


def _mail(envelope: Envelope, order: str) -> bytes:
    head = "From: english@example.org\nTo: host@example.org\nSubject: Hammer of the Scots\nMIME-Version: 1.0\n"
    text = f"{head}Content-Type: text/plain; charset=utf-8\n\n{order}\n\n{write_block(envelope)}\n"
    return text.encode()


def _forged(misdeed: Callable[[Forger], Piece] | None, seat: str = "", *, silent: bool = False) -> dict[str, bytes]:
    """The whole log of a finished game, or a seat's copy of one that is not over, after a misdeed of the host."""
    table = play(silent=silent, most=SHORT if seat else 0)
    if misdeed is None:
        log = Log.parse(table.whole())
    else:
        forger = Forger(record(table))
        misdeed(forger)
        log = forger.write()
    return {"game.pbem": (redact(log, seat) if seat else log.tidy()).dump()}


def _a_die(forger: Forger) -> Piece:
    roll = a_roll(forger)
    roll.fields["res"][0][0] = roll.fields["res"][0][0] % 6 + 1
    return roll


def _a_card(forger: Forger) -> Piece:
    """The host deals from a deck that he has laid out himself."""
    deal = a_deal(forger)
    req = deal.fields["req"] if "req" in deal.fields else deal.value("req")
    req[0]["of"] = req[0]["of"][::-1]
    for place, value in enumerate(value for values in forger.outcome(deal, req) for value in values):
        deal.say(f"p{place}", value)
    return deal


def _too_soon(forger: Forger) -> Piece:
    """The English are passed over an hour before their time is over."""
    skip = forger.first("skip", lambda fields: fields["why"] == "due")
    ask = forger.asked(skip)
    for answer in forger.answers(ask):
        answer.fields["at"] = plus_seconds(ask.fields["due"], -HOUR)
    return skip


def _a_block(forger: Forger) -> Piece:
    """The second report shows the English a block of the Scots: which it is, and how strong."""
    tell = forger.next("tell", forger.next("tell", a_deal(forger)))
    english, told = tell.value("english"), forger.next("tell", a_deal(forger)).value("scottish")
    wallace = {"wallace": told["view"]["blocks"]["wallace"]}
    view = {**english["view"], "blocks": {**english["view"].get("blocks", {}), **wallace}}
    tell.say("english", {**english, "view": view})
    return tell


DISPUTES: dict[str, Callable[[], dict[str, bytes]]] = {
    "order-a": lambda: _left_out(in_time=False),
    "order-b": lambda: _left_out(in_time=True),
    "die-a": lambda: _forged(_a_die, "scottish"),
    "die-b": lambda: _forged(None, "scottish"),
    "card-a": lambda: _forged(None),
    "card-b": lambda: _forged(_a_card),
    "deadline-a": lambda: _forged(_too_soon, "english", silent=True),
    "deadline-b": lambda: _forged(None, "english", silent=True),
    "seen-a": lambda: _forged(None),
    "seen-b": lambda: _forged(_a_block),
}
"""By folder, what makes its files."""


def main() -> None:
    """Write them all."""
    for name, make in DISPUTES.items():
        folder = FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in make().items():
            (folder / file).write_bytes(data)


if __name__ == "__main__":
    main()
