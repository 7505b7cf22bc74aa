"""Kept seats in a log: the derivations to the byte, what is said of a whole log, and that the second verifier says the same.

`python -m tests.ledger.test_kept` writes the vectors.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import tiny_game

from pbem.games import GamePack
from pbem.kernel import Json
from pbem.ledger import Log, PrivateKey, Verdict, links_down, sha256_hex, verify
from pbem.ledger.kept import MAIL, TERM, are_words, commitment, look_at, mail_digest, top_of, words_of
from pbem.referee.audit import audit
from pbem.referee.table import Table
from pbem.reports.told_kept import told_of_kept
from pbem.reports.verdict_details import Judged
from tests.ledger.verify_mjs import SCRIPT, node_is_new_enough, of_node

PACK = GamePack(tiny_game.GAME, "tiny_game")
PATH = Path(__file__).parent / "data" / "kept.json"
VECTORS = json.loads(PATH.read_text("utf-8")) if PATH.exists() else {}
needs_node = pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")
NODE = """
import { readFileSync } from "node:fs";
import { anchorOf, areWords, commitment, mailDigest, topOf } from "KEPT";
const v = JSON.parse(readFileSync(process.argv[2], "utf8"));
const found = {
  commitments: v.commitments.map(([nonce, seed]) => [nonce, seed, commitment(nonce, seed)]),
  tops: v.tops.map(([seed, game, seat, words]) => {
    const top = topOf(seed, game, seat, words);
    return [seed, game, seat, words, top, anchorOf(top, game, seat)];
  }),
  mails: v.mails.map(([game, salt, parts]) => [game, salt, parts, mailDigest(game, salt, parts)]),
  words: v.words, are_words: v.are_words.map(([text]) => [text, areWords(text)]),
};
console.log(JSON.stringify(found));
"""
SAID = [
    "Sieben kleine Geißlein!", "", "  \n ", "grüße, aus  DUNKELD — 3 Schafe", "ﬁve ½ Ⅳ x²", "e\N{COMBINING ACUTE ACCENT}té",
    "日本語 で。",
    "a" * 199 + " b", "one" + "\N{NO-BREAK SPACE}" * 3 + "two", "Straße İstanbul ŉ", "a.b,c;d", "\N{ZERO WIDTH SPACE}x",
]  # fmt: skip


def vectors() -> dict[str, Any]:
    """Work the vectors out."""
    seed, nonce, game = (sha256_hex(name.encode()) for name in ("seed", "nonce", "game"))
    tops = [(seed, game, "ann", ""), (seed, game, "bob", "sieben kleine geisslein"), (nonce, game, "ann", "日本語 で")]
    mails = [(game, "0" * 32, ["JOIN"]), (game, "0f" * 16, ["the letter", "2\r\n", "Is this from you?", "YES"])]
    texts = [words_of(text) for text in SAID] + ["A", " a", "a  b", "a,b", "a" * 201, "a "]
    chains = [(*one, top_of(*one)) for one in tops]
    return {
        "commitments": [[nonce, seed, commitment(nonce, seed)]],
        "tops": [[*one, links_down(one[1], f"seat:{one[2]}", 4096, one[4], 0)] for one in chains],
        "mails": [
            [g, salt, parts, mail_digest(g, salt, [part.encode() for part in parts])] for g, salt, parts in mails
        ],
        "words": [[text, words_of(text)] for text in SAID],
        "are_words": [[text, are_words(text)] for text in texts],
    }


def a_table(kept: dict[str, str], **more: Any) -> Table:
    """A game of Tiny for three at which these seats are kept."""
    return Table(PACK.rules, PACK.complete({"players": 3, "turns": 2}), "kept", kept=kept, **more)


def played(table: Table) -> Log:
    assert table.play(lambda _seat, view: str(next(iter(PACK.rules.options(view)))))
    return Log.parse(table.whole())


@pytest.fixture(scope="module")
def log() -> Log:
    return played(a_table({"ann": "seven goats", "bob": ""}))


def test_the_vectors_are_as_this_program_works_them_out() -> None:
    assert vectors() == VECTORS


@needs_node
def test_the_second_verifier_works_them_out_alike(tmp_path: Path) -> None:
    asker = tmp_path / "asker.mjs"
    asker.write_text(NODE.replace("KEPT", (SCRIPT.parent / "verify-kept.mjs").as_uri()), "utf-8")
    done = subprocess.run(["node", asker, PATH], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == VECTORS


@pytest.mark.parametrize("said", SAID)
def test_words_have_the_form_that_a_log_asks_for(said: str) -> None:
    assert are_words(words_of(said))
    assert len(words_of(said)) <= 200


def test_what_is_no_letter_brings_nothing_into_the_words() -> None:
    assert words_of("Seven, GOATS.\n") == words_of("«seven»  goats") == "seven goats"
    assert words_of("ﬁve ½") == "five 1 2"


def test_a_log_with_kept_seats_is_clean_and_everything_fits(log: Log) -> None:
    assert verify(log.dump()).verdict == "clean"
    found = look_at(log)
    assert found is not None
    assert (found.seed, found.odd, found.outside) == ("fits", [], ("cat",))
    assert {seat: (one.words, one.chain, one.bound, one.taken) for seat, one in found.seats.items()} == {
        "ann": ("seven goats", "fits", False, 0),
        "bob": ("", "fits", False, 0),
    }
    assert all(one.orders == one.mailed > 1 for one in found.seats.values())


def test_a_game_without_kept_seats_says_nothing_of_them() -> None:
    log = played(a_table({}))
    assert look_at(log) is None
    assert TERM not in log.entries[0].fields["terms"]
    assert not any(name.startswith("x:") for entry in log.entries for name in entry.fields)


def test_before_the_end_nothing_of_the_seed_is_shown(log: Log) -> None:
    found = look_at(Log.parse(log.dump()).cut(log.head[0] - 1))
    assert found is not None
    assert (found.seed, {one.chain for one in found.seats.values()}) == ("not shown", {"not shown"})


def test_a_seat_that_is_taken_over_counts_as_kept_until_then() -> None:
    table = a_table({"ann": "x", "bob": "y"})
    table.rekey("bob", PrivateKey.from_seed(bytes(range(32))))
    log = played(table)
    found = look_at(log)
    assert found is not None
    assert verify(log.dump()).verdict == "clean"
    assert log.entries[found.seats["bob"].taken].k == "rekey"
    assert (found.seats["bob"].orders, found.seats["bob"].chain) == (0, "fits")


def _words(first: Json, entries: list[Json]) -> None:
    entries[1]["x:kept"]["words"] = "eight goats"


def _seed(first: Json, entries: list[Json]) -> None:
    entries[-1]["x:kept"]["seed"] = "1" * 64


def _next(first: Json, entries: list[Json]) -> None:
    entries[1]["say"]["next"] = "1" * 64


def _no_mail(first: Json, entries: list[Json]) -> None:
    for entry in entries:
        entry.pop(MAIL, None)


def _odd_mail(first: Json, entries: list[Json]) -> None:
    next(entry for entry in entries if MAIL in entry)[MAIL] = 7


def _elsewhere(first: Json, entries: list[Json]) -> None:
    entries[4]["x:kept"] = {}


ALTERED = {
    "words": _words,
    "seed": _seed,
    "next": _next,
    "no mail": _no_mail,
    "form of a mail": _odd_mail,
    "elsewhere": _elsewhere,
}


def altered(log: Log, change: Callable[[Json, list[Json]], None]) -> bytes:
    """A log in which a host has written other fields, and signed what follows once more: chain and heads fit again.

    What players signed names heads above, so only the verdict on their signatures is another.
    """
    entries = [deepcopy(entry.fields) for entry in log.entries]
    change(entries[0], entries)
    made = Log()
    for fields in entries:
        made.append({name: value for name, value in fields.items() if name not in ("n", "prev")})
    return made.dump()


@pytest.mark.parametrize("name", ALTERED)
def test_what_does_not_fit_is_said_and_changes_no_verdict(log: Log, name: str) -> None:
    """A host alters words, the seed or `next`. The audit says so."""
    found = look_at(Log.parse(altered(log, ALTERED[name])))
    assert found is not None
    ann = found.seats["ann"]
    assert {
        "words": (found.seed, ann.chain) == ("fits", "differs"),
        "seed": (found.seed, ann.chain) == ("differs", "differs"),
        "next": ann.bound and not found.seats["bob"].bound,
        "no mail": ann.mailed == 0 < ann.orders,
        "form of a mail": len(found.odd) == 1,
        "elsewhere": found.odd == [4],
    }[name]


@pytest.mark.parametrize(
    ("kept", "unbounded"),
    [
        ({}, ()),
        ({"ann": ""}, ()),
        ({"ann": "", "bob": ""}, ("cat",)),
        ({"ann": "", "bob": "", "cat": ""}, ("ann", "bob", "cat")),
    ],
)
def test_dice_could_be_chosen_where_no_other_seat_holds_its_own_key(
    kept: dict[str, str], unbounded: tuple[str, ...]
) -> None:
    """A host and a player try words or keys until the dice please. The audit says “not bounded”."""
    found = look_at(Log.parse(a_table(kept).whole()))
    assert (found.unbounded() if found else ()) == unbounded


def _audited(log: Log) -> Verdict:
    return audit(log.dump(), lambda _id: (PACK.rules, "0" * 64)).verdict


def test_an_audit_says_what_fits_in_words_and_json_and_keeps_its_verdict(log: Log) -> None:
    verdict = _audited(log)
    assert verdict.verdict == "clean"
    assert verdict.to_json()["kept"] == look_at(log).to_json()  # type: ignore[union-attr]
    assert verdict.choices is not None
    assert verdict.choices["cat"] == {"unbounded": 1}
    told = Judged.of(verdict, log.dump(), rules=True).text()
    assert (
        "cat: no other player held a key of his own; choice between dice, together with the host: not bounded." in told
    )
    assert "its dice follow from the words “seven goats”" in told
    assert "its player wrote no words, so the host alone chose its share of the dice" in told
    assert "knew every die" not in told


def test_an_audit_says_that_the_host_knew_every_die_where_all_seats_are_kept() -> None:
    log = Log.parse(a_table({"ann": "", "bob": "", "cat": ""}).whole())
    assert "the host knew every die of this game" in Judged.of(_audited(log), log.dump(), rules=True).text()


def test_an_audit_of_altered_words_says_so_and_changes_no_verdict_by_it(log: Log) -> None:
    others = [_audited(Log.parse(altered(log, change))) for change in (_seed, lambda first, entries: None)]
    told = "\n".join(told_of_kept(look_at(Log.parse(altered(log, _seed))).to_json(), str))  # type: ignore[union-attr]
    assert "is NOT the one that the host fixed" in told
    assert others[0].code == others[1].code


@needs_node
@pytest.mark.slow
def test_the_second_verifier_says_the_same_of_them(tmp_path: Path, log: Log) -> None:
    key = PrivateKey.from_seed(bytes(range(32)))
    table = a_table({"ann": "x", "bob": "y"})
    table.rekey("bob", key)
    files = [log.dump(), played(table).dump(), a_table({"cat": "häßlich"}).whole(), played(a_table({})).dump()]
    for data, said in zip(files, of_node(tmp_path, files), strict=True):
        found = look_at(Log.parse(data))
        assert said["verdict"] in ("in order", "unfinished")
        assert said.get("kept") == (found.to_json() if found else None)


if __name__ == "__main__":
    PATH.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", "utf-8")
