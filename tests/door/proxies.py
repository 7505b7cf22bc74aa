"""A real nginx and a real Caddy with TLS, by the very blocks that the page on a host's web address shows."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.project.source import ROOT
from tests.servers.real import certificate

from .doors import PATIENCE

PROXIES = ("nginx", "caddy")


def program(name: str) -> str | None:
    """Where a proxy is, if it is installed."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def shown(first: str) -> str:
    """The block of the page that begins so."""
    page = (ROOT / "docs" / "how-to" / "open-a-door.md").read_text("utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (block,) = [block for block in blocks if block.startswith(first)]
    return str(block)


def changed(block: str, *changes: tuple[str, str]) -> str:
    """What the page shows, at other ports and with a certificate of our own."""
    for old, new in changes:
        assert old in block
        block = block.replace(old, new)
    return block


def nginx(folder: Path, port: int, door: int) -> list[str]:
    """How nginx is started with its block, and nothing else."""
    block = changed(
        shown("server {"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("desk.club.example;", "localhost;"),
        ("/etc/letsencrypt/live/desk.club.example/fullchain.pem", str(folder / "cert.pem")),
        ("/etc/letsencrypt/live/desk.club.example/privkey.pem", str(folder / "key.pem")),
        ("127.0.0.1:8025", f"127.0.0.1:{door}"),
    )
    places = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}\n{block}}}\n",
        "utf-8",
    )
    return ["-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, door: int) -> list[str]:
    """How Caddy is started with its block, and nothing else; the certificate is ours, as nobody here hands one out."""
    block = changed(
        shown("desk.club.example {"),
        (
            "desk.club.example {",
            f"https://localhost:{port} {{\n\ttls {folder}/cert.pem {folder}/key.pem\n\tbind 127.0.0.1",
        ),
        ("127.0.0.1:8025", f"127.0.0.1:{door}"),
    )
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{block}", "utf-8")
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def proxy(name: str, folder: Path, port: int, door: int) -> Iterator[None]:
    """A real proxy before a door."""
    folder.mkdir()
    certificate(folder, "localhost", "127.0.0.1")
    words = {"nginx": nginx, "caddy": caddy}[name](folder, port, door)
    own = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    running = subprocess.Popen([str(program(name)), *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=own)
    try:
        _listens(port, running)
        yield
    finally:
        running.terminate()
        running.communicate(timeout=PATIENCE)


def _listens(port: int, running: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert running.poll() is None, running.communicate()[1].decode()
        threading.Event().wait(0.05)
    raise AssertionError("the proxy does not listen")
