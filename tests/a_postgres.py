"""A PostgreSQL server of the tests' own, in a folder, on a socket there: started when it is asked for, and stopped at the end."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
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

    def follow(self, other: Postgres) -> None:
        """Be a copy of another server that writes down all that it does, before it says that anything is committed."""
        words = ["-D", self.data, "-h", other.folder, "-U", "pbem", "-R", "--checkpoint=fast", "--no-sync"]
        self.run(self.bin / "pg_basebackup", *words)
        self.start()
        for line in ("alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"):
            self.run(self.bin / "psql", "-q", "-c", line, other.address)

    def promote(self) -> None:
        """Let a server that follows another one take its place."""
        self.run(self.bin / "pg_ctl", "-D", self.data, "-w", "promote")


@contextmanager
def a_postgres(*, durable: bool = False, of: Postgres | None = None) -> Iterator[Postgres]:
    """A server at work; one that follows another."""
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    server = Postgres(folder, durable=durable)
    try:
        if of is None:
            server.make()
            server.start()
        else:
            server.follow(of)
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


IN_DATABASE = os.environ.get("PBEM_TEST_STORE") == "postgres"
"""Is each store that would be a file a part of a database in this run?"""


def of_a_file(why: str) -> pytest.MarkDecorator:
    """The mark of tests that nothing but a file can be tried with, and why."""
    return pytest.mark.skipif(IN_DATABASE, reason=f"of a store in a file alone: {why}")


def stores_in(server: str, patch: pytest.MonkeyPatch) -> None:
    """Let each store that would be a file be a part of the database of its own, named after the file.

    The settings of a host that is set up name it, so that programs find it, too. A file that lies at a host's place all the same,
    as one that was brought back, is moved there first; files elsewhere, as backups, stay files.
    """
    from pbem.host import Office
    from pbem.host.store import STORE, Store, is_server

    begin, create = Store.__init__, Office.create

    def elsewhere(store: Store, where: Path | str, *, new: bool = False, **how: Any) -> None:
        if not is_server(where):
            file = Path(where).absolute()
            is_there = file.is_file() and file.stat().st_size > 0
            if not is_there or file.name == STORE:
                where = schema_for(server, file, ready=new or is_there)
            if is_there and file.name == STORE:
                taken_in(file, str(where))
        begin(store, where, new=new, **how)

    def created(folder: Path, *how: Any, **named: Any) -> Office:
        office = create(folder, *how, **named)
        name_its_place(folder, str(office.store.path))
        return office

    patch.setattr(Store, "__init__", elsewhere)
    patch.setattr(Office, "create", created)


def name_its_place(host: Path, address: str) -> None:
    """Let the settings of a host say that its store is in a database; an empty address: in a file, as they say at first."""
    settings = re.sub(r'(?m)^store = ".*"\n', "", (host / "host.toml").read_text("utf-8"))
    (host / "host.toml").write_text((f'store = "{address}"\n' if address else "") + settings, "utf-8")


def taken_in(file: Path, address: str) -> None:
    """Move a store from a file into its part of the database, in place of what is there, as its operator would."""
    import psycopg

    from pbem.host.store.file import StoreFile
    from pbem.host.store.moving import copied
    from pbem.host.store.server import StoreServer

    with psycopg.connect(address, autocommit=True) as conn:
        emptied(conn, conn.execute("select current_schema()").fetchone()[0])  # type: ignore[index]
    source, target = StoreFile(file), StoreServer(address, new=True)
    with closing(source.db), closing(target.db), source.one_look(), target.decision():
        copied(source, target)
    for ending in ("", "-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)


@contextmanager
def parts_go(server: str) -> Iterator[None]:
    """Parts that are made inside are emptied behind it, for others: to make the tables of a store is dear."""
    import psycopg

    sql = "select nspname from pg_namespace where nspname ~ '^s[0-9a-f]{20}$'"
    with psycopg.connect(server, autocommit=True) as conn:
        before = conn.execute(sql).fetchall()
        yield
        conn.execute("set lock_timeout = '5s'")
        for (name,) in conn.execute(sql).fetchall():
            if (name,) not in before:
                with suppress(psycopg.errors.LockNotAvailable):  # somebody was let go in the midst of a decision
                    if emptied(conn, name):
                        conn.execute(f"alter schema {name} rename to free_{name}")
                    else:
                        conn.execute(f"drop schema {name} cascade")


def emptied(conn: Any, schema: str) -> bool:
    """Let a part be as one in which a store has just been made; False where none was, or one of another pbem."""
    from pbem.host.store.schema import NOTED_IN, names

    there = conn.execute("select tablename from pg_tables where schemaname = %s", [schema]).fetchall()
    if (NOTED_IN,) not in there:
        return False
    if conn.execute(f"select name from {schema}.{NOTED_IN} order by id").fetchall() != [(name,) for name in names()]:  # noqa: S608
        return False
    tables = [name for name in there if name != (NOTED_IN,)]
    counters = conn.execute(
        "select sequencename from pg_sequences where schemaname = %s and sequencename not like %s",
        [schema, f"{NOTED_IN}%"],
    ).fetchall()
    words = ["begin", "set local session_replication_role = replica"]
    words += [f"delete from {schema}.{name}" for (name,) in tables]  # noqa: S608 - the server's own words
    words += [f"select setval('{schema}.{name}', 1, false)" for (name,) in counters]
    conn.execute("; ".join([*words, f"comment on table {schema}.meta is null", "commit"]))
    return True


def schema_for(server: str, what: object, *, ready: bool = False) -> str:
    """The address of a part of the database of its own, for a name; where there is none, it is made: `ready`, with tables."""
    import psycopg

    name = f"s{sha256(str(what).encode()).hexdigest()[:20]}"
    with psycopg.connect(server, autocommit=True) as conn:
        there = conn.execute("select 1 from pg_namespace where nspname = %s", [name]).fetchone()
        free = conn.execute("select nspname from pg_namespace where nspname like 'free%' limit 1").fetchone()
        if not there and ready and free:
            conn.execute(f"alter schema {free[0]} rename to {name}")
        elif not there:
            conn.execute(f"create schema {name}")
    return f"{server}&options={quote(f'-csearch_path={name}', safe='')}"
