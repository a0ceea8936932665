"""Buy more for a roll: another die in the total, another effect die, a reroll (P2, D3, D4, M4)."""

from collections.abc import Collection, Sequence
from enum import StrEnum

from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor, find_meant_name, one_name, require_gm
from rules.cortex import gm_pools, outcome, points, traits
from rules.cortex.facts import Cause, Change, GmUsed, HeroDieUsed, RollBought, Why
from rules.cortex.gm_pools import DOOM
from rules.cortex.kinds import HARMFUL, Foe, Result, Target, Trait, TraitKind, Verdict
from rules.cortex.model import CORTEX, Hand, Roll, RolledDie, ladder
from rules.cortex.outcome import KeepChoice, Outcome
from rules.cortex.pool import SOURCES, Source, Special
from rules.cortex.roll import change_roll, check_open, find, roller_seat
from rules.cortex.roll_status import rules_of
from rules.cortex.ruleset import EffectBy, ResourceUse, Ruleset
from rules.cortex.tokens import one_die
from rules.dice import Throw, check_count, with_those
from rules.errors import NotAllowed, PossibleAnswer, TooLate, Undecided, Unknown
from rules.facts import Event
from rules.game import Step
from rules.names import CHARACTER_NAME, clean, fold, key
from rules.table import Table
from rules.terms import later
from rules.text import Phrase, Words
from rules.values import replace

THAT = Words("that")
"""What is bought where nothing more is said of it."""


CHANGED = later("The roll changed in the meantime. Look at it, then press again.")
"""Refuses what was offered of a roll as it was before."""


_RANKS = tuple(Result)


class Purchase(StrEnum):
    """Something that can be bought for a roll (P2, D3, D4, M4, Z2)."""

    TOTAL = "total"
    EFFECT = "effect"
    LIMIT = "limit"
    SFX = "sfx"
    HERO_TOTAL = "hero total"
    HERO_EFFECT = "hero effect"
    REROLL = "reroll"
    USE = "use"
    RESOURCE = "resource"


def spend_total(table: Table, actor: Actor, number: int, doom_die: str | None = None) -> Step:
    """Pay for one more die in the total (P2, M4).

    Raises as `pay` and `one_more_total` do; Undecided if the kept choice would stay the same (R8).
    """
    roll, rules = find(table, number), rules_of(table, find(table, number))
    paid = pay(table, actor, roll, Why(Cause.TOTAL), doom_die, Words("another die in the total"))
    more = outcome.settle(replace(roll, hand=one_more_total(roll, roll.hand)), rules)
    return paid.then(change_roll(paid.table, with_higher_total(roll, more, rules, actor.agreed)))


def spend_effect(table: Table, actor: Actor, number: int, doom_die: str | None = None) -> Step:
    """Pay for one more effect die (P2, M4). Raises as `pay` and `more_effect` do."""
    roll = find(table, number)
    paid = pay(table, actor, roll, Why(Cause.EFFECT), doom_die, Words("another effect die"))
    return paid.then(more_effect(paid.table, roll))


def spend_sfx(table: Table, actor: Actor, number: int, doom_die: str | None = None) -> Step:
    """Pay for an SFX of a GMC on the GM's own roll; the GM describes what it does (M4)."""
    roll = find(table, number)
    require_gm(table, actor, Words("use {gmc.a}'s SFX"))
    paid = pay(table, actor, roll, Why(Cause.GMC_SFX), doom_die, Words("an SFX"))
    return paid.then(change_roll(paid.table, roll, RollBought(roll.who, Why(Cause.GMC_SFX))))


def version(roll: Roll) -> str:
    """Return what has been bought and rerolled so far as text, so that one press of a button works once."""
    hand = roll.hand
    counts = (hand.keep, hand.effects_bought, hand.raised, roll.limits_paid, roll.rerolls, hand.hero)
    goal = 0 if roll.against is None else outcome.difficulty(roll.against)
    theirs = None if roll.against is None else roll.against.hand
    of_them = (len(theirs.dice), theirs.keep, theirs.effects_bought) if theirs else ()
    return ".".join(str(count) for count in (*counts, len(hand.dice), goal, len(roll.sfx), *of_them))


