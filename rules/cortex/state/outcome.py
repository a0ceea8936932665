"""What a roll comes to: choices of dice, verdict, effect (R1 to R8)."""

from bisect import bisect
from dataclasses import dataclass

from rules.cortex.state.effects import Effect, placements, rank, stepped
from rules.cortex.state.keeping import Choice, choices, is_botch, keep, kept, most_effects, total
from rules.cortex.state.kinds import Foe, Result, Verdict
from rules.cortex.state.ruleset import PRIME, EffectBy, PastD12, Ruleset
from rules.cortex.state.table import Against, Hand, Roll
from rules.values import replace

WITHOUT_EFFECT = (EffectBy.NONE, EffectBy.ALL_DICE)
"""Where no die is the effect, what a success makes is a d6, before R7's steps (N10)."""
MOST_RAISED = 5
"""So many steps of the effect SFX give one roll."""
MOST_BOUGHT = 4
"""So many effect dice are kept besides the first: what there is to choose grows with each."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a roll comes to by its dice alone, whatever the settings are (R1 to R6)."""

    roll: Roll
    kept: Choice
    """What the roller keeps."""
    verdict: Verdict | None
    """How it went; None where nothing stands against it (R6, R7)."""
    is_botch: bool
    """Every die that is left shows a 1 (R5)."""
    is_failed: bool
    """It did not beat what stands against it (R6)."""


@dataclass(frozen=True, slots=True)
class Outcome(Judged):
    """What a roll comes to by the settings that it was made with: worked out once, handed on, never kept."""

    rules: Ruleset
    is_opposed: bool
    """The other side won and its effect counts (T6, T4, L3, L4)."""
    shares: tuple[tuple[int, ...], ...]
    """The ways to share R7's steps among the effect dice that count, the best first (R3); () for none."""
    sizes: tuple[int, ...]
    """The effect dice that count, before R7's steps."""
    effects: tuple[Effect, ...]
    """The same after them, with the further ones that those give; () where none counts."""
    counted: tuple[int, ...]
    """The sizes of the roller's own effect that is told, after R7's steps; () where none of theirs counts."""


def options(roll: Roll, rules: Ruleset) -> tuple[Choice, ...]:
    """The choices of the roller's dice: those of R4, then those with effect dice for steps (L3)."""
    found = choices(roll.hand)
    for more in range(1, most_traded(roll, rules, found[0].total) + 1):
        hand = replace(roll.hand, effects_bought=roll.hand.effects_bought + more)
        # Those with fewer effect dice are there from the rounds before.
        found += tuple(
            choice
            for choice in choices(hand)
            if len(choice.effects_at) == most_effects(hand) and most_traded(roll, rules, choice.total) >= more
        )
    return found


def most_traded(roll: Roll, rules: Ruleset, total: int) -> int:
    """How many of R7's steps could become effect dice with that total: on one's turn in a challenge (L3)."""
    against = roll.against
    if against is None or against.acts or not is_of_challenge(against) or not rules.steps_effects:
        return 0
    steps = max(0, total - difficulty(against)) // rules.heroic_margin
    return min(steps, MOST_BOUGHT - roll.hand.effects_bought)


def traded(roll: Roll) -> int:
    """How many of R7's steps were kept as effect dice (L3)."""
    return _traded(roll.hand, roll.hand.effects)


def _traded(hand: Hand, effects_at: tuple[int, ...]) -> int:
    return max(0, len(effects_at) - most_effects(hand))


def recommended(
    hand: Hand,
    difficulty: int | None = None,
    rules: Ruleset = PRIME,
    hit: tuple[int, ...] = (),
    offered: tuple[Choice, ...] = (),
) -> Choice:
    """The choice that stands until the roller picks another (R8).

    `hit` are dice that effects take away one by one, `offered` the choices where they are more than R4's.
    """
    found = offered or choices(hand)
    beating = [c for c in found if difficulty is not None and c.total > difficulty]
    if difficulty is None or not beating:
        return found[0]
    return max(beating, key=lambda choice: (_worth(hand, choice, difficulty, rules, hit), choice.total))


def difficulty(against: Against) -> int:
    """The number to beat."""
    return against.number if against.hand is None else total(against.hand) + against.number


