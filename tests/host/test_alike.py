"""Names that look like others: two alphabets in one word, and letters that nobody sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.i18n.alike import odd_letters, seen
from pbem.i18n.visible import in_a_line, visible

from .club_by_mail import Host


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    made = Host(tmp_path)
    made.member("ann")
    made.member("asa")
    yield made
    made.office.close()


@pytest.mark.variants
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("\u0410nn", "CYRILLIC CAPITAL LETTER A"),
        ("Ann\u0430", "CYRILLIC SMALL LETTER A"),
        ("\u0391nn", "GREEK CAPITAL LETTER ALPHA"),
        ("An\u3164n", "HANGUL JUNGSEONG FILLER"),
        ("An\u200bn", "is called"),
        ("An\u00adn", "is called"),
        ("\u0410\u0455\u0430", "is called"),  # all of it is Cyrillic, and looks like Asa
        ("A\u0301nn", "is called"),
    ],
)
def test_a_name_that_looks_like_another_one_is_refused(host: Host, name: str, why: str) -> None:
    """A Cyrillic А or an invisible letter; the refusal names it."""
    assert "asked" not in host.write("eve", f"REGISTER {name}")
    (told,) = host.texts("eve")
    assert why in told


@pytest.mark.parametrize("name", ["\u0410\u043d\u043d\u0430", "Zo\u00eb", "\u0395\u03bb\u03ad\u03bd\u03b7", "O'Neil"])
def test_a_name_in_one_alphabet_is_taken(host: Host, name: str) -> None:
    assert host.write("eve", f"REGISTER {name}") == "asked: whether a stranger wants to be a member"


def test_letters_that_show_nothing_are_shown_in_a_line() -> None:
    """In a title or a name, where two would look the same; a text of several lines stays as it is."""
    for letter in "\u200b\u3164\u2060\ufeff\u00ad\U000e0041":
        assert in_a_line(f"An{letter}n") == f"An\\u{{{ord(letter):x}}}n"
    assert in_a_line("a\u200db") == "a\u200db", "it joins letters of some languages"
    assert visible("so\u00adft\nAn") == "so\u00adft\nAn"
    assert odd_letters("\u041c\u0430\u0440\u0438\u044f") == []
    assert seen("\u041c\u0430x") == seen("Max")
