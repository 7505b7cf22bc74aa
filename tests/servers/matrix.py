"""Mail programs against ways of answering, by a real Postfix and Dovecot: does the order count, or is it clearly answered?

    python -m tests.servers.matrix            prints the table for the programs that are installed here
    python -m tests.servers.matrix --write    writes it into docs/reference/mail-programs.md; wants all of them

Each program has a mailbox and a game of its own, in which a question stands open; each way of answering is one more revision of
the order. The report that is answered is the one that the host sent. A way that a program does not have is an empty cell.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import WorldError
from pbem.games import find
from pbem.host import Office
from pbem.ledger import PrivateKey, sha256_hex
from pbem.ledger.terms import terms
from pbem.mail import read_message
from pbem.mail.imap import ImapBox
from pbem.player import Desk, PlayerSettings
from tests.stored import stored_row, stored_rows

from . import programs, real

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "mail-programs.md"
PATIENCE = 10
"""Seconds after which a mail that has not come counts as lost."""
COUNTS, ANSWERED, LOST, FAILED, NONE = "counts", "answered", "LOST", "FAILED", ""
"""What becomes of an answer: it is taken; the player is told why not; nothing; it could not be made; there is no such way."""


@dataclass
class Player:
    """One program's player: his desk, and the report that he answers."""

    program: programs.Program
    desk: Desk
    number: int
    address: str
    report: bytes = b""
    cells: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)


def moment(hour: int) -> str:
    """The time so many times three hours after the beginning: nobody has been answered too often lately."""
    return f"2030-01-{1 + hour // 8:02}T{hour % 8 * 3:02}:00:00Z"


@contextmanager
def a_host(folder: Path, servers: real.Servers) -> Iterator[Office]:
    """A host with a mailbox at the servers."""
    home = folder / "host"
    Office.create(home, _key("host"), real.HOST).close()
    (home / "password").write_text(real.PASSWORD + "\n", "utf-8")
    (home / "password").chmod(0o600)
    account = f'host = "localhost"\nca_file = "{servers.certificate}"\nuser = "host"\npassword_file = "password"\n'
    settings = (
        f'address = "{real.HOST}"\npictures = true\n[in.imap]\nport = {servers.imaps}\n{account}'
        f'[out.smtp]\nport = {servers.submission}\ntls = "starttls"\n{account}'
    )
    (home / "host.toml").write_text(settings, "utf-8")
    office = Office(home)
    try:
        yield office
    finally:
        office.close()


def _key(who: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(who.encode())))


def begin(office: Office, folder: Path, program: programs.Program) -> Player:
    """Open a game for a program; its first question stands open."""
    address = f"{program.user}@players.test"
    seats = {"ann": address, "bob": "bob@players.test"}
    number = office.robot.new_game(
        "tiny", {"players": 2, "turns": 2}, seats, "A game", terms(0), program.user, moment(0)
    )
    desks = {
        seat: Desk.create(
            folder / "desks" / f"{program.user}.{seat}", _key(program.user + seat), PlayerSettings(seats[seat])
        )
        for seat in seats
    }
    player = Player(program, desks["ann"], number, address)
    for _ in range(3):  # the invitation, all keys, the question
        rows = stored_rows(
            office.store, "select seat, kind, raw from outbox where sent = 0 and game = ? order by id", number
        )
        for row in rows:
            desk = desks[row["seat"]]
            if row["kind"] in ("invitation", "roster"):
                desk.join(row["raw"], moment(0))
            else:
                desk.read(row["raw"])
                if row["seat"] == "ann" and row["kind"] == "report":
                    player.report = row["raw"]
        office.send(moment(0))
        for desk in desks.values():
            for path in desk.tray.unsent():
                office.robot.take(desk.tray.sent(path).read_bytes(), moment(0))
    office.send(moment(0))
    return player


def answer(player: Player, way: str, folder: Path, servers: real.Servers) -> bool:
    """Let a program answer in one way; False where it has no such way."""
    notes = player.desk.notes()
    _, view, _ = player.desk.question(notes)
    order = str(next(iter(find("tiny").rules.options(view))))
    player.desk.order(notes, order, "", moment(0))
    (letter,) = player.desk.tray.unsent()
    letter = player.desk.tray.sent(letter)
    case = programs.Case(
        way,
        folder / player.program.user / way.replace(" ", "-"),
        servers,
        player.address,
        letter.read_bytes(),
        player.report,
    )
    try:
        return player.program.answer(case)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        said = (error.stderr or b"").decode("utf-8", "replace")[-300:]
        player.cells[way], player.said[way] = FAILED, f"{error}: {said}"
        return False


