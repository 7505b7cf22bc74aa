"""The normal form of a module: its behaviour, written in one way, without the parts that are only for readers.

Two sources with the same normal form behave the same. It leaves out

- comments, blank lines, layout, docstrings, and statements that are only a constant;
- the texts of messages: the content of `_(…)`, `_n(…)` and `N_(…)`; the values that a message is given stay;
- `if TYPE_CHECKING`, and imports of names from `typing` and `collections.abc`: only type checkers look at them;
- annotations, if they are not run (`from __future__ import annotations`), of functions without decorators, of module names and of
  local names. Those of classes stay: models and dataclasses are made from them.

The rest stays, in its order. The normal form is written from the syntax tree by the table below, a line for each statement. It is
the same whichever Python reads the source; `ast.dump` and `ast.unparse` differ from one Python to the next. Syntax of a later
Python that the table does not know is refused, not left out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from typing import Any

_OPERATORS = (
    "And", "Or", "Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor", "BitAnd",
    "FloorDiv", "Invert", "Not", "UAdd", "USub", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn",
)  # fmt: skip
FIELDS = {
    name: tuple(fields.split())
    for name, fields in {
        # statements
        "FunctionDef": "name args returns decorator_list type_params body",
        "AsyncFunctionDef": "name args returns decorator_list type_params body",
        "ClassDef": "name bases keywords decorator_list type_params body",
        "Return": "value", "Delete": "targets", "Assign": "targets value", "TypeAlias": "name type_params value",
        "AugAssign": "target op value", "AnnAssign": "target annotation value simple",
        "For": "target iter body orelse", "AsyncFor": "target iter body orelse", "While": "test body orelse",
        "If": "test body orelse", "With": "items body", "AsyncWith": "items body", "Match": "subject cases",
        "Raise": "exc cause", "Try": "body handlers orelse finalbody", "TryStar": "body handlers orelse finalbody",
        "Assert": "test msg", "Import": "names", "ImportFrom": "module names level", "Global": "names", "Nonlocal": "names",
        "Expr": "value", "Pass": "", "Break": "", "Continue": "",
        # expressions
        "BoolOp": "op values", "NamedExpr": "target value", "BinOp": "left op right", "UnaryOp": "op operand",
        "Lambda": "args body", "IfExp": "test body orelse", "Dict": "keys values", "Set": "elts",
        "ListComp": "elt generators", "SetComp": "elt generators", "DictComp": "key value generators",
        "GeneratorExp": "elt generators", "Await": "value", "Yield": "value", "YieldFrom": "value",
        "Compare": "left ops comparators", "Call": "func args keywords", "FormattedValue": "value conversion format_spec",
        "JoinedStr": "values", "Constant": "value", "Attribute": "value attr", "Subscript": "value slice",
        "Starred": "value", "Name": "id", "List": "elts", "Tuple": "elts", "Slice": "lower upper step",
        "TemplateStr": "values", "Interpolation": "value str conversion format_spec",
        # what belongs to them
        "comprehension": "target iter ifs is_async", "ExceptHandler": "type name body",
        "arguments": "posonlyargs args vararg kwonlyargs kw_defaults kwarg defaults", "arg": "arg annotation",
        "keyword": "arg value", "alias": "name asname", "withitem": "context_expr optional_vars",
        "match_case": "pattern guard body", "MatchValue": "value", "MatchSingleton": "value", "MatchSequence": "patterns",
        "MatchMapping": "keys patterns rest", "MatchClass": "cls patterns kwd_attrs kwd_patterns", "MatchStar": "name",
        "MatchAs": "pattern name", "MatchOr": "patterns", "TypeVar": "name bound default_value",
        "ParamSpec": "name default_value", "TypeVarTuple": "name default_value",
        **dict.fromkeys(_OPERATORS, ""),
    }.items()
}  # fmt: skip
"""Every kind of node, with the parts that count. Positions, comments for type checkers and whether a name is read do not count."""
_NOTHING = frozenset({"ctx", "type_comment", "kind", "type_ignores"})
MESSAGES = {"_": 1, "N_": 1, "_n": 2}
"""The names by which a message is told or marked, with how many of the first arguments are its text."""
_OF_TYPES = frozenset({"typing", "typing_extensions", "collections.abc"})


class Unknown(Exception):
    """A kind of node that the table does not know."""


def normal_form(tree: ast.Module) -> str:
    """Return the normal form of a module. Raises Unknown where it has what a later Python brought."""
    return "".join(f"{line}\n" for line in _Writer(tree).block(tree.body, "module", ""))


def imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Go through the imports of a module that are run: anywhere in it, but for those for type checkers."""
    todo: list[Any] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and _is_for_checkers(node.test):
            todo += node.orelse
        else:
            for below in ("body", "orelse", "handlers", "finalbody", "cases"):
                todo += getattr(node, below, ())


def hands_on(tree: ast.Module) -> bool:
    """Does a module nothing but import, and so hand the names of others on?"""
    return all(
        isinstance(node, ast.Import | ast.ImportFrom)
        or _is_constant(node)
        or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__")
        for node in tree.body
    )


def _is_for_checkers(test: ast.expr) -> bool:
    match test:
        case ast.Name("TYPE_CHECKING") | ast.Attribute(ast.Name("typing"), "TYPE_CHECKING"):
            return True
    return False


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_import_of_types(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.ImportFrom)
        and node.level == 0
        and node.module in _OF_TYPES
        and all(alias.asname is None and alias.name != "*" for alias in node.names)
    )


