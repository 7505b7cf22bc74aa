"""Games that a player has with one friend and without a host: their files, the letters between the two, and what is signed."""
