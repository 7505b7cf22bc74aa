"""A player's desk: his key, his copy of each game, and the letters he has written but not sent.

It believes nothing that a mail says: lines are added to the copy only where they continue it, the whole copy is verified
before anything is signed, and the report that is shown is made from the copy. It knows no clock: times are handed in.

In its folder: `key`, `settings.json`, `games/<id>.pbem` (the copy), `games/<id>.json` (notes), `games/<id>.receipts`,
`out/*.eml` (letters to send), `given/` (those that another program is to send, until their receipt is here), `sent/`, `replaced/`
(orders that another took the place of before they were sent); `mailbox.json` (what of his mailbox he has read), `asking/` (the
letters that ask him to join or to be ready, until he has answered).

The folder stands in `folder`, the letters in `tray`; mails are read in `reading`, seats taken in `joining`, and the rest is said in
`saying`.
"""

from __future__ import annotations

from .joining import Joiner
from .saying import Speaker


class Desk(Joiner, Speaker):
    """One player's folder, and all that he does with it."""
