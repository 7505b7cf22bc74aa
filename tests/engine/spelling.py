"""What several tests need of spelling: _of_swords."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games import find
from pbem.games.hammer.rules import AREAS, ROSTER, SLUG
from pbem.games.lords.rules.cards import NORMAL, ROYAL
from pbem.games.lords.rules.cards import slug as card_slug
from pbem.games.swords.rules.names import GLORY
from pbem.games.swords.rules.names import slug as part_slug


def _of_swords() -> dict[str, str]:
    parts = find("swords").rules.start(find("swords").complete({})).state.board.parts
    named = {name: part_slug(name) for name in (*parts.names, *parts.strongholds, *GLORY)}
    return named | {square: square.lower() for square in parts.squares}


SLUGS: Mapping[str, dict[str, str]] = {
    "hammer": {name: SLUG[name] for name in (*AREAS, *ROSTER)},
    "lords": {card: card_slug(card) for card in (*NORMAL, *ROYAL)},
    "swords": _of_swords(),
}
