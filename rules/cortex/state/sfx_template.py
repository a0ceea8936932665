"""SFX templates: what an SFX can do, with places for traits, to be given a name (X1)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.cortex.state import sfx
from rules.cortex.state.kinds import Sfx
from rules.cortex.state.ruleset import EffectBy, PushStress, Ruleset
from rules.dice import SIZES, Ladder, shorten, usual
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.every import every
from rules.kinds import key
from rules.words import Counted


class Place(StrEnum):
    """A place in a template, where a name stands later."""

    TRAIT = "trait"
    OTHER = "other"
    """Another trait than the first."""
    TROUBLE = "trouble"
    """A complication or stress."""


class Template(StrEnum):
    """What an SFX does, before it has a name."""

    STEP_UP = "step up"
    DOUBLE = "double"
    TRADE = "trade"
    STRAIN = "strain"
    RISK = "risk"
    OVERLOAD = "overload"
    BARGAIN = "bargain"
    SAFE = "safe"
    PUSH = "push"
    WEAKEN = "weaken"
    REROLL = "reroll"
    TOTAL = "total"
    EFFECT = "effect"
    EFFECT_UP = "effect up"
    FLURRY = "flurry"
    ASSET = "asset"
    COMPLICATION = "complication"
    RECOVER = "recover"
    CALM = "calm"
    OPPORTUNITY = "opportunity"
    SHUT = "shut down"
    HITCH = "hitch"
    TRIGGER = "trigger"


def _always(rules: Ruleset) -> bool:
    return True


def _with_doom(rules: Ruleset) -> bool:
    return rules.doom


def _with_effect_die(rules: Ruleset) -> bool:
    return rules.effect is EffectBy.DIE


def _with_kept(rules: Ruleset) -> bool:
    return rules.effect is not EffectBy.ALL_DICE


@dataclass(frozen=True, slots=True)
class Filled:
    """What a template gives and costs, as `/sfx add` takes it, places and the usual die in braces.

    `places` are those there are, in the order in which they are asked for.
    """

    benefit: str
    cost: str = ""
    places: tuple[Place, ...] = ()
    is_offered: Callable[[Ruleset], bool] = _always
    """Whether a table with these rules can use it."""
    needs_when: bool = False
    """Without saying when, it would always do."""


_ONE_PP = "1 PP"
_ON_A_TRAIT = (Place.TRAIT,)
TEMPLATES: Mapping[Template, Filled] = every(
    Template,
    {
        Template.STEP_UP: Filled("up {trait}", _ONE_PP, _ON_A_TRAIT),
        Template.DOUBLE: Filled("double {trait}", _ONE_PP, _ON_A_TRAIT),
        Template.TRADE: Filled("up {trait}", "down {other}", (Place.TRAIT, Place.OTHER)),
        Template.STRAIN: Filled("add d6", "down {trait}", _ON_A_TRAIT),
        Template.RISK: Filled("add d6", "complication d6"),
        Template.OVERLOAD: Filled("double {trait}", "shut down {trait}", _ON_A_TRAIT),
        Template.BARGAIN: Filled("double {trait}", "doom d6", _ON_A_TRAIT, _with_doom),
        Template.SAFE: Filled("safe {trait}", _ONE_PP, _ON_A_TRAIT, lambda rules: rules.safe_dice),
        Template.PUSH: Filled("push", is_offered=lambda rules: rules.push_stress is not PushStress.OFF),
        Template.WEAKEN: Filled("down theirs", _ONE_PP),
        Template.REROLL: Filled("reroll", _ONE_PP),
        Template.TOTAL: Filled("total", _ONE_PP, is_offered=_with_kept),
        Template.EFFECT: Filled("effect", _ONE_PP, is_offered=_with_effect_die),
        Template.EFFECT_UP: Filled("effect up", _ONE_PP, is_offered=_with_effect_die),
        Template.FLURRY: Filled("add d6, total", "remove highest", is_offered=_with_kept),
        Template.ASSET: Filled("asset d{die}", _ONE_PP),
        Template.COMPLICATION: Filled("complication d6", _ONE_PP),
        Template.RECOVER: Filled("down {trouble}", _ONE_PP, (Place.TROUBLE,)),
        Template.CALM: Filled("down doom", _ONE_PP, is_offered=_with_doom),
        Template.OPPORTUNITY: Filled("asset d{die}, opportunity"),
        Template.SHUT: Filled(_ONE_PP, "shut down {trait}", _ON_A_TRAIT),
        Template.HITCH: Filled(_ONE_PP, "hitch"),
        Template.TRIGGER: Filled(_ONE_PP, needs_when=True),
    },
)


def can_be_named(trait: str) -> bool:
    """Whether the parts of an SFX can name it: what parts them, or means something else there, is no name.

    >>> can_be_named("Quick Wits"), can_be_named("Cut + Run"), can_be_named("theirs")
    (True, False, False)
    """
    words = [f"{act} {trait}" for act in (sfx.Act.UP, sfx.Act.DOWN, sfx.Act.SHUT)]
    try:
        read = sfx.made("SFX", ", ".join(words))
    except RuleError:
        return False
    return [each.label for each in sfx.parts_of(read)] == [" ".join(trait.split())] * len(words)


def made(
    template: Template,
    name: str,
    traits: Sequence[str] = (),
    when: str | None = None,
    sizes: Ladder = SIZES,
) -> Sfx:
    """The SFX of a template with a name, its traits in the order of its places, and when it can be used.

    Raises Unreadable or NotAllowed where there are more or fewer traits, or nothing says when.

    >>> sfx.write(made(Template.TRADE, "All in", ["Mind", "Body"], "alone"))
    'All in: up Mind, for down Body, when alone'
    """
    of = TEMPLATES[template]
    named = [each.strip() for each in traits if each.strip()]
    if len(named) != len(of.places):
        raise Unreadable(
            "{name} needs {needed}, but {given} named.",
            name=name,
            needed=Counted(len(of.places), "{count} trait", "{count} traits"),
            given=Counted(len(named), "{count} is", "{count} are"),
        )
    if odd := next((each for each in named if not can_be_named(each)), None):
        raise NotAllowed(
            "An SFX can't name {trait}: it's too long, or contains something like a comma.",
            trait=shorten(odd),
        )
    if len({*map(key, named)}) < len(named):
        raise NotAllowed("One trait steps up and another steps down, so name two different traits.")
    if of.needs_when and not (when and when.strip()):
        raise Unreadable(
            "Say when the SFX gives {plot_point.a_short}. Example: when: my past catches up with me"
        )
    filled = dict(zip(of.places, named, strict=True))
    benefit, cost = (text.format(**filled, die=usual(sizes)) for text in (of.benefit, of.cost))
    return sfx.made(name, benefit, cost, when, sizes=sizes)
