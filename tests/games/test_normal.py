"""The normal form of a module: what is only there for readers leaves it as it is, what can change what it does does not."""

from __future__ import annotations

import ast
import hashlib
import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.games import normal
from pbem.games.normal import FIELDS, Unknown, normal_form

ROOT = Path(__file__).resolve().parents[2]
FILES = [path for top in ("pbem", "examples") for path in sorted((ROOT / top).rglob("*.py"))]

BASE = '''
"""A module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.i18n import N_, _, _n

if TYPE_CHECKING:
    from .board import Board

LIMIT: int = 3
NAMES: Mapping[str, str] = {"a": N_("first"), "b": N_("second")}
"""What they are called."""


@dataclass(frozen=True)
class Block:
    """A block."""

    name: str
    strength: int = 4
    """Its steps."""


@cache
def of(name: str) -> Block:
    return Block(name)


def hit(block: Block, hits: int = 1, *, twice: bool = False) -> int:
    """Return what is left of it."""
    left: int = block.strength - hits  # taken off
    if left < 0 and not twice:
        raise ValueError(_("{name} is gone", name=block.name))
    told = [_n("{n} hit", "{n} hits", hits), f"of {block.name!r}: {left:>{LIMIT}}"]
    log(told)
    print("a string", 'kept', b"bytes", 1, 2.5, 3j, ..., None, sep="")
    match told:
        case [str() as one, *_rest] if left:
            return 1
        case {"a": 1, **_others}:
            return 2
    try:
        return left
    finally:
        log([])


def log(told):
    for line in told[1:]:
        yield line
    else:
        pass
'''

LEFT_AS_IT_IS = {
    "a comment": ("# taken off", "# the hits"),
    "a comment more": ("log(told)\n", "log(told)  # says it\n"),
    "no comment": ("  # taken off", ""),
    "the module's docstring": ('"""A module."""', '"""Another sentence."""'),
    "a class's docstring": ('"""A block."""', '"""A block of wood."""'),
    "a function's docstring": ('    """Return what is left of it."""\n', ""),
    "a docstring more": ("def log(told):", 'def log(told):\n    """Say it."""'),
    "what stands below a field": ('"""Its steps."""', '"""Its present steps."""'),
    "a blank line": ("LIMIT: int = 3\n", "LIMIT: int = 3\n\n\n"),
    "a line wrapped": ('hits), f"of', 'hits),\n            f"of'),
    "other quotes": ("'kept'", '"kept"'),
    "a string in two parts": ('"a string"', '"a " "string"'),
    "an f-string in two parts": ('f"of {block.name!r}: {left', 'f"of {block.name!r}" f": {left'),
    "a comma at the end": ("hits: int = 1, *, twice: bool = False)", "hits: int = 1, *, twice: bool = False,)"),
    "brackets more": ("if left < 0 and not twice:", "if (left < 0) and (not twice):"),
    "blanks": ("..., None", "...,   None"),
    "the text of a message": ("{name} is gone", "{name} is no more"),
    "the texts of a message with a number": ('"{n} hit", "{n} hits"', '"a hit", "{n} hits in all"'),
    "the text of a marked message": ('N_("first")', 'N_("the first")'),
    "an annotation of a function": ("block: Block, hits: int", "block: Any, hits: int | None"),
    "what a function gives back": ("twice: bool = False) -> int:", "twice: bool = False) -> Any:"),
    "an annotation of a local name": ("left: int = block", "left = block"),
    "an annotation of a name of the module": ("NAMES: Mapping[str, str] =", "NAMES ="),
    "an import of types": ("import TYPE_CHECKING, Any", "import TYPE_CHECKING, Any, NamedTuple"),
    "what type checkers import": ("from .board import Board", "from .board import Board, Piece"),
    "nothing at all": ("    else:\n        pass\n", "    else:\n        ...\n"),
    "line ends": ("\n", "\r\n"),
}  # fmt: skip

