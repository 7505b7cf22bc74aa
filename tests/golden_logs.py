"""Records the golden logs: ``python -m tests.golden_logs [NAME …]``, or ``make golden``.

A golden log is a game as somebody may have it on a disk for ever: each later version has to verify, audit and replay it as this one
does. So the folder can only grow: what has been recorded is never written over, and of it nothing is recorded anew. They are
played with true fingerprints of rules, by random players for the most part, at a table with keys, chains and dice of its own;
`TABLES` says how. Beside them `index.json` says what each is: its SHA-256, its verdict and head, and what it `holds`, which a test
compares with all there is to hold.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tiny_game.rules import Tiny

from pbem.games import GamePack, find, manifest
from pbem.games.swords.rules.parts import STANDARD
from pbem.ledger import Log, PrivateKey, sha256_hex
from pbem.referee.audit import audit
from pbem.referee.replaying import Shelf
from pbem.referee.table import Table

HERE = Path(__file__).parent
FOLDER = HERE / "golden" / "logs"
INDEX = FOLDER / "index.json"
T = TypeVar("T")
PLANS = "BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY\nRAID WEAKEST\nGAINS WEAKEST\nNEXT ANY"
SWORDS_PLANS = "COMMIT Moray: 2\nKILL ANY\nRETREAT Fife, ANY\nGLORY NONE\nHEAL NO\nNEXT ANY"
SHORT = STANDARD.model_dump(mode="json", exclude={"source"}) | {"rounds": 2, "picts": 9}
"""Printed parts of one's own: a game of two rounds."""
WHOLLY = frozenset(("swords",))
"""Games of which every kind of fact stands in one."""


class Player:
    """Plays all seats of a table at random, so far as the scripts below do not say otherwise."""

    def __init__(
        self, game: str, seed: str, options: dict[str, Any] | None = None, bot: str = "random", **terms: Any
    ) -> None:
        self.pack: GamePack = find(game)
        rules, complete = self.pack.rules, self.pack.complete(options or {})
        self.table = Table(rules, complete, seed, manifest(self.pack)[1], **{"hours": 24, **terms})
        self.chance, self.bot = random.Random(seed), self.pack.bots[bot]()
        self.asked = 0

    def turn(self, silent: Iterable[str] = (), plans: str = "", claim: int | None = None) -> None:
        """Let everybody who is asked answer, with these plans, but for the silent."""
        table, quiet = self.table, set(silent)
        orders = {
            seat: (str(self.bot.answer(table.referee.view(seat), self.chance)), plans)
            for seat in table.waiting
            if seat not in quiet
        }
        table.answer(orders, [seat for seat in table.waiting if seat in quiet], claim)
        self.asked += 1

    def until(self, so_far: Callable[[], object]) -> Player:
        """Play until that is so; it has to come."""
        while not so_far():
            assert self.table.open, "the game is over"
            self.turn()
        return self

    def all_are_asked(self) -> Player:
        return self.until(lambda: self.table.open and set(self.table.open.to) == set(self.table.seats))

    def turns(self, count: int, plans: str = "") -> Player:
        for _ in range(count):
            self.turn(plans=plans)
        return self

    def end(self, plans: Callable[[int], str] = lambda no: "") -> Table:
        """Play to the end."""
        while self.table.open:
            self.turn(plans=plans(self.asked))
        return self.table


class Later(Tiny):
    """Tiny as a later version of it, which plays alike."""

    version = 2


LATER: Shelf = {("tiny", 2): (Later(), "2" * 64)}
"""Rules that are nowhere else."""


def a_key(name: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(name.encode())))


# -- one for each scenario, edition, option and number of players -------------------------------------------------------


def _year(seed: str, plans: str = "", **options: Any) -> Callable[[], Table]:
    """One year of Hammer of the Scots; these plans go with all answers."""
    return lambda: Player("hammer", seed, {"years": 1, **options}).end(lambda no: plans)


