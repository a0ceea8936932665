"""Cortex settings, and the profiles that preset them."""

from enum import StrEnum
from typing import Annotated, Any

from rules.cortex import setting_values
from rules.dice import ALL_SIZES, SIZES
from rules.names import fold
from rules.settings import (
    About,
    SettingSubject,
    between,
    choice,
    names,
    number,
    switch,
    write_names,
)
from rules.text import Words, later
from rules.values import Value, replace

ROLLING, DOOM, CHARACTERS = SettingSubject.ROLLING, SettingSubject.DOOM, SettingSubject.CHARACTERS
POINTS, TIME, MODS = SettingSubject.POINTS, SettingSubject.TIME, SettingSubject.MODS


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


STRESS_TRACKS = ("Physical", "Mental", "Emotional")
"""The usual tracks of stress (C5)."""


MOST_PP = 999
"""Nobody holds more plot points than this."""


def _heroic(typed: str) -> object:
    """What a heroic success gives; `both` is hero dice and effect (R7, Z1)."""
    is_both = fold(typed) == "both"
    return choice(Heroic)(Heroic.HERO_DICE if is_both else typed)


def _resources(typed: str) -> object:
    """Whether there are resources; `yes` and `no` do as for a switch (C2, N22)."""
    word = fold(typed)
    is_said = {"yes": ResourceUse.ON, "true": ResourceUse.ON, "no": ResourceUse.OFF, "false": ResourceUse.OFF}
    return is_said.get(word) or choice(ResourceUse)(typed)


def _rest_or_not(typed: str) -> Rest:
    """Whether stress steps down at a scene's end, as it was asked once; or when people rest (N4)."""
    word = fold(typed)
    if word in map(str, Rest) and word != Rest.OFF:
        return Rest(word)
    return Rest.SCENE_END if switch(typed) else Rest.OFF


def _tracks(typed: str) -> tuple[str, ...]:
    """Stress tracks by name; `on` means the usual three (C5)."""
    return STRESS_TRACKS if fold(typed) in ("on", "yes", "true") else names(typed)


