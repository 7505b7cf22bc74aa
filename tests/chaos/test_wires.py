"""The installed host between servers that cut its connections in the midst of a word, or take each other's place."""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.a_postgres import Postgres, a_postgres, of_a_file, schema_for
from tests.a_postgres import why_not as no_server
from tests.a_proxy import Wire
from tests.servers import real

from .crowd import AT, Crowd, begun, played
from .installed import LONGEST, Host, said_first, typed, why_not
from .told import told

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]

CUTS = int(os.environ.get("PBEM_CHAOS_CUTS", "8"))
"""So often each wire is cut."""
GAMES = 2
USERS = [f"{seat}{no}" for no in range(1, GAMES + 1) for seat in ("ann", "bob")]


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    if no_server():
        pytest.skip(no_server())
    with a_postgres() as server:
        yield server


@pytest.fixture
def servers() -> Iterator[real.Servers]:
    """Dovecot and Postfix; their own users read what lies there."""
    if why := real.missing():
        pytest.skip(f"played without real mail servers: {why}")
    with (
        tempfile.TemporaryDirectory(prefix="servers-", ignore_cleanup_errors=True) as name,
        real.running(Path(name), "host", *USERS) as servers,
    ):
        yield servers


class AtServers(Crowd):
    """Players with mailboxes at a real server, and a host that fetches its mail by IMAP and sends by SMTP, each by a wire."""

    domain, its = "players.test", real.HOST

    def __init__(self, folder: Path, servers: real.Servers, fetch: Wire, send: Wire) -> None:
        self.servers = servers
        super().__init__(folder, GAMES, AT)
        (self.host / "password").write_text(f"{real.PASSWORD}\n", "utf-8")
        (self.host / "password").chmod(0o600)
        account = f'host = "localhost"\nca_file = "{servers.certificate}"\nuser = "host"\npassword_file = "password"\n'
        ways = f'[in.imap]\nport = {fetch.port}\n{account}[out.smtp]\nport = {send.port}\ntls = "starttls"\n{account}'
        (self.host / "host.toml").write_text(f'address = "{self.its}"\nevery = 1\n{ways}', "utf-8")

    def mailbox(self, name: str) -> Path:
        return self.servers.folder / "home" / name / "Maildir"

    def fetch(self, name: str) -> list[bytes]:
        found = sorted((self.mailbox(name) / "new").glob("*"))
        letters = [path.read_bytes() for path in found]
        for path in found:
            path.unlink()
        return [without_trace(raw) for raw in letters]

    def deliver(self, raw: bytes) -> None:
        with tempfile.NamedTemporaryFile(dir=self.mailbox("host") / "tmp", delete=False) as file:
            file.write(raw)
        shutil.chown(file.name, "mail", "mail")
        Path(file.name).rename(self.mailbox("host") / "new" / Path(file.name).name)


def without_trace(raw: bytes) -> bytes:
    """Return a letter without the lines that the servers on its way have put on it."""
    return re.sub(rb"\A(?:(?:Return-Path|Delivered-To|X-Original-To|Received):.*\r?\n(?:[ \t].*\r?\n)*)+", b"", raw)


def cut_again_and_again(crowd: Crowd, host: Host, wires: dict[Wire, int], chance: random.Random) -> None:
    """Let all play while each wire is cut in the midst of what is said, after at most so many bytes, again and again.

    What was cut off waits ever longer; when nothing comes any more the operator lets the host try again (“pbem host retry”).
    """
    quiet, open_ = 0, True
    while open_ and min(wire.cuts for wire in wires) < CUTS:
        for wire, most in wires.items():
            if wire.is_cut() and wire.cuts < CUTS:
                wire.cut_after(chance.randint(1, most))
        quiet = 0 if crowd.answer() + crowd.bring(1) else quiet + 1
        assert host.goes_on(0.1), "".join(host.said[-40:])
        assert quiet < 10 * LONGEST, "".join(host.said[-40:])
        if quiet % 20 == 19:
            typed(crowd.host, "retry")
        open_ = quiet % 40 != 39 or crowd.open_games() > 0
    for wire in wires:
        wire.cut_after(10**9)
    assert typed(crowd.host, "retry")[0] == 0


def test_the_wire_to_the_database_of_the_installed_host_is_cut(
    tmp_path: Path, running: list[Host], postgres: Postgres
) -> None:
    """In the midst of a statement, an answer, a COMMIT. The host asks what became of it, and continues. `status` names no
    trouble."""
    crowd = Crowd(tmp_path, GAMES, AT)
    with Wire(postgres.socket) as cable:
        crowd.in_database(cable.address(schema_for(postgres.address, tmp_path)))
        running.append(host := Host(crowd.host))
        host.start()
        host.hear("waiting for mail")
        cut_again_and_again(crowd, host, {cable: 60_000}, random.Random("database"))
        assert cable.cuts, "it was cut"
        played(crowd, host)
        told(said_first(crowd.host), test_the_wire_to_the_database_of_the_installed_host_is_cut)
        host.end()
        print(f"{cable.cuts} cuts: {crowd.has_all()}")


def test_another_database_server_takes_the_place_of_that_of_the_installed_host(
    tmp_path: Path, running: list[Host], postgres: Postgres
) -> None:
    """A replica has all that was committed. The first server loses its power, the replica is promoted, and its address is switched.
    The host cannot know that nothing is missing, so all games wait for copies, or for “pbem host go-on”. `status` says first:
    `game 1 does not work`."""
    crowd, chance = Crowd(tmp_path, GAMES, AT), random.Random("fail-over")
    with Wire(postgres.socket) as cable:
        place = schema_for(postgres.address, tmp_path)
        crowd.in_database(cable.address(place))
        with a_postgres(of=postgres) as second:
            running.append(host := Host(crowd.host))
            begun(crowd, host)
            crowd.answer()
            crowd.bring(chance.randint(1, 3))
            postgres.stop()
            host.hear("store: The host's store")
            second.run(second.bin / "psql", "-q", "-c", "alter system reset synchronous_standby_names", second.address)
            second.promote()
            cable.to = second.socket
            host.hear("store: it works again")
            host.hear("waits: the game stands still")
            told(said_first(crowd.host), test_another_database_server_takes_the_place_of_that_of_the_installed_host)
            for number in range(1, GAMES + 1):
                assert typed(crowd.host, "go-on", str(number), "--yes")[0] == 0
            played(crowd, host)
            host.end()
            print(f"a fail-over: {crowd.has_all()}")


def test_the_mail_servers_of_the_installed_host_cut_what_is_said(
    tmp_path: Path, running: list[Host], servers: real.Servers
) -> None:
    """Dovecot and Postfix, behind wires that are cut in the midst of IMAP and SMTP. Each mail is decided once; a letter whose
    receipt was cut off comes twice, the same. `status` names no trouble."""
    with Wire(servers.imaps) as fetch, Wire(servers.submission) as send:
        crowd = AtServers(tmp_path, servers, fetch, send)
        running.append(host := Host(crowd.host))
        host.start()
        host.hear("waiting for mail")
        cut_again_and_again(crowd, host, {fetch: 12_000, send: 12_000}, random.Random("mail"))
        assert fetch.cuts, "mail was cut off"
        assert send.cuts, "letters were cut off"
        played(crowd, host)
        told(said_first(crowd.host), test_the_mail_servers_of_the_installed_host_cut_what_is_said)
        host.end()
        servers.deliver()
        print(f"{fetch.cuts} and {send.cuts} cuts: {crowd.has_all()}")
