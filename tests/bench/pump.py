"""What long texts of repeated pieces cost, in every option, suggestion and form, and in messages.

A pattern or a loop that takes more than linear time for some text takes it for one of these, if at all.
"""

import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from bot.client.request import LONGEST_MESSAGE
from bot.loopback.errors import InputRefused
from bot.loopback.forms import FieldKind
from bot.loopback.model import InteractionKind, Json
from bot.loopback.people import Person, command_data
from bot.loopback.reply import BotReply
from tests.bot.one_roll import ROOK
from tests.bot.test_hostile import FRESH, STRING, Slot, lay, slots
from tests.game import Game

PIECES = (
    *("a", " ", "\n", "\t", "\u00a0", ",", ";", ", ", ":", "-", "+", "=", "/", "|", ".", "*", "_", "~", "`"),
    *(
        '"',
        '" ',
        "'",
        "(",
        ")",
        "[",
        "<",
        "<@1",
        "1",
        "1d6",
        "d12",
        "2d6 ",
        "3w10 ",
        "Mind d8 ",
        "Mind: d8, ",
    ),
    *("a d6 + ", "(a) ", "up ", "d6 vs ", "x1 ", "1 a; ", "a = b; ", "sat 19:30, ", "Alice, ", "Alice; "),
)
"""Each is repeated until a text is full."""
TAILS = ("", "z", "!?")
"""What stands at the end: what began well may turn out to be something else."""
SLOW = 15.0
"""What takes more milliseconds is sent twice, and the less counts: other work may have fallen into it."""
SHARE = 9
"""Each place gets one of so many texts through Discord, the next place other ones."""
FREEZING = 5.0
"""Seconds of CPU time; what takes so long has frozen the bot."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one text took: where it was typed, its piece, and ms of CPU on the loop and in all threads."""

    where: str
    piece: str
    loop: float
    all: float


def print_efforts(efforts: Sequence[Effort]) -> None:
    """Print the dearest text of each place, dearest first."""
    worst: dict[str, Effort] = {}
    for each in sorted(efforts, key=lambda each: max(each.loop, each.all)):
        worst[each.where] = each
    print(f"{len(efforts):,} texts; CPU in ms{'':37}on the loop  in all threads")
    for each in reversed(worst.values()):
        print(f"{each.where[:45]:45} {each.piece!r:16} {each.loop:11.1f} {each.all:15.1f}")


