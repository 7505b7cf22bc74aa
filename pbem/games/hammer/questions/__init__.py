"""The questions that the rules put: how each is answered. Each works from the asked seat's view alone.

==========  ===========================================================================
question    what a question is: its forms, its options, why not, the answer of silence
turn        `card`, `act`: the card and move phases
battle      battles, retreats, regroups, pillage and raids
winter      `home`, `disband`, `build`
==========  ===========================================================================
"""
