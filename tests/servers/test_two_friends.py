"""Two friends without a host: nothing but `pbem setup`, `pbem with` and `pbem turn`, and their mailboxes on a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.referee.pair import audit_pair

from .real import Servers
from .turns import PATIENCE, run

pytestmark = pytest.mark.slow

FIRST = "1\ny\n" * 4


def test_two_friends_play_by_turns_alone(tmp_path: Path, servers: Servers) -> None:
    homes = {name: tmp_path / name for name in ("ann", "bob")}
    for name, home in homes.items():
        said = run(
            home, "setup", "--address", f"{name}@players.test", "--user", name, "--ca-file", str(servers.certificate),
            "--imap", f"localhost:{servers.imaps}", "--imap-tls", "tls",
            "--smtp", f"localhost:{servers.submission}", "--smtp-tls", "starttls", "--password-env", "PBEM_TEST_PASSWORD",
        )  # fmt: skip
        assert "You are done." in said
    run(homes["ann"], "with", "bob@players.test", "--game", "tiny", "--option", "turns=2")
    over = dict.fromkeys(homes, False)
    for _look in range(PATIENCE):
        for name, home in homes.items():
            said = run(home, "turn", typed=("" if list((home / "games").glob("*.two")) else "yes\n") + FIRST)
            over[name] |= "It is over" in said
        if all(over.values()):
            break
    logs = {next((home / "games").glob("*.pbem")).read_bytes() for home in homes.values()}
    assert len(logs) == 1, said
    assert audit_pair(logs.pop(), knowing_of).verdict == "clean"
