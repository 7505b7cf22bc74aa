"""What a club makes of finished games: who has played whom, and who is how strong.

Everything here is a function of logs. It knows no host, no store, no mail, no clock and no network, so anyone who has the logs
comes to the same list.
"""
