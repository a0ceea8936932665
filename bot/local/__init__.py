"""A Discord of one's own on this machine, and a table in the terminal to play at with it."""
