"""Own trouble that helps or is pushed, traits that are challenged, and what comes when a roll closes."""

from collections.abc import Sequence

import pytest

from rules.campaign import scenes
from rules.campaign.seats import Actor
from rules.cortex import actions, effects, hitches, odds, roll, sfx_use
from rules.cortex.effects import hitches as hitches_left
from rules.cortex.facts import Cause, PointsChanged, Why
from rules.cortex.hitches import Way
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import Die, Source
from rules.cortex.pool_resolver import gather
from rules.cortex.pool_words import WRITTEN
from rules.cortex.ruleset import HEROIC, PRIME, Opposition, PushStress, Rest, Ruleset
from rules.cortex.spending import over_limit
from rules.dice import write_dice
from rules.errors import NotAllowed, RuleError, SettingOff, Undecided
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, after, die, faces, having, newest, pp, table

ANGRY = Trait("Angry", 8)
COLD = Trait("Cold", 4)
DUTY = Trait("Duty", 10, set="Values", statement="I leave nobody behind")


def playing(**on: object) -> Table:
    """Alice is angry and cold, has a duty, and 3 PP; numbers oppose."""
    rules: Ruleset = replace(PRIME, opposition=Opposition.STATIC, stress=("Angry", "Cold"), **on)  # type: ignore[arg-type]
    at = after(scenes.start_scene(table(rules, pp=3), GRETA, "The docks"))
    at = having(at, "alice", TraitKind.STRESS, ANGRY)
    at = having(at, "alice", TraitKind.COMPLICATION, COLD)
    return having(at, "alice", TraitKind.TRAIT, DUTY, Trait("Mind", 6, set="Attributes"))


HELPS, PUSHES, STATES = (
    playing(d4_helps=True),
    playing(push_stress=PushStress.ONE_PP),
    playing(statements=True),
)
ALL = playing(d4_helps=True, push_stress=PushStress.ONE_PP, statements=True)


def sizes(at: Table, dice: str, actor: Actor = ALICE, name: str = "Alice") -> str:
    return write_dice([each.size for each in gather(at, actor, dice, None, name).pool])


@pytest.mark.parametrize(
    ("at", "dice", "pool"),
    [
        (HELPS, "Mind + Cold", "d4 d6"),
        (HELPS, "mi co", "d4 d6"),
        (HELPS, "up Cold, Mind", "2d6"),
        (PUSHES, "push Angry, Mind", "d6 d8"),
        (PUSHES, "Mind + PUSH ang", "d6 d8"),
        (PUSHES, "d10 push Angry", "d8 d10"),
        (PUSHES, "push Angry stress, Mind", "d6 d8"),
        (PUSHES, "push an + Mind", "d6 d8"),
        (PUSHES, 'push "Angry" Mind', "d6 d8"),
        (PUSHES, "double push Angry, d4", "d4 2d8"),
        (PUSHES, "up push Angry", "d10"),
        (STATES, "challenge Duty", "3d10"),
        (STATES, "challenge Duty, Mind", "d6 3d10"),
        (ALL, "challenge Duty + push Angry + Cold", "d4 d8 3d10"),
    ],
)
def test_N2_N3_N7_verbs_and_names_bring_their_dice(at: Table, dice: str, pool: str) -> None:
    gathered = gather(at, ALICE, dice, None, "Alice")
    assert write_dice([each.size for each in gathered.pool]) == pool
    again = gather(at, replace(ALICE, agreed=(WRITTEN,)), gathered.text, None, "Alice")
    assert (again.pool, again.text) == (gathered.pool, gathered.text)


@pytest.mark.parametrize("word", ["push", "challenge", "safe"])
@pytest.mark.parametrize("dice", ["{} d6", "d6 {}", '"{}" d6', "{} hard d6"])
def test_words_are_labels_while_their_setting_is_off(word: str, dice: str) -> None:
    (only,) = gather(playing(), ALICE, dice.format(word), None, "Alice").pool
    assert only == Die(6, f"{word} hard" if "hard" in dice else word)


