"""Check every stored value of every row, and replace unreadable ones.

A row is read as the driver gives it, so that a damaged value hides neither the others nor other rows.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    Table,
    Text,
    delete,
    func,
    literal,
    literal_column,
    null,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import SYSTEM
from bot.store import codec, jobs, pending, schema
from bot.store.engine import begin, is_sqlite
from bot.store.personal import KNOWN, digest_of
from bot.store.reader import moves_of
from rules.campaign.schedule import QuietHours
from rules.names import SOMEBODY

SLICE = 1000
"""So many rows are read in one go."""
_LOOKS = count(1)
_JSON_NOTES = ("faces", "numbers")
# A damaged moment may still be one: only those that a step can have are taken for sound.
_EARLIEST, _LATEST = 2000, 2200

Row = dict[str, Any]
"""The values of a row by column, as the driver gives them; moments and JSON are text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """An unreadable value: its row and column."""

    row: str
    column: Column[Any]
    of: str
    """The row as people name it: its key."""


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Connect to read all rows as of one moment, even if others write."""
    async with engine.connect() as connection:
        if is_sqlite(engine):
            driver: Any = (await connection.get_raw_connection()).driver_connection
            usual, driver.text_factory = driver.text_factory, _text
            began = "BEGIN"
        else:
            began = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        await connection.exec_driver_sql(began)
        try:
            yield connection
        finally:
            await connection.exec_driver_sql("ROLLBACK")
            if is_sqlite(engine):
                driver.text_factory = usual


def _text(raw: bytes) -> str | bytes:
    """A text of SQLite's; its bytes if it is damaged, as no column of texts may have them."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


async def slices(
    connection: AsyncConnection, columns: Sequence[Column[Any]]
) -> AsyncIterator[list[tuple[str, Row]]]:
    """Yield the rows of these columns' table in slices, each row with its place; steps in their order."""
    is_file, table = connection.dialect.name == "sqlite", columns[0].table
    names = [column.name for column in columns]
    parts = [f'"{column.name}"{"" if is_file else _as_text(column)}' for column in columns]
    # By its place, since what is damaged may be its key.
    wanted = f"SELECT {'rowid' if is_file else 'ctid::text'}, {', '.join(parts)} FROM {table}"
    if table is schema.entry and {"campaign_id", "number"}.issubset(names):
        wanted += " ORDER BY campaign_id, number"
    # A portrait is read whole, for its digest.
    size = 10 if table is schema.portrait else SLICE
    async for rows in (_of_file if is_file else _of_server)(connection, wanted, size):
        yield [(str(place), dict(zip(names, values, strict=True))) for place, *values in rows]


async def _of_file(connection: AsyncConnection, wanted: str, size: int) -> AsyncIterator[Sequence[Any]]:
    async with connection.stream(text(wanted)) as found:
        async for rows in found.partitions(size):
            yield rows


async def _of_server(connection: AsyncConnection, wanted: str, size: int) -> AsyncIterator[Sequence[Any]]:
    looked = f"looked_{next(_LOOKS)}"  # of its own each time: a driver keeps what columns a statement gives
    await connection.exec_driver_sql(f"DECLARE {looked} NO SCROLL CURSOR FOR {wanted}")
    while rows := (await connection.exec_driver_sql(f"FETCH {size} FROM {looked}")).all():
        yield rows


def _as_text(column: Column[Any]) -> str:
    return "::text" if isinstance(column.type, schema.UtcMoment | schema.WrittenJson) else ""


def checker(columns: Sequence[Column[Any]]) -> Callable[[str, Row], list[Cell]]:
    """Return the function that finds the unreadable values in a row of these columns, at a place."""
    checks = [(each, each.name, each.nullable, _type_of(each), _MEANT.get(str(each))) for each in columns]
    keys = [key.name for key in columns[0].table.primary_key]

    def damaged(place: str, row: Row) -> list[Cell]:
        wrong = [
            column
            for column, name, is_optional, is_value, is_meant in checks
            if not (is_optional if (value := row[name]) is None else is_value(value))
            or (is_meant is not None and not _holds(is_meant, row))
        ]
        if not wrong:
            return []
        of = ", ".join(f"{name} {_short(row.get(name))}" for name in keys)
        return [Cell(place, column, of) for column in wrong]

    return damaged


def _holds(is_meant: Callable[[Row], bool], row: Row) -> bool:
    try:
        return is_meant(row)
    except (ValueError, TypeError, KeyError):
        return True  # another value of the row is damaged, and named itself


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def _is_moment(value: Any) -> bool:
    try:
        return _EARLIEST <= datetime.fromisoformat(value).year < _LATEST
    except (ValueError, TypeError):
        return False


