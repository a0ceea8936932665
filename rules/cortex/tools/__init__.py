"""What is done at a table, a command each."""
