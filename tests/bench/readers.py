"""What long texts of repeated pieces cost in what reads or prints typed text, without a bot around it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from bot.client.request import LONGEST_MESSAGE
from bot.guide import search
from bot.language import printers
from rules import custom_terms
from rules.campaign import characters, dates, files, notes, zones
from rules.cortex import pool_text, rating, setting_values, sfx
from rules.cortex.dice_in_text import find_dice
from rules.cortex.formats import cortexpal
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import Hand, RolledDie
from rules.cortex.opposition import against
from rules.cortex.pool import Die
from rules.cortex.pool_grammar import LONGEST
from rules.cortex.pool_words import NameIndex
from rules.cortex.reroll import names_of
from rules.cortex.roll import make
from rules.cortex.ruleset import PRIME
from rules.cortex.sheet import LONGEST as LONGEST_SHEET
from rules.cortex.sheet import read
from rules.cortex.tokens import plain_text
from rules.errors import RuleError
from rules.names import LABEL, clean, find
from rules.ore import company, damage, notation
from rules.ore import game as ore
from rules.ore.sheet import read_sheet
from rules.text import own_words
from tests.bench.pump import PIECES, TAILS, Effort, pumped, watchdog
from tests.rules.people import ALICE, GRETA, having, table

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
BERLIN = "Europe/Berlin"
OPTION, FIELD, FILE = 6000, 4000, 12_000
"""The longest text that Discord takes in an option and in a field of a form, and a file with a long text."""
AT = having(table(doom=(6, 8)), "alice", TraitKind.TRAIT, Trait("Mind", 10))
KNOWN = {"Mind": Die(10, "Mind"), "Quick Wits": Die(8, "Quick Wits")}
HAND = Hand((RolledDie(8, 5, "Mind"), RolledDie(6, 2)))


def lows(sizes: Sequence[int]) -> list[int]:
    """Dice that show a two each."""
    return [2] * len(sizes)


READERS: Mapping[str, tuple[int, Callable[[str], object]]] = {
    "dice of a roll": (LONGEST, lambda text: make(AT, ALICE, lows, text)),
    "dice, without a table": (OPTION, pool_text.read),
    "letters and marks": (OPTION, plain_text),
    "words and names": (LONGEST, lambda text: NameIndex(KNOWN).tokens(text)),
    "vs": (LONGEST, lambda text: against(AT, ALICE, text, lows)),
    "dice and vs": (OPTION, pool_text.split_versus),
    "saved pool": (OPTION, pool_text.read_saved_pool),
    "dice to reroll": (LONGEST, lambda text: names_of(HAND, text)),
    "name with its rating": (OPTION, rating.rated),
    "rating": (OPTION, lambda text: rating.read(text, PRIME)),
    "rating of a known name": (OPTION, lambda text: rating.read_named(text, KNOWN)),
    "row of ratings": (OPTION, lambda text: rating.read_row(text, PRIME)),
    "label": (OPTION, rating.label),
    "label before a die": (LONGEST, rating.quote_before_die),
    "SFX": (OPTION, sfx.read),
    "cost of an SFX": (OPTION, lambda text: sfx.new_sfx("Boom", "reroll", text)),
    "sheet": (LONGEST_SHEET, read),
    "line of a sheet": (FIELD, lambda text: read(f"Skills: {text}")),
    "distinctions of a sheet": (FIELD, lambda text: read(f"Distinctions: {text}")),
    "milestones of a sheet": (FIELD, lambda text: read(f"Milestone Vengeance: {text}")),
    "SFX of a sheet": (FIELD, lambda text: read(f"SFX: {text}")),
    "sheet, edited": (FIELD, lambda text: characters.edited(AT, ALICE, "Alice", text)),
    "sheet, imported": (FILE, lambda text: files.read_text(AT, GRETA, f"Name: Zed\n{text}")),
    "CortexPal2000's text": (FILE, cortexpal.read),
    "message to roll": (LONGEST_MESSAGE, lambda text: find_dice(AT, ALICE, text)),
    "message to quote": (LONGEST_MESSAGE, notes.quotable),
    "message, own words": (LONGEST_MESSAGE, own_words),
    "One-Roll dice": (LONGEST, lambda text: notation.read_items(text, {}, ())),
    "One-Roll ratings": (LONGEST, notation.read_ratings),
    "One-Roll difficulty": (LONGEST, lambda text: notation.read_difficulty(text, ())),
    "One-Roll label": (LONGEST, notation.is_label),
    "One-Roll sheet": (FIELD, read_sheet),
    "One-Roll stats": (FIELD, lambda text: read_sheet(f"Stats: {text}")),
    "One-Roll boxes": (OPTION, damage.read_boxes),
    "One-Roll places": (OPTION, damage.read_places),
    "One-Roll company": (OPTION, company.read_names),
    "One-Roll message": (LONGEST_MESSAGE, lambda text: ore.find_dice(AT, ALICE, text)),
    "time": (OPTION, lambda text: dates.read_when(text, NOW, BERLIN)),
    "times": (OPTION, lambda text: dates.read_times(text, NOW, BERLIN)),
    "times without a zone": (OPTION, lambda text: dates.parted(text, NOW, "")),
    "clock": (OPTION, dates.read_clock),
    "zone": (OPTION, zones.zone_named),
    "own words": (OPTION, custom_terms.read_terms),
    "sizes of dice": (OPTION, setting_values.read_sizes),
    "difficulties": (OPTION, setting_values.read_difficulties),
    "name": (OPTION, clean),
    "name, looked up": (OPTION, lambda text: find(text, KNOWN, LABEL)),
    "help": (OPTION, lambda text: search.find(text, ["hitches"])),
    "help, similar words": (OPTION, lambda text: search.similar(text, ["hitches"])),
    "text for Discord": (OPTION, printers.harmless),
    "text for a page": (OPTION, printers.tagged),
    "text in a file": (OPTION, printers.marked),
    "text of a menu": (OPTION, lambda text: printers.in_words(text, 100)),
}
"""What reads or prints text, and the longest text it is given."""


def read_or_refuse(reader: str, text: str) -> None:
    """Read a text, or put the refusal into words. Raises TimeoutError if that takes seconds."""
    with watchdog(f"{reader} of {text[:20]!r}"):
        try:
            READERS[reader][1](text)
        except RuleError as refusal:
            str(refusal)


def measure_readers() -> Iterator[Effort]:
    """Yield what each text takes in each reader; longer ones than LONG_TEXT are read in a worker."""
    for reader, (longest, _) in READERS.items():
        for piece in PIECES:
            for tail in TAILS:
                took = time_reader(reader, pumped(piece, tail, longest))
                yield Effort(f"{reader}, {longest} characters", piece, 0.0, took)


def time_reader(reader: str, text: str) -> float:
    """Milliseconds of CPU that a text takes, the less of two tries if it seems much."""
    tries = []
    for _ in range(2):
        begun = time.thread_time()
        read_or_refuse(reader, text)
        tries.append((time.thread_time() - begun) * 1e3)
        if tries[0] < 10:
            break
    return min(tries)
