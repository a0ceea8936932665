"""The bot of a person: used where it is not on the server, with nothing there but their own dice."""

import re
import sqlite3
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.client.access import person_link, server_link
from bot.guide import FOLDER, HOST
from bot.loopback.model import Channel, Overwrite, Permission
from bot.loopback.people import Person
from bot.services.play import NEEDS_SERVER
from bot.store.maintenance import maintain
from bot.store.retention import usage
from tests.bot.test_buttons import is_refused
from tests.clock import START
from tests.game import Game

NEEDS = str(NEEDS_SERVER)
FOR_PEOPLE = {"roll", "odds", "ore", "pool", "help", "about", "privacy", "Roll this"}
PLACES = ("home", "thread", "talk", "elsewhere", "group")
ALONE = ("/odds dice:2d6", "/help", "/about", "/privacy show")
LINES = (*ALONE, "/roll dice:2d6 d8", "/ore roll dice:5d")


def place(game: Game, name: str, who: Person) -> Channel:
    """A place of each kind; in the last two there is no bot."""
    if name == "home":
        return game.discord.table
    if name == "thread":
        return game.discord.thread("side")
    if name == "talk":
        return game.discord.dm(who)
    return game.discord.elsewhere() if name == "elsewhere" else friends(game)


def friends(game: Game) -> Channel:
    """A group of Alice and Bob, without the bot."""
    return game.discord.group("friends", game.alice, game.bob)


@pytest.fixture
def alice(game: Game) -> Person:
    """Alice, who has the bot for herself."""
    game.discord.install(game.alice)
    return game.alice


async def test_each_place_offers_what_works_there(game: Game, subtests: pytest.Subtests) -> None:
    for installs, name in product((False, True), PLACES):
        with subtests.test(name=name, installs=installs):
            if installs:
                game.discord.install(game.alice)
            offered = {command["name"] for command in game.alice.offered(place(game, name, game.alice))}
            is_there = name in ("home", "thread", "talk")
            assert (offered >= FOR_PEOPLE) == (is_there or installs)
            assert ("campaign" in offered) == is_there
            assert is_there or offered == (FOR_PEOPLE if installs else set())


async def test_what_is_offered_works_in_each_place(
    game: Game, alice: Person, subtests: pytest.Subtests
) -> None:
    for line, name in product(LINES, PLACES):
        with subtests.test(line=line, name=name):
            reply = await alice.slash(line, channel=place(game, name, alice))
            assert reply.failed is None
            assert "Something went wrong" not in reply.text
            assert NEEDS not in reply.text
            assert reply.private == (line in ALONE)


@pytest.mark.parametrize("may", [True, False])
async def test_a_server_may_show_answers_to_their_caller_alone(game: Game, alice: Person, may: bool) -> None:
    there = game.discord.elsewhere()
    if not may:
        game.discord.allow(there, alice, Overwrite(deny=Permission.USE_EXTERNAL_APPS))
    game.dice.show((6, 6, 7))
    rolled = await alice.slash("/roll dice:2d6 d8", channel=there)
    assert rolled.private == (not may)
    assert rolled.text.startswith("alice: Total 13")
    pressed = await alice.press(rolled, "Total")
    assert pressed.updated
    assert pressed.text.startswith("alice: Total 12")


async def test_only_presses_change_a_message(game: Game, alice: Person) -> None:
    there = friends(game)
    first = await alice.slash("/roll dice:2d6 d8", channel=there)
    before = first.text
    game.dice.show((2, 2, 3))
    await alice.slash("/roll dice:2d6 d8", channel=there)
    await game.bot.shown.later.flush()
    assert first.text == before
    pressed = await alice.press(first, "Reroll")
    assert (await alice.submit(pressed.form)).updated
    assert "rerolled" in first.text
    with closing(sqlite3.connect(game.file)) as database:
        assert not database.execute("SELECT * FROM shown").fetchall()
    assert not game.discord.violations


async def test_what_a_roll_was_for_is_said_by_who_rolled_it(game: Game, alice: Person) -> None:
    rolled = await alice.slash("/roll dice:2d6 d8", channel=friends(game))
    assert is_refused(await game.bob.press(rolled, "What was it?"))
    form = (await alice.press(rolled, "What was it?")).form
    assert form is not None
    assert "Force the door" in (await alice.submit(form, {"What the roll was for": "Force the door"})).text


