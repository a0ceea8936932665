"""What files cost whose texts and lists are as long as a file may be, and pictures of many parts."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from typing import Any

from bot.loopback.reply import BotReply
from bot.pictures.portrait import portrait
from bot.services import files
from bot.services.cortex import SHEETS as CORTEX_SHEETS
from bot.services.ore import SHEETS as ONE_ROLL_SHEETS
from bot.services.play import Request
from bot.store.files import LARGEST, write_character, write_table
from bot.store.history import Place as Channel
from rules.cortex.kinds import Trait, TraitKind
from rules.errors import RuleError, Unreadable
from tests.bench.pump import PIECES, TAILS, Effort, Place, print_efforts, pump, pumped, ready, watchdog
from tests.bench.readers import measure_readers
from tests.bench.stalls import quiet
from tests.bot.pictures.test_portrait import many_parts
from tests.bot.test_foundry import ACTOR
from tests.bot.test_foundry_one_roll import REIGN, SNAKE, WILD
from tests.bot.test_toolkit import COUNTED
from tests.game import Game, playing
from tests.rules.people import GRETA, having, table

AT = having(table(doom=(6, 8)), "alice", TraitKind.TRAIT, Trait("Mind", 10))


@cache
def sample_forms() -> Mapping[str, Any]:
    """Return a file of each kind, by what it is."""
    return {
        "sheet of the Toolkit": COUNTED,
        "Foundry actor": ACTOR,
        "actor of reign": REIGN,
        "creature of reign": SNAKE,
        "actor of wild-talents-2e": WILD,
        "character": json.loads(write_character(AT.characters["alice"], 1)),
        "table": json.loads(write_table(AT, 1, 1)),
    }


ASKED = Request(GRETA, Channel(7, 1), 1)
EACH = 2
"""So many of the texts are put into each place of each file; the next place gets the next ones."""
SAMPLED = 12
"""One of so many places is tried through Discord, too."""
_Path = tuple[str | int, ...]


def find_parts(form: Any, path: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    """Yield what a form holds, with the keys that lead there; of a list the first element stands for all."""
    held = form.items() if isinstance(form, dict) else enumerate(form[:1]) if isinstance(form, list) else ()
    for key, part in held:
        yield (*path, key), part
        yield from find_parts(part, (*path, key))


def fill_form(form: Any, path: _Path, make: Callable[[Any, int], Any]) -> str:
    """Return a form as JSON, with what `make` makes of a part and of the room that a file has left for it."""
    whole = deepcopy(form)
    *above, last = path
    part = whole
    for key in above:
        part = part[key]
    part[last] = make(part[last], LARGEST - len(json.dumps(form)))
    return json.dumps(whole, ensure_ascii=False)


def repeat_part(part: Any, room: int) -> Any:
    """Return a list or an object with its elements again and again."""
    count = room // (len(json.dumps(part)) + 8 * len(part))
    if isinstance(part, list):
        return part * count
    return {f"{key}{number}": each for number in range(count) for key, each in part.items()}


def fill_text(piece: str, tail: str, part: Any, room: int) -> str:
    """Return a text that fills a file, as JSON writes it."""
    return pumped(piece, tail, room * len(piece) // (len(json.dumps(piece, ensure_ascii=False)) - 2))


def make_files() -> Iterator[tuple[str, str, str]]:
    """Yield the name of a place in a file, what is repeated there, and the file."""
    texts = [(piece, tail) for piece in PIECES for tail in TAILS]
    number = 0
    for name, form in sample_forms().items():
        for path, part in find_parts(form):
            where = f"{name}: {'.'.join(map(str, path))}"
            if isinstance(part, str):
                for piece, tail in (texts[(number + n) % len(texts)] for n in range(EACH)):
                    yield where, piece, fill_form(form, path, partial(fill_text, piece, tail))
                number += EACH
            elif part and isinstance(part, list | dict):
                yield where, "the whole", fill_form(form, path, repeat_part)
    for piece, tail in texts[::EACH]:
        yield "sheet as text", piece, pumped(f"Name: Zed\n{piece}", tail, LARGEST)
        yield "text of another program", piece, pumped(piece, tail, LARGEST)


def import_file(text: str, *, is_table: bool) -> None:
    """Read, preview and import a file, or put the refusal into words."""
    try:
        sheets, refusal = (CORTEX_SHEETS, ONE_ROLL_SHEETS), Unreadable("Nobody reads that.")
        look, _ = files._read(files._Waiting(text, is_table), sheets, refusal)
        look(ASKED, 1, AT, files._Offer("bring", 1)).rule(AT, GRETA)
    except RuleError as refusal:
        str(refusal)


def measure_files() -> Iterator[Effort]:
    """Yield what each file takes in a worker. Raises TimeoutError for one that takes seconds."""
    for number, (where, piece, text) in enumerate(make_files()):
        yield _measure(where, piece, partial(import_file, text, is_table=bool(number % 2)))
    for name, data in many_parts().items():
        yield _measure(f"picture: {name}", "", partial(_read_picture, data))


def _read_picture(data: bytes) -> None:
    try:
        portrait(data)
    except RuleError as refusal:
        str(refusal)


def _measure(where: str, piece: str, work: Callable[[], None]) -> Effort:
    begun = time.thread_time()
    with watchdog(where):
        work()
    return Effort(where, piece, 0.0, 1000 * (time.thread_time() - begun))


def file_places(game: Game, folder: Path) -> Iterator[Place]:
    """Yield some places in files that are imported through Discord."""
    found = [
        (name, path)
        for name, form in sample_forms().items()
        for path, part in find_parts(form)
        if part and isinstance(part, str)
    ]
    for number, (name, path) in enumerate(found[::SAMPLED]):
        command = ("/character import", "/campaign new name:Another", "/campaign import")[number % 3]
        send = partial(send_file, game, folder, command, name, path)
        yield Place(f"{command}, {name}", LARGEST, partial(ready, send))


async def send_file(game: Game, folder: Path, command: str, name: str, path: _Path, text: str) -> BotReply:
    """Send a file, and import it if the bot can read it."""
    file = folder / "pumped.json"
    file.write_text(
        fill_form(sample_forms()[name], path, lambda part, room: text[: room // 2]), encoding="utf-8"
    )
    reply = await game.says(f"gm: {command} file:{file}")
    return (
        await game.gm.press(reply, "Import")
        if any(button.label == "Import" for button in reply.buttons)
        else reply
    )


async def print_readers() -> None:
    """Print what long texts and files cost what reads them, without a bot around it."""
    print_efforts([*measure_readers(), *measure_files()])


async def print_pump(share: int) -> None:
    """Print what long texts and files cost in what reads them, and on their way through Discord."""
    quiet()
    efforts = [*measure_readers(), *measure_files()]
    with tempfile.TemporaryDirectory() as folder:
        async with playing(Path(folder)) as game:
            efforts += [each async for each in pump(game, share, [*file_places(game, Path(folder))])]
    print_efforts(efforts)
