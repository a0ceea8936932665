"""The games that can be played at a table."""

from rules.cortex import game as cortex
from rules.game import enrol
from rules.ore import game as ore

GAMES = (cortex.GAME, ore.GAME)
"""All of them: a new one is a line here, and one in the bot's own list."""

enrol(GAMES)
