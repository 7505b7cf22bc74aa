"""A PostgreSQL server of the tests' own, in a folder, on a socket there: started when it is asked for, and stopped at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)


def why_not() -> str:
    """Why there can be no server here, or ""."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed: what a store in PostgreSQL does is not tried"
    if not PROGRAMS and not shutil.which("initdb"):
        return "PostgreSQL is not installed: what a store in it does is not tried"
    if os.getuid() == 0 and not shutil.which("runuser"):
        return "PostgreSQL does not run as root, and there is no runuser"
    return ""


class Postgres:
    """A server with an empty database, and programs that start, stop and copy it; `address` begins its addresses."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.durable = durable
        """Does it wait for the disk, as one that matters does?"""
        self.folder, self.data = folder, folder / "data"
        self.bin = PROGRAMS[0].parent if PROGRAMS else Path(str(shutil.which("initdb"))).parent
        self.address = f"postgresql://pbem@/postgres?host={quote(str(folder), safe='')}"
        self.socket = folder / ".s.PGSQL.5432"

    @property
    def number(self) -> int:
        """The number of its first process."""
        return int((self.data / "postmaster.pid").read_text("utf-8").split()[0])

    def run(self, *words: object) -> None:
        """Run a program as the user that the server runs as."""
        own = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        log = self.folder / "said"
        with log.open("wb") as said:  # a server that is started keeps what its starter writes to
            done = subprocess.run([*own, *map(str, words)], cwd=self.folder, stdout=said, stderr=said, check=False)
        assert done.returncode == 0, log.read_text("utf-8", "replace")

    def make(self) -> None:
        """Make an empty one."""
        words = ["-A", "trust", "-U", "pbem", "-E", "UTF8", "--locale=C", "--no-sync"]
        self.run(self.bin / "initdb", "-D", self.data, *words)

    def start(self) -> None:
        """Start it, and wait until it is there."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c max_connections=60"
        options += "" if self.durable else " -c fsync=off"
        self.run(self.bin / "pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop it: at once, as if its machine had no power any more, or \"fast\", in order."""
        self.run(self.bin / "pg_ctl", "-D", self.data, "-m", how, "stop")

    def restart(self, how: str = "immediate") -> None:
        """Stop it, and start it again."""
        self.stop(how)
        self.start()

    def promote(self) -> None:
        """Let a server that follows another one take its place."""
        self.run(self.bin / "pg_ctl", "-D", self.data, "-w", "promote")


@contextmanager
def a_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """A server at work."""
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    server = Postgres(folder, durable=durable)
    try:
        server.make()
        server.start()
        yield server
    finally:
        if (server.data / "postmaster.pid").exists():
            server.stop()
        shutil.rmtree(folder)


@contextmanager
def a_server() -> Iterator[str]:
    """A server at work; the beginning of its addresses."""
    with a_postgres() as server:
        yield server.address


def stores_in(server: str, patch: pytest.MonkeyPatch) -> None:
    """Let each store that would be a file be a part of the database of its own, named after the file."""
    from pbem.host.store import Store, is_server

    begin = Store.__init__

    def elsewhere(store: Store, where: Path | str, *, new: bool = False) -> None:
        begin(store, where if is_server(where) else schema_for(server, Path(where).absolute()), new=new)

    patch.setattr(Store, "__init__", elsewhere)


def schema_for(server: str, what: object) -> str:
    """The address of a part of the database of its own, for a name; it is made where it is not there."""
    import psycopg

    name = f"s{sha256(str(what).encode()).hexdigest()[:20]}"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(f"create schema if not exists {name}")
    return f"{server}&options={quote(f'-csearch_path={name}', safe='')}"
