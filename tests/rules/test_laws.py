"""Laws that hold whatever is done at a table, in whatever order."""

from collections.abc import Callable
from copy import deepcopy
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.campaign import files, lifecycle, notes, scenes, seats
from rules.campaign.seats import Actor
from rules.cortex import (
    challenge,
    characters,
    contest,
    crisis,
    doom,
    effects,
    gm_pools,
    gmc,
    hitches,
    outcome,
    points,
    push_and_challenge,
    reroll,
    roll,
    roll_status,
    spending,
    trait_lookup,
    traits,
    turn,
)
from rules.cortex.challenge import ChallengeAct
from rules.cortex.hitches import Way
from rules.cortex.kinds import HARMFUL, Foe, Rank, Sfx, Target, Trait, TraitKind, Use
from rules.cortex.model import CORTEX, Contest, Hand, Roll, RolledDie, TurnOrder
from rules.cortex.opposition import against
from rules.cortex.ruleset import (
    ADEPT,
    BASES,
    MOST_PP,
    EffectBy,
    HitchOn,
    PushStress,
    ResourceUse,
    Rest,
    Ruleset,
)
from rules.dice import ALL_SIZES, MOST_DICE, SIZES, Throw
from rules.errors import RuleError
from rules.game import Step
from rules.table import Character, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    STORM,
    ZOE,
    after,
    challenged,
    faces,
    facing,
    having,
    in_crisis,
    table,
    tried,
)

Deed = Callable[[Table, Actor, Throw], Step]

