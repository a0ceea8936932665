"""Big moments: each is a card of its own, in colour, below the roll that brought it about."""

import pytest

from bot.client.layout import ACCENTS
from bot.loopback.model import Message
from bot.loopback.reply import BotReply, buttons_of
from bot.views.card import Tone
from tests.game import Game


def accent(message: Message | None) -> int | None:
    """The colour of a message's box."""
    assert message is not None
    (box,) = message.components
    colour: int | None = box["accent_color"]
    return colour


def labels(message: Message) -> list[str]:
    return [button.label for button in buttons_of(message)]


async def below(table: Game, reply: BotReply) -> Message:
    """The message that follows a roll."""
    await table.rest()
    (card,) = reply.more
    assert not card.is_private
    return card


@pytest.mark.parametrize(
    ("before", "line", "text", "tone"),
    [
        (
            ("gm: /stress add what:Physical who:Bob die:d12",),
            "gm: /stress stepup what:Physical who:Bob",
            "Bob is taken out by Physical stress\nOut until the scene ends.",
            Tone.BAD,
        ),
        (
            ("gm: /gmc new name:Rex dice:3d8 kind:boss",),
            "gm: /gmc hit name:Rex die:d12",
            "Rex loses 1 of 3 dice\nRex: 2d8 (d8 knocked off)",
            Tone.GOOD,
        ),
        (
            ("gm: /campaign set setting:heroic success value:hero dice",),
            "gm: /hero give who:Alice die:d8",
            "Alice banks a hero die d8\nAlice: hero dice d8 (d8 added)",
            Tone.GREAT,
        ),
    ],
)
async def test_a_command_answers_with_the_big_moment(
    table: Game, before: tuple[str, ...], line: str, text: str, tone: Tone
) -> None:
    await table.play(*before)
    reply = await table.play(line)
    assert reply.text.startswith(text)
    assert accent(reply.message) == ACCENTS[tone]


async def test_the_last_die_of_a_boss_is_not_told_again_below_the_headline(table: Game) -> None:
    reply = await table.play("gm: /gmc new name:Rex dice:d8 kind:boss", "gm: /gmc hit name:Rex die:d12")
    assert reply.text == "Rex is defeated"
    assert accent(reply.message) == ACCENTS[Tone.GREAT]


async def test_a_contest_that_is_won_is_told_below_the_last_roll(table: Game) -> None:
    table.dice.show((6, 5), (2, 3))
    await table.play("alice: /contest start dice:2d6 against:Bob note:The map")
    card = await below(table, await table.play("bob: /contest answer dice:2d6"))
    assert card.text == "### Alice wins the contest\nAgainst Bob: The map"
    assert accent(card) == ACCENTS[Tone.GREAT]


async def test_whoever_gives_in_is_told_with_the_winner(table: Game) -> None:
    table.dice.show((6, 5))
    await table.play("alice: /contest start dice:2d6 against:Bob")
    reply = await table.play("bob: /contest givein")
    assert "gives in" not in reply.text
    assert (await below(table, reply)).text == "### Bob gives in. Alice wins the contest"


async def test_a_crisis_that_is_resolved_offers_the_end_of_the_scene(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d4")
    table.dice.show((4, 3, 2), (2,))
    rolled = await table.play("alice: /roll dice:d10 2d6 vs:Fire")
    card = await below(table, await table.alice.press(rolled, "Apply"))
    assert card.text.startswith("### Crisis Fire is resolved\nAlice took its last die: ")
    assert labels(card) == ["End scene"]
    assert (await table.gm.press(card, "End scene")).text.startswith("Scene ")


async def test_the_x_card_is_calm(table: Game) -> None:
    await table.alice.press(await table.says("alice: /safety show"), "X-card")
    await table.at_rest()
    card = table.discord.messages()[-1]
    assert card.text.startswith("### X-card: stop")
    assert accent(card) == ACCENTS[Tone.CALM]
