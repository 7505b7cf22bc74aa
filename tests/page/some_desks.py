"""Makes desks on which there is something to settle: `python -m tests.page.some_desks FOLDER`.

The face's sheets are driven over them in a browser. In FOLDER lie then `invited/ann` with `invitation.eml`, which asks her to join;
`offered/ann`, where Bob has offered a draw and time is limited; `ready/ann`, which a letter has asked to be ready; and `log.pbem`,
`damaged.pbem` and `mails.mbox`, which can be judged.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.host.post import a_club

FROM = b"From host@example.org Tue Jan  1 00:00:00 2030\n"


def main(folder: Path) -> None:
    """Make the desks in `folder`."""
    with a_club(folder / "invited", turns=3) as club:
        (folder / "invitation.eml").write_bytes(club.deliver()["ann"][0])
    with a_club(folder / "ready", turns=3) as club:
        for seat, raws in club.deliver().items():
            club.desks[seat].join(raws[0], club.now())
        for desk in club.desks.values():
            for letter in club.letters(desk):
                club.take(letter)
        (folder / "roster.eml").write_bytes(club.deliver()["ann"][0])
    with a_club(folder / "offered", turns=3, hours=48, terms={"late": "claim", "leave": 24}) as club:
        club.begin()
        club.say("bob", "draw")
        desk = club.desks["ann"]
        data = desk.copy(desk.notes()).log.dump()
        (folder / "log.pbem").write_bytes(data)
        (folder / "damaged.pbem").write_bytes(data.replace(b'"at":"2030', b'"at":"2031', 1))
        mails = [FROM + raw.replace(b"\r\n", b"\n") + b"\n" for raw in club.received["ann"]]
        (folder / "mails.mbox").write_bytes(b"".join(mails))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
