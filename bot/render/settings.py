"""What each setting of a table is about, in a sentence short enough for a suggestion."""

from collections.abc import Mapping

from bot.language import later, say
from bot.render.table import RULESETS

LOG = "log"
"""What is set beside the settings that a table keeps: the channel of its log, which it can be without."""
ABOUT: Mapping[str, str] = {
    "ruleset": later("prime, heroic, empire or adept"),
    "name": later("what the table is called"),
    "trait sets": later("the lines of a sheet, in their order"),
    "one of resources and signature assets": later("a pool may hold one of the two"),
    "assets in one pool": later("how many assets a pool may hold free of charge"),
    "opposition": later("what opposes a roll: dice, a number, or doom"),
    "step up a d12": later("what a d12 in a pool becomes when it is stepped up"),
    "effect past d12": later("what an effect larger than d12 does"),
    "one die alone": later("whether a single die left can be kept"),
    "heroic success": later("what a success by 5 gives"),
    "hitches buy": later("what the GM makes of hitches"),
    "opportunities": later("what a 1 on a GM's die is good for"),
    "resisting effect": later("whether the opposition's effect counts, too"),
    "scale keeps an extra die": later("whether scale counts one die more in the total"),
    "doom pool": later("whether the GM has a doom pool"),
    "doom at the start of an act": later("the dice that it begins with"),
    "doom over acts": later("whether its dice stay from act to act"),
    "crisis pools": later("whether there are crises"),
    "challenges": later("whether there are challenges"),
    "stress tracks": later("the tracks by name, or off"),
    "resources": later("whether characters have resources"),
    "reroll for 1 PP": later("whether a PP rolls a die again"),
    "PP at a session's start": later("how many PP everybody gets"),
    "players give PP": later("whether players give their PP away without the GM"),
    "GM's PP": later("whether the GM has PP: one a player each session"),
    "session assets": later("whether 2 PP buy an asset that lasts the session"),
    "time heals stress": later("whether time heals a step by itself"),
    "hidden GM rolls": later("whether the GM may roll in secret"),
    "dice": later("rolled dice as pictures or in words"),
    "pace": later("live, or post: each when they find the time"),
    "deadline": later("by post: hours until what waits is late"),
    "time zone": later("the one that dates are typed in"),
    LOG: later("switched off here; its channel is chosen by the option log"),
}
"""By the name of the setting."""


def setting_words(name: str) -> str:
    """A setting as it is suggested, with what it is about."""
    return say("{setting}: {about}", setting=name, about=say(ABOUT[name]))


def ruleset_words(name: str) -> str:
    """A ruleset as it is suggested, with what it means."""
    return say("{setting}: {about}", setting=name, about=say(RULESETS[name]))
