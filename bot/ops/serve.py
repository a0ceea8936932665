"""Run the bot until it is told to stop."""

import asyncio
import os
import secrets
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import aiohttp
import discord
import structlog

from bot.client.shards import HANDOVER
from bot.clock import SYSTEM
from bot.doomkeeper import Doomkeeper, point_at
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.ops import logs
from bot.services.jobs import Keeping
from bot.services.play import Play
from bot.settings import BotSettings
from bot.store import codec
from bot.store.backups import clear_begun
from bot.store.engine import Away, is_away
from bot.store.ledger import Ledger
from bot.store.shard_claims import PATIENCE, Claims, Share
from bot.views.privacy import Host
from bot.worker import aside, give_back, settle

if TYPE_CHECKING:
    from bot.ops.health import Health


log = structlog.get_logger(__name__)

MEGABYTE = 1024 * 1024

LIMIT = 14.0
"""Seconds after which a bot that was told to stop ends as it is: what it has told has been written."""
ANEW = 0.5
"""Seconds after which a process that has lost its shards begins anew."""
PING = 5.0
"""Seconds between two looks whether PostgreSQL is there."""
PAUSES = (1.0, 2.0, 5.0, 10.0)
"""Seconds between two tries to begin; the last ones over and over."""
BAD_TOKEN = "Discord rejected the token. Set DISCORD_TOKEN to the token on your application's Bot page."
BAD_INTENTS = (
    "Discord rejected the bot's intents. It needs only the guilds intent, which is not privileged. "
    "Check that the token is this bot's, and that no proxy changes the connection."
)
_TOKEN_REFUSED, _INTENTS_INVALID, _INTENTS_REFUSED = 4004, 4013, 4014

_T = TypeVar("_T")


class LoginRefused(Exception):
    """Raised if Discord will never accept this bot as configured; its text is one line."""


class OutOfReach(Exception):
    """Raised if Discord cannot be reached; its text is one line."""


async def serve(chosen: BotSettings, token: str) -> None:
    """Connect to Discord and run until told to stop.

    Raises LoginRefused or OutOfReach if the login fails, engine.Replaced if another process has replaced
    this one, and what `Ledger.open` raises.
    """
    quiet = logs.set_up(chosen.log_level, chosen.log_format)
    logs.keep(chosen.database_url)
    give_back()
    with _reported(chosen):
        await _watched(chosen, token, quiet)


@contextmanager
def _reported(chosen: BotSettings) -> Iterator[None]:
    """Tell Sentry of faults, where that is wanted. Raises Refused."""
    if chosen.sentry_dsn is None:
        yield
        return
    try:
        from bot.ops import sentry as faults

        faults.set_up(chosen.sentry_dsn.value)
    except ModuleNotFoundError:
        raise LoginRefused("SENTRY_DSN needs the extra sentry: uv sync --inexact --extra sentry") from None
    except ValueError as error:
        raise LoginRefused(f"SENTRY_DSN: {error}.") from None
    try:
        yield
    finally:
        faults.stop()


async def _watched(chosen: BotSettings, token: str, quiet: logs.QuietFilter) -> None:
    """Serve, and answer whoever asks how it goes."""
    point_at(chosen.discord_api_url, chosen.discord_gateway_url)
    told = _told(LIMIT + (HANDOVER if chosen.shards == "auto" else 0.0))
    if chosen.health_port is None:
        await _serve(told, chosen, token, quiet, None)
        return
    from bot.ops.health import (
        Health,
        PortTaken,
        answering,  # only who looks needs a web server
    )

    health = Health()
    try:
        async with answering(health, chosen.health_host, chosen.health_port) as port:
            log.info("health", port=port)
            await _serve(told, chosen, token, quiet, health)
    except PortTaken as error:
        raise LoginRefused(str(error)) from None


