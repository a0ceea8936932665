"""One process on all of its shards, or on those that are named for it."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bot.doomkeeper import Doomkeeper
from bot.pictures.faces import FACES
from bot.services.play import Play
from bot.store.ledger import Ledger
from bot.store.shard_claims import Share
from tests.bot.test_process import TOKEN, Program, fails
from tests.cluster import serves, started, tables
from tests.game import Game
from tests.patience import patient


async def stopped(program: Program) -> None:
    program.process.send_signal(signal.SIGTERM)
    code, printed = await program.ended()
    assert (code, "Traceback" in printed) == (0, False), printed


@pytest.mark.slow
async def test_one_process_serves_as_many_shards_as_discord_recommends(tmp_path: Path) -> None:
    async with patient(TOKEN, shards=2, identify_pause=5) as loopback:
        places = tables(loopback)
        program = await started(tmp_path, loopback)
        await serves(loopback, 0, 1)
        gm = loopback.person("gm")
        for place in places:
            asked = await gm.slash("/pp give who:Alice", place)
            assert "Alice: 1 PP" in (await gm.press(asked, "Someone new: Alice")).text
        await loopback.faults.drop_gateway(resumable=True)
        await serves(loopback, 0, 1)
        replies = await asyncio.gather(*(gm.slash("/pp give who:Alice", place) for place in places))
        assert all("Alice: 2 PP" in reply.text for reply in replies)
        assert (loopback.gateway.identified, loopback.gateway.hasty) == (2, 0)
        await stopped(program)


@pytest.mark.slow
async def test_shards_that_are_named_are_served_and_the_first_alone_registers_commands(
    tmp_path: Path,
) -> None:
    async with patient(TOKEN, shards=3, concurrency=3) as loopback:
        places = tables(loopback)
        one, two = (f"sqlite:///{tmp_path / name}" for name in ("one.db", "two.db"))
        other = await started(tmp_path, loopback, SHARD_COUNT="3", SHARDS="1-2", DATABASE_URL=two)
        await serves(loopback, 1, 2)
        assert (loopback.command_puts, loopback.world.emojis) == (0, {})
        first = await started(tmp_path, loopback, SHARD_COUNT="3", SHARDS="0", DATABASE_URL=one)
        await serves(loopback, 0, 1, 2)
        assert loopback.command_puts == 1
        gm = loopback.person("gm")
        asked = await gm.slash("/pp give who:Alice", places[2])
        assert "Alice: 1 PP" in (await gm.press(asked, "Someone new: Alice")).text
        await stopped(other)
        assert loopback.gateway.served() == {0}
        await stopped(first)


async def test_who_has_not_the_first_shard_knows_what_the_other_has_registered(game: Game) -> None:
    game.shared, game.dice_emojis = True, True
    await game.restart()
    await game.at_rest()
    assert game.bot.faces.markup.get(FACES[0])
    puts = game.discord.command_puts
    ledger = await Ledger.open(game.url, shared=True, clock=game.clock)
    other = Doomkeeper(Play(ledger), ledger, dice_emojis=True, share=Share(2, (1,)))
    async with game.beside(other, game.held):
        assert other.faces.markup.get(FACES[0])
        assert other.registered.numbers == game.bot.registered.numbers
        assert (game.discord.command_puts, other.leads) == (puts, False)
    await ledger.close()


async def test_a_fault_that_keeps_shards_away_ends_the_bot(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise LookupError

    await game.stop()
    ledger = await Ledger.open(game.url)
    monkeypatch.setattr(ledger.turns, "take", broken)
    with pytest.raises(LookupError):
        await Doomkeeper(Play(ledger), ledger).start(game.discord.token)
    await ledger.close()
    await game.start()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"SHARDS": "auto"}, "SHARDS: auto needs PostgreSQL"),
        ({"SHARDS": "0-3"}, "SHARDS: a list of shards needs SHARD_COUNT"),
        (
            {"SHARDS": "2,4", "SHARD_COUNT": "4"},
            "SHARDS: 2,4 must name shards from 0 to 3, because SHARD_COUNT is 4.",
        ),
        ({"SHARDS": "3-1", "SHARD_COUNT": "4"}, "SHARDS: 3-1 must name shards from 0 to 3"),
        ({"SHARDS": "some"}, "SHARDS: "),
        ({"SHARD_COUNT": "0"}, "SHARD_COUNT: "),
    ],
)
async def test_shards_that_cannot_be_had_are_refused_in_one_line(
    tmp_path: Path, settings: dict[str, str], why: str
) -> None:
    code, printed = await fails(tmp_path, None, **settings)
    assert code == os.EX_CONFIG
    assert len(printed.splitlines()) == 1
    assert printed.startswith(why)