def _begun(game: str, seed: str, turns: int, **options: Any) -> Callable[[], Table]:
    """A game that is not over."""
    return lambda: Player(game, seed, options).turns(turns).table


def _ended(game: str, seed: str, plans: str = "", bot: str = "random", **options: Any) -> Callable[[], Table]:
    return lambda: Player(game, seed, options, bot).end(lambda no: plans if no % 3 == 0 else "")


# -- what is said besides orders, and what follows ----------------------------------------------------------------------


def _talk() -> Table:
    """Leave, an offer that lapses, a claim that puts one out, an offer that is agreed to."""
    player = Player("tiny", "talk", {"players": 3, "turns": 4}, late="claim", leave=24)
    table = player.table
    table.say("bob", "leave", hours=5)
    table.say("ann", "draw")
    player.turns(1).all_are_asked()
    player.turn(["cat"], claim=table.say("ann", "claim", at=table.course.due))
    player.until(lambda: table.open and len(table.open.to) == 2)
    table.say("ann", "agree", about=table.say("bob", "draw"))
    return table


def _resigned() -> Table:
    player = Player("lords", "resigned", {"players": 3, "rounds": 2})
    player.turns(4)
    player.table.say("buchan", "resign")
    return player.end()


def _time_over() -> Table:
    """By default: twice nobody answers for one seat, and another player takes it."""
    player = Player("tiny", "vanished", {"players": 3, "turns": 5})
    table = player.table
    player.all_are_asked()
    while not table.course.vanished("bob", table.now):
        player.turn(["bob"])
    table.replace("bob", a_key("the newcomer"))
    return player.end()


def _taken_back() -> Table:
    player = Player("hammer", "back", {"years": 1})
    table = player.table
    player.until(lambda: table.referee.trail.points)
    point = table.referee.trail.points[-1]
    other = next(seat for seat in table.seats if seat != point.seat)
    table.say(other, "agree", about=table.say(point.seat, "takeback", about=point.ask))
    return player.end()


def _other_keys() -> Table:
    """One seat changes its key by the old one; the recovery key undoes it."""
    spare = a_key("spare")
    player = Player("hammer", "keys", {"scenario": "bruce", "years": 1}, recovery=spare.key_line)
    table = player.table
    player.turns(8)
    table.rekey("scottish", a_key("a thief"))
    player.turns(2)
    table.rekey("scottish", a_key("the owner"), spare)
    return player.end()


def _another_host(game: str, after: int, seed: str, **options: Any) -> Callable[[], Table]:
    def play() -> Table:
        player = Player(game, seed, options)
        player.turns(after).table.move(f"{seed} moved")
        return player.end()

    return play


def _agreed_rules() -> Table:
    """All agree to go on by a later version."""
    player = Player("tiny", "rules", {"players": 2, "turns": 4})
    player.turns(1).table.go_by(Later())
    return player.end()


def _kept() -> Table:
    """Two of three seats are kept, one of a player who wrote no words; one of them is taken over, and one says something."""
    player = Player("tiny", "kept", {"players": 3, "turns": 5}, kept={"ann": "sieben kleine geißlein", "bob": ""})
    table = player.table
    player.turns(2)
    table.rekey("bob", a_key("bob's own"))
    player.turns(2).all_are_asked()
    table.say("ann", "draw")
    return player.end()


def _ahead() -> Table:
    """Both send their next cards ahead; one in a line that fits only behind another that never does."""
    player = Player("tiny", "ahead", {"players": 2, "turns": 5})
    table = player.table
    while table.open:
        mark = table.referee.open_mark or 0
        for seat in table.waiting if mark else ():
            kept = table.referee.views()[seat]["sides"][seat]["hand"][1]
            table.ahead(seat, mark + 1, f"CARD {kept}" if seat == "ann" else f"CARD t9\nCARD {kept}")
        player.turn()
    return table


