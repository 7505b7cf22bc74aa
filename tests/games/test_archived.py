"""Rules that are lent: every method of the contract goes through the pipe, and whatever comes back stays nobody's fault."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import get_type_hints

import pytest

from pbem.errors import OrderError, UsageError, WorldError
from pbem.games import find, manifest
from pbem.games.running import rules_in
from pbem.games.serving import ATTRIBUTES, GAME, MODELS, OPTIONS
from pbem.i18n import speaking
from pbem.kernel import BESIDES, ChangingHosts, Chooser, Game, Options, Planning, SendingAhead, read_plans, unseen

ROOT = Path(__file__).resolve().parents[2]


class Whole(Game, Planning, SendingAhead, ChangingHosts):
    """A game with all that a game may have."""


def public(kind: type) -> dict[str, Callable[..., object]]:
    """The methods that a class of the contract has, without those of every object."""
    every = {name: value for base in reversed(kind.__mro__[:-1]) for name, value in vars(base).items()}
    own = {name: value for name, value in every.items() if callable(value) and not name.startswith("_abc")}
    return {name: value for name, value in own.items() if not name.startswith("_") or name in OPTIONS}


def test_the_table_has_every_method_and_attribute_of_the_contract() -> None:
    """A method that is added to the contract is added to the table, or lent rules answer with its default."""
    assert set(GAME) == set(public(Whole))
    assert issubclass(Whole, BESIDES)
    assert set(OPTIONS) == set(public(Options)) | {"__str__"}
    # what `position` says goes through `dump` and `load`
    assert {*ATTRIBUTES, *MODELS, "position"} == set(get_type_hints(Whole))
    for kind, table in ((Whole, GAME), (Options, OPTIONS)):
        for name, carried in table.items():
            takes = list(signature(getattr(kind, name)).parameters)[1:]
            assert len(carried.takes) == len(takes), name
            assert all(
                "chooser" in (kind, name) or kind != "chooser" for kind, name in zip(carried.takes, takes, strict=True)
            )


def test_what_goes_through_the_pipe_is_what_the_signature_says() -> None:
    """Views as views, states as states, and who chooses stays here."""
    of_name = {
        "view": "view",
        "state": "state",
        "before": "state",
        "after": "state",
        "order": "order",
        "chooser": "chooser",
    }
    for name, carried in GAME.items():
        for kind, parameter in zip(carried.takes, list(signature(getattr(Whole, name)).parameters)[1:], strict=True):
            if parameter in of_name and name != "read_view":
                assert kind == of_name[parameter], f"{name}: {parameter}"


@pytest.mark.slow
def test_a_method_that_the_other_rules_do_not_know_has_its_default() -> None:
    """An older pbem, whose kernel has not all methods of today."""
    with rules_in(ROOT, "lords") as (there, _):
        there._methods -= {"told_secret", "unseen", "holds", "read_ahead", "remarks", "read_options"}
        assert there.read_options({"players": 2}).model_dump() == {"players": 2}
        state = there.start({"players": 2}).state
        assert isinstance(there, SendingAhead)
        assert there.told_secret(state, state)
        assert unseen(there, state) is None
        assert there.remarks({}) == ()
        view = there.read_view(there.view(state, "angus"))
        assert not there.holds(view, "FIRST")
        with pytest.raises(OrderError, match="in Lords of Scotland nothing can be sent ahead"):
            there.read_ahead(view, "turn", "PASS")


@pytest.mark.slow
def test_arguments_may_be_named() -> None:
    with rules_in(ROOT, "lords") as (there, _):
        state = there.start(options={"players": 2}).state
        assert there.view(seat=None, state=state) == there.view(state, None)


@pytest.mark.slow
def test_refusals_come_in_the_language_that_is_spoken_here() -> None:
    here = find("lords").rules
    with rules_in(ROOT, "lords") as (there, _):
        for language in ("fr", "en"):
            with speaking(language):
                said = []
                for rules in (here, there):
                    with pytest.raises(OrderError) as caught:
                        read_plans(rules, "PLAN RECRUIT 1")
                    said.append(str(caught.value))
            assert said[0] == said[1]


@pytest.mark.slow
def test_the_manifest_comes_with_the_rules() -> None:
    with rules_in(ROOT, "lords") as (there, sha256):
        assert (there.manifest, sha256) == manifest("lords")


class Last(Chooser):
    def randrange(self, stop: int, /) -> int:
        return stop - 1


@pytest.mark.slow
def test_who_chooses_stays_here() -> None:
    here = find("lords").rules
    with rules_in(ROOT, "lords") as (there, _):
        view = here.view(here.start({"players": 2, "first": "angus"}).state, "angus")
        made = [rules.dump(rules.determinise(rules.read_view(view), Last())) for rules in (here, there)]
        assert made[0] == made[1]


# a stranger's program

GAMES = """
import os, sys, time
def shout():
    for fd in range(3, 20):
        try:
            os.write(fd, b"hello\\n")
        except OSError:
            pass
class P:
    line, read, why, rule, legal = "one", "", "", "", ""
class Game:
    id, title, version = "tiny", "Tiny", 1
    def seats(self, options):
        {does}
    def options(self, view):
        return ()
class Pack:
    rules = Game()
def find(game):
    return Pack
def manifest(pack):
    return "", "0" * 64
