"""Statements: given, on the sheet as text, and settled after a challenge (N7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign import characters, scenes
from rules.cortex import characters as cortex_characters
from rules.cortex import push_and_challenge, rating, roll, sheet
from rules.cortex.facts import StatementSettled, TraitChanged
from rules.cortex.kinds import LONGEST_STATEMENT, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import PRIME
from rules.errors import NotAllowed, RuleError, SettingOff, TooLate, Unknown, Unreadable
from rules.names import clean
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, after, die, faces, having, newest, table

STOOD = Trait("Duty", 8, set="Values", statement="I leave nobody behind", was=10)
SET = "I leave nobody behind"


def playing(*fixed: str, is_on: bool = True) -> Table:
    return table(replace(PRIME, statements=is_on, fixed_total=fixed))


def challenged(*fixed: str, love: int = 6) -> Table:
    """Alice's Duty was a d10; Love is of the same set, Mind of another."""
    traits = (STOOD, Trait("Love", love, set="Values"), Trait("Mind", 6, set="Attributes"))
    return having(playing(*fixed), "alice", TraitKind.TRAIT, *traits)


def held(at: Table) -> Trait:
    return CORTEX.has(at.characters["alice"]).sheet["duty"]


def test_a_statement_is_given_changed_and_taken_away() -> None:
    at = after(cortex_characters.put(playing(), ALICE, "Duty", "d10", "Values", statement=SET))
    assert held(at) == Trait("Duty", 10, set="Values", statement=SET)
    step = cortex_characters.put(at, ALICE, "Duty", statement="I come first")
    assert step.facts == (
        TraitChanged("Alice", TraitKind.TRAIT, held(at), replace(held(at), statement="I come first")),
    )
    assert held(after(cortex_characters.put(at, ALICE, "Duty", "d6"))).statement == SET
    assert held(after(cortex_characters.put(at, ALICE, "Duty", statement=" - "))).statement == ""


@pytest.mark.parametrize(
    ("at", "options", "error", "because"),
    [
        (playing(is_on=False), {"statement": SET}, SettingOff, "Statements are off in this campaign"),
        (playing(), {"statement": SET}, Unknown, "A new trait needs a die"),
        (playing(), {}, NotAllowed, "Duty needs a die, such as die:d8"),
        (challenged(), {"statement": SET}, NotAllowed, "Duty already"),
        (
            challenged(),
            {"statement": "x" * (LONGEST_STATEMENT + 1)},
            Unreadable,
            "That statement has 201 characters; the limit is 200",
        ),
        (challenged(), {"statement": " "}, Unreadable, "empty"),
    ],
)
def test_what_is_no_statement_is_refused(
    at: Table, options: dict[str, str], error: type[RuleError], because: str
) -> None:
    with pytest.raises(error, match=because):
        cortex_characters.put(at, ALICE, "Duty", **options)


def test_nothing_is_lost_while_the_setting_is_off() -> None:
    at = challenged()
    off = CORTEX.put(at, replace(CORTEX.of(at), ruleset=PRIME))
    text = sheet.write(sheet.of(off.characters["alice"]))
    assert f"Values: Duty d8, Love d6\nDuty d8: {SET}\nAttributes" in text
    assert sheet.put_sheet(off.characters["alice"], sheet.read(text)) == off.characters["alice"]
    assert push_and_challenge.challenge_statement(off) == [("alice", TraitKind.TRAIT, STOOD)]


@given(
    strategies.labels(), st.text(min_size=1, max_size=60), st.sampled_from(["Values", "Roles", "distinction"])
)
def test_a_sheet_with_statements_is_read_back_the_same(label: str, typed: str, of: str) -> None:
    try:
        said = clean(typed)
        label = rating.label(label)
    except RuleError:
        return
    kind = TraitKind.DISTINCTION if of == "distinction" else TraitKind.TRAIT
    before = sheet.Sheet(
        {kind: (Trait(label, 8, set="" if kind is not TraitKind.TRAIT else of, statement=said),)}
    )
    assert sheet.read(sheet.write(before)).traits[kind] == before.traits[kind]


