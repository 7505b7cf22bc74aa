"""The page's worker in headless browsers: `python -m tests.page.in_browser MODULES [KIND…]`, a folder with puppeteer-core.

KIND is `chromium` or `firefox`; without one it is each that is here. It is no test of pytest's: browsers, puppeteer-core and what
the page is made of come from outside, and `.ci/run` says so where they are missing. It builds a page of its own, with
`stub/page_stub.py` in the place of the desk's service, serves it with the headers of `pbem.reports.policy`, and holds what the
worker says against what the command says of the same.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

from docs.pictures import CHROMIUM
from pbem.games import find, installed, manifest, shipped
from pbem.games.shelf import Lender
from pbem.ledger import SAY, PrivateKey, verify, verify_sig
from pbem.page.build import PAGE, PARTS, build
from pbem.page.parts import BuildParts
from pbem.page.service import Service
from tests.ledger import edges
from tests.page.judged import asked, corpus, judged
from tests.page.serving import served
from tests.page.shelves import a_shelf

HERE = Path(__file__).parent
LOGS = HERE.parent / "golden" / "logs"
GAMES = ["hammer", "lords"]
BROWSERS = {"chromium": CHROMIUM, "firefox": ("firefox-esr", "firefox")}
LIMIT = 9_100_000
"""So many bytes may the first visit be, compressed."""
EVERY = {"chromium": (4, 0), "firefox": (6, 1)}
"""Which of the logs a browser judges, one of so many from which on: all are judged by `test_verdicts.py`, outside a browser."""
LENT = ("tiny-1", "tiny-rules")
"""Logs whose rules come from the shelf, in each browser."""
Judged = dict[Path, list[dict[str, Any]]]


def transfer(page: Path) -> int:
    """How many bytes the first visit is: every file that the worker asks for, compressed as a server would."""
    left = {"bare", "licences", "shelf", "later"}
    files = [file for file in page.rglob("*") if file.is_file() and not left & set(file.parts)]
    return sum(min(file.stat().st_size, len(gzip.compress(file.read_bytes(), 9))) for file in files)


def tasks(logs: list[Path], judge: list[Path]) -> dict[str, Any]:
    """What the worker is asked: logs, signatures on the edge, a key file that the command has locked; `judge` by rules, too."""
    locked = PrivateKey.from_seed(b"7" * 32).dump(b"Bannockburn 1314").decode()
    cases = json.loads(edges.PATH.read_text("utf-8"))
    key = {"file": locked, "passphrase": "Bannockburn 1314"}
    alone = {"call": "begin", "game": GAMES[0], "seed": "page"} if (PAGE / "service.py").exists() else None
    texts = [log.read_text("utf-8") for log in logs]
    return {
        "logs": texts,
        "cases": cases,
        "games": GAMES,
        "key": key,
        "alone": alone,
        "judge": [asked(log.read_bytes()) for log in judge],
    }


def wrong(found: dict[str, Any], logs: list[Path], reports: list[str], shelf: Path, judge: Judged) -> Iterator[str]:
    """Go through what is not as it should be."""
    for log, said in zip(logs, found["verdicts"], strict=True):
        own = verify(log.read_bytes())
        told = {"verdict": own.verdict, "code": own.code, "entry": own.entry, "head": [*own.head] if own.head else None}
        if {name: said["ok"][name] for name in told} != told:
            yield f"{log.name}: the command says {told}, the page {said}"
    cases = json.loads(edges.PATH.read_text("utf-8"))
    for case, verdict in zip(cases, found["edges"]["ok"], strict=True):
        if verdict != [case["usable"], case["counts"]]:
            yield f"{case['name']}: the page says {verdict}"
    if found["manifests"]["ok"] != [manifest(find(game))[1] for game in GAMES]:
        yield f"fingerprints of rules: the page says {found['manifests']}"
    yield from wrong_with_keys(found)
    yield from wrong_alone(found["alone"], judge) if found["alone"] else ()
    if (asked := sorted(found["lent"])) != (wanted := [f"/shelf/{place.name}" for place in sorted(shelf.iterdir())]):
        yield f"of the shelf {asked} was asked for, not {wanted}, each by the one worker that needs it"
    yield from (f"it asks for {address}" for address in found["elsewhere"])
    yield from (f"the browser says {line}" for line in found["said"])
    yield from (f"the policy was broken: {report}" for report in reports)


def wrong_said(page: Path) -> Iterator[str]:
    """What the build has let the program say to everybody is what it says."""
    said = json.loads((page / "said.mjs").read_text("utf-8").removeprefix("export default ").rstrip(";\n"))
    with tempfile.TemporaryDirectory() as name:
        service = Service(name)
        for language, calls in said.items():
            for call, told in calls.items():
                own = json.loads(service.answer(json.dumps({"call": call, "language": language})))["ok"]
                if call == "choices":
                    own = {"games": [one for one in own["games"] if one["game"] in shipped()]}
                if told != own:
                    yield f"{call} in {language}: the page says {str(told)[:300]}"


def wrong_with_keys(found: dict[str, Any]) -> Iterator[str]:
    """Keys go from the command to the page and back; of two tabs one writes; what was kept is there later."""
    if found["opened"] != {"ok": PrivateKey.from_seed(b"7" * 32).key_line}:
        yield f"a key of the command's: {found['opened']}"
    key = PrivateKey.load(found["made"]["ok"]["file"].encode(), b"Bannockburn")
    if not key.key_line == found["made"]["ok"]["line"] == PrivateKey.from_seed(b"\x24" * 32).key_line:
        yield f"a key of the page's: {found['made']}"
    for name in ("signed", "beside", "still"):
        if not verify_sig(key.key_line, SAY, b"CARD Herald", found[name].get("ok", "")):
            yield f"{name}: no signature of the page's key: {found[name]}"
    if found["refused"].get("error", {}).get("kind") != "unkept":
        yield f"a second tab wrote: {found['refused']}"
    later = PrivateKey.from_seed(b"\x25" * 32).key_line
    if found["after"].get("ok", {}).get("line") != later or not verify_sig(
        later, SAY, b"CARD Herald", found["later"].get("ok", "")
    ):
        yield f"when the first tab was closed: {found['after']}, {found['later']}"
    if found["offline"] != found["later"]:
        yield f"without a network: {found['offline']}"


def wrong_alone(found: dict[str, Any], judge: Judged) -> Iterator[str]:
    """A game alone, by the desk's own service, is begun and kept; logs are judged as here; the face comes up over it."""
    game = found["begun"].get("ok", {}).get("game", "")
    if not game or "ok" not in found["position"]:
        yield f"a game alone: {str(found['begun'])[:300]} {str(found['position'])[:300]}"
    elif game not in json.dumps(found["games"].get("ok", {})):
        yield f"a game that was begun is not kept: {str(found['games'])[:300]}"
    for (log, own), verdicts in zip(judge.items(), found["judged"], strict=True):
        if [one.get("ok") for one in verdicts] != own:
            yield f"{log.name}: the page judges {str(verdicts)[:600]}"
    if found["ready"][0] != "yes":
        yield f"the face does not come up: {found['ready']}"


