"""The list of games that can be played."""

from rules.cortex import game
from rules.ore import game as ore

GAMES = (game.GAME, ore.GAME)
"""All of them: a new one is a line here, and one in the bot's own list."""