async def test_last_and_saved_pools_go_with_the_person(game: Game, alice: Person) -> None:
    group, elsewhere = friends(game), game.discord.elsewhere()
    await alice.slash("/roll dice:Strong d10, d6", channel=group)
    saved = await alice.slash("/pool save name:Fly", channel=elsewhere)
    assert "new character" not in saved.text
    for line in ("/roll dice:last", "/roll dice:Fly"):
        assert "Strong d10" in (await alice.slash(line, channel=elsewhere)).text
    suggested = await alice.complete("/roll dice:F", channel=group)
    assert "Fly" in suggested[0].name
    shown = await alice.slash("/privacy show", channel=group)
    assert "Your own dice: saved pools: Fly, 4 steps as alice" in shown.text
    game.discord.install(game.bob)
    assert is_refused(await game.bob.slash("/roll dice:Fly", channel=group))
    assert is_refused(await alice.slash("/roll dice:last"))  # the server's table is another one


async def test_a_saved_pool_leaves_the_dice_as_they_were(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    for line in ("/pool save name:Fly dice:2d6 d10", "/pool save name:Fly remove:True"):
        assert not is_refused(await alice.slash(line, channel=there))
        game.dice.show((6, 6, 7))
        rolled = await alice.slash("/roll dice:2d6 d10", channel=there)
        assert "Apply" not in [button.label for button in rolled.buttons]
        assert "Reroll" in [button.label for button in rolled.buttons]


async def test_named_pools_and_the_builder_work(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    await alice.slash("/roll dice:2d6", channel=there)
    assert not is_refused(await alice.slash("/pool add dice:2d6 name:Pot", channel=there))
    assert "Pot" in (await alice.slash("/pool roll", channel=there)).text
    built = await alice.slash("/pool build", channel=there)
    chosen = await alice.choose(built, "Traits and dice", ["d10"])
    assert not is_refused(chosen)
    assert (await alice.press(built, "Roll")).text.startswith("alice: Total")


async def test_what_needs_a_table_says_so_with_its_link(
    game: Game, alice: Person, subtests: pytest.Subtests
) -> None:
    for line in (
        "/roll dice:2d6 vs:doom",
        "/roll dice:2d6 hidden:true",
        "/roll dice:from doom d8",
        "/pool add name:Pot dice:from doom d8",
        "/pool save name:x who:Bob dice:d6",
    ):
        with subtests.test(line=line):
            refused = await alice.slash(line, channel=game.discord.elsewhere())
            assert is_refused(refused)
            assert NEEDS in refused.text
            assert not re.search(r"/(?:doom|campaign|gmc)", refused.text)
            assert refused.buttons[-1].url == server_link(game.bot.application_id or 0)


async def test_a_bot_that_is_not_public_offers_itself_to_nobody(
    game: Game, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert game.bot.application is not None
    monkeypatch.setattr(game.bot.application, "bot_public", False)
    there = friends(game)
    rolled = await alice.slash("/roll dice:2d6", channel=there)
    shown = [await alice.slash(line, channel=there) for line in ("/about", "/help", "/roll dice:d6 vs:doom")]
    shown.append(await game.bob.press(rolled, "Reroll"))
    assert is_refused(shown[-1])
    assert [button.label for each in shown for button in each.buttons if "Add" in button.label] == []


async def test_what_was_typed_is_no_reason_for_the_link(game: Game, alice: Person) -> None:
    for typed in ("table", "character d8x", "/doom"):
        refused = await alice.slash(f"/roll dice:{typed}", channel=game.discord.elsewhere())
        assert is_refused(refused)
        assert NEEDS not in refused.text, typed


async def test_a_distinction_and_ratings_need_a_table(game: Game, alice: Person) -> None:
    for line in ("/roll dice:d6 hinder:Foo", "/ore roll dice:Body + Fight"):
        assert NEEDS in (await alice.slash(line, channel=game.discord.elsewhere())).text, line


async def test_building_before_a_first_roll_says_when_it_works(game: Game, alice: Person) -> None:
    refused = await alice.slash("/pool build", channel=game.discord.elsewhere())
    assert is_refused(refused)
    assert "you can build" in refused.text
    assert NEEDS not in refused.text


async def test_others_get_no_form_of_a_shared_pool(game: Game, alice: Person) -> None:
    there = friends(game)
    await alice.slash("/roll dice:2d6", channel=there)
    built = await alice.slash("/pool build", channel=there)
    await alice.choose(built, "Traits and dice", ["d10"])
    shared = await alice.press(built, "Share")
    for button in shared.buttons:
        refused = await game.bob.press(shared, button.label)
        assert is_refused(refused), button.label
        assert refused.buttons[-1].url == person_link(game.bot.application_id or 0)


async def test_help_about_others_says_what_there_is(game: Game, alice: Person) -> None:
    shown = await alice.slash("/help topic:doom", channel=game.discord.elsewhere())
    assert "Without the bot on the server, only these commands work" in shown.text
    assert "Everything else needs" not in (await alice.slash("/help topic:doom")).text


async def test_what_works_there_is_refused_without_the_link(game: Game, alice: Person) -> None:
    refused = await alice.slash("/roll dice:2d7", channel=game.discord.elsewhere())
    assert is_refused(refused)
    assert NEEDS not in refused.text
    assert not refused.buttons


async def test_where_the_bot_is_too_the_server_counts(game: Game, alice: Person) -> None:
    await game.table()
    rolled = await alice.slash("/roll dice:2d6 d8")
    assert rolled.text.startswith("Alice:")
    assert "/campaign" not in rolled.text
    assert "Your own dice" not in (await alice.slash("/privacy show")).text
    talk = game.discord.dm(alice)
    await alice.slash("/campaign new name:Alone", channel=talk)
    assert "Alone" in (await alice.slash("/privacy show", channel=talk)).text


async def test_others_press_nothing_of_ones_own_dice(game: Game, alice: Person) -> None:
    group = friends(game)
    game.dice.show((6, 6, 7))
    rolled = await alice.slash("/roll dice:2d6 d8", channel=group)
    for button in rolled.buttons:
        refused = await game.bob.press(rolled, button.label)
        sent = await game.bob.submit(refused.form) if refused.form else refused
        assert is_refused(sent), button.label
    assert "nothing about you" in (await game.bob.slash("/privacy show")).text


async def test_whoever_manages_that_server_has_no_more_rights_to_ones_dice(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    game.dice.show((6, 6, 7))
    rolled = await alice.slash("/roll dice:2d6 d8", channel=there)
    assert is_refused(await game.gm.press(rolled, "Total"))


async def test_all_of_it_is_exported_and_goes(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    await alice.slash("/pool save name:Moonraker dice:d8 d6", channel=there)
    await alice.slash("/roll dice:Moonraker", channel=there)
    exported = await alice.slash("/privacy export", channel=there)
    assert exported.message is not None
    assert b"Moonraker" in exported.message.files[0].data
    asked = await alice.slash("/privacy delete", channel=there)
    assert "Your own dice and the pools you saved with them will be deleted, as will your id" in asked.text
    assert "will stay in the log" not in asked.text
    gone = await alice.press(asked, "Delete for ever")
    await game.at_rest()
    assert "being deleted" not in gone.text
    assert "nothing about you" in (await alice.slash("/privacy show", channel=there)).text
    with closing(sqlite3.connect(game.file)) as database:
        dump = "\n".join(database.iterdump())
    assert str(alice.id) not in dump
    assert "Moonraker" not in dump


async def test_own_dice_outlive_a_restart_and_come_twice_once(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    game.dice.show((6, 6, 7), (2, 2, 2))
    rolled = await alice.slash("/roll dice:2d6 d8", channel=there)
    await game.restart()
    assert (await alice.press(rolled, "Total")).updated
    await alice.again(await alice.slash("/roll dice:last", channel=there))
    assert "3 steps" in (await alice.slash("/privacy show", channel=there)).text


async def test_help_and_about_lead_on(game: Game, alice: Person) -> None:
    there, number = game.discord.elsewhere(), game.bot.application_id or 0
    shown = await alice.slash("/help", channel=there)
    assert [button.url for button in shown.buttons] == [server_link(number)]
    assert set(re.findall(r"</?([a-z]+)", shown.text)) <= FOR_PEOPLE
    told = await alice.slash("/about", channel=there)
    assert [button.url for button in told.buttons] == [server_link(number), person_link(number)]


@pytest.mark.parametrize(
    "page", [HOST / "install.md", FOLDER.parents[1] / "README.md"], ids=["guide", "README"]
)
def test_guide_and_readme_have_both_links(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in (server_link, person_link):
        assert link(0).replace("client_id=0", "client_id=ID") in text


async def test_discord_takes_five_messages_more_there(game: Game, alice: Person) -> None:
    rolled = await alice.slash("/roll dice:d6", channel=game.discord.elsewhere())
    async with aiohttp.ClientSession() as session:
        hook = discord.Webhook.partial(
            game.bot.application_id or 0, rolled.interaction.token, session=session
        )
        for _ in range(5):
            await hook.send("more", wait=True)
        with pytest.raises(discord.HTTPException) as refused:
            await hook.send("more", wait=True)
    assert refused.value.code == 40094


async def test_the_bot_can_do_nothing_there_by_itself(
    game: Game, alice: Person, subtests: pytest.Subtests
) -> None:
    for deed in ("write", "read", "pin"):
        with subtests.test(deed=deed):
            rolled = await alice.slash("/roll dice:d6", channel=game.discord.elsewhere())
            assert rolled.message is not None
            there = game.bot.get_partial_messageable(rolled.message.channel.id)
            message = there.get_partial_message(rolled.message.id)
            deeds = {"write": partial(there.send, "Hello"), "read": message.fetch, "pin": message.pin}
            with pytest.raises(discord.Forbidden):
                await deeds[deed]()  # type: ignore[operator]


WRITTEN = "I kick the door (Strong d10 + d6) vs 7"


async def test_roll_this_reads_a_message_and_a_press_rolls_it(
    game: Game, alice: Person, subtests: pytest.Subtests
) -> None:
    for name in PLACES:
        with subtests.test(name=name):
            where = place(game, name, alice)
            author = alice if name == "talk" else game.bob
            read = await alice.menu_command("Roll this", await author.write(WRITTEN, channel=where))
            assert read.private
            assert "Strong d10 + d6 vs 7" in read.text
            assert "kick" not in read.text
            game.dice.show((9, 5))
            rolled = await alice.press(read, "Roll")
            assert rolled.text.startswith("alice, vs ")
            assert "Strong d10: 9" in rolled.text
            assert not rolled.private
            with closing(sqlite3.connect(game.file)) as database:
                assert "kick" not in "\n".join(database.iterdump())


async def test_roll_this_uses_names_of_the_sheet_and_the_table(table: Game) -> None:
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    written = await table.bob.write("I listen (Mind + d8) against d6 and d6")
    read = await table.alice.menu_command("Roll this", written)
    assert "Mind + d8 vs d6, d6" in read.text
    assert "Mind d10" in (await table.alice.press(read, "Roll")).text


async def test_roll_this_says_how_dice_look(game: Game, subtests: pytest.Subtests) -> None:
    for text in ("Hello", "d7", ""):
        with subtests.test(text=text):
            refused = await game.alice.menu_command("Roll this", await game.bob.write(text))
            assert is_refused(refused)
            assert "I kick the door (Strong d10 + d6)" in refused.text


async def test_roll_this_reads_what_people_write_alone(game: Game) -> None:
    rolled = await game.alice.slash("/roll dice:Strong d10, d6")
    refused = await game.bob.menu_command("Roll this", rolled)
    assert is_refused(refused)
    assert "Choose one that a person wrote" in refused.text


async def test_what_was_read_can_be_changed(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    read = await alice.menu_command("Roll this", await alice.write("(Mind + Rope + d6) vs 11", channel=there))
    assert "Left out: Mind, Rope" in read.text
    opened = await alice.press(read, "Change")
    assert opened.form is not None
    assert opened.form.fields[0].default == "d6 vs 11"
    game.dice.show((9, 5))
    rolled = await alice.submit(opened.form, {"Dice": "Mind d10, d6 vs 11"})
    assert rolled.text.startswith("alice, vs ")
    refused = await alice.submit((await alice.press(read, "Change")).form, {"Dice": "d7"})
    assert is_refused(refused)


async def test_what_was_read_asks_and_is_typed_again_like_any_dice(table: Game) -> None:
    await table.play(
        "alice: /character set trait:Mind die:d10 trait_set:Attributes",
        "alice: /character set trait:Body die:d8 trait_set:Attributes",
    )
    read = await table.alice.menu_command("Roll this", await table.bob.write("Mind Body d6"))
    asked = await table.alice.press(read, "Roll")
    assert "Body is d8 here" in asked.text
    rolled = await table.alice.press(asked, "Roll Mind d10 + Body d6")
    assert "Total" in rolled.text
    assert not rolled.private
    opened = await table.alice.press(read, "Change")
    refused = await table.alice.submit(opened.form, {"Dice": "d20"})
    assert is_refused(refused)
    again = (await table.alice.press(refused, "Try again")).form
    assert again is not None
    assert again.fields[0].default == "d20"
    assert "Total" in (await table.alice.submit(again, {"Dice": "d10, d6"})).text


async def test_a_pool_alone_means_what_it_means_in_roll(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    for typed, faces, said in (
        ("speed d8x2 + d6 k3 tn 12", (8, 7, 3), "Alice, vs 12: heroic success by 6"),
        ("Mind", (9,), "Total: Mind d10: 9"),
        ("**mind** d10, two d6 >= 12", (9, 3, 1), "Against 12 or more"),
        ("Here goes!\nd8 senses d10\nWish me luck", (5, 6), "senses d10"),
    ):
        with subtests.test(typed=typed):
            read = await table.alice.menu_command("Roll this", await table.alice.write(typed))
            assert "Left out" not in read.text
            table.dice.show(faces)
            assert said in (await table.alice.press(read, "Roll")).text
    read = await table.alice.menu_command("Roll this", await table.alice.write("~~d12~~ d10 + 4 d6"))
    asked = await table.alice.press(read, "Roll")
    assert "struck out" in asked.text


async def test_what_was_read_is_rolled_after_a_restart_and_refused_with_reasons(game: Game) -> None:
    read = await game.alice.menu_command("Roll this", await game.bob.write("مرحبا (قوة d10 + d6)"))
    await game.restart()
    game.dice.show((9, 5))
    assert "قوة" in (await game.alice.press(read, "Roll")).text


async def test_roll_this_reads_one_roll_dice_as_well(game: Game) -> None:
    read = await game.alice.menu_command("Roll this", await game.bob.write("I leap the wall (6d 1h)"))
    assert "6d 1h" in read.text
    game.dice.show((5, 5, 1, 2, 3, 4))
    rolled = await game.alice.press(read, "Roll")
    assert rolled.text.startswith("alice: 2×5")


async def test_own_dice_are_no_table_in_play(game: Game, alice: Person) -> None:
    there = game.discord.elsewhere()
    await alice.slash("/roll dice:2d6", channel=there)
    await alice.slash("/pool save name:Fly", channel=there)
    counted = await usage(game.url, START)
    assert (counted.campaigns, counted.rolls_only, counted.people) == (0, 1, 1)


async def test_maintaining_lets_go_of_what_was_rolled_long_ago(game: Game, alice: Person) -> None:
    await alice.slash("/roll dice:2d6", channel=game.discord.elsewhere())
    await game.stop()
    with closing(sqlite3.connect(game.file)) as database, database:
        database.execute("UPDATE entry SET at = '2026-01-01 00:00:00.000000'")
    assert (await maintain(game.url)).expired == 1
    with closing(sqlite3.connect(game.file)) as database:
        assert not database.execute("SELECT * FROM campaign").fetchall()
    await game.start()


@pytest.mark.parametrize("name", PLACES)
async def test_dice_of_the_other_game_are_rolled_in_one_press_anywhere(
    game: Game, alice: Person, name: str
) -> None:
    refused = await alice.slash("/roll dice:5d 1w", place(game, name, alice))
    assert [button.label for button in refused.buttons] == ["Use /ore roll"]
    assert "Dice of 5d 1w: " in (await alice.press(refused, "Use /ore roll")).text
