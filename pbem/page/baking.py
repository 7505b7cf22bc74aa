"""What the page's own Python does while the page is built: it compiles, compresses, and says what it says to everybody.

Node runs it. So nobody waits for that in a browser, and it is what the page's Python would have made there.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from .parts import run

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
SHOWN = ("/look/", "/cover.py", "/puzzles/", "/lesson/")
"""The parts of a game that do not affect those fingerprints."""
SAID, PICTURES = "said.mjs", "pictures/"
"""What the program says to everybody, which the build lets it say."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def laid_out(found: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, bytes]]:
    """Go through what the page need not ask its program for: a module with words and games, and the pictures of games."""
    told = json.dumps(found["said"], ensure_ascii=False, sort_keys=True)
    yield SAID, f"export default {told};\n".encode()
    yield from ((f"{PICTURES}{name}.svg", picture.encode()) for name, picture in found["pictures"].items() if picture)


class PythonTools(NamedTuple):
    """The page's own Python, run by Node from a folder: it compiles, and compresses as only it can unpack."""

    there: Path

    def compiled(self, files: Mapping[str, bytes], sources: tuple[str, ...]) -> dict[str, bytes]:
        """Return modules of Python as the page's Python compiles them; `sources`: where the source stays beside."""
        kept = (path for path in files if path.startswith(sources) and not any(part in path for part in SHOWN))
        return dict(unpacked(self._run("compile.mjs", files, ",".join(kept))))

    def solid(self, files: Mapping[str, bytes]) -> bytes:
        """Return files as one frame of zstd, around an archive that is not compressed."""
        return self._run("solid.mjs", files)

    def said(self, python: Mapping[str, bytes], carrier: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        """Return what the program on this path says to everybody: `said` by language and call, and `pictures` of games."""
        for path in ("signing.mjs", *(path for path in carrier if path.startswith("others/"))):
            (self.there / path).parent.mkdir(parents=True, exist_ok=True)
            (self.there / path).write_bytes(carrier[path])
        (self.there / "package.json").write_text('{"type": "module"}', "utf-8")
        found: dict[str, dict[str, Any]] = json.loads(self._run("bake.mjs", python))
        return found

    def boots(self) -> set[str]:
        """Return the files of the standard library that Python reads before anything can be unpacked."""
        return set(self._run("boots.mjs", {}).decode().split())

    def _run(self, tool: str, files: Mapping[str, bytes], *more: str) -> bytes:
        (self.there / "in.zip").write_bytes(packed(files, zipfile.ZIP_STORED))
        run(
            "node",
            str(Path(__file__).with_name(tool)),
            str(self.there),
            str(self.there / "in.zip"),
            str(self.there / "out"),
            *more,
        )
        return (self.there / "out").read_bytes()


@contextmanager
def pythons_tools(runtime: Mapping[str, bytes]) -> Iterator[PythonTools]:
    """Lay the runtime into a folder. The tools raise WorldError where Node is missing, or does not do it."""
    with TemporaryDirectory() as name:
        for part in RUNTIME:
            (Path(name) / part).write_bytes(runtime[part])
        (Path(name) / "pyodide-lock.json").write_bytes(lock(runtime["pyodide-lock.json"]))
        yield PythonTools(Path(name))


def lock(original: bytes) -> bytes:
    """Return Pyodide's package list without packages: it must fetch nothing that is not here."""
    return json.dumps({"info": json.loads(original)["info"], "packages": {}}, sort_keys=True).encode()


def packed(files: Mapping[str, bytes], how: int) -> bytes:
    """Return files as an archive; its bytes depend only on the files."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", how, compresslevel=9) as archive:
        for path, data in sorted(files.items()):
            member = zipfile.ZipInfo(path, _LONG_AGO)
            member.compress_type, member.external_attr, member.create_system = how, 0o644 << 16, 3
            archive.writestr(member, data)
    return made.getvalue()


def unpacked(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Go through the files of an archive."""
    with zipfile.ZipFile(BytesIO(archive)) as opened:
        yield from ((name, opened.read(name)) for name in opened.namelist() if not name.endswith("/"))
