"""What the local table offers while a command is typed."""

from bot.local.completion import offers
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
