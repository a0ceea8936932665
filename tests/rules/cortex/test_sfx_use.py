"""SFX of characters: added, used on a roll or alone, removed."""

from collections.abc import Callable
from unittest.mock import patch

import pytest

from rules.campaign import rolls
from rules.campaign.seats import Actor
from rules.cortex import effects, hitches, outcome, sfx_use, spending
from rules.cortex.facts import DiceRerolled, RollMade, SfxChanged
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.odds import ask
from rules.cortex.pool import Die
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT, PRIME
from rules.errors import Ambiguous, NotAllowed, RuleError, SettingOff, Undecided, Unknown
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    after,
    answered,
    die,
    faces,
    having,
    never,
    newest,
    pp,
    table,
    tried,
)


def able(
    benefit: str, cost: str | None = None, *, at: Table | None = None, trait: str | None = None
) -> Table:
    """A table where Alice has Mind d10, Sharp d8, and an SFX called Trick."""
    at = having(
        at or table(ADEPT, doom=(6, 8)), "alice", TraitKind.TRAIT, Trait("Mind", 10), Trait("Sharp", 8)
    )
    return after(sfx_use.add(at, ALICE, "Trick", benefit, cost, trait=trait))


def rolled(at: Table, dice: str, *shown: int) -> Table:
    return after(answered(ALICE, lambda who: make(at, who, faces(*shown), dice)))


def test_X1_an_sfx_is_added_replaced_and_removed() -> None:
    step = sfx_use.add(able("up"), ALICE, "trick", "double Mind", "1 PP", "angry", "mi")
    assert step.facts == (
        SfxChanged(
            "Alice", Sfx("Trick", ("double Mind",), ("1 PP",), "angry", "Mind"), was=Sfx("Trick", ("up",))
        ),
    )
    assert len(CORTEX.has(step.table.characters["alice"]).sfx) == 1
    gone = sfx_use.remove(step.table, GRETA, "tri", "Alice")
    assert CORTEX.has(gone.table.characters["alice"]).sfx == {}


