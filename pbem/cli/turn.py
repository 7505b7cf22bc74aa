"""The command turn, a player's routine: fetch, read, answer, send.

It decides the order in which things are shown and asked. The desk decides which mails to believe, and what may be signed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError, PlayerError, RecordError, UsageError, WorldError
from pbem.i18n import N_, _, _n
from pbem.i18n.visible import in_a_line

from . import friends, screen
from .common import HOME, now
from .desk import Home, desk_in
from .games import told, trouble_of
from .orders import sign

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.player import Desk, Notes
    from pbem.player.post import Fetcher, News
    from pbem.player.speaker import Offer, Speaker
    from pbem.reports.reckoned import Reckoned

_AT_ONCE = ("order", "ahead", "join", "confirm", "two", "whole", "seen", "sealed", "passed", "reached")
"""What waits from before and goes without a question: its writer was asked when it was signed."""


def turn(
    game: Annotated[
        str, typer.Option("--game", help="The first letters of a game's id: only this one is shown and asked about.")
    ] = "",
    file: Annotated[
        bool, typer.Option("--file", help="Move the mails that were read to the folder “Processed” of your mailbox.")
    ] = False,
    rules: Annotated[
        str,
        typer.Option(metavar="FINGERPRINT", help="Fingerprint of the rules to join by, if they are not known here."),
    ] = "",
    only_answers: Annotated[
        str,
        typer.Option(
            metavar="WORD",
            help="“sign”: from now on a question with one legal answer is signed and sent without asking you; "
            "“ask”: you are asked.",
        ),
    ] = "",
    home: Home = HOME,
) -> None:
    """Take your turn: fetch, check, read, order, sign and send.

    Goes through all games that wait for you. Your mailbox stays as it is, unless you say --file. “pbem setup” comes first, once.
    """
    desk = desk_in(home)
    if not (desk.settings.imap and desk.settings.smtp) and friends.has_none(desk):
        raise UsageError(_("“pbem turn” does not know your mail account yet: name it once with “pbem setup”."))
    _keep_only(desk, only_answers)
    sitting = _Sitting(desk, rules)
    sitting.fetch(file=file)
    sitting.confirmations()
    sitting.send_what_waits()
    sitting.invitations()
    speakers = desk.speakers(game)
    if game and not speakers:
        desk.meant(game)  # which says that there is none
    for speaker in speakers:
        sitting.play(speaker)
    sitting.say_what_was_signed()
    sitting.say_how_all_stands([one.notes.game for one in speakers])
    if sitting.bad:
        raise typer.Exit(1)


def _keep_only(desk: Desk, word: str) -> None:
    """Keep whether questions with one answer are asked. Raises UsageError for another word than these two."""
    if word not in ("", "ask", "sign"):
        raise UsageError(_("“{word}” is neither “ask” nor “sign”; write --only-answers sign.", word=word))
    if word:
        desk.change_settings(only=word.removeprefix("ask"))


class _Sitting:
    """One run of the command; `bad`: something went wrong, and was said."""

    def __init__(self, desk: Desk, rules: str) -> None:
        from pbem.player.post import Fetcher

        self.desk, self.rules, self.bad = desk, rules, False
        self.post: Fetcher = Fetcher(desk)
        self._later: list[Path] = []
        """Letters that wait, and are not to go now."""
        self._told: set[str] = set()
        """The games of which something was shown."""
        self._signed = 0
        """The number of questions with only one answer, which were not asked."""

    # -- what has come --------------------------------------------------------------------------------------------------

    def fetch(self, *, file: bool) -> None:
        """Read the new mails. If the mailbox or web address cannot be reached, continue with what is already here."""
        for raw in friends.fetch(self.desk):
            self._take(raw)
        if self.desk.settings.imap:
            self._fetch_mail(file=file)
        self.desk.tray.settle()

    def _take(self, raw: bytes) -> None:
        """Read a letter that lay at a door."""
        try:
            news = self.post.take(raw)
        except PbemError as error:
            self._trouble(str(error))
            return
        if news is not None:
            self._tell(news)
        self.post.keep()

    def _fetch_mail(self, *, file: bool) -> None:
        for news in self.post.from_mailbox(self._trouble, file=file):
            self._tell(news)
        if self.post.passed_over:
            screen.say(
                _n(
                    "{n} older mail was not looked at; if a letter of a game is among them, save it and “pbem read” it.",
                    "{n} older mails were not looked at; if a letter of a game is among them, save it and “pbem read” it.",
                    self.post.passed_over,
                )
            )

    def _tell(self, news: News) -> None:
        """Print the news of a mail, except reports, which are shown game by game, and questions after them."""
        for warning in news.warnings:
            self._trouble(_("WARNING: {warning}", warning=warning))
        from_whom = {"sender": in_a_line(news.sender), "subject": in_a_line(news.subject)}
        match news.kind:
            case "left" | "strange":
                self._trouble(_("A mail of {sender} (“{subject}”) was left alone: {why}", why=news.text, **from_whom))
            case "receipt":
                title = self.desk.notes(news.game).title
                screen.say(_("{title}: the host has what you sent; its signed receipt is kept.", title=title))
            case "paper":
                screen.say(news.text)
            case "pair":
                self._told.add(
                    (notes := self.desk.speakers(news.game)[0].notes).game
                )  # it may end the game without any news
                screen.say(
                    "\n".join(
                        [_("{title}: a letter of your friend has come.", title=notes.title), *filter(None, [news.text])]
                    )
                )
            case "words":
                self._words(from_whom["sender"], news.text)

    def confirmations(self) -> None:
        """Ask about each letter with a code, once all that has come was read; one that is not answered is asked about again."""
        from pbem.player.club import clubs
        from pbem.player.meanings import means
        from pbem.player.tray import code_file

        known = [club.address.lower() for club in clubs(self.desk.home)]
        for news in self.post.codes():
            self._words(in_a_line(news.sender), news.text)
            screen.say(means(news.kind))
            if news.kind == "confirm":
                asks = _("Do you read your letters at {address}? (yes later no)", address=self.desk.settings.address)
            else:
                asks = _("Do you want to send the code back? (yes later no)")
            later, yes, no = N_("later"), N_("yes"), N_("no")
            wanted = news.kind == "member" and news.sender.lower() in known
            answer = self._chosen(asks, (yes, later, no) if wanted else (later, yes, no))
            if answer == "yes":
                self.desk.tray.confirm(news.sender, news.code, now())
                self.send()
            elif answer == "no":
                code_file(self.desk.home, news.code).unlink(missing_ok=True)

    def _words(self, sender: str, text: str) -> None:
        """Show words that nobody has signed, so that none can be taken for the program's own."""
        who = _("{sender} writes, and nobody has signed it:", sender=sender)
        screen.say("\n" + (who if sender else _("Who sent it is not said, and nobody has signed it:")))
        screen.quote(text)
        screen.echo()

    def _trouble(self, text: str) -> None:
        self.bad = True
        screen.say(text)

    # -- sending --------------------------------------------------------------------------------------------------------

    def send_what_waits(self) -> None:
        """Send letters left from earlier; ask the player before sending those signed by other commands."""
        for notes in self.desk.games():
            with suppress(RecordError):  # what is wrong with its copy is said where it is played
                self._say_out_of_time(notes)
        others = [path for path in self.desk.tray.unsent() if path.name.split(".")[1] not in _AT_ONCE]
        if others:
            screen.say("\n".join([_("These letters wait:"), *(f"  {path.stem.partition('.')[2]}" for path in others)]))
            if not screen.agreed(_("Send them now?"), default=True):
                self._later = others
        self.send()

    def _say_out_of_time(self, notes: Notes) -> None:
        for path in self.desk.tray.out_of_time(notes):
            screen.say(
                _(
                    "{title}: your order {name} waited here until its question was closed; it is now in “replaced”.",
                    title=notes.title,
                    name=path.stem.partition(".")[2],
                )
            )

    def send(self) -> None:
        """Send the waiting letters, and say so. Letters that cannot be sent are kept."""
        if all(path in self._later for path in self.desk.tray.unsent()):
            return
        for raw in friends.bring(self.desk, self._later):
            self._take(raw)
        if not self.desk.settings.ways or {*self.desk.tray.unsent()} <= {*friends.not_by_mail(self.desk, self._later)}:
            return
        try:
            for path in self.desk.tray.send(but=friends.not_by_mail(self.desk, self._later)):
                screen.say(_("Sent: {name}", name=path.stem.partition(".")[2]))
        except WorldError as error:
            self._trouble(
                _(
                    "It could not be sent: {why} It is kept, signed; the next “pbem turn” sends it.",
                    why=f"{error}".rstrip(),
                )
            )

    # -- what is asked --------------------------------------------------------------------------------------------------

    def invitations(self) -> None:
        """Offer to join the games to which letters invite."""
        from pbem.player.meanings import means

        for game, raw in self.post.invitations():
            try:
                of_friend = self.desk.joiner_by(raw).told_invitation(raw)
                seat = "" if of_friend else self._tell_hosts(raw)
            except PbemError as error:
                self._trouble(str(error))
                continue
            if of_friend:
                screen.say("\n" + of_friend)
            answer = self._chosen(_("Do you want to join? (yes later never)"), (N_("later"), N_("yes"), N_("never")))
            if answer == "never":
                self.post.answered(game)
                forgotten = _(
                    "The letter is forgotten here, and nothing is signed. Tell your friend, because nobody else will."
                )
                screen.say(forgotten if of_friend else means("decline"))
            elif answer == "yes" and self._join(raw, seat):
                self.post.answered(game)
                self.send()

    def _tell_hosts(self, raw: bytes) -> str:
        """Show a host's invitation; return for which seat it is."""
        from pbem.mail import MAX_FROM_HOST, read_message

        mail = read_message(raw, MAX_FROM_HOST)
        text = mail.text.replace(mail.token, "…") if mail.token else mail.text  # it opens the seat to whoever sees it
        self._words(in_a_line(mail.sender), text)
        if others := self.desk.joiner.written_to(mail):
            screen.say(
                _(
                    "WARNING: this invitation is addressed to {others}, but you are {address}. It may be meant "
                    "for somebody else.",
                    others=in_a_line(others),
                    address=self.desk.settings.address,
                )
            )
        return mail.seat

    def _answer_offer(self, speaker: Speaker, offer: Offer) -> None:
        """Without another decision, ask how to answer an offer, or repeat a statement. Nothing is sent before the answer."""
        screen.say(offer.told)
        asks = {
            "agree": _("Do you agree to the draw? (yes later no)"),
            "let": _("Do you let him? (yes later no)"),
            "resign": _("Do you resign? (yes later no)"),
        }
        answer = self._chosen(asks[offer.word], (N_("later"), N_("yes"), N_("no")))
        if answer == "yes":
            screen.say(speaker.declare(offer.word, None, now()))
        elif answer == "no":
            offer.play_on(now())

    def _chosen(self, text: str, words: tuple[str, ...]) -> str:
        """Ask until one of the words is typed, or its beginning; the first of them is that of who types nothing."""
        usual = _(words[0])
        while True:
            said = screen.typed(f"{text} [{usual}]").strip().lower() or words[0]
            fits = [word for word in words if word.startswith(said) or _(word).startswith(said)]
            if len(fits) == 1:
                return fits[0]
            screen.echo(_("Type one of these words: {words}.", words=", ".join(map(_, words))))

    def _join(self, raw: bytes, seat: str = "") -> bool:
        """Sign the answer to an invitation or ready round, and say what to compare; return False if that fails."""
        try:
            screen.echo(f"\n{self.desk.join(raw, now(), self.rules, seat=seat)}\n")
        except PbemError as error:
            self._trouble(str(error))
            return False
        return True

    def play(self, speaker: Speaker) -> None:
        """Show the news of a game, ask its question, and send. A fault in one game stops no other."""
        before = self.desk.tray.stamps()
        try:
            self._play(speaker)
        except PlayerError as error:
            self._trouble(str(error))
        except PbemError as error:
            self._trouble(_("WARNING: {warning}", warning=error))
        if self.desk.tray.stamps(before):
            self.send()  # what was signed goes, also where it shows that the game stands still

    def _play(self, speaker: Speaker) -> None:
        if raw := speaker.asking(self.post):
            self._ready(speaker, raw)
            return
        made, asks, question, drawn = speaker.news(now(), self.post)
        if made is not None:
            self._show(speaker, made, drawn=drawn and screen.in_colour())
        offer = speaker.offered()
        if asks:
            if offer:
                screen.say(offer.told)
            sign(speaker, None if question else self._only_answer(speaker), asked=question)
        elif offer:
            self._answer_offer(speaker, offer)

    def _only_answer(self, speaker: Speaker) -> str | None:
        """Return the one answer to what a game asks, for who does not want to be asked then; None: he is asked."""
        from pbem.reports.choices import only

        if self.desk.settings.only != "sign":
            return None
        asked = speaker.asked(now())
        order = only(asked.view, asked.pack)
        self._signed += order is not None
        return None if order is None else str(order)

    def say_what_was_signed(self) -> None:
        """Say how many answers were signed without a question."""
        if self._signed:
            screen.say(
                "\n"
                + _n(
                    "{n} question had one answer; it was signed without asking you.",
                    "{n} questions had one answer each; they were signed without asking you.",
                    self._signed,
                )
            )

    def _ready(self, speaker: Speaker, raw: bytes) -> None:
        """Let a player say that he is ready, once he has compared the keys; without the comparison, nothing is sent."""
        before = self.desk.tray.stamps()
        self._title(speaker)
        if not self._join(raw):
            return
        made = list(self.desk.tray.stamps(before))
        notes = self.desk.notes(speaker.notes.game)
        asks = self.desk.joiner.to_compare(self.desk.seat(notes))
        if not asks or screen.agreed(_("Have you compared them? Then it is sent"), default=False):
            self.post.answered(notes.game)
            self.send()
            return
        for path in made:
            self.desk.tray.lay_aside(path)
        screen.say(_("Nothing is sent. “pbem turn” shows them again, when you have."))

    def _title(self, speaker: Speaker) -> None:
        self._told.add(speaker.notes.game)
        screen.echo(f"\n{speaker.seat.heading}")

    def _show(self, speaker: Speaker, made: Reckoned, *, drawn: bool) -> None:
        """Show what is new: as a report, or in a terminal the position and what happened."""
        from pbem.player.copy import sense
        from pbem.reports.reckoned import render
        from pbem.reports.text import listed

        with sense():
            if not drawn:
                self._told.add(speaker.notes.game)
                screen.echo("\n" + render(made))
            else:
                self._title(speaker)
                screen.show_position(made.look, made.view)
                for said in filter(None, (listed(made.happened), made.over)):
                    screen.echo(f"\n{said}")
        for said in speaker.was_shown(now(), self.post):
            screen.say(f"\n{said}")

    def say_how_all_stands(self, games: list[str]) -> None:
        """Say who is to move, and since when."""
        for one in (speaker for speaker in self.desk.speakers() if speaker.notes.game in games):
            try:
                is_told = one.seat.overview().state not in ("over", "gone") or one.notes.game in self._told
                said = told(one) if is_told else ""
            except PbemError as error:
                said = trouble_of(one, error)
            if said:
                screen.say(f"\n{said}")
        if not games:
            screen.say(_("There is no game on this desk, and no invitation in your mailbox."))
