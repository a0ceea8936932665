"""Hearts, a small game for the tests: pools of d6 whose highest counts, clocks, stress and bonds.

It proves that a game is its own rooms and two lines: nothing of the bot or the rules knows it.
"""
