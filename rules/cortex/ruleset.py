"""Cortex settings, and the profiles that preset them."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from rules.dice import ALL_SIZES, SIZES
from rules.values import replace


class Opposition(StrEnum):
    """What opposes a test if nobody else does (T1, T2, M3)."""

    DICE = "dice"
    STATIC = "static"
    DOOM = "doom"


class StepUpD12(StrEnum):
    """What happens when a d12 in a pool steps up (D5)."""

    ADD_D6 = "add a d6"
    NEXT_LOWER = "next lower die"


class PastD12(StrEnum):
    """What happens when an effect die steps up past d12 (R7)."""

    TAKEOUT = "takeout or further effect"
    STAYS = "stays d12"


class Heroic(StrEnum):
    """What a heroic success (beating the difficulty by 5) gives (R7, Z1, Z2)."""

    HERO_DICE = "hero dice and effect"
    EFFECT = "effect"
    HERO_DICE_ALONE = "hero dice"
    HERO_DICE_BY_GM = "effect, hero dice by the GM"


class HitchesBuy(StrEnum):
    """What the GM can buy with a player's hitches (H1)."""

    COMPLICATION = "complication"
    DOOM = "doom"
    EITHER = "complication or doom"


class Opportunities(StrEnum):
    """What a 1 of the GM can be used for (H2, H3)."""

    TRAITS = "traits and SFX"
    SFX = "SFX only"


class PushStress(StrEnum):
    """Whether a character's own stress can help a roll, and at what price (N3)."""

    OFF = "off"
    ONE_PP = "1 PP"
    SFX = "SFX only"


class Rest(StrEnum):
    """When stress steps down by itself (N4)."""

    OFF = "off"
    SCENE_END = "scene end"
    SCENE_START = "scene start"
    BY_HAND = "by hand"


class EffectBy(StrEnum):
    """How the effect of a roll is found (N10)."""

    DIE = "die"
    NONE = "none"
    ALL_DICE = "all dice"
    ROLLED_AGAIN = "rolled again"


class NoDieLeft(StrEnum):
    """The effect of a roll with no die left for it (R3, N10)."""

    D4 = "d4"
    NONE = "none"


class HitchOn(StrEnum):
    """The faces that count as hitches (N14)."""

    ONE = "1"
    TWO = "1-2"


class ComplicationsPay(StrEnum):
    """What players get for hitches that become complications (H1a, N14)."""

    ONCE = "once a roll"
    EACH = "each"
    NEVER = "never"


class ResourceUse(StrEnum):
    """Whether characters have resources, and whether these are rolled beside the pool (C2, N22)."""

    OFF = "off"
    ON = "on"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The settings of a table; the defaults are those of `prime`."""

    name: str = "prime"
    trait_sets: tuple[str, ...] = ("Distinctions", "Attributes", "Skills", "Signature assets")
    resource_or_signature: bool = False
    assets_in_pool: int = 0
    opposition: Opposition = Opposition.DICE
    step_up_d12: StepUpD12 = StepUpD12.ADD_D6
    past_d12: PastD12 = PastD12.TAKEOUT
    lone_die: bool = False
    heroic: Heroic = Heroic.HERO_DICE
    hitches_buy: HitchesBuy = HitchesBuy.COMPLICATION
    opportunities: Opportunities = Opportunities.TRAITS
    resisting_effect: bool = False
    scale_keeps_extra: bool = True
    doom: bool = False
    doom_start: tuple[int, ...] = (6, 6)
    doom_over_acts: bool = False
    crisis: bool = True
    challenges: bool = True
    stress: tuple[str, ...] = ()
    resources: ResourceUse = ResourceUse.OFF
    reroll_for_pp: bool = False
    starting_pp: int = 1
    players_give_pp: bool = False
    gm_pp: bool = False
    session_assets: bool = False
    rest: Rest = Rest.OFF
    hidden_rolls: bool = False
    d4_helps: bool = False
    push_stress: PushStress = PushStress.OFF
    statements: bool = False
    fixed_total: tuple[str, ...] = ()
    effect: EffectBy = EffectBy.DIE
    no_die_left: NoDieLeft = NoDieLeft.D4
    sizes: tuple[int, ...] = SIZES
    modifiers: bool = False
    hitch_on: HitchOn = HitchOn.ONE
    safe_dice: bool = False
    complications_pay: ComplicationsPay = ComplicationsPay.ONCE
    gangs_thin_out: bool = False
    heroic_margin: int = 5
    difficulties: tuple[int, ...] = (3, 7, 11, 15, 19)

    @property
    def has_resources(self) -> bool:
        """Whether characters have resources (C2)."""
        return self.resources is not ResourceUse.OFF

    @property
    def has_hero_dice(self) -> bool:
        """Whether players have hero dice (Z1).

        >>> PRIME.has_hero_dice, HEROIC.has_hero_dice
        (True, False)
        """
        return self.heroic is not Heroic.EFFECT

    @property
    def banks_hero_dice(self) -> bool:
        """Whether a heroic success against dice banks a hero die (Z1).

        >>> PRIME.banks_hero_dice, EMPIRE.banks_hero_dice
        (True, False)
        """
        return self.heroic in (Heroic.HERO_DICE, Heroic.HERO_DICE_ALONE)

    @property
    def steps_effects(self) -> bool:
        """Whether a heroic success steps up the effect (R7)."""
        return self.heroic is not Heroic.HERO_DICE_ALONE


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The change that one step made to a table's ruleset."""

    before: Ruleset
    after: Ruleset

    def undone(self, rules: Ruleset) -> Ruleset:
        """Return a ruleset with the settings that this step changed as they were before; others stay.

        >>> change = RuleChange(PRIME, replace(PRIME, safe_dice=True))
        >>> rules = replace(PRIME, safe_dice=True, doom=True)
        >>> change.undone(rules).safe_dice, change.undone(rules).doom
        (False, True)
        """
        old: dict[str, Any] = {
            each.name: getattr(self.before, each.name)
            for each in fields(Ruleset)
            if getattr(self.before, each.name) != getattr(self.after, each.name)
        }
        return replace(rules, **old)


