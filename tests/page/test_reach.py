"""What the page takes of pbem is enough for the desk, and the desk reaches nothing that no browser has."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import read_mo

from pbem.games import find, manifest, shipped
from pbem.games.manifests import players_version
from pbem.i18n.catalogues import KEYWORDS, METHODS
from pbem.page.baking import packed
from pbem.page.build import ours
from pbem.page.later import LATER as ARCHIVES
from pbem.page.later import LENT, PUZZLES, SERVERS, TWO, archive_of
from pbem.page.modules import gathered
from tests.project.source import ROOT, Module

MISSING = {
    "aiosmtpd", "bcrypt", "click", "cryptography", "css_inline", "curses", "fcntl", "imap_tools", "keyring", "PIL", "resvg_py",
    "rich", "sqlite3", "sqlite_utils", "termios", "typer",
} | {"doctest", "multiprocessing", "pdb", "pydoc", "unittest", "xml", "xmlrpc"}  # fmt: skip
"""What a browser's Python has not, or the page leaves out."""
REACHED = [
    "pbem.player",
    "pbem.ledger",
    "pbem.games",
    "pbem.referee",
    "pbem.reports.html",
    "pbem.reports.replay",
    "pbem.mail",
]
IMPORTS = """
import sys
from importlib import import_module
missing, reached, page = (text.split() for text in sys.argv[1:4])

class Browser:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in missing:
            raise ModuleNotFoundError(f"{name} is not there in a browser", name=name)

sys.meta_path.insert(0, Browser())
for name in reached:
    import_module(name)
from pbem.games import find, shipped
for game in shipped():
    pack = find(game)
    pack.look, pack.bots
from pbem.ledger import makers
from pbem.games.manifests import manifest, players_version
for game in shipped():
    print(game, manifest(game)[1], players_version(find(game)))
assert makers.PublicKey.__module__ == "pbem.ledger.makers.page"
assert all((module.__file__ or page[0]).startswith(page[0]) for name, module in sys.modules.items() if name.split(".")[0] == "pbem")
"""


