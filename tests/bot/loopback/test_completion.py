"""What the local table offers while a command is typed."""

from bot.loopback.completion import offers
from tests.game import Game


async def test_channels_that_one_sees_are_offered_where_one_is_asked_for(table: Game) -> None:
    table.discord.channel("log")
    table.discord.hide(table.discord.channel("secret"))
    table.discord.show(table.discord.channel("secret"), table.gm)

    async def offered(who: str, typed: str) -> list[str]:
        line = f"/campaign set log:{typed}"
        found = await offers(table.person(who), table.discord.table, line, ())
        return [each.words for each in found.all if each.words.startswith("#")]

    assert await offered("alice", "") == ["#table", "#log"]
    assert await offered("gm", "#") == ["#table", "#log", "#secret"]
    assert await offered("alice", "lo") == ["#log"]


async def test_whole_commands_are_found_by_any_part_of_their_words(table: Game) -> None:
    async def offered(line: str, *first: str) -> list[str]:
        found = await offers(table.alice, table.discord.table, line, (), in_full=True, first=first)
        return [each.label for each in found.all]

    assert "/pp show" in await offered("/plot points")
    assert (await offered("/session st"))[0] == "/session start"
    assert (await offered("/s", "session start", "no such thing"))[0] == "/session start"
    assert await offered("/nothing like that") == []
