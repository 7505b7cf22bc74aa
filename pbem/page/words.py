"""What the face says, by name: one catalogue for it and for the program behind it."""

from __future__ import annotations

from pbem.i18n import N_, _
from pbem.player.meanings import MEANS, NO_GAME

FACE: dict[str, str] = {
    "subtitle": N_("Board games of hidden information, alone or by mail"),
    "language": N_("Language"),
    "games": N_("Games"),
    # the first screen
    "at_once": N_("Play now"),
    "at_once_says": N_("Against a built-in player, without a key or a host. The game is kept here after every order."),
    "play_it": N_("Play"),
    "options": N_("Options"),
    "for_players": N_("{n} players"),
    "minutes": N_("{n} minutes"),
    "go_on": N_("Your games"),
    "mine": N_("It is your turn."),
    "tools": N_("The referee's tools"),
    "tools_say": N_("Judge a log or a complaint, unite copies, look at a position or at the rules."),
    "earlier": N_("Earlier ones: {n}"),
    "last": N_("played last {when}"),
    "side": N_("Your side"),
    "against": N_("Against"),
    "bot_sensible": N_("a sensible player"),
    "bot_normal": N_("a player who looks ahead"),
    "bot_hard": N_("a player who looks far ahead"),
    "bot_planning": N_("a player who plans ahead"),
    "bot_random": N_("one who plays at random"),
    "more_settings": N_("More options"),
    "forget": N_("Throw it away"),
    "forget_it": N_("Throw {game} away"),
    "really_forget": N_("Throw this game away? It cannot be had back."),
    "by_mail": N_("By mail, against people"),
    "no_key": N_("Games by mail are signed. This desk has no key yet."),
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
    "save_says": N_(
        "A lost key cannot be restored. Save the whole desk, key and games, as a file. Keep it where "
"nobody else can read it."
    ),
    "save_desk": N_("Save the desk"),
    "restore": N_("Or take a desk that was saved: choose its file"),
    "no_games": N_("There is no game by mail here yet. An invitation comes as a letter: drop it below."),
    "since": N_("since {when}"),
    "until": N_("until {when}"),
    "no_receipt": N_("without a receipt: {n}"),
    "judge": N_("Judge a log"),
    "judge_says": N_("Drop a .pbem file to check whether everything in it is in order. The check runs here, and "
"nothing is sent anywhere."),
    "drop_log": N_("Drop a log here, or choose one"),
    "by_the_rules": N_("Replay it by the rules, too"),
    "look_at_it": N_("Look at this game"),
    "events": N_("Events of this host"),
    "events_say": N_("Leagues, cups and rounds at tables that the host of this page runs: standings and pairings."),
    "no_events": N_("No event is shown here."),
    "event_round_robin": N_("everybody meets everybody"),
    "event_swiss": N_("Swiss rounds"),
    "event_knock_out": N_("knock-out"),
    "event_tables": N_("rounds at tables"),
    "event_over": N_("The event is over."),
    "event_round": N_("Round {n}"),
    "event_rounds": N_("Rounds before"),
    "event_table": N_("Table"),
    "event_player": N_("Player"),
    "event_points": N_("Points"),
    "event_won": N_("Won"),
    "event_tables_won": N_("Tables won"),
    "event_games": N_("Games"),
    "event_teams": N_("Teams"),
    "event_team": N_("Team"),
    "event_you": N_("{name} (you)"),
    "event_bid": N_("bid {bid}"),
    "event_rests": N_("rests"),
    "event_open": N_("not decided"),
    "event_missing": N_("not open: no address of {names} is known"),
    "event_ruled": N_("by the organiser"),
    "shown": N_("Games of this host"),
    "shown_says": N_("What the host of this page shows to everybody: you need no key, and nothing is sent but the question."),
    "shows_nothing": N_("No game is shown here."),
    "shows_not_now": N_("The host does not answer now. Try again in a minute."),
    "goes_on": N_("In progress"),
    "look_on": N_("Fetch it"),
    "look_as": N_("As it was seen by:"),
    "proof": N_("Save the evidence"),
    "signature": N_("Check a signature with OpenSSH"),
    "signature_says": N_("Each entry that somebody signed can be checked without this program. Saved are the three files for it."),
    "signature_save": N_("Save them"),
    "entry": N_("The entry"),
    "position": N_("Look at a position"),
    "position_says": N_("Paste a position, in words or as JSON, as “pbem board --as text” writes it. It is not kept."),
    "position_text": N_("The position"),
    "position_show": N_("Show it"),
    "seen_by": N_("Seen by"),
    "seen_by_all": N_("everybody"),
    "better": N_("Who stood better"),
    "better_says": N_(
        "A built-in player judges the position at each turn, hidden things too. It is a second opinion and no truth."
    ),
    "better_none": N_("There is no opinion: this game is not fully open here, it was too short, or no built-in "
"player judges it."),
    "puzzles": N_("Puzzles"),
    "puzzles_say": N_(
        "Positions in which one order wins for certain, or has the best chance. You need no key, and nothing is sent."
    ),
    "puzzles_all": N_("All puzzles"),
    "puzzles_load": N_("They are being fetched …"),
    "puzzles_done": N_("Solved: {n} of {all}"),
    "puzzle_of": N_("Puzzle {n} of {game}"),
    "puzzle_task": N_("The task"),
    "puzzle_solved": N_("solved"),
    "puzzle_judge": N_("Is this the answer?"),
    "puzzle_yours": N_("Your answer"),
    "puzzle_judged_here": N_("When your order is whole, it can be judged. Where it fails, you see how."),
    "puzzle_right": N_("Right"),
    "puzzle_wrong": N_("Not right"),
    "puzzle_next": N_("The next puzzle"),
    "puzzle_answer": N_("Show the answer"),
    "rules_here": N_("Which rules are here"),
    "rules_here_say": N_("The version of each game, and its fingerprint. The same fingerprint means the same rules."),
    "version_of": N_("{title}, version {version}"),
    "unite": N_("Unite two copies"),
    "unite_says": N_("Everything that is open in either of two copies of one game is open in the united copy."),
    "copy_first": N_("One copy (.pbem)"),
    "copy_second": N_("Another copy of the same game"),
    "complain": N_("Judge a complaint"),
    "complain_says": N_(
        "An order was sent in time and left out, or one seat signed two answers to one question: that no log shows by itself. "
        "Bring the log, the letter with the order, and the host's receipts or the other letter. Nothing is sent anywhere."
    ),
    "paper_log": N_("The log (.pbem), or the mails that brought it"),
    "paper_letter": N_("The letter with the order, as it was sent"),
    "paper_receipts": N_("The host's receipts: was it left out?"),
    "paper_other": N_("Another letter of that seat: did it sign two?"),
    "mark": N_("The mark, if it was sent ahead"),
    "left_out": N_("My order was left out"),
    "left_out_says": N_(
        "Choose the letter. It is held against your copy and the receipt that the host signed for it; nothing is sent anywhere."
    ),
    "which_letter": N_("The letter"),
    "no_receipts": N_("No receipt of the host is kept here for any letter of this game: there is nothing to show."),
    "entries": N_("Entry by entry"),
    "as_page": N_("Save as a page that steps through the game"),
    "you_look": N_("You look at a log: {seat}."),
    "looked_at": N_("This log is only looked at"),
    # letters
    "letters_in": N_("Letters that came"),
    "drop": N_("Drop mails here, or choose them: a mail, its attachment, or a whole mailbox"),
    "paste": N_("or paste the text of one here"),
    "reading": N_("It is being read and verified …"),
    "kind_report": N_("A report:"),
    "kind_receipt": N_("A receipt:"),
    "kind_asks": N_("It asks you:"),
    "kind_confirm": N_("It asks for confirmation:"),
    "kind_member": N_("A club asks you:"),
    "kind_words": N_("Words of a host:"),
    "kind_strange": N_("Not of a host of yours:"),
    "kind_left": N_("Left alone:"),
    "kind_old": N_("Known already:"),
    "kind_pair": N_("A friend's letter:"),
    "unsigned": N_("{sender} writes, and nobody has signed it:"),
    "unsigned_unnamed": N_("Who sent it is not said, and nobody has signed it:"),
    "no_subject": N_("a text without a subject"),
    "its_words": N_("What it says"),
    "wait_to_go": N_("Signed, and not sent yet"),
    "send_all": N_("Send everything"),
    "sent": N_("It was sent."),
    "signed_letter": N_("Signed and kept."),
    "to": N_("It goes to {to}."),
    "open_mail": N_("Open in my mail program"),
    "send_there": N_("Send it there, then say here that it is sent."),
    "copy": N_("Copy the text"),
    "copied": N_("Copied: paste it into a mail to {to}."),
    "share": N_("Share"),
    "as_file": N_("Save as a file"),
    "is_sent": N_("Mark as sent"),
    "given": N_("It counts as handed over until the host's receipt arrives."),
    "letter_itself": N_("The letter"),
    "fetch": N_("Fetch from my mailbox"),
    "fetching": N_("Your mailbox is being looked at …"),
    "nothing_came": N_("Nothing new has come."),
    # the door
    "door_open": N_("The host's door is open: new letters arrive by themselves."),
    "door_shut": N_("The host's door is not reached; it is tried again. Meanwhile letters go by mail."),
    "door_locked": N_("Your key is locked: the host's door hears only who signs."),
    "new_elsewhere": N_("Something new in another game"),
    "from_the_door": N_("What came by itself"),
    "door_near": N_("Letters go and come by themselves, by the relay."),
    "door_away": N_("The relay is not reached; it is tried again. Meanwhile send your letters yourself."),
    "on_its_way": N_("It is on its way to the host's door …"),
    "brought": N_("Brought to the host's door."),
    "door_says": N_("So says the door; nobody has signed that."),
    "has_receipt": N_("The host's signed receipt is here, and kept."),
    "not_brought": N_("It was not brought to the host's door: {why} It is signed and kept; send it by mail."),
    "try_door": N_("Try the door again"),
    "already_gone": N_("It had left already."),
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
    "at_length": N_("Details"),
    "due": N_("Answer before {when}."),
    "they_answer": N_("They answer before {when}."),
    "waits": N_("Nothing is asked of you now"),
    "waits_for": N_("Waiting for {seats}"),
    "over": N_("The game is over"),
    "rematch_again": N_("Play again"),
    "rematch_side": N_("Play as {name}"),
    "rematch_stronger": N_("Against {name}"),
    "order": N_("Your order"),
    "undo": N_("Undo"),
    "redo": N_("Redo"),
    "bell": N_("Notify me when it is my turn"),
    "bell_refused": N_("Your browser allows this page no notifications; its settings can change that."),
    "at_one_touch": N_("The last touch answers; you have a second to undo it"),
    "take_out": N_("Take out: {line}"),
    "anew": N_("Start over"),
    "undone": N_("Taken back."),
    "going": N_("{said}. You have {n} s to undo it (Ctrl Z)."),
    "answer_back": N_("Take back my last answer"),
    "redone": N_("Done again."),
    "play": N_("Play it"),
    "sign": N_("Sign it"),
    "sign_anyway": N_("Sign it anyway"),
    "played": N_("Played: {said}"),
    "signed": N_("Signed: {said}"),
    "reads_as": N_("It is read as"),
    "by_typing": N_("Type it"),
    "line": N_("A line of the order"),
    "add": N_("Add"),
    "next": N_("Your options"),
    "on_the_map": N_("You can also touch what lights up in the picture."),
    "hand": N_("Before you"),
    "larger": N_("Larger"),
    "smaller": N_("Smaller"),
    "whole": N_("The whole map"),
    "legend": N_("Key and score"),
    "drawer": N_("More room for the choices"),
    "choices": N_("Your options: {n}"),
    "in_words": N_("The board in words"),
    "notes": N_("Private notes"),
    "notes_say": N_("Nobody else sees them; they are kept on this machine."),
    "kept": N_("It is kept."),
    "keep": N_("Keep them"),
    "plans": N_("Standing plans"),
    "plans_say": N_("They go with every order that has no plans of its own; each line begins with PLAN."),
    "plans_show": N_(
        "Show your friend what they say of a battle, once he has sealed or shown his: there both answer at once, in about two "
        "letters"
    ),
    "say": N_("Say something"),
    "press_friend": N_("Words for your friend, in your letters; not in any log"),
    "press_say": N_("Words for the others, through the host; not in any log"),
    "press": N_("Sign these words"),
    "say_offers": N_("Say something: an offer waits for your answer"),
    "press_to": N_("For"),
    "press_all": N_("all others"),
    "hours": N_("Hours"),
    "lay_aside": N_("Do not send it: lay it aside"),
    "in_full": N_("In full, as the host asks"),
    "laid_aside": N_("It is laid aside, and is not sent."),
    "aside": N_("Write an order ahead, or plans"),
    "aside_says": N_(
        "Lines that begin with AHEAD answer a question before it is put, if they fit it then. Lines "
"that begin with PLAN are kept as your standing plans."
    ),
    "keep_plans": N_("Keep them as standing plans"),
    "draft_kept": N_("Your earlier draft still fits, and is back:"),
    "draft_left": N_("This is what you had written; it does not fit any more:"),
    # keys, and letters that ask
    "keys": N_("Keys and their owners"),
    "keys_say": N_(
        "By the log. Read the six words out to their owner by telephone: if they are the same, it is his key. The fingerprint "
        "beside them says the same at more length."
    ),
    "key_of": N_("Owner"),
    "compare": N_("Compare the copy first"),
    "compare_head": N_("The head of another player's copy: “entry 40: 3f29 aa00 1122 3344”"),
    "compare_do": N_("Compare it"),
    "compare_fits": N_("It fits: you may sign now."),
    "compare_rekey": N_("Change the key first"),
    "compare_rekey_means": N_(
        "You get a new key with new links in all your games, and nothing signed with the old key can "
"be used again. Everybody is asked to confirm again that they are ready."
    ),
    "compare_anyway": N_("Nobody can tell me: continue anyway"),
    "key_words": N_("Six words to read out"),
    "key_print": N_("Fingerprint"),
    "your_own": N_("{who} (your own)"),
    "take_seat": N_("Sign: I take the seat"),
    "say_ready": N_("Sign: I am ready"),
    "compare_says": N_(
        "Before you sign, ask each owner by telephone for the six words of the key. If any words "
"differ, do not sign: somebody else may be interfering with the game."
    ),
    "have_compared": N_("I have compared them, and they are the same."),
    "key_is_new": N_("I have asked {who} by telephone: the new key is right."),
    "entry_0": N_("You agree to this. It is in the log, and it counts whatever a letter says:"),
    "meant_for_me": N_("It is addressed to {others}. The seat {seat} is meant for me anyway."),
    "rules_unknown": N_(
        "These rules are not known here (fingerprint {rules}…), so the host's reports cannot be "
"judged. I play by them anyway."
    ),
    "bare_says": N_("This is only the attachment of the invitation. Copy the rest from the mail itself."),
    "token": N_("The token, behind the word TOKEN"),
    "host_address": N_("The host's address"),
    "decline": N_("Do not ask me again"),
    "decline_means": MEANS["decline"],
    "another_before": N_("I have agreed to another host before, and that one has given up."),
    "welcome_player": N_("Agree to the newcomer"),
    "welcome_player_means": MEANS["welcome player"],
    "welcome_host": N_("Agree to the new host"),
    "welcome_host_means": MEANS["welcome host"],
    "welcome_spare": N_("Take the seat over"),
    "welcome_spare_means": MEANS["welcome spare"],
    "confirm": N_("Yes, I read my letters there"),
    "confirm_means": MEANS["confirm"],
    "member": N_("Send the code back"),
    "member_means": MEANS["member"],
    # games of two, without a host
    "friend": N_("Play with one friend only"),
    "friend_says": N_(
        "Without a host: your two programs throw the dice and shuffle the deck together. Neither of you can see the other's hand. "
        "The invitation is a letter to your friend; his answer begins the game."
    ),
    "friend_game": N_("The game"),
    "friend_address": N_("Your friend's e-mail address"),
    "friend_hours": N_("Hours for an answer, as a courtesy (0: as long as it takes)"),
    "friend_odds": N_("Our programs show chances"),
    "friend_invite": N_("Sign the invitation"),
    "friend_again": N_("Send the invitation again"),
    "friend_withdraw": N_("Withdraw it"),
    "friend_compare": N_(
        "Compare the six words with your friend, by telephone or in some other way than this letter: "
"both of you must have the same words. If they differ, do not sign: somebody is between you."
    ),
    "friend_lost": N_("A letter was lost, or my friend has moved"),
    "friend_lost_says": N_(
        "Your last letter can be sent again as it was signed; and your friend can have the whole log, if he has lost his."
    ),
    "friend_resend": N_("My last letter once more"),
    "friend_copy": N_("The whole log for my friend"),
    "friend_moves": N_("Write to this address from now on"),
    "friend_witness": N_("A witness's e-mail address; empty: nobody's"),
    "friend_witnessed": N_("Send copies of my letters there"),
    "friend_whole": N_("My friend's whole log, as it came"),
    "friend_instead": N_("Replace my log with it"),
    "friend_instead_means": N_(
        "For when you have signed two turns, on two machines, or your friend has refused your last "
"one. Your friend's log replaces yours, and yours is kept beside it. If you sign another "
"turn in place of one that your friend has taken, you make a fork."
    ),
    "save_attached": N_("Save the attachment ({name})"),
    "step_share": N_("Share it, and choose how it gets to {to}."),
    "step_save": N_("Save what is attached: only that counts."),
    "step_attach": N_("Attach {name} to a mail to {to}, and send it."),
    "then_mark": N_("Come back, and press “Mark as sent”."),
    "other_way": N_("Another way"),
    "not_shared": N_("The browser did not share it. Take another way: it is below."),
    # a relay between two friends
    "by_this_relay": N_("By the relay of this page: letters go and come by themselves, sealed"),
    "not_needed": N_("not needed by a relay"),
    "no_address": N_("Without an e-mail address: for games by a relay."),
    "relay_address": N_("A relay's address, if you use one"),
    "relay_goes": N_("It goes to the relay …"),
    "relayed": N_("Sent by the relay."),
    "not_relayed": N_(
        "The relay did not take it: {why} It is signed and kept. While this page is open, it is tried again."
    ),
    "try_relay": N_("Try the relay again"),
    "relay_says": N_("So says the relay; nobody has signed that."),
    "relay_elsewhere": N_("This page does not reach the relay of this game, {relay}. Send the letter yourself."),
    "relay_needed": N_(
        "Your friend needs the link, and the link needs the relay. Open this page again later, or withdraw the invitation and make "
        "another one without a relay."
    ),
    "link": N_("The link"),
    "link_says": N_("Your friend joins by a link."),
    "link_give": N_("Give your friend this link, in a message or a mail."),
    "link_copy": N_("Copy the link"),
    "link_copied": N_("Copied: paste it into a message to your friend."),
    "link_wait": N_("Wait. When your friend has joined, the game begins here by itself."),
    "link_secret": N_("Show it to no other person: whoever opens it can take the seat."),
    "link_fetched": N_("The invitation is being fetched …"),
    "link_empty": N_(
        "The link leads to no invitation. It was withdrawn or answered, or lay there too long. Ask your friend for another one."
    ),
    "link_again": N_("Try again"),
    "link_needs_key": N_(
        "A friend invites you to a game. Your letters are signed, so make a key first. Then the page shows the invitation."
    ),
    "given_friend": N_("It counts as sent. If it does not arrive, you can send it again in the game."),
    # what a player has settled
    "me": N_("Me and my hosts: key, address, clock"),
    "make_recovery": N_("Make a recovery key as well: it takes your seats back if this key is lost"),
    "take_key": N_("Or take a key of OpenSSH that you have"),
    "recovery_made": N_(
        "This is your recovery key. It is not kept here: save it now, and keep it away from this "
"machine. Anybody who has it can take your seats."
    ),
    "recovery_save": N_("Save the recovery key"),
    "speak_none": N_("No host has been asked yet to write to you in a language."),
    "speak": N_("Have hosts write to me in this language: {language}"),
    "speaks": N_("From now on your letters ask for it."),
    "go_sign": N_("On to signing"),
    "new_address": N_("The new address"),
    "address_moves": N_("My letters go to another address"),
    "address_means": MEANS["address"],
    "address_friends": MEANS["address friends"],
    "clock": N_("When my time counts"),
    "zone": N_("Time zone"),
    "quiet": N_("Quiet hours, by your clock"),
    "weekends": N_("Weekends"),
    "weekends_on": N_("count as well"),
    "weekends_off": N_("Saturday and Sunday do not count"),
    "weekends_fri": N_("Friday and Saturday do not count"),
    "clock_means": N_("Each host is told. The change applies from the next question on, and everybody sees how "
"long a game waits."),
    "by_mail_says": N_("What the host also sends me by mail"),
    "by_mail_what": N_("By mail comes"),
    "by_mail_all": N_("everything"),
    "by_mail_short": N_("two lines, and the door's address"),
    "by_mail_none": N_("nothing"),
    "by_mail_all_means": N_("All letters come by mail, too."),
    "by_mail_short_means": N_("A mail of two lines tells you that something is at the door. The letters themselves are there."),
    "by_mail_none_means": MEANS["no letters"],
    "with_host": N_("Put something right with a host"),
    "in_game": N_("In the game"),
    "ask_again": N_("Ask for my copy once more"),
    "ask_again_means": N_("The host is asked to send all that your seat may have once more. It changes nothing in the game."),
    "send_copy": N_("Send the host my copy"),
    "send_copy_means": MEANS["copy"],
    "renew": N_("Take other links"),
    "renew_means": MEANS["renew"],
    "stay": N_("Take back that I agreed to another host"),
    "stay_means": MEANS["stay"],
    "new_key": N_("Change my key"),
    "new_key_says": N_("For when somebody else may have your key. If the key itself is lost, your recovery key "
"signs instead."),
    "new_key_means": MEANS["rekey"],
    "new_key_is": N_("Your new key, to be compared by telephone:"),
    "no_game": NO_GAME,
    "recovery_file": N_("The file of your recovery key, if the key itself is lost"),
    "key_lost": MEANS["key lost"],
    "take_back": N_("Take my seats back"),
    "recovery_words": N_("Its passphrase, if it has one"),
    "key_back": N_("Take the key before again"),
    "key_back_means": MEANS["key back"],
    "yes_sign": N_("Yes, sign it"),
    "no": N_("No"),
    "file": N_("The log"),
    "file_says": N_("Your copy of the game, as a file that anybody can verify. It contains what only you may see."),
    "file_alone": N_("The game as a file that can be verified and replayed; complete once the game is over."),
    "save_log": N_("Save the log"),
    "titled": N_("{title}: {part}"),
    "rulebook": N_("Rules"),
    "rules_load": N_("The rules are being fetched …"),
    "rules_close": N_("Close the rules"),
    "lesson_first": N_("First lesson"),
    "lesson_step": N_("Step {n} of {all}"),
    "lesson_do": N_("Give the order"),
    "lesson_next": N_("The next step"),
    "lesson_came": N_("The result"),
    "lesson_end": N_("That was the lesson. Play a game now, and look the rest up as it comes."),
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
        "Another tab has this desk open, and only one may write. You can look here; close the other "
"tab, and this one continues."
    ),
    "takes_over": N_("The other tab is closed: this one continues."),
    "blocked": N_("Another tab has this desk open, in an older version of the page. Close it, and this tab continues."),
    "silent": N_(
        "The browser does not open what this page keeps. Wait a little. If nothing changes, close "
"all tabs of this page, or quit the browser and start it again. Everything kept is still "
"there."
    ),
    "nowhere_refused": N_(
        "This browser lets the page keep nothing, as in some private windows. You can play alone as long as this tab is open; "
        "nothing can be signed."
    ),
    "nowhere_gone": N_(
        "The browser has thrown away what this page had kept. It is still here as long as this tab is open: if there is a key, "
        "save the desk now. Nothing is signed any more."
    ),
    "unkept_tab": N_("Nothing was done: another tab has this desk open, and only one may write. Continue there, "
"or close it."),
    "unkept_full": N_(
        "Nothing was done, because there is no room left to store it. Make room on this device, or "
"throw away games that you no longer play, and try again."
    ),
    "unkept_passphrase": N_("Nothing was done: without a passphrase this page keeps games alone only."),
    "unkept_refused": N_("Nothing was done: this browser keeps nothing, and nothing is signed that is not kept."),
    "unkept_gone": N_("Nothing was done: the browser keeps nothing any more, and nothing is signed that is not kept."),
    "unkept_failed": N_("Nothing was done, as it could not be kept. The browser says: {said}"),
    # what runs
    "last_visit": N_("From your last visit. You can continue when the program has started."),
    "begins": N_("The program is starting …"),
    "loading": N_("The program is being loaded: {percent} %. The next time it is here already."),
    "runs": N_("It is working …"),
    "runs_part": N_("It is working: {percent} %"),
    "stop": N_("Stop it"),
    "halted": N_("It was stopped. Everything saved before is still here."),
    "go_on_now": N_("Continue"),
    # what goes wrong
    "newer": N_(
        "A newer version of this page has written your desk, so this older one does not touch it. "
"Load the page again; if that does not help, open the page where you opened it last."
    ),
    "mixed": N_("A newer version of this page came while it was loading. Load the page again."),
    "unloaded": N_("A part of the page cannot be loaded ({said}). Check your connection, and load the page again."),
    "stopped": N_("The program of this page has stopped ({said}). Everything kept is still here: load the page again."),
    "closed": N_("The desk is closed."),
    "gone": N_("The program behind this page does not answer. Start “pbem web” again, and open the address that it prints."),
    "no_token": N_("This page has not got the token of this run. Open the address that “pbem web” has printed."),
}  # fmt: skip
"""The face's texts for the time before it can call the service; they are in a module of the face, in every language."""

