"""People who play by the page alone, and the host that they write to: what the tests of whole turns in real browsers are told in.

A `Browsers` is a program of Node beside us that has a browser for each of them and does by clicks and taps what it is told
(`by_page.mjs`). A `House` is a host at work in a folder, as it stands behind any mailbox; between the two go mails and files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from docs.pictures import CHROMIUM
from pbem.games import find, manifest
from pbem.host import Office, StoredLedger
from pbem.host.store.keeping import Wanted, overview
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.ledger.terms import terms
from pbem.mail import Maildir, read_message
from pbem.page.single import BUILT
from pbem.referee.audit import audit
from tests.chaos.installed import PBEM
from tests.host.post import HOST, key_of, moment
from tests.stored import stored_row

from .serving import served

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EPOCH_MINUTE = 1893456000 // 60


class Wrong(AssertionError):
    """What a person at the page could not do."""


class Browsers:
    """Browsers beside us, one for each person."""

    def __init__(self, modules: str, seed: int) -> None:
        chromium = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
        assert chromium, "there is no Chromium here"
        command = ["node", str(HERE / "by_page.mjs"), modules, str(seed)]
        env = {**os.environ, "CHROMIUM": chromium}
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def tell(self, who: str, does: str, **more: object) -> Any:
        """Let somebody do something; return what came of it. Raises Wrong."""
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(json.dumps({"who": who, "does": does, **more}) + "\n")
        self._node.stdin.flush()
        answer = self._node.stdout.readline()
        found = json.loads(answer or '{"failed": "the program with the browsers has ended"}')
        if "failed" in found:
            raise Wrong(f"{who}, {does}: {found['failed']}")
        return found["ok"]

    def faults(self, reports: Sequence[str]) -> list[str]:
        """What the pages of all of them complain of; `reports` are of their policy."""
        return [*self.tell("", "faults"), *(f"the policy was broken: {report}" for report in reports)]

    def close(self) -> None:
        """Close all of them."""
        assert self._node.stdin
        self._node.stdin.close()
        try:
            self._node.wait(20)
        except subprocess.TimeoutExpired:
            self._node.kill()


class Terminal:
    """Somebody in the terminal: the same as of a page is told to him, and he does it by the command."""

    def __init__(self, folder: Path) -> None:
        self.home, self.post = folder / "terminal", Maildir(folder / "post")
        self._chance, self._came = Random("terminal"), list[str]()

    def tell(self, who: str, does: str, **more: Any) -> Any:
        """Let him do something; return what came of it. Raises Wrong."""
        return getattr(self, f"_{does}")(**more)

    def pbem(self, *arguments: str, typed: str = "") -> str:
        """Run a command on his desk; return what it printed. Raises Wrong where it fails."""
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PBEM_LANGUAGE": "en"}
        command = [str(PBEM), *arguments, "--home", str(self.home)]
        done = subprocess.run(command, input=typed, text=True, capture_output=True, check=False, env=env, cwd=ROOT)
        if done.returncode:
            raise Wrong(f"pbem {' '.join(arguments)}: {done.stdout[-900:]}{done.stderr}")
        return done.stdout

    def _key(self, mail: str) -> None:
        self.pbem("key", "--address", mail, "--post", str(self.post.path))

    def _drops(self, files: list[str]) -> list[str]:
        self._came = files
        return [self.pbem("read", file) for file in files]

    def _joins(self) -> dict[str, str]:
        self.pbem("join", self._came[-1])
        return self._sent()

    def _answers(self, **_wishes: object) -> dict[str, Any]:
        """He chooses by number: any touch, then the first that is offered until the order is whole."""
        chosen = self._chance.randint(1, 4)
        said = self.pbem("order", typed=f"{chosen}\n" + "1\n" * 12 + "y\n")
        order = [line.strip() for line in said.partition("Signed:")[2].splitlines() if line.startswith("  ")]
        return {"order": order, "scene": False, "touches": 0, "drawn": 0, "undone": 0, "letter": self._sent()}

    def _shows(self) -> str:
        return self.pbem("board")

    def _sent(self) -> dict[str, str]:
        self.pbem("send")
        ((path, raw, _),) = list(self.post.new())
        self.post.done(path)
        return {"file": b64encode(raw).decode()}


class House:
    """A host with one game; its clock is that of the machine, which the pages have, too."""

    def __init__(self, folder: Path, game: str, options: Mapping[str, Json]) -> None:
        self.folder = folder
        self.office = Office.create(folder / "host", key_of("host"), HOST)
        self.game, self.options = game, {**find(game).complete(options)}
        self.seats = tuple(find(game).rules.seats(self.options))
        addresses = {seat: self.mail_of(seat) for seat in self.seats}
        self.number = self.office.robot.new_game(
            game, self.options, addresses, "By the page", terms(0), "fresh", self.now()
        )
        self.taken: list[tuple[str, bytes, str]] = []
        """Every letter that the host took: when, its bytes, what he decided."""

    def mail_of(self, seat: str) -> str:
        return f"{seat}@example.org"

    def now(self) -> str:
        """The time, in whole minutes."""
        return moment(int(time.time()) // 60 - EPOCH_MINUTE)

    def take(self, raw: bytes) -> str:
        """Let the host take a letter."""
        at = self.now()
        decided = self.office.robot.take(raw, at)
        self.taken.append((at, raw, decided))
        return decided

    def deliver(self) -> dict[str, list[Path]]:
        """Return the host's new letters as files, by seat, in the order in which he wrote them."""
        self.office.send(self.now())
        new: dict[str, list[Path]] = {}
        for seat in self.seats:
            box = Maildir(self.office.folder / "mail" / seat)
            found = [(self._number_of(raw), raw, path) for path, raw, _ in list(box.new())]
            for n, raw, path in sorted(found):
                place = self.folder / "letters" / f"{seat}-{n:04}.eml"
                place.parent.mkdir(exist_ok=True)
                place.write_bytes(raw)
                box.done(path)
                new.setdefault(seat, []).append(place)
        return new

    def _number_of(self, raw: bytes) -> int:
        row = stored_row(self.office.store, "select id from outbox where message_id = ?", read_message(raw).message_id)
        return int(row["id"]) if row else 0

    def asked(self) -> list[str]:
        """Whom the host waits for."""
        return overview(self.office.robot.store, Wanted())[0].waiting

    def log(self) -> Log:
        """The host's log."""
        return StoredLedger(self.office.store, self.number, self.seats).whole()

    def verdict(self) -> str:
        """What an audit says of the log."""
        found = audit(self.log().dump(), lambda game: (find(game).rules, manifest(game)[1])).verdict
        return found.verdict if not found.code else f"{found.verdict}: {found.code}, {found.reason}"


