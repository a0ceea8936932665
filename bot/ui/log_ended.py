"""A log that has ended by itself: its GM is told once, where the table is played, else by private message."""

from datetime import datetime

import discord

from bot.language import say
from bot.language.line import Text, channel, heading
from bot.render.card import Button, Card, Tone
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.step_log import StepLog
from bot.ui.notice import alone_with, post

UNLOGGED = "unlogged"
"""The kind of job that tells the GM."""


def telling(log: StepLog, now: datetime, *, is_own: bool) -> Job:
    """The job that tells the GM of it at once; `is_own` says that the table is played there now."""
    payload = {"place": log.place, "own": is_own}
    return Job(f"{UNLOGGED}:{log.campaign}", UNLOGGED, now, log.campaign, payload)


async def tell_gm(client: discord.Client, ledger: Ledger, job: Job) -> None:
    """Tell the GM, who is called unless they rest now. Raises NotDone."""
    entry = await ledger.newest(job.campaign or 0)
    if entry is None or entry.deleted:
        return
    now = ledger.clock.now()
    rests = {gm: await ledger.quiet_hours.awake(gm, entry.campaign, now) for gm in entry.table.gms}
    up = tuple(gm for gm, at in rests.items() if at is not None and at <= now)
    rows = ((Button(say("Settings"), "view", subject="campaign"),),)
    card = Card(_closed_lines(job), rows, calls=up, tone=Tone.CALM)
    shown = [one.channel for one in await ledger.shown.of(entry.campaign)][-1:]
    about = f"{UNLOGGED} {job.due.timestamp()}"
    for place in dict.fromkeys([*shown, *sorted(await ledger.past.channels(entry.campaign))]):
        if await post(client, place, card, job, about):
            return
    for gm in entry.table.gms:
        if alone := await alone_with(client, gm):
            await post(client, alone, Card(card.lines, tone=card.tone), job, f"{about} {gm}")


def _closed_lines(job: Job) -> tuple[Text, ...]:
    """What the GM is told."""
    place = channel(job.payload["place"])
    if job.payload["own"]:
        why = say("{channel} now belongs to this table, so its players already see each step.", channel=place)
    else:
        why = say("{channel} is gone, or the bot can't use it.", channel=place)
    again = say(
        "Steps are no longer posted there. To choose another channel: {example}",
        example="/campaign set log:#log",
    )
    return heading(say("The log is off")), why, again
