"""What follows from a seat's secret is the same now as ever, and the same in the second verifier."""

from __future__ import annotations

import base64
import json
import string
import subprocess
from pathlib import Path

import pytest

from pbem.errors import FormError
from pbem.ledger import cj
from pbem.ledger.pair import Vault, vault
from pbem.ledger.pair.vault import BEGUN, LENGTHS
from tests.ledger.verify_mjs import SCRIPT, node_is_new_enough
from tests.pair.vectors import PATH, made

ASKER = """\
import { readFileSync } from "node:fs";
import { drawn, hiddenUnder, hmac, revealed, secretFor } from "OF_TWO";
import { DECK, digestOfBelow, hashed } from "DECK_FILE";
import { cj, bytesOfNumber, encoded, decoded, sha256, times } from "BASICS";

const v = JSON.parse(readFileSync(process.argv[2]));
const { game, seat, secret } = v;
const text = (bytes) => bytes.toString("base64").slice(0, 43);
const B = decoded(Buffer.from(`58${"66".repeat(31)}`, "hex"));
const below = (no) => digestOfBelow(game, no, v.cards.map((name) => hashed(DECK, "card", game, no, name)));
const half = drawn(secret, "pbem-peer/2", "mix", game, seat);
const links = [secretFor(secret, "top")];
for (let i = 4096; i > 0; i--) links.push(sha256(`pbem-link/1 ${game} seat:${seat} ${i} ${links.at(-1)}`));
const common = encoded(times(half, decoded(Buffer.from(v.mix_of_other, "base64")))).toString("hex");
const handKey = (t, a) => hmac(common, ["pbem-peer/2", "hand", game, seat, t, a]).toString("hex");
const saltOf = (t, a, text) => secretFor(secret, "salt", t, a, text).slice(0, 32);
const hidden = (keyOf) => (one) => {
  const key = keyOf(one.turn, one.act);
  return { ...one, value: revealed(key, one.c), c: hiddenUnder(key, one.value) };
};
const shares = { pub: (e) => sha256(e.links.map((link) => link[2]).join("")), "priv:ann": (e) => secretFor(secret, "priv", e.i) };
console.log(JSON.stringify({
  ...v,
  bound: sha256(cj(["pbem-peer/2", "bound", game, seat, secret])), top: links[0], anchor: links[4096], link_5: links[4091],
  mix: text(encoded(times(half, B))),
  decks: v.decks.map(({ no }) => {
    const own = secretFor(secret, "deck", no);
    return { no, secret: own, number: text(bytesOfNumber(drawn(own, DECK, "key", game, no, seat, below(no)))) };
  }),
  private_2: secretFor(secret, "priv", 2),
  salts: v.salts.map(({ turn, act, text }) => ({ turn, act, text, salt: saltOf(turn, act, text) })),
  seal: { ...v.seal, d: sha256(cj(["seal", game, seat, 12, "act3", saltOf(12, 3, v.seal.text), v.seal.text])) },
  own: v.own.map(hidden((t, a) => secretFor(secret, "own", t, a))),
  hand: v.hand.map(hidden(handKey)),
  kept: { ...v.kept, c: hiddenUnder(v.kept.root_secret, secret) },
  events: v.events.map((e) => ({ ...e, key: hmac(shares[e.label](e), ["rand", game, e.label, e.i, e.links]).toString("hex") })),
}));
"""


def test_they_are_what_the_program_reckons() -> None:
    assert json.loads(PATH.read_text("utf-8")) == made()


def test_what_is_hidden_can_be_read_by_whom_it_is_for() -> None:
    known = made()
    ann = Vault(known["game"], known["seat"], known["secret"])
    assert [ann.read(one["turn"], one["act"], one["c"]) for one in known["own"]] == [
        one["value"] for one in known["own"]
    ]


@pytest.mark.parametrize("value", ["GO", "x" * 1000, "x" * 5000, "x" * 9000])
def test_what_is_hidden_is_read_in_one_form_alone(value: str) -> None:
    known = made()
    ann = Vault(known["game"], known["seat"], known["secret"])
    text = ann.hide(1, 0, value)
    data = base64.b64decode(text)
    assert ann.read(1, 0, text) == value
    others = [
        bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]]) for at in (0, BEGUN - 1, BEGUN, BEGUN + 2, len(data) - 1)
    ]
    wrong = [base64.b64encode(other).decode() for other in (*others, data[:-1], data + b" ")]
    if text.endswith("="):  # bits that no byte has
        letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
        wrong.append(f"{text[:-2]}{letters[letters.index(text[-2]) + 1]}=")
        assert base64.b64decode(wrong[-1]) == data
    key, plain = ann._hmac("own", 1, 0), cj([value])
    for filled in (
        plain.ljust(LENGTHS[-1] if len(value) < 9000 else LENGTHS[-1] + 1),
        plain.replace(b"]", b" ]").ljust(len(data) - BEGUN),
    ):
        begun = vault._begun(key, filled)
        wrong.append(base64.b64encode(begun + vault._mixed(key, begun, filled)).decode())
    for other in wrong:
        with pytest.raises(FormError):
            ann.read(1, 0, other)


@pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")
def test_the_second_verifier_reckons_them_alike(tmp_path: Path) -> None:
    asker = tmp_path / "asker.mjs"
    places = {"OF_TWO": "verify-of-two.mjs", "BASICS": "verify-basics.mjs", "DECK_FILE": "verify-deck.mjs"}
    text = ASKER
    for name, file in places.items():
        text = text.replace(f'"{name}"', f'"{(SCRIPT.parent / file).as_uri()}"')
    asker.write_text(text, "utf-8")
    done = subprocess.run(["node", asker, PATH], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == json.loads(PATH.read_text("utf-8"))
