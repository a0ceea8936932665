"""The local table without a terminal: lines in, a plain transcript out."""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import assert_never

from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.model import Message
from bot.loopback.reply import form_lines, message_lines
from bot.loopback.table import FormOpened, LocalTable, Posted, Removed, Sight, TextShown, Unanswered
from bot.loopback.world import DM, World

INDENT = "  "


async def play_lines(table: LocalTable, lines: AsyncIterator[str], out: Callable[[str], None]) -> int:
    """Run the lines one by one and print each line and what it shows.

    Returns 1 if a line was not understood, was not sent or got no answer, otherwise 0.
    """
    code = 0
    number = 0
    async for line in lines:
        number += 1
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        write(table, table.sights.take(), out)
        who, said = table.whose(text)
        out(f"{who.name}> {said}")
        try:
            sights = await table.do(text)
        except UnknownCommand as error:
            out(f"Line {number}: Not understood: {error}")
            code = 1
            continue
        except InputRefused as error:
            out(f"{INDENT}(not sent) {error}")
            code = 1
            continue
        write(table, sights, out)
        if any(isinstance(sight, Unanswered) for sight in sights):
            code = 1
        if table.is_over:
            break
    await table.quiet()
    write(table, table.sights.take(), out)
    return code


def write(table: LocalTable, sights: Iterable[Sight], out: Callable[[str], None]) -> None:
    """Print what there is to see, indented."""
    for sight in sights:
        for line in sight_lines(sight, table.loopback.world, table.place):
            out((INDENT + line).rstrip())


def sight_lines(sight: Sight, world: World, place: object = None) -> list[str]:
    """Return one item of the display as plain lines."""
    if isinstance(sight, Posted):
        lines = message_lines(sight.message, world, sight.handle) or ["(nothing to read)"]
        lines[0] = note(sight, place) + lines[0]
        return lines
    if isinstance(sight, Removed):
        return [f"(message {sight.handle} is gone)"]
    if isinstance(sight, FormOpened):
        return form_lines(sight.form, world)
    if isinstance(sight, Unanswered):
        return [f"(no answer) {sight.reason}"]
    if isinstance(sight, TextShown):
        return sight.text.splitlines()
    assert_never(sight)


def note(sight: Posted, place: object) -> str:
    """Return the note above a message: who sees it, where it is, and whether it was edited."""
    message = sight.message
    words = f"(only {message.viewer.display} sees) " if message.viewer is not None else ""
    words += elsewhere(message, place)
    if not message.author.is_bot or message.webhook is not None:
        words += f"{message.author.display} writes: "
    return words + "(edited) " if sight.is_edit else words


def elsewhere(message: Message, place: object) -> str:
    """Return where a message is, or "" if it is in the current place."""
    channel = message.channel
    if channel.kind == DM:
        return f"(to {channel.recipient.display}) " if place is not None and channel.recipient else ""
    return "" if channel is place else f"(in #{channel.name}) "
