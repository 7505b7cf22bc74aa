"""The game in small, on which built-in players look ahead: rough, quick, and made from a view alone.

=========  =====================================================================
numbers    board, blocks and dice as numbers
model      who stands where, how strong
guessing   a model that fits a view: what is hidden is guessed
marches    the moves of a side, rough and ready
combat     a battle, from its beginning or from any moment of it
turns      what comes after a move: the enemy's answer, the battles, the winter
winter     nobles home, who disbands, builds, the levy
worth      what a position after a winter is worth
features   what is to be seen of a position between two turns
outlook    what it is worth, by how whole games went on
weights    what each feature weighs there
=========  =====================================================================
"""