@pytest.mark.parametrize("word", ["push", "challenge"])
@pytest.mark.parametrize("dice", ["d6 {}", '"{}" d6', "{} hard d6"])
def test_words_are_labels_behind_a_die_and_before_other_words(word: str, dice: str) -> None:
    (only,) = gather(ALL, ALICE, dice.format(word), None, "Alice").pool
    assert only.size == 6
    assert only.label.startswith(word)


@pytest.mark.parametrize(
    ("at", "dice", "because"),
    [
        (
            PUSHES,
            "push d6",
            r"own stress or complication of d6 or more\. Try Angry d8",
        ),
        (PUSHES, "push Mind", "own stress or complication"),
        (PUSHES, "push Cold", "of d6 or more"),
        (STATES, "challenge d6", r"Try Duty d10\. To add a"),
        (STATES, "challenge Mind", "have a statement"),
        (PUSHES, "push Angry, push Angry", "one trait"),
        (STATES, "challenge Duty, challenge Duty", "challenge only one trait"),
        (HELPS, "Cold, Cold, d6", "helps only once"),
        (PUSHES, "push Nobody, Mind", "Alice has no push Nobody.*Did you mean push Angry"),
    ],
)
def test_N2_N3_N7_what_cannot_be_is_refused(at: Table, dice: str, because: str) -> None:
    with pytest.raises(RuleError, match=because):
        gather(at, ALICE, dice, None, "Alice")


@pytest.mark.parametrize(
    ("at", "dice", "because", "command"),
    [
        (
            playing(push_stress=PushStress.SFX),
            "push Angry",
            "Only an SFX can push in this campaign, and no SFX in this pool does.",
            "setting:push stress value:1 PP",
        ),
        (
            playing(),
            "push Angry",
            "Pushing stress is off in this campaign.",
            "setting:push stress value:1 PP",
        ),
        (
            playing(),
            "push Angry stress, Mind",
            "Pushing stress is off in this campaign.",
            "setting:push stress value:1 PP",
        ),
        (
            playing(),
            "Mind, challenge Duty",
            "Statements are off in this campaign, so traits can't be challenged.",
            "setting:statements value:on",
        ),
        (
            playing(),
            "Mind + Cold",
            'Cold d4 doesn\'t help, because the setting "d4 trouble helps" is off.',
            "setting:d4 trouble helps value:on",
        ),
    ],
)
def test_N2_N3_N7_what_is_off_names_its_setting(at: Table, dice: str, because: str, command: str) -> None:
    with pytest.raises(SettingOff) as refused:
        gather(at, ALICE, dice, None, "Alice")
    assert (str(refused.value), refused.value.command) == (because, f"/campaign set {command}")


def test_N2_a_d4_pays_its_owner_once_a_roll_beside_the_limits_and_goes() -> None:
    at = having(HELPS, "alice", TraitKind.COMPLICATION, Trait("Lost", 4))
    step = roll.make(at, ALICE, faces(3, 2, 4), "Mind + Cold + Lost")
    paid = [fact for fact in step.facts if isinstance(fact, PointsChanged)]
    assert paid == [
        PointsChanged("Alice", 3, 4, Why(Cause.HELP, "Cold")),
        PointsChanged("Alice", 4, 5, Why(Cause.HELP, "Lost")),
    ]
    at = after(step)
    assert over_limit(newest(at), CORTEX.of(at).ruleset) == 0
    assert die(at, "alice", TraitKind.COMPLICATION, "Cold") == 4
    at = after(roll.make(at, ALICE, faces(3, 2), "2d6"))
    assert not CORTEX.has(at.characters["alice"]).complications