DEEDS: dict[str, Deed] = {
    "roll": lambda at, who, throw: roll.make(at, who, throw, "2d6 d8 d10"),
    "roll against a number": lambda at, who, throw: roll.make(at, who, throw, "2d6 2d12", "7"),
    "roll with modifiers": lambda at, who, throw: roll.make(at, who, throw, '2d6 d8 "Hill" +3', "7 -1"),
    "roll resources": lambda at, who, throw: roll.make(at, who, throw, "2d6 d8, Wealth", "2d6"),
    "use a resource on a roll": lambda at, who, throw: spending.spend_resource(
        at, who, throw, newest(at), "Wealth"
    ),
    "roll the effect": lambda at, who, throw: roll.roll_effect(at, who, throw, newest(at)),
    "find effects otherwise": lambda at, who, throw: lifecycle.change(at, who, "effect", "all dice"),
    "have other sizes": lambda at, who, throw: lifecycle.change(at, who, "sizes", "d4 d6 d8 d20"),
    "roll against dice": lambda at, who, throw: roll.make(at, who, throw, "d6 d8 scale", "2d8 scale"),
    "roll against doom": lambda at, who, throw: roll.make(at, who, throw, "up d12, 2d6", "doom"),
    "roll with a d4 that helps": lambda at, who, throw: roll.make(
        at, who, throw, "Cold + Knight", "7 + Cold"
    ),
    "roll a push": lambda at, who, throw: roll.make(at, who, throw, "push Angry, 2d6", "2d8 + Angry"),
    "roll a push by an sfx": lambda at, who, throw: roll.make(at, who, throw, "Rage, 2d6"),
    "roll a challenge of a trait": lambda at, who, throw: roll.make(at, who, throw, "challenge Duty, d6"),
    "rest by hand": lambda at, who, throw: scenes.start_scene(at, who, "Inn", kind="rest"),
    "let a d4 grow": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.GROW, "Cold"),
    "rewrite a statement": lambda at, who, throw: push_and_challenge.rewrite(
        at, who, "alice", TraitKind.TRAIT, "Duty", "I come first"
    ),
    "keep a rating": lambda at, who, throw: push_and_challenge.keep(
        at, who, "alice", TraitKind.TRAIT, "Duty", "Love"
    ),
    "state anew": lambda at, who, throw: characters.put(at, who, "Duty", statement="I come first"),
    "set a rating": lambda at, who, throw: characters.put(at, who, "Duty", "d10", who="Alice"),
    "add a d4": lambda at, who, throw: traits.add(at, who, TraitKind.COMPLICATION, "Cold", "Alice", "d4"),
    "add trauma": lambda at, who, throw: traits.add(at, who, TraitKind.TRAUMA, "Physical", "Bob", "d12"),
    "step trauma up": lambda at, who, throw: traits.step_up(at, who, TraitKind.TRAUMA, "Physical", 1, "Bob"),
    "step trauma down": lambda at, who, throw: traits.step_down(
        at, who, TraitKind.TRAUMA, "Physical", 1, "Bob"
    ),
    "turn d4s off": lambda at, who, throw: lifecycle.change(at, who, "d4 trouble helps", "off"),
    "turn pushing on": lambda at, who, throw: lifecycle.change(at, who, "push stress", "1 PP"),
    "rest at scene starts": lambda at, who, throw: lifecycle.change(at, who, "rest", "scene start"),
    "roll a gang": lambda at, who, throw: roll.make(at, who, throw, "less one Gang, safe d6, Wolves"),
    "roll a part": lambda at, who, throw: roll.make(at, who, throw, "up Boys, safe Rope"),
    "thin out": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.THIN_OUT, "Gang"),
    "step a gang up": lambda at, who, throw: traits.step_up(at, who, TraitKind.ASSET, "Wolves", 2),
    "step a gang down": lambda at, who, throw: traits.step_down(at, who, TraitKind.ASSET, "Wolves d6"),
    "set a gang": lambda at, who, throw: characters.put(at, who, "Gang", "safe 2d6", who="Alice"),
    "set a part": lambda at, who, throw: characters.put(
        at, who, "Girls", "d6 d4", who="Alice", part_of="Gang"
    ),
    "unset a gang": lambda at, who, throw: characters.unset(at, who, "Gang", "Alice"),
    "add a gang": lambda at, who, throw: traits.add_asset(at, who, "Dogs safe 2d6"),
    "note": lambda at, who, throw: notes.note(at, who, "The map lies"),
    "title a session": lambda at, who, throw: notes.title(at, who, "The fall"),
    "roll few dice": lambda at, who, throw: roll.make(at, who, throw, "2d4", "easy", 3),
    "roll hindered": lambda at, who, throw: roll.make(at, who, throw, "hinder Knight d8, Rope d6"),
    "roll the last pool": lambda at, who, throw: roll.make(at, who, throw, "last"),
    "roll against the gm": lambda at, who, throw: roll.against_roll(at, who, throw, newest(at), "3d8"),
    "choose": lambda at, who, throw: roll.choose(at, who, newest(at), *last_choice(at)),
    "choose for the opposition": lambda at, who, throw: roll.choose_opposition(
        at, who, newest(at), *last_choice(at, opposing=True)
    ),
    "oppose": lambda at, who, throw: roll.oppose(at, who, throw, newest(at), "2d6"),
    "spend for the total": lambda at, who, throw: spending.spend_total(at, who, newest(at)),
    "spend for an effect": lambda at, who, throw: spending.spend_effect(at, who, newest(at)),
    "spend for a limit": lambda at, who, throw: spending.spend_limit(at, who, newest(at)),
    "reroll": lambda at, who, throw: reroll.reroll(at, who, throw),
    "reroll a d6": lambda at, who, throw: reroll.reroll(at, who, throw, "d6"),
    "apply as an asset": lambda at, who, throw: effects.apply(
        at, who, newest(at), 0, TraitKind.ASSET, "Rope", "Alice"
    ),
    "apply as a complication": lambda at, who, throw: effects.apply(
        at, who, newest(at), 0, TraitKind.COMPLICATION, "Mud", "Bob"
    ),
    "take out": lambda at, who, throw: effects.take_out(
        at, who, newest(at), 0, TraitKind.COMPLICATION, "Mud", "Rex"
    ),
    "apply as stress": lambda at, who, throw: effects.apply(
        at, who, newest(at), 0, TraitKind.STRESS, "Physical", "Bob"
    ),
    "apply a further effect": lambda at, who, throw: effects.apply(
        at, who, newest(at), 1, TraitKind.ASSET, "Map"
    ),
    "apply to doom": lambda at, who, throw: effects.apply_to_doom(at, who, newest(at), 0),
    "recover": lambda at, who, throw: effects.recover(
        at, who, throw, (TraitKind.COMPLICATION, TraitKind.STRESS), "Mud", "2d8 d10", None, "Bob"
    ),
    "apply a recovery": lambda at, who, throw: effects.apply_recovery(at, who, newest(at)),
    "buy a hitch": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.COMPLICATION, "Mud", 1),
    "buy a botch": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.BOTCH),
    "buy one doom die": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_ONE),
    "buy doom dice": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_EACH),
    "buy steps of doom": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_STEP),
    "buy dice of a size": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_SIZE, "", 1),
    "seize on a complication": lambda at, who, throw: hitches.seize(at, who, newest(at), "Mud"),
    "seize on an asset": lambda at, who, throw: hitches.seize(at, who, newest(at), "Rope"),
    "roll doom": lambda at, who, throw: gmc.roll_doom(at, who, throw),
    **{
        f"spend doom for {use}": partial(
            lambda at, who, throw, use: doom.spend(at, who, throw, None, use, named_for(use)), use=use
        )
        for use in Use
    },
    **{
        f"spend a crisis for {use}": partial(
            lambda at, who, throw, use: doom.spend_crisis(at, who, throw, "Fire", None, use, named_for(use)),
            use=use,
        )
        for use in Use
    },
    "keep doom for pp": lambda at, who, throw: doom.spend(at, who, throw, None, Use.SFX, keep_for_pp=True),
    "add doom": lambda at, who, throw: gm_pools.add(at, who, Foe.DOOM, "2d6"),
    "step doom up": lambda at, who, throw: gm_pools.step_up(at, who, Foe.DOOM, None, 2),
    "step doom down": lambda at, who, throw: gm_pools.step_down(at, who, Foe.DOOM),
    "remove doom": lambda at, who, throw: gm_pools.remove(at, who, Foe.DOOM, "d6"),
    "set doom": lambda at, who, throw: gm_pools.set_doom(at, who, "d6 d12"),
    "clear doom": lambda at, who, throw: gm_pools.clear_doom(at, who),
    "give pp": lambda at, who, throw: points.give_points(at, who, "all"),
    "spend pp": lambda at, who, throw: points.spend_points(at, who, 2),
    "set pp": lambda at, who, throw: points.set_points(at, who, "Bob", 1),
    "move pp": lambda at, who, throw: points.move_points(at, who, "Bob", 1, "Alice"),
    "add an asset": lambda at, who, throw: traits.add_asset(at, who, "Rope"),
    "add a complication": lambda at, who, throw: traits.add(
        at, who, TraitKind.COMPLICATION, "Mud", "Bob", "d10"
    ),
    "add stress": lambda at, who, throw: traits.add(at, who, TraitKind.STRESS, "Physical", "Bob", "d12"),
    "add a distinction": lambda at, who, throw: traits.add(at, who, TraitKind.DISTINCTION, "Knight"),
    "step up": lambda at, who, throw: traits.step_up(at, who, TraitKind.COMPLICATION, "Mud", 2),
    "step down": lambda at, who, throw: traits.step_down(at, who, TraitKind.COMPLICATION, "Mud"),
    "remove": lambda at, who, throw: traits.remove(at, who, TraitKind.ASSET, "Rope"),
    "clear stress": lambda at, who, throw: traits.clear_stress(at, who, "Bob"),
    "stay in": lambda at, who, throw: traits.stay_in(at, who, "Bob", "Mud"),
    "start a scene": lambda at, who, throw: scenes.start_scene(at, who, "Docks", distinctions="Fog, Rain d6"),
    "end the scene": lambda at, who, throw: scenes.end_scene(at, who),
    "start an act": lambda at, who, throw: scenes.start_act(at, who),
    "end the act": lambda at, who, throw: scenes.end_act(at, who),
    "start a session": lambda at, who, throw: scenes.start_session(
        at, replace(who, agreed=(f"session {at.session + 1}",))
    ),
    "end the session": lambda at, who, throw: scenes.end_session(at, who),
    "join": lambda at, who, throw: seats.join(at, who, "Zed"),
    "name a gm": lambda at, who, throw: seats.name_gm(at, who, BOB),
    "let a gm go": lambda at, who, throw: seats.name_gm(at, who, BOB, remove=True),
    "change the ruleset": lambda at, who, throw: lifecycle.change(at, who, "ruleset", "adept"),
    "change a setting": lambda at, who, throw: lifecycle.change(at, who, "opposition", "static"),
    "turn crises off": lambda at, who, throw: lifecycle.change(
        at, replace(who, agreed=("set crisis pools off without crisis pools (Fire)",)), "crisis pools", "off"
    ),
    "make a crisis": lambda at, who, throw: crisis.new(at, who, "Flood", "d4 2d8"),
    "make a crisis of doom": lambda at, who, throw: crisis.new(
        at, who, "Plague", from_doom="d6 d8", into="d10"
    ),
    "add to a crisis": lambda at, who, throw: gm_pools.add(at, who, Foe.CRISIS, "d6", "Fire"),
    "end a crisis": lambda at, who, throw: gm_pools.end(at, who, Foe.CRISIS, "Fire"),
    "step a crisis up": lambda at, who, throw: gm_pools.step_up(at, who, Foe.CRISIS, None, 2, "Fire"),
    "step a crisis down": lambda at, who, throw: gm_pools.step_down(at, who, Foe.CRISIS, None, 2, "Fire"),
    "roll a crisis": lambda at, who, throw: gmc.roll_pool(at, who, throw, Foe.CRISIS, "Fire"),
    "roll against a crisis": lambda at, who, throw: roll.make(at, who, throw, "2d10 3d12", "Fire"),
    "roll against a challenge": lambda at, who, throw: roll.make(at, who, throw, "2d10 3d12", "Storm"),
    "roll against a boss": lambda at, who, throw: roll.make(at, who, throw, "2d10 3d12", "Rex"),
    "roll against a mob": lambda at, who, throw: roll.make(at, who, throw, "2d10 3d12", "Wolves"),
    "strike": lambda at, who, throw: effects.strike(at, who, newest(at), 0),
    "strike a d6": lambda at, who, throw: effects.strike(at, who, newest(at), 0, "d6"),
    "strike again": lambda at, who, throw: effects.strike(at, who, newest(at), 1, "d8"),
    "keep the last choice": lambda at, who, throw: roll.choose(at, who, newest(at), *last_option(at)),
    "apply on the boss": lambda at, who, throw: effects.apply(
        at, who, newest(at), 0, TraitKind.COMPLICATION, "Net", "Rex"
    ),
    "take the boss out": lambda at, who, throw: effects.take_out(
        at, who, newest(at), 0, TraitKind.COMPLICATION, "Net", "Rex"
    ),
    "make a challenge": lambda at, who, throw: challenge.new(at, who, "Siege", "hard", 1, 2),
    "name the first": lambda at, who, throw: challenge.first(at, who, "Bob", "Storm"),
    "name the next": lambda at, who, throw: challenge.hand_on(at, who, "Bob", "Storm"),
    "name alice": lambda at, who, throw: challenge.hand_on(at, who, "Alice", "Storm"),
    "pass over": lambda at, who, throw: challenge.skip(at, who, "Bob", "Storm"),
    **{
        f"act to {what}": partial(
            lambda at, who, throw, what: challenge.act(at, who, what, "Alice", name="Storm"), what=what
        )
        for what in ChallengeAct
    },
    "react": lambda at, who, throw: challenge.react(at, who, throw, "storm", "2d8 d10"),
    "end a challenge": lambda at, who, throw: gm_pools.end(at, who, Foe.CHALLENGE, "Storm"),
    "roll a challenge": lambda at, who, throw: gmc.roll_pool(at, who, throw, Foe.CHALLENGE, "Storm"),
    "make a gmc": lambda at, who, throw: gmc.new(at, who, "Ghoul", "Claws d8, Sly d6", "minor"),
    "make a boss wait": lambda at, who, throw: gmc.new(at, who, "Ogre", "Club d8, 3d10", away=True),
    "bring the boss in": lambda at, who, throw: doom.spend(at, who, throw, None, Use.GMC, "Ogre"),
    "roll a gmc": lambda at, who, throw: gmc.roll_gmc(at, who, throw, "Rex"),
    "hit the boss": lambda at, who, throw: gmc.hit(at, who, "Rex", "d10"),
    "hit the mob": lambda at, who, throw: gmc.hit(at, who, "Wolves", "d6"),
    "remove a gmc": lambda at, who, throw: gmc.remove(at, who, "Wolves"),
    "give a hero die": lambda at, who, throw: points.give(at, who, "Alice", "d8"),
    "use a hero die": lambda at, who, throw: spending.use_hero(
        at, who, throw, newest(at), 8, as_effect=False
    ),
    "take a hero die": lambda at, who, throw: spending.use_last_hero(at, who, throw, "d8", as_effect=True),
    "begin a contest": lambda at, who, throw: contest.start(at, who, throw, "2d8 d10", "Bob"),
    "begin a contest with a gmc": lambda at, who, throw: contest.start(at, who, throw, "2d8", "Rex"),
    "answer": lambda at, who, throw: contest.answer(at, who, throw, "2d10 d12"),
    "give in": lambda at, who, throw: contest.give_in(at, who),
    "start turns": lambda at, who, throw: turn.start(at, who, "Alice"),
    "hand the turn on": lambda at, who, throw: turn.hand_on(at, who, "Rex"),
    "hand the turn back": lambda at, who, throw: turn.hand_on(at, who, "Alice"),
    "pass a turn over": lambda at, who, throw: turn.skip(at, who, "Bob"),
    "end turns": lambda at, who, throw: turn.end(at, who),
}