def check_version(table: Table, number: int, seen: str) -> None:
    """Check that an offer is still current. Raises TooLate if there was a purchase or a reroll since."""
    if version(find(table, number)) != seen:
        raise TooLate(CHANGED)


def with_higher_total(roll: Roll, more: Roll, rules: Ruleset, agreed: Collection[str]) -> Roll:
    """Return `more`, which is the roll with one more die in the total.

    If it keeps the same choice all the same (R8), the highest total is kept once that was agreed to. Raises
    Undecided before.
    """
    was, now = outcome.kept(roll.hand), outcome.kept(more.hand)
    if (was.total, was.effects) != (now.total, now.effects):
        return more
    highest = outcome.options(more, rules)[0]
    sign = f"total {highest.total} of {roll.number}.{more.hand.keep}"
    other = outcome.with_choice(more, highest, rules)
    if sign in agreed:
        return other
    best, less = (max(outcome.of(each, rules).counted, default=4) for each in (more, other))
    raise Undecided(
        "The best choice is still total {total}, effect d{best}. Total {highest} has effect d{less}.",
        PossibleAnswer(Words("Keep total {total}", total=highest.total), sign),
        total=was.total,
        best=best,
        highest=highest.total,
        less=less,
    )


def more_effect(table: Table, roll: Roll) -> Step:
    """Count one more effect die (R3). Raises as `one_more_effect` does."""
    return resettled(table, replace(roll, hand=one_more_effect(roll, roll.hand)))


def one_more_total(roll: Roll, hand: Hand) -> Hand:
    """Return the dice of a roll with one more in the total. Raises NotAllowed if none is left (R1)."""
    check_open(roll)
    if not has_total(hand):
        raise NotAllowed("Every die that can count toward the total already does.")
    return replace(hand, keep=hand.keep + 1, chosen=False)


def one_more_effect(roll: Roll, hand: Hand) -> Hand:
    """Return the dice of a roll with one more effect die. Raises NotAllowed if none is left (R3)."""
    check_open(roll)
    if hand.effects_bought >= outcome.MOST_BOUGHT:
        raise NotAllowed(
            "A roll can have at most {most_bought} effect dice.", most_bought=outcome.MOST_BOUGHT + 1
        )
    if not has_effect(hand):
        raise NotAllowed("There's no die left for the effect.")
    return replace(hand, effects_bought=hand.effects_bought + 1, chosen=False)


def one_more_step(roll: Roll, hand: Hand) -> Hand:
    """Return the dice of a roll with the effect stepped up by an SFX, besides the steps of R7 (X1).

    Raises NotAllowed for too many steps.
    """
    check_open(roll)
    if hand.raised >= outcome.MOST_RAISED:
        raise NotAllowed("SFX can step up a roll's effect at most {most} times.", most=outcome.MOST_RAISED)
    return replace(hand, raised=hand.raised + 1, chosen=False)


def can_total(roll: Roll) -> bool:
    """Return whether another die could count in the roll's total."""
    return not roll.applied and has_total(roll.hand)


def can_effect(roll: Roll) -> bool:
    """Return whether another die could be an effect die of the roll."""
    return not roll.applied and roll.hand.effects_bought < outcome.MOST_BOUGHT and has_effect(roll.hand)


def has_total(hand: Hand) -> bool:
    """Return whether a usable die is left that doesn't count in the total (R1).

    >>> has_total(Hand((RolledDie(6, 4), RolledDie(8, 5), RolledDie(8, 3))))
    True
    >>> has_total(Hand((RolledDie(6, 4), RolledDie(8, 5), RolledDie(8, 1))))
    False
    """
    return hand.by is not EffectBy.ALL_DICE and len(outcome.usable(hand)) > hand.keep


