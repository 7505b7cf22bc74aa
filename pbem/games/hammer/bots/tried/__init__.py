"""The candidates that a player tries on the small model before he answers: each module has the answers to one question.

========  ==============================================================
trials    guesses, dice, and the value of an answer
cards     which card is played, and whether Edward winters in Scotland
moves     the use of a Move card
battles   which blocks fire and which leave
regroups  where the victors of a battle go
========  ==============================================================
"""
