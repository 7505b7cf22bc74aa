"""The mails behind the host's signatures for kept seats: stored as they came, with the letters that they answer.

A signed statement is identified by the SHA-256 of its canonical JSON. The order of parts is that of the digest in the format: the
answered letter, the mail, then a letter that asked for a YES and its answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pbem import __version__
from pbem.kernel import Json
from pbem.ledger import Root, cj, sha256_hex
from pbem.ledger.kept import MAIL, mail_digest
from pbem.mail.courtesies import SIGNS_OFF
from pbem.mail.vouched import signatures

from .store import Store
from .store.kept_rows import Evidence

Part: TypeAlias = tuple[str, bytes]
"""A name, “letter”, “mail”, “asked” or “yes”, and the bytes."""
OF_PLAYERS = ("mail", "yes")
"""The parts that a player wrote, which his provider may have signed."""


_JOIN = re.compile(r"(?:^|\n)[^\w\n]*JOIN(?![\w-])[ \t]*[.:,!]?(.*)", re.IGNORECASE | re.DOTALL)


_WRAPPED = 60
"""The minimum number of letters of a line that may continue in the next one."""
AGREE = re.compile(r"\s*(?:I )?(?:AGREE|D['’]ACCORD)\s*[.!]?\s*", re.IGNORECASE)
"""A mail that agrees to an offer or proposal, and says nothing more."""


def words_behind_join(own: str) -> str | None:
    """Return a player's words after JOIN at the beginning of one of his lines; None if he did not write JOIN.

    The words are the rest of that line, including what a program has wrapped. If the rest is empty, they are the line below,
    unless it is a name. Everybody will read them, so nothing further is included.

    >>> words_behind_join("Hello,\\njoin: seven goats\\nAnn"), words_behind_join("JOIN\\n\\nseven goats\\n\\nAnn")
    ('seven goats', 'seven goats')
    >>> words_behind_join("JOIN\\nAnn Miller"), words_behind_join("JOIN Banana")
    ('', 'Banana')
    >>> words_behind_join("I would like to join."), words_behind_join("JOIN\\n\\nBest regards\\nAnn Miller\\n12 Hill Street")
    (None, '')
    """
    found = _JOIN.search(own)
    if not found:
        return None
    beside = found[1].partition("\n")[0].strip()
    here, *below = (found[1].strip() or " ").split("\n")
    last = here
    while len(last) >= _WRAPPED and below and (last := below.pop(0).strip()):
        here = f"{here} {last}"
    is_name = not beside and not any(word[0].islower() for word in here.split())
    return "" if is_name or SIGNS_OFF.fullmatch(here.strip()) else here.strip()


def digest_of(say: Mapping[str, Json]) -> str:
    """Return the digest by which a signed statement is known here."""
    return sha256_hex(cj(dict(say)))


def lay(
    store: Store, root: Root, game: tuple[int, str], seat: str, say: Mapping[str, Json], parts: Sequence[Part], at: str,
    language: str,
) -> str:  # fmt: skip
    """Keep the mails behind something that is signed for a seat of a game (its number and id); return their digest."""
    number, g = game
    said = digest_of(say)
    salt = root.secret_for("kept mail", g, seat, said)[:32]
    digest = mail_digest(g, salt, [raw for _name, raw in parts])
    row = store.numbered(
        "evidence", game=number, seat=seat, said=said, digest=digest, salt=salt, at=at, language=language,
        program=__version__,
    )  # fmt: skip
    for no, (name, raw) in enumerate(parts):
        store.insert("evidence_parts", game=number, evidence=row, no=no, name=name, raw=raw)
        for which, one in enumerate(signatures(raw) if name in OF_PLAYERS else ()):
            store.insert(
                "vouched", game=number, evidence=row, no=no, which=which, domain=one.domain, selector=one.selector, key="",
                verdict="", at=at,
            )  # fmt: skip
    return digest


def mail_of(store: Store, game: int, say: Mapping[str, Json]) -> str:
    """Return the digest of the mails behind something that was signed; "" where none are."""
    found = store.find(Evidence, game=game, said=digest_of(say))
    return found[-1].digest if found else ""


def beside(store: Store, game: int, say: Mapping[str, Json]) -> dict[str, Json]:
    """Return the field that an order or a say of a kept seat has beside it; none where no mails are behind it."""
    digest = mail_of(store, game, say)
    return {MAIL: digest} if digest else {}
