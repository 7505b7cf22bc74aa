"""What the face says, by name: one catalogue for it and for the program behind it."""

from __future__ import annotations

from pbem.i18n import N_, _

FACE: dict[str, str] = {
    "subtitle": N_("Board games of hidden information, alone or by mail"),
    "language": N_("Language"),
    "games": N_("Games"),
    # the first screen
    "at_once": N_("Play at once"),
    "at_once_says": N_("Against a built-in player, without a key or a host. The game is kept here after every order."),
    "go_on": N_("Go on playing"),
    "earlier": N_("Earlier ones: {n}"),
    "last": N_("played last {when}"),
    "side": N_("Your side"),
    "against": N_("Against"),
    "bot_sensible": N_("a sensible player"),
    "bot_planning": N_("a player who plans ahead"),
    "bot_random": N_("one who plays at random"),
    "more_settings": N_("More options"),
    "begin": N_("Begin"),
    "forget": N_("Throw it away"),
    "forget_it": N_("Throw {game} away"),
    "really_forget": N_("Throw this game away? It cannot be had back."),
    "by_mail": N_("By mail, against people"),
    "no_key": N_("What is played by mail is signed. There is no key on this desk yet."),
    "make_key": N_("Make a key"),
    "address": N_("Your e-mail address"),
    "passphrase": N_("A passphrase for the key, if you want one"),
    "key_says": N_(
        "The key stays on this machine. Keep a copy of its folder: a key that is lost cannot be had back. A passphrase is "
        "asked for by whatever signs later."
    ),
    "locked": N_("The passphrase of your key"),
    "unlock": N_("Open the key"),
    "leave_it": N_("Leave it"),
    "your_key": N_("Your key"),
    "save_says": N_(
        "A key that is lost cannot be had back. Save the whole desk, key and games, as a file, and keep it where nobody "
        "else reads it."
    ),
    "save_desk": N_("Save the desk"),
    "restore": N_("Or take a desk that was saved: choose its file"),
    "no_games": N_("There is no game by mail here yet. An invitation comes as a letter: drop it below."),
    "since": N_("since {when}"),
    "until": N_("until {when}"),
    "no_receipt": N_("without a receipt: {n}"),
    "judge": N_("Judge a log"),
    "judge_says": N_("Drop a .pbem file: whether all of it is in order is found out here, and nothing is sent anywhere."),
    "drop_log": N_("Drop a log here, or choose one"),
    "by_the_rules": N_("Replay it by the rules, too"),
    "fault": N_("entry {entry}, {code}, at fault: {party}"),
    # letters
    "letters_in": N_("Letters that came"),
    "drop": N_("Drop mails here, or choose them: a mail, what was attached to it, or a whole mailbox"),
    "paste": N_("or paste the text of one here"),
    "reading": N_("It is being read and verified …"),
    "kind_report": N_("A report:"),
    "kind_receipt": N_("A receipt:"),
    "kind_asks": N_("It asks you:"),
    "kind_confirm": N_("It asks for confirmation:"),
    "kind_words": N_("Words of a host:"),
    "kind_strange": N_("Not of a host of yours:"),
    "kind_left": N_("Left alone:"),
    "kind_old": N_("Known already:"),
    "unsigned": N_("{sender} writes, and nobody has signed it:"),
    "its_words": N_("What it says"),
    "join": N_("Take the seat, or say that I am ready"),
    "wait_to_go": N_("Signed, and not sent yet"),
    "send_all": N_("Send all of it"),
    "sent": N_("It was sent."),
    "signed_letter": N_("Signed and kept."),
    "to": N_("It goes to {to}."),
    "open_mail": N_("Open in my mail program"),
    "send_there": N_("Send it there, then say here that it is sent."),
    "copy": N_("Copy the text"),
    "copied": N_("Copied: paste it into a mail to {to}."),
    "share": N_("Share"),
    "as_file": N_("Save as a file"),
    "is_sent": N_("It is sent"),
    "given": N_("It counts as given out until the host's receipt comes."),
    "letter_itself": N_("The letter"),
    # one game
    "you_play": N_("You play {seat}."),
    "happened": N_("What happened"),
    "odds": N_("The odds"),
    "turns": N_("Turns"),
    "turn": N_("The turn"),
    "dice": N_("The dice"),
    "die_counts": N_("{n}, which counts"),
    "step_back": N_("The step before"),
    "step_on": N_("The next step"),
    "show_then": N_("Show"),
    "show_entry": N_("Show the board as it was after entry {n}"),
    "as_it_was": N_("This is how it was after entry {n}."),
    "to_now": N_("Back to now"),
    "asked": N_("Your move"),
    "answered": N_("You have answered this. Another order takes that one's place, as long as the question is open."),
    "at_length": N_("At length"),
    "due": N_("Answer before {when}."),
    "they_answer": N_("They answer before {when}."),
    "waits": N_("Nothing is asked of you now"),
    "waits_for": N_("Waiting for {seats}"),
    "over": N_("The game is over"),
    "order": N_("Your order"),
    "undo": N_("Undo"),
    "redo": N_("Redo"),
    "anew": N_("Begin anew"),
    "undone": N_("Taken back."),
    "redone": N_("Done again."),
    "play": N_("Play it"),
    "sign": N_("Sign it"),
    "sign_anyway": N_("Sign it all the same"),
    "played": N_("Played: {said}"),
    "signed": N_("Signed: {said}"),
    "reads_as": N_("It is read as"),
    "by_typing": N_("Type it"),
    "line": N_("A line of the order"),
    "add": N_("Add"),
    "next": N_("What may come next"),
    "on_the_map": N_("What lights up on the map can be touched there."),
    "hand": N_("Before you"),
    "larger": N_("Larger"),
    "smaller": N_("Smaller"),
    "whole": N_("The whole map"),
    "in_words": N_("The board in words"),
    "notes": N_("Private notes"),
    "notes_say": N_("Nobody else sees them; they are kept on this machine."),
    "kept": N_("It is kept."),
    "keep": N_("Keep them"),
    "plans": N_("Standing plans"),
    "plans_say": N_("They go with every order that brings none of its own; each line begins with PLAN."),
    "say": N_("Say something"),
    "press_say": N_("Words for all others, by way of the host"),
    "press": N_("Sign these words"),
    "say_draw": N_("Offer a draw"),
    "say_resign": N_("Resign"),
    "say_claim": N_("Claim the game"),
    "really": N_("{what}: sign that?"),
    "yes_sign": N_("Yes, sign it"),
    "no": N_("No"),
    "file": N_("The log"),
    "file_says": N_("Your copy of the game, as a file that anybody can verify. It holds what you alone may see."),
    "file_alone": N_("The game as a file that can be verified and replayed; the whole of it once it is over."),
    "save_log": N_("Save the log"),
    "unsaved": N_("Your key is nowhere but here yet. Save the desk as a file, and keep that where you would find it again."),
    "unsaved_must": N_(
        "This browser may throw away what a page has kept. Save the desk as a file first: nothing is signed before that."
    ),
    "stumbles": N_("The page stumbles:"),
    "well": N_("All right"),
}  # fmt: skip
"""By the name under which the face asks for it."""
EARLY: dict[str, str] = {
    # how the desk is kept
    "reads": N_(
        "Another tab has this desk open, and only one may write. Here you can look; close the other tab, and this one goes on."
    ),
    "takes_over": N_("The other tab is closed: this one goes on."),
    "blocked": N_("Another tab has this desk open by an older version of the page. Close it, and this one goes on."),
    "nowhere_refused": N_(
        "This browser lets the page keep nothing, as in some private windows. You can play alone as long as this tab is open; "
        "nothing can be signed."
    ),
    "nowhere_gone": N_(
        "The browser has thrown away what this page had kept. It is still here as long as this tab is open: if there is a key, "
        "save the desk now. Nothing is signed any more."
    ),
    "unkept_tab": N_("Nothing was done: another tab has this desk open, and only one may write. Go on there, or close it."),
    "unkept_full": N_(
        "Nothing was done, as there is no room left to keep it. Make room on this device, or throw games away that you do not "
        "play on, and try again."
    ),
    "unkept_refused": N_("Nothing was done: this browser keeps nothing, and nothing is signed that is not kept."),
    "unkept_gone": N_("Nothing was done: the browser keeps nothing any more, and nothing is signed that is not kept."),
    "unkept_failed": N_("Nothing was done, as it could not be kept. The browser says: {said}"),
    # what runs
    "loading": N_("The program is being loaded: {percent} %. The next time it is here already."),
    "runs": N_("It is working …"),
    "runs_part": N_("It is working: {percent} %"),
    "stop": N_("Stop it"),
    "halted": N_("It was stopped. What was kept before is still here."),
    "go_on_now": N_("Go on"),
    # what goes wrong
    "newer": N_(
        "A newer version of this page has written your desk, and this older one leaves it alone. Load the page anew; if this "
        "stays, open the page where you opened it last."
    ),
    "mixed": N_("A newer version of this page has come while it was being loaded. Load it anew."),
    "unloaded": N_("A part of the page cannot be loaded ({said}). Look after your connection, and load the page anew."),
    "stopped": N_("The program of this page has stopped ({said}). What was kept is still here: load the page anew."),
    "closed": N_("The desk is closed."),
    "gone": N_("The program behind this page does not answer. Start “pbem web” again, and open the address that it prints."),
    "no_token": N_("This page has not got the token of this run. Open the address that “pbem web” has printed."),
}  # fmt: skip
"""What the face may have to say before the service can be asked: it stands in a module of the face, in every language."""


def face() -> dict[str, str]:
    """Return all that the face says, in the language that is spoken."""
    return {name: _(text) for name, text in (FACE | EARLY).items()}
