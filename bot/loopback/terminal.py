"""The local table in a terminal, or reading lines from a file or pipe."""

from collections.abc import AsyncGenerator, Callable, Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from bot.loopback import orders
from bot.loopback.completion import offers
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.opening import START, Opening, played, stage, stories
from bot.loopback.people import Person
from bot.loopback.piped import note, sight_lines
from bot.loopback.reply import buttons_of, menus, pressable
from bot.loopback.table import LocalTable, Posted, Sight


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
        labels = dict.fromkeys(button.label for message in shown for button in pressable(message))
        return [label for label in labels if label.lower().startswith(begun.lower())]


async def play_in_terminal(table: LocalTable, console: Console | None = None) -> int:
    """Prompt for lines until `quit` or the end of input; return 0."""
    screen = console or Console()
    session: PromptSession[str] = PromptSession(completer=LineCompleter(table), complete_while_typing=True)
    opening: Opening | None = open_anew(screen.print)
    while not table.is_over:
        try:
            with patch_stdout():
                line = await session.prompt_async(f"{table.seat.name} {table.where}> ")
        except (EOFError, KeyboardInterrupt):
            break
        if opening is not None:
            opening = await begin(table, opening, line.strip(), screen.print)
        elif line.strip():
            await do_line(table, line.strip(), screen.print)
    return 0


def open_anew(show: Callable[[object], None]) -> Opening:
    """Print and return what an empty table offers."""
    opening = Opening()
    show_opening(opening, "What do you want to do?", show)
    return opening


def show_opening(opening: Opening, question: str, show: Callable[[object], None]) -> None:
    """Print what there is to choose from at the beginning."""
    show(Text(f"{question}\n{opening.text}\nType a number, dice (2d6 d8), /command, or help."))


async def begin(
    table: LocalTable, opening: Opening, line: str, show: Callable[[object], None]
) -> Opening | None:
    """Do what is chosen at the beginning, or any other line; return what can be chosen next, if anything."""
    choice = opening.chosen(line)
    if choice is None:
        if line:
            await do_line(table, line, show)
        seen = table.sights.visible(table.seat, table.here(table.seat))
        return None if any(True for _ in seen) else opening
    if choice.line:
        await do_line(table, choice.line, show)
    elif choice.label == START:
        opening.choices = await stories(table.seat, table.here(table.seat))
        show_opening(opening, "Which story?", show)
        return opening
    else:
        async for sights in played(table, stage(table.loopback)):
            draw(table, sights, show)
        return open_anew(show)
    return None


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
