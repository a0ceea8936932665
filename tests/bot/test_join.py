"""`Join`, end to end: who is free, somebody new, and the private card that follows."""

import pytest

from bot.loopback.model import Message
from bot.loopback.people import Person
from bot.loopback.reply import BotReply, buttons_of
from rules.cortex.model import CORTEX
from rules.names import key
from tests.bot.test_buttons import seen
from tests.game import Game


async def told(game: Game, joined: BotReply) -> Message:
    """The private card that follows the answer to `Join`."""
    await game.rest()
    (card,) = joined.more
    assert card.is_private
    return card


async def new_form(person: Person, on: BotReply) -> BotReply:
    """What comes of the form for a new character, sent as it was opened."""
    form = (await person.press(on, "Join")).form
    assert form is not None
    assert [field.label for field in form.inputs()] == ["Name", "Sheet", "Sheet file"]
    return await person.submit(form, {"Name": "Nova"})


async def test_a_new_player_sends_the_example_and_is_told_what_to_do(game: Game) -> None:
    joined = await new_form(game.alice, await game.play("gm: /campaign new name:Skyfall ruleset:adept"))
    assert joined.text.startswith("Nova is played by alice")
    card = await told(game, joined)
    assert card.text == "### You play Nova\nBest at: Mind d10, Talk d10, Body d8"
    assert [button.label for button in buttons_of(card)] == ["Roll", "My sheet", "How this works"]
    assert CORTEX.has((await seen(game))[1].characters["nova"]).sheet["mind"].die == 10
    assert (await game.alice.press(card, "My sheet")).text.startswith("Nova")


async def test_the_introduction_has_three_pages_and_is_skipped_for_ever(game: Game) -> None:
    new = await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    card = await told(game, await new_form(game.alice, new))
    page = await game.alice.press(card, "How this works")
    assert page.private
    assert page.text.startswith("How to roll\n")
    page = await game.alice.press(page, "Next")
    assert page.updated
    assert page.text.startswith("Hitches and plot points\n")
    page = await game.alice.press(page, "Next")
    assert page.text.startswith("Mistakes and help\n")
    assert [button.label for button in page.buttons] == ["I know"]
    await game.restart()
    assert (await game.alice.press(page, "I know")).text.startswith("You won't be asked again.")
    form = (await game.alice.press(new, "Join")).form
    assert form is not None
    asked = await game.alice.submit(form, {"Name": "Bolt", "Sheet": ""})
    card = await told(game, await game.alice.press(asked, "Play Bolt"))
    assert [button.label for button in buttons_of(card)] == ["Roll", "My sheet"]


async def test_one_of_a_story_is_chosen_and_shown_with_the_best_traits(game: Game) -> None:
    new = await game.play("gm: /campaign new story:Monster hunt")
    choosing = await game.alice.press(new, "Join")
    assert choosing.private
    assert choosing.text == "Choose your character"
    (menu,) = choosing.menus
    assert len(menu.options) == 3
    joined = await game.alice.choose(choosing, "Choose a character", ["Sister Halda"])
    assert joined.text.startswith("Sister Halda is played by alice")
    card = await told(game, joined)
    assert "Best at: Mind d10, Lore d10, " in card.text
    again = await game.bob.press(new, "Join")
    assert len(again.menus[0].options) == 2
    assert (await game.bob.press(again, "Somebody new")).form is not None


async def test_whoever_plays_somebody_is_asked_first_and_then_plays_the_other(game: Game) -> None:
    new = await game.play("gm: /campaign new story:Monster hunt")
    choosing = await game.alice.press(new, "Join")
    await game.alice.choose(choosing, "Choose a character", ["Sister Halda"])
    other = (await game.alice.press(new, "Join")).menus[0].options[0].label
    asked = await game.alice.choose(await game.alice.press(new, "Join"), "Choose a character", [other])
    assert asked.text.startswith("You play Sister Halda.")
    assert (await game.alice.press(asked, f"Play {other}")).text.startswith(f"{other} is played by alice")


