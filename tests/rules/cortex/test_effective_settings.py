"""Each setting does something in each ruleset, or is refused there with what it needs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from rules.campaign import lifecycle, scenes
from rules.cortex import challenge as challenges
from rules.cortex import (
    characters,
    crisis,
    gm_pools,
    hitches,
    outcome,
    points,
    push_and_challenge,
    reroll,
    sfx_use,
    traits,
)
from rules.cortex.effects import hitches as hitches_of
from rules.cortex.effects import resistance
from rules.cortex.hitches import Way
from rules.cortex.kinds import Foe, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.opposition import against
from rules.cortex.pool import Die
from rules.cortex.roll import make, make_hidden
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import PROFILES, Rest, Ruleset
from rules.cortex.settings import SETTINGS
from rules.cortex.spending import past_limits
from rules.errors import RuleError, SettingOff
from rules.game import Step
from rules.table import Table
from rules.values import exhaustive, replace
from tests.rules.people import ALICE, GRETA, after, answered, having, newest, pp, table


def playing(rules: Ruleset) -> Table:
    """A scene of a session by these rules, where everybody has 3 PP."""
    at = table(rules, doom=[6, 8] if rules.doom else [], pp=3)
    return after(scenes.start_scene(after(scenes.start_session(at, GRETA)), GRETA))


def highest(sizes: Any) -> list[int]:
    """Dice that show their highest face, but those of six sides: a 2."""
    return [2 if size == 6 else size for size in sizes]


def ones(sizes: Any) -> list[int]:
    """Dice of which all but the last show a 1."""
    return [*(1 for _ in sizes[:-1]), sizes[-1]]


def rolled(at: Table, dice: str, vs: str | None = None, throw: Any = highest, who: Any = ALICE) -> Table:
    return after(make(at, who, throw, dice, vs))


def done(at: Table, rule: Callable[[Table], Step]) -> Table:
    """The table after a rule; as it was where the rule refuses."""
    try:
        return after(rule(at))
    except RuleError:
        return at


def works(rule: Callable[[], object]) -> bool:
    try:
        rule()
    except RuleError:
        return False
    return True


def past_usual(at: Table, dice: str) -> int:
    """How many dice past the usual pool that is (D3)."""
    made = newest(rolled(at, dice))
    return past_limits([die.source for die in made.hand.dice], CORTEX.of(at).ruleset)


def share_of_resources(at: Table) -> object:
    swords = having(
        at, "alice", TraitKind.ASSET, *(Trait(name, 8, signature=8) for name in ("Sword", "Shield"))
    )
    rich = done(
        swords, partial(traits.add, actor=GRETA, kind=TraitKind.RESOURCE, what="Wealth d8", who="Alice")
    )
    both = "d6 + Sword + Wealth" if CORTEX.of(at).ruleset.has_resources else "d6 + Sword"
    return past_usual(swords, "d6 + Sword + Shield"), past_usual(rich, both)


def assets(at: Table) -> object:
    names = ("Rope", "Lamp", "Map", "Boat")
    return past_usual(
        having(at, "alice", TraitKind.ASSET, *(Trait(name, 6) for name in names)), " + ".join(names)
    )


def judged(dice: str, vs: str, throw: Any = highest) -> Callable[[Table], object]:
    """The effects and the verdict of a roll, and the hero die that it can bank."""

    def judge(at: Table) -> object:
        at = rolled(at, dice, vs, throw)
        came = resolve(at, newest(at))
        return came.effects, came.verdict, points.bankable(at, came), newest(at).hand.by

    return judge


def hero_dice(at: Table) -> object:
    return judged("2d8 d10", "2d4")(at), works(lambda: points.give(at, GRETA, "Alice", "d8"))


def what_hitches_buy(at: Table) -> object:
    at = rolled(at, "4d8", throw=ones)
    bought = done(
        at,
        partial(
            hitches.buy, actor=GRETA, number=newest(at).number, way=Way.COMPLICATION, what="Hurt", count=1
        ),
    )
    return [hitches.ways(each, resolve(each, newest(each))) for each in (at, bought)], pp(bought, "alice")


def use_of_opportunity(at: Table) -> bool:
    at = rolled(having(at, "alice", TraitKind.COMPLICATION, Trait("Hurt", 8)), "3d6", throw=ones, who=GRETA)
    return works(lambda: hitches.seize(at, ALICE, newest(at).number, "Hurt"))


def acts(at: Table) -> object:
    """The doom dice in an act, after it, in the next one, and after an arc."""
    found = list[object]()
    arc = partial(scenes.end_act, arc="reset")
    for rule in (scenes.start_act, scenes.end_act, scenes.start_act, arc):
        at = done(at, lambda table: rule(table, GRETA))  # noqa: B023 - it is called at once
        found.append(CORTEX.of(at).doom)
    return found


def stressed(at: Table, *tracks: str) -> Table:
    for track in tracks or CORTEX.of(at).ruleset.stress[:1]:
        at = done(
            at, partial(traits.add, actor=GRETA, kind=TraitKind.STRESS, what=f"{track} d10", who="Alice")
        )
    return at


def stress_over_scenes(at: Table) -> object:
    """Alice's stress as a scene ends and the next begins, and so once more with a scene of rest."""
    at, found = stressed(at), list[object]()
    for kind in (None, "rest"):
        at = done(at, lambda table: scenes.end_scene(table, GRETA))
        found.append(list(CORTEX.has(at.characters["alice"]).stress.values()))
        at = done(at, lambda table: scenes.start_scene(table, GRETA, kind=kind))  # noqa: B023 - called at once
        found.append(list(CORTEX.has(at.characters["alice"]).stress.values()))
    return found


