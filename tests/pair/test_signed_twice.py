"""Two turns signed for one place, by two machines or after a lost disk: what was hidden in both stays hidden."""

from __future__ import annotations

from base64 import b64decode
from itertools import pairwise

from pbem.ledger import player_root
from pbem.ledger.pair import Vault
from pbem.ledger.pair.vault import BEGUN, LENGTHS, sealed, secret_of

from .hosted import TINY
from .playing import Couple, at_random, key_of


def _mixed(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def test_two_texts_hidden_in_one_place_do_not_tell_how_they_differ() -> None:
    """After a lost disk or on two machines you sign two turns for one place. No stream or salt serves two texts."""
    vault = Vault("0" * 64, "ann", secret_of(player_root(key_of("twice")), "0" * 64, "ann"))
    texts = ["CARD c1", "CARD c7", "CARD c1"]
    hidden = [b64decode(vault.hide(3, 0, text)) for text in texts]
    assert hidden[0] == hidden[2]
    for (one, text), (two, other) in pairwise(zip(hidden, texts, strict=True)):
        plain = [f'["{said}"]'.encode().ljust(LENGTHS[0]) for said in (text, other)]
        assert _mixed(one[BEGUN:], two[BEGUN:]) != _mixed(*plain)
        same = sum(a == b for a, b in zip(one, two, strict=True))
        assert same < len(one) // 16, "nothing shows where the two are alike"


def test_who_opens_one_of_two_seals_lets_nobody_guess_the_other() -> None:
    """Cards are few: with the salt of the other, everybody could try them all."""
    couple = Couple(TINY, {"players": 2})
    while "seal" not in {act["do"] for act in couple.entries[-1].fields["say"].get("acts", ())}:
        before = list(couple.entries)
        couple.play(at_random(1), most=1)
    seat = couple.entries[-1].fields["by"]
    twin = Couple(TINY, {"players": 2})
    twin.entries = before
    play = twin.again(seat)
    play.turn(twin.keys[seat])
    said = next(act for act in couple.entries[-1].fields["say"]["acts"] if act["do"] == "seal")
    orders = [str(order) for order in play.game.options(play.view)]
    place = (couple.entries[-1].fields["say"]["no"], couple.entries[-1].fields["say"]["acts"].index(said))
    mine = next(text for text in orders if play.vault.sealed(*place, text) == said["d"])
    other = next(text for text in orders if text != mine)
    opened = play.vault.salt(*place, other)
    assert all(_digest(play.vault, place, opened, text) != said["d"] for text in orders)


def _digest(vault: Vault, place: tuple[int, int], salt: str, text: str) -> str:
    return sealed(vault.game, vault.seat, *place, salt, text)