async def test_of_two_who_choose_the_same_character_one_is_refused(game: Game) -> None:
    new = await game.play("gm: /campaign new name:Skyfall")
    await game.play("gm: /pp give who:Ada", "gm: /pp give who:Zoe")
    one, other = await game.alice.press(new, "Join"), await game.bob.press(new, "Join")
    await game.alice.choose(one, "Choose a character", ["Ada"])
    late = await game.bob.choose(other, "Choose a character", ["Ada"])
    assert late.private
    assert late.text == "alice already plays Ada. Free to play: Zoe."


async def test_an_empty_sheet_is_said_to_be_empty(game: Game) -> None:
    new = await game.play("gm: /campaign new name:Skyfall")
    await game.play("gm: /pp give who:Ada")
    joined = await game.alice.choose(await game.alice.press(new, "Join"), "Choose a character", ["Ada"])
    assert "Your sheet is empty. To fill it in, press My sheet, then Edit." in (await told(game, joined)).text


async def test_what_is_known_is_told_exported_and_deleted(game: Game) -> None:
    card = await told(game, await new_form(game.alice, await game.play("gm: /campaign new name:Skyfall")))
    page = await game.alice.press(await game.alice.press(card, "How this works"), "I know")
    assert page.updated
    assert (
        "You've seen the introduction, so it isn't offered again."
        in (await game.says("alice: /privacy show")).text
    )
    await game.forget(game.alice)
    assert not await game.ledger.introductions.knows(game.alice.id)


@pytest.mark.parametrize(
    ("effect", "line"),
    [
        ("", "Two dice make your total. A third one is your effect: only its size counts."),
        ("none", "The two best dice make your total."),
        ("all dice", "All your dice together make your total."),
        ("rolled again", "The two best dice make your total. Then you roll for the effect."),
    ],
)
async def test_the_introduction_says_how_this_table_counts(game: Game, effect: str, line: str) -> None:
    new = await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    if effect:
        await game.play(f"gm: /campaign set setting:effect value:{effect}")
    await game.play("gm: /campaign set setting:hitch on value:1-2")
    page = await game.alice.press(await told(game, await new_form(game.alice, new)), "How this works")
    assert line in page.text.splitlines()
    assert ("other ways to keep your dice" in page.text) is (effect != "all dice")
    page = await game.alice.press(page, "Next")
    assert page.text.splitlines()[1] == "A die that shows 1 or 2 is a hitch. You can't keep it."


async def test_the_introduction_is_not_offered_again_after_its_last_page(game: Game) -> None:
    new = await game.play("gm: /campaign new name:Skyfall")
    page = await game.alice.press(await told(game, await new_form(game.alice, new)), "How this works")
    assert not await game.ledger.introductions.knows(game.alice.id)
    await game.alice.press(await game.alice.press(page, "Next"), "Next")
    assert await game.ledger.introductions.knows(game.alice.id)


async def test_a_character_of_one_roll_has_a_sheet_and_is_not_taught_cortex(game: Game) -> None:
    new = await game.play("gm: /campaign new story:Fantasy company")
    card = await told(game, await game.alice.choose(new, "Choose a character", ["Tam Sedge"]))
    assert card.text == "### You play Tam Sedge\nBest at: Sorcery 2d 1h, Learning 4d, Watch 3d"
    assert [button.label for button in buttons_of(card)] == ["Roll", "My sheet", "How this works"]


async def test_joining_by_name_in_the_campaigns_own_channel_offers_a_seat(game: Game) -> None:
    await game.play("gm: /campaign new name:Sky")
    for name in ("Sky", "sky", " SKY "):
        offered = await game.says(f"bob: /campaign join name:{name}")
        assert offered.private
        assert offered.text == "Sky is already played in this channel. To take a character, press Join."
    assert (await game.bob.press(offered, "Join")).form is not None
    assert (await game.play("gm: /campaign join name:Sky")).text == "Sky is played in this channel"
    side = game.discord.channel("side")
    refused = await game.bob.slash("/campaign join name:Sky", channel=side)
    assert refused.text.startswith("Only the GM can bring this campaign to a channel.")