class Ruleset(Value):
    """The settings of a table; the defaults are those of `prime`."""

    name: str = "prime"
    trait_sets: Annotated[
        tuple[str, ...],
        About(
            "trait sets",
            later("the lines of a sheet, in order"),
            CHARACTERS,
            read=names,
            write=write_names,
            asks=Words("trait sets"),
        ),
    ] = ("Distinctions", "Attributes", "Skills", "Signature assets")
    resource_or_signature: Annotated[
        bool, About("one of resources and signature assets", later("only one of the two in a pool"), ROLLING)
    ] = False
    assets_in_pool: Annotated[
        int,
        About(
            "assets in one pool",
            later("number of {asset.many} a pool can hold for free"),
            ROLLING,
            values=("no limit", "1", "2", "3"),
            read=number(30),
            write=setting_values.write_limit,
        ),
    ] = 0
    opposition: Annotated[
        Opposition,
        About("opposition", later("what opposes a roll: dice, a number, or {doom_pool.short}"), ROLLING),
    ] = Opposition.DICE
    step_up_d12: Annotated[
        StepUpD12, About("step up a d12", later("result of stepping up a d12 in a pool"), ROLLING)
    ] = StepUpD12.ADD_D6
    past_d12: Annotated[
        PastD12, About("effect past d12", later("result of stepping up an effect past d12"), ROLLING)
    ] = PastD12.TAKEOUT
    lone_die: Annotated[
        bool, About("one die alone", later("let a single usable die be the total"), ROLLING)
    ] = False
    heroic: Annotated[
        Heroic,
        About(
            "heroic success",
            later("what a heroic success gives"),
            ROLLING,
            read=_heroic,
            asks=Words("{hero_die.many}"),
        ),
    ] = Heroic.HERO_DICE
    hitches_buy: Annotated[
        HitchesBuy, About("hitches buy", later("what the {gm.one} can buy with {hitch.many}"), DOOM)
    ] = HitchesBuy.COMPLICATION
    opportunities: Annotated[
        Opportunities, About("opportunities", later("uses for a 1 on {gm.a}'s die"), DOOM)
    ] = Opportunities.TRAITS
    resisting_effect: Annotated[
        bool, About("resisting effect", later("count the opposition's effect, too"), ROLLING)
    ] = False
    scale_keeps_extra: Annotated[
        bool, About("scale keeps an extra die", later("one more die in the total for scale"), ROLLING)
    ] = True
    doom: Annotated[
        bool,
        About("doom pool", later("give the {gm.one} {doom_pool.a}"), DOOM, asks=Words("{doom_pool.one}")),
    ] = False
    doom_start: Annotated[
        tuple[int, ...],
        About(
            "doom at the start of an act",
            later("the dice {doom_pool.short} starts each {act.one} with"),
            DOOM,
            values=("2d6", "3d6", "2d8"),
            write=setting_values.write_pool,
        ),
    ] = (6, 6)
    doom_over_acts: Annotated[
        bool, About("doom over acts", later("keep {doom_pool.short} dice from {act.one} to {act.one}"), DOOM)
    ] = False
    crisis: Annotated[
        bool, About("crisis pools", later("play with {crisis.many}"), DOOM, asks=Words("{crisis.one} pools"))
    ] = True
    challenges: Annotated[
        bool, About("challenges", later("play with {challenge.many}"), DOOM, asks=Words("{challenge.many}"))
    ] = True
    stress: Annotated[
        tuple[str, ...],
        About(
            "stress tracks",
            later("names of the tracks, or off"),
            CHARACTERS,
            values=("off", "Physical, Mental, Emotional"),
            read=_tracks,
            write=write_names,
            asks=Words("{stress.one} tracks"),
        ),
    ] = ()
    resources: Annotated[
        ResourceUse,
        About(
            "resources",
            later("off, on, or apart: rolled next to the pool"),
            CHARACTERS,
            read=_resources,
            asks=Words("resources"),
        ),
    ] = ResourceUse.OFF
    reroll_for_pp: Annotated[
        bool, About("reroll for 1 PP", later("let {plot_point.a_short} reroll a die"), POINTS)
    ] = False
    starting_pp: Annotated[
        int,
        About(
            "PP at a session's start",
            later("{plot_point.short} each player starts {session.a} with"),
            POINTS,
            values=("1", "2", "3"),
            read=number(MOST_PP),
        ),
    ] = 1
    players_give_pp: Annotated[
        bool,
        About(
            "players give PP",
            later("let players give away their {plot_point.short} without the {gm.one}"),
            POINTS,
        ),
    ] = False
    gm_pp: Annotated[
        bool,
        About(
            "GM's PP", later("give the {gm.one} one {plot_point.short} per player each {session.one}"), POINTS
        ),
    ] = False
    session_assets: Annotated[
        bool,
        About(
            "session assets",
            later("let 2 {plot_point.short} buy {asset.a} that lasts the {session.one}"),
            POINTS,
        ),
    ] = False
    rest: Annotated[
        Rest,
        About(
            "rest",
            later("when {stress.one} steps down by itself"),
            TIME,
            old_names={"time heals stress": _rest_or_not},
        ),
    ] = Rest.OFF
    hidden_rolls: Annotated[
        bool, About("hidden GM rolls", later("let the {gm.one} roll in secret"), ROLLING)
    ] = False
    d4_helps: Annotated[
        bool, About("d4 trouble helps", later("let a d4 of trouble join its owner's pool"), MODS)
    ] = False
    push_stress: Annotated[
        PushStress,
        About("push stress", later("the price of using your own {stress.one} to help, or off"), MODS),
    ] = PushStress.OFF
    statements: Annotated[
        bool, About("statements", later("give traits a sentence, and let it be challenged"), MODS)
    ] = False
    fixed_total: Annotated[
        tuple[str, ...],
        About(
            "fixed total",
            later("trait sets whose steps always add up to the same"),
            MODS,
            values=("none", "Values"),
            read=names,
            write=setting_values.write_or_none,
        ),
    ] = ()
    effect: Annotated[
        EffectBy, About("effect", later("a die outside the total, none, all dice, or rolled again"), MODS)
    ] = EffectBy.DIE
    no_die_left: Annotated[
        NoDieLeft, About("effect with no die left", later("the effect when every die is in the total"), MODS)
    ] = NoDieLeft.D4
    sizes: Annotated[
        tuple[int, ...],
        About(
            "sizes",
            later("the dice sizes in use, from smallest to largest"),
            MODS,
            values=("d4 d6 d8 d10 d12", "d2 d4 d6 d8 d10 d12"),
            read=setting_values.read_sizes,
            write=setting_values.write_sizes,
        ),
    ] = SIZES
    modifiers: Annotated[bool, About("modifiers", later("allow +2 or -1 in pools"), MODS)] = False
    hitch_on: Annotated[HitchOn, About("hitch on", later("the faces that count as {hitch.many}"), MODS)] = (
        HitchOn.ONE
    )
    safe_dice: Annotated[bool, About("safe dice", later("let dice be safe from {hitch.many}"), MODS)] = False
    complications_pay: Annotated[
        ComplicationsPay,
        About("complications pay", later("how often {hitch.many} that become {complication.many} pay"), MODS),
    ] = ComplicationsPay.ONCE
    gangs_thin_out: Annotated[
        bool, About("gangs thin out", later("let {hitch.a} take away one of a gang's dice"), MODS)
    ] = False
    heroic_margin: Annotated[
        int,
        About(
            "heroic margin",
            later("points above the difficulty for a heroic success"),
            MODS,
            values=("5", "3", "10"),
            read=between(2, 10),
        ),
    ] = 5
    difficulties: Annotated[
        tuple[int, ...],
        About(
            "difficulties",
            later("the numbers for very easy to very hard"),
            MODS,
            values=("3, 7, 11, 15, 19", "5, 10, 15, 20, 25"),
            read=setting_values.read_difficulties,
            write=write_names,
        ),
    ] = (3, 7, 11, 15, 19)

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