def pumped(piece: str, tail: str, longest: int) -> str:
    """Return a text of that length, of one piece again and again.

    >>> pumped("1d6", "z", 8)
    '1d61d61z'
    """
    room = longest - len(tail)
    return (piece * (room // len(piece) + 1))[:room] + tail


@contextmanager
def watchdog(what: str, seconds: float = FREEZING) -> Iterator[None]:
    """Interrupt what takes seconds of CPU time, whatever else the machine does, and say what it was."""

    def bite(*_: object) -> None:
        raise TimeoutError(f"{what} freezes the bot")

    before = signal.signal(signal.SIGVTALRM, bite)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


FORMS = (
    "alice: /roll dice:3d6; gm: Apply",
    "alice: /roll dice:3d6; gm: Hitches: 1",
    "alice: /roll dice:3d6; gm: Oppose",
    "alice: /roll dice:3d6; alice: What was it?",
    "gm: /doom roll; alice: Roll against",
    "alice: /crisis show; alice: Roll against Fire",
    "gm: /campaign new",
    "gm: /campaign show; gm: Settings by subject=Doom; gm: Change",
    "alice: /character edit",
    "gm: /campaign new name:Another ruleset:adept; bob: Join",
    "gm: /doom spend; gm: What for=Complication",
    "gm: /doom spend; gm: What for=GMC",
    "alice: /ore roll dice:5d 2w; alice: Place",
    "alice: Roll this=2d6 and a d8; alice: Change",
    "alice: /pool build; alice: Type it",
    "alice: /pool build; alice: Traits and dice=d6; alice: Share; bob: Add dice",
    "alice: /pool build; alice: Traits and dice=d6; alice: Share; gm: Oppose",
    "gm: /safety show; gm: Add a line",
    "gm: /safety show; gm: Add a veil",
    "gm: /scene end; gm: Start the next scene",
    "gm: /session end; gm: Give XP",
    "gm: /session end; gm: Title",
    "gm: /session plan when:sat 19:30 zone:Europe/Berlin; gm: Move",
    "alice: /sfx template; alice: What it does=Step up a trait for 1 PP",
    "carol: /table show; carol: Roll",
)
ONE_ROLL_FORMS = (
    "alice: /character edit",
    "gm: /campaign new name:Another ruleset:one-roll; bob: Join",
)
"""What leads to a form: what people type, then buttons that they press, or menus with what they choose."""


async def follow(game: Game, steps: str) -> tuple[Person, BotReply]:
    """Do these steps, and return who did the last one and the answer to it."""
    reply: BotReply | None = None
    who = game.gm
    for step in steps.split("; "):
        name, _, what = step.partition(": ")
        who, (menu, _, value) = game.person(name), what.partition("=")
        if what == "/roll dice:3d6":
            game.dice.show((1, 3, 2))
        if what.startswith("/campaign new name:"):
            reply = await game.begin(step)
        elif what.startswith("/"):
            reply = await game.says(step)
        elif reply is None:
            reply = await who.menu_command(menu, await who.write(value))
        else:
            reply = await (who.choose(reply, menu, [value]) if value else who.press(reply, what))
    assert reply is not None, steps
    return who, reply


Send = Callable[[str], Awaitable[object]]
"""Sends a text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Something that takes text: what it is called, the longest text, and what makes ready to send one."""

    name: str
    longest: int
    prepare: Callable[[], Awaitable[Send]]
    lay: Callable[[Game], Awaitable[None]] = lay


def option_places(game: Game) -> Iterator[Place]:
    """Yield all text options of all commands, and their suggestions; some at a table of One-Roll, too."""
    for slot in slots(game):
        if slot.option["type"] != STRING:
            continue
        longest = slot.option["max_length"]
        for table, lay_table in TABLES.items():
            if table and slot.command["name"] not in ONE_ROLL:
                continue
            send = partial(ready, partial(send_option, game, slot))
            yield Place(f"{table}{slot}", longest, send, lay_table)
            if slot.option.get("autocomplete"):
                send = partial(ready, partial(suggest, game, slot))
                yield Place(f"{table}{slot} (suggestions)", longest, send, lay_table)


def message_places(game: Game) -> Iterator[Place]:
    """Yield the commands that read a message."""
    for name in ("Roll this", "Import table", "Keep for the chronicle"):
        for table, lay_table in TABLES.items():
            send = partial(ready, partial(_long_press, game, name))
            yield Place(f"{table}{name}", LONGEST_MESSAGE, send, lay_table)


async def lay_one_roll(game: Game) -> None:
    """A new table of One-Roll, at which Alice plays Rook."""
    begun = await game.begin("gm: /campaign new name:Skyfall ruleset:one-roll")
    joined = await game.alice.press(begun, "Join")
    assert joined.form is not None
    await game.alice.submit(joined.form, ROOK)
    await game.play(
        "gm: /session start",
        "gm: /scene start name:The bridge",
        "gm: /ore company name:The Watch ratings:Might 3, Treasure 2",
        "alice: /ore roll dice:5d",
    )


TABLES = {"": lay, "One-Roll: ": lay_one_roll}
"""How a table is laid, by what stands before the names of its places."""
ONE_ROLL = ("ore", "gmc", "character")
"""Commands whose texts a table of One-Roll reads in ways of its own."""


async def field_places(game: Game) -> list[Place]:
    """Return all text fields of the forms."""
    found = []
    for table, steps in [("", steps) for steps in FORMS] + [
        ("One-Roll: ", steps) for steps in ONE_ROLL_FORMS
    ]:
        await TABLES[table](game)
        form = (await follow(game, steps))[1].form
        assert form is not None, steps
        for field in form.inputs():
            if field.kind is FieldKind.TEXT:
                name = f"{table}{steps.rpartition('; ')[2]}, {field.label}"
                form_of = OpenedForm(game, steps, field.custom_id, TABLES[table])
                found.append(Place(name, field.most, form_of.prepare, TABLES[table]))
    return found


async def ready(send: Send) -> Send:
    return send


async def send_option(game: Game, slot: Slot, text: str) -> BotReply:
    """Send a command with a text in one option, as only a forged client can if it is too long."""
    data = command_data(slot.command, game.discord.table) | {"options": slot.filled(text, game)}
    return await game.gm._act(InteractionKind.COMMAND, game.discord.table, data)


async def suggest(game: Game, slot: Slot, text: str) -> Sequence[Json]:
    """Return the suggestions for a text in an option."""
    data = command_data(slot.command, game.discord.table) | {"options": slot.filled(text, game, focused=True)}
    opened = await game.discord.send(game.gm.user, game.discord.table, InteractionKind.AUTOCOMPLETE, data)
    answer = await game.gm._answer(opened)
    assert answer is not None, str(slot)
    choices: Sequence[Json] = answer.data["choices"]
    return choices


async def _long_press(game: Game, name: str, text: str) -> BotReply:
    return await game.gm.menu_command(name, await game.bob.write(text))


class OpenedForm:
    """A form to which steps lead, opened anew once it has done something."""

    def __init__(self, game: Game, steps: str, field: str, lay: Callable[[Game], Awaitable[None]]) -> None:
        self.game, self.steps, self.field, self.lay = game, steps, field, lay
        self.opened: tuple[Person, BotReply] | None = None

    async def prepare(self) -> Send:
        """Open the form if it isn't open, and return what sends it with a text in its field."""
        if self.opened is None:
            await self.lay(self.game)
            self.opened = await follow(self.game, self.steps)
        return self.send

    async def send(self, text: str) -> BotReply | None:
        """Send the form; None if Discord itself doesn't, since nothing can be seen in the field."""
        assert self.opened is not None
        who, reply = self.opened
        try:
            answer = await who.submit(reply.form, {self.field: text})
        except InputRefused:
            return None
        if answer.updated or not answer.private:
            self.opened = None
        return answer


async def pump(game: Game, share: int = SHARE, more: Sequence[Place] = ()) -> AsyncIterator[Effort]:
    """Send one of `share` long texts to all that takes text, and to more places; yield what each took.

    Raises AssertionError for a text on which the bot fails, and TimeoutError for one that freezes it.
    """
    sent, laid = 0, None
    texts = [(piece, tail) for piece in PIECES for tail in TAILS]
    places = [*await field_places(game), *option_places(game), *message_places(game), *more]
    for number, place in enumerate(sorted(places, key=lambda place: place.lay is lay)):
        for piece, tail in texts[number % share :: share]:
            if sent % FRESH == 0 or laid is not place.lay:
                await place.lay(game)
            sent, laid = sent + 1, place.lay
            effort = await _send(place, piece, tail)
            if effort.all > SLOW:
                effort = min(effort, await _send(place, piece, tail), key=attrgetter("all"))
            yield effort


async def _send(place: Place, piece: str, tail: str) -> Effort:
    what, send = f"{place.name} with {piece!r}", await place.prepare()
    begun, loop = time.process_time(), time.thread_time()
    with watchdog(what):
        reply = await send(pumped(piece, tail, place.longest))
    loop, taken = time.thread_time() - loop, time.process_time() - begun
    if isinstance(reply, BotReply):
        assert reply.failed is None, (what, reply.failed)
        assert "Something went wrong" not in reply.text, (what, reply.text)
    return Effort(place.name, piece, 1000 * loop, 1000 * taken)