BENT = replace(
    ADEPT,
    d4_helps=True,
    push_stress=PushStress.ONE_PP,
    rest=Rest.BY_HAND,
    statements=True,
    fixed_total=("Values",),
    effect=EffectBy.ROLLED_AGAIN,
    modifiers=True,
    resources=ResourceUse.APART,
    hitch_on=HitchOn.TWO,
    safe_dice=True,
    gangs_thin_out=True,
)
"""A ruleset with every mod on."""


def named_for(use: Use) -> str:
    return "Alice" if use is Use.SPLIT else "Fog"


def newest(at: Table) -> int:
    return max(CORTEX.of(at).rolls, default=0)


def last_choice(at: Table, opposing: bool = False) -> tuple[int, tuple[int, ...]]:
    """The choice of the newest roll, or of what opposes it, with the largest effect."""
    made = CORTEX.of(at).rolls.get(newest(at))
    hand = made.hand if made else None
    if opposing:
        hand = made.against.hand if made and made.against else None
    choice = outcome.choices(hand)[-1] if hand else None
    return (choice.total, choice.effects) if choice else (0, (4,))


def last_option(at: Table) -> tuple[int, tuple[int, ...]]:
    """The last choice of the newest roll, with an effect die in place of a step where there is one (L3)."""
    made = CORTEX.of(at).rolls.get(newest(at))
    choice = outcome.options(made, roll_status.rules_of(at, made))[-1] if made else None
    return (choice.total, choice.effects) if choice else (0, (4,))


