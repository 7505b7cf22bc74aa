"""Builder of the page: a folder of static files for any web server. `python -m pbem.page.build` (`make page`).

The folder has Python for browsers (Pyodide), the packages that pbem needs there, and pbem itself without the parts for hosts and
terminals. It also has the worker that runs it, and the licences of other people's work. At run time, nothing is fetched from
elsewhere. The same sources and pins give the same files, byte for byte, except for differences between machines' zlib compression.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import sys
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import source_from_cache
from pathlib import Path

from pbem import __version__
from pbem.errors import WorldError
from pbem.look.picture import FAMILIES
from pbem.look.picture import FOLDER as FONTS
from pbem.resources import folder

from .baking import RUNTIME, laid_out, lock, packed, pythons_tools, unpacked
from .later import LATER, archive_of
from .modules import gathered
from .parts import BuildParts
from .single import BUILT, NAME, OTHERWISE, read, single

PAGE = Path(__file__).parent
PACKAGE = PAGE.parent
PARTS = PACKAGE.parent / ".cache" / "page"

SOURCES = ("pbem/games/", "pbem/kernel/", "pbem/i18n/", "pbem/__init__.py", "pbem/errors.py")
"""Files that are also read as text: the fingerprints of rules and built-in players are computed from them."""
BUILDING = (
    "baking.py", "build.py", "early.py", "parts.py", "modules.py", "single.py", "comparing.py", "compile.mjs", "solid.mjs",
    "bake.mjs", "boots.mjs", "pinned.toml",
    "carrier/", "face/", "file/",
)  # fmt: skip
LEFT_OUT: tuple[str, ...] = (
    "pbem/cli/",
    "pbem/club/",
    "pbem/engine/",
    "pbem/host/",
    "pbem/_data/",
    "pbem/schemas.py",
    "pbem/releasing.py",
    "pbem/__main__.py",
    "pbem/mail/lmtp.py",
    "pbem/mail/signing.py",
    "pbem/page/serving.py",
    "pbem/player/account.py",
    "pbem/player/unsigned.py",
    "pbem/reports/differing.py",
    "pbem/reports/hands.py",
    "pbem/story/",
    *(f"pbem/page/{part}" for part in BUILDING),
)
"""The parts of pbem that no page needs. A test compares them with the code that the desk reaches."""
LEFT_BY_NAME = (".po", ".ttf", "py.typed", "/cli.mo", "/club.mo", "/engine.mo", "/host.mo", "/story.mo")
"""Files that the page never needs: translation sources, and translations for parts that are left out."""
UNUSED = (
    "pydantic/v1/",
    "pydantic/mypy.py",
    "pydantic/color.py",
    "pydantic/experimental/pipeline.py",
    "annotated_types/test_cases.py",
    *(f"jinja2/{name}.py" for name in ("constants", "ext", "meta", "nativetypes", "sandbox")),
    "markupsafe/_speedups",
    *(
        f"tzdata/zoneinfo/{name}"
        for name in ("iso3166.tab", "leapseconds", "tzdata.zi", "zone.tab", "zone1970.tab", "zonenow.tab")
    ),
)
"""Unused parts of other people's packages: modules and extensions that nothing here uses, and code compiled for another machine.
Half a megabyte of time zone tables is unused, too, because Python reads each zone from a separate file."""
SHELF = "shelf/"
"""Where rules of other versions lie, which are fetched when a log needs them."""
NOT_SERVED = ("licences/", OTHERWISE)
"""What nobody needs who plays."""
OFFLINE = "offline.js"
MADE = "made.mjs"
LIBRARY, PYTHON = "pyodide/python_stdlib.zip.gz", "python.zip.zst"
"""What Python reads at its start; and the rest of its path, which it unpacks itself."""
LOADED = ("pyodide/pyodide.asm.wasm", LIBRARY, PYTHON)
"""What takes long to load: the worker says how far it is."""
PACKAGES = ("@noble/curves", "@noble/hashes", "@noble/ciphers", "bcrypt-pbkdf")


def build(out: Path, parts: BuildParts, more: Sequence[Path] = (), shelf: Path | None = None) -> None:
    """Write the page into its own folder, replacing the old page; `more`: further folders of Python modules.

    `shelf`: the folder with other versions of the rules, if not pbem's own.

    Raises WorldError if a part cannot be obtained, or the folder has other contents.
    """
    if out.exists() and not (out / "page.json").exists():
        raise WorldError(f"{out} is no folder with a page; name another.")
    files = dict(_files(parts, more)) | _shelf(shelf or folder("shelf"))
    files[MADE] = _made(files)
    files[OFFLINE] = _offline(files)
    shutil.rmtree(out, ignore_errors=True)
    for path, data in files.items():
        place = out / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (out / "page.json").write_text(_told(files, parts), "utf-8")


def _files(parts: BuildParts, more: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Go through all files of the page by their paths."""
    runtime = parts.npm("pyodide")
    library = {
        path: data for path, data in unpacked(runtime["python_stdlib.zip"]) if not path.startswith(parts.needless)
    }
    yield from ((f"pyodide/{name}", runtime[name]) for name in RUNTIME if not name.endswith(".zip"))
    yield "pyodide/pyodide-lock.json", lock(runtime["pyodide-lock.json"])
    carrier = dict(_carrier(parts))
    yield from carrier.items()
    with pythons_tools(runtime) as tools:
        library, boots = tools.compiled(library, ()), tools.boots()
        python = tools.compiled(dict(_python(parts, more)), SOURCES)
        lies = {path: archive_of(_source(path)) for path in python}
        whole = {path: data for path, data in python.items() if not lies[path]}
        rest = {path: data for path, data in library.items() if path not in boots}
        yield PYTHON, tools.solid(rest | whole)
        yield from laid_out(tools.said(python, carrier))
    yield LIBRARY, _solid({path: data for path, data in library.items() if path in boots})
    for archive in LATER:
        later = {path: data for path, data in python.items() if lies[path] == archive}
        yield archive, packed(later, zipfile.ZIP_DEFLATED)
    yield from ((f"licences/{name}", text) for name, text in licences(parts).items())


