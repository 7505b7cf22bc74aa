"""The vectors of a relay's links, boxes and letters: `python -m tests.mail.relay_vectors` writes them anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.ledger import PrivateKey
from pbem.mail.relay import INVITATION, RelayLink, seal_letter

VECTORS = Path(__file__).with_name("relay-vectors.json")
ANN, BOB = PrivateKey.from_seed(b"a" * 32), PrivateKey.from_seed(b"b" * 32)
LINK = RelayLink("https://relay.example.org/", bytes(range(16)))
LETTERS = (b"", b"Fife: all > Angus", b"x" * 1020, b"x" * 1021)


def made() -> dict[str, Any]:
    """Return the vectors: the keys are those of the seeds 32 × “a” and 32 × “b”; Ann writes."""
    boxes = {"invitation": INVITATION, "ann": ANN.key_line, "bob": BOB.key_line}
    return {
        "link": str(LINK),
        "secret": LINK.secret.hex(),
        "keys": {"ann": ANN.key_line, "bob": BOB.key_line},
        "tokens": {who: LINK.token(name) for who, name in boxes.items()},
        "letters": [
            {"box": box, "letter": letter.hex(), "sealed": seal_letter(LINK, boxes[box], letter, ANN).hex()}
            for box in ("invitation", "bob")
            for letter in LETTERS
        ],
    }


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(made(), indent=1) + "\n", "utf-8")
