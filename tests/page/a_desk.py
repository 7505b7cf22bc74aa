"""Makes a desk with a game by mail, and a report that it has not read: `python -m tests.page.a_desk FOLDER`.

The face is driven over it in a browser. In FOLDER lie then `ann` (her desk, the key under a passphrase; in a game of Tiny it is her
turn) and `report.eml` (what happened next, as it came by mail).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pbem.ledger import PrivateKey
from tests.host.post import a_club
from tests.page.service import next_letters

PASSPHRASE = b"open sesame"


def main(folder: Path) -> None:
    """Make the desk in `folder`."""
    with a_club(folder, turns=3) as club:
        club.begin()
        with tempfile.TemporaryDirectory() as place:
            twin = club.copy_to(Path(place))
            (folder / "report.eml").write_bytes(next_letters(twin)[-1])
            twin.office.close()
        key = folder / "ann" / "key"
        key.write_bytes(PrivateKey.load(key.read_bytes()).dump(PASSPHRASE))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
