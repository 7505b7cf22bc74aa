"""A browser is lost, and its key alone is left; the host hands out an older copy: `python -m tests.page.a_lost_browser MODULES`.

A new browser takes the key up by the page's own form, as the command has made and locked it, and reads what the host hands out.
Nothing is signed before its copy was compared: with the head of the other player it is found out as an older one; with the later
mails it fits, and, in another tab, the order is taken with the key's passphrase. Then the desk is saved by a button, and the
command opens that key. MODULES holds playwright-core, and axe-core, to whose rules what asks is held; `.ci/run` does this.
"""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from pathlib import Path

from pbem.page.single import BUILT
from pbem.player import Desk
from pbem.reports.text import groups
from tests.host.post import Club, a_club, key_of
from tests.host.requests import request

from .by_page import Browsers, page_served, posted

SEAT, OTHER = "english", "scottish"
WHO, SECRET = f"{SEAT}@example.org", "Bannockburn 1314"


def again(club: Club, folder: Path, name: str) -> list[str]:
    """Save the letters by which the host hands the seat all that it had; return the files."""
    found = club.answer_to(request("RESEND", WHO, Message_ID=f"<{name}@x>"))[1][SEAT]
    files = [folder / f"{name}-{n}.eml" for n in range(len(found))]
    for file, raw in zip(files, found, strict=True):
        file.write_bytes(raw)
    return [str(file) for file in files]


def head(club: Club) -> str:
    """What the other player reads out."""
    desk = club.desks[OTHER]
    n, digest = desk.copy(desk.notes()).log.head
    return f"head of entry {n}: {groups(digest)}"


def recover(browsers: Browsers, club: Club, folder: Path) -> None:
    """From the key alone to an order that is taken."""
    older = again(club, folder, "older")
    while SEAT not in club.asked() or club.log().entries[-1].n < 60:
        club.turn()
    key = folder / "key"
    key.write_bytes(key_of(SEAT).dump(SECRET.encode()))
    browsers.tell(SEAT, "takesKey", mail=WHO, file=str(key), passphrase=SECRET)
    browsers.tell(SEAT, "drops", files=older)
    said = browsers.tell(SEAT, "tries")
    assert "came only from the host" in said, said
    said = browsers.tell(SEAT, "compares", head=head(club))
    assert "it is older" in said, said
    browsers.tell(SEAT, "drops", files=again(club, folder, "newer"))
    said = browsers.tell(SEAT, "tries")
    assert "came only from the host" in said, said
    said = browsers.tell(SEAT, "compares", head=head(club))
    assert "It fits" in said, said
    browsers.tell(SEAT, "leavesAndComes")
    done = browsers.tell(SEAT, "unlocks", passphrase=SECRET)
    decided = club.take(posted(done["letter"], WHO))
    assert decided == f"order: {SEAT}", decided


def by_command(browsers: Browsers, folder: Path) -> None:
    """What the page has saved is the command's desk: the key opens with the same passphrase, and is the same."""
    place = folder / "desk.zip"
    browsers.tell(SEAT, "savesDesk", path=str(place))
    with zipfile.ZipFile(place) as saved:
        saved.extractall(folder / "desk")
    desk = Desk(folder / "desk", SECRET.encode())
    assert desk.key.key_line == key_of(SEAT).key_line
    assert desk.copy(desk.notes()).verdict().verdict == "unfinished"


def main(arguments: list[str]) -> int:
    """Recover; return the exit code."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    reports, page = list[str](), Path(os.environ.get("PBEM_PAGE", BUILT))
    with tempfile.TemporaryDirectory() as name, a_club(Path(name, "club"), game="hammer") as club:
        club.begin()
        with page_served(page, reports) as served:
            browsers = Browsers(arguments[0], 1)
            try:
                browsers.tell(SEAT, "comes", address=served)
                recover(browsers, club, Path(name))
                by_command(browsers, Path(name))
                faults = [*browsers.tell("", "faults"), *(f"the policy was broken: {report}" for report in reports)]
            finally:
                browsers.close()
    print("a lost browser is recovered by its key, against an older copy")
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