def test_a_statement_in_a_sheet_has_the_die_that_stands_above() -> None:
    with pytest.raises(
        NotAllowed,
        match=f"Line 2, .*: Duty is d8 on an earlier line. Use the same die. Example: Duty d8: {SET}",
    ):
        sheet.read(f"Values: Duty d8\nDuty d10: {SET}")
    (duty,) = sheet.read(f"Values: Duty d8\nduty D8:  {SET} ").traits[TraitKind.TRAIT]
    assert duty.statement == SET


def test_rewritten_the_rating_is_that_of_before_the_first_challenge() -> None:
    at = challenged("Values")
    step = push_and_challenge.rewrite(at, GRETA, "alice", TraitKind.TRAIT, "Duty", "I come first")
    new = Trait("Duty", 10, set="Values", statement="I come first")
    assert step.facts == (StatementSettled("Alice", TraitKind.TRAIT, STOOD, new),)
    assert held(step.table) == new
    with pytest.raises(NotAllowed, match="is a sentence"):
        push_and_challenge.rewrite(at, ALICE, "alice", TraitKind.TRAIT, "Duty", "-")


@pytest.mark.parametrize(
    ("fixed", "love", "then"), [((), 6, 6), (("Values",), 6, 8), (("Skills",), 6, 6), (("values",), 12, 12)]
)
def test_kept_another_trait_of_a_fixed_total_steps_up(fixed: tuple[str, ...], love: int, then: int) -> None:
    at = challenged(*fixed, love=love)
    at = after(push_and_challenge.keep(at, ALICE, "alice", TraitKind.TRAIT, "Duty", "Love"))
    assert held(at) == replace(STOOD, was=0)
    assert die(at, "alice", TraitKind.TRAIT, "Love") == then
    assert die(at, "alice", TraitKind.TRAIT, "Mind") == 6


def test_where_a_total_is_fixed_the_other_trait_has_to_be_said() -> None:
    with pytest.raises(NotAllowed, match="Choose the trait that steps up instead"):
        push_and_challenge.keep(challenged("Values"), ALICE, "alice", TraitKind.TRAIT, "Duty")
    with pytest.raises(Unknown):
        push_and_challenge.keep(challenged("Values"), ALICE, "alice", TraitKind.TRAIT, "Duty", "Mind")


@pytest.mark.parametrize("settle", [push_and_challenge.keep, push_and_challenge.rewrite])
def test_only_its_player_and_the_gm_settle_it_once(settle: object) -> None:
    def done(at: Table, who: object) -> Table:
        return after(settle(at, who, "alice", TraitKind.TRAIT, "Duty", "Duty first"))  # type: ignore[operator]

    with pytest.raises(NotAllowed, match="Alice"):
        done(challenged(), BOB)
    at = done(challenged(), ALICE)
    assert push_and_challenge.challenge_statement(at) == []
    with pytest.raises(TooLate, match="That statement has already been settled, or its trait is gone"):
        done(at, GRETA)


def test_renamed_and_forgotten_people_keep_what_a_roll_owes() -> None:
    at = having(playing(), "alice", TraitKind.TRAIT, replace(STOOD, was=0))
    at = after(scenes.start_scene(at, GRETA))
    at = after(roll.make(at, ALICE, faces(3, 3, 3), "challenge Duty"))
    at = after(characters.rename(at, ALICE, "Zoe"))
    assert [each.owner for each in newest(at).closing] == ["zoe"]
    at = after(scenes.end_scene(at, GRETA))
    assert CORTEX.has(at.characters["zoe"]).sheet["duty"].die == 6
    gone = after(characters.remove(challenged_now(), GRETA, "Alice"))
    assert after(scenes.end_scene(gone, GRETA)).characters.keys() == {"bob", "rex"}


def challenged_now() -> Table:
    """Alice has just challenged her duty."""
    at = having(playing(), "alice", TraitKind.TRAIT, replace(STOOD, was=0))
    at = after(scenes.start_scene(at, GRETA))
    return after(roll.make(at, ALICE, faces(3, 3, 3), "challenge Duty"))