def has_effect(hand: Hand) -> bool:
    """Return whether a usable die is left for one more effect die, besides two for the total (R3).

    >>> has_effect(Hand(tuple(RolledDie(8, face) for face in (2, 3, 4, 5))))
    True
    >>> has_effect(Hand(tuple(RolledDie(8, face) for face in (2, 3, 4, 1))))
    False
    """
    if hand.by is not EffectBy.DIE:
        return False
    spare = len(outcome.usable(hand)) - outcome.fewest(hand)
    # The first effect die, those that were bought, and this one; a hero die is the first by itself (Z2).
    return spare >= 2 - bool(hand.hero) + hand.effects_bought


def spend_limit(table: Table, actor: Actor, number: int, doom_die: str | None = None) -> Step:
    """Pay for a die beyond the usual pool (D3). Raises NotAllowed if there is none to pay for."""
    roll = find(table, number)
    if not over_limit(roll, rules_of(table, roll)):
        raise NotAllowed("That pool is within the usual limits, or has already been paid for.")
    paid = pay(table, actor, roll, Why(Cause.LIMIT), doom_die, Words("a die over the limit"))
    return paid.then(change_roll(paid.table, replace(roll, limits_paid=roll.limits_paid + 1)))


def can_pay(table: Table, roll: Roll) -> bool:
    """Return whether the roller has a PP, or the GM a die, to pay with (P2, M4)."""
    if roll.gm:
        purses = purses_of(table, roll)
        return not purses or any(gm_pools.dice(table, purse) for purse in purses)
    character = table.characters.get(key(roll.who))
    return character is not None and CORTEX.has(character).pp > 0


def over_limit(roll: Roll, rules: Ruleset) -> int:
    """Return how many dice are beyond the usual pool and not paid for (D3).

    The usual pool has one die of each trait set, one complication or stress of the target, and as many
    assets as the settings say. Dice added by doubling or an SFX are never beyond it.
    """
    return max(0, past_limits([die.source for die in roll.hand.dice], rules) - roll.limits_paid)


def past_limits(sources: Sequence[Source], rules: Ruleset) -> int:
    """Return how many dice of a pool are beyond the usual one, judged by their sources (D3).

    If the settings say so, signature assets and resources are trait sets, or one set together.

    >>> attribute = Source(TraitKind.TRAIT, "Attributes")
    >>> past_limits([attribute, attribute, Source(TraitKind.TRAIT, "Skills")], Ruleset())
    1
    >>> past_limits([SOURCES[TraitKind.ASSET]] * 3, Ruleset(assets_in_pool=2))
    1
    """
    usual = [source for source in sources if source.use is None and not source.is_scene]
    sets = [source.set for source in usual if source.set]
    kinds = [source.kind for source in usual if not (source.set or source.is_signature)]
    harms = sum(kinds.count(kind) for kind in HARMFUL)
    names = [fold(name) for name in rules.trait_sets]
    is_apart = rules.resources is ResourceUse.APART
    signature = sum(source.is_signature for source in usual)
    resources = 0 if is_apart else kinds.count(TraitKind.RESOURCE)
    assets, limited = kinds.count(TraitKind.ASSET), [kinds.count(TraitKind.DISTINCTION), harms]
    if rules.resource_or_signature:
        limited.append(resources + signature)
    else:
        limited.append(resources)
        is_set = "signature assets" in names
        limited += [signature] if is_set else []
        assets += 0 if is_set else signature
    limited += [sets.count(name) for name in {*sets}]
    past = max(0, assets - rules.assets_in_pool) if rules.assets_in_pool else 0
    return past + sum(max(0, count - 1) for count in limited)


