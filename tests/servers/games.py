"""What several tests need of games: through, a_host, pbem, running, judged, …."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pbem.games import find, manifest
from pbem.host import Office
from pbem.ledger import PrivateKey, sha256_hex
from pbem.referee.audit import audit
from tests.chaos.installed import PBEM
from tests.stored import stored_rows

from .real import HOST, PASSWORD, Servers

NOW = "2030-01-01T00:00:00Z"


def through(door: str) -> str:
    """The address whose mail the servers bring to this door."""
    return HOST if door == "imap" else HOST.replace("@", f"+{door}@")


def a_host(folder: Path, servers: Servers, ways: str) -> Path:
    """A host with these ways in and out."""
    key = PrivateKey.from_seed(bytes.fromhex(sha256_hex(b"host")))
    home = folder / "host"
    Office.create(home, key, HOST).close()
    (home / "password").write_text(PASSWORD + "\n", "utf-8")
    (home / "password").chmod(0o600)
    account = f'host = "localhost"\nca_file = "{servers.certificate}"\nuser = "host"\npassword_file = "password"\n'
    sendmail = ["/usr/sbin/sendmail", "-C", str(servers.postfix), "-i", "-f", "{sender}", "--", "{address}"]
    known = {
        "imap": f"[in.imap]\nport = {servers.imaps}\n{account}",
        "starttls": f'[in.imap]\nport = {servers.imap}\ntls = "starttls"\n{account}',
        "lmtp": f"[in.lmtp]\nport = {servers.door}\n",
        "pipe": "",
        "smtp": f'[out.smtp]\nport = {servers.submission}\ntls = "starttls"\n{account}',
        "sendmail": f"[out.sendmail]\ncommand = {json.dumps(sendmail)}\n",
    }
    chosen = "\n".join(known[way] for way in ways.split())
    address = HOST if "imap" in ways else through(ways.split(maxsplit=1)[0])
    (home / "host.toml").write_text(f'address = "{address}"\nevery = 5\n{chosen}', "utf-8")
    return home


def pbem(*arguments: str) -> str:
    done = subprocess.run([str(PBEM), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@contextmanager
def running(home: Path) -> Iterator[subprocess.Popen[str]]:
    """`pbem host run`, until SIGTERM; it ends well."""
    log = (home / "run.log").open("w")
    host = subprocess.Popen([str(PBEM), "host", "run", "--dir", str(home)], stdout=log, stderr=log, text=True)
    try:
        yield host
        assert host.poll() is None, (home / "run.log").read_text("utf-8")
        host.send_signal(signal.SIGTERM)
        assert host.wait(60) == 0, (home / "run.log").read_text("utf-8")
    finally:
        if host.poll() is None:
            host.kill()
            host.wait()
        log.close()


def judged(home: Path) -> Mapping[str, int]:
    """The game is over and clean; how many mails came through which door."""
    office = Office(home)
    try:
        whole = office.robot.house.game(1).exported().dump()
        assert audit(whole, lambda game: (find(game).rules, manifest(game)[1])).verdict.verdict == "clean"
        troubles = office.status()["troubles"]
        # a whole game in a minute uses up the receipts that an address may get in an hour
        assert [one for one in troubles if not str(one.get("budget", "")).startswith("receipt ")] == [], troubles
        assert office.status()["mails_unsent"] == 0
        return {
            row["door"]: row["n"]
            for row in stored_rows(office.store, "select door, count(*) as n from inbox group by door")
        }
    finally:
        office.close()


def begin(home: Path, game: str, seats: Mapping[str, str], *options: str) -> None:
    named = [word for seat, name in seats.items() for word in ("--seat", f"{seat}={name}@players.test")]
    pbem("host", "new", "--dir", str(home), "--game", game, *named, *options)
