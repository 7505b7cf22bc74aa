"""Whole games through Dovecot and Postfix: submission with TLS and login, mailboxes with IDLE, LMTP, a pipe, sendmail."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.games import find, shipped
from tests.chaos.installed import PBEM
from tests.servers.games import NOW, a_host, begin, judged, pbem, running, through

from .players import Player, play
from .real import PASSWORD, Servers

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("ways", ["imap smtp", "lmtp smtp", "lmtp sendmail"])
def test_a_short_game_through_real_servers(tmp_path: Path, servers: Servers, ways: str) -> None:
    door, _ = ways.split()
    home = a_host(tmp_path, servers, ways)
    begin(home, "tiny", {"ann": "ann", "bob": "bob"}, "--option", "players=2", "--option", "turns=2")
    found = pbem("host", "check", "--dir", str(home))
    assert "WRONG" not in found
    with running(home):
        play([Player(tmp_path, servers, seat, "tiny") for seat in ("ann", "bob")], NOW)
    came = judged(home)
    assert came[door] >= 6
    for said in (found, (home / "run.log").read_text("utf-8"), servers.log(), str(came)):
        assert PASSWORD not in said


def test_a_mailbox_by_starttls_and_a_wrong_password(tmp_path: Path, servers: Servers) -> None:
    home = a_host(tmp_path, servers, "starttls smtp")
    assert "in INBOX, and reports new mail (IDLE)." in pbem("host", "check", "--dir", str(home))
    (home / "password").write_text("something else\n", "utf-8")
    done = subprocess.run([str(PBEM), "host", "check", "--dir", str(home)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.count("WRONG  localhost refuses the login of host") == 2


PIPE = """\
#!/bin/sh
# The mail server's user may not run this Python: what comes is handed to the test, which answers with the exit code.
umask 000
d=$(mktemp -d {place}/XXXXXX) && chmod 777 "$d" && cat > "$d/mail" && mkfifo "$d/answer" || exit 75
printf '%s\\n%s\\n' "$1" "$2" > "$d/envelope"
echo "$d" > {place}/requests
read -r code < "$d/answer"
exit "$code"
"""


@contextmanager
def piped(servers: Servers, home: Path) -> Iterator[list[int]]:
    """Let the mail server start `pbem host take` for each mail; collect the exit codes."""
    place, codes = servers.folder / "piped", list[int]()
    place.mkdir()
    place.chmod(0o777)
    os.mkfifo(place / "requests")
    (place / "requests").chmod(0o666)
    servers.pipe.write_text(PIPE.format(place=place), "utf-8")
    servers.pipe.chmod(0o755)

    def answer() -> None:
        while (asked := (place / "requests").read_text("utf-8").split()) != ["end"]:
            for folder in map(Path, asked):
                sender, recipient = (folder / "envelope").read_text("utf-8").split("\n")[:2]
                take = [str(PBEM), "host", "take", "--dir", str(home), "--sender", sender, "--recipient", recipient]
                with (folder / "mail").open("rb") as mail:
                    codes.append(subprocess.run(take, stdin=mail, check=False, capture_output=True).returncode)
                (folder / "answer").write_text(f"{codes[-1]}\n", "utf-8")

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield codes
    finally:
        (place / "requests").write_text("end\n", "utf-8")
        thread.join()


def test_a_short_game_through_a_pipe(tmp_path: Path, servers: Servers) -> None:
    home = a_host(tmp_path, servers, "pipe smtp")
    begin(home, "tiny", {"ann": "cat", "bob": "dan"}, "--option", "players=2", "--option", "turns=2")
    with piped(servers, home) as codes:
        play([Player(tmp_path, servers, seat, "tiny", at=at) for seat, at in (("ann", "cat"), ("bob", "dan"))], NOW)
    assert judged(home)["pipe"] == len(codes)
    assert set(codes) == {0}


def test_a_whole_game_through_both_doors(tmp_path: Path, servers: Servers) -> None:
    """Letters are handed over, and every fifth is fetched from a mailbox: both doors of one host, open together."""
    home = a_host(tmp_path, servers, "imap lmtp smtp")
    game = shipped()[0]
    rules = find(game).rules
    seats = rules.seats(rules.options_model().model_dump(mode="json"))
    begin(home, game, {seat: seat for seat in seats})
    with running(home):
        play([Player(tmp_path, servers, seat, game, through("lmtp")) for seat in seats], NOW)
    came = judged(home)
    assert came["imap"] >= 8
    assert came["lmtp"] >= 20