MADE_ANOTHER = {
    "an operator": ("block.strength - hits", "block.strength + hits"),
    "a comparison": ("left < 0", "left <= 0"),
    "a connective": ("left < 0 and not", "left < 0 or not"),
    "not": ("and not twice", "and twice"),
    "a constant": ("LIMIT: int = 3", "LIMIT: int = 4"),
    "the kind of a constant": ("1, 2.5", "True, 2.5"),
    "a number that is as large": ("b\"bytes\", 1,", "b\"bytes\", 1.0,"),
    "bytes for a string": ("'kept'", "b'kept'"),
    "a string that is no message": ('"a string"', '"another string"'),
    "a string of an f-string": ("f\"of {", "f\"from {"),
    "how a value is written": ("{block.name!r}", "{block.name!s}"),
    "a width": ("{left:>{LIMIT}}", "{left:<{LIMIT}}"),
    "a value of a message": ("name=block.name)", "name=block)"),
    "a value of a message more": ("name=block.name)", "name=block.name, n=hits)"),
    "the number of a message": ('"{n} hits", hits)', '"{n} hits", left)'),
    "a key": ('{"a": N_', '{"c": N_'),
    "the order of keys": ('"a": N_("first"), "b": N_("second")', '"b": N_("second"), "a": N_("first")'),
    "no message any more": ('N_("first")', '"first"'),
    "a name": ("log(told)\n", "log(tell)\n"),
    "an attribute": ("block.strength", "block.stength"),
    "a renamed field": ("    strength: int", "    steps: int"),
    "an annotation of a field": ("strength: int = 4", "strength: float = 4"),
    "a default of a field": ("strength: int = 4", "strength: int = 3"),
    "the order of fields": ("    name: str\n", "    weight: str\n    name: str\n"),
    "an annotation under a decorator": ("def of(name: str)", "def of(name: int)"),
    "a default argument": ("hits: int = 1", "hits: int = 2"),
    "an argument by name": ("hits: int = 1, *, twice", "hits: int = 1, twice"),
    "a decorator": ("@cache\n", ""),
    "an argument of a decorator": ("frozen=True", "frozen=False"),
    "a base": ("class Block:", "class Block(Base):"),
    "the order of statements": ("    log(told)\n    print", "    print(1)\n    log(told)\n    print"),
    "a statement less": ("    log(told)\n", ""),
    "a statement in another block": ("        log([])\n\n\n", "        pass\n\n\n"),
    "a branch": ("return 1", "return 0"),
    "a pattern": ("case [str() as one, *_rest]", "case [str() as one]"),
    "a key of a pattern": ('{"a": 1, **_others}', '{"a": 2, **_others}'),
    "a guard": (" if left:", ":"),
    "a slice": ("told[1:]", "told[:1]"),
    "yield": ("        yield line", "        line"),
    "a name made local": ("    log(told)\n    print", "    log(told)\n    print: Any\n    print"),
    "an import": ("import cache", "import lru_cache as cache"),
    "what an import brings in": ("from functools import cache", "from functools import cache, partial"),
    "annotations that are run": ("from __future__ import annotations", ""),
    "what is raised": ("ValueError(", "TypeError("),
    "a call more": ("return left\n", "return int(left)\n"),
    "brackets": ("block.strength - hits", "(block.strength - hits) * 1"),
}  # fmt: skip


def form(source: str) -> str:
    return normal_form(ast.parse(source.encode()))


def edited(old: str, new: str) -> str:
    assert old in BASE, old
    return BASE.replace(old, new, 1) if old != "\n" else BASE.replace(old, new)


@pytest.mark.parametrize("what", LEFT_AS_IT_IS)
def test_what_is_only_for_readers_changes_nothing(what: str) -> None:
    assert form(edited(*LEFT_AS_IT_IS[what])) == form(BASE)


@pytest.mark.parametrize("what", MADE_ANOTHER)
def test_what_can_change_what_is_done_makes_another_form(what: str) -> None:
    assert form(edited(*MADE_ANOTHER[what])) != form(BASE)