def pay(
    table: Table, actor: Actor, roll: Roll, why: Why, doom_die: str | None = None, what: Phrase = THAT
) -> Step:
    """Pay for something in a roll: 1 PP of the roller, or a doom die of the GM (P2, M4).

    `what` is named in the refusal. Raises NotAllowed if there is nothing to pay with; TooLate if the pool of
    `doom_die` is gone.
    """
    require_roller(table, actor, roll)
    check_open(roll)
    if not roll.gm:
        table, who = roller_seat(table, roll)
        return points.pay_points(table, who, 1, why)
    purses = purses_of(table, roll)
    if not purses:
        # While doom is off the GM pays with nothing (P1).
        return Step(table, (GmUsed(why),))
    foe, _, die = (doom_die or "").rpartition(":")
    if foe and all(each.foe != foe for each in purses):
        raise TooLate("That pool is gone, so it can't pay. Press Spend again.")
    purse = next((each for each in purses if each.foe == foe), purses[0])
    sizes = gm_pools.dice(table, purse)
    if not sizes:
        raise NotAllowed(
            "The {doom_pool.one} is empty, but {priced} costs {doom_pool.a_short} die.", priced=what
        )
    first = gm_pools.die_of(table, purse, die) if die else sizes[0]
    return gm_pools.remove_dice(table, purse, (first,), Change.SPENT, why)


def purses_of(table: Table, roll: Roll) -> list[Target]:
    """Return the pools that the GM can pay from for a roll: doom, and the rolling crisis's own (M4, K4)."""
    target = roll.target
    is_crisis = target is not None and target.foe is Foe.CRISIS and gm_pools.is_there(table, target)
    own = [target] if target is not None and is_crisis else []
    return [*own, *([DOOM] if CORTEX.of(table).ruleset.doom else [])]


def use_hero(table: Table, actor: Actor, throw: Throw, number: int, size: int, as_effect: bool) -> Step:
    """Pay 1 PP and use a hero die: roll it for the total, or take it as the effect die (Z2).

    Raises NotAllowed in a GM's roll, for the die that this roll banked, or for a second effect die of this
    kind; SettingOff if the campaign has no hero dice.
    """
    points.require_on(table)
    roll = find(table, number)
    if roll.gm:
        raise NotAllowed("{hero_die.Many} only work in players' rolls.")
    if as_effect and outcome.is_without_effects(roll.hand):
        raise NotAllowed(
            "That roll has no effect die, so use the {hero_die.one} for the total. Example: /hero use "
            "as:total"
        )
    if roll.banked and size not in points.usable(table, roll):
        raise NotAllowed(
            "This roll banked that hero d{size}, so you can't use it until the next roll.", size=size
        )
    paid = pay(table, actor, roll, Why(Cause.HERO_DIE, dice=(size,)))
    seated, who = roller_seat(paid.table, roll)
    gone = points.spent(seated, who, size)
    step = paid.then(gone)
    if as_effect:
        if roll.hand.hero:
            raise NotAllowed("That roll already has {hero_die.a} as its effect die.")
        hand = replace(roll.hand, hero=size, chosen=False)
    else:
        check_count(len(roll.hand.dice) + 1)
        face = throw((size,))[0]
        rolled = RolledDie(size, face, "Hero", SOURCES[Special.HERO], beside=True, low=roll.hand.low)
        hand = replace(roll.hand, dice=(*roll.hand.dice, rolled), chosen=False)
    said = HeroDieUsed(roll.who, size, as_effect)
    return step.then(resettled(step.table, replace(roll, hand=hand), said))


def use_last_hero(
    table: Table, actor: Actor, throw: Throw, die: str | None = None, as_effect: bool = False
) -> Step:
    """Use a hero die on the caller's last roll, by default the largest (Z2).

    Raises NotAllowed if there is none to use; otherwise as `use_hero` does.
    """
    points.require_on(table)
    roll = last_of(table, actor)
    if die and die.strip():
        size = one_die(die, with_those(ladder(table), points.usable(table, roll)))
        return use_hero(table, actor, throw, roll.number, size, as_effect)
    held = points.usable(table, roll)
    if not held:
        raise NotAllowed("{roll} has no {hero_die.many} to use on that roll.", roll=roll.who)
    return use_hero(table, actor, throw, roll.number, max(held), as_effect)


