"""Prints how long checking, replaying and hosting take, each figure with its aim (`make bench`).

    python -m bench.run [--games 20] [--game hammer] [--seed 1]

The built-in sensible players play whole games; what is measured is measured over their logs, as ratios to a floor of the
same run or as decisions a second.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from bench.blocks import lengths, recorded, share
from bench.games import ByMail, last_to_first, play_at_a_table
from bench.parts import Parts, best, check_bare, signatures
from bench.pictures import FIRST, PNG, forms
from bench.replay import replayed
from bench.touching import touched
from pbem.games import GamePack, find, manifest
from pbem.ledger import Log, verify, verify_checked
from pbem.referee.audit import audit

VERIFY, DECISIONS, LATE, SIZE = 1.5, 5_000, 1.5, 1_000_000
TOUCH = 50
"""So many ms may it take at the most to say what can be touched next."""
PAGE, READY, HEARD = 2_000_000, 1_000, 4_000_000
MEDIAN, MOSTLY, LINK, TOO_LONG = 350, 500, 1_900, 9_999


def _line(what: str, value: str, aim: str = "", kept: bool | None = None) -> None:
    said = "" if kept is None else "kept" if kept else "MISSED"
    print(f"  {what:<38} {value:>16}   {aim:<22} {said}".rstrip())


def _sizes(logs: list[bytes], entries: list[int], sigs: list[int]) -> None:
    size = statistics.median(map(len, logs))
    print("The logs (medians)")
    _line("bytes", f"{size:,.0f}", f"under {SIZE:,}", size < SIZE)
    _line("entries", f"{statistics.median(entries):,.0f}")
    _line("signatures", f"{statistics.median(sigs):,.0f}")


def _speed(pack: GamePack, logs: list[bytes]) -> None:
    seconds: dict[str, float] = {}
    decisions = bare = checks = 0.0
    sha256 = manifest(pack)[1]

    def add(part: str, took: float) -> None:
        seconds[part] = seconds.get(part, 0.0) + took

    for data in logs:
        verdict, checked = verify_checked(data)
        assert verdict.verdict == "clean", verdict
        found = signatures(Log.parse(data))
        bare += best(lambda found=found: check_bare(found))  # type: ignore[misc]
        checks += best(lambda data=data: verify(data))  # type: ignore[misc]
        add("audit", best(lambda data=data: _audit(pack, sha256, data), 2))  # type: ignore[misc]
        parts = Parts(pack.rules, checked)
        decisions += parts.decisions
        for name, part in (
            ("rules", parts.rules), ("reading orders", parts.orders), ("views", parts.look), ("patches", parts.patches),
            ("fingerprint", parts.fingerprints),
        ):  # fmt: skip
            add(name, best(part))
    ratio = checks / bare
    print("Verify")
    _line("bare signatures, a log", f"{1000 * bare / len(logs):.1f} ms")
    _line("verify, a log", f"{1000 * checks / len(logs):.1f} ms")
    _line("verify to bare signatures", f"{ratio:.2f}", f"at most {VERIFY}", ratio <= VERIFY)
    print(f"Replay and audit ({decisions / len(logs):,.0f} decisions a game)")
    for name in ("rules", "reading orders", "views", "patches", "fingerprint"):
        aim = (f"{DECISIONS:,} a second", decisions / seconds[name] >= DECISIONS) if name == "rules" else ("", None)
        _line(f"  {name}", _rate(decisions, seconds[name]), *aim)
    _line("  verify", _rate(decisions, checks))
    seconds["replay"] = seconds["rules"] + seconds["reading orders"]
    _line("replay (rules, from the openings)", _rate(decisions, seconds["replay"]), f"{DECISIONS:,} a second",
          decisions / seconds["replay"] >= DECISIONS)  # fmt: skip
    _line("audit, signatures included", _rate(decisions, seconds["audit"]), f"{DECISIONS:,} a second",
          decisions / seconds["audit"] >= DECISIONS)  # fmt: skip
    rest = seconds["audit"] - checks
    _line("audit, signatures apart", _rate(decisions, rest), f"{DECISIONS:,} a second", decisions / rest >= DECISIONS)


def _touches(pack: GamePack, logs: list[bytes]) -> None:
    asked = [pair for data in logs for pair in Parts(pack.rules, verify_checked(data)[1]).asked]
    found = touched(pack, asked)
    if found is None:
        print("Touches: this game has none")
        return
    print(f"Touches ({found.calls:,} calls at {len(asked):,} questions)")
    _line("an order read and judged, median", f"{1000 * found.floor:.2f} ms")
    _line("what may be touched next, median", f"{1000 * found.median:.2f} ms")
    _line("the slowest", f"{1000 * found.slowest:.1f} ms", f"at most {TOUCH} ms", 1000 * found.slowest <= TOUCH)
    _line("to the floor", f"{found.slowest / found.floor:.1f}", "; ".join(found.draft)[:60])


def _rate(decisions: float, seconds: float) -> str:
    return f"{decisions / seconds:,.0f}/s"


def _audit(pack: GamePack, sha256: str, data: bytes) -> None:
    audited = audit(data, lambda _: (pack.rules, sha256))
    assert audited.verdict.verdict == "clean", audited.verdict


def _host(pack: GamePack, seeds: range) -> None:
    games = [ByMail(pack, {}, seed) for seed in seeds]
    orders = [last_to_first(game.play()) for game in games]
    for what, pairs in (("an order", orders), ("a report", [last_to_first(game.reports) for game in games])):
        ratio = statistics.median(last / first for first, last in pairs)
        print(f"The host, {what} ({len(seeds)} games by mail)")
        for which, took in zip(("first", "last"), zip(*pairs, strict=True), strict=True):
            _line(f"median of the {which} 20", f"{1000 * statistics.median(took):.2f} ms")
        _line("last to first", f"{ratio:.2f}", f"at most {LATE}", ratio <= LATE)
    heard = max(game.heard for game in games)
    _line("memory for what a game's seats heard", f"{heard:,}", f"under {HEARD:,}", heard < HEARD)


def _blocks(logs: list[Log], what: str) -> None:
    found = lengths(logs)
    if not found:
        return
    short, full = ([getattr(one, form) for one in found] for form in ("short", "full"))
    links = [one.link or TOO_LONG for one in found]
    print(f"Signed blocks, in letters ({len(found)} orders of {what})")
    _line("short, median", f"{statistics.median(short):,.0f}", f"at most {MEDIAN}", statistics.median(short) <= MEDIAN)
    _line("short, 95 of 100", f"{share(short, 95):,}", f"at most {MOSTLY}", share(short, 95) <= MOSTLY)
    _line("full, median and 95 of 100", f"{statistics.median(full):,.0f}, {share(full, 95):,}")
    _line("link to mail it, 99 of 100", f"{share(links, 99):,}", f"at most {LINK:,}", share(links, 99) <= LINK)


def _reports(pack: GamePack, data: bytes) -> None:
    took = forms(pack, data)
    drawing = took.get(PNG)
    print("A report (medians over one game)")
    for name, seconds in took.items():
        share = f"{100 * seconds / drawing:.1f} % of the PNG" if drawing else ""
        _line(name, f"{1000 * seconds:.1f} ms", share if name not in (FIRST, PNG) else "")


def _replay(pack: GamePack, data: bytes) -> None:
    found = replayed(pack, data)
    print(f"The replay page of one game ({found.steps} steps)")
    _line("bytes", f"{found.size:,}", f"under {PAGE:,}", found.size < PAGE)
    _line("to its drawings as files", f"1 : {found.apart / found.size:,.0f}")
    _line("made in", f"{found.seconds:.1f} s")
    if found.ready is None:
        _line("ready in Chromium", "not here")
    else:
        _line("ready in Chromium", f"{found.ready} ms", f"under {READY:,} ms", found.ready < READY)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.run", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--mail-games", type=int, default=3)
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pack = find(args.game)
    seeds = range(args.seed, args.seed + args.games)
    begin = time.perf_counter()
    logs, entries, sigs = [], [], []
    for seed in seeds:
        data = play_at_a_table(pack, {}, seed).whole()
        log = Log.parse(data)
        logs.append(data)
        entries.append(len(log.entries))
        sigs.append(len(signatures(log)))
    took = time.perf_counter() - begin
    print(f"{pack.rules.title}: {args.games} games of the sensible players, seeds {seeds.start} to {seeds.stop - 1}")
    print(f"  played and signed in {took:.1f} s; Python {sys.version.split()[0]}")
    _sizes(logs, entries, sigs)
    _speed(pack, logs)
    _blocks(list(recorded(pack.rules.id)), "recorded games")
    _blocks([Log.parse(data) for data in logs[:5]], "five of these")
    _touches(pack, logs)
    _reports(pack, logs[0])
    _replay(pack, logs[0])
    _host(pack, range(args.seed, args.seed + args.mail_games))


if __name__ == "__main__":
    main()
