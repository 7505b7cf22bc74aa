"""The page judges logs as the command does: the same verdict, in the same words.

What the page says in WebAssembly is held against the same in `in_browser.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.games import installed
from pbem.games.shelf import Lender
from pbem.page.service import Service
from pbem.resources import folder

from .judged import corpus, judged


@pytest.mark.variants
@pytest.mark.parametrize("log", corpus(), ids=lambda path: path.stem)
def test_the_page_says_of_a_log_what_the_command_says(tmp_path: Path, log: Path) -> None:
    service = Service(tmp_path)
    service.lends = lambda: Lender([], folder("shelf"), installed)  # as the page lends what lies beside it
    verdicts = judged(service, log.read_bytes())
    for command, page in zip(("verify", "audit"), verdicts, strict=True):
        words = " ".join(CliRunner().invoke(app, [command, str(log)]).stdout.split())
        assert words.startswith(" ".join([*page["taken"], page["outcome"]]))
        for text in [*page["words"], page["reason"], page["head"], page["fault"]]:
            assert " ".join(text.split()) in words, text