@pytest.mark.parametrize(
    ("name", "benefit", "cost", "says"),
    [
        ("Trick", "double Mnid", None, "Did you mean Mind"),
        ("Trick", "", None, "needs a benefit"),
        ("Mind", "up", None, "name of a trait"),
        ("Trick", "up", "shut down", "Name the trait"),
        ("Trick", "up", "shut down Wings", 'no "Wings"'),
        ("x" * 61, "up", None, "61 characters"),
        ("Trick", "up", "add d7", "isn't a die"),
        ("Trick", "up", "hitch twice", "plain text"),
        ("Trick", "Cloak asset d8", None, "plain text"),
        ("Trick", "up, remove 1s", None, "Make two SFX"),
        ("Trick", "reroll all 1s", None, "plain text"),
        ("Trick", "doom d4", None, "can't hold a d4"),
        ("last", "up", None, "something in a dice"),
        ("2d6", "up", None, "something in a dice"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, benefit: str, cost: str | None, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        sfx_use.add(able("up"), ALICE, name, benefit, cost)


def test_forty_sfx_are_the_most() -> None:
    at = table()
    for number in range(sfx_use.MOST):
        at = sfx_use.add(at, ALICE, f"Trick {number}", "up").table
    with pytest.raises(NotAllowed, match="Alice already has 40 SFX, which is the limit"):
        sfx_use.add(at, ALICE, "Keep another", "up")
    with pytest.raises(Ambiguous):
        sfx_use.remove(at, ALICE, "Trick")


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_only_the_player_and_the_gm_change_and_use_them(who: Actor, may: bool) -> None:
    at = able("asset d8")
    rules: tuple[Callable[[], Step], ...] = (
        lambda: sfx_use.add(at, who, "New", "up", who="Alice"),
        lambda: sfx_use.remove(at, who, "Trick", "Alice"),
        lambda: sfx_use.use(at, who, never, "Trick", "Alice"),
    )
    for rule in rules:
        assert (tried(rule) is not None) is may


@pytest.mark.parametrize(
    ("benefit", "on", "shown", "left"),
    [
        ("add d6", None, [5], [(10, 4), (8, 1), (6, 5)]),
        ("double Mind", None, [9], [(10, 4), (8, 1), (10, 9)]),
        ("double", "Sharp", [7], [(10, 4), (8, 1), (8, 7)]),
        ("reroll", "d8", [7], [(10, 4), (8, 7)]),
        ("reroll", "Mind", [8], [(10, 8), (8, 1)]),
    ],
)
def test_X1_D8_an_sfx_changes_the_last_roll(
    benefit: str, on: str | None, shown: list[int], left: list[tuple[int, int]]
) -> None:
    at = rolled(able(benefit, "1 PP"), "Mind, Sharp", 4, 1)
    step = sfx_use.use(at, ALICE, faces(*shown), "Trick", on=on)
    assert [(each.size, each.face) for each in newest(step.table).hand.dice] == left
    assert pp(step.table, "alice") == 0


def test_X1_D8_a_die_that_an_sfx_rolls_again_is_told_with_what_it_showed_and_counted_as_thrown() -> None:
    at = rolled(able("reroll", "1 PP"), "Mind, Sharp", 4, 1)
    step = sfx_use.use(at, ALICE, faces(1), "Trick", on="d8")
    assert DiceRerolled("Alice", (Die(8, "Sharp"),), (1,)) in step.facts
    assert rolls.faces([(RollMade(newest(at)),), step.facts], "Alice").of == {10: {4: 1}, 8: {1: 2}}


def test_X1_a_die_that_is_left_out_is_asked_for() -> None:
    at = rolled(able("double"), "Mind, Sharp", 4, 5)
    with pytest.raises(Undecided, match="Trick: which die") as asked:
        sfx_use.use(at, ALICE, never, "Trick")
    assert [str(each.label) for each in asked.value.answers] == ["Mind d10: 4", "Sharp d8: 5"]
    told = replace(ALICE, agreed=(asked.value.answers[1].sign,))
    assert newest(after(sfx_use.use(at, told, faces(3), "Trick"))).hand.dice[2].size == 8


def test_X1_another_effect_die_after_the_roll() -> None:
    at = rolled(able("effect"), "Mind, Sharp, d6, d6", 4, 5, 3, 2)
    assert len(newest(sfx_use.use(at, ALICE, never, "Trick").table).hand.effects) == 2
    with pytest.raises(NotAllowed, match="There's no die left for the effect"):
        sfx_use.use(rolled(able("effect"), "Mind, Sharp", 4, 5), ALICE, never, "Trick")


@pytest.mark.parametrize(
    ("benefit", "cost", "removed", "total", "effects"),
    [
        ("total", None, [], 16, (6,)),
        ("remove d8", None, [1], 12, (6,)),
        ("remove 1s", None, [3], 12, (8,)),
        ("total", "remove highest", [0], 12, (4,)),
        ("effect up", None, [], 12, (10,)),
        ("effect up, effect up, effect up", None, [], 12, (12, 6)),
    ],
)
def test_X1_an_sfx_keeps_removes_and_steps_up_what_was_rolled(
    benefit: str, cost: str | None, removed: list[int], total: int, effects: tuple[int, ...]
) -> None:
    at = rolled(able(benefit, cost), "Mind, Sharp, d6, d6, d6", 7, 4, 5, 1, 3)
    roll = newest(sfx_use.use(at, ALICE, never, "Trick").table)
    assert [n for n, each in enumerate(roll.hand.dice) if each.removed] == removed
    assert outcome.total(roll.hand) == total
    assert tuple(each.size for each in outcome.of(roll, ADEPT).effects) == effects


def test_D8_a_die_that_is_not_in_the_roll_is_not_changed() -> None:
    with pytest.raises(NotAllowed, match=r"no Mind for Trick to change\. It has Sharp d8: 4 and d6: 5\."):
        sfx_use.use(rolled(able("double Mind"), "Sharp, d6", 4, 5), ALICE, never, "Trick")


@pytest.mark.parametrize("place", [1, 2])
def test_D8_a_die_that_is_gone_since_it_was_chosen_is_not_changed(place: int) -> None:
    at = after(sfx_use.use(rolled(able("remove d8"), "Mind, Sharp", 4, 5), ALICE, never, "Trick"))
    at = after(sfx_use.add(at, ALICE, "Luck", "reroll"))
    with pytest.raises(
        NotAllowed, match=("can't change that die: its 1 has been activated, or the die is gone")
    ):
        sfx_use.use_on(at, ALICE, never, newest(at).number, "Luck", (place,))


@pytest.mark.parametrize(
    ("benefit", "says"), [("remove d12", "no d12 for Trick to change"), ("remove 1s", "no 1 to take")]
)
def test_X1_what_cannot_be_removed_changes_nothing(benefit: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        sfx_use.use(rolled(able(f"add d6, {benefit}"), "Mind, Sharp", 4, 5), ALICE, faces(3), "Trick")


def test_X1_an_sfx_steps_up_the_effect_beside_heroic_success() -> None:
    at = after(make(able("effect up"), ALICE, faces(9, 8, 5), "Mind, Sharp, d6", vs="11"))
    assert [each.size for each in outcome.of(newest(at), ADEPT).effects] == [10]
    for expected in ([12], [12, 6], [12, 8], [12, 10], [12, 12]):
        at = after(sfx_use.use(at, ALICE, never, "Trick"))
        assert [each.size for each in outcome.of(newest(at), ADEPT).effects] == expected
    with pytest.raises(NotAllowed, match="SFX can step up a roll's effect at most 5 times"):
        sfx_use.use(at, ALICE, never, "Trick")


def test_H3_a_hitch_is_handed_over_without_a_1() -> None:
    at = after(
        sfx_use.use(rolled(able("asset d8 Cover", "hitch"), "Mind, Sharp", 4, 5), ALICE, never, "Trick")
    )
    roll = newest(at)
    assert (outcome.total(roll.hand), outcome.is_botch(roll.hand)) == (9, False)
    assert [each.label for each in (roll.hand.dice[place] for place in effects.hitches(roll))] == ["Trick"]
    bought = hitches.buy(at, GRETA, roll.number, hitches.Way.DOOM_SIZE)
    assert (CORTEX.of(bought.table).doom, pp(bought.table, "alice")) == ({6: 2, 8: 1}, 2)
    with pytest.raises(
        NotAllowed,
        match=r"Greta got there first\. That roll has no hitches left: they've already been bought",
    ):
        hitches.buy(bought.table, GRETA, roll.number, hitches.Way.COMPLICATION)


def test_D8_a_hitch_that_was_handed_over_is_no_die_to_change() -> None:
    at = able("reroll", "hitch")
    at = after(make(at, ALICE, faces(3, 2), "Mind, Sharp"))
    at = after(sfx_use.use(at, ALICE, faces(7), "Trick", on="d8: 2"))
    assert [each.face for each in newest(at).hand.dice] == [3, 7, 1]
    at = after(sfx_use.add(at, ALICE, "Luck", "remove 1s"))
    with pytest.raises(NotAllowed, match="no 1 to take"):
        sfx_use.use(at, ALICE, never, "Luck")
    assert rolls.faces([(RollMade(newest(at)),)]).of == {8: {7: 1}, 10: {3: 1}}


def test_H3_a_hitch_is_handed_over_with_the_pool() -> None:
    roll = newest(make(able("add d6", "hitch"), ALICE, faces(1, 1), "Mind, Trick").table)
    assert outcome.is_botch(roll.hand)
    assert len(effects.hitches(roll)) == 3
    with pytest.raises(RuleError, match="A hitch is a cost, not a benefit"):
        sfx_use.add(table(), ALICE, "Trick", "hitch")
    assert ask(able("add d6", "hitch"), ALICE, "Mind, Trick").keep == 2


def test_D4_steps_come_before_the_roll() -> None:
    with pytest.raises(NotAllowed, match="so type it with the dice"):
        sfx_use.use(rolled(able("up"), "Mind", 4), ALICE, never, "Trick")


def test_X1_an_sfx_that_touches_no_dice_needs_no_roll() -> None:
    step = sfx_use.use(able("asset Cover", "1 PP"), ALICE, never, "Trick")
    assert die(step.table, "alice", TraitKind.ASSET, "Cover") == 8
    hit = sfx_use.use(able("complication d8 Webbed"), ALICE, never, "Trick", on="Rex")
    assert die(hit.table, "rex", TraitKind.COMPLICATION, "Webbed") == 8
    with pytest.raises(Unknown, match="no open roll"):
        sfx_use.use(able("add d6"), ALICE, never, "Trick")


def test_X1_what_cannot_be_paid_changes_nothing() -> None:
    at = rolled(able("add d6", "doom d6", at=table(PRIME)), "Mind", 4)
    with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
        sfx_use.use(at, ALICE, faces(3), "Trick")
    assert refused.value.setting == "doom pool"
    with pytest.raises(NotAllowed, match="That costs 2 PP; Alice has 1"):
        sfx_use.use(rolled(able("add d6", "2 PP"), "Mind", 4), ALICE, faces(3), "Trick")


def test_X1_a_trait_that_was_shut_down_is_recovered() -> None:
    at = after(sfx_use.use(able("1 PP", "shut down", trait="Sharp"), ALICE, never, "Trick"))
    with pytest.raises(NotAllowed, match="Sharp is shut down"):
        sfx_use.use(at, ALICE, never, "Trick")
    with pytest.raises(Unknown, match="shut-down trait"):
        sfx_use.recover(at, ALICE, "Mind")
    with pytest.raises(NotAllowed):
        sfx_use.recover(at, BOB, "Sharp", "Alice")
    with pytest.raises(NotAllowed, match="no shut-down trait to recover"):
        sfx_use.recover(at, BOB, "Mind")
    assert not CORTEX.has(sfx_use.recover(at, ALICE, "sh").table.characters["alice"]).sheet["sharp"].shut


def test_what_was_offered_before_an_sfx_is_not_bought_after_it() -> None:
    at = rolled(able("add d6"), "Mind", 4)
    before = spending.version(newest(at))
    assert spending.version(newest(sfx_use.use(at, ALICE, faces(3), "Trick").table)) != before


@pytest.mark.parametrize(
    ("cost", "on", "removed"),
    [
        ("remove highest", "d8", [1]),
        ("remove highest", "d12", [0]),
        ("remove highest", "Mind d12: 8", [0]),
        ("remove d8", "d8: 8", [1]),
        ("remove d8", "d8: 3", [2]),
        ("remove d8", "d8:3", [2]),
    ],
)
def test_D4_of_several_dice_that_could_be_removed_one_is_named(
    cost: str, on: str, removed: list[int]
) -> None:
    at = rolled(able("total", cost), "Mind d12, d8, d8, d6", 8, 8, 3, 5)
    after_it = newest(after(sfx_use.use(at, ALICE, never, "Trick", on=on)))
    assert [n for n, each in enumerate(after_it.hand.dice) if each.removed] == removed


@pytest.mark.parametrize(
    ("cost", "answers"),
    [("remove highest", ["Mind d12: 8", "d8: 8"]), ("remove d8", ["d8: 8", "d8: 3"])],
)
def test_D4_a_tie_between_dice_to_remove_is_asked_about(cost: str, answers: list[str]) -> None:
    at = rolled(able("total", cost), "Mind d12, d8, d8, d6", 8, 8, 3, 5)
    with pytest.raises(Undecided) as asked:
        sfx_use.use(at, ALICE, never, "Trick")
    assert [str(each.label) for each in asked.value.answers] == answers


def test_D4_dice_that_are_alike_are_not_asked_about() -> None:
    at = rolled(able("total", "remove d8"), "Mind d12, d8, d8, d6", 7, 3, 3, 2)
    assert newest(after(sfx_use.use(at, ALICE, never, "Trick"))).hand.dice[1].removed


def test_D4_a_die_that_an_sfx_cannot_be_used_on_is_refused() -> None:
    at = rolled(able("total", "remove highest"), "Mind d12, d8, d6", 8, 8, 5)
    with pytest.raises(
        NotAllowed, match=r"You can't use Trick on .d6. in that roll. Try Mind d12: 8 or d8: 8\."
    ):
        sfx_use.use(at, ALICE, never, "Trick", on="d6")
    at = rolled(able("total"), "Mind d12, d8, d6", 8, 8, 5)
    with pytest.raises(NotAllowed, match="Trick doesn't affect a die or a character"):
        sfx_use.use(at, ALICE, never, "Trick", on="d6")


def test_X1_the_die_that_is_doubled_is_not_the_one_that_is_removed() -> None:
    at = rolled(able("double", "remove d8"), "Mind, Sharp, d8", 4, 5, 2)
    way = sfx_use.choices(newest(at).hand, CORTEX.has(at.characters["alice"]).sfx["trick"])
    assert way == [(1, 0), (1, 2), (2, 0), (2, 1)]
    with pytest.raises(
        NotAllowed,
        match='can\'t use Trick on "d6" in that roll\\. Try Mind d10: 4, Sharp d8: 5 or d8: 2\\.',
    ):
        sfx_use.use(at, ALICE, never, "Trick", on="d6")
    with pytest.raises(Undecided, match="Trick: which dice") as asked:
        sfx_use.use(at, ALICE, never, "Trick")
    assert [str(each.label) for each in asked.value.answers] == [
        "remove Sharp d8: 5, double Mind d10: 4",
        "remove Sharp d8: 5, double d8: 2",
        "remove d8: 2, double Mind d10: 4",
        "remove d8: 2, double Sharp d8: 5",
    ]
    ordered = newest(after(sfx_use.use(at, ALICE, faces(7), "Trick", on="d8: 2, d8: 5")))
    assert [(each.size, each.removed) for each in ordered.hand.dice] == [
        (10, False), (8, False), (8, True), (8, False),
    ]  # fmt: skip
    roll = newest(after(sfx_use.use(at, ALICE, faces(9), "Trick", on="Mind, d8: 2")))
    assert [(each.size, each.removed) for each in roll.hand.dice] == [
        (10, False), (8, False), (8, True), (10, False),
    ]  # fmt: skip


def test_X1_a_complication_beside_dice_hits_who_is_named() -> None:
    at = rolled(able("add d6, complication d8 Webbed"), "Mind, Sharp", 4, 5)
    assert (
        die(
            sfx_use.use(at, ALICE, faces(3), "Trick", on="Rex").table,
            "rex",
            TraitKind.COMPLICATION,
            "Webbed",
        )
        == 8
    )


@pytest.mark.parametrize(
    ("cost", "typed", "left"),
    [
        ("remove d8", "Trick Mind, d8, d6", [10, 10, 6]),
        ("remove Sharp", "Sharp, Trick Mind", [10, 10]),
        ("remove Sharp", "Sharp, Trick Mind, d6", [10, 10, 6]),
    ],
)
def test_D4_an_sfx_removes_a_die_before_the_roll(cost: str, typed: str, left: list[int]) -> None:
    at = able("double", cost)
    assert [each.size for each in ask(at, ALICE, typed).pool] == left


def test_D4_of_several_dice_to_remove_before_the_roll_one_is_asked_for() -> None:
    at = able("double", "remove d8")
    with pytest.raises(Undecided, match=r"Which die does Trick remove\?") as asked:
        make(at, ALICE, never, "Trick Mind, Sharp, d8")
    assert [str(each.label) for each in asked.value.answers] == ["Sharp d8", "d8"]
    told = replace(ALICE, agreed=(asked.value.answers[0].sign,))
    roll = newest(after(make(at, told, faces(4, 5, 6), "Trick Mind, Sharp, d8")))
    assert [each.label for each in roll.hand.dice] == ["Mind", "Mind", ""]
    with pytest.raises(NotAllowed, match="Trick removes d8, so the pool needs d8 and the die"):
        make(at, ALICE, never, "Trick Mind, d6")
    with pytest.raises(NotAllowed, match="Trick removes d8, so the pool needs d8 and the die"):
        make(at, ALICE, never, "Trick Sharp, d6")
    with pytest.raises(NotAllowed, match="Trick removes d8, so the pool needs that and another die"):
        make(able("total", "remove d8"), ALICE, never, "Trick, Mind, d6")


@pytest.mark.parametrize("typed", ["Trick d8, d6", "Trick Sharp, Mind", "Trick, d8"])
def test_X1_the_die_that_an_sfx_is_used_on_is_not_removed_before_the_roll(typed: str) -> None:
    with pytest.raises(NotAllowed, match="the die you use Trick on"):
        make(able("double", "remove d8"), ALICE, never, typed)
    kept = ask(able("double", "remove d8"), ALICE, "Trick d8, d8, d6").pool
    assert [die.size for die in kept] == [8, 8, 6]


def test_D4_what_is_removed_by_its_face_comes_after_the_roll() -> None:
    with pytest.raises(NotAllowed, match="comes after the roll"):
        make(able("total", "remove highest"), ALICE, never, "Trick, Mind, Sharp")
    with pytest.raises(Unknown, match="Did you mean Mind"):
        sfx_use.add(able("total"), ALICE, "Trick", "total", "remove Mnid")


def test_X1_two_like_dice_are_chosen_in_any_order() -> None:
    at = rolled(able("remove d6, remove d6"), "6d6", 6, 5, 4, 3, 2, 2)
    with pytest.raises(Undecided, match="Trick: which dice") as asked:
        sfx_use.use(at, ALICE, never, "Trick")
    labels = [str(each.label) for each in asked.value.answers]
    assert labels[:2] == ["d6: 6 and d6: 5", "d6: 6 and d6: 4"]
    assert len(labels) == len(set(labels)) == 11
    roll = newest(after(sfx_use.use(at, ALICE, never, "Trick", on="d6: 3, d6: 4")))
    assert [each.face for each in roll.hand.dice if each.removed] == [4, 3]


def test_D4_what_is_highest_after_a_throw_is_removed_then() -> None:
    at = rolled(able("double, remove highest"), "Mind, d8, d6", 7, 5, 3)
    roll = newest(after(sfx_use.use(at, ALICE, faces(2), "Trick", on="Mind")))
    assert [(each.face, each.removed) for each in roll.hand.dice] == [
        (7, True), (5, False), (3, False), (2, False),
    ]  # fmt: skip
    at = rolled(able("double, remove highest"), "Mind, d8, d6", 7, 5, 3)
    roll = newest(after(sfx_use.use(at, ALICE, faces(8), "Trick", on="d8")))
    assert [each.face for each in roll.hand.dice if each.removed] == [8]


def test_X1_a_roll_without_a_die_to_spare_is_refused() -> None:
    with pytest.raises(NotAllowed, match="no other die for Trick to change"):
        sfx_use.use(rolled(able("double", "remove d8"), "Sharp", 4), ALICE, never, "Trick")


def test_X1_an_sfx_of_many_parts_on_a_large_pool_is_looked_at_so_far_and_no_further() -> None:
    many = ", ".join(["remove d6"] * 6)
    at = rolled(able(many, many), "30d6", *([2, 3, 4, 5, 6, 6] * 5))
    hand, sfx = newest(at).hand, CORTEX.has(at.characters["alice"]).sfx["trick"]
    with patch.object(sfx_use, "_may_take", wraps=sfx_use._may_take) as looked:
        ways = sfx_use.choices(hand, sfx)
    assert looked.call_count <= sfx_use._MOST_TRIES
    assert all(len(set(way)) == 12 for way in ways)
    assert sfx_use.usable(at, newest(at)) == [sfx]
    named = "2d6, d6: 6, 9d6"
    with pytest.raises(Undecided):
        sfx_use.use(at, ALICE, never, "Trick", on=named)


def test_X1_dice_are_matched_with_names_whatever_fits_several() -> None:
    at = rolled(able("remove d8, remove d8"), "Sharp, d8, d6", 5, 5, 3)
    roll = newest(after(sfx_use.use(at, ALICE, never, "Trick", on="d8: 5, Sharp")))
    assert [each.removed for each in roll.hand.dice] == [True, True, False]
