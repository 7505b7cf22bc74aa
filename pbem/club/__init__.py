"""What a club derives from finished games: who has played whom, and how strong each player is.

Everything here is a function of logs, without host, store, mail, clock or network. Anyone who has the logs gets the same list.
"""
