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


@contextmanager
def a_server() -> Iterator[str]:
    """A server with an empty database; the beginning of its addresses."""
    bin_ = PROGRAMS[0].parent if PROGRAMS else Path(str(shutil.which("initdb"))).parent
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    own: list[str] = []
    if os.getuid() == 0:
        own = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"

    def run(*words: object) -> None:
        done = subprocess.run([*own, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    run(bin_ / "initdb", "-D", data, "-A", "trust", "-U", "pbem", "-E", "UTF8", "--locale=C", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c max_connections=60 -c fsync=off"
    try:
        run(bin_ / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        yield f"postgresql://pbem@/postgres?host={quote(str(folder), safe='')}"
    finally:
        run(bin_ / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


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
