"""What Discord's REST API answers, told to whoever counts it."""

from types import SimpleNamespace

import aiohttp

from bot.watch import NOBODY_LOOKS, Watch


def traced(watch: Watch) -> aiohttp.TraceConfig | None:
    """What lets discord.py's requests be counted; None where nobody looks, which costs nothing."""
    if watch is NOBODY_LOOKS:
        return None

    async def ended(
        _: aiohttp.ClientSession, __: SimpleNamespace, did: aiohttp.TraceRequestEndParams
    ) -> None:
        watch.requested(did.method, did.response.status)

    async def cut(
        _: aiohttp.ClientSession, __: SimpleNamespace, did: aiohttp.TraceRequestExceptionParams
    ) -> None:
        watch.requested(did.method, 0)

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(cut)
    return config