def check_hand(hand: Hand) -> None:
    places = (*hand.total, *hand.effects)
    assert len(set(places)) == len(places), "a die counts twice"
    assert all(hand.dice[place].is_usable for place in places)
    assert all(1 <= die.face <= die.size and die.size in ALL_SIZES for die in hand.dice)
    assert 1 <= len(hand.dice) <= MOST_DICE


def check_roll(made: Roll) -> None:
    check_hand(made.hand)
    if made.against is not None and made.against.hand is not None:
        check_hand(made.against.hand)
    assert len(set(made.applied)) == len(made.applied)
    assert len({(each.does, each.kind, each.label) for each in made.closing}) == len(made.closing)
    assert all(each.owner == made.who.casefold() for each in made.closing)


def check_pools(at: Table) -> None:
    """Crises, challenges, bosses and mobs have dice while they are there."""
    here = CORTEX.of(at)
    there = [
        *(Target(Foe.CRISIS, one) for one in here.crises),
        *(Target(Foe.CHALLENGE, one) for one in here.challenges),
    ]
    for pool in there:
        dice = gm_pools.dice(at, pool)
        assert 1 <= len(dice) <= MOST_DICE
        assert set(dice) <= {*ALL_SIZES}
    for owner in at.characters.values():
        own = CORTEX.has(owner)
        assert all(size in ALL_SIZES and count > 0 for size, count in (*own.hero.items(), *own.pool.items()))
        assert sum(own.hero.values()) <= points.MOST_DICE