def posted(letter: Mapping[str, str], sender: str) -> bytes:
    """Return what a mail program makes of a letter that the page handed to it: a file, or a link."""
    if "file" in letter:
        return b64decode(letter["file"])
    link = urlsplit(letter["mailto"])
    fields = parse_qs(link.query, strict_parsing=True)
    mail = EmailMessage(SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, unquote(link.path), fields["subject"][0]
    mail["Message-ID"] = f"<{abs(hash(letter['mailto']))}@phone.example>"
    mail.set_content(fields["body"][0])
    return mail.as_bytes()


class Table:
    """People at their pages or terminals, their host, and the letters between them, which all go by mail."""

    def __init__(self, house: House, people: Mapping[str, Browsers | Terminal]) -> None:
        self.house, self.people = house, people
        self.seen: Counter[str] = Counter()

    def tell(self, seat: str, does: str, **more: object) -> Any:
        """Let somebody do something."""
        return self.people[seat].tell(seat, does, **more)

    def send(self, who: str, letter: dict[str, str]) -> None:
        """Let a letter go by a mail program to the host."""
        self.seen["mailto" if "mailto" in letter else "file"] += 1
        decided = self.house.take(posted(letter, self.house.mail_of(who)))
        assert decided.endswith(f": {who}"), (who, decided, posted(letter, self.house.mail_of(who)).decode()[:900])

    def bring(self) -> None:
        """Everybody reads what has come for him."""
        for seat, files in self.house.deliver().items():
            said = self.tell(seat, "drops", files=[str(file) for file in files])
            assert len(said) >= len(files), said
            assert not [text for text in said if "Left alone" in text], said
            self.seen["letters in"] += len(files)

    def sit_down(self) -> None:
        """All make their keys, take their seats, and say that they are ready."""
        for seat in self.house.seats:
            self.tell(seat, "key", mail=self.house.mail_of(seat))
        for _ in ("invitation", "keys"):
            self.bring()
            for seat in self.house.seats:
                self.send(seat, self.tell(seat, "joins"))
        self.bring()

    def answer(self, seat: str, **wishes: object) -> dict[str, Any]:
        """Let somebody who is asked answer; return what he did."""
        done: dict[str, Any] = self.tell(seat, "answers", **wishes)
        self.seen["order"] += 1
        for kind in ("touches", "drawn", "undone"):
            self.seen[kind] += done[kind]
        self.send(seat, done["letter"])
        return done

    def turn(self) -> None:
        """All who are asked answer, and what comes of it is read."""
        for seat in self.house.asked():
            self.answer(seat)
        self.bring()


@contextmanager
def page_served(page: Path, reports: list[str]) -> Iterator[str]:
    """Serve a built page, which runs in the browser's own worker; what browsers complain of goes into `reports`."""
    with served(page, reports) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@contextmanager
def desk_served(home: Path) -> Iterator[str]:
    """Let `pbem web` run on a desk of its own; its address."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PBEM_LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}
    command = [str(PBEM), "web", "--no-open", "--home", str(home)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT)
    try:
        assert running.stdout
        for line in running.stdout:
            if "http://" in line:
                yield "http://" + line.partition("http://")[2].split()[0]
                break
    finally:
        running.terminate()
        running.wait(20)


class Places(NamedTuple):
    """What people at the page have: browsers, a folder, and the addresses of a desk of `pbem web` and of a page by itself."""

    browsers: Browsers
    folder: Path
    desk: str
    page: str


def driven(arguments: Sequence[str], most: int, usage: str | None, play: Callable[[Places], str]) -> int:
    """Let `play` tell people at the page what to do, and print what it says of it and what went wrong; return the exit code.

    `arguments` are the folder of the modules, a seed, and what `play` knows of; no more than `most`.
    """
    if not 1 <= len(arguments) <= most:
        print(usage, file=sys.stderr)
        return 2
    reports, began = list[str](), time.monotonic()
    built = Path(os.environ.get("PBEM_PAGE", BUILT))
    with TemporaryDirectory() as name, page_served(built, reports) as page, desk_served(Path(name, "d")) as desk:
        browsers = Browsers(arguments[0], int((arguments[1:] or ["1"])[0]))
        try:
            said = play(Places(browsers, Path(name), desk, page))
            faults = browsers.faults(reports)
        finally:
            browsers.close()
    return concluded(said, began, faults)


def concluded(said: str, began: float, faults: Sequence[str]) -> int:
    """Print what was played since `began`, and what went wrong; return the exit code."""
    print(f"{said}, in {time.monotonic() - began:.0f} s")
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0
