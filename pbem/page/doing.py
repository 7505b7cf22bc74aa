"""Answers to the calls of `further_calls`: seats and keys, statements and settings, files to check and view.

This module makes no decisions that the desk does not make. It converts a page's input for the parts of the desk, as the commands
convert typed input.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable
from functools import partial

from pbem.errors import KeyFileError, KeyLockedError, UsageError
from pbem.i18n import _, languages
from pbem.ledger import PrivateKey, to_compare
from pbem.mail import check_address
from pbem.mail.hours import Hours
from pbem.player import Desk, Notes, settled
from pbem.player.club import clubs
from pbem.player.saying import HostSpeaker
from pbem.player.speaker import Speaker
from pbem.player.taking_over import spare_in

from . import calls, further_calls, lent, letters, recovered, watched
from .held import Held

_CODE = re.compile("[0-9a-f]{32}")


class Acts(ABC):
    """The handlers of the desk's calls: `_name` answers the call `name`. A service inherits them."""

    now: Callable[[], str]
    watching: watched.Watching
    lends: lent.Lends

    @property
    @abstractmethod
    def desk(self) -> Desk:
        """The desk, with its key."""

    @abstractmethod
    def _notes_of(self, game: str) -> Notes:
        """The notes of a game by mail."""

    @abstractmethod
    def _signed(self, sign: Callable[[], str]) -> calls.Signed:
        """Sign something, and return the resulting message with the letters put in the tray."""

    @abstractmethod
    def _speaker(self, game: str) -> Speaker:
        """Who plays a game by mail."""

    @abstractmethod
    def _held(self, game: str) -> Held:
        """A game that is open."""

    @abstractmethod
    def _keyless(self) -> Desk:
        """Return the desk, even if its key is lost. Raises UsageError without a desk."""

    @abstractmethod
    def _about(self, asked: calls.AskAbout) -> calls.About:
        """What the desk is."""

    # -- seats and keys -------------------------------------------------------------------------------------------------

    def _keys(self, asked: further_calls.AskKeys) -> further_calls.KeysCompared:
        return further_calls.KeysCompared(keys=letters.keys_of(self._speaker(asked.game)))

    def _decline(self, asked: further_calls.Decline) -> calls.Done:
        game, _raw = letters.asking(self.desk, asked.game)
        letters.answered(self.desk, game)
        return calls.Done()

    def _lay_aside(self, asked: further_calls.LayAside) -> calls.Letters:
        path, tray = letters.named(self.desk, asked.name), self.desk.tray
        match path.name.split(".")[1]:
            case "rekey":
                raise UsageError(
                    _(
                        "The key has already been changed, and this letter reports that. To return to the previous "
                        "key, choose that separately."
                    )
                )
            case (
                "order" | "ahead"
            ):  # its revision is given away: it may have been copied out, and then the desk would not know
                raise UsageError(_("An order that is signed is not laid aside: another one takes its place."))
            case "two":
                raise UsageError(
                    _("Your log has what this letter signs, and your friend cannot continue without it: send it.")
                )
            case "seen":
                raise UsageError(
                    _("It is a copy for the witness, and later ones begin behind it: send it, or name no witness.")
                )
            case "host":
                self.desk.newcomers.stay(self.desk.notes(path.name.partition(".")[0]))
            case _:
                tray.lay_aside(path)
        return calls.Letters(letters=letters.waiting(self.desk, ""))

    def _in_full(self, asked: further_calls.InFull) -> calls.Letters:
        path = letters.named(self.desk, asked.name)
        self.desk.tray.in_full(path)
        return calls.Letters(letters=letters.outgoing(self.desk, [path]))

    def _rekey(self, asked: further_calls.Rekey) -> further_calls.Rekeyed:
        desk = self._keyless() if asked.recovery else self.desk
        spare = _recovery(asked, desk) if asked.recovery else None
        made = PrivateKey.from_seed(os.urandom(32))

        def sign() -> str:
            titles = desk.keys.rekey(made, self.now(), spare)
            recovered.settle(desk.home, [notes.game for notes in desk.games()])
            going = [one.notes.title for one in desk.friends(going=True)]
            said = [", ".join(titles)] if titles else []
            if going:
                said.append(
                    _(
                        "Without a host, in {games}: your next turn carries the new key. Until your friend has it, "
                        "the previous key counts. Save the desk again.",
                        games=", ".join(going),
                    )
                )
            return "\n".join(said) or _("No game is going on.")

        return _rekeyed(letters.signed(desk, sign) if asked.recovery else self._signed(sign), made.key_line)

    def _key_back(self, _asked: further_calls.KeyBack) -> further_calls.Rekeyed:
        def back() -> str:
            if not self.desk.keys.key_back():
                return _("Your key is again the one that counts.")
            return _(
                "Your key is again the one that counts. But the change was already sent, and no signed "
                "answer has come. If the host still accepts it, the other key counts. Read the host's "
                "letter; then take that key again."
            )

        return _rekeyed(self._signed(back), self.desk.key_line)

    def _renew(self, asked: further_calls.Renew) -> calls.Signed:
        notes = self._notes_of(asked.game)

        def sign() -> str:
            self.desk.keys.renew(notes, self.now())
            return _("Other links from now on; everybody says again that he is ready.")

        return self._signed(sign)

    def _welcome(self, asked: further_calls.Welcome) -> calls.Signed:
        raw, newcomers = letters.file(asked.data), self.desk.newcomers
        welcome = self.desk.join if spare_in(raw) else partial(newcomers.welcome, another=asked.another)
        return self._signed(partial(welcome, raw, self.now()))

    def _stay(self, asked: further_calls.Stay) -> calls.Done:
        return calls.Done(said=self.desk.newcomers.stay(self._notes_of(asked.game)))

    def _confirm(self, asked: further_calls.Confirm) -> calls.Letters:
        hosts = {notes.host.lower() for notes in self.desk.games()}
        hosts |= {club.address.lower() for club in clubs(self.desk.home)}
        if asked.to.lower() not in hosts or not _CODE.fullmatch(asked.code):
            raise UsageError(_("No host of yours asks for such a confirmation."))
        before = self.desk.tray.stamps()
        self.desk.tray.confirm(asked.to, asked.code, self.now())
        return calls.Letters(letters=letters.outgoing(self.desk, list(self.desk.tray.stamps(before))))

    # -- what may be said -----------------------------------------------------------------------------------------------

    def _sayings(self, asked: further_calls.AskSayings) -> further_calls.Sayings:
        speaker = self._speaker(asked.game)
        name, own = speaker.seat.pack.look.seat_name, speaker.notes.seat
        says = tuple(further_calls.Sayable.model_validate(saying._asdict()) for saying in speaker.sayings(self.now()))
        others = (calls.SeatName(seat=one, name=name(one)) for one in speaker.seat.keys if one not in ("", own))
        return further_calls.Sayings(says=says, others=tuple(others))

    # -- what a player has settled --------------------------------------------------------------------------------------

    def _me(self, _asked: further_calls.AskMe) -> further_calls.Me:
        desk = self.desk
        return further_calls.Me(
            address=desk.settings.address,
            language=desk.settings.language,
            has_recovery=bool(desk.recovery_line),
            can_go_back=any(desk.home.glob("key.before*")),
            games=tuple(_mine(desk, notes) for notes in desk.games()),
        )

    def _speak(self, asked: further_calls.Speak) -> calls.About:
        if asked.wanted not in languages():
            raise UsageError(_("There is no translation into “{language}” here.", language=asked.wanted[:20]))
        self.desk.change_settings(language=asked.wanted)
        return self._about(calls.AskAbout(language=asked.wanted))

    def _address(self, asked: further_calls.MoveLetters) -> calls.Signed:
        check_address(asked.new)
        signed = calls.Signed(said="", letters=(), more=False)
        if hosted := any(self.desk.games()):
            signed = self._each(asked, lambda speaker: settled.move(speaker, asked.new, asked.number, self.now()))
        if not hosted or self.desk.friends():
            signed = signed.model_copy(
                update={"said": f"{settled.move_own(self.desk, asked.new)}\n{signed.said}".rstrip()}
            )
        return signed

    def _time(self, asked: further_calls.SetClock) -> calls.Signed:
        hours = Hours.read(asked.zone, asked.quiet, asked.weekends)
        return self._each(asked, lambda speaker: settled.set_clock(speaker, hours, asked.number, self.now()))

    def _by_mail(self, asked: further_calls.ByMail) -> calls.Signed:
        return self._each(asked, lambda speaker: settled.choose_mail(speaker, asked.mail, asked.number, self.now()))

    def _each(self, asked: further_calls.OfGames, sign: Callable[[HostSpeaker], str]) -> calls.Signed:
        """Sign something in the named game, or in all games. Raises UsageError without a game."""
        desk = self.desk
        chosen = [self._notes_of(asked.game)] if asked.game else list(desk.games())
        if not chosen:
            raise UsageError(_("There is no game on this desk."))
        return self._signed(lambda: "\n".join(sign(desk.speaker(one)) for one in chosen))

    def _copy(self, asked: further_calls.SendCopy) -> calls.Signed:
        speaker = self._speaker(asked.game)
        return self._signed(lambda: "\n".join(speaker.hand_copy(asked.since, self.now())))

    def _resend(self, asked: further_calls.AskResend) -> calls.Signed:
        speaker = self._speaker(asked.game)
        return self._signed(lambda: speaker.ask_for_copy(asked.since, self.now()))

    # -- files: judged, and looked at -----------------------------------------------------------------------------------

    def _proof(self, asked: further_calls.Proof) -> calls.OneFile:
        from . import judging

        made = judging.proof(asked.name, letters.file(asked.data), self.lends if asked.audit else None)
        return calls.OneFile(name="evidence.zip", data=b64encode(made).decode())

    def _merge(self, asked: further_calls.Merge) -> calls.OneFile:
        from . import judging

        return calls.OneFile(
            name="united.pbem",
            data=b64encode(judging.united(letters.file(asked.first), letters.file(asked.second))).decode(),
        )

    def _signature(self, asked: further_calls.TakeSignature) -> further_calls.SignatureTaken:
        from . import judging

        made, command = judging.signature(asked.name, letters.file(asked.data), asked.entry)
        return further_calls.SignatureTaken(
            name=f"entry-{asked.entry}.zip", data=b64encode(made).decode(), command=command
        )

    def _left(self, asked: further_calls.AskSent) -> further_calls.SentLetters:
        from . import judging

        return judging.letters_of(self.desk, self._notes_of(asked.game))

    def _complain(self, asked: further_calls.Complain) -> calls.LogJudged:
        from . import judging

        if not asked.game:
            return judging.complained(asked, self.lends)
        return judging.of_own(self.desk, self._notes_of(asked.game), asked.name, asked.mark, self.lends)

    def _watch(self, asked: further_calls.WatchLog) -> further_calls.Watched:
        from . import judging

        return self.watching.open(judging.log_in(asked.name, letters.file(asked.data)), asked.seat)

    def _replay(self, asked: further_calls.AskReplay) -> calls.OneFile:
        made = self._held(asked.game).replay()
        return calls.OneFile(name=f"{asked.game[:16]}.html", data=b64encode(made.encode()).decode())


def _recovery(asked: further_calls.Rekey, desk: Desk) -> PrivateKey:
    """The recovery key that was brought. Raises UsageError where it is not the one that the seats were taken with."""
    try:
        spare = PrivateKey.load(letters.file(asked.recovery), asked.passphrase.encode() or None)
    except (KeyFileError, KeyLockedError) as error:
        raise UsageError(_("The recovery key cannot be read: {why}", why=error)) from error
    if spare.key_line != desk.recovery_line:
        raise UsageError(_("This is not the recovery key that your seats were taken with."))
    return spare


def _rekeyed(signed: calls.Signed, key_line: str) -> further_calls.Rekeyed:
    return further_calls.Rekeyed(**dict(signed), fingerprint=to_compare(key_line))


def _mine(desk: Desk, notes: Notes) -> further_calls.MyGame:
    return further_calls.MyGame(
        game=notes.game,
        title=notes.title,
        seat_name=desk.seat(notes).called(notes.seat),
        host=notes.host,
        door=notes.door,
        over=desk.lying(notes).log.finished,
        leaving=bool(notes.next_host),
    )