class _Writer:
    """Writes the nodes of one module."""

    def __init__(self, tree: ast.Module) -> None:
        said = [node for node in imports(tree) if isinstance(node, ast.ImportFrom)]
        names = [(node.module, alias) for node in said for alias in node.names]
        self._messages = {
            alias.asname or alias.name: MESSAGES[alias.name]
            for module, alias in names
            if module == "pbem.i18n" and alias.name in MESSAGES
        }
        self._annotations_run = ("__future__", "annotations") not in {(module, alias.name) for module, alias in names}

    def block(self, body: list[ast.stmt], scope: str, indent: str) -> Iterator[str]:
        """Yield the lines of statements; `scope` is their container: a module, a class or a function."""
        for node in body:
            if isinstance(node, ast.If) and _is_for_checkers(node.test):
                yield from self.block(node.orelse, scope, indent)
            elif not (_is_constant(node) or _is_import_of_types(node)):
                yield from self._statement(node, scope, indent)

    def _statement(self, node: ast.stmt, scope: str, indent: str) -> Iterator[str]:
        if isinstance(node, ast.AnnAssign) and scope != "class" and not self._annotations_run:
            if node.value is not None:
                node = ast.Assign([node.target], node.value)
            elif scope == "function":  # it makes the name a local one
                yield f"{indent}(local {self._value(node.target)})"
                return
            else:
                return
        yield from self._lines(node, scope, indent)

    def _lines(self, node: ast.AST, scope: str, indent: str) -> Iterator[str]:
        """Yield the lines of a node that may contain statements; these follow between braces."""
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            scope = "class" if isinstance(node, ast.ClassDef) else "function"
        line = f"{indent}({type(node).__name__}"
        for value in self._parts(node):
            if not (isinstance(value, list) and value and isinstance(value[0], _HOLDS)):
                line += f" {self._value(value)}"
                continue
            yield f"{line} {{"
            if isinstance(value[0], ast.stmt):
                yield from self.block(value, scope, f"{indent} ")
            else:
                for inner in value:
                    yield from self._lines(inner, scope, f"{indent} ")
            line = f"{indent}}}"
        yield f"{line})"

    def _parts(self, node: ast.AST) -> Iterator[Any]:
        """Go through what counts of a node. Raises Unknown where there is more than the table knows."""
        kind = type(node).__name__
        if kind not in FIELDS:
            raise Unknown(kind)
        for name in node._fields:
            if name not in FIELDS[kind] and name not in _NOTHING and getattr(node, name, None):
                raise Unknown(f"{kind}.{name}")
        bare = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not (
            node.decorator_list or self._annotations_run
        )
        for name in FIELDS[kind]:
            value: Any = getattr(node, name, [] if name == "type_params" else None)
            if bare and name == "returns":
                yield None
            elif bare and name == "args":
                yield _without_annotations(value)
            else:
                yield value

    def _value(self, value: Any) -> str:
        match value:
            case None:
                return "-"
            case str():
                return value
            case int():
                return str(value)
            case list():
                return f"[{' '.join(map(self._value, value))}]"
            case ast.Constant(value=constant) | ast.MatchSingleton(value=constant):
                return f"({type(value).__name__} {_constant(constant)})"
            case ast.Call(func=ast.Name(id=name)) if name in self._messages:
                texts = self._messages[name]
                said = [_MESSAGE if _is_text(arg) and no < texts else arg for no, arg in enumerate(value.args)]
                return self._node(value, [value.func, said, value.keywords])
            case ast.JoinedStr():
                return self._node(value, [_joined(value.values)])
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[])):
                return self._node(value, [value.value, value.conversion, None])
            case ast.AST():
                return self._node(value, self._parts(value))
        raise Unknown(type(value).__name__)

    def _node(self, node: ast.AST, parts: Iterable[Any]) -> str:
        return f"({' '.join([type(node).__name__, *map(self._value, parts)])})"


_HOLDS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_MESSAGE = "message"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _joined(values: list[ast.expr]) -> list[ast.expr]:
    """Return the parts of an f-string with adjacent texts joined: Python versions split them differently."""
    made: list[ast.expr] = []
    for value in values:
        match made, value:
            case _, ast.Constant(value=""):
                pass
            case [*_, ast.Constant(value=str(before))], ast.Constant(value=str(text)):
                made[-1] = ast.Constant(before + text)
            case _:
                made.append(value)
    return made


def _constant(value: Any) -> str:
    """Return a constant with its kind: no two are written alike."""
    match value:
        case str():
            return json.dumps(value)
        case bytes():
            return f"bytes:{value.hex()}"
        case float():
            return f"float:{value.hex()}"
        case complex():
            return f"complex:{value.imag.hex()}"
        case int() | None:  # True and False, too
            return str(value)
    if value is ...:
        return "..."
    raise Unknown(type(value).__name__)


def _without_annotations(args: ast.arguments) -> ast.arguments:
    """Return the parameters of a function without what they are annotated with."""

    def bare(arg: ast.arg) -> ast.arg:
        return ast.arg(arg.arg, None)

    return ast.arguments(
        posonlyargs=list(map(bare, args.posonlyargs)), args=list(map(bare, args.args)),
        vararg=bare(args.vararg) if args.vararg else None, kwonlyargs=list(map(bare, args.kwonlyargs)),
        kw_defaults=args.kw_defaults, kwarg=bare(args.kwarg) if args.kwarg else None, defaults=args.defaults,
    )  # fmt: skip
