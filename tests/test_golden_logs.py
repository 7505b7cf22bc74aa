"""The golden logs are verified, audited and replayed by this version as by all before it; all there is to hold stands in one."""

from __future__ import annotations

import json
from collections import ChainMap
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.games import find, manifest, shipped
from pbem.games.shelf import Lender
from pbem.games.swords.rules.names import FIRST_GAME, GLORY
from pbem.games.swords.rules.told import SwordsFact
from pbem.ledger import Log, redact, sha256_hex, verify
from pbem.ledger.statements import SAYS
from pbem.referee.audit import audit
from pbem.referee.replaying import Shelf
from tests import golden_logs
from tests.golden_logs import FOLDER, LATER, TABLES, holds, index

ROOT = Path(__file__).parents[1]
RECORDED = index()
LEAST = 35
"""So many are there, and never fewer."""
SKIPS = {"due", "late", "out"}
"""“only” is for games with unmarked questions of one answer: `tests/host/test_deadlines.py`."""


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


@pytest.fixture(scope="module")
def lent() -> Any:
    """Rules of other versions, from the shelf."""
    with Lender([], ROOT / "shelf", lambda game: (find(game).rules, manifest(game)[1])) as shelf:
        yield shelf


def data_of(name: str) -> bytes:
    return (FOLDER / f"{name}.pbem").read_bytes()


def test_none_is_missing_changed_or_unknown() -> None:
    assert len(RECORDED) >= LEAST
    assert {place.stem for place in FOLDER.glob("*.pbem")} == set(RECORDED)
    assert set(RECORDED) >= set(TABLES), "“make golden” records those that are missing"
    for name, about in RECORDED.items():
        assert sha256_hex(data_of(name)) == about["sha256"], f"{name} is another file than was recorded"


@pytest.mark.variants
@pytest.mark.parametrize("name", RECORDED)
def test_it_is_in_order_in_every_copy_and_by_its_rules(name: str, lent: Lender) -> None:
    data, about = data_of(name), RECORDED[name]
    log = Log.parse(data)
    assert list(log.head) == about["head"]
    assert sorted(holds(log)) == about["holds"]
    assert verify(data).verdict == about["verdict"]
    rules: Shelf = ChainMap(LATER, lent)  # type: ignore[arg-type] # it changes none of them
    assert audit(data, lambda game: (find(game).rules, manifest(game)[1]), rules).verdict.verdict == about["verdict"]
    for seat in log.entries[0].fields["seats"]:
        assert verify(redact(log, seat), seat).verdict == about["verdict"]


@pytest.mark.variants
@pytest.mark.parametrize("name", RECORDED)
def test_it_is_replayed_and_shown(name: str) -> None:
    for command in ("replay", "show"):
        done = CliRunner().invoke(app, [command, str(FOLDER / f"{name}.pbem")])
        assert done.exit_code == 0, done.exception
        assert "these rules do not know" not in done.output
        assert done.output.count("\n") > 5


def _choices(game: str, model: type[BaseModel]) -> set[str]:
    """What there is to choose, of options that are a choice between a few. What is usual stands in games older than the option."""
    found = set()
    for name, field in model.model_fields.items():
        values = [True, False] if field.annotation is bool else get_args(field.annotation) if name != "bid" else ()
        found |= {
            f"{game} {name}={json.dumps(value)}"
            for value in values
            if isinstance(value, bool | str) and value != field.default
        }
    return found


@pytest.mark.parametrize("game", [*shipped(), "tiny"])
def test_every_choice_of_each_game_is_in_one(game: str) -> None:
    held = {what for about in RECORDED.values() for what in about["holds"]}
    wanted = {game, f"{game} ended", f"{game} running"} | _choices(game, find(game).rules.options_model)
    wanted -= {f'lords first="{seat}"' for seat in ("buchan", "carrick", "douglas", "erroll")}  # one stands for all
    assert wanted <= held
    if game == "lords":
        assert {f"lords players={n}" for n in range(2, 6)} <= held


@pytest.mark.parametrize("game", [*shipped(), "tiny"])
def test_each_game_is_in_one_of_the_format_that_stays(game: str) -> None:
    """ADR 76: every later version judges them alike. Those of its candidate are the same but for the name."""
    held = {what for about in RECORDED.values() for what in about["holds"]}
    assert f"{game} pbem-log/1" in held


RARE = {"nothing", "no way"}
"""What random players do not come to in years; `tests/swords/test_placing.py` and `tests/swords/test_battles.py` have them."""


def test_all_of_swords_is_in_one() -> None:
    """Each number of players, every glory card, printed parts of one's own, and every kind of fact that its rules tell."""
    held = {what for about in RECORDED.values() for what in about["holds"]}
    assert {f"swords players={n}" for n in (2, 3, 4)} <= held
    assert {'swords glory="drawn"', 'swords glory="first"'} <= held
    named = "".join(what for what in held if what.startswith("swords glory=["))
    assert {card for card in GLORY if json.dumps(card) in named} | set(FIRST_GAME) == set(GLORY)
    assert any(what.startswith("swords parts={") for what in held)
    assert {f"fact swords {kind}" for kind in set(SwordsFact.kinds()) - RARE} <= held


@pytest.mark.slow
def test_everything_that_the_format_knows_is_in_one() -> None:
    """But “renew”, which needs thousands of events: `tests/attacks/test_renew.py`."""
    held = {what for about in RECORDED.values() for what in about["holds"]}
    acts = {f"say {act}" for act in SAYS}
    kinds = {
        "game",
        "join",
        "ready",
        "rand",
        "tell",
        "ask",
        "order",
        "skip",
        "say",
        "extend",
        "amend",
        "rekey",
        "host",
        "end",
    }
    more = {
        *(f"skip {why}" for why in SKIPS),
        *(f"amend {what}" for what in ("rules", "player", "takeback")),
        *(f"rand {chain}" for chain in ("pub", "priv", "deal", "anew")),
        *("order ahead", "order order", "order sealed", "order open"),
        *("ask no", "ask until resolved", "ask marked", "ask unmarked"),
        *("rekey by key", "rekey by recovery"),
        *(f"fact {game} plan" for game in ("hammer", "lords", "swords", "tiny")),
    }
    assert acts | kinds | more <= held


@pytest.mark.slow
def test_what_is_recorded_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    name = next(iter(RECORDED))
    before = data_of(name)
    assert golden_logs.main([name]) == 1
    assert "is recorded, and stays" in capsys.readouterr().out
    assert data_of(name) == before
