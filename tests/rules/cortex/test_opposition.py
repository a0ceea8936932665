"""What stands against a roll."""

import pytest
from hypothesis import given

from rules.campaign.seats import Actor
from rules.cortex import crisis, gm_pools, outcome
from rules.cortex.actions import amend
from rules.cortex.kinds import Ending, Foe, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, Against, Hand, Roll, RolledDie
from rules.cortex.opposition import against, doom_pool, names, thrown
from rules.cortex.outcome import difficulty, settle
from rules.cortex.pool import Die, NamedPool, Source, Special
from rules.cortex.pool_words import DIFFICULTIES
from rules.cortex.ruleset import ADEPT, BASES, EMPIRE, HEROIC, PRIME, Ruleset
from rules.cortex.scenes import begun
from rules.dice import Throw
from rules.errors import Ambiguous, NotAllowed, RuleError, SettingOff, Unknown, Unreadable
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    FIRE,
    GRETA,
    REX,
    STORM,
    challenged,
    faces,
    facing,
    having,
    in_crisis,
    never,
    rolled,
    table,
    tried,
)


def sizes(found: Against) -> list[int]:
    return [die.size for die in found.hand.dice] if found.hand else []


def goal(found: Against) -> int:
    """The number to beat, the opposition's best choice kept."""
    made = settle(Roll(1, 2, "Alice", Hand((RolledDie(8, 3),)), against=found), PRIME)
    assert made.against is not None
    return difficulty(made.against)


@pytest.mark.parametrize(
    ("name", "number"),
    [("very easy", 3), ("easy", 7), ("challenging", 11), ("hard", 15), ("very hard", 19), ("HARD", 15)],
)
def test_T1_a_name_is_a_number_where_opposition_is_static(name: str, number: int) -> None:
    found = against(table(EMPIRE), ALICE, name, never)
    assert (found.number, found.hand) == (number, None)


@pytest.mark.parametrize(
    ("name", "size"), [("very easy", 4), ("easy", 6), ("challenging", 8), ("hard", 10), ("very hard", 12)]
)
@pytest.mark.parametrize("rules", [PRIME, HEROIC, ADEPT], ids=["prime", "heroic", "adept"])
def test_T2_a_name_is_a_pair_of_dice_elsewhere(rules: Ruleset, name: str, size: int) -> None:
    found = against(table(rules), ALICE, name, faces(2, 3))
    assert (sizes(found), goal(found)) == ([size, size], 5)


@pytest.mark.parametrize(("typed", "number"), [("0", 0), ("8", 8), ("11", 11), ("999", 999), (" 007 ", 7)])
@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_T1_any_whole_number_is_a_difficulty(rules: Ruleset, typed: str, number: int) -> None:
    assert difficulty(against(table(rules), ALICE, typed, never)) == number


@pytest.mark.parametrize("typed", ["-1", "1000", "9" * 900])
def test_T1_a_number_out_of_reach_is_refused(typed: str) -> None:
    with pytest.raises(NotAllowed, match="Choose 0 to 999"):
        against(table(), ALICE, typed, never)


def test_T2_a_beginning_is_no_longer_than_a_name() -> None:
    at = facing(table(), "ß" * 80, "d8")
    assert sizes(against(at, ALICE, "ß" * 40, faces(3))) == [8]
    with pytest.raises(Unreadable, match="That opponent has 120 characters"):
        against(at, ALICE, "ß" * 60, never)


def test_T2_dice_need_their_d() -> None:
    assert sizes(against(table(), ALICE, "d8", faces(3))) == [8]
    assert sizes(against(table(), ALICE, "2d6 d10", faces(3, 4, 5))) == [6, 6, 10]
    with pytest.raises(Unreadable, match=r"11 \+ d8"):
        against(table(), ALICE, "11 + 8", never)


HARMED = having(
    having(table(EMPIRE), "alice", TraitKind.COMPLICATION, Trait("Broken Leg", 8)),
    "scene",
    TraitKind.DISTINCTION,
    Trait("Rain", 4),
)


@pytest.mark.parametrize(
    ("typed", "number", "plus"),
    [
        ("11 + Broken Leg", 15, ("Broken Leg d8",)),
        ("11 + Rain", 13, ("Rain d4",)),
        ("challenging + rain + broken", 17, ("Rain d4", "Broken Leg d8")),
        ("7+d12", 13, ("d12",)),
        ("7 + Alice · Broken Leg d8", 11, ("Broken Leg d8",)),
    ],
)
def test_T3_what_is_in_the_way_raises_a_number_by_half_its_rating(
    typed: str, number: int, plus: tuple[str, ...]
) -> None:
    found = against(HARMED, ALICE, typed, never)
    assert (found.number, found.plus) == (number, plus)


def test_T3_what_is_in_the_way_joins_a_pool_as_a_die() -> None:
    found = against(
        CORTEX.put(HARMED, replace(CORTEX.of(HARMED), ruleset=PRIME)),
        ALICE,
        "easy + Broken Leg + Rain",
        faces(2, 3, 8, 4),
    )
    assert (sizes(found), goal(found)) == ([6, 6, 8, 4], 12)