TABLES: dict[str, Callable[[], Table]] = {
    "hammer-braveheart": _year("braveheart", PLANS),
    "hammer-bruce": _year("bruce", scenario="bruce"),
    "hammer-campaign": _year("campaign", scenario="campaign"),
    "hammer-edition-2.3": _year("former edition 2", edition="2.3", scenario="bruce"),
    "hammer-schiltroms-rally": _year("schiltroms", schiltroms=True, rally=True),
    "hammer-moray-one-target": _year("moray", andrew_de_moray=True, one_target=True),
    "hammer-angus-simultaneous": _year("angus", angus_og=True, simultaneous_fire=True, scenario="bruce"),
    "hammer-dealt-123": _year("dealt", deal_123=True, builds_in_order=True),
    "hammer-coasts": _year("coasts", inland_landing=True, same_coast=True, no_regroup_after_defection=True),
    "hammer-bid": _year("bids 2", bid="E2", after="7" * 64),
    "hammer-begun": _begun("hammer", "begun", 20),
    "hammer-taken-back": _taken_back,
    "hammer-other-keys": _other_keys,
    "hammer-another-host": _another_host("hammer", 9, "host", years=1),
    "lords-2": _ended("lords", "two", players=2, goal=12, first="angus"),
    "lords-3": _ended("lords", "three", "CLAIM STRONGEST", players=3, rounds=2, activation="lowest"),
    "lords-4": _ended("lords", "four", players=4, rounds=1, claims="in turn"),
    "lords-5": _ended("lords", "five", players=5, rounds=1, bruce=True, bruce_strength=9, activation="clan"),
    "lords-begun": _begun("lords", "begun", 9, players=4, bruce=True, bruce_ranks=[901, 902]),
    "lords-resigned": _resigned,
    "swords-2": _ended("swords", "two", players=2, glory="first", first="pink"),
    "swords-3": _ended(
        "swords",
        "three",
        SWORDS_PLANS,
        players=3,
        glory=["Cardinal", "Long Sword", "Druid"],
        tokens="drawn",
        castles="any",
        first="yellow",
    ),
    "swords-4": _ended(
        "swords",
        "four",
        players=4,
        glory=["The Crown", "Hadrian's Wall", "Tapestry"],
        crown="itself",
        tie="all",
        first="black",
    ),
    "swords-merchant": _ended(
        "swords",
        "merchant",
        players=4,
        glory=["Merchant's Outpost", "Quaich", "Bagpipes"],
        merchant="once",
        first="white",
        parts=SHORT,
        bot="sensible",
    ),
    "swords-picts": _ended(
        "swords",
        "picts",
        bot="sensible",
        players=3,
        glory=["A Bloody Banner", "Drums", "Edinburgh Castle"],
        parts=SHORT,
    ),
    "swords-druid": _ended(
        "swords",
        "druid",
        bot="sensible",
        players=3,
        glory=["Long Sword", "Druid", "A Bloody Banner"],
        parts=SHORT,
    ),
    "swords-begun": _begun("swords", "begun", 40, players=4),
    "swords-book": _ended(
        "swords",
        "by the book",
        "COMMIT ANY: HALF\nKILL ANY\nRETREAT ANY\nGLORY NONE",
        players=3,
        glory=["The Crown", "Long Sword", "Edinburgh Castle"],
        first="pink",
        parts=SHORT,
    ),
    "swords-narrow": _ended(
        "swords",
        "narrower",
        players=3,
        glory=["The Crown", "Long Sword", "A Bloody Banner"],
        castles="present",
        own="last",
        sword="any",
        first="yellow",
        parts=SHORT,
        bot="sensible",
    ),
    "hammer-1": _year("of the format 1", PLANS, scenario="bruce"),
    "hammer-homes": _year("homes of one's own", scenario="bruce", years=2),
    "lords-1": _ended("lords", "of the format 1", players=3, rounds=1),
    "tiny-1": _ended("tiny", "of the format 1", "ACT BANK", players=3, turns=3),
    "tournament-1": _ended("tournament", "of the format 1", players="ann bob", scenario="bruce"),
    "tournament": _ended("tournament", "bids", players="ann bob cat dan", scenario="bruce", games="schiltroms"),
    "tournament-begun": _begun("tournament", "begun", 0, players="ann bob"),
    "tiny": _ended("tiny", "tiny", "ACT BANK", players=3, turns=3),
    "tiny-ahead": _ahead,
    "tiny-another-host": _another_host("tiny", 2, "host", players=2, turns=4),
    "tiny-begun": _begun("tiny", "begun", 2),
    "tiny-kept": _kept,
    "tiny-rules": _agreed_rules,
    "tiny-talk": _talk,
    "tiny-vanished": _time_over,
}
"""How each is played. A name that is here and not in the folder has not been recorded yet."""