def _source(path: str) -> str:
    """The path of the module from which a file was compiled; of any other file its own."""
    if "/__pycache__/" in path:
        return source_from_cache(path)
    return path.removesuffix("c") if path.endswith(".pyc") else path


def _shelf(place: Path) -> dict[str, bytes]:
    """Return the rules of other versions, as they are."""
    return {f"{SHELF}{file.name}": file.read_bytes() for file in sorted(place.glob("*.zip"))}


def _made(files: Mapping[str, bytes]) -> bytes:
    """Return the module of version facts for page and worker: do their versions match, which files are loaded now or later."""
    sums = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items()) if path != OFFLINE}
    page = hashlib.sha256(json.dumps(sums).encode()).hexdigest()[:16]
    sizes = json.dumps({path: len(files[path]) for path in LOADED})
    shelf = json.dumps({path: digest for path, digest in sums.items() if path.startswith(SHELF)})
    later = json.dumps({path: sums[path] for path in LATER})
    told = {"PAGE": f'"{page}"', "SIZES": sizes, "SHELF": shelf, "LATER": later}
    return "".join(f"export const {name} = {value};\n" for name, value in told.items()).encode()


def _offline(files: Mapping[str, bytes]) -> bytes:
    """The service worker, with the files that it keeps and their hashes: all but the licences, and what few need.

    What comes later it keeps from when it was first wanted.
    """
    left = (*NOT_SERVED, SHELF, *LATER, OFFLINE)
    told = json.dumps(
        {path: _integrity(data) for path, data in sorted(files.items()) if not path.startswith(left)}, indent=1
    )
    later = json.dumps({path: _integrity(files[path]) for path in LATER})
    version = hashlib.sha256(f"{told}{later}".encode()).hexdigest()[:16]
    return f'const PAGE = "{version}", FILES = {told}, LATER = {later};\n\n'.encode() + files[OFFLINE]


def _integrity(data: bytes) -> str:
    return f"sha256-{b64encode(hashlib.sha256(data).digest()).decode()}"


