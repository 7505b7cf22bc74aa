"""A player who has nothing but `pbem setup` and `pbem turn`, and a mailbox of a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.turns import PATIENCE, run

from .games import NOW, a_host, begin, judged, running
from .players import Player
from .real import PASSWORD, Servers

pytestmark = pytest.mark.slow


def test_a_game_is_played_by_nothing_but_turns(tmp_path: Path, servers: Servers) -> None:
    home, ann = a_host(tmp_path, servers, "imap smtp"), tmp_path / "ann"
    begin(home, "tiny", {"ann": "cat", "bob": "dan"}, "--option", "players=2", "--option", "turns=2")
    bob = Player(tmp_path, servers, "bob", "tiny", at="dan")
    try:
        said = run(
            ann, "setup", "--address", "cat@players.test", "--user", "cat", "--ca-file", str(servers.certificate),
            "--imap", f"localhost:{servers.imaps}", "--imap-tls", "tls",
            "--smtp", f"localhost:{servers.submission}", "--smtp-tls", "starttls", "--password-env", "PBEM_TEST_PASSWORD",
        )  # fmt: skip
        assert "You are done." in said
        said = ""
        with running(home):
            for _ in range(PATIENCE):
                bob.attend(NOW)
                said += run(ann, "turn", typed=_typed(ann))
                if bob.over and "It is over." in said:
                    break
        assert "It is over." in said, said[-3000:]
    finally:
        bob.box.close()
    assert judged(home)["imap"] >= 6
    for name in ("settings.json", "mailbox.json"):
        assert PASSWORD not in (ann / name).read_text("utf-8")
    assert len(list((ann / "sent").glob("*.order.*"))) >= 2


def _typed(home: Path) -> str:
    """What a player would type: to join, to be ready, or a card; what is not asked is not read."""
    games = home / "games"
    if not list(games.glob("*.pbem")):
        return "yes\n"
    told = any(b'"k":"tell"' in path.read_bytes() for path in games.glob("*.pbem"))
    return "1\ny\n" * 3 if told else "y\n1\ny\n"
