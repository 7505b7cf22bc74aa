"""The letters to players who only reply, of a host that was brought back from a backup: it asks for its own letters."""

from __future__ import annotations

from pbem.i18n import _

from .hosted import HostedGame
from .outbox import Draft, Outbox, letter


class CopyLetters(Outbox):
    """Letters that ask for a copy, and answer it."""

    @letter
    def about_a_copy(self, game: HostedGame, seat: str, at: str, first: str, digest: str) -> Draft:
        """Answer a letter that was forwarded, because the host was brought back from a backup."""
        return Draft(f"reply.{digest[:16]}.{seat}", _("your copy"), f"{first}\n")

    def forwarding_wanted(self, game: HostedGame) -> str:
        """Ask for the last letter to a kept seat."""
        return _(
            "{title} stands still. Its host had to go back to a backup, which ends with entry {n}, and would not go on "
            "from there while anybody has seen more. So that nothing is lost, please forward the last letter of this game "
            "that you have had before this one to {address}, with the file that is attached to it. The host says whether it "
            "needs the letter before it, too.\n\n"
            "When the copies of all players are here the game goes on where it stood, with the full time to answer. "
            "Until then no time runs.",
            title=game.title, n=game.ledger.n, address=self.address,
        )  # fmt: skip