def resource_in_a_roll(at: Table) -> object:
    at = done(at, partial(traits.add, actor=GRETA, kind=TraitKind.RESOURCE, what="Wealth d8", who="Alice"))
    made = newest(rolled(at, "2d6 + Wealth" if CORTEX.of(at).ruleset.has_resources else "2d6"))
    return [die.apart for die in made.hand.dice], characters.example_sheet(at)


def new_session(at: Table) -> object:
    at = after(points.set_points(after(scenes.end_session(at, GRETA)), GRETA, "Alice", 0))
    at = after(scenes.start_session(at, GRETA))
    return pp(at, "alice"), CORTEX.of(at).gm_pp


def roll_with_trouble(dice: str, die: int, *sfx: str) -> Callable[[Table], object]:
    """The dice of a roll with Alice's complication, and what it costs; None where it can't be rolled."""

    def play(at: Table) -> object:
        at = having(at, "alice", TraitKind.COMPLICATION, Trait("Hurt", die))
        for benefit in sfx:
            at = done(at, partial(sfx_use.add, actor=ALICE, name="Rage", benefit=benefit))
        before = at
        at = done(at, lambda table: make(table, ALICE, highest, dice))
        return (
            None
            if at is before
            else ([(each.size, str(each.source)) for each in newest(at).hand.dice], pp(at, "alice"))
        )

    return play


def statement(at: Table) -> Table:
    """The table where Alice has challenged the statement of Duty, as far as there are statements."""
    kind = CORTEX.of(at).ruleset.trait_sets[1]
    for label in ("Duty", "Love"):
        at = after(characters.put(at, ALICE, label, "d8", kind))
    at = done(at, partial(characters.put, actor=ALICE, trait="Duty", statement="I leave nobody behind"))
    at = done(at, lambda table: make(table, ALICE, highest, "2d6, challenge Duty"))
    return after(scenes.end_scene(at, GRETA))


def settled_statement(at: Table) -> object:
    at = done(
        statement(at),
        lambda table: push_and_challenge.keep(table, GRETA, "alice", TraitKind.TRAIT, "Duty", "Love"),
    )
    return CORTEX.has(at.characters["alice"]).sheet


def opposed(at: Table) -> object:
    return against(at, ALICE, "hard", highest), resistance(at, ALICE, highest, Die(8, "Hurt"), None)


def gang(at: Table) -> object:
    at = rolled(
        having(at, "alice", TraitKind.TRAIT, Trait("Crew", 8, set="Skills", more=(6, 6))), "Crew", throw=ones
    )
    return hitches.thinning(at, newest(at))


def can(rule: Callable[[Table], object]) -> Callable[[Table], object]:
    return lambda at: works(lambda: rule(at))


def ways_to_keep(at: Table) -> object:
    return outcome.options(newest(rolled(at, "d8 d10")), CORTEX.of(at).ruleset)