def check_gmc(at: Table, who: str, owner: Character) -> None:
    """A boss and a mob have dice; a boss is never taken out and has nothing larger than its die (B1)."""
    own = CORTEX.has(owner)
    if own.rank in (Rank.BOSS, Rank.MOB):
        assert own.pool
    if gm_pools.is_boss(at, who):
        assert len(own.pool) == 1
        harms = [*own.complications.values(), *own.stress.values()]
        assert all(trait.die <= max(own.pool) and not trait.out for trait in harms)


def check_contest(at: Table, each: Contest) -> None:
    """One side's roll stands; if it is still on the table, the contest has its dice (T4)."""
    here = CORTEX.of(at)
    assert each.leader in (0, 1)
    standing = here.rolls.get(each.roll)
    if standing is not None:
        assert standing.who == each.sides[each.leader]
        assert outcome.total(standing.hand) == outcome.total(each.hand)
    assert not each.closing or each.closing in here.rolls or len(here.contests) <= roll.OPEN_ROLLS


def check(at: Table) -> None:
    """What is true of every table."""
    here = CORTEX.of(at)
    assert all(size in ALL_SIZES and count > 0 for size, count in here.doom.items())
    assert min(here.doom, default=6) >= 6, "doom holds a d4"
    assert sum(here.doom.values()) <= MOST_DICE
    check_pools(at)
    for each in here.contests.values():
        check_contest(at, each)
    for order in (*(each.order for each in here.challenges.values()), here.order or TurnOrder()):
        assert len(set(order.acted)) == len(order.acted)
        assert order.round > 0
    for who, owner in trait_lookup.owners(at):
        own = CORTEX.has(owner)
        assert 0 <= own.pp <= MOST_PP
        assert not (owner.gmc and (own.pp or own.hero))
        check_gmc(at, who, owner)
        for kind in TraitKind:
            for label, trait in own.traits(kind).items():
                assert label == trait.label.casefold()
                assert trait.label
                assert trait.die in ALL_SIZES
                assert trait.was in (0, *ALL_SIZES)
                assert {*trait.more, *trait.usual} <= {*ALL_SIZES}
                assert sorted(trait.more, reverse=True) == list(trait.more)
                assert all(size <= trait.die for size in trait.more)
                assert not trait.part_of or trait.part_of.casefold() in own.traits(kind)
                is_top = trait.die >= min(12, here.ruleset.sizes[-1])
                assert not trait.out or (is_top and kind in HARMFUL and who != "scene")
    for made in here.rolls.values():
        check_roll(made)
    players = [one.player for one in at.characters.values() if one.player]
    assert len(set(players)) == len(players), "somebody plays two characters"