def settle(roll: Roll, rules: Ruleset, offered: tuple[Choice, ...] = ()) -> Roll:
    """The roll with the recommended choice kept on both sides, where nobody has picked another.

    `offered` are the choices of the roller's dice, where those are known.
    """
    against, hand = roll.against, roll.hand
    if against is not None and against.acts:
        hand = hand if hand.chosen else keep(hand, recommended(hand))
        goal = total(hand) - against.number
        # Dice that lie on the table as a roll of the GM's own stand there as the GM keeps them.
        return replace(roll, hand=hand, against=against if against.roll else _settled(against, goal, rules))
    if against is not None and (settled := _settled(against, None, rules)) is not against:
        roll = replace(roll, against=settled)
    return roll if hand.chosen else with_best(roll, rules, offered)


def with_best(roll: Roll, rules: Ruleset, offered: tuple[Choice, ...] = ()) -> Roll:
    """The roll with the recommended choice of the roller's dice kept, what opposes them as it is (R8)."""
    hand, against = roll.hand, roll.against
    goal = None if against is None else difficulty(against)
    best = recommended(hand, goal, rules, _hittable(against), offered or options(roll, rules))
    return replace(roll, hand=keep(hand, best))


def _settled(against: Against, goal: int | None, rules: Ruleset) -> Against:
    """The opposition with its recommended choice, where nobody has picked another."""
    if against.hand is None or against.hand.chosen:
        return against
    return replace(against, hand=keep(against.hand, recommended(against.hand, goal, rules)))