DEEDS: Mapping[str, Callable[[Table], object]] = exhaustive(
    SETTINGS,
    {
        "trait sets": characters.example_sheet,
        "one of resources and signature assets": share_of_resources,
        "assets in one pool": assets,
        "opposition": opposed,
        "step up a d12": lambda at: [die.size for die in newest(rolled(at, "up d12, d8")).hand.dice],
        "effect past d12": judged("4d12", "1"),
        "one die alone": ways_to_keep,
        "heroic success": hero_dice,
        "hitches buy": what_hitches_buy,
        "opportunities": use_of_opportunity,
        "resisting effect": judged("3d6", "3d8"),
        "scale keeps an extra die": lambda at: newest(rolled(at, "3d8, scale d8")).hand.keep,
        "doom pool": can(lambda at: gm_pools.add(at, GRETA, Foe.DOOM, "d6")),
        "doom at the start of an act": acts,
        "doom over acts": acts,
        "crisis pools": can(lambda at: crisis.new(at, GRETA, "Fire", "2d8")),
        "challenges": can(lambda at: challenges.new(at, GRETA, "Storm", "hard")),
        "stress tracks": lambda at: CORTEX.has(stressed(at, "Physical", "Afraid").characters["alice"]).stress,
        "resources": resource_in_a_roll,
        "reroll for 1 PP": can(lambda at: reroll.reroll(rolled(at, "3d8"), ALICE, highest, "d8")),
        "PP at a session's start": new_session,
        "players give PP": can(lambda at: points.move_points(at, ALICE, "Bob")),
        "GM's PP": new_session,
        "session assets": can(lambda at: traits.add_asset(at, ALICE, "Rope", session=True)),
        "rest": stress_over_scenes,
        "hidden GM rolls": can(lambda at: make_hidden(at, GRETA, highest, "2d6")),
        "d4 trouble helps": roll_with_trouble("2d6 + Hurt", 4),
        "push stress": lambda at: [
            roll_with_trouble("2d6, push Hurt", 8)(at),
            roll_with_trouble("2d6, Rage", 8, "push")(at),
        ],
        "statements": lambda at: CORTEX.has(statement(at).characters["alice"]).sheet,
        "fixed total": settled_statement,
        "effect": judged("2d8 d6 d10", "7"),
        "effect with no die left": judged("d8", "7"),
        "sizes": can(lambda at: rolled(at, "2d2")),
        "modifiers": can(lambda at: rolled(at, "2d8 +2")),
        "hitch on": lambda at: hitches_of(newest(rolled(at, "3d6"))),
        "safe dice": lambda at: [die.safe for die in newest(rolled(at, "2d8, safe d8")).hand.dice],
        "complications pay": what_hitches_buy,
        "gangs thin out": gang,
        "heroic margin": judged("2d8 d6", "9"),
        "difficulties": opposed,
    },
)
"""What people do, and what comes of it, by the setting that has a say in it."""
OTHERS = {
    "trait sets": ("Mind, Body",),
    "fixed total": ("{first}",),
    "assets in one pool": ("1", "2", "no limit"),
}
"""Values that the declaration doesn't suggest; `{first}` is the first trait set that has typed traits."""


def values_of(name: str, rules: Ruleset) -> list[str]:
    """What people may choose for a setting, but what it is."""
    setting = SETTINGS[name]
    typed = [
        each.format(first=rules.trait_sets[1])
        for each in OTHERS.get(name, setting.values or setting.about.values)
    ]
    return [each for each in typed if setting.read(each) != getattr(rules, setting.field)]


def changed(rules: Ruleset, name: str, value: str) -> Ruleset:
    step = answered(GRETA, lambda actor: lifecycle.change(table(rules), actor, name, value))
    return CORTEX.of(step.table).ruleset


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("ruleset", PROFILES)
def test_each_value_of_a_setting_changes_something_or_is_refused(ruleset: str, name: str) -> None:
    rules, deed = PROFILES[ruleset], DEEDS[name]
    values = values_of(name, rules)
    assert values
    for value in values:
        before = rules
        try:
            then = changed(rules, name, value)
        except SettingOff as refusal:
            before = changed(rules, refusal.setting, refusal.value)
            then = changed(before, name, value)
        is_same = deed(playing(then)) == deed(playing(before))
        assert not is_same, f"{name}: {value} changes nothing"


@pytest.mark.parametrize(
    ("name", "value"),
    [("difficulties", (5, 10, 15, 20, 25)), ("doom over acts", True), ("rest", Rest.SCENE_END)],
)
def test_the_law_of_settings_finds_one_that_changes_nothing(name: str, value: Any) -> None:
    rules = PROFILES["prime"]
    idle = playing(replace(rules, **{SETTINGS[name].field: value}))
    assert DEEDS[name](idle) == DEEDS[name](playing(rules))