def hear(office: Office, waiting: dict[str, Player], way: str, at: str) -> None:
    """Take mail until every program that has sent is heard, or none comes any more."""
    box = office.mailbox()
    assert isinstance(box, ImapBox)
    last = time.monotonic()
    try:
        while waiting and time.monotonic() - last < PATIENCE:
            for number, raw, _ in list(box.new()):
                outcome = office.robot.take(raw, at, "imap")
                box.done(number)
                player = waiting.pop(read_message(raw).sender, None)
                if player is not None and programs.is_so(way, raw):
                    player.cells[way], player.said[way] = _judged(office, player, outcome, at)
                elif player is not None:
                    player.cells[way], player.said[way] = FAILED, f"it came in another way: {outcome}"
                last = time.monotonic()
            time.sleep(0.05)
    except WorldError as error:
        print(f"{way}: {error}", file=sys.stderr)
    finally:
        box.close()
    for player in waiting.values():
        player.cells[way] = LOST


def _judged(office: Office, player: Player, outcome: str, at: str) -> tuple[str, str]:
    if outcome == "order: ann":
        return COUNTS, ""
    row = stored_row(
        office.store, "select raw from outbox where address = ? and at = ? and kind in ('refusal', 'reply') order by id desc",
        player.address, at,
    )  # fmt: skip
    return (
        (ANSWERED, " ".join(read_message(row["raw"]).text.partition("Your question")[0].split())[:300])
        if row
        else (LOST, outcome)
    )


def played(
    folder: Path, chosen: Mapping[str, programs.Program], ways: tuple[str, ...] = tuple(programs.WAYS)
) -> list[Player]:
    """Let programs answer in all ways; return what came of it."""
    users = [program.user for program in chosen.values()]
    with real.running(folder / "servers", "host", "bob", *users) as servers, a_host(folder, servers) as office:
        players = [begin(office, folder, program) for program in chosen.values()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for hour, way in enumerate(ways, 1):
                can = pool.map(lambda player, way=way: answer(player, way, folder / "work", servers), players)
                waiting = {player.address: player for player, is_sent in zip(players, can, strict=True) if is_sent}
                hear(office, waiting, way, moment(hour))
                office.send(moment(hour))
    return players


def table(players: list[Player]) -> list[str]:
    """The table as lines of Markdown."""
    lines = ["| program | " + " | ".join(programs.WAYS) + " |", "|---" * (len(programs.WAYS) + 1) + "|"]
    for player in players:
        cells = (player.cells.get(way, NONE) for way in programs.WAYS)
        lines.append(f"| {player.program.name} | " + " | ".join(cells) + " |")
    return lines


def page(players: list[Player]) -> str:
    """The whole page."""
    ways = "\n".join(f"- **{way}**: {meaning}." for way, meaning in programs.WAYS.items())
    versions = " · ".join(f"{player.program.name} {player.program.version()}" for player in players)
    answers = dict.fromkeys(
        f"- {way}: “{player.said[way]}”"
        for player in players
        for way in programs.WAYS
        if player.cells.get(way) == ANSWERED
    )
    return HEAD.format(ways=ways, table="\n".join(table(players)), versions=versions) + (
        ("\nWhat is answered where the order does not count:\n\n" + "\n".join(answers) + "\n") if answers else ""
    )


HEAD = """\
# Mail programs

Each program answers a real report in each way, through a real Postfix and Dovecot, and a host decides. The programs are Debian's.
Those that read mail quote the report themselves, except mailutils and Emacs. For the others the test writes the quotation. Mail
travels through submission or `sendmail`, is checked on arrival, and is fetched by IMAP.

- “counts”: the host takes the order and sends a receipt.
- “answered”: the host doesn't, and tells the player why and what to do.
- An empty cell: the program can't do this, or only on a screen.

This part is made from the program (`python -m tests.servers.matrix --write`); a test repeats it with the installed programs.

{table}

{ways}

Versions: {versions}.
"""


def main() -> None:
    """Print the table, or write the page."""
    if why := real.missing():
        sys.exit(f"Cannot be tried here: {why}.")
    os.environ.setdefault("PBEM_GAMES", str(PAGE.parents[2] / "examples"))
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    chosen = {
        name: one for name, one in programs.PROGRAMS.items() if not one.missing() and (not wanted or name in wanted)
    }
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="matrix", ignore_cleanup_errors=True) as folder:
        players = played(Path(folder), chosen)
    print("\n".join(table(players)))
    for player in players:
        for way, said in player.said.items():
            if player.cells.get(way) != COUNTS:
                print(f"{player.program.name}, {way}: {said}")
    absent = ", ".join(sorted(set(programs.PROGRAMS) - set(chosen)))
    print(f"{time.monotonic() - began:.0f} s; left out: {absent or 'none'}")
    if "--write" in sys.argv:
        if set(chosen) != set(programs.PROGRAMS):
            sys.exit("The page is written where all programs are installed.")
        PAGE.write_text(page(players), "utf-8")


if __name__ == "__main__":
    main()
