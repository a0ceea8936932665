"""What each setting of Cortex is about, and each ruleset."""

from collections.abc import Mapping

from bot.language import later
from bot.render.settings import About, Subject, of_subject
from rules.cortex.tools.settings import SETTINGS as CORTEX_SETTINGS
from rules.every import every

RULESETS: Mapping[str, str] = {
    "prime": later("no doom pool; heroic successes give hero dice, crises and challenges are there"),
    "heroic": later("doom opposes, hitches feed it, ability sets with SFX, three stress tracks"),
    "empire": later("numbers oppose, resources or signature assets, hero dice by the GM"),
    "adept": later("a doom pool that carries over, crises, challenges and bosses, three stress tracks"),
    "action": later("no effect dice, only totals, and dice from d2: quick fights and chases"),
    "drama": later("values and relationships with statements, which are challenged and rewritten"),
    "spotlight": later("six feelings as stress that may be pushed, d4s that help, rest between scenes"),
    "blockbuster": later("as heroic, with resources beside the pool, and each complication pays a PP"),
}
"""What each ruleset means, for somebody who is about to play by it."""
ABOUT: Mapping[str, About] = every(
    CORTEX_SETTINGS,
    {
        **of_subject(
            Subject.ROLLING,
            {
                "ruleset": later("prime, heroic, empire, adept, or one by kind of story"),
                "trait sets": later("the lines of a sheet, in their order"),
                "one of resources and signature assets": later("a pool may hold one of the two"),
                "assets in one pool": later("how many assets a pool may hold free of charge"),
                "opposition": later("what opposes a roll: dice, a number, or doom"),
                "step up a d12": later("what a d12 in a pool is, stepped up"),
                "effect past d12": later("what an effect larger than d12 does"),
                "one die alone": later("whether a single die left can be kept"),
                "heroic success": later("what a success by 5 gives"),
                "resisting effect": later("whether the opposition's effect counts, too"),
                "scale keeps an extra die": later("whether scale counts one die more in the total"),
                "hidden GM rolls": later("whether the GM may roll in secret"),
            },
        ),
        **of_subject(
            Subject.DOOM,
            {
                "hitches buy": later("what the GM makes of hitches"),
                "opportunities": later("what a 1 on a GM's die is good for"),
                "doom pool": later("whether the GM has a doom pool"),
                "doom at the start of an act": later("the dice that it begins with"),
                "doom over acts": later("whether its dice stay from act to act"),
                "crisis pools": later("whether there are crises"),
                "challenges": later("whether there are challenges"),
            },
        ),
        **of_subject(
            Subject.GROWTH,
            {
                "stress tracks": later("the tracks by name, or off"),
                "resources": later("off, on, or apart: beside the pool"),
                "reroll for 1 PP": later("whether a PP rolls a die again"),
                "PP at a session's start": later("how many PP everybody gets"),
                "players give PP": later("whether players give their PP away without the GM"),
                "GM's PP": later("whether the GM has PP: one a player each session"),
                "session assets": later("whether 2 PP buy an asset that lasts the session"),
            },
        ),
        **of_subject(
            Subject.MODS,
            {
                "effect": later("a die beside the total, none, all dice, or rolled again"),
                "effect with no die left": later("what it is where all dice are in the total"),
                "sizes": later("the sizes of dice, each a step above the one before"),
                "modifiers": later("whether pools take +2 or -1"),
                "heroic margin": later("how far above the difficulty is heroic"),
                "difficulties": later("very easy to very hard, as numbers"),
                "hitch on": later("the faces that are hitches"),
                "complications pay": later("how often a hitch as a complication pays a PP"),
                "safe dice": later("whether a die can be safe from hitches"),
                "gangs thin out": later("whether a hitch can take a gang's die away"),
                "d4 trouble helps": later("whether a d4 of trouble joins its owner's pool"),
                "push stress": later("whether own stress can help, and for what"),
                "statements": later("whether traits have a sentence, and can be challenged"),
                "fixed total": later("the trait sets whose steps add up to the same"),
            },
        ),
        **of_subject(
            Subject.TIME,
            {
                "rest": later("when stress steps down by itself"),
            },
        ),
    },
)
"""By the name of the setting."""
