"""What people write as answers to a letter, and what a host reads in it."""
