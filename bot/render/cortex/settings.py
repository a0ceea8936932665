"""What each setting of Cortex is about, and each ruleset."""

from collections.abc import Mapping

from bot.language import later
from bot.render.settings import About, Subject, of_subject
from rules.cortex.tools.settings import SETTINGS as CORTEX_SETTINGS
from rules.every import every

RULESETS: Mapping[str, str] = {
    "prime": later(
        "no {doom_pool.one}; heroic successes give {hero_die.many}, {crisis.many} and "
        "{challenge.many} are there"
    ),
    "heroic": later(
        "{doom_pool.short} opposes, {hitch.many} feed it, ability sets with SFX, three {stress.one} tracks"
    ),
    "empire": later("numbers oppose, resources or signature {asset.many}, {hero_die.many} by the {gm.one}"),
    "adept": later(
        "{doom_pool.a} that carries over, {crisis.many}, {challenge.many} and bosses, three "
        "{stress.one} tracks"
    ),
    "action": later("no effect dice, only totals, and dice from d2: quick fights and chases"),
    "drama": later("values and relationships with statements, which are challenged and rewritten"),
    "spotlight": later(
        "six feelings as {stress.one} that may be pushed, d4s that help, rest between {scene.many}"
    ),
    "blockbuster": later(
        "as heroic, with resources beside the pool, and each {complication.one} pays {plot_point.a_short}"
    ),
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
                "assets in one pool": later("how many {asset.many} a pool may hold free of charge"),
                "opposition": later("what opposes a roll: dice, a number, or {doom_pool.short}"),
                "step up a d12": later("what a d12 in a pool is, stepped up"),
                "effect past d12": later("what an effect larger than d12 does"),
                "one die alone": later("whether a single die left can be kept"),
                "heroic success": later("what a heroic success gives"),
                "resisting effect": later("whether the opposition's effect counts, too"),
                "scale keeps an extra die": later("whether scale counts one die more in the total"),
                "hidden GM rolls": later("whether the {gm.one} may roll in secret"),
            },
        ),
        **of_subject(
            Subject.DOOM,
            {
                "hitches buy": later("what the {gm.one} makes of {hitch.many}"),
                "opportunities": later("what a 1 on {gm.a}'s die is good for"),
                "doom pool": later("whether the {gm.one} has {doom_pool.a}"),
                "doom at the start of an act": later("the dice that it begins with"),
                "doom over acts": later("whether its dice stay from {act.one} to {act.one}"),
                "crisis pools": later("whether there are {crisis.many}"),
                "challenges": later("whether there are {challenge.many}"),
            },
        ),
        **of_subject(
            Subject.GROWTH,
            {
                "stress tracks": later("the tracks by name, or off"),
                "resources": later("off, on, or apart: beside the pool"),
                "reroll for 1 PP": later("whether {plot_point.a_short} rolls a die again"),
                "PP at a session's start": later("how many {plot_point.short} everybody gets"),
                "players give PP": later(
                    "whether players give their {plot_point.short} away without the {gm.one}"
                ),
                "GM's PP": later(
                    "whether the {gm.one} has {plot_point.short}: one a player each {session.one}"
                ),
                "session assets": later(
                    "whether 2 {plot_point.short} buy {asset.a} that lasts the {session.one}"
                ),
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
                "hitch on": later("the faces that are {hitch.many}"),
                "complications pay": later("what {hitch.many} that become {complication.many} pay"),
                "safe dice": later("whether a die can be safe from {hitch.many}"),
                "gangs thin out": later("whether {hitch.a} can take a gang's die away"),
                "d4 trouble helps": later("whether a d4 of trouble joins its owner's pool"),
                "push stress": later("whether own {stress.one} can help, and for what"),
                "statements": later("whether traits have a sentence, and can be challenged"),
                "fixed total": later("the trait sets whose steps add up to the same"),
            },
        ),
        **of_subject(
            Subject.TIME,
            {
                "rest": later("when {stress.one} steps down by itself"),
            },
        ),
    },
)
"""By the name of the setting."""
