"""How a setting is declared: its name, help and subject, and how its values are parsed and written."""

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_type_hints

from msgspec import field

from rules.errors import Unreadable
from rules.names import NAME, clean, find, fold, plain_name
from rules.table import Table
from rules.text import Words, shorten
from rules.values import Value, replace

_Holder = TypeVar("_Holder", bound=Value)


Read = Callable[[str], object]


Write = Callable[[Any], str]


class SettingInput(StrEnum):
    """What input a setting takes: on or off, one of its values, or any text that it can parse."""

    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"


class SettingSubject(StrEnum):
    """The subjects by which settings are grouped into pages of forms."""

    ROLLING = "rolling"
    CHARACTERS = "characters"
    POINTS = "points"
    DOOM = "doom"
    TIME = "time"
    MODS = "mods"
    LOOKS = "looks"


class About(Value, eq=False):
    """The one declaration of a setting: its name, help and subject, and how its values are typed.

    A field of a value is a setting if it is annotated with this record (`settings_of`). Raises LookupError
    for an empty name or help.
    """

    name: str
    help: str
    """A description of up to 60 characters, marked with `later`."""
    subject: SettingSubject
    values: tuple[str, ...] = ()
    """Suggested values; an enum or a switch suggests its members."""
    read: Read | None = None
    """What was typed, as a value; an enum and a switch have a parser without it."""
    write: Write = str
    old_names: Mapping[str, Read] = field(default_factory=dict)
    """Parsers for values under names that the setting had before."""
    asks: Words | None = None
    """What a change can take out of play, which is asked about first."""

    def __post_init__(self) -> None:
        if not (self.name and self.help):
            raise LookupError(f"The setting {self.name} has no help")


class Setting(Value):
    """A setting that can be read from a table and changed there."""

    about: About
    field: str
    """The name of the field in which it is stored."""
    read: Read
    """What was typed, as a value. Raises Unreadable, Unknown or Ambiguous."""
    of: Callable[[Table], object]
    """The value that a table has."""
    put: Callable[[Table, Any], Table]
    """The table with another value."""
    values: tuple[str, ...] = ()
    takes: SettingInput = SettingInput.TEXT
    write: Write = str


def settings_of(
    kind: type[_Holder],
    of: Callable[[Table], _Holder],
    put: Callable[[Table, _Holder], Table],
    others: Collection[str] = (),
    parsers: Mapping[str, Read] = MappingProxyType({}),
    writers: Mapping[str, Write] = MappingProxyType({}),
) -> dict[str, Setting]:
    """Return the settings that the fields of a class declare, by visible name, in order.

    `of` and `put` read its value from a table and store it there. `others` are fields that
    aren't settings. `parsers` and `writers` are by field name, for records that can't import theirs. Raises
    LookupError if another field has no record, or if nothing can parse its values.
    """
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, Setting] = {}
    for name in (each for each in kind.__struct_fields__ if each not in others):
        marks = getattr(hints[name], "__metadata__", ())
        record = next((mark for mark in marks if isinstance(mark, About)), None)
        if record is None:
            raise LookupError(f"{kind.__name__}.{name} is not declared as a setting")
        if name in parsers:
            record = replace(record, read=parsers[name])
        if name in writers:
            record = replace(record, write=writers[name])
        found[record.name] = placed(record, name, get_args(hints[name])[0], of, put)
    return found


def placed(
    record: About,
    place: str,
    kind: object,
    of: Callable[[Table], _Holder],
    put: Callable[[Table, _Holder], Table],
) -> Setting:
    """Return the setting of the field `place` of a value; `kind` is the type of its values.

    Raises LookupError if nothing can parse its values.
    """
    read, write, values, takes = record.read, record.write, record.values, SettingInput.TEXT
    if kind is bool:
        read, write, values, takes = read or switch, on_off, ("on", "off"), SettingInput.SWITCH
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        read, values, takes = read or choice(kind), tuple(map(str, kind)), SettingInput.CHOICE
    if read is None:
        raise LookupError(f"Nothing parses the values of the setting {record.name}")

    def get(table: Table) -> object:
        return getattr(of(table), place)

    def change(table: Table, value: object) -> Table:
        held: Any = of(table)
        return put(table, replace(held, **{place: value}))

    return Setting(record, place, read, get, change, values, takes, write)


def choice(kind: type[StrEnum]) -> Read:
    """Return a parser for the members of an enum, by name or unique prefix."""
    return lambda typed: kind(find(typed, [str(value) for value in kind], Words("value")))


def switch(typed: str) -> bool:
    """Parse on or off. Raises Unreadable for anything else.

    >>> switch("On"), switch("no")
    (True, False)
    """
    word = fold(typed)
    known: Mapping[str, bool] = {
        "on": True,
        "yes": True,
        "true": True,
        "off": False,
        "no": False,
        "false": False,
    }
    if word not in known:
        raise Unreadable("{typed} isn't a valid choice. Type on or off.", typed=shorten(typed))
    return known[word]


def between(least: int, most: int) -> Read:
    """Return a parser for whole numbers from `least` to `most`; it raises Unreadable for others.

    >>> between(1, 5)(" 3 ")
    3
    """

    def read(typed: str) -> int:
        word = typed.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 3 or not least <= int(word) <= most:
            raise Unreadable(
                "{typed} isn't a number from {least} to {most}.",
                typed=shorten(typed),
                least=least,
                most=most,
            )
        return int(word)

    return read


def number(most: int) -> Read:
    """Return a parser for whole numbers from 0 to `most`; `no limit` and `off` are 0.

    >>> number(20)("12"), number(20)("no limit")
    (12, 0)
    """

    def read(typed: str) -> int:
        word = "0" if fold(typed) in ("no limit", "off") else typed.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 3 or int(word) > most:
            raise Unreadable("{typed} isn't a number from 0 to {most}.", typed=shorten(typed), most=most)
        return int(word)

    return read


def names(typed: str) -> tuple[str, ...]:
    """Parse names separated by commas; none for `off`. Raises Unreadable for more than 10.

    >>> names("Mind, Body, Mind"), names("off")
    (('Mind', 'Body'), ())
    """
    if fold(typed) in ("off", "none", "no", "false"):
        return ()
    first: dict[str, str] = {}
    for part in filter(str.strip, typed.split(",")):
        first.setdefault(fold(part), plain_name(clean(part, NAME, 40)))
    names = tuple(first.values())
    if len(names) > 10:
        raise Unreadable("That's {count} names; the limit is 10.", count=len(names))
    return names


def on_off(value: object) -> str:
    """Return a switch as people type it: `on` or `off`."""
    return "on" if value else "off"


def write_names(value: object) -> str:
    """Return a setting's value as people type it.

    >>> write_names(("Mind", "Body")), write_names(()), write_names(3)
    ('Mind, Body', 'off', '3')
    """
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "off"
    return str(value)