def test_N2_other_peoples_d4_and_larger_trouble_are_no_help() -> None:
    assert sizes(HELPS, "Cold d8", replace(ALICE, agreed=("as cold d8",))) == "d8"
    with pytest.raises(RuleError, match="Angry"):
        gather(HELPS, ALICE, "Angry", None, "Alice")
    theirs = gather(HELPS, BOB, "Cold", None, "Bob")
    assert [each.source for each in theirs.pool] == [Source(TraitKind.COMPLICATION)]


@pytest.mark.parametrize("vs", ["11 + Cold", "2d8 + Cold"])
def test_N2_a_d4_stands_in_nobodys_way(vs: str) -> None:
    def throw(shown: Sequence[int]) -> list[int]:
        return [2] * len(shown)

    off = newest(after(roll.make(playing(), ALICE, throw, "2d6", vs)))
    at = after(roll.make(HELPS, ALICE, throw, "2d6", vs))
    on = newest(at)
    assert off.against is not None
    assert on.against is not None
    assert (off.against.plus, off.against.helps) == (("Cold d4",), ())
    assert (on.against.plus, on.against.helps) == ((), ("Cold d4",))
    assert on.against.number == (11 if vs.startswith("11") else 0)
    assert "Alice · Cold d4" not in actions.candidates(HELPS, on)
    with pytest.raises(
        NotAllowed, match='Cold d4 can\'t be in the way, because the setting "d4 trouble helps" is on'
    ):
        actions.amend(at, GRETA, throw, on.number, (), ("Cold",))


def test_N2_a_hitch_makes_a_d6_of_it_without_pp() -> None:
    at = after(roll.make(HELPS, ALICE, faces(3, 1), "Mind + Cold"))
    number = newest(at).number
    before = pp(at, "alice")
    at = after(hitches.buy(at, GRETA, number, Way.GROW, "Cold"))
    assert (die(at, "alice", TraitKind.COMPLICATION, "Cold"), pp(at, "alice")) == (6, before)
    assert hitches_left(newest(at)) == ()
    at = after(scenes.end_scene(at, GRETA))
    at = after(scenes.start_scene(at, GRETA))
    assert die(at, "alice", TraitKind.COMPLICATION, "Cold") == 6


def test_N2_the_gm_may_use_the_hitch_after_the_roll_has_closed() -> None:
    at = after(roll.make(HELPS, ALICE, faces(1, 3), "Mind + Cold"))
    number = newest(at).number
    at = after(roll.make(at, ALICE, faces(3, 3), "2d6"))
    assert die(at, "alice", TraitKind.COMPLICATION, "Cold") == 0
    at = after(hitches.buy(at, GRETA, number, Way.GROW, "Cold"))
    assert die(at, "alice", TraitKind.COMPLICATION, "Cold") == 6
    with pytest.raises(RuleError):
        hitches.buy(at, GRETA, number, Way.GROW, "Cold")


def test_N3_a_push_costs_a_pp_stands_in_no_way_and_steps_up_once() -> None:
    step = roll.make(PUSHES, ALICE, faces(5, 3, 4), "push Angry, Mind, d6", "2 + Angry")
    assert PointsChanged("Alice", 3, 2, Why(Cause.PUSH, "Angry")) in step.facts
    at = after(step)
    made = newest(at)
    assert made.against is not None
    assert (made.against.number, made.against.helps) == (2, ("Angry d8",))
    assert die(at, "alice", TraitKind.STRESS, "Angry") == 8
    at = after(effects.apply(at, ALICE, made.number, 0, TraitKind.ASSET, "Rope"))
    assert die(at, "alice", TraitKind.STRESS, "Angry") == 10
    at = after(roll.make(at, ALICE, faces(3, 3), "2d6"))
    at = after(scenes.end_scene(at, GRETA))
    assert die(at, "alice", TraitKind.STRESS, "Angry") == 10


def test_N3_who_has_no_pp_pushes_nothing() -> None:
    poor = after(roll.make(PUSHES, ALICE, faces(3, 3), "2d6"))
    for _ in range(3):
        poor = after(roll.make(poor, ALICE, faces(3, 3, 3), "push Angry, 2d6"))
    with pytest.raises(NotAllowed, match="That costs 1 PP; Alice has none"):
        roll.make(poor, ALICE, faces(3, 3, 3), "push Angry, 2d6")


