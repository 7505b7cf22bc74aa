"""The one-file page, `pbem.html`, opened from a disk: made of the folder built by `make page`. It needs no npm.

The file contains what a browser would fetch from the folder. Modules are text, each after the modules that it imports, because a
page from a disk finds no module by a path. The rest is compressed. A script of thirty lines (`file/boot.js`) turns them into
modules again, and the file's policy allows no requests at all. Chromium starts no module worker in such a page, so the worker's
modules become one script. `file/` has the modules that differ for such a page; they replace those of the same name.
"""

from __future__ import annotations

import gzip
import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from html import escape
from pathlib import Path

from pbem import __version__
from pbem.errors import WorldError
from pbem.i18n import _, languages, speaking
from pbem.reports.policy import of_file

from . import words
from .modules import IMPORT, LINKED, as_script

NAME = "pbem.html"
BUILT = Path(__file__).parent.parent / "_data" / "page"
"""Where `make page` builds it, and an installed pbem has it."""
OTHERWISE = "file/"
"""Where the modules lie that take the place of others of their name."""
FETCHED = ("pyodide/pyodide.asm.wasm", "pyodide/pyodide-lock.json", "pyodide/python_stdlib.zip.gz", "python.zip.zst")
"""The files that the worker requests by path, except for other rules in `shelf/` and rarely needed modules in `later/`."""
_SCRIPT = re.compile(r'<script type="module" src="main\.js"></script>\n')
_LINKS = re.compile(r'<link rel="(?!icon)[a-z-]+"[^>]*>\n')
_ICON = re.compile(r'href="icon\.svg"')
_URL = re.compile(r"url\((fonts/[\w-]+\.woff2)\)")


def single(files: Mapping[str, bytes]) -> bytes:
    """Return the page as one file, from the files of its folder. Raises WorldError where one is missing that it needs."""
    try:
        return _laid_out(files).encode()
    except KeyError as error:
        raise WorldError(_("The folder of the page is incomplete: {path} is missing.", path=error.args[0])) from error


def read(folder: Path) -> dict[str, bytes]:
    """Return the files of a built page by their paths. Raises WorldError if they are missing."""
    if not (folder / "page.json").is_file():
        raise WorldError(_("There is no page in {folder}. In a checkout “make page” builds one.", folder=folder))
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()
    }


def _laid_out(files: Mapping[str, bytes]) -> str:
    style, boot = _style(files), files[f"{OTHERWISE}boot.js"].decode()
    page = _LINKS.sub("", files["index.html"].decode())
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(of_file(style, boot))}">\n'
    page = _SCRIPT.sub("", page).replace('<meta name="viewport"', f'{policy}<meta name="viewport"', 1)
    page = _ICON.sub(f'href="{_data("image/svg+xml", files["icon.svg"])}"', page)
    page = page.replace(
        "</head>", f'<meta name="generator" content="pbem {__version__}">\n<style>{style}</style>\n</head>', 1
    )
    inside = "".join(f"{line}\n" for line in _inside(files))
    return page.replace("</body>", f'{inside}<script type="module">{boot}</script>\n</body>', 1)


def _inside(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the contents of the file as elements."""
    yield _element("modules", _json([{"path": path, "source": source} for path, source in ordered("main.js", files)]))
    yield _element("worker", _json(as_script(ordered("worker.mjs", files))))
    yield _element("words", _json({language: _words(language) for language in languages()}))
    for path in (*FETCHED, *(path for path in files if path.startswith(("shelf/", "later/")))):
        data = files[path] if path.endswith((".gz", ".zip", ".zst")) else gzip.compress(files[path], 9, mtime=0)
        yield _element("part", b64encode(data).decode(), f' data-path="{path}"')


def ordered(start: str, files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Return a module with all its imports, each after the modules that it needs. Raises WorldError.

    Imports are written as `pbem-module:` and the path.
    """
    found, needs, todo = dict[str, str](), dict[str, set[str]](), [start]
    while todo:
        path = todo.pop()
        if path not in found:
            found[path], needs[path] = _linked(path, files)
            todo += sorted(needs[path])
    try:
        order = TopologicalSorter({one: sorted(needs[one]) for one in sorted(needs)}).static_order()
        return [(path, found[path]) for path in order]
    except CycleError as error:
        circle = " → ".join(error.args[1])
        raise WorldError(
            _("Modules of the page import each other in a circle, which one file cannot: {circle}.", circle=circle)
        ) from error


def _linked(path: str, files: Mapping[str, bytes]) -> tuple[str, set[str]]:
    """Return a module with imports that are named by their paths in the folder, and those paths."""
    needs: set[str] = set()

    def named(match: re.Match[str]) -> str:
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[3]))
        if not path.startswith(OTHERWISE) and OTHERWISE + other in files:
            other = OTHERWISE + other
        needs.add(other)
        return f"{match[1]}{match[2]}{LINKED}{other}{match[2]}"

    return IMPORT.sub(named, files[path].decode()), needs


def _style(files: Mapping[str, bytes]) -> str:
    return _URL.sub(lambda found: f"url({_data('font/woff2', files[found[1]])})", files["style.css"].decode())


def _data(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{b64encode(data).decode()}"


def _words(language: str) -> dict[str, str]:
    with speaking(language):
        return words.of_file()


def _json(what: object) -> str:
    """Return JSON in which no element of a page begins or ends."""
    return json.dumps(what, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def _element(kind: str, text: str, more: str = "") -> str:
    return f'<script type="application/x-pbem-{kind}"{more}>{text}</script>'
