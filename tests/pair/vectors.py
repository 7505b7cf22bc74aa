"""Values by which another program can try whether it reckons as the format of two does.

`python -m tests.pair.vectors` writes them down.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.ledger import event_key, outcome, player_root, sha256_hex
from pbem.ledger.deck import Deck, DeckName, Shuffler
from pbem.ledger.pair import Vault
from pbem.ledger.pair.vault import kept_under, secret_of
from tests.pair.playing import key_of

PATH = Path(__file__).parent / "data" / "vectors.json"
CARDS = ("a", "b", "Gràdh")
HIDDEN: list[Any] = ["RAID WEAKEST", {"facts": [0, {"of": "Gràdh"}], "view": {"hand": ["x" * 500]}}, None]


def made() -> dict[str, Any]:
    """All that follows from one seat's key."""
    game, seat, other = sha256_hex(b"a game of two"), "ann", "bob"
    key, keeper = key_of("vectors"), key_of("vectors again")
    ann = Vault(game, seat, secret_of(player_root(key), game, seat))
    bob = Vault(game, other, secret_of(player_root(keeper), game, other))
    links = [[seat, 3, ann.chain.x(3)], [other, 2, bob.chain.x(2)]]
    both = sha256_hex(f"{links[0][2]}{links[1][2]}".encode())
    requests = [{"op": "roll", "n": 4, "sides": 6}]
    keys = {
        "pub": (event_key(both, game, "pub", 7, links), {"label": "pub", "i": 7, "links": links}),
        "priv:ann": (
            event_key(ann.private(2), game, "priv:ann", 2, links[1:]),
            {"label": "priv:ann", "i": 2, "links": links[1:]},
        ),
    }
    return {
        "game": game,
        "seat": seat,
        "other": other,
        "key": key.key_line,
        "secret": ann.secret,
        "bound": ann.bound,
        "top": ann.chain.top,
        "anchor": ann.chain.anchor,
        "link_5": ann.chain.x(5),
        "mix": ann.mix.text,
        "mix_of_other": bob.mix.text,
        "cards": list(CARDS),
        "decks": [
            {
                "no": no,
                "secret": ann.deck(no),
                "number": Shuffler(deck.name, seat, ann.deck(no), deck.below(seat)).open(),
            }
            for no in (1, 2)
            for deck in [Deck(DeckName(game, no, CARDS, (seat, other)))]
        ],
        "private_2": ann.private(2),
        "salts": [
            {"turn": no, "act": index, "text": text, "salt": ann.salt(no, index, text)}
            for no, index, text in ((1, 0, "GO"), (12, 3, "GO"), (12, 3, "STAY"))
        ],
        "seal": {"turn": 12, "act": 3, "text": "GO", "d": ann.sealed(12, 3, "GO")},
        "own": [{"turn": 4, "act": 1, "value": value, "c": ann.hide(4, 1, value)} for value in HIDDEN],
        "hand": [{"turn": 5, "act": 2, "value": value, "c": ann.hand(bob.mix, 5, 2, value)} for value in HIDDEN],
        "kept": {
            "root_secret": player_root(keeper).secret_for("pbem-peer/2", "kept", game, seat),
            "c": kept_under(player_root(keeper), game, seat, ann.secret),
        },
        "events": [
            about | {"key": found.hex(), "four_dice": outcome(found, requests)[0]} for found, about in keys.values()
        ],
    }


if __name__ == "__main__":
    PATH.write_text(json.dumps(made(), ensure_ascii=False, indent=1) + "\n", "utf-8")
