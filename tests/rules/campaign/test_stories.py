"""Ready stories, as rules: a campaign that begins with settings, words and people whom nobody plays."""

import pytest

from bot.services.files import stories
from rules.campaign import lifecycle
from rules.campaign.lifecycle import Story, found_campaign
from rules.cortex import sfx, sheet
from rules.cortex.kinds import ON_SHEET
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import PROFILES
from rules.cortex.sfx import Act
from rules.errors import NotAllowed
from rules.names import key
from rules.ore import sheet as ore_sheet
from rules.ore.model import ORE
from rules.table import Table
from rules.values import replace
from tests.rules.people import GRETA

STORIES = tuple(stories().values())
ONE_ROLL = tuple(each for each in STORIES if each.ruleset == "one-roll")
each_story = pytest.mark.parametrize("story", STORIES, ids=[story.kind for story in STORIES])


def begun(story: Story) -> Table:
    return found_campaign(Table(), GRETA, "", story).table


@each_story
def test_a_story_has_its_title_its_settings_and_three_characters_whom_nobody_plays(story: Story) -> None:
    table = begun(story)
    assert table.name == story.title
    assert table.gms == {1: "Greta"}
    for name, typed in story.settings.items():
        held = lifecycle.settings()[name]
        assert held.of(table) == held.of(held.put(table, held.read(typed))), name
        assert lifecycle.setting_value(Table(), name) != lifecycle.setting_value(table, name), name
    assert [each.name for each in table.characters.values()] == list(story.characters)
    assert len(table.characters) == 3
    assert all(not each.player and not each.owner and not each.gmc for each in table.characters.values())


@each_story
def test_each_sheet_is_as_it_was_written_and_fits_the_table(story: Story) -> None:
    table = begun(story)
    rules = CORTEX.of(table).ruleset
    for name, text in story.characters.items() if story.ruleset == "one-roll" else ():
        character = table.characters[key(name)]
        assert ore_sheet.write_sheet(ore_sheet.of(character)) == text
        assert character.pronouns
        assert character.notes
        ratings = ORE.has(character).ratings
        assert len(ratings) >= 8
        assert {each.set for each in ratings.values()} >= {"Stats", "Skills"}
    for name, text in story.characters.items() if story.ruleset != "one-roll" else ():
        character = table.characters[key(name)]
        lines = sheet.write(sheet.of(character), safe=rules.safe_dice).splitlines()
        assert [line for line in lines if not line.endswith(":")] == text.splitlines()
        assert character.pronouns
        assert character.notes
        assert len(CORTEX.has(character).distinctions) == 3
        sets = {trait.set for trait in CORTEX.has(character).sheet.values()}
        assert sets <= set(rules.trait_sets)
        assert len(CORTEX.has(character).sfx) == 2


@each_story
def test_no_word_of_a_table_is_the_name_of_something_on_a_sheet(story: Story) -> None:
    """`vs:menace` would be asked about each time."""
    table = begun(story)
    own = {
        key(word)
        for wording in table.settings.words.values()
        for word in (wording.one, wording.many, wording.short)
    }
    for character in table.characters.values():
        has = CORTEX.has(character)
        labels = {key(one.label) for kind in ON_SHEET for one in has.traits(kind).values()}
        assert own.isdisjoint({*labels, *has.sfx, *ORE.has(character).ratings})


@each_story
def test_what_is_on_a_sheet_is_typed_by_its_first_letters(story: Story) -> None:
    """Without an article in front, and without a comma that would part it in a pool."""
    for character in begun(story).characters.values():
        has = CORTEX.has(character)
        for name in (*(one.label for one in has.sheet.values()), *(each.name for each in has.sfx.values())):
            assert not name.startswith(("The ", "A ", "An ")), name
            assert "," not in name


@pytest.mark.parametrize("story", ONE_ROLL, ids=lambda each: each.kind)
def test_a_story_for_one_roll_has_nothing_of_cortex(story: Story) -> None:
    table = begun(story)
    assert table.game == ORE.name
    special = [each.dice for who in table.characters.values() for each in ORE.has(who).ratings.values()]
    assert sum(" " in dice for dice in special) >= 3
    for character in table.characters.values():
        assert not any(CORTEX.has(character).traits(kind) for kind in ON_SHEET)
        assert not CORTEX.has(character).sfx
    assert "distinctions:" not in story.opening


@each_story
def test_each_sfx_does_what_the_bot_knows_on_a_trait_that_is_there(story: Story) -> None:
    rules = CORTEX.of(begun(story)).ruleset
    for character in begun(story).characters.values():
        labels = {key(one.label) for kind in ON_SHEET for one in CORTEX.has(character).traits(kind).values()}
        for each in CORTEX.has(character).sfx.values():
            acts = {part.act for part in sfx.parts_of(each)}
            assert Act.WORDS not in acts, each.name
            assert key(each.trait) in labels
            assert each.when
            assert Act.SAFE not in acts or rules.safe_dice
            assert Act.DOOM not in acts or rules.doom


@pytest.mark.parametrize(
    "story", [each for each in STORIES if each not in ONE_ROLL], ids=lambda each: each.kind
)
@pytest.mark.parametrize("ruleset", PROFILES)
def test_a_story_can_be_played_by_any_ruleset_under_any_name(story: Story, ruleset: str) -> None:
    table = found_campaign(Table(), GRETA, "Doom", story, ruleset, is_open=True).table
    assert (table.name, table.gms) == ("Doom", {})
    assert CORTEX.of(table).ruleset.name == ruleset


@each_story
def test_a_ruleset_of_another_game_than_the_storys_is_refused(story: Story) -> None:
    other = "prime" if story in ONE_ROLL else "one-roll"
    with pytest.raises(NotAllowed, match="which is another game"):
        found_campaign(Table(), GRETA, "Doom", story, other)


def test_there_are_eight_kinds_and_two_are_for_one_roll() -> None:
    assert sorted(each.kind for each in STORIES) == [
        "Court intrigue",
        "Fantasy company",
        "Ghost story",
        "Monster hunt",
        "School",
        "Space crew",
        "Street heroes",
        "Supers team",
    ]
    assert [each.kind for each in ONE_ROLL] == ["Fantasy company", "School"]
    assert all(each.told.startswith("One-Roll. ") for each in ONE_ROLL)
    assert len({each.title for each in STORIES}) == 8


@each_story
def test_what_is_told_fits_a_choice_of_discords(story: Story) -> None:
    assert len(f"{story.kind}: {story.told}") <= 100


def test_without_a_story_a_campaign_begins_as_ever() -> None:
    assert found_campaign(Table(), GRETA, "Doom", None, "heroic") == lifecycle.found(
        Table(), GRETA, "Doom", "heroic"
    )


def test_a_story_of_nothing_but_a_title_is_one() -> None:
    bare = replace(STORIES[0], settings={}, characters={}, ruleset="", scenes=())
    assert found_campaign(Table(), GRETA, "Doom", bare) == lifecycle.found(Table(), GRETA, "Doom")
