"""Every guard that `make mutants` removes is there, once, and stands in the row of the attack that it keeps out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guards import ROOT, Guard, chosen, fails_in, guards
from tests.rows import tables

ROWS = [row for rows in tables()["attacks"].values() for row in rows]


WITHOUT = 163
"""So many rows name no guard, as more than one condition keeps the attack out, or nobody has listed theirs. This only goes down."""


def test_no_more_rows_than_before_name_no_guard() -> None:
    """A new row names its guard, and a guard that is listed for an old one lowers the number."""
    assert len(ROWS) > 250
    without = [row for row in ROWS if not any(guard.proves(proof) for guard in guards() for proof in row)]
    assert len(without) <= WITHOUT, "list a guard in tests/guards.toml"


def test_there_are_many() -> None:
    assert len(guards()) >= 60
    assert len({(guard.test, guard.file, guard.text) for guard in guards()}) == len(guards())


@pytest.mark.variants
@pytest.mark.parametrize("guard", guards(), ids=lambda guard: f"{guard.place}-{guard.test_name}")
def test_a_guard_stands_in_the_source_once_and_its_test_and_row_are_there(guard: Guard) -> None:
    source = (ROOT / guard.file).read_text("utf-8")
    mutant = guard.removed_from(source)
    assert mutant != source
    compile(mutant, guard.file, "exec")
    assert guard.file.startswith("pbem/"), "a part of the program keeps it out, and no test"
    assert any(guard.proves(proof) for row in ROWS for proof in row), "its test is no row's"
    assert guard.place


def test_a_guard_that_is_missing_or_stands_there_twice_is_no_guard() -> None:
    guard = Guard("tests/x.py::test_x", "pbem/x.py", "if a:", "if False:")
    assert guard.removed_from("if a:\n pass") == "if False:\n pass"
    for source in ("", "if a:\n pass\nif a:\n pass"):
        with pytest.raises(ValueError, match="once was expected"):
            guard.removed_from(source)


SOME_TESTS = """
import pytest

@pytest.fixture
def broken():
    raise ValueError

def test_well(): pass
def test_fails(): assert False
def test_cannot_begin(broken): pass
"""


@pytest.mark.slow
def test_only_a_test_that_ran_and_failed_shows_a_mutant(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(SOME_TESTS, "utf-8")
    for name, failed in (("well", False), ("fails", True)):
        assert fails_in(tmp_path, [f"test_some.py::test_{name}"], compiled=False)[0] is failed
    with pytest.raises(RuntimeError, match="without a verdict"):
        fails_in(tmp_path, ["test_some.py::test_cannot_begin"], compiled=False)


def test_a_number_chooses_the_same_guards_whatever_their_order() -> None:
    listed = guards()
    assert chosen(listed, 20, 7) == chosen(listed[::-1], 20, 7)
    assert len(chosen(listed, 20, 7)) == 20
    assert chosen(listed, 20, 7) != chosen(listed, 20, 8)
    assert len(chosen(listed, 0, 7)) == len(listed)
