"""What several tests need of set up: start, own."""

from __future__ import annotations

import json

from pbem.games.swords.game import GAME
from pbem.games.swords.rules.parts import STANDARD
from pbem.kernel import Json
from tests.swords.table import Table


def start(**options: Json) -> Table:
    return Table(GAME.start(options))


def own(**changes: Json) -> Json:
    parts = STANDARD.model_dump(mode="json")
    return {**json.loads(json.dumps(parts)), **changes}
