"""JavaScript modules put side by side so that a browser finds them: what others would call a bundler, in one page.

A module of ours names a package as its authors do (`@noble/curves/ed25519.js`). Workers know no import maps, so each module that
is reached is taken along, and its imports are written as paths. Nothing else in it is changed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

from pbem.errors import WorldError

Package = Callable[[str], Mapping[str, bytes]]
"""Gives the files of a package by its name."""

_IMPORT = re.compile(r"""^(\s*(?:import|export)\b[^;"'`]*?\bfrom\s*|\s*import\s*)(["'])([^"'\n]+)\2""", re.MULTILINE)
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

        found[path] = _IMPORT.sub(as_path, text)
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