def test_T3_an_unknown_thing_in_the_way_is_refused_with_what_there_is() -> None:
    with pytest.raises(Unknown, match=r"Alice · Broken Leg d8"):
        against(HARMED, ALICE, "11 + Wolves", never)


def test_T3_two_things_of_one_name_are_told_apart() -> None:
    at = having(HARMED, "bob", TraitKind.COMPLICATION, Trait("Rain", 6))
    with pytest.raises(Ambiguous, match="Bob · Rain d6 or Scene · Rain d4"):
        against(at, ALICE, "11 + Rain", never)


@pytest.mark.parametrize(
    ("vs", "base", "says"),
    [
        (None, "15", r"You can't change the opposition to that roll\."),
        (
            "2d8",
            "15",
            (
                r"That roll is opposed by dice, so there's no number to change\. Change the opposing dice "
                r"instead\."
            ),
        ),
        ("11", "2d8", "A number opposes that roll, so type a number"),
        ("11", "11", "That wouldn't change anything"),
    ],
)
def test_T3_what_cannot_be_put_right_is_refused(vs: str | None, base: str, says: str) -> None:
    at = rolled(table(), ALICE, "2d6 d8", 3, 3, 4, *((2, 3) if vs == "2d8" else ()), vs=vs)
    with pytest.raises(NotAllowed, match=says):
        amend(at, GRETA, never, 1, (), base=base)


def test_T3_one_die_stands_behind_each_plus() -> None:
    with pytest.raises(Unreadable, match="one die or name after each"):
        against(table(), ALICE, "11 + Fog 2d8", never)


def test_M3_the_whole_doom_pool_opposes() -> None:
    found = against(table(HEROIC, doom=[6, 6, 10]), ALICE, "doom", faces(2, 3, 9))
    assert (sizes(found), goal(found), found.label) == ([6, 6, 10], 12, "Doom pool")


def test_M3_traits_join_doom_and_are_kept_apart_from_it() -> None:
    at = having(table(HEROIC, doom=[6]), "alice", TraitKind.STRESS, Trait("Physical", 8))
    found = against(at, ALICE, "doom + Physical stress", faces(2, 3))
    assert found.hand is not None
    assert [die.source for die in found.hand.dice] == [Source(Foe.DOOM), Source(TraitKind.STRESS)]


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (table(PRIME, doom=[6]), "The doom pool is off in this campaign"),
        (table(EMPIRE), "The doom pool is off in this campaign"),
        (table(HEROIC), r"empty\. Roll against difficulty dice instead\. Example: vs:challenging"),
        (table(ADEPT), r"empty\. Roll against difficulty dice instead"),
    ],
)
def test_M9_doom_that_is_off_or_empty_does_not_oppose(at: Table, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        against(at, ALICE, "doom", never)
    with pytest.raises(NotAllowed, match=r"^The doom pool is (off in this campaign|empty)\."):
        doom_pool(at)


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_D7_a_scale_die_against_the_roll_keeps_one_more(rules: Ruleset) -> None:
    hand = thrown((Die(6), Die(6), Die(8, "Scale", Source(Special.SCALE))), 2, table(rules), faces(2, 3, 4))
    assert hand.keep == (3 if rules.scale_keeps_extra else 2)


def test_D3_more_than_thirty_dice_do_not_oppose() -> None:
    with pytest.raises(NotAllowed, match="31 dice"):
        against(table(HEROIC, doom=[6] * 30), ALICE, "doom + d6", never)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", r"Say what to roll against\. Example: vs:11, vs:challenging or vs:2d8"),
        ("+", r"Say what to roll against\. Example: vs:11, vs:challenging or vs:2d8"),
        ("  ", r"Say what to roll against\. Example: vs:11, vs:challenging or vs:2d8"),
        ("wolves", r'You can\'t roll against "wolves"\. Try Rex, a number such as 11 or dice'),
        ("hardly", r'You can\'t roll against "hardly"\. Did you mean hard\?'),
        ("d20", r"the GM can add that size: /campaign set setting:sizes value:d4 d6 d8 d10 d12 d20"),
        ("hard easy", r'against "hard easy"\. Did you mean very easy, hard or easy\?'),
        (
            "11 11",
            r'"11 11" could be a number or dice\. Type a number alone, or dice with their d\. Example: vs:11',
        ),
        ("x" * 1001, "That's 1001 characters; the limit is 1000"),
    ],
)
def test_T2_what_means_nothing_is_refused_with_what_there_is(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        against(table(), ALICE, typed, never)


def test_T2_what_there_is_to_roll_against_is_offered_with_doom_first() -> None:
    at = challenged(in_crisis(table(), 6), 8)
    here = CORTEX.of(at)
    assert names(at) == ["Rex", "Storm", "Fire", *DIFFICULTIES]
    assert names(CORTEX.put(at, replace(here, ruleset=HEROIC, doom={6: 1}))) == ["Rex", "doom", *DIFFICULTIES]
    shared = {"rex": NamedPool("Rex", (Die(8),), who="rex")}
    assert names(CORTEX.put(at, replace(here, pools=shared))) == ["Rex", "Storm", "Fire", *DIFFICULTIES]


@pytest.mark.parametrize(
    ("typed", "target", "shown"),
    [
        ("Fire", FIRE, [4, 6]),
        ("crisis fire", FIRE, [4, 6]),
        ("fi", FIRE, [4, 6]),
        ("STORM", STORM, [8, 8]),
        ("rex", REX, [8, 8, 10, 10]),
        ("gmc Rex", REX, [8, 8, 10, 10]),
        ("Storm + d6", STORM, [8, 8, 6]),
        ("rex + Leg", REX, [8, 8, 10, 10, 12]),
    ],
)
def test_T2_a_crisis_a_challenge_or_a_gmc_opposes_with_all_its_dice(
    typed: str, target: Target, shown: list[int]
) -> None:
    at = facing(challenged(in_crisis(table(), 4, 6), 8, 8), "Rex", "Fangs d8, 2d10")
    at = having(at, "rex", TraitKind.DISTINCTION, Trait("Sly", 8))
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Leg", 12))
    found = against(at, ALICE, typed, faces(*[2] * len(shown)))
    assert (sizes(found), found.target) == (shown, target)


def test_T2_what_has_no_dice_or_is_away_does_not_oppose() -> None:
    with pytest.raises(NotAllowed, match=r"Rex has no dice to roll. Example: /gmc roll name:Rex dice:2d8"):
        against(table(), ALICE, "Rex", never)
    at = table()
    at = at.with_owner("rex", replace(at.characters["rex"], away=True))
    with pytest.raises(Unreadable, match="You can't roll against"):
        against(at, ALICE, "Rex", never)


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (Ending.ENDED, "has ended"),
        (Ending.RESOLVED, "is resolved"),
        (Ending.WON, "is won"),
        (Ending.LOST, "is lost"),
        (Ending.DEFEATED, "is defeated"),
    ],
)
def test_T2_an_opponent_that_is_over_says_so_until_the_next_scene(ending: Ending, said: str) -> None:
    over = gm_pools.ended(in_crisis(table(), 4, 6), FIRE, ending)
    with pytest.raises(NotAllowed, match=rf"^FIRE {said}\. Try "):
        against(over.table, ALICE, "FIRE", never)
    again = begun(over.table, {}).table
    with pytest.raises(Unreadable, match="You can't roll against"):
        against(again, ALICE, "Fire", never)
    back = in_crisis(over.table, 4, 6)
    assert against(back, ALICE, "Fire", faces(1, 2))


