"""Claim shards, and start and stop them.

discord.py keeps shards connected and reconnects them. This adds what it lacks: shards that start one by one
while others already serve, and processes that take turns to identify.
"""

import asyncio
import math
from collections.abc import Collection, Coroutine
from contextlib import suppress
from typing import Any

import structlog
from discord import ClientException, HTTPException, Interaction, InteractionType
from discord.ext import commands
from discord.gateway import DiscordWebSocket

from bot.client.access import CUT
from bot.store.ledger import Ledger
from bot.store.shard_claims import HUNG, LATE, Claims, Lost, Share

log = structlog.get_logger(__name__)

TURN = 5.75
"""Seconds between two shards that identify in turn, from Discord's answer to the first: Discord demands five,
and one that comes too early is sent away and begins anew."""
LOOK = 0.25
"""Seconds after which whoever waits for a turn looks again."""
TICK = 1.0
"""Seconds after which a process with room looks again for shards that are free."""
GRACE = 1.0
"""Seconds that whoever had a shard has to notice that it is another process's now."""
HANDING = 0.1
"""Seconds after which those who hand over a shard look again how far the other one is."""
NOBODY_COMES = 10.0
"""Seconds that others have to begin to take over what a process leaves: one that has just started too."""
HANDOVER = 70.0
"""Seconds after which it leaves all the same: Discord lets shards identify one after the other."""
MOMENT = 1.5
"""Seconds that whoever had a shard has to answer what both hear; Discord gives three."""
AFTERWARDS = 15.0
"""Seconds after a shard has changed hands in which what the other one does is no wonder."""
UNSERVED = 60.0
"""Seconds between two warnings that there are shards which nobody has room for."""