def spend_resource(table: Table, actor: Actor, throw: Throw, number: int, label: str) -> Step:
    """Spend a resource to roll its dice beside a roll; it costs no PP (N22).

    Raises TooLate if the resource is spent or gone.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    held = next((one for one in resources_left(table, roll) if fold(one.label) == fold(label)), None)
    if held is None:
        raise TooLate("That resource has already been spent, or is gone.")
    check_count(len(roll.hand.dice) + 1 + len(held.more))
    sizes = (held.die, *held.more)
    low, thrown = roll.hand.low, zip(sizes, throw(sizes), strict=True)
    source = SOURCES[TraitKind.RESOURCE]
    dice = (RolledDie(size, face, held.label, source, low=low, apart=True) for size, face in thrown)
    step = traits.spent(table, key(roll.who), (held.label,))
    hand = replace(roll.hand, dice=(*roll.hand.dice, *dice), chosen=False, has_apart=True)
    return step.then(resettled(step.table, replace(roll, hand=hand)))


def resources_left(table: Table, roll: Roll) -> tuple[Trait, ...]:
    """Return the resources that the roller may still roll beside a roll, if the table does that (N22)."""
    character = table.characters.get(key(roll.who))
    is_apart = rules_of(table, roll).resources is ResourceUse.APART
    if not is_apart or character is None or roll.gm or roll.applied or roll.answered:
        return ()
    return tuple(one for one in CORTEX.has(character).resources.values() if not (one.spent or one.shut))


def can_hero(table: Table, roll: Roll) -> bool:
    """Return whether the roller has a hero die for the roll (Z2)."""
    is_on = CORTEX.of(table).ruleset.has_hero_dice
    return is_on and not roll.gm and not roll.applied and bool(points.usable(table, roll))


def paid(table: Table, came: Outcome, offered: tuple[KeepChoice, ...] = ()) -> Roll | None:
    """Return the roll as 1 PP more would make it; None if that doesn't improve on its verdict (R8, P2).

    `offered` are the choices of its dice, if they are known already.
    """
    roll = came.roll
    if roll.applied or roll.gm or roll.against is None or not has_total(roll.hand):
        return None
    # Dice that act are chosen anew with the roller's; all others are kept as they are.
    settle = outcome.settle if roll.against.acts else outcome.with_best
    free = came.verdict
    if roll.hand.chosen:
        unpicked = replace(roll, hand=replace(roll.hand, chosen=False))
        free = outcome.verdict(settle(unpicked, came.rules, offered))
    more = replace(roll.hand, keep=roll.hand.keep + 1, chosen=False)
    if not roll.against.acts and not _is_in_reach(free, more, roll.margin):
        return None
    better = settle(replace(roll, hand=more), came.rules)
    return better if _rank(outcome.verdict(better)) > _rank(free) else None


def _is_in_reach(free: Verdict | None, hand: Hand, margin: int) -> bool:
    """Whether the highest total of these dice would better a verdict."""
    if free is None or free.result is Result.HEROIC:
        return False
    least = 1 if free.result is Result.FAILURE else margin
    return outcome.highest(hand) >= free.difficulty + least


def _rank(how: Verdict | None) -> int:
    """How good a verdict is: failure, success, heroic success."""
    return _RANKS.index(how.result) if how else 0


def last_of(table: Table, actor: Actor, who: str | None = None) -> Roll:
    """Return the newest open roll of the caller or of the named character. Raises Unknown if none."""
    here = CORTEX.of(table)
    if who and who.strip():
        name = find_meant_name(table, clean(who, CHARACTER_NAME, 80))
        rolls = [roll for roll in here.rolls.values() if fold(roll.who) == fold(name)]
        if not rolls:
            one_name(table, name)
            raise Unknown("{who} has no open roll. Example: /roll dice:2d6 d8", who=name)
        return find(table, rolls[-1].number)
    rolls = [roll for roll in here.rolls.values() if roll.player == actor.id]
    if not rolls:
        raise Unknown("You have no open roll. Example: /roll dice:2d6 d8")
    return find(table, rolls[-1].number)


def resettled(table: Table, roll: Roll, said: Event | None = None) -> Step:
    """Replace a roll whose dice have changed, with its recommended choice worked out again (R8)."""
    return change_roll(table, outcome.settle(roll, rules_of(table, roll)), said)