async def _serve(
    told: asyncio.Event, chosen: BotSettings, token: str, quiet: logs.QuietFilter, health: "Health | None"
) -> None:
    wait, watch = chosen.start_retry_seconds, health.watch if health else NO_METRICS
    ledger = await _unless(told, _patiently(lambda: _opened(chosen, watch), wait))
    if ledger is None:
        return
    reporting = None if ledger.is_alone else asyncio.create_task(_report_outages(ledger, quiet))
    try:
        while await _served(told, ledger, token, chosen, health):
            await SYSTEM.sleep(ANEW)
    finally:
        if reporting is not None:
            reporting.cancel()
            await asyncio.wait({reporting})
        await ledger.close()


async def _report_outages(ledger: Ledger, quiet: logs.QuietFilter) -> None:
    """Log once a minute that the database is away, and once that it is back."""
    told = -logs.AWAY_EVERY
    while True:
        try:
            async with SYSTEM.timeout(PATIENCE):
                await ledger.ping()
            quiet.end_outage()
        except Exception as error:
            if SYSTEM.monotonic() - told >= logs.AWAY_EVERY:
                told = SYSTEM.monotonic()
                log.warning("database away", exc_info=error)
        await SYSTEM.sleep(PING)


async def _served(
    told: asyncio.Event, ledger: Ledger, token: str, chosen: BotSettings, health: "Health | None"
) -> bool:
    """Serve until told to stop, or until what the process has claimed is lost; whether to begin again."""
    wait = chosen.start_retry_seconds
    claims = None
    if chosen.shards == "auto":
        opening = partial(Claims.open, chosen.database_url, process=ledger.process)
        claims = await _unless(told, _patiently(opening, wait, (ANEW,)))
        if claims is None:
            return False
    try:
        bot = await _unless(told, _patiently(lambda: _logged_in(ledger, token, chosen, claims), wait))
        if bot is None:
            return False
        if health is not None:
            health.bot, health.ledger = bot, ledger
        settle()
        learning = asyncio.ensure_future(_learned())
        await _until(told, bot)
        await learning
        return bot.has_given_up and not told.is_set()
    finally:
        if claims is not None:
            await claims.close()


def _told(seconds: float) -> asyncio.Event:
    """What is set when the process is told to stop. Whatever it does then, it has so many seconds for it."""
    told = asyncio.Event()

    def tell() -> None:
        told.set()
        # A thread, since it may be the loop that hangs.
        limit = threading.Timer(seconds, os._exit, (0,))
        limit.daemon = True
        limit.start()

    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, tell)
    return told


