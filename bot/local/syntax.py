"""Reading a typed line such as `/asset add who:Alice what:Broken Chair d8`; pure."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.local.errors import Refused, UnknownCommand

Json = dict[str, Any]
SUBCOMMAND, GROUP = 1, 2
INNER_OPTION = re.compile(r"(?<=\s)([a-z][a-z_]*):(?!//)(?=\S)")
"""What looks like an option behind another one's value; an address on the web does not."""
LOOKS_LIKE_OPTION = re.compile(r"^([\w-]+):\S")


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as typed: the command, its subcommands, and the raw text of each option.

    `focused` is the option typed last, which autocomplete asks about.
    """

    command: Json
    path: tuple[str, ...]
    options: Sequence[Json]
    values: dict[str, str]
    focused: str | None

    @property
    def name(self) -> str:
        """The full name: `asset add`."""
        return " ".join((self.command["name"], *self.path))


def read(line: str, commands: Iterable[Json]) -> Typed:
    """Read a typed slash command.

    Raises:
        UnknownCommand: there is no such command, subcommand or option.
        Refused: an option is given twice, or a subcommand is missing.
    """
    by_name = {command["name"].lower(): command for command in commands if command.get("type", 1) == 1}
    word, rest = next_word(line.lstrip().removeprefix("/"))
    command = pick(by_name, word, f"/{word}", "command")
    path: list[str] = []
    inside = command
    while options_of(inside, subcommands=True):
        subs = {sub["name"].lower(): sub for sub in options_of(inside, subcommands=True)}
        so_far = " ".join(("/" + command["name"], *path))
        word, rest = next_word(rest)
        if not word:
            raise Refused(f"{so_far} needs one of: {', '.join(subs)}.")
        inside = pick(subs, word, f"{so_far} {word}", "subcommand")
        path.append(inside["name"])
    options = options_of(inside, subcommands=False)
    values, focused = split_values(rest, options, " ".join(("/" + command["name"], *path)))
    return Typed(command, tuple(path), options, values, focused)


def next_word(text: str) -> tuple[str, str]:
    """The first word and what follows it.

    >>> next_word("roll 2d6  d8")
    ('roll', '2d6  d8')
    """
    word, _, rest = text.lstrip().partition(" ")
    return word.rstrip(), rest.lstrip()


def pick(known: Mapping[str, Json], word: str, whole: str, what: str) -> Json:
    """The thing of that name, whatever its case.

    Raises:
        UnknownCommand: with the nearest names.
    """
    found = known.get(word.lower())
    if found is None:
        raise UnknownCommand(f"There's no {what} {whole}.{nearest(word, known)}")
    return found


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence with the names most like the word, or nothing.

    >>> nearest("rol", ["roll", "doom"])
    ' Did you mean roll?'
    """
    close = difflib.get_close_matches(word.lower(), list(known), n=3, cutoff=0.65)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def options_of(thing: Json, *, subcommands: bool) -> list[Json]:
    """The subcommands of a command, or its plain options."""
    options = thing.get("options") or ()
    return [option for option in options if (option["type"] in (SUBCOMMAND, GROUP)) == subcommands]


@lru_cache(maxsize=512)
def marker(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds where one of the options is named."""
    alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:^|(?<=\s))({alternatives}):", re.IGNORECASE)


def split_values(text: str, options: Sequence[Json], whole: str) -> tuple[dict[str, str], str | None]:
    """The raw text of each option; text before the first name is the first required option's.

    The last one keeps the spaces at its end: while it is typed, they say that a word is finished.

    Raises:
        UnknownCommand: the text names no option of this command.
        Refused: an option is given twice.
    """
    names = tuple(option["name"] for option in options)
    marks = list(marker(names).finditer(text)) if names else []
    lead = text[: marks[0].start()].strip() if marks else text.lstrip()
    values: dict[str, str] = {}
    focused: str | None = None
    if lead:
        focused = lead_option(lead, options, whole)
        values[focused] = lead
    _check_unknown(text, names, whole)
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        focused = next(name for name in names if name.lower() == mark[1].lower())
        if focused in values:
            raise Refused(f"{focused} is given twice.")
        values[focused] = (
            text[mark.end() : end].lstrip() if end == len(text) else text[mark.end() : end].strip()
        )
    return values, focused


def _check_unknown(text: str, names: Sequence[str], whole: str) -> None:
    """Refuse what stands where an option would and is none: `who:Alice` where there is no who.

    Raises:
        UnknownCommand: with the options that there are.
    """
    unknown = next((match[1] for match in INNER_OPTION.finditer(text) if match[1] not in names), None)
    if unknown:
        raise UnknownCommand(f"{whole} has no option {unknown}.{nearest(unknown, names) or listed(names)}")


def lead_option(lead: str, options: Sequence[Json], whole: str) -> str:
    """The option that text without a name belongs to.

    Raises:
        UnknownCommand: it looks like another option, or no option is required.
    """
    names = [option["name"] for option in options]
    looks = LOOKS_LIKE_OPTION.match(lead)
    if looks:
        raise UnknownCommand(f"{whole} has no option {looks[1]}.{nearest(looks[1], names) or listed(names)}")
    if not options or not options[0].get("required"):
        raise UnknownCommand(f"{whole} doesn't take “{lead}”.{listed(names)}")
    return str(names[0])


def listed(names: Sequence[str]) -> str:
    """A sentence with all option names."""
    return f" Its options: {', '.join(names)}." if names else " It has no options."