def _carrier(parts: BuildParts) -> Iterator[tuple[str, bytes]]:
    """Go through the face with its fonts, and our own modules of the carrier with those that they import.

    A module of the carrier takes the place of the face's of the same name: so the face speaks to the worker.
    """
    for file in _below(PAGE / "face"):
        yield file.relative_to(PAGE / "face").as_posix(), file.read_bytes()
    yield from ((f"fonts/{name}.woff2", (FONTS / f"{name}.woff2").read_bytes()) for name in sorted(FAMILIES.values()))
    packages = {name: parts.npm(name) for name in PACKAGES}
    for file, name in _ours():
        modules = gathered(name, file.read_text("utf-8"), packages.__getitem__)
        yield from ((path, text.encode()) for path, text in sorted(modules.items()))


def _ours() -> Iterator[tuple[Path, str]]:
    """Go through our modules with their paths in the page: those of the carrier, and what the single file has otherwise."""
    yield from ((file, file.name) for file in _below(PAGE / "carrier"))
    yield from ((file, OTHERWISE + file.name) for file in _below(PAGE / "file"))


def _python(parts: BuildParts, more: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Go through the modules and data that Python finds on its path."""
    for _name, files in parts.wheels():
        yield from ((path, data) for path, data in sorted(files.items()) if _wanted(path))
    yield from ours()
    for top in more:
        yield from ((file.relative_to(top).as_posix(), file.read_bytes()) for file in _below(top))


def _wanted(path: str) -> bool:
    return not path.startswith(UNUSED) and ".dist-info/" not in path and not path.endswith((".pyi", "py.typed"))


def ours() -> Iterator[tuple[str, bytes]]:
    """Go through what the page takes of pbem, by path: modules, words, data, templates."""
    for file in _below(PACKAGE):
        path = f"pbem/{file.relative_to(PACKAGE).as_posix()}"
        if not path.startswith(LEFT_OUT) and not path.endswith(LEFT_BY_NAME):
            yield path, file.read_bytes()
    templates = folder("templates")
    for file in _below(templates):
        yield f"pbem/_data/templates/{file.relative_to(templates).as_posix()}", file.read_bytes()


def _below(top: Path) -> list[Path]:
    found = (file for file in top.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return sorted(file for file in found if not file.name.startswith("."))


def _solid(files: Mapping[str, bytes]) -> bytes:
    """Return files compressed as one: many small ones that are alike take a fifth less."""
    return gzip.compress(packed(files, zipfile.ZIP_STORED), 9, mtime=0)


def licences(parts: BuildParts) -> dict[str, bytes]:
    """Return the licences of all that is in the page, by the name of a file."""
    found = {"pbem.txt": _own_licence()}
    found |= {f"fonts-{file.stem.removeprefix('LICENSE-')}.txt": file.read_bytes() for file in FONTS.glob("LICENSE*")}
    for name, files in parts.wheels():
        texts = [data for path, data in sorted(files.items()) if ".dist-info/" in path and "LICENSE" in path]
        found[f"{name}.txt"] = b"\n\n".join(texts)
    for name in PACKAGES:
        found[f"{name.removeprefix('@').replace('/', '-')}.txt"] = parts.npm(name)["LICENSE"]
    found["pyodide.txt"] = json.loads(parts.npm("spdx-license-list")["licenses/MPL-2.0.json"])["licenseText"].encode()
    found["python.txt"] = found["typing_extensions.txt"]  # CPython's own, word for word
    return found


def _own_licence() -> bytes:
    place = PACKAGE.parent / "LICENSE"
    return place.read_bytes() if place.exists() else b"MIT"


def _told(files: Mapping[str, bytes], parts: BuildParts) -> str:
    """Return the parts of the page: versions, and the SHA-256 of every file, so that a page can be compared with a release."""
    sums = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    told = {"pbem": __version__, "parts": parts.versions(), "files": sums}
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Build the page; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pbem.page.build", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=BUILT, help="the folder that becomes the page")
    parser.add_argument("--parts", type=Path, default=PARTS, help="where fetched archives are kept")
    parser.add_argument("--with", dest="more", type=Path, action="append", default=[], help="more Python modules")
    asked = parser.parse_args(arguments)
    try:
        build(asked.out, BuildParts(asked.parts), asked.more)
    except WorldError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    files = read(asked.out)
    file = asked.out.with_name(NAME)
    file.write_bytes(single(files))
    sys.stdout.write(f"The page lies in {asked.out}: {sum(map(len, files.values())) // 1000:,} kB.\n")
    sys.stdout.write(f"As one file it lies beside it, {file.name}: {file.stat().st_size // 1000:,} kB.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
