"""The small model of the game, on which built-in players look ahead: rough, quick, and made from a view alone.

=========  =====================================================================
numbers    board, blocks and dice as numbers
model      the places and strengths of blocks
guessing   a model that fits a view: hidden things are guessed
marches    the moves of a side, roughly
combat     a battle, from its beginning or from any moment of it
turns      the rest of a turn: the enemy's answer, the battles, the winter
winter     nobles go home, blocks disband, builds, the levy
worth      the worth of a position after a winter
features   the features of a position between two turns
outlook    its worth, from the course of whole games
weights    the weight of each feature in it
=========  =====================================================================
"""