def lively(rules: Ruleset) -> Table:
    """A table where nearly everything can be done to roll 1, a player's, or roll 2, the GM's."""
    usual = replace(rules, reroll_for_pp=True, sizes=SIZES, safe_dice=True, gangs_thin_out=True)
    at = having(table(usual, pp=3), "alice", TraitKind.ASSET, Trait("Rope", 6))
    gang = Trait("Gang", 8, set="Crew", more=(6, 6)), Trait("Boys", 6, set="Crew", part_of="Gang", safe=True)
    at = having(at, "alice", TraitKind.TRAIT, *gang)
    at = having(at, "alice", TraitKind.ASSET, Trait("Wolves", 8, 8, more=(6,), usual=(6,)))
    at = having(at, "alice", TraitKind.DISTINCTION, Trait("Knight", 8), Trait("Liar", 10))
    at = having(at, "alice", TraitKind.RESOURCE, Trait("Wealth", 8))
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Cold", 4), Trait("Angry", 12))
    at = having(at, "alice", TraitKind.TRAIT, Trait("Duty", 8, set="Values", statement="Stand", was=10))
    at = having(at, "alice", TraitKind.TRAIT, Trait("Love", 6, set="Values"))
    alice = at.characters["alice"]
    rage = {"rage": Sfx("Rage", ("push",))}
    at = at.with_owner("alice", CORTEX.give(alice, replace(CORTEX.has(alice), sfx=rage)))
    at = having(at, "bob", TraitKind.COMPLICATION, Trait("Mud", 8))
    at = having(at, "bob", TraitKind.TRAUMA, Trait("Physical", 12))
    at = having(at, "bob", TraitKind.STRESS, Trait("Physical", 12, out=True))
    at = scenes.start_session(scenes.start_scene(at, GRETA, "Docks").table, GRETA).table
    at = CORTEX.put(
        at, replace(CORTEX.of(at), doom={6: 1, 8: 1, 10: 1, 12: 2}, order=TurnOrder(turn="alice"))
    )
    at = facing(facing(at, "Rex", "Fangs d8, 2d8", Rank.BOSS), "Wolves", "3d6", Rank.MOB)
    at = challenged(in_crisis(at, 6, 8, 10, 12, 12), 6, 8)
    storm = replace(CORTEX.of(at).challenges["storm"], order=TurnOrder(turn="alice"))
    at = CORTEX.put(at, replace(CORTEX.of(at), challenges={"storm": storm}))
    at = at.with_owner(
        "alice", CORTEX.give(at.characters["alice"], replace(CORTEX.has(at.characters["alice"]), hero={8: 2}))
    )
    at = after(roll.make(at, GRETA, faces(1, 2, 7, 9), "2d6 d8 d10"))
    at = after(roll.make(at, ALICE, faces(1, 2, 8, 9, 6), "2d6, Knight, Liar d10, d12"))
    # What has another size than the table has from now on stays as it is (N13).
    return roll_status.with_rules(at, replace(usual, sizes=rules.sizes))


