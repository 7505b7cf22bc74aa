"""Games of two in which one seat lies once: what single secrets show of it."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pbem.errors import Fault, PbemError
from pbem.games import GamePack
from pbem.kernel import Json
from pbem.ledger import Entry, Verdict, read_line
from pbem.ledger.pair import Vault
from pbem.ledger.pair.papers import Papers, common_paper, secret_paper
from pbem.referee.pair import PairPlay, audit_pair

from .cheating import Scene

Act = dict[str, Any]


def by_secret(pack: GamePack, log: bytes, vault: Vault) -> Verdict:
    """The audit of who has a log and one seat's secret."""
    return audit_pair(log, lambda _rules: pack.knowing, papers=Papers.of(secret_paper(vault)))


def by_common_key(pack: GamePack, log: bytes, play: PairPlay) -> Verdict:
    return audit_pair(log, lambda _rules: pack.knowing, papers=Papers.of(common_paper(play.vault, play.course)))


def blames(verdict: Verdict) -> str | None:
    """The party that a verdict blames."""
    assert (verdict.verdict == "fault") == (verdict.party is not None), verdict
    return verdict.party


def changed(value: Json, chance: random.Random) -> Json:
    """A value with something in it changed, left out or added."""
    if isinstance(value, dict) and value:
        key = chance.choice(sorted(value))
        made = dict(value)
        match chance.randrange(6):
            case 0:
                del made[key]
            case 1:
                made[key] = None
            case _:
                made[key] = changed(value[key], chance)
        return made
    if isinstance(value, list) and value and chance.random() < 0.8:
        i = chance.randrange(len(value))
        return [*value[:i], *([] if chance.random() < 0.2 else [changed(value[i], chance)]), *value[i + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 2))
    return chance.choice(["x", None, 3, [], {"more": 1}])


@dataclass
class Lie:
    """A scene at an honest turn, and the turn with one act bent in its place."""

    scene: Scene
    entry: Entry
    do: str


def bent(scene: Scene, do: str, chance: random.Random) -> Entry:
    """Sign the turn with the wanted act changed."""
    act, vault, no, i = copy.deepcopy(scene.act), scene.cheat.vault, scene.no, scene.index
    mix = scene.cheat.course.seats[scene.honest.seat].mix
    match do:
        case "seal" | "pledge":
            text = chance.choice([str(vault.read(no, i, act["c"])).lower(), "NOTHING", "PASS", "RAID"])
            act |= {"d": vault.sealed(no, i, text), "c": vault.hide(no, i, text)}
        case "order":
            act["text"] = chance.choice([act["text"].lower(), "PASS", "GO", f"{act['text']}\nGO"])
        case "part":
            act["part"] = changed(act["part"], chance)
        case "over":
            act["result"] = changed(act["result"], chance)
        case "tell" if chance.random() < 0.4:
            whole: Json = {"facts": [*range(len(act["facts"]))], "view": {}}
            if "hand" in act:
                whole = vault.read_hand(mix, scene.seat, no, i, act["hand"])
            act["hand"] = vault.hand(mix, no, i, changed(whole, chance))
        case "tell":
            field = chance.choice(("facts", "view"))
            act[field] = changed(act[field], chance)
    acts = scene.acts
    acts[i] = act
    match chance.randrange(8):
        case 0:  # something is left out
            return scene.sign([*acts[:i], *acts[i + 1 :]])
        case 1:  # or said twice
            return scene.sign([*scene.acts, act])
    return scene.sign(acts)


def lies(pack: GamePack, options: Json, seeds: range) -> Iterator[Lie]:
    """Go through games; in each, a seat lies at some turn."""
    for seed in seeds:
        chance = random.Random(f"lie {pack.rules.id} {seed}")
        do = chance.choice(("tell", "tell", "part", "seal", "order", "over"))
        skip = chance.randrange(12)
        left = [skip]

        def wanted(_scene: Scene, left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] < 0

        try:
            scene = Scene(pack, options, do, wanted, seed)
            yield Lie(scene, bent(scene, do, chance), do)
        except (LookupError, PbemError):
            continue


def after(lie: Lie, turns: int = 4) -> Iterator[tuple[bytes, PairPlay]]:
    """The log with the lie, and as it goes on where the other's program believes it; with each, the honest seat's play before."""
    scene = lie.scene
    yield scene.log(lie.entry), scene.honest
    couple, honest, entries = scene.couple, scene.honest, [*scene.couple.entries, lie.entry]
    try:
        honest.take_entry(lie.entry)
        while turns and honest.course.baton == honest.seat and not honest.course.is_over:
            made = honest.turn(couple.keys[honest.seat]) or honest.turn(
                couple.keys[honest.seat], scene.answer(couple.pack.rules, honest.view)
            )
            entries += made
            yield b"".join(entry.line + b"\n" for entry in entries), honest
            for entry in made:
                scene.cheat.take_entry(entry)
            more = scene.cheat.turn(couple.keys[scene.seat]) or scene.cheat.turn(
                couple.keys[scene.seat], scene.answer(couple.pack.rules, scene.cheat.view)
            )
            entries += more
            yield b"".join(entry.line + b"\n" for entry in entries), honest
            for entry in more:
                honest.take_entry(entry)
            turns -= 1
    except (Fault, PbemError):
        return


def lines(log: bytes) -> list[Any]:
    return [read_line(line) for line in log.splitlines()]
