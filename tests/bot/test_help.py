"""Help leads: the next step for whoever asks, topics by a menu, words of the games and of other bots."""

import sqlite3
import textwrap
from contextlib import closing
from functools import cache

import pytest

from bot.cogs.help import command_card
from bot.language.line import Text, channel, code, command, person, together
from bot.language.printers import harmless, spelled
from bot.local.message import Message
from bot.local.reply import Reply
from bot.local.transcript import plain
from tests.bot.test_buttons import is_refused
from tests.bot.test_every_command import names
from tests.game import Game


def read(game: Game, on: Reply | Message | None) -> str:
    """What a person reads in a message."""
    message = on.message if isinstance(on, Reply) else on
    assert message is not None
    return plain(message.text, game.discord.world)


def phone_lines(text: str) -> int:
    return sum(len(textwrap.wrap(line, 40)) for line in text.splitlines())


async def helped(game: Game, who: str) -> str:
    reply = await game.says(f"{who}: /help")
    assert reply.private
    assert [menu.placeholder for menu in reply.menus] == ["Topics"]
    text = read(game, reply)
    assert phone_lines(text) <= 8, text
    return text


# The next step


async def test_without_a_table_one_rolls_or_begins_one(game: Game) -> None:
    text = await helped(game, "alice")
    assert text.startswith("Next: roll, or start a table\n/roll dice:2d6 d8 vs:11 rolls at once.")
    assert "/campaign new" in text


async def test_where_people_only_rolled_dice_there_is_no_table_yet(game: Game) -> None:
    await game.play("alice: /roll dice:2d6")
    assert "start a table" in await helped(game, "alice")


async def test_a_player_without_a_character_takes_one(table: Game) -> None:
    assert (await helped(table, "carol")).startswith("Next: take a character\nPress Join below.")
    reply = await table.says("carol: /help")
    form = (await table.person("carol").press(reply, "Join")).form
    assert form is not None
    assert form.title == "Join"


async def test_a_player_fills_in_the_sheet_then_rolls(table: Game) -> None:
    assert (await helped(table, "alice")).startswith("Next: fill in your sheet\n/character edit")
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    assert (await helped(table, "alice")).startswith("Next: roll\n/roll")