@pytest.mark.parametrize("rules", [*BASES.values(), BENT], ids=[*BASES, "bent"])
def test_no_rule_changes_the_table_that_it_is_given(rules: Ruleset) -> None:
    at = lively(rules)
    before, changing = deepcopy(at), []
    for name, deed in DEEDS.items():
        for who in (GRETA, ALICE):
            tried(partial(deed, at, who, lambda sizes: [1] * len(sizes)))
            if at != before:
                changing.append(f"{name} by {who.name}")
                at = deepcopy(before)
    assert changing == []


def test_every_deed_is_done_somewhere() -> None:
    def works(deed: Deed, at: Table, who: Actor) -> bool:
        return tried(lambda: deed(at, who, lambda sizes: [min(6, size) for size in sizes])) is not None

    starts = [start for rules in (*BASES.values(), BENT) for start in starting(lively(rules))]
    undone = [
        name
        for name, deed in DEEDS.items()
        if not any(works(deed, at, who) for at in starts for who in (GRETA, ALICE, ZOE))
    ]
    assert undone == []


def strong(at: Table) -> Table:
    """The table where Alice's newest roll beats the challenge's ones by far, with dice to spare."""
    hand = Hand(tuple(RolledDie(12, 12) for _ in range(5)), effects_bought=1)
    made = against(at, ALICE, "2d4", lambda sizes: [2] * len(sizes))
    number = at.number + 1
    rolled = Roll(number, 2, "Alice", hand, against=replace(made, target=STORM))
    return after(roll.placed(at, rolled))


def starting(at: Table) -> list[Table]:
    """The table, and what it is after some rolls that other deeds need."""
    here = CORTEX.of(at)
    ones: Throw = lambda sizes: [1] * len(sizes)  # noqa: E731
    tens: Throw = lambda sizes: [min(10, size) for size in sizes]  # noqa: E731
    deeds: list[tuple[str, Actor, Throw]] = [
        ("roll a gang", ALICE, ones),
        ("roll doom", GRETA, ones),
        ("roll doom", GRETA, tens),
        ("roll with a d4 that helps", ALICE, ones),
        ("roll", ALICE, ones),
        ("roll against a number", ALICE, tens),
        ("roll against dice", ALICE, tens),
        ("recover", ALICE, tens),
        ("name a gm", GRETA, tens),
        ("begin a contest", ALICE, ones),
        ("roll a crisis", GRETA, tens),
        ("roll against a crisis", ALICE, tens),
        ("roll against a challenge", ALICE, tens),
        ("roll against a boss", ALICE, tens),
    ]
    storm = replace(here.challenges["storm"], order=TurnOrder(acted=("alice", "bob")), against="alice")
    well = at.with_owner(
        "bob", CORTEX.give(at.characters["bob"], replace(CORTEX.has(at.characters["bob"]), stress={}))
    )
    waiting = CORTEX.put(
        well, replace(CORTEX.of(well), challenges={"storm": replace(storm, order=TurnOrder(), against="")})
    )
    last = at.with_owner("ogre", Character("Ogre", gmc=True, away=True))
    last = CORTEX.put(last, replace(here, order=TurnOrder(last="alice")))
    found = [
        at,
        CORTEX.put(at, replace(here, challenges={"storm": storm})),
        well,
        waiting,
        last,
        strong(at),
        strong(well),
    ]
    for name, who, throw in deeds:
        done = tried(partial(DEEDS[name], at, who, throw))
        found += [after(done)] if done else []
    return found


@settings(max_examples=150)
@given(
    strategies.rulesets(),
    st.booleans(),
    st.lists(st.tuples(st.sampled_from([*DEEDS]), st.sampled_from([GRETA, ALICE, BOB, ZOE])), max_size=25),
    strategies.throws(),
)
def test_every_table_that_is_played_stays_whole(
    rules: Ruleset, is_new: bool, deeds: list[tuple[str, Actor]], throw: Throw
) -> None:
    at = table(rules) if is_new else lively(rules)
    for name, who in deeds:
        try:
            step = DEEDS[name](at, who, throw)
        except RuleError:
            continue
        at = after(step)
        check(at)
        files.check(at)
