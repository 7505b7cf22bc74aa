"""What a start of the page takes: bytes of a first visit, modules of Python before the first screen and before a position."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pbem.page.baking import packed
from tests.page.in_browser import LIMIT, transfer
from tests.project.source import ROOT

HOME, GAME = 210, 340
"""So many modules of pbem may be imported before the list of games, and before the touches of a game of Hammer alone. Each costs
a browser two to five milliseconds. They only go down."""
LAID = """
import {{ readFileSync }} from "node:fs";
const {{ lay }} = await import({unzip});
const made = {{}}, folders = [], text = new TextDecoder();
const writeFile = (path, data) => {{ made[path] = text.decode(data); }};
const fs = {{ mkdirTree: (path) => folders.push(path), writeFile }};
let why = "";
try {{ lay(fs, "/site", new Uint8Array(readFileSync({archive}))); }} catch (error) {{ why = error.message; }}
console.log(JSON.stringify({{ made, folders, why }}));
"""
FILES = {"a.py": b"one", "b/c/d.txt": "zwei – drei".encode(), "b/c/empty": b"", "b/e.py": b"x" * 70_000}


@pytest.mark.slow
def test_a_first_visit_is_no_larger_than_it_was(page: Path) -> None:
    assert transfer(page) <= LIMIT


@pytest.mark.slow
def test_no_more_is_imported_before_the_first_screen_and_before_a_position(tmp_path: Path) -> None:
    program = """
import json, sys
from pbem.page.service import Service
def ask(service, **asked):
    return json.loads(service.answer(json.dumps(asked)))["ok"]
service = Service(sys.argv[1])
ask(service, call="about"), ask(service, call="games")
if len(sys.argv) > 2:
    ask(service, call="position", game=sys.argv[2]), ask(service, call="touches", game=sys.argv[2])
count = sum(name.partition(".")[0] == "pbem" for name in sys.modules)
begun = {"game": ""} if len(sys.argv) > 2 else ask(service, call="begin", game="hammer", seed="first")
more = begun.get("more")
while more:
    more = ask(service, call="go_on", game=begun["game"])["more"]
print(json.dumps([count, begun["game"]]))
"""

    def run(*more: str) -> Any:
        command = [sys.executable, "-c", program, str(tmp_path), *more]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
        return json.loads(done.stdout)

    home, name = run()
    game, _name = run(name)
    assert home <= HOME
    assert game <= GAME


def laid(archive: Path) -> dict[str, object]:
    unzip = json.dumps((ROOT / "pbem/page/carrier/unzip.mjs").as_uri())
    program = LAID.format(unzip=unzip, archive=json.dumps(str(archive)))
    done = subprocess.run(
        ["node", "--input-type=module", "-"], input=program, check=True, capture_output=True, text=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.usefixtures("node")
def test_an_archive_is_laid_file_by_file_and_each_folder_is_made_once(tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    archive.write_bytes(packed(FILES, zipfile.ZIP_STORED))
    found = laid(archive)
    assert found["made"] == {f"/site/{path}": data.decode() for path, data in FILES.items()}
    assert found["folders"] == ["/site", "/site/b/c", "/site/b"]
    assert not found["why"]


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize("how", ["half", "compressed", "nothing"])
def test_an_archive_that_is_not_whole_or_is_compressed_is_refused(tmp_path: Path, how: str) -> None:
    archive = tmp_path / "all.zip"
    whole = packed(FILES, zipfile.ZIP_DEFLATED if how == "compressed" else zipfile.ZIP_STORED)
    archive.write_bytes({"half": whole[: len(whole) // 2], "compressed": whole, "nothing": b""}[how])
    assert laid(archive)["why"]
