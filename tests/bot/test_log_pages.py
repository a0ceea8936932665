"""`/log` page by page: `Older` and `Newer`, of all or of one character."""

import re

from bot.loopback.reply import BotReply
from tests.game import Game


def numbers(log: BotReply) -> list[int]:
    """The numbers of the steps that are shown."""
    return [int(found[1]) for found in re.finditer(r"^(\d+)\\?\.", log.text, re.MULTILINE)]


def labels(log: BotReply) -> list[str]:
    return [button.label for button in log.buttons]


async def test_older_and_newer_steps_are_one_press_away(table: Game) -> None:
    for _ in range(12):
        await table.play("gm: /pp give who:Alice")
    newest = await table.says("bob: /log count:5")
    first = numbers(newest)
    assert labels(newest) == ["Older", "Share"]
    older = await table.bob.press(newest, "Older")
    assert older.updated
    assert numbers(older) == [number - 5 for number in first]
    assert labels(older) == ["Older", "Newer", "Share"]
    assert numbers(await table.bob.press(older, "Share")) == numbers(older)
    assert numbers(await table.bob.press(older, "Newer")) == first
    while "Older" in labels(older):
        older = await table.bob.press(older, "Older")
    assert numbers(older)[-1] == 1


async def test_a_log_that_names_one_character_stays_with_them(table: Game) -> None:
    for _ in range(4):
        await table.play("gm: /pp give who:Alice", "gm: /pp give who:Bob")
    log = await table.bob.press(await table.says("bob: /log count:2 who:Alice"), "Older")
    assert log.text.count("Alice") >= 2
    assert "Bob" not in log.text
    back = await table.bob.press(log, "Newer")
    assert "Bob" not in back.text


async def test_a_short_log_has_neither(table: Game) -> None:
    assert labels(await table.says("bob: /log count:50")) == ["Share"]
