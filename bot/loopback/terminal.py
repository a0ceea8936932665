"""The local table in a terminal, or reading lines from a file or pipe."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from typing import TextIO, assert_never

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from bot.loopback import orders
from bot.loopback.completion import offers
from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.model import Message
from bot.loopback.people import Person
from bot.loopback.reply import buttons_of, form_lines, menus, message_lines
from bot.loopback.table import FormOpened, LocalTable, Posted, Removed, Sight, TextShown, Unanswered
from bot.loopback.world import DM, World

INDENT = "  "


async def play_lines(table: LocalTable, lines: AsyncIterator[str], out: Callable[[str], None]) -> int:
    """Run the lines one by one and print each line and what it shows.

    Returns 1 if a line was not understood or the bot did not answer it, otherwise 0.
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


class LineCompleter(Completer):
    """Completes seats, orders, commands, options and values; the bot suggests the values."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield nothing: completions are asynchronous, see `get_completions_async`."""
        return iter(())

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Yield what could be typed at the cursor."""
        name, text = orders.split_seat(document.text_before_cursor.lstrip())
        who = self.table.seats.get(name or "", self.table.seat)
        if not text.startswith("/"):
            for completion in self._orders(who, text):
                yield completion
            return
        for offer in (await offers(who, self.table.here(who), text, self.table.seats)).all:
            meta = offer.about or (offer.label if offer.label != offer.words else "")
            yield Completion(offer.words, -offer.length, offer.label.strip(), display_meta=meta)

    def _orders(self, who: Person, text: str) -> list[Completion]:
        verb, space, begun = text.partition(" ")
        if verb.lower() == "press" and space:
            return [Completion(label, -len(begun)) for label in self._labels(who, begun)]
        if space:
            return []
        form = self.table.forms.of(self.table.seat)
        fields = [f"{field.label}: " for field in form.inputs()] if form else []
        known = [*fields, *orders.WORDS, *(f"@{name} " for name in self.table.seats)]
        return [Completion(word, -len(text)) for word in known if word.lower().startswith(text.lower())]

    def _labels(self, who: Person, begun: str) -> list[str]:
        """Return the labels of buttons here that start with the text, newest message first."""
        shown = self.table.sights.pressable(who, self.table.here(who))
        labels = dict.fromkeys(button.label for message in shown for button in buttons_of(message))
        return [label for label in labels if label.lower().startswith(begun.lower())]


async def play_in_terminal(table: LocalTable, console: Console | None = None) -> int:
    """Prompt for lines until `quit` or the end of input; return 0."""
    screen = console or Console()
    session: PromptSession[str] = PromptSession(completer=LineCompleter(table), complete_while_typing=True)
    draw(table, [TextShown("Type /command, or help.")], screen.print)
    while not table.is_over:
        try:
            with patch_stdout():
                line = await session.prompt_async(f"{table.seat.name} {table.where}> ")
        except (EOFError, KeyboardInterrupt):
            break
        if line.strip():
            await do_line(table, line.strip(), screen.print)
    return 0


async def do_line(table: LocalTable, line: str, show: Callable[[object], None]) -> None:
    """Run one line and draw the result."""
    try:
        draw(table, await table.do(line), show)
    except UnknownCommand as error:
        show(Text(f"Not understood: {error}", style="red"))
    except InputRefused as error:
        show(Text(str(error), style="yellow"))


def draw(table: LocalTable, sights: list[Sight], show: Callable[[object], None]) -> None:
    """Draw a panel for each message (dimmed if private) and plain text for everything else."""
    for sight in sights:
        lines = sight_lines(sight, table.loopback.world, table.place)
        if not isinstance(sight, Posted):
            show(Text("\n".join(lines)))
            continue
        title = note(sight, table.place)
        message = sight.message
        body = Text("\n".join(lines).removeprefix(title), style="dim" if message.is_private else "")
        if buttons_of(message) or menus(message):
            body.highlight_regex(r"\[\d+\]", "bold cyan")
        show(Panel(body, title=title.strip() or None, title_align="left"))


async def lines_of(stream: TextIO) -> AsyncIterator[str]:
    """Yield the lines of a file or pipe as they arrive."""
    while line := await asyncio.to_thread(stream.readline):
        yield line


async def run(loopback: Loopback, *, lines: AsyncIterator[str] | None, out: Callable[[str], None]) -> int:
    """Play at the local table with the given lines, or in this terminal if `lines` is None.

    Returns the exit code: 1 if a line was not understood or the bot did not answer one, otherwise 0.
    """
    table = LocalTable(loopback)
    if lines is None:
        return await play_in_terminal(table)
    return await play_lines(table, lines, out)