class RuleChange(Value):
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
            name: getattr(self.before, name)
            for name in Ruleset.__struct_fields__
            if getattr(self.before, name) != getattr(self.after, name)
        }
        return replace(rules, **old)


ABILITIES = "Abilities"
"""The trait set in whose place each ability set has a line of its own name."""


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
    hitches_buy=HitchesBuy.EITHER,
    complications_pay=ComplicationsPay.EACH,
)


class Profile(Value):
    """A ruleset that a campaign can begin with, and what it means, for somebody about to play by it."""

    rules: Ruleset
    about: str


_BASES = (
    Profile(
        PRIME,
        later("no {doom_pool.one}; {hero_die.many} for heroic successes; {crisis.many} and {challenge.many}"),
    ),
    Profile(
        HEROIC,
        later(
            "{doom_pool.short} opposes and grows from {hitch.many}; ability sets with SFX; three "
            "{stress.one} tracks"
        ),
    ),
    Profile(
        EMPIRE,
        later("fixed difficulties; resources or signature {asset.many}; {hero_die.many} from the {gm.one}"),
    ),
    Profile(
        ADEPT,
        later(
            "{doom_pool.a} that carries over, {crisis.many}, {challenge.many} and bosses, three "
            "{stress.one} tracks"
        ),
    ),
)
"""The rulesets that the documents behind the rules describe."""


_KINDS = (
    Profile(ACTION, later("no effect dice, only totals, and dice from d2: quick fights and chases")),
    Profile(DRAMA, later("values and relationships with statements to challenge and rewrite")),
    Profile(
        SPOTLIGHT, later("six feelings as {stress.one} to push, d4s that help, rest between {scene.many}")
    ),
    Profile(
        BLOCKBUSTER,
        later(
            "like heroic, with resources next to the pool, and {plot_point.a_short} for each "
            "{complication.one}"
        ),
    ),
)
"""Rulesets by the kind of story, each a few mods beside one of those."""


BASES, KINDS = ({each.rules.name: each.rules for each in kind} for kind in (_BASES, _KINDS))


PROFILES = {**BASES, **KINDS}
"""All rulesets by name."""


PROFILE_HELP = {each.rules.name: each.about for each in (*_BASES, *_KINDS)}
"""What each ruleset means, by name."""