def test_a_table_forgets_what_ended_long_ago() -> None:
    at = table()
    for number in range(gm_pools.MOST_OVER + 5):
        at = crisis.new(at, GRETA, f"Fire {number}", "d6").table
        at = gm_pools.end(at, GRETA, Foe.CRISIS, f"Fire {number}").table
    assert [*CORTEX.of(at).over] == [f"fire {number}" for number in range(5, gm_pools.MOST_OVER + 5)]


@pytest.mark.parametrize(
    ("actor", "way"),
    [(ALICE, r"/contest start against:Bob"), (GRETA, r"To act on Bob, use on:Bob")],
)
def test_T6_a_players_character_opposes_by_a_roll_of_their_own(actor: Actor, way: str) -> None:
    with pytest.raises(NotAllowed, match=rf"^Bob is a player's character\. .*{way}$"):
        against(table(), actor, "bob", never)


@pytest.mark.parametrize(("typed", "setting"), [("fire", "crisis pools"), ("challenge storm", "challenges")])
def test_K_L_what_is_off_names_the_setting(typed: str, setting: str) -> None:
    at = challenged(in_crisis(table(HEROIC), 4, 6), 8, 8)
    with pytest.raises(SettingOff, match=r"^(Crises|Challenges) are off in this campaign\.") as refused:
        against(at, ALICE, typed, never)
    assert refused.value.setting == setting


@given(strategies.set_tables(), strategies.throws(), strategies.typed())
def test_any_text_opposes_or_is_refused(at: Table, throw: Throw, text: str) -> None:
    found = tried(lambda: against(at, ALICE, text, throw))
    if found is not None:
        assert found.label
        assert (found.hand is None) or found.number == 0
        assert found.hand is None or 1 <= len(found.hand.dice) <= 30
        assert outcome.difficulty(found) >= 0


@pytest.mark.parametrize("typed", ["-3", "1000"])
def test_T1_an_impossible_number_is_refused_with_those_that_are_not(typed: str) -> None:
    with pytest.raises(NotAllowed, match=f'A difficulty can\'t be "{typed}"\\. Choose 0 to 999'):
        against(table(), ALICE, typed, never)
