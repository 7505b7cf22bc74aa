"""The ceilings of the house: figures that only go down, each held against `house.toml`; and how they are counted.

The calls and the SQL statements are those of a recorded turn of Hammer of the Scots (`tests/golden/hammer/by_mail.json`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import house, prose

FILES = {
    "__init__": "",
    "a/__init__": "",
    "a/low": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .high import High\n",
    "a/high": '"""Said."""\nfrom . import low\n\n\nclass High:\n    """Said."""\n\n    def up(self): ...\n',
    "b/__init__": "",
    "b/lazy": "def later():\n    from p.b import soon\n",
    "b/soon": "from . import lazy\nfrom p.a.high import High\n\n\nclass Soon(High):\n    def down(self): ...\n",
    "new": "x = 1\ny = 2\n",
}


@pytest.fixture(scope="module")
def figures() -> house.Figures:
    return house.figures()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("house") / "p"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / f"{name}.py").write_text(text, "utf-8")
    return root


def test_every_figure_is_below_its_ceiling(figures: house.Figures) -> None:
    ceilings = house.ceilings()
    ceilings["added"] = {name: of["ceiling"] for name, of in ceilings.get("added", {}).items()}
    found = [
        house.wrong(section, row, figure, ceilings.get(section, {}).get(row))
        for section, rows in figures.items()
        for row, figure in rows.items()
    ]
    assert not any(found), "\n".join(filter(None, found))


def test_cycles_are_found_in_functions_and_in_what_only_types_need(package: Path) -> None:
    found = house.cycles(house.imports(package))
    assert sorted(map(sorted, found)) == [["p.a.high", "p.a.low"], ["p.b.lazy", "p.b.soon"]]


def test_what_is_counted(package: Path) -> None:
    found = house.counted(package)
    assert found["cycles"] == {"groups": 2, "files": 4}
    assert found["statements"] == {"total": 16, "p": 2, "a": 7, "b": 7}, "docstrings are none"
    assert found["levels"] == {"a": 2, "b": 2}, "those of a cycle stand on each other"
    assert found["files"] == {"short": 5}
    assert found["methods"] == {"most": 2, "many": 0}, "those that are inherited count"


def test_levels_are_the_longest_way_up_inside() -> None:
    graph = {
        name: frozenset(under) for name, under in {"a": "bc", "b": "d", "c": "", "d": "e", "e": "bx", "x": "a"}.items()
    }
    assert house.levels(graph, {"a", "b", "c", "d", "e"}) == 4
    graph["e"] = frozenset("c")
    assert house.levels(graph, {"a", "b", "c", "d", "e"}) == 5


def test_what_pbem_could_not_do_before_counts_in_a_row_of_its_own(package: Path) -> None:
    found = house.counted(package, {"seeing": {"files": ["p/new.py"], "ceiling": 2}})
    assert found["added"] == {"seeing": 2}
    assert found["statements"] == {"total": 14, "p": 0, "a": 7, "b": 7}


def test_what_ought_to_stand_in_few_files_is_counted_outside_the_packages_for_it(tmp_path: Path) -> None:
    for name, text in {
        "a.py": 'if act == "takeback":\n',
        "b.js": "say('takeback'); takebacks();\n",
        "c.py": "from pbem.ledger.pair import x\n",
        "d.py": "if is_of_two(data): ...\n",
        "pair/e.py": "from pbem.ledger.pair import is_of_two\n",
        "f.py": "import repair\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert house.asked(tmp_path) == {"takeback": 2, "of two": 2}


def test_words_that_the_program_writes_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "how").mkdir()
    (tmp_path / "how" / "a.md").write_text(
        "Two words.\n<!-- made by docs/make.py: x -->\nmany\n<!-- end -->\nOne.\n", "utf-8"
    )
    (tmp_path / "b.md").write_text("One.\nThis part is made from the program (`make docs`).\nmany\n", "utf-8")
    assert prose.counted(tmp_path)["words"] == {"how": 3, tmp_path.name: 1}
    added = {"seeing": {"files": [], "pages": [f"{tmp_path.name}/how/a.md"], "ceiling": 0}}
    assert prose.counted(tmp_path, added)["words"] == {"how/a.md": 3, tmp_path.name: 1}


LONG = " ".join(["word"] * 26)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{LONG}.\n", 1),
        (f"{LONG.removesuffix(' word')}.\n", 0),
        (f"One.\n\n```\n{LONG}\n```\n\n    {LONG}\n", 0),
        (f"- {LONG}\n- two\n", 1),
        (f"# One\n- two\n{LONG.removesuffix(' word')}", 1),
        (f"| {LONG} | {LONG} |\n|---|---|\n", 2),
        (f"`{LONG}` is one word. [{LONG}](x.md)", 1),
        (f"<!-- made by docs/make.py: x -->\n{LONG}\n<!-- end -->\n", 0),
    ],
)  # fmt: skip
def test_long_sentences_are_counted_without_code_and_made_text(tmp_path: Path, text: str, found: int) -> None:
    (tmp_path / "a.md").write_text(text, "utf-8")
    assert prose.counted(tmp_path)["long"] == {tmp_path.name: found}


def test_phrases_to_avoid_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("What it is, is\nno matter: it lies anew. `anew`, besides an elsewhere.\n", "utf-8")
    assert +prose.phrases(prose.sentences((tmp_path / "a.md").read_text("utf-8"))) == {
        "what … is": 1, "is no": 1, "stands, lies": 1, "anew": 1, "besides": 1
    }  # fmt: skip
    assert prose.counted(tmp_path)["phrases"] == {tmp_path.name: 5}


def test_a_ceiling_only_goes_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "TABLE", table := tmp_path / "house.toml")
    table.write_text(
        '# Why.\n\n[statements]\nmail = 10\ngone = 3\n\n[added.one]\nfiles = ["p/new.py"]\npages = ["d/a.md"]\nceiling = 4\n',
        "utf-8",
    )
    house.lower({"statements": {"mail": 11, "games/x": 5}, "cycles": {"groups": 0}, "added": {"one": 2}})
    assert house.ceilings() == {
        "statements": {"mail": 10, "games/x": 5},
        "cycles": {"groups": 0},
        "added": {"one": {"files": ["p/new.py"], "pages": ["d/a.md"], "ceiling": 2}},
    }
    assert table.read_text("utf-8").startswith("# Why.\n")


@pytest.mark.parametrize(
    ("section", "figure", "ceiling", "says"),
    [
        ("statements", 1010, 1000, ""),
        ("statements", 1011, 1000, "statements host: 1011, the ceiling is 1000; ceilings only go down"),
        ("statements", 969, 1000, "“python -m bench.house --lower” lowers it"),
        ("cycles", 1, 0, "cycles host: 1, the ceiling is 0"),
        ("cycles", 0, 0, ""),
        ("words", 7, None, "has no ceiling"),
    ],
)  # fmt: skip
def test_what_is_wrong_says_what_to_do(section: str, figure: int, ceiling: int | None, says: str) -> None:
    said = house.wrong(section, "host", figure, ceiling)
    assert says in said
    assert bool(says) == bool(said)
