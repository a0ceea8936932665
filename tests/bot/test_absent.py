"""A GM who has left, or does nothing for long: players read who can name another one."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from bot.loopback.model import Message
from tests.bot.test_buttons import is_refused
from tests.bot.test_dates import due, jobs, planned
from tests.bot.test_post import hours_later, last
from tests.clock import START
from tests.game import Game

NAMING = "A member with Manage Server can take over, or name another GM: /campaign gm player:@alice"


async def days_later(table: Game, days: float) -> None:
    """All that happened was so many days earlier; the bot has been started since."""
    await table.at_rest()
    await table.stop()
    at = f"{START - timedelta(days=days):%Y-%m-%d %H:%M:%S.%f}"
    with closing(sqlite3.connect(table.file)) as clock:
        clock.execute("UPDATE entry SET at = ?", (at,))
        clock.commit()
    table.discord.gateway.ready.clear()
    await table.start()


def told(table: Game) -> list[Message]:
    """What players have been told of their GM."""
    return [each for each in table.discord.messages() if "Where is the GM?" in each.text]


def plain(message: Message) -> str:
    """What a message says, without its marks."""
    return message.text.replace("**", "").replace("`", "")


async def looked(table: Game) -> None:
    """Whether a GM is gone has been looked into."""
    await table.at_rest()
    (campaign, _), *_ = await table.ledger.past.changed_last()
    job = await table.ledger.jobs.get(f"absent:{campaign}")
    assert job is None or (job.claimed is None and job.due > table.now)


@pytest.fixture
async def slow(table: Game) -> Game:
    """A table by post, at which a roll waits for the GM."""
    await table.play("gm: /campaign set setting:pace value:post", "alice: /roll dice:2d8")
    await table.at_rest()
    return table


async def test_players_are_told_once_that_their_gm_has_left(slow: Game) -> None:
    gm = slow.gm.user.id
    slow.discord.world.home.gone.add(gm)
    await hours_later(slow, gm, 25)
    await slow.at_rest()
    assert told(slow)
    (message,) = told(slow)
    assert message is last(slow)
    assert message.pings == set()
    assert "gm has left this server." in plain(message)
    assert NAMING in plain(message)
    await hours_later(slow, gm, 25)
    await looked(slow)
    assert last(slow) is message, "nobody is reminded who is not there"
    assert "gm has left this server." in (await slow.says("bob: /table waiting")).text
    slow.discord.world.home.gone.clear()
    await slow.play("gm: /note text:Back again", "alice: /roll dice:2d6")
    await slow.at_rest()
    await hours_later(slow, gm, 25)
    assert last(slow).pings == {gm}
    assert "has left" not in (await slow.says("bob: /table waiting")).text


async def test_what_is_late_is_told_to_no_gm_who_has_left(slow: Game) -> None:
    await slow.play("gm: /turn start who:Alice")
    await slow.at_rest()
    slow.discord.world.home.gone.add(slow.gm.user.id)
    await hours_later(slow, slow.alice.user.id, 49)
    assert not [each for each in slow.discord.messages() if "The deadline has passed" in each.text]
    await slow.at_rest()
    assert told(slow)
    assert len(told(slow)) == 1


async def test_what_is_late_after_the_offer_says_who_can_act_for_a_gm_who_has_left(slow: Game) -> None:
    slow.discord.world.home.gone.add(slow.gm.user.id)
    await hours_later(slow, slow.gm.user.id, 25)
    assert len(told(slow)) == 1
    await slow.play("alice: /contest start dice:2d8 against:Bob")
    await slow.at_rest()
    await hours_later(slow, slow.bob.user.id, 49)
    assert len(told(slow)) == 1
    late = last(slow)
    assert late.text.splitlines()[:1] == ["### The deadline has passed"]
    assert "**Bob: 1 answer**, of " in late.text, late.text
    assert "gm has left this server." in plain(late)
    assert NAMING in plain(late)
    zoe = slow.discord.person("zoe", manage_guild=True)
    assert (await zoe.press(late, "Take over")).text == "zoe is GM\ngm is no longer GM"


@pytest.mark.parametrize(
    "begun", ["/scene start name:Mill", "/note text:Mill", "/doom add dice:d6", "/session end"]
)
async def test_a_gm_who_left_after_a_step_is_missed_once_something_waits(table: Game, begun: str) -> None:
    await table.play(f"gm: {begun}")
    table.discord.world.home.gone.add(table.gm.user.id)
    await table.at_rest()
    await table.advance(hours=7)
    table.dice.show((1, 3, 4))
    await table.play("alice: /roll dice:3d6")
    await table.at_rest()
    assert len(told(table)) == 1


async def test_a_player_who_has_left_is_not_reminded_and_the_gm_hears_what_is_late(slow: Game) -> None:
    alice = slow.alice.user.id
    await slow.play("gm: /turn start who:Alice")
    await slow.at_rest()
    slow.discord.world.home.gone.add(alice)
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 25)
    assert len(slow.discord.messages()) == count
    await hours_later(slow, alice, 24)
    assert "The deadline has passed" in last(slow).text
    assert last(slow).pings == {slow.gm.user.id}
    assert told(slow) == []


async def test_where_a_delegate_has_left_only_the_gm_is_reminded(slow: Game) -> None:
    zoe = slow.person("zoe").user.id
    await slow.play("gm: /campaign gm player:@zoe")
    await slow.at_rest()
    slow.discord.world.home.gone.add(zoe)
    await hours_later(slow, zoe, 25)
    await hours_later(slow, slow.gm.user.id, 25)
    assert last(slow).pings == {slow.gm.user.id}
    await looked(slow)
    assert told(slow) == []


async def test_players_are_told_once_of_a_gm_who_does_nothing_while_they_play(table: Game) -> None:
    await days_later(table, 15)
    assert told(table) == []
    await table.play("alice: /roll dice:2d6")
    await table.at_rest()
    assert told(table)
    (message,) = told(table)
    assert "the GM?\ngm: last active at this table <t" in plain(message)
    assert NAMING in plain(message)
    await table.restart()
    await table.play("bob: /roll dice:2d6")
    await table.at_rest()
    assert len(told(table)) == 1
    assert "last active at" in (await table.says("bob: /table waiting")).text
    await table.play("gm: /campaign gm player:@bob")
    assert "last did something" not in (await table.says("alice: /table waiting")).text


async def test_a_gm_of_lately_and_who_has_just_become_one_are_not_absent(table: Game) -> None:
    await days_later(table, 13)
    await table.play("alice: /roll dice:2d6")
    await days_later(table, 15)
    await table.play("gm: /campaign gm player:@bob", "gm: /campaign gm player:@gm remove:true")
    await table.restart()
    await table.play("alice: /roll dice:2d6")
    await table.at_rest()
    assert told(table) == []


async def test_who_left_a_table_that_is_not_played_by_post_is_asked_about_where_something_waits(
    table: Game,
) -> None:
    table.discord.world.home.gone.add(table.gm.user.id)
    await days_later(table, 2)
    await table.play("alice: /pp show")
    table.dice.show((1, 3, 4))
    await table.play("alice: /roll dice:3d6")
    await table.at_rest()
    assert told(table)
    assert "gm has left this server." in plain(told(table)[0])


async def test_who_has_left_is_not_reminded_of_a_session(table: Game) -> None:
    await planned(table)
    table.discord.world.home.gone |= {table.gm.user.id, table.bob.user.id}
    await due(table, (await jobs(table))["remind 24"])
    (near,) = [each for each in table.discord.messages() if "The session starts soon" in each.text]
    assert near.pings == {table.alice.user.id}
    await table.at_rest()
    assert told(table)
    assert len(told(table)) == 1


async def test_a_gm_who_has_long_done_nothing_is_reminded_of_a_session_once_they_are_back(
    table: Game,
) -> None:
    await planned(table)
    await days_later(table, 15)
    await table.play("alice: /roll dice:2d6")
    await table.at_rest()
    assert told(table)
    await due(table, (await jobs(table))["remind 24"])
    assert last(table).pings == {table.alice.user.id, table.bob.user.id}
    await table.play("gm: /note text:Back again")
    await due(table, (await jobs(table))["remind 1"])
    assert last(table).pings == {table.gm.user.id, table.alice.user.id, table.bob.user.id}


async def test_who_is_to_be_gm_is_somebody_of_this_table(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:adept", "zoe: /character new name:Wisp")
    await days_later(game, 15)
    await game.play("zoe: /roll dice:2d6")
    await game.at_rest()
    assert told(game)
    assert "or name another GM: /campaign gm player:@zoe" in plain(told(game)[0])


async def test_who_may_not_name_a_gm_reads_who_may(table: Game) -> None:
    refused = await table.says("alice: /campaign gm player:@bob")
    may = "Only the GM or members with Manage Server can name a GM. GM here: gm."
    assert refused.text == may


# Who is refused what only a GM may do, where all GMs have left

LEFT = "The GM has left this server; a member with Manage Server can name another: /campaign gm player:@alice"


async def left(table: Game, days: float = 2) -> None:
    """The GM has left the server, and has done nothing for so long."""
    await days_later(table, days)
    table.discord.world.home.gone.add(table.gm.user.id)


async def refused(table: Game, line: str) -> str:
    """What somebody reads who is refused, without marks."""
    reply = await table.says(line)
    assert is_refused(reply)
    return reply.text.replace("`", "")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("alice: /doom add dice:d6", "Only the GM can add doom dice. "),
        ("alice: /turn start", "Only the GM can start a turn order. "),
        ("alice: /pp give who:Bob number:-1", "Only the GM can give PP. "),
        ("alice: /stress add what:Physical die:d6 who:Bob", "Only bob or the GM can add stress for Bob. "),
        ("alice: /campaign gm", ""),
        ("alice: /campaign gm player:@bob", "Only the GM or members with Manage Server can name a GM. "),
    ],
)
async def test_who_meets_a_refusal_reads_that_the_gm_has_left(table: Game, line: str, said: str) -> None:
    await left(table)
    text = await refused(table, line)
    assert text.startswith(said)
    assert text.endswith(LEFT)
    assert "GM here" not in text


async def test_whoever_is_sent_to_the_gm_reads_that_they_have_left(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play(
        "gm: /asset add what:Lamp who:Scene",
        "bob: /asset add what:Rope",
        "gm: /doom add dice:d6",
        "gm: /undo",
    )
    assert "Ask the GM." in await refused(table, "alice: /undo step:1")
    carol, other = table.person("carol"), table.discord.channel("other")
    told = await carol.slash("/campaign join name:Skyfall", channel=other)
    assert "GM here: gm." in told.text
    await left(table)
    for line, said in (
        ("alice: /undo step:1", " is gm's, not yours. "),
        ("alice: /undo step:2", "Step 2 can't be undone by itself: "),
        ("bob: /undo step:2", " is alice's, not yours. "),
        ("alice: /redo", "The next step to redo isn't yours: "),
        ("alice: /resource use what:Purse", "off in this campaign. "),
    ):
        with subtests.test(line=line):
            text = await refused(table, line)
            assert said in text
            assert text.endswith(LEFT)
            assert "Ask" not in text
    told = await carol.slash("/campaign join name:Skyfall", channel=other)
    assert told.text == (
        "Only the GM can bring this campaign to a channel. The GM has left this server; a member with "
        "Manage Server can name another in that campaign's channel."
    )


async def test_who_manages_the_server_takes_over_below_a_refusal(table: Game) -> None:
    zoe = table.discord.person("zoe", manage_guild=True)
    await left(table)
    assert not (await table.says("alice: /doom add dice:d6")).buttons
    told = await zoe.slash("/doom add dice:d6")
    assert LEFT in told.text.replace("`", "")
    assert [each.label for each in told.buttons] == ["Take over"]
    assert (await zoe.press(told, "Take over")).text == "zoe is GM\ngm is no longer GM"
    assert not is_refused(await table.says("zoe: /doom add dice:d6"))
    assert "GM here: zoe." in await refused(table, "alice: /doom add dice:d6")


async def test_a_refused_press_says_so_too(table: Game) -> None:
    zoe = table.discord.person("zoe", manage_guild=True)
    table.dice.show((6, 5, 1))
    rolled = await table.play("alice: /roll dice:2d6 d8")
    await left(table)
    pressed = await zoe.press(rolled, "Hitches: 1")
    assert LEFT in pressed.text.replace("`", "")
    assert (await zoe.press(pressed, "Take over")).text == "zoe is GM\ngm is no longer GM"


async def test_discord_is_asked_who_is_there_and_its_answer_is_remembered_for_minutes(table: Game) -> None:
    table.discord.world.home.gone.add(table.gm.user.id)
    table.discord.faults.fail("GET /guilds/*/members/*", times=99)
    assert "GM here: gm." in await refused(table, "alice: /doom add dice:d6")
    table.discord.faults.waiting.clear()
    assert LEFT in await refused(table, "alice: /doom add dice:d6")
    table.discord.faults.fail("GET /guilds/*/members/*", times=99)
    assert LEFT in await refused(table, "bob: /turn start")
    table.discord.faults.waiting.clear()
    table.discord.world.home.gone.clear()
    await table.advance(minutes=11)
    assert "GM here: gm." in await refused(table, "alice: /doom add dice:d6")
    table.discord.world.home.gone.add(table.gm.user.id)
    assert "GM here: gm." in await refused(table, "bob: /turn start")
    await table.advance(minutes=11)
    assert LEFT in await refused(table, "bob: /turn start")
    await table.play("gm: /note text:Back again")
    table.discord.world.home.gone.clear()
    assert "GM here: gm." in await refused(table, "alice: /doom add dice:d6")


async def test_everybody_is_told_once_a_refusal_shows_that_the_gm_has_left(table: Game) -> None:
    table.discord.world.home.gone.add(table.gm.user.id)
    assert LEFT in await refused(table, "alice: /doom add dice:d6")
    await table.at_rest()
    (message,) = told(table)
    assert NAMING in plain(message)


async def test_where_a_delegate_is_there_the_gms_are_named_until_all_have_left(table: Game) -> None:
    await table.play("gm: /campaign gm player:@bob")
    await left(table)
    assert "GM here: gm and bob." in await refused(table, "alice: /doom add dice:d6")
    table.discord.world.home.gone.add(table.bob.user.id)
    await table.restart()
    assert (await refused(table, "alice: /doom add dice:d6")).endswith(LEFT.replace("GM has", "GMs have"))


async def test_a_refusal_says_so_with_the_tables_own_word(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:GM = Warden")
    await left(table)
    assert "The Warden has left this server" in await refused(table, "alice: /doom add dice:d6")
