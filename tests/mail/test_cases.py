"""Mails in the shape in which ordinary mail programs write them, each beside what is read in it.

`cases/<case>.eml` is a mail as it arrives, `cases/<case>.json` what came of it, written anew with PBEM_GOLDEN=write and then to be
reviewed like code. The signed order in them is that of `test_block`.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import FormError
from pbem.mail import read_block, read_message, said_otherwise

from .block import ENVELOPE

CASES = Path(__file__).parent / "cases"
REWRITE = os.environ.get("PBEM_GOLDEN") == "write"


def found_in(raw: bytes) -> dict[str, Any]:
    """What is read in a mail, and what its signed block says."""
    mail = read_message(raw, own="host@example.org")
    found = {name: value for name, value in asdict(mail).items() if value and name not in ("text", "log")}
    found["text"] = mail.text.split("\n")
    try:
        envelope = read_block(mail.text)
    except FormError as error:
        found["block"] = str(error)
    else:
        if envelope:
            assert envelope == ENVELOPE
            found["block"] = "the order of test_block"
            if otherwise := said_otherwise(mail.text, envelope):
                found["said otherwise"] = otherwise
    return dict(json.loads(json.dumps(found)))


@pytest.mark.parametrize("path", sorted(CASES.glob("*.eml")), ids=lambda path: path.stem)
def test_a_mail_is_read_as_its_writer_meant_it(path: Path) -> None:
    found, expected = found_in(path.read_bytes()), path.with_suffix(".json")
    if REWRITE:
        expected.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    assert found == json.loads(expected.read_text("utf-8")), f"{path.stem}: see PBEM_GOLDEN=write"


def test_every_expectation_has_its_mail() -> None:
    mails, expected = ({path.stem for path in CASES.glob(f"*.{kind}")} for kind in ("eml", "json"))
    assert mails == expected