def verdict(roll: Roll) -> Verdict | None:
    """How the roll went, or None where nothing stands against it (R6, R7)."""
    if roll.against is None:
        return None
    goal = difficulty(roll.against)
    own = total(roll.hand)
    margin = own - goal
    # Dice that act have to be higher, so a tie is the roller's, whose reaction is never called heroic (T6).
    if roll.against.acts and margin >= 0 and not is_botch(roll.hand):
        return Verdict(goal, Result.SUCCESS, margin, margin // roll.margin)
    # A tie fails (R6), and a total of 0 is no success whatever it is against (R5).
    if margin <= 0 or not own:
        return Verdict(goal, Result.FAILURE, margin, 0)
    steps = margin // roll.margin
    return Verdict(goal, Result.HEROIC if steps else Result.SUCCESS, margin, steps)


def gm_hand(roll: Roll) -> Hand | None:
    """The GM's dice of a roll: all of a GM's own, or those that oppose a player's (M4, H2)."""
    if roll.gm:
        return roll.hand
    return None if roll.against is None or roll.against.roll else roll.against.hand


def with_gm_hand(roll: Roll, hand: Hand) -> Roll:
    """The roll with the GM's dice changed."""
    if roll.gm or roll.against is None:
        return replace(roll, hand=hand)
    return replace(roll, against=replace(roll.against, hand=hand))


def is_failed(roll: Roll) -> bool:
    """Whether a roll did not beat what stands against it (R6)."""
    how = verdict(roll)
    return how is not None and how.result is Result.FAILURE


def is_of_challenge(against: Against) -> bool:
    """Whether those are a challenge's dice (L3)."""
    return against.target is not None and against.target.foe is Foe.CHALLENGE


def judged(roll: Roll) -> Judged:
    """What a roll comes to by its dice alone (R1 to R6)."""
    how = verdict(roll)
    is_lost = how is not None and how.result is Result.FAILURE
    return Judged(roll, kept(roll.hand), how, is_botch(roll.hand), is_lost)


def of(roll: Roll, rules: Ruleset) -> Outcome:
    """What a roll comes to by these settings (R1 to R7)."""
    own = judged(roll)
    is_opposed = own.is_failed and _is_opposition_effective(roll, rules)
    sizes, steps = _effective(own, rules, is_opposed=is_opposed) or ((), 0)
    shares: tuple[tuple[int, ...], ...] = ()
    effects: tuple[Effect, ...] = ()
    if sizes:
        hit = () if own.is_failed else _hittable(roll.against)
        shares = placements(sizes, steps, hit, rules)
        share = roll.steps_to if roll.steps_to in shares else shares[0]
        effects = tuple(stepped(sizes, share, roll.outs, rules.sizes))
    if own.is_botch or is_opposed or roll.hand.by in WITHOUT_EFFECT:
        told: tuple[int, ...] = ()
    elif own.is_failed:
        told = own.kept.effects
    else:
        told = tuple(effect.size for effect in effects[: len(sizes)])
    of_dice = (roll, own.kept, own.verdict, own.is_botch, own.is_failed)
    return Outcome(*of_dice, rules, is_opposed, shares, sizes, effects, told)


def shared(came: Outcome, share: tuple[int, ...]) -> tuple[Effect, ...]:
    """The effect dice of a roll if R7's steps were shared so among them (R3)."""
    return tuple(stepped(came.sizes, share, came.roll.outs, came.rules.sizes))


def chosen(roll: Roll, choice: Choice, rules: Ruleset) -> Roll:
    """The roll if the roller kept that choice.

    What opposes it is kept as before, but for dice that act: what is best for those depends on the roll.
    """
    hand = replace(roll.hand, total=choice.total_at, effects=choice.effects_at, chosen=True)
    fresh = replace(roll, hand=hand)
    return settle(fresh, rules) if roll.against is not None and roll.against.acts else fresh


def _is_opposition_effective(roll: Roll, rules: Ruleset) -> bool:
    """Whether the effect of who has won counts (T6, T4, L3, L4); never against a recovery (T5)."""
    against = roll.against
    if roll.recovery is not None or against is None or against.hand is None:
        return False
    return rules.resisting_effect or against.acts or bool(roll.contest) or is_of_challenge(against)


def _effective(own: Judged, rules: Ruleset, *, is_opposed: bool) -> tuple[tuple[int, ...], int] | None:
    """The effect dice that count, before R7's steps, and how many steps they get, with those that SFX give.

    None where none count.
    """
    roll, how, against = own.roll, own.verdict, own.roll.against
    hand, steps = roll.hand, max(0, how.steps - traded(roll)) if how else 0
    if how is not None and own.is_failed:
        if not is_opposed or against is None or against.hand is None:
            return None
        # The margin is the roller's, so it is under 0. A challenge that resists is never stepped up (L3).
        is_stepped = against.acts or not is_of_challenge(against)
        hand, steps = against.hand, -how.margin // roll.margin if is_stepped else 0
    # Who reacted has won, and has no effect by that alone (T6).
    elif against is not None and against.acts and not rules.resisting_effect:
        return None
    is_own = hand is roll.hand
    if own.is_botch if is_own else is_botch(hand):
        return None
    sizes = own.kept.effects if is_own else kept(hand).effects
    if hand.by in WITHOUT_EFFECT:
        sizes = (6,)
    if how is not None and is_own and sizes:
        sizes = _earned(sizes, how.steps, traded(roll))
    return sizes, (steps if rules.steps_effects else 0) + hand.raised


def _earned(sizes: tuple[int, ...], steps: int, traded: int) -> tuple[int, ...]:
    """The effect dice without those that were traded for steps which the total no longer gives (L3)."""
    return sizes[: max(1, len(sizes) - max(0, traded - steps))]


def _hittable(against: Against | None) -> tuple[int, ...]:
    """The dice of an opposition that effects hit one by one: a crisis's, a challenge's, a mob's (K3)."""
    if against is None or against.hand is None or against.target is None:
        return ()
    foe = against.target.foe
    return tuple(sorted(die.size for die in against.hand.dice if die.source.kind is foe and not die.label))


def _worth(hand: Hand, choice: Choice, goal: int, rules: Ruleset, hit: tuple[int, ...]) -> tuple[int, int]:
    """What it takes from dice that it hits, then how large the effect is after R7's steps, in steps (R8).

    Several effect dice are one effect: d10 and d10 are more than d12 and d4.
    """
    steps = (choice.total - goal) // rules.heroic_margin if rules.steps_effects else 0
    left = max(0, steps - _traded(hand, choice.effects_at)) + hand.raised
    sizes = choice.effects
    ladder = rules.sizes
    reach = sum(bisect(ladder, size) - 1 for size in sizes) + left
    if rules.past_d12 is PastD12.STAYS:
        reach = min(reach, (len(ladder) - 1) * len(sizes))
    if not sizes:
        return 0, -1  # no effect is less than any (N10)
    if not hit:
        return 0, reach
    best = placements(sizes, left, hit, rules)[0]
    return rank(stepped(sizes, best, ladder=ladder), hit, ladder)[0], reach
