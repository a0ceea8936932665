"""What SFX templates do, in plain words, and what is asked where a trait stands in one (X1)."""

from collections.abc import Mapping

from bot.language import later
from rules.cortex.sfx import Placeholder, Template
from rules.values import exhaustive

TEMPLATES: Mapping[Template, str] = exhaustive(
    Template,
    {
        Template.STEP_UP: later("Step up a trait for 1 {plot_point.short}"),
        Template.DOUBLE: later("Double a trait for 1 {plot_point.short}"),
        Template.TRADE: later("Step up one trait and step down another"),
        Template.STRAIN: later("Add a d6 and step down a trait"),
        Template.RISK: later("Add a d6 and take {complication.a}"),
        Template.OVERLOAD: later("Double a trait, then shut it down"),
        Template.BARGAIN: later("Double a trait and add a d6 to {doom_pool.short}"),
        Template.SAFE: later("Make a trait safe from {hitch.many} for 1 {plot_point.short}"),
        Template.PUSH: later("Push your own {stress.one} for free"),
        Template.WEAKEN: later("Step down an opponent's largest die for 1 {plot_point.short}"),
        Template.REROLL: later("Reroll a die for 1 {plot_point.short}"),
        Template.TOTAL: later("Keep another die in the total for 1 {plot_point.short}"),
        Template.EFFECT: later("Keep a second effect die for 1 {plot_point.short}"),
        Template.EFFECT_UP: later("Step up the effect die for 1 {plot_point.short}"),
        Template.FLURRY: later("Add a d6, keep three, lose the highest die"),
        Template.ASSET: later("Make {asset.a} for 1 {plot_point.short}"),
        Template.COMPLICATION: later("Make {complication.a} for 1 {plot_point.short}"),
        Template.RECOVER: later("Step down {complication.a} or {stress.one} for 1 {plot_point.short}"),
        Template.CALM: later("Step down {doom_pool.a_short} die for 1 {plot_point.short}"),
        Template.OPPORTUNITY: later("Turn {opportunity.a} into {asset.a}"),
        Template.SHUT: later("Gain 1 {plot_point.short} and shut down a trait"),
        Template.HITCH: later("Gain 1 {plot_point.short} and hand over {hitch.a}"),
        Template.TRIGGER: later("Gain 1 {plot_point.short} when something happens"),
    },
)
"""What each template does."""
PLACES: Mapping[Placeholder, str] = exhaustive(
    Placeholder,
    {
        Placeholder.TRAIT: later("Trait"),
        Placeholder.OTHER: later("Steps down instead"),
        Placeholder.TROUBLE: later("{complication.One} or {stress.one}"),
    },
)
"""What each place of a template is called."""
