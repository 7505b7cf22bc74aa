"""An attacker's log, letter, name, press, file name and page address run nothing and send nothing.

`python -m tests.page.hostile MODULES`, where MODULES is a folder with playwright-core; `.ci/run` does. The same is brought to
`pbem web` and to the page that runs in a browser by itself: letters with markup, scripts, addresses of every kind, bidirectional
and control characters in all that is unsigned, press of another player, logs whose every string is so, and addresses of the
page. In both no request goes to anybody else, no policy is broken, no dialog opens, no window, and nothing but text is put into
the page.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from email.header import Header
from pathlib import Path
from typing import Any

from pbem.page.service import Service
from pbem.page.single import BUILT
from tests.host.post import Club, a_club
from tests.page.calling import ok

from .by_page import Browsers, desk_served, page_served
from .judged import GOLDEN

VICTIM, OTHER = "english", "scottish"
EVIL = "http://evil.example"
MARKUP = (
    f"<img src={EVIL}/i onerror=alert(1)>",
    f"<script src={EVIL}/s></script><script>alert(2)</script>",
    f"<svg onload=alert(3)><use href='{EVIL}/u#x'/></svg>",
    f"<a href='javascript:alert(4)'>x</a><iframe src='{EVIL}/f'></iframe>",
    f"</pre></style><style>@import '{EVIL}/c';</style><link rel=stylesheet href='{EVIL}/l'>",
    f"javascript:fetch('{EVIL}/j') data:text/html,<script>alert(5)</script>",
    '"><form action=' + f"{EVIL}/p" + "><input autofocus onfocus=alert(6)>",
    "${alert(7)} {{alert(8)}} {seat} {to} __proto__ constructor",
)
BIDI = "\u202egnp.exe\u202c \u2066\u2067x\u2069 \u200b\ufeff \u0085\u009b31m \u001b[31m \u0007 \u0000"
ALL = " ".join(MARKUP)
PRESS = "From the other side: <img src=x onerror=alert(10)>"


def letters(club: Club, folder: Path) -> Iterator[Path]:
    """Write letters of the host whose unsigned parts are an attacker's, and some of nobody's; the last has his press in it."""
    club.desks[OTHER].speaker(club.notes(OTHER)).write(PRESS + BIDI, "", club.now())
    for letter in club.letters(club.desks[OTHER]):
        club.take(letter)
    for seat in (OTHER, VICTIM):
        if seat in club.asked():
            club.take(club.order(seat))
    good = club.deliver()[VICTIM]
    assert good
    for n, text in enumerate([*MARKUP, BIDI, ALL + BIDI]):
        name = Header(text.replace("\0", ""), "utf-8").encode(maxlinelen=10_000, linesep="")
        head = f"From: {name} <host@example.org>\r\nTo: {VICTIM}@example.org\r\nSubject: {name}\r\n"
        head += "Date: Tue, 01 Jan 2030 00:00:00 +0000\r\n"
        head += f"Message-ID: <{n}.x@example.org>\r\nMIME-Version: 1.0\r\n"
        for kind in ("plain", "html"):
            body = f"{head}Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n{ALL}\r\n"
            place = folder / f"{n}-{kind} {'<img src=x onerror=alert(9)>' if n % 2 else 'name'}.eml"
            place.write_bytes(body.encode("utf-8", "replace"))
            yield place
    for n, raw in enumerate(good):
        place = folder / f"good{n}.eml"
        place.write_bytes(raw.replace(b"\r\nSubject: ", b"\r\nSubject: " + MARKUP[0].encode() + b" ", 1))
        yield place


def _hostile(value: Any, n: int, kept: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {
            key if key in kept else f"{key}{MARKUP[n % 3]}": one if key in ("k", "n", "v") else _hostile(one, n, kept)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_hostile(one, n + i, kept) for i, one in enumerate(value)]
    return f"{MARKUP[n % len(MARKUP)]}{BIDI}" if isinstance(value, str) else value


def logs(folder: Path) -> Iterator[Path]:
    """Write logs in which one line after the other, and all of them, say what an attacker likes."""
    lines = (GOLDEN / "tiny.pbem").read_text("utf-8").splitlines()
    for n in (*range(8), None):
        changed = []
        for i, line in enumerate(lines):
            if n is not None and i != n:
                changed.append(line)
                continue
            read = json.loads(line)
            kept = frozenset(read) if isinstance(read, dict) else frozenset[str]()
            changed.append(json.dumps(_hostile(read, i, kept), ensure_ascii=False, separators=(",", ":")))
        place = folder / f"log{n} <img src=x onerror=alert(9)>.pbem"
        place.write_text("\n".join(changed) + "\n", "utf-8")
        yield place
    for n, text in enumerate(MARKUP):
        place = folder / f"raw{n}.pbem"
        place.write_text(f'{{"k":"game","rules":{{"id":{json.dumps(text)}}},"seats":[{json.dumps(text)}]}}\n{text}\n')
        yield place


ADDRESSES = (
    "#/game/<img src=x onerror=alert(1)>",
    "#/game/%3Cscript%3Ealert(1)%3C/script%3E",
    "#/game/../../../etc/passwd",
    "#/game/alone-../../key",
    "#/game/__proto__",
    "#javascript:alert(1)",
    "#/javascript:alert(1)",
    "#//evil.example/",
    "#/game/" + "x" * 5000,
    "#/\u202egnp",
)


def visit(browsers: Browsers, who: str, files: list[Path], dropped: list[Path]) -> Iterator[str]:
    """Let somebody read and open all of it; go through what should not be."""
    told = list[str]()
    for file in files:
        said = browsers.tell(who, "drops", files=[str(file)])
        told += said
        if "name.eml" in file.name and MARKUP[0] not in " ".join(said) and file.name.startswith("0"):
            yield f"{who}: what an attacker wrote is not shown at all: {said}"
        yield from _found(browsers, who, file.name)
    if not any(PRESS in text for text in told):
        yield f"{who}: the press is not shown: {told[-2:]}"
    browsers.tell(who, "story")
    yield from _found(browsers, who, "the story")
    for log in dropped:
        browsers.tell(who, "judges", file=str(log))
        yield from _found(browsers, who, log.name)
    for address in ADDRESSES:
        browsers.tell(who, "goes", to=address)
        yield from _found(browsers, who, address)


def _found(browsers: Browsers, who: str, where: str) -> Iterator[str]:
    """What stands in a page that no page of ours has."""
    yield from (f"{who}, {where}: {one}" for one in browsers.tell(who, "holds"))


def main(arguments: list[str]) -> int:
    """Visit; return the exit code."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    reports, page = list[str](), Path(os.environ.get("PBEM_PAGE", BUILT))
    with tempfile.TemporaryDirectory() as name, a_club(Path(name, "club"), game="hammer") as club:
        club.begin()
        saved = Path(name, "desk.zip")
        saved.write_bytes(b64decode(ok(Service(club.folder / VICTIM, club.now), "save")["data"]))
        folder = Path(name, "evil")
        folder.mkdir()
        files, dropped = list(letters(club, folder)), list(logs(folder))
        with page_served(page, reports) as served, desk_served(club.folder / VICTIM) as desk:
            browsers = Browsers(arguments[0], 1)
            try:
                browsers.tell("web", "comes", address=desk, named=ALL)
                browsers.tell("worker", "comes", address=served, named=ALL)
                browsers.tell("worker", "restores", file=str(saved))
                faults = [fault for who in ("web", "worker") for fault in visit(browsers, who, files, dropped)]
                faults += [*browsers.tell("", "faults"), *(f"the policy was broken: {report}" for report in reports)]
                asked = browsers.tell("", "asked")
            finally:
                browsers.close()
    print(
        f"an attacker's {len(files)} letters, {len(dropped)} logs, {len(ADDRESSES)} addresses: {asked} requests, to nobody else"
    )
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
