"""Facts and tables put into words: neutral cards, without Discord and without a database."""
