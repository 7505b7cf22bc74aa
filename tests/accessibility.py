"""Holds the pages to the rules of axe-core in a headless Chromium, light and dark: `python -m tests.accessibility AXE_MIN_JS`.

It is no test of pytest's: Chromium and axe-core come from outside, and `.ci/run` says so where they are missing.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from html import unescape
from pathlib import Path

from docs.pictures import CHROMIUM, DARK, FLAGS, LIGHT
from pbem.club.pages import Club, GameListed, TableListed
from pbem.club.rating_list import RatingList
from pbem.games import find
from pbem.games.hammer import GAME
from pbem.reports import html
from pbem.reports.reckoned import Reckoned
from tests.hammer.html import _report
from tests.hammer.map import _fight, _public

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
RUN = """
<script>
axe.run(document, {resultTypes: ["violations"]}).then(found => {
  const told = found.violations.map(v => [v.id, v.help, v.nodes.map(n => n.target.join(" ")).slice(0, 5)]);
  document.documentElement.innerHTML = "<body><pre id=axe>" + JSON.stringify({told, passes: found.passes.length})
    .replace(/&/g, "&amp;").replace(/</g, "&lt;") + "</pre></body>";
});
</script>
"""


def pages() -> dict[str, str]:
    """Return the pages to be looked at, by name."""
    pack, table = find("hammer"), _fight()
    report = _report(GAME.view(table.stop.state, "english"), "english", *_public(table))
    views = {seat: table.view(seat) for seat in GAME.seats({})}
    return {
        "mail": html.mail(Reckoned(report, pack), "map@example.org"),
        "page": html.page(Reckoned(report, pack)),
        "position": html.position(pack, views),
        "club": _club(),
    }


def _club() -> str:
    """A club's page, with all that it can show, and its style in itself."""
    files = [f"games/{'ab' * 8}.html", f"games/{'ab' * 8}.pbem"]
    going = GameListed(
        id="ab" * 32, head="cd" * 32, game="hammer", played=GAME.title, title="A war", event="Winter", at="2030-01-01T00:00:00Z",
        over=False, turn="1297, turn 2", asked=["the Scots"], since="2030-01-01T00:00:00Z", due="2030-01-04T00:00:00Z", result="",
        verdict="", seats=[("the English", "SHA256:a"), ("the Scots", "SHA256:b")], files=files,
    )  # fmt: skip
    over = replace(going, id="ef" * 32, over=True, asked=(), due="", result="The Scots have won.", verdict="clean")
    table = TableListed(12, GAME.title, ["Scenario: Bruce", "72 hours for an answer"], ["the English"])
    register, called = (3, "12" * 32), {"SHA256:a": "Anna"}
    club = Club(
        "A club", "SHA256:k", "1", [going, over], RatingList.of(()), register, called, [table], "club@example.org"
    )
    made = dict(club.files())
    style = f"<style>{made['club.css'].decode()}</style>"
    return made["index.html"].decode().replace('<link rel="stylesheet" href="club.css">', style)


def look(browser: str, page: str, axe: str, colours: str) -> tuple[list[str], int]:
    """Return what axe-core finds wrong with a page, a line for each rule, and how many of its rules the page keeps."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "page.html"
        open_page = POLICY.sub("", page)  # it would let no other script in
        file.write_text(open_page.replace("</body>", f"<script>{axe}</script>{RUN}</body>"), "utf-8")
        command = [
            browser,
            *FLAGS,
            f"--user-data-dir={name}/profile",
            colours,
            "--virtual-time-budget=20000",
            "--dump-dom",
        ]
        done = subprocess.run([*command, file.as_uri()], check=True, capture_output=True, timeout=50, text=True)
    found = re.search(r'<pre id="axe">(.*?)</pre>', done.stdout, re.DOTALL)
    if found is None:
        raise SystemExit("axe-core has not come to its end.")
    result = json.loads(unescape(found[1]))
    return [f"{rule}: {text} {' '.join(where)}" for rule, text, where in result["told"]], result["passes"]


def main(arguments: list[str]) -> int:
    """Look at every page, light and dark; return the exit code."""
    browser = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if browser is None or len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    axe = Path(arguments[0]).read_text("utf-8")
    wrong = 0
    for name, page in pages().items():
        for colours in (LIGHT, DARK):
            broken, kept = look(browser, page, axe, colours)
            print(f"{name}, {'dark' if colours == DARK else 'light'}: {kept} rules kept, {len(broken)} broken")
            print("".join(f"  {line}\n" for line in broken), end="")
            wrong += len(broken)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