"""


def a_pbem(folder: Path, does: str = "return ()", start: str = "", errors: str = "") -> Path:
    """Write a pbem whose rules do this when they are asked for the seats."""
    (folder / "pbem" / "games").mkdir(parents=True)
    (folder / "pbem" / "__init__.py").write_text(start, "utf-8")
    classes = "class PbemError(Exception): pass\nclass OrderError(PbemError): pass\nclass UsageError(PbemError): pass\n"
    (folder / "pbem" / "errors.py").write_text(classes + errors, "utf-8")
    (folder / "pbem" / "games" / "__init__.py").write_text(GAMES.format(does=does), "utf-8")
    return folder


def test_a_view_is_an_object(tmp_path: Path) -> None:
    folder = a_pbem(tmp_path)
    games = folder / "pbem" / "games" / "__init__.py"
    more = "    def load(self, position):\n        return 5\n    def view(self, state, seat):\n        return [state]\nclass Pack:"
    games.write_text(games.read_text("utf-8").replace("class Pack:", more), "utf-8")
    with rules_in(folder, "tiny") as (there, _), pytest.raises(WorldError, match="have answered what no rules answer"):
        there.view(there.load({}), None)


def test_what_older_rules_do_not_say_of_themselves_is_as_the_contract_has_it(tmp_path: Path) -> None:
    with rules_in(a_pbem(tmp_path), "tiny") as (there, _):
        assert (isinstance(there, BESIDES), there.remarks({})) == (False, ())


def seats(folder: Path, patience: float = 30) -> tuple[str, ...]:
    with rules_in(folder, "tiny", patience) as (there, _):
        return there.seats({})


@pytest.mark.variants
@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("os._exit(3)", r"have ended, and no longer answer \(exit code 3\)\.$"),
        ("os.kill(os.getpid(), 9)", r"have ended, and no longer answer \(signal 9\)\.$"),
        ("sys.exit()", r"have ended, and no longer answer \(exit code 0\)\.$"),
        ("raise ZeroDivisionError('by nothing')", r"stumble: ZeroDivisionError: by nothing\.$"),
        ("raise MemoryError", r"stumble: MemoryError"),
        ("return 5", r"stumble: TypeError"),
        ("return [5]", r"have answered what no rules answer: “\[5\]”\.$"),
        ("return [None]", r"have answered what no rules answer"),
        ("return [float('nan')]", r"have answered what no rules answer"),
        (
            "e = sys.modules['pbem.errors'].OrderError(); e.problems = [P()]; raise e",
            r"have answered what no rules answer",
        ),
        ("shout(); time.sleep(1000)", r"have answered what no rules answer: “hello”\.$"),
    ],
)
def test_rules_that_do_not_answer_are_no_rules(does: str, why: str, tmp_path: Path) -> None:
    """A WorldError, never one of those that a replay takes for what the rules say of a game."""
    with pytest.raises(WorldError, match=why):
        seats(a_pbem(tmp_path, does))


def test_rules_that_hang_are_ended(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"have given no answer for 0\.4 seconds, and were ended\."):
        seats(a_pbem(tmp_path, "time.sleep(1000)"), 0.4)


def test_rules_that_close_the_pipe_and_go_on_are_ended(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"have given no answer for 0\.4 seconds, and were ended\."):
        seats(a_pbem(tmp_path, "os.closerange(3, 20); time.sleep(1000)"), 0.4)


def test_rules_that_hang_at_once_are_ended(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"have given no answer for 0\.4 seconds"):
        seats(a_pbem(tmp_path, start="import time; time.sleep(1000)"), 0.4)


def test_rules_that_have_ended_stay_ended(tmp_path: Path) -> None:
    with rules_in(a_pbem(tmp_path, "os._exit(3)"), "tiny") as (there, _):
        for _again in range(2):
            with pytest.raises(WorldError, match="have ended"):
                there.seats({})


def test_a_program_that_is_no_pbem_is_no_rules(tmp_path: Path) -> None:
    for number, start in enumerate(("raise SystemExit(0)", "import nothing_of_this_name", "1 +")):
        with pytest.raises(UsageError, match="cannot be run: "):
            seats(a_pbem(tmp_path / str(number), start=start))


def test_what_they_print_and_read_is_not_in_the_way(tmp_path: Path) -> None:
    does = "print('[1]', flush=True); sys.stderr.write('!' * 200000); return (sys.stdin.readline() or 'nothing',)"
    assert seats(a_pbem(tmp_path, does)) == ("nothing",)


def test_what_they_say_gives_no_orders_to_a_terminal(tmp_path: Path) -> None:
    with pytest.raises(WorldError) as caught:
        seats(a_pbem(tmp_path, r"raise ValueError('\x1b[2J\x07')"))
    assert str(caught.value).isprintable()


def test_they_are_given_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "swordfish")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    given = seats(a_pbem(tmp_path, "return tuple(os.environ)"))
    assert "PBEM_GAMES" in given
    assert not {"PBEM_PASSPHRASE", "PYTHONPATH", "HOME", "USER"} & set(given)


@pytest.mark.skipif(sys.platform == "win32", reason="that system sets no such limits")
def test_they_cannot_write_to_files(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"stumble: OSError: .*File too large"):
        seats(a_pbem(tmp_path, "open('written', 'wb').write(b'!' * 99999); return ()"))
    assert not (tmp_path / "written").stat().st_size
