"""Descriptions of Cortex settings and rulesets."""

from collections.abc import Mapping

from bot.language import later
from bot.views.settings import About, Subject, of_subject
from rules.cortex.settings import SETTINGS as CORTEX_SETTINGS
from rules.values import exhaustive

RULESETS: Mapping[str, str] = {
    "prime": later(
        "no {doom_pool.one}; {hero_die.many} for heroic successes; {crisis.many} and {challenge.many}"
    ),
    "heroic": later(
        "{doom_pool.short} opposes and grows from {hitch.many}; ability sets with SFX; three {stress.one} "
        "tracks"
    ),
    "empire": later(
        "fixed difficulties; resources or signature {asset.many}; {hero_die.many} from the {gm.one}"
    ),
    "adept": later(
        "{doom_pool.a} that carries over, {crisis.many}, {challenge.many} and bosses, three "
        "{stress.one} tracks"
    ),
    "action": later("no effect dice, only totals, and dice from d2: quick fights and chases"),
    "drama": later("values and relationships with statements to challenge and rewrite"),
    "spotlight": later("six feelings as {stress.one} to push, d4s that help, rest between {scene.many}"),
    "blockbuster": later(
        "like heroic, with resources next to the pool, and {plot_point.a_short} for each {complication.one}"
    ),
}
"""What each ruleset means, for somebody who is about to play by it."""
ABOUT: Mapping[str, About] = exhaustive(
    CORTEX_SETTINGS,
    {
        **of_subject(
            Subject.ROLLING,
            {
                "ruleset": later("the rules to play by: prime, heroic, adept and more"),
                "trait sets": later("the lines of a sheet, in order"),
                "one of resources and signature assets": later("only one of the two in a pool"),
                "assets in one pool": later("number of {asset.many} a pool can hold for free"),
                "opposition": later("what opposes a roll: dice, a number, or {doom_pool.short}"),
                "step up a d12": later("result of stepping up a d12 in a pool"),
                "effect past d12": later("result of stepping up an effect past d12"),
                "one die alone": later("let a single usable die be the total"),
                "heroic success": later("what a heroic success gives"),
                "resisting effect": later("count the opposition's effect, too"),
                "scale keeps an extra die": later("one more die in the total for scale"),
                "hidden GM rolls": later("let the {gm.one} roll in secret"),
            },
        ),
        **of_subject(
            Subject.DOOM,
            {
                "hitches buy": later("what the {gm.one} can buy with {hitch.many}"),
                "opportunities": later("uses for a 1 on {gm.a}'s die"),
                "doom pool": later("give the {gm.one} {doom_pool.a}"),
                "doom at the start of an act": later("the dice {doom_pool.short} starts each {act.one} with"),
                "doom over acts": later("keep {doom_pool.short} dice from {act.one} to {act.one}"),
                "crisis pools": later("play with {crisis.many}"),
                "challenges": later("play with {challenge.many}"),
            },
        ),
        **of_subject(
            Subject.GROWTH,
            {
                "stress tracks": later("names of the tracks, or off"),
                "resources": later("off, on, or apart: rolled next to the pool"),
                "reroll for 1 PP": later("let {plot_point.a_short} reroll a die"),
                "PP at a session's start": later("{plot_point.short} each player starts {session.a} with"),
                "players give PP": later(
                    "let players give away their {plot_point.short} without the {gm.one}"
                ),
                "GM's PP": later("give the {gm.one} one {plot_point.short} per player each {session.one}"),
                "session assets": later(
                    "let 2 {plot_point.short} buy {asset.a} that lasts the {session.one}"
                ),
            },
        ),
        **of_subject(
            Subject.MODS,
            {
                "effect": later("a die outside the total, none, all dice, or rolled again"),
                "effect with no die left": later("the effect when every die is in the total"),
                "sizes": later("the dice sizes in use, from smallest to largest"),
                "modifiers": later("allow +2 or -1 in pools"),
                "heroic margin": later("points above the difficulty for a heroic success"),
                "difficulties": later("the numbers for very easy to very hard"),
                "hitch on": later("the faces that count as {hitch.many}"),
                "complications pay": later("how often {hitch.many} that become {complication.many} pay"),
                "safe dice": later("let dice be safe from {hitch.many}"),
                "gangs thin out": later("let {hitch.a} take away one of a gang's dice"),
                "d4 trouble helps": later("let a d4 of trouble join its owner's pool"),
                "push stress": later("the price of using your own {stress.one} to help, or off"),
                "statements": later("give traits a sentence, and let it be challenged"),
                "fixed total": later("trait sets whose steps always add up to the same"),
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
