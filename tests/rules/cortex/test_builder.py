"""Pools that are built piece by piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import builder, sfx_use
from rules.cortex.builder import HARMS, Build, BuildSeen, Candidate, Piece, look
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import write_pool
from rules.cortex.pool_text import read
from rules.cortex.ruleset import ADEPT, EMPIRE
from rules.errors import NotAllowed, RuleError, TooLate, Unreadable
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, GRETA, faces, facing, having, never, newest, pp, table, tried

SHEET = having(
    table(ADEPT, doom=(6, 6)),
    "alice",
    TraitKind.TRAIT,
    Trait("Mind", 10, set="Attributes"),
    Trait("Body", 6, set="Attributes"),
    Trait('The "Big", one', 8, set="Skills"),
)
AT = having(SHEET, "alice", TraitKind.DISTINCTION, Trait("Reckless", 8))


def typed(dice: str, vs: str = "", at: Table = AT) -> Build:
    return builder.retype(at, ALICE, Build(), dice, vs)


def seen(built: Build, at: Table = AT) -> BuildSeen:
    return look(at, ALICE, built)


def offer(at: BuildSeen, name: str) -> Candidate:
    return next(each for section in at.sections for each in section.candidates if each.name == name)


def picked(built: Build, *names: str, at: Table = AT, section: str = "Attributes") -> Build:
    candidates = next(each.candidates for each in seen(built, at).sections if each.name == section)
    return builder.pick(built, candidates, [each for each in candidates if each.name in names])


def pool(built: Build, at: Table = AT) -> str:
    gathered = seen(built, at).gathered
    return "" if gathered is None else write_pool(gathered.pool)


def test_each_trait_set_is_offered_with_plain_dice() -> None:
    found = {each.name: [one.label for one in each.candidates] for each in seen(Build()).sections}
    assert found["Attributes"] == ["Mind d10", "Body d6"]
    assert found["Distinctions"] == ["Reckless d8"]
    assert found["Dice"] == ["d4", "d6", "d8", "d10", "d12", "Scale d8"]


def test_D3_a_further_die_of_a_set_has_its_price() -> None:
    at = seen(picked(Build(), "Mind"))
    assert (offer(at, "Mind").price, offer(at, "Body").price) == (0, 1)
    assert offer(at, "Mind").is_in
    assert seen(picked(Build(), "Mind", "Body")).over == 1


def test_what_is_chosen_is_in_and_what_is_not_goes() -> None:
    built = picked(picked(Build(), "Mind"), "d6", "d8", section="Dice")
    assert pool(built) == "Mind d10, d6 d8"
    assert pool(picked(built, "Body")) == "Body d6, d6 d8"
    assert pool(picked(built, "d8", section="Dice")) == "Mind d10, d8"
    assert pool(picked(typed("up mind, d6"), "Body")) == "Body d6, d6"


def test_a_name_with_quotes_and_commas_is_found() -> None:
    built = picked(Build(), 'The "Big", one', section="Skills")
    assert pool(built) == "\"The 'Big', one\" d8"
    assert offer(seen(built), 'The "Big", one').is_in


def test_D4_the_chosen_die_is_stepped_and_a_step_back_undoes_it() -> None:
    built = picked(picked(Build(), "Mind"), 'The "Big", one', section="Skills")
    up = builder.change(built, "up")
    assert pool(up) == "Mind d10, \"The 'Big', one\" d10"
    assert builder.change(up, "down") == built
    first = builder.change(builder.choose(built, 0), "double")
    assert pool(first).startswith("double Mind d10")
    assert len(read(pool(builder.change(first, "split")), is_written=True).pool) == 5
    assert [piece.name for piece in builder.put_first(built).pieces][1] == "Mind"


def test_D4_a_step_is_taken_back_and_a_die_removed() -> None:
    split = builder.change(typed("Mind, 2d6"), "split")
    assert pool(split) == "Mind d10, 4d4"
    assert builder.take_back(split) == typed("Mind, 2d6")
    assert pool(builder.remove(split)) == "Mind d10"
    with pytest.raises(TooLate, match="There's nothing to take back on that die"):
        builder.take_back(typed("Mind"))


def test_P1_hinder_goes_on_and_off() -> None:
    built = picked(typed("d6"), "Reckless", section="Distinctions")
    hindered = builder.change(built, "hinder")
    assert pool(hindered) == "Reckless d4, d6"
    assert builder.change(hindered, "hinder") == built
    assert pp(builder.throw_build(AT, ALICE, faces(3, 3), hindered).table, "alice") == 2
    assert "no distinction" in str(seen(builder.change(typed("d6, d8"), "hinder")).fault)


@pytest.mark.parametrize("vs", ["", "doom", "challenging", "11"])
def test_the_odds_are_told_against_what_is_chosen(vs: str) -> None:
    asked = seen(typed("Mind, 2d6", vs)).asked
    assert asked is not None
    assert (asked.odds.kept.success is not None) == bool(vs)


def test_what_cannot_be_rolled_says_why_and_is_kept() -> None:
    found = seen(typed("Mind, 20d6, 20d8"))
    assert "30" in str(found.fault)
    assert (found.asked, len(found.build.pieces)) == (None, 3)
    with pytest.raises(RuleError):
        builder.throw_build(AT, ALICE, never, found.build)


def test_an_sfx_is_built_in_and_paid_when_it_is_rolled() -> None:
    at = sfx_use.add(AT, ALICE, "Focus", "double Mind", "1 PP").table
    built = picked(picked(Build(), "Mind"), "Focus", at=at, section="SFX")
    assert pool(built, at) == "Mind d10, Mind d10"
    assert pp(at, "alice") == 1
    rolled = builder.throw_build(at, ALICE, faces(4, 5), builder.oppose(built, "11"))
    assert pp(rolled.table, "alice") == 0
    assert newest(rolled.table).against is not None


def test_X1_an_sfx_that_needs_a_die_is_used_on_the_chosen_one() -> None:
    at = sfx_use.add(AT, ALICE, "Push", "up").table
    built = picked(picked(Build(), "Mind", at=at), "d8", "d6", at=at, section="Dice")
    built = picked(builder.choose(built, 0), "Push", at=at, section="SFX")
    assert built.piece == Piece("Mind", sfx=('"Push"',))
    assert pool(built, at) == "Mind d12, d6 d8"
    assert pool(builder.put_first(builder.choose(built, 2)), at) == "Mind d12, d6 d8"
    assert (
        pool(builder.take_back(built), at)
        == pool(picked(built, at=at, section="SFX"), at)
        == "Mind d10, d6 d8"
    )
    assert typed("Push Mind, d6", at=at).pieces[0] == built.piece


def test_the_die_behind_one_that_leaves_is_chosen_no_more() -> None:
    built = builder.choose(picked(picked(Build(), "Mind"), "d4", "d6", "d8", section="Dice"), 3)
    left = picked(built, "d4", section="Dice")
    assert (pool(left), left.chosen) == ("Mind d10, d4", 1)
    both = picked(built, section="Dice")
    assert (pool(both), both.chosen) == ("Mind d10", 0)


def test_a_trait_that_is_gone_leaves_the_pool() -> None:
    built = picked(typed("d6"), "Mind")
    found = seen(built, table(ADEPT))
    assert found.gone == ("Mind",)
    assert (pool(found.build, table(ADEPT)), found.build.chosen) == ("d6", 0)


def test_an_empty_pool_is_not_rolled() -> None:
    with pytest.raises(NotAllowed, match="That pool has no dice yet"):
        builder.throw_build(AT, ALICE, never, Build())
    with pytest.raises(TooLate, match="Choose a die in the pool first"):
        builder.change(Build(), "up")
    with pytest.raises(NotAllowed, match="30 parts"):
        typed(", ".join(["d6"] * 31))
    with pytest.raises(TooLate, match="Choose a die in the pool first"):
        builder.remove(Build())
    with pytest.raises(Unreadable, match="1001 characters"):
        typed("x" * 1001)


def test_it_is_rolled_once_for_each_time_it_is_offered() -> None:
    builder.require_version(Build(version=2), "2")
    with pytest.raises(TooLate, match="already been rolled or shared"):
        builder.require_version(Build(version=2), "1")


def test_the_gm_builds_as_the_gm_and_resources_are_offered() -> None:
    at = having(
        CORTEX.put(AT, replace(CORTEX.of(AT), ruleset=EMPIRE)),
        "alice",
        TraitKind.RESOURCE,
        Trait("Wealth", 8),
    )
    assert [each.name for each in look(at, GRETA, Build()).sections] == ["Dice"]
    assert any(each.name == "Resources" for each in seen(Build(), at).sections)


@given(st.text(max_size=60), st.sampled_from(["up", "down", "double", "split", "hinder"]))
def test_any_text_is_refused_or_can_be_looked_at(dice: str, verb: str) -> None:
    built = tried(lambda: typed(dice))
    if built is None:
        return
    if built.pieces:
        built = builder.change(built, verb)
    found = seen(built)
    assert bool(found.fault) != (found.asked is not None) or not found.build.pieces
    assert seen(found.build).build == found.build


def test_pieces_are_written_as_they_are_typed() -> None:
    assert typed('up mi + double "Wits" d8; 2d6').pieces == (
        Piece("Mind", ("up",)),
        Piece("Wits d8", ("double",)),
        Piece("2d6"),
    )
    assert [piece.name for piece in typed("mi re, d6").pieces] == ["Mind", "Reckless", "d6"]


def test_what_is_typed_and_unknown_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(RuleError, match="Did you mean Mind"):
        typed("Mnid, d6")


def test_what_costs_too_much_is_told_before_it_is_rolled() -> None:
    at = sfx_use.add(AT, ALICE, "Dear", "add d6", "5 PP").table
    assert "That costs 5" in str(seen(typed("Mind, Dear", at=at), at).fault)
    at = sfx_use.add(AT, ALICE, "Curse", "down theirs").table
    assert "roll dice" in str(seen(typed("Mind, Curse", at=at), at).fault)
    assert not seen(typed("Mind, Curse", "doom", at=at), at).fault


def test_D3_harm_of_several_people_is_told_apart_the_oppositions_first() -> None:
    at = facing(having(AT, "bob", TraitKind.STRESS, Trait("Physical", 10)), "Ogre", "Club d10")
    at = having(at, "ogre", TraitKind.STRESS, Trait("Physical", 6))
    found = next(
        each for each in seen(typed("d6", "Ogre"), at).sections if each.name == "Complications and stress"
    )
    assert [each.label for each in found.candidates] == ["Ogre · Physical d6", "Bob · Physical d10"]
    built = picked(typed("Mind", "Ogre"), "Ogre · Physical", at=at, section=HARMS)
    assert pool(built, at) == "Mind d10, Physical d6"


def test_what_is_spent_or_shut_down_or_comes_after_the_roll_is_not_offered() -> None:
    at = sfx_use.add(AT, ALICE, "Luck", "reroll").table
    at = having(at, "alice", TraitKind.TRAIT, Trait("Mind", 10, set="Attributes", shut=True))
    names = {offer.name for section in seen(Build(), at).sections for offer in section.candidates}
    assert "Body" in names
    assert not names & {"Luck", "Mind"}


def test_the_gm_builds_for_a_gmc() -> None:
    at = facing(AT, "Rex", "Fangs d8 d6")
    built = builder.begin(at, GRETA, Build(version=3), "rex")
    assert (built.who, built.version) == ("Rex", 3)
    assert [each.name for each in look(at, GRETA, built).sections][:1] == ["Traits"]
    rolled = builder.throw_build(at, GRETA, faces(4), builder.retype(at, GRETA, built, "fangs"))
    assert newest(rolled.table).who == "Rex"
    assert builder.begin(at, GRETA, built, "") == Build(version=3)
    with pytest.raises(NotAllowed):
        builder.begin(at, ALICE, Build(), "Rex")


@pytest.mark.parametrize(
    ("pool", "held"),
    [
        ('Mind d10, "Old rope" d8, 2d6', "Mind d10, 2d6"),
        ('double Mind d10, safe d6, scale d8, "Bear traps" d6', "double Mind d10, safe d6, scale d8"),
        ("push Mind, 2d6 +2, from doom d6, +1", "push Mind, 2d6 +2, from doom d6, +1"),
    ],
)
def test_a_last_pool_keeps_what_is_still_held(pool: str, held: str) -> None:
    own = AT.characters["alice"]
    assert builder.still_held(AT, own, pool) == held
    assert builder.still_held(AT, None, pool) == pool
