"""Words of orders in other languages: each order can be written with them, and none of them is a name or a word of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pbem.games import find
from pbem.games.hammer.rules.said import typed
from pbem.games.swords.reading import _FRENCH, _FRENCH_COLOURS, _FRENCH_ICONS
from pbem.host.answers import AskedByMail, read_answer
from pbem.host.order_words import strings
from pbem.i18n import _, speaking
from pbem.i18n.alike import seen
from tests.game_words import names

from .questions import a_list, answered

GAMES = ("hammer", "lords", "swords")
LANGUAGE = "fr"
_WORD = re.compile(r"[^\W\d_]+")


def words_of(game: str) -> dict[str, str]:
    """The words of orders in French, each with ours."""
    return {seen(word): english for word, english in find(game).look.order_words[LANGUAGE].items()}


def named(game: str) -> Iterator[str]:
    """All that a game calls by a name: in its data and in what its seats see, in English and in French."""
    own = {text for one in answered(game, 1, 60) for text in strings(one.view) if text[:1].isupper()}
    french = {"swords": (*_FRENCH, *_FRENCH_COLOURS, *_FRENCH_ICONS), "hammer": typed(own)}.get(game, ())
    with speaking(LANGUAGE):
        for name in {*own, *names(find(game)), *french}:
            yield from (name, _(name))


@pytest.mark.parametrize("game", GAMES)
def test_no_french_word_of_orders_is_a_name_of_the_game_or_a_word_of_one(game: str) -> None:
    """But where it is the whole name, and the English name is the word that it stands for: HÉRAUT is HERALD, Héraut is Herald."""
    of_names = {seen(word) for name in named(game) for word in _WORD.findall(name)}
    with speaking(LANGUAGE):
        same = {french for french, english in words_of(game).items() if seen(_(english.capitalize())) == french}
    assert of_names & words_of(game).keys() <= same


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "card"), [("HERALD", "Héraut"), ("TRUCE", "trêve"), ("TRUCE", "TRÈVE")])
def test_a_card_and_its_order_have_one_word_in_french(verb: str, card: str) -> None:
    """The French rule book calls card and order alike, as the English one does; accents do not matter."""
    ours = f"CARD {verb.capitalize()}"
    for seed in (1, 2, 3):
        for one in answered("hammer", seed):
            if one.order == ours:
                asked = AskedByMail(one.pack, one.view, a_list(one), LANGUAGE)
                assert read_answer(f"Bonjour,\n\ncarte {card}\n\nAnne", asked).order == ours
                return
    pytest.skip(f"nobody plays {ours} in these games")


@pytest.mark.parametrize("game", GAMES)
def test_no_french_word_of_orders_is_an_english_one_of_another_meaning(game: str) -> None:
    french = words_of(game)
    assert all(french[word] == word for word in french.keys() & set(french.values()))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_each_order_can_be_written_with_french_words_in_full(game: str) -> None:
    french = {english: word for word, english in find(game).look.order_words[LANGUAGE].items()}
    told = set()
    for one in answered(game, 1, 40)[::2]:
        used = set(re.findall(r"\b[A-Z]{2,}\b", one.order)) & french.keys()
        said = re.sub(r"\b[A-Z]{2,}\b", lambda word: french.get(word[0], word[0]), one.order)
        asked = AskedByMail(one.pack, one.view, a_list(one), LANGUAGE)
        assert read_answer(f"Bonjour,\n\n{said}\n\nAnne", asked).order == one.order
        assert read_answer(one.order, asked).order == one.order, "English counts as well"
        told |= used
        if used and said.split()[0] != one.order.split()[0]:
            cut = read_answer(said[:3] + said[len(said.split()[0]) :], asked)
            assert cut.order in ("", one.order), "a French word that is cut short is none"
    assert len(told) > 1, told


def test_french_words_count_for_seats_that_read_french_alone() -> None:
    one = next(one for one in answered("lords", 1, 60) if one.order.startswith("RECRUIT"))
    said = one.order.replace("RECRUIT", "RECRUTER")
    assert read_answer(said, AskedByMail(one.pack, one.view, a_list(one), LANGUAGE)).order == one.order
    assert not read_answer(said, AskedByMail(one.pack, one.view, a_list(one))).order


@pytest.mark.parametrize(
    "own", ["Rien", "Rien !", "rien à dire", "Je passe", "Passer me voir ?", "Oui", "Non", "Terminé !", "Tous en avant"]
)
def test_what_french_people_say_besides_orders_nothing(own: str) -> None:
    for game in GAMES:
        for one in answered(game, 1, 60)[::4]:
            assert not read_answer(own, AskedByMail(one.pack, one.view, a_list(one), LANGUAGE)).order
