"""Two processes at once, as in a rolling restart: both hear of everything, and one of them does it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextvars import copy_context

import pytest
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.client.refusals import ELSEWHERE
from bot.doomkeeper import Doomkeeper
from bot.loopback.reply import BotReply
from bot.services.play import Play
from bot.services.play_by_post import waits_of
from bot.store.ledger import Ledger
from tests.bot.test_absent import looked, told
from tests.bot.test_buttons import seen
from tests.bot.test_mornings import by_morning, morning_comes
from tests.bot.test_post import campaign, hours_later
from tests.clock import START, HeldClock
from tests.game import Game

CALLBACK = "POST /interactions/*/callback"
LINES = {
    "alice: /roll dice:d10 d8 2d6 vs:doom": ("heroic success", "Apply d10", "Spend"),
    "gm: /pp give who:all": ("Alice: 2 PP", "Bob: 2 PP"),
    "gm: /comp add what:Bleeding who:Alice die:d12": ("Bleeding d12",),
    "gm: /crisis new name:Fire dice:2d6": ("Crisis Fire: 2d6",),
    "gm: /undo": ("Undone:",),
    "gm: /scene end": ("The docks ends",),
    "gm: /campaign archive": ("Skyfall is archived",),
    "gm: /campaign new name:Deep Water": ("Deep Water begins", "gm is the GM", "Join", "Pin"),
}
"""Lines for one table, one after the other, with what each reply says."""


@pytest.fixture
async def two(table: Game) -> AsyncIterator[Game]:
    """The table, served by two bots on one database; each has a clock of its own."""
    table.shared = True
    await table.restart()
    clock = HeldClock(table.now)
    ledger = await Ledger.open(table.url, shared=True, clock=clock)
    bot = Doomkeeper(Play(ledger, steady), ledger)
    table.bot.play._dice = steady
    # As in a process of its own: discord.py lets one answer to an interaction wait for the other otherwise.
    own = copy_context()
    own.run(async_context.set, AsyncWebhookAdapter())  # type: ignore[no-untyped-call]
    async with table.beside(bot, clock, own):
        assert len(table.discord.gateway.sessions) == 2
        yield table
    await ledger.close()


@pytest.fixture(params=["one", "the other"])
async def either(two: Game, request: pytest.FixtureRequest) -> Game:
    """The same, where time passes for one of the two first: it does what is due."""
    if request.param == "the other":
        two.bots = dict(reversed(two.bots.items()))
    return two


def steady(sizes: Sequence[int]) -> list[int]:
    """Dice that show the same whoever throws them."""
    return [{10: 9, 8: 7}.get(size, 3) for size in sizes]


def whole(reply: BotReply) -> tuple[str, ...]:
    """What a reply says and offers."""
    return (reply.text, *(button.label for button in reply.buttons))


async def told_by_the_other(two: Game, deed: Coroutine[None, None, BotReply]) -> BotReply:
    """What comes of something whose doer is held up until the other has told it; both have answered then."""
    held = two.discord.faults.hold(CALLBACK)
    doing = asyncio.create_task(deed)
    await two.advance(ELSEWHERE)  # as long as one that stops gives the other
    reply = await doing
    held.set()
    await two.rest()
    assert reply.interaction.repeated.is_set()
    return reply


@pytest.mark.parametrize("is_held", [False, True], ids=["either is first", "the other is first"])
async def test_a_command_is_done_once_and_told_whole_by_whoever_is_first(
    two: Game, subtests: pytest.Subtests, is_held: bool
) -> None:
    for line in LINES:
        with subtests.test(line):
            await is_done_once(two, line, is_held=is_held)


async def is_done_once(two: Game, line: str, *, is_held: bool) -> None:
    number, messages = (await seen(two))[0], len(two.discord.messages())
    reply = await (told_by_the_other(two, two.says(line)) if is_held else two.says(line))
    assert reply.failed is None
    assert not reply.private
    for word in LINES[line]:
        assert any(word in said for said in whole(reply)), (word, whole(reply))
    assert len(two.discord.messages()) == messages + 1
    assert (await seen(two))[0] in (number + 1, 1)


async def test_a_press_that_the_other_has_done_is_not_refused(two: Game) -> None:
    rolled = await two.says("alice: /roll dice:d10 d8 2d6")
    await two.says("gm: /comp add what:Rain who:scene")
    for label in ("Total 12, effect d8", "Total 16"):
        pressed = await told_by_the_other(two, two.alice.press(rolled, label))
        assert pressed.failed is None
        assert not pressed.private, pressed.text
        assert label in rolled.text.splitlines()[0]


async def test_what_comes_once_only_is_refused_to_nobody_who_did_it(two: Game) -> None:
    opened = await two.says("gm: /challenge new name:Storm")
    assert not opened.private
    for _ in range(3):
        turn = await told_by_the_other(two, two.says("gm: /challenge skip who:Alice"))
        assert "Nothing was changed" not in turn.text
        assert not turn.private, turn.text
        undone = await told_by_the_other(two, two.says("gm: /undo"))
        assert not undone.private, undone.text


async def test_a_bot_that_stops_tells_what_the_other_has_done(two: Game) -> None:
    two.bot.running.is_stopping = True
    reply = await told_by_the_other(two, two.says("gm: /pp give who:Alice"))
    two.bot.running.is_stopping = False
    assert "Alice: 2 PP" in reply.text
    assert not reply.private


async def test_who_wants_one_message_in_the_morning_gets_it_from_one_of_the_two(either: Game) -> None:
    two = either
    await two.play("gm: /campaign set setting:pace value:post", "gm: /turn start who:Alice")
    await two.at_rest()
    ends = START.replace(second=0, microsecond=0)
    await by_morning(two, "alice", ends)
    messages = len(two.discord.messages())
    await morning_comes(two, two.alice.user.id, 0, ends)
    assert len(two.discord.messages()) == messages + 1
    assert two.discord.messages()[-1].pings == {two.alice.user.id}


async def test_a_gm_who_is_gone_is_missed_by_one_of_the_two_and_one_person_takes_over(either: Game) -> None:
    two = either
    await two.play("gm: /campaign set setting:pace value:post", "alice: /roll dice:2d8")
    await two.at_rest()
    manager = two.discord.person("zoe", manage_guild=True)
    two.discord.world.home.gone.add(two.gm.user.id)
    assert two.gm.user.id in await waits_of(two.ledger, await campaign(two))
    await hours_later(two, two.gm.user.id, 25)
    await two.at_rest()
    assert told(two)
    await looked(two)
    (offer,) = told(two)
    reply = await manager.press(offer, "Take over")
    assert not reply.private, reply.text
    assert "zoe is GM" in reply.text
    assert len([each for each in two.discord.messages() if "gm is no longer GM" in each.text]) == 1
