"""The page as one file: modules in their order, as one script where a worker needs it; and nothing in it that ends an element."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.errors import WorldError
from pbem.page.modules import LINKED, as_script
from pbem.page.single import ordered, read, single
from pbem.page.words import FILE
from pbem.reports.policy import hashed
from tests.project.source import ROOT

WORKER = """
import first from "./a/other.mjs";
import { two as second, three } from './a/other.mjs';
import "./b.mjs";
import * as all from "./a/other.mjs";
export { three as four } from './a/other.mjs';
globalThis.said = [first, second, three().toString(), all.seven, globalThis.seen];
"""
OTHER = """
export const two = 2;
export function three() { return 3; }
export async function* four() {}
export class Five {}
const one = 1, six = 6;
export { one as seven, six };
export default one;
"""
FORMS = {"worker.mjs": WORKER.encode(), "a/other.mjs": OTHER.encode(), "b.mjs": b"globalThis.seen = import.meta.url;\n"}


def test_a_module_stands_behind_what_it_imports() -> None:
    paths = [path for path, _source in ordered("worker.mjs", FORMS)]
    assert set(paths) == set(FORMS)
    assert paths[-1] == "worker.mjs"


def test_what_a_file_does_otherwise_takes_the_place_of_its_name() -> None:
    files = {
        "main.js": b'import { a } from "./desk.mjs";',
        "desk.mjs": b"export const a = 1;",
        "file/desk.mjs": b'export { a } from "../desk.mjs";',
    }
    found = dict(ordered("main.js", files))
    assert f'"{LINKED}file/desk.mjs"' in found["main.js"]
    assert f'"{LINKED}desk.mjs"' in found["file/desk.mjs"]


def test_a_circle_is_named() -> None:
    with pytest.raises(WorldError, match="in a circle"):
        ordered("a.js", {"a.js": b'import "./b.js";', "b.js": b'import "./a.js";'})


def test_every_form_of_import_does_in_one_script_what_it_did() -> None:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    script = as_script(ordered("worker.mjs", FORMS))
    program = f'globalThis.location = {{ href: "here" }};\n{script}\nconsole.log(JSON.stringify(said));'
    done = subprocess.run(["node", "-"], input=program, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == [1, 2, "3", 1, "here"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('import { nobody } from "./b.mjs";', "exports no such name"),
        ("export let changing = 1;", "not known"),
        ("export const { a, b } = window;", "not known"),
        ('export * from "./b.mjs";', "not known"),
        ('import one, { b } from "./b.mjs";', "not known"),
    ],
)
def test_what_is_not_understood_is_refused(source: str, why: str) -> None:
    with pytest.raises(WorldError, match=why):
        as_script(ordered("worker.mjs", {"worker.mjs": source.encode(), "b.mjs": b"export const b = 1;\n"}))


def test_the_file_is_whole_and_asks_for_nothing(page: Path) -> None:
    made = single(read(page))
    text = made.decode()
    assert made == single(read(page)), "the same folder gives the same bytes"
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[0]
    assert "connect-src" not in policy
    [style], *_rest = re.findall(r"<style>(.*?)</style>", text, re.DOTALL), None
    boot = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    assert [hashed(one).replace("'", "&#x27;") in policy for one in [style, *boot]] == [True, True]
    shown = re.sub(r'<script type="application/x-pbem.*?</script>', "", text, flags=re.DOTALL)
    assert not re.search(r'(?:src|href)="(?!data:)|url\((?!data:)|@import', shown)


def test_a_folder_that_is_not_whole_is_named(page: Path) -> None:
    files = read(page)
    del files["python.zip.zst"]
    with pytest.raises(WorldError, match=r"python\.zip\.zst"):
        single(files)


def test_a_folder_without_a_page_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="make page"):
        read(tmp_path)


def test_every_text_of_the_file_stands_in_its_catalogue() -> None:
    source = (ROOT / "pbem" / "page" / "file" / "desk.mjs").read_text("utf-8")
    used = set(re.findall(r'\bt\("(\w+)"\)', source)) | {f"file_{why}" for why in ("wrong", "damaged", "other")}
    assert used == set(FILE)
