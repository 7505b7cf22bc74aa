"""What people write: answers in many forms with prose around them, and mails that order nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

GREETINGS = {
    "en": ["Hi,", "Hello!", "Dear host,", "Hi there", "Good morning,", "Hey", "Hi pbem,", "Hello Bruce,"],
    "fr": ["Bonjour,", "Salut,", "Bonjour à tous !", "Cher hôte,", "Coucou"],
}
CHAT = {
    "en": [
        "Well played last turn!", "That was a lucky roll, 3 hits out of 4.", "Sorry for the delay, I was away for 2 days.",
        "I hope this works.", "My son took the 9:15 train, so I had time to think.", "What a mess in the north.",
        "This is my answer:", "Here we go:", "I'll regret this.", "Let's see what happens now", "Greetings from Edinburgh.",
        "It is raining and 6 degrees here.", "I thought about the other option for an hour.", "Wallace would be proud.",
        "The board looks terrible for me.", "I never roll a 1 or 2.", "Interesting position!", "Good luck with the dice :-)",
        "Tomorrow I am travelling, but on Friday I am back.", "Not sure whether that is wise.", "We will see :)", "Cheers mate",
        "Is there a way to see the map larger?", "Do you know when the next report comes?", "The 1297 campaign was a long one.",
        "In my opinion the English are too strong in this scenario.", "Ha! I knew it.", "(sent in a hurry)",
        "So my decision is as follows.", "Thanks for hosting, it is great fun.", "P.S. my new phone wraps lines strangely",
        "You were right about Bruce.", "and please don't tell the others",
        "I would have moved to Fife, but it is too late for that now.",
    ],
    "fr": [
        "Bien joué au dernier tour !", "Désolé pour le retard, j’étais absent 2 jours.", "Quel coup de chance, 3 touches sur 4.",
        "Voici ma réponse :", "On verra bien.", "Bon courage pour la suite.", "Il pleut et il fait 6 degrés ici.",
        "Je ne sais pas si c’est raisonnable.", "La situation au nord est terrible.", "J’ai hésité une heure.",
        "Est-ce que la carte existe en plus grand ?", "Mon fils a pris le train de 9h15.", "Merci d’organiser tout ça.",
        "Wallace serait fier.", "Je n’ai jamais de 1 ni de 2 aux dés.", "C’est parti.", "Vendredi je suis de retour.",
    ],
}  # fmt: skip
ENDS = {
    "en": [
        "Ann", "Thanks,\nAnn", "Best regards,\nAnn Miller", "Cheers\nA.", "Regards,\nAnn Miller\nHill Street 5\n+44 131 496 0123",
        "Best,\nAnn\n\nAnn Miller | Senior Clerk | Miller & Sons\nTel. 0131 496 0123", "- Ann", "Thank you!", "All the best\nAnn",
        "x", "Kind regards\n\nAnn Miller\n12 Hill Street\nEdinburgh EH1 2NG", "Ann\n\n-- \nAnn Miller\n5 Hill Street", "Ross",
        "Bruce", "P.", "Ann\nThis e-mail and any attachments are confidential. If you are not the intended recipient, delete it.",
    ],
    "fr": [
        "Anne", "Merci,\nAnne", "Cordialement,\nAnne Meunier", "À bientôt\nAnne",
        "Bien à vous\nAnne Meunier\n12 rue des Lilas\n01 23 45 67 89", "Bonne soirée !", "Amitiés\nA.",
        "Anne\n\n-- \nAnne Meunier\n5 rue Haute", "Ross",
    ],
}  # fmt: skip
COURTESY = {
    "en": ["", "", "", ".", "!", " please", ", thanks", ", thank you!", " - good luck", ", cheers"],
    "fr": ["", "", "", ".", " !", " s'il vous plaît", ", merci", " svp", ", merci beaucoup", " - bonne chance"],
}
NUMBERS = (
    "{n}", "{n}", "{n}", "{n}.", "{n})", "({n})", "#{n}", "- {n}", " {n} ", "*{n}*", "{n} {words}", "{n}. {words}", "{n}: {part}",
    "{n} - {part}", "{n} ({words})", "{n}, {part}",
)  # fmt: skip
"""Forms in which a number of the list is written."""

NOTHING = [
    "Thanks!", "Thank you, got it.", "OK", "OK, thanks", "Ok merci", "👍", "Will do.", "Sounds good!", "Great, thanks!", "Yes",
    "No", "Oui", "Non merci", "Same", "Yes please", "Got it, thanks!", "Received, will answer tomorrow.",
    "I am away until Friday, sorry.",
    "I am out of the office until 7 January with limited access to mail. For urgent matters call +44 131 496 0123.",
    "Je suis absent du bureau du 1 au 7 janvier. En cas d’urgence, appelez le 01 23 45 67 89.",
    "Ich bin bis zum 7. Januar nicht im Büro. Ihre Mail wird nicht weitergeleitet.", "What happens if I retreat now?",
    "Could you explain rule 5.3?", "How many dice does Wallace roll, 3 or 4?", "Which is better, 2 or 3?", "2?", "2 or 3?",
    "Should I take 2?", "I was thinking of 2 but maybe 3.", "Option 2 looks bad.", "Please don't play 2 for me.",
    "I had 2 beers and can't decide.", "Not 2.", "Can I have a draw?", "Draw?", "DRAW", "I might resign soon.",
    "How do I resign?", "RESIGN?", "When is the deadline?", "Is the deadline 18:00 or 20:00?",
    "My brother will play for me from tomorrow.", "Please remove me from this list.", "unsubscribe me", "Who are you?",
    "I don't understand this mail.", "Wrong address, sorry.", "Happy new year 2030!", "🎉🎉", "+1", "-1", "10/10", "lol",
    "Bruce is down to 1, what a pity.", "Bruce!", "Ross", "Angus", "Wallace\nDouglas", "A.", "P", "D.", "R", "H", "T", "M",
    "B\nC", "I pass this on to my brother.", "We pass.", "We fire at dawn, ha ha.", "Let us move on.", "Fwd: have a look at this",
    "See below.", "see attached", "Sent from my iPhone", "Envoyé de mon iPhone", "Get Outlook for iOS", "Ann",
    "Best regards\nAnn Miller\n2\nHill Street", "Retreat! Retreat!", "Fire!!! was what I shouted", "pass the salt",
    "Done and dusted.", "all done", "Nothing much to say.", "never mind", "Next time I will win.", "Home at last.",
    "Return to sender", "Land ahoy", "Build me a bridge", "Truce?", "Herald the new age!", "Deal", "Deal!", "Go ahead", "Go",
    "Fine", "Sure", "Play on", "Carry on", "Hold on", "Wait", "Stop", "Cancel", "Cancel that", "Undo that last one",
    "Please undo what I did", "until next time", "Until then!", "away from keyboard", "Address unknown", "Zone of control?",
    "Help me decide", "Status quo.", "Board games are fun", "again and again", "Press on!", "no press please", "AWAY", "UNTIL",
    "ZONE", "ADDRESS", "OFFER", "JOIN 3", "LEAVE", "WATCH", "WITHDRAW", "2 days is too short", "3 hits again",
    "1297 was a good year", "4 of your blocks are unknown", "1. e4 e5 2. Nf3", "1) what is the hand limit?\n2) who goes first?",
    "1. Thanks for the letter.\n2. I will answer tomorrow.", "Two things:\n1\n2", "1\n2\n3", "My number is\n0131 496 0123",
    "Room 2", "Flat\n2 Hill Street", "2nd of January", "2 January", "2pm", "2:30 pm", "2.5", "2%", "£2", "2 x 3", "2+2", "[2]",
    "[2] 5 [1]", "2/3", "2 / 3", "2, 3", "2 and 3", "2 then 3", "2 (no, wait)", "2 - no", "2 is wrong", "2!? Are you kidding",
    "not 2\n", "no 2", "No. 2", "number two", "Two", "deux", "zwei",
]  # fmt: skip
"""Mails that order nothing: the nastiest that people write."""


class Meant(NamedTuple):
    """What a player writes, and what he means by it: an order and its plans."""

    own: str
    order: str
    plans: str


def around(said: str, language: str, chance: Random) -> str:
    """Put prose around an answer, as often as people do."""
    lines: list[str] = []
    if chance.randrange(3) == 0:
        lines += [chance.choice(GREETINGS[language]), *([""] * chance.randrange(2))]
    if chance.randrange(4) == 0:
        lines += [*chance.sample(CHAT[language], chance.randrange(1, 3)), *([""] * chance.randrange(2))]
    lines.append(said)
    if chance.randrange(4) == 0:
        lines += [*([""] * chance.randrange(2)), *chance.sample(CHAT[language], chance.randrange(1, 3))]
    if chance.randrange(3) == 0:
        lines += ["", chance.choice(ENDS[language])]
    return "\n".join(lines)


def by_number(number: int, words: str, language: str, chance: Random) -> str:
    """Return a number of the list as people write it."""
    form = chance.choice(NUMBERS)
    pieces = words.split()
    part = " ".join(pieces[: chance.randrange(1, len(pieces) + 1)]) if pieces else ""
    said = form.format(n=number, words=words, part=part)
    return said + (chance.choice(COURTESY[language]) if "{words}" not in form and "{part}" not in form else "")


def in_words(order: str, language: str, chance: Random) -> str:
    """Return an order as people type it."""
    lines = order.split("\n")
    match chance.randrange(8):
        case 0 if order not in ("DONE", "NOTHING", "TERMINÉ", "RIEN", "RETURN", "REVENIR"):
            lines = [line.lower() for line in lines]
        case 1 if order not in ("DONE", "NOTHING", "TERMINÉ", "RIEN", "RETURN", "REVENIR"):
            lines = [line.capitalize() for line in lines]
        case 2:
            lines = [line.replace(" > ", " -> ") for line in lines]
        case 3:
            lines = [line.replace(" > ", ">").replace(": ", ":") for line in lines]
        case 4:
            lines = [f"- {line}" for line in lines]
        case 5:
            lines = [f"  {line}  " for line in lines]
    said = ("; " if len(lines) > 1 and chance.randrange(6) == 0 else "\n").join(lines)
    return said + (chance.choice(["", "", ".", ", thanks"]) if len(lines) == 1 else "")


def with_a_slip(order: str, chance: Random) -> str:
    """Return an order with one word mistyped: two letters exchanged, one left out, or one doubled."""
    words = list(re.finditer(r"[^\W\d_]{4,}", order))
    if not words:
        return order
    found = chance.choice(words)
    word, at = found[0], chance.randrange(len(found[0]) - 1)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    )
    return order[: found.start()] + chance.choice(slips) + order[found.end() :]


def prose(language: str, chance: Random, extra: Sequence[str] = ()) -> str:
    """Return a mail that orders nothing."""
    return around(chance.choice([*NOTHING, *extra]), language, chance)