async def _unless(told: asyncio.Event, work: Coroutine[Any, Any, _T]) -> _T | None:
    """Do something, unless the process is told to stop meanwhile."""
    working = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(told.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if working.done():
        return await working
    working.cancel()
    # What is cancelled still hands back its connection.
    await asyncio.wait({working})
    return None


async def _patiently(
    work: Callable[[], Awaitable[_T]], seconds: float, pauses: Sequence[float] = PAUSES
) -> _T:
    """Do something as soon as what it needs is there. Raises Away or OutOfReach after so many seconds."""
    until = SYSTEM.monotonic() + seconds
    tries, told = 0, -logs.AWAY_EVERY
    while True:
        try:
            return await work()
        except (Away, OutOfReach) as error:
            if SYSTEM.monotonic() >= until:
                raise
            if isinstance(error, OutOfReach) and not tries:
                log.warning("waiting", seconds=seconds, reason=str(error))
            elif isinstance(error, Away) and SYSTEM.monotonic() - told >= logs.AWAY_EVERY:
                told = SYSTEM.monotonic()
                log.warning("waiting", exc_info=error)
        await SYSTEM.sleep(min(pauses[min(tries, len(pauses) - 1)], max(0.0, until - SYSTEM.monotonic())))
        tries += 1


async def _opened(chosen: BotSettings, watch: MetricsHooks) -> Ledger:
    """The ledger in its database, which is brought up to date first."""
    for gone in clear_begun(chosen.backup_dir, SYSTEM.now()) if chosen.backup_dir else ():
        log.info("unfinished copy deleted", file=str(gone))
    most, cache = chosen.campaigns_per_server, chosen.cache_mb * MEGABYTE
    return await Ledger.open(
        chosen.database_url,
        campaigns_per_guild=most,
        cache=cache,
        migrates=True,
        apart=True,
        copies=chosen.backup_dir,
        patience=chosen.database_wait_seconds,
        connections=chosen.database_connections,
        process=secrets.token_hex(4) if chosen.shards == "auto" else "",
        watch=watch,
    )


async def _logged_in(ledger: Ledger, token: str, chosen: BotSettings, claims: Claims | None) -> Doomkeeper:
    """A bot that Discord knows. Raises OutOfReach and Refused."""
    share = Share(chosen.fixed_shard_count, chosen.named_shards, claims, chosen.shards_per_process)
    bot = Doomkeeper(
        Play(ledger),
        ledger,
        dev_guild=chosen.dev_guild_id,
        budget=chosen.user_commands_per_10s,
        dice_emojis=chosen.dice_emojis == "on",
        share=share,
        watch=ledger.watch,
        keeping=_keeping(chosen),
        host=_host(chosen),
    )
    await log_in(bot, token)
    return bot


def _host(chosen: BotSettings) -> Host:
    """Whose bot it is, as it was set."""
    return Host(
        operator=chosen.operator,
        contact=chosen.contact,
        support=chosen.support_url,
        source=chosen.source_url,
        terms=chosen.terms_url,
        privacy=chosen.privacy_url,
    )


async def log_in(bot: Doomkeeper, token: str) -> None:
    """Log a bot in, and close it if that fails.

    Raises LoginRefused if Discord rejects it; OutOfReach or Away if trying again later may help.
    """
    try:
        await bot.login(token)
    except BaseException as error:
        await bot.close()
        if isinstance(error, discord.LoginFailure):
            raise LoginRefused(BAD_TOKEN) from error
        # discord.py tells by that of anything that went wrong on the way to the gateway.
        if isinstance(error, discord.GatewayNotFound) and error.__cause__ is not None:
            error = error.__cause__
        if isinstance(error, discord.HTTPException | aiohttp.ClientError | OSError | TimeoutError):
            raise OutOfReach(f"Discord cannot be reached: {_kind(error)}.") from error
        if is_away(error):
            raise Away(f"The database cannot be used: {_kind(error)}.") from error
        raise


def _keeping(chosen: BotSettings) -> Keeping:
    """How long things are kept, and where they are copied to."""
    return Keeping(
        chosen.retention_days or None,
        chosen.retention_idle_days,
        chosen.backup_dir,
        chosen.backup_every,
        chosen.backup_keep,
    )


async def _learned() -> None:
    """Make beside the loop what the first commands would wait for, while Discord connects."""
    await aside(0, codec.prepare_decoders)
    settle()


async def _until(told: asyncio.Event, bot: Doomkeeper) -> None:
    """Run the bot until it is told to stop, or cannot go on. Raises OutOfReach and Refused."""
    running = asyncio.ensure_future(bot.connect())
    stopping = asyncio.ensure_future(told.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    try:
        if told.is_set():
            await bot.hand_over()
            await bot.drain()
            running.cancel()
            await asyncio.wait({running})
        else:
            await running
    except discord.PrivilegedIntentsRequired as error:
        raise LoginRefused(BAD_INTENTS) from error
    except discord.ConnectionClosed as error:
        if error.code == _TOKEN_REFUSED:
            raise LoginRefused(BAD_TOKEN) from error
        if error.code in (_INTENTS_INVALID, _INTENTS_REFUSED):
            raise LoginRefused(BAD_INTENTS) from error
        raise OutOfReach(f"Discord closed the connection with code {error.code}.") from error
    finally:
        await bot.close()


def _kind(error: BaseException) -> str:
    return f"status {error.status}" if isinstance(error, discord.HTTPException) else type(error).__name__
