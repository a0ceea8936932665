"""Challenges: their dice, their turns, and how they end."""

from collections.abc import Callable

import pytest

from rules.campaign.seats import Actor
from rules.cortex import challenge, effects, gm_pools, gmc, outcome, roll, spending
from rules.cortex.challenge import ChallengeAct, act, first, hand_on, is_its_turn, left, new, react, skip
from rules.cortex.effects import open_effects
from rules.cortex.facts import Called, Over, PassedOver, TurnCame
from rules.cortex.gmc import roll_pool
from rules.cortex.kinds import Ending, Foe, Trait, TraitKind
from rules.cortex.model import CORTEX, TurnOrder
from rules.cortex.roll import against_roll, choose, keep_dice, make, oppose
from rules.cortex.roll_status import resolve, rules_of
from rules.cortex.ruleset import ADEPT, EMPIRE, HEROIC, PRIME, Ruleset
from rules.cortex.turn import stamp
from rules.errors import NotAllowed, RuleError, SettingOff, TooLate, Unknown
from rules.game import Step
from rules.table import Character, Table
from rules.values import replace
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    STORM,
    ZOE,
    after,
    challenged,
    die,
    faces,
    having,
    in_crisis,
    never,
    newest,
    table,
    tried,
)


def order(at: Table) -> TurnOrder:
    return CORTEX.of(at).challenges["storm"].order


def turn(at: Table, **changes: object) -> Table:
    """The table with another order of turns in the challenge."""
    here = CORTEX.of(at)
    fresh = replace(order(at), **changes)  # type: ignore[arg-type]
    return CORTEX.put(at, replace(here, challenges={"storm": replace(here.challenges["storm"], order=fresh)}))


AT = challenged(table(), 8, 8)
ALICES = turn(AT, turn="alice")
"""It is Alice's turn, the first of the round."""
DONE = turn(AT, turn="bob", acted=("alice", "bob"))
"""Both have acted, Bob last."""


@pytest.mark.parametrize(
    ("difficulty", "extra", "sizes"),
    [
        (None, 0, (8, 8)),
        ("Very Easy", 0, (4, 4)),
        ("hard", 3, (10, 10, 10, 10, 10)),
        ("2d6", 2, (6, 6, 6, 6)),
        ("d12", 1, (12, 12, 12)),
    ],
)
def test_L1_base_dice_and_up_to_three_more(
    difficulty: str | None, extra: int, sizes: tuple[int, ...]
) -> None:
    step = new(table(), GRETA, "Storm", difficulty, extra, 4, "Bob")
    made = CORTEX.of(step.table).challenges["storm"]
    assert gm_pools.dice(step.table, STORM) == sizes
    assert (made.name, made.rounds, made.order) == ("Storm", 4, TurnOrder(absent=("bob",)))


@pytest.mark.parametrize(
    ("difficulty", "extra", "rounds", "message"),
    [
        ("hard", -1, 0, "1 extra dice"),
        ("hard", 4, 0, "4 extra dice"),
        ("hard", 0, -1, "1 rounds"),
        ("hard", 0, 101, "101 rounds"),
        ("d6 d8", 0, 0, "base dice need to be the same size"),
        ("Wind d8", 0, 0, "can't have labels"),
        ("fish", 0, 0, "fish"),
        ("30d6", 3, 0, "33 dice"),
    ],
)
def test_L1_what_makes_no_challenge_is_refused(
    difficulty: str, extra: int, rounds: int, message: str
) -> None:
    with pytest.raises(RuleError, match=message):
        new(table(), GRETA, "Storm", difficulty, extra, rounds)


def test_L2_who_is_absent_has_to_be_known() -> None:
    with pytest.raises(Unknown, match="no character called"):
        new(table(), GRETA, "Storm", absent="Zorro")


