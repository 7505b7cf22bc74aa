"""Makes desks on which there is something to settle: `python -m tests.page.some_desks FOLDER`.

The face's sheets are driven over them in a browser. In FOLDER lie then `invited/ann` with `invitation.eml`, which asks her to
join; `attached/ann` with `attached.pbem`, which came with that letter; `ready/ann`, which `roster.eml` asks to be ready;
`vanished/ann` with `proposal.eml` of another host; `lost/ann`, whose key is gone, and `recovery`, the key that takes its seats
back; `offered/ann`, where Bob has offered a draw and time is limited; and `log.pbem`, `damaged.pbem` and `mails.mbox`, which can
be judged.
"""

from __future__ import annotations

import sys
from functools import reduce
from pathlib import Path
from shutil import copytree

from pbem.host import Office
from pbem.ledger import PrivateKey, merge
from pbem.mail import read_message
from tests.host.post import Club, a_club, key_of

FROM = b"From host@example.org Tue Jan  1 00:00:00 2030\n"


def _another_host(club: Club) -> None:
    """Let the host be gone, and another one propose to go on."""
    copies = reduce(merge, (desk.copy(desk.notes()).log for desk in club.desks.values()))
    club.office.close()
    club.office = Office.create(club.folder / "other", key_of("other"), "other@example.org")
    addresses = {seat: f"{seat}@example.org" for seat in club.desks}
    club.number = club.robot.adopt(copies, addresses, "A test", club.now())


def main(folder: Path) -> None:
    """Make the desks in `folder`."""
    with a_club(folder / "invited", turns=3) as club:
        raw = club.deliver()["ann"][0]
        (folder / "invitation.eml").write_bytes(raw)
        (folder / "attached.pbem").write_bytes(read_message(raw).log)
        copytree(folder / "invited" / "ann", folder / "attached" / "ann")
    with a_club(folder / "vanished", turns=3) as club:
        club.begin()
        _another_host(club)
        (folder / "proposal.eml").write_bytes(club.deliver()["ann"][0])
    with a_club(folder / "ready", turns=3) as club:
        for seat, raws in club.deliver().items():
            club.desks[seat].join(raws[0], club.now())
        for desk in club.desks.values():
            for letter in club.letters(desk):
                club.take(letter)
        (folder / "roster.eml").write_bytes(club.deliver()["ann"][0])
    spare = PrivateKey.from_seed(bytes(range(32)))
    with a_club(folder / "lost", turns=3) as club:
        home = club.desks["ann"].home
        (home / "recovery.pub").write_text(f"{spare.key_line}\n")
        club.begin()
        (home / "key").unlink()
        (folder / "recovery").write_bytes(spare.dump(b"sesame"))
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
