"""Sheets as people type them: sets on one line, no commas, headers, mistakes by line (L1 to L5, D1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.characters import edited
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.pool import dice_of
from rules.cortex.sfx import write as write_sfx
from rules.cortex.sheet import Sheet, of, read, write
from rules.errors import RuleError
from rules.names import has_die
from tests import strategies
from tests.rules.people import ALICE, after, having, table

SETS = ("Distinctions", "Attributes", "Skills")


def shown(sheet: Sheet) -> str:
    """Each trait with its set, its rating, its note and the trait that it is a part of."""
    found = []
    for kind, traits in sheet.traits.items():
        for one in traits:
            where = one.set or kind.name.title()
            note = f" ({one.note})" if one.note else ""
            part = f" <{one.part_of}" if one.part_of else ""
            said = f" '{one.statement}'" if one.statement else ""
            found.append(f"{where}: {one.label} {dice_of(one)}{note}{part}{said}")
    return ", ".join(found)


ONE = "Attributes: Mind d10, Attributes: Body d8"
BOTH = f"Distinction: Old Sailor d8, Distinction: Reckless d8, {ONE}"


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        # Several sets on one line
        ("Distinctions: Old Sailor, Reckless. Attributes: Mind d10, Body d8", BOTH),
        ("Distinctions: Old Sailor, Reckless; Attributes: Mind d10, Body d8", BOTH),
        ("Distinctions: Old Sailor / Reckless / Attributes: Mind d10 / Body d8", BOTH),
        ("Distinctions: Old Sailor d8, Reckless d8, Attributes: Mind d10, Body d8", BOTH),
        ("Distinctions: Old Sailor, Reckless. attributes: Mind d10, Body d8", BOTH.replace("Attr", "attr")),
        ("Skills: Fight d8. Powers: Claws d6", "Skills: Fight d8, Powers: Claws d6"),
        (
            "Skills: Fight d8; Powers: Claws d6 Senses d8",
            "Skills: Fight d8, Powers: Claws d6, Powers: Senses d8",
        ),
        ("Distinctions: Dr. Who, Mr. X d6", "Distinction: Dr. Who d8, Distinction: Mr. X d6"),
        # What separates traits
        ("Attributes: Mind d10, Body d8", ONE),
        ("Attributes: Mind d10 Body d8", ONE),
        ("Attributes: Mind d10; Body d8", ONE),
        ("Attributes: Mind d10 / Body d8", ONE),
        ("Attributes: Mind d10/Body d8", ONE),
        ("Attributes: Mind d10 | Body d8", ONE),
        ("Attributes: Mind d10 • Body d8", ONE),
        ("Attributes: Mind d10 and Body d8", ONE),
        ("Attributes: Mind d10 & Body d8,", ONE),
        ("Attributes: Mind: d10, Body: d8", ONE),
        ("Attributes: Mind: d10; Body: d8", ONE),
        ("Attributes: Mind = d10, Body = d8", ONE),
        ("Attributes: Mind (d10), Body (d8)", ONE),
        ("Attributes: d10 Mind, d8 Body", ONE),
        ("Attributes: d10 Mind d8 Body", ONE),
        ("Attributes: Mind 10, Body 8", ONE),
        ("Attributes:Mind d10,Body d8", ONE),
        ("Attributes: Ｍind ｄ10，Body d8", ONE),
        ("Attributes： Mind d10, Body d8", ONE),
        ("**Attributes:** Mind d10, Body d8", ONE),
        ("**Attributes**: **Mind** d10, Body `d8`", ONE),
        ('Attributes: “Mind” d10, "Body" d8', ONE),
        ("Attributes: Mind d10.\nAttributes: Body d8.", ONE),
        ("Skills: AC/DC d8, R2D2 d6", "Skills: AC/DC d8, Skills: R2D2 d6"),
        ("Skills: Double Agent d8", "Skills: Double Agent d8"),
        ("Skills: Cloak and Dagger d8", "Skills: Cloak and Dagger d8"),
        ("Skills: Man vs Wild d8", "Skills: Man vs Wild d8"),
        ("Skills: Agent 47 d8", "Skills: Agent 47 d8"),
        ("Distinctions: Old Soldier d8 Reckless", "Distinction: Old Soldier d8, Distinction: Reckless d8"),
        ("Distinctions: 4 Winds d6", "Distinction: 4 Winds d6"),
        ("Distinctions: Agent 47", "Distinction: Agent 47 d8"),
        # Several dice
        ("Skills: Crew 3d6", "Skills: Crew 3d6"),
        ("Skills: Crew d6x3, Run d8", "Skills: Crew 3d6, Skills: Run d8"),
        ("Skills: Crew three d6", "Line"),
        ("Skills: Crew d8 2d6 Run d8", "Skills: Crew d8 2d6, Skills: Run d8"),
        ("Skills: 2d6", "Skills: Skills 2d6"),
        ("Tier: d8", "Tier: Tier d8"),
        # Notes, parts and statements
        (
            "Attributes: Mind d10 (quick roll) Body d8 (big)",
            ONE.replace("d10", "d10 (quick roll)") + " (big)",
        ),
        ("Attributes: Mind d10 (d8 in the dark), Body d8", ONE.replace("d10", "d10 (d8 in the dark)")),
        ("Attributes: Mind d10 (a) (b), Body d8", ONE.replace("d10", "d10 (a; b)")),
        ("Attributes: Mind d10（wide）, Body d8", ONE.replace("d10", "d10 (wide)")),
        (
            "Skills: Fight d8 (> Knives d6 (sharp), Swords d8)",
            "Skills: Fight d8, Skills: Knives d6 (sharp) <Fight, Skills: Swords d8 <Fight",
        ),
        ("Values: Duty d10\nDuty d10: I leave nobody behind", "Values: Duty d10 'I leave nobody behind'"),
        (
            "Values\nDuty d10: I leave nobody behind\nLove d6: All of it",
            "Values: Duty d10 'I leave nobody behind', Values: Love d6 'All of it'",
        ),
        # Headers
        ("Distinctions\nOld Sailor\nReckless\n\nAttributes\nMind d10\nBody d8", BOTH),
        ("Distinctions:\nOld Sailor\nReckless\nAttributes:\nMind d10\nBody d8", BOTH),
        ("Distinctions:\nOld Sailor d8, Reckless d8\nAttributes: Mind d10, Body d8", BOTH),
        ("## Distinctions\n- Old Sailor\n- Reckless\n## Attributes\n* Mind d10\n* Body d8", BOTH),
        ("Attributes\nMind: d10\nBody: d8", ONE),
        ("Attributes\nMind: d10 / Body: d8", ONE),
        ("Powers\nClaws d8\nSenses d10", "Powers: Claws d8, Powers: Senses d10"),
        ("Tier: d8\n\nPowers\nClaws d8", "Tier: Tier d8, Powers: Claws d8"),
        ("Attributes:\nSkills: Fight d8\nSignature assets:", "Skills: Fight d8"),
    ],
)
def test_a_sheet_is_read_as_it_is_typed(typed: str, means: str) -> None:
    if means == "Line":
        with pytest.raises(RuleError, match=r'Type "Crew three" d6 or Crew 3d6'):
            read(typed, sets=SETS)
        return
    sheet = read(typed, sets=SETS)
    assert shown(sheet) == means
    assert read(write(sheet), sets=SETS).traits == sheet.traits


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (
            "Alone: d8 / Pair: d10 / Crew: d6",
            "Line 1, .*: these traits need a trait set. Example: Attributes: Alone d8, Pair d10, Crew d6$",
        ),
        ("Alone: d8 Pair: d10", "these traits need a trait set. Example: Attributes: Alone d8, Pair d10$"),
        ("Mind d10, Body d8", "these traits need a trait set. Example: Attributes: Mind d10, Body d8$"),
        ("Attributes Mind d10", "these traits need a trait set. Example: Attributes: Mind d10$"),
        ("Attributes: Level 4 d8", r'Type "Level 4" d8 or Level d8 d4\.'),
        ("Attributes: Mind 10 Body 8", r'Type "Mind 10 Body" d8 or Mind d10, Body d8\.'),
        ("Distinctions: 12 Monkeys", r'Type "12 Monkeys" or Monkeys d12\.'),
        ("Distinctions: The 4 Winds d6", r'Type "The 4 Winds" d6 or The d4, Winds d6\.'),
        ("Attributes: Mind d10 vs 11", r'"vs 11" only works in a roll\. Leave it out here'),
        ("Attributes: Mind d10 +2", r'"\+2" only works in a roll'),
        ("Attributes: Mind d7", '"d7" isn\'t a die here\\. Use'),
        ("Attributes: d8 Mind d6", "d8 needs a name. Example: Mind d8"),
        ("Attributes: Reckless Skills: Fight d8", "has a colon in it. Put each trait set on a separate line"),
        ('Attributes: "2d6 of luck" d8', "has a die in it"),
        ("Attributes: (quick) d8", '"\\(quick\\)" needs a trait before it'),
        (
            "Duty d10: I leave nobody behind",
            (
                r"Duty d10 isn't on any line above\. Put a trait set "
                r"before it\. Example: Values: Duty d10$"
            ),
        ),
        ("Sorcery 2d6\nFire", r'Line 1, .*\nLine 2, "Fire": a line starts with a name and a colon'),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        read(typed, sets=SETS)


def test_an_example_of_a_refusal_works_as_it_is_shown() -> None:
    for typed in ("Alone: d8 / Pair: d10", "Mind d10, Body d8", "Attributes Mind d10"):
        with pytest.raises(RuleError) as refused:
            read(typed, sets=SETS)
        assert read(str(refused.value).partition("Example: ")[2], sets=SETS).traits[TraitKind.TRAIT]


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("SFX: Focus: double Mind, for 1 PP", "Focus: double Mind, for 1 PP"),
        ("SFX\nFocus: double Mind, for 1 PP", "Focus: double Mind, for 1 PP"),
        ("SFX: Focus. Spend 1 PP to see all.", 'Focus: "Spend 1 PP to see all."'),
        ('Limit: Tired. No "magic" today', "Tired: \"No 'magic' today\""),
        (f"SFX: Long. {'word ' * 20}", f'Long: "{("word " * 14).strip()}", "{("word " * 6).strip()}"'),
        ("Attributes: Mind d10. SFX: Focus: double Mind", "Focus: double Mind"),
    ],
)
def test_an_sfx_is_known_wherever_it_stands(typed: str, means: str) -> None:
    (one,) = read(typed, sets=SETS).sfx
    assert write_sfx(one) == means


def test_milestones_and_notes_are_known_as_headers_and_nothing_is_lost() -> None:
    sheet = read("Milestones: Find the map; Go\nMilestones:\nLose a friend\nNotes\nAny: thing\n\nMind d10")
    assert sheet.milestones == ("Find the map", "Go", "Lose a friend")
    assert sheet.notes == "Any: thing\n\nMind d10"


def test_a_trait_that_has_a_die_in_its_name_from_before_can_stay() -> None:
    at = having(table(), "alice", TraitKind.TRAIT, Trait("d8 of luck", 6, set="Skills"))
    text = f"{write(of(at.characters['alice']))}, Sneak d6"
    after_ = after(edited(at, ALICE, "Alice", text))
    assert shown(of(after_.characters["alice"])) == "Skills: d8 of luck d6, Skills: Sneak d6"


PIECES = st.sampled_from(
    (
        *("Mind", "Quick Wits", "d8", "2d6", "8", "x2", ":", ";", ",", ".", "/", "|", "\n", "\n\n", '"'),
        *("(", ")", "(>", "Attributes", "Skills:", "SFX:", "Notes:", "vs 11", "and", "+2", "**", "safe"),
        *("- ", "# "),
    )
)


@given(st.lists(PIECES, max_size=25).map(" ".join) | strategies.typed(), st.booleans())
def test_any_text_is_a_sheet_or_a_refusal_with_lines(typed: str, safe: bool) -> None:
    sheet, refusal = Sheet(), ""
    try:
        sheet = read(typed, sets=SETS, safe=safe)
    except RuleError as refused:
        refusal = str(refused)
    assert not refusal or refusal.startswith("Line ")
    labels = [one.label for traits in sheet.traits.values() for one in traits]
    assert not any(map(has_die, labels))
    again = read(write(sheet, safe=safe), sets=SETS, safe=safe)
    assert again.traits == {kind: held for kind, held in sheet.traits.items() if held}
