"""What people are told of Cortex: the introduction for new players, and the lines of /help."""

from collections.abc import Mapping, Sequence

from bot.language import later, say
from bot.language.line import Text
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import EffectBy, HitchOn
from rules.table import Table
from rules.values import exhaustive

_COUNTING = exhaustive(
    EffectBy,
    {
        EffectBy.DIE: later("Two dice make your total. A third one is your effect: only its size counts."),
        EffectBy.NONE: later("The two best dice make your total."),
        EffectBy.ALL_DICE: later("All your dice together make your total."),
        EffectBy.ROLLED_AGAIN: later("The two best dice make your total. Then you roll for the effect."),
    },
)
"""How the dice of a roll count."""


def how_to_roll(table: Table) -> tuple[Text, list[Text]]:
    """Return the page of the introduction on rolls: its title and lines."""
    effect = CORTEX.of(table).ruleset.effect
    lines: list[Text] = [
        say("Press Roll and choose what helps you. Each trait adds its die."),
        say(_COUNTING[effect]),
    ]
    if effect is not EffectBy.ALL_DICE:
        lines.append(say("Buttons below the roll offer other ways to keep your dice."))
    return say("How to roll"), lines


def how_to_spend(table: Table) -> tuple[Text, list[Text]]:
    """Return the page of the introduction on hitches and plot points: its title and lines."""
    rules = CORTEX.of(table).ruleset
    shows = say("1 or 2") if rules.hitch_on is HitchOn.TWO else "1"
    lines: list[Text] = [
        say("A die that shows {faces} is {hitch.a}. You can't keep it.", faces=shows),
        say("For {hitch.a}, the {gm.one} can give you 1 {plot_point.short} and make trouble."),
    ]
    if rules.doom:
        lines.append(say("The {gm.one} has {doom_pool.a}, and trouble makes it grow."))
    lines.append(say("To use your {plot_point.many}, press Spend below your roll."))
    return say("{hitch.Many} and {plot_point.many}"), lines


HELP_LINES: Mapping[str, Sequence[str]] = {
    "without character": (later("Press **Join**. You can also `/roll` without a character."),),
    "playing": (
        later("`/roll` names from your sheet, or dice."),
        later("Use the buttons below the roll to **Apply** its effect or **Spend** {plot_point.short}."),
    ),
    "without session": (later("`/session start` gives everyone their {plot_point.short}."),),
    "running": (later("Below each `/roll`, use **{hitch.Many}** and **Oppose**."),),
}
"""What /help says of Cortex, by the situation of the person who asks."""
