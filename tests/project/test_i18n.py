"""Languages: every message has its translation, every one can be found, and nothing but text follows the language."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from pbem.i18n import UnknownLanguage, _, _n, catalogues, languages, moments, speaking, spoken
from tests.project.source import ROOT, Module, modules

EXAMPLES = Path("examples").resolve()
PARTS = [part for games in (None, EXAMPLES) for part in catalogues.parts(games)]
template = cache(catalogues.Domain.template)
"""The messages of a part; they are gathered when a test first asks, not when tests are."""


@pytest.mark.variants
@pytest.mark.parametrize("language", languages()[1:])
@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part.package.name}-{part.name}")
def test_every_message_is_translated_with_its_values(part: catalogues.Domain, language: str) -> None:
    catalogue = part.update(language, template(part))
    if not len(catalogue):
        assert not part.po(language).exists()
        return
    assert list(catalogues.faults(catalogue)) == []
    place = part.po(language)
    assert place.read_bytes() == catalogues.po_bytes(catalogue), "make words"
    assert catalogues.says_the_same(place.with_suffix(".mo").read_bytes(), catalogues.mo_bytes(catalogue)), "make words"


@pytest.mark.parametrize("language", languages()[1:])
def test_a_message_is_told_alike_wherever_it_stands(language: str) -> None:
    told: dict[str, set[str]] = {}
    for po in (part.po(language) for part in PARTS if part.po(language).exists()):
        for message in read_po(BytesIO(po.read_bytes())):
            told.setdefault(str(message.id), set()).add(str(message.string))
    assert {message: found for message, found in told.items() if len(found) > 1 and message} == {}


def test_compiled_catalogues_are_compared_by_what_they_say() -> None:
    catalogue = Catalog("fr")
    catalogue.add("Your hand", "Votre main")
    catalogue.add(("{n} block", "{n} blocks"), ("{n} bloc", "{n} blocs"))
    compiled = catalogues.mo_bytes(catalogue)
    assert catalogues.says_the_same(compiled, compiled.replace(b"Generated-By: Babel", b"Generated-By: Bebel"))
    assert not catalogues.says_the_same(compiled, compiled.replace(b"Votre main", b"Votre pain"))


def test_the_blank_before_a_french_sign_does_not_break() -> None:
    assert (
        catalogues.typeset("fr", "Quelle carte ? « Move 2 » : {n}.")
        == "Quelle carte\u00a0? «\u00a0Move 2\u00a0»\u00a0: {n}."
    )
    assert catalogues.typeset("fr", "MOVE Fife: Wallace > Mar") == "MOVE Fife: Wallace > Mar"
    assert catalogues.typeset("de", "Quelle carte ?") == "Quelle carte ?"


@pytest.mark.slow
def test_no_catalogue_is_left_of_a_part_that_is_gone() -> None:
    kept = {part.po(language) for part in PARTS if len(template(part)) for language in languages()[1:]}
    found = {po for package in {part.package for part in PARTS} for po in (package / "i18n").glob("*/*.po")}
    assert found == kept


def saying() -> list[Module]:
    """Return the modules that may say something in somebody's language."""
    return [module for module in modules() if not module.name.startswith("pbem.i18n")]


@pytest.mark.slow
def test_messages_can_be_gathered() -> None:
    gathered = {
        text
        for part in PARTS
        for message in template(part)
        for text in ((message.id,) if isinstance(message.id, str) else message.id)
    }
    inside = [
        f"{module.shown}:{call.lineno}"
        for module in saying()
        for text in ast.walk(module.tree)
        if isinstance(text, ast.JoinedStr)
        for call in _calls(text)
    ]
    assert not inside, "no message is found inside an f-string"
    for module in saying():
        calls, where = _calls(module.tree), module.shown
        for call in calls:
            glued = isinstance(call.args[0], ast.JoinedStr | ast.BinOp)
            assert not glued, f"{where}:{call.lineno}: a message is one text, its values stand in braces"
        said = {arg.value for call in calls for arg in call.args if isinstance(arg, ast.Constant)}
        lost = {text for text in said if isinstance(text, str)} - gathered
        assert not lost, (
            f"{where}: {lost}: none is found in a call that is itself in a call's brackets inside a message"
        )


WHY = {
    "Refusal": 0,
    "Problem": 2,
    **dict.fromkeys(("UsageError", "FormError", "KeyFileError", "WorldError", "NotTaken"), 0),
}
"""Where the sentence stands that a person reads."""
BARE = (
    "pbem.ledger.stream",
    "pbem.ledger.chains",
    "pbem.releasing",
    "pbem.page.build",
    "pbem.page.parts",
    "pbem.page.modules",
)
"""Only a program's own fault raises theirs, or only who maintains it reads them."""


@pytest.mark.slow
def test_why_not_is_a_message() -> None:
    raw = []
    for module in saying():
        for call in [] if module.name.startswith(BARE) else ast.walk(module.tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in WHY:
                at = WHY[call.func.id]
                bare = [why for why in call.args[at : at + 1] if isinstance(why, ast.Constant | ast.JoinedStr)]
                raw += [f"{module.shown}:{call.lineno}" for _why in bare]
    assert raw == [], "tell nobody in his language"


def _calls(tree: ast.AST) -> list[ast.Call]:
    names = ("_", "_n", "N_")
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in names]


def test_a_moment_is_told_as_french_writes_it() -> None:
    with speaking("fr"):
        assert moments.told("2030-01-01T09:05:00Z") == "mardi 1er janvier 2030 à 09:05 UTC"
        assert (
            moments.told("2030-01-21T09:05:00Z", since="2030-01-20T09:05:00Z")
            == "lundi 21 janvier à 09:05 UTC, dans 1 jour"
        )


def test_a_translation_is_typeset_whatever_was_typed() -> None:
    typed = "L'hôte dit : « non » ; pip install 'pbem[door]'"
    assert catalogues.typeset("fr", typed) == "L’hôte dit\u00a0: «\u00a0non\u00a0»\u00a0; pip install 'pbem[door]'"


def test_a_game_that_is_found_while_french_is_spoken_is_told_in_it() -> None:
    said = "from pbem.i18n import speaking; from pbem.games import find\n"
    said += "with speaking('fr'):\n    print(find('tiny').look.result({'winner': '', 'score': {}}))"
    environ = {**os.environ, "PBEM_GAMES": str(ROOT / "examples"), "PYTHONIOENCODING": "utf-8"}
    told = subprocess.run([sys.executable, "-c", said], env=environ, capture_output=True, encoding="utf-8", check=True)
    assert "Personne ne gagne" in told.stdout


def test_what_is_told_follows_the_language_and_goes_back() -> None:
    with speaking("fr"):
        assert spoken() == "fr"
        assert _("Waiting for {seats}.", seats="Anna") == "En attente\u00a0: Anna."
        with speaking("en"):
            assert _("Waiting for {seats}.", seats="Anna") == "Waiting for Anna."
        assert _("Your hand") == "Votre main"
        assert _("nobody has translated {this}", this="this") == "nobody has translated this"
    assert spoken() == "en"
    assert _("Your hand") == "Your hand"


def test_plurals_are_the_language_s_own() -> None:
    assert _n("{n} block", "{n} blocks", 0) == "0 blocks"
    with speaking("fr"):
        assert _n("{n} nobody has translated", "{n} nobody has translated it", 2) == "2 nobody has translated it"


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(UnknownLanguage, match=r"translation into “xx”\. The languages are: en, fr"), speaking("xx"):
        pass