def _is_json(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(_json(value), schema.Garbled)


_TYPES: Mapping[type, Callable[[Any], bool]] = {
    Boolean: lambda value: value in (0, 1),
    Integer: _is_number,
    BigInteger: _is_number,
    schema.UtcMoment: _is_moment,
    schema.WrittenJson: _is_json,
    Text: lambda value: isinstance(value, str),
    LargeBinary: lambda value: isinstance(value, bytes),
}
"""Whether a value that is there is one of a column's type."""


def _type_of(column: Column[Any]) -> Callable[[Any], bool]:
    is_value = _TYPES[type(column.type)]
    return (lambda value: value != "" and is_value(value)) if column.primary_key else is_value


def _json(value: str | None) -> Any:
    try:
        return None if value is None else json.loads(value)
    except ValueError:
        return schema.Garbled(str(value))


def _is_step(name: str, *, is_earlier: bool = False) -> Callable[[Row], bool]:
    """A step names only itself or steps before."""
    return lambda row: bool(row[name] <= row["number"] - is_earlier)


def _is_job(row: Row) -> bool:
    payload = _json(row["payload"])
    return isinstance(payload, dict) and jobs.fits(str(row["kind"]), payload)


def _is_note(row: Row) -> bool:
    """Whether a note says what notes of its kind say."""
    kind, value = str(row["key"]).partition(":")[0], str(row["value"])
    if kind == "rest":
        try:
            codec.strict().decode(value, QuietHours)
        except codec.FAULTS:
            return False
    if kind == "intro":
        return value == KNOWN
    if kind == "thread":
        return re.fullmatch("|[0-9]+(:[0-9]+)*", value) is not None
    return kind not in _JSON_NOTES or isinstance(_json(value), dict | list)


_MEANT: Mapping[str, Callable[[Row], bool]] = {
    "entry.position": _is_step("position"),
    "entry.parent": _is_step("parent", is_earlier=True),
    "entry.base": _is_step("base"),
    "entry.undoes": _is_step("undoes", is_earlier=True),
    "entry.redoes": _is_step("redoes", is_earlier=True),
    "entry.moves": lambda row: moves_of(_json(row["moves"])) is not None,
    "job.kind": lambda row: row["kind"] in jobs.SHAPES,
    "job.payload": lambda row: row["kind"] not in jobs.SHAPES or _is_job(row),
    "note.value": _is_note,
    "waiting.kind": lambda row: row["kind"] in list(pending.WaitingKind),
    "waiting.body": lambda row: _is_json(row["body"]),
    "portrait.data": lambda row: digest_of(row["data"]) == row["digest"],
}
"""What a value has to be beside what its type says."""

_CAMPAIGN, _ENTRY, _SHOWN, _OTHER = schema.campaign.c, schema.entry.c, schema.shown.c, schema.entry.alias("o")


def _now() -> ColumnElement[Any]:
    return literal(SYSTEM.now(), schema.UtcMoment())


def _server() -> ColumnElement[Any]:
    found = select(func.max(_SHOWN.guild_id)).where(_SHOWN.campaign_id == _CAMPAIGN.id, _SHOWN.guild_id > 0)
    return func.coalesce(found.scalar_subquery(), 0)


def _of_before() -> ColumnElement[Any]:
    """When the step before was made."""
    before = (_OTHER.c.campaign_id == _ENTRY.campaign_id, _OTHER.c.number == _ENTRY.number - 1)
    begun = select(_CAMPAIGN.created_at).where(_CAMPAIGN.id == _ENTRY.campaign_id)
    found = select(_OTHER.c.at).where(*before)
    return func.coalesce(found.scalar_subquery(), begun.scalar_subquery(), _now())


_MENDS: Mapping[str, tuple[Callable[[], Any], str]] = {
    "campaign.guild_id": (_server, "set to the server of its messages, or to none"),
    "campaign.name": (lambda: "", "taken from its table"),
    "campaign.archived": (lambda: False, "taken from its table"),
    "campaign.created_at": (_now, "set to now"),
    "campaign.deleted_at": (_now, "set to now, so that it can be restored"),
    "campaign.deleted_by": (lambda: 0, "set to unknown"),
    # Without its row it would go with all its steps.
    "campaign.rolls_only": (lambda: False, "set to a campaign"),
    "entry.actor_id": (lambda: 0, "set to unknown"),
    "entry.actor_name": (lambda: SOMEBODY, f"set to {SOMEBODY}"),
    "entry.at": (_of_before, "taken from the step before"),
    "entry.position": (lambda: _ENTRY.number, "set to the step itself"),
    "entry.parent": (lambda: _ENTRY.number - 1, "set to the step before"),
    "entry.tip": (lambda: _ENTRY.number, "set to the step itself"),
    "entry.undoes": (lambda: 0, "cleared"),
    "entry.redoes": (lambda: 0, "cleared"),
    "entry.interaction_id": (null, "cleared"),
    "entry.moves": (null, "cleared"),
    # Nobody knows any more, and what players have read cannot be taken back.
    "entry.secret": (lambda: True, "the step is visible to the GM only"),
    "entry.state": (null, "cleared"),
    "entry.facts": (lambda: codec.write_facts((codec.GONE,)), "cleared and noted in the log"),
    "person.is_gm": (lambda: False, "taken from the table"),
    "whisper.sender_name": (lambda: SOMEBODY, f"set to {SOMEBODY}"),
    "whisper.reader_name": (lambda: SOMEBODY, f"set to {SOMEBODY}"),
    "whisper.at": (_now, "set to now"),
    "job.claimed_until": (null, "cleared"),
    "job.tries": (lambda: 0, "set to 0"),
}
"""What is put in the place of a value that cannot be read; where nothing is, its row is let go."""


_SPECIAL = {
    "entry.number": "set to the missing number",
    "entry.base": "set to the keyframe before",
}


def repair_of(column: Column[Any]) -> str:
    """Return what `mend` does to an unreadable value of a column, in words."""
    return _MENDS[str(column)][1] if str(column) in _MENDS else _SPECIAL.get(str(column), "row deleted")


async def mend(engine: AsyncEngine, found: Iterable[Cell]) -> None:
    """Replace unreadable values, or delete their rows."""
    by_row: dict[tuple[Table, str], list[Column[Any]]] = {}
    for cell in found:
        by_row.setdefault((cell.column.table, cell.row), []).append(cell.column)
    async with engine.connect() as connection:
        await connection.exec_driver_sql(begin(engine))
        try:
            for (table, row), columns in by_row.items():
                await _mend_row(connection, table, row, columns)
        except BaseException:
            await connection.exec_driver_sql("ROLLBACK")
            raise
        await connection.exec_driver_sql("COMMIT")


async def _mend_row(
    connection: AsyncConnection, table: Table, row: str, columns: Sequence[Column[Any]]
) -> None:
    here = _row_at(connection, row)
    values: dict[Column[Any], Any] = {}
    for column in columns:
        if str(column) in _MENDS:
            values[column] = _MENDS[str(column)][0]()
        elif column is _ENTRY.number:
            values[column] = await _free_number(connection, here)
        elif column is _ENTRY.base:
            values[column] = await _keyframe(connection, here)
        else:
            await connection.execute(delete(table).where(here))
            return
    await connection.execute(update(table).where(here).values(values))


async def _free_number(connection: AsyncConnection, here: Any) -> int:
    """The first number that no other step of a step's campaign has."""
    of = select(_ENTRY.campaign_id).where(here).scalar_subquery()
    rows = await connection.execute(select(_ENTRY.number).where(_ENTRY.campaign_id == of))
    taken = {number for number in rows.scalars() if isinstance(number, int)}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


async def _keyframe(connection: AsyncConnection, here: Any) -> Any:
    """The keyframe that a step's state is most likely packed against: itself, or the last one before."""
    state, of, number = (
        await connection.execute(select(_ENTRY.state, _ENTRY.campaign_id, _ENTRY.number).where(here))
    ).one()
    if not codec.is_against(state):
        return _ENTRY.number
    before = select(func.max(_ENTRY.number)).where(
        _ENTRY.campaign_id == of, _ENTRY.number < number, _ENTRY.base == _ENTRY.number
    )
    return (await connection.execute(before)).scalar() or _ENTRY.number


def _row_at(connection: AsyncConnection, place: str) -> ColumnElement[bool]:
    """The condition that selects the row at a place."""
    if connection.dialect.name == "sqlite":
        return literal_column("rowid") == int(place)
    return literal_column("ctid") == literal_column(f"'{place}'::tid")


def _short(value: Any) -> str:
    known = "?" if value is None or isinstance(value, bytes) else str(value)
    return known if len(known) <= 40 else f"{known[:39]}…"
