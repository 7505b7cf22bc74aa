"""A bundler that puts JavaScript modules side by side so that a browser finds them.

Our modules name a package as its authors do (`@noble/curves/ed25519.js`). Workers have no import maps, so each imported module is
included, and its imports are rewritten as paths. The rest of the module is unchanged.

For the one-file page, the worker's modules become one script, because Chromium starts no module worker from a disk. Each module
becomes a function that returns its exports. Unknown forms of import or export are refused, and so are imports of names that are not
exported.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.errors import WorldError

Package = Callable[[str], Mapping[str, bytes]]
"""Gives the files of a package by its name."""

IMPORT = re.compile(r"""^(\s*(?:import|export)\b[^;"'`]*?\bfrom\s*|\s*import\s*)(["'])([^"'\n]+)\2""", re.MULTILINE)
LINKED = "pbem-module:"
"""The prefix of the path in an import of a module in the same file."""
_EXPORT = re.compile(r"^export (?:async )?(?:const|function\*?|class) (\w+)", re.MULTILINE)
_LISTED = re.compile(r"\bexport ?\{([^}]*)\} ?(?:from ?[\"']pbem-module:([^\"']+)[\"'])?;?")
_DEFAULT = re.compile(r"\bexport default (\S+?);?\s*$")
_NAMES = re.compile(
    r"""^\s*import(?:\s*(\{[^}]*\}|\* as \w+|\w+)\s*from)?\s*["']pbem-module:([^"']+)["'];?""", re.MULTILINE
)
_LEFT = re.compile(r"^(?:import|export)\b(?!\()", re.MULTILINE)
_COMMON = """import {{ sha512 }} from "{sha512}";

const crypto_hash = (made, data, length) => {{ made.set(sha512(data.subarray(0, length))); }};
const require = () => ({{ lowlevel: {{ crypto_hash }} }});
const module = {{ exports: {{}} }};

{source}
export default module.exports;
"""
"""How bcrypt-pbkdf, which is older than modules, becomes one: the one function that it wants of another package is noble's."""
_SHA512 = "@noble/hashes/sha2.js"


def gathered(start: str, source: str, package: Package, folder: str = "others") -> dict[str, str]:
    """Return a module and all that it imports of packages, by path: itself as `start`, the others below `folder`."""
    found: dict[str, str] = {}
    todo = [(start, source)]
    while todo:
        path, text = todo.pop()

        def as_path(match: re.Match[str], path: str = path) -> str:
            target = _target(match[3], path, folder)
            if not target.startswith(f"{folder}/"):
                return match[0]
            if target not in found and all(target != other for other, _text in todo):
                todo.append((target, _source(target, package, folder)))
            way = posixpath.relpath(target, posixpath.dirname(path) or ".")
            return f"{match[1]}{match[2]}{way if way.startswith('.') else f'./{way}'}{match[2]}"

        found[path] = IMPORT.sub(as_path, text)
    return found


def _target(name: str, path: str, folder: str) -> str:
    """Return the path of what a module names."""
    if name.startswith("."):
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    return f"{folder}/{name}" if name.endswith(".js") else f"{folder}/{name}/index.js"


def _source(target: str, package: Package, folder: str) -> str:
    parts = target.removeprefix(f"{folder}/").split("/")
    count = 2 if parts[0].startswith("@") else 1
    name, inside = "/".join(parts[:count]), "/".join(parts[count:])
    files = package(name)
    if inside not in files:
        raise WorldError(f"The package {name} has no module {inside}.")
    text = files[inside].decode("utf-8")
    return text if "module.exports" not in text else _COMMON.format(sha512=_SHA512, source=text)


def as_script(modules: Sequence[tuple[str, str]]) -> str:
    """Return modules, each behind those that it imports by `LINKED`, as one script that runs the last. Raises WorldError."""
    numbers = {path: f"module{n}" for n, (path, _source) in enumerate(modules)}
    known: dict[str, set[str]] = {}
    parts = []
    for path, source in modules:
        body, gives = _as_function(path, source, numbers, known)
        known[path] = set(gives)
        given = ", ".join(f"{name}: {what}" for name, what in gives.items())
        parts.append(f"const {numbers[path]} = (() => {{ // {path}\n{body}\nreturn {{ {given} }};\n}})();\n")
    return '"use strict";\n' + "".join(parts)


def _as_function(
    path: str, source: str, numbers: Mapping[str, str], known: Mapping[str, set[str]]
) -> tuple[str, dict[str, str]]:
    """Return a module's code as a function body, and its exports: each name and its expression."""
    gives: dict[str, str] = {}

    def check(other: str, names: Iterable[str]) -> None:
        if missing := set(names) - known[other]:
            raise WorldError(f"{path} imports {', '.join(sorted(missing))} of {other}, which exports no such name.")

    def listed(match: re.Match[str]) -> str:
        pairs = _pairs(match[1])
        if match[2]:
            check(match[2], [name for name, _as in pairs])
        gives.update({new: f"{numbers[match[2]]}.{old}" if match[2] else old for old, new in pairs})
        return ""

    def default(match: re.Match[str]) -> str:
        gives["default"] = match[1]
        return ""

    def imported(match: re.Match[str]) -> str:
        names, other = match[1] or "{}", match[2]
        if names.startswith("*"):
            return f"const {names.split()[-1]} = {numbers[other]};"
        pairs = _pairs(names[1:-1]) if names.startswith("{") else [("default", names)]
        check(other, [name for name, _as in pairs])
        return f"const {{ {', '.join(f'{old}: {new}' for old, new in pairs)} }} = {numbers[other]};"

    body = _DEFAULT.sub(default, _LISTED.sub(listed, _NAMES.sub(imported, source)))
    gives.update({name: name for name in _EXPORT.findall(body)})
    body = _EXPORT.sub(lambda match: match[0].removeprefix("export "), body).replace("import.meta.url", "location.href")
    if left := _LEFT.search(body):
        raise WorldError(f"{path} imports or exports in a way that is not known: {body[left.start() :][:80]}")
    return body, gives


def _pairs(names: str) -> list[tuple[str, str]]:
    """Return the names of an import or export in braces, each with the name that it gets."""
    parts = [one.split() for one in names.split(",") if one.strip()]
    return [(one[0], one[-1]) for one in parts]
