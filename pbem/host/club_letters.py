"""The letters of a club to its members, and to who may become one: outside of any game, worded in the language of their reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.i18n import _, languages, speaking
from pbem.ledger import fingerprint, sha256_hex
from pbem.ledger.aloud import aloud

from .outbox import Outbox


class ClubLetters(Outbox):
    """What a host writes as a club."""

    playable: Sequence[str] = ()
    """The games that members can open tables for."""

    def confirm_member(
        self, address: str, name: str, code: str, at: str, no: int, *, language: str, key: str = ""
    ) -> None:
        """Ask an address that was named whether it wants to belong to the club, with a code to send back; and with what key
        counts then, where one was named."""
        with speaking(self.at_hand(language)):
            text = self.wording.text(
                "member", at, name=name, address=self.address, code=code, leaves=False, key=_named(key)
            )
            self.lay_alone("register", f"{_place(address)}.{no}", address, _("do you want to be a member?"), text, at)

    def confirm_leaving(self, address: str, name: str, code: str, at: str, no: int, *, language: str) -> None:
        """Ask a member whether he wants to leave, with a code to send back."""
        with speaking(self.at_hand(language)):
            text = self.wording.text("member", at, name=name, address=self.address, code=code, leaves=True, key=[])
            self.lay_alone("register", f"{_place(address)}.{no}", address, _("do you want to leave?"), text, at)

    def how_to_register(self, address: str, why: str, at: str, *, own_keys: bool) -> None:
        """Tell a non-member how to become a member.

        `why` says what was wrong with his attempt; `own_keys`, whether all players here sign with their own keys.
        """
        said = f"{why}\n\n" if why else ""
        text = said + self.wording.text(
            "club", at, said=_("This is a host of games by mail, and its club is for members."), tables=[], games=[],
            address=self.address, languages=languages(), commands=False, stranger=True, playable=self.playable, own_keys=own_keys,
        )  # fmt: skip
        self.lay_alone("register", f"{_place(address)}.how.{at[:10]}", address, _("how you become a member"), text, at)

    def club(
        self,
        address: str,
        said: str,
        digest: str,
        at: str,
        *,
        tables: Sequence[dict[str, Any]],
        games: Sequence[dict[str, Any]],
        commands: bool,
        unasked: bool = False,
    ) -> None:
        """Tell a member in a sentence what was done, with the tables and games to choose from and the possible commands."""
        text = self.club_said(said, at, tables=tables, games=games, commands=commands)
        name = f"{_place(address)}.{digest[:40]}"
        self.lay_alone("table" if unasked else "club", name, address, _("the club"), text, at)

    def club_said(
        self, said: str, at: str, *, tables: Sequence[dict[str, Any]], games: Sequence[dict[str, Any]], commands: bool
    ) -> str:
        """Return the text that a member is told."""
        return self.wording.text(
            "club", at, said=said, tables=tables, games=games, address=self.address, languages=languages(),
            commands=commands, stranger=False, playable=self.playable, own_keys=False,
        )  # fmt: skip


def _named(key: str) -> list[str]:
    """Return a key's fingerprint and its words; [] without a key."""
    return [fingerprint(key), aloud(key)] if key else []


def _place(address: str) -> str:
    return sha256_hex(address.lower().encode())[:16]
