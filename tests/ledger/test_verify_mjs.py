"""`examples/verify.mjs`, a second implementation in plain Node, finds the same entry, code and party in every file, good or bad.

Files are compared by hundreds, so that Node starts seldom. `PBEM_MUTANTS` says how many mutants there are; `make fuzz` takes
10,000.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.ledger import Log, cj, redact, sha256_hex, verify
from pbem.referee import signed_head
from tests.attacks import (
    ahead,
    another_host,
    other_rules,
    rekey,
    replace,
    takeback,
    talk,
)
from tests.attacks.forger import Forger
from tests.attacks.misdeeds import AT_ONCE, BY_THE_RULES, Misdeed
from tests.attacks.recorded import SCRIPTS, a_log
from tests.attacks.samples import recorded
from tests.ledger.builder import Table, long_game, short_game
from tests.ledger.decided import DECIDED, bytes_of
from tests.ledger.edges import PATH as EDGES
from tests.ledger.files import DATA, SAMPLES, bad, bad_index, sample
from tests.ledger.mutants import Mending, bases, items_of, mutants
from tests.ledger.verify import eventful_game
from tests.ledger.verify_mjs import AT_A_TIME, SCRIPT, node_is_new_enough, of_node, run, said

MUTANTS = int(os.environ.get("PBEM_MUTANTS", "300"))


pytestmark = pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")


def differences(tmp_path: Path, files: Mapping[str, bytes]) -> dict[str, tuple[Any, Any]]:
    """The files of which the two programs say different things, and what."""
    found = of_node(tmp_path, list(files.values()))
    both = {
        name: (said(verify(data)), tuple(other[field] for field in ("verdict", "entry", "code", "party", "head")))
        for (name, data), other in zip(files.items(), found, strict=True)
    }
    return {name: (ours, theirs) for name, (ours, theirs) in both.items() if ours != theirs}


# --- files that lie there ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_samples_and_bad_files_of_others(tmp_path: Path) -> None:
    files = {str(path.relative_to(DATA)): path.read_bytes() for path in sorted(DATA.rglob("*.pbem"))}
    assert len(files) == 75 + 9 + 11
    assert differences(tmp_path, files) == {}


@pytest.mark.parametrize("case", bad_index("verify")[::7], ids=lambda case: case["file"].removesuffix(".pbem"))
def test_what_is_wrong_is_said_and_the_exit_tells(tmp_path: Path, case: dict[str, Any]) -> None:
    code, verdict = run(tmp_path, bad(case["file"]))
    assert (code, verdict["entry"], verdict["code"], verdict["party"]) == (
        1, case["expect_entry"], case["code"], case["party"],
    )  # fmt: skip
    assert verdict["reason"]


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_in_order_is_not_called_clean(tmp_path: Path, name: str) -> None:
    code, verdict = run(tmp_path, sample(name))
    assert (code, verdict["verdict"]) == (0, "unfinished" if name == "trio_ann_mid" else "in order")
    assert "signed and in order" in verdict["reason"]
    assert "rules not judged" in verdict["reason"]
    assert "clean" not in json.dumps(verdict)


@pytest.mark.parametrize("owner", ["ann", "bob", "host"])
def test_whose_copy_a_file_is_can_be_said(tmp_path: Path, owner: str) -> None:
    _, verdict = run(tmp_path, sample("trio_ann_mid"), "--seat", owner)
    ours = verify(sample("trio_ann_mid"), owner)
    assert (verdict["entry"], verdict["code"], verdict["party"]) == (ours.entry, ours.code, ours.party)


def test_a_file_that_is_not_there_is_no_verdict(tmp_path: Path) -> None:
    done = subprocess.run(["node", SCRIPT, tmp_path / "none"], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.slow
def test_another_format_is_not_judged(tmp_path: Path) -> None:
    data = short_game().dump()
    for proto in (
        "pbem-log/0",
        "pbem-log/2",
        "pbem-log/2-rc",
        "pbem-log/1-rc",
        "pbem-log/11",
        "pbem-log/1-rcs",
        "pbem-peer/2-rc",
        "pbem-log/x",
        "pbem",
    ):
        line = data.split(b"\n")[0].replace(b"pbem-log/1", proto.encode()) + b"\n"
        assert differences(tmp_path, {proto: line}) == {}
    for other in (b"pbem-log/0", b"pbem-log/2"):
        line = data.split(b"\n")[0].replace(b"pbem-log/1", other) + b"\n"
        code, verdict = run(tmp_path, line)
        assert (code, verdict["verdict"]) == (1, "cannot_judge")


# --- signatures -------------------------------------------------------------------------------------------------------


def test_the_edge_of_keys_and_signatures_is_the_same(tmp_path: Path) -> None:
    """The table of the format page: which keys may be used, and which signatures count."""
    asker = tmp_path / "edge.mjs"
    asker.write_text(
        f'import {{ isSigned, isUsable }} from "{SCRIPT.as_uri()}";\n'
        'import { readFileSync } from "node:fs";\n'
        "const cases = JSON.parse(readFileSync(process.argv[2]));\n"
        "const asked = cases.map((c) => [isUsable(c.key), isSigned(c.key, c.namespace, c.message, c.sig)]);\n"
        "console.log(JSON.stringify(asked));\n"
    )
    done = subprocess.run(["node", asker, EDGES], check=True, capture_output=True, text=True)
    cases = json.loads(EDGES.read_text("utf-8"))
    answers = {case["name"]: tuple(answer) for case, answer in zip(cases, json.loads(done.stdout), strict=True)}
    assert answers == {case["name"]: (case["usable"], case["counts"]) for case in cases}


# --- our own games and misdeeds ---------------------------------------------------------------------------------------


def of_everybody(name: str, log: Log) -> dict[str, bytes]:
    """The whole file, and what each seat holds of it."""
    seats = log.entries[0].fields["seats"]
    return {f"{name}, whole": log.dump()} | {f"{name}, {seat}": redact(log, seat).dump() for seat in seats}


@pytest.mark.slow
def test_our_own_games_are_in_order(tmp_path: Path) -> None:
    logs = {"eventful": eventful_game().end(), "long": long_game(5)}
    logs |= {name: Log.parse(game.whole) for name, game in recorded().items()}
    logs |= {name: Log.parse(a_log(name).whole) for name in SCRIPTS}
    files = {name: data for game, log in logs.items() for name, data in of_everybody(game, log).items()}
    assert differences(tmp_path, files) == {}
    assert {verdict["verdict"] for verdict in of_node(tmp_path, list(files.values()))} == {"in order", "unfinished"}


def mounted(game: str, book: list[Misdeed]) -> Iterator[tuple[str, bytes]]:
    """Every misdeed of a book on a game, as the host writes it down and as each seat is told."""
    for misdeed in book:
        if misdeed.needs not in SCRIPTS[game].lacks:
            f = Forger(a_log(game), whole=misdeed.at_the_end)
            found = misdeed.mount(f)
            f.cut(found)
            yield from of_everybody(str(misdeed), f.write().tidy()).items()


@pytest.mark.slow
@pytest.mark.parametrize("book", [AT_ONCE, BY_THE_RULES], ids=["at once", "by the rules"])
@pytest.mark.parametrize("game", SCRIPTS)
def test_the_misdeeds_of_a_host_are_found_alike(tmp_path: Path, game: str, book: list[Misdeed]) -> None:
    files = dict(mounted(game, book))
    assert len(files) > 10
    assert differences(tmp_path, files) == {}


@pytest.mark.slow
@pytest.mark.parametrize("of", [another_host, other_rules, rekey, replace, takeback], ids=lambda of: of.__name__)
def test_misdeeds_with_what_is_said_are_found_alike(tmp_path: Path, of: Any) -> None:
    files: dict[str, bytes] = {}
    for mounts in of.CODES.values():
        for mount in mounts:
            f = Forger(of.a_game())
            f.cut(mount(f))
            files |= of_everybody(mount.__name__, f.write().tidy())
    assert differences(tmp_path, files) == {}


@pytest.mark.slow
def test_misdeeds_with_talk_and_orders_sent_ahead_are_found_alike(tmp_path: Path) -> None:
    files: dict[str, bytes] = {}
    mounts: list[tuple[Callable[..., Any], Any]] = [
        *((mount, talk.a_talk) for mounts in talk.AT_ONCE.values() for mount in mounts),
        *((mount, ahead.a_game) for mount in ahead.AT_ONCE),
    ]
    for mount, game in mounts:
        f = Forger(game())
        found = mount(f)
        f.cut(found[0] if isinstance(found, tuple) else found)
        files |= of_everybody(mount.__name__, f.write().tidy())
    assert differences(tmp_path, files) == {}


@pytest.mark.slow
def test_what_was_decided_is_found_alike(tmp_path: Path) -> None:
    files = {name: bytes_of(row.misdeed()[0]) for name, row in DECIDED.items()}
    files |= {f"{name}, honest": bytes_of(row.twin()[0]) for name, row in DECIDED.items()}
    assert differences(tmp_path, files) == {}


# --- mutants ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_logs_that_are_changed_are_good_and_are_mended_as_they_were(tmp_path: Path) -> None:
    """Else a mutant would show its mending and not its change."""
    good = {name: base.data for name, base in bases().items()}
    assert {name: Mending(base.ring).write(items_of(base.data)) for name, base in bases().items()} == good
    assert differences(tmp_path, good) == {}
    assert {verify(data).verdict for data in good.values()} == {"clean", "unfinished"}


@pytest.mark.slow
def test_mutants_are_found_alike(tmp_path: Path) -> None:
    found: dict[str, Any] = {}
    batch: dict[str, bytes] = {}
    for no, mutant in enumerate(mutants(MUTANTS), 1):
        batch[mutant.name] = mutant.data
        if no % AT_A_TIME == 0 or no == MUTANTS:
            found |= differences(tmp_path, batch)
            batch = {}
    assert found == {}


@pytest.mark.slow
def test_flipped_bits_are_found_alike(tmp_path: Path) -> None:
    data, chance, files = sample("trio"), random.Random(1), {}
    for _ in range(100):
        at, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        files[f"byte {at}, bit {bit}"] = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
    assert differences(tmp_path, files) == {}


# --- what the mutants showed ------------------------------------------------------------------------------------------


def with_line(log: Log, n: int, change: Callable[[bytes], bytes], key: Any) -> bytes:
    """A log up to entry n, which is changed and then covered by a head."""
    entry = log.entries[n]
    above = [line.line for line in log.lines[: log.lines.index(entry)]]
    line = change(entry.line)
    head = signed_head(key, log.game, n, sha256_hex(line))
    return b"".join(one + b"\n" for one in (*above, line, cj(head)))


def test_a_field_that_changes_no_verdict_changes_none(tmp_path: Path) -> None:
    """A free field that ends as a signature does made of a good signature a bad one."""
    table = Table(("ann",)).begin()
    table.tell()
    table.ask("ann")
    order = table.order("ann", "GO")
    extra = cj({"x:a": {"a": 1, "sig": "A" * 87}})
    data = with_line(table.log, order.n, lambda line: line[:-1] + b"," + extra[1:], table.host)
    assert verify(data).verdict == "unfinished"
    assert differences(tmp_path, {"extra": data}) == {}


def test_who_answers_for_a_line_that_is_none(tmp_path: Path) -> None:
    """What stands below it is read as everywhere: canonical JSON, or it is no entry and no head."""
    table = Table().begin()
    table.tell()
    table.ask("ann")
    log, n = table.log, table.log.head[0]
    spaced = with_line(log, n, lambda line: line.replace(b":", b": ", 1), table.host)
    files = {
        "covered": spaced,
        "not covered": spaced.rsplit(b"\n", 2)[0] + b"\n",
        "head with a space": spaced.replace(b'["head",', b'["head", '),
        "an entry between that does not fit": _between(spaced, cj({"k": "ask", "prev": "0" * 64})),
        "an entry between that is none": _between(spaced, b'{"k":"host" }'),
        "another host between": _between(spaced, cj({"k": "host"})),
        "entry 0": with_line(log, 0, lambda line: line.replace(b":", b": ", 1), table.host),
    }
    assert differences(tmp_path, files) == {}
    blamed = {name: verify(data).party for name, data in files.items()}
    assert blamed["covered"] == blamed["an entry between that does not fit"] == "host"
    assert blamed["not covered"] == blamed["another host between"] == blamed["entry 0"] == "supplier"


def _between(data: bytes, line: bytes) -> bytes:
    above, _, last = data[:-1].rpartition(b"\n")
    return b"\n".join([above, line, last, b""])


# --- files that would make their reader work --------------------------------------------------------------------------


def hostile() -> dict[str, bytes]:
    """Files that ask for more than the format allows."""
    table = Table(("ann",)).begin()
    game, prev = table.log.game, table.log.head[1]
    n = len(table.log.entries)

    def entry(**fields: Any) -> bytes:
        line = cj({"n": n, "prev": prev, **fields})
        head = cj(signed_head(table.host, game, n, sha256_hex(line)))
        return table.log.dump() + line + b"\n" + head + b"\n"

    rand = {"k": "rand", "chain": "pub", "i": 1, "x": "0" * 64, "res": []}
    host = {"k": "host", "at": "2030-01-02T00:00:00Z", "key": table.host.key_line, "chains": {}, "deals": "0" * 64}
    roll = {"op": "roll", "n": 65_536, "sides": 6}
    return {
        "forty times 65,536 dice": entry(**rand, req=[roll] * 40),
        "a link of a giant number": entry(**{**rand, "i": 2**53 - 1}, req=[{**roll, "n": 1}]),
        "a giant mark": entry(**host, mark=2**53 - 1, seen=[1, "0" * 64], agreed=[1]),
        "a great mark": entry(**host, mark=10**6, seen=[0, game], agreed=[1, 2]),
        "having seen a giant entry": entry(**host, mark=4, seen=[2**53 - 1, "0" * 64], agreed=[1]),
        "deep": table.log.dump() + b'{"k":' + b"[" * 65_000 + b"\n",
        "deep attachment": table.log.dump() + b"[" * 65_536 + b"\n",
        "deep behind texts": table.log.dump() + b'{"a":"}","b":' * 17 + b"1" + b',"c":"{"}' * 17 + b"\n",
        "long": table.log.dump() + b'"' + b"a" * 10**6 + b'"\n',
        "a number of many digits": table.log.dump() + b'{"n":' + b"9" * 65_000 + b"}\n",
        "many names": entry(k="tell", pub={"facts": [], "view": {}}, opens=["0" * 64] * 900, links=[], rolls=[], seals={}),
    }  # fmt: skip


def test_files_that_ask_for_too_much_are_refused_alike(tmp_path: Path) -> None:
    files = hostile()
    assert differences(tmp_path, files) == {}
    assert {verify(data).verdict for data in files.values()} == {"fault"}