FILE: dict[str, str] = {
    "file_locked": N_("This desk is kept under your passphrase"),
    "file_passphrase": N_("Your passphrase"),
    "file_open": N_("Open the desk"),
    "file_opening": N_("One moment …"),
    "file_wrong": N_("That is not the passphrase."),
    "file_damaged": N_(
        "Something else on this machine changed the desk's data in this browser, so the page does "
"not trust it. Throw the data away, and load the file that you saved."
    ),
    "file_other": N_("Another tab has this desk open. Close it first."),
    "file_discard": N_("Throw this desk away"),
    "file_really": N_("Throw away the key and all games that this browser keeps? They cannot be had back without a saved file."),
    "file_choose": N_("Choose a passphrase for this desk"),
    "file_why": N_(
        "This page is a file on your disk, and other files that you open from there may be able to "
"read what your browser keeps. So the key and all games are encrypted under a passphrase; "
"without one, only games against built-in players are kept. Somebody who copies them can "
"keep guessing: choose several words. Nobody can tell you a forgotten passphrase."
    ),
    "file_new": N_("Passphrase, at least ten letters"),
    "file_again": N_("Once more"),
    "file_short": N_("It needs at least ten letters; several words are better."),
    "file_differ": N_("The two are not the same."),
    "file_keep": N_("Keep the desk under it"),
    "file_leave": N_("Not now"),
    "file_is": N_("This page is a file on your disk"),
    "file_speaks": N_(
        "It makes no connections. Letters come in by a drop, a file or pasting, and go out by your "
"mail program, as a file or copied. It cannot send by itself, use a host's door, be a target "
"for sharing, or hear of newer versions."
    ),
    "file_keeps": N_(
        "Your games are kept by this browser, and in some browsers for this file in this folder "
"only. They are missing if you move or rename the file, clear the browser's data, or use "
"another browser. Save the desk as a file first."
    ),
    "file_others": N_(
        "Another file from your disk cannot read a desk under a passphrase. But it can delete the "
"desk, put back an older state, or imitate this page and ask for the passphrase. Open this "
"page by its own name only, never by a link."
    ),
}  # fmt: skip
"""The texts of a one-file page before the service answers, by name."""


def of_file() -> dict[str, str]:
    """Return what the single file says by itself, in the language that is spoken."""
    return {name: _(text) for name, text in FILE.items()}


def face() -> dict[str, str]:
    """Return all that the face says, in the language that is spoken."""
    return {name: _(text) for name, text in (FACE | EARLY).items()}
