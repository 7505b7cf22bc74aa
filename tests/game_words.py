"""Makes the next dictionary of a game: ``python -m tests.game_words GAME`` writes `words/NUMBER.txt` into its package.

What orders and plans say is taken from the golden logs and from games of its built-in players; phrases that spare most by being
there stand at its end, where deflate names them in the fewest bits. A dictionary that was released is never written over.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.blocks import recorded
from pbem.errors import UsageError
from pbem.games import GamePack, find
from pbem.games.manifests import files_below
from pbem.games.words import FOLDER, newest
from pbem.ledger import Log

SIZE = 4096
"""Bytes of a dictionary: twice as many spare nothing more, as what lies further away is named in more bits."""
SEEDS = range(900, 904)
"""Games that nothing else is measured by."""
_LONGEST = 6
"""Words of a phrase."""


def texts_of(log: Log) -> Iterator[str]:
    """Go through what players ordered and planned in a log."""
    for line in log.attachments:
        if line.k == "seal" and line.fields[4] in ("order", "plans") and line.fields[2] != "host" and line.fields[6]:
            yield str(line.fields[6])


def played(pack: GamePack) -> Iterator[Log]:
    """Play whole games by the built-in players."""
    from bench.games import play_at_a_table

    try:
        pack.complete({})
    except UsageError:  # what is not played without more being said is in the golden logs alone
        return
    options: list[dict[str, Any]] = [{}, *({"edition": edition} for edition in ("2.3",) if pack.rules.id == "hammer")]
    for seed in SEEDS:
        yield Log.parse(play_at_a_table(pack, options[seed % len(options)], seed).whole())


def phrases(texts: Iterable[str]) -> Counter[str]:
    """Count the phrases of texts: up to six words in a row, as they are written, with what stands between them."""
    found: Counter[str] = Counter()
    for text in texts:
        pieces = re.findall(r"\w+\W*", text)
        for length in range(1, _LONGEST + 1):
            found.update("".join(pieces[at : at + length]) for at in range(len(pieces) - length + 1))
    return found


def names(pack: GamePack) -> Iterator[str]:
    """Go through the names that a game's printed data hold."""
    for path, file in files_below(pack.package, "data"):
        if path.endswith(".json"):
            yield from _texts_in(json.loads(file.read_bytes()))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if value.istitle() and len(value) > 3 else []
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(inner)


def dictionary(texts: Iterable[str], named: Iterable[str], size: int = SIZE) -> bytes:
    """Return a dictionary for such texts: names and rare words first, then phrases, and what spares most last."""
    said = list(texts)
    counted = phrases(said)
    worth = {phrase: n * (len(phrase.encode()) - 2) for phrase, n in counted.items() if n > 1 and len(phrase) > 3}
    chosen: list[str] = []
    room = size * 3 // 4
    for phrase in sorted(worth, key=lambda one: (-worth[one], one)):
        if len(phrase.encode()) <= room and not any(phrase in other for other in chosen):
            chosen = [*(other for other in chosen if other not in phrase), phrase]
            room = size * 3 // 4 - sum(len(other.encode()) for other in chosen)
    phrased = "".join(reversed(chosen))
    single = Counter(word for text in said for word in re.findall(r"\w{3,} ?", text))
    rare = ""
    for word in [*sorted(single, key=lambda one: (-single[one], one)), *sorted(set(named))]:
        if word.strip() not in phrased + rare and len((word + rare + phrased).encode()) <= size:
            rare = word + rare
    return (rare + phrased).encode()


def main(game: str) -> int:
    pack = find(game)
    texts = [text for log in (*recorded(game), *played(pack)) for text in texts_of(log)]
    folder = Path(str(import_module(pack.package).__file__)).parent / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{newest(pack) + 1}.txt"
    path.write_bytes(made := dictionary(texts, names(pack)))
    print(f"{path.name}: {len(made)} bytes, of {len(texts)} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