def test_N3_it_steps_up_after_a_failure_and_past_d12_takes_out() -> None:
    at = having(PUSHES, "alice", TraitKind.STRESS, Trait("Angry", 12))
    at = after(roll.make(at, ALICE, faces(2, 2), "push Angry, Mind", "11"))
    at = after(roll.make(at, ALICE, faces(3, 3), "2d6"))
    alice = CORTEX.has(at.characters["alice"])
    assert alice.is_taken_out
    assert alice.trauma["angry"].die == 6
    assert not newest(at).out


@pytest.mark.parametrize("benefit", ["push Angry", "push"])
@pytest.mark.parametrize("push", [PushStress.ONE_PP, PushStress.SFX])
@pytest.mark.parametrize("dice", ["Mind + Rage", "Mind + Rage + push Angry"])
def test_N3_an_sfx_pushes_for_nothing(benefit: str, push: PushStress, dice: str) -> None:
    at = after(sfx_use.add(playing(push_stress=push), ALICE, "Rage", benefit))
    step = roll.make(at, ALICE, faces(3, 5), dice)
    made = newest(after(step))
    assert write_dice([each.size for each in made.hand.dice]) == "d6 d8"
    assert not [fact for fact in step.facts if isinstance(fact, PointsChanged)]
    at = after(scenes.end_scene(after(step), GRETA))
    assert die(at, "alice", TraitKind.STRESS, "Angry") == 10


def test_N3_a_mere_push_asks_for_the_trait() -> None:
    at = having(playing(push_stress=PushStress.SFX), "alice", TraitKind.COMPLICATION, Trait("Lost", 6))
    at = after(sfx_use.add(at, ALICE, "Rage", "push"))
    with pytest.raises(Undecided) as asked:
        roll.make(at, ALICE, faces(3, 3), "Mind + Rage")
    sure = replace(ALICE, agreed=(next(each.sign for each in asked.value.answers if "lost" in each.sign),))
    assert newest(after(roll.make(at, sure, faces(3, 3), "Mind + Rage"))).hand.dice[-1].label == "Lost"


def test_N3_an_sfx_that_pushes_names_the_setting_where_it_is_off() -> None:
    at = after(sfx_use.add(playing(push_stress=PushStress.SFX), ALICE, "Rage", "push Angry"))
    rules = replace(CORTEX.of(at).ruleset, push_stress=PushStress.OFF)
    at = CORTEX.put(at, replace(CORTEX.of(at), ruleset=rules))
    with pytest.raises(SettingOff, match="Pushing stress is off in this campaign") as refused:
        roll.make(at, ALICE, faces(3, 3), "Mind + Rage")
    assert refused.value.command == "/campaign set setting:push stress value:SFX only"
    with pytest.raises(SettingOff, match="Pushing stress is off in this campaign"):
        sfx_use.add(at, ALICE, "Fury", "push Angry")


def test_N7_a_challenge_counts_three_times_beside_the_limits_and_steps_down() -> None:
    at = after(roll.make(STATES, ALICE, faces(5, 3, 4, 2), "challenge Duty, Mind"))
    assert over_limit(newest(at), CORTEX.of(at).ruleset) == 0
    for size in (8, 6, 4, 4):
        at = after(roll.make(at, ALICE, faces(3, 3), "2d6"))
        duty = CORTEX.has(at.characters["alice"]).sheet["duty"]
        assert (duty.die, duty.was) == (size, 10)
        at = after(roll.make(at, ALICE, faces(3, 3, 3), "challenge Duty"))