async def test_a_gm_is_led_from_session_to_scene_to_players_to_rolls(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    assert (await helped(game, "gm")).startswith("Next: start the session\n/session start")
    await game.play("gm: /session start")
    assert (await helped(game, "gm")).startswith("Next: start a scene\n/scene start")
    await game.play("gm: /scene start name:The docks")
    assert (await helped(game, "gm")).startswith("Next: invite the players\n/table pin")
    await game.play("alice: /character new name:Alice")
    assert (await helped(game, "gm")).startswith("Next: call for a roll\n")


async def test_an_open_table_that_somebody_began_is_one(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall open:true")
    assert (await helped(game, "alice")).startswith("Next: take a character\n")
    assert "Want sheets" not in (await game.play("alice: /roll dice:2d6")).text


async def test_at_an_open_table_one_may_become_the_gm(game: Game) -> None:
    await game.play("alice: /character new name:Alice")
    for who in ("alice", "bob"):
        assert "/campaign gm makes you the GM" in await helped(game, who)


# Topics


async def test_a_topic_is_shown_in_place_and_its_sections_are_buttons(table: Game) -> None:
    first = await table.says("alice: /help")
    shown = await table.alice.choose(first, "Topics", ["Hitches and PP"])
    assert shown.message is first.message
    assert read(table, shown).startswith("Hitches\n")
    assert [option.label for option in shown.menus[0].options if option.default] == ["Hitches and PP"]
    shown = await table.alice.press(shown, "Plot points")
    assert shown.message is first.message
    assert read(table, shown).startswith("Plot points\n")


async def test_a_menu_of_help_works_after_a_restart(table: Game) -> None:
    first = await table.says("alice: /help")
    await table.restart()
    assert read(table, await table.alice.choose(first, "Topics", ["Privacy"])).startswith("What is kept\n")


WORDS = {
    "hitch": ("Hitches", "roll"),
    "Hitches": ("Hitches", "roll"),
    "complication": ("Complications", "comp add"),
    "PP": ("Plot points", "pp give"),
    "plot points": ("Plot points", "pp show"),
    "doom": ("The doom pool", "doom add"),
    "/doom": ("The doom pool", "doom add"),
    "taken out": ("Stress and trauma", "comp stayin"),
    "bosses": ("Bosses", "gmc new"),
    "/info": ("Used to another bot", "table show"),
    "pin": ("Used to another bot", "table pin"),
    "/clean": ("Used to another bot", "scene end"),
    "option": ("Used to another bot", "campaign set"),
    "report": ("Used to another bot", "log"),
    "pp add": ("Used to another bot", "pp give"),
    "wiggle dice": ("Special dice", "ore roll"),
    "Dice and names": ("Dice", "roll"),
}


async def test_a_word_is_answered_with_commands_to_press_and_one_example(
    game: Game, subtests: pytest.Subtests
) -> None:
    for topic, (title, name) in WORDS.items():
        with subtests.test(topic=topic):
            reply = await game.says(f"alice: /help topic:{topic}")
            text = read(game, reply)
            assert text.startswith(f"{title}\n")
            assert phone_lines(text) <= 12
            assert text.count("Example: /") == 1
            number = next(c["id"] for c in game.discord.commands if c["name"] == name.split()[0])
            assert reply.message is not None
            assert f"</{name}:{number}>" in reply.message.text


async def test_a_command_tells_its_options_and_a_group_its_commands(game: Game) -> None:
    topic = await game.says("alice: /help topic:roll")
    assert "vs: The opposition: a number" in read(game, await game.alice.press(topic, "All /roll commands"))
    assert read(game, await game.says("alice: /help topic:doom spend")).startswith("/doom spend\n")


async def test_roll_is_the_page_of_the_guide_with_an_example(game: Game) -> None:
    text = read(game, await game.says("alice: /help topic:roll"))
    assert text.startswith("Roll\n")
    assert "Example: /roll dice:" in text


TYPED = (
    *("heal", "wound", "enemy", "monster", "difficulty", "spend", "advantage", "initiative", "d4", "d12"),
    *("damage", "health", "hurt", "foe", "villain", "npc", "bonus", "item", "check", "critical", "fumble"),
    *("level up", "condition", "fate point", "turn order", "roll", "undo", "Heal", "Monsters"),
)
"""What people type who know other games."""


async def test_help_knows_what_people_type(game: Game, subtests: pytest.Subtests) -> None:
    for typed in TYPED:
        with subtests.test(typed=typed):
            reply = await game.says(f"alice: /help topic:{typed}")
            assert reply.private
            assert "There is no help about" not in reply.text


async def test_a_miss_says_what_is_near_and_offers_the_topics(game: Game) -> None:
    reply = await game.says("alice: /help topic:hich")
    assert reply.private
    assert 'There\'s no help on "hich". Did you mean hitch' in read(game, reply)
    assert [menu.placeholder for menu in reply.menus] == ["Topics"]
    shown = await game.alice.choose(reply, "Topics", ["Hitches and PP"])
    assert shown.message is reply.message
    assert read(game, shown).startswith("Hitches\n")


async def test_each_command_tells_what_it_and_its_options_are_for(game: Game) -> None:
    @cache
    def helped(name: str) -> str:
        return "\n".join(command_card(game.bot.registered, name, page).text for page in range(3))

    for group in (each for each in game.discord.commands if each.get("type", 1) == 1):
        assert group["description"] in helped(group["name"])
        for one in group.get("options", ()):
            of = "{} {}".format(group["name"], one["name"]) if one["type"] == 1 else group["name"]
            assert all(each["description"] in helped(of) for each in (one, *one.get("options", ())))


async def test_a_topic_offers_all_of_its_commands(game: Game, subtests: pytest.Subtests) -> None:
    for group in ("doom", "table", "campaign", "roll"):
        with subtests.test(group=group):
            topic = await game.says(f"alice: /help topic:{'against' if group == 'roll' else group}")
            shown = await game.alice.press(topic, f"All /{group} commands")
            assert shown.message is topic.message
            text = read(game, shown)
            (registered,) = (each for each in game.discord.commands if each["name"] == group)
            assert all(f"/{name}: " in text for name in names(registered))


async def test_what_is_no_word_is_refused_with_the_nearest(game: Game, subtests: pytest.Subtests) -> None:
    for topic in ("zzzzz", "hitchs", "rol"):
        with subtests.test(topic=topic):
            refused = await game.says(f"alice: /help topic:{topic}")
            assert is_refused(refused) or "Hitches" in refused.text
            assert len(refused.text) < 300


async def test_topics_are_suggested(game: Game) -> None:
    offered = [choice.name for choice in await game.alice.complete("/help topic:hit")]
    assert offered[:3] == ["Hitches and PP", "hitch", "hitches"]


# Commands to press


async def test_commands_can_be_pressed_after_a_restart_without_registering_them_again(game: Game) -> None:
    puts = game.discord.command_puts
    await game.restart()
    assert game.discord.command_puts == puts
    reply = await game.says("alice: /help")
    assert reply.message is not None
    assert "</campaign new:" in reply.message.text


async def restarted_without_notes(game: Game) -> str:
    """Help of a bot that has registered its commands, but not noted their numbers."""
    await game.stop()
    with closing(sqlite3.connect(game.file)) as file, file:
        file.execute("DELETE FROM note WHERE key LIKE 'numbers:%'")
    game.discord.gateway.ready.clear()
    puts = game.discord.command_puts
    await game.start()
    assert game.discord.command_puts == puts
    reply = await game.says("alice: /help")
    assert reply.message is not None
    return reply.message.text


async def test_numbers_that_were_never_noted_are_fetched(game: Game) -> None:
    assert "</campaign new:" in await restarted_without_notes(game)


async def test_where_the_numbers_are_not_to_be_had_commands_are_text(game: Game) -> None:
    game.discord.faults.fail("GET /applications/*/commands", 403)
    text = await restarted_without_notes(game)
    assert "/campaign new" in text
    assert "</" not in text


# How it is sent


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        (code("/roll dice:2d6 *d8* from_doom"), "`/roll dice:2d6 *d8* from_doom`"),
        (code("a `b` c"), "`a 'b' c`"),
        (together("*typed* ", code("x_y"), " @everyone"), "\\*typed\\* `x_y` \\@everyone"),
        (together(command("doom add", 7), ", ", command("roll")), "</doom add:7>, /roll"),
        (together(person(5), " in ", channel(6), ", not <@7>"), "<@5> in <#6>, not \\<@7>"),
    ],
)
def test_marks_become_markdown_and_what_was_typed_stays_harmless(line: Text, sent: str) -> None:
    assert harmless(line) == sent


def test_marks_are_not_read_aloud() -> None:
    assert (
        spelled(together(command("doom add", 7), ": ", code("/doom add dice:d6")))
        == "/doom add: /doom add dice:d6"
    )
