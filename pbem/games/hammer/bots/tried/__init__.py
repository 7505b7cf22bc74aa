"""What a player tries on the game in small before he answers: each module knows the answers to some questions.

========  ==========================================================
trials    guesses, dice, and how good what comes of an answer is
moves     what is done with a Move card
cards     which card is played
battles   who fires and who goes
winter    where nobles go, who stays
========  ==========================================================
"""
