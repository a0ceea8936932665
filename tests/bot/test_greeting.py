"""The bot greets a server that it comes to: once, where it may write, and never after an outage."""

from collections.abc import Collection

import pytest

from bot.loopback import payloads
from bot.loopback.gateway import GUILDS
from bot.loopback.model import Guild, Message
from bot.loopback.reply import plain_text
from tests.game import Game


def said(game: Game, guild: Guild) -> list[Message]:
    return [each for place in game.discord.world.in_guild(guild) for each in game.discord.messages(place)]


async def joins(game: Game, *channels: str, silent: Collection[str] = (), system: str | None = None) -> Guild:
    """The bot, which has been up for a moment, is brought to a server."""
    await game.bot.wait_until_ready()
    return await game.discord.join("New", *channels, silent=silent, system=system)


async def quiet(game: Game) -> None:
    """Wait until everything that the bot was told before has been heard."""
    await game.says("alice: /about")


async def test_a_server_is_greeted_where_the_bot_may_write(game: Game, subtests: pytest.Subtests) -> None:
    for silent, system, where in (
        ((), None, "rules"),
        ((), "news", "news"),
        (("news",), "news", "rules"),
        (("rules",), None, "news"),
    ):
        with subtests.test(silent=silent, system=system):
            guild = await joins(game, "rules", "news", silent=silent, system=system)
            await game.at_rest()
            assert said(game, guild)
            (message,) = said(game, guild)
            assert message.channel.name == where
            text = plain_text(message.text, game.discord.world)
            assert text.startswith(
                "Doomkeeper is here\nRoll at once, in any channel: /roll dice:2d6 d8 vs:11"
            )
            assert all(command in text for command in ("/campaign new", "/help", "/setup"))
            assert message.pings == frozenset()


async def test_where_it_may_write_nowhere_it_says_nothing(game: Game) -> None:
    guild = await joins(game, "rules", silent=("rules",))
    await quiet(game)
    assert said(game, guild) == []


async def test_a_server_that_was_away_is_not_greeted(game: Game) -> None:
    guild = await joins(game, "rules")
    await game.at_rest()
    assert said(game, guild)
    await game.discord.outage(guild)
    await game.restart()
    await quiet(game)
    assert len(said(game, guild)) == 1


async def test_a_join_that_is_told_twice_or_late_is_greeted_once_at_most(game: Game) -> None:
    guild = await joins(game, "rules")
    await game.at_rest()
    assert said(game, guild)
    for joined in (guild.joined, guild.joined - 3600):
        guild.joined = joined
        await game.discord.gateway.tell("GUILD_DELETE", {"id": str(guild.id)}, guild.id, GUILDS)
        told = payloads.guild(guild, game.discord.world)
        del told["unavailable"]
        await game.discord.gateway.tell("GUILD_CREATE", told, guild.id, GUILDS)
    await quiet(game)
    assert len(said(game, guild)) == 1
