"""The local table in a terminal: a prompt that completes, and a panel for every message."""

from collections.abc import AsyncGenerator, Callable, Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from bot.local import orders
from bot.local.completion import offers
from bot.local.errors import Refused, UnknownCommand
from bot.local.people import Person
from bot.local.piped import note, sight_lines
from bot.local.reply import buttons, menus
from bot.local.sights import Posted, Sight, Words
from bot.local.table import Table


class LineCompleter(Completer):
    """Completes seats, orders, commands, options and values; values come from the bot itself."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Nothing without waiting: see `get_completions_async`."""
        return iter(())

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """What could be typed here."""
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
        """The labels of buttons that can be pressed here and begin so, of the newest message first."""
        shown = self.table.sights.pressable(who, self.table.here(who))
        labels = dict.fromkeys(button.label for message in shown for button in buttons(message))
        return [label for label in labels if label.lower().startswith(begun.lower())]


async def play_in_terminal(table: Table, console: Console | None = None) -> int:
    """Ask for lines until `quit` or the end of input; returns 0."""
    screen = console or Console()
    session: PromptSession[str] = PromptSession(completer=LineCompleter(table), complete_while_typing=True)
    draw(table, [Words("Type /command, or help.")], screen.print)
    while not table.is_over:
        try:
            with patch_stdout():
                line = await session.prompt_async(f"{table.seat.name} {table.where}> ")
        except (EOFError, KeyboardInterrupt):
            break
        if line.strip():
            await do_line(table, line.strip(), screen.print)
    return 0


async def do_line(table: Table, line: str, show: Callable[[object], None]) -> None:
    """Do one line and draw what there is to see."""
    try:
        draw(table, await table.do(line), show)
    except UnknownCommand as error:
        show(Text(f"Not understood: {error}", style="red"))
    except Refused as error:
        show(Text(str(error), style="yellow"))


def draw(table: Table, sights: list[Sight], show: Callable[[object], None]) -> None:
    """A panel per message, dim if private; the rest as plain text."""
    for sight in sights:
        lines = sight_lines(sight, table.loopback.world, table.place)
        if not isinstance(sight, Posted):
            show(Text("\n".join(lines)))
            continue
        title = note(sight, table.place)
        message = sight.message
        body = Text("\n".join(lines).removeprefix(title), style="dim" if message.is_private else "")
        if buttons(message) or menus(message):
            body.highlight_regex(r"\[\d+\]", "bold cyan")
        show(Panel(body, title=title.strip() or None, title_align="left"))
