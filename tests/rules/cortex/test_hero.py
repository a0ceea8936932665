"""Hero dice: banked, handed out, used."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.scenes import end_scene, start_session
from rules.campaign.seats import Actor, join
from rules.cortex import actions, doom, effects, hitches, outcome, points, reroll, spending
from rules.cortex.effects import open_effects
from rules.cortex.facts import Change, HeroDiceChanged
from rules.cortex.kinds import Result, TraitKind, Use
from rules.cortex.model import CORTEX, Hand, Roll, RolledDie
from rules.cortex.points import give
from rules.cortex.pool import Source, Special
from rules.cortex.roll import against_roll, change_roll, keep_dice, keep_opposing_dice, make, placed
from rules.cortex.roll_status import resolve, with_rules
from rules.cortex.ruleset import ADEPT, BASES, EMPIRE, HEROIC, PRIME, Heroic, Ruleset
from rules.cortex.spending import can_hero, use_hero, use_last_hero, version
from rules.dice import SIZES
from rules.errors import NotAllowed, RuleError, SettingOff, TooLate, Unknown
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    after,
    faces,
    facing,
    in_crisis,
    never,
    newest,
    pp,
    table,
    tried,
)


def holding(at: Table, *sizes: int, who: str = "alice") -> Table:
    """The table with hero dice of somebody."""
    held = {size: sizes.count(size) for size in sorted(set(sizes))}
    return at.with_owner(
        who, CORTEX.give(at.characters[who], replace(CORTEX.has(at.characters[who]), hero=held))
    )


def rolled(
    at: Table, *shown: int, dice: str = "d6 d8 d10", vs: str | None = None, who: Actor = ALICE
) -> Table:
    return after(make(at, who, faces(*shown), dice, vs))


def held(at: Table, who: str = "alice") -> tuple[int, ...]:
    return points.dice(at.characters[who])


WON = rolled(table(), 6, 8, 2, 2, 3, vs="d8 d10")
"""Alice has 14 against 5: heroic. The d10 rolled highest."""


def banked(at: Table, who: Actor = ALICE) -> Table:
    done = tried(lambda: points.bank(at, who, newest(at).number))
    return at if done is None else after(done)


@pytest.mark.parametrize(
    ("vs", "shown", "size"),
    [
        ("d8 d10", (2, 3), 10),
        ("d8 d10", (3, 2), 8),
        ("d8 d10", (3, 3), 10),
        ("d12 d4", (1, 1), 12),
        ("3d4", (1, 1, 3), 4),
    ],
)
def test_Z1_a_heroic_success_banks_the_size_of_the_die_that_rolled_highest(
    vs: str, shown: tuple[int, ...], size: int
) -> None:
    at = rolled(table(), 6, 8, 2, *shown, vs=vs)
    step = points.bank(at, ALICE, 1)
    assert HeroDiceChanged("Alice", (size,), Change.ADDED, size) in step.facts
    assert held(step.table) == (size,)
    assert newest(step.table).banked


def test_Z1_however_far_it_beat_them_it_banks_one_die_once() -> None:
    at = rolled(table(), 12, 12, 10, 8, 1, 2, dice="2d12 2d10", vs="2d8")
    at = banked(at)
    assert held(at) == (8,)
    with pytest.raises(TooLate, match="That roll has no hero die to bank, or it has already been banked"):
        points.bank(at, ALICE, 1)
    assert held(after(end_scene(replace(at, is_scene=True), GRETA))) == (8,)


@pytest.mark.parametrize(
    ("shown", "vs"), [((6, 8, 2), "9"), ((4, 5, 2, 2, 3), "2d8"), ((2, 3, 2, 7, 8), "2d8"), ((6, 8, 2), None)]
)
def test_Z1_nothing_is_banked_against_a_number_or_without_a_heroic_success(
    shown: tuple[int, ...], vs: str | None
) -> None:
    at = rolled(table(), *shown, vs=vs)
    assert not points.banked(at, newest(at)).facts
    assert held(after(end_scene(replace(at, is_scene=True), GRETA))) == ()


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_Z1_only_prime_banks(rules: Ruleset) -> None:
    at = banked(rolled(table(rules), 6, 8, 2, 2, 3, vs="d8 d10"))
    assert held(at) == ((10,) if rules is PRIME else ())


def test_Z1_a_roll_is_finished_under_the_settings_it_was_made_with() -> None:
    assert held(banked(with_rules(WON, ADEPT))) == (10,)
    assert held(banked(with_rules(CORTEX.put(WON, replace(CORTEX.of(WON), ruleset=ADEPT)), PRIME))) == ()


def test_Z1_a_heroic_success_against_a_crisis_banks_too_and_its_effect_stays() -> None:
    at = rolled(in_crisis(table(), 4, 6), 6, 8, 2, 2, 3, vs="Fire")
    assert held(banked(at)) == (6,)
    assert held(effects.strike(at, ALICE, 1, 0, "d6").table) == ()


def test_Z1_what_is_banked_stays_earned() -> None:
    at = banked(WON)
    with pytest.raises(
        NotAllowed,
        match=(
            r"already banked its hero die, but this choice isn't a heroic success\. To take the die "
            r"back: /undo"
        ),
    ):
        keep_dice(at, ALICE, 1, (0, 2), (1,))
    assert keep_dice(WON, ALICE, 1, (0, 2), (1,))


def in_the_way(at: Table, face: int, die: str = "d12") -> Step:
    return actions.amend(at, GRETA, faces(face), 1, (), (die,))


def softened(at: Table) -> Step:
    return keep_opposing_dice(at, GRETA, 1, (0, 1), (2,))


def toughened(at: Table) -> Step:
    return keep_opposing_dice(at, GRETA, 1, (1, 2), (0,))


@pytest.mark.parametrize(
    ("at", "rule", "left", "is_banked"),
    [
        (WON, lambda at: in_the_way(at, 9), (), False),
        (WON, lambda at: in_the_way(at, 7), (), False),
        (WON, lambda at: in_the_way(at, 6), (10,), True),
        (WON, lambda at: in_the_way(at, 12), (), False),
        (
            rolled(table(), 6, 8, 2, 2, 2, 8, vs="d8 d6 d10"),
            toughened,
            (),
            False,
        ),
        (rolled(table(), 6, 8, 2, 2, 3, 1, vs="d8 d10 d6"), lambda at: in_the_way(at, 2), (10,), True),
    ],
    ids=["success", "by 4", "still by 5", "failure", "counter", "as heroic as before"],
)
def test_T3_Z1_the_gms_ruling_stands_and_a_banked_die_that_is_unearned_goes(
    at: Table, rule: Callable[[Table], Step], left: tuple[int, ...], is_banked: bool
) -> None:
    at = at if rule is not toughened else after(softened(at))
    at = banked(at)
    (size,) = held(at)
    step = rule(at)
    assert (held(step.table), newest(step.table).banked) == (left, is_banked)
    lost = [fact for fact in step.facts if isinstance(fact, HeroDiceChanged)]
    assert lost == ([] if left else [HeroDiceChanged("Alice", (), Change.UNEARNED, size)])


def test_Z1_a_banked_die_that_is_spent_stays_spent_whatever_the_ruling() -> None:
    at = with_points(banked(WON))
    at = rolled(at, 3, 4, dice="2d6", vs="11")
    at = after(use_hero(at, ALICE, faces(5), newest(at).number, 10, as_effect=False))
    step = in_the_way(at, 12)
    assert held(step.table) == ()
    assert CORTEX.of(step.table).rolls[1].banked
    assert HeroDiceChanged("Alice", (), Change.STAYS_SPENT, 10) in step.facts
    again = actions.amend(after(step), GRETA, never, 1, ())
    assert not any(isinstance(fact, HeroDiceChanged) for fact in again.facts)
    assert not points.bankable(again.table, resolve(again.table, CORTEX.of(again.table).rolls[1]))


def test_Z1_a_ruling_that_makes_a_roll_heroic_again_lets_it_bank_again() -> None:
    at = after(in_the_way(banked(WON), 12))
    at = banked(after(actions.amend(at, GRETA, never, 1, ())))
    assert held(at) == (10,)


def test_Z1_the_die_that_was_banked_goes_though_another_rolled_highest_since() -> None:
    at = banked(rolled(table(), 6, 8, 2, 2, 1, vs="d8 d6"))
    at = after(in_the_way(at, 3, "d12"))
    assert held(at) == (8,)
    assert held(after(actions.amend(at, GRETA, faces(8), 1, (0,), ("d8",)))) == ()


def test_Z1_M4_doom_dice_in_the_total_against_it_take_a_banked_die_too() -> None:
    at = table(replace(ADEPT, heroic=Heroic.HERO_DICE), doom=[8])
    at = banked(rolled(at, 6, 8, 2, 3, 3, 4, vs="d8 d10 d6"))
    assert held(at) == (6,)
    step = doom.spend(at, GRETA, never, "d8", Use.TOTAL)
    assert held(step.table) == ()
    assert HeroDiceChanged("Alice", (), Change.UNEARNED, 6) in step.facts


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_Z1_only_the_roller_and_the_gm_bank(who: Actor, may: bool) -> None:
    assert (tried(lambda: points.bank(WON, who, 1)) is not None) is may


def test_Z1_what_a_roll_has_banked_is_for_the_next_one() -> None:
    at = banked(WON)
    assert points.usable(at, newest(at)) == ()
    with pytest.raises(
        NotAllowed, match="This roll banked that hero d10, so you can't use it until the next roll"
    ):
        use_hero(at, ALICE, never, 1, 10, as_effect=True)
    assert points.usable(holding(at, 10, 10), newest(at)) == (10,)


def test_Z1_the_end_of_the_scene_banks_what_nobody_applied() -> None:
    step = end_scene(replace(WON, is_scene=True), GRETA)
    assert held(step.table) == (10,)
    assert HeroDiceChanged("Alice", (10,), Change.ADDED, 10) in step.facts


def test_Z1_a_roll_that_closes_for_its_age_is_banked() -> None:
    at = WON
    for number in range(2, 62):
        at = after(placed(at, Roll(number, 3, "Bob", Hand((RolledDie(6, 3),)))))
    assert (1 in CORTEX.of(at).rolls, held(at)) == (False, (10,))


def test_Z1_the_gms_success_banks_nothing() -> None:
    at = facing(table(), "Rex", "Fangs d8")
    at = after(make(at, GRETA, faces(6, 8, 2, 2, 3), "d6 d8 d10", "2d8", who="Rex"))
    at = after(effects.apply(at, GRETA, 1, 0, TraitKind.ASSET, "Rope"))
    assert not any(CORTEX.has(character).hero for character in at.characters.values())


def test_Z1_against_dice_that_have_all_been_taken_out_nothing_is_banked() -> None:
    at = after(make(table(), GRETA, faces(6), "d6"))
    at = after(against_roll(at, ALICE, faces(7, 6), 1, "d8 d6"))
    gone = replace(CORTEX.of(at).rolls[1].hand, dice=(RolledDie(6, 6, removed=True),), total=(), effects=())
    at = after(change_roll(at, replace(CORTEX.of(at).rolls[1], hand=gone)))
    assert held(banked(at)) == ()


def test_Z1_thirty_hero_dice_are_the_most() -> None:
    full = holding(WON, *[6] * 30)
    assert len(held(banked(full))) == 30
    with pytest.raises(NotAllowed, match="Alice already has 30 hero dice, which is the limit"):
        give(full, GRETA, "Alice", "d6")


@pytest.mark.parametrize("rules", [PRIME, EMPIRE], ids=["prime", "empire"])
def test_Z1_the_gm_hands_hero_dice_out(rules: Ruleset) -> None:
    step = give(holding(table(rules), 6), GRETA, "alice", "d10")
    assert (held(step.table), step.facts) == ((6, 10), (HeroDiceChanged("Alice", (6, 10), Change.ADDED, 10),))


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_Z1_nobody_else_hands_them_out(who: Actor) -> None:
    with pytest.raises(NotAllowed, match="Only the GM can give hero dice"):
        give(table(), who, "Alice", "d10")


@pytest.mark.parametrize(
    ("who", "die", "message"),
    [
        ("Rex", "d6", "Rex is a GMC, but hero dice are only for players"),
        ("scene", "d6", r"The scene can't have that\. Try Alice"),
        ("Alice", "d20", r'"d20" isn\'t a die here\. Use d4, d6, d8, d10 or d12'),
        ("Alice", "", r'"" isn\'t a die here\. Use d4, d6, d8, d10 or d12'),
    ],
)
def test_Z1_what_cannot_be_handed_out_is_refused(who: str, die: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        give(table(), GRETA, who, die)


@pytest.mark.parametrize("rules", [HEROIC, ADEPT], ids=["heroic", "adept"])
def test_Z1_hero_dice_that_are_off_name_the_setting(rules: Ruleset) -> None:
    at = rolled(holding(table(rules), 8), 3, 4, 5)
    deeds: tuple[Callable[[], Step], ...] = (
        lambda: give(at, GRETA, "Alice", "d8"),
        lambda: use_hero(at, ALICE, never, 1, 8, as_effect=False),
        lambda: use_last_hero(at, ALICE, never, "d8", as_effect=True),
    )
    for deed in deeds:
        with pytest.raises(SettingOff, match="Hero dice are off in this campaign") as refused:
            deed()
        assert (refused.value.setting, refused.value.value) == ("heroic success", "hero dice and effect")
    assert not can_hero(at, newest(at))


def test_Z2_a_hero_die_is_rolled_and_added_beside_the_kept_dice() -> None:
    at = rolled(holding(table(), 6, 8), 3, 4, 5, vs="11")
    at = after(use_hero(at, ALICE, faces(6), 1, 8, as_effect=False))
    made = newest(at)
    how = outcome.verdict(made)
    assert how is not None
    assert (outcome.total(made.hand), len(made.hand.total), how.result) == (13, 2, Result.SUCCESS)
    assert made.hand.dice[-1] == RolledDie(8, 6, "Hero", Source(Special.HERO), beside=True)
    assert (held(at), pp(at, "alice")) == ((6,), 0)
    assert len(made.hand.dice) - 1 not in (*made.hand.total, *made.hand.effects)


def test_Z2_R7_a_total_with_a_hero_die_may_be_heroic() -> None:
    at = rolled(holding(table(), 8), 6, 4, 5, vs="9")
    at = after(use_hero(at, ALICE, faces(7), 1, 8, as_effect=False))
    how = outcome.verdict(newest(at))
    assert how is not None
    assert (how.margin, how.steps) == (outcome.total(newest(at).hand) - 9, how.margin // 5)
    assert how.steps >= 1


def test_Z2_a_hero_dies_one_is_a_hitch_and_adds_nothing() -> None:
    at = rolled(holding(table(), 8), 3, 4, 5)
    at = after(use_hero(at, ALICE, faces(1), 1, 8, as_effect=False))
    assert outcome.total(newest(at).hand) == 9
    assert effects.hitches(newest(at)) == (3,)
    at = after(hitches.buy(at, GRETA, 1, hitches.Way.COMPLICATION))
    assert (pp(at, "alice"), newest(at).hand.dice[3].used) == (1, True)


@pytest.mark.parametrize(("face", "is_botch", "total"), [(5, False, 5), (1, True, 0)])
def test_Z2_R5_a_botch_is_judged_anew(face: int, is_botch: bool, total: int) -> None:
    at = rolled(holding(table(), 8), 1, 1, 1, vs="3")
    at = after(use_hero(at, ALICE, faces(face), 1, 8, as_effect=False))
    assert (outcome.is_botch(newest(at).hand), outcome.total(newest(at).hand)) == (is_botch, total)
    assert bool(open_effects(at, resolve(at, newest(at)))) is not is_botch


def test_Z2_the_size_of_a_hero_die_is_the_effect_die_unrolled() -> None:
    at = rolled(holding(table(), 12), 6, 8, 2, dice="d6 2d8", vs="11")
    at = after(use_hero(at, ALICE, never, 1, 12, as_effect=True))
    made = newest(at)
    assert (outcome.kept(made.hand).effects, outcome.total(made.hand)) == ((12,), 14)
    assert (held(at), pp(at, "alice"), made.hand.effects) == ((), 0, ())
    assert [effect.size for effect in open_effects(at, resolve(at, made))] == [12]
    with pytest.raises(NotAllowed, match="a hero die as its effect die"):
        use_hero(holding(with_points(at), 8), ALICE, never, 1, 8, as_effect=True)


def with_points(at: Table, points: int = 3) -> Table:
    return at.with_owner(
        "alice", CORTEX.give(at.characters["alice"], replace(CORTEX.has(at.characters["alice"]), pp=points))
    )


def test_Z2_R3_a_bought_effect_die_stands_beside_the_hero_die() -> None:
    at = with_points(rolled(holding(table(), 12), 6, 8, 2, dice="d6 2d8", vs="11"))
    at = after(use_hero(at, ALICE, never, 1, 12, as_effect=True))
    at = after(spending.spend_effect(at, ALICE, 1))
    assert outcome.kept(newest(at).hand).effects == (12, 8)
    with pytest.raises(NotAllowed, match="There's no die left for the effect"):
        spending.spend_effect(at, ALICE, 1)


def test_Z2_R7_a_takeout_leaves_the_effect_die_beside_the_hero_die() -> None:
    at = with_points(rolled(holding(table(), 12), 6, 8, 2, dice="d6 2d8", vs="8"))
    at = after(use_hero(at, ALICE, never, 1, 12, as_effect=True))
    at = after(spending.spend_effect(at, ALICE, 1))
    assert [(e.size, e.past) for e in open_effects(at, resolve(at, newest(at)))] == [(12, 1), (8, 0), (6, 0)]
    at = after(effects.apply(at, ALICE, 1, 2, TraitKind.ASSET, "Map"))
    with pytest.raises(NotAllowed, match="can't take anyone out"):
        effects.take_out(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Mud", "Rex")
    assert [effect.place for effect in open_effects(at, resolve(at, newest(at)))] == [0, 1]


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
@pytest.mark.parametrize("as_effect", [True, False])
def test_Z2_only_the_roller_and_the_gm_use_it(who: Actor, may: bool, as_effect: bool) -> None:
    at = rolled(holding(table(), 8), 3, 4, 5)
    assert (tried(lambda: use_hero(at, who, faces(3), 1, 8, as_effect)) is not None) is may


@pytest.mark.parametrize("as_effect", [True, False])
def test_Z2_without_a_pp_or_the_die_nothing_is_used(as_effect: bool) -> None:
    at = rolled(holding(table(pp=0), 8), 3, 4, 5)
    with pytest.raises(NotAllowed, match=r"Alice has none\. The GM can give some: /pp"):
        use_hero(at, ALICE, never, 1, 8, as_effect)
    at = rolled(holding(table(), 8), 3, 4, 5)
    with pytest.raises(NotAllowed, match=r"Alice doesn't have a hero d10. Hero dice available: d8."):
        use_hero(at, ALICE, never, 1, 10, as_effect)
    at = rolled(table(), 3, 4, 5)
    with pytest.raises(NotAllowed, match="Hero dice available: empty"):
        use_hero(at, ALICE, never, 1, 10, as_effect)
    assert not can_hero(at, newest(at))


def test_Z2_an_applied_roll_or_one_of_the_gm_takes_no_hero_die() -> None:
    applied = after(effects.apply(WON, ALICE, 1, 0, TraitKind.ASSET, "Rope"))
    with pytest.raises(NotAllowed, match="has been applied"):
        use_hero(holding(with_points(applied), 8), ALICE, never, 1, 8, as_effect=False)
    at = after(make(table(), GRETA, faces(3, 4), "2d6"))
    with pytest.raises(NotAllowed, match="Hero dice only work in players' rolls"):
        use_hero(at, GRETA, never, 1, 8, as_effect=False)


def test_Z2_ones_last_roll_is_meant() -> None:
    at = rolled(rolled(holding(table(), 8), 3, 4, 5), 2, dice="d6", who=BOB)
    step = use_last_hero(at, ALICE, faces(7), "8", as_effect=False)
    assert outcome.total(CORTEX.of(step.table).rolls[1].hand) == 16
    with pytest.raises(Unknown, match="You have no open roll"):
        use_last_hero(table(), ALICE, never, "d8", as_effect=False)


def test_Z2_a_press_after_a_hero_die_was_used_sees_another_version() -> None:
    at = with_points(rolled(holding(table(), 8, 8), 3, 4, 5))
    seen = version(newest(at))
    for as_effect in (True, False):
        used = after(use_hero(at, ALICE, faces(3), 1, 8, as_effect))
        with pytest.raises(NotAllowed, match=r"The roll changed in the meantime\. Look at it"):
            spending.check_version(used, 1, seen)


def test_Z2_who_plays_another_now_uses_no_die_of_nobody() -> None:
    at = after(start_session(table(), GRETA))
    at = rolled(at, 3, 4, 5, who=ZOE)
    at = after(join(at, ZOE, "Zed"))
    with pytest.raises(NotAllowed, match="Zed doesn't have a hero d8"):
        use_hero(at, ZOE, never, newest(at).number, 8, as_effect=False)


def test_Z2_thirty_dice_take_no_hero_die_more() -> None:
    at = rolled(holding(table(), 8), *[2] * 30, dice="30d6")
    with pytest.raises(NotAllowed, match="31 dice"):
        use_hero(at, ALICE, never, 1, 8, as_effect=False)


@given(
    st.lists(st.sampled_from(["total", "effect", "hero", "hero effect", "reroll"]), max_size=6),
    st.lists(st.sampled_from(SIZES), max_size=4),
    st.integers(1, 4),
)
def test_Z2_each_hero_die_is_used_once_and_counts_once(buys: list[str], dice: list[int], face: int) -> None:
    at = with_points(
        rolled(holding(table(), *dice), 3, 4, 5, 2, dice="2d6 d8 d10", vs="2" if face > 2 else "9")
    )
    throw = lambda sizes: [min(face, size) for size in sizes]  # noqa: E731
    deeds: dict[str, Callable[[Table], Step]] = {
        "total": lambda at: spending.spend_total(at, ALICE, 1),
        "effect": lambda at: spending.spend_effect(at, ALICE, 1),
        "hero": lambda at: use_hero(at, ALICE, throw, 1, held(at)[0] if held(at) else 4, as_effect=False),
        "hero effect": lambda at: use_hero(
            at, ALICE, throw, 1, held(at)[0] if held(at) else 4, as_effect=True
        ),
        "reroll": lambda at: reroll.reroll(at, ALICE, throw),
    }
    for buy in buys:
        done = tried(partial(deeds[buy], at))
        if done is None:
            continue
        at = after(done)
        hand = newest(at).hand
        beside = [each for each in hand.dice if each.beside]
        assert len(held(at)) + len(beside) + bool(hand.hero) == len(dice)
        kept = sum(hand.dice[place].face for place in hand.total)
        assert outcome.total(hand) == kept + sum(each.face for each in beside if each.face > 1)
        assert not {*hand.total} & {*hand.effects}
        assert pp(at, "alice") >= 0


@pytest.mark.parametrize("who", ["all", "Alice, Bob"])
def test_Z1_hero_dice_go_to_several_at_once(who: str) -> None:
    step = points.give(table(PRIME), GRETA, who, "d8")
    assert [points.dice(step.table.characters[one]) for one in ("alice", "bob")] == [(8,), (8,)]