ABILITIES = "Abilities"
"""The trait set in whose place each ability set has a line of its own name."""


STRESS_TRACKS = ("Physical", "Mental", "Emotional")
"""The usual tracks of stress (C5)."""


PRIME = Ruleset()


HEROIC = Ruleset(
    name="heroic",
    trait_sets=("Distinctions", "Aptitudes", ABILITIES, "Tier"),
    assets_in_pool=2,
    opposition=Opposition.DOOM,
    step_up_d12=StepUpD12.NEXT_LOWER,
    past_d12=PastD12.STAYS,
    lone_die=True,
    heroic=Heroic.EFFECT,
    hitches_buy=HitchesBuy.DOOM,
    opportunities=Opportunities.SFX,
    resisting_effect=True,
    scale_keeps_extra=False,
    doom=True,
    crisis=False,
    challenges=False,
    stress=STRESS_TRACKS,
)


EMPIRE = Ruleset(
    name="empire",
    trait_sets=("Distinctions", "Attributes", "Skills", "Resources", "Signature assets"),
    resource_or_signature=True,
    opposition=Opposition.STATIC,
    heroic=Heroic.HERO_DICE_BY_GM,
    crisis=False,
    challenges=False,
    resources=ResourceUse.ON,
)


ADEPT = replace(
    PRIME,
    name="adept",
    opposition=Opposition.DOOM,
    heroic=Heroic.EFFECT,
    hitches_buy=HitchesBuy.EITHER,
    doom=True,
    doom_over_acts=True,
    stress=STRESS_TRACKS,
)


ANY_SIZE = replace(PRIME, sizes=ALL_SIZES)
"""To read dice that lie there, whatever sizes the table has by now (N13)."""


ACTION = replace(PRIME, name="action", sizes=(2, *SIZES), effect=EffectBy.NONE)


DRAMA = replace(
    PRIME,
    name="drama",
    trait_sets=("Distinctions", "Values", "Relationships", "Signature assets"),
    statements=True,
)


SPOTLIGHT = replace(
    PRIME,
    name="spotlight",
    d4_helps=True,
    push_stress=PushStress.ONE_PP,
    rest=Rest.SCENE_START,
    statements=True,
    stress=("Afraid", "Angry", "Tired", "Hurt", "Unsure", "Tempted"),
)


BLOCKBUSTER = replace(
    HEROIC,
    name="blockbuster",
    trait_sets=(*HEROIC.trait_sets, "Resources"),
    resources=ResourceUse.APART,
    past_d12=PastD12.TAKEOUT,
    complications_pay=ComplicationsPay.EACH,
)


BASES = {profile.name: profile for profile in (PRIME, HEROIC, EMPIRE, ADEPT)}
"""The rulesets that the documents behind the rules describe."""


KINDS = {profile.name: profile for profile in (ACTION, DRAMA, SPOTLIGHT, BLOCKBUSTER)}
"""Rulesets by the kind of story, each a few mods beside one of those."""


PROFILES = {**BASES, **KINDS}
