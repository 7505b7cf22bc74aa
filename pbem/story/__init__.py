"""Games for people to share: notation, exports, pictures and session reports, of signed logs and of games that nobody signed."""
