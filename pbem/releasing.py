"""Maintains the record of each release's rules: ``python -m pbem.releasing known|shelve|out``, or ``make known``, ``make shelf``.

``known`` adds the current rules to the list of known rules (`pbem.games.releases`). It refuses unless they replay the recorded
games of their version, in ``tests/golden/logs``, identically. ``shelve`` packs them for the shelf (`pbem.games.shelf`), before they
change in a way that affects play. ``out`` enters the release in the new lines. All are commands for maintainers.
"""

from __future__ import annotations

import argparse
import sys
from collections import ChainMap
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from pbem import __version__
from pbem.errors import PbemError, UsageError
from pbem.games import GamePack, find, manifest, shipped
from pbem.games.releases import LIST, NEXT, Known, read_list, write_list
from pbem.games.shelf import Key, Lender, Lent, shelve
from pbem.ledger import Log
from pbem.referee.audit import audit
from pbem.resources import folder

PACKAGE = Path(__file__).resolve().parent
LOGS = PACKAGE.parent / "tests" / "golden" / "logs"


def own_games(lines: Iterable[Known], pack: GamePack, sha256: str) -> Path | None:
    """Return where a game on no list keeps recorded games of its own, which its rules must play alike; None for one on the list.

    Raises UsageError where it is on the list and these rules are not: they have changed.
    """
    rules = pack.rules
    found = {(line.version, line.sha256) for line in lines if line.game == rules.id}
    if found and (rules.version, sha256) not in found:
        raise UsageError(
            f"{rules.title}: the rules that are here are not on the list of known rules: they have changed. Pack the former ones "
            f"from a checkout that has them. If these play alike, “make known GAME={rules.id}” lists them. To pack them as they "
            "are, changed: python -m pbem.releasing shelve --changed."
        )
    return None if found else Path(str(files(pack.package))) / "golden"


def register(lines: Sequence[Known], pack: GamePack, logs: Path, shelf: Path) -> list[Known]:
    """Return the list with the current rules added. Raises UsageError if they may not be on it.

    Released lines stay unchanged. New lines may be replaced, because nobody has played by them.
    """
    rules, sha256 = pack.rules, manifest(pack)[1]
    of_game = [line for line in lines if line.game == rules.id]
    other = next((line for line in of_game if line.sha256 == sha256 and line.version != rules.version), None)
    if other is not None:
        raise UsageError(f"{rules.title}: these are the rules of version {other.version}, not {rules.version}.")
    if any((line.version, line.sha256) == (rules.version, sha256) for line in of_game):
        return list(lines)
    out = [line for line in of_game if line.version == rules.version and line.is_out]
    replayed = list(_replayed(pack, logs, shelf))
    if out and not replayed:
        raise UsageError(
            f"{rules.title}: version {rules.version} has been released, and {logs} holds no game by it that shows whether "
            "these rules play alike."
        )
    kept = [line for line in lines if line.is_out or (line.game, line.version) != (rules.id, rules.version)]
    return [*kept, Known(rules.id, rules.version, sha256, NEXT)]


def _replayed(pack: GamePack, logs: Path, shelf: Path) -> Iterator[Path]:
    """Go through the recorded games of this version, replayed by the rules that are here. Raises UsageError where one differs."""
    rules, sha256 = pack.rules, manifest(pack)[1]

    def installed(game_id: str) -> Lent:
        return (rules, sha256) if game_id == rules.id else (find(game_id).rules, manifest(game_id)[1])

    for place in sorted(logs.glob("*.pbem")):
        data = place.read_bytes()
        named = _named(Log.parse(data))
        # whichever bytes it was played by: here it is played by these
        here: dict[Key, Lent] = {which: (rules, sha256) for which in named if which[:2] == (rules.id, rules.version)}
        if not here:
            continue
        with Lender([], shelf, installed) as lent:
            found = audit(data, installed, ChainMap(here, lent)).verdict  # type: ignore[arg-type] # it changes none of them
        if found.verdict not in ("clean", "unfinished"):
            raise UsageError(
                f"{rules.title}: by these rules {place.name} is another game ({found.verdict}, entry {found.entry}: "
                f"{found.reason}). If play has changed, raise its version, and put the former rules on the shelf first."
            )
        yield place


def _named(log: Log) -> set[tuple[str, int, str]]:
    """The rules that a log names: those it was begun by, and those that all agreed to later."""
    fields = [entry.fields for entry in log.entries]
    named = [said["rules"] for said in fields if said["k"] == "game"]
    named += [said["what"]["rules"] for said in fields if said["k"] == "amend" and "rules" in said["what"]]
    return {(rules["id"], rules["ver"], rules["sha256"]) for rules in named}


def released(lines: Sequence[Known], release: str, date: str) -> list[Known]:
    """Return the list with the new lines assigned to a release and its date."""
    return [line if line.is_out else line._replace(release=release, date=date) for line in lines]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if it is refused."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("do", choices=("known", "shelve", "out"))
    options.add_argument("games", nargs="*", metavar="GAME", help="which games; else all that come with pbem")
    options.add_argument("--logs", type=Path, default=LOGS, help="where the recorded games lie")
    options.add_argument("--list", type=Path, default=PACKAGE / "games" / LIST, help="the list of known rules")
    options.add_argument("--shelf", type=Path, help="the folder of the shelf")
    options.add_argument("--changed", action="store_true", help="shelve rules though they have changed")
    options.add_argument("--release", default=__version__, help="the release that comes out")
    chosen = options.parse_args(arguments)
    shelf: Path = chosen.shelf or folder("shelf")
    lines = list(read_list(chosen.list.read_text("utf-8")))
    try:
        packs = [find(game) for game in chosen.games or shipped()]
        match chosen.do:
            case "shelve":
                for pack in packs:
                    if not chosen.changed and (own := own_games(lines, pack, manifest(pack)[1])):
                        list(_replayed(pack, own, shelf))
                    print(shelve(pack, shelf))  # noqa: T201
                return 0
            case "out":
                lines = released(lines, chosen.release, datetime.now(UTC).date().isoformat())
            case "known":
                for pack in packs:
                    lines = register(lines, pack, chosen.logs, shelf)
    except PbemError as refused:
        print(refused, file=sys.stderr)  # noqa: T201
        return 1
    chosen.list.write_text(write_list(lines), "utf-8")
    print(write_list(lines), end="")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
