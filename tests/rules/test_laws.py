"""Laws that hold whatever is done at a table, in whatever order."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cortex import (
    apply,
    campaign,
    doom,
    doom_use,
    hitches,
    outcome,
    plot,
    roll,
    scene,
    seats,
    spend,
    traits,
)
from rules.cortex.doom_use import Use
from rules.cortex.facts import Step
from rules.cortex.hitches import Way
from rules.cortex.ruleset import PROFILES, Ruleset
from rules.cortex.seats import Actor
from rules.cortex.table import Hand, Kind, Roll, Table, Trait
from rules.dice import MOST_DICE, SIZES, Throw
from rules.errors import RuleError
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, having, table, tried

Deed = Callable[[Table, Actor, Throw], Step]

DEEDS: dict[str, Deed] = {
    "roll": lambda at, who, throw: roll.make(at, who, throw, "2d6 d8 d10"),
    "roll against a number": lambda at, who, throw: roll.make(at, who, throw, "2d6 2d12", "7"),
    "roll against dice": lambda at, who, throw: roll.make(at, who, throw, "d6 d8 scale", "2d8 scale"),
    "roll against doom": lambda at, who, throw: roll.make(at, who, throw, "up d12, 2d6", "doom"),
    "roll few dice": lambda at, who, throw: roll.make(at, who, throw, "2d4", "easy", 3),
    "roll hindered": lambda at, who, throw: roll.make(at, who, throw, "hinder Knight d8, Rope d6"),
    "roll the last pool": lambda at, who, throw: roll.make(at, who, throw, "last"),
    "roll against the gm": lambda at, who, throw: roll.against_roll(at, who, throw, newest(at), "3d8"),
    "choose": lambda at, who, throw: roll.choose(at, who, newest(at), *last_choice(at)),
    "choose for the opposition": lambda at, who, throw: roll.choose_opposition(
        at, who, newest(at), *last_choice(at, opposing=True)
    ),
    "oppose": lambda at, who, throw: roll.oppose(at, who, throw, newest(at), "2d6"),
    "spend for the total": lambda at, who, throw: spend.spend_total(at, who, newest(at)),
    "spend for an effect": lambda at, who, throw: spend.spend_effect(at, who, newest(at)),
    "spend for a limit": lambda at, who, throw: spend.spend_limit(at, who, newest(at)),
    "reroll": lambda at, who, throw: spend.reroll(at, who, throw),
    "reroll a d6": lambda at, who, throw: spend.reroll(at, who, throw, "d6"),
    "apply as an asset": lambda at, who, throw: apply.apply(
        at, who, newest(at), 0, Kind.ASSET, "Rope", "Alice"
    ),
    "apply as a complication": lambda at, who, throw: apply.apply(
        at, who, newest(at), 0, Kind.COMPLICATION, "Mud", "Bob"
    ),
    "take out": lambda at, who, throw: apply.apply(
        at, who, newest(at), 0, Kind.COMPLICATION, "Mud", "Bob", takeout=True
    ),
    "apply as stress": lambda at, who, throw: apply.apply(
        at, who, newest(at), 0, Kind.STRESS, "Physical", "Bob"
    ),
    "apply a further effect": lambda at, who, throw: apply.apply(at, who, newest(at), 1, Kind.ASSET, "Map"),
    "apply to doom": lambda at, who, throw: apply.apply_to_doom(at, who, newest(at), 0),
    "recover": lambda at, who, throw: apply.recover(
        at, who, throw, (Kind.COMPLICATION, Kind.STRESS), "Mud", "2d8 d10", None, "Bob"
    ),
    "apply a recovery": lambda at, who, throw: apply.apply_recovery(at, who, newest(at)),
    "buy a hitch": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.COMPLICATION, "Mud", 1),
    "buy a botch": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.BOTCH),
    "buy one doom die": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_ONE),
    "buy doom dice": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_EACH),
    "buy steps of doom": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_STEP),
    "buy dice of a size": lambda at, who, throw: hitches.buy(at, who, newest(at), Way.DOOM_SIZE, "", 1),
    "seize on a complication": lambda at, who, throw: hitches.seize(at, who, newest(at), "Mud"),
    "seize on an asset": lambda at, who, throw: hitches.seize(at, who, newest(at), "Rope"),
    "roll doom": lambda at, who, throw: doom_use.roll(at, who, throw),
    **{
        f"spend doom for {use}": partial(
            lambda at, who, throw, use: doom_use.spend(at, who, throw, None, use, "Fog"), use=use
        )
        for use in Use
    },
    "keep doom for pp": lambda at, who, throw: doom_use.spend(
        at, who, throw, None, Use.SFX, keep_for_pp=True
    ),
    "add doom": lambda at, who, throw: doom.add(at, who, "2d6"),
    "step doom up": lambda at, who, throw: doom.step_up(at, who, None, 2),
    "step doom down": lambda at, who, throw: doom.step_down(at, who),
    "remove doom": lambda at, who, throw: doom.remove(at, who, "d6"),
    "set doom": lambda at, who, throw: doom.put(at, who, "d6 d12"),
    "clear doom": lambda at, who, throw: doom.clear(at, who),
    "give pp": lambda at, who, throw: plot.give(at, who, "all"),
    "spend pp": lambda at, who, throw: plot.spend(at, who, 2),
    "set pp": lambda at, who, throw: plot.put(at, who, "Bob", 1),
    "move pp": lambda at, who, throw: plot.move(at, who, "Bob", 1, "Alice"),
    "add an asset": lambda at, who, throw: traits.add_asset(at, who, "Rope"),
    "add a complication": lambda at, who, throw: traits.add(at, who, Kind.COMPLICATION, "Mud", "Bob", "d10"),
    "add stress": lambda at, who, throw: traits.add(at, who, Kind.STRESS, "Physical", "Bob", "d12"),
    "add a distinction": lambda at, who, throw: traits.add(at, who, Kind.DISTINCTION, "Knight"),
    "step up": lambda at, who, throw: traits.step_up(at, who, Kind.COMPLICATION, "Mud", 2),
    "step down": lambda at, who, throw: traits.step_down(at, who, Kind.COMPLICATION, "Mud"),
    "remove": lambda at, who, throw: traits.remove(at, who, Kind.ASSET, "Rope"),
    "clear stress": lambda at, who, throw: traits.clear_stress(at, who, "Bob"),
    "stay in": lambda at, who, throw: traits.stay_in(at, who, "Bob", "Mud"),
    "start a scene": lambda at, who, throw: scene.start_scene(at, who, "Docks", "Fog, Rain d6"),
    "end the scene": lambda at, who, throw: scene.end_scene(at, who),
    "start an act": lambda at, who, throw: scene.start_act(at, who),
    "end the act": lambda at, who, throw: scene.end_act(at, who),
    "start a session": lambda at, who, throw: scene.start_session(at, who),
    "end the session": lambda at, who, throw: scene.end_session(at, who),
    "join": lambda at, who, throw: seats.join(at, who, "Zed"),
    "name a gm": lambda at, who, throw: seats.name_gm(at, who, BOB),
    "let a gm go": lambda at, who, throw: seats.name_gm(at, who, BOB, remove=True),
    "change the ruleset": lambda at, who, throw: campaign.change(at, who, "ruleset", "adept"),
    "change a setting": lambda at, who, throw: campaign.change(at, who, "opposition", "static"),
}


def newest(at: Table) -> int:
    return max(at.rolls, default=0)


def last_choice(at: Table, opposing: bool = False) -> tuple[int, tuple[int, ...]]:
    """The choice of the newest roll, or of what opposes it, with the largest effect."""
    made = at.rolls.get(newest(at))
    hand = made.hand if made else None
    if opposing:
        hand = made.against.hand if made and made.against else None
    choice = outcome.choices(hand)[-1] if hand else None
    return (choice.total, choice.effects) if choice else (0, (4,))


def check_hand(hand: Hand) -> None:
    places = (*hand.total, *hand.effects)
    assert len(set(places)) == len(places), "a die counts twice"
    assert all(hand.dice[place].is_usable for place in places)
    assert all(1 <= die.face <= die.size and die.size in SIZES for die in hand.dice)
    assert 1 <= len(hand.dice) <= MOST_DICE


def check_roll(made: Roll) -> None:
    check_hand(made.hand)
    if made.against is not None and made.against.hand is not None:
        check_hand(made.against.hand)
    assert len(set(made.applied)) == len(made.applied)


def check(at: Table) -> None:
    """What is true of every table."""
    assert all(size in SIZES[1:] and count > 0 for size, count in at.doom.items()), "doom holds a d4"
    assert sum(at.doom.values()) <= MOST_DICE
    for who, owner in traits.owners(at):
        assert 0 <= owner.pp <= plot.MOST
        assert not (owner.gmc and owner.pp)
        for kind in Kind:
            for label, trait in owner.traits(kind).items():
                assert label == trait.label.casefold()
                assert trait.label
                assert trait.die in SIZES
                assert not trait.out or (trait.die == 12 and kind in traits.HARMFUL and who != "scene")
    for made in at.rolls.values():
        check_roll(made)
    players = [one.player for one in at.characters.values() if one.player]
    assert len(set(players)) == len(players), "somebody plays two characters"


def lively(rules: Ruleset) -> Table:
    """A table where nearly everything can be done to roll 1, a player's, or roll 2, the GM's."""
    at = having(table(rules, pp=3), "alice", Kind.ASSET, Trait("Rope", 6))
    at = having(at, "alice", Kind.DISTINCTION, Trait("Knight", 8), Trait("Liar", 8))
    at = having(at, "bob", Kind.COMPLICATION, Trait("Mud", 8))
    at = having(at, "bob", Kind.STRESS, Trait("Physical", 12, out=True))
    at = scene.start_session(scene.start_scene(at, GRETA, "Docks").table, GRETA).table
    at = replace(at, doom={6: 1, 8: 1, 10: 1, 12: 2})
    at = after(roll.make(at, GRETA, faces(1, 2, 7, 9), "2d6 d8 d10"))
    return after(roll.make(at, ALICE, faces(1, 2, 8, 9, 6), "2d6 Knight Liar d10 d12"))


@pytest.mark.parametrize("rules", PROFILES.values(), ids=[*PROFILES])
@pytest.mark.parametrize("name", DEEDS)
def test_no_rule_changes_the_table_that_it_is_given(name: str, rules: Ruleset) -> None:
    at = lively(rules)
    before = deepcopy(at)
    for who in (GRETA, ALICE):
        tried(lambda who=who: DEEDS[name](at, who, lambda sizes: [1] * len(sizes)))  # type: ignore[misc]
        assert at == before


@pytest.mark.parametrize("name", DEEDS)
def test_every_deed_is_done_somewhere(name: str) -> None:
    def works(deed: Deed, at: Table, who: Actor, face: int) -> bool:
        return tried(lambda: deed(at, who, lambda sizes: [min(face, size) for size in sizes])) is not None

    starts = [start for rules in PROFILES.values() for start in starting(lively(rules))]
    assert any(works(DEEDS[name], at, who, 6) for at in starts for who in (GRETA, ALICE, ZOE))


def starting(at: Table) -> list[Table]:
    """The table, and what it is after some rolls that other deeds need."""
    ones: Throw = lambda sizes: [1] * len(sizes)  # noqa: E731
    tens: Throw = lambda sizes: [min(10, size) for size in sizes]  # noqa: E731
    deeds: list[tuple[str, Actor, Throw]] = [
        ("roll doom", GRETA, ones),
        ("roll doom", GRETA, tens),
        ("roll", ALICE, ones),
        ("roll against a number", ALICE, tens),
        ("roll against dice", ALICE, tens),
        ("recover", ALICE, tens),
        ("name a gm", GRETA, tens),
    ]
    found = [at]
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
