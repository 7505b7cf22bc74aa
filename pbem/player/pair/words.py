"""What a friend has said and signed while it was this player's turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.errors import FormError, RecordError
from pbem.i18n import _
from pbem.ledger import SAY, cj, verify_sig
from pbem.ledger.pair.forms import malformed

from .table import keys_in

if TYPE_CHECKING:
    from .table import PairTable


def check_word(word: dict[str, Any], table: PairTable, seat: str) -> str:
    """Return what a word says that counts now, to the player of `seat` or a witness (""). Raises RecordError, with the reason."""
    say = word.get("say")
    if set(word) != {"do", "say", "sig"} or malformed("word", say) or not isinstance(say, dict):
        raise RecordError(_("This word is damaged: nothing has been taken from it."))
    keys = keys_in(table.entries)
    try:
        signed = say["seat"] != seat and verify_sig(keys.get(say["seat"], ""), SAY, cj(say), str(word["sig"]))
    except FormError:
        signed = False
    if not signed:
        if not seat:
            raise RecordError(_("This word was signed by none of the two who play: nothing has been taken from it."))
        raise RecordError(_("This word was not signed by your friend: nothing has been taken from it."))
    if say["seen"] != list(table.head) and not seat:
        raise RecordError(
            _("This word was said to entry {n}, and the log has gone on since: it counts no more.", n=say["seen"][0])
        )
    if say["seen"] != list(table.head):
        raise RecordError(
            _(
                "This word was said to entry {n}, and the log has gone on since: it counts no more. Your friend can say "
                "it again in his "
                "turn.",
                n=say["seen"][0],
            )
        )
    return str(say["what"])