@pytest.mark.slow
def test_the_desk_runs_from_what_the_page_takes_and_without_what_no_browser_has(tmp_path: Path) -> None:
    for path, data in ours():
        if archive_of(path):
            continue
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / "pbem_noble.py").write_text("")
    reached = [*REACHED, *(["pbem.page.service"] if (tmp_path / "pbem" / "page" / "service.py").exists() else [])]
    command = [sys.executable, "-c", IMPORTS, " ".join(sorted(MISSING)), " ".join(reached), str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    run = subprocess.run(
        command,
        check=False,
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    here = [f"{game} {manifest(game)[1]} {players_version(find(game))}" for game in shipped()]
    assert run.stdout.splitlines() == here, "its rules and players are those that are installed"


def test_what_is_left_out_is_what_only_hosts_terminals_and_makers_need() -> None:
    for path in sorted(path for path, _data in ours() if path.endswith(".py")):
        assert not path.startswith(
            ("pbem/host/", "pbem/cli/", "pbem/page/build", "pbem/page/parts", "pbem/releasing")
        ), path
        assert (ROOT / path).exists(), path


LATER = """
import json, sys
from importlib import import_module
from pathlib import Path
asked = []
folder, desk, names = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
sys.modules["pbem_shelf"] = import_module("types").SimpleNamespace(later=lambda name: asked.append(name) or found and found(name))

class Bytes:
    def __init__(self, name):
        self.name = name

    def to_bytes(self):
        return (Path(folder) / self.name).read_bytes()

from pbem.errors import WorldError
from pbem.games import find
from pbem.page.later import LENT, LESSONS, PUZZLES, SERVERS, TWO, look_there
look_there()
service, found = import_module("pbem.page.service").Service(desk), None
assert service.answer('{"call": "games"}') and not asked
assert "could not be fetched" in service.answer('{"call": "puzzles"}')
try:
    find("hammer").knowing
except WorldError as error:
    assert "could not be fetched" in str(error)
else:
    raise AssertionError
found = Bytes
assert find("hammer").knowing is not None and find("lords").knowing is None
assert "Gagnez cette escarmouche" in service.answer('{"call": "puzzles", "language": "fr"}'), "with its French"
assert asked == [PUZZLES, TWO, TWO, PUZZLES]
for name in sum(names.values(), []):
    import_module(name)
assert asked[4:] == [LENT, SERVERS, LESSONS]
try:
    import_module("pbem.page.nothing")
except ModuleNotFoundError:
    pass
"""


@pytest.mark.slow
def test_parts_that_few_need_are_fetched_once_at_their_first_use(tmp_path: Path) -> None:
    """Only some games need puzzles or play without a host. If the download fails, the page says so and tries next time."""
    site = tmp_path / "site"
    later: dict[str, dict[str, bytes]] = {archive: {} for archive in ARCHIVES}
    for path, data in ours():
        if archive := archive_of(path):
            later[archive][path] = data
            continue
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(data)
    (tmp_path / "later").mkdir()
    for archive, files in later.items():
        (tmp_path / archive).write_bytes(packed(files, zipfile.ZIP_DEFLATED))
    names = {archive: [dotted(path) for path in files if path.endswith(".py")] for archive, files in later.items()}
    assert {"pbem.page.pair.held", "pbem.ledger.deck", "pbem.ledger.shuffle", "pbem.games.hammer.knowing"} < set(
        names[TWO]
    )
    assert {"pbem.page.solving", "pbem.games.proving", "pbem.games.lords.puzzles.hidden"} < set(names[PUZZLES])
    assert {"pbem.games.positions", "pbem.games.lords.setting_up"} < set(names[PUZZLES])
    assert {"pbem.games.shelf", "pbem.games.running"} < set(names[LENT])
    assert {"pbem.mail.imap", "pbem.mail.smtp"} < set(names[SERVERS])
    command = [sys.executable, "-c", LATER, str(tmp_path), str(tmp_path / "desk"), json.dumps(names)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    run = subprocess.run(
        command, check=False, cwd=site, env={**environment, "PYTHONPATH": str(site)}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]


class WhenItRuns(ast.NodeTransformer):
    """Takes away what is there for who checks types alone."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        typing = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return node.orelse if typing else self.generic_visit(node)


def dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@pytest.mark.slow
def test_no_module_of_the_page_asks_for_one_that_is_left_out() -> None:
    taken = {path: data for path, data in ours() if path.endswith(".py")}
    files = {dotted(path): path for file in ROOT.glob("pbem/**/*.py") for path in [file.relative_to(ROOT).as_posix()]}
    running = [Module(ROOT / path, dotted(path), WhenItRuns().visit(ast.parse(taken[path]))) for path in taken]
    asked = {(one.shown, files[name]) for one in running for name in one.imports() if name in files}
    assert len(asked) > 1000
    assert {(path, other) for path, other in asked if other not in taken} == set()


def said(data: bytes, method: str) -> set[str]:
    """Return the messages of a source."""
    found = (message for _line, message, *_more in extract(method, BytesIO(data), KEYWORDS))
    return {message if isinstance(message, str) else str(message[0]) for message in found}


def told(data: bytes) -> Catalog:
    """Return a catalogue."""
    return read_mo(BytesIO(data))


@pytest.mark.slow
def test_the_page_has_the_french_of_all_that_it_can_say() -> None:
    taken = dict(ours())
    french = {path: told(data) for path, data in taken.items() if path.endswith(".mo")}
    assert all("/fr/" in path for path in french), "another language has come: look at it, too"
    words = {(m.id if isinstance(m.id, str) else m.id[0]): m.string for one in french.values() for m in one if m.id}
    everywhere = {
        m.id if isinstance(m.id, str) else m.id[0]
        for file in ROOT.glob("pbem/**/fr/*.mo")
        for m in told(file.read_bytes())
    }
    sources = [(path, data, METHODS[Path(path).suffix]) for path, data in taken.items() if Path(path).suffix in METHODS]
    messages = {message for _path, data, method in sources for message in said(data, method)}
    assert len(messages) > 1000
    assert messages & everywhere - set(words) == set()


def test_modules_of_packages_are_taken_along_and_named_by_paths() -> None:
    one = b'import {\n  y,\n} from "./deep/y.js";\n// import "z";\nexport const x = y;'
    packages = {
        "@a/one": {"x.js": one, "deep/y.js": b"export { y } from 'two/y.js';"},
        "two": {"y.js": b"export const y = 1;", "index.js": b"module.exports = { pbkdf: 1 };"},
        "@noble/hashes": {"sha2.js": b"export const sha512 = 0;"},
    }
    source = 'import { x } from "@a/one/x.js";\nimport two from "two";\nimport "./ours.mjs";\nexport default x;\n'
    found = gathered("start.mjs", source, packages.__getitem__)
    others = ("@a/one/x.js", "@a/one/deep/y.js", "two/y.js", "two/index.js", "@noble/hashes/sha2.js")
    assert set(found) == {"start.mjs", *(f"others/{path}" for path in others)}
    assert found["start.mjs"] == source.replace("@a/one", "./others/@a/one").replace('"two"', '"./others/two/index.js"')
    assert 'from "./deep/y.js"' in found["others/@a/one/x.js"]
    assert "from '../../../two/y.js'" in found["others/@a/one/deep/y.js"]
    assert found["others/two/index.js"].endswith("export default module.exports;\n")
    assert 'from "../@noble/hashes/sha2.js"' in found["others/two/index.js"]
