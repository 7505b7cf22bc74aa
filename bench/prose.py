"""Figures of our English: the docs' words by hand and in all; long sentences and phrases to avoid in docs, messages and docstrings.

`make prose` prints them, and `bench.house` keeps them under ceilings. Text by `docs/make.py` counts only in the words in all.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

LONG = 25
"""A sentence of more words is a long one."""
MADE = re.compile(r"<!-- made by docs/make\.py.*?<!-- end -->|This (?:part|page) is made from the program.*", re.DOTALL)
"""What of a page the program writes."""
PHRASES = {
    said: re.compile(form, re.IGNORECASE)
    for said, form in {
        "is to be had": r"\b(?:is|are) to be had\b", "so many": r"\bso many\b", "besides": r"\bbesides\b",
        "lest": r"\blest\b", "of it": r"\bof it\b", "of these": r"\bof these\b",
        "counts no more": r"\bcounts? no more\b", "stands, lies": r"\b(?:stands?|lies)\b", "goes on": r"\bgo(?:es)? on\b",
        "at the most": r"\bat the most\b", "else": r"\belse\b", "what … is": r"\bwhat (?:\w+ ){1,5}is\b",
        "is no": r"\b(?:is|are) no\b", "none of": r"\bnone of\b", "that is all": r"\bthat is all\b",
        "whose": r"\bwhose\b", "anew": r"\banew\b", "reckon": r"\breckon\w*", "in the place of": r"\bin the place of\b",
        "as far as": r"\bas far as\b", "holds": r"\bholds\b",
    }.items()
}  # fmt: skip
"""The phrases to avoid, each as a form of text. A form counts every use: “stands for” is a “stands”, too."""

_CODE = re.compile(r"^```.*?^```|^    .*?$|<!--.*?-->", re.DOTALL | re.MULTILINE)
_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|`[^`]*`|<[^>]+>")
_END = re.compile(r"(?<=[.!?])[)”\"*]*\s+|\n\s*\n|\n\s*(?:[-*]|\d+\.)\s|\n#+ |\||·|\n(?=\|)")


def pages(docs: Path, added: Mapping[str, Mapping[str, Any]] | None = None) -> Iterator[tuple[str, Path, str]]:
    """Go through the pages: the row in which each counts, its file and its text. An `added` page has its own row."""
    own = {docs.parent / page for of in (added or {}).values() for page in of.get("pages", ())}
    for page in sorted(docs.rglob("*.md")):
        inside = page.relative_to(docs)
        yield (
            inside.as_posix() if page in own else "/".join(inside.parts[:-1]) or docs.name,
            page,
            page.read_text("utf-8"),
        )


def by_hand(text: str) -> str:
    """Return a page without the text that the program writes."""
    return MADE.sub("", text)


def sentences(text: str) -> list[str]:
    """Return the sentences of a page, without code blocks. Code in a line counts as a word; a table's cell is a sentence."""
    plain = _MARKUP.sub(lambda found: found[1] or "code", _CODE.sub("\n\n", by_hand(text)))
    return [" ".join(one.split()) for one in _END.split(plain) if one and one.strip(" \n|-:#")]


def counted(docs: Path, added: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, dict[str, int]]:
    """Return the words, the long sentences and the phrases of each row."""
    found = {what: Counter[str]() for what in ("words", "long", "phrases")}
    for row, _page, text in pages(docs, added):
        said = sentences(text)
        found["words"][row] += len(by_hand(text).split())
        found["long"][row] += sum(len(one.split()) > LONG for one in said)
        found["phrases"][row] += sum(phrases(said).values())
    rows = (("messages", messages(docs.parent)), ("docstrings", docstrings(docs.parent)))
    for row, texts in rows if (docs.parent / "pbem").is_dir() else ():
        said = [one for text in texts for one in sentences(text)]
        found["long"][row] = sum(len(one.split()) > LONG for one in said)
        found["phrases"][row] = sum(phrases(said).values())
    return {what: dict(rows) for what, rows in found.items()}


def messages(root: Path) -> Iterator[str]:
    """Go through the English messages of the program, by the French catalogues."""
    for path in sorted((root / "pbem" / "i18n" / "fr").glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file):
                yield from [message.id] if isinstance(message.id, str) else message.id


def docstrings(root: Path) -> Iterator[str]:
    """Go through the docstrings of the package, without their examples."""
    for path in sorted((root / "pbem").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node.value.value.partition(">>>")[0]


def phrases(said: list[str]) -> Counter[str]:
    """Count the phrases in some sentences."""
    whole = "\n".join(said)
    return Counter({phrase: len(form.findall(whole)) for phrase, form in PHRASES.items()})


def lines(docs: Path, *, sentences_too: bool) -> Iterator[str]:
    """Go through the lines that show the figures of each folder; with `sentences_too`, the long sentences first."""
    whole, of_phrases = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row, page, text in pages(docs):
        whole[row] += len(text.split())
        of_phrases[row] += phrases(sentences(text))
        if sentences_too:
            yield from (f"{page.relative_to(docs)}: {one}" for one in sentences(text) if len(one.split()) > LONG)
    found = counted(docs)
    whole["in all"] = whole.total()
    for rows in found.values():
        rows["in all"] = sum(rows.values())
    yield f"{'folder':<14}{'words':>8}{'with made text':>16}{'long sentences':>16}{'phrases':>9}"
    for row in found["long"]:
        count = found["words"].get(row, "")
        yield f"{row:<14}{count:>8}{whole[row] or '':>16}{found['long'][row]:>16}{found['phrases'][row]:>9}"
        if said := ", ".join(f"{phrase} {many}" for phrase, many in of_phrases[row].most_common() if many):
            yield f"    {said}"
