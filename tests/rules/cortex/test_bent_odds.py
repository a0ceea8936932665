"""Exact chances where mods bend a roll: each agrees with going through every way that the dice can fall."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import odds, outcome
from rules.cortex.kinds import TraitKind
from rules.cortex.model import Against, Hand, Modifier, Roll, landed
from rules.cortex.outcome import Outcome
from rules.cortex.pool import Die, Source
from rules.cortex.ruleset import (
    HEROIC,
    PRIME,
    EffectBy,
    Heroic,
    HitchOn,
    NoDieLeft,
    PastD12,
    ResourceUse,
    Ruleset,
)
from rules.dice import ALL_SIZES, step_of
from rules.values import replace

LADDERS = ((4, 6, 8, 10, 12), (2, 4, 6, 8, 10, 12), (6, 8), (2, 3, 6, 12, 20), (4, 6, 8))


@st.composite
def bent(draw: st.DrawFn) -> Ruleset:
    """Settings of a table that bend a roll."""
    return replace(
        draw(st.sampled_from((PRIME, HEROIC))),
        sizes=draw(st.sampled_from(LADDERS)),
        heroic_margin=draw(st.integers(2, 10)),
        hitch_on=draw(st.sampled_from(HitchOn)),
        effect=draw(st.sampled_from(EffectBy)),
        no_die_left=draw(st.sampled_from(NoDieLeft)),
        heroic=draw(st.sampled_from((Heroic.EFFECT, Heroic.HERO_DICE_ALONE))),
        resources=ResourceUse.APART,
    )


@st.composite
def pools(draw: st.DrawFn, rules: Ruleset) -> tuple[Die, ...]:
    """A few dice, of the table's sizes or left from before, some safe, some of a resource."""
    sizes = st.sampled_from((*rules.sizes, *rules.sizes, *ALL_SIZES))
    own = draw(st.lists(st.builds(Die, sizes, safe=st.booleans()), min_size=1, max_size=4))
    beside = st.builds(Die, sizes, st.sampled_from(("Wealth", "Crew")), st.just(Source(TraitKind.RESOURCE)))
    pool = (*own, *draw(st.lists(beside, max_size=1)))
    while prod(die.size for die in pool) > 1500:
        pool = pool[1:]
    return pool if any(die.source.is_new for die in pool) else (Die(6),)


def hands(pool: tuple[Die, ...], keep: int, plus: int, rules: Ruleset) -> list[Hand]:
    """Every way that the dice can fall."""
    least = 1 if rules.lone_die else 2
    more = (Modifier(plus),) if plus else ()
    return [
        Hand(
            tuple(landed(die, face, rules) for die, face in zip(pool, faces, strict=True)),
            keep=keep,
            least=least,
            plus=more,
            by=rules.effect,
            no_die=rules.no_die_left,
            has_apart=any(not die.source.is_new for die in pool),
        )
        for faces in product(*(range(1, die.size + 1) for die in pool))
    ]


def came(hand: Hand, goal: int, rules: Ruleset) -> Outcome:
    """What comes of a hand, by the choice that the bot keeps."""
    roll = Roll(1, 2, "Alice", hand, against=Against("", number=goal), margin=rules.heroic_margin)
    return outcome.of(outcome.settle(roll, rules), rules)


def reach(hand: Hand, goal: int, rules: Ruleset) -> int:
    """The furthest effect of any choice, in steps above the least size; -1 for none."""
    found = [-1]
    for choice in outcome.choices(hand):
        roll = Roll(
            1, 2, "", outcome.keep(hand, choice), against=Against("", number=goal), margin=rules.heroic_margin
        )
        effects = outcome.of(roll, rules).effects
        if effects:
            found.append(step_of(effects[0].size, rules.sizes) + effects[0].past)
    return max(found)


@pytest.mark.slow
@given(st.data(), bent(), st.integers(1, 4), st.integers(0, 20), st.integers(-8, 8))
def test_bent_odds_are_those_that_brute_force_finds(
    data: st.DataObject, rules: Ruleset, keep: int, goal: int, plus: int
) -> None:
    pool = data.draw(pools(rules))
    every = hands(pool, keep, plus, rules)
    asked = odds.Uncounted(pool, keep, Against("", number=goal), every[0], rules)
    found = odds.count_odds(asked).odds
    of = len(every)
    best = [outcome.choices(hand)[0].total for hand in every]
    assert found.totals == {total: best.count(total) / of for total in sorted(set(best))}
    assert found.kept.success == sum(total > goal for total in best) / of
    stands = [came(hand, goal, rules) for hand in every]
    heroic = sum(each.verdict is not None and each.verdict.margin >= rules.heroic_margin for each in stands)
    assert found.kept.heroic == heroic / of
    assert found.kept.mean is not None
    assert abs(found.kept.mean - sum(each.kept.total for each in stands) / of) < 1e-9
    assert found.botch == sum(map(outcome.is_botch, every)) / of
    assert found.hitch == sum(any(die.is_one for die in hand.dice) for hand in every) / of
    if rules.effect is EffectBy.DIE:
        reaches = [reach(hand, goal, rules) for hand in every]
        top = len(rules.sizes) - (rules.past_d12 is PastD12.STAYS)
        for wanted in range(1, top + 1):
            assert found.effects[wanted] == sum(each >= wanted for each in reaches) / of
    elif rules.effect is not EffectBy.ROLLED_AGAIN:
        assert found.effects == {}


@given(st.data(), bent(), st.integers(1, 4))
def test_bent_effects_without_a_goal_are_the_largest_that_can_be_kept(
    data: st.DataObject, rules: Ruleset, keep: int
) -> None:
    rules = replace(rules, effect=EffectBy.DIE)
    pool = data.draw(pools(rules))
    every = hands(pool, keep, 0, rules)
    found = odds.count_odds(odds.Uncounted(pool, keep, None, every[0], rules)).odds
    best = [max(choice.effect for choice in outcome.choices(hand)) for hand in every]
    steps = [step_of(size, rules.sizes) if size else -1 for size in best]
    assert found.effects == {
        wanted: sum(step >= wanted for step in steps) / len(every) for wanted in range(1, len(rules.sizes))
    }


@given(st.data(), bent(), st.integers(1, 3), st.integers(0, 12))
def test_an_effect_rolled_again_is_the_size_of_the_die_that_rolled_highest(
    data: st.DataObject, rules: Ruleset, keep: int, goal: int
) -> None:
    rules = replace(rules, effect=EffectBy.ROLLED_AGAIN)
    pool = tuple(die for die in data.draw(pools(rules)) if die.source.is_new)[:2]
    pool = pool if prod(die.size for die in pool) <= 24 else (Die(6),)
    every = hands(pool, keep, 0, rules)
    found = odds.count_odds(odds.Uncounted(pool, keep, Against("", number=goal), every[0], rules)).odds
    reaches = []
    for hand in every:
        for again in product(*(range(1, die.size + 1) for die in pool)):
            rolled = came(replace(hand, again=again), goal, rules)
            effect = rolled.effects[0] if rolled.effects else None
            reaches.append(step_of(effect.size, rules.sizes) + effect.past if effect else -1)
    for wanted, chance in found.effects.items():
        assert abs(chance - sum(each >= wanted for each in reaches) / len(reaches)) < 1e-9