# -- what a log holds -----------------------------------------------------------------------------------------------------


def holds(log: Log) -> set[str]:
    """Return what of the format, and of a game, comes up in a log."""
    first = log.entries[0].fields
    game, options = first["rules"]["id"], first["opts"]
    found = {game, f"{game} {'ended' if log.finished else 'running'}", f"{game} {first['proto']}"}
    found |= {f"{game} {name}={json.dumps(value)}" for name, value in options.items()}
    for entry in log.entries:
        fields = entry.fields
        found.add(entry.k)
        match entry.k:
            case "say":
                found.add(f"say {fields['say']['act']}")
            case "order":
                found |= {f"order {fields['say']['act']}", "order open" if fields["say"].get("pub") else "order sealed"}
            case "ask":
                found |= {f"ask {fields['secret']}", "ask marked" if "mark" in fields else "ask unmarked"}
            case "skip":
                found.add(f"skip {fields['why']}")
            case "amend":
                found |= {f"amend {name}" for name in fields["what"]}
            case "rekey":
                found.add("rekey by recovery" if "recovery" in fields["say"] else "rekey by key")
            case "rand":
                found.add(f"rand {fields['chain'].partition(':')[0]}")
            case "tell":
                said = {fact["f"] for fact in fields["pub"]["facts"]}
                found |= {f"fact {game} {kind}" for kind in (said if game in WHOLLY else said & {"plan"})}
            case _:
                pass
    return found


def described(data: bytes) -> dict[str, Any]:
    """Return what the index says of a log."""
    log = Log.parse(data)
    verdict = audit(data, lambda game: (find(game).rules, manifest(game)[1]), LATER).verdict
    rules = log.entries[0].fields["rules"]
    return {
        "sha256": sha256_hex(data),
        "rules": [rules["id"], rules["ver"], rules["sha256"]],
        "verdict": verdict.verdict,
        "head": list(log.head),
        "holds": sorted(holds(log)),
    }


def index(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return what has been recorded in a folder."""
    place = folder / INDEX.name
    found: dict[str, dict[str, Any]] = json.loads(place.read_text("utf-8")) if place.exists() else {}
    return found


def record(
    names: list[str],
    folder: Path,
    made: Mapping[str, Callable[[], T]],
    whole: Callable[[T], bytes],
    described: Callable[[bytes], dict[str, Any]],
) -> int:
    """Record what is not there yet, of these names or of all; what is there stays as it is. Return an exit code."""
    os.environ.setdefault("PBEM_GAMES", str(HERE.parent / "examples"))
    folder.mkdir(parents=True, exist_ok=True)
    known = index(folder)
    for name in names or made:
        place = folder / f"{name}.pbem"
        if name in known or place.exists():
            if names:
                print(f"{name} is recorded, and stays; give what you want to record another name.")
                return 1
            continue
        data = whole(made[name]())
        about = described(data)
        if about["verdict"] not in ("clean", "unfinished"):
            print(f"{name} is not recorded: its verdict is {about['verdict']}.")
            return 1
        place.write_bytes(data)
        known[name] = about
        (folder / INDEX.name).write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")
        print(f"{place.name}: {len(data):,} bytes, {about['verdict']}")
    return 0


def main(names: list[str]) -> int:
    """Record the logs of games with a host."""
    return record(names, FOLDER, TABLES, lambda table: table.whole(), described)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
