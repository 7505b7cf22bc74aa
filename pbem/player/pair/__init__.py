"""Games with one friend and without a host: their files, the letters between the two players, and what each signs."""