class ShardedBot(commands.AutoShardedBot):
    """A bot that runs some of its shards, perhaps beside other processes."""

    def __init__(self, ledger: Ledger, share: Share, **options: Any) -> None:
        super().__init__(**options)
        self._ledger = ledger
        self.clock = ledger.clock
        self._share = share
        self._concurrency = 1
        self._taken: dict[int, str] = {}
        self._identifying: dict[int, str] = {}
        self._coming: dict[int, asyncio.Event] = {}
        self._connected: set[int] = set()
        self._overlaps: dict[int, float] = {}
        self._is_leaving = False
        self._has_left = asyncio.Event()
        self._over = asyncio.Event()
        self._waiting: asyncio.Queue[int] = asyncio.Queue()
        self._at_work: list[asyncio.Task[None]] = []
        self._fault: Exception | None = None
        self.has_given_up = False
        """Whether it has lost what it claimed; another bot may then begin."""

    @property
    def leads(self) -> bool:
        """Whether this process has the first shard from the start, and so runs what is done only once."""
        return self._share.claims is None and (self._share.named is None or 0 in self._share.named)

    @property
    def is_in_reserve(self) -> bool:
        """Whether this process waits to take over shards of others, and has none now."""
        return self._share.claims is not None and bool(self._at_work) and not self._connection.shard_ids

    def latency_of_shards(self) -> dict[int, float | None]:
        """Return the latency of each shard in seconds; None for shards that are not connected."""
        there = {number: each for number, each in self.shards.items() if not each.is_closed()}
        return {
            number: there[number].latency if number in there else None
            for number in self._connection.shard_ids
        }

    def took(self, shards: Collection[int]) -> None:
        """Called when this process has taken these shards."""

    def lead(self) -> None:
        """Called when this process has taken the first shard."""

    async def drain(self, *, waits: bool = False) -> None:
        """Finish running work and close; if `waits`, also finish work that waits for the database."""
        await self.close()

    async def ask_gateway(self) -> None:
        """Ask Discord for the number of shards, and how many may identify at once. Raises GatewayNotFound."""
        recommended, _, limits = await self.http.get_bot_gateway()
        self.shard_count = self._share.count or recommended
        self._concurrency = max(1, limits["max_concurrency"])

    async def launch_shards(self) -> None:
        """Start connecting, one shard after another; discord.py keeps each connected from then on."""
        if self.is_closed():
            return
        self._work_on(self._launch())
        if self._share.claims is not None:
            self._work_on(self._claim(self._share.claims))
            return
        self._connection.shard_count = self.shard_count
        self._begin(self._share.named or range(self.shard_count or 1))

    async def connect(self, *, reconnect: bool = True) -> None:
        """Run until closed. Raises the error that keeps shards from being claimed, if there is one."""
        connecting = asyncio.ensure_future(super().connect(reconnect=reconnect))
        closing = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({connecting, closing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            closing.cancel()
            connecting.cancel()  # while it waits for a shard, discord.py would see it a minute later
            await asyncio.wait({connecting})
        if not connecting.cancelled():
            connecting.result()
        if self._fault is not None:
            raise self._fault

    @property
    def free_shards(self) -> int:
        """The number of shards that no process has, as far as this one has seen."""
        return 0 if self._share.claims is None else len(self._share.claims.free)

    @property
    def late_shards(self) -> dict[int, float]:
        """The shards of other processes that are late, each with the seconds since the last heartbeat."""
        return {} if self._share.claims is None else self._share.claims.late

    @property
    def silence(self) -> float:
        """Seconds since this process's last heartbeat, if that makes it late; else 0."""
        silence = 0.0 if self._share.claims is None else self._share.claims.silence
        return silence if silence > LATE else 0.0

    def take_no_more(self) -> None:
        """Claim no more shards; the present ones stay."""
        for task in self._at_work:
            if task is not asyncio.current_task():
                task.cancel()

    async def close(self) -> None:
        """Claim no more shards, and disconnect the present ones."""
        self.take_no_more()
        await super().close()
        self._over.set()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify."""
        # Each process takes its first shard for the first of all, which need not wait; here it does.
        del initial
        number = shard_id or 0
        taken = self._taken.pop(number, None)
        # Opening the line may have taken long, so the turn counts from here.
        renewed = await self._ledger.turns.renew(self._turn(number), taken) if taken else None
        self._identifying[number] = renewed or await self._wait_for_turn(number)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Start the wait for the next identify now: Discord has accepted this one, however late."""
        self._connected.add(shard_id)
        if taken := self._identifying.pop(shard_id, None):
            await self._ledger.turns.renew(self._turn(shard_id), taken)

    async def hand_over(self) -> None:
        """Keep serving until other processes have taken over as many shards as they can, or time is up."""
        if self._share.claims is None or not self._share.claims.held or self.has_given_up:
            return
        self._is_leaving = True
        with suppress(TimeoutError):
            async with self.clock.timeout(HANDOVER):
                await self._has_left.wait()

    async def is_left_to_us(self, interaction: Interaction[Any]) -> bool:
        """Return whether no other process answers an interaction.

        During a handover, the old holder of the shard answers first.
        """
        coming = self._coming.get(self._shard_of(interaction))
        if coming is None:
            return True
        if interaction.type is InteractionType.autocomplete:
            return False
        with suppress(TimeoutError):
            async with self.clock.timeout(MOMENT):
                await coming.wait()
        try:
            await interaction.original_response()
        except (HTTPException, ClientException, *CUT):  # it has no answer, or Discord does not say
            return True
        return False

    def is_overlapping(self, interaction: Interaction[Any]) -> bool:
        """Return whether another process may receive the same interaction now."""
        return self.clock.monotonic() < self._overlaps.get(self._shard_of(interaction), 0.0)

    def _shard_of(self, interaction: Interaction[Any]) -> int:
        return ((interaction.guild_id or 0) >> 22) % (self.shard_count or 1)  # as Discord shares servers out

    def _work_on(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something as long as the bot is there, which ends with it."""

        async def kept() -> None:
            try:
                await work
            except Exception as error:
                if self.has_given_up or self.is_closed():
                    return  # what it worked on is gone
                self._fault = error
                await self.close()

        self._at_work.append(asyncio.create_task(kept(), name="shards kept"))

    def _turn(self, number: int) -> str:
        """What the shards have in common that identify in turn."""
        return f"identify:{number % self._concurrency}"

    async def _wait_for_turn(self, number: int) -> str:
        """Take the turn of a shard. Raises ConnectionError once this process has given up its shards."""
        while not self.has_given_up and not self.is_closed():
            if taken := await self._ledger.turns.take(self._turn(number), TURN):
                return taken
            await self.clock.sleep(LOOK)  # any process may have it
        raise ConnectionError("this process no longer has any shards")

    def _begin(self, numbers: Collection[int]) -> None:
        """Let these shards be connected, too."""
        self._connection.shard_ids = [*self._connection.shard_ids, *numbers]
        for number in numbers:
            self._waiting.put_nowait(number)
        self.took(numbers)

    async def _launch(self) -> None:
        """Connect what waits for it. The gateway is that of the settings, which may be a proxy's."""
        while True:
            number = await self._waiting.get()
            # Before the line is opened: discord.py does not listen on one that has yet to identify.
            self._taken[number] = await self._wait_for_turn(number)
            await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, number)

    async def _claim(self, claims: Claims) -> None:
        """Claim shards as long as there is room for more; give all of them up where one may be another's."""
        try:
            self.shard_count = self._connection.shard_count = await self._agreed(claims)
            warned = self.clock.monotonic()
            while not self._is_leaving:
                if hung := await claims.end_hung(self._share.most):
                    log.warning("hung process ended", shards=hung, seconds=HUNG)
                fresh = await claims.take(self.shard_count, self._share.most)
                if fresh:
                    log.info("shards taken", shards=sorted(claims.held), of=self.shard_count)
                    await claims.pause(GRACE)
                    self._begin(tuple(fresh))
                    if 0 in fresh:
                        self.lead()
                for number in await claims.succeed(self._share.most):
                    self._expect(number)
                await self._take_over(claims)
                now = self.clock.monotonic()
                if not claims.free:
                    warned = now
                elif now - warned > UNSERVED:
                    warned = now
                    log.warning(
                        "shards without a process: start another one, or raise SHARDS_PER_PROCESS",
                        shards=claims.free,
                    )
                await claims.pause(HANDING if claims.coming else TICK)
            await self._leave(claims)
        except Lost as error:
            if self._is_leaving:
                return
            log.warning("shards given up", shards=sorted(claims.held), reason=str(error))
            await self._give_up()
        finally:
            self._has_left.set()

    def _expect(self, number: int) -> None:
        """Connect a shard beside whoever has it and leaves."""
        self._overlaps[number] = math.inf
        self._coming[number] = asyncio.Event()
        self._connected.discard(number)
        self._connection.shard_ids = [*self._connection.shard_ids, number]
        self._waiting.put_nowait(number)

    async def _take_over(self, claims: Claims) -> None:
        """Claim the shards that are connected, as soon as whoever had them has let go."""
        for number in sorted(claims.coming & self._connected):
            if await claims.own(number):
                log.info("shards taken", shards=sorted(claims.held), of=self.shard_count)
                self.took((number,))
                if number == 0:
                    self.lead()
            elif await claims.forgo(number):
                await self._disconnect(number)
            else:
                continue
            self._overlaps[number] = self.clock.monotonic() + AFTERWARDS
            self._coming.pop(number).set()

    async def _leave(self, claims: Claims) -> None:
        """Let go of each shard that another process has connected. Raises Lost."""
        self._overlaps = dict.fromkeys(claims.held, math.inf)
        await claims.leave()
        until = self.clock.monotonic() + NOBODY_COMES
        while claims.held:
            coming, ready = await claims.successors()
            if coming:
                until = self.clock.monotonic() + NOBODY_COMES
            elif claims.is_alone or self.clock.monotonic() > until:
                return
            for number in ready:
                # Deaf before it lets go: else both would answer the same.
                await self._disconnect(number)
                await claims.let_go(number)
                log.info("shard handed over", shard=number, of=self.shard_count)
            await claims.pause(HANDING)

    async def _disconnect(self, number: int) -> None:
        """Hear nothing more of a shard; what was heard is finished."""
        self._connection.shard_ids = [each for each in self._connection.shard_ids if each != number]
        if number in self.shards:
            await self.shards[number].disconnect()

    async def _agreed(self, claims: Claims) -> int:
        """How many shards there are for all processes. Waits where others have another number than is set."""
        is_told = False
        while not (count := await claims.agree(self.shard_count or 1, is_fixed=bool(self._share.count))):
            if self._share.count and not is_told:
                is_told = True
                log.warning(
                    "waiting until the processes with another SHARD_COUNT have stopped",
                    count=self._share.count,
                )
            await claims.pause(TICK)
        return count

    async def _give_up(self) -> None:
        """Hear nothing more from Discord, finish what was heard, and close."""
        self.has_given_up = True
        for event in self._coming.values():
            event.set()
        for shard in self.shards.values():
            await shard.disconnect()
        await self.drain(waits=True)