def test_all_edits_differ() -> None:
    """No two things that are done differently have one form."""
    forms = [form(edited(*edit)) for edit in MADE_ANOTHER.values()]
    assert len({*forms, form(BASE)}) == len(forms) + 1


def test_only_messages_of_ours_are_left_out() -> None:
    """Another function of that name says what it likes."""
    for imported in ("from gettext import gettext as _", "from pbem.i18n import _n", "_ = str.upper"):
        assert form(f"{imported}\nx = _('a')") != form(f"{imported}\nx = _('b')")
    renamed = "from pbem.i18n import _ as told\n"
    assert form(f"{renamed}x = told('a')") == form(f"{renamed}x = told('b')")
    assert form(f"{renamed}x = _('a')") != form(f"{renamed}x = _('b')")


def test_the_page_shows_a_normal_form() -> None:
    page = (ROOT / "docs" / "reference" / "manifest.md").read_text("utf-8")
    source, rest = page.split("```python\n", 1)[1].split("```", 1)
    shown = rest.split("```\n", 1)[1].split("```", 1)[0]
    assert form(source) == shown


@pytest.mark.slow
def test_a_module_laid_out_anew_is_the_same() -> None:
    """As another formatter would, without any comment: every module of the project."""
    for path in FILES:
        tree = ast.parse(path.read_bytes())
        assert normal_form(ast.parse(ast.unparse(tree))) == normal_form(tree), path


def _changes(tree: ast.Module) -> Iterator[ast.AST]:
    """What is run in the functions of a module, and stands in no message."""
    todo: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef():
                todo += node.body
            case (
                ast.Call(func=ast.Name("_" | "_n" | "N_")) | ast.Expr(ast.Constant()) | ast.AnnAssign() | ast.ClassDef()
            ):
                pass
            case (
                ast.Constant()
                | ast.Name()
                | ast.Attribute()
                | ast.Compare()
                | ast.BinOp()
                | ast.BoolOp()
                | ast.keyword()
            ):
                yield node
                todo += ast.iter_child_nodes(node)
            case _:
                todo += ast.iter_child_nodes(node)


def _change(node: Any) -> None:
    match node:
        case ast.Constant(value=bool() | None):
            node.value = "?"
        case ast.Constant(value=str(text)):
            node.value = f"{text}x"
        case ast.Constant(value=int(number)):
            node.value = number + 1
        case ast.Constant():
            node.value = 0
        case ast.Name():
            node.id += "x"
        case ast.Attribute():
            node.attr += "x"
        case ast.keyword():
            node.arg = f"{node.arg}x"
        case ast.Compare():
            node.ops[0] = ast.Gt() if not isinstance(node.ops[0], ast.Gt) else ast.Lt()
        case ast.BinOp():
            node.op = ast.Mult() if not isinstance(node.op, ast.Mult) else ast.Add()
        case ast.BoolOp():
            node.op = ast.Or() if not isinstance(node.op, ast.Or) else ast.And()


@pytest.mark.slow
def test_whatever_is_changed_in_what_is_run_shows() -> None:
    """One node of a function of the rules, picked at random, again and again."""
    chance = random.Random(12)
    rules = sorted((ROOT / "examples" / "tiny_game").rglob("*.py"))
    for _ in range(400):
        tree = ast.parse(chance.choice(rules).read_bytes())
        nodes = list(_changes(tree))
        if nodes:
            before = normal_form(tree)
            _change(chance.choice(nodes))
            assert normal_form(tree) != before


# other Pythons

SAYS = """
import ast, hashlib, importlib.util, json, sys, warnings
warnings.simplefilter("ignore")
spec = importlib.util.spec_from_file_location("normal", sys.argv[1])
normal = importlib.util.module_from_spec(spec)
spec.loader.exec_module(normal)
found = {path: normal.normal_form(ast.parse(open(path, "rb").read())) for path in json.load(sys.stdin)}
print(sys.version_info[:2], hashlib.sha256(json.dumps(found).encode()).hexdigest())
"""


