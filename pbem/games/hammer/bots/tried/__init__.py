"""What a player tries on the game in small before he answers: each module knows the answers to one question.

========  ==========================================================
trials    guesses, dice, and how good what comes of an answer is
cards     which card is played
moves     what is done with a Move card
battles   who fires and who goes
regroups  where the victors of a battle go
winters   whether Edward winters in Scotland
========  ==========================================================
"""
