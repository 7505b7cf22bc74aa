"""What is promised of hosts, and of games without one, is true: false promises are kept out, the true ones are made everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.source import ROOT

TRUST = ROOT / "docs/explanation/trust.md"
WHAT_A_HOST_CAN_DO = "trust.md#what-a-host-can-do-to-you"
WITHOUT_A_HOST = [
    ROOT / name
    for name in (
        "README.md", "CHANGELOG.md", "docs/explanation/without-a-host.md", "docs/tutorial/two-friends.md",
        "docs/how-to/play-in-a-browser.md", "docs/reference/deck.md", "docs/reference/log-format.md",
        "docs/reference/commands.md", "pbem/page/words.py", "pbem/cli/pair/__init__.py",
    )
]  # fmt: skip
"""What tells how two play without a host."""
TRUE = re.compile(r"neither (?:of you )?can see the other's hand")
"""Each deck carries a proof that it was only shuffled (`tests/ledger/test_shuffle.py`); before, this was not true."""
IN_FRENCH = "Aucun de vous ne peut voir la main de l’autre."
GONE = r"at the price of one dead card|au prix d’une carte morte"
SOMEBODY = "(?:nobody|no one|no player|nobody else|none of you|you never)"
FALSE = [
    rf"{SOMEBODY} (?:has|have|needs?|must) (?:to )?trust",
    r"(?:need not|needn't|do(?:es)?n't (?:have|need) to|without having to|no need to) trust",
    r"without trusting|trustless|trust-free",
    rf"\b{SOMEBODY} (?:can|could) (?:ever )?(?:cheat|deny|leak)",
    r"\b(?:can(?:no|')t|can never|could never) (?:ever )?(?:cheat|lie(?! in| on)|leak)",
    r"impossible to cheat|cheating is impossible|cheat[- ]proof",
    r"neither (?:of (?:you|them) |player |seat |side )?(?:sees|can see|knows|learns) (?:what is not|more than|anything|a card)",
    r"(?:no more|nothing) than (?:his|their|its) own cards|knows more than (?:his|their) own cards",
    rf"\b{SOMEBODY} (?:else )?(?:can|could|will) (?:ever )?(?:see|read|look at) (?:your|the other's|a|another's) (?:hand|cards)",
    r"(?:nul|personne) n[’']a (?:besoin |à )?(?:de |d[’'])?(?:lui )?(?:faire |se )?(?:confiance|fier)",
    r"sans (?:avoir (?:besoin |à )?(?:de )?)?(?:lui |leur )?faire confiance",
    r"aucun (?:des deux )?ne (?:voit|sait|connaît) (?:ce qui|plus|rien|les cartes|la main)",
    r"(?:nul|personne|hôte) ne (?:peut|saurait) (?:pas )?(?:tricher|mentir|voir (?:votre|la) main)",
]
"""Promises that are not true of a host, nor of two without one."""
OF_DOCS = [r"cannot be done", r"leaves hidden gains little"]
"""More of them that would be promises in the docs alone."""
WORDS = (
    "trust",
    "cheat",
    " lie",
    "leak",
    "deny",
    "neither",
    "own cards",
    "hand",
    "confi",
    "fier",
    "tricher",
    "aucun",
    "be done",
)
"""A text without any of these makes none of them."""


def told() -> Iterator[tuple[str, str]]:
    """All that people read: docs, all messages with their French, templates, the page's own files, the package's description."""
    pages = list(ROOT.glob("*.md")) + [
        path for place in ("docs", "examples", "templates", "pbem/page/face", "pbem/page/carrier")
        for path in (ROOT / place).rglob("*") if path.suffix in (".md", ".html", ".js", ".txt", ".css", ".svg", ".toml")
    ]  # fmt: skip
    catalogues = (ROOT / "pbem").rglob("*.po")
    for path in (*pages, *catalogues, ROOT / "pyproject.toml", ROOT / "pbem/__init__.py"):
        if "_data" not in path.parts and "node_modules" not in path.parts:
            yield str(path.relative_to(ROOT)), flowing(path.read_text("utf-8"))


def flowing(text: str) -> str:
    """Return a text without the breaks of its lines: of a catalogue, of a string in code, of a comment."""
    text = re.sub(r'"\n\s*f?"', "", text)
    return " ".join(re.sub(r"\n\s*(?:#:?|//|\*|>)? ?", " ", text).split())


def promises(text: str, forms: list[str]) -> list[str]:
    """Return the false promises in a text."""
    text = text.lower()
    if not any(word in text for word in WORDS):
        return []
    return [found[0] for form in forms for found in re.finditer(form, text)]


@pytest.mark.slow
def test_no_false_promise_is_made() -> None:
    found = {
        name: said for name, text in told() if (said := promises(text, FALSE + OF_DOCS * name.startswith("docs/")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "said",
    [
        "on a host that nobody has to trust", "on a host nobody has to trust", "on a host that no player has to trust",
        "Nobody has to trust you for it", "You need not trust the host", "and neither sees what is not his",
        "a deck of which neither knows more than his own cards", "| looks at the other's hand | cannot be done | |",
        "The host cannot cheat", "no one can see your hand", "It cannot cheat unseen",
        "chez un hôte à qui nul n’a besoin de faire confiance", "et aucun ne voit ce qui n’est pas à lui",
        "msgstr \"\"\n\"à qui nul n’a besoin de \"\n\"faire confiance.\"", "on a host that nobody\n# has to trust",
    ],
)  # fmt: skip
def test_false_promises_are_known(said: str) -> None:
    assert promises(flowing(said), FALSE + OF_DOCS)


@pytest.mark.parametrize("page", WITHOUT_A_HOST, ids=lambda page: page.name)
def test_whatever_tells_of_two_without_a_host_says_that_hands_are_hidden(page: Path) -> None:
    assert TRUE.search(flowing(page.read_text("utf-8")).replace("**", "").lower())


def test_so_does_the_page_and_the_command_in_french() -> None:
    for name in ("page", "cli"):
        assert IN_FRENCH in flowing((ROOT / f"pbem/i18n/fr/{name}.po").read_text("utf-8"))


def test_nothing_warns_any_longer_of_what_the_proof_keeps_out() -> None:
    assert not [name for name, text in told() if re.search(GONE, text)]


def sentences() -> list[str]:
    """Return the numbered sentences on hosts, with their links as plain words."""
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", TRUST.read_text("utf-8"))
    passage = text.partition("## What a host can do to you\n")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. (.+)$", passage, re.MULTILINE)


def test_ten_plain_sentences_say_what_a_host_can_do() -> None:
    said = sentences()
    assert len(said) == 10
    for sentence in said:
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0, sentence
        assert len(sentence.split()) <= 25, sentence


def test_the_readme_says_it_in_the_same_words() -> None:
    readme = flowing((ROOT / "README.md").read_text("utf-8"))
    said = sentences()
    for sentence in (*said[:6], said[8]):
        assert sentence.replace("It ", "").rstrip(".") in readme, sentence


def test_the_description_of_the_package_and_of_the_program_keeps_to_what_is_true() -> None:
    import tomllib

    from pbem.cli.app import app

    true = "a host that cannot bend dice, cards, rules or the record without being found out."
    assert true in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["description"]
    assert true in flowing((ROOT / "README.md").read_text("utf-8"))
    assert true in str(app.info.help)


@pytest.mark.parametrize("page", ["README.md", "docs/README.md", "docs/how-to/run-a-host.md"])
def test_the_page_is_linked_from_where_hosts_are_told_of(page: str) -> None:
    assert WHAT_A_HOST_CAN_DO in (ROOT / page).read_text("utf-8")
