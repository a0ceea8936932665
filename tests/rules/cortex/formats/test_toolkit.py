"""Files of the Cortex Toolkit, there and back."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.campaign.files import check
from rules.cortex import model, sheet
from rules.cortex.formats import toolkit_form, toolkit_reader, toolkit_writer
from rules.cortex.formats.toolkit_form import TAKEN, TraitSetUse, taken_as
from rules.cortex.formats.toolkit_writer import ExportContext
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX, CortexCharacter
from rules.dice import ALL_SIZES, SIZES
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.names import Erasure, key
from rules.ore.model import ORE, OneRollRating, OreCharacter
from rules.table import Character, Settings, Table
from rules.terms import Term, Wording
from rules.values import replace
from tests import toolkit_files

FRESH = ExportContext("0f8fad5b-d9cb-469f-a165-70867728950e", "2026-01-02T03:04:05Z")
LADDERS = st.sampled_from((SIZES, (2, 4, 6, 8, 10, 12), (6, 8), (4, 6, 8, 10, 12, 20)))
CHOSEN = st.lists(st.sampled_from(("", *TraitSetUse)), max_size=4)


def one(given: Any) -> toolkit_form.Form:
    (form,) = toolkit_form.read(copy.deepcopy(given))
    return form


def came(character: Character) -> Character:
    """A character without the file that they came from."""
    return CORTEX.give(character, replace(CORTEX.has(character), origin=None))


def file(*sets: Any, **members: Any) -> dict[str, Any]:
    return {"name": "Zoe", "traitSets": list(sets), **members}


def a_set(name: str, *traits: Any, **members: Any) -> dict[str, Any]:
    return {"name": name, "traits": list(traits), **members}


def own(*sets: Any, **members: Any) -> CortexCharacter:
    return CORTEX.has(toolkit_reader.read(one(file(*sets, **members))).character)


@given(toolkit_files.FILES, CHOSEN, LADDERS)
def test_a_file_goes_back_as_it_came(given: Any, chosen: list[str], sizes: tuple[int, ...]) -> None:
    assert list(toolkit_files.VALID.iter_errors(given)) == []
    read = toolkit_reader.read(one(given), chosen, sizes)
    assert toolkit_writer.write(read.character, FRESH) == given


@settings(max_examples=100)  # these meet no label like that of the next test
@given(st.one_of(toolkit_files.FILES, toolkit_files.ODD_FILES), CHOSEN, LADDERS)
def test_what_is_read_could_have_been_played_and_typed(
    given: Any, chosen: list[str], sizes: tuple[int, ...]
) -> None:
    found = toolkit_reader.read(one(given), chosen, sizes).character
    check(found, "character")
    held = sheet.of(found)
    typed = sheet.read(sheet.write(held), ALL_SIZES, names=sheet.labels_of(held))
    assert sheet.of(sheet.put_sheet(found, typed)) == sheet.of(found)
    assert all(trait.die in sizes for kind in TraitKind for trait in CORTEX.has(found).traits(kind).values())


@pytest.mark.parametrize("label", ['"', '"A', 'A"', '"A"'])
def test_a_label_with_a_quotation_mark_at_an_end_could_have_been_typed(label: str) -> None:
    held = {key(label): Trait(label, 8, set="Skills")}
    found = CORTEX.give(Character("Zoe"), CortexCharacter().with_traits(TraitKind.TRAIT, held))
    assert sheet.of(sheet.put_sheet(found, sheet.read(sheet.write(sheet.of(found)), ALL_SIZES))) == sheet.of(
        found
    )


@given(toolkit_files.ODD_FILES, CHOSEN)
def test_whatever_was_read_is_written_as_the_format_wants_it_and_is_the_same_again(
    given: Any, chosen: list[str]
) -> None:
    found = toolkit_reader.read(one(given), chosen).character
    written = toolkit_writer.write(found, FRESH)
    assert list(toolkit_files.VALID.iter_errors(written)) == []
    again = toolkit_reader.read(one(written), CORTEX.has(found).origin.taken).character  # type: ignore[union-attr]
    assert came(again) == came(found)
    assert toolkit_writer.write(again, FRESH) == written


LABELS = st.sampled_from(("Mind", "Body", "Fight", "Zoë", "Quick, Wits", "Rope (old)", "Rain 2", "Fog"))
NOTES = st.sampled_from(("", "a quick one", "so, so", "questioned", "count 3"))
STATED = st.sampled_from(("", "I serve", "Nobody is left behind"))
OWN_SETS = st.sampled_from(("Skills", "Values", "Stress", "Badges", "Relationships"))
DICE = st.lists(st.sampled_from(SIZES), min_size=1, max_size=3)


@st.composite
def characters(draw: st.DrawFn) -> Character:
    """Characters as play leads to them, with what such a file has a place for."""
    made = CortexCharacter(pp=draw(st.integers(0, 20)))
    labels = iter(
        draw(st.permutations(("Mind", "Body", "Fight", "Zoë", "Quick, Wits", "Rope (old)", "Rain 2")))
    )
    for kind in TraitKind:
        held: dict[str, Trait] = {}
        for _ in range(draw(st.integers(0, 2))):
            if (label := next(labels, None)) is not None:
                held[key(label)] = _trait(draw, kind, label)
        made = made.with_traits(kind, held)
    lending = [each.label for each in (*made.sheet.values(), *made.distinctions.values())]
    names = draw(st.lists(st.sampled_from(("Focus", "Rage", "Limit")), unique=True))
    made = replace(made, sfx={key(name): _effect(draw, name, lending) for name in names})
    stones = draw(st.lists(st.sampled_from(("Find the map", "Lose a friend: soon")), unique=True))
    notes = draw(st.sampled_from(("", "Tall\n\nand loud", "# Big")))
    pronouns = draw(st.sampled_from(("", "they/them")))
    who = Character("Zoe", notes=notes, pronouns=pronouns, xp=draw(st.integers(0, 300)))
    if draw(st.booleans()):
        who = ORE.give(
            who, OreCharacter({"body": OneRollRating("Body", "3d 1w"), "run": OneRollRating("Run", "2d")})
        )
    return CORTEX.give(who, replace(made, milestones=tuple(stones)))


def _trait(draw: st.DrawFn, kind: TraitKind, label: str) -> Trait:
    die, *more = sorted(draw(DICE), reverse=True)
    if kind in (TraitKind.STRESS, TraitKind.TRAUMA, TraitKind.COMPLICATION):
        return Trait(label, die, more=tuple(more))
    of = draw(OWN_SETS) if kind is TraitKind.TRAIT else ""
    signature = die if kind is TraitKind.ASSET else 0
    usual = tuple(more) if kind is TraitKind.ASSET else ()
    plain = Trait(label, die, signature, set=of, note=draw(NOTES), more=tuple(more), statement=draw(STATED))
    return replace(plain, usual=usual, safe=draw(st.booleans()), was=draw(st.sampled_from((0, 0, 8, 12))))


def _effect(draw: st.DrawFn, name: str, traits: list[str]) -> Sfx:
    whose = draw(st.sampled_from(("", *traits)))
    return Sfx(
        name, draw(st.sampled_from((("double Mind",), ('"mere words"', "add d6")))), ("1 PP",), "angry", whose
    )


def ordered(character: Character) -> Character:
    """A character whose things stand in no order: a file has its own."""
    has = CORTEX.has(came(character))
    for kind in TraitKind:
        has = has.with_traits(kind, dict(sorted(has.traits(kind).items())))
    fresh = replace(
        has, sfx=dict(sorted(has.sfx.items())), milestones=tuple(sorted(has.milestones)), asides=()
    )
    return CORTEX.give(character, fresh)


@given(characters())
def test_a_character_of_ours_comes_back_as_they_went(character: Character) -> None:
    written = toolkit_writer.write(character, FRESH)
    assert list(toolkit_files.VALID.iter_errors(written)) == []
    assert ordered(toolkit_reader.read(one(written)).character) == ordered(character)


@given(toolkit_files.FILES, characters())
def test_what_was_changed_here_is_changed_in_the_file(given: Any, now: Character) -> None:
    read = toolkit_reader.read(one(given)).character
    changed = CORTEX.give(now, replace(CORTEX.has(now), origin=CORTEX.has(read).origin))
    written = toolkit_writer.write(changed, FRESH)
    assert list(toolkit_files.VALID.iter_errors(written)) == []
    again = toolkit_reader.read(one(written)).character
    assert ordered(replace(again, portrait="")) == ordered(replace(changed, portrait=""))
    assert (written["id"], written["custom"].get("cortexToolkit")) == (
        given["id"],
        given["custom"].get("cortexToolkit"),
    )


def test_a_set_is_taken_by_its_style_its_noun_and_its_name_and_by_the_tables_own_words() -> None:
    table = Table(settings=Settings(words={Term.STRESS: Wording("Strain", "Strains", "Strain")}))
    said = {
        "style": {"name": "Things", "style": "assets"},
        "noun": {"name": "What I am", "noun": "Distinction"},
        "name": {"name": "RESOURCES"},
        "own": {"name": "strain"},
        "none": {"name": "Skills", "style": "two-columns-compact"},
    }
    sets = one(file(*({"traits": [], **each} for each in said.values())))["traitSets"]
    found = [taken_as(each, table) for each in sets]
    assert found == [
        TraitSetUse.ASSETS,
        TraitSetUse.DISTINCTIONS,
        TraitSetUse.RESOURCES,
        TraitSetUse.STRESS,
        TraitSetUse.TRAITS,
    ]
    assert all(taken_as({**sets[4], "name": each.name}) is how for how, each in TAKEN.items() if each.name)


def test_one_name_in_several_sets_has_its_set_behind_it_and_goes_back_bare() -> None:
    given = file(*(a_set(each, {"name": "Duty", "value": 8}) for each in ("Values", "Roles", "Skills")))
    read = toolkit_reader.read(one(given))
    labels = [each.label for each in CORTEX.has(read.character).sheet.values()]
    assert labels == read.renamed == ["Duty (Values)", "Duty (Roles)", "Duty (Skills)"]
    written = toolkit_writer.write(read.character, FRESH)
    assert [each["traits"][0]["name"] for each in written["traitSets"]] == ["Duty"] * 3


@pytest.mark.parametrize(
    ("value", "die"),
    [(8, 8), ("d8", 8), ("8", 8), ("12", 12), ("1d10", 10), (20, 12), (7, 6), (2, 4), (100, 12), (8.0, 8)],
)
def test_a_size_that_the_table_lacks_is_the_nearest_smaller_one(value: object, die: int) -> None:
    assert own(a_set("Skills", {"name": "Fight", "value": value})).sheet["fight"].die == die


@pytest.mark.parametrize(
    ("name", "here"),
    [("8", "Somebody 8"), ("doom", "doom 1"), ("d8", "Somebody d8"), ("GM", "GM 1"), ("", "Somebody")],
)
def test_who_is_called_as_dice_or_doom_comes_by_another_name_and_goes_back_as_it(
    name: str, here: str
) -> None:
    read = toolkit_reader.read(one(file(name=name))).character
    assert read.name == here
    assert toolkit_writer.write(read, FRESH)["name"] == name


def test_what_has_no_die_stands_beside_the_traits() -> None:
    has = own(a_set("Talents", {"name": "Quick", "value": 0, "description": "on ice"}, {"name": "Tall"}))
    assert not has.sheet
    assert [(each.set, each.label, each.note) for each in has.asides] == [
        ("Talents", "Quick", "on ice"),
        ("Talents", "Tall", ""),
    ]


def test_a_trait_has_its_dice_parts_statement_and_counter() -> None:
    parts = [{"name": "Knives", "value": 6}]
    duty = {"name": "Duty", "value": 8, "description": "I serve", "questioned": True, "counter": 3}
    has = own(
        a_set("Values", duty),
        a_set("Crew", {"name": "Gang", "dice": [6, 8, 6], "traits": parts}),
    )
    assert has.sheet["duty"] == Trait(
        "Duty", 8, set="Values", statement="I serve", note="questioned; count 3"
    )
    assert has.sheet["gang"] == Trait("Gang", 8, set="Crew", more=(6, 6))
    assert has.sheet["knives"] == Trait("Knives", 6, set="Crew", part_of="Gang")


@pytest.mark.parametrize(
    ("said", "benefit", "cost"),
    [
        ("Spend a PP to reroll a die.", ("reroll",), ("1 PP",)),
        ("double Mind, for 1 PP", ("double Mind",), ("1 PP",)),
        ("Talk, and nobody leaves", ('"Talk, and nobody leaves"',), ()),
        ("", ('"Focus"',), ()),
    ],
)
def test_an_sfx_that_reads_as_ours_is_data_and_any_other_is_words(
    said: str, benefit: tuple[str, ...], cost: tuple[str, ...]
) -> None:
    mind = {"name": "Mind", "value": 8, "sfx": ["hinder", {"name": "Focus", "description": said}]}
    has = own(a_set("Attributes", mind))
    assert has.sfx == {"focus": Sfx("Focus", benefit, cost, trait="Mind")}


def test_milestones_and_xp_are_the_sheets_own() -> None:
    sets = (
        a_set("Milestones", {"name": "Find the map", "description": "1 XP; often"}),
        a_set("XP", {"name": "Total", "xp": 7}, {"name": "More", "counter": "2"}),
    )
    read = toolkit_reader.read(one(file(*sets))).character
    assert (CORTEX.has(read).milestones, read.xp) == (("Find the map: 1 XP, often",), 9)


def test_a_counter_that_was_changed_in_the_note_is_changed_in_the_file() -> None:
    fight = {"name": "Fight", "value": 8, "xp": 2, "description": "keen"}
    read = toolkit_reader.read(one(file(a_set("Badges", fight, counterLabel="Uses")))).character
    has = CORTEX.has(read)
    assert has.sheet["fight"].note == "Uses 2; keen"
    fresh = {"fight": replace(has.sheet["fight"], note="Uses 3; keen")}
    (written,) = toolkit_writer.write(CORTEX.give(read, replace(has, sheet=fresh)), FRESH)["traitSets"]
    assert (written["traits"][0]["xp"], written["traits"][0]["description"]) == (3, "keen")


def test_a_part_whose_trait_goes_stands_by_itself() -> None:
    parts = [{"name": "Knives", "value": 6}]
    read = toolkit_reader.read(
        one(file(a_set("Skills", {"name": "Fight", "value": 8, "traits": parts})))
    ).character
    has = CORTEX.has(read)
    left = {"knives": replace(has.sheet["knives"], part_of="")}
    (written,) = toolkit_writer.write(CORTEX.give(read, replace(has, sheet=left)), FRESH)["traitSets"]
    assert [each["name"] for each in written["traits"]] == ["Knives"]


def test_what_has_no_place_is_kept_by_its_name() -> None:
    form = one(
        file(a_set("Skills", {"name": "Fight", "value": "d8", "colour": "red"}, style="default"), pets=2)
    )
    assert list(toolkit_writer.names_kept(form)) == ["pets", "style", "value", "colour"]
    assert form["custom"]["doomkeeper"] == {"pets": 2}


def test_long_notes_are_kept_whole_and_shown_cut() -> None:
    read = toolkit_reader.read(one(file(notes="<p>" + "long " * 1000 + "</p>")))
    assert read.is_cut
    assert len(read.character.notes) <= sheet.MOST_NOTES
    assert toolkit_writer.write(read.character, FRESH)["notes"] == "<p>" + "long " * 1000 + "</p>"


@pytest.mark.parametrize(
    ("given", "kind", "why"),
    [
        (file(version="1.0"), NotAllowed, r'has version "1\.0'),
        (file(version=2), NotAllowed, 'has version "2'),
        (file(a_set("Skills", {"name": "Fight", "value": 101})), Unreadable, "has the size"),
        (file(a_set("Skills", {"name": "Fight", "dice": [6, 1e9]})), Unreadable, "has the size"),
        (file(*[a_set("Skills", *[{"name": "x"}] * 500)] * 10), NotAllowed, "5,000 traits; the limit"),
        (
            file(*[a_set("A")] * 900),
            NotAllowed,
            r"900 trait sets, traits and SFX; the limit is 800\. Remove some, then send the file",
        ),
        (file(a_set("A", {"sfx": [{"name": "x"}] * 900})), NotAllowed, "902 trait sets, traits and SFX"),
        ([file()] * 1000, NotAllowed, "1,000 characters; the limit"),
    ],
)
def test_what_is_too_much_or_too_new_is_refused(given: Any, kind: type[RuleError], why: str) -> None:
    with pytest.raises(kind, match=why):
        toolkit_form.read(given)


@pytest.mark.parametrize("number", [1, 300, 799])
def test_what_has_no_room_on_a_sheet_has_room_beside_it(number: int) -> None:
    effects = [{"name": f"s{at}"} for at in range(799 - number)]
    traits: list[dict[str, Any]] = [{"name": f"t{at}"} for at in range(number)]
    traits[0]["sfx"] = effects
    check(
        toolkit_reader.read(one(file(a_set("Talents", *traits), description="tall"))).character, "character"
    )


def test_a_blank_is_told_from_a_sheet() -> None:
    assert toolkit_form.is_blank(file(isTemplate=True))
    assert toolkit_form.is_blank({"id": "t", "character": file()})
    assert not toolkit_form.is_blank(file())
    assert not toolkit_form.is_sheet({"doomkeeper": "character", "traitSets": []})
    assert not toolkit_form.is_sheet([])


def test_a_file_that_goes_along_names_nobody_who_is_forgotten() -> None:
    kept = CORTEX.has(
        toolkit_reader.read(one(file(notes='by "Rob" & co', custom={"by": ["Rob"]}))).character
    ).origin
    assert kept is not None
    left = model.forgotten_origin(kept, Erasure(5, frozenset({"Rob"}), frozenset({"Rob"})))
    assert "Rob" not in left.file
    assert toolkit_reader.of_origin(left).form["custom"] == {"by": ["Somebody"]}


def test_of_what_we_keep_in_a_file_only_texts_are_lines() -> None:
    lies = {"pools": [["Fly: d8"], {"Swim: d8": 1}, 5, None, "Run: d8"], "lines": [["Coordination 3d"], 5]}
    held = own(a_set("Skills"), custom={"doomkeeper": lies})
    assert [each.name for each in held.kept.values()] == ["Run"]