def as_here(shelf: Path, step: int, first: int) -> Judged:
    """Return the logs that a browser judges, and what is said of each here, with the rules of other versions from the shelf."""
    logs = [log for no, log in enumerate(corpus()) if no % step == first or log.stem in LENT]
    with tempfile.TemporaryDirectory() as name:
        service = Service(name)
        service.lends = lambda: Lender([], shelf, installed)
        return {log: judged(service, log.read_bytes()) for log in logs}


def found_here() -> dict[str, str]:
    """Return the programs of the browsers that are here, by kind."""
    found = {kind: [path for name in names if (path := shutil.which(name))] for kind, names in BROWSERS.items()}
    return {kind: paths[0] for kind, paths in found.items() if paths}


def driven(kind: str, page: Path, modules: str, tasks_file: Path) -> tuple[dict[str, Any], list[str]]:
    """Serve the page and let a browser do the tasks; return what it found, and what it complained of. Raises CalledProcessError."""
    reports = list[str]()
    with served(page, reports, paths := list[str]()) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        command = ["node", str(HERE / "worker.mjs"), modules, address, str(tasks_file), kind]
        browsers = {name.upper(): path for name, path in found_here().items()}
        try:
            done = subprocess.run(
                command, check=True, env={**os.environ, **browsers}, capture_output=True, text=True, timeout=560
            )
        finally:
            server.shutdown()
    return json.loads(done.stdout) | {"lent": [path for path in paths if path.startswith("/shelf/")]}, reports


def main(arguments: list[str]) -> int:
    """Drive the browsers and judge; return the exit code."""
    kinds = arguments[1:] or sorted(found_here())
    if not arguments or not kinds or not set(kinds) <= set(found_here()):
        print(__doc__, file=sys.stderr)
        return 2
    logs, faults = sorted(LOGS.glob("*.pbem")), list[str]()
    with tempfile.TemporaryDirectory() as name:
        page, parts, asked = Path(name) / "page", BuildParts(PARTS), Path(name) / "tasks.json"
        shelf = a_shelf(Path(name))
        build(page, parts, [HERE / "stub"], shelf)
        for kind in kinds:
            mine = as_here(shelf, *EVERY[kind])
            asked.write_text(json.dumps(tasks(logs, list(mine))), "utf-8")
            try:
                found, reports = driven(kind, page, arguments[0], asked)
            except subprocess.CalledProcessError as error:
                faults.append(f"{kind}: {error.stderr[-3000:]}")
                continue
            print_figures(found, len(logs), len(mine))
            faults += [f"{kind}: {fault}" for fault in wrong(found, logs, reports, shelf, mine)]
        faults += wrong_said(page)
        size = transfer(page)
    print(f"first visit: {size:,} bytes compressed")
    if size > LIMIT:
        faults.append(f"the first visit is {size:,} bytes, and may be {LIMIT:,}")
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


def print_figures(found: dict[str, Any], logs: int, judge: int) -> None:
    """Print how much it was, and how long it took."""
    longest = max(said["ok"]["took"] for said in found["verdicts"] if "ok" in said)
    print(f"{found['version']}: {logs} golden logs verified in the worker, the longest in {longest} ms")
    print(f"  judged in the worker as here: {judge} logs, verified and by their rules")
    print(f"  ready, first visit: {found['ready'][0]} ms, from the cache: {found['ready'][1]} ms")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
