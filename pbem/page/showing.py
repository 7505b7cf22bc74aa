"""The parts of a page around one game's position: the state of all games, the solo games on offer, private notes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pbem import private
from pbem.errors import PbemError, RecordError
from pbem.games import GamePack, find, known
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.first_line import HOST, ModeName
from pbem.player.overview import Overview
from pbem.player.speaker import Speaker
from pbem.reports.text import result_text

from . import calls
from .alone import Shelf, best, is_alone
from .covers import beginning_drawn, covered, reach, seat_words, setting

# -- how all games stand ------------------------------------------------------------------------------------------------


def row(speaker: Speaker) -> calls.GameStands:
    """Return the state of a game by mail; an unreadable copy reports that, and stops no other."""
    notes = speaker.notes
    try:
        one = speaker.seat.overview()
        if one.state == "lost":
            whose = _("Its log is not here. Ask your friend for the whole log, then read that letter.")
            raise RecordError(
                whose if one.friend else _("Its copy is not here: ask the host for it, and read his letter.")
            )
        name = speaker.seat.pack.look.seat_name
        others = [name(seat) for seat in one.seats if seat != one.seat]
        says = " ".join(filter(None, [_says(one, ", ".join(others)), one.owed]))
    except PbemError as error:
        return _row(notes.game, notes.title, notes.seat, notes.seat, "broken", str(error), mode=notes.mode)
    return calls.GameStands.model_validate({
        "game": one.game, "title": one.title, "seat": one.seat, "seat_name": name(one.seat), "state": one.state, "says": says,
        "waits_for": others, "since": one.since, "due": one.due, "waiting": [path.name for path in one.waiting],
        "missed": [path.name for path in one.missed], "alone": False, "mode": notes.mode,
    })  # fmt: skip


def _says(one: Overview, others: str) -> str:
    """Return a game's state in a sentence, without times, which the page shows in the reader's time zone."""
    if one.holds_up:
        return _("Your part is signed, but its letter is not sent yet.")
    match one.state:
        case "mine":
            return _("It is your turn.")
        case "answered" if others:
            return _("You have answered. Waiting for {seats}.", seats=others)
        case "answered" | "others" if not others:
            return _("Waiting for the host.")
        case "others":
            return _("Waiting for {seats}.", seats=others)
        case "joining" if one.seat in one.seats:
            return _("You are invited.")
        case "joining" if others:
            return _("Not all seats are taken yet: {seats}.", seats=others)
        case "joining":
            return _("You have taken your seat; the host has not said more yet.")
        case "ready" if one.seat in one.seats:
            return _("It waits until you say that you are ready.")
        case "ready" if others:
            return _("You are ready. Waiting for {seats} to be so, too.", seats=others)
        case "ready":
            return _("According to your copy, all are ready; the host continues.")
        case "gone":
            return _("You no longer play this game.")
    return _("It is over.")


def row_alone(shelf: Shelf, name: str, *, newest: bool = False) -> calls.GameStands:
    """Return the state of a solo game from its first line, because replaying the whole game would take long.

    If the game was played here, its position is at hand. The `newest` game counts as at hand too, because you will probably open
    it.
    """
    try:
        begun = shelf.begun(name)
        pack = find(begun.game)
    except PbemError as error:
        return _row(name, "", "", "", "broken", str(error))
    title, seat_name = pack.rules.title, pack.look.seat_name(begun.seat)
    solo = shelf.opened(name)
    if solo is not None and solo.result is not None:
        return _row(name, title, begun.seat, seat_name, "over", result_text(solo.result, pack), shelf.last(name))
    says = _("Against the built-in player “{name}”.", name=begun.against)
    row = _row(name, title, begun.seat, seat_name, "mine", says, shelf.last(name))
    return row.model_copy(update={"at_hand": newest or solo is not None})


def _row(
    game: str, title: str, seat: str, seat_name: str, state: str, says: str, since: str = "", *, mode: ModeName = HOST
) -> calls.GameStands:
    return calls.GameStands.model_validate({
        "game": game, "title": title, "seat": seat, "seat_name": seat_name, "state": state, "says": says, "waits_for": (),
        "since": since, "due": "", "waiting": (), "missed": (), "alone": is_alone(game), "mode": mode,
    })  # fmt: skip


def notes(home: Path, game: str, text: str | None) -> str:
    """Return a player's private notes on a game; with `text`, keep that in their place."""
    folder = home / "notes"
    path = folder / f"{game[:16]}.txt"
    if text is not None:
        private.make_folder(folder)
        private.put(path, text.encode())
        return text
    return path.read_text("utf-8") if path.is_file() else ""


# -- what can be played alone -------------------------------------------------------------------------------------------


def choices(game: str, options: Mapping[str, Json], *, picture: bool = False) -> calls.Choices:
    """Return what can be played alone; `options` are of this game, and its seats follow from them. Raises UsageError."""
    if game:
        found = playable(find(game), options)
        return calls.Choices(games=(found.model_copy(update={"picture": beginning_drawn(game)}) if picture else found,))
    return calls.Choices(games=tuple(playable(pack, {}) for pack in map(find, known()) if not _is_of_others(pack)))


def _is_of_others(pack: GamePack) -> bool:
    """Does a game only settle how others are played? It is nothing for one person and built-in players."""
    return bool(pack.rules.following(pack.complete({})))


def playable(pack: GamePack, options: Mapping[str, Json]) -> calls.Playable:
    """Return a game with the form of its options. Raises UsageError."""
    cover, complete = covered(pack), pack.complete(options)
    fields = pack.rules.options_model.model_fields.items()
    found = (setting(pack, name, field, complete[name]) for name, field in fields)
    return calls.Playable(
        game=pack.rules.id,
        title=pack.rules.title,
        settings=tuple(one for one in found if one is not None),
        seats=tuple(calls.SeatName(seat=seat, name=seat_words(pack, seat)) for seat in pack.rules.seats(complete)),
        against=best(pack),
        says=_(cover.sentence) if cover.sentence else "",
        players=reach(cover.players),
        minutes=reach(cover.minutes),
        taught=cover.taught,
    )