@pytest.mark.parametrize("rules", [HEROIC, EMPIRE], ids=["heroic", "empire"])
def test_L1_challenges_that_are_off_name_the_setting(rules: Ruleset) -> None:
    with pytest.raises(SettingOff, match="Challenges are off in this campaign") as made:
        new(table(rules), GRETA, "Storm")
    with pytest.raises(SettingOff, match="Challenges are off in this campaign") as begun:
        first(challenged(table(rules), 8), GRETA, "Alice")
    assert made.value.setting == begun.value.setting == "challenges"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("storm", r"The name storm is already taken\. Choose another name\. Example: storm 2$"),
        ("Fire", r"The name Fire is already taken\. Choose another name\. Example: Fire 2$"),
        ("Bob", r"The name Bob is already taken\. Choose another name\. Example: Bob 2$"),
        ("hard", r'"hard" already means something else here\. Choose another name'),
        ("all", r'"all" already means something else here\. Choose another name'),
    ],
)
def test_L1_a_name_that_is_taken_is_refused(name: str, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        new(in_crisis(AT, 6), GRETA, name)


def test_L1_twenty_challenges_are_the_most() -> None:
    at = table()
    for number in range(gm_pools.MOST_POOLS):
        at = challenged(at, 8, name=f"Storm {number}")
    with pytest.raises(NotAllowed, match=r"A table can have at most 20 challenges\. End one first"):
        new(at, GRETA, "Flood")


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_L2_L4_only_the_gm_leads_a_challenge(who: Actor) -> None:
    deeds: tuple[Callable[[], Step], ...] = (
        lambda: new(table(), who, "Storm"),
        lambda: first(AT, who, "Alice"),
        lambda: skip(ALICES, who, "Alice"),
        lambda: act(DONE, who, ChallengeAct.ADD),
        lambda: gm_pools.end(AT, who, Foe.CHALLENGE),
        lambda: roll_pool(AT, who, never, Foe.CHALLENGE),
    )
    for deed in deeds:
        with pytest.raises(NotAllowed, match="Only the GM can"):
            deed()


def test_L2_the_gm_names_who_goes_first_and_once() -> None:
    step = first(AT, GRETA, "Alice")
    assert step.facts == (TurnCame("Alice", Called(Foe.CHALLENGE, "Storm"), 1),)
    assert order(step.table).turn == "alice"
    with pytest.raises(TooLate, match="This round has already begun"):
        first(step.table, GRETA, "Bob")


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_L2_who_has_the_turn_names_the_next(who: Actor, may: bool) -> None:
    done = tried(lambda: hand_on(ALICES, who, "Bob"))
    assert (done is not None) is may
    if done is not None:
        assert (order(done.table).turn, order(done.table).acted) == ("bob", ("alice",))
        assert challenge.left(done.table, STORM) == []
    else:
        with pytest.raises(NotAllowed, match="Only the GM or Alice can choose who is next"):
            hand_on(ALICES, who, "Bob")


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_L2_before_the_first_turn_only_the_gm_names_anybody(who: Actor) -> None:
    with pytest.raises(NotAllowed, match="Only the GM can choose who is first"):
        hand_on(AT, who, "Alice")


@pytest.mark.parametrize("who", ["Alice", "Rex"])
def test_L2_who_has_acted_or_is_a_gmc_gets_no_turn(who: str) -> None:
    at = turn(AT, turn="bob", acted=("alice",))
    with pytest.raises(NotAllowed, match=f"{who} can't take a turn now. Nobody is left this round"):
        hand_on(at, BOB, who)


def test_L2_who_is_taken_out_or_absent_is_passed_over() -> None:
    out = having(AT, "alice", TraitKind.COMPLICATION, Trait("Leg", 12, out=True))
    for at in (out, turn(AT, absent=("alice",))):
        with pytest.raises(NotAllowed, match=r"can't take a turn now\. Still to go this round: Bob\."):
            first(at, GRETA, "Alice")
        done = turn(at, turn="bob", acted=("bob",))
        assert is_its_turn(done, CORTEX.of(done).challenges["storm"])


def test_L2_a_turn_that_is_handed_on_by_an_old_button_is_refused() -> None:
    seen = stamp(order(ALICES))
    handed = hand_on(ALICES, ALICE, "Bob", seen=seen).table
    with pytest.raises(TooLate, match="The turn has already moved on"):
        hand_on(handed, GRETA, "Bob", seen=seen)
    with pytest.raises(TooLate, match="The turn has already moved on"):
        act(act(DONE, GRETA, ChallengeAct.ADD).table, GRETA, ChallengeAct.ADD, seen=stamp(order(DONE)))


def test_L2_whoever_acted_last_names_the_first_of_the_next_round() -> None:
    at = act(DONE, GRETA, ChallengeAct.ADD).table
    assert (order(at).round, order(at).turn, order(at).acted, order(at).last) == (2, "", (), "bob")
    with pytest.raises(NotAllowed, match="Only the GM or Bob"):
        hand_on(at, ALICE, "Alice")
    assert order(hand_on(at, BOB, "Bob").table).turn == "bob"
    assert order(hand_on(at, BOB, "Alice").table).turn == "alice"


@pytest.mark.parametrize("at", [AT, ALICES], ids=["nobody's turn", "somebody's turn"])
def test_L2_the_gm_passes_somebody_over(at: Table) -> None:
    step = skip(at, GRETA, "Alice")
    assert step.facts == (PassedOver("Alice", Called(Foe.CHALLENGE, "Storm"), 1),)
    assert (order(step.table).turn, order(step.table).acted) == ("", ("alice",))
    both = skip(step.table, GRETA, "Bob").table
    assert is_its_turn(both, CORTEX.of(both).challenges["storm"])


@pytest.mark.parametrize("at", [turn(AT, acted=("alice",)), turn(AT, turn="bob", acted=("alice",))])
def test_L2_nobody_is_passed_over_twice(at: Table) -> None:
    with pytest.raises(NotAllowed, match=r"can't take a turn now\. Still to go"):
        skip(at, GRETA, "Alice")


def test_L2_after_a_turn_passed_over_who_acted_before_names_the_next() -> None:
    people = {**AT.characters, "cleo": Character("Cleo", player=4)}
    at = turn(replace(AT, characters=people), turn="bob", acted=("alice",))
    at = skip(at, GRETA, "Bob").table
    assert order(hand_on(at, ALICE, "Cleo").table).turn == "cleo"


def test_L2_while_nobody_plays_a_character_all_of_them_act() -> None:
    people = {"zed": Character("Zed"), "yan": Character("Yan")}
    assert challenge.left(challenged(Table(characters=people), 8), STORM) == ["zed", "yan"]
    people = {**people, "alice": Character("Alice", player=2)}
    assert challenge.left(challenged(Table(characters=people), 8), STORM) == ["alice"]


ROLLED = after(make(ALICES, ALICE, faces(6, 8, 2, 4, 5), "d6 d8 d10", "Storm"))
"""Alice has 14 against 9 of the storm's 2d8: heroic, an effect of d10 stepped up to d12."""


def test_L3_a_roll_against_it_is_the_turn_and_the_pool_is_rolled() -> None:
    made = newest(ROLLED)
    assert made.against is not None
    assert (made.against.target, outcome.difficulty(made.against)) == (STORM, 9)
    assert order(ROLLED).acted == ("alice",)
    with pytest.raises(NotAllowed, match=r"Alice has already acted this round\. To pass the turn"):
        make(ROLLED, ALICE, faces(6, 8, 4, 5), "d6 d8", "Storm")


def test_L3_after_everybody_the_challenge_acts() -> None:
    with pytest.raises(NotAllowed, match=r"Alice has already acted this round\. The challenge acts next\."):
        make(DONE, ALICE, faces(6, 8, 4, 5), "d6 d8", "Storm")


def test_L3_nobody_rolls_against_it_out_of_turn() -> None:
    with pytest.raises(NotAllowed, match="It's Alice's turn in this challenge"):
        make(ALICES, BOB, faces(6, 8, 4, 5), "d6 d8", "Storm")
    with pytest.raises(NotAllowed, match="It's nobody's turn yet"):
        make(AT, ALICE, faces(6, 8, 4, 5), "d6 d8", "Storm")
    by_gm = make(AT, GRETA, faces(6, 8, 4, 5), "d6 d8", "Storm", who="Alice").table
    assert (order(by_gm).turn, order(by_gm).acted) == ("alice", ("alice",))


def test_L3_a_roll_against_the_gms_roll_of_it_and_one_opposed_later_are_turns_too() -> None:
    at = after(roll_pool(ALICES, GRETA, faces(4, 5), Foe.CHALLENGE))
    assert order(against_roll(at, ALICE, faces(6, 8), 1, "d6 d8").table).acted == ("alice",)
    with pytest.raises(NotAllowed, match=r"challenge\. The GM can skip them: /challenge skip who:Alice"):
        against_roll(at, BOB, faces(6, 8), 1, "d6 d8")
    at = after(make(ALICES, ALICE, faces(6, 8), "d6 d8"))
    assert order(oppose(at, GRETA, faces(4, 5), 1, "Storm").table).acted == ("alice",)


@pytest.mark.parametrize(
    ("shown", "left"),
    [((4, 5, 2, 3, 5), (6, 8)), ((6, 8, 2, 4, 5), (8,)), ((3, 3, 2, 4, 5), (8, 8))],
    ids=["equal", "stepped up by 5", "failure"],
)
def test_L3_an_effect_removes_a_smaller_die_and_steps_another_down(
    shown: tuple[int, ...], left: tuple[int, ...]
) -> None:
    at = after(make(ALICES, ALICE, faces(*shown), "d6 d8 d8", "Storm"))
    if left == (8, 8):
        with pytest.raises(NotAllowed, match="Only the GM"):
            effects.strike(at, ALICE, 1, 0)
        return
    assert gm_pools.dice(effects.strike(at, ALICE, 1, 0).table, STORM) == left


@pytest.mark.parametrize("rules", [PRIME, ADEPT], ids=["prime", "adept"])
@pytest.mark.parametrize("kind", [TraitKind.COMPLICATION, TraitKind.STRESS])
def test_L3_a_failure_gives_what_the_gm_chooses_never_stepped_up(rules: Ruleset, kind: TraitKind) -> None:
    at = turn(challenged(table(rules), 8, 8, 8), turn="alice")
    at = after(make(at, ALICE, faces(2, 3, 8, 7, 2), "2d6", "Storm"))
    assert [effect.size for effect in open_effects(at, resolve(at, newest(at)))] == [8]
    if rules.stress or kind is TraitKind.COMPLICATION:
        step = effects.apply(at, GRETA, 1, 0, kind, "Physical")
        assert die(step.table, "alice", kind, "Physical") == 8
    with pytest.raises(NotAllowed, match="Only the GM can use the opposition's effect"):
        effects.apply(at, ALICE, 1, 0, kind, "Physical")


def test_L3_a_challenge_that_rolls_ones_alone_gives_nothing() -> None:
    at = after(make(ALICES, ALICE, faces(1, 1, 1), "d6", "Storm"))
    assert open_effects(at, resolve(at, newest(at))) == []


BEATEN = after(make(ALICES, ALICE, faces(6, 8, 2, 3, 4, 5), "d6 d8 d10 d12", "Storm"))
"""Alice has 14 against 9, and a d10 besides her effect of d12."""


def options(at: Table) -> list[tuple[int, tuple[int, ...]]]:
    made = newest(at)
    return [(c.total, c.effects) for c in outcome.options(made, rules_of(at, made))]


def test_L3_a_heroic_success_keeps_another_effect_die_instead_of_a_step() -> None:
    at = BEATEN
    assert options(at) == [(14, (12,)), (14, (12, 10))]
    assert outcome.kept(newest(at).hand).effects == (12, 10)
    at = after(choose(at, ALICE, 1, 14, (12,)))
    assert [(e.size, e.past) for e in open_effects(at, resolve(at, newest(at)))] == [(12, 1), (6, 0)]
    at = after(choose(at, ALICE, 1, 14, (12, 10)))
    assert [e.size for e in open_effects(at, resolve(at, newest(at)))] == [12, 10]
    at = after(effects.strike(at, ALICE, 1, 0))
    assert gm_pools.dice(at, STORM) == (8,)
    step = effects.strike(at, ALICE, 1, 1)
    assert CORTEX.of(step.table).challenges == {}
    assert Over(Called(Foe.CHALLENGE, "Storm"), Ending.WON, "Alice") in step.facts


def test_L3_what_takes_most_dice_away_stands() -> None:
    at = turn(challenged(table(), 8, 8, 8), turn="alice")
    at = after(make(at, ALICE, faces(8, 8, 7, 6, 2, 3, 1), "2d8 d10 d8", "Storm"))
    assert [effect.size for effect in open_effects(at, resolve(at, newest(at)))] == [10, 10]
    at = after(effects.strike(at, ALICE, 1, 0))
    at = after(effects.strike(at, ALICE, 1, 1))
    assert gm_pools.dice(at, STORM) == (8,)


def test_L3_an_effect_die_in_place_of_a_step_lasts_while_the_total_gives_that_step() -> None:
    at = after(make(ALICES, ALICE, faces(3, 4, 8, 9, 2, 4), "d6 d8 d10 d12", "Storm"))
    assert [one for one in options(at) if one[0] == 17] == [(17, (8,)), (17, (8, 6))]
    with pytest.raises(NotAllowed, match="Choose 1 die for the effect, not 2"):
        keep_dice(at, ALICE, 1, (0, 1), (2, 3))
    at = after(keep_dice(at, ALICE, 1, (2, 3), (0, 1)))
    assert outcome.traded(newest(at)) == 1


def test_L3_no_effect_die_is_offered_where_none_is_left_or_no_success_is_heroic() -> None:
    for at in (
        ROLLED,
        after(make(ALICES, ALICE, faces(4, 5, 2, 3, 4), "d6 d8 d10", "Storm")),
        after(make(ALICES, ALICE, faces(6, 8, 2, 3, 4, 5), "d6 d8 d10 d12", "2d8")),
    ):
        assert all(len(effects) == 1 for _, effects in options(at))


def test_L3_past_d12_there_is_no_takeout_but_a_further_effect() -> None:
    with pytest.raises(
        NotAllowed, match="Against a challenge, a step past d12 is one more effect die, not a takeout"
    ):
        effects.take_out(BEATEN, ALICE, 1, 0, TraitKind.COMPLICATION, "Mud", "Rex")
    at = after(choose(BEATEN, ALICE, 1, 14, (12,)))
    with pytest.raises(
        NotAllowed, match="Against a challenge, a step past d12 is one more effect die, not a takeout"
    ):
        effects.take_out(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Mud", "Rex")
    at = after(effects.strike(at, ALICE, 1, 0))
    assert gm_pools.dice(effects.strike(at, ALICE, 1, 1).table, STORM) == (6,)


def test_L2_the_last_one_may_do_something_else_than_roll() -> None:
    at = turn(AT, turn="bob", acted=("alice",))
    step = act(at, GRETA, ChallengeAct.ADD, name="Storm")
    assert CORTEX.of(step.table).challenges["storm"].order.round == 2


@pytest.mark.parametrize(
    ("at", "names"),
    [
        (AT, "Alice and Bob"),
        (ALICES, "Alice and Bob"),
        (turn(AT, turn="alice", acted=("alice",)), "Bob"),
        (turn(AT, last="bob", round=2), "Alice and Bob"),
    ],
)
def test_L2_the_challenge_acts_after_everybody_has(at: Table, names: str) -> None:
    for what in ChallengeAct:
        with pytest.raises(
            NotAllowed, match=rf"The challenge acts after everyone else\. Still to go this round: {names}\."
        ):
            act(at, GRETA, what, "Alice")


@pytest.mark.parametrize(
    ("what", "named", "sizes"),
    [
        (ChallengeAct.ADD, None, (6, 8, 8)),
        (ChallengeAct.STEP_UP, None, (8, 10)),
        (ChallengeAct.STEP_UP, "d8", (8, 10)),
    ],
)
def test_L4_the_challenge_grows(what: ChallengeAct, named: str | None, sizes: tuple[int, ...]) -> None:
    step = act(DONE, GRETA, what, die=named)
    assert gm_pools.dice(step.table, STORM) == sizes
    assert step.facts[-1] == TurnCame("", Called(Foe.CHALLENGE, "Storm"), 2, "Bob")


def test_L4_a_die_that_is_not_there_does_not_step_up() -> None:
    with pytest.raises(NotAllowed, match="has no d6"):
        act(DONE, GRETA, ChallengeAct.STEP_UP, die="d6")


@pytest.mark.parametrize(
    ("who", "message"),
    [
        (None, r"^Choose a target\.$"),
        (" ", r"^Choose a target\.$"),
        ("Rex", "Rex is a GMC"),
    ],
)
def test_L4_the_challenge_acts_against_a_player(who: str | None, message: str) -> None:
    with pytest.raises(NotAllowed, match=message):
        act(DONE, GRETA, ChallengeAct.TARGET, who)


@pytest.mark.parametrize(
    ("at", "why"),
    [
        (having(DONE, "alice", TraitKind.COMPLICATION, Trait("Leg", 12, out=True)), "taken out"),
        (turn(DONE, absent=("alice",)), "absent"),
    ],
    ids=["taken out", "absent"],
)
def test_L4_who_is_taken_out_or_absent_is_no_target(at: Table, why: str) -> None:
    with pytest.raises(NotAllowed, match=f"Alice is {why}"):
        act(at, GRETA, ChallengeAct.TARGET, "Alice")


TARGETED = after(act(DONE, GRETA, ChallengeAct.TARGET, "Alice"))
"""The storm acts against Alice."""


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_L4_only_who_it_acts_against_rolls_first(who: Actor, may: bool) -> None:
    done = tried(lambda: react(TARGETED, who, faces(2, 3, 4, 5), "storm", "d6 d8"))
    assert (done is not None) is may
    assert done is None or newest(done.table).who == "Alice"


@pytest.mark.parametrize(
    ("shown", "is_hit", "size"),
    [
        ((4, 5, 4, 5), False, 0),
        ((4, 6, 4, 5), False, 0),
        ((2, 3, 2, 4), True, 4),
        ((1, 3, 3, 6), True, 6),
        ((1, 1, 1, 1), False, 0),
        ((1, 1, 3, 6), True, 6),
    ],
    ids=["tie", "higher", "beaten", "by six", "nothing at all", "botch"],
)
def test_L4_the_pool_has_to_beat_the_player_and_its_effect_steps_up(
    shown: tuple[int, ...], is_hit: bool, size: int
) -> None:
    at = after(react(TARGETED, ALICE, faces(*shown), "storm", "d6 d8"))
    assert [effect.size for effect in open_effects(at, resolve(at, newest(at)))] == ([size] if is_hit else [])
    if is_hit:
        step = effects.apply(at, GRETA, newest(at).number, 0, TraitKind.COMPLICATION, "Wet")
        assert die(step.table, "alice", TraitKind.COMPLICATION, "Wet") == size
        assert gm_pools.dice(step.table, STORM) == (8, 8)


@pytest.mark.parametrize("kind", [TraitKind.ASSET, TraitKind.DISTINCTION])
def test_L4_its_effect_does_harm_and_nothing_else(kind: TraitKind) -> None:
    at = after(react(TARGETED, ALICE, faces(2, 3, 7, 8), "storm", "d6 d8"))
    with pytest.raises(NotAllowed, match=r"give stress or a complication\.$"):
        effects.apply(at, GRETA, newest(at).number, 0, kind, "Rain")


def test_L4_R7_a_pool_that_wins_past_d12_takes_out() -> None:
    at = after(act(challenged_done(12, 12, 12), GRETA, ChallengeAct.TARGET, "Alice"))
    at = after(react(at, ALICE, faces(2, 3, 11, 6, 2), "storm", "d6 d8"))
    number = newest(at).number
    assert [(e.size, e.past) for e in open_effects(at, resolve(at, newest(at)))] == [(12, 2), (8, 0)]
    step = effects.take_out(at, GRETA, number, 0, TraitKind.COMPLICATION, "Wet")
    assert CORTEX.has(step.table.characters["alice"]).is_taken_out


def challenged_done(*sizes: int) -> Table:
    return turn(challenged(table(), *sizes), turn="bob", acted=("alice", "bob"))


def test_L4_R8_another_choice_of_the_player_is_met_anew() -> None:
    at = after(act(challenged_done(8, 8, 10), GRETA, ChallengeAct.TARGET, "Alice"))
    at = after(react(at, ALICE, faces(4, 5, 9, 8, 6, 9), "storm", "d6 d8 d10"))
    made = newest(at)
    assert made.against is not None
    low = outcome.choices(made.hand)[-1]
    assert low.total < outcome.total(made.hand)
    at = after(choose(at, ALICE, made.number, low.total, low.effects))
    fresh = newest(at)
    assert fresh.against is not None
    assert fresh.against.hand is not None
    assert (outcome.total(made.against.hand or fresh.hand), outcome.total(fresh.against.hand)) == (17, 14)
    assert outcome.kept(fresh.hand) == low


def test_L4_whom_it_acts_against_reacts_and_rolls_in_no_other_way() -> None:
    with pytest.raises(
        NotAllowed,
        match=(
            r"Storm is acting against Alice\. Open /challenge show and press "
            r"Roll against"
        ),
    ):
        make(TARGETED, ALICE, faces(6, 8, 4, 5), "d6 d8", "Storm")


def test_L4_after_the_reaction_a_new_round_begins_and_it_reacts_once() -> None:
    at = after(react(TARGETED, ALICE, faces(2, 3, 4, 5), "storm", "d6 d8"))
    assert (order(at).round, order(at).last, CORTEX.of(at).challenges["storm"].against) == (2, "bob", "")
    for late in (at, AT, table()):
        with pytest.raises(TooLate, match="challenge isn't acting against anyone"):
            react(late, ALICE, never, "storm", "d6 d8")


def test_L5_dice_that_are_left_after_the_last_round_lose_it() -> None:
    limited = CORTEX.put(
        DONE,
        replace(
            CORTEX.of(DONE), challenges={"storm": replace(CORTEX.of(DONE).challenges["storm"], rounds=2)}
        ),
    )
    at = after(act(limited, GRETA, ChallengeAct.ADD))
    assert "storm" in CORTEX.of(at).challenges
    at = turn(at, turn="bob", acted=("alice", "bob"))
    step = act(at, GRETA, ChallengeAct.ADD)
    assert step.facts[-1] == Over(Called(Foe.CHALLENGE, "Storm"), Ending.LOST)
    assert CORTEX.of(step.table).challenges == {}
    at = after(act(at, GRETA, ChallengeAct.TARGET, "Alice"))
    at = after(react(at, ALICE, faces(2, 3, 1, 4, 5), "storm", "d6 d8"))
    assert CORTEX.of(at).challenges == {}
    step = effects.apply(at, GRETA, newest(at).number, 0, TraitKind.COMPLICATION, "Wet")
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Wet") == 4


def test_L6_a_challenge_pays_for_nothing() -> None:
    at = after(roll_pool(challenged(table(), 8, 8, 8), GRETA, faces(4, 5, 6), Foe.CHALLENGE))
    assert spending.purses_of(at, newest(at)) == []
    at = after(roll_pool(challenged(table(ADEPT, doom=[6]), 8, 8, 8), GRETA, faces(4, 5, 6), Foe.CHALLENGE))
    step = spending.spend_total(at, GRETA, 1)
    assert (gm_pools.dice(step.table, STORM), CORTEX.of(step.table).doom) == ((8, 8, 8), {})


def test_the_gm_ends_a_challenge() -> None:
    step = gm_pools.end(AT, GRETA, Foe.CHALLENGE)
    assert (CORTEX.of(step.table).challenges, step.facts) == (
        {},
        (Over(Called(Foe.CHALLENGE, "Storm"), Ending.ENDED),),
    )
    assert gm_pools.find_pool(AT, Foe.CHALLENGE, "storm") == STORM


def test_L2_with_nobody_who_can_act_the_challenge_does() -> None:
    at = turn(AT, absent=("alice", "bob"))
    assert is_its_turn(at, CORTEX.of(at).challenges["storm"])
    assert gm_pools.dice(act(at, GRETA, ChallengeAct.ADD).table, STORM) == (6, 8, 8)


def test_L3_the_challenge_waits_until_an_effect_is_used() -> None:
    at = turn(BEATEN, turn="alice", acted=("alice", "bob"))
    with pytest.raises(NotAllowed, match=r"an effect to apply\. Press Apply"):
        act(at, GRETA, ChallengeAct.ADD, name="Storm")
    at = after(effects.strike(at, ALICE, 1, 0))
    assert (
        CORTEX.of(act(at, GRETA, ChallengeAct.ADD, name="Storm").table).challenges["storm"].order.round == 2
    )


def test_L3_a_roll_of_a_challenge_that_is_over_is_no_turn() -> None:
    at = after(gmc.roll_pool(ALICES, GRETA, faces(2, 3, 4), Foe.CHALLENGE, "Storm"))
    at = after(gm_pools.end(at, GRETA, Foe.CHALLENGE, "Storm"))
    with pytest.raises(TooLate, match="That challenge is over"):
        roll.against_roll(at, ALICE, faces(3, 4), 1, "2d6")


def test_L2_a_turn_of_somebody_who_was_undone_is_nobodys() -> None:
    at = turn(AT, turn="carl")
    assert left(at, STORM) == ["alice", "bob"]
    at = after(make(at, GRETA, faces(6, 8, 2, 2, 2, 2), "d6 d8 d10", "Storm", who="Alice"))
    assert CORTEX.of(at).challenges["storm"].order.turn == "alice"
    aimed = CORTEX.put(
        AT,
        replace(
            CORTEX.of(AT), challenges={"storm": replace(CORTEX.of(AT).challenges["storm"], against="carl")}
        ),
    )
    with pytest.raises(TooLate, match="challenge isn't acting against anyone"):
        challenge.target_of(aimed, STORM)