def _python(version: str) -> str:
    """Where a Python of this version is, or ""."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    found = shutil.which(f"python{version}")
    for place in ([found] if found else []) + list(map(str, kept)):
        if subprocess.run([place, "-c", "0"], capture_output=True, check=False).returncode == 0:
            return place
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_python_writes_the_same(version: str) -> None:
    """All modules of the project, by each Python that is here."""
    python = _python(version)
    if not python:
        pytest.skip(f"Python {version} is not here")
    paths = json.dumps(list(map(str, FILES)))
    told = subprocess.run(
        [python, "-c", SAYS, normal.__file__], input=paths, capture_output=True, text=True, check=True
    ).stdout
    assert told.split(") ") == [f"({version.replace('.', ', ')}", f"{_written_here()}\n"]


@cache
def _written_here() -> str:
    here = {str(path): normal_form(ast.parse(path.read_bytes())) for path in FILES}
    return hashlib.sha256(json.dumps(here).encode()).hexdigest()


def test_the_table_knows_every_node_of_this_python() -> None:
    """What `ast` documents: each kind of node with its fields."""
    ignored = {"ctx", "type_comment", "kind", "type_ignores"}
    old = {
        "Num",
        "Str",
        "Bytes",
        "NameConstant",
        "Ellipsis",
        "Index",
        "ExtSlice",
        "Suite",
        "AugLoad",
        "AugStore",
        "Param",
    }
    tops = {"Module", "Interactive", "Expression", "FunctionType", "TypeIgnore", "Load", "Store", "Del"}
    abstract = {"AST", *(kind.__name__ for kind in ast.AST.__subclasses__())}
    kinds = {
        name: kind
        for name, kind in vars(ast).items()
        if isinstance(kind, type) and issubclass(kind, ast.AST) and kind.__module__ in ("ast", "_ast")
    }
    for name in kinds.keys() - old - tops - (abstract - FIELDS.keys()):
        if not kinds[name].__subclasses__() or name in FIELDS:
            assert set(kinds[name]._fields) - ignored <= set(FIELDS[name]), name


TemplateStr: Any = type("TemplateStr", (ast.expr,), {"_fields": ("values",)})
"""As Python 3.14 has it."""


def test_trees_of_other_pythons() -> None:
    """Where they differ: type parameters (3.12), how an f-string is parted (3.12), template strings (3.14)."""

    def written(value: ast.expr) -> str:
        return normal_form(ast.Module([ast.Expr(value)], []))

    texts = [ast.Constant("a"), ast.Constant(""), ast.Constant("b")]
    assert written(ast.JoinedStr(list(texts))) == written(ast.JoinedStr([ast.Constant("ab")]))
    empty = ast.FormattedValue(ast.Name("x"), -1, ast.JoinedStr([]))
    assert written(ast.JoinedStr([empty])) == written(ast.JoinedStr([ast.FormattedValue(ast.Name("x"), -1, None)]))
    assert written(TemplateStr([ast.Constant("a")])) == '(Expr (TemplateStr [(Constant "a")]))\n'
    function: Any = ast.parse("def f(): return 1").body[0]
    before = normal_form(ast.Module([function], []))
    function.type_params = []
    assert normal_form(ast.Module([function], [])) == before
    function.type_params = [ast.Name("T")]
    assert normal_form(ast.Module([function], [])) != before


Lazy: Any = type("Lazy", (ast.stmt,), {"_fields": ("names",)})
"""As no Python has it yet."""


def test_what_a_later_python_brings_is_refused_and_not_left_out() -> None:
    with pytest.raises(Unknown, match="Lazy"):
        normal_form(ast.Module([Lazy([])], []))

    kind: Any = type("Import", (ast.stmt,), {"_fields": ("names", "is_lazy")})
    assert normal_form(ast.Module([kind([ast.alias("a")], 0)], [])) == "(Import [(alias a -)])\n"
    with pytest.raises(Unknown, match=r"Import\.is_lazy"):
        normal_form(ast.Module([kind([ast.alias("a")], 1)], []))