HALDA, GARRICK, WREN = "Sister Halda", "Garrick Thorn", "Wren of the Reeds"


async def points(game: Game) -> list[int]:
    """The PP of the story's three heroes."""
    characters = (await seen(game))[1].characters
    return [CORTEX.has(characters[key(who)]).pp for who in (HALDA, GARRICK, WREN)]


async def test_a_storys_hero_counts_nowhere_until_somebody_takes_them(game: Game) -> None:
    new = await game.play("gm: /campaign new story:Monster hunt")
    await game.play("gm: /session start")
    assert await points(game) == [0, 0, 0]
    assert "no characters in play yet" in (await game.says("gm: /pp give who:all")).text
    await game.play(f"alice: /character play name:{HALDA}")
    await game.bob.choose(await game.bob.press(new, "Join"), "Choose a character", [GARRICK])
    assert await points(game) == [1, 1, 0]
    await game.play("gm: /session end")
    begun = await game.play("gm: /session start")
    await game.says("gm: /table pin")
    pinned = next(each.text for each in game.discord.table.pins())
    for text in (begun.text, pinned, (await game.says("gm: /pp show")).text):
        assert f"{WREN}: 0" not in text
        assert f"{WREN}: 1" not in text
    assert f"Ready to play: {WREN}" in pinned
    assert WREN not in (await game.play("gm: /pp give who:all")).text
    assert await points(game) == [2, 2, 0]
    game.dice.show((1, 6))
    rolled = await game.play("gm: /roll dice:2d6 vs:5")
    form = (await game.alice.press(rolled, "Opportunities: 1")).form
    assert form is not None
    labels = str(form.field("What").options)
    assert "Iron lantern" in labels
    assert "Flat boat" not in labels


USES = {
    "played": (f"carol: /character play name:{WREN}", 1),
    "given": (f"gm: /character give name:{WREN} player:@carol", 1),
    "rolled by the GM": (f"gm: /roll dice:2d6 who:{WREN}", 1),
    "hurt": (f"gm: /comp add what:Mud who:{WREN}", 1),
    "given PP": (f"gm: /pp give who:{WREN} number:2", 2),
    "given XP": (f"gm: /xp give who:{WREN}", 1),
}
"""How a story's hero comes into play, also at a table of one phone, and with how many PP."""


@pytest.mark.parametrize("use", USES)
async def test_a_storys_hero_gets_the_first_pp_once(game: Game, use: str) -> None:
    line, pp = USES[use]
    game.person("carol")
    await game.play("gm: /campaign new story:Monster hunt", "gm: /session start")
    assert f"{WREN}: {pp} PP" in (await game.play(line)).text
    assert await points(game) == [0, 0, pp]
    await game.play("gm: /undo")
    assert await points(game) == [0, 0, 0]
    await game.play(line, f"gm: /pp set who:{WREN} number:0")
    await game.says("carol: /campaign leave")
    await game.play(f"carol: /character play name:{WREN}")
    assert await points(game) == [0, 0, 0]
    await game.says("carol: /campaign leave")
    await game.play("gm: /session end", "gm: /session start")
    assert await points(game) == [0, 0, 1]
    assert f"{WREN}: 1 PP" in (await game.says("gm: /pp show")).text


async def test_a_hero_taken_between_sessions_gets_the_first_pp_with_the_others(game: Game) -> None:
    await game.play("gm: /campaign new story:Monster hunt", f"carol: /character play name:{WREN}")
    assert await points(game) == [0, 0, 0]
    await game.play("gm: /session start")
    assert await points(game) == [0, 0, 1]


async def test_characters_without_players_at_a_table_of_one_phone_count_as_ever(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall", "gm: /pp give who:Ada", "gm: /session start")
    await game.play("gm: /pp give who:all")
    assert "Ada: 2 PP" in (await game.says("gm: /pp show")).text
    assert "Ada: 2 PP" in (await game.says("gm: /table show")).text
