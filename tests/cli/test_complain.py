"""“I sent it in time”: a letter, a receipt and a log brought together on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.cli.demo import Demo
from pbem.errors import RecordError, UsageError
from pbem.games import find
from pbem.ledger import Log, cj, sha256_hex
from pbem.mail import read_message, short_blocks
from pbem.player.tray import signed_in

from .odd_uses import the_example_game_is_found

__all__ = ["the_example_game_is_found"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("complain") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
        Demo(out, 4, find("tiny"), {}, {}).play(lambda _: None)
    return out


def _complain(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["complain", *map(str, arguments)])


def _digest(letter: Path) -> str:
    envelope = signed_in(letter)
    assert envelope is not None
    return sha256_hex(cj(envelope.say))


def _papers(played: Path) -> tuple[Path, Path, Path]:
    desk = played / "players" / "ann"
    receipts = next((desk / "games").glob("*.receipts"))
    kept = receipts.read_text()
    letters = sorted((desk / "sent").glob("*.order.*.eml"))
    letter = next(path for path in letters if _digest(path) in kept)  # an answer that closes a question has no receipt
    return played / "game.pbem", letter, receipts


def _before(log: Path, letter: Path, folder: Path) -> Path:
    """The log as it was before the order of a letter came."""
    whole, digest = Log.parse(log.read_bytes()), _digest(letter)
    n = next(entry.n for entry in whole.entries if sha256_hex(cj(entry.fields.get("say"))) == digest)
    path = folder / "before.pbem"
    path.write_bytes(whole.cut(n - 1).dump())
    return path


@pytest.mark.parametrize(
    ("content", "kind", "said"),
    [
        ("", UsageError, "contains no receipt for this order"),
        ('5\nnull\n{}\n"x"\n[]\n', UsageError, "contains no receipt for this order"),
        ("hello\n", RecordError, "contains a line that is not a receipt: "),
    ],
)
def test_a_file_that_holds_no_receipts_is_named(
    played: Path, tmp_path: Path, content: str, kind: type[Exception], said: str
) -> None:
    log, letter, _ = _papers(played)
    (tmp_path / "notes.txt").write_text(content)
    found = _complain(_before(log, letter, tmp_path), letter, "--receipts", tmp_path / "notes.txt").exception
    assert isinstance(found, kind)
    assert str(found).startswith(f"{tmp_path / 'notes.txt'} {said}")


def test_an_order_that_stands_in_the_log_was_not_left_out(played: Path) -> None:
    log, letter, receipts = _papers(played)
    found = _complain(log, letter, "--receipts", receipts)
    assert found.exit_code == 0
    assert "unfounded" in found.output
    assert "not left out" in found.output


def test_a_short_block_is_judged_by_the_full_one_that_was_kept_or_else_by_the_log(played: Path, tmp_path: Path) -> None:
    log, letter, receipts = _papers(played)
    assert short_blocks(read_message(letter.read_bytes()).text)
    alone = tmp_path / "alone" / letter.name
    alone.parent.mkdir()
    alone.write_bytes(letter.read_bytes())
    assert signed_in(alone) is None
    said = [_complain(log, one, "--receipts", receipts, "--json").output for one in (letter, alone)]
    assert said[0] == said[1]
    assert '"verdict": "unfounded"' in said[0]


def test_the_same_letter_twice_is_no_second_order(played: Path) -> None:
    log, letter, _ = _papers(played)
    found = _complain(log, letter, "--other", letter, "--json")
    assert '"verdict": "unfounded"' in found.output


def test_some_paper_is_wanted(played: Path, tmp_path: Path) -> None:
    log, letter, _ = _papers(played)
    assert "--receipts, another letter" in str(_complain(_before(log, letter, tmp_path), letter).exception)


def test_receipts_of_another_player_are_no_paper(played: Path, tmp_path: Path) -> None:
    log, letter, _ = _papers(played)
    others = next((played / "players" / "bob" / "games").glob("*.receipts"))
    found = _complain(_before(log, letter, tmp_path), letter, "--receipts", others)
    assert "no receipt for this order" in str(found.exception)


def test_of_an_order_in_the_log_its_entry_is_told_without_any_paper(played: Path) -> None:
    """An answer that closes its question gets no receipt: who misses it learns that the order counts."""
    log, _letter, receipts = _papers(played)
    kept = receipts.read_text()
    letters = sorted((played / "players" / "ann" / "sent").glob("*.order.*.eml"))
    letter = next(path for path in letters if _digest(path) not in kept)
    entries = Log.parse(log.read_bytes()).entries
    n = next(entry.n for entry in entries if sha256_hex(cj(entry.fields.get("say"))) == _digest(letter))
    for papers in ((), ("--receipts", receipts)):
        found = _complain(log, letter, *papers)
        assert (found.exit_code, f"It was not left out: it is entry {n}." in found.output) == (0, True), found.output
        assert "unfounded" in found.output