def test_closing_comes_before_the_next_roll_is_gathered() -> None:
    at = after(roll.make(ALL, ALICE, faces(3, 3, 3), "Mind + Cold + push Angry"))
    with pytest.raises(RuleError, match="Cold"):
        roll.make(at, ALICE, faces(3, 3), "Mind + Cold")
    assert sizes(at, "push Angry") == "d10"
    assert die(at, "alice", TraitKind.STRESS, "Angry") == 8


def test_another_persons_roll_closes_nothing() -> None:
    at = after(roll.make(ALL, ALICE, faces(3, 3), "Mind + Cold"))
    at = after(roll.make(at, BOB, faces(3, 3), "2d6"))
    assert die(at, "alice", TraitKind.COMPLICATION, "Cold") == 4


@pytest.mark.parametrize("how", ["all effects", "next roll", "scene end"])
def test_a_roll_closes_at_the_first_of_three(how: str) -> None:
    at = after(roll.make(ALL, ALICE, faces(5, 5, 5, 2, 3), "challenge Duty, Mind, Cold"))
    ways = {
        "all effects": lambda: effects.apply(at, ALICE, newest(at).number, 0, TraitKind.ASSET, "Rope"),
        "next roll": lambda: roll.make(at, ALICE, faces(3, 3), "2d6"),
        "scene end": lambda: scenes.end_scene(at, GRETA),
    }
    done = after(ways[how]())
    assert CORTEX.has(done.characters["alice"]).sheet["duty"].die == 8
    assert "cold" not in CORTEX.has(done.characters["alice"]).complications


def test_a_recovery_that_is_applied_closes_too() -> None:
    at = after(effects.recover(ALL, ALICE, faces(10, 9, 8), (TraitKind.STRESS,), "Angry", "challenge Duty"))
    at = after(effects.apply_recovery(at, ALICE, newest(at).number))
    assert CORTEX.has(at.characters["alice"]).sheet["duty"].die == 8


def test_N3_meets_N4_a_pushed_trait_steps_up_before_anybody_rests() -> None:
    at = playing(push_stress=PushStress.ONE_PP, rest=Rest.SCENE_END)
    at = having(at, "alice", TraitKind.STRESS, Trait("Angry", 12))
    at = after(roll.make(at, ALICE, faces(3, 3), "push Angry, Mind"))
    at = after(scenes.end_scene(at, GRETA))
    alice = CORTEX.has(at.characters["alice"])
    assert (alice.stress["angry"].die, alice.is_taken_out) == (10, False)


def test_N2_meets_N3_a_d4_cannot_be_pushed_and_a_d6_does_not_help() -> None:
    with pytest.raises(NotAllowed, match="of d6 or more"):
        gather(ALL, ALICE, "push Cold", None, "Alice")
    with pytest.raises(RuleError):
        gather(ALL, ALICE, "Angry", None, "Alice")


def test_odds_count_the_verbs_and_change_nothing() -> None:
    asked = odds.count_odds(odds.ask(ALL, ALICE, "challenge Duty, push Angry, Cold", "9 + Angry + Cold"))
    plain = odds.count_odds(odds.ask(ALL, ALICE, "3d10 d8 d4", "9"))
    assert asked.odds == plain.odds


def test_a_gm_pushes_for_a_gmc_with_a_doom_die() -> None:
    rules = replace(HEROIC, push_stress=PushStress.ONE_PP, d4_helps=True)
    at = after(scenes.start_scene(table(rules, doom=(6, 8)), GRETA))
    at = having(at, "rex", TraitKind.COMPLICATION, Trait("Hurt", 8), Trait("Wet", 4))
    step = roll.make(at, GRETA, faces(3, 3, 3), "push Hurt, Wet, d6", who="Rex")
    assert CORTEX.of(step.table).doom == {8: 1}
    assert not [fact for fact in step.facts if isinstance(fact, PointsChanged)]
    at = after(scenes.end_scene(after(step), GRETA))
    assert {each.label: each.die for each in CORTEX.has(at.characters["rex"]).complications.values()} == {
        "Hurt": 10
    }
