"""The commands, one module for each group: typed options in, one rule chosen, one reply out."""
